// SPDX-License-Identifier: GPL-2.0
#include "fmpctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "decision_text.h"
#include "talk.h"
#include "text.h"

static void print_event(const struct record *r)
{
	char addr[FMP_ADDR_STRLEN];

	printf("%s from %s", record_string(r, FMP_F_KIND),
	       record_text(r, FMP_F_ADDR, addr, sizeof(addr)));
	if (!record_number(r, FMP_F_PROVEN))
		fputs(" (address not proven)", stdout);
	if (record_number(r, FMP_F_RANK))
		printf(", rank now %" PRIu64, record_number(r, FMP_F_RANK));
	if (*record_string(r, FMP_F_DETAIL))
		printf(": %s", record_string(r, FMP_F_DETAIL));
	putchar('\n');
}

static void print_decision(const struct record *r)
{
	char text[FMP_ADDR_STRLEN];

	printf("decision %" PRIu64 ": ", record_number(r, FMP_F_DECISION_ID));
	decision_print_what(r);
	if (record_has(r, FMP_F_MAC))
		printf(" with MAC %s", record_text(r, FMP_F_MAC, text, sizeof(text)));
	if (record_has(r, FMP_F_PAIR_MAC))
		printf(", only in frames of MAC %s",
		       record_text(r, FMP_F_PAIR_MAC, text, sizeof(text)));
	if (record_number(r, FMP_F_DURATION_MS) && !strcmp(record_string(r, FMP_F_ACTION), "block"))
		printf(" for %s", record_text(r, FMP_F_DURATION_MS, text, sizeof(text)));
	printf(": %s\n", record_string(r, FMP_F_REASON));
}

static void print_protected(const struct record *r)
{
	char addr[FMP_ADDR_STRLEN];

	printf("%s is protected%s (%s)\n", record_text(r, FMP_F_ADDR, addr, sizeof(addr)),
	       strcmp(record_string(r, FMP_F_STATE), "gone") ? "" : " no longer",
	       record_string(r, FMP_F_ORIGIN));
}

static void print_answer(const struct record *r)
{
	printf("  %s: ", record_string(r, FMP_F_LAYER));
	text_field(r, FMP_F_STATE);
	printf("%s%s\n", record_has(r, FMP_F_TEXT) ? ", " : "", record_string(r, FMP_F_TEXT));
}

/* The set as it is when the watching begins is no news. */
static bool is_news(const struct record *r)
{
	return !record_is(r, "protected") || record_has(r, FMP_F_STATE);
}

static void print_stamp(void)
{
	time_t now = time(NULL);
	char stamp[16];
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%H:%M:%S", &tm);
	printf("%s ", stamp);
}

static int on_record(struct record *r, void *ctx)
{
	const struct ctl *ctl = ctx;

	if (ctl->json) {
		print_json_line(r);
	} else if (record_is(r, "answer")) {
		print_answer(r);
	} else if (is_news(r)) {
		print_stamp();
		if (record_is(r, "event"))
			print_event(r);
		else if (record_is(r, "decision"))
			print_decision(r);
		else if (record_is(r, "protected"))
			print_protected(r);
		else
			printf("gateway %s, pid %" PRIu64 "\n", record_string(r, FMP_F_STATE),
			       record_number(r, FMP_F_PID));
	}
	fflush(stdout);
	record_free(r);
	return ferror(stdout);
}

static int run(const struct ctl *ctl, int argc, char **argv)
{
	struct question q;

	if (argc)
		return usage_error("watch", "unexpected argument %s", argv[0]);
	question_begin(&q, FMP_CTL_WATCH);
	return talk_stream(ctl, &q, on_record, (void *)ctl);
}

const struct command cmd_watch = {
	.name = "watch",
	.args = "",
	.summary = "events, decisions and answers as they come",
	.help = "With --json one object a line. A watcher that does not keep up is closed by fmpd.\n",
	.run = run,
};
