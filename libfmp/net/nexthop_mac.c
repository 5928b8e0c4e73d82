// SPDX-License-Identifier: GPL-2.0
#include <net/nexthop_mac.h>

#include <string.h>

static size_t find_entry(const struct fmpi_nexthop_mac *l, const struct fmp_addr *ip)
{
	size_t i = 0;

	while (i < l->n && !fmp_addr_equal(&l->v[i].ip, ip))
		i++;
	return i;
}

void fmpi_nexthop_mac_put(struct fmpi_nexthop_mac *l, const struct fmp_addr *ip,
			  const struct fmp_addr *mac)
{
	size_t i = find_entry(l, ip);

	if (i == l->n && l->n == FMP_NEXTHOP_MACS_MAX)
		i = 0;
	if (i < l->n) {
		memmove(&l->v[i], &l->v[i + 1], (l->n - i - 1) * sizeof(l->v[0]));
		l->n--;
	}
	l->v[l->n++] = (struct fmp_neighbour){ *ip, *mac };
}

const struct fmp_addr *fmpi_nexthop_mac_get(const struct fmpi_nexthop_mac *l,
					    const struct fmp_addr *ip)
{
	size_t i = find_entry(l, ip);

	return i < l->n ? &l->v[i].mac : NULL;
}
