// SPDX-License-Identifier: GPL-2.0
/* Which connection is closed when a new one needs its place. */
#include <stddef.h>

#include <fmp/internal/forwarded.h>

#include "../common/clock.h"
#include "connection_private.h"
#include "upload.h"

#define NEW_CONNECTION_NS 1000000000u /* a connection without a byte is new for so long */
#define CHARGED_SHARE	  4u /* a source with more than 1/4 of per-source is charged */

/* Proxies and local programs act for others: the duration is not their choice. */
enum gw_evict_class gw_connection_evict_class(const struct gw_connection *c,
					      enum gw_connection_state state)
{
	switch (state) {
	case CONN_HANDSHAKE:
		return GW_EVICT_SILENT;
	case CONN_IDLE:
		return c->served ? GW_EVICT_IDLE : GW_EVICT_SILENT;
	case CONN_UPLOADING:
		if (gw_upload_is_blocked(c))
			return GW_EVICT_NEVER;
		/* fall through */
	case CONN_READING:
	case CONN_RESPONDING:
	case CONN_LINGERING:
		return c->peer.forwarded || c->peer.local ? GW_EVICT_NEVER : GW_EVICT_SLOW;
	default:
		return GW_EVICT_NEVER;
	}
}

/* A source with a single new connection may be about to send its request. */
static bool is_new(const struct gw_connection *c)
{
	return gw_clock_ns(CLOCK_BOOTTIME) - c->accepted_ns < NEW_CONNECTION_NS;
}

static struct gw_connection *get_connection(struct gw_evict_entry *p)
{
	return (struct gw_connection *)((char *)p - offsetof(struct gw_connection, evict));
}

/* Every source has one slow connection at times: evict only if it has a second one. */
static struct gw_connection *find_evictable(struct gw_shared *s, unsigned *n)
{
	struct gw_evict_entry *silent =
				      gw_source_limits_find_largest(s->limits, GW_EVICT_SILENT, n),
			      *other;

	if (*n > 1 || (silent && !is_new(get_connection(silent))))
		return get_connection(silent);
	other = gw_source_limits_find_largest(s->limits, GW_EVICT_IDLE, n);
	if (other)
		return get_connection(other);
	other = gw_source_limits_find_largest(s->limits, GW_EVICT_SLOW, n);
	return *n > 1 ? get_connection(other) : NULL;
}

bool gw_connection_evict(struct gw_shared *s)
{
	const struct fmp_policy_gateway *g = &s->settings->policy->gateway;
	unsigned n;
	struct gw_connection *c = find_evictable(s, &n);

	if (!c)
		return false;
	/* Not charged: a browser's few preconnected connections, and idle ones that were served. */
	if (c->evict.in != GW_EVICT_IDLE && n > g->connections_per_source / CHARGED_SHARE &&
	    n > 1 && !fmp_forwarded_find_proxy(g, &c->peer.source))
		gw_connection_charge(
			c, FMP_EVENT_CONNECTION, 0,
			c->evict.in == GW_EVICT_SILENT
				? "held places without a request that others waited for"
				: "held places by slow requests that others waited for");
	gw_connection_close(c, c->evict.in != GW_EVICT_IDLE);
	return true;
}
