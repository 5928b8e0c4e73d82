// SPDX-License-Identifier: GPL-2.0
/* Plays a timeline under a policy, and records its blocks and the messages they kept out. */
#include <fmp/dryrun.h>

#include <stdlib.h>
#include <string.h>

#include <fmp/internal/addrmap.h>
#include <timeline/player.h>

struct fmp_dryrun {
	const struct fmp_policy *policy;
	struct fmp_player *player;
	struct fmp_dryrun_block *blocks;
	size_t n, cap;
	size_t *wide; /* indices of blocks that cover more than one source, in force or just over */
	size_t n_wide, wide_cap;
	struct fmp_addrmap last; /* index of the newest block, by source */
	struct fmp_addrmap macs; /* index of the newest block, by the MAC of its source */
	struct fmp_dryrun_totals totals;
};

static int grow_array(void **array, size_t *cap, size_t size)
{
	size_t more = *cap ? *cap * 2 : 64;
	void *p = reallocarray(*array, more, size);

	if (!p)
		return FMP_ERR_NOMEM;
	*array = p;
	*cap = more;
	return 0;
}

/* ---- blocks ---- */

/* The newest block of exactly this source; it may be over. */
static struct fmp_dryrun_block *find_newest(struct fmp_dryrun *d, const struct fmp_addr *source)
{
	const uint64_t *at = fmp_addrmap_find(&d->last, source);

	return at ? &d->blocks[*at] : NULL;
}

static void end_block(struct fmp_dryrun *d, const struct fmp_addr *source, uint64_t now_ms)
{
	struct fmp_dryrun_block *b = find_newest(d, source);

	if (b && b->until_ms > now_ms)
		b->until_ms = now_ms;
}

static bool is_wide(const struct fmp_dryrun *d, const struct fmp_addr *a)
{
	return a->prefix_len < (a->family == FMP_FAMILY_IPV6 ? d->policy->suspicion.ipv6_prefix
							     : fmp_addr_max_prefix(a->family));
}

static int begin_block(struct fmp_dryrun *d, const struct fmp_decision *by)
{
	struct fmp_dryrun_block *b;
	uint64_t *at;

	if (d->n == FMP_DRYRUN_BLOCKS_MAX)
		return FMP_ERR_LIMIT;
	if (d->n == d->cap && grow_array((void **)&d->blocks, &d->cap, sizeof(*d->blocks)))
		return FMP_ERR_NOMEM;
	if (is_wide(d, &by->source)) {
		if (d->n_wide == d->wide_cap &&
		    grow_array((void **)&d->wide, &d->wide_cap, sizeof(*d->wide)))
			return FMP_ERR_NOMEM;
		d->wide[d->n_wide++] = d->n;
	}
	/* A new action against a blocked source replaces the block. */
	end_block(d, &by->source, by->time_ms);
	at = fmp_addrmap_get(&d->last, &by->source);
	if (!at)
		return FMP_ERR_NOMEM;
	*at = d->n;
	if (by->mac.family) {
		at = fmp_addrmap_get(&d->macs, &by->mac);
		if (!at)
			return FMP_ERR_NOMEM;
		*at = d->n;
	}
	b = &d->blocks[d->n++];
	*b = (struct fmp_dryrun_block){ .source = by->source,
					.id = by->id,
					.from_ms = by->time_ms,
					.layers = by->layers,
					.action_kind = by->action_kind,
					.rate = by->rate,
					.dest_port = by->dest_port,
					.manual = by->manual,
					.mac = by->mac,
					.pair_mac = by->pair_mac,
					.mac_veto = by->mac_veto };
	if (!by->duration_ms || __builtin_add_overflow(by->time_ms, by->duration_ms, &b->until_ms))
		b->until_ms = UINT64_MAX;
	if (!by->mac_ms || __builtin_add_overflow(by->time_ms, by->mac_ms, &b->mac_until_ms))
		b->mac_until_ms = UINT64_MAX;
	memcpy(b->reason, by->reason, sizeof(b->reason));
	return 0;
}

static void on_exempted(const struct fmp_addr *source, void *ctx)
{
	struct fmp_dryrun *d = ctx;

	d->totals.exempted++;
}

