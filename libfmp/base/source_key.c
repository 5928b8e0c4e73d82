// SPDX-License-Identifier: GPL-2.0
/* Which addresses are one source: apart from source.c, because it needs translate.c, which needs source.c. */
#include <fmp/source.h>

static bool is_link_local(const struct fmp_addr *a)
{
	return a->bytes[0] == 0xfe && (a->bytes[1] & 0xc0) == 0x80;
}

struct fmp_addr fmp_addr_key(const struct fmp_addr *a, const struct fmp_key_rule *rule)
{
	struct fmp_addr prefix, host;

	if (rule->by_host && a->family == FMP_FAMILY_IPV6 &&
	    fmp_addr_ipv4_host(a, rule->translators, &host))
		return host;
	if (a->family != FMP_FAMILY_IPV6 || is_link_local(a) ||
	    fmp_addr_is_translated(a, rule->translators) || fmp_addr_is_found(a, rule->found))
		return *a;
	prefix = fmp_addr_mask(*a, rule->ipv6_prefix);
	return rule->shared && rule->shared(&prefix, rule->ctx) ? *a : prefix;
}
