// SPDX-License-Identifier: GPL-2.0
#include "fmpctl.h"

#include <stdio.h>

#include "talk.h"
#include "text.h"

static const struct column layer_columns[] = {
	{ FMP_F_LAYER, NULL },		{ FMP_F_STATE, NULL },
	{ FMP_F_WANTED, NULL },		{ FMP_F_ENFORCED, NULL },
	{ FMP_F_FOREIGN, NULL },	{ FMP_F_DROPPED, NULL },
	{ FMP_F_DROPPED_LATE, NULL },	{ FMP_F_STOPPED_BYTES, NULL },
	{ FMP_F_FOREIGN_FRAMES, NULL }, { FMP_F_PROTECTED_HITS, NULL },
	{ FMP_F_EVICTED, NULL },	{ FMP_F_TEXT, "" },
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
	OPT_VERIFY = 256
};

static const struct option options[] = { { "verify", no_argument, NULL, OPT_VERIFY }, { 0 } };

static bool verify;

static int option(int c, const char *arg)
{
	verify = true;
	return 0;
}

static void say(const struct record *r, const char *before, uint16_t id, const char *after)
{
	char text[320];

	printf("%s%s%s", before, record_text(r, id, text, sizeof(text)), after);
}

static void print_totals(const struct record *s)
{
	say(s, "fmpd ", FMP_F_VERSION, ", up ");
	say(s, "", FMP_F_UPTIME_MS, "\n");
	say(s, "Policy       ", FMP_F_NAME, "");
	say(s, " (", FMP_F_FILE, "), messages must be ");
	say(s, "", FMP_F_SECURITY, record_number(s, FMP_F_OBSERVE) ? ", observing only\n" : "\n");
	say(s, "Sources      ", FMP_F_SOURCES, " of ");
	say(s, "", FMP_F_MAX_SOURCES, "; ");
	say(s, "", FMP_F_SUSPICIOUS_SOURCES, " suspicious, ");
	say(s, "", FMP_F_BLOCKED, " blocked\n");
	say(s, "Events       ", FMP_F_EVENTS, " bad, ");
	say(s, "", FMP_F_GOOD, " good, ");
	say(s, "", FMP_F_UNPROVEN, " from addresses not proven\n");
	say(s, "Decisions    ", FMP_F_DECISIONS, " blocks, ");
	say(s, "", FMP_F_UNBLOCKS, " unblocks, ");
	say(s, "", FMP_F_PROTECTED_HITS, " not taken: the source is protected\n");
	if (record_number(s, FMP_F_RESUMING))
		puts("Start        blocks of before are being taken up: not all are counted here yet");
	if (record_number(s, FMP_F_OBSERVE) && !record_number(s, FMP_F_WANTED)) {
		puts("Enforcement  none: fmpd only says what it would block");
		return;
	}
	say(s, "Enforcement  ", FMP_F_ENFORCEMENT_RATIO, " (");
	say(s, "", FMP_F_ENFORCED, " of ");
	say(s, "", FMP_F_WANTED, " rules");
	if (record_has(s, FMP_F_COMPARED_MS))
		say(s, ", compared with the kernel ", FMP_F_COMPARED_MS, " ago");
	else
		fputs(", not compared with the kernel yet", stdout);
	if (record_number(s, FMP_F_DOUBTED))
		fputs(" and changed by others since", stdout);
	say(s, "); ", FMP_F_REPAIRED, " repaired");
	if (record_has(s, FMP_F_LAST_RECONCILE_MS))
		say(s, ", reconciled ", FMP_F_LAST_RECONCILE_MS, " ago");
	putchar('\n');
}

/* What is no source's doing, and is in no count of it. */
static void print_lacks(const struct record *gateway)
{
	if (gateway && record_number(gateway, FMP_F_CLOCK_UNSET))
		puts("Clock        not set: messages of its future are refused, and nobody is charged");
	if (gateway && record_number(gateway, FMP_F_UNJUDGED_LISTS))
		say(gateway, "Lists        ", FMP_F_UNJUDGED_LISTS,
		    " messages or TLS clients refused: the revocation list of their CA was missing or out of date\n");
}

static int run(const struct ctl *ctl, int argc, char **argv)
{
	const struct record *totals;
	struct records l;
	struct question q;
	int rc;

	if (argc)
		return usage_error("status", "unexpected argument %s", argv[0]);
	question_begin(&q, FMP_CTL_STATUS);
	if (verify)
		fmp_wire_put_u64(&q.w, FMP_F_VERIFY, 1);
	rc = talk(ctl, &q, &l);
	totals = records_find(&l, "status");
	if (ctl->json && l.n) {
		print_json(&l);
	} else if (totals) {
		print_totals(totals);
		print_lacks(records_find(&l, "gateway"));
		putchar('\n');
		text_table(&l, "layer", layer_columns,
			   sizeof(layer_columns) / sizeof(layer_columns[0]), "");
		if (records_find(&l, "device"))
			putchar('\n');
		text_table(&l, "device", device_columns,
			   sizeof(device_columns) / sizeof(device_columns[0]), "");
		if (records_find(&l, "gateway"))
			putchar('\n');
		text_table(&l, "gateway", gateway_columns,
			   sizeof(gateway_columns) / sizeof(gateway_columns[0]), "");
		if (records_find(&l, "step"))
			putchar('\n');
		text_table(&l, "step", step_columns, sizeof(step_columns) / sizeof(step_columns[0]),
			   "");
	}
	records_free(&l);
	return rc;
}

const struct command cmd_status = {
	.name = "status",
	.args = "[--verify]",
	.summary = "what runs, and what the kernel really enforces",
	.help = "  --verify  compare with the kernel's rules now, which takes a while with many blocks\n\n"
		"Wanted should be in force, Enforced of those are, Foreign are there but should not be: as\n"
		"fmpd found it when it last compared its table with the kernel's rules, by what the kernel\n"
		"has answered since, and how long ago that was. What others change is compared at once.\n"
		"Hook is where the module sits on a device: driver (before the MAC layer), mac80211,\n"
		"ingress; waiting: the device is attached as soon as it is there.\n"
		"Of each step of the gateway: messages that came to it, that it refused, and the CPU time\n"
		"that it took.\n",
	.options = options,
	.option = option,
	.run = run,
};
