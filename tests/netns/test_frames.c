// SPDX-License-Identifier: GPL-2.0
/* Real frames against each layer: what is blocked ends here, what is protected never does. */
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "suites.h"

#define MIN 60000u

static struct fmp_layer_stats stats_of(struct fmp_enforcer *e, unsigned layer)
{
	struct fmp_layer_stats s;

	CHECK_EQ(fmp_enforcer_stats(e, layer, &s, NULL), 0);
	return s;
}

/* A block on the peer's address, prefix or MAC stops its pings, and its end lets them pass. */
static void check_block_stops(unsigned layer, const char *source, const char *mac, const char *ping)
{
	struct fmp_decision d = block(source, mac, FMP_LAYER_BIT(layer), 1, MIN);
	struct fmp_layer_stats s;
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	CHECK(peer_reaches(ping));
	s = stats_of(e, layer);
	CHECK_EQ(s.dropped + s.dropped_late, 0);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(peer_is_cut_off(ping));
	s = stats_of(e, layer);
	CHECK(s.dropped + s.dropped_late >= 3);
	d.action = FMP_ACTION_UNBLOCK;
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(peer_reaches(ping));
	fmp_enforcer_free(e);
}

static void stops_ipv4(unsigned layer)
{
	check_block_stops(layer, "10.9.0.2", "", "10.9.0.1");
}

static void stops_ipv4_prefix(unsigned layer)
{
	check_block_stops(layer, "10.9.0.0/29", "", "10.9.0.1");
}

static void stops_ipv6_64(unsigned layer)
{
	check_block_stops(layer, "fd09::/64", "", "fd09::1");
}

static void stops_ipv6_odd_prefix(unsigned layer)
{
	check_block_stops(layer, "fd08::/15", "", "fd09::1");
}

static void stops_ipv6_host(unsigned layer)
{
	check_block_stops(layer, "fd09::2", "", "fd09::1");
}

/* The IP address is somebody else's: the MAC alone does it. */
static void stops_mac(unsigned layer)
{
	check_block_stops(layer, "192.0.2.99", "02:00:00:00:09:02", "10.9.0.1");
}

static void passes_others(unsigned layer)
{
	static const char *const near[] = { "10.9.0.3", "10.9.0.128/25", "fd09:0:0:1::/64",
					    "10.8.0.0/16" };
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	for (unsigned i = 0; i < sizeof(near) / sizeof(near[0]); i++) {
		struct fmp_decision d =
			block(near[i], "02:00:00:00:09:03", FMP_LAYER_BIT(layer), i + 1, MIN);

		CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	}
	CHECK(peer_reaches("10.9.0.1"));
	CHECK(peer_reaches("fd09::1"));
	fmp_enforcer_free(e);
}

/* inv1: the address is blocked, then protected: frames pass, and are counted. */
static void inv1_protected_ip_wins(unsigned layer)
{
	struct fmp_protect_entry set = { addr("10.9.0.2"), FMP_PROTECT_POLICY };
	struct fmp_decision d = block("10.9.0.0/24", "", FMP_LAYER_BIT(layer), 1, MIN);
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer_cutting_off(&d, layer);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	CHECK(peer_reaches("10.9.0.1"));
	CHECK(stats_of(e, layer).protected_hits >= 3);
	/* Another one in its place. */
	set.addr = addr("10.9.0.3");
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	CHECK(peer_is_cut_off("10.9.0.1"));
	set.addr = addr("10.9.0.2");
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	CHECK(peer_reaches("10.9.0.1"));
	CHECK_EQ(fmp_enforcer_protect(e, &set, 0, NULL), 0);
	CHECK(peer_is_cut_off("10.9.0.1"));
	fmp_enforcer_free(e);
}

/* inv1: a protected address behind a blocked MAC passes, its ARP too; the MAC's others do not. */
static void inv1_protected_ip_behind_blocked_mac(unsigned layer)
{
	struct fmp_protect_entry set = { addr("10.9.0.2"), FMP_PROTECT_POLICY };
	struct fmp_decision d =
		block("10.9.0.66", "02:00:00:00:09:02", FMP_LAYER_BIT(layer), 1, MIN);
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	must("ip neighbour flush dev v0");
	CHECK(peer_reaches("10.9.0.1"));
	CHECK(peer_is_cut_off("fd09::1"));
	fmp_enforcer_free(e);
}

