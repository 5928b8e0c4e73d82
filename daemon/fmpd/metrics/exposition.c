// SPDX-License-Identifier: GPL-2.0
#include "exposition.h"

#include <inttypes.h>
#include <stdio.h>

#include "../common/clock.h"

static const uint32_t bucket_us[FMPD_LATENCY_BUCKETS] = { 50,	 100,	 250,	 500,
							  1000,	 2500,	 5000,	 10000,
							  50000, 100000, 500000, 1000000 };

void fmpd_latency_add(struct fmpd_latency *l, uint64_t ns)
{
	unsigned i = 0;

	while (i < FMPD_LATENCY_BUCKETS && ns > (uint64_t)bucket_us[i] * 1000)
		i++;
	l->buckets[i]++;
	l->count++;
	l->sum_ns += ns;
}

/* ---- the format ---- */

static void put_family(struct evbuffer *out, const char *name, const char *type, const char *help)
{
	evbuffer_add_printf(out, "# HELP fmp_%s %s\n# TYPE fmp_%s %s\n", name, help, name, type);
}

/* Escape the value of a label. */
static void put_escaped(struct evbuffer *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			evbuffer_add(out, "\\n", 2);
		else if (*text == '\\' || *text == '"')
			evbuffer_add_printf(out, "\\%c", *text);
		else
			evbuffer_add(out, text, 1);
	}
}

static void put_series(struct evbuffer *out, const char *name, const char *label, const char *value)
{
	evbuffer_add_printf(out, "fmp_%s", name);
	if (label) {
		evbuffer_add_printf(out, "{%s=\"", label);
		put_escaped(out, value);
		evbuffer_add(out, "\"}", 2);
	}
}

static void put_sample(struct evbuffer *out, const char *name, const char *label, const char *value,
		       uint64_t v)
{
	put_series(out, name, label, value);
	evbuffer_add_printf(out, " %" PRIu64 "\n", v);
}

static void put_sample_real(struct evbuffer *out, const char *name, const char *label,
			    const char *value, double v)
{
	put_series(out, name, label, value);
	evbuffer_add_printf(out, " %.9g\n", v);
}

static void put_metric(struct evbuffer *out, const char *name, const char *type, const char *help,
		       uint64_t v)
{
	put_family(out, name, type, help);
	put_sample(out, name, NULL, NULL, v);
}

/* ---- fmpd and its table ---- */

static void put_engine(struct evbuffer *out, const struct fmpd_plane_view *v, uint64_t now_ms)
{
	struct fmp_engine_stats st;
	uint64_t known;

	fmp_engine_get_stats(v->engine, now_ms, &st);
	known = (uint64_t)st.blocked + st.suspicious + st.waiting;
	put_family(out, "messages_total", "counter", "Messages that were charged to a source.");
	put_sample(out, "messages_total", "result", "bad", st.events);
	put_sample(out, "messages_total", "result", "good", st.good);
	put_sample(out, "messages_total", "result", "unproven", st.unproven);
	put_family(out, "events_total", "counter", "Bad messages that were charged, by kind.");
	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++)
		if (k != FMP_EVENT_GOOD)
			put_sample(out, "events_total", "kind", fmp_event_kind_name(k),
				   st.kinds[k]);
	put_family(out, "decisions_total", "counter", "Decisions, under one id on all layers.");
	put_sample(out, "decisions_total", "action", "block", st.decisions);
	put_sample(out, "decisions_total", "action", "unblock", st.unblocks);
	put_family(out, "sources", "gauge", "Sources in the table.");
	put_sample(out, "sources", "state", "blocked", st.blocked);
	put_sample(out, "sources", "state", "suspicious", st.suspicious);
	put_sample(out, "sources", "state", "waiting", st.waiting);
	put_sample(out, "sources", "state", "clean", st.sources > known ? st.sources - known : 0);
	put_metric(out, "sources_max", "gauge", "Places in the table.", st.max_sources);
	put_metric(out, "blocks_max", "gauge", "Blocks that fit at once.", st.max_blocks);
	put_metric(out, "evicted_total", "counter", "Sources pushed out of a full table.",
		   st.evicted);
	put_metric(out, "untracked_total", "counter", "Messages of sources that found no place.",
		   st.untracked);
	put_metric(out, "refused_total", "counter",
		   "Blocks not taken because too many were in force.", st.refused);
	put_metric(out, "spared_total", "counter",
		   "Blocks not taken because the source is protected.", v->exempted);
}

