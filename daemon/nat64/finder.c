// SPDX-License-Identifier: GPL-2.0
#include "finder.h"

#include <string.h>

#include "resolve.h"

#define SETTLE_S  2u /* after a change, others may follow: address, route, resolver */
#define PAUSE_S	  5u /* shortest time between two queries */
#define FRESH_S	  5u /* shortest time between two reports of a prefix */
#define DELAY_S	  10u /* before the next try after no reply; doubles */
#define DELAY_MAX 600u
#define NONE_S	  3600u /* before the next query if there is no NAT64 */
#define TTL_MIN	  10u
#define TTL_MAX	  86400u

void nat64_finder_init(struct nat64_finder *n, bool (*is_default)(const struct nat64_router *r),
		       void (*report)(void *ctx, const struct fmp_nat64_found *f), void *ctx,
		       uint64_t now_s)
{
	*n = (struct nat64_finder){ .next_query_s = now_s,
				    .delay_s = DELAY_S,
				    .is_default = is_default,
				    .report = report,
				    .ctx = ctx };
}

static bool is_same_prefix(const struct fmp_nat64_found *a, const struct fmp_nat64_found *b)
{
	return a->prefix_len == b->prefix_len && !memcmp(a->prefix, b->prefix, sizeof(a->prefix));
}

static struct nat64_prefix *find_prefix(struct nat64_prefix list[NAT64_FINDER_MAX],
					const struct fmp_nat64_found *f)
{
	for (unsigned i = 0; i < NAT64_FINDER_MAX; i++)
		if (list[i].f.lifetime_s && is_same_prefix(&list[i].f, f))
			return &list[i];
	return NULL;
}

static void withdraw_prefix(struct nat64_finder *n, struct nat64_prefix *one)
{
	struct fmp_nat64_found f = one->f;

	f.lifetime_s = 0;
	*one = (struct nat64_prefix){ 0 };
	n->report(n->ctx, &f);
}

/* Known prefixes stay: a sender of too many pushes none out. */
static struct nat64_prefix *add_prefix(struct nat64_finder *n,
				       struct nat64_prefix list[NAT64_FINDER_MAX],
				       const struct fmp_nat64_found *f, uint64_t now_s)
{
	struct nat64_prefix *one = find_prefix(list, f);

	for (unsigned i = 0; !one && i < NAT64_FINDER_MAX; i++)
		if (!list[i].f.lifetime_s)
			one = &list[i];
	if (!one)
		return NULL;
	if (one->f.lifetime_s != f->lifetime_s || now_s >= one->reported_s + FRESH_S) {
		n->report(n->ctx, f);
		one->reported_s = now_s;
		one->end_s = now_s + f->lifetime_s;
	}
	one->f = *f;
	return one;
}

void nat64_finder_advertised(struct nat64_finder *n, const struct fmp_nat64_found *f,
			     const struct nat64_router *from, uint64_t now_s)
{
	struct nat64_prefix *one;

	if (!f->lifetime_s) {
		one = find_prefix(n->advertised, f);
		if (one)
			withdraw_prefix(n, one);
		return;
	}
	one = add_prefix(n, n->advertised, f, now_s);
	if (one)
		one->from = *from;
}

void nat64_finder_changed(struct nat64_finder *n, uint64_t now_s)
{
	uint64_t soon = now_s + SETTLE_S;

	n->check_s = soon;
	n->delay_s = DELAY_S;
	if (soon < n->last_query_s + PAUSE_S)
		soon = n->last_query_s + PAUSE_S;
	if (soon < n->next_query_s)
		n->next_query_s = soon;
}

static bool contains_prefix(const struct fmp_nat64_found *found, int n_found,
			    const struct fmp_nat64_found *f)
{
	for (int i = 0; i < n_found; i++)
		if (is_same_prefix(&found[i], f))
			return true;
	return false;
}

static uint32_t clamp_ttl(uint32_t ttl_s)
{
	return ttl_s < TTL_MIN ? TTL_MIN : ttl_s > TTL_MAX ? TTL_MAX : ttl_s;
}

void nat64_finder_resolved(struct nat64_finder *n, const struct fmp_nat64_found *found, int n_found,
			   uint64_t now_s)
{
	uint32_t next_s = NONE_S;

	n->last_query_s = now_s;
	if (n_found == NAT64_NO_ANSWER) {
		/* Known prefixes stay valid until they expire. */
		n->next_query_s = now_s + n->delay_s;
		n->delay_s = n->delay_s < DELAY_MAX / 2 ? 2 * n->delay_s : DELAY_MAX;
		return;
	}
	n->delay_s = DELAY_S;
	for (unsigned i = 0; i < NAT64_FINDER_MAX; i++)
		if (n->resolved[i].f.lifetime_s &&
		    !contains_prefix(found, n_found, &n->resolved[i].f))
			withdraw_prefix(n, &n->resolved[i]);
	for (int i = 0; i < n_found; i++) {
		struct fmp_nat64_found f = found[i];

		f.lifetime_s = clamp_ttl(f.lifetime_s);
		(void)add_prefix(n, n->resolved, &f, now_s);
		/* Query again before it expires, with time for another try (RFC 7050 3). */
		if (f.lifetime_s - f.lifetime_s / 4 < next_s)
			next_s = f.lifetime_s - f.lifetime_s / 4;
	}
	n->next_query_s = now_s + next_s;
}

static uint64_t get_earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t nat64_finder_due(const struct nat64_finder *n)
{
	uint64_t due = n->check_s ? get_earlier(n->check_s, n->next_query_s) : n->next_query_s;

	for (unsigned i = 0; i < NAT64_FINDER_MAX; i++) {
		if (n->advertised[i].f.lifetime_s)
			due = get_earlier(due, n->advertised[i].end_s);
		if (n->resolved[i].f.lifetime_s)
			due = get_earlier(due, n->resolved[i].end_s);
	}
	return due;
}

bool nat64_finder_run(struct nat64_finder *n, uint64_t now_s)
{
	bool check = n->check_s && now_s >= n->check_s;

	for (unsigned i = 0; i < NAT64_FINDER_MAX; i++) {
		struct nat64_prefix *a = &n->advertised[i], *r = &n->resolved[i];

		/* A prefix is valid only in the network of its router. */
		if (a->f.lifetime_s && (now_s >= a->end_s || (check && !n->is_default(&a->from))))
			withdraw_prefix(n, a);
		if (r->f.lifetime_s && now_s >= r->end_s)
			withdraw_prefix(n, r);
	}
	if (check)
		n->check_s = 0;
	return now_s >= n->next_query_s;
}
