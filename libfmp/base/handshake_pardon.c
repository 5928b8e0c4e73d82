// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/handshake_pardon.h>

/*
 * Find the bucket of this source. Without one, take the bucket that is full first: it is full
 * already, as a rule.
 */
static unsigned find_bucket(const struct fmp_handshake_pardon *s, const struct fmp_addr *source)
{
	unsigned best = 0;

	for (unsigned i = 0; i < FMP_HANDSHAKE_PARDON_SOURCES; i++) {
		if (fmp_addr_equal(&s->source[i].addr, source))
			return i;
		if (s->source[i].full_ns < s->source[best].full_ns)
			best = i;
	}
	return best;
}

bool fmp_handshake_pardon_take(struct fmp_handshake_pardon *s, const struct fmp_addr *source,
			       uint64_t now_ns)
{
	unsigned i = find_bucket(s, source);
	uint64_t from = s->source[i].full_ns;

	/* A new source may inherit what the previous one spent, but never its remaining tokens. */
	s->source[i].addr = *source;
	if (from < now_ns)
		from = now_ns;
	if (from - now_ns > (FMP_HANDSHAKE_PARDON - 1) * FMP_HANDSHAKE_PARDON_NS)
		return false;
	s->source[i].full_ns = from + FMP_HANDSHAKE_PARDON_NS;
	return true;
}
