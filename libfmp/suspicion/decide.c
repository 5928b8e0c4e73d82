// SPDX-License-Identifier: GPL-2.0
/* Decides what to do about a source that has gathered rank: nothing, a limit, a block, a narrowed
 * block. */
#include <suspicion/engine.h>

#include <stdio.h>
#include <string.h>

/* Everything that a decision depends on. */
struct evaluation {
	const struct fmp_policy_suspicion *suspicion;
	const struct fmp_policy_block *block;
	const struct fmp_policy_rules *rules; /* settings that apply to the message */
	const struct fmp_policy_group *group; /* its group; NULL: none */
	uint64_t weight; /* thousandths */
	const struct fmpi_row
		*siblings; /* row of the MAC that the weight is of; NULL: the row's own */
	enum fmp_event_kind kind; /* kind of event whose count is checked */
	uint32_t count; /* events of this kind within the policy's time */
	const struct fmpi_row
		*count_siblings; /* row of the MAC that the count is of; NULL: the row's own */
	bool forms, count_forms; /* weight, count: summed over all forms of the IPv4 host */
	bool suspicion_limit; /* a limit for being suspicious */
	bool whole; /* drops everything of the source */
	bool exempted; /* limited instead of blocked: its group is never blocked */
	uint64_t duration_ms;
	enum fmp_action_kind action_kind;
	uint32_t rate;
	uint16_t port;
};

/*
 * Do good messages outweigh the bad ones? Then other users may share the address. No, if bad
 * messages continue elsewhere than on the port to which the block is narrowed already.
 */
static bool is_outweighed(const struct fmp_engine *e, const struct fmpi_row *row,
			  const struct fmp_event *ev, const struct evaluation *j, uint64_t now_ms)
{
	const struct fmp_policy_shared *s = &e->policy->block.shared;

	if (s->narrow == FMP_NARROW_NO || j->weight >= (uint64_t)s->up_to * 1000 ||
	    fmpi_engine_credit(e, row, now_ms) < (uint64_t)s->credit * 1000)
		return false;
	return !row->blocked || !row->block_port || row->block_port == ev->dest_port;
}

void fmpi_rules_name(const struct fmp_policy_rules *rules, char *buf, size_t size)
{
	const struct fmp_policy_override *o = rules->override;
	const struct fmp_policy_group *g = rules->group;
	char port[16] = "", override[64] = "";

	if (o && o->port)
		snprintf(port, sizeof(port), "%sport %u", *o->service ? " " : "", o->port);
	if (o)
		snprintf(override, sizeof(override), "override of %s%s", o->service, port);
	snprintf(buf, size, "%s%s%s%s", g ? "group " : "", g ? g->name : "", g && o ? ", " : "",
		 override);
}

static bool has_points(const struct evaluation *j)
{
	return j->weight >= (uint64_t)j->suspicion->malicious * 1000;
}

static bool has_count(const struct evaluation *j)
{
	const struct fmp_policy_count *of = &j->suspicion->count[j->kind];

	return of->count && j->count >= of->count;
}

static bool is_malicious(const struct evaluation *j)
{
	return has_points(j) || has_count(j);
}

/* Fill in the action. Return: false if there is nothing to do. */
static bool evaluate_row(const struct fmp_engine *e, const struct fmpi_row *row,
			 const struct fmp_event *ev, struct evaluation *j, uint64_t now_ms)
{
	const struct fmp_policy *p = e->policy;
	bool blocked = row->blocked && !row->suspicion_limit;

	if (j->group && j->group->action == FMP_GROUP_OBSERVE)
		return false;
	if (!is_malicious(j)) {
		if (!p->suspicious.limit || row->blocked ||
		    j->weight < (uint64_t)j->suspicion->suspicious * 1000)
			return false;
		j->suspicion_limit = true;
		j->action_kind = FMP_ACTION_KIND_LIMIT;
		j->rate = p->suspicious.rate;
		j->duration_ms = p->suspicious.duration_ms;
		return true;
	}
	if (j->group && j->group->action == FMP_GROUP_LIMIT) {
		j->exempted = true;
		j->action_kind = FMP_ACTION_KIND_LIMIT;
		j->rate = j->group->rate;
		return !blocked;
	}
	/* Good messages do not turn an address that was already malicious into a shared one. */
	if (row->paired || !is_outweighed(e, row, ev, j, now_ms)) {
		j->whole = true;
		return true;
	}
	if (blocked)
		return false; /* narrowed already */
	if (p->block.shared.narrow == FMP_NARROW_PORT && ev->dest_port) {
		j->port = ev->dest_port;
	} else {
		j->action_kind = FMP_ACTION_KIND_LIMIT;
		j->rate = p->block.shared.rate;
	}
	return true;
}

/* Is there room for another block? Limits leave half of it to blocks: suspicion is cheap to
 * cause. */
static bool has_room(const struct fmp_engine *e, const struct fmpi_row *row,
		     const struct evaluation *j)
{
	uint32_t max = e->policy->enforce.max_blocks;

	if (j->suspicion_limit && e->table.suspicion_limit >= max / 2)
		return false;
	return row->blocked || e->table.blocked < max;
}