static void put_reports(struct evbuffer *out, const struct fmpd_reporters *r)
{
	struct fmpd_reporters_stats st;

	fmpd_reporters_get_stats(r, &st);
	put_family(out, "reports_total", "counter", "Reports of other programs.");
	put_sample(out, "reports_total", "result", "taken", st.taken);
	put_sample(out, "reports_total", "result", "lost", st.lost);
	put_metric(out, "report_connections_denied_total", "counter",
		   "Connections of users who may not report.", st.denied);
}

static void put_state_file(struct evbuffer *out, const struct fmpd_state_writer *state,
			   uint64_t now_ms)
{
	struct fmpd_state_writer_stats st;

	fmpd_state_writer_get_stats(state, &st);
	put_family(out, "state_writes_total", "counter", "Times that the state file was written.");
	put_sample(out, "state_writes_total", "result", "good", st.written);
	put_sample(out, "state_writes_total", "result", "failed", st.failed);
	if (!st.written_ms)
		return;
	put_family(out, "state_age_seconds", "gauge", "Age of the state file.");
	put_sample_real(out, "state_age_seconds", NULL, NULL,
			(double)fmpd_since(now_ms, st.written_ms) / 1000);
}

static void put_latency(struct evbuffer *out, const struct fmpd_latency *l)
{
	char le[24];
	uint64_t sum = 0;

	put_family(
		out, "decision_seconds", "histogram",
		"Time from the message that crossed the threshold to the answers of all layers.");
	for (unsigned i = 0; i < FMPD_LATENCY_BUCKETS; i++) {
		sum += l->buckets[i];
		snprintf(le, sizeof(le), "%g", bucket_us[i] / 1e6);
		put_sample(out, "decision_seconds_bucket", "le", le, sum);
	}
	put_sample(out, "decision_seconds_bucket", "le", "+Inf", l->count);
	put_sample_real(out, "decision_seconds_sum", NULL, NULL, (double)l->sum_ns / 1e9);
	put_sample(out, "decision_seconds_count", NULL, NULL, l->count);
}

/* ---- layers ---- */

static double get_ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 1;
}

/* By the newest comparison and the layers' results since: a scrape causes no dump of the kernel. */
static void put_enforcement(struct evbuffer *out, const struct fmpd_plane_view *v)
{
	const struct fmp_reconciled *is = &v->reconciled;
	/* Blocks without any layer count as not enforced; else the ratio would be 1. */
	uint64_t wanted = v->unenforced, enforced = 0;

	put_family(out, "enforcement_ratio", "gauge",
		   "Share of the rules that should be in force which the kernel had.");
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		wanted += is->wanted[l];
		enforced += is->enforced[l];
		if (fmp_enforcer_layers(v->enforcer) & FMP_LAYER_BIT(l))
			put_sample_real(out, "enforcement_ratio", "layer", fmp_layer_name(l),
					get_ratio(is->enforced[l], is->wanted[l]));
	}
	put_sample_real(out, "enforcement_ratio", "layer", "all", get_ratio(enforced, wanted));
	put_family(out, "rules", "gauge", "Rules that a layer should have.");
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		put_sample(out, "rules", "layer", fmp_layer_name(l), is->wanted[l]);
	put_family(out, "rules_foreign", "gauge", "Rules that a layer had and should not have.");
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		put_sample(out, "rules_foreign", "layer", fmp_layer_name(l), is->foreign[l]);
	put_metric(out, "repaired_total", "counter", "Rules put back, or taken away.", v->repaired);
}

