// SPDX-License-Identifier: GPL-2.0
/*
 * decryption SECURITY CIPHERS SCHEMA CAS KEY NOW FILE...
 *
 * Takes each message through fmp_inspect(), under callgrind --instr-atstart=no, in counted(). Each must be refused;
 * prints the step and the reason of each. The first one is inspected once before that: it fills the caches.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include <fmp/inspect.h>

#include "../bench/message.h"

static void exit_with_message(const char *what, const char *why)
{
	fprintf(stderr, "decryption: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

static void inspect_message(struct fmp_inspector *i, const struct fmp_message *m,
			    struct fmp_inspection *v)
{
	if (fmp_inspect(i, m, v) || v->accepted)
		exit_with_message("a changed message", "is taken");
	fmp_inspection_clear(v);
}

/* What is counted: by this name. */
static __attribute__((noinline)) void counted(struct fmp_inspector *i, const struct fmp_message *m,
					      struct fmp_inspection *v)
{
	inspect_message(i, m, v);
}

int main(int argc, char **argv)
{
	struct fmp_policy_algorithms algorithms = FMP_ALGORITHMS_DEFAULT;
	struct fmp_inspect_config cfg = { .algorithms = &algorithms,
					  .clock_skew_ms = 60000,
					  .limits = wide_limits() };
	struct fmp_inspector *i;
	struct fmp_inspection v;
	struct fmp_error err;
	char why[128];

	if (argc < 8)
		exit_with_message("usage",
				  "decryption SECURITY CIPHERS SCHEMA CAS KEY NOW FILE...");
	cfg.schema = argv[3];
	cfg.trust = argv[4];
	cfg.key = argv[5];
	if (fmp_security_parse(argv[1], &cfg.security) ||
	    fmp_ciphers_parse(argv[2], &algorithms.encryption, why, sizeof(why)))
		exit_with_message(argv[1], argv[2]);
	/* Signed, then encrypted: the order in which a signature does not go before. */
	cfg.order = FMP_ORDER_SIGN_ENCRYPT;
	if (fmp_inspect_global_init(&err) || fmp_inspector_new(&cfg, &i, &err))
		exit_with_message("the inspector", err.message);
	for (int n = 6; n < argc; n++) {
		struct fmp_message m = read_message(argv[n < 7 ? 7 : n]);

		m.now_s = atoll(argv[6]);
		if (n < 7) {
			inspect_message(i, &m, &v);
		} else {
			CALLGRIND_START_INSTRUMENTATION;
			counted(i, &m, &v);
			CALLGRIND_STOP_INSTRUMENTATION;
			printf("%s: %s\n", fmp_step_name(v.step), v.detail);
		}
		free((void *)m.bytes);
	}
	fmp_inspector_free(i);
	fmp_inspect_global_exit();
	return EXIT_SUCCESS;
}
