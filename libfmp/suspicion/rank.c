// SPDX-License-Identifier: GPL-2.0
/*
 * What a row is worth at a time: its rank, credit and offences, the settings that apply to it, its
 * place in the eviction order, the length and the end of its blocks. Every other file of the engine
 * is built on these functions.
 */
#include <suspicion/engine.h>

#include <string.h>

#include <suspicion/decay.h>

uint64_t fmpi_engine_now(struct fmp_engine *e, uint64_t now_ms)
{
	if (now_ms > e->now_ms)
		e->now_ms = now_ms;
	return e->now_ms;
}

struct fmp_addr fmpi_engine_key(const struct fmp_engine *e, const struct fmp_addr *source)
{
	const struct fmp_key_rule rule = { e->policy->suspicion.ipv6_prefix,
					   &e->policy->nat64,
					   &e->found,
					   e->is_protected,
					   e->protect_ctx,
					   false };

	return fmp_addr_key(source, &rule);
}

bool fmpi_engine_valid(const struct fmp_addr *addr)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	struct fmp_addr cut = fmp_addr_mask(*addr, addr->prefix_len);
	uint8_t max = fmp_addr_max_prefix(addr->family);

	if (!max || addr->prefix_len > max || !fmp_addr_equal(addr, &cut))
		return false;
	if (addr->family == FMP_FAMILY_MAC)
		return addr->prefix_len == max;
	/* Cut to the policy's prefix length, mapped addresses would be one key for all of IPv4. */
	return addr->family != FMP_FAMILY_IPV6 || memcmp(addr->bytes, mapped, sizeof(mapped));
}

uint64_t fmpi_engine_rank(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms)
{
	uint64_t dt = now_ms > row->rank_ms ? now_ms - row->rank_ms : 0;

	return fmpi_decay(row->rank, dt, e->policy->suspicion.half_life_ms);
}

uint64_t fmpi_engine_credit(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms)
{
	const struct fmp_policy_credit *c = &e->policy->suspicion.credit;
	const struct fmpi_good *g = row->good;
	uint64_t dt, max, left;

	if (!c->points || !g)
		return 0;
	dt = now_ms > g->credit_ms ? now_ms - g->credit_ms : 0;
	max = (uint64_t)c->max * 1000;
	left = fmpi_decay(g->credit, dt, c->half_life_ms);
	return left < max ? left : max;
}

uint64_t fmpi_engine_weight(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms)
{
	uint64_t rank = fmpi_engine_rank(e, row, now_ms);
	uint64_t credit = fmpi_engine_credit(e, row, now_ms);

	return rank > credit ? rank - credit : 0;
}

uint64_t fmpi_engine_pool(const struct fmp_engine *e, const struct fmpi_ledger *l, uint64_t now_ms)
{
	uint64_t dt = now_ms > l->rank_ms ? now_ms - l->rank_ms : 0;

	return fmpi_decay(l->rank, dt, e->policy->suspicion.half_life_ms);
}

uint64_t fmpi_engine_pool_weight(const struct fmp_engine *e, const struct fmpi_row *row,
				 const struct fmp_policy_override *o, uint64_t now_ms)
{
	const struct fmpi_ledger *l;
	uint64_t rank, credit;

	if (!o || o->pool)
		return fmpi_engine_weight(e, row, now_ms);
	l = fmpi_ledger_find(row->ledger, o);
	rank = l ? fmpi_engine_pool(e, l, now_ms) : 0;
	credit = fmpi_engine_credit(e, row, now_ms);
	return rank > credit ? rank - credit : 0;
}

uint32_t fmpi_engine_offences(const struct fmp_engine *e, const struct fmpi_row *row,
			      uint64_t now_ms)
{
	/* A blocked source can't send anything: its silence earns nothing. */
	uint64_t since = row->last_bad_ms > row->ended_ms ? row->last_bad_ms : row->ended_ms;

	if (row->blocked || now_ms < since || now_ms - since < e->policy->block.forget_ms)
		return row->offences;
	return 0;
}

uint64_t fmpi_engine_rules(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms,
			   struct fmp_policy_rules *out)
{
	const struct fmp_policy_override *o =
		row->override ? &e->policy->overrides[row->override - 1] : NULL;
	/* The newest message may belong to another pool. */
	const struct fmp_policy_override *best = o && o->pool ? o : NULL;
	uint64_t weight = fmpi_engine_weight(e, row, now_ms), other;

	fmp_policy_rules(e->policy, &row->key, best, out);
	for (const struct fmpi_ledger *l = row->ledger; l; l = l->next) {
		uint64_t malicious = out->suspicion->malicious;

		o = fmpi_ledger_is_separate(l) ? fmpi_ledger_override(l, e->policy) : NULL;
		other = o ? fmpi_engine_pool_weight(e, row, o, now_ms) : 0;
		if (!other)
			continue;
		fmp_policy_rules(e->policy, &row->key, o, out);
		if (other * malicious > weight * out->suspicion->malicious) {
			weight = other;
			best = o;
		} else {
			fmp_policy_rules(e->policy, &row->key, best, out);
		}
	}
	return weight;
}

