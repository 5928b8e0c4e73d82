// SPDX-License-Identifier: GPL-2.0
#include "set_members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#define BUCKETS_FIRST 64u

struct member {
	SLIST_ENTRY(member) chain;
	struct fmp_addr addr;
	uint64_t end_ms;
	bool keep;
	char set[FMP_SET_NAME_MAX];
};
SLIST_HEAD(member_chain, member);

struct fmpd_set_members {
	uint64_t seed;
	struct member_chain *chains;
	size_t buckets, n; /* buckets: a power of two */
};

struct fmpd_set_members *fmpd_set_members_new(uint64_t seed)
{
	struct fmpd_set_members *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->seed = seed;
	m->buckets = BUCKETS_FIRST;
	m->chains = calloc(m->buckets, sizeof(*m->chains));
	if (!m->chains) {
		free(m);
		return NULL;
	}
	return m;
}

static struct member_chain *find_chain(const struct fmpd_set_members *m,
				       const struct fmp_addr *addr)
{
	return &m->chains[fmp_addr_hash(addr, m->seed) & (m->buckets - 1)];
}

/* Without memory the chains get longer, and nothing else happens. */
static void grow_chains(struct fmpd_set_members *m)
{
	struct fmpd_set_members more = { .seed = m->seed, .buckets = 2 * m->buckets, .n = m->n };
	struct member *one;

	more.chains = calloc(more.buckets, sizeof(*more.chains));
	if (!more.chains)
		return;
	for (size_t i = 0; i < m->buckets; i++) {
		while ((one = SLIST_FIRST(&m->chains[i]))) {
			SLIST_REMOVE_HEAD(&m->chains[i], chain);
			SLIST_INSERT_HEAD(find_chain(&more, &one->addr), one, chain);
		}
	}
	free(m->chains);
	*m = more;
}

static void free_member(struct fmpd_set_members *m, struct member_chain *chain, struct member *one)
{
	SLIST_REMOVE(chain, one, member, chain);
	free(one);
	m->n--;
}

/* Remove members of a set ("": of any) that end by @now_ms; UINT64_MAX: all. */
static void remove_members(struct fmpd_set_members *m, const char *set, bool except_kept,
			   uint64_t now_ms)
{
	struct member *one, *next;

	for (size_t i = 0; i < m->buckets; i++) {
		for (one = SLIST_FIRST(&m->chains[i]); one; one = next) {
			next = SLIST_NEXT(one, chain);
			if (one->end_ms <= now_ms && !(except_kept && one->keep) &&
			    (!*set || !strcmp(one->set, set)))
				free_member(m, &m->chains[i], one);
		}
	}
}

void fmpd_set_members_free(struct fmpd_set_members *m)
{
	if (!m)
		return;
	remove_members(m, "", false, UINT64_MAX);
	free(m->chains);
	free(m);
}

static struct member *find_member(const struct fmpd_set_members *m, const struct fmp_addr *addr,
				  const char *set)
{
	struct member *one;

	SLIST_FOREACH(one, find_chain(m, addr), chain)
	if (!strcmp(one->set, set) && fmp_addr_equal(&one->addr, addr))
		return one;
	return NULL;
}

void fmpd_set_members_add(struct fmpd_set_members *m, const struct fmp_addr *addr, const char *set,
			  uint64_t end_ms, uint64_t now_ms, size_t max)
{
	struct member *one = find_member(m, addr, set);

	if (!one && m->n >= max)
		remove_members(m, "", false, now_ms);
	if (!one && m->n < max) {
		one = calloc(1, sizeof(*one));
		if (!one)
			return;
		one->addr = *addr;
		snprintf(one->set, sizeof(one->set), "%s", set);
		if (m->n >= m->buckets)
			grow_chains(m);
		SLIST_INSERT_HEAD(find_chain(m, addr), one, chain);
		m->n++;
	}
	if (one)
		one->end_ms = end_ms;
}

bool fmpd_set_members_take(struct fmpd_set_members *m, const struct fmp_addr *addr, uint64_t now_ms,
			   char set[FMP_SET_NAME_MAX], uint64_t *end_ms)
{
	struct member_chain *chain = find_chain(m, addr);
	struct member *one, *longest = NULL;

	SLIST_FOREACH(one, chain, chain)
	if (fmp_addr_equal(&one->addr, addr) && one->end_ms > now_ms &&
	    (!longest || one->end_ms > longest->end_ms))
		longest = one;
	if (!longest)
		return false;
	snprintf(set, FMP_SET_NAME_MAX, "%s", longest->set);
	*end_ms = longest->end_ms;
	free_member(m, chain, longest);
	return true;
}

void fmpd_set_members_remove(struct fmpd_set_members *m, const struct fmp_addr *addr,
			     const char *set)
{
	struct member_chain *chain = find_chain(m, addr);
	struct member *one, *next;

	for (one = SLIST_FIRST(chain); one; one = next) {
		next = SLIST_NEXT(one, chain);
		if (fmp_addr_equal(&one->addr, addr) && (!set || !strcmp(one->set, set)))
			free_member(m, chain, one);
	}
}

void fmpd_set_members_keep(struct fmpd_set_members *m, const char *set, const struct fmp_addr *addr)
{
	struct member *one = addr ? find_member(m, addr, set) : NULL;

	if (one)
		one->keep = true;
	for (size_t i = 0; !addr && i < m->buckets; i++) {
		SLIST_FOREACH(one, &m->chains[i], chain)
		if (!strcmp(one->set, set))
			one->keep = false;
	}
}

void fmpd_set_members_remove_set(struct fmpd_set_members *m, const char *set, bool except_kept)
{
	remove_members(m, set, except_kept, UINT64_MAX);
}

size_t fmpd_set_members_count(const struct fmpd_set_members *m)
{
	return m->n;
}
