// SPDX-License-Identifier: GPL-2.0
#include "lib/fmpctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/control_client.h"
#include "lib/text.h"

static const struct column layer_columns[] = {
	{ FMP_F_LAYER, NULL },		{ FMP_F_STATE, NULL },
	{ FMP_F_WANTED, NULL },		{ FMP_F_ENFORCED, NULL },
	{ FMP_F_FOREIGN, NULL },	{ FMP_F_DROPPED, NULL },
	{ FMP_F_DROPPED_LATE, NULL },	{ FMP_F_STOPPED_BYTES, NULL },
	{ FMP_F_FOREIGN_FRAMES, NULL }, { FMP_F_PROTECTED_HITS, NULL },
	{ FMP_F_EVICTED, NULL },
};

static const struct column device_columns[] = {
	{ FMP_F_NAME, "Device" },      { FMP_F_HOOK, NULL },	       { FMP_F_OBSERVE, NULL },
	{ FMP_F_FRAMES, NULL },	       { FMP_F_DROPPED, NULL },	       { FMP_F_DROPPED_LATE, NULL },
	{ FMP_F_STOPPED_BYTES, NULL }, { FMP_F_FOREIGN_FRAMES, NULL }, { FMP_F_OBSERVED, NULL },
};

static const struct column gateway_columns[] = {
	{ FMP_F_STATE, "Gateway" },  { FMP_F_PID, NULL },      { FMP_F_WORKERS, NULL },
	{ FMP_F_RESTARTS, NULL },    { FMP_F_ACCEPTED, NULL }, { FMP_F_REJECTED, NULL },
	{ FMP_F_CONNECTIONS, NULL }, { FMP_F_LOST, NULL },     { FMP_F_UPTIME_MS, NULL },
	{ FMP_F_LISTEN, NULL },	     { FMP_F_BACKEND, NULL },
};

static const struct column step_columns[] = {
	{ FMP_F_STEP, NULL },
	{ FMP_F_EVENTS, "Messages" },
	{ FMP_F_REJECTED, NULL },
	{ FMP_F_CPU_NS, NULL },
};

enum {
	OPT_VERIFY = 256,
	OPT_SHORT
};

static const struct option long_options[] = {
	{ "verify", no_argument, NULL, OPT_VERIFY },
	{ "short", no_argument, NULL, OPT_SHORT },
	{ 0 },
};

static bool verify, is_short;

static int parse_option(int c, const char *arg)
{
	if (c == OPT_SHORT)
		is_short = true;
	else
		verify = true;
	return 0;
}

/* Totals are written here first, then wrapped to the terminal's width. */
static FILE *totals_out;

static void add_field(const struct record *r, const char *before, uint16_t id, const char *after)
{
	char text[320];

	fprintf(totals_out, "%s%s%s", before, record_text(r, id, text, sizeof(text)), after);
}

