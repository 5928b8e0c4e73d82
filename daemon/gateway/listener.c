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
#include "peer/blocklist.h"
#include "conn/connection.h"
#include <fmp/internal/multipart_stream.h>
#include <fmp/internal/job.h>
#include "conn/buffer_budget.h"
#include "workers/pool.h"
#include "peer/proxy_protocol.h"
#include <fmp/internal/forwarded.h>
#include "service/report.h"
#include "service/dns_watcher.h"
#include "service/service.h"
#include "peer/syn.h"

#define ACCEPTS_AT_ONCE 32
#define RETRY_S		1 /* pause if the system has no descriptor or memory for a connection */
#define BLOCKS_WAIT_S	10 /* longest wait for fmpd to send all blocks after the start */
#define CLOCK_CHECK_S	5 /* interval of checks of a clock that is not set, also without messages */
#define STOP_S		10 /* time for pending requests after a stop */

struct listener {
	struct gw_shared shared; /* first: closed() finds the listener by it */
	struct gw_proxy_protocol proxy_protocol;
	struct gw_dns_watcher *dns_watcher;
	struct event *accepting, *retry, *on_term, *on_int, *deadline, *clock;
	bool paused; /* full, or waiting for blocks: the backlog holds new connections */
	bool awaits_blocks; /* fmpd has not sent all blocks; packet filters miss clients of proxies */
	uint16_t port;
};

static unsigned count_free_places(const struct listener *l)
{
	unsigned most = l->shared.settings->policy->gateway.connections,
		 taken = l->shared.n_open + l->proxy_protocol.n_open;

	return taken < most ? most - taken : 0;
}

/* There is room, or a connection can be evicted: accept from the backlog. */
static void resume_accepting(struct gw_shared *s)
{
	struct listener *l = (struct listener *)s;

	if (!l->paused || s->stopping)
		return;
	l->paused = false;
	event_add(l->accepting, NULL);
}

static void handle_closed(struct gw_shared *s)
{
	struct listener *l = (struct listener *)s;

	if (s->stopping && !s->n_open && !l->proxy_protocol.n_open)
		event_base_loopbreak(s->base);
	else if (count_free_places(l))
		resume_accepting(s);
}

/* Leave new connections in the backlog until there is room, or one can be evicted. */
static void pause_accepting(struct listener *l, time_t seconds)
{
	const struct timeval pause = { .tv_sec = seconds };

	l->paused = true;
	event_del(l->accepting);
	event_add(l->retry, &pause);
}

static bool make_room(struct listener *l)
{
	if (count_free_places(l) || gw_connection_evict(&l->shared) ||
	    gw_proxy_protocol_evict(&l->proxy_protocol))
		return true;
	pause_accepting(l, RETRY_S);
	return false;
}

static void reset_socket(int fd)
{
	static const struct linger at_once = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(fd);
}

/* The source of the connection is known. A proxy itself may have as many as it needs. */
static void admit_connection(void *ctx, int fd, const struct gw_peer *from)
{
	struct listener *l = ctx;
	const struct fmp_policy *policy = l->shared.settings->policy;
	struct gw_peer peer = *from;
	int one = 1;

	peer.group = gw_source_key(&l->shared.prefixes, policy, &peer.source, fd);
	if (!fmp_forwarded_find_proxy(&policy->gateway, &peer.source) &&
	    gw_source_limits_count(l->shared.limits, &peer.group) >=
		    policy->gateway.connections_per_source) {
		gw_connection_charge_peer(&l->shared, &peer,
					  "too many connections from one source");
		reset_socket(fd);
		return;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	gw_connection_new(&l->shared, fd, &peer);
}

/* @peer is the client that the PROXY header names, or the proxy itself. */
static void on_proxy_header(void *ctx, int fd, const struct gw_peer *peer)
{
	struct listener *l = ctx;

	if (gw_blocklist_contains(l->shared.blocklist, &peer->source,
				  gw_clock_ns(CLOCK_BOOTTIME) / 1000000u)) {
		reset_socket(fd);
	} else {
		admit_connection(ctx, fd, peer);
	}
	/* Its place may be free again. */
	handle_closed(&l->shared);
}

static void on_proxy_header_refused(void *ctx, const struct gw_peer *peer, const char *why)
{
	struct listener *l = ctx;

	if (why)
		gw_connection_charge_peer(&l->shared, peer, why);
	handle_closed(&l->shared);
}

static const struct gw_proxy_protocol_ops proxy_protocol_ops = {
	.done = on_proxy_header, .refused = on_proxy_header_refused
};

/* A client with the address that it connected to is on this machine; loopback, too. */
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

static void accept_connection(struct listener *l, int fd, const struct sockaddr *sa)
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
		gw_proxy_protocol_read(&l->proxy_protocol, fd, &peer);
	else
		admit_connection(l, fd, &peer);
}

