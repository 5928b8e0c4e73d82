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

static void family(struct evbuffer *out, const char *name, const char *type, const char *help)
{
	evbuffer_add_printf(out, "# HELP fmp_%s %s\n# TYPE fmp_%s %s\n", name, help, name, type);
}

/* What a label may not hold as it is. */
static void escaped(struct evbuffer *out, const char *text)
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

static void series(struct evbuffer *out, const char *name, const char *label, const char *value)
{
	evbuffer_add_printf(out, "fmp_%s", name);
	if (label) {
		evbuffer_add_printf(out, "{%s=\"", label);
		escaped(out, value);
		evbuffer_add(out, "\"}", 2);
	}
}

static void sample(struct evbuffer *out, const char *name, const char *label, const char *value,
		   uint64_t v)
{
	series(out, name, label, value);
	evbuffer_add_printf(out, " %" PRIu64 "\n", v);
}

static void sample_real(struct evbuffer *out, const char *name, const char *label,
			const char *value, double v)
{
	series(out, name, label, value);
	evbuffer_add_printf(out, " %.9g\n", v);
}

static void one(struct evbuffer *out, const char *name, const char *type, const char *help,
		uint64_t v)
{
	family(out, name, type, help);
	sample(out, name, NULL, NULL, v);
}

/* ---- fmpd and its table ---- */

static void engine(struct evbuffer *out, const struct fmpd_plane_view *v, uint64_t now_ms)
{
	struct fmp_engine_stats st;
	uint64_t known;

	fmp_engine_get_stats(v->engine, now_ms, &st);
	known = (uint64_t)st.blocked + st.suspicious + st.waiting;
	family(out, "messages_total", "counter", "Messages that were charged to a source.");
	sample(out, "messages_total", "result", "bad", st.events);
	sample(out, "messages_total", "result", "good", st.good);
	sample(out, "messages_total", "result", "unproven", st.unproven);
	family(out, "events_total", "counter", "Bad messages that were charged, by kind.");
	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++)
		if (k != FMP_EVENT_GOOD)
			sample(out, "events_total", "kind", fmp_event_kind_name(k), st.kinds[k]);
	family(out, "decisions_total", "counter", "Decisions, under one id on all layers.");
	sample(out, "decisions_total", "action", "block", st.decisions);
	sample(out, "decisions_total", "action", "unblock", st.unblocks);
	family(out, "sources", "gauge", "Sources in the table.");
	sample(out, "sources", "state", "blocked", st.blocked);
	sample(out, "sources", "state", "suspicious", st.suspicious);
	sample(out, "sources", "state", "waiting", st.waiting);
	sample(out, "sources", "state", "clean", st.sources > known ? st.sources - known : 0);
	one(out, "sources_max", "gauge", "Places in the table.", st.max_sources);
	one(out, "blocks_max", "gauge", "Blocks that fit at once.", st.max_blocks);
	one(out, "evicted_total", "counter", "Sources pushed out of a full table.", st.evicted);
	one(out, "untracked_total", "counter", "Messages of sources that found no place.",
	    st.untracked);
	one(out, "refused_total", "counter", "Blocks not taken because too many were in force.",
	    st.refused);
	one(out, "spared_total", "counter", "Blocks not taken because the source is protected.",
	    v->spared);
}

static void reports(struct evbuffer *out, const struct fmpd_reporters *r)
{
	struct fmpd_reporters_stats st;

	fmpd_reporters_get_stats(r, &st);
	family(out, "reports_total", "counter", "Reports of other programs.");
	sample(out, "reports_total", "result", "taken", st.taken);
	sample(out, "reports_total", "result", "lost", st.lost);
	one(out, "report_connections_denied_total", "counter",
	    "Connections of users who may not report.", st.denied);
}

static void state_file(struct evbuffer *out, const struct fmpd_state *state, uint64_t now_ms)
{
	struct fmpd_state_stats st;

	fmpd_state_get_stats(state, &st);
	family(out, "state_writes_total", "counter", "Times that the state file was written.");
	sample(out, "state_writes_total", "result", "good", st.written);
	sample(out, "state_writes_total", "result", "failed", st.failed);
	if (!st.written_ms)
		return;
	family(out, "state_age_seconds", "gauge", "Age of the state file.");
	sample_real(out, "state_age_seconds", NULL, NULL,
		    (double)fmpd_since(now_ms, st.written_ms) / 1000);
}

static void latency(struct evbuffer *out, const struct fmpd_latency *l)
{
	char le[24];
	uint64_t sum = 0;

	family(out, "decision_seconds", "histogram",
	       "Time from the message that crossed the threshold to the answers of all layers.");
	for (unsigned i = 0; i < FMPD_LATENCY_BUCKETS; i++) {
		sum += l->buckets[i];
		snprintf(le, sizeof(le), "%g", bucket_us[i] / 1e6);
		sample(out, "decision_seconds_bucket", "le", le, sum);
	}
	sample(out, "decision_seconds_bucket", "le", "+Inf", l->count);
	sample_real(out, "decision_seconds_sum", NULL, NULL, (double)l->sum_ns / 1e9);
	sample(out, "decision_seconds_count", NULL, NULL, l->count);
}

/* ---- layers ---- */

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 1;
}

