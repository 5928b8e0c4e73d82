/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many bytes of descriptions one source gets: a request of 50 bytes may fetch a WSDL of
 * megabytes, and is not charged. Token buckets; a client that fetches them for each of its calls,
 * as some do, stays below.
 */
#ifndef GW_DESCRIBE_BUDGET_H
#define GW_DESCRIBE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/source.h>

#define GW_DESCRIBE_BURST   (32u << 20) /**< bytes at once; more than any one description */
#define GW_DESCRIBE_RATE    (2u << 20) /**< bytes a second */
#define GW_DESCRIBE_SOURCES 128u /**< whose bucket can be less than full at the same time */

/** struct gw_describe_budget - starts zeroed */
struct gw_describe_budget {
	struct {
		struct fmp_addr source;
		uint64_t full_ns; /* when the bucket is full again */
	} bucket[GW_DESCRIBE_SOURCES];
};

/** gw_describe_budget_take() - Return: false: not that many bytes are left. */
bool gw_describe_budget_take(struct gw_describe_budget *b, const struct fmp_addr *source,
			     size_t bytes, uint64_t now_ns);

#endif
