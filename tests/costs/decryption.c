// SPDX-License-Identifier: GPL-2.0
/*
 * decryption SECURITY CIPHERS SCHEMA CAS KEY NOW FILE...
 *
 * Takes each message through fmp_inspect(), under callgrind --instr-atstart=no, in counted(). Each must be refused;
 * prints the step and the reason of each. The first one goes before, too: it pays for what is remembered.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include <fmp/inspect.h>

#include "../bench/message.h"

static void die(const char *what, const char *why)
{
	fprintf(stderr, "decryption: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

static void look(struct fmp_inspector *i, const struct fmp_message *m, struct fmp_inspection *v)
{
	if (fmp_inspect(i, m, v) || v->accepted)
		die("a changed message", "is taken");
	fmp_inspection_clear(v);
}

/* What is counted: by this name. */
static __attribute__((noinline)) void counted(struct fmp_inspector *i, const struct fmp_message *m,
					      struct fmp_inspection *v)
{
	look(i, m, v);
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
		die("usage", "decryption SECURITY CIPHERS SCHEMA CAS KEY NOW FILE...");
	cfg.schema = argv[3];
	cfg.trust = argv[4];
	cfg.key = argv[5];
	if (fmp_security_parse(argv[1], &cfg.security) ||
	    fmp_ciphers_parse(argv[2], &algorithms.encryption, why, sizeof(why)))
		die(argv[1], argv[2]);
	/* Signed, then encrypted: the order in which a signature does not go before. */
	cfg.order = FMP_ORDER_SIGN_ENCRYPT;
	if (fmp_inspect_global_init(&err) || fmp_inspector_new(&cfg, &i, &err))
		die("the inspector", err.message);
	for (int n = 6; n < argc; n++) {
		struct fmp_message m = read_message(argv[n < 7 ? 7 : n]);

		m.now_s = atoll(argv[6]);
		if (n < 7) {
			look(i, &m, &v);
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
