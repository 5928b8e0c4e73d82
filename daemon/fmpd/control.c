// SPDX-License-Identifier: GPL-2.0
#include "control.h"

#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <event2/bufferevent.h>
#include <event2/listener.h>

#include <report/path.h>

#include "dispatch.h"
#include "log.h"
#include "unix_listen.h"

#define CLIENTS_MAX  32u
#define WATCHERS_MAX 8u
#define ANSWER_MAX   (16u << 20) /* bytes of one answer */
#define BACKLOG_MAX  (1u << 20) /* bytes that a watcher may lag behind */
#define QUIET_S	     60 /* a client that asks nothing for so long is closed */
#define ADMIN_GROUP  "fmpadmin" /* whose members may use the socket, if it exists */

struct client {
	struct fmpd_control *control;
	struct bufferevent *bev;
	unsigned uid;
	bool watching;
	LIST_ENTRY(client) list;
};

struct fmpd_control {
	char path[sizeof(((struct sockaddr_un *)0)->sun_path)];
	int fd;
	struct event_base *base;
	const struct fmpd_show *show;
	struct evconnlistener *listener;
	LIST_HEAD(, client) clients;
	unsigned n_clients, n_watchers;
	struct evbuffer *scratch; /* records for watchers */
	struct fmpd_out out; /* of the answer being written */
	struct fmpd_out
		watch; /* apart: what a request sets off is told while its answer is not complete */
};

/* ---- clients ---- */

static void drop(struct client *c)
{
	struct fmpd_control *ctl = c->control;

	LIST_REMOVE(c, list);
	ctl->n_clients--;
	if (c->watching)
		ctl->n_watchers--;
	bufferevent_free(c->bev);
	free(c);
}

static void subscribe(struct client *c)
{
	struct fmpd_out *out = &c->control->out;

	if (c->watching)
		return;
	if (c->control->n_watchers == WATCHERS_MAX) {
		fmpd_out_done(out, FMP_ERR_LIMIT, "too many watch already");
		return;
	}
	c->watching = true;
	c->control->n_watchers++;
	bufferevent_set_timeouts(c->bev, NULL, NULL);
}

/* Return: false if the client is to be closed. */
static bool answer(struct client *c, struct fmp_wire_in *in)
{
	struct fmpd_control *ctl = c->control;
	struct fmpd_request req;
	struct fmp_error err;
	char text[700];
	int rc;

	if (c->watching) /* has nothing more to ask */
		return false;
	ctl->out.to = bufferevent_get_output(c->bev);
	ctl->out.limit = ANSWER_MAX;
	ctl->out.left_out = 0;
	rc = fmpd_request_decode(in, &req, &err);
	if (rc == FMP_ERR_SYNTAX)
		return false;
	if (rc)
		fmpd_out_done(&ctl->out, rc, fmp_error_format(&err, text, sizeof(text)));
	else if (req.type == FMP_CTL_WATCH)
		subscribe(c);
	else
		fmpd_dispatch(ctl->show, &req, c->uid, &ctl->out);
	return true;
}

/* One request at a time: the next one waits until the answer is read. */
static void on_read(struct bufferevent *bev, void *ctx)
{
	struct evbuffer *in = bufferevent_get_input(bev);
	struct client *c = ctx;
	struct fmp_wire_in msg;
	size_t used;
	int rc;

	while (!evbuffer_get_length(bufferevent_get_output(bev)) || c->watching) {
		size_t len = evbuffer_get_length(in);

		rc = fmp_wire_parse(evbuffer_pullup(in, -1), len, FMP_WIRE_MAX, &msg, &used);
		if (rc == FMP_ERR_AGAIN)
			return;
		if (rc || !answer(c, &msg)) {
			fmpd_log(FMPD_INFO, "control",
				 "a client of uid %u is closed: what it sent "
				 "does not decode",
				 c->uid);
			drop(c);
			return;
		}
		evbuffer_drain(in, used);
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
	struct ucred cred = { .uid = (uid_t)-1 };
	socklen_t size = sizeof(cred);
	struct fmpd_control *ctl = ctx;
	struct client *c;

	c = ctl->n_clients < CLIENTS_MAX ? calloc(1, sizeof(*c)) : NULL;
	if (c)
		c->bev = bufferevent_socket_new(ctl->base, fd, BEV_OPT_CLOSE_ON_FREE);
	if (!c || !c->bev) {
		free(c);
		close(fd);
		return;
	}
	getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &size);
	c->control = ctl;
	c->uid = cred.uid;
	LIST_INSERT_HEAD(&ctl->clients, c, list);
	ctl->n_clients++;
	bufferevent_setcb(c->bev, on_read, on_written, on_end, c);
	bufferevent_setwatermark(c->bev, EV_READ, 0, FMP_WIRE_MAX + 4);
	bufferevent_set_timeouts(c->bev, &quiet, &quiet);
	bufferevent_enable(c->bev, EV_READ | EV_WRITE);
}

