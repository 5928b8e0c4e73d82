// SPDX-License-Identifier: GPL-2.0
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>

#include <fmp/internal/text.h>
#include <unistd.h>

#include "report.h"

#define SOURCES_SHOWN 10

static uint64_t count_timeouts(const struct flood_stats *s)
{
	return s->outcome[FLOOD_TIMEOUT_CONNECT] + s->outcome[FLOOD_TIMEOUT_RESPONSE];
}

void flood_progress_line(const struct flood_engine *e, uint64_t now_ns)
{
	const struct flood_stats *s = &e->stats;
	bool tty = isatty(STDERR_FILENO);

	fprintf(stderr,
		"%s%4.0fs sent %" PRIu64 " good %" PRIu64 " faults %" PRIu64 " http %" PRIu64
		" refused %" PRIu64 " timeouts %" PRIu64 " resets %" PRIu64
		" open %u blocked %u/%u%s",
		tty ? "\r\033[K" : "", (double)(now_ns - e->start_ns) / 1e9, s->sent,
		s->outcome[FLOOD_RESPONSE_GOOD], s->outcome[FLOOD_RESPONSE_FAULT],
		s->outcome[FLOOD_RESPONSE_HTTP], s->outcome[FLOOD_REFUSED], count_timeouts(s),
		s->outcome[FLOOD_RESET], e->conns.open, e->cfg->sources.blocked, e->cfg->sources.n,
		tty ? "" : "\n");
	(void)fflush(stderr);
}

void flood_progress_end(const struct flood_engine *e)
{
	if (e->cfg->progress && isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
}

static void print_kinds(const struct flood_stats *s)
{
	unsigned k;

	for (k = 0; k < FLOOD_KINDS; k++) {
		const uint64_t *o = s->kind_outcome[k];

		if (!s->kind_sent[k])
			continue;
		printf("  %-11s sent %-8" PRIu64 " good %-8" PRIu64 " faults %-8" PRIu64
		       " http errors %-6" PRIu64 " no answer %" PRIu64 "\n",
		       flood_kind_name(k), s->kind_sent[k], o[FLOOD_RESPONSE_GOOD],
		       o[FLOOD_RESPONSE_FAULT], o[FLOOD_RESPONSE_HTTP],
		       o[FLOOD_TIMEOUT_RESPONSE] + o[FLOOD_RESET]);
	}
}

static void print_sources(const struct flood_engine *e)
{
	const struct flood_sources *s = &e->cfg->sources;
	char text[FMP_ADDR_STRLEN];
	uint32_t i, shown = 0;

	for (i = 0; i < s->n && shown < SOURCES_SHOWN; i++) {
		const struct flood_block *b = &s->list[i].block;
		bool any = s->list[i].addr.family == FMP_FAMILY_NONE;

		if (!flood_block_is_blocked(b))
			continue;
		printf("  %s: no answer any more after %" PRIu64,
		       any ? "this machine" : fmp_addr_format(&s->list[i].addr, text, sizeof(text)),
		       b->answered);
		if (flood_report_block_ms(b) >= 0)
			printf(", blocked within %.1f ms", flood_report_block_ms(b));
		printf("\n");
		shown++;
	}
	if (s->blocked > shown)
		printf("  and %u sources more\n", s->blocked - shown);
}

void flood_progress_summary(const struct flood_engine *e)
{
	const struct flood_stats *s = &e->stats;
	double seconds = (double)(e->stop_ns - e->start_ns) / 1e9;

	fmp_text_print(stdout,
		       "%" PRIu64 " requests sent in %.1f s to %s (mix %s, seed %" PRIu64 ")\n",
		       s->sent, seconds, e->cfg->target.host, e->cfg->mix, e->cfg->message.seed);
	print_kinds(s);
	printf("answers: good %" PRIu64 " (%.1f/s), faults %" PRIu64 ", HTTP errors %" PRIu64 "\n",
	       s->outcome[FLOOD_RESPONSE_GOOD], flood_report_good_per_s(e),
	       s->outcome[FLOOD_RESPONSE_FAULT], s->outcome[FLOOD_RESPONSE_HTTP]);
	printf("none: refused %" PRIu64 ", connect timed out %" PRIu64 ", answer timed out %" PRIu64
	       ", reset %" PRIu64 ", not tried for lack of ports or memory %" PRIu64
	       ", held back %" PRIu64 "\n",
	       s->outcome[FLOOD_REFUSED], s->outcome[FLOOD_TIMEOUT_CONNECT],
	       s->outcome[FLOOD_TIMEOUT_RESPONSE], s->outcome[FLOOD_RESET], s->outcome[FLOOD_LOCAL],
	       s->held_back + e->pace.skipped);
	if (s->latency.count)
		printf("latency ms: p50 %.2f, p90 %.2f, p99 %.2f, max %.2f\n",
		       (double)flood_latency_at(&s->latency, 500) / 1e3,
		       (double)flood_latency_at(&s->latency, 900) / 1e3,
		       (double)flood_latency_at(&s->latency, 990) / 1e3,
		       (double)s->latency.max_us / 1e3);
	if (e->device.ifindex)
		printf("frames sent by %s: %" PRIu64 " (%.1f/s)%s", e->device.name,
		       flood_report_frames(e), (double)flood_report_frames(e) / seconds,
		       e->steady ? "" : "\n");
	if (e->steady)
		printf(", of them %" PRIu64 " replayed\n", flood_steady_replayed(e->steady));
	print_sources(e);
}
