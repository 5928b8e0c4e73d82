/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMP_TESTS_NETNS_SUITES_H
#define FMP_TESTS_NETNS_SUITES_H

#include "harness.h"

/* Rows of a suite: the test once for each layer that nft has, or for all there are. */
#define NFT_LAYERS(f)                \
	{ #f, f, FMP_LAYER_IP },     \
	{                            \
#f, f, FMP_LAYER_MAC \
	}
#define EACH_LAYER(f)                   \
	NFT_LAYERS(f),                  \
	{                               \
#f, f, FMP_LAYER_PREMAC \
	}

extern const struct test enforce_tests[], frame_tests[], reconcile_tests[], net_tests[],
	narrow_tests[], watch_tests[], cut_tests[], random_tests[], step_tests[], pair_tests[];
extern const size_t n_enforce_tests, n_frame_tests, n_reconcile_tests, n_net_tests, n_narrow_tests,
	n_watch_tests, n_cut_tests, n_random_tests, n_step_tests, n_pair_tests;

#endif