/* By the newest comparison with dumps of the kernel, and its answers since: a scrape costs no dump. */
static void enforcement(struct evbuffer *out, const struct fmpd_plane_view *v)
{
	const struct fmp_reconciled *is = &v->known;
	/* A block whose layers are not there is not "all of nothing". */
	uint64_t wanted = v->unheld, enforced = 0;

	family(out, "enforcement_ratio", "gauge",
	       "Share of the rules that should be in force which the kernel had.");
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		wanted += is->wanted[l];
		enforced += is->enforced[l];
		if (fmp_enforcer_layers(v->enforcer) & FMP_LAYER_BIT(l))
			sample_real(out, "enforcement_ratio", "layer", fmp_layer_name(l),
				    ratio(is->enforced[l], is->wanted[l]));
	}
	sample_real(out, "enforcement_ratio", "layer", "all", ratio(enforced, wanted));
	family(out, "rules", "gauge", "Rules that a layer should have.");
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		sample(out, "rules", "layer", fmp_layer_name(l), is->wanted[l]);
	family(out, "rules_foreign", "gauge", "Rules that a layer had and should not have.");
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		sample(out, "rules_foreign", "layer", fmp_layer_name(l), is->foreign[l]);
	one(out, "repaired_total", "counter", "Rules put back, or taken away.", v->repaired);
}

static void layers(struct evbuffer *out, const struct fmpd_plane_view *v)
{
	struct fmp_layer_stats st[FMP_LAYERS] = { { 0 } };
	bool known[FMP_LAYERS];

	family(out, "layer_up", "gauge", "Is the layer there?");
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		bool there = fmp_enforcer_layers(v->enforcer) & FMP_LAYER_BIT(l);

		sample(out, "layer_up", "layer", fmp_layer_name(l), there);
		known[l] = there && !fmp_enforcer_stats(v->enforcer, l, &st[l], NULL);
	}
	family(out, "dropped_total", "counter", "Frames or packets dropped for a block.");
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (known[l])
			sample(out, "dropped_total", "layer", fmp_layer_name(l),
			       st[l].dropped + st[l].dropped_late);
	family(out, "protected_hits_total", "counter", "Let through as protected.");
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (known[l])
			sample(out, "protected_hits_total", "layer", fmp_layer_name(l),
			       st[l].protected_hits);
	if (known[FMP_LAYER_PREMAC])
		one(out, "stopped_bytes_total", "counter", "Bytes whose reception was aborted.",
		    st[FMP_LAYER_PREMAC].stopped_bytes);
}

/* ---- gateway ---- */

static void gateway(struct evbuffer *out, const struct fmpd_supervisor *s)
{
	struct fmpd_gateway_status st;

	fmpd_supervisor_status(s, &st);
	one(out, "gateway_up", "gauge", "Does the gateway serve?", st.ready);
	one(out, "gateway_restarts_total", "counter", "Gateways that died.", st.restarts);
	one(out, "gateway_connections", "gauge", "Connections open.", st.connections);
	one(out, "gateway_clock_unset", "gauge", "Is the clock of this device not set?",
	    st.clock_unset);
	one(out, "gateway_events_lost_total", "counter", "Events that the gateway could not tell.",
	    st.lost);
	one(out, "gateway_events_refused_total", "counter",
	    "Events of the gateway with a value that no event may have; dropped.",
	    st.events_refused);
	family(out, "gateway_messages_total", "counter", "Messages by their end.");
	sample(out, "gateway_messages_total", "result", "accepted", st.accepted);
	sample(out, "gateway_messages_total", "result", "rejected", st.rejected);
	family(out, "gateway_unjudged_total", "counter",
	       "Messages and TLS clients refused for what this device lacks; nobody is charged.");
	sample(out, "gateway_unjudged_total", "lacks", "time", st.unjudged_time);
	sample(out, "gateway_unjudged_total", "lacks", "lists", st.unjudged_lists);
	sample(out, "gateway_unjudged_total", "lacks", "tries", st.unjudged_tries);
	family(out, "gateway_step_messages_total", "counter",
	       "Messages that the step ran for; done: accepted; connection: TLS handshakes, and connections refused.");
	for (unsigned i = 0; i < FMP_STEPS; i++)
		sample(out, "gateway_step_messages_total", "step", fmp_step_name(i),
		       st.step_messages[i]);
	family(out, "gateway_step_rejected_total", "counter", "Messages that ended at the step.");
	for (unsigned i = 0; i < FMP_STEPS; i++)
		sample(out, "gateway_step_rejected_total", "step", fmp_step_name(i),
		       st.step_rejected[i]);
	family(out, "gateway_step_cpu_seconds_total", "counter", "CPU time of the step.");
	for (unsigned i = 0; i < FMP_STEPS; i++)
		sample_real(out, "gateway_step_cpu_seconds_total", "step", fmp_step_name(i),
			    (double)st.step_cpu_ns[i] / 1e9);
}

void fmpd_exposition(struct evbuffer *out, const struct fmpd_show *show,
		     const struct fmpd_state *state, const struct fmpd_latency *l)
{
	uint64_t now_ms = fmpd_now_ms();
	struct fmpd_plane_view v;

	fmpd_plane_view(show->plane, &v);
	family(out, "build_info", "gauge", "1, by the version.");
	sample(out, "build_info", "version", FMP_VERSION, 1);
	family(out, "policy_info", "gauge", "1, by the policy in force.");
	sample(out, "policy_info", "name", v.policy->name, 1);
	family(out, "uptime_seconds", "gauge", "Since fmpd started, sleep included.");
	sample_real(out, "uptime_seconds", NULL, NULL,
		    (double)fmpd_since(now_ms, v.started_ms) / 1000);
	engine(out, &v, now_ms);
	latency(out, l);
	enforcement(out, &v);
	layers(out, &v);
	reports(out, show->reporters);
	state_file(out, state, now_ms);
	if (show->supervisor)
		gateway(out, show->supervisor);
}
