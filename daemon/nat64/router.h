/* SPDX-License-Identifier: GPL-2.0 */
/*
 * IPv6 default routers, and the options of their advertisements that the kernel passes on unparsed
 * (RTNLGRP_ND_USEROPT).
 */
#ifndef NAT64_ROUTER_H
#define NAT64_ROUTER_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/internal/nat64_discovery.h>

/** struct nat64_router - a router that sent an advertisement */
struct nat64_router {
	int ifindex;
	uint8_t addr[16];
};

/** struct nat64_events - callbacks */
struct nat64_events {
	void *ctx;
	/** an advertisement has a prefix; its sender may be any host of the link */
	void (*on_prefix)(void *ctx, const struct fmp_nat64_found *f,
			  const struct nat64_router *from);
	/** IPv6 addresses or routes changed, or notifications were lost */
	void (*on_change)(void *ctx);
};

/** nat64_router_open() - Return: a descriptor for netlink notifications; -1. */
int nat64_router_open(void);
/** nat64_router_read() - handle all pending notifications. */
void nat64_router_read(int fd, const struct nat64_events *e);
/** nat64_router_handle() - handle one datagram of the kernel. */
void nat64_router_handle(const void *datagram, int len, const struct nat64_events *e);
/**
 * nat64_router_is_default() - is there a default route through it? NULL: through any router.
 * @fallback: result if the kernel does not tell.
 */
bool nat64_router_is_default(const struct nat64_router *r, bool fallback);

#endif
