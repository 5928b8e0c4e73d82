/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The key of a source at the gateway: the same as fmpd's for ranks and blocks, so that no source is
 * refused or charged for connections of a neighbour or of another host behind the same translator.
 */
#ifndef GW_SOURCE_KEY_H
#define GW_SOURCE_KEY_H

#include <stddef.h>

#include <fmp/source.h>

struct fmp_policy;

/** struct gw_shared_prefixes - IPv6 prefixes in which each address is a source; sent by fmpd */
struct gw_shared_prefixes {
	struct fmp_addr *prefix;
	size_t n;
	struct fmp_translators found; /**< NAT64 prefixes of the network; likewise */
};

/** gw_shared_prefixes_set() - replace all; without memory the old ones remain. */
void gw_shared_prefixes_set(struct gw_shared_prefixes *s, const struct fmp_addr *prefix, size_t n);
void gw_shared_prefixes_free(struct gw_shared_prefixes *s);

/**
 * gw_source_key() - @fd: its connection: the prefix of the local address counts as shared, even if
 * fmpd has not sent it; -1: none
 */
struct fmp_addr gw_source_key(const struct gw_shared_prefixes *s, const struct fmp_policy *policy,
			      const struct fmp_addr *source, int fd);

#endif
