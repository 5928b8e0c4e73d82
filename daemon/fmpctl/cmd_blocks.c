// SPDX-License-Identifier: GPL-2.0
#include "fmpctl.h"

#include <stdio.h>

#include "addr_filter.h"
#include "talk.h"
#include "text.h"

static const struct column columns[] = {
	{ FMP_F_DECISION_ID, NULL }, { FMP_F_ADDR, "Source" },	{ FMP_F_PAIR_MAC, NULL },
	{ FMP_F_MAC, NULL },	     { FMP_F_LAYERS, NULL },	{ FMP_F_MEASURE, NULL },
	{ FMP_F_RATE, NULL },	     { FMP_F_DEST_PORT, NULL }, { FMP_F_LEFT_MS, NULL },
	{ FMP_F_AGE_MS, NULL },	     { FMP_F_MANUAL, NULL },	{ FMP_F_REASON, NULL },
};

static int run(const struct ctl *ctl, int argc, char **argv)
{
	struct addr_filter f;
	struct records l;
	struct question q;
	int rc = addr_filter_parse(&f, "blocks", argc, argv);

	if (rc)
		return rc;
	question_begin(&q, FMP_CTL_DECISIONS);
	rc = talk(ctl, &q, &l);
	addr_filter_apply(&f, "decision", &l);
	if (ctl->json && (!rc || l.n))
		print_json(&l);
	else if (!ctl->json &&
		 !text_table(&l, "decision", columns, sizeof(columns) / sizeof(columns[0]), "") &&
		 !rc)
		puts(argc ? "nothing of it is blocked" : "nothing is blocked");
	records_free(&l);
	addr_filter_free(&f);
	return rc;
}

const struct command cmd_blocks = {
	.name = "blocks",
	.args = "[ADDR...]",
	.summary = "every block in force",
	.help = "With addresses, prefixes or MACs: those of them, in them or around them.\n",
	.arguments = { ARG_BLOCKED, ARG_BLOCKED },
	.run = run,
};
