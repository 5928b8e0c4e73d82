// SPDX-License-Identifier: GPL-2.0
#include "lib/fmpctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/decision_text.h"
#include "lib/control_client.h"
#include "lib/text.h"

/* Retry often for a few seconds, which is enough for a restart of fmpd, then once a second. */
#define RETRY_MS     50
#define RETRIES_SOON 100u

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

static void print_nat64(const struct record *r)
{
	char addr[FMP_ADDR_STRLEN];

	printf("%s is%s the prefix of a NAT64 translator\n",
	       record_text(r, FMP_F_ADDR, addr, sizeof(addr)),
	       strcmp(record_string(r, FMP_F_STATE), "gone") ? "" : " no longer");
}

static void print_answer(const struct record *r)
{
	printf("  %s: ", record_string(r, FMP_F_LAYER));
	text_field(r, FMP_F_STATE);
	printf("%s%s\n", record_has(r, FMP_F_TEXT) ? ", " : "", record_string(r, FMP_F_TEXT));
}

/* Records without a state are the set at the start of the watch: not news. */
static bool is_news(const struct record *r)
{
	return (!record_is(r, "protected") && !record_is(r, "nat64")) || record_has(r, FMP_F_STATE);
}

/* Return: the time of a record in ns since 1970, from its CLOCK_BOOTTIME; now if it has none. */
static int64_t wall_time(const struct record *r)
{
	struct timespec wall, boot;
	int64_t now;

	clock_gettime(CLOCK_REALTIME, &wall);
	now = (int64_t)wall.tv_sec * 1000000000 + wall.tv_nsec;
	if (!record_number(r, FMP_F_TIME_NS))
		return now;
	clock_gettime(CLOCK_BOOTTIME, &boot);
	return now - ((int64_t)boot.tv_sec * 1000000000 + boot.tv_nsec -
		      (int64_t)record_number(r, FMP_F_TIME_NS));
}

static void print_stamp(const struct record *r)
{
	time_t at = (time_t)(wall_time(r) / 1000000000);
	char stamp[16];
	struct tm tm;

	localtime_r(&at, &tm);
	strftime(stamp, sizeof(stamp), "%H:%M:%S", &tm);
	printf("%s ", stamp);
}

/* Add the time as RFC 3339 in UTC, so that logs of several machines can be merged. */
static void set_time(struct record *r)
{
	int64_t ns = wall_time(r);
	time_t at = (time_t)(ns / 1000000000);
	char day[32], text[48];
	struct tm tm;

	gmtime_r(&at, &tm);
	strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text, sizeof(text), "%s.%03dZ", day, (int)(ns % 1000000000 / 1000000));
	record_set_text(r, FMP_F_TIME, text);
}

static int on_record(struct record *r, void *ctx)
{
	const struct ctl *ctl = ctx;

	if (ctl->json) {
		set_time(r);
		print_json_line(r);
	} else if (record_is(r, "answer")) {
		print_answer(r);
	} else if (is_news(r)) {
		print_stamp(r);
		if (record_is(r, "event"))
			print_event(r);
		else if (record_is(r, "decision"))
			print_decision(r);
		else if (record_is(r, "protected"))
			print_protected(r);
		else if (record_is(r, "nat64"))
			print_nat64(r);
		else
			printf("gateway %s, pid %" PRIu64 "\n", record_string(r, FMP_F_STATE),
			       record_number(r, FMP_F_PID));
	}
	fflush(stdout);
	record_free(r);
	return ferror(stdout);
}

/* Report that fmpd is lost or back: events in between are unknown. */
static void report_state(const struct ctl *ctl, const char *state, const char *text)
{
	struct record r;

	if (!ctl->json) {
		fprintf(stderr, "fmpctl: %s\n", text);
		return;
	}
	if (record_new(&r))
		return;
	record_set_text(&r, FMP_F_RECORD, "watch");
	record_set_text(&r, FMP_F_STATE, state);
	record_set_text(&r, FMP_F_MESSAGE, text);
	set_time(&r);
	print_json_line(&r);
	record_free(&r);
}

/* Wait until fmpd accepts connections again. */
static void wait_for_fmpd(const struct ctl *ctl)
{
	const struct timespec soon = { .tv_nsec = RETRY_MS * 1000000L }, later = { .tv_sec = 1 };
	struct fmp_client *client;
	unsigned n = 0;

	while (fmp_client_open(ctl->control, &client, NULL))
		nanosleep(n++ < RETRIES_SOON ? &soon : &later, NULL);
	fmp_client_close(client);
}

static int run_watch(const struct ctl *ctl, int argc, char **argv)
{
	struct fmp_client *client;
	struct fmp_error err;
	struct control_request req;
	int rc;

	if (argc)
		return usage_error("watch", "unexpected argument %s", argv[0]);
	/* No fmpd at the start is an error: the path may be wrong. */
	if (fmp_client_open(ctl->control, &client, &err)) {
		control_request_begin(&req, FMP_CTL_WATCH);
		return control_stream(ctl, &req, on_record, (void *)ctl);
	}
	fmp_client_close(client);
	for (;;) {
		err = (struct fmp_error){ 0 };
		control_request_begin(&req, FMP_CTL_WATCH);
		rc = control_try(ctl, &req, on_record, (void *)ctl, &err);
		/* A system error concerns the socket, as when a starting fmpd has not set its group yet: retry. */
		if (rc != EXIT_NO_DAEMON && !err.sys_errno)
			return *err.message ? control_print_failure(ctl, rc, &err) : rc;
		report_state(ctl, "lost", "fmpd is gone: waiting for it");
		wait_for_fmpd(ctl);
		report_state(ctl, "back", "fmpd is back");
	}
}

const struct command cmd_watch = {
	.name = "watch",
	.args = "",
	.summary = "events, decisions and results of layers as they come",
	.help = "With --json one object a line, with its time of day (UTC). Continues over restarts of fmpd:\n"
		"the loss of the connection and its return are printed, events in between are unknown. The\n"
		"same happens when fmpd closes a watcher that does not keep up.\n",
	.run = run_watch,
};
