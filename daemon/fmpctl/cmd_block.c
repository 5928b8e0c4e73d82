// SPDX-License-Identifier: GPL-2.0
#include "lib/fmpctl.h"

#include <stdio.h>

#include <fmp/decision.h>
#include <fmp/policy.h>

#include "lib/block_list.h"
#include "lib/decision_text.h"
#include "lib/own_session.h"
#include "lib/control_client.h"

enum {
	OPT_FOR = 256,
	OPT_LAYERS,
	OPT_REASON,
	OPT_FILE,
	OPT_SET,
	OPT_YES
};

static const struct option block_options[] = {
	{ "for", required_argument, NULL, OPT_FOR },
	{ "layers", required_argument, NULL, OPT_LAYERS },
	{ "reason", required_argument, NULL, OPT_REASON },
	{ "file", required_argument, NULL, OPT_FILE },
	{ "set", required_argument, NULL, OPT_SET },
	{ "yes", no_argument, NULL, OPT_YES },
	{ 0 },
};
static struct {
	bool has_duration;
	uint64_t duration_ms;
	unsigned layers; /* 0: the policy's */
	const char *reason;
	const char *file;
	const char *set;
	bool yes;
} said;

static int option(int c, const char *arg)
{
	char meant[MEANT_MAX];

	switch (c) {
	case OPT_FOR:
		if (fmp_duration_parse(arg, &said.duration_ms))
			return usage_error("block",
					   "--for takes a duration such as 10min, 2h, 1d, "
					   "or 0 for no end; not %s",
					   arg);
		said.has_duration = true;
		return 0;
	case OPT_LAYERS:
		if (fmp_layers_parse(arg, &said.layers) || !said.layers)
			return usage_error("block", "--layers takes of \"ip mac premac\"; not %s%s",
					   arg, meant_value(arg, "layers", meant));
		return 0;
	case OPT_FILE:
		said.file = arg;
		return 0;
	case OPT_SET:
		if (!fmp_set_name_valid(arg))
			return usage_error("block", SET_NAME_WRONG, arg);
		said.set = arg;
		return 0;
	case OPT_YES:
		said.yes = true;
		return 0;
	default:
		said.reason = arg;
		return 0;
	}
}

/* Ask, show, and let the layers' answers be the exit code. */
static int ask(const struct ctl *ctl, struct question *q)
{
	const struct record *d;
	struct records l;
	int rc;

	rc = talk(ctl, q, &l);
	d = records_find(&l, "decision");
	if (ctl->json && l.n)
		print_json(&l);
	else if (d)
		decision_print(&l, d);
	if (!rc)
		rc = decision_exit_code(&l, said.layers);
	records_free(&l);
	return rc;
}

/* What was said beside the address. */
static void put_options(struct fmp_wire_out *w)
{
	char layers[32];

	if (said.has_duration)
		fmp_wire_put_u64(w, FMP_F_DURATION_MS, said.duration_ms);
	if (said.layers)
		fmp_wire_put_str(w, FMP_F_LAYERS,
				 fmp_layers_format(said.layers, layers, sizeof(layers)));
	if (said.reason)
		fmp_wire_put_str(w, FMP_F_REASON, said.reason);
}

static int run_block(const struct ctl *ctl, int argc, char **argv)
{
	struct fmp_addr addr;
	struct question q;
	int rc;

	if (said.file && !argc)
		return block_list(ctl, said.file, said.set, said.yes, put_options);

	if (argc != 1 || said.file)
		return usage_error("block", "takes one address, prefix or MAC, or --file");
	if (said.set)
		return usage_error("block", "--set goes with --file: the set then holds what the "
					    "file lists");
	rc = parse_addr_argument("block", argv[0], &addr);
	if (!rc)
		rc = own_session_confirm(ctl, &addr, 1, said.yes);
	if (rc)
		return rc;
	question_begin(&q, FMP_CTL_BLOCK);
	fmp_wire_put_addr(&q.w, FMP_F_ADDR, &addr);
	put_options(&q.w);
	return ask(ctl, &q);
}

const struct command cmd_block = {
	.name = "block",
	.args = "ADDR|--file LIST [--set NAME] [--for 10min] [--layers \"ip mac premac\"] [--reason TEXT] [--yes]",
	.summary = "block an address, a prefix or a MAC by hand",
	.help = "  --for DURATION   500ms, 10s, 10min, 2h, 1d; 0: no end; default: the policy's\n"
		"  --layers LAYERS  default: the policy's\n"
		"  --reason TEXT    kept with the decision\n"
		"  --file LIST      block each address, prefix, MAC or range A-B of a file, one a line;\n"
		"                   # and ; begin a comment; -: of standard input\n"
		"                   \"ADDR for 2h\" has a duration of its own\n"
		"  --set NAME       replace what this set held: blocks of it that LIST lacks end\n"
		"  --yes            block the peer of one's own SSH session without asking, and end all of\n"
		"                   a set whose LIST has no address\n\n"
		"A block that would end the SSH session in which fmpctl is called is asked about first;\n"
		"without a terminal it is refused. A protected address is refused (exit 1). If a layer does not enforce it,\n"
		"or if only a part of LIST is blocked: exit 4.\n",
	.options = block_options,
	.option = option,
	.arguments = { ARG_SOURCE },
	.run = run_block,
};
