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

static const struct option options[] = {
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
} said;

static int option(int c, const char *arg)
{
	switch (c) {
	case OPT_AUTOMATIC:
		said.automatic = true;
		return 0;
	case OPT_MANUAL:
		said.manual = true;
		return 0;
	case OPT_YES:
		said.yes = true;
		return 0;
	case OPT_SET:
		if (!fmp_set_name_valid(arg))
			return usage_error("flush", SET_NAME_WRONG, arg);
		said.set = arg;
		return 0;
	default:
		said.reason = arg;
		return 0;
	}
}

/* A person at a terminal is asked; a script said what it wants. */
static bool is_meant(void)
{
	char answer[8] = "";

	if (said.yes || !isatty(STDIN_FILENO))
		return true;
	fprintf(stderr, "End %s blocks%s%s and forget their sources' ranks? [y/N] ",
		said.manual	 ? "all manual"
		: said.automatic ? "all automatic"
				 : "all",
		said.set ? " of set " : "", said.set ? said.set : "");
	return fgets(answer, sizeof(answer), stdin) && (*answer == 'y' || *answer == 'Y');
}

static int run(const struct ctl *ctl, int argc, char **argv)
{
	const struct record *r;
	struct records l;
	struct question q;
	int rc;

	if (argc)
		return usage_error("flush", "unexpected argument %s", argv[0]);
	if (said.automatic && said.manual)
		return usage_error("flush", "takes --automatic, --manual or none of them");
	if (!is_meant()) {
		fputs("fmpctl: nothing is changed\n", stderr);
		return EXIT_REFUSED;
	}
	question_begin(&q, FMP_CTL_FLUSH);
	if (said.automatic || said.manual)
		fmp_wire_put_u64(&q.w, FMP_F_MANUAL, said.manual);
	if (said.set)
		fmp_wire_put_str(&q.w, FMP_F_SET, said.set);
	if (said.reason)
		fmp_wire_put_str(&q.w, FMP_F_REASON, said.reason);
	rc = talk(ctl, &q, &l);
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
	.help = "  --automatic    only those that fmpd took by itself\n"
		"  --manual       only those taken by hand\n"
		"  --set NAME     only those of this set, see block --file --set\n"
		"  --yes          do not ask; without a terminal nobody is asked\n"
		"  --reason TEXT  kept with each decision\n\n"
		"The sources' ranks are forgotten, their strikes are not.\n",
	.options = options,
	.option = option,
	.run = run,
};