static void on_unpaired(const struct fmp_addr *source, void *ctx)
{
	struct fmp_dryrun *d = ctx;
	struct fmp_dryrun_block *b = find_newest(d, source);

	if (!b)
		return;
	b->mac = b->pair_mac = (struct fmp_addr){ 0 };
	b->mac_veto = FMP_MAC_PROTECTED;
	b->mac_until_ms = fmp_player_now(d->player);
}

static int on_decision(const struct fmp_decision *by, void *ctx)
{
	struct fmp_dryrun *d = ctx;

	if (by->action == FMP_ACTION_BLOCK)
		return begin_block(d, by);
	end_block(d, &by->source, by->time_ms);
	return 0;
}

/* ---- messages ---- */

/* A pair block applies to one MAC; the source's current MAC is known as far as the log tells. */
static bool is_covering(const struct fmp_dryrun *d, const struct fmp_dryrun_block *b,
			const struct fmp_addr *source, uint64_t now_ms)
{
	struct fmp_addr mac;

	if (!b || b->until_ms <= now_ms)
		return false;
	return !b->pair_mac.family || fmp_player_mac(d->player, source, &mac) ||
	       fmp_addr_equal(&mac, &b->pair_mac);
}

static struct fmp_dryrun_block *find_covering(struct fmp_dryrun *d, const struct fmp_addr *source,
					      uint64_t now_ms)
{
	struct fmp_dryrun_block *b;
	struct fmp_addr key;

	for (size_t i = 0; i < d->n_wide;) {
		b = &d->blocks[d->wide[i]];
		if (b->until_ms <= now_ms)
			d->wide[i] = d->wide[--d->n_wide];
		else if (fmp_addr_contains(&b->source, source))
			return b;
		else
			i++;
	}
	b = find_newest(d, source);
	if (source->family == FMP_FAMILY_IPV6 && !is_covering(d, b, source, now_ms)) {
		key = fmp_addr_key(source,
				   &(struct fmp_key_rule){
					   .ipv6_prefix = d->policy->suspicion.ipv6_prefix,
					   .translators = &d->policy->nat64,
					   .found = d->policy->nat64_discover ? &d->player->found
									      : NULL });
		b = find_newest(d, &key);
	}
	return is_covering(d, b, source, now_ms) ? b : NULL;
}

static bool is_blocking_mac(const struct fmp_dryrun_block *b, uint64_t now_ms)
{
	return b->until_ms > now_ms && b->mac_until_ms > now_ms &&
	       (b->layers & ~FMP_LAYER_BIT(FMP_LAYER_IP));
}

/* A block of the MAC that a message comes from: of the MAC itself, or of a source that has it. */
static struct fmp_dryrun_block *find_covering_mac(struct fmp_dryrun *d,
						  const struct fmp_addr *source, uint64_t now_ms)
{
	struct fmp_dryrun_block *b;
	const uint64_t *at;
	struct fmp_addr mac;

	if (fmp_player_mac(d->player, source, &mac) ||
	    fmp_protect_check(d->player->link.protect, &mac))
		return NULL;
	b = find_newest(d, &mac);
	if (b && is_blocking_mac(b, now_ms))
		return b;
	at = fmp_addrmap_find(&d->macs, &mac);
	return at && is_blocking_mac(&d->blocks[*at], now_ms) ? &d->blocks[*at] : NULL;
}

static bool on_message(const struct fmp_event *ev, void *ctx)
{
	struct fmp_dryrun *d = ctx;
	struct fmp_dryrun_block *b = NULL;
	bool good = ev->kind == FMP_EVENT_GOOD && ev->proven;
	uint64_t now_ms = fmp_player_now(d->player);

	d->totals.good += good;
	d->totals.bad += !good;
	d->totals.unproven += !ev->proven;
	if (!d->policy->block.observe)
		b = find_covering(d, &ev->source, now_ms);
	if (!b && !d->policy->block.observe)
		b = find_covering_mac(d, &ev->source, now_ms);
	if (!b || !b->layers || b->action_kind != FMP_ACTION_KIND_BLOCK ||
	    (b->dest_port && b->dest_port != ev->dest_port))
		return true;
	b->good += good;
	b->bad += !good;
	d->totals.kept_out_good += good;
	d->totals.kept_out_bad += !good;
	return false;
}

/* ---- a run ---- */

