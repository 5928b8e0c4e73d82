// SPDX-License-Identifier: GPL-2.0
/*
 * fmp-policy-load: reads a policy for fmpd, writes it packed, and ends; or writes the error. It is a program of its
 * own so that fmpd neither loads libxml2 nor parses XML with its rights.
 */
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <fmp/internal/policy_pack.h>

static int usage(FILE *to)
{
	fputs("usage: fmp-policy-load FILE\n"
	      "\n"
	      "Reads a policy for fmpd and writes it, checked, to standard output in a form that\n"
	      "only fmpd of the same build reads. `fmpctl policy check` is the one for people.\n",
	      to);
	return to == stdout ? 0 : 2;
}

int main(int argc, char **argv)
{
	struct fmp_policy *policy = NULL;
	struct fmp_error error;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return usage(stdout);
	if (argc == 2 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")))
		return printf("fmp-policy-load %s\n", FMP_VERSION) < 0;
	if (argc != 2 || isatty(STDOUT_FILENO))
		return usage(stderr);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (fmp_policy_load(argv[1], NULL, &policy, &error))
		policy = NULL;
	fmp_policy_pack(stdout, policy, &error);
	fmp_policy_free(policy);
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
