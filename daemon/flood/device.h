/* SPDX-License-Identifier: GPL-2.0 */
/* A network device of this network namespace: counters, sending raw frames, recording sent ones. */
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
/* Reads by rtnetlink: /sys may belong to another network namespace.
 * Return: 0, FMP_ERR_KERNEL. */
int flood_device_read(struct flood_device *d, struct flood_device_counts *c, struct fmp_error *err);

struct flood_bytes {
	uint8_t *data;
	size_t len;
};

/* Opens a socket that sends whole frames. Return: a descriptor, FMP_ERR_DENIED without
 * CAP_NET_RAW, FMP_ERR_IO. */
int flood_device_raw(const struct flood_device *d, struct fmp_error *err);
/* Return: number of frames that the device accepted. */
unsigned flood_device_send(int raw, const struct flood_bytes *frames, unsigned n);
/* Opens a nonblocking socket that receives copies of sent frames; returns as flood_device_raw(). */
int flood_device_tap(const struct flood_device *d, struct fmp_error *err);

#endif
