// SPDX-License-Identifier: GPL-2.0
#include "metrics_server.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>

#include <fmp/internal/close_fds.h>
#include <fmp/internal/evtimer.h>
#include <fmp/internal/queue.h>
#include <fmp/source.h>

#define TIMEOUT_S    5
#define MISDIRECTED  421 /* RFC 9110 15.5.20 */
#define HEADERS_MAX  8192
#define FILES_MAX    64u
#define FULL_MS	     100 /* without a free descriptor, try to accept again after this time */
#define FIRST_OTHER  5u /* below: the standard descriptors and our two */
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

/* Blocks: fmpd replies at once, and if it has died, this process ends. */
static struct evbuffer *request_text(int channel)
{
	const char request = FMPD_METRICS_REQUEST;
	struct evbuffer *text = evbuffer_new();
	struct evbuffer_iovec space;
	uint32_t len;

	if (!text || write(channel, &request, 1) != 1 || read_all(channel, &len, sizeof(len)) ||
	    len > FMPD_METRICS_TEXT)
		_exit(0);
	if (evbuffer_reserve_space(text, len, &space, 1) != 1 ||
	    read_all(channel, space.iov_base, len))
		_exit(0);
	space.iov_len = len;
	evbuffer_commit_space(text, &space, 1);
	return text;
}

/* The channel to fmpd, and the names that a request may have in its Host field. */
struct server_ctx {
	int channel_fd;
	const char *names;
	struct fmp_addr own; /* {0}: a unix socket, anybody */
};

static bool is_listed(const char *names, const char *host, size_t len)
{
	for (names += strspn(names, " "); *names; names += strspn(names, " ")) {
		size_t n = strcspn(names, " ");

		if (n == len && !strncasecmp(names, host, n))
			return true;
		names += n;
	}
	return false;
}

/* Is it "ADDRESS", "[ADDRESS]" or one of our names, with or without a port (RFC 9110 7.2)? */
static bool is_own_name(const struct server_ctx *s, const char *host)
{
	char text[256];
	size_t len = strlen(host);
	const char *bracket = strrchr(host, ']'), *colon = strrchr(bracket ? bracket : host, ':');
	struct fmp_addr addr;

	if (colon && colon[1 + strspn(colon + 1, "0123456789")])
		return false;
	if (colon)
		len = (size_t)(colon - host);
	if (bracket) {
		if (*host != '[' || len != (size_t)(bracket - host) + 1)
			return false;
		host++;
		len -= 2;
	}
	if (len >= sizeof(text))
		return false;
	memcpy(text, host, len);
	text[len] = '\0';
	if (!fmp_addr_parse(text, &addr, NULL))
		return fmp_addr_equal(&addr, &s->own);
	/* A trailing dot, the DNS root, does not change the name. */
	if (len && text[len - 1] == '.')
		len--;
	return !bracket && (is_listed("localhost", text, len) || is_listed(s->names, text, len));
}

/*
 * DNS rebinding: a browser lets a page read what comes from the page's own name, whatever address that resolves to. Only
 * the Host field tells such a request from one that means us.
 */
static bool is_for_us(const struct server_ctx *s, struct evhttp_request *req)
{
	const struct evkeyvalq *fields = evhttp_request_get_input_headers(req);
	const char *host = NULL;
	struct evkeyval *f;

	if (!s->own.family)
		return true;
	TAILQ_FOREACH(f, fields, next)
	{
		if (strcasecmp(f->key, "Host"))
			continue;
		if (host)
			return false;
		host = f->value;
	}
	return host && is_own_name(s, host);
}

static void on_metrics(struct evhttp_request *req, void *ctx)
{
	const struct server_ctx *s = ctx;
	struct evbuffer *text;

	if (!is_for_us(s, req)) {
		evhttp_send_error(req, MISDIRECTED, "Not for this server");
		return;
	}
	text = request_text(s->channel_fd);
	evhttp_add_header(evhttp_request_get_output_headers(req), "Content-Type", CONTENT_TYPE);
	evhttp_send_reply(req, HTTP_OK, "OK", text);
	evbuffer_free(text);
}

static void on_other(struct evhttp_request *req, void *ctx)
{
	if (!is_for_us(ctx, req)) {
		evhttp_send_error(req, MISDIRECTED, "Not for this server");
		return;
	}
	evhttp_send_error(req, HTTP_NOTFOUND, "Only /metrics is here");
}

static void on_pause_end(evutil_socket_t fd, short what, void *listener)
{
	evconnlistener_enable(listener);
}

/* No descriptor is free, and the listening socket stays readable: without a pause this would spin. */
static void on_full(struct evconnlistener *listener, void *http)
{
	const struct timeval pause = fmp_timeval_of_ms(FULL_MS);

	evconnlistener_disable(listener);
	if (event_base_once(evconnlistener_get_base(listener), -1, EV_TIMEOUT, on_pause_end,
			    listener, &pause))
		_exit(1);
}

static bool accept_from(struct evhttp *http, int fd)
{
	struct evhttp_bound_socket *bound = evhttp_accept_socket_with_handle(http, fd);

	if (bound)
		evconnlistener_set_error_cb(evhttp_bound_socket_get_listener(bound), on_full);
	return bound;
}

/* fmpd has ended: end, too. */
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

/* Keep our two descriptors, at fixed numbers, and close all others of fmpd's. */
static void keep_only(int *listen_fd, int *channel_fd)
{
	int l = dup(*listen_fd), c = dup(*channel_fd);

	if (l < 0 || c < 0 || dup2(l, 3) != 3 || dup2(c, 4) != 4)
		_exit(1);
	(void)fmp_close_fds(FIRST_OTHER, ~0U);
	*listen_fd = 3;
	*channel_fd = 4;
}

static void learn_own_address(struct server_ctx *s, int listen_fd)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);

	if (getsockname(listen_fd, (struct sockaddr *)&ss, &len))
		_exit(1);
	if (ss.ss_family != AF_UNIX &&
	    fmp_addr_from_sockaddr((struct sockaddr *)&ss, &s->own, NULL))
		_exit(1);
}

void fmpd_metrics_serve(int listen_fd, int channel_fd, const char *names, const char *user)
{
	struct server_ctx s = { .names = names };
	struct event_base *base;
	struct evhttp *http;
	struct event *end;

	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_IGN); /* of a terminal: fmpd ends first */
	signal(SIGHUP, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	give_up_rights(user);
	keep_only(&listen_fd, &channel_fd);
	s.channel_fd = channel_fd;
	learn_own_address(&s, listen_fd);
	base = event_base_new();
	http = base ? evhttp_new(base) : NULL;
	end = http ? event_new(base, channel_fd, EV_READ, on_channel, NULL) : NULL;
	if (!end || event_add(end, NULL) || !accept_from(http, listen_fd))
		_exit(1);
	evhttp_set_allowed_methods(http, EVHTTP_REQ_GET | EVHTTP_REQ_HEAD);
	evhttp_set_max_headers_size(http, HEADERS_MAX);
	evhttp_set_max_body_size(http, 0);
	evhttp_set_timeout(http, TIMEOUT_S);
	evhttp_set_cb(http, "/metrics", on_metrics, &s);
	evhttp_set_gencb(http, on_other, &s);
	event_base_dispatch(base);
	_exit(0);
}
