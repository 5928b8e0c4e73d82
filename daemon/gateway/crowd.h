/* SPDX-License-Identifier: GPL-2.0 */
/* How many connections are of each source, and what they hold: asked at each accept, so not by walking them all. */
#ifndef GW_CROWD_H
#define GW_CROWD_H

#include <stddef.h>

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

#endif
