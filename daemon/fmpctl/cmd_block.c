// SPDX-License-Identifier: GPL-2.0
#include "fmpctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fmp/decision.h>
#include <fmp/policy.h>

#include "block_list.h"
#include "decision_text.h"
#include "talk.h"

enum {
	OPT_FOR = 256,
	OPT_LAYERS,
	OPT_REASON,
	OPT_FILE
};

static const struct option block_options[] = {
	{ "for", required_argument, NULL, OPT_FOR },
	{ "layers", required_argument, NULL, OPT_LAYERS },
	{ "reason", required_argument, NULL, OPT_REASON },
	{ "file", required_argument, NULL, OPT_FILE },
	{ 0 },
};
static const struct option unblock_options[] = {
	{ "reason", required_argument, NULL, OPT_REASON },
	{ 0 },
};

static struct {
	bool has_duration;
	uint64_t duration_ms;
	unsigned layers; /* 0: the policy's */
	const char *reason;
	const char *file;
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
	default:
		said.reason = arg;
		return 0;
	}
}

/* What still holds an address that was unblocked. */
static void print_covers(const struct records *l)
{
	char ms[64];

	for (size_t i = 0; i < l->n; i++) {
		const struct record *r = &l->r[i];

		if (!record_is(r, "covered"))
			continue;
		fputs("  still in force: ", stdout);
		decision_print_what(r);
		printf(" (decision %" PRIu64 ")", record_number(r, FMP_F_DECISION_ID));
		if (record_has(r, FMP_F_LEFT_MS))
			printf(", %s left", record_text(r, FMP_F_LEFT_MS, ms, sizeof(ms)));
		putchar('\n');
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
	if (!ctl->json)
		print_covers(&l);
	if (!rc && records_find(&l, "covered"))
		rc = EXIT_PARTLY;
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
		return block_list(ctl, said.file, put_options);

	if (argc != 1 || said.file)
		return usage_error("block", "takes one address, prefix or MAC, or --file");
	rc = parse_addr_argument("block", argv[0], &addr);
	if (rc)
		return rc;
	question_begin(&q, FMP_CTL_BLOCK);
	fmp_wire_put_addr(&q.w, FMP_F_ADDR, &addr);
	put_options(&q.w);
	return ask(ctl, &q);
}

static int run_unblock(const struct ctl *ctl, int argc, char **argv)
{
	struct fmp_addr addr;
	struct question q;
	int rc;

	if (argc != 1)
		return usage_error("unblock", "takes one address, prefix or MAC");
	rc = parse_addr_argument("unblock", argv[0], &addr);
	if (rc)
		return rc;
	question_begin(&q, FMP_CTL_UNBLOCK);
	fmp_wire_put_addr(&q.w, FMP_F_ADDR, &addr);
	put_options(&q.w);
	return ask(ctl, &q);
}

const struct command cmd_block = {
	.name = "block",
	.args = "ADDR|--file LIST [--for 10min] [--layers \"ip mac premac\"] [--reason TEXT]",
	.summary = "block an address, a prefix or a MAC by hand",
	.help = "  --for DURATION   500ms, 10s, 10min, 2h, 1d; 0: no end; default: the policy's\n"
		"  --layers LAYERS  default: the policy's\n"
		"  --reason TEXT    kept with the decision\n"
		"  --file LIST      block each address, prefix or MAC of a file, one a line, # begins\n"
		"                   a comment; -: of standard input\n\n"
		"A protected address is refused (exit 1). If a layer does not enforce it: exit 4.\n",
	.options = block_options,
	.option = option,
	.arguments = { ARG_SOURCE },
	.run = run_block,
};

const struct command cmd_unblock = {
	.name = "unblock",
	.args = "ADDR [--reason TEXT]",
	.summary = "end a block, and forget the source's rank",
	.help = "  --reason TEXT  kept with the decision\n\n"
		"If other blocks still hold the address, of a wider prefix or of its MAC, they are\n"
		"shown, and the exit status is 4.\n",
	.options = unblock_options,
	.option = option,
	.arguments = { ARG_BLOCKED, ARG_BLOCKED },
	.run = run_unblock,
};
