// SPDX-License-Identifier: GPL-2.0
/* fmpd's decision table: blocks in force, ended blocks, counts of rules, and bounded memory. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../daemon/fmpd/table/covering_block.h"
#include "../../daemon/fmpd/table/decision_table.h"
#include <fmp/internal/string_intern.h>

static struct fmp_addr parse_address(const char *text)
{
	struct fmp_addr a;

	ck_assert_int_eq(fmp_addr_parse(text, &a, NULL), 0);
	return a;
}

static struct fmpd_record *put_block(struct fmpd_decision_table *b, const char *source, uint64_t id)
{
	struct fmp_decision d = { .id = id,
				  .action = FMP_ACTION_BLOCK,
				  .source = parse_address(source),
				  .layers = FMP_LAYERS_ALL,
				  .time_ms = 1000,
				  .duration_ms = 500 };
	struct fmpd_record *r = fmpd_table_put(b, &d);

	ck_assert_ptr_nonnull(r);
	return r;
}

static struct fmpd_record *lookup_exact(struct fmpd_decision_table *b, const char *source)
{
	struct fmp_addr a = parse_address(source);

	return fmpd_table_lookup_exact(b, &a);
}

static struct fmpd_record *lookup_record(struct fmpd_decision_table *b, const char *source)
{
	struct fmp_addr a = parse_address(source);

	return fmpd_table_lookup(b, &a);
}

START_TEST(put_find_end)
{
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *r = put_block(b, "192.0.2.1", 1);

	put_block(b, "192.0.2.2", 2);
	ck_assert_uint_eq(fmpd_table_in_force(b), 2);
	ck_assert_ptr_eq(lookup_exact(b, "192.0.2.1"), r);
	ck_assert_ptr_null(lookup_exact(b, "192.0.2.3"));
	fmpd_table_end(b, r);
	fmpd_table_end(b, r);
	ck_assert_uint_eq(fmpd_table_in_force(b), 1);
	ck_assert_ptr_eq(lookup_exact(b, "192.0.2.1"), r);
	ck_assert(!r->in_force);
	ck_assert_ptr_eq(fmpd_table_first_ended(b), r);
	fmpd_table_free(b);
}
END_TEST

/* A renewed block is one block, even if the old one has ended. */
START_TEST(renewed)
{
	struct fmpd_decision_table *b = fmpd_table_new(1);

	put_block(b, "192.0.2.1", 1);
	put_block(b, "192.0.2.1", 2);
	ck_assert_uint_eq(fmpd_table_in_force(b), 1);
	ck_assert_uint_eq(lookup_exact(b, "192.0.2.1")->d.id, 2);
	ck_assert_uint_eq(fmpd_table_newest_id(b), 2);
	fmpd_table_end(b, lookup_exact(b, "192.0.2.1"));
	put_block(b, "192.0.2.1", 3);
	ck_assert_uint_eq(fmpd_table_in_force(b), 1);
	ck_assert_ptr_null(fmpd_table_first_ended(b));
	ck_assert_ptr_null(fmpd_table_next(fmpd_table_first(b)));
	fmpd_table_free(b);
}
END_TEST

START_TEST(covering)
{
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *net = put_block(b, "192.0.2.0/24", 1),
			   *host = put_block(b, "192.0.2.9", 2);
	struct fmp_addr mac = parse_address("02:00:5e:00:53:01");

	net->d.has_mac = true;
	memcpy(net->d.mac, mac.bytes, sizeof(net->d.mac));
	ck_assert_ptr_eq(lookup_record(b, "192.0.2.9"), host);
	ck_assert_ptr_eq(lookup_record(b, "192.0.2.8"), net);
	ck_assert_ptr_eq(lookup_record(b, "02:00:5e:00:53:01"), net);
	ck_assert_ptr_null(lookup_record(b, "192.0.3.1"));
	/* A block in force goes before one that ended. */
	fmpd_table_end(b, host);
	ck_assert_ptr_eq(lookup_record(b, "192.0.2.9"), net);
	fmpd_table_end(b, net);
	ck_assert_ptr_eq(lookup_record(b, "192.0.2.9"), net);
	fmpd_table_free(b);
}
END_TEST

