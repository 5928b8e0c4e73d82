// SPDX-License-Identifier: GPL-2.0
#include "fmpctl.h"

#include <stdio.h>

#include "sources_table.h"
#include "talk.h"

static int run(const struct ctl *ctl, int argc, char **argv)
{
	struct records l;
	struct question q;
	int rc;

	if (argc)
		return usage_error("sources", "unexpected argument %s", argv[0]);
	question_begin(&q, FMP_CTL_SOURCES);
	rc = talk(ctl, &q, &l);
	sources_sort(&l);
	if (ctl->json && (!rc || l.n))
		print_json(&l);
	else if (!ctl->json && !sources_print(&l) && !rc)
		puts("no source has sent anything bad");
	records_free(&l);
	return rc;
}

const struct command cmd_sources = {
	.name = "sources",
	.args = "",
	.summary = "the table of sources, the worst first",
	.arguments = { ARG_SOURCE, ARG_SOURCE },
	.run = run,
};
