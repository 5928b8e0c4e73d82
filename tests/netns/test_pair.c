// SPDX-License-Identifier: GPL-2.0
/* An IP address that is blocked in frames of one MAC alone, on every layer. */
#include <errno.h>
#include <string.h>

#include <layers/layer.h>

#include "harness.h"
#include "suites.h"

#define MIN	60000u
#define PEER	"10.9.0.2"
#define PEER_V6 "fd09::2"
#define OTHER	"10.9.0.22" /* the peer's, too */
#define MAC	"02:00:00:00:09:02"
#define NEW_MAC "02:00:00:00:09:03"

static struct fmp_decision make_pair(const char *source, unsigned layer, unsigned long long id)
{
	struct fmp_decision d = block(source, "", FMP_LAYER_BIT(layer), id, 5 * MIN);

	d.pair_mac = addr(MAC);
	return d;
}

/* Both ends learn each other anew. */
static void peer_takes(const char *mac)
{
	CHECK_EQ(in_peer("ip link set v1 address %s", mac), 0);
	(void)in_peer("ip neighbour flush dev v1");
	must("ip neighbour flush dev v0");
}

static bool other_reaches(void)
{
	for (int i = 0; i < 8; i++) {
		if (!in_peer("ping -n -q -c 3 -i 0.2 -W 0.5 -I " OTHER " 10.9.0.1"))
			return true;
	}
	return false;
}

static bool find_pair(struct fmp_enforcer *e, unsigned layer, const char *source, bool paired)
{
	struct fmp_addr mac = addr(MAC);
	struct fmp_rule r;

	return find_block(e, layer, source, &r) &&
	       (paired ? fmp_addr_equal(&r.pair_mac, &mac) : !r.pair_mac.family);
}

/* The address under another MAC passes, and so does another address under the MAC. */
static void both_must_match(unsigned layer, const char *source, const char *ping)
{
	struct fmp_decision d = make_pair(source, layer, 7);
	struct fmp_enforcer *e;
	struct fmp_rule r;

	peer_start();
	CHECK_EQ(in_peer("ip addr add " OTHER "/24 dev v1"), 0);
	e = enforcer(layer);
	CHECK(peer_reaches(ping));
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(count_blocks(e, layer), 1);
	CHECK(find_pair(e, layer, source, true));
	CHECK(find_block(e, layer, source, &r) && r.id == 7);
	CHECK(r.left_ms > 4 * MIN && r.left_ms <= 5 * MIN);
	CHECK(peer_is_cut_off(ping));
	CHECK(find_block(e, layer, source, &r) && r.frames);
	CHECK(other_reaches());
	peer_takes(NEW_MAC);
	CHECK(peer_reaches(ping));
	peer_takes(MAC);
	CHECK(peer_is_cut_off(ping));
	d.action = FMP_ACTION_UNBLOCK;
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(count_blocks(e, layer), 0);
	CHECK(peer_reaches(ping));
	fmp_enforcer_free(e);
}

static void inv3_pair_of_ipv4(unsigned layer)
{
	both_must_match(layer, PEER, "10.9.0.1");
}

static void inv3_pair_of_ipv6(unsigned layer)
{
	both_must_match(layer, PEER_V6, "fd09::1");
}

/* A block of the address takes the place of the pair, in one transaction. */
static void pair_gives_place(unsigned layer)
{
	struct fmp_decision d[2] = { make_pair(PEER, layer, 1),
				     block(PEER, "", FMP_LAYER_BIT(layer), 2, MIN) };
	struct fmp_layer_result answers[2 * FMP_LAYERS];
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(apply(e, &d[0], layer).state, FMP_LAYER_RESULT_ENFORCED);
	peer_takes(NEW_MAC);
	CHECK(peer_reaches("10.9.0.1"));
	d[0].action = FMP_ACTION_UNBLOCK;
	CHECK_EQ(fmp_enforcer_apply(e, d, 2, answers, NULL), 0);
	CHECK_EQ(count_blocks(e, layer), 1);
	CHECK(find_pair(e, layer, PEER, false));
	CHECK(peer_is_cut_off("10.9.0.1"));
	fmp_enforcer_free(e);
}

