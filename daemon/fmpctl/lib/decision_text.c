// SPDX-License-Identifier: GPL-2.0
#include "decision_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fmp/decision.h>

#include "fmpctl.h"
#include "text.h"

static const struct column answer_columns[] = {
	{ FMP_F_LAYER, NULL },	{ FMP_F_STATE, "Result" }, { FMP_F_KERNEL, NULL },
	{ FMP_F_FRAMES, NULL }, { FMP_F_BYTES, NULL },	   { FMP_F_ERRNO, NULL },
	{ FMP_F_TEXT, "" },
};

static void print_mac(const struct record *d)
{
	const char *is = record_number(d, FMP_F_OBSERVE) ? "would be" : "is";
	char mac[FMP_ADDR_STRLEN], ms[64];

	if (record_has(d, FMP_F_PAIR_MAC))
		printf("  only in frames of MAC %s: it is locally administered\n",
		       record_text(d, FMP_F_PAIR_MAC, mac, sizeof(mac)));
	if (record_has(d, FMP_F_MAC) && record_has(d, FMP_F_MAC_LEFT_MS))
		printf("  MAC %s %s blocked too, for %s: it is locally administered\n",
		       record_text(d, FMP_F_MAC, mac, sizeof(mac)), is,
		       record_text(d, FMP_F_MAC_LEFT_MS, ms, sizeof(ms)));
	else if (record_has(d, FMP_F_MAC))
		printf("  MAC %s %s blocked too\n", record_text(d, FMP_F_MAC, mac, sizeof(mac)),
		       is);
	else if (record_has(d, FMP_F_MAC_VETO))
		printf("  no MAC is blocked: %s\n", record_string(d, FMP_F_MAC_VETO));
}

void decision_print_what(const struct record *d)
{
	bool block = !strcmp(record_string(d, FMP_F_ACTION), "block");
	char addr[FMP_ADDR_STRLEN];

	/* An fmpd of before limits sends no action kind: it blocks. */
	printf("%s %s",
	       block && record_has(d, FMP_F_MEASURE) ? record_string(d, FMP_F_MEASURE)
						     : record_string(d, FMP_F_ACTION),
	       record_text(d, FMP_F_ADDR, addr, sizeof(addr)));
	if (record_has(d, FMP_F_IPV4))
		printf(" (%s)", record_text(d, FMP_F_IPV4, addr, sizeof(addr)));
	if (block && record_has(d, FMP_F_RATE))
		printf(" to %" PRIu64 " packets/s", record_number(d, FMP_F_RATE));
	if (record_has(d, FMP_F_DEST_PORT))
		printf(" on port %" PRIu64, record_number(d, FMP_F_DEST_PORT));
}

void decision_print(const struct records *l, const struct record *d)
{
	char ms[64];
	struct records own = { 0 };
	bool block = !strcmp(record_string(d, FMP_F_ACTION), "block");

	printf("Decision %" PRIu64 ": ", record_number(d, FMP_F_DECISION_ID));
	decision_print_what(d);
	if (block && record_number(d, FMP_F_DURATION_MS))
		printf(" for %s", record_text(d, FMP_F_DURATION_MS, ms, sizeof(ms)));
	else if (block)
		fputs(" without end", stdout);
	if (record_number(d, FMP_F_AGE_MS) < 1000)
		fputs(", taken just now", stdout);
	else
		printf(", taken %s ago", record_text(d, FMP_F_AGE_MS, ms, sizeof(ms)));
	fputs(record_number(d, FMP_F_MANUAL) ? " by hand, " : ", ", stdout);
	if (record_number(d, FMP_F_OBSERVE))
		fputs("only observed, nothing enforces it", stdout);
	else
		text_field(d, FMP_F_STATE);
	if (record_has(d, FMP_F_LEFT_MS))
		printf(", %s left", record_text(d, FMP_F_LEFT_MS, ms, sizeof(ms)));
	printf("\n  %s\n", record_string(d, FMP_F_REASON));
	if (block)
		print_mac(d);
	/* Only the results of this decision. The copies borrow the fields: l still owns them. */
	for (size_t i = 0; i < l->n; i++) {
		struct record r = l->r[i];

		if (record_is(&r, "answer") &&
		    record_number(&r, FMP_F_DECISION_ID) == record_number(d, FMP_F_DECISION_ID) &&
		    records_add(&own, &r))
			return;
	}
	text_table(&own, "answer", answer_columns,
		   sizeof(answer_columns) / sizeof(answer_columns[0]), "  ");
	for (size_t i = 0; i < own.n; i++)
		own.r[i].v = NULL;
	records_free(&own);
}

void decision_print_covers(const struct records *l, const char *before)
{
	char ms[64];

	for (size_t i = 0; i < l->n; i++) {
		const struct record *r = &l->r[i];

		if (!record_is(r, "covered"))
			continue;
		printf("  %s%s: ", before, record_string(r, FMP_F_STATE));
		decision_print_what(r);
		printf(" (decision %" PRIu64 ")", record_number(r, FMP_F_DECISION_ID));
		if (record_has(r, FMP_F_LEFT_MS))
			printf(", %s left", record_text(r, FMP_F_LEFT_MS, ms, sizeof(ms)));
		putchar('\n');
	}
}

static unsigned layer_bit(const char *name)
{
	for (unsigned i = 0; i < FMP_LAYERS; i++)
		if (!strcmp(name, fmp_layer_name(i)))
			return FMP_LAYER_BIT(i);
	return 0;
}

int decision_exit_code(const struct records *l, unsigned must)
{
	const struct record *d = records_find(l, "decision");
	/* An unblock has nothing to remove on a layer that is absent. */
	bool ends = d && !strcmp(record_string(d, FMP_F_ACTION), "unblock");
	unsigned done = 0, failed = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct record *r = &l->r[i];
		unsigned bit = layer_bit(record_string(r, FMP_F_LAYER));

		if (!record_is(r, "answer"))
			continue;
		if (!strcmp(record_string(r, FMP_F_STATE), "failed"))
			failed |= bit;
		else if (ends || strcmp(record_string(r, FMP_F_STATE), "absent") != 0)
			done |= bit;
	}
	return failed || !done || (must & ~done) ? EXIT_PARTLY : EXIT_OK;
}
