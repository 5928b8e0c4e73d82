// SPDX-License-Identifier: GPL-2.0
#include "show.h"

#include <stdio.h>

#include <string.h>

#include "../common/clock.h"
#include "../table/covering_block.h"

/* Blocks shown for one address: many may share a MAC, and the first ones are enough. */
#define COVERS_MAX 16u

/* ---- sources ---- */

/* The IPv4 host behind a form; also for a prefix found in the network, whose hosts are sources of their own. */
static void put_ipv4(const struct fmpd_plane_view *v, struct fmpd_reply *o,
		     const struct fmp_addr *addr)
{
	struct fmp_addr host;
	bool is = fmp_addr_ipv4_host(addr, &v->policy->nat64, &host);

	for (uint32_t i = 0; !is && i < v->translators->n; i++)
		is = fmp_addr_is_form(addr, &v->translators->prefix[i]) &&
		     fmp_addr_extract(addr, &v->translators->prefix[i], &host);
	if (is)
		fmpd_reply_put_addr(o, FMP_F_IPV4, &host);
}

static void put_row(const struct fmpd_plane_view *v, struct fmpd_reply *o,
		    const struct fmp_source_info *row, const char *state, uint64_t now)
{
	fmpd_reply_put_addr(o, FMP_F_ADDR, &row->source);
	put_ipv4(v, o, &row->source);
	fmpd_reply_put_str(o, FMP_F_STATE, state);
	fmpd_reply_put_u64(o, FMP_F_RANK, row->rank);
	fmpd_reply_put_u64(o, FMP_F_SUSPICIOUS, row->suspicious);
	fmpd_reply_put_u64(o, FMP_F_MALICIOUS, row->malicious);
	if (*row->rule)
		fmpd_reply_put_str(o, FMP_F_RULE, row->rule);
	if (row->dest_port)
		fmpd_reply_put_u64(o, FMP_F_DEST_PORT, row->dest_port);
	fmpd_reply_put_u64(o, FMP_F_EVENTS, row->events);
	fmpd_reply_put_u64(o, FMP_F_GOOD, row->good);
	fmpd_reply_put_u64(o, FMP_F_UNPROVEN, row->unproven);
	fmpd_reply_put_u64(o, FMP_F_CPU_MS, row->cpu_ns / 1000000);
	fmpd_reply_put_u64(o, FMP_F_STRIKES, row->offences);
	if (row->decision_id)
		fmpd_reply_put_u64(o, FMP_F_DECISION_ID, row->decision_id);
	if (row->blocked_until_ms && row->blocked_until_ms != UINT64_MAX)
		fmpd_reply_put_u64(o, FMP_F_LEFT_MS, fmpd_since(row->blocked_until_ms, now));
	if (row->last_ms)
		fmpd_reply_put_u64(o, FMP_F_AGE_MS, fmpd_since(now, row->last_ms));
}

struct row_ctx {
	const struct fmpd_plane_view *v;
	struct fmpd_reply *o;
	uint64_t now;
};

static int on_row(const struct fmp_source_info *row, void *ctx)
{
	struct row_ctx *c = ctx;

	fmpd_reply_begin(c->o, "source");
	put_row(c->v, c->o, row, fmp_source_state_name(row->state), c->now);
	fmpd_reply_end(c->o);
	return 0;
}

void fmpd_show_sources(const struct fmpd_show *s, struct fmpd_reply *o)
{
	struct fmpd_plane_view v;
	struct row_ctx c = { .v = &v, .o = o, .now = fmpd_now_ms() };

	fmpd_plane_view(s->plane, &v);
	fmp_engine_each(v.engine, c.now, on_row, &c);
}

/* ---- events ---- */

void fmpd_show_event(struct fmpd_reply *o, const struct fmp_event *ev, uint64_t rank,
		     const struct fmp_addr *mac)
{
	fmpd_reply_begin(o, "event");
	fmpd_reply_put_addr(o, FMP_F_ADDR, &ev->source);
	fmpd_reply_put_str(o, FMP_F_KIND, fmp_event_kind_name(ev->kind));
	if (mac->family)
		fmpd_reply_put_addr(o, FMP_F_MAC, mac);
	fmpd_reply_put_u64(o, FMP_F_PROVEN, ev->proven);
	fmpd_reply_put_u64(o, FMP_F_RANK, rank);
	fmpd_reply_put_u64(o, FMP_F_SOURCE_PORT, ev->source_port);
	fmpd_reply_put_u64(o, FMP_F_DEST_PORT, ev->dest_port);
	fmpd_reply_put_u64(o, FMP_F_BYTES, ev->bytes);
	fmpd_reply_put_u64(o, FMP_F_CPU_NS, ev->cpu_ns);
	fmpd_reply_put_u64(o, FMP_F_TIME_NS, ev->time_ns);
	if (*ev->step)
		fmpd_reply_put_str(o, FMP_F_STEP, ev->step);
	if (*ev->service)
		fmpd_reply_put_str(o, FMP_F_SERVICE, ev->service);
	fmpd_reply_put_str(o, FMP_F_DETAIL, ev->detail);
	fmpd_reply_end(o);
}

