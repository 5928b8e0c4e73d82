// SPDX-License-Identifier: GPL-2.0
/*
 * netns_enforce [-l "LAYER..."] [PART OF A NAME...]: the enforcement room against a
 * real kernel; without -l what needs no module.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites.h"

int main(int argc, char **argv)
{
	size_t n = n_enforce_tests + n_frame_tests + n_reconcile_tests + n_net_tests +
		   n_narrow_tests + n_watch_tests + n_cut_tests + n_random_tests + n_step_tests +
		   n_pair_tests,
	       at = 0;
	unsigned layers = FMP_LAYER_BIT(FMP_LAYER_IP) | FMP_LAYER_BIT(FMP_LAYER_MAC) |
			  FMP_LAYER_BIT(FMP_LAYERS);
	struct test *all;
	int rc;

	if (argc > 2 && !strcmp(argv[1], "-l")) {
		if (fmp_layers_parse(argv[2], &layers)) {
			fprintf(stderr, "netns_enforce: no layers: %s\n", argv[2]);
			return 2;
		}
		argv += 2;
	}
	all = calloc(n, sizeof(*all));

	if (!all)
		return EXIT_FAILURE;
	memcpy(all + at, net_tests, n_net_tests * sizeof(*all));
	at += n_net_tests;
	memcpy(all + at, enforce_tests, n_enforce_tests * sizeof(*all));
	at += n_enforce_tests;
	memcpy(all + at, frame_tests, n_frame_tests * sizeof(*all));
	at += n_frame_tests;
	memcpy(all + at, reconcile_tests, n_reconcile_tests * sizeof(*all));
	at += n_reconcile_tests;
	memcpy(all + at, narrow_tests, n_narrow_tests * sizeof(*all));
	at += n_narrow_tests;
	memcpy(all + at, watch_tests, n_watch_tests * sizeof(*all));
	at += n_watch_tests;
	memcpy(all + at, cut_tests, n_cut_tests * sizeof(*all));
	at += n_cut_tests;
	memcpy(all + at, random_tests, n_random_tests * sizeof(*all));
	at += n_random_tests;
	memcpy(all + at, step_tests, n_step_tests * sizeof(*all));
	at += n_step_tests;
	memcpy(all + at, pair_tests, n_pair_tests * sizeof(*all));
	rc = run_tests(all, n, layers, argv + 1);
	free(all);
	return rc;
}
