/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many connections are of each source, what they hold, and which of them could give way: asked at each accept, so
 * not by walking them all.
 */
#ifndef GW_SOURCE_LIMITS_H
#define GW_SOURCE_LIMITS_H

#include <stddef.h>
#include <sys/queue.h>

#include <fmp/source.h>

struct gw_source_limits;
struct gw_source_usage;

/** gw_source_limits_new() - @most: connections at once. Return: NULL without memory. */
struct gw_source_limits *gw_source_limits_new(unsigned most);
/** gw_source_limits_free() - when all have left. */
void gw_source_limits_free(struct gw_source_limits *c);

/** gw_source_limits_count() - connections of a source. */
unsigned gw_source_limits_count(const struct gw_source_limits *c, const struct fmp_addr *source);
/** gw_source_limits_add() - one more. Return: what to leave with; NULL without memory. */
struct gw_source_usage *gw_source_limits_add(struct gw_source_limits *c,
					     const struct fmp_addr *source);
void gw_source_limits_remove(struct gw_source_limits *c, struct gw_source_usage *s);

/** gw_source_limits_set_bytes() - one of its connections held so many bytes before, and now. */
void gw_source_limits_set_bytes(struct gw_source_usage *s, size_t before, size_t now);
/** gw_source_limits_bytes() - bytes that all of its connections hold. */
size_t gw_source_limits_bytes(const struct gw_source_usage *s);

/** enum gw_evict_class - of those that could give way, the first ones first */
enum gw_evict_class {
	GW_EVICT_SILENT, /**< no byte of a first request */
	GW_EVICT_IDLE, /**< kept after an answer */
	GW_EVICT_SLOW, /**< a request or an answer is on its way by the client's doing */
	GW_EVICT_CLASSES,
	GW_EVICT_NEVER = GW_EVICT_CLASSES, /**< others are at work for it */
};

/** struct gw_evict_entry - of one connection; starts as NONE */
struct gw_evict_entry {
	TAILQ_ENTRY(gw_evict_entry) list; /**< private */
	enum gw_evict_class in;
};
TAILQ_HEAD(gw_evict_list, gw_evict_entry);

/** gw_source_limits_set_class() - a connection of a source is of that class now, as its youngest. */
void gw_source_limits_set_class(struct gw_source_limits *c, struct gw_source_usage *s,
				struct gw_evict_entry *p, enum gw_evict_class in);
/**
 * gw_source_limits_find_largest() - the oldest place of a class, of the source that has most of them
 * @n: how many that source has; beyond GW_SOURCE_LIMITS_LEVELS all are alike
 *
 * Return: NULL: there is none.
 */
struct gw_evict_entry *gw_source_limits_find_largest(const struct gw_source_limits *c,
						     enum gw_evict_class in, unsigned *n);

#define GW_SOURCE_LIMITS_LEVELS 256

#endif
