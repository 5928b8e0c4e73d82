// SPDX-License-Identifier: GPL-2.0
#include "show.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"

/* ---- records ---- */

void fmpd_out_begin(struct fmpd_out *o, const char *record)
{
	fmp_wire_begin(&o->w, o->scratch, sizeof(o->scratch), FMP_CTL_RECORD);
	fmp_wire_put_str(&o->w, FMP_F_RECORD, record);
}

void fmpd_out_end(struct fmpd_out *o)
{
	if (fmp_wire_end(&o->w) || (o->limit && evbuffer_get_length(o->to) > o->limit) ||
	    evbuffer_add(o->to, o->scratch, o->w.len))
		o->left_out++;
}

void fmpd_out_done(struct fmpd_out *o, int code, const char *message)
{
	char text[700] = "";

	if (!code && o->left_out) {
		code = FMP_ERR_LIMIT;
		snprintf(text, sizeof(text), "%llu records are left out: too many for one answer",
			 (unsigned long long)o->left_out);
	} else if (code) {
		snprintf(text, sizeof(text), "%s", message);
	}
	fmp_wire_begin(&o->w, o->scratch, sizeof(o->scratch), FMP_CTL_END);
	fmp_wire_put_u64(&o->w, FMP_F_CODE, (uint64_t)(int64_t)code);
	fmp_wire_put_str(&o->w, FMP_F_MESSAGE, text);
	if (!fmp_wire_end(&o->w))
		evbuffer_add(o->to, o->scratch, o->w.len);
}

static void put_u64(struct fmpd_out *o, uint16_t id, uint64_t v)
{
	fmp_wire_put_u64(&o->w, id, v);
}

static void put_str(struct fmpd_out *o, uint16_t id, const char *s)
{
	fmp_wire_put_str(&o->w, id, s);
}

static void put_addr(struct fmpd_out *o, uint16_t id, const struct fmp_addr *a)
{
	fmp_wire_put_addr(&o->w, id, a);
}

