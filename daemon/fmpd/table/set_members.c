// SPDX-License-Identifier: GPL-2.0
#include "set_members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/hmap.h>

struct member {
	struct fmp_hmap_link link;
	struct fmp_addr addr;
	uint64_t end_ms;
	bool keep;
	char set[FMP_SET_NAME_MAX];
};

struct fmpd_set_members {
	struct fmp_hmap all; /* an address has one entry for each of its sets */
};

struct fmpd_set_members *fmpd_set_members_new(uint64_t seed)
{
	struct fmpd_set_members *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	if (fmp_hmap_init(&m->all, FMP_HMAP_ENTRY(struct member, link, addr), seed, 0)) {
		free(m);
		return NULL;
	}
	return m;
}

static void free_member(struct fmpd_set_members *m, struct member *one)
{
	fmp_hmap_remove(&m->all, one);
	free(one);
}

/* Remove members of a set ("": of any) that end by @now_ms; UINT64_MAX: all. */
static void remove_members(struct fmpd_set_members *m, const char *set, bool except_kept,
			   uint64_t now_ms)
{
	struct fmp_hmap_cursor at = { 0 };
	struct member *one;

	while ((one = fmp_hmap_next(&m->all, &at)))
		if (one->end_ms <= now_ms && !(except_kept && one->keep) &&
		    (!*set || !strcmp(one->set, set)))
			free_member(m, one);
}

void fmpd_set_members_free(struct fmpd_set_members *m)
{
	if (!m)
		return;
	remove_members(m, "", false, UINT64_MAX);
	fmp_hmap_exit(&m->all);
	free(m);
}

static struct member *find_member(const struct fmpd_set_members *m, const struct fmp_addr *addr,
				  const char *set)
{
	struct member *one = fmp_hmap_find(&m->all, addr);

	while (one && strcmp(one->set, set))
		one = fmp_hmap_find_next(&m->all, one);
	return one;
}

void fmpd_set_members_add(struct fmpd_set_members *m, const struct fmp_addr *addr, const char *set,
			  uint64_t end_ms, uint64_t now_ms, size_t max)
{
	struct member *one = find_member(m, addr, set);

	if (!one && m->all.n >= max)
		remove_members(m, "", false, now_ms);
	if (!one && m->all.n < max) {
		one = calloc(1, sizeof(*one));
		if (!one)
			return;
		one->addr = *addr;
		snprintf(one->set, sizeof(one->set), "%s", set);
		fmp_hmap_add(&m->all, one);
	}
	if (one)
		one->end_ms = end_ms;
}

bool fmpd_set_members_take(struct fmpd_set_members *m, const struct fmp_addr *addr, uint64_t now_ms,
			   char set[FMP_SET_NAME_MAX], uint64_t *end_ms)
{
	struct member *one = fmp_hmap_find(&m->all, addr), *longest = NULL;

	for (; one; one = fmp_hmap_find_next(&m->all, one))
		if (one->end_ms > now_ms && (!longest || one->end_ms > longest->end_ms))
			longest = one;
	if (!longest)
		return false;
	snprintf(set, FMP_SET_NAME_MAX, "%s", longest->set);
	*end_ms = longest->end_ms;
	free_member(m, longest);
	return true;
}

void fmpd_set_members_remove(struct fmpd_set_members *m, const struct fmp_addr *addr,
			     const char *set)
{
	struct member *one = fmp_hmap_find(&m->all, addr), *next;

	for (; one; one = next) {
		next = fmp_hmap_find_next(&m->all, one);
		if (!set || !strcmp(one->set, set))
			free_member(m, one);
	}
}

void fmpd_set_members_keep(struct fmpd_set_members *m, const char *set, const struct fmp_addr *addr)
{
	struct member *one = addr ? find_member(m, addr, set) : NULL;
	struct fmp_hmap_cursor at = { 0 };

	if (one)
		one->keep = true;
	while (!addr && (one = fmp_hmap_next(&m->all, &at)))
		if (!strcmp(one->set, set))
			one->keep = false;
}

void fmpd_set_members_remove_set(struct fmpd_set_members *m, const char *set, bool except_kept)
{
	remove_members(m, set, except_kept, UINT64_MAX);
}

size_t fmpd_set_members_count(const struct fmpd_set_members *m)
{
	return m->all.n;
}
