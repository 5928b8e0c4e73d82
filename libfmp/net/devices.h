/* SPDX-License-Identifier: GPL-2.0 */
/* The module's devices: which are attached and which it waits for. */
#ifndef FMPI_NET_DEVICES_H
#define FMPI_NET_DEVICES_H

#include <net/genl.h>
#include <fmp/internal/netlink.h>

/* {0} is none. */
struct fmpi_devices {
	struct fmpi_genl_dev *v;
	size_t n, cap;
};

/* Every device that the module knows, in place of those in out. */
FMP_MUST_CHECK int fmpi_devices_dump(struct fmp_nl *nl, struct fmpi_devices *out,
				     struct fmp_error *err);
void fmpi_devices_free(struct fmpi_devices *d);

/*
 * Does the module attach this device whenever it is there? That it is not there
 * now, or can't be attached as it is, is not asked.
 */
bool fmpi_devices_is_pending(const struct fmpi_devices *d, const char *name);

/* Have the module attach all of these whenever they are there. */
FMP_MUST_CHECK int fmpi_devices_attach(struct fmp_nl *nl, const char (*names)[16], unsigned n,
				       struct fmp_error *err);
/* Have the module leave those of these that it attaches whenever they are there. */
FMP_MUST_CHECK int fmpi_devices_detach(struct fmp_nl *nl, const char (*names)[16], unsigned n,
				       struct fmp_error *err);
/* Detach all that is attached, take back all that is wished for. */
FMP_MUST_CHECK int fmpi_devices_detach_all(struct fmp_nl *nl, struct fmp_error *err);

/* One sentence: where the module sits on each. */
void fmpi_devices_describe(const struct fmpi_devices *d, char *buf, size_t size);

#endif
