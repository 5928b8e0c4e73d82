// SPDX-License-Identifier: GPL-2.0
#include "finder.h"

#include <string.h>

#include "resolve.h"

#define SETTLE_S \
	2u /* after a change, for others may follow: an address, then a route, then a resolver */
#define PAUSE_S	  5u /* between two questions at least, whatever changes */
#define FRESH_S	  5u /* the same prefix is not said again sooner */
#define DELAY_S	  10u /* before the next try when nobody answered; doubles */
#define DELAY_MAX 600u
#define NONE_S	  3600u /* before it is asked again when there is none */
#define TTL_MIN	  10u
#define TTL_MAX	  86400u

void nat64_finder_init(struct nat64_finder *n, bool (*is_default)(const struct nat64_router *r),
		       void (*say)(void *ctx, const struct fmp_nat64_found *f), void *ctx,
		       uint64_t now_s)
{
	*n = (struct nat64_finder){
		.ask_s = now_s, .delay_s = DELAY_S, .is_default = is_default, .say = say, .ctx = ctx
	};
}

static bool same_prefix(const struct fmp_nat64_found *a, const struct fmp_nat64_found *b)
{
	return a->prefix_len == b->prefix_len && !memcmp(a->prefix, b->prefix, sizeof(a->prefix));
}

static struct nat64_one *find(struct nat64_one list[NAT64_FINDER_MAX],
			      const struct fmp_nat64_found *f)
{
	for (unsigned i = 0; i < NAT64_FINDER_MAX; i++)
		if (list[i].f.lifetime_s && same_prefix(&list[i].f, f))
			return &list[i];
	return NULL;
}

static void take_back(struct nat64_finder *n, struct nat64_one *one)
{
	struct fmp_nat64_found f = one->f;

	f.lifetime_s = 0;
	*one = (struct nat64_one){ 0 };
	n->say(n->ctx, &f);
}

/* Those that are there stay: who says more than there is room for pushes nobody out. */
static struct nat64_one *put(struct nat64_finder *n, struct nat64_one list[NAT64_FINDER_MAX],
			     const struct fmp_nat64_found *f, uint64_t now_s)
{
	struct nat64_one *one = find(list, f);

	for (unsigned i = 0; !one && i < NAT64_FINDER_MAX; i++)
		if (!list[i].f.lifetime_s)
			one = &list[i];
	if (!one)
		return NULL;
	if (one->f.lifetime_s != f->lifetime_s || now_s >= one->said_s + FRESH_S) {
		n->say(n->ctx, f);
		one->said_s = now_s;
		one->end_s = now_s + f->lifetime_s;
	}
	one->f = *f;
	return one;
}

void nat64_finder_advertised(struct nat64_finder *n, const struct fmp_nat64_found *f,
			     const struct nat64_router *from, uint64_t now_s)
{
	struct nat64_one *one;

	if (!f->lifetime_s) {
		one = find(n->advertised, f);
		if (one)
			take_back(n, one);
		return;
	}
	one = put(n, n->advertised, f, now_s);
	if (one)
		one->from = *from;
}

void nat64_finder_changed(struct nat64_finder *n, uint64_t now_s)
{
	uint64_t soon = now_s + SETTLE_S;

	n->check_s = soon;
	n->delay_s = DELAY_S;
	if (soon < n->asked_s + PAUSE_S)
		soon = n->asked_s + PAUSE_S;
	if (soon < n->ask_s)
		n->ask_s = soon;
}

static bool is_in(const struct fmp_nat64_found *found, int n_found, const struct fmp_nat64_found *f)
{
	for (int i = 0; i < n_found; i++)
		if (same_prefix(&found[i], f))
			return true;
	return false;
}

static uint32_t bounded_ttl(uint32_t ttl_s)
{
	return ttl_s < TTL_MIN ? TTL_MIN : ttl_s > TTL_MAX ? TTL_MAX : ttl_s;
}

void nat64_finder_answered(struct nat64_finder *n, const struct fmp_nat64_found *found, int n_found,
			   uint64_t now_s)
{
	uint32_t next_s = NONE_S;

	n->asked_s = now_s;
	if (n_found == NAT64_NO_ANSWER) {
		/* What holds still holds until its end. */
		n->ask_s = now_s + n->delay_s;
		n->delay_s = n->delay_s < DELAY_MAX / 2 ? 2 * n->delay_s : DELAY_MAX;
		return;
	}
	n->delay_s = DELAY_S;
	for (unsigned i = 0; i < NAT64_FINDER_MAX; i++)
		if (n->resolved[i].f.lifetime_s && !is_in(found, n_found, &n->resolved[i].f))
			take_back(n, &n->resolved[i]);
	for (int i = 0; i < n_found; i++) {
		struct fmp_nat64_found f = found[i];

		f.lifetime_s = bounded_ttl(f.lifetime_s);
		(void)put(n, n->resolved, &f, now_s);
		/* Before it ends, with time for another try (RFC 7050 3). */
		if (f.lifetime_s - f.lifetime_s / 4 < next_s)
			next_s = f.lifetime_s - f.lifetime_s / 4;
	}
	n->ask_s = now_s + next_s;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t nat64_finder_due(const struct nat64_finder *n)
{
	uint64_t due = n->check_s ? sooner(n->check_s, n->ask_s) : n->ask_s;

	for (unsigned i = 0; i < NAT64_FINDER_MAX; i++) {
		if (n->advertised[i].f.lifetime_s)
			due = sooner(due, n->advertised[i].end_s);
		if (n->resolved[i].f.lifetime_s)
			due = sooner(due, n->resolved[i].end_s);
	}
	return due;
}

bool nat64_finder_turn(struct nat64_finder *n, uint64_t now_s)
{
	bool check = n->check_s && now_s >= n->check_s;

	for (unsigned i = 0; i < NAT64_FINDER_MAX; i++) {
		struct nat64_one *a = &n->advertised[i], *r = &n->resolved[i];

		/* It was a prefix of that network, and no other's. */
		if (a->f.lifetime_s && (now_s >= a->end_s || (check && !n->is_default(&a->from))))
			take_back(n, a);
		if (r->f.lifetime_s && now_s >= r->end_s)
			take_back(n, r);
	}
	if (check)
		n->check_s = 0;
	return now_s >= n->ask_s;
}
