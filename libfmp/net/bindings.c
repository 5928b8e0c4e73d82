// SPDX-License-Identifier: GPL-2.0
#include <net/bindings.h>

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* Twice the kernel's default bound for one family (gc_thresh3). */
#define BUCKETS 256u
#define WAYS	8u

static struct fmpi_binding *find_bucket(const struct fmpi_bindings *b, const struct fmp_addr *ip)
{
	return &b->v[(fmp_addr_hash(ip, b->seed) & (BUCKETS - 1)) * WAYS];
}

static struct fmpi_binding *find_binding(const struct fmpi_bindings *b, const struct fmp_addr *ip,
					 int ifindex)
{
	struct fmpi_binding *one = b->v ? find_bucket(b, ip) : NULL;

	for (unsigned i = 0; one && i < WAYS; i++)
		if (one[i].ifindex == ifindex && fmp_addr_equal(&one[i].ip, ip))
			return &one[i];
	return NULL;
}

static bool allocate_table(struct fmpi_bindings *b)
{
	if (b->v)
		return true;
	if (getrandom(&b->seed, sizeof(b->seed), GRND_NONBLOCK) < 0)
		b->seed = 0;
	b->v = calloc(BUCKETS * WAYS, sizeof(*b->v));
	return b->v;
}

/* A free entry, or the least recently seen one of the bucket. */
static struct fmpi_binding *new_binding(struct fmpi_bindings *b, const struct fmpi_neigh *e,
					uint64_t now_ms)
{
	struct fmpi_binding *one = find_bucket(b, &e->ip), *oldest = one;

	for (unsigned i = 1; i < WAYS && oldest->ip.family; i++)
		if (!one[i].ip.family || one[i].seen_ms < oldest->seen_ms)
			oldest = &one[i];
	if (oldest->ip.family)
		fmpi_bindings_mark_lost(b, now_ms);
	*oldest = (struct fmpi_binding){ .ip = e->ip, .ifindex = e->ifindex, .first_ms = now_ms };
	memcpy(oldest->mac, e->mac.bytes, sizeof(oldest->mac));
	return oldest;
}

void fmpi_bindings_observe(struct fmpi_bindings *b, const struct fmpi_neigh *e, uint64_t now_ms)
{
	struct fmpi_binding *one;

	if (!allocate_table(b)) {
		fmpi_bindings_mark_lost(b, now_ms);
		return;
	}
	one = find_binding(b, &e->ip, e->ifindex);
	if (!one)
		one = new_binding(b, e, now_ms);
	one->seen_ms = now_ms;
	if (!memcmp(one->mac, e->mac.bytes, sizeof(one->mac)))
		return;
	memcpy(one->previous_mac, one->mac, sizeof(one->previous_mac));
	memcpy(one->mac, e->mac.bytes, sizeof(one->mac));
	one->changed_ms = b->newest_ms = now_ms ? now_ms : 1;
}

void fmpi_bindings_contest(struct fmpi_bindings *b, const struct fmp_addr *ip, uint64_t now_ms)
{
	struct fmpi_binding *one = b->v ? find_bucket(b, ip) : NULL;

	for (unsigned i = 0; one && i < WAYS; i++)
		if (fmp_addr_equal(&one[i].ip, ip)) {
			memcpy(one[i].previous_mac, one[i].mac, sizeof(one[i].previous_mac));
			one[i].changed_ms = b->newest_ms = now_ms ? now_ms : 1;
		}
}

void fmpi_bindings_mark_lost(struct fmpi_bindings *b, uint64_t now_ms)
{
	b->lost_ms = now_ms ? now_ms : 1;
}

bool fmpi_bindings_lost(const struct fmpi_bindings *b, uint64_t since_ms)
{
	return b->lost_ms && b->lost_ms >= since_ms;
}

bool fmpi_bindings_is_stable(const struct fmpi_bindings *b, const struct fmpi_neigh *e,
			     uint64_t since_ms)
{
	const struct fmpi_binding *one = find_binding(b, &e->ip, e->ifindex);

	if (!one)
		return !fmpi_bindings_lost(b, since_ms);
	if (memcmp(one->mac, e->mac.bytes, sizeof(one->mac)))
		return false;
	if (one->changed_ms && one->changed_ms >= since_ms)
		return false;
	/* An entry first seen since then may have had an earlier history that was dropped. */
	return !fmpi_bindings_lost(b, since_ms) || one->first_ms < since_ms;
}

bool fmpi_bindings_each_moved(const struct fmpi_bindings *b, const struct fmp_addr *mac,
			      uint64_t since_ms, bool (*cb)(const struct fmp_addr *ip, void *ctx),
			      void *ctx)
{
	if (!b->newest_ms || b->newest_ms < since_ms)
		return false;
	for (size_t i = 0; i < BUCKETS * WAYS; i++) {
		const struct fmpi_binding *one = &b->v[i];

		if (one->changed_ms && one->changed_ms >= since_ms &&
		    !memcmp(one->previous_mac, mac->bytes, sizeof(one->previous_mac)) &&
		    memcmp(one->mac, mac->bytes, sizeof(one->mac)) && cb(&one->ip, ctx))
			return true;
	}
	return false;
}

void fmpi_bindings_free(struct fmpi_bindings *b)
{
	free(b->v);
	*b = (struct fmpi_bindings){ 0 };
}