/* Blocks that none of the layers is able to hold: the IP layer has no MACs. */
static struct fmpd_record *ip_block(struct fmpd_decision_table *b, struct fmpd_record *after,
				    const char *source, uint16_t port)
{
	struct fmp_addr a = parse_address(source);

	return fmpd_covering_ip_block(b, after, &a, port);
}

/* Found by the lengths of prefixes that there are, without a look at each block. */
START_TEST(covering_on_ip)
{
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *net = put_block(b, "192.0.2.0/24", 1),
			   *half = put_block(b, "192.0.2.0/25", 2),
			   *host = put_block(b, "192.0.2.9", 3),
			   *all = put_block(b, "2001:db8::/32", 4);

	ck_assert_ptr_eq(ip_block(b, NULL, "192.0.2.9", 80), host);
	ck_assert_ptr_eq(ip_block(b, host, "192.0.2.9", 80), half);
	ck_assert_ptr_eq(ip_block(b, half, "192.0.2.9", 80), net);
	ck_assert_ptr_null(ip_block(b, net, "192.0.2.9", 80));
	ck_assert_ptr_eq(ip_block(b, NULL, "192.0.2.200", 80), net);
	ck_assert_ptr_null(ip_block(b, NULL, "192.0.3.9", 80));
	ck_assert_ptr_eq(ip_block(b, NULL, "2001:db8::1", 80), all);
	ck_assert_ptr_null(ip_block(b, NULL, "2001:db9::1", 80));
	/* A wider one counts where a narrower one stops nothing. */
	host->d.action_kind = FMP_ACTION_KIND_LIMIT;
	ck_assert_ptr_eq(ip_block(b, NULL, "192.0.2.9", 80), half);
	fmpd_table_end(b, host);
	ck_assert_ptr_eq(ip_block(b, NULL, "192.0.2.9", 80), half);
	/* Another one of the same prefix, which has ended and come again. */
	fmpd_table_end(b, all);
	ck_assert_ptr_null(ip_block(b, NULL, "2001:db8::1", 80));
	all = put_block(b, "2001:db8::/32", 5);
	all = put_block(b, "2001:db8::/32", 6);
	ck_assert_ptr_eq(ip_block(b, NULL, "2001:db8::1", 80), all);
	fmpd_table_free(b);
}
END_TEST

/* Who stays with the layer mac, is limited, or blocked at another port is not stopped by the layer ip. */
START_TEST(stopped_on_ip)
{
	const struct fmp_layer_result refused = { .state = FMP_LAYER_RESULT_FAILED };
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *r = put_block(b, "192.0.2.9", 1);

	r->d.dest_port = 25;
	ck_assert_ptr_null(ip_block(b, NULL, "192.0.2.9", 80));
	ck_assert_ptr_eq(ip_block(b, NULL, "192.0.2.9", 25), r);
	r->d.dest_port = 0;
	ck_assert_ptr_eq(ip_block(b, NULL, "192.0.2.9", 80), r);
	r->d.action_kind = FMP_ACTION_KIND_LIMIT;
	ck_assert_ptr_null(ip_block(b, NULL, "192.0.2.9", 80));
	r->d.action_kind = FMP_ACTION_KIND_BLOCK;
	fmpd_table_set_result(b, r, FMP_LAYER_IP, &refused);
	ck_assert_ptr_null(ip_block(b, NULL, "192.0.2.9", 80));
	fmpd_table_set_result(b, r, FMP_LAYER_IP, NULL);
	r->d.layers = FMP_LAYER_BIT(FMP_LAYER_MAC);
	ck_assert_ptr_null(ip_block(b, NULL, "192.0.2.9", 80));
	fmpd_table_free(b);
}
END_TEST

START_TEST(inv5_unenforced)
{
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *mac = put_block(b, "02:00:5e:00:53:01", 2);

	put_block(b, "192.0.2.1", 1);
	ck_assert_uint_eq(fmpd_table_unenforced(b, FMP_LAYERS_ALL), 0);
	ck_assert_uint_eq(fmpd_table_unenforced(b, FMP_LAYER_BIT(FMP_LAYER_IP)), 1);
	ck_assert_uint_eq(fmpd_table_unenforced(b, 0), 2);
	fmpd_table_end(b, mac);
	ck_assert_uint_eq(fmpd_table_unenforced(b, FMP_LAYER_BIT(FMP_LAYER_IP)), 0);
	fmpd_table_free(b);
}
END_TEST

