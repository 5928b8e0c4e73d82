/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables for the suites, and short constructors of rules
 */
#ifndef _FMP_TESTS_WORLD_H
#define _FMP_TESTS_WORLD_H

#include "../core/tables.h"

#include <kunit/test.h>
#include <linux/delay.h>

/**
 * struct fmp_world - the tables that a case works on
 * @ts: the tables
 * @expired: notifications that a rule expired
 * @evicted: notifications that a rule was evicted
 * @first_hits: notifications of a first hit
 * @hits_lost: first hits notified as lost
 */
struct fmp_world {
	struct fmp_tables ts;
	atomic_t expired;
	atomic_t evicted;
	atomic_t first_hits;
	atomic_t hits_lost;
};

int fmp_world_init(struct kunit *test);
void fmp_world_exit(struct kunit *test);
struct fmp_rule_spec fmp_ip4(u32 addr, u8 plen, u8 verdict);
struct fmp_rule_spec fmp_ip6(u64 hi, u64 lo, u8 plen, u8 verdict);
struct fmp_rule_spec fmp_mac(u8 last, u8 verdict);
struct fmp_rule_spec fmp_pair(struct fmp_rule_spec ip, u8 last);
enum fmp_rule_err fmp_world_add(struct kunit *test, struct fmp_rule_spec spec);
enum fmp_rule_err fmp_world_del(struct kunit *test, struct fmp_rule_spec spec);
struct fmp_rule *fmp_world_find(struct kunit *test, const struct fmp_rule_spec *spec);
u32 fmp_world_count(struct kunit *test);

/* 10.9.0.x, fd09::x */
#define FMP_TEST_IP4(x) (0x0a090000U + (x))
#define FMP_TEST_IP6_HI 0xfd09000000000000ULL

#endif /* _FMP_TESTS_WORLD_H */
