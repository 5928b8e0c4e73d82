// SPDX-License-Identifier: GPL-2.0
#include "top_frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sources_table.h"
#include "text.h"

void top_sample_free(struct top_sample *s)
{
	records_free(&s->status);
	records_free(&s->sources);
}

/* Compare the fields that identify a record among those of its kind. */
static bool is_same_record(const struct record *a, const struct record *b)
{
	static const uint16_t keys[] = { FMP_F_RECORD, FMP_F_LAYER, FMP_F_STEP };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(record_string(a, keys[i]), record_string(b, keys[i])) != 0)
			return false;
	return !record_is(a, "device") ||
	       !strcmp(record_string(a, FMP_F_NAME), record_string(b, FMP_F_NAME));
}

double top_rate(const struct top_sample *before, const struct top_sample *now,
		const struct record *r, uint16_t id)
{
	const struct records *l = &before->status;
	uint64_t ms = now->taken_ms - before->taken_ms;

	for (size_t i = 0; i < l->n && ms; i++) {
		if (!is_same_record(&l->r[i], r))
			continue;
		/* After a restart fmpd, module and gateway count from 0. */
		if (record_number(&l->r[i], id) > record_number(r, id))
			return 0;
		return (double)(record_number(r, id) - record_number(&l->r[i], id)) * 1000 /
		       (double)ms;
	}
	return 0;
}

static void print_totals(const struct top_sample *before, const struct top_sample *now,
			 const struct record *s)
{
	char up[64], ratio[32];

	printf("fmpd %s, policy %s%s, up %s\n", record_string(s, FMP_F_VERSION),
	       record_string(s, FMP_F_NAME), record_number(s, FMP_F_OBSERVE) ? " (observing)" : "",
	       record_text(s, FMP_F_UPTIME_MS, up, sizeof(up)));
	printf("%" PRIu64 " sources, %" PRIu64 " suspicious, %" PRIu64
	       " %s; %.1f bad and %.1f good messages/s; enforced %s of %" PRIu64 " rules\n",
	       record_number(s, FMP_F_SOURCES), record_number(s, FMP_F_SUSPICIOUS_SOURCES),
	       record_number(s, FMP_F_BLOCKED),
	       record_number(s, FMP_F_OBSERVE) ? "would be blocked" : "blocked",
	       top_rate(before, now, s, FMP_F_EVENTS), top_rate(before, now, s, FMP_F_GOOD),
	       record_text(s, FMP_F_ENFORCEMENT_RATIO, ratio, sizeof(ratio)),
	       record_number(s, FMP_F_WANTED));
}

static void print_layer(const struct top_sample *before, const struct top_sample *now,
			const struct record *r)
{
	printf("  %-7s ", record_string(r, FMP_F_LAYER));
	text_field(r, FMP_F_STATE);
	if (record_has(r, FMP_F_DROPPED))
		printf(", %.1f drops/s, %" PRIu64 " of %" PRIu64 " rules",
		       top_rate(before, now, r, FMP_F_DROPPED), record_number(r, FMP_F_ENFORCED),
		       record_number(r, FMP_F_WANTED));
	putchar('\n');
}

/* CPU time of the gateway's workers in all steps, in % of one processor. */
static double cpu_percent(const struct top_sample *before, const struct top_sample *now)
{
	double ns = 0;

	for (size_t i = 0; i < now->status.n; i++)
		if (record_is(&now->status.r[i], "step"))
			ns += top_rate(before, now, &now->status.r[i], FMP_F_CPU_NS);
	return ns / 1e7;
}

static void print_gateway(const struct top_sample *before, const struct top_sample *now,
			  const struct record *g)
{
	fputs("  gateway ", stdout);
	text_field(g, FMP_F_STATE);
	printf(", %" PRIu64
	       " connections, %.1f accepted/s, %.1f rejected/s, %.1f %% CPU on messages\n",
	       record_number(g, FMP_F_CONNECTIONS), top_rate(before, now, g, FMP_F_ACCEPTED),
	       top_rate(before, now, g, FMP_F_REJECTED), cpu_percent(before, now));
}

/* ---- sources ---- */

/* Increase of the counters of a source between two samples. */
struct activity {
	struct record r;
	uint64_t events, cpu_ms;
};

static int compare_addr(const void *a, const void *b)
{
	const struct record *const *x = a, *const *y = b;

	return fmp_addr_compare(record_addr(*x, FMP_F_ADDR), record_addr(*y, FMP_F_ADDR));
}

static int compare_activity(const void *a, const void *b)
{
	const struct activity *x = a, *y = b;
	uint64_t rx = record_number(&x->r, FMP_F_RANK), ry = record_number(&y->r, FMP_F_RANK);

	if (x->events != y->events)
		return x->events > y->events ? -1 : 1;
	if (x->cpu_ms != y->cpu_ms)
		return x->cpu_ms > y->cpu_ms ? -1 : 1;
	if (rx != ry)
		return rx > ry ? -1 : 1;
	return sources_compare(&x->r, &y->r);
}

static uint64_t counter_gain(const struct record *old, const struct record *r, uint16_t id)
{
	uint64_t was = old ? record_number(old, id) : 0, is = record_number(r, id);

	return is > was ? is - was : 0;
}

/* Sort by activity since the last sample, then by rank: silent addresses that were blocked by hand come last. */
static void sort_by_activity(const struct top_sample *before, const struct top_sample *now)
{
	const struct records *was = &before->sources, *is = &now->sources;
	const struct record **index = calloc(was->n + 1, sizeof(*index));
	struct activity *h = calloc(is->n + 1, sizeof(*h));

	for (size_t i = 0; index && i < was->n; i++)
		index[i] = &was->r[i];
	if (index)
		qsort(index, was->n, sizeof(*index), compare_addr);
	for (size_t i = 0; index && h && i < is->n; i++) {
		const struct record *r = &is->r[i], **old;

		old = bsearch(&r, index, was->n, sizeof(*index), compare_addr);
		h[i] = (struct activity){
			.r = *r,
			.events = counter_gain(old ? *old : NULL, r, FMP_F_EVENTS) +
				  counter_gain(old ? *old : NULL, r, FMP_F_UNPROVEN),
			.cpu_ms = counter_gain(old ? *old : NULL, r, FMP_F_CPU_MS)
		};
	}
	if (index && h) {
		qsort(h, is->n, sizeof(*h), compare_activity);
		for (size_t i = 0; i < is->n; i++)
			is->r[i] = h[i].r;
	}
	free(index);
	free(h);
}

void top_frame_print(const struct top_sample *before, const struct top_sample *now, size_t rows)
{
	struct records shown = now->sources;

	sort_by_activity(before, now);
	for (size_t i = 0; i < now->status.n; i++) {
		const struct record *r = &now->status.r[i];

		if (record_is(r, "status"))
			print_totals(before, now, r);
		else if (record_is(r, "layer"))
			print_layer(before, now, r);
		else if (record_is(r, "gateway"))
			print_gateway(before, now, r);
	}
	putchar('\n');
	if (shown.n > rows)
		shown.n = rows;
	if (!sources_print(&shown))
		puts("no source has sent anything bad");
}