/* Invariant 6: the number of ended blocks is bounded; the oldest goes first. */
START_TEST(invariant_6_ended_are_bounded)
{
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *r;
	unsigned n = 0;
	char source[32];

	for (unsigned i = 0; i < FMPD_TABLE_ENDED_MAX + 10; i++) {
		snprintf(source, sizeof(source), "10.0.%u.%u", i >> 8, i & 255);
		fmpd_table_end(b, put_block(b, source, i + 1));
	}
	for (r = fmpd_table_first_ended(b); r; r = fmpd_table_next(r))
		n++;
	ck_assert_uint_eq(n, FMPD_TABLE_ENDED_MAX);
	ck_assert_ptr_null(lookup_exact(b, "10.0.0.9"));
	ck_assert_ptr_nonnull(lookup_exact(b, "10.0.0.10"));
	fmpd_table_free(b);
}
END_TEST

START_TEST(time_left)
{
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *r = put_block(b, "192.0.2.1", 1);

	ck_assert_uint_eq(fmpd_record_left_ms(r, 1100), 400);
	/* Never 0 while in force, for 0 means without end. */
	ck_assert_uint_eq(fmpd_record_left_ms(r, 1500), 1);
	r->d.duration_ms = 0;
	ck_assert_uint_eq(fmpd_record_left_ms(r, 1500), 0);
	ck_assert_uint_eq(fmpd_record_failed_layers(r), 0);
	r->states[FMP_LAYER_MAC] = FMP_LAYER_RESULT_FAILED;
	ck_assert_uint_eq(fmpd_record_failed_layers(r), FMP_LAYER_BIT(FMP_LAYER_MAC));
	fmpd_table_free(b);
}
END_TEST

/* ---- counts of rules ---- */

static struct fmp_decision with_mac(const char *source, const char *mac)
{
	struct fmp_decision d = { .id = 1,
				  .action = FMP_ACTION_BLOCK,
				  .source = parse_address(source),
				  .layers = FMP_LAYERS_ALL,
				  .time_ms = 1000 };

	if (*mac)
		d.mac = parse_address(mac);
	return d;
}

static void set_result(struct fmpd_decision_table *b, struct fmpd_record *r, unsigned layer,
		       enum fmp_layer_result_state state)
{
	const struct fmp_layer_result a = { .state = state };

	fmpd_table_set_result(b, r, layer, &a);
}

/* wanted, enforced, failed, unended */
static void ck_rules(const struct fmpd_decision_table *b, unsigned layer, unsigned w, unsigned e,
		     unsigned f, unsigned u)
{
	const struct fmpd_rule_counts *n = &fmpd_table_rule_counts(b)[layer];

	ck_assert_uint_eq(n->wanted, w);
	ck_assert_uint_eq(n->enforced, e);
	ck_assert_uint_eq(n->failed, f);
	ck_assert_uint_eq(n->unended, u);
}