static void show_history(struct fmpd_reply *o, const struct fmp_source_info *row, uint64_t now)
{
	for (unsigned i = 0; i < row->n_history; i++) {
		const struct fmp_history *h = &row->history[i];

		fmpd_reply_begin(o, "event");
		fmpd_reply_put_addr(o, FMP_F_ADDR, &row->source);
		fmpd_reply_put_str(o, FMP_F_KIND, fmp_event_kind_name(h->kind));
		fmpd_reply_put_u64(o, FMP_F_AGE_MS, fmpd_since(now, h->time_ms));
		fmpd_reply_put_u64(o, FMP_F_RANK, h->rank);
		if (h->dest_port)
			fmpd_reply_put_u64(o, FMP_F_DEST_PORT, h->dest_port);
		fmpd_reply_put_str(o, FMP_F_DETAIL, h->detail);
		fmpd_reply_end(o);
	}
}

/* ---- decisions ---- */

/* The rules of one decision on a layer. */
struct rule_counters {
	bool all; /* the layer has all of them */
	uint64_t frames, bytes, first_hit_ns;
};

/* Read one rule. Return: 0, also if it is missing; or why the layer could not be read. */
static int read_rule(const struct fmpd_plane_view *v, unsigned layer, const struct fmp_rule *key,
		     struct rule_counters *s)
{
	struct fmp_rule rule;
	int rc = fmp_enforcer_find(v->enforcer, layer, key, &rule, NULL);

	if (rc == FMP_ERR_NOTFOUND)
		s->all = false;
	if (rc)
		return rc == FMP_ERR_NOTFOUND ? 0 : rc;
	s->frames += rule.frames;
	s->bytes += rule.bytes;
	if (rule.first_hit_ns && (!s->first_hit_ns || rule.first_hit_ns < s->first_hit_ns))
		s->first_hit_ns = rule.first_hit_ns;
	return 0;
}

/* Read the rules of a decision; the IP layer has none for MACs. */
static int read_rules(const struct fmpd_plane_view *v, const struct fmp_decision *d, unsigned layer,
		      struct rule_counters *s)
{
	const struct fmp_rule ip = { .addr = d->source,
				     .pair_mac = d->pair_mac,
				     .dest_port = d->dest_port,
				     .rate = d->action_kind == FMP_ACTION_KIND_LIMIT };
	const struct fmp_rule mac = { .addr = d->mac };
	int rc = read_rule(v, layer, &ip, s);

	if (rc || layer == FMP_LAYER_IP || !d->mac.family || fmp_decision_narrowed(d))
		return rc;
	return read_rule(v, layer, &mac, s);
}

/* @lacks_hook: the layer may have the rule, but frames of the source's device do not pass it */
static void put_kernel(const struct fmpd_plane_view *v, struct fmpd_reply *o,
		       const struct fmp_decision *d, unsigned layer, bool lacks_hook)
{
	struct rule_counters s = { .all = true };

	if (read_rules(v, d, layer, &s)) {
		fmpd_reply_put_str(o, FMP_F_KERNEL, "unknown");
		return;
	}
	fmpd_reply_put_str(o, FMP_F_KERNEL,
			   !s.all	? "missing"
			   : lacks_hook ? "no hook"
					: "enforced");
	if (s.frames || s.bytes) {
		fmpd_reply_put_u64(o, FMP_F_FRAMES, s.frames);
		fmpd_reply_put_u64(o, FMP_F_BYTES, s.bytes);
	}
	if (s.first_hit_ns)
		fmpd_reply_put_u64(o, FMP_F_FIRST_HIT_NS, s.first_hit_ns);
}

