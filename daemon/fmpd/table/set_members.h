/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Members of sets whose address another block holds. A block belongs to one set, or to none; when it ends, the
 * address is blocked for the next set that has it as a member. They are not in the state file: the next import of
 * a list adds them again.
 */
#ifndef FMPD_SET_MEMBERS_H
#define FMPD_SET_MEMBERS_H

#include <fmp/decision.h>

struct fmpd_set_members;

/** fmpd_set_members_new() - Return: NULL without memory. */
struct fmpd_set_members *fmpd_set_members_new(uint64_t seed);
void fmpd_set_members_free(struct fmpd_set_members *m);

/**
 * fmpd_set_members_add() - @addr is a member of @set
 * @end_ms: CLOCK_BOOTTIME until which to block it; UINT64_MAX: without end
 * @max: limit for all sets together; at the limit expired members make room, else nothing is added
 */
void fmpd_set_members_add(struct fmpd_set_members *m, const struct fmp_addr *addr, const char *set,
			  uint64_t end_ms, uint64_t now_ms, size_t max);
/**
 * fmpd_set_members_take() - remove the member @addr that ends last, the newest if several do, and return its set.
 * Return: there was one.
 */
bool fmpd_set_members_take(struct fmpd_set_members *m, const struct fmp_addr *addr, uint64_t now_ms,
			   char set[FMP_SET_NAME_MAX], uint64_t *end_ms);
/** fmpd_set_members_remove() - @addr is no member of @set; NULL: of no set. */
void fmpd_set_members_remove(struct fmpd_set_members *m, const struct fmp_addr *addr,
			     const char *set);
/** fmpd_set_members_keep() - mark @addr as still in the list of @set; NULL: clear all marks of the set. */
void fmpd_set_members_keep(struct fmpd_set_members *m, const char *set,
			   const struct fmp_addr *addr);
/** fmpd_set_members_remove_set() - remove all members of a set ("": of all sets). @except_kept: except marked ones. */
void fmpd_set_members_remove_set(struct fmpd_set_members *m, const char *set, bool except_kept);
size_t fmpd_set_members_count(const struct fmpd_set_members *m);

#endif
