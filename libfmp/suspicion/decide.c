// SPDX-License-Identifier: GPL-2.0
/* What is done about a source that has gathered rank: nothing, a limit, a block, a narrowed one. */
#include <suspicion/engine.h>

#include <stdio.h>
#include <string.h>

/* Of everything that bears on one decision. */
struct judgement {
	const struct fmp_policy_suspicion *suspicion;
	const struct fmp_policy_block *block;
	const struct fmp_policy_rules *rules; /* what holds for the message */
	const struct fmp_policy_group *group; /* of them; NULL: none */
	uint64_t weight; /* thousandths */
	const struct fmpi_row *kin; /* whose weight it is; NULL: the row's own */
	enum fmp_event_kind kind; /* of events that may be as many as count */
	uint32_t count; /* of events of this kind, in the time that the policy counts them in */
	const struct fmpi_row *count_kin; /* whose events they are; NULL: the row's own */
	bool forms, count_forms; /* both are of all forms of its IPv4 host */
	bool watched; /* limited for being suspicious */
	bool whole; /* nothing of the source passes */
	bool spared; /* limited where others are blocked: its group is never blocked */
	uint64_t duration_ms;
	enum fmp_action_kind measure;
	uint32_t rate;
	uint16_t port;
};

/* The same number for the same key and id, evenly spread (splitmix64). */
static uint64_t scatter(uint64_t key, uint64_t id)
{
	uint64_t z = key + id * 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

uint64_t fmpi_duration(const struct fmp_engine *e, const struct fmp_policy_block *b,
		       uint32_t strikes, uint64_t id)
{
	uint64_t ms = b->duration_ms, off;

	for (uint32_t i = 0; i < strikes && ms < b->max_ms && b->factor_pct > 100; i++) {
		if (__builtin_mul_overflow(ms, b->factor_pct, &ms)) {
			ms = b->max_ms;
			break;
		}
		ms /= 100;
	}
	if (ms > b->max_ms)
		ms = b->max_ms;
	off = ms / 100 * b->jitter_pct;
	return off ? ms - scatter(e->jitter, id) % (off + 1) : ms;
}

/*
 * Good messages outweigh what is bad of this source: others may stand behind its address.
 * Not so if what is bad goes on elsewhere than where it is narrowed to already.
 */
static bool outweighed(const struct fmp_engine *e, const struct fmpi_row *row,
		       const struct fmp_event *ev, const struct judgement *j, uint64_t now_ms)
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

static bool has_points(const struct judgement *j)
{
	return j->weight >= (uint64_t)j->suspicion->malicious * 1000;
}

static bool has_count(const struct judgement *j)
{
	const struct fmp_policy_count *of = &j->suspicion->count[j->kind];

	return of->count && j->count >= of->count;
}

static bool is_malicious(const struct judgement *j)
{
	return has_points(j) || has_count(j);
}

/* Return: is anything to be done? */
static bool judge(const struct fmp_engine *e, const struct fmpi_row *row,
		  const struct fmp_event *ev, struct judgement *j, uint64_t now_ms)
{
	const struct fmp_policy *p = e->policy;
	bool blocked = row->blocked && !row->watched;

	if (j->group && j->group->action == FMP_GROUP_OBSERVE)
		return false;
	if (!is_malicious(j)) {
		if (!p->suspicious.limit || row->blocked ||
		    j->weight < (uint64_t)j->suspicion->suspicious * 1000)
			return false;
		j->watched = true;
		j->measure = FMP_ACTION_KIND_LIMIT;
		j->rate = p->suspicious.rate;
		j->duration_ms = p->suspicious.duration_ms;
		return true;
	}
	if (j->group && j->group->action == FMP_GROUP_LIMIT) {
		j->spared = true;
		j->measure = FMP_ACTION_KIND_LIMIT;
		j->rate = j->group->rate;
		return !blocked;
	}
	/* Good messages don't make an address that was malicious before a shared one. */
	if (row->paired || !outweighed(e, row, ev, j, now_ms)) {
		j->whole = true;
		return true;
	}
	if (blocked)
		return false; /* narrowed already */
	if (p->block.shared.narrow == FMP_NARROW_PORT && ev->dest_port) {
		j->port = ev->dest_port;
	} else {
		j->measure = FMP_ACTION_KIND_LIMIT;
		j->rate = p->block.shared.rate;
	}
	return true;
}

/* Is there room for one more? Limits leave half of it to blocks: suspicion comes cheap. */
static bool room(const struct fmp_engine *e, const struct fmpi_row *row, const struct judgement *j)
{
	uint32_t max = e->policy->enforce.max_blocks;

	if (j->watched && e->table.watched >= max / 2)
		return false;
	return row->blocked || e->table.blocked < max;
}

/* The threshold that counted: "rank 105 of 100", or "3 of 3 signature events in 10min, rank 90 of 100". */
static void put_threshold(const struct fmp_engine *e, const struct fmpi_row *row,
			  const struct judgement *j, char *buf, size_t size)
{
	const struct fmp_policy_count *of = &j->suspicion->count[j->kind];
	char count[64] = "", within[32], addr[FMP_ADDR_STRLEN], whose[64] = "", rule[112];
	bool by_count = !j->watched && !has_points(j);
	struct fmp_addr host;
	const struct fmpi_row *kin = by_count ? j->count_kin : j->kin;

	if (by_count)
		snprintf(count, sizeof(count), "%u of %u %s events in %s, ", j->count, of->count,
			 fmp_event_kind_name(j->kind),
			 fmp_duration_format(of->within_ms, within, sizeof(within)));
	if (kin)
		snprintf(whose, sizeof(whose), " by the addresses of MAC %s",
			 fmp_addr_format(&kin->key, addr, sizeof(addr)));
	else if ((by_count ? j->count_forms : j->forms) && fmpi_host_of(e, &row->key, &host))
		snprintf(whose, sizeof(whose), " by all forms of %s",
			 fmp_addr_format(&host, addr, sizeof(addr)));
	fmpi_rules_name(j->rules, rule, sizeof(rule));
	snprintf(buf, size, "%srank %u of %u%s%s%s%s", count, (unsigned)(j->weight / 1000),
		 j->watched ? j->suspicion->suspicious : j->suspicion->malicious, *rule ? " (" : "",
		 rule, *rule ? ")" : "", whose);
}

static void give_reason(const struct fmp_engine *e, const struct fmpi_row *row,
			const struct fmp_event *ev, const struct judgement *j,
			struct fmp_decision *out)
{
	const char *kind = fmp_event_kind_name(ev->kind);
	char why[80] = "", threshold[280];
	char reason[sizeof(out->reason) + sizeof(ev->detail) + sizeof(threshold)];

	if (j->watched)
		snprintf(why, sizeof(why), "suspicious: ");
	else if (j->spared)
		snprintf(why, sizeof(why), "limited, its group is never blocked: ");
	else if (!j->whole)
		snprintf(why, sizeof(why), "narrowed, good messages come too: ");
	put_threshold(e, row, j, threshold, sizeof(threshold));
	snprintf(reason, sizeof(reason), "%s%s, newest: %s%s%s", why, threshold, kind,
		 ev->detail[0] ? ": " : "", ev->detail);
	if (strlen(reason) < sizeof(out->reason)) {
		memcpy(out->reason, reason, strlen(reason) + 1);
		return;
	}
	/* Cut, and the event itself says all of it. */
	fmpi_copy_text(out->reason, sizeof(out->reason) - 3, reason);
	memcpy(out->reason + strlen(out->reason), "...", 4);
}

static void enforce(struct fmp_engine *e, struct fmpi_row *row, const struct fmp_event *ev,
		    struct judgement *j, uint64_t now_ms, struct fmp_decision *out)
{
	/* A block that only becomes wider was counted when it was narrow. By an address that is
	 * blocked in a pair nobody comes but with another MAC: that is another offence. */
	bool wider = row->blocked && row->struck && !row->paired;

	*out = (struct fmp_decision){
		.id = e->next_id++,
		.action = FMP_ACTION_BLOCK,
		.source = row->key,
		.layers = j->block->layers,
		.time_ms = now_ms,
		.measure = j->measure,
		.rate = j->rate,
		.dest_port = j->port,
		.was_pair = row->paired,
	};
	out->duration_ms = j->watched ? j->duration_ms
				      : fmpi_duration(e, j->block, row->strikes - wider, out->id);
	give_reason(e, row, ev, j, out);
	if (row->blocked)
		fmpi_table_unblock(&e->table, row, row->keep);
	row->decision_id = out->id;
	row->layers = out->layers;
	row->has_mac = false;
	row->measure = j->measure;
	row->rate = j->rate;
	row->block_port = j->port;
	row->watched = j->watched;
	row->struck = !j->watched;
	if (row->struck && !wider)
		row->strikes += row->strikes < UINT32_MAX;
	fmpi_table_block(&e->table, row, now_ms + out->duration_ms);
	e->stats.decisions++;
}

static void count_events(const struct fmpi_row *row, const struct fmpi_row *kin,
			 struct judgement *j, uint64_t now_ms)
{
	uint64_t within_ms = j->suspicion->count[j->kind].within_ms;
	uint32_t n;

	j->count = fmpi_ledger_count(fmpi_ledger_find(row->ledger, j->rules->override), j->kind,
				     within_ms, now_ms);
	n = kin ? fmpi_ledger_count(fmpi_ledger_find(kin->ledger, j->rules->override), j->kind,
				    within_ms, now_ms)
		: 0;
	if (n > j->count) {
		j->count = n;
		j->count_kin = kin;
	}
}

/* What the same IPv4 host has gathered under its other names is its own. */
static void add_forms(const struct fmp_engine *e, const struct fmpi_row *row, struct judgement *j,
		      uint64_t now_ms)
{
	uint64_t within_ms = j->suspicion->count[j->kind].within_ms, weight = 0, own;
	struct fmpi_row *rows[FMPI_FORMS_MAX];
	size_t n = fmpi_forms_rows(e, &row->key, rows);
	uint32_t count = 0;

	for (size_t i = 0; i < n; i++) {
		weight += fmpi_engine_weight_of(e, rows[i], j->rules->override, now_ms);
		count += fmpi_ledger_count(fmpi_ledger_find(rows[i]->ledger, j->rules->override),
					   j->kind, within_ms, now_ms);
	}
	own = fmpi_engine_weight_of(e, row, j->rules->override, now_ms);
	if (weight && own + weight > j->weight) {
		j->weight = own + weight;
		j->kin = NULL;
		j->forms = true;
	}
	count += count ? fmpi_ledger_count(fmpi_ledger_find(row->ledger, j->rules->override),
					   j->kind, within_ms, now_ms)
		       : 0;
	if (count > j->count) {
		j->count = count;
		j->count_kin = NULL;
		j->count_forms = true;
	}
}

static struct judgement weigh(const struct fmp_engine *e, const struct fmpi_row *row,
			      const struct fmpi_row *kin, enum fmp_event_kind kind,
			      const struct fmp_policy_rules *rules, uint64_t now_ms)
{
	struct judgement j = {
		.suspicion = rules->suspicion,
		.block = rules->block,
		.group = rules->group,
		.rules = rules,
		.kind = kind,
		.weight = fmpi_engine_weight_of(e, row, rules->override, now_ms),
	};
	uint64_t sum;

	if (kin && !fmpi_mac_siblings_evaluate(row))
		kin = NULL;
	sum = kin ? fmpi_engine_weight_of(e, kin, rules->override, now_ms) : 0;
	if (sum > j.weight) {
		j.weight = sum;
		j.kin = kin;
	}
	count_events(row, kin, &j, now_ms);
	if (fmpi_mac_siblings_evaluate(row))
		add_forms(e, row, &j, now_ms);
	return j;
}

bool fmpi_is_malicious(const struct fmp_engine *e, const struct fmpi_row *row,
		       const struct fmpi_row *kin, enum fmp_event_kind kind,
		       const struct fmp_policy_rules *rules, uint64_t now_ms)
{
	const struct judgement j = weigh(e, row, kin, kind, rules, now_ms);

	return is_malicious(&j);
}

int fmpi_decide(struct fmp_engine *e, struct fmpi_row *row, const struct fmpi_row *kin,
		const struct fmp_event *ev, enum fmp_event_kind kind,
		const struct fmp_policy_rules *rules, uint64_t now_ms, struct fmp_decision *out)
{
	struct judgement j = weigh(e, row, kin, kind, rules, now_ms);

	if (now_ms < row->quiet_ms || fmpi_row_drops(row) || !judge(e, row, ev, &j, now_ms) ||
	    fmpi_table_cover(&e->table, &row->key))
		return 0;
	if (j.whole && (!row->blocked || row->watched) &&
	    fmpi_prefix_aggregate(e, row, ev, now_ms, out))
		return 1;
	if (!room(e, row, &j)) {
		/* Counted once for each source, however often it comes. */
		e->stats.refused += j.watched ||
				    fmpi_wait(e, row, kin, rules, kind, has_count(&j), now_ms);
		return 0;
	}
	enforce(e, row, ev, &j, now_ms, out);
	return 1;
}
