// SPDX-License-Identifier: GPL-2.0
/* Show a status: totals, layers, devices, the gateway and its steps. Apart from show.c for its size. */
#include "show.h"

#include "../common/clock.h"

void fmpd_show_gateway(struct fmpd_reply *o, const struct fmpd_options *options,
		       const struct fmpd_gateway_status *st, const char *what)
{
	fmpd_reply_begin(o, "gateway");
	fmpd_reply_put_str(o, FMP_F_STATE,
			   what		 ? what
			   : st->ready	 ? "ready"
			   : st->running ? "starting"
					 : "down");
	if (st->running) {
		fmpd_reply_put_u64(o, FMP_F_PID, st->pid);
		fmpd_reply_put_u64(o, FMP_F_UPTIME_MS, fmpd_since(fmpd_now_ms(), st->up_since_ms));
	}
	fmpd_reply_put_str(o, FMP_F_LISTEN, st->listen);
	fmpd_reply_put_str(o, FMP_F_BACKEND, options->backend ? options->backend : "");
	fmpd_reply_put_u64(o, FMP_F_WORKERS, st->workers);
	fmpd_reply_put_u64(o, FMP_F_RESTARTS, st->restarts);
	fmpd_reply_put_u64(o, FMP_F_ACCEPTED, st->accepted);
	fmpd_reply_put_u64(o, FMP_F_REJECTED, st->rejected);
	fmpd_reply_put_u64(o, FMP_F_CONNECTIONS, st->connections);
	fmpd_reply_put_u64(o, FMP_F_LOST, st->lost);
	fmpd_reply_put_u64(o, FMP_F_EVENTS_REFUSED, st->events_refused);
	fmpd_reply_put_u64(o, FMP_F_CLOCK_UNSET, st->clock_unset);
	fmpd_reply_put_u64(o, FMP_F_UNJUDGED_TIME, st->unjudged_time);
	fmpd_reply_put_u64(o, FMP_F_UNJUDGED_LISTS, st->unjudged_lists);
	fmpd_reply_put_u64(o, FMP_F_UNJUDGED_TRIES, st->unjudged_tries);
	fmpd_reply_end(o);
}

/* In millionths; 1 if nothing should be in force. */
static uint64_t get_ratio_ppm(uint64_t enforced, uint64_t wanted)
{
	return wanted ? enforced * 1000000 / wanted : 1000000;
}

static void show_layer(const struct fmpd_plane_view *v, struct fmpd_reply *o, unsigned layer,
		       const struct fmp_reconciled *is)
{
	bool there = fmp_enforcer_layers(v->enforcer) & FMP_LAYER_BIT(layer);
	bool asked = v->options->layers & FMP_LAYER_BIT(layer);
	struct fmp_layer_stats st = { 0 };

	fmpd_reply_begin(o, "layer");
	fmpd_reply_put_str(o, FMP_F_LAYER, fmp_layer_name(layer));
	fmpd_reply_put_str(o, FMP_F_STATE,
			   !asked		      ? "off"
			   : !there		      ? "absent"
			   : !is->reachable[layer]    ? "unreachable"
			   : v->policy->block.observe ? "observing"
						      : "enforcing");
	if (asked)
		fmpd_reply_put_str(o, FMP_F_TEXT, fmp_enforcer_why(v->enforcer, layer));
	if (there) {
		fmpd_reply_put_u64(o, FMP_F_WANTED, is->wanted[layer]);
		fmpd_reply_put_u64(o, FMP_F_ENFORCED, is->enforced[layer]);
		fmpd_reply_put_u64(o, FMP_F_FOREIGN, is->foreign[layer]);
		fmpd_reply_put_u64(o, FMP_F_ENFORCEMENT_RATIO,
				   get_ratio_ppm(is->enforced[layer], is->wanted[layer]));
	}
	if (there && !fmp_enforcer_stats(v->enforcer, layer, &st, NULL)) {
		fmpd_reply_put_u64(o, FMP_F_DROPPED, st.dropped);
		fmpd_reply_put_u64(o, FMP_F_PROTECTED_HITS, st.protected_hits);
		if (layer == FMP_LAYER_PREMAC) {
			fmpd_reply_put_u64(o, FMP_F_DROPPED_LATE, st.dropped_late);
			fmpd_reply_put_u64(o, FMP_F_STOPPED_BYTES, st.stopped_bytes);
			fmpd_reply_put_u64(o, FMP_F_FOREIGN_FRAMES, st.foreign);
			fmpd_reply_put_u64(o, FMP_F_EVICTED, st.evicted);
		}
	}
	fmpd_reply_end(o);
}