/* inv1: the end of a block on a protected address does not end its protection. */
static void inv1_unblocking_keeps_protection(unsigned layer)
{
	struct fmp_protect_entry set = { addr("10.9.0.2"), FMP_PROTECT_POLICY };
	struct fmp_decision d = block("10.9.0.2", "", FMP_LAYER_BIT(layer), 1, MIN);
	struct fmp_decision m =
		block("10.9.0.66", "02:00:00:00:09:02", FMP_LAYER_BIT(layer), 2, MIN);
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(apply(e, &m, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	CHECK(peer_reaches("10.9.0.1"));
	d.action = FMP_ACTION_UNBLOCK;
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(peer_reaches("10.9.0.1"));
	fmp_enforcer_free(e);
}

static void inv1_protected_prefix_behind_blocked_mac(unsigned layer)
{
	struct fmp_protect_entry set[] = { { addr("10.9.0.0/26"), FMP_PROTECT_POLICY },
					   { addr("fd09::/48"), FMP_PROTECT_POLICY } };
	struct fmp_decision d =
		block("192.0.2.66", "02:00:00:00:09:02", FMP_LAYER_BIT(layer), 1, MIN);
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer_cutting_off(&d, layer);
	CHECK_EQ(fmp_enforcer_protect(e, set, 2, NULL), 0);
	CHECK(peer_reaches("10.9.0.1"));
	CHECK(peer_reaches("fd09::1"));
	fmp_enforcer_free(e);
}

/* inv1: the MAC is protected, the address blocked: MAC and IP layers part here. */
static void inv1_protected_mac_wins(unsigned layer)
{
	struct fmp_protect_entry set = { addr("02:00:00:00:09:02"), FMP_PROTECT_GATEWAY };
	struct fmp_decision d = block("10.9.0.2", "", FMP_LAYER_BIT(layer), 1, MIN);
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer_cutting_off(&d, layer);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	CHECK(peer_reaches("10.9.0.1"));
	fmp_enforcer_free(e);
}

static void arp_of_a_blocked_mac_is_dropped(unsigned layer)
{
	struct fmp_decision d =
		block("192.0.2.66", "02:00:00:00:09:02", FMP_LAYER_BIT(layer), 1, MIN);
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer_cutting_off(&d, layer);
	/* Nothing was ever heard of it: its request did not get through to be answered. */
	CHECK(run("ip neighbour show dev v0 10.9.0.2 | grep -q lladdr"));
	CHECK(in_peer("ip neighbour show dev v1 10.9.0.1 | grep -q lladdr"));
	fmp_enforcer_free(e);
}

static void elements_count(unsigned layer)
{
	struct fmp_decision d = block("10.9.0.2", "", FMP_LAYER_BIT(layer), 1, MIN);
	struct fmp_enforcer *e;
	struct fmp_rule r;

	peer_start();
	e = enforcer(layer);
	/* So that what is dropped then are pings, not questions for our MAC. */
	CHECK(peer_reaches("10.9.0.1"));
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(peer_is_cut_off("10.9.0.1"));
	CHECK(find_block(e, layer, "10.9.0.2", &r));
	CHECK(r.frames >= 3);
	CHECK(r.bytes >= 3 * 60);
	CHECK(layer != FMP_LAYER_PREMAC || r.first_hit_ns);
	fmp_enforcer_free(e);
}

/* A prefix that made a set of its own; the daemon is gone, and comes back. */
static void inv10_a_restart_keeps_blocking(unsigned layer)
{
	struct fmp_decision d = block("10.9.0.0/29", "", FMP_LAYER_BIT(layer), 1, MIN);
	struct fmp_protect_entry set = { addr("10.9.0.2"), FMP_PROTECT_POLICY };
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	fmp_enforcer_free(e);
	CHECK(peer_is_cut_off("10.9.0.1"));
	e = enforcer(layer);
	CHECK(peer_is_cut_off("10.9.0.1"));
	/* What was protected stays so too, until the daemon knows what is to be. */
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	fmp_enforcer_free(e);
	e = enforcer(layer);
	CHECK(peer_reaches("10.9.0.1"));
	fmp_enforcer_free(e);
}

static void a_block_ends_by_itself(unsigned layer)
{
	struct fmp_decision d = block("10.9.0.2", "", FMP_LAYER_BIT(layer), 1, 2500);
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer_cutting_off(&d, layer);
	for (int i = 0; i < 10 && count_blocks(e, layer); i++)
		usleep(500000);
	CHECK_EQ(count_blocks(e, layer), 0);
	CHECK(peer_reaches("10.9.0.1"));
	fmp_enforcer_free(e);
}

#define MAC_LAYERS(f)                   \
	{ #f, f, FMP_LAYER_MAC },       \
	{                               \
#f, f, FMP_LAYER_PREMAC \
	}

const struct test frame_tests[] = {
	EACH_LAYER(stops_ipv4),
	EACH_LAYER(stops_ipv4_prefix),
	EACH_LAYER(stops_ipv6_64),
	EACH_LAYER(stops_ipv6_odd_prefix),
	EACH_LAYER(stops_ipv6_host),
	MAC_LAYERS(stops_mac),
	EACH_LAYER(passes_others),
	EACH_LAYER(inv1_protected_ip_wins),
	MAC_LAYERS(inv1_protected_ip_behind_blocked_mac),
	MAC_LAYERS(inv1_unblocking_keeps_protection),
	MAC_LAYERS(inv1_protected_prefix_behind_blocked_mac),
	MAC_LAYERS(inv1_protected_mac_wins),
	MAC_LAYERS(arp_of_a_blocked_mac_is_dropped),
	EACH_LAYER(elements_count),
	EACH_LAYER(inv10_a_restart_keeps_blocking),
	EACH_LAYER(a_block_ends_by_itself),
};
const size_t n_frame_tests = sizeof(frame_tests) / sizeof(frame_tests[0]);
