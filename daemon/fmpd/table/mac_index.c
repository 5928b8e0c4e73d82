// SPDX-License-Identifier: GPL-2.0
#include "mac_index.h"

#include <stdlib.h>

#define SLOTS_FIRST 16u

static size_t home_slot(const struct fmpd_mac_index *m, const struct fmp_addr *mac)
{
	return (size_t)fmp_addr_hash(mac, m->seed) & (m->cap - 1);
}

/* The slot of a MAC, or the free slot for it. */
static size_t find_slot(const struct fmpd_mac_index *m, const struct fmp_addr *mac)
{
	size_t at = home_slot(m, mac);

	while (m->v[at].mac.family && !fmp_addr_equal(&m->v[at].mac, mac))
		at = (at + 1) & (m->cap - 1);
	return at;
}

static void resize_index(struct fmpd_mac_index *m, size_t cap)
{
	struct fmpd_mac_index more = { .seed = m->seed, .n = m->n, .cap = cap };

	more.v = calloc(cap, sizeof(*more.v));
	if (!more.v)
		return;
	for (size_t i = 0; i < m->cap; i++)
		if (m->v[i].mac.family)
			more.v[find_slot(&more, &m->v[i].mac)] = m->v[i];
	free(m->v);
	*m = more;
}

bool fmpd_mac_index_add(struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer)
{
	struct fmpd_mac_index_slot *s;

	/* Keep a quarter free: linear probing gets slow in a full table. */
	if (m->n * 4 >= m->cap * 3)
		resize_index(m, m->cap ? 2 * m->cap : SLOTS_FIRST);
	if (m->n == m->cap)
		return true;
	s = &m->v[find_slot(m, mac)];
	if (!s->mac.family) {
		s->mac = *mac;
		m->n++;
	}
	return !s->blocks[layer]++;
}

/* Free a slot. Entries behind it, up to the next free slot, move so that probing still finds them. */
static void remove_slot(struct fmpd_mac_index *m, size_t at)
{
	size_t next = at;

	m->n--;
	for (;;) {
		m->v[at] = (struct fmpd_mac_index_slot){ 0 };
		do {
			next = (next + 1) & (m->cap - 1);
			if (!m->v[next].mac.family)
				return;
			/* Skip entries that probing finds without passing the free slot. */
		} while (((next - home_slot(m, &m->v[next].mac)) & (m->cap - 1)) <
			 ((next - at) & (m->cap - 1)));
		m->v[at] = m->v[next];
		at = next;
	}
}

bool fmpd_mac_index_del(struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer)
{
	size_t at = m->cap ? find_slot(m, mac) : 0;
	struct fmpd_mac_index_slot *s;

	if (!m->cap || !m->v[at].mac.family || !m->v[at].blocks[layer])
		return true;
	s = &m->v[at];
	if (--s->blocks[layer])
		return false;
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (s->blocks[l])
			return true;
	remove_slot(m, at);
	if (m->cap > SLOTS_FIRST && m->n * 8 < m->cap)
		resize_index(m, m->cap / 2);
	return true;
}

bool fmpd_mac_index_has(const struct fmpd_mac_index *m, const struct fmp_addr *mac, unsigned layer)
{
	/* The counts of a free slot are 0. */
	return m->cap && m->v[find_slot(m, mac)].blocks[layer];
}

void fmpd_mac_index_free(struct fmpd_mac_index *m)
{
	free(m->v);
	*m = (struct fmpd_mac_index){ .seed = m->seed };
}
