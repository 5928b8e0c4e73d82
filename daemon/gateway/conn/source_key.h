/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a source is one by, at the gateway: the same key as fmpd's for ranks and blocks, so that nobody is
 * refused or charged for connections that a neighbour, or somebody behind the same translator, holds.
 */
#ifndef GW_SOURCE_KEY_H
#define GW_SOURCE_KEY_H

#include <stddef.h>

#include <fmp/source.h>

struct fmp_policy;

/** struct gw_shared_prefixes - IPv6 prefixes in which each address is a source; fmpd tells of them */
struct gw_shared_prefixes {
	struct fmp_addr *prefix;
	size_t n;
	struct fmp_translators found; /**< of the network; there each address is one, too */
};

/** gw_shared_prefixes_set() - in place of those before; without memory those stay. */
void gw_shared_prefixes_set(struct gw_shared_prefixes *s, const struct fmp_addr *prefix, size_t n);
void gw_shared_prefixes_free(struct gw_shared_prefixes *s);

/** gw_source_key() - @fd: its connection: the prefix of the address that it came to is shared, whoever
 * tells of it; -1: none */
struct fmp_addr gw_source_key(const struct gw_shared_prefixes *s, const struct fmp_policy *policy,
			      const struct fmp_addr *source, int fd);

#endif
