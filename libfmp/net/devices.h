/* SPDX-License-Identifier: GPL-2.0 */
/* The module's devices: attached and pending ones. */
#ifndef FMPI_NET_DEVICES_H
#define FMPI_NET_DEVICES_H

#include <net/genl.h>
#include <fmp/internal/netlink.h>

/* {0} is none. */
struct fmpi_devices {
	struct fmpi_genl_dev *v;
	size_t n, cap;
};

/* Replace @out by all devices that the module knows. */
FMP_MUST_CHECK int fmpi_devices_dump(struct fmp_nl *nl, struct fmpi_devices *out,
				     struct fmp_error *err);
void fmpi_devices_free(struct fmpi_devices *d);

/*
 * Does the module attach this device whenever it exists? It may be absent now, or impossible to
 * attach in its current state.
 */
bool fmpi_devices_is_pending(const struct fmpi_devices *d, const char *name);

/* Request the module to attach these devices whenever they exist. */
FMP_MUST_CHECK int fmpi_devices_attach(struct fmp_nl *nl, const char (*names)[16], unsigned n,
				       struct fmp_error *err);
/* Request the module to detach those of these devices that are attached or pending. */
FMP_MUST_CHECK int fmpi_devices_detach(struct fmp_nl *nl, const char (*names)[16], unsigned n,
				       struct fmp_error *err);
/* Detach all devices, and cancel all pending attachments. */
FMP_MUST_CHECK int fmpi_devices_detach_all(struct fmp_nl *nl, struct fmp_error *err);

/* One sentence about the place of the filter on each device. */
void fmpi_devices_describe(const struct fmpi_devices *d, char *buf, size_t size);

#endif
