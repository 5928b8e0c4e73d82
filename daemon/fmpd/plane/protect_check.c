// SPDX-License-Identifier: GPL-2.0
/* Ask the protected set, and decide which MAC goes with a block. Calls no other file of the plane. */
#include "plane_private.h"

#include <stdio.h>

#include "../common/clock.h"
#include "../common/log.h"

int plane_check_protected(const struct fmpd_plane *p, const struct fmp_addr *addr,
			  struct fmp_error *err)
{
	const struct fmp_protect_entry *entry =
		fmp_protect_check_host(p->protect, addr, &p->policy->nat64);
	char text[FMP_ADDR_STRLEN], by[FMP_ADDR_STRLEN];

	if (!entry)
		return 0;
	fmp_addr_format(addr, text, sizeof(text));
	fmp_addr_format(&entry->addr, by, sizeof(by));
	return fmp_error_set(err, FMP_ERR_PROTECTED, "%s is protected: %s%s%s%s", text,
			     fmp_protect_origin_name(entry->origin),
			     fmp_addr_equal(addr, &entry->addr) ? "" : " (",
			     fmp_addr_equal(addr, &entry->addr) ? "" : by,
			     fmp_addr_equal(addr, &entry->addr) ? "" : ")");
}

bool plane_is_protected(const struct fmp_addr *addr, void *ctx)
{
	const struct fmpd_plane *p = ctx;

	return fmp_protect_check(p->protect, addr) != NULL;
}

static struct fmp_mac_facts get_mac_facts(const struct fmpd_plane *p)
{
	return (struct fmp_mac_facts){ p->net, p->protect, p->engine, p->policy };
}

bool plane_find_mac_sibling(const struct fmpd_plane *p, const struct fmp_addr *addr,
			    const struct fmp_event *by, struct fmp_addr *mac)
{
	struct fmp_mac_facts f = get_mac_facts(p);
	struct fmp_mac_seen seen = by ? fmp_mac_seen(by) : (struct fmp_mac_seen){ 0 };

	return fmp_mac_siblings(&f, addr, &seen, fmpd_now_ms(), mac);
}

void plane_resolve_mac(struct fmpd_plane *p, struct fmp_decision *d, const struct fmp_addr *ip,
		       const struct fmp_event *by)
{
	struct fmp_mac_seen seen = by ? fmp_mac_seen(by) : (struct fmp_mac_seen){ 0 };
	struct fmp_mac_facts f = get_mac_facts(p);

	fmp_mac_decide(&f, ip, &seen, fmpd_now_ms(), d);
}
