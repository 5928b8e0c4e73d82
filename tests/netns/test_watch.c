// SPDX-License-Identifier: GPL-2.0
/* What others change is told, what we change ourselves is not. */
#include <poll.h>
#include <string.h>

#include "harness.h"
#include "suites.h"

#define MIN 60000u

static const char *family_of(unsigned layer)
{
	return layer == FMP_LAYER_IP ? "inet" : "netdev";
}

/* Waits for a notification. Return: what it says; 0 after the time. */
static unsigned wait_notification(struct fmp_watch *w, struct fmp_changer *who, int ms)
{
	struct pollfd fd[FMP_WATCH_FDS];

	for (unsigned i = 0; i < FMP_WATCH_FDS; i++)
		fd[i] = (struct pollfd){ .fd = fmp_watch_fd(w, i), .events = POLLIN };
	if (poll(fd, FMP_WATCH_FDS, ms) <= 0)
		return 0;
	return fmp_watch_drain(w, who);
}

static struct fmp_watch *new_watch(struct fmp_enforcer *e)
{
	struct fmp_watch *w;

	CHECK_EQ(fmp_watch_new(e, &w, NULL), 0);
	return w;
}

/* Puts many blocks in, or takes them away: more than a receive buffer holds notifications of. */
static void apply_many(struct fmp_enforcer *e, unsigned layer, enum fmp_action action)
{
	enum {
		N = 30000
	};
	static struct fmp_decision d[N];
	static struct fmp_layer_result answers[N * FMP_LAYERS];

	for (unsigned i = 0; i < N; i++) {
		d[i] = block("10.9.0.7", "", FMP_LAYER_BIT(layer), i + 1, MIN);
		d[i].source = fmp_addr_ipv4((const uint8_t[]){ 100, 64, i >> 8, i & 255 });
		d[i].action = action;
	}
	CHECK_EQ(fmp_enforcer_apply(e, d, N, answers, NULL), 0);
}

static void own_changes_are_not_reported(unsigned layer)
{
	struct fmp_changer who;
	struct fmp_enforcer *e;
	struct fmp_watch *w;

	peer_start();
	e = enforcer(layer);
	w = new_watch(e);
	apply_many(e, layer, FMP_ACTION_BLOCK);
	CHECK_EQ(wait_notification(w, &who, 200), 0);
	fmp_watch_free(w);
	fmp_enforcer_free(e);
}

static void others_changes_are_reported(unsigned layer)
{
	struct fmp_changer who;
	struct fmp_enforcer *e;
	struct fmp_watch *w;

	peer_start();
	e = enforcer(layer);
	w = new_watch(e);
	must("nft add element %s fmp block4_32 \"{ 10.9.0.7 }\"", family_of(layer));
	CHECK_EQ(wait_notification(w, &who, 2000), FMP_CHANGED_NFT);
	CHECK(!strcmp(who.name, "nft") && who.pid);
	/* What is not ours is nobody's business. */
	must("nft add table inet fmpx && nft add table ip fm && nft flush table inet fmpx");
	CHECK_EQ(wait_notification(w, &who, 200), 0);
	must("nft flush ruleset");
	CHECK_EQ(wait_notification(w, &who, 2000), FMP_CHANGED_NFT);
	fmp_watch_free(w);
	fmp_enforcer_free(e);
}

static void lost_notifications_are_reported(unsigned layer)
{
	struct fmp_enforcer *e, *other;
	struct fmp_changer who;
	struct fmp_watch *w;

	peer_start();
	e = enforcer(layer);
	other = enforcer(layer);
	w = new_watch(e);
	for (unsigned i = 0; i < 3; i++) {
		apply_many(other, layer, FMP_ACTION_BLOCK);
		apply_many(other, layer, FMP_ACTION_UNBLOCK);
	}
	CHECK(wait_notification(w, &who, 2000) & FMP_CHANGED_LOST);
	fmp_watch_free(w);
	fmp_enforcer_free(other);
	fmp_enforcer_free(e);
}