static void on_retry(evutil_socket_t fd, short what, void *arg)
{
	resume_accepting(arg);
}

static void on_accept(evutil_socket_t listen_fd, short what, void *arg)
{
	struct listener *l = arg;

	/* Only the first is certain to wait in the backlog: do not evict for the others. */
	for (int i = 0; i < ACCEPTS_AT_ONCE && (i ? count_free_places(l) > 0 : make_room(l)); i++) {
		struct sockaddr_storage sa;
		socklen_t len = sizeof(sa);
		int fd = accept4(listen_fd, (struct sockaddr *)&sa, &len,
				 SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0) {
			if (errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
			    errno == ENOBUFS)
				/* It stays readable: the loop would spin. */
				pause_accepting(l, RETRY_S);
			return;
		}
		accept_connection(l, fd, (struct sockaddr *)&sa);
	}
}

static void unblock_source(const struct fmp_addr *source, void *ctx)
{
	struct gw_shared *s = ctx;

	if (s->blocklist)
		gw_blocklist_remove(s->blocklist, source);
}

static void block_source(const struct fmp_addr *source, uint64_t left_ms, uint64_t port, void *ctx)
{
	struct gw_shared *s = ctx;
	const struct listener *l = ctx;
	struct gw_connection *c = TAILQ_FIRST(&s->open);
	uint64_t now = gw_clock_ns(CLOCK_BOOTTIME) / 1000000u;

	/* The block is for another port. */
	if (port && port != l->port) {
		unblock_source(source, ctx);
		return;
	}
	if (s->blocklist)
		gw_blocklist_add(s->blocklist, source, left_ms ? now + left_ms : 0, now);
	while (c) {
		struct gw_connection *next = gw_connection_next(c);

		if (fmp_addr_contains(source, &gw_connection_peer(c)->source))
			gw_connection_close(c, true);
		c = next;
	}
}

static void set_shared_prefixes(const struct fmp_addr *prefix, size_t n,
				const struct fmp_translators *found, void *ctx)
{
	struct gw_shared *s = ctx;

	s->prefixes.found = *found;
	gw_shared_prefixes_set(&s->prefixes, prefix, n);
}

/* All blocks are known now. */
static void on_blocks_sent(void *ctx)
{
	struct listener *l = ctx;

	if (l->awaits_blocks) {
		l->awaits_blocks = false;
		event_del(l->retry);
		handle_closed(&l->shared);
	}
}

static void stop_gracefully(void *ctx)
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
	gw_proxy_protocol_clear(&l->proxy_protocol);
	for (c = TAILQ_FIRST(&s->open); c; c = next) {
		next = gw_connection_next(c);
		if (gw_connection_is_silent(c))
			gw_connection_close(c, false);
	}
	handle_closed(s);
}

/*
 * A connected client may be about to send, and a request that crosses the close would be lost. So
 * each connection is closed after the reply to its next request, or by its idle timeout.
 */
