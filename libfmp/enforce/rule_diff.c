// SPDX-License-Identifier: GPL-2.0
#include <enforce/rule_diff.h>

#include <stdlib.h>

#include <linux/fmp.h>

#define SLOTS_FIRST 256u

/*
 * A block whose end differs by more is renewed. The kernel's timers stop during suspend, ours do
 * not: this repairs them.
 */
#define LEFT_TOLERANCE_MS     5000u
/* A dump of tens of thousands of rules takes seconds: tolerate a fraction of a long remaining
 * time. */
#define LEFT_TOLERANCE_PART   32u
#define LEFT_TOLERANCE_MAX_MS 60000u

static uint32_t hash_key(const struct fmpi_rule_diff *p, const struct fmp_rule *key)
{
	uint64_t h = fmp_addr_hash(&key->addr, p->seed);

	/* One address may have rules for many ports. */
	if (key->pair_mac.family)
		h += fmp_addr_hash(&key->pair_mac, p->seed);
	h += ((uint64_t)key->dest_port << 1 | (key->rate != 0)) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(h >> 32);
}

static bool is_key(const struct fmpi_rule_pair *one, const struct fmp_rule *key)
{
	return fmp_addr_equal(&one->addr, &key->addr) &&
	       fmp_addr_equal(&one->pair_mac, &key->pair_mac) && one->dest_port == key->dest_port &&
	       one->limit == (key->rate != 0);
}

static struct fmpi_pair_slot *find_free_slot(const struct fmpi_rule_diff *p, uint32_t hash)
{
	size_t at = hash & (p->n_slots - 1);

	while (p->slots[at].at)
		at = (at + 1) & (p->n_slots - 1);
	return &p->slots[at];
}

static int grow_slots(struct fmpi_rule_diff *p)
{
	struct fmpi_pair_slot *old = p->slots;
	size_t was = p->n_slots;

	p->slots = calloc(was ? 2 * was : SLOTS_FIRST, sizeof(*p->slots));
	if (!p->slots) {
		p->slots = old;
		return FMP_ERR_NOMEM;
	}
	p->n_slots = was ? 2 * was : SLOTS_FIRST;
	for (size_t i = 0; i < was; i++)
		if (old[i].at)
			*find_free_slot(p, old[i].hash) = old[i];
	free(old);
	return 0;
}

static int grow_pairs(struct fmpi_rule_diff *p)
{
	size_t cap = p->cap ? 2 * p->cap : 64;
	struct fmpi_rule_pair *v;

	/* Indices have 32 bits. */
	if (cap > UINT32_MAX / 2)
		return FMP_ERR_NOMEM;
	v = reallocarray(p->v, cap, sizeof(*v));
	if (!v)
		return FMP_ERR_NOMEM;
	p->v = v;
	p->cap = cap;
	return 0;
}

struct fmpi_rule_pair *fmpi_rule_diff_at(struct fmpi_rule_diff *p, const struct fmp_rule *key)
{
	uint32_t hash = hash_key(p, key);

	if (p->n_slots)
		for (size_t i = hash & (p->n_slots - 1); p->slots[i].at;
		     i = (i + 1) & (p->n_slots - 1))
			if (p->slots[i].hash == hash && is_key(&p->v[p->slots[i].at - 1], key))
				return &p->v[p->slots[i].at - 1];
	if (p->n == p->cap && grow_pairs(p))
		return NULL;
	if (p->n * 4 >= p->n_slots * 3 && grow_slots(p))
		return NULL;
	p->v[p->n++] = (struct fmpi_rule_pair){ .addr = key->addr,
						.pair_mac = key->pair_mac,
						.dest_port = key->dest_port,
						.limit = key->rate != 0 };
	*find_free_slot(p, hash) = (struct fmpi_pair_slot){ hash, (uint32_t)p->n };
	return &p->v[p->n - 1];
}

/* A remaining time for comparison: without end is the longest. */
static uint64_t compute_lifetime(uint64_t left_ms)
{
	return left_ms ? left_ms : UINT64_MAX;
}

int fmpi_rule_diff_want(struct fmpi_rule_diff *p, const struct fmp_rule *r)
{
	struct fmpi_rule_pair *one = fmpi_rule_diff_at(p, r);

	if (!one)
		return FMP_ERR_NOMEM;
	if (one->wanted && compute_lifetime(one->want_left_ms) >= compute_lifetime(r->left_ms))
		return 0;
	one->wanted = true;
	one->want_rate = r->rate;
	one->want_id = r->id;
	one->want_left_ms = r->left_ms;
	return 0;
}

int fmpi_rule_diff_found(struct fmpi_rule_diff *p, const struct fmp_rule *r)
{
	struct fmpi_rule_pair *one = fmpi_rule_diff_at(p, r);

	if (!one)
		return FMP_ERR_NOMEM;
	if (one->there && compute_lifetime(one->there_left_ms) >= compute_lifetime(r->left_ms))
		return 0;
	one->there = true;
	one->there_rate = r->rate;
	one->there_left_ms = r->left_ms;
	return 0;
}

/* Are the wanted and the present remaining time equal, within tolerance? 0: without end. */
static bool equal_ends(uint64_t want, uint64_t there)
{
	uint64_t off = want > there ? want - there : there - want;
	uint64_t part = (want < there ? want : there) / LEFT_TOLERANCE_PART;

	if (!want || !there)
		return want == there;
	/* A rule can't last longer: the present time decreases, the wanted one does not yet. */
	if (want >= FMP_TIMEOUT_MAX_MS)
		return there >= FMP_TIMEOUT_MAX_MS / 2;
	if (part > LEFT_TOLERANCE_MAX_MS)
		part = LEFT_TOLERANCE_MAX_MS;
	return off <= LEFT_TOLERANCE_MS || off <= part;
}

bool fmpi_rule_pair_agrees(const struct fmpi_rule_pair *p)
{
	return p->wanted && p->there && p->want_rate == p->there_rate &&
	       equal_ends(p->want_left_ms, p->there_left_ms);
}

void fmpi_rule_diff_free(struct fmpi_rule_diff *p)
{
	free(p->v);
	free(p->slots);
	*p = (struct fmpi_rule_diff){ .seed = p->seed };
}