int fmp_dryrun_new(const struct fmp_policy *policy, const char *name, struct fmp_dryrun **out,
		   struct fmp_error *err)
{
	static const struct fmp_player_ops ops = { .decision = on_decision,
						   .exempted = on_exempted,
						   .unpaired = on_unpaired,
						   .arrives = on_message };
	struct fmp_dryrun *d = calloc(1, sizeof(*d));
	int rc;

	if (!d)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	d->policy = policy;
	rc = fmp_player_new(policy, 0, name, &ops, d, &d->player, err);
	if (rc)
		free(d);
	else
		*out = d;
	return rc;
}

void fmp_dryrun_free(struct fmp_dryrun *d)
{
	if (!d)
		return;
	fmp_player_free(d->player);
	free(d->blocks);
	free(d->wide);
	fmp_addrmap_free(&d->last);
	fmp_addrmap_free(&d->macs);
	free(d);
}

int fmp_dryrun_line(struct fmp_dryrun *d, const char *text, size_t len, struct fmp_error *err)
{
	int rc = fmp_player_line(d->player, text, len, err);

	if (rc == FMP_ERR_LIMIT)
		return fmp_error_set(err, rc, "more than %u blocks", FMP_DRYRUN_BLOCKS_MAX);
	if (rc == FMP_ERR_NOMEM)
		return fmp_error_set(err, rc, "no memory for more than %zu blocks", d->n);
	return rc;
}

struct fmp_engine *fmp_dryrun_engine(struct fmp_dryrun *d)
{
	return fmp_player_engine(d->player);
}

void fmp_dryrun_get_totals(struct fmp_dryrun *d, struct fmp_dryrun_totals *out)
{
	struct fmp_engine_stats st;

	d->totals.end_ms = fmp_player_now(d->player);
	fmp_engine_get_stats(fmp_player_engine(d->player), d->totals.end_ms, &st);
	d->totals.refused = st.refused;
	d->totals.sources = st.sources;
	d->totals.blocked = st.blocked;
	*out = d->totals;
}

const struct fmp_dryrun_block *fmp_dryrun_blocks(const struct fmp_dryrun *d, size_t *n)
{
	*n = d->n;
	return d->blocks;
}

/* ---- two runs ---- */

struct entry {
	const struct fmp_dryrun_block *block;
	unsigned side;
};

static int compare_sources(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int d = fmp_addr_compare(&x->block->source, &y->block->source);

	if (d)
		return d;
	return (x->block->from_ms > y->block->from_ms) - (x->block->from_ms < y->block->from_ms);
}

static void add_block(struct fmp_dryrun_side *s, const struct fmp_dryrun_block *b)
{
	if (!s->blocks++)
		s->from_ms = b->from_ms;
	if (b->until_ms == UINT64_MAX ||
	    __builtin_add_overflow(s->blocked_ms, b->until_ms - b->from_ms, &s->blocked_ms))
		s->blocked_ms = UINT64_MAX;
	s->bad += b->bad;
	s->good += b->good;
}

static bool is_different(const struct fmp_dryrun_side side[2])
{
	return side[0].blocks != side[1].blocks || side[0].from_ms != side[1].from_ms ||
	       side[0].blocked_ms != side[1].blocked_ms;
}

int fmp_dryrun_compare(const struct fmp_dryrun *a, const struct fmp_dryrun *b,
		       int (*each)(const struct fmp_dryrun_difference *diff, void *ctx), void *ctx)
{
	const struct fmp_dryrun *runs[] = { a, b };
	struct entry *e = calloc(a->n + b->n + 1, sizeof(*e));
	size_t n = 0;
	int rc = 0;

	if (!e)
		return FMP_ERR_NOMEM;
	for (unsigned side = 0; side < 2; side++)
		for (size_t i = 0; i < runs[side]->n; i++)
			e[n++] = (struct entry){ &runs[side]->blocks[i], side };
	qsort(e, n, sizeof(*e), compare_sources);
	for (size_t i = 0; i < n && !rc;) {
		struct fmp_dryrun_difference diff = { .source = e[i].block->source };

		for (; i < n && fmp_addr_equal(&e[i].block->source, &diff.source); i++)
			add_block(&diff.side[e[i].side], e[i].block);
		if (is_different(diff.side))
			rc = each(&diff, ctx);
	}
	free(e);
	return rc;
}
