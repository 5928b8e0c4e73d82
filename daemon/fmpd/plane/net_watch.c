// SPDX-License-Identifier: GPL-2.0
/* Follow the kernel's notifications of addresses, routes and neighbours: devices, layers and the protected set. */
#include "plane_private.h"

#include <fmp/internal/evtimer.h>

#include "../common/log.h"

/* Under a flood neighbours come and go by the hundred: follow the first notification at once, and later ones no
 * more often than this. */
#define NET_PAUSE_MS 250

static void refresh_net(struct fmpd_plane *p)
{
	struct fmp_error err;
	int rc = fmp_net_refresh(p->net, &err);

	if (rc < 0)
		fmpd_log_error(FMPD_WARNING, "net", "the kernel's addresses can't be read", &err);
	if (rc <= 0)
		return;
	if (plane_devices_changed(p) && plane_enforcer_open(p, &err))
		fmpd_log_error(FMPD_ERROR, "net", "the layers can't follow the devices", &err);
	if (plane_rebuild_protected(p, &err) < 0)
		fmpd_log_error(FMPD_ERROR, "protect", "the protected set can't be renewed", &err);
}

static void on_net_ready(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_plane *p = ctx;

	refresh_net(p);
	event_del(p->net_ready);
	fmp_evtimer_arm(p->net_again, NET_PAUSE_MS);
}

static void on_net_again(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_plane *p = ctx;

	event_add(p->net_ready, NULL);
}

int plane_watch_net(struct fmpd_plane *p, struct fmp_error *err)
{
	p->net_ready =
		event_new(p->base, fmp_net_fd(p->net), EV_READ | EV_PERSIST, on_net_ready, p);
	p->net_again = evtimer_new(p->base, on_net_again, p);
	if (!p->net_ready || !p->net_again || event_add(p->net_ready, NULL))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	return 0;
}
