// SPDX-License-Identifier: GPL-2.0
#include "lib/fmpctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fmp/decision.h>

#include "lib/addr_filter.h"
#include "lib/control_client.h"
#include "lib/text.h"

static const struct column columns[] = {
	{ FMP_F_DECISION_ID, NULL }, { FMP_F_ADDR, "Source" }, { FMP_F_IPV4, NULL },
	{ FMP_F_PAIR_MAC, NULL },    { FMP_F_MAC, NULL },      { FMP_F_LAYERS, NULL },
	{ FMP_F_MEASURE, NULL },     { FMP_F_RATE, NULL },     { FMP_F_DEST_PORT, NULL },
	{ FMP_F_LEFT_MS, NULL },     { FMP_F_AGE_MS, NULL },   { FMP_F_OBSERVE, "Only observed" },
	{ FMP_F_MANUAL, NULL },	     { FMP_F_SET, NULL },      { FMP_F_REASON, NULL },
};

enum {
	OPT_SET = 256,
	OPT_EXPORT
};

static const struct option long_options[] = {
	{ "set", required_argument, NULL, OPT_SET },
	{ "export", no_argument, NULL, OPT_EXPORT },
	{ 0 },
};

static struct {
	const char *set;
	bool is_export;
} options;

static int parse_option(int c, const char *arg)
{
	if (c == OPT_EXPORT) {
		options.is_export = true;
		return 0;
	}
	if (!fmp_set_name_valid(arg))
		return usage_error("blocks", SET_NAME_ERROR, arg);
	options.set = arg;
	return 0;
}

/* Print one line that list_file_load() reads, or a comment for a block that a list can't express. */
static void export_one(const struct record *r)
{
	uint64_t left_s = (record_number(r, FMP_F_LEFT_MS) + 999) / 1000;
	char addr[80], times[32] = "0";

	record_text(r, FMP_F_ADDR, addr, sizeof(addr));
	if (strcmp(record_string(r, FMP_F_MEASURE), "block") || record_has(r, FMP_F_DEST_PORT) ||
	    record_has(r, FMP_F_PAIR_MAC)) {
		printf("# %s is limited, or blocked for one port or MAC only: a list cannot express that\n",
		       addr);
		return;
	}
	if (record_has(r, FMP_F_LEFT_MS))
		snprintf(times, sizeof(times), "%" PRIu64 "s", left_s);
	printf("%s for %s # %s\n", addr, times, record_string(r, FMP_F_REASON));
}

static void export_all(const struct records *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (record_is(&l->r[i], "decision"))
			export_one(&l->r[i]);
}

/* Only JSON shows the results of the layers. */
static int on_record(struct record *r, void *ctx)
{
	if (!record_is(r, "answer"))
		return records_add(ctx, r);
	record_free(r);
	return 0;
}

static int run_blocks(const struct ctl *ctl, int argc, char **argv)
{
	struct addr_filter f;
	struct records l = { 0 };
	struct control_request req;
	int rc = addr_filter_parse(&f, "blocks", argc, argv);

	if (rc)
		return rc;
	if (options.is_export && ctl->json)
		return usage_error("blocks", "--export writes a list, not JSON");
	control_request_begin(&req, FMP_CTL_DECISIONS);
	if (options.set)
		fmp_wire_put_str(&req.w, FMP_F_SET, options.set);
	rc = ctl->json ? control_call(ctl, &req, &l) : control_stream(ctl, &req, on_record, &l);
	addr_filter_apply(&f, "decision", &l);
	if (options.is_export)
		export_all(&l);
	else if (ctl->json && (!rc || l.n))
		print_json(&l);
	else if (!ctl->json &&
		 !text_table(&l, "decision", columns, sizeof(columns) / sizeof(columns[0]), "") &&
		 !rc)
		puts(argc || options.set ? "no such address is blocked" : "nothing is blocked");
	records_free(&l);
	addr_filter_free(&f);
	return rc;
}

const struct command cmd_blocks = {
	.name = "blocks",
	.args = "[ADDR...] [--set NAME] [--export]",
	.summary = "all active blocks",
	.help = "With addresses, prefixes or MACs: only those equal to them, in them or around them.\n"
		"  --set NAME  only those of this set, see block --file --set\n"
		"  --export    as a list for block --file, each address with its remaining time\n",
	.options = long_options,
	.option = parse_option,
	.arguments = { ARG_BLOCKED, ARG_BLOCKED },
	.run = run_blocks,
};