static void print_totals(const struct record *s)
{
	add_field(s, "fmpd ", FMP_F_VERSION, ", up ");
	add_field(s, "", FMP_F_UPTIME_MS, "\n");
	add_field(s, "Policy       ", FMP_F_NAME, "");
	add_field(s, " (", FMP_F_FILE, "), messages must be ");
	add_field(s, "", FMP_F_SECURITY,
		  record_number(s, FMP_F_OBSERVE) ? ", observing only\n" : "\n");
	add_field(s, "Sources      ", FMP_F_SOURCES, " of ");
	add_field(s, "", FMP_F_MAX_SOURCES, "; ");
	add_field(s, "", FMP_F_SUSPICIOUS_SOURCES, " suspicious, ");
	add_field(s, "", FMP_F_BLOCKED,
		  record_number(s, FMP_F_OBSERVE) ? " would be blocked\n" : " blocked\n");
	if (record_number(s, FMP_F_WAITING)) {
		add_field(s, "Full         ", FMP_F_WAITING,
			  " malicious sources are NOT blocked: ");
		add_field(s, "only ", FMP_F_MAX_BLOCKS,
			  " blocks fit (policy: enforce max-blocks)\n");
	} else if (record_number(s, FMP_F_BLOCKED) >= record_number(s, FMP_F_MAX_BLOCKS)) {
		add_field(s, "Full         no more than ", FMP_F_MAX_BLOCKS,
			  " blocks fit (policy: enforce max-blocks)\n");
	}
	add_field(s, "Events       ", FMP_F_EVENTS, " bad, ");
	add_field(s, "", FMP_F_GOOD, " good, ");
	add_field(s, "", FMP_F_UNPROVEN, " from addresses not proven\n");
	add_field(s, "Decisions    ", FMP_F_DECISIONS, " blocks, ");
	add_field(s, "", FMP_F_UNBLOCKS, " unblocks, ");
	add_field(s, "", FMP_F_PROTECTED_HITS, " not taken: the source is protected");
	if (record_number(s, FMP_F_BLOCKS_REFUSED))
		add_field(s, ", ", FMP_F_BLOCKS_REFUSED, " for want of room");
	fputc('\n', totals_out);
	if (record_number(s, FMP_F_RESUMING))
		fputs("Start        blocks of before are being taken up: not all are counted here yet\n",
		      totals_out);
	if (record_number(s, FMP_F_OBSERVE) && !record_number(s, FMP_F_WANTED)) {
		fputs("Enforcement  none: fmpd only says what it would block\n", totals_out);
		return;
	}
	add_field(s, "Enforcement  ", FMP_F_ENFORCEMENT_RATIO, " (");
	add_field(s, "", FMP_F_ENFORCED, " of ");
	add_field(s, "", FMP_F_WANTED, " rules");
	if (record_has(s, FMP_F_COMPARED_MS))
		add_field(s, ", compared with the kernel ", FMP_F_COMPARED_MS, " ago");
	else
		fputs(", not compared with the kernel yet", totals_out);
	if (record_number(s, FMP_F_DOUBTED))
		fputs(" and changed by others since", totals_out);
	add_field(s, "); ", FMP_F_REPAIRED, " repaired");
	if (record_has(s, FMP_F_LAST_RECONCILE_MS))
		add_field(s, ", reconciled ", FMP_F_LAST_RECONCILE_MS, " ago");
	fputc('\n', totals_out);
}

/* Print refusals that no source is charged for. */
static void print_lacks(const struct record *gateway)
{
	if (gateway && record_number(gateway, FMP_F_CLOCK_UNSET))
		fputs("Clock        not set: messages of its future are refused, and nobody is charged\n",
		      totals_out);
	if (gateway && record_number(gateway, FMP_F_UNJUDGED_LISTS))
		add_field(
			gateway, "Lists        ", FMP_F_UNJUDGED_LISTS,
			" messages or TLS clients refused: the revocation list of their CA was missing or out of date\n");
	if (gateway && record_number(gateway, FMP_F_EVENTS_REFUSED))
		add_field(
			gateway, "Refused      ", FMP_F_EVENTS_REFUSED,
			" events of the gateway were dropped: a value in them no event may have\n");
	if (gateway && record_number(gateway, FMP_F_UNJUDGED_TRIES))
		add_field(
			gateway, "CBC          ", FMP_F_UNJUDGED_TRIES,
			" messages not decrypted: too many others under CBC were refused behind that\n");
}

/* Print one line, for a prompt, a status bar or a cron mail. */
static void print_short(const struct records *l, const struct record *s)
{
	const struct record *g = records_find(l, "gateway");
	char ratio[32];

	printf("fmpd %s, %s%s: %" PRIu64 " blocked of %" PRIu64 " sources, enforced %s of %" PRIu64
	       " rules, gateway ",
	       record_string(s, FMP_F_VERSION), record_string(s, FMP_F_NAME),
	       record_number(s, FMP_F_OBSERVE) ? " (observing)" : "",
	       record_number(s, FMP_F_BLOCKED), record_number(s, FMP_F_SOURCES),
	       record_text(s, FMP_F_ENFORCEMENT_RATIO, ratio, sizeof(ratio)),
	       record_number(s, FMP_F_WANTED));
	text_word(g ? record_string(g, FMP_F_STATE) : "none");
	if (record_number(s, FMP_F_RESUMING))
		fputs(", taking up blocks of before", stdout);
	if (record_number(s, FMP_F_WAITING))
		printf(", FULL: %" PRIu64 " malicious sources not blocked",
		       record_number(s, FMP_F_WAITING));
	if (g && record_number(g, FMP_F_CLOCK_UNSET))
		fputs(", clock not set", stdout);
	putchar('\n');
}

