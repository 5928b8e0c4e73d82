// SPDX-License-Identifier: GPL-2.0
#include "clients.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../common/log.h"
#include "unix_listen.h"

#define ACCEPTS_PER_TURN 8
#define IDLE_S		 60 /* a client without traffic for this long is closed */

void fmpd_client_close(struct fmpd_client *c)
{
	LIST_REMOVE(c, list);
	c->all->n--;
	bufferevent_free(c->bev);
	free(c);
}

void fmpd_client_watch(struct fmpd_client *c)
{
	c->watching = true;
	bufferevent_set_timeouts(c->bev, NULL, NULL);
}

static void set_idle_timeout(struct fmpd_client *c)
{
	const struct timeval idle = { IDLE_S, 0 };

	bufferevent_set_timeouts(c->bev, &idle, &idle);
}

void fmpd_client_set_pending(struct fmpd_client *c, uint64_t what)
{
	c->pending = what;
	bufferevent_set_timeouts(c->bev, NULL, NULL);
}

void fmpd_client_defer(struct fmpd_client *c)
{
	c->deferred = true;
	bufferevent_set_timeouts(c->bev, NULL, NULL);
}

void fmpd_clients_resume_deferred(struct fmpd_clients *all)
{
	struct fmpd_client *c;

	LIST_FOREACH(c, &all->list, list)
	{
		if (!c->deferred)
			continue;
		c->deferred = false;
		c->retried = true;
		set_idle_timeout(c);
		bufferevent_trigger(c->bev, EV_READ,
				    BEV_TRIG_IGNORE_WATERMARKS | BEV_TRIG_DEFER_CALLBACKS);
	}
}

void fmpd_client_end_pending(struct fmpd_client *c)
{
	c->pending = 0;
	set_idle_timeout(c);
}

/* One message at a time: the next one waits until the client has read the reply. */
static void on_read(struct bufferevent *bev, void *ctx)
{
	struct evbuffer *in = bufferevent_get_input(bev);
	struct fmpd_client *c = ctx;
	const struct fmpd_clients_kind *kind = c->all->kind;
	struct fmp_wire_in msg;
	size_t used;
	int rc;

	while (!c->pending && !c->deferred &&
	       (!evbuffer_get_length(bufferevent_get_output(bev)) || c->watching)) {
		size_t len = evbuffer_get_length(in);

		rc = fmp_wire_parse(evbuffer_pullup(in, -1), len, kind->message_max, &msg, &used);
		if (rc == FMP_ERR_AGAIN)
			return;
		if (rc || c->watching || !kind->handle(c->all->ctx, c, &msg)) {
			fmpd_log(FMPD_INFO, kind->log, "a client of uid %u is closed: %s", c->uid,
				 kind->close_reason);
			fmpd_client_close(c);
			return;
		}
		if (c->deferred)
			return;
		c->retried = false;
		evbuffer_drain(in, used);
	}
}

static void on_written(struct bufferevent *bev, void *ctx)
{
	on_read(bev, ctx);
}

static void on_end(struct bufferevent *bev, short what, void *ctx)
{
	fmpd_client_close(ctx);
}

static struct ucred get_peer(int fd)
{
	struct ucred cred = { .uid = (uid_t)-1 };
	socklen_t size = sizeof(cred);

	getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &size);
	return cred;
}

/* A uid with many connections must not shut out other uids; root always has room. */
static bool has_room(const struct fmpd_clients *all, unsigned uid)
{
	unsigned max_clients = all->kind->max_clients, max_per_uid = all->kind->max_per_uid,
		 own = 0;
	const struct fmpd_client *c;

	if (!max_per_uid || !uid || uid == geteuid())
		return all->n < max_clients;
	for (c = LIST_FIRST(&all->list); c; c = LIST_NEXT(c, list))
		own += c->uid == uid;
	return own < max_per_uid && all->n < max_clients - max_per_uid;
}

static void accept_client(struct fmpd_clients *all, int fd)
{
	const struct ucred peer = get_peer(fd);
	unsigned uid = peer.uid;
	struct fmpd_client *c = NULL;

	if ((!all->kind->is_allowed || all->kind->is_allowed(all->ctx, fd, uid)) &&
	    has_room(all, uid))
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
	c->pid = peer.pid;
	LIST_INSERT_HEAD(&all->list, c, list);
	all->n++;
	bufferevent_setcb(c->bev, on_read, on_written, on_end, c);
	bufferevent_setwatermark(c->bev, EV_READ, 0, all->kind->message_max + 4);
	set_idle_timeout(c);
	bufferevent_enable(c->bev, EV_READ | EV_WRITE);
}

/* libevent's listener accepts until the queue is empty: a peer that keeps connecting would hold the event loop. */
static void on_accept(evutil_socket_t listen_fd, short what, void *ctx)
{
	struct fmpd_clients *all = ctx;

	for (unsigned i = 0; i < ACCEPTS_PER_TURN; i++) {
		int fd = accept4(listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0)
			return;
		accept_client(all, fd);
	}
}

int fmpd_clients_bind(struct fmpd_clients *all, const struct fmpd_clients_kind *kind, mode_t mode,
		      void *ctx, struct fmp_error *err)
{
	all->kind = kind;
	all->ctx = ctx;
	LIST_INIT(&all->list);
	return fmpd_unix_listen(all->path, mode, (int)kind->max_clients, &all->fd, err);
}

int fmpd_clients_run(struct fmpd_clients *all, struct event_base *base, struct fmp_error *err)
{
	all->base = base;
	all->accepting = event_new(base, all->fd, EV_READ | EV_PERSIST, on_accept, all);
	return all->accepting && !event_add(all->accepting, NULL)
		       ? 0
		       : fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the socket %s",
				       all->path);
}

void fmpd_clients_close(struct fmpd_clients *all)
{
	struct fmpd_client *c;

	while ((c = LIST_FIRST(&all->list)))
		fmpd_client_close(c);
	if (all->accepting)
		event_free(all->accepting);
	close(all->fd);
	unlink(all->path);
}
