// SPDX-License-Identifier: GPL-2.0
#include "reporters.h"

#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <event2/bufferevent.h>
#include <event2/listener.h>

#include <report/path.h>

#include "allowance.h"
#include "clock.h"
#include "log.h"
#include "out.h"
#include "unix_listen.h"

#define CLIENTS_MAX 64u
#define QUIET_S	    60 /* a program that reports nothing for so long is closed */
#define EVENT_MAX   1024u /* bytes of a report */
#define GROUPS_MAX  65536u

struct reporter {
	struct fmpd_reporters *all;
	struct bufferevent *bev;
	unsigned uid;
	LIST_ENTRY(reporter) list;
};

struct fmpd_reporters {
	char path[sizeof(((struct sockaddr_un *)0)->sun_path)];
	int fd;
	struct event_base *base;
	struct fmpd_plane *plane;
	struct evconnlistener *listener;
	LIST_HEAD(, reporter) clients;
	unsigned n_clients;
	struct fmpd_allowance allowance;
	struct fmpd_reporters_stats stats;
	uint64_t said_ms; /* of what was lost */
	struct fmpd_out out;
};

static const struct fmp_policy_report *policy_of(const struct fmpd_reporters *all)
{
	struct fmpd_plane_view v;

	fmpd_plane_view(all->plane, &v);
	return &v.policy->report;
}

/* ---- who may ---- */

static bool in_group(int fd, gid_t wanted)
{
	socklen_t len = 64 * sizeof(gid_t);
	gid_t *groups = malloc(len), *more;
	bool found = false;
	int rc = -1;

	if (groups)
		rc = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &len);
	/* In too many for that: the kernel has said how many. */
	if (groups && rc && len > 64 * sizeof(gid_t) && len <= GROUPS_MAX * sizeof(gid_t)) {
		more = realloc(groups, len);
		if (more) {
			groups = more;
			rc = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &len);
		}
	}
	for (size_t i = 0; !rc && i < len / sizeof(gid_t); i++)
		found |= groups[i] == wanted;
	free(groups);
	return found;
}

static bool may(const struct fmpd_reporters *all, int fd, unsigned *uid)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);
	const struct group *g;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len))
		return false;
	*uid = cred.uid;
	if (!cred.uid || cred.uid == geteuid())
		return true;
	g = getgrnam(policy_of(all)->group);
	return g && (cred.gid == g->gr_gid || in_group(fd, g->gr_gid));
}

/* ---- reports ---- */

static void drop(struct reporter *c)
{
	LIST_REMOVE(c, list);
	c->all->n_clients--;
	bufferevent_free(c->bev);
	free(c);
}

/* Not a line each: that would be one more flood. */
static void lost(struct fmpd_reporters *all, unsigned uid)
{
	uint64_t now = fmpd_now_ms();

	all->stats.lost++;
	if (all->said_ms && now < all->said_ms + 60000)
		return;
	all->said_ms = now;
	fmpd_log(FMPD_WARNING, "report", "uid %u reports faster than %u/s: %llu reports are lost",
		 uid, policy_of(all)->rate, (unsigned long long)all->stats.lost);
}

static void take(struct reporter *c, struct fmp_event *ev)
{
	struct fmpd_reporters *all = c->all;
	uint64_t now = fmpd_now_ns();

	if (!fmpd_allowance_take(&all->allowance, c->uid, policy_of(all)->rate, now / 1000000)) {
		lost(all, c->uid);
		fmpd_out_done(&all->out, FMP_ERR_LIMIT, "too many reports in too short a time");
		return;
	}
	if (ev->kind == FMP_EVENT_GOOD || !fmp_addr_is_ip(&ev->source)) {
		fmpd_out_done(&all->out, FMP_ERR_INVALID,
			      ev->kind == FMP_EVENT_GOOD ? "only the gateway tells of good messages"
							 : "the report names no IP address");
		return;
	}
	all->stats.taken++;
	if (!ev->time_ns || ev->time_ns > now)
		ev->time_ns = now;
	fmpd_plane_event(all->plane, ev);
	fmpd_plane_flush(all->plane);
	fmpd_out_done(&all->out, 0, "");
}

