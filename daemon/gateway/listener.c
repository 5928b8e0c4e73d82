// SPDX-License-Identifier: GPL-2.0
#include "listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/clock.h"
#include "backend/backend.h"
#include "conn/blocklist.h"
#include "conn/connection.h"
#include <fmp/internal/job.h>
#include "conn/buffer_budget.h"
#include "workers/pool.h"
#include "conn/proxy_protocol.h"
#include <fmp/internal/forwarded.h>
#include "service/report.h"
#include "service/dns_watcher.h"
#include "service/service.h"
#include "conn/syn.h"

#define ACCEPTS_AT_ONCE 32
#define RETRY_S		1 /* pause when the system has no descriptor or memory for a connection */
#define TOLD_S		10 /* that a start waits for fmpd to tell who is blocked */
#define CLOCK_S		5 /* one that is not set is looked at so often, without a message too */
#define STOP_S		10 /* what is being worked on may take so long after a stop */

struct listener {
	struct gw_shared shared; /* first: gone() finds the listener by it */
	struct gw_proxy_protocol prefaces;
	struct gw_dns_watcher *resolver;
	struct event *accepting, *retry, *on_term, *on_int, *deadline, *clock;
	bool paused; /* full, or untold: the backlog holds the rest */
	bool untold; /* whom fmpd has blocked is not known yet, and packet filters do not see them */
	uint16_t port;
};

static unsigned room_left(const struct listener *l)
{
	unsigned most = l->shared.settings->policy->gateway.connections,
		 taken = l->shared.n_open + l->prefaces.n_open;

	return taken < most ? most - taken : 0;
}

/* There is room, or a connection that can give way: whoever waits in the backlog is heard of. */
static void accept_again(struct gw_shared *s)
{
	struct listener *l = (struct listener *)s;

	if (!l->paused || s->stopping)
		return;
	l->paused = false;
	event_add(l->accepting, NULL);
}

static void resume(struct gw_shared *s)
{
	struct listener *l = (struct listener *)s;

	if (s->stopping && !s->n_open && !l->prefaces.n_open)
		event_base_loopbreak(s->base);
	else if (room_left(l))
		accept_again(s);
}

/* The backlog holds the new ones until there is room, or somebody could give way. */
static void pause_for(struct listener *l, time_t seconds)
{
	const struct timeval pause = { .tv_sec = seconds };

	l->paused = true;
	event_del(l->accepting);
	event_add(l->retry, &pause);
}

static bool make_room(struct listener *l)
{
	if (room_left(l) || gw_connection_evict(&l->shared) ||
	    gw_proxy_protocol_evict(&l->prefaces))
		return true;
	pause_for(l, RETRY_S);
	return false;
}

static void refuse(int fd)
{
	static const struct linger at_once = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(fd);
}

/* Whom a connection is of is known. A proxy itself may have as many as it needs. */
static void admit(void *ctx, int fd, const struct gw_peer *from)
{
	struct listener *l = ctx;
	const struct fmp_policy *policy = l->shared.settings->policy;
	struct gw_peer peer = *from;
	int one = 1;

	peer.group = gw_source_key(&l->shared.prefixes, policy, &peer.source, fd);
	if (!fmp_forwarded_find_proxy(&policy->gateway, &peer.source) &&
	    gw_source_limits_count(l->shared.crowd, &peer.group) >=
		    policy->gateway.connections_per_source) {
		gw_connection_charge_peer(&l->shared, &peer,
					  "too many connections from one source");
		refuse(fd);
		return;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	gw_connection_new(&l->shared, fd, &peer);
}

/* The client that a PROXY header tells of, or the proxy itself. */
static void preface_done(void *ctx, int fd, const struct gw_peer *peer)
{
	struct listener *l = ctx;

	if (gw_blocklist_contains(l->shared.barred, &peer->source,
				  gw_clock_ns(CLOCK_BOOTTIME) / 1000000u)) {
		refuse(fd);
	} else {
		admit(ctx, fd, peer);
	}
	/* Its place may be free again. */
	resume(&l->shared);
}

static void preface_refused(void *ctx, const struct gw_peer *peer, const char *why)
{
	struct listener *l = ctx;

	if (why)
		gw_connection_charge_peer(&l->shared, peer, why);
	resume(&l->shared);
}

static const struct gw_proxy_protocol_ops preface_ops = { .done = preface_done,
							  .refused = preface_refused };

/* Who has the address that he connected to is on this machine; loopback's too. */
static bool is_local(int fd, const struct fmp_addr *source)
{
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);
	struct fmp_addr own;
	uint16_t port;

	return !getsockname(fd, (struct sockaddr *)&sa, &len) &&
	       !fmp_addr_from_sockaddr((struct sockaddr *)&sa, &own, &port) &&
	       fmp_addr_equal(&own, source);
}

