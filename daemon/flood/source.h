/* SPDX-License-Identifier: GPL-2.0 */
/* The source addresses of the load, and what became of each. */
#ifndef FLOOD_SOURCE_H
#define FLOOD_SOURCE_H

#include <fmp/error.h>
#include <fmp/source.h>

#include "stats.h"

#define FLOOD_SOURCES_MAX 65536u

struct flood_source {
	struct fmp_addr addr; /* FMP_FAMILY_NONE: chosen by the kernel */
	struct flood_block block;
};

struct flood_sources {
	struct flood_source *list;
	uint32_t n, cap;
	uint32_t next; /* round robin */
	uint32_t blocked; /* of the list */
};

/* Adds one address. Return: 0, FMP_ERR_SYNTAX, FMP_ERR_LIMIT, FMP_ERR_NOMEM. */
int flood_sources_add(struct flood_sources *s, const char *text, struct fmp_error *err);
/* Adds a range: "192.0.2.0/24/50" is 50 addresses from the first host of the prefix on; "192.0.2.7/50" is 50
 * addresses from that one on. Return: as above. */
int flood_sources_add_range(struct flood_sources *s, const char *text, struct fmp_error *err);
/* Ensures at least one source, and that all have the family of the target. Return: 0, FMP_ERR_INVALID, FMP_ERR_NOMEM. */
int flood_sources_ready(struct flood_sources *s, uint8_t family, struct fmp_error *err);
void flood_sources_free(struct flood_sources *s);
/* Return: the index of the next source. */
uint32_t flood_sources_next(struct flood_sources *s);
/* Checks that this machine can send from each source. Return: 0, FMP_ERR_IO. */
int flood_sources_check(const struct flood_sources *s, uint8_t family, struct fmp_error *err);
/* Called after a request. at: index of its source; see flood_block_end(). */
void flood_sources_end(struct flood_sources *s, uint32_t at, enum flood_outcome o,
		       uint64_t began_ns);

/*
 * Opens a nonblocking TCP socket, bound to the source.
 * Return: a descriptor, or a negative errno.
 */
int flood_source_socket(const struct flood_source *src, uint8_t family);

#endif
