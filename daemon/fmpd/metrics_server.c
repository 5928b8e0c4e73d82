// SPDX-License-Identifier: GPL-2.0
#include "metrics_server.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>

#define TIMEOUT_S    5
#define HEADERS_MAX  8192
#define FILES_MAX    64u
#define FULL_MS	     100 /* without a descriptor, who waits is looked at so often */
#define FIRST_OTHER  5u /* descriptors below: the standard ones and our two */
#define CONTENT_TYPE "text/plain; version=0.0.4; charset=utf-8"

static int read_all(int fd, void *bytes, size_t n)
{
	uint8_t *p = bytes;

	while (n) {
		ssize_t got = read(fd, p, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -1;
		p += got;
		n -= (size_t)got;
	}
	return 0;
}

/* One at a time: fmpd answers in a moment, and if it can't any more, this ends. */
static struct evbuffer *ask(int channel)
{
	const char ask = FMPD_METRICS_ASK;
	struct evbuffer *text = evbuffer_new();
	struct evbuffer_iovec space;
	uint32_t len;

	if (!text || write(channel, &ask, 1) != 1 || read_all(channel, &len, sizeof(len)) ||
	    len > FMPD_METRICS_TEXT)
		_exit(0);
	if (evbuffer_reserve_space(text, len, &space, 1) != 1 ||
	    read_all(channel, space.iov_base, len))
		_exit(0);
	space.iov_len = len;
	evbuffer_commit_space(text, &space, 1);
	return text;
}

static void on_metrics(struct evhttp_request *req, void *ctx)
{
	struct evbuffer *text = ask(*(int *)ctx);

	evhttp_add_header(evhttp_request_get_output_headers(req), "Content-Type", CONTENT_TYPE);
	evhttp_send_reply(req, HTTP_OK, "OK", text);
	evbuffer_free(text);
}

static void on_other(struct evhttp_request *req, void *ctx)
{
	evhttp_send_error(req, HTTP_NOTFOUND, "Only /metrics is here");
}

static void on_again(evutil_socket_t fd, short what, void *listener)
{
	evconnlistener_enable(listener);
}

/* There is no descriptor, and who waits stays readable: without a pause this would spin. */
static void on_full(struct evconnlistener *listener, void *http)
{
	static const struct timeval pause = { .tv_usec = FULL_MS * 1000 };

	evconnlistener_disable(listener);
	if (event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, on_again, listener,
			    &pause))
		_exit(1);
}

static bool accept_from(struct evhttp *http, int fd)
{
	struct evhttp_bound_socket *bound = evhttp_accept_socket_with_handle(http, fd);

	if (bound)
		evconnlistener_set_error_cb(evhttp_bound_socket_get_listener(bound), on_full);
	return bound;
}

/* It is over when fmpd is. */
static void on_channel(evutil_socket_t fd, short what, void *ctx)
{
	_exit(0);
}

static void give_up_rights(const char *user)
{
	const struct passwd *pw = geteuid() ? NULL : getpwnam(user);
	const struct rlimit files = { FILES_MAX, FILES_MAX };

	if (!geteuid() &&
	    (!pw || setgroups(0, NULL) || setresgid(pw->pw_gid, pw->pw_gid, pw->pw_gid) ||
	     setresuid(pw->pw_uid, pw->pw_uid, pw->pw_uid)))
		_exit(1);
	setrlimit(RLIMIT_NOFILE, &files);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	/* After the change of user, which clears it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* Ours at fixed places, and none of fmpd's others. */
static void keep_only(int *listen_fd, int *channel_fd)
{
	int l = dup(*listen_fd), c = dup(*channel_fd);

	if (l < 0 || c < 0 || dup2(l, 3) != 3 || dup2(c, 4) != 4)
		_exit(1);
	close_range(FIRST_OTHER, ~0U, 0);
	*listen_fd = 3;
	*channel_fd = 4;
}

void fmpd_metrics_serve(int listen_fd, int channel_fd, const char *user)
{
	struct event_base *base;
	struct evhttp *http;
	struct event *end;

	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_IGN); /* of a terminal: fmpd ends first */
	signal(SIGHUP, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	give_up_rights(user);
	keep_only(&listen_fd, &channel_fd);
	base = event_base_new();
	http = base ? evhttp_new(base) : NULL;
	end = http ? event_new(base, channel_fd, EV_READ, on_channel, NULL) : NULL;
	if (!end || event_add(end, NULL) || !accept_from(http, listen_fd))
		_exit(1);
	evhttp_set_allowed_methods(http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD);
	evhttp_set_max_headers_size(http, HEADERS_MAX);
	evhttp_set_max_body_size(http, 0);
	evhttp_set_timeout(http, TIMEOUT_S);
	evhttp_set_cb(http, "/metrics", on_metrics, &channel_fd);
	evhttp_set_gencb(http, on_other, NULL);
	event_base_dispatch(base);
	_exit(0);
}
