/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets whose lists have an address that somebody else blocks already. A block belongs to one set, or to none;
 * once it ends, the address is blocked for the next of its holders. Not in the state file: the next import of
 * a list says it anew.
 */
#ifndef FMPD_SET_MEMBERS_H
#define FMPD_SET_MEMBERS_H

#include <fmp/decision.h>

struct fmpd_set_members;

/** fmpd_set_members_new() - Return: NULL without memory. */
struct fmpd_set_members *fmpd_set_members_new(uint64_t seed);
void fmpd_set_members_free(struct fmpd_set_members *m);

/**
 * fmpd_set_members_add() - the list of @set has @addr
 * @end_ms: CLOCK_BOOTTIME until which it is to be blocked; UINT64_MAX: without end
 * @max: of all; what is over goes first, then nothing more is noted
 */
void fmpd_set_members_add(struct fmpd_set_members *m, const struct fmp_addr *addr, const char *set,
			  uint64_t end_ms, uint64_t now_ms, size_t max);
/** fmpd_set_members_take() - take out the one that holds @addr for the longest time. Return: there was one. */
bool fmpd_set_members_take(struct fmpd_set_members *m, const struct fmp_addr *addr, uint64_t now_ms,
			   char set[FMP_SET_NAME_MAX], uint64_t *end_ms);
/** fmpd_set_members_remove() - nobody holds @addr; @set: that set does not, NULL: none does. */
void fmpd_set_members_remove(struct fmpd_set_members *m, const struct fmp_addr *addr,
			     const char *set);
/** fmpd_set_members_keep() - the set still has it; @addr NULL: it is not yet known what it has. */
void fmpd_set_members_keep(struct fmpd_set_members *m, const char *set,
			   const struct fmp_addr *addr);
/** fmpd_set_members_remove_set() - all of a set; @but_kept: less those of fmpd_set_members_keep(). @set "": of all sets. */
void fmpd_set_members_remove_set(struct fmpd_set_members *m, const char *set, bool except_kept);
size_t fmpd_set_members_count(const struct fmpd_set_members *m);

#endif
