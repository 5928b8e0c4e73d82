// SPDX-License-Identifier: GPL-2.0
/* Whether a decision may block the MAC of its source (invariant 3), and which one. */
#include <fmp/net.h>

#include <fmp/policy.h>
#include <fmp/suspicion.h>

struct fmp_mac_seen fmp_mac_seen(const struct fmp_event *ev)
{
	return (struct fmp_mac_seen){ ev->mac, ev->accepted_ns / 1000000u };
}

struct innocence_query {
	const struct fmp_mac_facts *facts;
	uint64_t now_ms;
};

/*
 * Another address of the MAC to be blocked: it is innocent unless it is blocked as a whole, or
 * seems to belong to the same host and sent nothing good. A limited or narrowed address has good
 * users, or is in a group that is never blocked.
 */
static bool is_innocent(const struct fmp_addr *other, bool own, void *ctx)
{
	const struct innocence_query *a = ctx;
	struct fmp_source_info row;

	if (fmp_engine_get(a->facts->engine, other, a->now_ms, &row))
		return !own;
	if (row.state == FMP_STATE_MALICIOUS)
		return row.action_kind != FMP_ACTION_KIND_BLOCK || row.block_port;
	return row.state != FMP_STATE_WAITING && (!own || row.good);
}

static enum fmp_mac_veto lookup_mac(const struct fmp_mac_facts *f, const struct fmp_addr *ip,
				    const struct fmp_mac_seen *seen, uint64_t now_ms,
				    struct fmp_decision *d)
{
	struct innocence_query a = { f, now_ms };
	enum fmp_mac_veto veto;
	uint64_t local_ms;

	if (!f->policy->block.mac)
		return FMP_MAC_POLICY;
	if (fmp_decision_narrowed(d))
		return FMP_MAC_NARROWED;
	if (!fmp_addr_is_ip(ip) || ip->prefix_len != fmp_addr_max_prefix(ip->family))
		return FMP_MAC_UNKNOWN;
	veto = fmp_net_mac(f->net, ip, seen, now_ms, is_innocent, &a, &d->mac);
	if (veto != FMP_MAC_OK)
		return veto;
	if (f->engine && fmp_engine_vouches(f->engine, &d->mac, ip, now_ms))
		return FMP_MAC_SHARED;
	if (fmp_protect_check(f->protect, &d->mac))
		return FMP_MAC_PROTECTED;
	local_ms = f->policy->block.local_mac_ms;
	if (!fmp_mac_is_local(&d->mac))
		return FMP_MAC_OK;
	/* Messages from an address under a pair block carry another MAC: a second pair would let
	 * its host escape by changing the MAC. */
	if (f->policy->block.local_mac_pair && !d->was_pair && fmp_decision_may_pair(d))
		d->pair_mac = d->mac;
	if (!local_ms)
		return FMP_MAC_RANDOM;
	if (!d->duration_ms || local_ms < d->duration_ms)
		d->mac_ms = local_ms;
	return FMP_MAC_OK;
}

void fmp_mac_decide(const struct fmp_mac_facts *f, const struct fmp_addr *ip,
		    const struct fmp_mac_seen *seen, uint64_t now_ms, struct fmp_decision *d)
{
	d->mac = d->pair_mac = (struct fmp_addr){ 0 };
	d->mac_ms = 0;
	d->mac_veto = FMP_MAC_OK;
	d->mac_veto = lookup_mac(f, ip, seen, now_ms, d);
	if (d->mac_veto != FMP_MAC_OK)
		d->mac = (struct fmp_addr){ 0 };
}

bool fmp_mac_siblings(const struct fmp_mac_facts *f, const struct fmp_addr *ip,
		      const struct fmp_mac_seen *seen, uint64_t now_ms, struct fmp_addr *mac)
{
	return !fmp_net_host_mac(f->net, ip, seen, now_ms, mac) &&
	       !fmp_protect_check(f->protect, mac);
}
