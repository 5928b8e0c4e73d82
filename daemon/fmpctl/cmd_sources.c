// SPDX-License-Identifier: GPL-2.0
#include "lib/fmpctl.h"

#include <stdio.h>

#include "lib/addr_filter.h"
#include "lib/sources_table.h"
#include "lib/control_client.h"

static int run_sources(const struct ctl *ctl, int argc, char **argv)
{
	struct addr_filter f;
	struct records l;
	struct control_request req;
	int rc = addr_filter_parse(&f, "sources", argc, argv);

	if (rc)
		return rc;
	control_request_begin(&req, FMP_CTL_SOURCES);
	rc = control_call(ctl, &req, &l);
	addr_filter_apply(&f, "source", &l);
	sources_sort(&l);
	if (ctl->json && (!rc || l.n))
		print_json(&l);
	else if (!ctl->json && !sources_print(&l) && !rc)
		puts(argc ? "nothing bad came from there" : "no source has sent anything bad");
	records_free(&l);
	addr_filter_free(&f);
	return rc;
}

const struct command cmd_sources = {
	.name = "sources",
	.args = "[ADDR...]",
	.summary = "the table of sources, the worst first",
	.help = "With addresses or prefixes: only those equal to them, in them or around them.\n",
	.arguments = { ARG_SOURCE, ARG_SOURCE },
	.run = run_sources,
};