static uint64_t since(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

/* ---- status ---- */

void fmpd_show_gateway(struct fmpd_out *o, const struct fmpd_options *options,
		       const struct fmpd_gateway_status *st, const char *what)
{
	fmpd_out_begin(o, "gateway");
	put_str(o, FMP_F_STATE,
		what	      ? what
		: st->ready   ? "ready"
		: st->running ? "starting"
			      : "down");
	if (st->running) {
		put_u64(o, FMP_F_PID, st->pid);
		put_u64(o, FMP_F_UPTIME_MS, since(fmpd_now_ms(), st->up_since_ms));
	}
	put_str(o, FMP_F_LISTEN, st->listen);
	put_str(o, FMP_F_BACKEND, options->backend);
	put_u64(o, FMP_F_WORKERS, st->workers);
	put_u64(o, FMP_F_RESTARTS, st->restarts);
	put_u64(o, FMP_F_ACCEPTED, st->accepted);
	put_u64(o, FMP_F_REJECTED, st->rejected);
	put_u64(o, FMP_F_CONNECTIONS, st->connections);
	put_u64(o, FMP_F_LOST, st->lost);
	fmpd_out_end(o);
}

/* In millionths; what nobody wants is all there. */
static uint64_t ratio(uint64_t enforced, uint64_t wanted)
{
	return wanted ? enforced * 1000000 / wanted : 1000000;
}

static void show_layer(const struct fmpd_plane_view *v, struct fmpd_out *o, unsigned layer,
		       const struct fmp_reconciled *is)
{
	bool there = fmp_enforcer_layers(v->enforcer) & FMP_LAYER_BIT(layer);
	bool asked = v->options->layers & FMP_LAYER_BIT(layer);
	struct fmp_layer_stats st = { 0 };

	fmpd_out_begin(o, "layer");
	put_str(o, FMP_F_LAYER, fmp_layer_name(layer));
	put_str(o, FMP_F_STATE,
		!asked			   ? "off"
		: !there		   ? "absent"
		: !is->reachable[layer]	   ? "unreachable"
		: v->policy->block.observe ? "observing"
					   : "enforcing");
	if (asked)
		put_str(o, FMP_F_TEXT, fmp_enforcer_why(v->enforcer, layer));
	if (there) {
		put_u64(o, FMP_F_WANTED, is->wanted[layer]);
		put_u64(o, FMP_F_ENFORCED, is->enforced[layer]);
		put_u64(o, FMP_F_FOREIGN, is->foreign[layer]);
		put_u64(o, FMP_F_ENFORCEMENT_RATIO, ratio(is->enforced[layer], is->wanted[layer]));
	}
	if (there && !fmp_enforcer_stats(v->enforcer, layer, &st, NULL)) {
		put_u64(o, FMP_F_DROPPED, st.dropped);
		put_u64(o, FMP_F_PROTECTED_HITS, st.protected_hits);
		if (layer == FMP_LAYER_PREMAC) {
			put_u64(o, FMP_F_DROPPED_LATE, st.dropped_late);
			put_u64(o, FMP_F_STOPPED_BYTES, st.stopped_bytes);
			put_u64(o, FMP_F_FOREIGN_FRAMES, st.foreign);
			put_u64(o, FMP_F_EVICTED, st.evicted);
		}
	}
	fmpd_out_end(o);
}

static int show_device(const struct fmp_device *dev, void *ctx)
{
	struct fmpd_out *o = ctx;

	fmpd_out_begin(o, "device");
	put_str(o, FMP_F_NAME, dev->name);
	put_str(o, FMP_F_HOOK, dev->hook);
	put_u64(o, FMP_F_OBSERVE, dev->observe);
	put_u64(o, FMP_F_FRAMES, dev->frames);
	put_u64(o, FMP_F_DROPPED, dev->dropped);
	put_u64(o, FMP_F_DROPPED_LATE, dev->dropped_late);
	put_u64(o, FMP_F_STOPPED_BYTES, dev->stopped_bytes);
	put_u64(o, FMP_F_FOREIGN_FRAMES, dev->foreign);
	put_u64(o, FMP_F_OBSERVED, dev->observed);
	fmpd_out_end(o);
	return 0;
}

static void show_totals(const struct fmpd_plane_view *v, struct fmpd_out *o,
			const struct fmp_reconciled *is)
{
	uint64_t now = fmpd_now_ms(), wanted = 0, enforced = 0;
	struct fmp_engine_stats st;

	fmp_engine_get_stats(v->engine, now, &st);
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		wanted += is->wanted[l];
		enforced += is->enforced[l];
	}
	/* Every layer was asked for, and none is there: that is not "all of nothing". */
	if (v->options->layers && !fmp_enforcer_layers(v->enforcer) && !v->policy->block.observe)
		wanted = fmpd_book_in_force(v->book);
	fmpd_out_begin(o, "status");
	put_str(o, FMP_F_VERSION, FMP_VERSION);
	put_u64(o, FMP_F_UPTIME_MS, since(now, v->started_ms));
	put_str(o, FMP_F_NAME, v->policy->name);
	put_str(o, FMP_F_FILE, v->policy->file);
	put_str(o, FMP_F_SECURITY, fmp_security_name(v->policy->gateway.security));
	put_u64(o, FMP_F_OBSERVE, v->policy->block.observe || !fmp_enforcer_layers(v->enforcer));
	put_u64(o, FMP_F_SOURCES, st.sources);
	put_u64(o, FMP_F_MAX_SOURCES, st.max_sources);
	put_u64(o, FMP_F_SUSPICIOUS_SOURCES, st.suspicious);
	put_u64(o, FMP_F_BLOCKED, st.blocked);
	put_u64(o, FMP_F_EVENTS, st.events);
	put_u64(o, FMP_F_GOOD, st.good);
	put_u64(o, FMP_F_UNPROVEN, st.unproven);
	put_u64(o, FMP_F_DECISIONS, st.decisions);
	put_u64(o, FMP_F_UNBLOCKS, st.unblocks);
	put_u64(o, FMP_F_EVICTED, st.evicted);
	put_u64(o, FMP_F_PROTECTED_HITS, v->spared);
	put_u64(o, FMP_F_WANTED, wanted);
	put_u64(o, FMP_F_ENFORCED, enforced);
	put_u64(o, FMP_F_ENFORCEMENT_RATIO, ratio(enforced, wanted));
	put_u64(o, FMP_F_REPAIRED, v->repaired);
	if (v->reconciled_ms)
		put_u64(o, FMP_F_LAST_RECONCILE_MS, since(now, v->reconciled_ms));
	fmpd_out_end(o);
}