static int show_device(const struct fmp_device *dev, void *ctx)
{
	struct fmpd_reply *o = ctx;

	fmpd_reply_begin(o, "device");
	fmpd_reply_put_str(o, FMP_F_NAME, dev->name);
	fmpd_reply_put_str(o, FMP_F_HOOK, dev->hook);
	fmpd_reply_put_u64(o, FMP_F_OBSERVE, dev->observe);
	fmpd_reply_put_u64(o, FMP_F_FRAMES, dev->frames);
	fmpd_reply_put_u64(o, FMP_F_DROPPED, dev->dropped);
	fmpd_reply_put_u64(o, FMP_F_DROPPED_LATE, dev->dropped_late);
	fmpd_reply_put_u64(o, FMP_F_STOPPED_BYTES, dev->stopped_bytes);
	fmpd_reply_put_u64(o, FMP_F_FOREIGN_FRAMES, dev->foreign);
	fmpd_reply_put_u64(o, FMP_F_OBSERVED, dev->observed);
	fmpd_reply_end(o);
	return 0;
}

static void show_totals(const struct fmpd_show *s, const struct fmpd_plane_view *v,
			struct fmpd_reply *o, const struct fmp_reconciled *is)
{
	uint64_t now = fmpd_now_ms(), wanted = v->unenforced, enforced = 0;
	struct fmpd_reporters_stats reports;
	struct fmp_engine_stats st;

	fmpd_reporters_get_stats(s->reporters, &reports);
	fmp_engine_get_stats(v->engine, now, &st);
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		wanted += is->wanted[l];
		enforced += is->enforced[l];
	}
	fmpd_reply_begin(o, "status");
	fmpd_reply_put_str(o, FMP_F_VERSION, FMP_VERSION);
	fmpd_reply_put_u64(o, FMP_F_UPTIME_MS, fmpd_since(now, v->started_ms));
	fmpd_reply_put_str(o, FMP_F_NAME, v->policy->name);
	fmpd_reply_put_str(o, FMP_F_FILE, v->policy->file);
	fmpd_reply_put_str(o, FMP_F_SECURITY, fmp_security_name(v->policy->gateway.security));
	fmpd_reply_put_u64(o, FMP_F_OBSERVE,
			   v->policy->block.observe || !fmp_enforcer_layers(v->enforcer));
	fmpd_reply_put_u64(o, FMP_F_SOURCES, st.sources);
	fmpd_reply_put_u64(o, FMP_F_MAX_SOURCES, st.max_sources);
	fmpd_reply_put_u64(o, FMP_F_SUSPICIOUS_SOURCES, st.suspicious);
	fmpd_reply_put_u64(o, FMP_F_BLOCKED, st.blocked);
	fmpd_reply_put_u64(o, FMP_F_MAX_BLOCKS, st.max_blocks);
	fmpd_reply_put_u64(o, FMP_F_WAITING, st.waiting);
	fmpd_reply_put_u64(o, FMP_F_BLOCKS_REFUSED, st.refused);
	fmpd_reply_put_u64(o, FMP_F_EVENTS, st.events);
	fmpd_reply_put_u64(o, FMP_F_GOOD, st.good);
	fmpd_reply_put_u64(o, FMP_F_UNPROVEN, st.unproven);
	fmpd_reply_put_u64(o, FMP_F_DECISIONS, st.decisions);
	fmpd_reply_put_u64(o, FMP_F_UNBLOCKS, st.unblocks);
	fmpd_reply_put_u64(o, FMP_F_EVICTED, st.evicted);
	fmpd_reply_put_u64(o, FMP_F_PROTECTED_HITS, v->exempted);
	fmpd_reply_put_u64(o, FMP_F_WANTED, wanted);
	fmpd_reply_put_u64(o, FMP_F_ENFORCED, enforced);
	fmpd_reply_put_u64(o, FMP_F_ENFORCEMENT_RATIO, get_ratio_ppm(enforced, wanted));
	fmpd_reply_put_u64(o, FMP_F_REPAIRED, v->repaired);
	fmpd_reply_put_u64(o, FMP_F_REPORTS, reports.taken);
	fmpd_reply_put_u64(o, FMP_F_REPORTS_LOST, reports.lost);
	fmpd_reply_put_u64(o, FMP_F_DOUBTED, v->stale);
	fmpd_reply_put_u64(o, FMP_F_RESUMING, v->restoring);
	if (v->compared_ms)
		fmpd_reply_put_u64(o, FMP_F_COMPARED_MS, fmpd_since(now, v->compared_ms));
	if (v->reconciled_ms)
		fmpd_reply_put_u64(o, FMP_F_LAST_RECONCILE_MS, fmpd_since(now, v->reconciled_ms));
	fmpd_reply_end(o);
}

