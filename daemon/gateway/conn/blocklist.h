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

struct gw_barred;

/** gw_barred_new() - @most: sources at once; more are not taken. Return: NULL with errno. */
struct gw_barred *gw_barred_new(unsigned most);
void gw_barred_free(struct gw_barred *b);

/**
 * gw_barred_add() - an address or a prefix, anew if it is there; those whose time is over make room
 * @until_ms: of the clock that gw_barred_has() is given; 0: without end
 */
void gw_barred_add(struct gw_barred *b, const struct fmp_addr *source, uint64_t until_ms,
		   uint64_t now_ms);
void gw_barred_remove(struct gw_barred *b, const struct fmp_addr *source);
/** gw_barred_has() - is the address one of them, or inside one? */
bool gw_barred_has(const struct gw_barred *b, const struct fmp_addr *addr, uint64_t now_ms);

#endif