static void drain_connections(void *ctx)
{
	struct gw_shared *s = ctx;
	struct listener *l = ctx;

	s->stopping = true;
	event_del(l->accepting);
	handle_closed(s);
}

static void on_signal(evutil_socket_t sig, short what, void *arg)
{
	stop_gracefully(arg);
}

static void on_deadline(evutil_socket_t fd, short what, void *arg)
{
	struct listener *l = arg;

	event_base_loopbreak(l->shared.base);
}

static void on_disconnected(void *ctx)
{
	struct listener *l = ctx;

	fprintf(stderr, "fmp-gateway: fmpd is gone\n");
	event_base_loopbreak(l->shared.base);
}

static unsigned count_connections(void *ctx)
{
	const struct gw_shared *s = ctx;

	const struct listener *l = ctx;

	return s->n_open + l->proxy_protocol.n_open;
}

static void on_clock_changed(void *ctx, bool unset)
{
	static const struct timeval pause = { .tv_sec = CLOCK_CHECK_S };
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
	.block = block_source,
	.unblock = unblock_source,
	.blocks_sent = on_blocks_sent,
	.set_shared_prefixes = set_shared_prefixes,
	.stop = stop_gracefully,
	.drain = drain_connections,
	.disconnected = on_disconnected,
	.count_connections = count_connections,
};

static uint16_t get_local_port(int fd)
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

/*
 * The changelist saves system calls for events changed twice between two waits. It requires that no
 * descriptor here is a duplicate.
 */
static struct event_base *create_event_base(void)
{
	struct event_config *cfg = event_config_new();
	struct event_base *base = NULL;

	if (cfg && !event_config_set_flag(cfg, EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST))
		base = event_base_new_with_config(cfg);
	if (cfg)
		event_config_free(cfg);
	return base;
}

static bool create_backends(struct gw_shared *s)
{
	const struct gw_settings *settings = s->settings;

	for (unsigned i = 0; i < settings->evaluator.n_services; i++) {
		s->backend[i] = gw_backend_new(
			s->base, settings->service[i].url, settings->policy->gateway.workers,
			(unsigned)settings->evaluator.service[i].demands->answer_timeout_ms);
		if (!s->backend[i])
			return false;
		gw_backend_limit_answers(s->backend[i],
					 settings->policy->gateway.http.answer_header_bytes,
					 settings->policy->gateway.http.answer_fields);
	}
	return true;
}

static bool set_up(struct listener *l, struct gw_service *services)
{
	struct gw_shared *s = &l->shared;
	const struct gw_settings *settings = s->settings;

	s->base = create_event_base();
	if (!s->base)
		return false;
	s->limits = gw_source_limits_new(settings->policy->gateway.connections);
	if (!s->limits || !gw_buffer_budget_init(s))
		return false;
	if (settings->policy->gateway.n_proxies)
		s->blocklist = gw_blocklist_new(settings->policy->enforce.max_blocks);
	if (settings->policy->gateway.n_proxies && !s->blocklist)
		return false;
	l->proxy_protocol = (struct gw_proxy_protocol){
		.base = s->base,
		.ops = &proxy_protocol_ops,
		.ctx = l,
		.timeout_ms = settings->policy->gateway.header_timeout_ms,
	};
	TAILQ_INIT(&l->proxy_protocol.open);
	l->accepting = event_new(s->base, settings->listen_fd, EV_READ | EV_PERSIST, on_accept, l);
	l->retry = event_new(s->base, -1, 0, on_retry, l);
	l->on_term = evsignal_new(s->base, SIGTERM, on_signal, l);
	l->on_int = evsignal_new(s->base, SIGINT, on_signal, l);
	l->deadline = event_new(s->base, -1, 0, on_deadline, l);
	l->clock = event_new(s->base, -1, EV_PERSIST, on_clock, &s->clock);
	s->loop_check = event_new(s->base, -1, 0, gw_connection_check_loop, s);
	s->clock.changed = on_clock_changed;
	s->clock.ctx = l;
	s->report = gw_report_new(s->base, settings->event_fd, settings->verbose, &report_ops, l);
	s->pool = gw_pool_new(s->base, settings);
	l->dns_watcher = gw_dns_watcher_new(s->base, services, settings->evaluator.n_services);
	return l->accepting && l->retry && l->on_term && l->on_int && l->deadline && l->clock &&
	       s->loop_check && s->report && s->pool && create_backends(s) && l->dns_watcher;
}

