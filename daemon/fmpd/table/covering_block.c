// SPDX-License-Identifier: GPL-2.0
#include "covering_block.h"

static bool holds_mac(const struct fmpd_record *r, const struct fmp_addr *mac, uint64_t now_ms)
{
	struct fmp_addr own = fmpd_packed_mac(&r->d);

	if (mac->family != FMP_FAMILY_MAC)
		return false;
	return fmp_addr_equal(&r->d.source, mac) ||
	       (fmp_addr_equal(&own, mac) && !fmpd_record_mac_expired(r, now_ms));
}

struct fmpd_record *fmpd_covering_block_next(struct fmpd_decision_table *t,
					     struct fmpd_record *after, const struct fmp_addr *addr,
					     const struct fmp_addr *mac, uint64_t now_ms)
{
	struct fmpd_record *r = after ? fmpd_table_next(after) : fmpd_table_first(t);

	while (r && !fmp_addr_contains(&r->d.source, addr) && !holds_mac(r, addr, now_ms) &&
	       !holds_mac(r, mac, now_ms))
		r = fmpd_table_next(r);
	return r;
}

struct fmpd_record *fmpd_covering_ip_block(struct fmpd_decision_table *t, struct fmpd_record *after,
					   const struct fmp_addr *addr, uint16_t dest_port)
{
	unsigned below = after ? after->d.source.prefix_len : addr->prefix_len + 1u;
	struct fmpd_record *r;

	while ((r = fmpd_table_narrowest(t, addr, below)) != NULL) {
		if (r->d.action_kind == FMP_ACTION_KIND_BLOCK &&
		    (r->d.layers & FMP_LAYER_BIT(FMP_LAYER_IP)) &&
		    r->states[FMP_LAYER_IP] != FMP_LAYER_RESULT_FAILED &&
		    (!r->d.dest_port || r->d.dest_port == dest_port))
			return r;
		below = r->d.source.prefix_len;
	}
	return NULL;
}