/* How many messages came as far as each step of the ladder, and what those cost that ended there. */
static void show_steps(struct fmpd_out *o, const struct fmpd_gateway_status *st)
{
	uint64_t reached = 0;

	for (unsigned s = 0; s < FMP_STEPS; s++)
		reached += st->step_messages[s];
	for (unsigned s = 0; s < FMP_STEPS; s++) {
		fmpd_out_begin(o, "step");
		put_str(o, FMP_F_STEP, fmp_step_name(s));
		put_u64(o, FMP_F_EVENTS, reached);
		put_u64(o, FMP_F_REJECTED, s == FMP_STEP_DONE ? 0 : st->step_messages[s]);
		put_u64(o, FMP_F_CPU_NS, st->step_cpu_ns[s]);
		fmpd_out_end(o);
		reached -= st->step_messages[s];
	}
}

int fmpd_show_status(const struct fmpd_show *s, struct fmpd_out *o, struct fmp_error *err)
{
	struct fmpd_gateway_status st;
	struct fmpd_plane_view v;
	struct fmp_reconciled is;
	int rc;

	rc = fmpd_plane_measure(s->plane, &is, err);
	if (rc)
		return rc;
	fmpd_plane_view(s->plane, &v);
	show_totals(&v, o, &is);
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		show_layer(&v, o, l, &is);
	/* Without the layer there are none, and the layer's record says why. */
	rc = fmp_enforcer_devices(v.enforcer, show_device, o, err);
	if (rc && rc != FMP_ERR_UNSUPPORTED && rc != FMP_ERR_KERNEL)
		return rc;
	if (s->supervisor) {
		fmpd_supervisor_status(s->supervisor, &st);
		fmpd_show_gateway(o, v.options, &st, NULL);
		show_steps(o, &st);
	}
	return 0;
}

/* ---- sources ---- */

static void show_row(struct fmpd_out *o, const struct fmp_source_info *row, uint64_t now,
		     const struct fmp_addr *mac)
{
	fmpd_out_begin(o, "source");
	put_addr(o, FMP_F_ADDR, &row->source);
	if (mac)
		put_addr(o, FMP_F_MAC, mac);
	put_str(o, FMP_F_STATE, fmp_source_state_name(row->state));
	put_u64(o, FMP_F_RANK, row->rank);
	put_u64(o, FMP_F_SUSPICIOUS, row->suspicious);
	put_u64(o, FMP_F_MALICIOUS, row->malicious);
	if (row->dest_port)
		put_u64(o, FMP_F_DEST_PORT, row->dest_port);
	put_u64(o, FMP_F_EVENTS, row->events);
	put_u64(o, FMP_F_GOOD, row->good);
	put_u64(o, FMP_F_UNPROVEN, row->unproven);
	put_u64(o, FMP_F_CPU_MS, row->cpu_ns / 1000000);
	put_u64(o, FMP_F_STRIKES, row->strikes);
	if (row->decision_id)
		put_u64(o, FMP_F_DECISION_ID, row->decision_id);
	if (row->blocked_until_ms && row->blocked_until_ms != UINT64_MAX)
		put_u64(o, FMP_F_LEFT_MS, since(row->blocked_until_ms, now));
	if (row->last_ms)
		put_u64(o, FMP_F_AGE_MS, since(now, row->last_ms));
	fmpd_out_end(o);
}

struct row_ctx {
	struct fmpd_out *o;
	uint64_t now;
};

static int on_row(const struct fmp_source_info *row, void *ctx)
{
	struct row_ctx *c = ctx;

	show_row(c->o, row, c->now, NULL);
	return 0;
}

void fmpd_show_sources(const struct fmpd_show *s, struct fmpd_out *o)
{
	struct row_ctx c = { .o = o, .now = fmpd_now_ms() };
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	fmp_engine_each(v.engine, c.now, on_row, &c);
}

/* ---- events ---- */

void fmpd_show_event(struct fmpd_out *o, const struct fmp_event *ev, uint64_t rank)
{
	fmpd_out_begin(o, "event");
	put_addr(o, FMP_F_ADDR, &ev->source);
	put_str(o, FMP_F_KIND, fmp_event_kind_name(ev->kind));
	put_u64(o, FMP_F_PROVEN, ev->proven);
	put_u64(o, FMP_F_RANK, rank);
	put_u64(o, FMP_F_SOURCE_PORT, ev->source_port);
	put_u64(o, FMP_F_DEST_PORT, ev->dest_port);
	put_u64(o, FMP_F_BYTES, ev->bytes);
	put_u64(o, FMP_F_CPU_NS, ev->cpu_ns);
	put_u64(o, FMP_F_TIME_NS, ev->time_ns);
	if (*ev->step)
		put_str(o, FMP_F_STEP, ev->step);
	if (*ev->service)
		put_str(o, FMP_F_SERVICE, ev->service);
	put_str(o, FMP_F_DETAIL, ev->detail);
	fmpd_out_end(o);
}