static void tear_down(struct listener *l)
{
	struct gw_shared *s = &l->shared;
	struct event *events[] = { l->accepting, l->retry, l->on_term,	 l->on_int,
				   l->deadline,	 l->clock, s->loop_check };
	struct gw_connection *c;

	/* Workers first, so that none replies to a detached connection. */
	gw_pool_free(s->pool);
	gw_dns_watcher_free(l->dns_watcher);
	for (unsigned i = 0; i < s->settings->evaluator.n_services; i++)
		if (s->backend[i])
			gw_backend_free(s->backend[i]);
	if (s->base)
		gw_proxy_protocol_clear(&l->proxy_protocol);
	while ((c = TAILQ_FIRST(&s->open)))
		gw_connection_discard(c);
	gw_buffer_budget_exit(s);
	gw_source_limits_free(s->limits);
	gw_blocklist_free(s->blocklist);
	gw_shared_prefixes_free(&s->prefixes);
	gw_report_free(s->report);
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		if (events[i])
			event_free(events[i]);
	if (s->base)
		event_base_free(s->base);
}

/* Whatever the policy says, a single message and its reply must fit. */
static size_t get_buffer_max(const struct gw_settings *settings)
{
	size_t least = (size_t)gw_services_max_body(settings) + FMP_JOB_REPLY_MAX,
	       most = settings->policy->gateway.memory_bytes;

	return most > least ? most : least;
}

/* Do not wait for a silent fmpd for ever. */
static void start_accepting(struct listener *l)
{
	static const struct timeval patience = { .tv_sec = BLOCKS_WAIT_S };

	l->awaits_blocks = l->shared.blocklist && l->shared.settings->event_fd >= 0;
	l->paused = l->awaits_blocks;
	if (l->awaits_blocks)
		event_add(l->retry, &patience);
	else
		event_add(l->accepting, NULL);
}

/* With attachments that pass as they come, a request may be longer than what is held. */
static uint32_t get_body_max(const struct gw_settings *s)
{
	uint32_t most = gw_services_max_body(s);

	for (unsigned i = 0; i < s->evaluator.n_services; i++) {
		uint32_t streamed = fmp_multipart_stream_max(s->evaluator.service[i].demands);

		if (streamed > most)
			most = streamed;
	}
	return most;
}

int gw_listener_run(struct gw_settings *settings)
{
	struct listener l = { .shared = { .settings = settings,
					  .closed = handle_closed,
					  .idle = resume_accepting },
			      .port = get_local_port(settings->listen_fd) };
	bool ok;

	TAILQ_INIT(&l.shared.open);
	l.shared.describes = gw_services_describe(settings);
	l.shared.body_max = get_body_max(settings);
	l.shared.buffer_max = get_buffer_max(settings);
	l.shared.clock.floor_s = settings->clock_floor_s;
	evutil_make_socket_nonblocking(settings->listen_fd);
	gw_syn_save(settings->listen_fd);
	ok = set_up(&l, settings->service);
	if (ok) {
		start_accepting(&l);
		event_add(l.on_term, NULL);
		event_add(l.on_int, NULL);
		gw_report_ready(l.shared.report, gw_pool_size(l.shared.pool));
		gw_clock_is_unset(&l.shared.clock);
		event_base_dispatch(l.shared.base);
	} else {
		fprintf(stderr, "fmp-gateway: can't start: %s\n", strerror(errno));
	}
	tear_down(&l);
	return ok ? 0 : 1;
}