static void take(struct listener *l, int fd, const struct sockaddr *sa)
{
	struct gw_peer peer = { .dest_port = l->port };
	const struct fmp_policy_proxy *proxy;

	if (fmp_addr_from_sockaddr(sa, &peer.source, &peer.source_port)) {
		close(fd);
		return;
	}
	peer.accepted_ns = gw_clock_ns(CLOCK_BOOTTIME);
	peer.mac = gw_syn_mac(fd, &peer.source);
	proxy = fmp_forwarded_find_proxy(&l->shared.settings->policy->gateway, &peer.source);
	peer.local = !proxy && l->shared.settings->policy->n_services && is_local(fd, &peer.source);
	peer.forwarded = proxy && proxy->tells == FMP_PROXY_FORWARDED_FOR;
	if (proxy && proxy->tells == FMP_PROXY_PROTOCOL)
		gw_proxy_protocol_read(&l->prefaces, fd, &peer);
	else
		admit(l, fd, &peer);
}

static void on_retry(evutil_socket_t fd, short what, void *arg)
{
	accept_again(arg);
}

static void on_accept(evutil_socket_t listen_fd, short what, void *arg)
{
	struct listener *l = arg;

	/* That somebody waits is certain of the first alone: nobody gives way for nobody. */
	for (int i = 0; i < ACCEPTS_AT_ONCE && (i ? room_left(l) > 0 : make_room(l)); i++) {
		struct sockaddr_storage sa;
		socklen_t len = sizeof(sa);
		int fd = accept4(listen_fd, (struct sockaddr *)&sa, &len,
				 SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0) {
			if (errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
			    errno == ENOBUFS)
				pause_for(l, RETRY_S); /* it stays readable: this would spin */
			return;
		}
		take(l, fd, (struct sockaddr *)&sa);
	}
}

static void set_free(const struct fmp_addr *source, void *ctx)
{
	struct gw_shared *s = ctx;

	if (s->barred)
		gw_blocklist_remove(s->barred, source);
}

static void cut(const struct fmp_addr *source, uint64_t left_ms, uint64_t port, void *ctx)
{
	struct gw_shared *s = ctx;
	const struct listener *l = ctx;
	struct gw_connection *c = TAILQ_FIRST(&s->open);
	uint64_t now = gw_clock_ns(CLOCK_BOOTTIME) / 1000000u;

	/* Narrowed to a port that is not ours. */
	if (port && port != l->port) {
		set_free(source, ctx);
		return;
	}
	if (s->barred)
		gw_blocklist_add(s->barred, source, left_ms ? now + left_ms : 0, now);
	while (c) {
		struct gw_connection *next = gw_connection_next(c);

		if (fmp_addr_contains(source, &gw_connection_peer(c)->source))
			gw_connection_close(c, true);
		c = next;
	}
}

static void set_shared(const struct fmp_addr *prefix, size_t n, const struct fmp_translators *found,
		       void *ctx)
{
	struct gw_shared *s = ctx;

	s->prefixes.found = *found;
	gw_shared_prefixes_set(&s->prefixes, prefix, n);
}

/* Who is blocked is known. */
static void told(void *ctx)
{
	struct listener *l = ctx;

	if (l->untold) {
		l->untold = false;
		event_del(l->retry);
		resume(&l->shared);
	}
}