START_TEST(rules_are_counted)
{
	struct fmp_decision one = with_mac("192.0.2.1", "02:00:5e:00:53:01");
	struct fmp_decision two = with_mac("192.0.2.2", "02:00:5e:00:53:01");
	struct fmp_decision port = with_mac("192.0.2.3", "");
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *r, *s;

	port.dest_port = 80;
	r = fmpd_table_put(b, &one);
	ck_rules(b, FMP_LAYER_IP, 1, 0, 0, 0);
	ck_rules(b, FMP_LAYER_MAC, 2, 0, 0, 0);
	/* Both blocks share one MAC rule; premac has no rule for a block of one port. */
	s = fmpd_table_put(b, &two);
	(void)fmpd_table_put(b, &port);
	ck_rules(b, FMP_LAYER_IP, 3, 0, 0, 0);
	ck_rules(b, FMP_LAYER_MAC, 4, 0, 0, 0);
	ck_rules(b, FMP_LAYER_PREMAC, 3, 0, 0, 0);
	set_result(b, r, FMP_LAYER_IP, FMP_LAYER_RESULT_ENFORCED);
	set_result(b, s, FMP_LAYER_IP, FMP_LAYER_RESULT_FAILED);
	set_result(b, s, FMP_LAYER_MAC, FMP_LAYER_RESULT_FAILED);
	ck_rules(b, FMP_LAYER_IP, 3, 1, 1, 0);
	ck_rules(b, FMP_LAYER_MAC, 4, 0, 2, 0);
	set_result(b, s, FMP_LAYER_IP, FMP_LAYER_RESULT_ENFORCED);
	ck_rules(b, FMP_LAYER_IP, 3, 2, 0, 0);
	ck_assert(fmpd_table_has_mac(b, &one.mac, FMP_LAYER_MAC));
	ck_assert(!fmpd_table_has_mac(b, &one.mac, FMP_LAYER_IP));
	/* One block ends: the MAC of the other stays. Failed rules of an ended block are no longer wanted. */
	fmpd_table_end(b, r);
	ck_rules(b, FMP_LAYER_MAC, 3, 0, 2, 0);
	fmpd_table_end(b, s);
	ck_rules(b, FMP_LAYER_IP, 1, 0, 0, 0);
	ck_rules(b, FMP_LAYER_MAC, 1, 0, 0, 2);
	set_result(b, s, FMP_LAYER_MAC, FMP_LAYER_RESULT_ENFORCED);
	ck_rules(b, FMP_LAYER_MAC, 1, 0, 0, 0);
	/* Replace a block. */
	(void)fmpd_table_put(b, &one);
	(void)fmpd_table_put(b, &one);
	ck_rules(b, FMP_LAYER_MAC, 3, 0, 0, 0);
	fmpd_table_drop_mac(b, lookup_exact(b, "192.0.2.1"), FMP_MAC_SHARED);
	ck_rules(b, FMP_LAYER_MAC, 2, 0, 0, 0);
	ck_assert(!fmpd_table_has_mac(b, &one.mac, FMP_LAYER_MAC));
	fmpd_table_free(b);
}
END_TEST

/* Thousands of MACs, some shared, are added and removed: the counts stay exact. */
START_TEST(macs_are_counted)
{
	struct fmpd_decision_table *b = fmpd_table_new(1);
	char ip[32], mac[32];

	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 3000; i++) {
			struct fmp_decision d;

			snprintf(ip, sizeof(ip), "10.0.%u.%u", i / 256, i % 256);
			snprintf(mac, sizeof(mac), "02:00:00:00:%02x:%02x", i / 2 / 256,
				 i / 2 % 256);
			d = with_mac(ip, mac);
			(void)fmpd_table_put(b, &d);
		}
		ck_rules(b, FMP_LAYER_MAC, 4500, 0, 0, 0);
		for (unsigned i = 0; i < 3000; i += 2) {
			snprintf(ip, sizeof(ip), "10.0.%u.%u", i / 256, i % 256);
			fmpd_table_end(b, lookup_exact(b, ip));
		}
		ck_rules(b, FMP_LAYER_MAC, 3000, 0, 0, 0);
		for (unsigned i = 2999; i < 3000; i -= 2) {
			snprintf(ip, sizeof(ip), "10.0.%u.%u", i / 256, i % 256);
			fmpd_table_end(b, lookup_exact(b, ip));
		}
		ck_rules(b, FMP_LAYER_MAC, 0, 0, 0, 0);
	}
	fmpd_table_free(b);
}
END_TEST

static struct fmpd_record *put_because(struct fmpd_decision_table *b, unsigned number,
				       const char *reason)
{
	struct fmp_decision d = { .id = number, .action = FMP_ACTION_BLOCK };
	char source[32];

	snprintf(source, sizeof(source), "10.1.%u.%u", number >> 8, number & 255);
	d.source = parse_address(source);
	snprintf(d.reason, sizeof(d.reason), "%s", reason);
	return fmpd_table_put(b, &d);
}

