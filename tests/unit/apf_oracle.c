// SPDX-License-Identifier: GPL-2.0
/* Of its own, as the headers of module and library both have an enum fmp_family. */
#include "apf_oracle.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/tables.h"
#include "path/dissect.h"
#include "path/filter.h"
#include "tests/suites.h"

static struct fmp_tables tables;

void *kshim_case_alloc(size_t n)
{
	return calloc(1, n);
}

static void ignore_rule(struct fmp_tables *ts, const struct fmp_rule *rule)
{
}

static void ignore_number(struct fmp_tables *ts, unsigned int n)
{
}

void oracle_init(void)
{
	static const struct fmp_tables_ops ops = {
		.expired = ignore_rule,
		.evicted = ignore_rule,
		.first_hit = ignore_rule,
		.hits_lost = ignore_number,
	};

	fmp_max_rules_total = fmp_max_rules;
	ck_assert_int_eq(fmp_rule_init(), 0);
	fmp_tables_init(&tables, &ops);
	fmp_tables_start(&tables);
}

void oracle_exit(void)
{
	fmp_tables_stop(&tables);
	fmp_tables_exit(&tables);
	fmp_rule_exit();
}

static struct fmp_key address_key(const struct model_rule *rule)
{
	struct fmp_key key = { { 0 } };

	memcpy(&key.word[0], rule->addr, rule->ip < 8 ? rule->ip : 8);
	if (rule->ip == 16)
		memcpy(&key.word[1], rule->addr + 8, 8);
	return key;
}

void oracle_add(const struct model_rule *rule)
{
	struct fmp_rule_spec spec = { .verdict = rule->verdict, .plen = rule->plen };
	struct fmp_key ip = address_key(rule);
	enum fmp_rule_err err;
	unsigned int bad;

	spec.family = rule->ip == 4 ? FMP_FAMILY_IPV4 : FMP_FAMILY_IPV6;
	spec.key = ip;
	if (rule->by_mac) {
		spec.family = !rule->ip	      ? FMP_FAMILY_MAC
			      : rule->ip == 4 ? FMP_FAMILY_PAIR4
					      : FMP_FAMILY_PAIR6;
		spec.key = (struct fmp_key){ { 0, ip.word[0], ip.word[1] } };
		memcpy(&spec.key.word[0], rule->mac, sizeof(rule->mac));
		if (!rule->ip)
			spec.plen = FMP_PLEN_MAC;
	}
	err = fmp_tables_add(&tables, &spec, 1, false, &bad);
	ck_assert(err == FMP_RULE_ERR_NONE || err == FMP_RULE_ERR_PROTECTED);
}

void oracle_flush(void)
{
	fmp_tables_flush(&tables, FMP_VERDICT_UNSPEC);
}

bool oracle_stops(const uint8_t *frame, size_t len)
{
	enum fmp_decision decision;
	struct fmp_rx rx;

	fmp_rx_begin(&rx, NULL, (u32)len);
	rx.buf = frame;
	if (fmp_dissect_mac(&rx.hdr, frame, (u32)len))
		return false;
	rx.stage = FMP_STAGE_MAC_READ;
	rcu_read_lock_bh();
	decision = fmp_filter_frame(&tables, &rx, (u32)len);
	rcu_read_unlock_bh();
	ck_assert_int_ne(decision, FMP_DECISION_MORE);
	return decision == FMP_DECISION_BLOCK_MAC || decision == FMP_DECISION_BLOCK_IP;
}