static void show_answers(const struct fmpd_plane_view *v, struct fmpd_reply *o,
			 const struct fmpd_record *r, bool ask)
{
	struct fmp_decision d = fmpd_record_decision(r);
	/* Bits of the layers that are able to hold a rule of it, and are there. */
	unsigned capable = fmpd_record_capable_layers(r) & fmp_enforcer_layers(v->enforcer);
	char device[16] = "", lacks[64] = "";

	if (ask && r->in_force && fmp_net_device(v->net, &r->d.source, device))
		device[0] = '\0';
	snprintf(lacks, sizeof(lacks), "not at %s, where its frames come in", device);
	if (fmpd_record_mac_expired(r, fmpd_now_ms()))
		d.mac = (struct fmp_addr){ 0 };
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		const char *words = fmpd_table_result_text(v->table, r, l);
		int sys_errno = fmpd_record_errno(r, l);
		bool lacks_hook = *device && (capable & FMP_LAYER_BIT(l)) &&
				  !fmp_enforcer_hooked(v->enforcer, l, device);

		if (!(r->d.layers & FMP_LAYER_BIT(l)))
			continue;
		fmpd_reply_begin(o, "answer");
		fmpd_reply_put_u64(o, FMP_F_DECISION_ID, r->d.id);
		fmpd_reply_put_str(o, FMP_F_LAYER, fmp_layer_name(l));
		fmpd_reply_put_str(o, FMP_F_STATE, fmpd_result_name(r->states[l]));
		if (sys_errno)
			fmpd_reply_put_u64(o, FMP_F_ERRNO, (uint64_t)sys_errno);
		if (*words)
			fmpd_reply_put_str(o, FMP_F_TEXT, words);
		else if (r->states[l] == FMP_LAYER_RESULT_NONE)
			fmpd_reply_put_str(o, FMP_F_TEXT, fmp_enforcer_why(v->enforcer, l));
		else if (lacks_hook)
			fmpd_reply_put_str(o, FMP_F_TEXT, lacks);
		fmpd_reply_put_u64(o, FMP_F_TIME_NS, r->results_ns);
		if (ask && r->in_force && (capable & FMP_LAYER_BIT(l)))
			put_kernel(v, o, &d, l, lacks_hook);
		fmpd_reply_end(o);
	}
}

static void put_mac(struct fmpd_reply *o, const struct fmpd_record *r, uint64_t now_ms)
{
	bool over = r->in_force && fmpd_record_mac_expired(r, now_ms);

	struct fmp_addr mac = fmpd_packed_mac(&r->d), pair = fmpd_packed_pair_mac(&r->d);

	if (pair.family)
		fmpd_reply_put_addr(o, FMP_F_PAIR_MAC, &pair);
	if (mac.family && !over) {
		fmpd_reply_put_addr(o, FMP_F_MAC, &mac);
		if (r->d.mac_s && r->in_force)
			fmpd_reply_put_u64(o, FMP_F_MAC_LEFT_MS,
					   fmpd_record_mac_left_ms(r, now_ms));
	} else if (fmp_addr_is_ip(&r->d.source)) {
		fmpd_reply_put_str(o, FMP_F_MAC_VETO,
				   fmp_mac_veto_text(over ? FMP_MAC_RANDOM : r->d.mac_veto));
	}
}

/* "in force" only if a layer holds it: the policy may only observe, and each layer may be absent or have failed. */
static const char *get_state(const struct fmpd_plane_view *v, const struct fmpd_record *r,
			     bool observes)
{
	unsigned capable = fmpd_record_capable_layers(r) & fmp_enforcer_layers(v->enforcer);

	if (!r->in_force)
		return "ended";
	if (observes)
		return "observed";
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if ((capable & FMP_LAYER_BIT(l)) && r->states[l] == FMP_LAYER_RESULT_ENFORCED)
			return "in force";
	return "not enforced";
}