/* Write the threshold that was reached: "rank 105 of 100", or "3 of 3 signature events in 10min,
 * rank 90 of 100". */
static void write_threshold(const struct fmp_engine *e, const struct fmpi_row *row,
			    const struct evaluation *j, char *buf, size_t size)
{
	const struct fmp_policy_count *of = &j->suspicion->count[j->kind];
	char count[64] = "", within[32], addr[FMP_ADDR_STRLEN], owner[64] = "", rule[112];
	bool by_count = !j->suspicion_limit && !has_points(j);
	struct fmp_addr host;
	const struct fmpi_row *siblings = by_count ? j->count_siblings : j->siblings;

	if (by_count)
		snprintf(count, sizeof(count), "%u of %u %s events in %s, ", j->count, of->count,
			 fmp_event_kind_name(j->kind),
			 fmp_duration_format(of->within_ms, within, sizeof(within)));
	if (siblings)
		snprintf(owner, sizeof(owner), " by the addresses of MAC %s",
			 fmp_addr_format(&siblings->key, addr, sizeof(addr)));
	else if ((by_count ? j->count_forms : j->forms) && fmpi_host_find(e, &row->key, &host))
		snprintf(owner, sizeof(owner), " by all forms of %s",
			 fmp_addr_format(&host, addr, sizeof(addr)));
	fmpi_rules_name(j->rules, rule, sizeof(rule));
	snprintf(buf, size, "%srank %u of %u%s%s%s%s", count, (unsigned)(j->weight / 1000),
		 j->suspicion_limit ? j->suspicion->suspicious : j->suspicion->malicious,
		 *rule ? " (" : "", rule, *rule ? ")" : "", owner);
}

static void write_reason(const struct fmp_engine *e, const struct fmpi_row *row,
			 const struct fmp_event *ev, const struct evaluation *j,
			 struct fmp_decision *out)
{
	const char *kind = fmp_event_kind_name(ev->kind);
	char why[80] = "", threshold[280];
	char reason[sizeof(out->reason) + sizeof(ev->detail) + sizeof(threshold)];

	if (j->suspicion_limit)
		snprintf(why, sizeof(why), "suspicious: ");
	else if (j->exempted)
		snprintf(why, sizeof(why), "limited, its group is never blocked: ");
	else if (!j->whole)
		snprintf(why, sizeof(why), "narrowed, good messages come too: ");
	write_threshold(e, row, j, threshold, sizeof(threshold));
	snprintf(reason, sizeof(reason), "%s%s, newest: %s%s%s", why, threshold, kind,
		 ev->detail[0] ? ": " : "", ev->detail);
	if (strlen(reason) < sizeof(out->reason)) {
		memcpy(out->reason, reason, strlen(reason) + 1);
		return;
	}
	/* Cut it; the event in the history has the full text. */
	fmpi_copy_text(out->reason, sizeof(out->reason) - 3, reason);
	memcpy(out->reason + strlen(out->reason), "...", 4);
}

static void issue_block(struct fmp_engine *e, struct fmpi_row *row, const struct fmp_event *ev,
			struct evaluation *j, uint64_t now_ms, struct fmp_decision *out)
{
	/* Widening a narrow block is no further offence. After a pair block, messages come with
	 * another MAC: that is another offence. */
	bool wider = row->blocked && row->is_offence && !row->paired;

	*out = (struct fmp_decision){
		.id = e->next_id++,
		.action = FMP_ACTION_BLOCK,
		.source = row->key,
		.layers = j->block->layers,
		.time_ms = now_ms,
		.action_kind = j->action_kind,
		.rate = j->rate,
		.dest_port = j->port,
		.was_pair = row->paired,
	};
	out->duration_ms = j->suspicion_limit ? j->duration_ms
					      : fmpi_block_duration(e, j->block,
								    row->offences - wider, out->id);
	write_reason(e, row, ev, j, out);
	if (row->blocked)
		fmpi_table_unblock(&e->table, row, row->eviction_key);
	row->decision_id = out->id;
	row->layers = out->layers;
	row->has_mac = false;
	row->action_kind = j->action_kind;
	row->rate = j->rate;
	row->block_port = j->port;
	row->suspicion_limit = j->suspicion_limit;
	row->is_offence = !j->suspicion_limit;
	if (row->is_offence && !wider)
		row->offences += row->offences < UINT32_MAX;
	fmpi_table_block(&e->table, row, now_ms + out->duration_ms);
	e->stats.decisions++;
}

static void count_events(const struct fmpi_row *row, const struct fmpi_row *siblings,
			 struct evaluation *j, uint64_t now_ms)
{
	uint64_t within_ms = j->suspicion->count[j->kind].within_ms;
	uint32_t n;