static bool is_idle(const struct record *r)
{
	return record_is(r, "step") && !record_number(r, FMP_F_EVENTS) &&
	       !record_number(r, FMP_F_REJECTED);
}

/* Return: the records without idle steps; borrowed from l, free only .r. */
static struct records copy_without_idle(const struct records *l)
{
	struct records some = { .r = calloc(l->n + 1, sizeof(*l->r)) };

	for (size_t i = 0; some.r && i < l->n; i++)
		if (!is_idle(&l->r[i]))
			some.r[some.n++] = l->r[i];
	return some;
}

static void print_table(const struct records *l, const char *kind, const struct column *columns,
			unsigned n)
{
	if (!records_find(l, kind))
		return;
	putchar('\n');
	text_table_folded(l, kind, columns, n);
}

/* Print the sentences about layers, such as why one is absent, below the table. */
static void print_layer_texts(const struct records *l)
{
	char line[400];

	for (size_t i = 0; i < l->n; i++) {
		if (!record_is(&l->r[i], "layer") || !*record_string(&l->r[i], FMP_F_TEXT))
			continue;
		snprintf(line, sizeof(line), "%s: %s\n", record_string(&l->r[i], FMP_F_LAYER),
			 record_string(&l->r[i], FMP_F_TEXT));
		text_wrap(line, 8);
	}
}

static void print_nat64(const struct records *l)
{
	for (size_t i = 0; i < l->n; i++) {
		if (!record_is(&l->r[i], "nat64"))
			continue;
		add_field(&l->r[i], "NAT64        ", FMP_F_ADDR, " by ");
		add_field(&l->r[i], "", FMP_F_ORIGIN, ", for another ");
		add_field(&l->r[i], "", FMP_F_LEFT_MS, "\n");
	}
}

#define COLUMNS(c) c, sizeof(c) / sizeof((c)[0])

static void print_all(const struct records *l, const struct record *totals)
{
	struct records some = copy_without_idle(l);
	char *text = NULL;
	size_t len;

	totals_out = open_memstream(&text, &len);
	if (totals_out) {
		print_totals(totals);
		print_nat64(l);
		print_lacks(records_find(l, "gateway"));
		fclose(totals_out);
		text_wrap(text, 13);
	}
	free(text);
	print_table(l, "layer", COLUMNS(layer_columns));
	print_layer_texts(l);
	print_table(l, "device", COLUMNS(device_columns));
	print_table(l, "gateway", COLUMNS(gateway_columns));
	print_table(&some, "step", COLUMNS(step_columns));
	free(some.r);
}

static int run_status(const struct ctl *ctl, int argc, char **argv)
{
	const struct record *totals;
	struct records l;
	struct control_request req;
	int rc;

	if (argc)
		return usage_error("status", "unexpected argument %s", argv[0]);
	control_request_begin(&req, FMP_CTL_STATUS);
	if (verify)
		fmp_wire_put_u64(&req.w, FMP_F_VERIFY, 1);
	rc = control_call(ctl, &req, &l);
	totals = records_find(&l, "status");
	if (ctl->json && l.n)
		print_json(&l);
	else if (totals && is_short)
		print_short(&l, totals);
	else if (totals)
		print_all(&l, totals);
	records_free(&l);
	return rc;
}

const struct command cmd_status = {
	.name = "status",
	.args = "[--verify] [--short]",
	.summary = "what runs, and what the kernel enforces",
	.help = "  --verify  compare with the kernel's rules now, which takes a while with many blocks\n"
		"  --short   one line\n\n"
		"Wanted: rules that should be active; Enforced: how many of them are; Foreign: rules present\n"
		"that should not be. The numbers are from the last comparison with the kernel, updated by its\n"
		"replies since; changes by other programs are compared at once.\n"
		"Hook: the place of the module on a device: driver (before the MAC layer), mac80211\n"
		"(before it, by ftrace), mac80211-patched (before it, which is patched to ask), ingress;\n"
		"waiting: the device is attached as soon as it appears.\n"
		"NAT64: a prefix of the network's own translators, its origin, and the time until it expires:\n"
		"each IPv4 host behind it is a source of its own.\n"
		"Steps of the gateway: messages that reached each, messages it refused, its CPU time; idle\n"
		"steps are shown with --json only.\n",
	.options = long_options,
	.option = parse_option,
	.run = run_status,
};