static void put_decision(struct fmpd_reply *o, const struct fmpd_plane_view *v,
			 const struct fmpd_record *r)
{
	bool observes = v->policy->block.observe || !fmp_enforcer_layers(v->enforcer);
	const struct fmpd_packed_decision *d = &r->d;
	uint64_t now = fmpd_now_ms();
	char layers[32];

	fmpd_reply_put_u64(o, FMP_F_DECISION_ID, d->id);
	fmpd_reply_put_str(o, FMP_F_ACTION, d->action == FMP_ACTION_BLOCK ? "block" : "unblock");
	fmpd_reply_put_str(o, FMP_F_STATE, get_state(v, r, observes));
	fmpd_reply_put_addr(o, FMP_F_ADDR, &d->source);
	put_ipv4(v, o, &d->source);
	put_mac(o, r, now);
	fmpd_reply_put_str(o, FMP_F_LAYERS, fmp_layers_format(d->layers, layers, sizeof(layers)));
	fmpd_reply_put_str(o, FMP_F_MEASURE, fmp_action_kind_name(d->action_kind));
	if (d->action_kind == FMP_ACTION_KIND_LIMIT)
		fmpd_reply_put_u64(o, FMP_F_RATE, d->rate);
	if (d->dest_port)
		fmpd_reply_put_u64(o, FMP_F_DEST_PORT, d->dest_port);
	fmpd_reply_put_u64(o, FMP_F_DURATION_MS, d->duration_ms);
	if (r->in_force && d->duration_ms)
		fmpd_reply_put_u64(o, FMP_F_LEFT_MS, fmpd_record_left_ms(r, now));
	fmpd_reply_put_u64(o, FMP_F_AGE_MS, fmpd_since(now, d->time_ms));
	fmpd_reply_put_u64(o, FMP_F_TIME_NS, r->threshold_ns);
	fmpd_reply_put_u64(o, FMP_F_MANUAL, d->manual);
	/* No layer holds it: it shows what would be blocked. */
	if (r->in_force && observes)
		fmpd_reply_put_u64(o, FMP_F_OBSERVE, 1);
	fmpd_reply_put_str(o, FMP_F_REASON, d->reason);
	if (*fmpd_table_set_name(v->table, r))
		fmpd_reply_put_str(o, FMP_F_SET, fmpd_table_set_name(v->table, r));
}

void fmpd_show_decision(const struct fmpd_show *s, struct fmpd_reply *o,
			const struct fmpd_record *r, bool ask)
{
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	fmpd_reply_begin(o, "decision");
	put_decision(o, &v, r);
	fmpd_reply_end(o);
	show_answers(&v, o, r, ask);
}

void fmpd_show_covering_blocks(const struct fmpd_show *s, struct fmpd_reply *o,
			       const struct fmp_addr *addr, const struct fmp_addr *mac,
			       const struct fmpd_record *but)
{
	struct fmpd_record *r = NULL;
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	for (unsigned n = 0; n < COVERS_MAX; n++) {
		r = fmpd_covering_block_next(v.table, r, addr, mac, fmpd_now_ms());
		if (!r)
			return;
		if (r == but)
			continue;
		fmpd_reply_begin(o, "covered");
		put_decision(o, &v, r);
		fmpd_reply_end(o);
	}
}

void fmpd_show_decisions(const struct fmpd_show *s, struct fmpd_reply *o, const char *set)
{
	struct fmpd_plane_view v;
	struct fmpd_record *r;

	fmpd_plane_view(s->plane, &v);
	for (r = fmpd_table_first(v.table); r; r = fmpd_table_next(r))
		if (!*set || !strcmp(set, fmpd_table_set_name(v.table, r)))
			fmpd_show_decision(s, o, r, false);
}

/* ---- why ---- */

void fmpd_show_entry(struct fmpd_reply *o, const struct fmp_protect_entry *e, const char *state)
{
	fmpd_reply_begin(o, "protected");
	fmpd_reply_put_addr(o, FMP_F_ADDR, &e->addr);
	fmpd_reply_put_str(o, FMP_F_ORIGIN, fmp_protect_origin_name(e->origin));
	if (state)
		fmpd_reply_put_str(o, FMP_F_STATE, state);
	fmpd_reply_end(o);
}

void fmpd_show_translator(struct fmpd_reply *o, const struct fmp_addr *prefix, const char *state)
{
	fmpd_reply_begin(o, "nat64");
	fmpd_reply_put_addr(o, FMP_F_ADDR, prefix);
	if (state)
		fmpd_reply_put_str(o, FMP_F_STATE, state);
	fmpd_reply_end(o);
}

void fmpd_show_translators(const struct fmpd_show *s, struct fmpd_reply *o)
{
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	for (uint32_t i = 0; i < v.translators->n; i++)
		fmpd_show_translator(o, &v.translators->prefix[i], NULL);
}

static bool is_prefix(const struct fmp_addr *a)
{
	return fmp_addr_is_ip(a) && a->prefix_len < fmp_addr_max_prefix(a->family);
}

static bool is_member(const struct fmpd_record *r, const struct fmp_addr *prefix)
{
	return !fmp_addr_equal(&r->d.source, prefix) && fmp_addr_contains(prefix, &r->d.source);
}