static void put_layers(struct evbuffer *out, const struct fmpd_plane_view *v)
{
	struct fmp_layer_stats st[FMP_LAYERS] = { { 0 } };
	bool known[FMP_LAYERS];

	put_family(out, "layer_up", "gauge", "Is the layer there?");
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		bool there = fmp_enforcer_layers(v->enforcer) & FMP_LAYER_BIT(l);

		put_sample(out, "layer_up", "layer", fmp_layer_name(l), there);
		known[l] = there && !fmp_enforcer_stats(v->enforcer, l, &st[l], NULL);
	}
	put_family(out, "dropped_total", "counter", "Frames or packets dropped for a block.");
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (known[l])
			put_sample(out, "dropped_total", "layer", fmp_layer_name(l),
				   st[l].dropped + st[l].dropped_late);
	put_family(out, "protected_hits_total", "counter", "Let through as protected.");
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (known[l])
			put_sample(out, "protected_hits_total", "layer", fmp_layer_name(l),
				   st[l].protected_hits);
	if (known[FMP_LAYER_PREMAC])
		put_metric(out, "stopped_bytes_total", "counter",
			   "Bytes whose reception was aborted.",
			   st[FMP_LAYER_PREMAC].stopped_bytes);
}

/* ---- gateway ---- */

static void put_gateway(struct evbuffer *out, const struct fmpd_supervisor *s)
{
	struct fmpd_gateway_status st;

	fmpd_supervisor_status(s, &st);
	put_metric(out, "gateway_up", "gauge", "Does the gateway serve?", st.ready);
	put_metric(out, "gateway_restarts_total", "counter", "Gateways that died.", st.restarts);
	put_metric(out, "gateway_connections", "gauge", "Connections open.", st.connections);
	put_metric(out, "gateway_clock_unset", "gauge", "Is the clock of this device not set?",
		   st.clock_unset);
	put_metric(out, "gateway_events_lost_total", "counter",
		   "Events that the gateway could not tell.", st.lost);
	put_metric(out, "gateway_events_refused_total", "counter",
		   "Events of the gateway with a value that no event may have; dropped.",
		   st.events_refused);
	put_family(out, "gateway_messages_total", "counter", "Messages by their end.");
	put_sample(out, "gateway_messages_total", "result", "accepted", st.accepted);
	put_sample(out, "gateway_messages_total", "result", "rejected", st.rejected);
	put_family(
		out, "gateway_unjudged_total", "counter",
		"Messages and TLS clients refused for what this device lacks; nobody is charged.");
	put_sample(out, "gateway_unjudged_total", "lacks", "time", st.unjudged_time);
	put_sample(out, "gateway_unjudged_total", "lacks", "lists", st.unjudged_lists);
	put_sample(out, "gateway_unjudged_total", "lacks", "tries", st.unjudged_tries);
	put_family(
		out, "gateway_step_messages_total", "counter",
		"Messages that the step ran for; done: accepted; connection: TLS handshakes, and connections refused.");
	for (unsigned i = 0; i < FMP_STEPS; i++)
		put_sample(out, "gateway_step_messages_total", "step", fmp_step_name(i),
			   st.step_messages[i]);
	put_family(out, "gateway_step_rejected_total", "counter",
		   "Messages that ended at the step.");
	for (unsigned i = 0; i < FMP_STEPS; i++)
		put_sample(out, "gateway_step_rejected_total", "step", fmp_step_name(i),
			   st.step_rejected[i]);
	put_family(out, "gateway_step_cpu_seconds_total", "counter", "CPU time of the step.");
	for (unsigned i = 0; i < FMP_STEPS; i++)
		put_sample_real(out, "gateway_step_cpu_seconds_total", "step", fmp_step_name(i),
				(double)st.step_cpu_ns[i] / 1e9);
}

void fmpd_exposition(struct evbuffer *out, const struct fmpd_show *show,
		     const struct fmpd_state_writer *state, const struct fmpd_latency *l)
{
	uint64_t now_ms = fmpd_now_ms();
	struct fmpd_plane_view v;

	fmpd_plane_view(show->plane, &v);
	put_family(out, "build_info", "gauge", "1, by the version.");
	put_sample(out, "build_info", "version", FMP_VERSION, 1);
	put_family(out, "policy_info", "gauge", "1, by the policy in force.");
	put_sample(out, "policy_info", "name", v.policy->name, 1);
	put_family(out, "uptime_seconds", "gauge", "Since fmpd started, sleep included.");
	put_sample_real(out, "uptime_seconds", NULL, NULL,
			(double)fmpd_since(now_ms, v.started_ms) / 1000);
	put_engine(out, &v, now_ms);
	put_latency(out, l);
	put_enforcement(out, &v);
	put_layers(out, &v);
	put_reports(out, show->reporters);
	put_state_file(out, state, now_ms);
	if (show->supervisor)
		put_gateway(out, show->supervisor);
}