static void stop(void *ctx)
{
	static const struct timeval deadline = { .tv_sec = STOP_S };
	struct gw_shared *s = ctx;
	struct listener *l = ctx;
	struct gw_connection *c, *next;

	if (event_pending(l->deadline, EV_TIMEOUT, NULL))
		return;
	s->stopping = true;
	event_del(l->accepting);
	event_add(l->deadline, &deadline);
	gw_proxy_protocol_clear(&l->prefaces);
	for (c = TAILQ_FIRST(&s->open); c; c = next) {
		next = gw_connection_next(c);
		if (gw_connection_is_silent(c))
			gw_connection_close(c, false);
	}
	resume(s);
}

/*
 * Who is connected may be about to send: a request that crosses the close would be lost.
 * So each connection is closed by the answer to its next request, or when it was idle too long.
 */
static void drain(void *ctx)
{
	struct gw_shared *s = ctx;
	struct listener *l = ctx;

	s->stopping = true;
	event_del(l->accepting);
	resume(s);
}

static void on_signal(evutil_socket_t sig, short what, void *arg)
{
	stop(arg);
}

static void on_deadline(evutil_socket_t fd, short what, void *arg)
{
	struct listener *l = arg;

	event_base_loopbreak(l->shared.base);
}

static void closed(void *ctx)
{
	struct listener *l = ctx;

	fprintf(stderr, "fmp-gateway: fmpd is gone\n");
	event_base_loopbreak(l->shared.base);
}

static unsigned connections(void *ctx)
{
	const struct gw_shared *s = ctx;

	const struct listener *l = ctx;

	return s->n_open + l->prefaces.n_open;
}

static void clock_changed(void *ctx, bool unset)
{
	static const struct timeval pause = { .tv_sec = CLOCK_S };
	struct listener *l = ctx;

	gw_report_clock(l->shared.report, unset);
	if (unset)
		event_add(l->clock, &pause);
	else
		event_del(l->clock);
}

static void on_clock(evutil_socket_t fd, short what, void *arg)
{
	gw_clock_is_unset(arg);
}

static const struct gw_report_ops report_ops = {
	.block = cut,
	.unblock = set_free,
	.blocks_sent = told,
	.set_shared_prefixes = set_shared,
	.stop = stop,
	.drain = drain,
	.disconnected = closed,
	.count_connections = connections,
};

static uint16_t port_of(int fd)
{
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);
	struct fmp_addr addr;
	uint16_t port = 0;

	if (getsockname(fd, (struct sockaddr *)&sa, &len) ||
	    fmp_addr_from_sockaddr((struct sockaddr *)&sa, &addr, &port))
		return 0;
	return port;
}

/* What is changed twice between two waits costs no system call: no descriptor here is a duplicate. */
static struct event_base *new_base(void)
{
	struct event_config *cfg = event_config_new();
	struct event_base *base = NULL;

	if (cfg && !event_config_set_flag(cfg, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST))
		base = event_base_new_with_config(cfg);
	if (cfg)
		event_config_free(cfg);
	return base;
}

static bool open_backends(struct gw_shared *s)
{
	const struct gw_settings *settings = s->settings;

	for (unsigned i = 0; i < settings->evaluator.n_services; i++) {
		s->backend[i] = gw_backend_new(s->base, settings->service[i].url,
					       settings->policy->gateway.workers,
					       GW_BACKEND_TIMEOUT_MS);
		if (!s->backend[i])
			return false;
	}
	return true;
}