static void on_read(struct bufferevent *bev, void *ctx)
{
	struct evbuffer *in = bufferevent_get_input(bev);
	struct reporter *c = ctx;
	struct fmp_wire_in msg;
	struct fmp_event ev;
	size_t used;
	int rc;

	/* One at a time: the next one waits until the answer is read. */
	while (!evbuffer_get_length(bufferevent_get_output(bev))) {
		size_t len = evbuffer_get_length(in);

		rc = fmp_wire_parse(evbuffer_pullup(in, -1), len, EVENT_MAX, &msg, &used);
		if (rc == FMP_ERR_AGAIN)
			return;
		if (!rc && msg.type != FMP_MSG_EVENT)
			rc = FMP_ERR_SYNTAX;
		if (!rc)
			rc = fmp_event_decode(&msg, &ev);
		if (rc) {
			fmpd_log(FMPD_INFO, "report", "uid %u is closed: what it sent is no report",
				 c->uid);
			drop(c);
			return;
		}
		evbuffer_drain(in, used);
		c->all->out.to = bufferevent_get_output(bev);
		c->all->out.left_out = 0;
		take(c, &ev);
	}
}

static void on_written(struct bufferevent *bev, void *ctx)
{
	on_read(bev, ctx);
}

static void on_end(struct bufferevent *bev, short what, void *ctx)
{
	drop(ctx);
}

static void on_accept(struct evconnlistener *l, evutil_socket_t fd, struct sockaddr *sa, int len,
		      void *ctx)
{
	const struct timeval quiet = { QUIET_S, 0 };
	struct fmpd_reporters *all = ctx;
	struct reporter *c = NULL;
	unsigned uid = (unsigned)-1;

	if (!may(all, fd, &uid)) {
		all->stats.denied++;
		close(fd);
		return;
	}
	if (all->n_clients < CLIENTS_MAX)
		c = calloc(1, sizeof(*c));
	if (c)
		c->bev = bufferevent_socket_new(all->base, fd, BEV_OPT_CLOSE_ON_FREE);
	if (!c || !c->bev) {
		free(c);
		close(fd);
		return;
	}
	c->all = all;
	c->uid = uid;
	LIST_INSERT_HEAD(&all->clients, c, list);
	all->n_clients++;
	bufferevent_setcb(c->bev, on_read, on_written, on_end, c);
	bufferevent_setwatermark(c->bev, EV_READ, 0, EVENT_MAX + 4);
	bufferevent_set_timeouts(c->bev, &quiet, &quiet);
	bufferevent_enable(c->bev, EV_READ | EV_WRITE);
}

/* ---- beginning and end ---- */

int fmpd_reporters_new(const char *control_path, struct fmpd_reporters **out, struct fmp_error *err)
{
	struct fmpd_reporters *all = calloc(1, sizeof(*all));
	int rc;

	if (!all)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	LIST_INIT(&all->clients);
	fmpi_report_path(control_path, all->path, sizeof(all->path));
	/* Anybody may knock; who is let in, may() says: the policy, which says whom, is read later, and
	 * may change. */
	rc = fmpd_unix_listen(all->path, 0666, (int)CLIENTS_MAX, &all->fd, err);
	if (rc) {
		free(all);
		return rc;
	}
	*out = all;
	return 0;
}

int fmpd_reporters_run(struct fmpd_reporters *all, struct event_base *base,
		       struct fmpd_plane *plane, struct fmp_error *err)
{
	all->base = base;
	all->plane = plane;
	all->listener = evconnlistener_new(base, on_accept, all, LEV_OPT_CLOSE_ON_EXEC, 0, all->fd);
	return all->listener ? 0
			     : fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the report socket");
}

void fmpd_reporters_free(struct fmpd_reporters *all)
{
	struct reporter *c;

	if (!all)
		return;
	while ((c = LIST_FIRST(&all->clients)))
		drop(c);
	if (all->listener)
		evconnlistener_free(all->listener);
	close(all->fd);
	unlink(all->path);
	free(all);
}

void fmpd_reporters_get_stats(const struct fmpd_reporters *all, struct fmpd_reporters_stats *out)
{
	*out = all ? all->stats : (struct fmpd_reporters_stats){ 0 };
}
