// SPDX-License-Identifier: GPL-2.0
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#define SOURCES_LISTED 4096u

double flood_report_block_ms(const struct flood_block *b)
{
	if (!flood_block_is_blocked(b) || !b->last_answered_ns || !b->first_unanswered_ns)
		return -1;
	return (double)(b->first_unanswered_ns - b->last_answered_ns) / 1e6;
}

double flood_report_good_per_s(const struct flood_engine *e)
{
	if (!e->stats.window_ns)
		return 0;
	return (double)e->stats.window_good * 1e9 / (double)e->stats.window_ns;
}

uint64_t flood_report_frames(const struct flood_engine *e)
{
	return e->counts_end.tx_frames - e->counts_start.tx_frames;
}

static void put_u64(struct json_object *o, const char *name, uint64_t v)
{
	json_object_object_add(o, name, json_object_new_uint64(v));
}

static void put_double(struct json_object *o, const char *name, double v)
{
	char text[40];

	/* Three decimals: the accuracy of the clocks. */
	(void)snprintf(text, sizeof(text), "%.3f", v);
	json_object_object_add(o, name, json_object_new_double_s(v, text));
}

static void put_str(struct json_object *o, const char *name, const char *v)
{
	json_object_object_add(o, name, v ? json_object_new_string(v) : NULL);
}

static void put_outcomes(struct json_object *o, const uint64_t *outcome)
{
	unsigned i;

	for (i = 0; i < FLOOD_OUTCOMES; i++)
		put_u64(o, flood_outcome_name(i), outcome[i]);
}

static struct json_object *kinds_to_json(const struct flood_stats *s)
{
	struct json_object *all = json_object_new_object();
	unsigned k;

	for (k = 0; k < FLOOD_KINDS; k++) {
		struct json_object *o;

		if (!s->kind_sent[k])
			continue;
		o = json_object_new_object();
		put_u64(o, "sent", s->kind_sent[k]);
		put_outcomes(o, s->kind_outcome[k]);
		json_object_object_add(all, flood_kind_name(k), o);
	}
	return all;
}

static struct json_object *latency_to_json(const struct flood_latency *l)
{
	static const struct {
		const char *name;
		unsigned permille;
	} at[] = { { "p50", 500 }, { "p90", 900 }, { "p95", 950 }, { "p99", 990 }, { "p999", 999 } };
	struct json_object *o = json_object_new_object();
	size_t i;

	put_u64(o, "count", l->count);
	put_double(o, "mean", l->count ? (double)l->sum_us / (double)l->count / 1e3 : 0);
	for (i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		put_double(o, at[i].name, (double)flood_latency_at(l, at[i].permille) / 1e3);
	put_double(o, "max", (double)l->max_us / 1e3);
	return o;
}

static struct json_object *source_to_json(const struct flood_source *src)
{
	struct json_object *o = json_object_new_object();
	const struct flood_block *b = &src->block;
	double ms = flood_report_block_ms(b);
	char text[FMP_ADDR_STRLEN];

	put_str(o, "addr",
		src->addr.family ? fmp_addr_format(&src->addr, text, sizeof(text)) : NULL);
	put_u64(o, "answered", b->answered);
	put_u64(o, "unanswered", b->unanswered);
	json_object_object_add(o, "blocked", json_object_new_boolean(flood_block_is_blocked(b)));
	if (ms >= 0)
		put_double(o, "time_to_block_ms", ms);
	else
		put_str(o, "time_to_block_ms", NULL);
	put_u64(o, "last_answered_ns", b->last_answered_ns);
	put_u64(o, "first_unanswered_ns", b->first_unanswered_ns);
	return o;
}

static struct json_object *sources_to_json(const struct flood_sources *s)
{
	struct json_object *all = json_object_new_array();
	uint32_t i;

	for (i = 0; i < s->n && i < SOURCES_LISTED; i++)
		json_object_array_add(all, source_to_json(&s->list[i]));
	return all;
}

static struct json_object *good_per_second_to_json(const struct flood_engine *e)
{
	struct json_object *all = json_object_new_array();
	uint64_t seconds = (e->stop_ns - e->start_ns) / 1000000000ull;
	uint64_t i;

	for (i = 0; i < seconds && i < e->seconds; i++)
		json_object_array_add(all, json_object_new_int64(e->good_in_second[i]));
	return all;
}

static void put_frames(struct json_object *o, const struct flood_engine *e, double seconds)
{
	uint64_t frames = flood_report_frames(e);

	put_str(o, "device", e->device.name);
	put_u64(o, "offered_frames", frames);
	put_double(o, "offered_frames_per_s", seconds > 0 ? (double)frames / seconds : 0);
	put_u64(o, "offered_bytes", e->counts_end.tx_bytes - e->counts_start.tx_bytes);
	put_u64(o, "received_frames", e->counts_end.rx_frames - e->counts_start.rx_frames);
	if (!e->steady)
		return;
	put_double(o, "target_frames_per_s", e->cfg->steady_frames);
	put_u64(o, "replayed", flood_steady_replayed(e->steady));
	put_u64(o, "recorded_frames", flood_steady_recorded(e->steady));
}

static struct json_object *run_to_json(const struct flood_engine *e)
{
	const struct flood_stats *s = &e->stats;
	double seconds = (double)(e->stop_ns - e->start_ns) / 1e9;
	struct json_object *o = json_object_new_object();

	put_str(o, "target", e->cfg->target.host);
	put_str(o, "mix", e->cfg->mix);
	put_u64(o, "seed", e->cfg->message.seed);
	put_double(o, "rate", e->cfg->rate);
	put_u64(o, "start_ns", e->start_ns);
	put_double(o, "seconds", seconds);
	json_object_object_add(o, "interrupted", json_object_new_boolean(e->interrupted));
	put_u64(o, "sent", s->sent);
	put_double(o, "sent_per_s", seconds > 0 ? (double)s->sent / seconds : 0);
	put_outcomes(o, s->outcome);
	put_double(o, "good_per_s", flood_report_good_per_s(e));
	put_double(o, "good_window_s", (double)s->window_ns / 1e9);
	put_u64(o, "connects_tried", s->connects);
	put_u64(o, "held_back", s->held_back + e->pace.skipped);
	put_u64(o, "bytes_out", s->bytes_out);
	put_u64(o, "bytes_in", s->bytes_in);
	json_object_object_add(o, "latency_ms", latency_to_json(&s->latency));
	json_object_object_add(o, "kinds", kinds_to_json(s));
	if (e->device.ifindex)
		put_frames(o, e, seconds);
	put_u64(o, "sources_blocked", e->cfg->sources.blocked);
	json_object_object_add(o, "sources", sources_to_json(&e->cfg->sources));
	json_object_object_add(o, "good_each_second", good_per_second_to_json(e));
	return o;
}

int flood_report_json(const struct flood_engine *e, const char *file, struct fmp_error *err)
{
	struct json_object *o = run_to_json(e);
	const char *text = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
								     JSON_C_TO_STRING_SPACED);
	FILE *f = strcmp(file, "-") ? fopen(file, "we") : stdout;
	int rc = 0;

	if (!text)
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the JSON");
	else if (!f || fputs(text, f) < 0 || fputc('\n', f) < 0)
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "%s", file);
	if (f && f != stdout && fclose(f) && !rc)
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "%s", file);
	json_object_put(o);
	return rc;
}