static void show_history(struct fmpd_out *o, const struct fmp_source_info *row, uint64_t now)
{
	for (unsigned i = 0; i < row->n_history; i++) {
		const struct fmp_history *h = &row->history[i];

		fmpd_out_begin(o, "event");
		put_addr(o, FMP_F_ADDR, &row->source);
		put_str(o, FMP_F_KIND, fmp_event_kind_name(h->kind));
		put_u64(o, FMP_F_AGE_MS, since(now, h->time_ms));
		put_u64(o, FMP_F_RANK, h->rank);
		if (h->dest_port)
			put_u64(o, FMP_F_DEST_PORT, h->dest_port);
		put_str(o, FMP_F_DETAIL, h->detail);
		fmpd_out_end(o);
	}
}

/* ---- decisions ---- */

/* What a dump of one layer says of one decision. */
struct seen {
	const struct fmp_decision *d;
	bool ip, mac; /* found */
	uint64_t frames, bytes, first_hit_ns;
};

static int on_rule(const struct fmp_rule *rule, void *ctx)
{
	struct seen *s = ctx;
	bool ip = fmp_addr_equal(&rule->addr, &s->d->source);
	bool mac = s->d->mac.family && fmp_addr_equal(&rule->addr, &s->d->mac);

	if (!ip && !mac)
		return 0;
	s->ip |= ip;
	s->mac |= mac;
	s->frames += rule->frames;
	s->bytes += rule->bytes;
	if (rule->first_hit_ns && (!s->first_hit_ns || rule->first_hit_ns < s->first_hit_ns))
		s->first_hit_ns = rule->first_hit_ns;
	return 0;
}

/* The IP layer has no MACs: there the address alone is all that was asked. */
static bool all_seen(const struct seen *s, unsigned layer)
{
	if (layer == FMP_LAYER_IP || !s->d->mac.family)
		return s->ip;
	return s->ip && s->mac;
}

static void put_kernel(const struct fmpd_plane_view *v, struct fmpd_out *o,
		       const struct fmp_decision *d, unsigned layer)
{
	struct seen s = { .d = d };

	if (!(fmp_enforcer_layers(v->enforcer) & FMP_LAYER_BIT(layer)))
		return;
	if (fmp_enforcer_dump(v->enforcer, layer, on_rule, &s, NULL)) {
		put_str(o, FMP_F_KERNEL, "unknown");
		return;
	}
	put_str(o, FMP_F_KERNEL, all_seen(&s, layer) ? "enforced" : "missing");
	if (s.frames || s.bytes) {
		put_u64(o, FMP_F_FRAMES, s.frames);
		put_u64(o, FMP_F_BYTES, s.bytes);
	}
	if (s.first_hit_ns)
		put_u64(o, FMP_F_FIRST_HIT_NS, s.first_hit_ns);
}

static void show_answers(const struct fmpd_plane_view *v, struct fmpd_out *o,
			 const struct fmpd_record *r, bool ask)
{
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		const struct fmp_answer *a = &r->answers[l];

		if (!(r->d.layers & FMP_LAYER_BIT(l)))
			continue;
		fmpd_out_begin(o, "answer");
		put_u64(o, FMP_F_DECISION_ID, r->d.id);
		put_str(o, FMP_F_LAYER, fmp_layer_name(l));
		put_str(o, FMP_F_STATE, fmpd_answer_word(a->state));
		if (a->sys_errno)
			put_u64(o, FMP_F_ERRNO, (uint64_t)a->sys_errno);
		if (a->text[0])
			put_str(o, FMP_F_TEXT, a->text);
		else if (a->state == FMP_ANSWER_NONE)
			put_str(o, FMP_F_TEXT, fmp_enforcer_why(v->enforcer, l));
		put_u64(o, FMP_F_TIME_NS, r->answered_ns);
		if (ask && r->in_force)
			put_kernel(v, o, &r->d, l);
		fmpd_out_end(o);
	}
}

