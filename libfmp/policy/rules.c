// SPDX-License-Identifier: GPL-2.0
/* The settings that apply to a message of a source: the policy's, an override's, a group's. */
#include <policy/emit.h>
#include <policy/group_index.h>

#include <string.h>

const struct fmp_policy_override *fmp_policy_override(const struct fmp_policy *p,
						      const char *service, uint16_t port)
{
	const struct fmp_policy_override *best = NULL;
	unsigned best_specificity = 0;

	for (size_t i = 0; i < p->n_overrides; i++) {
		const struct fmp_policy_override *o = &p->overrides[i];
		unsigned specificity = (*o->service ? 2u : 0u) + (o->port ? 1u : 0u);

		if ((o->port && o->port != port) || (*o->service && strcmp(o->service, service)))
			continue;
		if (specificity > best_specificity) {
			best = o;
			best_specificity = specificity;
		}
	}
	return best;
}

/* ---- groups ---- */

_Static_assert(FMP_EVENT_KINDS <= 32, "kinds are bits of 32");

const struct fmp_policy_group *fmp_policy_group(const struct fmp_policy *p,
						const struct fmp_addr *source)
{
	const struct fmp_policy_group *best = NULL;
	int best_len = -1, number;

	if (p->group_index) {
		number = fmpi_group_index_find(p->group_index, source);
		return number < 0 ? NULL : &p->groups[number];
	}
	for (size_t i = 0; i < p->n_groups; i++)
		for (unsigned a = 0; a < p->groups[i].n_addresses; a++) {
			const struct fmp_addr *address = &p->groups[i].addresses[a];

			if (address->prefix_len <= best_len || !fmp_addr_overlaps(address, source))
				continue;
			best = &p->groups[i];
			best_len = address->prefix_len;
		}
	return best;
}

/* Apply the group's own settings on top of those for the message. */
static void apply_group(const struct fmp_policy_group *g, struct fmp_policy_rules *out)
{
	struct fmp_policy_group *from = (struct fmp_policy_group *)g;
	const struct fmpi_setting *s;

	out->own_suspicion = *out->suspicion;
	out->own_block = *out->block;
	out->suspicion = &out->own_suspicion;
	out->block = &out->own_block;
	for (size_t i = 0; (s = fmpi_overridable_setting(i)); i++)
		if (g->own_settings & 1u << i)
			memcpy(fmpi_overridable_field(s, &out->own_suspicion, &out->own_block),
			       fmpi_overridable_field(s, &from->suspicion, &from->block), s->size);
	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++) {
		if (g->own_ranks & 1u << k)
			out->own_suspicion.rank[k] = g->suspicion.rank[k];
		if (g->own_counts & 1u << k)
			out->own_suspicion.count[k] = g->suspicion.count[k];
	}
}

void fmp_policy_rules(const struct fmp_policy *p, const struct fmp_addr *source,
		      const struct fmp_policy_override *o, struct fmp_policy_rules *out)
{
	out->override = o;
	out->suspicion = o ? &o->suspicion : &p->suspicion;
	out->block = o ? &o->block : &p->block;
	out->group = p->n_groups ? fmp_policy_group(p, source) : NULL;
	if (out->group)
		apply_group(out->group, out);
}

bool fmp_policy_is_exempted(const struct fmp_policy *p, const struct fmp_addr *prefix)
{
	for (size_t i = 0; i < p->n_groups; i++)
		for (unsigned a = 0;
		     a < p->groups[i].n_addresses && p->groups[i].action != FMP_GROUP_BLOCK; a++)
			if (fmp_addr_overlaps(&p->groups[i].addresses[a], prefix))
				return true;
	return false;
}

/* ---- counts ---- */

static void raise_to(uint32_t *most, const struct fmp_policy_suspicion *s, unsigned kind)
{
	if (s->count[kind].count > *most)
		*most = s->count[kind].count;
}

uint32_t fmp_policy_count_limit(const struct fmp_policy *p, unsigned kind)
{
	uint32_t most = p->suspicion.count[kind].count;

	for (size_t i = 0; i < p->n_overrides; i++)
		raise_to(&most, &p->overrides[i].suspicion, kind);
	for (size_t i = 0; i < p->n_groups; i++)
		raise_to(&most, &p->groups[i].suspicion, kind);
	return most;
}