/* ---- watchers ---- */

static struct fmpd_out *watch_begin(struct fmpd_control *c)
{
	if (!c || !c->n_watchers)
		return NULL;
	c->watch.to = c->scratch;
	c->watch.limit = 0;
	c->watch.left_out = 0;
	return &c->watch;
}

static void watch_send(struct fmpd_control *ctl)
{
	size_t len = evbuffer_get_length(ctl->scratch);
	const unsigned char *bytes = evbuffer_pullup(ctl->scratch, -1);
	struct client *c, *next;

	for (c = LIST_FIRST(&ctl->clients); c; c = next) {
		next = LIST_NEXT(c, list);
		if (!c->watching)
			continue;
		if (evbuffer_get_length(bufferevent_get_output(c->bev)) + len > BACKLOG_MAX) {
			fmpd_log(FMPD_INFO, "control", "a watcher of uid %u is too slow: closed",
				 c->uid);
			drop(c);
			continue;
		}
		bufferevent_write(c->bev, bytes, len);
	}
	evbuffer_drain(ctl->scratch, len);
}

void fmpd_control_event(struct fmpd_control *c, const struct fmp_event *ev)
{
	struct fmpd_out *out = watch_begin(c);
	struct fmp_source_info row = { 0 };
	struct fmpd_plane_view v;

	if (!out)
		return;
	fmpd_plane_view(c->show->plane, &v);
	if (fmp_engine_get(v.engine, &ev->source, ev->time_ns / 1000000, &row))
		row.rank = 0;
	fmpd_show_event(out, ev, row.rank);
	watch_send(c);
}

void fmpd_control_decision(struct fmpd_control *c, const struct fmpd_record *r)
{
	struct fmpd_out *out = watch_begin(c);

	if (!out)
		return;
	fmpd_show_decision(c->show, out, r, false);
	watch_send(c);
}

void fmpd_control_gateway(struct fmpd_control *c, const struct fmpd_gateway_status *st,
			  const char *what)
{
	struct fmpd_out *out = watch_begin(c);
	struct fmpd_plane_view v;

	if (!out)
		return;
	fmpd_plane_view(c->show->plane, &v);
	fmpd_show_gateway(out, v.options, st, what);
	watch_send(c);
}

/* ---- beginning and end ---- */

static int bind_socket(struct fmpd_control *c, struct fmp_error *err)
{
	struct group *admins;
	int rc = fmpd_unix_listen(c->path, 0660, CLIENTS_MAX, &c->fd, err);

	if (rc)
		return rc;
	admins = geteuid() ? NULL : getgrnam(ADMIN_GROUP);
	if (admins && chown(c->path, (uid_t)-1, admins->gr_gid))
		fmpd_log(FMPD_WARNING, "control", "%s can't be given to group %s", c->path,
			 ADMIN_GROUP);
	return 0;
}

int fmpd_control_new(const char *path, struct fmpd_control **out, struct fmp_error *err)
{
	struct fmpd_control *c = calloc(1, sizeof(*c));
	bool ours = !path && geteuid();
	int rc;

	if (!c)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	if (ours)
		fmpi_control_user_path(c->path, sizeof(c->path));
	else
		snprintf(c->path, sizeof(c->path), "%s", path ? path : FMP_CONTROL_SOCKET);
	if (path && strlen(path) >= sizeof(c->path))
		rc = fmp_error_set(err, FMP_ERR_INVALID, "the path %s is too long for a socket",
				   path);
	else
		rc = fmpd_unix_dir(c->path, ours, err);
	if (!rc)
		rc = bind_socket(c, err);
	if (rc) {
		free(c);
		return rc;
	}
	LIST_INIT(&c->clients);
	*out = c;
	return 0;
}

int fmpd_control_run(struct fmpd_control *c, struct event_base *base, const struct fmpd_show *show,
		     struct fmp_error *err)
{
	c->base = base;
	c->show = show;
	c->scratch = evbuffer_new();
	c->listener = evconnlistener_new(base, on_accept, c, LEV_OPT_CLOSE_ON_EXEC, 0, c->fd);
	if (!c->listener || !c->scratch)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the control socket");
	fmpd_log(FMPD_INFO, "control", "fmpctl reaches this fmpd at %s", c->path);
	return 0;
}

const char *fmpd_control_path(const struct fmpd_control *c)
{
	return c->path;
}

void fmpd_control_free(struct fmpd_control *c)
{
	struct client *client;

	if (!c)
		return;
	while ((client = LIST_FIRST(&c->clients)))
		drop(client);
	if (c->listener)
		evconnlistener_free(c->listener);
	if (c->scratch)
		evbuffer_free(c->scratch);
	close(c->fd);
	unlink(c->path);
	free(c);
}
