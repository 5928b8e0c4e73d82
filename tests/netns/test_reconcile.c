// SPDX-License-Identifier: GPL-2.0
/* inv5: what is enforced is measured in the kernel, and mended there. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <enforce/enforcer.h>

#include "harness.h"
#include "suites.h"

#define MIN	      60000u
#define MAX_DECISIONS 3u

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* When the decisions came into force. */
static uint64_t since_ms;

/* What is left of them counts, and a slow machine needs more of it than is tolerated. */
static void copy_remaining(struct fmp_decision left[MAX_DECISIONS], const struct fmp_decision *d,
			   size_t n)
{
	CHECK(n <= MAX_DECISIONS);
	for (size_t i = 0; i < n; i++) {
		left[i] = d[i];
		left[i].duration_ms -= now_ms() - since_ms;
		left[i].mac_ms -= left[i].mac_ms ? now_ms() - since_ms : 0;
	}
}

static struct fmp_reconciled
reconcile_decisions(struct fmp_enforcer *e, const struct fmp_decision *d, size_t n, bool repair)
{
	struct fmp_decision left[MAX_DECISIONS];
	struct fmp_reconciled r;

	copy_remaining(left, d, n);
	CHECK_EQ(fmp_enforcer_reconcile(e, left, n, repair, &r, NULL), 0);
	return r;
}

static void want_all(struct fmp_snapshot *s, const struct fmp_decision *d, size_t n)
{
	for (size_t i = 0; i < n; i++)
		CHECK_EQ(fmp_snapshot_want(s, &d[i], NULL), 0);
}

/* To the end. Return: in how many steps. */
static unsigned compare_to_end(struct fmp_snapshot *s, bool repair, struct fmp_reconciled *r)
{
	unsigned steps = 1;
	int rc;

	while (!(rc = fmp_snapshot_compare(s, repair, since_ms, r, NULL)))
		steps++;
	CHECK_EQ(rc, 1);
	return steps;
}

/* Read a snapshot and compare. */
static struct fmp_reconciled compare_decisions(struct fmp_snapshot *s, const struct fmp_decision *d,
					       size_t n, bool repair)
{
	struct fmp_decision left[MAX_DECISIONS];
	struct fmp_reconciled r;

	copy_remaining(left, d, n);
	want_all(s, left, n);
	compare_to_end(s, repair, &r);
	return r;
}

static void expect_enforced(struct fmp_enforcer *e, unsigned layer, const struct fmp_decision *d,
			    size_t n, uint32_t enforced, uint32_t foreign)
{
	struct fmp_reconciled r = reconcile_decisions(e, d, n, false);
	uint32_t macs = 0;

	for (size_t i = 0; i < n; i++)
		macs += layer != FMP_LAYER_IP && d[i].mac.family;
	CHECK(r.reachable[layer]);
	CHECK_EQ(r.wanted[layer], n + macs);
	CHECK_EQ(r.enforced[layer], enforced);
	CHECK_EQ(r.foreign[layer], foreign);
	CHECK_EQ(r.missing[layer], n + macs - enforced);
	CHECK_EQ(r.stray[layer], foreign);
	CHECK_EQ(r.repaired[layer], 0);
}

/* Somebody takes a block away, behind the enforcer's back. */
static void delete_by_hand(unsigned layer, const char *address)
{
	static const char device[1][16] = { "v0" };
	struct fmpi_change c = { .addr = addr(address) };
	struct fmpi_layer *l;

	if (layer != FMP_LAYER_PREMAC) {
		must("nft delete element %s fmp block4_32 '{ %s }'",
		     layer == FMP_LAYER_IP ? "inet" : "netdev", address);
		return;
	}
	CHECK_EQ(fmpi_premac_open(device, 1, 0, &l, NULL), 0);
	CHECK_EQ(fmpi_layer_apply(l, NULL, 0, &c, 1), 0);
	l->ops->free(l);
}

struct setting {
	struct fmp_enforcer *e;
	struct fmp_decision d[3];
	unsigned layer;
	uint32_t rules;
};

