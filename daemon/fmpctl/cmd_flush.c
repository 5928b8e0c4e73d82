// SPDX-License-Identifier: GPL-2.0
#include "lib/fmpctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <fmp/decision.h>

#include "lib/control_client.h"

enum {
	OPT_AUTOMATIC = 256,
	OPT_MANUAL,
	OPT_YES,
	OPT_REASON,
	OPT_SET
};

static const struct option long_options[] = {
	{ "automatic", no_argument, NULL, OPT_AUTOMATIC },
	{ "manual", no_argument, NULL, OPT_MANUAL },
	{ "set", required_argument, NULL, OPT_SET },
	{ "yes", no_argument, NULL, OPT_YES },
	{ "reason", required_argument, NULL, OPT_REASON },
	{ 0 },
};

static struct {
	bool automatic, manual, yes;
	const char *reason, *set;
} options;

static int parse_option(int c, const char *arg)
{
	switch (c) {
	case OPT_AUTOMATIC:
		options.automatic = true;
		return 0;
	case OPT_MANUAL:
		options.manual = true;
		return 0;
	case OPT_YES:
		options.yes = true;
		return 0;
	case OPT_SET:
		if (!fmp_set_name_valid(arg))
			return usage_error("flush", SET_NAME_ERROR, arg);
		options.set = arg;
		return 0;
	default:
		options.reason = arg;
		return 0;
	}
}

/* Ask at a terminal, unless --yes was given; a script is never asked. Return: go on? */
static bool confirm_flush(void)
{
	char answer[8] = "";

	if (options.yes || !isatty(STDIN_FILENO))
		return true;
	fprintf(stderr, "End %s blocks%s%s and reset the ranks of their sources? [y/N] ",
		options.manual	    ? "all manual"
		: options.automatic ? "all automatic"
				    : "all",
		options.set ? " of set " : "", options.set ? options.set : "");
	return fgets(answer, sizeof(answer), stdin) && (*answer == 'y' || *answer == 'Y');
}

static int run_flush(const struct ctl *ctl, int argc, char **argv)
{
	const struct record *r;
	struct records l;
	struct control_request req;
	int rc;

	if (argc)
		return usage_error("flush", "unexpected argument %s", argv[0]);
	if (options.automatic && options.manual)
		return usage_error("flush", "takes --automatic, --manual or none of them");
	if (!confirm_flush()) {
		fputs("fmpctl: nothing is changed\n", stderr);
		return EXIT_REFUSED;
	}
	control_request_begin(&req, FMP_CTL_FLUSH);
	if (options.automatic || options.manual)
		fmp_wire_put_u64(&req.w, FMP_F_MANUAL, options.manual);
	if (options.set)
		fmp_wire_put_str(&req.w, FMP_F_SET, options.set);
	if (options.reason)
		fmp_wire_put_str(&req.w, FMP_F_REASON, options.reason);
	rc = control_call(ctl, &req, &l);
	r = records_find(&l, "flushed");
	if (ctl->json && l.n)
		print_json(&l);
	else if (r)
		printf("%" PRIu64 " ended\n", record_number(r, FMP_F_UNBLOCKS));
	records_free(&l);
	return rc;
}

const struct command cmd_flush = {
	.name = "flush",
	.args = "[--automatic|--manual] [--set NAME] [--yes] [--reason TEXT]",
	.summary = "end all blocks, or those of a set",
	.help = "  --automatic    only automatic blocks\n"
		"  --manual       only manual blocks\n"
		"  --set NAME     only blocks of this set, see block --file --set\n"
		"  --yes          do not ask; without a terminal fmpctl never asks\n"
		"  --reason TEXT  kept with each decision\n\n"
		"The ranks of the sources are reset, their offence counts are kept.\n",
	.options = long_options,
	.option = parse_option,
	.run = run_flush,
};