struct member_ctx {
	const struct fmp_addr *prefix;
	uint64_t sources;
};

static int on_member(const struct fmp_source_info *row, void *ctx)
{
	struct member_ctx *c = ctx;

	c->sources += !fmp_addr_equal(&row->source, c->prefix) &&
		      fmp_addr_contains(c->prefix, &row->source);
	return 0;
}

/* Count the known sources in a prefix, and the blocks; those of the prefix itself do not count. */
static void put_members(const struct fmpd_plane_view *v, struct fmpd_reply *o,
			const struct fmp_addr *prefix, uint64_t now)
{
	struct member_ctx c = { .prefix = prefix };
	struct fmpd_record *r;
	uint64_t blocks = 0;

	fmp_engine_each(v->engine, now, on_member, &c);
	for (r = fmpd_table_first(v->table); r; r = fmpd_table_next(r))
		blocks += is_member(r, prefix);
	fmpd_reply_put_u64(o, FMP_F_SOURCES, c.sources);
	fmpd_reply_put_u64(o, FMP_F_BLOCKS, blocks);
}

static void show_members(const struct fmpd_plane_view *v, struct fmpd_reply *o,
			 const struct fmp_addr *prefix)
{
	struct fmpd_record *r;
	unsigned n = 0;

	for (r = fmpd_table_first(v->table); r && n < COVERS_MAX; r = fmpd_table_next(r)) {
		if (!is_member(r, prefix))
			continue;
		n++;
		fmpd_reply_begin(o, "member");
		put_decision(o, v, r);
		fmpd_reply_end(o);
	}
}

/* For an address that is a source of its own because its prefix contains a protected address. */
static void put_prefix(const struct fmpd_plane_view *v, struct fmpd_reply *o,
		       const struct fmp_addr *addr, const struct fmp_addr *mac)
{
	struct fmp_source_info row;
	struct fmp_addr prefix = fmp_addr_mask(*addr, v->policy->suspicion.ipv6_prefix);
	const struct fmp_protect_entry *held = fmp_protect_check(v->protect, &prefix);

	if (addr->family != FMP_FAMILY_IPV6 || !held || fmp_protect_check(v->protect, addr))
		return;
	fmpd_reply_put_addr(o, FMP_F_PREFIX, &prefix);
	fmpd_reply_put_addr(o, FMP_F_HOLDS, &held->addr);
	fmpd_reply_put_str(o, FMP_F_ORIGIN, fmp_protect_origin_name(held->origin));
	if (!fmp_engine_get(v->engine, mac, fmpd_now_ms(), &row))
		fmpd_reply_put_u64(o, FMP_F_MAC_RANK, row.rank);
}

/* For an IPv4 host known by several forms: the sum of their ranks. */
static void put_host_rank(const struct fmpd_plane_view *v, struct fmpd_reply *o,
			  const struct fmp_addr *addr, uint64_t now)
{
	struct fmp_addr name[FMP_FORMS_MAX + 1] = { *addr };
	struct fmp_source_info row;
	uint64_t rank = 0;
	size_t known = 0, n;

	if (addr->family == FMP_FAMILY_IPV6 &&
	    !fmp_addr_ipv4_host(addr, &v->policy->nat64, &name[0]))
		return;
	n = 1 + fmp_addr_forms(&name[0], &v->policy->nat64, name + 1);
	for (size_t i = 0; i < n; i++) {
		bool again = false;

		for (size_t k = 0; k < i; k++)
			again |= fmp_addr_equal(&name[i], &name[k]);
		if (again || fmp_engine_get(v->engine, &name[i], now, &row) ||
		    !fmp_addr_equal(&row.source, &name[i]))
			continue;
		known++;
		rank += row.rank;
	}
	if (known > 1)
		fmpd_reply_put_u64(o, FMP_F_HOST_RANK, rank);
}

/* The thresholds that would apply to a source that is not known. */
static void put_rules(const struct fmpd_plane_view *v, const struct fmp_addr *addr,
		      struct fmp_source_info *row)
{
	struct fmp_policy_rules rules;

	fmp_policy_rules(v->policy, addr, NULL, &rules);
	row->suspicious = rules.suspicion->suspicious;
	row->malicious = rules.suspicion->malicious;
	if (rules.group)
		snprintf(row->rule, sizeof(row->rule), "group %s", rules.group->name);
}

