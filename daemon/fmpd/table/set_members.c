// SPDX-License-Identifier: GPL-2.0
#include "set_members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#define BUCKETS_FIRST 64u

struct holder {
	SLIST_ENTRY(holder) chain;
	struct fmp_addr addr;
	uint64_t end_ms;
	bool stays;
	char set[FMP_SET_NAME_MAX];
};
SLIST_HEAD(holder_chain, holder);

struct fmpd_holders {
	uint64_t seed;
	struct holder_chain *chains;
	size_t buckets, n; /* buckets: a power of two */
};

struct fmpd_holders *fmpd_holders_new(uint64_t seed)
{
	struct fmpd_holders *h = calloc(1, sizeof(*h));

	if (!h)
		return NULL;
	h->seed = seed;
	h->buckets = BUCKETS_FIRST;
	h->chains = calloc(h->buckets, sizeof(*h->chains));
	if (!h->chains) {
		free(h);
		return NULL;
	}
	return h;
}

static struct holder_chain *chain_of(const struct fmpd_holders *h, const struct fmp_addr *addr)
{
	return &h->chains[fmp_addr_hash(addr, h->seed) & (h->buckets - 1)];
}

/* Without memory the chains only get longer. */
static void grow(struct fmpd_holders *h)
{
	struct fmpd_holders more = { .seed = h->seed, .buckets = 2 * h->buckets, .n = h->n };
	struct holder *one;

	more.chains = calloc(more.buckets, sizeof(*more.chains));
	if (!more.chains)
		return;
	for (size_t i = 0; i < h->buckets; i++) {
		while ((one = SLIST_FIRST(&h->chains[i]))) {
			SLIST_REMOVE_HEAD(&h->chains[i], chain);
			SLIST_INSERT_HEAD(chain_of(&more, &one->addr), one, chain);
		}
	}
	free(h->chains);
	*h = more;
}

static void take_out(struct fmpd_holders *h, struct holder_chain *chain, struct holder *one)
{
	SLIST_REMOVE(chain, one, holder, chain);
	free(one);
	h->n--;
}

/* Those of a set ("": of any) that are over by @now_ms, or all of it that does not stay. */
static void drop(struct fmpd_holders *h, const char *set, bool but_kept, uint64_t now_ms)
{
	struct holder *one, *next;

	for (size_t i = 0; i < h->buckets; i++) {
		for (one = SLIST_FIRST(&h->chains[i]); one; one = next) {
			next = SLIST_NEXT(one, chain);
			if (one->end_ms <= now_ms && !(but_kept && one->stays) &&
			    (!*set || !strcmp(one->set, set)))
				take_out(h, &h->chains[i], one);
		}
	}
}

void fmpd_holders_free(struct fmpd_holders *h)
{
	if (!h)
		return;
	drop(h, "", false, UINT64_MAX);
	free(h->chains);
	free(h);
}

static struct holder *find(const struct fmpd_holders *h, const struct fmp_addr *addr,
			   const char *set)
{
	struct holder *one;

	SLIST_FOREACH(one, chain_of(h, addr), chain)
	if (!strcmp(one->set, set) && fmp_addr_equal(&one->addr, addr))
		return one;
	return NULL;
}

void fmpd_holders_note(struct fmpd_holders *h, const struct fmp_addr *addr, const char *set,
		       uint64_t end_ms, uint64_t now_ms, size_t max)
{
	struct holder *one = find(h, addr, set);

	if (!one && h->n >= max)
		drop(h, "", false, now_ms);
	if (!one && h->n < max) {
		one = calloc(1, sizeof(*one));
		if (!one)
			return;
		one->addr = *addr;
		snprintf(one->set, sizeof(one->set), "%s", set);
		if (h->n >= h->buckets)
			grow(h);
		SLIST_INSERT_HEAD(chain_of(h, addr), one, chain);
		h->n++;
	}
	if (one)
		one->end_ms = end_ms;
}

bool fmpd_holders_take(struct fmpd_holders *h, const struct fmp_addr *addr, uint64_t now_ms,
		       char set[FMP_SET_NAME_MAX], uint64_t *end_ms)
{
	struct holder_chain *chain = chain_of(h, addr);
	struct holder *one, *longest = NULL;

	SLIST_FOREACH(one, chain, chain)
	if (fmp_addr_equal(&one->addr, addr) && one->end_ms > now_ms &&
	    (!longest || one->end_ms > longest->end_ms))
		longest = one;
	if (!longest)
		return false;
	snprintf(set, FMP_SET_NAME_MAX, "%s", longest->set);
	*end_ms = longest->end_ms;
	take_out(h, chain, longest);
	return true;
}

void fmpd_holders_forget(struct fmpd_holders *h, const struct fmp_addr *addr, const char *set)
{
	struct holder_chain *chain = chain_of(h, addr);
	struct holder *one, *next;

	for (one = SLIST_FIRST(chain); one; one = next) {
		next = SLIST_NEXT(one, chain);
		if (fmp_addr_equal(&one->addr, addr) && (!set || !strcmp(one->set, set)))
			take_out(h, chain, one);
	}
}

void fmpd_holders_keep(struct fmpd_holders *h, const char *set, const struct fmp_addr *addr)
{
	struct holder *one = addr ? find(h, addr, set) : NULL;

	if (one)
		one->stays = true;
	for (size_t i = 0; !addr && i < h->buckets; i++) {
		SLIST_FOREACH(one, &h->chains[i], chain)
		if (!strcmp(one->set, set))
			one->stays = false;
	}
}

void fmpd_holders_drop(struct fmpd_holders *h, const char *set, bool but_kept)
{
	drop(h, set, but_kept, UINT64_MAX);
}

size_t fmpd_holders_count(const struct fmpd_holders *h)
{
	return h->n;
}
