// SPDX-License-Identifier: GPL-2.0
#include "lib/fmpctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/decision_text.h"
#include "lib/control_client.h"
#include "lib/text.h"

static const struct column event_columns[] = {
	{ FMP_F_AGE_MS, NULL },	   { FMP_F_KIND, NULL },   { FMP_F_RANK, "Adds" },
	{ FMP_F_DEST_PORT, NULL }, { FMP_F_DETAIL, NULL },
};

static const struct column member_columns[] = {
	{ FMP_F_DECISION_ID, NULL }, { FMP_F_ADDR, "Source" },	{ FMP_F_STATE, "State" },
	{ FMP_F_MEASURE, NULL },     { FMP_F_DEST_PORT, NULL }, { FMP_F_LEFT_MS, NULL },
	{ FMP_F_MANUAL, NULL },	     { FMP_F_REASON, NULL },
};

static void print_thresholds(const struct record *s)
{
	const char *rule = record_string(s, FMP_F_RULE);

	printf("suspicious from %" PRIu64 " on, malicious from %" PRIu64 " on%s%s%s\n",
	       record_number(s, FMP_F_SUSPICIOUS), record_number(s, FMP_F_MALICIOUS),
	       *rule ? " (" : "", rule, *rule ? ")" : "");
}

/* Return: is it blocked by hand, and not for its rank? */
static bool is_blocked_by_hand(const struct record *s, const struct record *decision)
{
	return decision && record_number(decision, FMP_F_MANUAL) &&
	       !strcmp(record_string(decision, FMP_F_ACTION), "block") &&
	       !strcmp(record_string(s, FMP_F_STATE), "malicious") &&
	       record_number(s, FMP_F_RANK) < record_number(s, FMP_F_MALICIOUS);
}

static void print_state(const struct record *s, const struct record *decision)
{
	if (!strcmp(record_string(s, FMP_F_STATE), "waiting")) {
		fputs("is malicious, but not blocked for want of room", stdout);
	} else if (is_blocked_by_hand(s, decision)) {
		fputs(record_number(decision, FMP_F_OBSERVE) ? "would be blocked, by hand"
							     : "was blocked by hand",
		      stdout);
	} else {
		fputs("is ", stdout);
		text_field(s, FMP_F_STATE);
	}
}

/* Print first the threshold that counted: that of the active decision, else the current ones. */
static void print_head(const struct record *s, const struct record *decision)
{
	bool decided = decision && !record_number(decision, FMP_F_MANUAL) &&
		       strcmp(record_string(s, FMP_F_STATE), "clean") &&
		       !strcmp(record_string(decision, FMP_F_ACTION), "block") &&
		       *record_string(decision, FMP_F_REASON);
	char text[FMP_ADDR_STRLEN + 16];

	printf("%s ", record_text(s, FMP_F_ADDR, text, sizeof(text)));
	print_state(s, decision);
	if (decided)
		printf(": %s\n  now", record_string(decision, FMP_F_REASON));
	else
		putchar(':');
	printf(" rank %" PRIu64 ", ", record_number(s, FMP_F_RANK));
	print_thresholds(s);
}

/* Print a count, and the command that lists all of them. */
static void print_members(const struct record *s, uint16_t id, const char *what,
			  const char *command)
{
	char text[FMP_ADDR_STRLEN + 16];
	uint64_t n = record_number(s, id);

	if (n)
		printf("  %" PRIu64 " %s%s in it: fmpctl %s %s\n", n, what, n == 1 ? "" : "s",
		       command, record_text(s, FMP_F_ADDR, text, sizeof(text)));
}

/* Print an address that fmpd has no row for. */
static void print_unknown(const struct record *s)
{
	char text[FMP_ADDR_STRLEN + 16];

	printf("%s ", record_text(s, FMP_F_ADDR, text, sizeof(text)));
	if (record_has(s, FMP_F_SOURCES))
		puts("is no source of its own");
	else
		puts("is not known: nothing bad came from it, or it is forgotten");
	fputs("  ", stdout);
	print_thresholds(s);
}

static void print_source(const struct record *s, const struct record *decision)
{
	char text[FMP_ADDR_STRLEN + 16];

	if (!strcmp(record_string(s, FMP_F_STATE), "unknown")) {
		print_unknown(s);
		return;
	}
	print_head(s, decision);
	printf("  %" PRIu64 " bad messages, %" PRIu64 " good; %" PRIu64
	       " from it not proven; %s CPU\n",
	       record_number(s, FMP_F_EVENTS), record_number(s, FMP_F_GOOD),
	       record_number(s, FMP_F_UNPROVEN), record_text(s, FMP_F_CPU_MS, text, sizeof(text)));
	if (!strcmp(record_string(s, FMP_F_STATE), "waiting"))
		puts("  NOT BLOCKED: all blocks are taken (policy: enforce max-blocks); it is blocked as "
		     "soon as one ends");
	if (record_number(s, FMP_F_STRIKES))
		printf("  blocked %" PRIu64 " time%s so far\n", record_number(s, FMP_F_STRIKES),
		       record_number(s, FMP_F_STRIKES) == 1 ? "" : "s");
}