/* A MAC with a time of its own is dropped when that is over; the source stays blocked. */
START_TEST(mac_ends_first)
{
	struct fmp_decision d = { .id = 1,
				  .action = FMP_ACTION_BLOCK,
				  .source = parse_address("192.0.2.1"),
				  .mac = parse_address("02:00:5e:00:53:01"),
				  .time_ms = 5000,
				  .duration_ms = 100000 };
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *r = fmpd_table_put(b, &d);

	ck_assert_uint_eq(fmpd_record_mac_left_ms(r, 5000), 0);
	fmpd_table_expire_macs(b, 104999);
	ck_assert(r->d.has_mac);
	d.mac_ms = 29001;
	r = fmpd_table_put(b, &d);
	ck_assert_uint_eq(fmpd_record_mac_left_ms(r, 5000), 30000);
	ck_assert_uint_eq(fmpd_record_mac_left_ms(r, 99000), 1);
	ck_assert(!fmpd_record_mac_expired(r, 33999));
	fmpd_table_expire_macs(b, 33999);
	ck_assert(r->d.has_mac);
	ck_assert(fmpd_record_mac_expired(r, 34000));
	fmpd_table_expire_macs(b, 34000);
	ck_assert(!r->d.has_mac && r->in_force);
	ck_assert_int_eq(r->d.mac_veto, FMP_MAC_RANDOM);
	ck_assert(!fmpd_record_mac_expired(r, 34000));
	fmpd_table_free(b);
}
END_TEST

/* A time from a file or a rule may be longer than the table can store: it must not wrap around. */
START_TEST(mac_of_a_very_long_time)
{
	struct fmp_decision d = { .id = 1,
				  .action = FMP_ACTION_BLOCK,
				  .source = parse_address("192.0.2.1"),
				  .mac = parse_address("02:00:5e:00:53:01"),
				  .mac_ms = UINT64_C(3650) * 24 * 60 * 60 * 1000,
				  .time_ms = 5000 };
	struct fmpd_decision_table *b = fmpd_table_new(1);

	ck_assert_uint_eq(fmpd_record_mac_left_ms(fmpd_table_put(b, &d), 5000), d.mac_ms);
	d.mac_ms = UINT64_C(1000) * UINT32_MAX + 1;
	ck_assert_uint_eq(fmpd_record_mac_left_ms(fmpd_table_put(b, &d), 5000), d.mac_ms - 1);
	d.mac_ms = UINT64_MAX;
	ck_assert_uint_eq(fmpd_record_mac_left_ms(fmpd_table_put(b, &d), 5000),
			  UINT64_C(1000) * UINT32_MAX);
	fmpd_table_free(b);
}
END_TEST

/* The MAC by itself ends first; the pair stays to the end of the block, unless its MAC gets protected. */
START_TEST(pair_outlasts_mac)
{
	const struct fmp_addr mac = parse_address("02:00:5e:00:53:01");
	const struct fmp_decision d = { .id = 1,
					.action = FMP_ACTION_BLOCK,
					.source = parse_address("192.0.2.1"),
					.mac = mac,
					.pair_mac = mac,
					.layers = FMP_LAYERS_ALL,
					.time_ms = 5000,
					.duration_ms = 100000,
					.mac_ms = 30000 };
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *r = fmpd_table_put(b, &d);
	struct fmp_decision got;

	ck_assert_uint_eq(fmpd_table_rule_counts(b)[FMP_LAYER_MAC].wanted, 2);
	fmpd_table_expire_macs(b, 34000);
	got = fmpd_record_decision(r);
	ck_assert(!got.mac.family && fmp_addr_equal(&got.pair_mac, &mac));
	ck_assert_uint_eq(fmpd_table_rule_counts(b)[FMP_LAYER_MAC].wanted, 1);
	ck_assert_uint_eq(fmpd_table_rule_counts(b)[FMP_LAYER_IP].wanted, 1);
	fmpd_table_drop_pair(b, r, FMP_MAC_PROTECTED);
	got = fmpd_record_decision(r);
	ck_assert(!got.mac.family && !got.pair_mac.family);
	ck_assert_int_eq(got.mac_veto, FMP_MAC_PROTECTED);
	ck_assert_uint_eq(fmpd_table_rule_counts(b)[FMP_LAYER_MAC].wanted, 1);
	fmpd_table_free(b);
}
END_TEST

