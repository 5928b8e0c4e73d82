/* SPDX-License-Identifier: GPL-2.0 */
/* A network device of this network namespace: its counters, and raw frames out of it. */
#ifndef FLOOD_DEVICE_H
#define FLOOD_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include <fmp/error.h>

struct mnl_socket;

struct flood_device {
	char name[16];
	int ifindex;
	size_t mtu; /* bytes of an IP packet */
	uint8_t mac[6];
	struct mnl_socket *nl;
	uint32_t seq;
};

struct flood_device_counts {
	uint64_t rx_frames, tx_frames, rx_bytes, tx_bytes;
};

/* Return: 0, FMP_ERR_NOTFOUND, FMP_ERR_INVALID (not Ethernet), FMP_ERR_IO. */
int flood_device_open(struct flood_device *d, const char *name, struct fmp_error *err);
void flood_device_close(struct flood_device *d);
/* Asked over rtnetlink, so that it is the own namespace's device whatever /sys shows.
 * Return: 0, FMP_ERR_KERNEL. */
int flood_device_read(struct flood_device *d, struct flood_device_counts *c, struct fmp_error *err);

struct flood_bytes {
	uint8_t *data;
	size_t len;
};

/* A socket for whole frames out of the device. Return: a descriptor, FMP_ERR_DENIED without
 * CAP_NET_RAW, FMP_ERR_IO. */
int flood_device_raw(const struct flood_device *d, struct fmp_error *err);
/* Return: how many of n frames the device took. */
unsigned flood_device_send(int raw, const struct flood_bytes *frames, unsigned n);
/* A nonblocking socket that sees what goes out of the device; returns as flood_device_raw(). */
int flood_device_tap(const struct flood_device *d, struct fmp_error *err);

#endif