static bool begin(struct listener *l, struct gw_service *services)
{
	struct gw_shared *s = &l->shared;
	const struct gw_settings *settings = s->settings;

	s->base = new_base();
	if (!s->base)
		return false;
	s->crowd = gw_source_limits_new(settings->policy->gateway.connections);
	if (!s->crowd || !gw_buffer_budget_init(s))
		return false;
	if (settings->policy->gateway.n_proxies)
		s->barred = gw_blocklist_new(settings->policy->enforce.max_blocks);
	if (settings->policy->gateway.n_proxies && !s->barred)
		return false;
	l->prefaces = (struct gw_proxy_protocol){
		.base = s->base,
		.ops = &preface_ops,
		.ctx = l,
		.timeout_ms = settings->policy->gateway.header_timeout_ms,
	};
	TAILQ_INIT(&l->prefaces.open);
	l->accepting = event_new(s->base, settings->listen_fd, EV_READ | EV_PERSIST, on_accept, l);
	l->retry = event_new(s->base, -1, 0, on_retry, l);
	l->on_term = evsignal_new(s->base, SIGTERM, on_signal, l);
	l->on_int = evsignal_new(s->base, SIGINT, on_signal, l);
	l->deadline = event_new(s->base, -1, 0, on_deadline, l);
	l->clock = event_new(s->base, -1, EV_PERSIST, on_clock, &s->clock);
	s->look = event_new(s->base, -1, 0, gw_connection_check_loop, s);
	s->clock.changed = clock_changed;
	s->clock.ctx = l;
	s->report = gw_report_new(s->base, settings->event_fd, settings->verbose, &report_ops, l);
	s->pool = gw_pool_new(s->base, settings);
	l->resolver = gw_dns_watcher_new(s->base, services, settings->evaluator.n_services);
	return l->accepting && l->retry && l->on_term && l->on_int && l->deadline && l->clock &&
	       s->look && s->report && s->pool && open_backends(s) && l->resolver;
}

static void end(struct listener *l)
{
	struct gw_shared *s = &l->shared;
	struct event *events[] = { l->accepting, l->retry, l->on_term, l->on_int,
				   l->deadline,	 l->clock, s->look };
	struct gw_connection *c;

	/* Workers first: nobody then answers an orphan. */
	gw_pool_free(s->pool);
	gw_dns_watcher_free(l->resolver);
	for (unsigned i = 0; i < s->settings->evaluator.n_services; i++)
		if (s->backend[i])
			gw_backend_free(s->backend[i]);
	if (s->base)
		gw_proxy_protocol_clear(&l->prefaces);
	while ((c = TAILQ_FIRST(&s->open)))
		gw_connection_discard(c);
	gw_buffer_budget_exit(s);
	gw_source_limits_free(s->crowd);
	gw_blocklist_free(s->barred);
	gw_shared_prefixes_free(&s->prefixes);
	gw_report_free(s->report);
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (events[i])
			event_free(events[i]);
	if (s->base)
		event_base_free(s->base);
}

/* Whatever the policy says, a message alone gets through, and its answer. */
static size_t most_memory(const struct gw_settings *settings)
{
	size_t least = (size_t)gw_services_max_body(settings) + FMP_JOB_REPLY_MAX,
	       most = settings->policy->gateway.memory_bytes;

	return most > least ? most : least;
}

/* An fmpd that says nothing is not waited for for ever. */
static void begin_to_accept(struct listener *l)
{
	static const struct timeval patience = { .tv_sec = TOLD_S };

	l->untold = l->shared.barred && l->shared.settings->event_fd >= 0;
	l->paused = l->untold;
	if (l->untold)
		event_add(l->retry, &patience);
	else
		event_add(l->accepting, NULL);
}

int gw_listener_run(struct gw_settings *settings)
{
	struct listener l = {
		.shared = { .settings = settings, .gone = resume, .idle = accept_again },
		.port = port_of(settings->listen_fd)
	};
	bool ok;

	TAILQ_INIT(&l.shared.open);
	l.shared.body_max = gw_services_max_body(settings);
	l.shared.memory = most_memory(settings);
	l.shared.clock.floor_s = settings->clock_floor_s;
	evutil_make_socket_nonblocking(settings->listen_fd);
	gw_syn_save(settings->listen_fd);
	ok = begin(&l, settings->service);
	if (ok) {
		begin_to_accept(&l);
		event_add(l.on_term, NULL);
		event_add(l.on_int, NULL);
		gw_report_ready(l.shared.report, gw_pool_size(l.shared.pool));
		gw_clock_is_unset(&l.shared.clock);
		event_base_dispatch(l.shared.base);
	} else {
		fprintf(stderr, "fmp-gateway: can't start: %s\n", strerror(errno));
	}
	end(&l);
	return ok ? 0 : 1;
}