	j->count = fmpi_ledger_count(fmpi_ledger_find(row->ledger, j->rules->override), j->kind,
				     within_ms, now_ms);
	n = siblings ? fmpi_ledger_count(fmpi_ledger_find(siblings->ledger, j->rules->override),
					 j->kind, within_ms, now_ms)
		     : 0;
	if (n > j->count) {
		j->count = n;
		j->count_siblings = siblings;
	}
}

/* Add what the same IPv4 host has gathered under its other addresses. */
static void add_host_forms(const struct fmp_engine *e, const struct fmpi_row *row,
			   struct evaluation *j, uint64_t now_ms)
{
	uint64_t within_ms = j->suspicion->count[j->kind].within_ms, weight = 0, own;
	struct fmpi_row *rows[FMPI_FORMS_MAX];
	size_t n = fmpi_forms_rows(e, &row->key, rows);
	uint32_t count = 0;

	for (size_t i = 0; i < n; i++) {
		weight += fmpi_engine_pool_weight(e, rows[i], j->rules->override, now_ms);
		count += fmpi_ledger_count(fmpi_ledger_find(rows[i]->ledger, j->rules->override),
					   j->kind, within_ms, now_ms);
	}
	own = fmpi_engine_pool_weight(e, row, j->rules->override, now_ms);
	if (weight && own + weight > j->weight) {
		j->weight = own + weight;
		j->siblings = NULL;
		j->forms = true;
	}
	count += count ? fmpi_ledger_count(fmpi_ledger_find(row->ledger, j->rules->override),
					   j->kind, within_ms, now_ms)
		       : 0;
	if (count > j->count) {
		j->count = count;
		j->count_siblings = NULL;
		j->count_forms = true;
	}
}

static struct evaluation collect_evaluation(const struct fmp_engine *e, const struct fmpi_row *row,
					    const struct fmpi_row *siblings,
					    enum fmp_event_kind kind,
					    const struct fmp_policy_rules *rules, uint64_t now_ms)
{
	struct evaluation j = {
		.suspicion = rules->suspicion,
		.block = rules->block,
		.group = rules->group,
		.rules = rules,
		.kind = kind,
		.weight = fmpi_engine_pool_weight(e, row, rules->override, now_ms),
	};
	uint64_t sum;

	if (siblings && !fmpi_mac_siblings_apply(row))
		siblings = NULL;
	sum = siblings ? fmpi_engine_pool_weight(e, siblings, rules->override, now_ms) : 0;
	if (sum > j.weight) {
		j.weight = sum;
		j.siblings = siblings;
	}
	count_events(row, siblings, &j, now_ms);
	if (fmpi_mac_siblings_apply(row))
		add_host_forms(e, row, &j, now_ms);
	return j;
}

bool fmpi_is_malicious(const struct fmp_engine *e, const struct fmpi_row *row,
		       const struct fmpi_row *siblings, enum fmp_event_kind kind,
		       const struct fmp_policy_rules *rules, uint64_t now_ms)
{
	const struct evaluation j = collect_evaluation(e, row, siblings, kind, rules, now_ms);

	return is_malicious(&j);
}

/* Let a row wait for room. @by_count: events of this kind made it malicious. Return: false: it waited
 * already, or there is no memory. */
static bool start_waiting(struct fmp_engine *e, struct fmpi_row *row,
			  const struct fmpi_row *siblings, const struct fmp_policy_rules *rules,
			  enum fmp_event_kind kind, bool by_count, uint64_t now_ms)
{
	const struct fmp_policy_override *o = rules->override;
	bool begins = fmpi_table_start_waiting(&e->table, row);

	if (!row->waiting)
		return false;
	if (siblings)
		fmpi_row_set_mac(row, &siblings->key);
	if (by_count)
		row->waiting_kinds |= UINT32_C(1) << kind;
	row->waiting_override = o ? (uint16_t)(o - e->policy->overrides + 1) : 0;
	fmpi_table_set_eviction_key(&e->table, row, fmpi_row_eviction_key(e, row, now_ms));
	return begins;
}

int fmpi_decide(struct fmp_engine *e, struct fmpi_row *row, const struct fmpi_row *siblings,
		const struct fmp_event *ev, enum fmp_event_kind kind,
		const struct fmp_policy_rules *rules, uint64_t now_ms, struct fmp_decision *out)
{
	struct evaluation j = collect_evaluation(e, row, siblings, kind, rules, now_ms);

	if (now_ms < row->quiet_ms || fmpi_row_blocks_all(row) ||
	    !evaluate_row(e, row, ev, &j, now_ms) || fmpi_table_find_covering(&e->table, &row->key))
		return 0;
	if (j.whole && (!row->blocked || row->suspicion_limit) &&
	    fmpi_prefix_aggregate(e, row, ev, now_ms, out))
		return 1;
	if (!has_room(e, row, &j)) {
		/* Counted once for each source, however many messages it sends. */
		e->stats.refused += j.suspicion_limit || start_waiting(e, row, siblings, rules,
								       kind, has_count(&j), now_ms);
		return 0;
	}
	issue_block(e, row, ev, &j, now_ms, out);
	return 1;
}
