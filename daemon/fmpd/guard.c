// SPDX-License-Identifier: GPL-2.0
/* Who is never blocked: the protected set kept up with the kernel's, and the MAC's vetoes. */
#include "plane_private.h"

#include <stdio.h>

#include "clock.h"
#include "log.h"

/* Neighbours come and go by the hundred under a flood: the first notification is followed at
 * once, the next ones no sooner than this. */
#define NET_PAUSE_US 250000

int plane_forbidden(const struct fmpd_plane *p, const struct fmp_addr *addr, struct fmp_error *err)
{
	const struct fmp_protect_entry *entry = fmp_protect_check(p->protect, addr);
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

bool plane_spares(const struct fmp_addr *addr, void *ctx)
{
	const struct fmpd_plane *p = ctx;

	return fmp_protect_check(p->protect, addr) != NULL;
}

bool plane_kin(const struct fmp_addr *addr, struct fmp_addr *mac, void *ctx)
{
	struct fmpd_plane *p = ctx;

	if (fmp_net_host_mac(p->net, addr, mac) || fmp_protect_check(p->protect, mac))
		return false;
	plane_resume_know(p, mac);
	return true;
}

/*
 * Another address behind the MAC that is to be blocked: innocent unless it is malicious itself, or
 * seems to be the same host's and was not good.
 */
static bool innocent(const struct fmp_addr *other, bool own, void *ctx)
{
	struct fmpd_plane *p = ctx;
	struct fmp_source_info row;

	if (fmp_engine_get(p->engine, other, fmpd_now_ms(), &row))
		return !own;
	return row.state != FMP_STATE_MALICIOUS && (!own || row.good);
}

/*
 * Is the address to be blocked in a pair with its MAC? Not if it is already: what comes by it then has
 * another MAC, and whoever keeps an address must not get away by that.
 */
static bool pairs(const struct fmpd_plane *p, const struct fmp_decision *d)
{
	const struct fmpd_record *r;

	if (!p->policy->block.local_mac_pair || !fmp_decision_may_pair(d))
		return false;
	r = fmpd_book_find(p->book, &d->source);
	return !r || !r->in_force || !r->d.has_pair;
}

void plane_resolve_mac(struct fmpd_plane *p, struct fmp_decision *d, const struct fmp_addr *ip)
{
	d->mac = d->pair_mac = (struct fmp_addr){ 0 };
	d->mac_ms = 0;
	if (!p->policy->block.mac) {
		d->mac_veto = FMP_MAC_POLICY;
		return;
	}
	if (fmp_decision_narrowed(d)) {
		d->mac_veto = FMP_MAC_NARROWED;
		return;
	}
	if (!fmp_addr_is_ip(ip) || ip->prefix_len != fmp_addr_max_prefix(ip->family)) {
		d->mac_veto = FMP_MAC_UNKNOWN;
		return;
	}
	d->mac_veto = fmp_net_mac(p->net, ip, innocent, p, &d->mac);
	if (d->mac_veto == FMP_MAC_OK && fmp_protect_check(p->protect, &d->mac))
		d->mac_veto = FMP_MAC_PROTECTED;
	if (d->mac_veto == FMP_MAC_OK && fmp_mac_is_local(&d->mac)) {
		uint64_t ms = p->policy->block.local_mac_ms;

		if (pairs(p, d))
			d->pair_mac = d->mac;
		if (!ms)
			d->mac_veto = FMP_MAC_RANDOM;
		else if (!d->duration_ms || ms < d->duration_ms)
			d->mac_ms = ms;
	}
	if (d->mac_veto != FMP_MAC_OK)
		d->mac = (struct fmp_addr){ 0 };
}

/* Blocks in force that the set forbids now end; one that only lost its MAC keeps the rest. */
static void end_forbidden(struct fmpd_plane *p)
{
	struct fmpd_record *r, *next;
	struct fmp_decision d;
	struct fmp_error err;

	for (r = fmpd_book_first(p->book); r; r = next) {
		struct fmp_addr mac = r->d.has_pair ? fmpd_kept_pair_mac(&r->d)
						    : fmpd_kept_mac(&r->d);

		next = fmpd_book_next(r);
		if (plane_forbidden(p, &r->d.source, &err)) {
			if (fmp_engine_unblock(p->engine, &r->d.source, err.message, fmpd_now_ms(),
					       &d))
				continue;
			/* One at a time: a flush in between would change the list. */
			plane_release(p, &d);
			fmpd_plane_flush(p);
		} else if (mac.family && fmp_protect_check(p->protect, &mac)) {
			plane_drop_mac(p, r, FMP_MAC_PROTECTED);
		}
	}
}

int plane_guarded(struct fmpd_plane *p, struct fmp_error *err)
{
	const struct fmp_protect_entry *set;
	size_t n = fmp_protect_list(p->protect, &set);
	int rc = fmp_enforcer_protect(p->enforcer, set, n, err);

	/* Even if a layer did not take the set: what it forbids must not stay blocked. */
	if (p->book) {
		fmpd_plane_flush(p);
		end_forbidden(p);
	}
	return rc;
}

int plane_guard(struct fmpd_plane *p, struct fmp_error *err)
{
	int rc = fmp_protect_rebuild(p->protect, p->net, p->options.resolv_conf, p->policy->protect,
				     p->policy->n_protect, err);

	return rc <= 0 ? rc : plane_guarded(p, err);
}

static void net_changed(struct fmpd_plane *p)
{
	struct fmp_error err;
	int rc = fmp_net_refresh(p->net, &err);

	if (rc < 0)
		fmpd_log_error(FMPD_WARNING, "net", "the kernel's addresses can't be read", &err);
	if (rc <= 0)
		return;
	if (plane_devices_changed(p) && plane_enforcer_open(p, &err))
		fmpd_log_error(FMPD_ERROR, "net", "the layers can't follow the devices", &err);
	if (plane_guard(p, &err) < 0)
		fmpd_log_error(FMPD_ERROR, "protect", "the protected set can't be renewed", &err);
}

static void on_net_ready(evutil_socket_t fd, short what, void *ctx)
{
	const struct timeval pause = { 0, NET_PAUSE_US };
	struct fmpd_plane *p = ctx;

	net_changed(p);
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
