/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets whose lists have an address that somebody else blocks already. A block belongs to one set, or to none;
 * once it ends, the address is blocked for the next of its holders. Not in the state file: the next import of
 * a list says it anew.
 */
#ifndef FMPD_SET_MEMBERS_H
#define FMPD_SET_MEMBERS_H

#include <fmp/decision.h>

struct fmpd_holders;

/** fmpd_holders_new() - Return: NULL without memory. */
struct fmpd_holders *fmpd_holders_new(uint64_t seed);
void fmpd_holders_free(struct fmpd_holders *h);

/**
 * fmpd_holders_note() - the list of @set has @addr
 * @end_ms: CLOCK_BOOTTIME until which it is to be blocked; UINT64_MAX: without end
 * @max: of all; what is over goes first, then nothing more is noted
 */
void fmpd_holders_note(struct fmpd_holders *h, const struct fmp_addr *addr, const char *set,
		       uint64_t end_ms, uint64_t now_ms, size_t max);
/** fmpd_holders_take() - take out the one that holds @addr for the longest time. Return: there was one. */
bool fmpd_holders_take(struct fmpd_holders *h, const struct fmp_addr *addr, uint64_t now_ms,
		       char set[FMP_SET_NAME_MAX], uint64_t *end_ms);
/** fmpd_holders_forget() - nobody holds @addr; @set: that set does not, NULL: none does. */
void fmpd_holders_forget(struct fmpd_holders *h, const struct fmp_addr *addr, const char *set);
/** fmpd_holders_keep() - the set still has it; @addr NULL: it is not yet known what it has. */
void fmpd_holders_keep(struct fmpd_holders *h, const char *set, const struct fmp_addr *addr);
/** fmpd_holders_drop() - all of a set; @but_kept: less those of fmpd_holders_keep(). @set "": of all sets. */
void fmpd_holders_drop(struct fmpd_holders *h, const char *set, bool but_kept);
size_t fmpd_holders_count(const struct fmpd_holders *h);

#endif
