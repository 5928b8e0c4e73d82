/* SPDX-License-Identifier: GPL-2.0 */
/* Default routers of IPv6, and what they advertise beside what the kernel understands (RTNLGRP_ND_USEROPT). */
#ifndef NAT64_ROUTER_H
#define NAT64_ROUTER_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/internal/nat64_discovery.h>

/** struct nat64_router - who advertised something */
struct nat64_router {
	int ifindex;
	uint8_t addr[16];
};

/** struct nat64_events - who wants to know */
struct nat64_events {
	void *ctx;
	/** a router advertisement has a prefix in it, of any host of the link so far */
	void (*on_prefix)(void *ctx, const struct fmp_nat64_found *f,
			  const struct nat64_router *from);
	/** addresses or routes of IPv6 are other ones, or notifications were lost */
	void (*on_change)(void *ctx);
};

/** nat64_router_open() - Return: a descriptor that is readable when there is something; -1. */
int nat64_router_open(void);
/** nat64_router_read() - what there is of it now. */
void nat64_router_read(int fd, const struct nat64_events *e);
/** nat64_router_take() - one datagram of the kernel's. */
void nat64_router_take(const void *datagram, int len, const struct nat64_events *e);
/** nat64_router_is_default() - has the kernel a default route through it? NULL: through any. @unsaid: the answer
 * where the kernel does not say. */
bool nat64_router_is_default(const struct nat64_router *r, bool unsaid);

#endif