void fmpi_row_reset_rank(struct fmpi_row *row, uint64_t now_ms)
{
	row->rank = 0;
	row->rank_ms = now_ms;
	fmpi_ledger_free(&row->ledger);
}

uint64_t fmpi_engine_eviction_key(const struct fmp_engine *e, uint64_t rank, uint64_t now_ms)
{
	uint64_t half_life = e->policy->suspicion.half_life_ms;

	if (half_life)
		return now_ms + fmpi_decay_time(rank, half_life);
	/* If ranks never decay: order by rank, then by age in seconds. */
	return rank << 32 | (now_ms / 1000 & UINT32_MAX);
}

/* The highest rank of all pools decides about eviction. */
static uint64_t highest_rank(const struct fmp_engine *e, const struct fmpi_row *row,
			     uint64_t now_ms)
{
	uint64_t top = fmpi_engine_rank(e, row, now_ms);

	for (const struct fmpi_ledger *l = row->ledger; l; l = l->next) {
		uint64_t rank = fmpi_engine_pool(e, l, now_ms);

		if (rank > top)
			top = rank;
	}
	return top;
}

uint64_t fmpi_row_eviction_key(const struct fmp_engine *e, const struct fmpi_row *row,
			       uint64_t now_ms)
{
	uint64_t threshold = (uint64_t)e->policy->suspicion.malicious * 1000;
	uint64_t rank = highest_rank(e, row, now_ms);

	if ((row->offences || row->waiting) && rank < threshold)
		rank = threshold;
	return fmpi_engine_eviction_key(e, rank, now_ms);
}

void fmpi_copy_text(char *dst, size_t size, const char *src)
{
	size_t len = strnlen(src, size);

	if (len == size)
		for (len--; len && ((unsigned char)src[len] & 0xc0) == 0x80; len--)
			;
	memmove(dst, src, len);
	dst[len] = '\0';
}

uint8_t fmpi_override_number(const struct fmp_policy *p, const char *service, uint16_t port)
{
	for (size_t i = 0; i < p->n_overrides; i++)
		if (p->overrides[i].port == port && !strcmp(p->overrides[i].service, service))
			return (uint8_t)(i + 1);
	return 0;
}

/* A deterministic, evenly distributed hash of key and id (splitmix64). */
static uint64_t hash_id(uint64_t key, uint64_t id)
{
	uint64_t z = key + id * 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

uint64_t fmpi_block_duration(const struct fmp_engine *e, const struct fmp_policy_block *b,
			     uint32_t offences, uint64_t id)
{
	uint64_t ms = b->duration_ms, off;

	for (uint32_t i = 0; i < offences && ms < b->max_ms && b->factor_pct > 100; i++) {
		if (__builtin_mul_overflow(ms, b->factor_pct, &ms)) {
			ms = b->max_ms;
			break;
		}
		ms /= 100;
	}
	if (ms > b->max_ms)
		ms = b->max_ms;
	off = ms / 100 * b->jitter_pct;
	return off ? ms - hash_id(e->jitter, id) % (off + 1) : ms;
}

static void make_unblock(struct fmp_engine *e, const struct fmpi_row *row, const char *reason,
			 uint64_t now_ms, struct fmp_decision *out)
{
	*out = (struct fmp_decision){
		.id = e->next_id++,
		.action = FMP_ACTION_UNBLOCK,
		.source = row->key,
		.mac = fmpi_row_mac(row),
		.layers = row->layers,
		.time_ms = now_ms,
		.action_kind = row->action_kind,
		.rate = row->rate,
		.dest_port = row->block_port,
	};
	fmpi_copy_text(out->reason, sizeof(out->reason), reason);
	e->stats.unblocks++;
}

void fmpi_engine_end_block_only(struct fmp_engine *e, struct fmpi_row *row, const char *reason,
				uint64_t now_ms, struct fmp_decision *out)
{
	make_unblock(e, row, reason, now_ms, out);
	if (!row->suspicion_limit)
		row->ended_ms = now_ms;
	fmpi_table_unblock(&e->table, row, fmpi_row_eviction_key(e, row, now_ms));
}

void fmpi_engine_end_block(struct fmp_engine *e, struct fmpi_row *row, const char *reason,
			   bool pardon, uint64_t now_ms, struct fmp_decision *out)
{
	uint64_t threshold = (uint64_t)e->policy->suspicion.malicious * 1000;
	bool suspicion_limit = row->suspicion_limit, aggregated = row->aggregated;
	const struct fmpi_row *cover;

	make_unblock(e, row, reason, now_ms, out);
	if (!suspicion_limit || pardon)
		fmpi_row_reset_rank(row, now_ms);
	if (!suspicion_limit)
		row->ended_ms = now_ms;
	/* With offences it ranks like a source at the threshold. */
	fmpi_table_unblock(&e->table, row,
			   suspicion_limit ? fmpi_row_eviction_key(e, row, now_ms)
					   : fmpi_engine_eviction_key(e, threshold, now_ms));
	/* Its prefix is still blocked: the time to forget starts when that block ends. */
	cover = aggregated ? fmpi_table_find_covering(&e->table, &row->key) : NULL;
	if (cover)
		row->ended_ms = fmpi_table_block_end(&e->table, cover);
}
