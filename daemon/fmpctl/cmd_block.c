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

static const struct option long_options[] = {
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
	unsigned layers; /* 0: those of the policy */
	const char *reason;
	const char *file;
	const char *set;
	bool yes;
} options;

static int parse_option(int c, const char *arg)
{
	char hint[SUGGESTION_MAX];

	switch (c) {
	case OPT_FOR:
		if (fmp_duration_parse(arg, &options.duration_ms))
			return usage_error("block",
					   "--for takes a duration such as 10min, 2h, 1d, "
					   "or 0 for no end; not %s",
					   arg);
		options.has_duration = true;
		return 0;
	case OPT_LAYERS:
		if (fmp_layers_parse(arg, &options.layers) || !options.layers)
			return usage_error("block", "--layers takes of \"ip mac premac\"; not %s%s",
					   arg, suggest_value(arg, "layers", hint));
		return 0;
	case OPT_FILE:
		options.file = arg;
		return 0;
	case OPT_SET:
		if (!fmp_set_name_valid(arg))
			return usage_error("block", SET_NAME_ERROR, arg);
		options.set = arg;
		return 0;
	case OPT_YES:
		options.yes = true;
		return 0;
	default:
		options.reason = arg;
		return 0;
	}
}

/* Send the request and print the decision. Return: an exit code, by the results of the layers. */
static int request_block(const struct ctl *ctl, struct control_request *req)
{
	const struct record *d;
	struct records l;
	int rc;

	rc = control_call(ctl, req, &l);
	d = records_find(&l, "decision");
	if (ctl->json && l.n)
		print_json(&l);
	else if (d)
		decision_print(&l, d);
	if (!rc)
		rc = decision_exit_code(&l, options.layers);
	records_free(&l);
	return rc;
}

/* Put the options into a request. */
static void put_options(struct fmp_wire_out *w)
{
	char layers[32];

	if (options.has_duration)
		fmp_wire_put_u64(w, FMP_F_DURATION_MS, options.duration_ms);
	if (options.layers)
		fmp_wire_put_str(w, FMP_F_LAYERS,
				 fmp_layers_format(options.layers, layers, sizeof(layers)));
	if (options.reason)
		fmp_wire_put_str(w, FMP_F_REASON, options.reason);
}

static int run_block(const struct ctl *ctl, int argc, char **argv)
{
	struct fmp_addr addr;
	struct control_request req;
	int rc;

	if (options.file && !argc)
		return block_list(ctl, options.file, options.set, options.yes, put_options);

	if (argc != 1 || options.file)
		return usage_error("block", "takes one address, prefix or MAC, or --file");
	if (options.set)
		return usage_error("block", "--set goes with --file: the set then holds what the "
					    "file lists");
	rc = parse_addr_argument("block", argv[0], &addr);
	if (!rc)
		rc = own_session_confirm(ctl, &addr, 1, options.yes);
	if (rc)
		return rc;
	control_request_begin(&req, FMP_CTL_BLOCK);
	fmp_wire_put_addr(&req.w, FMP_F_ADDR, &addr);
	put_options(&req.w);
	return request_block(ctl, &req);
}

const struct command cmd_block = {
	.name = "block",
	.args = "ADDR|--file LIST [--set NAME] [--for 10min] [--layers \"ip mac premac\"] [--reason TEXT] [--yes]",
	.summary = "block an address, a prefix or a MAC by hand",
	.help = "  --for DURATION   500ms, 10s, 10min, 2h, 1d; 0: no end; default: the policy's\n"
		"  --layers LAYERS  default: the policy's\n"
		"  --reason TEXT    kept with the decision\n"
		"  --file LIST      block each address, prefix, MAC or range A-B of a file, one a line;\n"
		"                   # and ; begin a comment; -: standard input\n"
		"                   \"ADDR for 2h\" has its own duration\n"
		"  --set NAME       replace the content of this set: its blocks that LIST lacks end\n"
		"  --yes            block the peer of the own SSH session without asking, and end all blocks of\n"
		"                   a set whose LIST has no address\n\n"
		"fmpctl asks before a block that would end its own SSH session; without a terminal the block is\n"
		"refused. A protected address is refused (exit 1). If a layer does not enforce the block, or\n"
		"if only a part of LIST is blocked: exit 4.\n",
	.options = long_options,
	.option = parse_option,
	.arguments = { ARG_SOURCE },
	.run = run_block,
};