/* Print what else is known: members, MAC, prefix, host. */
static void print_context(const struct record *s)
{
	char text[FMP_ADDR_STRLEN + 16];

	print_members(s, FMP_F_SOURCES, "source", "sources");
	print_members(s, FMP_F_BLOCKS, "block", "blocks");
	if (record_has(s, FMP_F_MAC))
		printf("  its MAC is %s\n", record_text(s, FMP_F_MAC, text, sizeof(text)));
	if (record_has(s, FMP_F_PREFIX)) {
		printf("  watched by itself: %s can't be blocked, it holds",
		       record_text(s, FMP_F_PREFIX, text, sizeof(text)));
		printf(" %s (%s)\n", record_text(s, FMP_F_HOLDS, text, sizeof(text)),
		       record_string(s, FMP_F_ORIGIN));
	}
	if (record_has(s, FMP_F_IPV4))
		printf("  it is the IPv4 host %s, behind a translator\n",
		       record_text(s, FMP_F_IPV4, text, sizeof(text)));
	if (record_has(s, FMP_F_HOST_RANK))
		printf("  with all addresses of its IPv4 host: rank %" PRIu64 "\n",
		       record_number(s, FMP_F_HOST_RANK));
	if (record_has(s, FMP_F_MAC_RANK)) {
		printf("  with all addresses of its MAC: rank %" PRIu64 "\n",
		       record_number(s, FMP_F_MAC_RANK));
	}
}

static void print_protected(const struct record *p)
{
	char addr[FMP_ADDR_STRLEN];

	printf("\nIt is never blocked; protected: %s (%s)\n", record_string(p, FMP_F_ORIGIN),
	       record_text(p, FMP_F_ADDR, addr, sizeof(addr)));
}

/* Print if the given address is part of a larger source. */
static void print_part(const struct record *s, const struct fmp_addr *asked)
{
	char text[FMP_ADDR_STRLEN], whole[FMP_ADDR_STRLEN];

	if (!fmp_addr_equal(record_addr(s, FMP_F_ADDR), asked))
		printf("%s is part of the source %s\n", fmp_addr_format(asked, text, sizeof(text)),
		       record_text(s, FMP_F_ADDR, whole, sizeof(whole)));
}

static void print_all(const struct records *l, const struct fmp_addr *asked)
{
	const struct record *r = records_find(l, "source");

	if (r) {
		print_part(r, asked);
		print_source(r, records_find(l, "decision"));
		print_context(r);
	}
	if (records_find(l, "event")) {
		puts("\nIts last events");
		text_table(l, "event", event_columns,
			   sizeof(event_columns) / sizeof(event_columns[0]), "  ");
	}
	r = records_find(l, "decision");
	if (r) {
		putchar('\n');
		decision_print(l, r);
	}
	if (records_find(l, "covered")) {
		puts("\nOther blocks hold it");
		decision_print_covers(l, "");
	}
	if (records_find(l, "member")) {
		puts("\nBlocks in it");
		text_table(l, "member", member_columns,
			   sizeof(member_columns) / sizeof(member_columns[0]), "  ");
	}
	r = records_find(l, "protected");
	if (r)
		print_protected(r);
}

static int run_why(const struct ctl *ctl, int argc, char **argv)
{
	struct fmp_addr addr;
	struct records l;
	struct control_request req;
	int rc;

	if (argc != 1)
		return usage_error("why", "takes one address");
	rc = parse_addr_argument("why", argv[0], &addr);
	if (rc)
		return rc;
	control_request_begin(&req, FMP_CTL_WHY);
	fmp_wire_put_addr(&req.w, FMP_F_ADDR, &addr);
	rc = control_call(ctl, &req, &l);
	if (ctl->json && l.n)
		print_json(&l);
	else if (!ctl->json)
		print_all(&l, &addr);
	records_free(&l);
	return rc;
}

const struct command cmd_why = {
	.name = "why",
	.args = "ADDR",
	.summary = "explain why a source is blocked or not",
	.help = "Prints the threshold that counted, with its group or override; the events with the rank that\n"
		"each added; the rank against the thresholds; the decision with its id; the MAC, or the reason\n"
		"why none is blocked; the result of each layer; the rules that the kernel has now (by a dump;\n"
		"no hook: the rule exists, but frames of the source's device do not pass this layer); other\n"
		"blocks that cover it, of a prefix or of its MAC. For a prefix: sources and blocks in it.\n",
	.arguments = { ARG_SOURCE },
	.run = run_why,
};