/* inv1: a protected address is in no pair; with a protected MAC the address is blocked by itself. */
static void inv1_no_protected_pair(unsigned layer)
{
	struct fmp_protect_entry set = { addr(PEER), FMP_PROTECT_POLICY };
	struct fmp_decision d = make_pair(PEER, layer, 1);
	struct fmp_enforcer *e;
	struct fmp_layer_result a;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	a = apply(e, &d, layer);
	CHECK(a.state == FMP_LAYER_RESULT_FAILED && a.sys_errno == EPERM);
	CHECK_EQ(count_blocks(e, layer), 0);
	set.addr = addr(MAC);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	a = apply(e, &d, layer);
	CHECK_EQ(a.state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(strstr(a.text, "protected"));
	CHECK(find_pair(e, layer, PEER, false));
	fmp_enforcer_free(e);
}

/* inv1: protected once it is in force: its frames pass, by the MAC or by the address. */
static void inv1_pair_is_protected_later(unsigned layer)
{
	struct fmp_protect_entry set = { addr(PEER), FMP_PROTECT_POLICY };
	struct fmp_decision d = make_pair(PEER, layer, 1);
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer_cutting_off(&d, layer);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	CHECK(peer_reaches("10.9.0.1"));
	/* What is bad behind a router is for the IP layer: there no MAC is protected, of a block or a pair. */
	set.addr = addr(MAC);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	CHECK_EQ(peer_reaches("10.9.0.1"), layer != FMP_LAYER_IP);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 0, NULL), 0);
	CHECK(peer_is_cut_off("10.9.0.1"));
	fmp_enforcer_free(e);
}

/* Behind the enforcer's back, by another of its kind. */
static void change_by_hand(unsigned layer, const char *source, const char *mac, bool put)
{
	static const char device[1][16] = { "v0" };
	struct fmpi_change c = { .addr = addr(source), .block = put };
	struct fmpi_layer *l;

	if (*mac)
		c.pair_mac = addr(mac);
	CHECK_EQ(layer == FMP_LAYER_PREMAC ? fmpi_premac_open(device, 1, 0, &l, NULL)
					   : fmpi_nft_open(layer, device, 1, &l, NULL),
		 0);
	if (layer != FMP_LAYER_PREMAC)
		CHECK_EQ(l->ops->build(l, NULL, 0, NULL), 0);
	CHECK_EQ(fmpi_layer_apply(l, NULL, 0, &c, 1), 0);
	l->ops->free(l);
}

/* Gone, of another MAC, by itself beside it: each is another rule. */
static void inv5_pairs_are_mended(unsigned layer)
{
	struct fmp_decision d[2] = { make_pair(PEER, layer, 1), make_pair(PEER_V6, layer, 2) };
	struct fmp_layer_result answers[2 * FMP_LAYERS];
	struct fmp_reconciled r;
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(fmp_enforcer_apply(e, d, 2, answers, NULL), 0);
	CHECK_EQ(fmp_enforcer_reconcile(e, d, 2, false, &r, NULL), 0);
	CHECK(r.wanted[layer] == 2 && r.enforced[layer] == 2 && !r.foreign[layer]);
	change_by_hand(layer, PEER, MAC, false);
	change_by_hand(layer, PEER, NEW_MAC, true);
	CHECK(peer_reaches("10.9.0.1"));
	change_by_hand(layer, PEER, "", true);
	CHECK(peer_is_cut_off("10.9.0.1"));
	CHECK_EQ(fmp_enforcer_reconcile(e, d, 2, true, &r, NULL), 0);
	CHECK_EQ(r.enforced[layer], 1);
	CHECK_EQ(r.foreign[layer], 2);
	CHECK_EQ(r.repaired[layer], 3);
	CHECK_EQ(count_blocks(e, layer), 2);
	CHECK(find_pair(e, layer, PEER, true) && find_pair(e, layer, PEER_V6, true));
	CHECK(peer_is_cut_off("10.9.0.1"));
	fmp_enforcer_free(e);
}

const struct test pair_tests[] = {
	EACH_LAYER(inv3_pair_of_ipv4),
	EACH_LAYER(inv3_pair_of_ipv6),
	EACH_LAYER(pair_gives_place),
	EACH_LAYER(inv1_no_protected_pair),
	EACH_LAYER(inv1_pair_is_protected_later),
	EACH_LAYER(inv5_pairs_are_mended),
};
const size_t n_pair_tests = sizeof(pair_tests) / sizeof(pair_tests[0]);