void fmpd_show_decision(const struct fmpd_show *s, struct fmpd_out *o, const struct fmpd_record *r,
			bool ask)
{
	const struct fmp_decision *d = &r->d;
	uint64_t now = fmpd_now_ms();
	struct fmpd_plane_view v;
	char layers[32];

	fmpd_plane_view(s->plane, &v);
	fmpd_out_begin(o, "decision");
	put_u64(o, FMP_F_DECISION_ID, d->id);
	put_str(o, FMP_F_ACTION, d->action == FMP_ACTION_BLOCK ? "block" : "unblock");
	put_str(o, FMP_F_STATE, r->in_force ? "in force" : "ended");
	put_addr(o, FMP_F_ADDR, &d->source);
	if (d->mac.family)
		put_addr(o, FMP_F_MAC, &d->mac);
	else if (fmp_addr_is_ip(&d->source))
		put_str(o, FMP_F_MAC_VETO, fmp_mac_veto_text(d->mac_veto));
	put_str(o, FMP_F_LAYERS, fmp_layers_format(d->layers, layers, sizeof(layers)));
	put_u64(o, FMP_F_DURATION_MS, d->duration_ms);
	if (r->in_force && d->duration_ms)
		put_u64(o, FMP_F_LEFT_MS, fmpd_record_left_ms(r, now));
	put_u64(o, FMP_F_AGE_MS, since(now, d->time_ms));
	put_u64(o, FMP_F_TIME_NS, r->threshold_ns);
	put_u64(o, FMP_F_MANUAL, d->manual);
	put_str(o, FMP_F_REASON, d->reason);
	fmpd_out_end(o);
	show_answers(&v, o, r, ask);
}

void fmpd_show_decisions(const struct fmpd_show *s, struct fmpd_out *o)
{
	struct fmpd_plane_view v;
	struct fmpd_record *r;

	fmpd_plane_view(s->plane, &v);
	for (r = fmpd_book_first(v.book); r; r = fmpd_book_next(r))
		fmpd_show_decision(s, o, r, false);
}

/* ---- why ---- */

static void show_entry(struct fmpd_out *o, const struct fmp_protect_entry *e)
{
	fmpd_out_begin(o, "protected");
	put_addr(o, FMP_F_ADDR, &e->addr);
	put_str(o, FMP_F_ORIGIN, fmp_protect_origin_name(e->origin));
	fmpd_out_end(o);
}

void fmpd_show_why(const struct fmpd_show *s, struct fmpd_out *o, const struct fmp_addr *addr)
{
	struct fmp_source_info row = { 0 };
	const struct fmpd_record *r;
	uint64_t now = fmpd_now_ms();
	struct fmpd_plane_view v;
	struct fmp_addr mac;
	bool has_mac;

	fmpd_plane_view(s->plane, &v);
	has_mac = fmp_addr_is_ip(addr) && !fmp_net_lookup_mac(v.net, addr, &mac);
	if (fmp_engine_get(v.engine, addr, now, &row)) {
		row.source = *addr;
		row.suspicious = v.policy->suspicion.suspicious;
		row.malicious = v.policy->suspicion.malicious;
	}
	r = fmpd_book_cover(v.book, &row.source);
	if (!r)
		r = fmpd_book_cover(v.book, addr);
	show_row(o, &row, now, has_mac ? &mac : NULL);
	show_history(o, &row, now);
	if (r)
		fmpd_show_decision(s, o, r, true);
	fmpd_show_protection(s, o, addr);
}

void fmpd_show_protection(const struct fmpd_show *s, struct fmpd_out *o,
			  const struct fmp_addr *addr)
{
	const struct fmp_protect_entry *entry;
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	entry = fmp_protect_check(v.protect, addr);
	if (entry)
		show_entry(o, entry);
}

void fmpd_show_protected(const struct fmpd_show *s, struct fmpd_out *o)
{
	const struct fmp_protect_entry *set;
	struct fmpd_plane_view v;
	size_t n;

	fmpd_plane_view(s->plane, &v);
	n = fmp_protect_list(v.protect, &set);
	for (size_t i = 0; i < n; i++)
		show_entry(o, &set[i]);
}

void fmpd_show_policy(const struct fmpd_show *s, struct fmpd_out *o)
{
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	fmpd_out_begin(o, "policy");
	put_str(o, FMP_F_NAME, v.policy->name);
	put_str(o, FMP_F_FILE, v.policy->file);
	put_str(o, FMP_F_SECURITY, fmp_security_name(v.policy->gateway.security));
	put_u64(o, FMP_F_OBSERVE, v.policy->block.observe);
	put_u64(o, FMP_F_SUSPICIOUS, v.policy->suspicion.suspicious);
	put_u64(o, FMP_F_MALICIOUS, v.policy->suspicion.malicious);
	put_u64(o, FMP_F_DURATION_MS, v.policy->block.duration_ms);
	fmpd_out_end(o);
}
