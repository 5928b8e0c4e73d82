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

struct gw_crowd;
struct gw_crowd_source;

/** gw_crowd_new() - @most: connections at once. Return: NULL without memory. */
struct gw_crowd *gw_crowd_new(unsigned most);
/** gw_crowd_free() - when all have left. */
void gw_crowd_free(struct gw_crowd *c);

/** gw_crowd_count() - connections of a source. */
unsigned gw_crowd_count(const struct gw_crowd *c, const struct fmp_addr *source);
/** gw_crowd_join() - one more. Return: what to leave with; NULL without memory. */
struct gw_crowd_source *gw_crowd_join(struct gw_crowd *c, const struct fmp_addr *source);
void gw_crowd_leave(struct gw_crowd *c, struct gw_crowd_source *s);

/** gw_crowd_hold() - one of its connections held so many bytes before, and now. */
void gw_crowd_hold(struct gw_crowd_source *s, size_t before, size_t now);
/** gw_crowd_held() - bytes that all of its connections hold. */
size_t gw_crowd_held(const struct gw_crowd_source *s);

/** enum gw_place_class - of those that could give way, the first ones first */
enum gw_place_class {
	GW_PLACE_SILENT, /**< no byte of a first request */
	GW_PLACE_IDLE, /**< kept after an answer */
	GW_PLACE_SLOW, /**< a request or an answer is on its way by the client's doing */
	GW_PLACE_CLASSES,
	GW_PLACE_NONE = GW_PLACE_CLASSES, /**< others are at work for it */
};

/** struct gw_place - of one connection; starts as NONE */
struct gw_place {
	TAILQ_ENTRY(gw_place) list; /**< private */
	enum gw_place_class in;
};
TAILQ_HEAD(gw_places, gw_place);

/** gw_crowd_place() - a connection of a source is of that class now, as its youngest. */
void gw_crowd_place(struct gw_crowd *c, struct gw_crowd_source *s, struct gw_place *p,
		    enum gw_place_class in);
/**
 * gw_crowd_most() - the oldest place of a class, of the source that has most of them
 * @n: how many that source has; beyond GW_CROWD_LEVELS all are alike
 *
 * Return: NULL: there is none.
 */
struct gw_place *gw_crowd_most(const struct gw_crowd *c, enum gw_place_class in, unsigned *n);

#define GW_CROWD_LEVELS 256

#endif