/* Look up a source; an IPv4 host may be known by one of its forms. Return: 0, FMP_ERR_NOTFOUND. */
static int find_row(const struct fmpd_plane_view *v, const struct fmp_addr *addr, uint64_t now,
		    struct fmp_source_info *row)
{
	struct fmp_addr form[FMP_FORMS_MAX];
	size_t n;

	if (!fmp_engine_get(v->engine, addr, now, row))
		return 0;
	n = fmp_addr_forms(addr, &v->policy->nat64, form);
	for (size_t i = 0; i < n; i++)
		if (!fmp_engine_get(v->engine, &form[i], now, row) &&
		    fmp_addr_equal(&row->source, &form[i]))
			return 0;
	return FMP_ERR_NOTFOUND;
}

void fmpd_show_why(const struct fmpd_show *s, struct fmpd_reply *o, const struct fmp_addr *addr)
{
	struct fmp_source_info row = { 0 };
	const struct fmpd_record *r;
	uint64_t now = fmpd_now_ms();
	struct fmpd_plane_view v;
	struct fmp_addr mac = { 0 };
	bool known;

	fmpd_plane_view(s->plane, &v);
	known = !find_row(&v, addr, now, &row);
	if (!known) {
		row = (struct fmp_source_info){ .source = *addr };
		put_rules(&v, addr, &row);
	}
	r = fmpd_table_lookup(v.table, &row.source);
	if (!r)
		r = fmpd_table_lookup(v.table, addr);
	fmpd_reply_begin(o, "source");
	put_row(&v, o, &row, known ? fmp_source_state_name(row.state) : "unknown", now);
	if (is_prefix(addr))
		put_members(&v, o, addr, now);
	if (fmp_addr_is_ip(addr) && !fmp_net_lookup_mac(v.net, addr, &mac))
		fmpd_reply_put_addr(o, FMP_F_MAC, &mac);
	put_prefix(&v, o, addr, &mac);
	put_host_rank(&v, o, addr, now);
	fmpd_reply_end(o);
	show_history(o, &row, now);
	if (r)
		fmpd_show_decision(s, o, r, true);
	fmpd_show_covering_blocks(s, o, addr, &mac, r);
	if (is_prefix(addr))
		show_members(&v, o, addr);
	fmpd_show_protection(s, o, addr);
}

void fmpd_show_protection(const struct fmpd_show *s, struct fmpd_reply *o,
			  const struct fmp_addr *addr)
{
	const struct fmp_protect_entry *entry;
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	entry = fmp_protect_check_host(v.protect, addr, &v.policy->nat64);
	if (entry)
		fmpd_show_entry(o, entry, NULL);
}

void fmpd_show_protected(const struct fmpd_show *s, struct fmpd_reply *o)
{
	const struct fmp_protect_entry *set;
	struct fmpd_plane_view v;
	size_t n;

	fmpd_plane_view(s->plane, &v);
	n = fmp_protect_list(v.protect, &set);
	for (size_t i = 0; i < n; i++)
		fmpd_show_entry(o, &set[i], NULL);
}

void fmpd_show_policy(const struct fmpd_show *s, struct fmpd_reply *o)
{
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	fmpd_reply_begin(o, "policy");
	fmpd_reply_put_str(o, FMP_F_NAME, v.policy->name);
	fmpd_reply_put_str(o, FMP_F_FILE, v.policy->file);
	fmpd_reply_put_str(o, FMP_F_SECURITY, fmp_security_name(v.policy->gateway.security));
	fmpd_reply_put_u64(o, FMP_F_OBSERVE, v.policy->block.observe);
	fmpd_reply_put_u64(o, FMP_F_SUSPICIOUS, v.policy->suspicion.suspicious);
	fmpd_reply_put_u64(o, FMP_F_MALICIOUS, v.policy->suspicion.malicious);
	fmpd_reply_put_u64(o, FMP_F_DURATION_MS, v.policy->block.duration_ms);
	fmpd_reply_end(o);
}

static int on_setting(const struct fmp_policy_value *value, void *ctx)
{
	struct fmpd_reply *o = ctx;

	fmpd_reply_begin(o, "setting");
	fmpd_reply_put_str(o, FMP_F_NAME, value->path);
	fmpd_reply_put_str(o, FMP_F_VALUE, value->value);
	fmpd_reply_end(o);
	return 0;
}

int fmpd_show_settings(const struct fmpd_show *s, struct fmpd_reply *o)
{
	struct fmpd_plane_view v;

	fmpd_plane_view(s->plane, &v);
	return fmp_policy_each(v.policy, on_setting, o);
}