/* Three decisions in force; the peer is one of the blocked. */
static struct setting begin_setting(unsigned layer)
{
	static const char *const sources[3] = { "10.9.0.2", "10.9.0.7", "fd10:1::/64" };
	struct fmp_protect_entry set = { addr("10.9.0.1"), FMP_PROTECT_OWN };
	struct fmp_layer_result answers[3 * FMP_LAYERS];
	struct setting s = { .layer = layer };

	peer_start();
	s.e = enforcer(layer);
	CHECK_EQ(fmp_enforcer_protect(s.e, &set, 1, NULL), 0);
	for (unsigned i = 0; i < 3; i++)
		s.d[i] = block(sources[i], i == 1 ? "02:00:00:00:00:07" : "", FMP_LAYER_BIT(layer),
			       i + 1, 5 * MIN);
	CHECK_EQ(fmp_enforcer_apply(s.e, s.d, 3, answers, NULL), 0);
	since_ms = now_ms();
	s.rules = layer == FMP_LAYER_IP ? 3 : 4;
	expect_enforced(s.e, layer, s.d, 3, s.rules, 0);
	CHECK(peer_is_cut_off("10.9.0.1"));
	return s;
}

/* A repair that does so much, after which all is well. */
static void check_repair(struct setting *s, uint32_t repaired)
{
	struct fmp_reconciled r = reconcile_decisions(s->e, s->d, 3, true);

	CHECK_EQ(r.repaired[s->layer], repaired);
	CHECK_EQ(r.missing[s->layer], 0);
	CHECK_EQ(r.stray[s->layer], 0);
	expect_enforced(s->e, s->layer, s->d, 3, s->rules, 0);
	CHECK(peer_is_cut_off("10.9.0.1"));
	fmp_enforcer_free(s->e);
}

static void inv5_an_element_is_gone(unsigned layer)
{
	struct setting s = begin_setting(layer);

	delete_by_hand(layer, "10.9.0.2");
	expect_enforced(s.e, layer, s.d, 3, s.rules - 1, 0);
	CHECK(peer_reaches("10.9.0.1"));
	check_repair(&s, 1);
}

/* All of it, in the steps that it takes. */
static struct fmp_snapshot *new_snapshot(struct fmp_enforcer *e)
{
	struct fmp_snapshot *s;
	int rc;

	CHECK_EQ(fmp_enforcer_snapshot(e, since_ms, &s, NULL), 0);
	do
		rc = fmp_snapshot_step(s, since_ms, NULL);
	while (!rc);
	CHECK_EQ(rc, 1);
	return s;
}

/* A snapshot does not read again what it has read; a new one finds, and repairs, what was missing then. */
static void inv5_a_snapshot_is_not_read_again(unsigned layer)
{
	struct setting s = begin_setting(layer);
	struct fmp_snapshot *snapshot = new_snapshot(s.e);
	const struct fmp_rule *rules;
	struct fmp_reconciled r;
	size_t n;

	CHECK_EQ(fmp_snapshot_rules(snapshot, layer, &rules, &n, NULL), 0);
	CHECK_EQ(n, s.rules);
	CHECK_EQ(fmp_snapshot_rules(snapshot, layer == FMP_LAYER_IP ? FMP_LAYER_MAC : FMP_LAYER_IP,
				    &rules, &n, NULL),
		 FMP_ERR_UNSUPPORTED);
	CHECK_EQ(n, 0);
	delete_by_hand(layer, "10.9.0.2");
	CHECK_EQ(compare_decisions(snapshot, s.d, 3, false).enforced[layer], s.rules);
	/* A snapshot repeats what it has read. */
	CHECK_EQ(compare_to_end(snapshot, false, &r), 1);
	CHECK_EQ(r.enforced[layer], s.rules);
	fmp_snapshot_free(snapshot);
	snapshot = new_snapshot(s.e);
	CHECK_EQ(compare_decisions(snapshot, s.d, 3, true).repaired[layer], 1);
	fmp_snapshot_free(snapshot);
	expect_enforced(s.e, layer, s.d, 3, s.rules, 0);
	CHECK(peer_is_cut_off("10.9.0.1"));
	fmp_enforcer_free(s.e);
}

