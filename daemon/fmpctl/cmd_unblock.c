// SPDX-License-Identifier: GPL-2.0
#include "lib/fmpctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/addr_filter.h"
#include "lib/decision_text.h"
#include "lib/control_client.h"

enum {
	OPT_REASON = 256
};

static const struct option long_options[] = {
	{ "reason", required_argument, NULL, OPT_REASON },
	{ 0 },
};

static const char *reason;

static int parse_option(int c, const char *arg)
{
	reason = arg;
	return 0;
}

/* What to unblock, and the results. */
struct task {
	const struct ctl *ctl;
	struct addr_filter wanted;
	struct records blocks; /* active at the start */
	struct records answers; /* with --json */
	unsigned done, refused;
	bool is_one, partly;
};

/* Unblock one address. Return: an exit code. */
static int unblock_one(struct task *t, const struct fmp_addr *addr)
{
	const struct ctl *ctl = t->ctl;
	char text[FMP_ADDR_STRLEN];
	const struct record *d;
	struct control_request req;
	struct records l;
	int rc;

	control_request_begin(&req, FMP_CTL_UNBLOCK);
	fmp_wire_put_addr(&req.w, FMP_F_ADDR, addr);
	if (reason)
		fmp_wire_put_str(&req.w, FMP_F_REASON, reason);
	rc = control_call(ctl, &req, &l);
	d = records_find(&l, "decision");
	if (!rc)
		rc = decision_exit_code(&l, 0);
	if (!rc && records_find(&l, "covered"))
		rc = EXIT_PARTLY;
	if (d && !ctl->json && t->is_one)
		decision_print(&l, d);
	else if (d && !ctl->json)
		printf("%s is unblocked\n", fmp_addr_format(addr, text, sizeof(text)));
	if (!ctl->json)
		decision_print_covers(&l, "still ");
	for (size_t i = 0; ctl->json && i < l.n; i++) {
		if (records_add(&t->answers, &l.r[i]))
			rc = EXIT_PARTLY;
		l.r[i].v = NULL;
	}
	records_free(&l);
	return rc;
}

static int count_result(struct task *t, int rc)
{
	t->done += rc == EXIT_OK || rc == EXIT_PARTLY;
	t->refused += rc == EXIT_REFUSED;
	t->partly |= rc == EXIT_PARTLY;
	return rc == EXIT_NO_DAEMON ? rc : 0;
}

static bool is_prefix(const struct fmp_addr *a)
{
	return fmp_addr_is_ip(a) && a->prefix_len < fmp_addr_max_prefix(a->family);
}

static const struct fmp_addr *block_in(const struct task *t, size_t i,
				       const struct fmp_addr *prefix)
{
	const struct fmp_addr *a = record_addr(&t->blocks.r[i], FMP_F_ADDR);

	return record_is(&t->blocks.r[i], "decision") && fmp_addr_contains(prefix, a) ? a : NULL;
}

/* A prefix also ends the blocks inside it, so that a range blocked one by one can be unblocked at once. */
static int unblock_all_in(struct task *t, const struct fmp_addr *addr)
{
	const struct fmp_addr *a;
	size_t found = 0;
	int rc = 0;

	for (size_t i = 0; is_prefix(addr) && i < t->blocks.n; i++)
		found += block_in(t, i, addr) != NULL;
	if (found > 1)
		t->is_one = false;
	for (size_t i = 0; found && i < t->blocks.n && !rc; i++) {
		a = block_in(t, i, addr);
		if (a)
			rc = count_result(t, unblock_one(t, a));
	}
	return found ? rc : count_result(t, unblock_one(t, addr));
}

static int find_blocks(struct task *t)
{
	struct control_request req;
	bool any = false;

	for (size_t i = 0; i < t->wanted.n; i++)
		any |= is_prefix(&t->wanted.addr[i]);
	if (!any)
		return 0;
	control_request_begin(&req, FMP_CTL_DECISIONS);
	return control_call(t->ctl, &req, &t->blocks);
}

static int run_unblock(const struct ctl *ctl, int argc, char **argv)
{
	struct task t = { .ctl = ctl, .is_one = argc == 1 };
	int rc;

	if (!argc)
		return usage_error("unblock", "takes addresses, prefixes or MACs");
	rc = addr_filter_parse(&t.wanted, "unblock", argc, argv);
	if (!rc)
		rc = find_blocks(&t);
	for (size_t i = 0; i < t.wanted.n && !rc; i++)
		rc = unblock_all_in(&t, &t.wanted.addr[i]);
	if (ctl->json && t.answers.n)
		print_json(&t.answers);
	addr_filter_free(&t.wanted);
	records_free(&t.blocks);
	records_free(&t.answers);
	if (rc)
		return rc;
	if (t.refused)
		return t.done ? EXIT_PARTLY : EXIT_REFUSED;
	return t.partly ? EXIT_PARTLY : EXIT_OK;
}

const struct command cmd_unblock = {
	.name = "unblock",
	.args = "ADDR... [--reason TEXT]",
	.summary = "end blocks, and reset the ranks of the sources",
	.help = "  --reason TEXT  kept with the decision\n\n"
		"A prefix ends its own block and those in it. If other blocks, of a wider prefix or of its\n"
		"MAC, still cover an address, they are shown, and the exit status is 4; also if one of\n"
		"several addresses was not blocked.\n",
	.options = long_options,
	.option = parse_option,
	.arguments = { ARG_BLOCKED, ARG_BLOCKED },
	.run = run_unblock,
};
