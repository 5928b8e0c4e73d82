// SPDX-License-Identifier: GPL-2.0
#include "source_key.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <fmp/policy.h>

void gw_shared_prefixes_set(struct gw_shared_prefixes *s, const struct fmp_addr *prefix, size_t n)
{
	struct fmp_addr *copy = n ? malloc(n * sizeof(*copy)) : NULL;

	if (n && !copy)
		return;
	if (n)
		memcpy(copy, prefix, n * sizeof(*copy));
	free(s->prefix);
	s->prefix = copy;
	s->n = n;
}

void gw_shared_prefixes_free(struct gw_shared_prefixes *s)
{
	gw_shared_prefixes_set(s, NULL, 0);
}

struct key_query {
	const struct gw_shared_prefixes *known;
	struct fmp_addr own; /* {0}: not known */
};

static bool is_shared(const struct fmp_addr *prefix, void *ctx)
{
	const struct key_query *q = ctx;

	if (q->own.family && fmp_addr_contains(prefix, &q->own))
		return true;
	for (size_t i = 0; i < q->known->n; i++)
		if (fmp_addr_overlaps(&q->known->prefix[i], prefix))
			return true;
	return false;
}

struct fmp_addr gw_source_key(const struct gw_shared_prefixes *s, const struct fmp_policy *policy,
			      const struct fmp_addr *source, int fd)
{
	struct key_query q = { .known = s };
	const struct fmp_key_rule rule = {
		policy->suspicion.ipv6_prefix, &policy->nat64, &s->found, is_shared, &q, true
	};
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);

	if (source->family != FMP_FAMILY_IPV6)
		return *source;
	if (fd >= 0 && (getsockname(fd, (struct sockaddr *)&sa, &len) ||
			fmp_addr_from_sockaddr((struct sockaddr *)&sa, &q.own, NULL)))
		q.own = (struct fmp_addr){ 0 };
	return fmp_addr_key(source, &rule);
}