/* The module sends no more than so many events a second: that it left some out is told by those that come. */
static void events_beyond_the_rate_are_reported(unsigned layer)
{
	enum {
		N = 4096
	};
	static struct fmp_decision d[N];
	static struct fmp_layer_result answers[N * FMP_LAYERS];
	struct fmp_changer who;
	struct fmp_enforcer *e;
	struct fmp_watch *w;
	unsigned what = 0;

	peer_start();
	e = enforcer(layer);
	w = new_watch(e);
	for (unsigned i = 0; i < N; i++) {
		d[i] = block("10.9.0.7", "", FMP_LAYER_BIT(layer), i + 1, 1);
		d[i].source = fmp_addr_ipv4((const uint8_t[]){ 100, 64, i >> 8, i & 255 });
	}
	CHECK_EQ(fmp_enforcer_apply(e, d, N, answers, NULL), 0);
	/* Each of these rules ends at once, which is nobody's change. */
	for (unsigned i = 0; i < 10 && !what; i++)
		what = wait_notification(w, &who, 1000);
	CHECK_EQ(what, FMP_CHANGED_LOST);
	fmp_watch_free(w);
	fmp_enforcer_free(e);
}

/* A second enforcer makes changes of its own: after the other is gone they are ours. */
static void another_enforcer_is_followed(unsigned layer)
{
	struct fmp_decision d = block("10.9.0.7", "", FMP_LAYER_BIT(layer), 1, MIN);
	struct fmp_enforcer *e, *second;
	struct fmp_changer who;
	struct fmp_watch *w;

	peer_start();
	e = enforcer(layer);
	w = new_watch(e);
	second = enforcer(layer);
	CHECK(wait_notification(w, &who, 2000) & FMP_CHANGED_NFT);
	fmp_enforcer_free(e);
	CHECK_EQ(fmp_watch_enforcer(w, second, NULL), 0);
	CHECK_EQ(apply(second, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(wait_notification(w, &who, 200), 0);
	fmp_watch_free(w);
	fmp_enforcer_free(second);
}

/* What it changed before it is followed is ours, too; what others changed meanwhile is not. */
static void what_another_built_is_ours(unsigned layer)
{
	struct fmp_enforcer *e, *second;
	struct fmp_changer who;
	struct fmp_watch *w;

	peer_start();
	e = enforcer(layer);
	w = new_watch(e);
	second = enforcer(layer);
	CHECK_EQ(fmp_watch_enforcer(w, second, NULL), 0);
	fmp_enforcer_free(e);
	CHECK_EQ(wait_notification(w, &who, 200), 0);
	e = enforcer(layer);
	must("nft add element %s fmp block4_32 \"{ 10.9.0.7 }\"", family_of(layer));
	CHECK_EQ(fmp_watch_enforcer(w, e, NULL), 0);
	fmp_enforcer_free(second);
	CHECK_EQ(wait_notification(w, &who, 2000), FMP_CHANGED_NFT);
	CHECK(!strcmp(who.name, "nft"));
	fmp_watch_free(w);
	fmp_enforcer_free(e);
}

#define BOTH(f)                      \
	{ #f, f, FMP_LAYER_IP },     \
	{                            \
#f, f, FMP_LAYER_MAC \
	}

const struct test watch_tests[] = {
	BOTH(own_changes_are_not_reported),
	BOTH(others_changes_are_reported),
	{ "lost_notifications_are_reported", lost_notifications_are_reported, FMP_LAYER_IP },
	{ "events_beyond_the_rate_are_reported", events_beyond_the_rate_are_reported,
	  FMP_LAYER_PREMAC },
	BOTH(another_enforcer_is_followed),
	BOTH(what_another_built_is_ours),
};
const size_t n_watch_tests = sizeof(watch_tests) / sizeof(watch_tests[0]);
