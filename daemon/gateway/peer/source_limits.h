/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts each source's connections and buffered bytes, and knows which connection to evict. It is
 * asked at each accept, so nothing here walks over all connections.
 */
#ifndef GW_SOURCE_LIMITS_H
#define GW_SOURCE_LIMITS_H

#include <stddef.h>

#include <fmp/internal/queue.h>
#include <fmp/source.h>

struct gw_source_limits;
struct gw_source_usage;

/** gw_source_limits_new() - @max: connections at once. Return: NULL without memory. */
struct gw_source_limits *gw_source_limits_new(unsigned max);
/** gw_source_limits_free() - after all connections are removed. */
void gw_source_limits_free(struct gw_source_limits *c);

/** gw_source_limits_count() - connections of a source. */
unsigned gw_source_limits_count(const struct gw_source_limits *c, const struct fmp_addr *source);
/**
 * gw_source_limits_add() - count a connection. Return: to be passed to _remove(); NULL without
 * memory.
 */
struct gw_source_usage *gw_source_limits_add(struct gw_source_limits *c,
					     const struct fmp_addr *source);
void gw_source_limits_remove(struct gw_source_limits *c, struct gw_source_usage *s);

/** gw_source_limits_set_bytes() - one connection's buffered bytes change from @before to @now. */
void gw_source_limits_set_bytes(struct gw_source_usage *s, size_t before, size_t now);
/** gw_source_limits_bytes() - bytes buffered by all its connections. */
size_t gw_source_limits_bytes(const struct gw_source_usage *s);

/** enum gw_evict_class - classes of connections that can be evicted, in order of preference */
enum gw_evict_class {
	GW_EVICT_SILENT, /**< no byte of the first request has come */
	GW_EVICT_IDLE, /**< idle after a reply */
	GW_EVICT_SLOW, /**< the client is slow to send a request or to read a reply */
	GW_EVICT_CLASSES,
	GW_EVICT_NEVER = GW_EVICT_CLASSES, /**< a worker or the service works for it */
};

/** struct gw_evict_entry - of one connection; starts as NEVER */
struct gw_evict_entry {
	TAILQ_ENTRY(gw_evict_entry) list; /**< private */
	enum gw_evict_class in;
};
TAILQ_HEAD(gw_evict_list, gw_evict_entry);

/** gw_source_limits_set_class() - move a connection to a class, as its youngest. */
void gw_source_limits_set_class(struct gw_source_limits *c, struct gw_source_usage *s,
				struct gw_evict_entry *p, enum gw_evict_class in);
/**
 * gw_source_limits_find_largest() - oldest connection of a class, of the source with most of that
 * class
 * @n: how many the source has; equal above GW_SOURCE_LIMITS_LEVELS
 *
 * Return: NULL: none.
 */
struct gw_evict_entry *gw_source_limits_find_largest(const struct gw_source_limits *c,
						     enum gw_evict_class in, unsigned *n);

#define GW_SOURCE_LIMITS_LEVELS 256

#endif