/* A record returns the decision that it was made of, whatever happens to other records. */
START_TEST(decision_kept)
{
	static const struct fmp_layer_result refused = { FMP_LAYER_RESULT_FAILED, 4095, "no room" };
	const struct fmp_decision d = { .id = 1ull << 40,
					.action = FMP_ACTION_BLOCK,
					.source = parse_address("2001:db8::/64"),
					.mac = parse_address("02:00:5e:00:53:01"),
					.pair_mac = parse_address("02:00:5e:00:53:01"),
					.mac_veto = FMP_MAC_NARROWED,
					.layers = FMP_LAYERS_ALL,
					.time_ms = 7,
					.duration_ms = 9,
					.mac_ms = 60000,
					.action_kind = FMP_ACTION_KIND_LIMIT,
					.rate = 1u << 30,
					.dest_port = 65535,
					.manual = true,
					.reason = "for a reason" };
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *r = fmpd_table_put(b, &d);
	struct fmp_decision got;

	fmpd_table_set_result(b, r, FMP_LAYER_MAC, &refused);
	for (unsigned i = 1; i < 100; i++) {
		char reason[16];

		snprintf(reason, sizeof(reason), "%u", i);
		fmpd_table_end(b, put_because(b, i, reason));
	}
	got = fmpd_record_decision(r);
	ck_assert_uint_eq(got.id, d.id);
	ck_assert_int_eq(got.action, d.action);
	ck_assert(fmp_addr_equal(&got.source, &d.source));
	ck_assert(fmp_addr_equal(&got.mac, &d.mac));
	ck_assert(fmp_addr_equal(&got.pair_mac, &d.pair_mac));
	ck_assert_int_eq(got.mac_veto, d.mac_veto);
	ck_assert_uint_eq(got.layers, d.layers);
	ck_assert_uint_eq(got.time_ms, d.time_ms);
	ck_assert_uint_eq(got.duration_ms, d.duration_ms);
	ck_assert_uint_eq(got.mac_ms, d.mac_ms);
	ck_assert_int_eq(got.action_kind, d.action_kind);
	ck_assert_uint_eq(got.rate, d.rate);
	ck_assert_uint_eq(got.dest_port, d.dest_port);
	ck_assert(got.manual);
	ck_assert_str_eq(got.reason, d.reason);
	ck_assert_int_eq(r->states[FMP_LAYER_MAC], FMP_LAYER_RESULT_FAILED);
	ck_assert_int_eq(fmpd_record_errno(r, FMP_LAYER_MAC), 4095);
	ck_assert_str_eq(fmpd_table_result_text(b, r, FMP_LAYER_MAC), "no room");
	ck_assert_str_eq(fmpd_table_result_text(b, r, FMP_LAYER_IP), "");
	fmpd_table_free(b);
}
END_TEST

/* There may be tens of thousands of records: each is small, and equal texts are stored once. */
START_TEST(invariant_6_records_are_small)
{
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *first = put_because(b, 1, "all for one reason");

	ck_assert_uint_le(sizeof(struct fmpd_record), 136);
	for (unsigned i = 2; i < 1000; i++)
		ck_assert_ptr_eq(put_because(b, i, "all for one reason")->d.reason,
				 first->d.reason);
	fmpd_table_set_reason(b, first, "another");
	ck_assert_str_eq(first->d.reason, "another");
	fmpd_table_free(b);
}
END_TEST

START_TEST(texts_come_and_go)
{
	struct fmp_intern t = { .n = 0 };
	const char *held[100];
	char text[16];

	for (unsigned i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "%u", i / 2);
		held[i] = fmp_intern_hold(&t, text);
	}
	ck_assert_uint_eq(t.n, 50);
	ck_assert_ptr_eq(held[98], held[99]);
	ck_assert_uint_ne(fmp_intern_number(held[97]), fmp_intern_number(held[98]));
	for (unsigned i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "%u", i / 2);
		ck_assert_str_eq(held[i], text);
		ck_assert_ptr_eq(fmp_intern_get(&t, fmp_intern_number(held[i])), held[i]);
		fmp_intern_drop(&t, held[i]);
	}
	ck_assert_uint_eq(t.n, FMP_INTERN_RECENT);
	/* A text without owner is still found among the most recent ones. */
	ck_assert_ptr_eq(fmp_intern_hold(&t, "45"), held[90]);
	fmp_intern_drop(&t, held[90]);
	ck_assert_str_eq(fmp_intern_hold(&t, ""), "");
	ck_assert_str_eq(fmp_intern_get(&t, fmp_intern_number(fmp_intern_hold(&t, ""))), "");
	/* Free numbers are used before new ones. */
	held[0] = fmp_intern_hold(&t, "a");
	ck_assert_uint_le(fmp_intern_number(held[0]), 50);
	fmp_intern_drop(&t, held[0]);
	fmp_intern_exit(&t);
	ck_assert_uint_eq(t.n, 0);
}
END_TEST

