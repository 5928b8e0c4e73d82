// SPDX-License-Identifier: GPL-2.0
#include "lib/fmpctl.h"

#include <stdio.h>
#include <string.h>

#include "lib/control_client.h"
#include "lib/text.h"

static const struct column columns[] = {
	{ FMP_F_ADDR, NULL },
	{ FMP_F_ORIGIN, NULL },
};

static const char *const verbs[] = { "list", "add", "del", NULL };

static int run_protect(const struct ctl *ctl, int argc, char **argv)
{
	const char *verb = argc ? argv[0] : "list";
	struct fmp_addr addr;
	struct records l;
	char hint[SUGGESTION_MAX];
	struct control_request req;
	int rc;

	if (!strcmp(verb, "list") && argc <= 1) {
		control_request_begin(&req, FMP_CTL_PROTECT_LIST);
	} else if ((!strcmp(verb, "add") || !strcmp(verb, "del")) && argc == 2) {
		rc = parse_addr_argument("protect", argv[1], &addr);
		if (rc)
			return rc;
		control_request_begin(&req,
				      *verb == 'a' ? FMP_CTL_PROTECT_ADD : FMP_CTL_PROTECT_DEL);
		fmp_wire_put_addr(&req.w, FMP_F_ADDR, &addr);
	} else {
		return usage_error("protect", "takes list, add ADDR, or del ADDR%s",
				   suggest_word(verb, "list add del", hint));
	}
	rc = control_call(ctl, &req, &l);
	if (ctl->json && (!rc || l.n))
		print_json(&l);
	else if (!ctl->json)
		text_table(&l, "protected", columns, sizeof(columns) / sizeof(columns[0]), "");
	records_free(&l);
	return rc;
}

const struct command cmd_protect = {
	.name = "protect",
	.args = "[list | add ADDR | del ADDR]",
	.summary = "addresses that are never blocked",
	.help = "An address added by hand is protected until fmpd ends, and a block on it ends at once; list\n"
		"it in the policy for permanent protection. Only addresses added by hand can be deleted.\n",
	.verbs = verbs,
	.arguments = { ARG_SOURCE },
	.run = run_protect,
};
