/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sources that fmpd has blocked, for the requests that a proxy hands on: packet filters see the
 * proxy's address, which is never blocked, so whom it speaks for is refused here.
 */
#ifndef GW_BLOCKLIST_H
#define GW_BLOCKLIST_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/source.h>

struct gw_blocklist;

/** gw_blocklist_new() - @most: sources at once; more are not taken. Return: NULL with errno. */
struct gw_blocklist *gw_blocklist_new(unsigned most);
void gw_blocklist_free(struct gw_blocklist *b);

/**
 * gw_blocklist_add() - an address or a prefix, anew if it is there; those whose time is over make room
 * @until_ms: of the clock that gw_blocklist_contains() is given; 0: without end
 */
void gw_blocklist_add(struct gw_blocklist *b, const struct fmp_addr *source, uint64_t until_ms,
		      uint64_t now_ms);
void gw_blocklist_remove(struct gw_blocklist *b, const struct fmp_addr *source);
/** gw_blocklist_contains() - is the address one of them, or inside one? */
bool gw_blocklist_contains(const struct gw_blocklist *b, const struct fmp_addr *addr,
			   uint64_t now_ms);

#endif