/* With every number of chains each record is found, and no other. */
START_TEST(found_as_it_grows)
{
	enum {
		MANY = 1200
	};
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *r[MANY];
	char text[32];

	for (unsigned i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "10.0.%u.%u", i / 256, i % 256);
		ck_assert_ptr_null(lookup_exact(b, text));
		r[i] = put_block(b, text, i + 1);
		for (unsigned k = i % 101; k <= i; k += 101) {
			snprintf(text, sizeof(text), "10.0.%u.%u", k / 256, k % 256);
			ck_assert_ptr_eq(lookup_exact(b, text), r[k]);
		}
	}
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(text, sizeof(text), "10.0.%u.%u", i / 256, i % 256);
		ck_assert_ptr_eq(lookup_exact(b, text), r[i]);
	}
	ck_assert_uint_eq(fmpd_table_in_force(b), MANY);
	fmpd_table_free(b);
}
END_TEST

/* The table changes while a cursor runs: records that stay are met once, and so are new ones. */
START_TEST(cursor_beside_changes)
{
	struct fmpd_decision_table *b = fmpd_table_new(1);
	struct fmpd_record *r[4];

	fmpd_table_cursor_rewind(b, FMPD_CURSOR_UNBLOCK_ALL);
	ck_assert_ptr_null(fmpd_table_cursor_next(b, FMPD_CURSOR_UNBLOCK_ALL));
	for (unsigned i = 0; i < 4; i++) {
		char text[16];

		snprintf(text, sizeof(text), "192.0.2.%u", i);
		r[i] = put_block(b, text, i + 1);
	}
	fmpd_table_cursor_rewind(b, FMPD_CURSOR_UNBLOCK_ALL);
	fmpd_table_cursor_rewind(b, FMPD_CURSOR_COMPARE);
	ck_assert_ptr_eq(fmpd_table_cursor_next(b, FMPD_CURSOR_UNBLOCK_ALL), r[0]);
	/* End a record already met and the next one, and replace one, which puts it last. */
	fmpd_table_end(b, r[0]);
	fmpd_table_end(b, r[1]);
	r[2] = put_block(b, "192.0.2.2", 5);
	ck_assert_ptr_eq(fmpd_table_cursor_next(b, FMPD_CURSOR_UNBLOCK_ALL), r[3]);
	ck_assert_ptr_eq(fmpd_table_cursor_next(b, FMPD_CURSOR_UNBLOCK_ALL), r[2]);
	ck_assert_ptr_null(fmpd_table_cursor_next(b, FMPD_CURSOR_UNBLOCK_ALL));
	/* The other cursor was still at the first record, which ended. */
	ck_assert_ptr_eq(fmpd_table_cursor_next(b, FMPD_CURSOR_COMPARE), r[3]);
	ck_assert_ptr_eq(fmpd_table_cursor_next(b, FMPD_CURSOR_COMPARE), r[2]);
	fmpd_table_free(b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("decision_table");
	TCase *tc = tcase_create("decision_table");
	SRunner *sr;
	int failed;

	tcase_add_test(tc, put_find_end);
	tcase_add_test(tc, cursor_beside_changes);
	tcase_add_test(tc, found_as_it_grows);
	tcase_add_test(tc, renewed);
	tcase_add_test(tc, covering);
	tcase_add_test(tc, covering_on_ip);
	tcase_add_test(tc, stopped_on_ip);
	tcase_add_test(tc, invariant_6_ended_are_bounded);
	tcase_add_test(tc, inv5_unenforced);
	tcase_add_test(tc, time_left);
	tcase_add_test(tc, decision_kept);
	tcase_add_test(tc, mac_ends_first);
	tcase_add_test(tc, mac_of_a_very_long_time);
	tcase_add_test(tc, pair_outlasts_mac);
	tcase_add_test(tc, rules_are_counted);
	tcase_add_test(tc, macs_are_counted);
	tcase_add_test(tc, invariant_6_records_are_small);
	tcase_add_test(tc, texts_come_and_go);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