/* Changes of ours during and after a snapshot: the layer's own result of them stands. */
static void inv5_changes_beside_a_snapshot(unsigned layer)
{
	struct setting s = begin_setting(layer);
	struct fmp_decision early = block("10.9.0.8", "", FMP_LAYER_BIT(layer), 4, 5 * MIN);
	struct fmp_decision late = block("10.9.0.9", "", FMP_LAYER_BIT(layer), 5, 5 * MIN);
	struct fmp_snapshot *snapshot;
	struct fmp_reconciled r;

	CHECK_EQ(fmp_enforcer_snapshot(s.e, since_ms, &snapshot, NULL), 0);
	CHECK_EQ(apply(s.e, &early, layer).state, FMP_LAYER_RESULT_ENFORCED);
	while (!fmp_snapshot_step(snapshot, since_ms, NULL))
		;
	s.d[1].action = FMP_ACTION_UNBLOCK;
	CHECK_EQ(apply(s.e, &s.d[1], layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(apply(s.e, &late, layer).state, FMP_LAYER_RESULT_ENFORCED);
	early.action = FMP_ACTION_UNBLOCK;
	CHECK_EQ(apply(s.e, &early, layer).state, FMP_LAYER_RESULT_ENFORCED);
	s.d[1] = late;
	r = compare_decisions(snapshot, s.d, 3, true);
	CHECK_EQ(r.wanted[layer], 3);
	CHECK_EQ(r.unverified[layer], 1);
	CHECK_EQ(r.enforced[layer], 3);
	CHECK_EQ(r.foreign[layer], 0);
	CHECK_EQ(r.repaired[layer], 0);
	fmp_snapshot_free(snapshot);
	expect_enforced(s.e, layer, s.d, 3, 3, 0);
	fmp_enforcer_free(s.e);
}

static void inv5_the_ruleset_is_flushed(unsigned layer)
{
	struct setting s = begin_setting(layer);

	must("nft flush ruleset");
	expect_enforced(s.e, layer, s.d, 3, 0, 0);
	check_repair(&s, s.rules);
}

/* The addresses stand in their sets, but no rule asks them. */
static void inv5_a_rule_is_gone(unsigned layer)
{
	struct setting s = begin_setting(layer);

	must("nft flush chain %s fmp blocked", layer == FMP_LAYER_IP ? "inet" : "netdev");
	expect_enforced(s.e, layer, s.d, 3, 0, 0);
	CHECK(peer_reaches("10.9.0.1"));
	check_repair(&s, s.rules);
}

static void inv5_a_rule_too_many(unsigned layer)
{
	struct setting s = begin_setting(layer);

	must("nft insert rule %s fmp blocked accept", layer == FMP_LAYER_IP ? "inet" : "netdev");
	expect_enforced(s.e, layer, s.d, 3, 0, 0);
	CHECK(peer_reaches("10.9.0.1"));
	check_repair(&s, s.rules);
}

/* Nothing is missing, yet nothing is dropped. f: the family, base: its base chain. */
static void check_changed_chain(unsigned layer, const char *command)
{
	struct setting s = begin_setting(layer);

	must("%s; %s",
	     layer == FMP_LAYER_IP ? "f=inet base=prerouting" : "f=netdev base=ingress_v0",
	     command);
	expect_enforced(s.e, layer, s.d, 3, 0, 0);
	CHECK(peer_reaches("10.9.0.1"));
	check_repair(&s, s.rules);
}

static void inv5_a_rule_is_replaced(unsigned layer)
{
	check_changed_chain(
		layer,
		"h=$(nft -a list chain $f fmp verdict | sed -n 's/.*\"fmp drop\" # handle //p') && "
		"nft replace rule $f fmp verdict handle $h accept comment '\"fmp drop\"'");
}

static void inv5_a_dormant_table(unsigned layer)
{
	check_changed_chain(layer, "nft add table $f fmp '{ flags dormant; }'");
}

/* Kernels take no base chain in the transaction that wakes a table. */
static void inv5_a_dormant_table_without_its_chain(unsigned layer)
{
	check_changed_chain(layer, "nft add table $f fmp '{ flags dormant; }' && "
				   "nft flush chain $f fmp $base && nft delete chain $f fmp $base");
}

/*
 * All rules stand, but somebody changed what chains hang on. @command: in the words of check_changed_chain();
 * rehang: makes the base chain anew on $h of device $d at priority $p
 */
static void check_rehung_chain(unsigned layer, const char *command)
{
	struct setting s = begin_setting(layer);

	must("%s; rehang() { nft \"flush chain $f fmp $base; delete chain $f fmp $base; "
	     "add chain $f fmp $base { type filter hook $h ${d:+device $d} priority $p; }; "
	     "add rule $f fmp $base jump blocked comment \\\"fmp blocked\\\"\"; }; %s",
	     layer == FMP_LAYER_IP ? "f=inet base=prerouting h=prerouting d= p=-450"
				   : "f=netdev base=ingress_v0 h=ingress d=v0 p=-500",
	     command);
	expect_enforced(s.e, layer, s.d, 3, 0, 0);
	check_repair(&s, s.rules);
}

static void inv5_a_chain_has_another_policy(unsigned layer)
{
	check_rehung_chain(layer, "nft chain $f fmp $base '{ policy drop; }'");
}

static void inv5_a_chain_has_another_priority(unsigned layer)
{
	check_rehung_chain(layer, "p=300; rehang");
}

static void inv5_a_chain_hangs_elsewhere(unsigned layer)
{
	check_rehung_chain(layer, "if [ $f = inet ]; then h=output; else "
				  "ip link add v9 type veth peer name v8 && d=v9; fi && rehang");
}

static void inv5_a_chain_too_many(unsigned layer)
{
	check_rehung_chain(layer,
			   "nft \"add chain $f fmp other { type filter hook $h ${d:+device $d} "
			   "priority 0; policy drop; }\"");
}

static void inv5_a_protected_entry_is_gone(unsigned layer)
{
	struct setting s = begin_setting(layer);

	must("nft delete element %s fmp protect4_32 '{ 10.9.0.1 }'",
	     layer == FMP_LAYER_IP ? "inet" : "netdev");
	expect_enforced(s.e, layer, s.d, 3, 0, 0);
	check_repair(&s, s.rules);
}

static void inv5_foreign_blocks_are_taken_away(unsigned layer)
{
	struct setting s = begin_setting(layer);
	struct fmp_decision d = block("10.9.0.200", "", FMP_LAYER_BIT(layer), 99, MIN);

	CHECK_EQ(apply(s.e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	expect_enforced(s.e, layer, s.d, 3, s.rules, 1);
	check_repair(&s, 1);
}

/* Somebody, or a suspend, has changed when a block ends. */
static void inv5_another_end_is_mended(unsigned layer)
{
	struct setting s = begin_setting(layer);
	struct fmp_decision d = s.d[1];
	struct fmp_rule r;

	d.duration_ms = 20 * MIN;
	d.mac = (struct fmp_addr){ 0 };
	CHECK_EQ(apply(s.e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	expect_enforced(s.e, layer, s.d, 3, s.rules - 1, 0);
	CHECK_EQ(reconcile_decisions(s.e, s.d, 3, true).repaired[layer], 1);
	CHECK(find_block(s.e, layer, "10.9.0.7", &r));
	CHECK(r.left_ms <= 5 * MIN);
	fmp_enforcer_free(s.e);
}

static void inv5_the_device_comes_back(unsigned layer)
{
	struct setting s = begin_setting(layer);

	must("ip link delete v0");
	/* No device, nothing to hang on; that is no error. */
	expect_enforced(s.e, layer, s.d, 3, s.rules, 0);
	peer_start();
	reconcile_decisions(s.e, s.d, 3, true);
	expect_enforced(s.e, layer, s.d, 3, s.rules, 0);
	CHECK(peer_is_cut_off("10.9.0.1"));
	fmp_enforcer_free(s.e);
}

struct wanted_device {
	const char *name, *hook;
	unsigned found;
};

static int compare_device(const struct fmp_device *dev, void *ctx)
{
	struct wanted_device *w = ctx;

	w->found += !strcmp(dev->name, w->name) && !strcmp(dev->hook, w->hook) && !dev->observe;
	return 0;
}

static bool hook_is(struct fmp_enforcer *e, const char *name, const char *hook)
{
	struct wanted_device w = { .name = name, .hook = hook };

	CHECK_EQ(fmp_enforcer_devices(e, compare_device, &w, NULL), 0);
	return w.found == 1;
}

/* The module itself takes a device back, nobody reconciles in between. */
static void the_module_waits_for_a_device(unsigned layer)
{
	struct setting s = begin_setting(layer);

	CHECK(hook_is(s.e, "v0", "ingress"));
	must("ip link delete v0");
	CHECK(hook_is(s.e, "v0", "waiting"));
	reconcile_decisions(s.e, s.d, 3, false);
	CHECK(strstr(fmp_enforcer_why(s.e, layer), "v0 (waiting for it)"));
	peer_start();
	CHECK(hook_is(s.e, "v0", "ingress"));
	CHECK(peer_is_cut_off("10.9.0.1"));
	CHECK_EQ(fmp_enforcer_teardown(s.e, NULL), 0);
	fmp_enforcer_free(s.e);
}

/* The layers of nft know no devices of the module's. */
static void without_the_module_there_are_no_devices(unsigned layer)
{
	struct wanted_device w = { .name = "v0", .hook = "ingress" };
	struct setting s = begin_setting(layer);

	CHECK_EQ(fmp_enforcer_devices(s.e, compare_device, &w, NULL), FMP_ERR_UNSUPPORTED);
	CHECK_EQ(w.found, 0);
	fmp_enforcer_free(s.e);
}

/* A decision after the tables have gone makes them anew, the protected set in them. */
static void apply_mends_the_table(unsigned layer)
{
	struct setting s = begin_setting(layer);
	struct fmp_protect_entry set = { addr("10.9.0.2"), FMP_PROTECT_POLICY };
	struct fmp_decision d =
		block("10.9.0.8", "02:00:00:00:09:02", FMP_LAYER_BIT(layer), 9, MIN);

	CHECK_EQ(fmp_enforcer_protect(s.e, &set, 1, NULL), 0);
	must("nft flush ruleset");
	CHECK_EQ(apply(s.e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(find_block(s.e, layer, "10.9.0.8", NULL));
	CHECK(peer_reaches("10.9.0.1"));
	fmp_enforcer_free(s.e);
}

static void two_sources_behind_one_mac(unsigned layer)
{
	struct fmp_decision d[2] = {
		block("10.9.0.7", "02:00:00:00:00:07", FMP_LAYER_BIT(layer), 1, MIN),
		block("10.9.0.8", "02:00:00:00:00:07", FMP_LAYER_BIT(layer), 2, 5 * MIN),
	};
	struct fmp_layer_result answers[2 * FMP_LAYERS];
	struct fmp_reconciled r;
	struct fmp_enforcer *e;
	struct fmp_rule rule;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(fmp_enforcer_apply(e, d, 2, answers, NULL), 0);
	since_ms = now_ms();
	CHECK_EQ(count_blocks(e, layer), 3);
	r = reconcile_decisions(e, d, 2, true);
	CHECK_EQ(r.wanted[layer], 3);
	CHECK_EQ(r.enforced[layer], 3);
	/* One ends, which takes the MAC with it; the other wants it still. */
	d[0].action = FMP_ACTION_UNBLOCK;
	CHECK_EQ(apply(e, &d[0], layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(reconcile_decisions(e, d + 1, 1, true).repaired[layer], 1);
	CHECK(find_block(e, layer, "02:00:00:00:00:07", &rule));
	CHECK(rule.left_ms > 4 * MIN);
	fmp_enforcer_free(e);
}

/* A MAC with a time of its own: it ends before its source does, never after it. */
static void inv5_a_mac_ends_first(unsigned layer)
{
	struct fmp_enforcer *e = enforcer(layer);
	struct fmp_decision d =
		block("10.9.0.5", "02:00:00:00:00:05", FMP_LAYER_BIT(layer), 3, 30 * MIN);
	struct fmp_rule ip, mac;

	d.mac_ms = 10 * MIN;
	since_ms = now_ms();
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(find_block(e, layer, "10.9.0.5", &ip));
	CHECK(find_block(e, layer, "02:00:00:00:00:05", &mac));
	CHECK(ip.left_ms > 20 * MIN);
	CHECK(mac.left_ms > MIN && mac.left_ms <= 10 * MIN);
	expect_enforced(e, layer, &d, 1, 2, 0);
	/* As long as its source. */
	d.mac_ms = 0;
	CHECK_EQ(reconcile_decisions(e, &d, 1, true).repaired[layer], 1);
	CHECK(find_block(e, layer, "02:00:00:00:00:05", &mac));
	CHECK(mac.left_ms > 20 * MIN);
	d.mac_ms = 60 * MIN;
	expect_enforced(e, layer, &d, 1, 2, 0);
	fmp_enforcer_free(e);
}

/* The kernel and the table end a block one after the other: that is nobody's doing, and mended by nobody. */
static void inv5_what_ends_is_no_repair(unsigned layer)
{
	struct fmp_enforcer *e = enforcer(layer);
	struct fmp_decision gone = block("10.9.0.5", "", FMP_LAYER_BIT(layer), 3, 1000);
	struct fmp_decision left = block("10.9.0.6", "", FMP_LAYER_BIT(layer), 4, 1900);
	struct fmp_reconciled r;

	/* The table has one still, the kernel the other. */
	CHECK_EQ(apply(e, &left, layer).state, FMP_LAYER_RESULT_ENFORCED);
	since_ms = now_ms();
	r = reconcile_decisions(e, &gone, 1, true);
	CHECK_EQ(r.wanted[layer], 0);
	CHECK_EQ(r.foreign[layer], 0);
	CHECK_EQ(r.missing[layer], 0);
	CHECK_EQ(r.stray[layer], 0);
	CHECK_EQ(r.repaired[layer], 0);
	CHECK(!find_block(e, layer, "10.9.0.5", NULL));
	/* With more of their time left it is a loss, and a stranger. */
	gone.duration_ms = left.duration_ms = MIN;
	CHECK_EQ(apply(e, &left, layer).state, FMP_LAYER_RESULT_ENFORCED);
	since_ms = now_ms();
	CHECK_EQ(reconcile_decisions(e, &gone, 1, true).repaired[layer], 2);
	CHECK(find_block(e, layer, "10.9.0.5", NULL));
	CHECK(!find_block(e, layer, "10.9.0.6", NULL));
	fmp_enforcer_free(e);
}

const struct test reconcile_tests[] = {
	EACH_LAYER(inv5_what_ends_is_no_repair),
	EACH_LAYER(inv5_an_element_is_gone),
	EACH_LAYER(inv5_a_snapshot_is_not_read_again),
	EACH_LAYER(inv5_changes_beside_a_snapshot),
	NFT_LAYERS(inv5_the_ruleset_is_flushed),
	NFT_LAYERS(inv5_a_rule_is_gone),
	NFT_LAYERS(inv5_a_rule_too_many),
	NFT_LAYERS(inv5_a_rule_is_replaced),
	NFT_LAYERS(inv5_a_dormant_table),
	NFT_LAYERS(inv5_a_dormant_table_without_its_chain),
	NFT_LAYERS(inv5_a_chain_has_another_policy),
	NFT_LAYERS(inv5_a_chain_has_another_priority),
	NFT_LAYERS(inv5_a_chain_hangs_elsewhere),
	NFT_LAYERS(inv5_a_chain_too_many),
	NFT_LAYERS(inv5_a_protected_entry_is_gone),
	EACH_LAYER(inv5_foreign_blocks_are_taken_away),
	EACH_LAYER(inv5_another_end_is_mended),
	{ "inv5_a_mac_ends_first", inv5_a_mac_ends_first, FMP_LAYER_MAC },
	{ "inv5_a_mac_ends_first", inv5_a_mac_ends_first, FMP_LAYER_PREMAC },
	{ "inv5_the_device_comes_back", inv5_the_device_comes_back, FMP_LAYER_MAC },
	{ "inv5_the_device_comes_back", inv5_the_device_comes_back, FMP_LAYER_PREMAC },
	{ "the_module_waits_for_a_device", the_module_waits_for_a_device, FMP_LAYER_PREMAC },
	NFT_LAYERS(without_the_module_there_are_no_devices),
	NFT_LAYERS(apply_mends_the_table),
	{ "two_sources_behind_one_mac", two_sources_behind_one_mac, FMP_LAYER_MAC },
	{ "two_sources_behind_one_mac", two_sources_behind_one_mac, FMP_LAYER_PREMAC },
};
const size_t n_reconcile_tests = sizeof(reconcile_tests) / sizeof(reconcile_tests[0]);