static void show_steps(struct fmpd_reply *o, const struct fmpd_gateway_status *st)
{
	for (unsigned s = 0; s < FMP_STEPS; s++) {
		fmpd_reply_begin(o, "step");
		fmpd_reply_put_str(o, FMP_F_STEP, fmp_step_name(s));
		fmpd_reply_put_u64(o, FMP_F_EVENTS, st->step_messages[s]);
		fmpd_reply_put_u64(o, FMP_F_REJECTED, st->step_rejected[s]);
		fmpd_reply_put_u64(o, FMP_F_CPU_NS, st->step_cpu_ns[s]);
		fmpd_reply_end(o);
	}
}

static void show_nat64(const struct fmpd_show *s, struct fmpd_reply *o)
{
	struct fmpd_nat64_prefix list[2 * FMP_NAT64_FOUND_MAX];
	size_t n = fmpd_nat64_list(s->nat64, list);

	for (size_t i = 0; i < n; i++) {
		fmpd_reply_begin(o, "nat64");
		fmpd_reply_put_addr(o, FMP_F_ADDR, &list[i].prefix);
		fmpd_reply_put_str(o, FMP_F_ORIGIN, fmp_nat64_found_by_name(list[i].by));
		fmpd_reply_put_u64(o, FMP_F_LEFT_MS, list[i].left_ms);
		fmpd_reply_end(o);
	}
}

int fmpd_show_status(const struct fmpd_show *s, struct fmpd_reply *o, struct fmp_error *err)
{
	struct fmpd_gateway_status st;
	struct fmpd_plane_view v;
	int rc;

	fmpd_plane_view(s->plane, &v);
	fmpd_table_expire_macs(v.table, fmpd_now_ms());
	fmpd_plane_view(s->plane, &v);
	show_totals(s, &v, o, &v.reconciled);
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		show_layer(&v, o, l, &v.reconciled);
	/* Without the layer there are no devices, and the layer's record has the reason. */
	rc = fmp_enforcer_devices(v.enforcer, show_device, o, err);
	if (rc && rc != FMP_ERR_UNSUPPORTED && rc != FMP_ERR_KERNEL)
		return rc;
	show_nat64(s, o);
	if (s->supervisor) {
		fmpd_supervisor_status(s->supervisor, &st);
		fmpd_show_gateway(o, v.options, &st, NULL);
		show_steps(o, &st);
	}
	return 0;
}
