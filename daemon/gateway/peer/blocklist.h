/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sources that fmpd has blocked, for requests behind a proxy: packet filters see the proxy's
 * address, which is never blocked, so its clients are refused here.
 */
#ifndef GW_BLOCKLIST_H
#define GW_BLOCKLIST_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/source.h>

struct gw_blocklist;

/**
 * gw_blocklist_new() - @max: sources at once; further ones are dropped. Return: NULL with errno.
 */
struct gw_blocklist *gw_blocklist_new(unsigned max);
void gw_blocklist_free(struct gw_blocklist *b);

/**
 * gw_blocklist_add() - block an address or prefix, or update it; expired entries make room
 * @until_ms: on the clock that gw_blocklist_contains() is given; 0: without end
 */
void gw_blocklist_add(struct gw_blocklist *b, const struct fmp_addr *source, uint64_t until_ms,
		      uint64_t now_ms);
void gw_blocklist_remove(struct gw_blocklist *b, const struct fmp_addr *source);
/** gw_blocklist_contains() - is the address, or a prefix that contains it, blocked? */
bool gw_blocklist_contains(const struct gw_blocklist *b, const struct fmp_addr *addr,
			   uint64_t now_ms);

#endif
