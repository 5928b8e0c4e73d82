/* SPDX-License-Identifier: GPL-2.0 */
/* How many connections are of each source: asked at each accept, so not by walking them all. */
#ifndef GW_CROWD_H
#define GW_CROWD_H

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

#endif
