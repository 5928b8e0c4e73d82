// SPDX-License-Identifier: GPL-2.0
#include "mac_index.h"

#include <stdlib.h>

#define FIRST 16u

static size_t home(const struct fmpd_macs *m, const struct fmp_addr *mac)
{
	return (size_t)fmp_addr_hash(mac, m->seed) & (m->cap - 1);
}

/* Where it is, or where there is room for it. */
static size_t place(const struct fmpd_macs *m, const struct fmp_addr *mac)
{
	size_t at = home(m, mac);

	while (m->v[at].mac.family && !fmp_addr_equal(&m->v[at].mac, mac))
		at = (at + 1) & (m->cap - 1);
	return at;
}

static void resize(struct fmpd_macs *m, size_t cap)
{
	struct fmpd_macs more = { .seed = m->seed, .n = m->n, .cap = cap };

	more.v = calloc(cap, sizeof(*more.v));
	if (!more.v)
		return;
	for (size_t i = 0; i < m->cap; i++)
		if (m->v[i].mac.family)
			more.v[place(&more, &m->v[i].mac)] = m->v[i];
	free(m->v);
	*m = more;
}

bool fmpd_macs_add(struct fmpd_macs *m, const struct fmp_addr *mac, unsigned layer)
{
	struct fmpd_macs_slot *s;

	/* A quarter stays free, so that searches end soon. */
	if (m->n * 4 >= m->cap * 3)
		resize(m, m->cap ? 2 * m->cap : FIRST);
	if (m->n == m->cap)
		return true;
	s = &m->v[place(m, mac)];
	if (!s->mac.family) {
		s->mac = *mac;
		m->n++;
	}
	return !s->blocks[layer]++;
}

/* Those behind a freed place, up to the next free one, move to where a search finds them. */
static void take_out(struct fmpd_macs *m, size_t at)
{
	size_t next = at;

	m->n--;
	for (;;) {
		m->v[at] = (struct fmpd_macs_slot){ 0 };
		do {
			next = (next + 1) & (m->cap - 1);
			if (!m->v[next].mac.family)
				return;
			/* Between its home and here the search would pass the hole. */
		} while (((next - home(m, &m->v[next].mac)) & (m->cap - 1)) <
			 ((next - at) & (m->cap - 1)));
		m->v[at] = m->v[next];
		at = next;
	}
}

bool fmpd_macs_del(struct fmpd_macs *m, const struct fmp_addr *mac, unsigned layer)
{
	size_t at = m->cap ? place(m, mac) : 0;
	struct fmpd_macs_slot *s;

	if (!m->cap || !m->v[at].mac.family || !m->v[at].blocks[layer])
		return true;
	s = &m->v[at];
	if (--s->blocks[layer])
		return false;
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (s->blocks[l])
			return true;
	take_out(m, at);
	if (m->cap > FIRST && m->n * 8 < m->cap)
		resize(m, m->cap / 2);
	return true;
}

bool fmpd_macs_has(const struct fmpd_macs *m, const struct fmp_addr *mac, unsigned layer)
{
	/* A free place has none. */
	return m->cap && m->v[place(m, mac)].blocks[layer];
}

void fmpd_macs_free(struct fmpd_macs *m)
{
	free(m->v);
	*m = (struct fmpd_macs){ .seed = m->seed };
}
