// SPDX-License-Identifier: GPL-2.0
/* Who is never blocked: the protected set kept up with the kernel's, and the MAC's vetoes. */
#include "plane_private.h"

#include <stdio.h>

#include "../common/clock.h"
#include "../common/log.h"

/* Neighbours come and go by the hundred under a flood: the first notification is followed at
 * once, the next ones no sooner than this. */
#define NET_PAUSE_US 250000

int plane_check_protected(const struct fmpd_plane *p, const struct fmp_addr *addr,
			  struct fmp_error *err)
{
	const struct fmp_protect_entry *entry =
		fmp_protect_check_host(p->protect, addr, &p->policy->nat64);
	char text[FMP_ADDR_STRLEN], by[FMP_ADDR_STRLEN];

	if (!entry)
		return 0;
	fmp_addr_format(addr, text, sizeof(text));
	fmp_addr_format(&entry->addr, by, sizeof(by));
	return fmp_error_set(err, FMP_ERR_PROTECTED, "%s is protected: %s%s%s%s", text,
			     fmp_protect_origin_name(entry->origin),
			     fmp_addr_equal(addr, &entry->addr) ? "" : " (",
			     fmp_addr_equal(addr, &entry->addr) ? "" : by,
			     fmp_addr_equal(addr, &entry->addr) ? "" : ")");
}

bool plane_is_protected(const struct fmp_addr *addr, void *ctx)
{
	const struct fmpd_plane *p = ctx;

	return fmp_protect_check(p->protect, addr) != NULL;
}

static struct fmp_mac_facts get_mac_facts(const struct fmpd_plane *p)
{
	return (struct fmp_mac_facts){ p->net, p->protect, p->engine, p->policy };
}

bool plane_find_mac_sibling(const struct fmp_addr *addr, const struct fmp_event *by,
			    struct fmp_addr *mac, void *ctx)
{
	struct fmpd_plane *p = ctx;
	struct fmp_mac_facts f = get_mac_facts(p);
	struct fmp_mac_seen seen = by ? fmp_mac_seen(by) : (struct fmp_mac_seen){ 0 };

	if (!fmp_mac_siblings(&f, addr, &seen, fmpd_now_ms(), mac))
		return false;
	plane_startup_restore_source(p, mac);
	return true;
}

void plane_resolve_mac(struct fmpd_plane *p, struct fmp_decision *d, const struct fmp_addr *ip,
		       const struct fmp_event *by)
{
	struct fmp_mac_seen seen = by ? fmp_mac_seen(by) : (struct fmp_mac_seen){ 0 };
	struct fmp_mac_facts f = get_mac_facts(p);

	fmp_mac_decide(&f, ip, &seen, fmpd_now_ms(), d);
}

/* Blocks in force that the set forbids now end; one that only lost its MAC keeps the rest. */
static void end_protected(struct fmpd_plane *p)
{
	struct fmpd_record *r, *next;
	struct fmp_decision d;
	struct fmp_error err;

	for (r = fmpd_table_first(p->table); r; r = next) {
		struct fmp_addr mac = r->d.has_pair ? fmpd_packed_pair_mac(&r->d)
						    : fmpd_packed_mac(&r->d);

		next = fmpd_table_next(r);
		if (plane_check_protected(p, &r->d.source, &err)) {
			if (fmp_engine_unblock(p->engine, &r->d.source, err.message, fmpd_now_ms(),
					       &d))
				continue;
			/* One at a time: a flush in between would change the list. */
			plane_queue_unblock(p, &d);
			fmpd_plane_flush(p);
		} else if (mac.family && fmp_protect_check(p->protect, &mac)) {
			plane_drop_mac(p, r, FMP_MAC_PROTECTED);
		}
	}
}

int plane_apply_protected(struct fmpd_plane *p, struct fmp_error *err)
{
	const struct fmp_protect_entry *set;
	size_t n = fmp_protect_list(p->protect, &set);
	int rc = fmp_enforcer_protect(p->enforcer, set, n, err);

	if (p->hooks.on_protected)
		p->hooks.on_protected(p->hooks.ctx);
	/* Even if a layer did not take the set: what it forbids must not stay blocked. */
	if (p->table) {
		fmpd_plane_flush(p);
		end_protected(p);
	}
	return rc;
}

int plane_rebuild_protected(struct fmpd_plane *p, struct fmp_error *err)
{
	int rc = fmp_protect_rebuild(p->protect, p->net, p->options.resolv_conf, p->policy->protect,
				     p->policy->n_protect, err);

	return rc <= 0 ? rc : plane_apply_protected(p, err);
}

void plane_contest_mac(struct fmpd_plane *p, const struct fmp_addr *source,
		       const struct fmp_event *ev)
{
	const struct fmp_protect_entry *by = fmp_protect_check(p->protect, source);
	struct fmp_error err;

	if (!by || by->origin != FMP_PROTECT_DEVICE || !ev->mac.family ||
	    fmp_protect_check(p->protect, &ev->mac))
		return;
	fmp_net_contest(p->net, &by->addr);
	if (plane_rebuild_protected(p, &err) < 0)
		fmpd_log_error(FMPD_ERROR, "protect", "the protected set can't be renewed", &err);
}

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
	const struct timeval pause = { 0, NET_PAUSE_US };
	struct fmpd_plane *p = ctx;

	refresh_net(p);
	event_del(p->net_ready);
	event_add(p->net_again, &pause);
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
