// SPDX-License-Identifier: GPL-2.0
#include "proxy_protocol.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>

#include <fmp/internal/evtimer.h>

struct gw_proxy_header {
	TAILQ_ENTRY(gw_proxy_header) list;
	struct gw_proxy_protocol *pp;
	struct gw_peer peer;
	struct event *readable, *timer;
	int fd;
	size_t have, want;
	uint8_t bytes[FMP_PROXY_PROTOCOL_MAX];
};

/* Free the header's state. Return: its socket. */
static int release_header(struct gw_proxy_header *p)
{
	int fd = p->fd;

	TAILQ_REMOVE(&p->pp->open, p, list);
	p->pp->n_open--;
	event_free(p->readable);
	event_free(p->timer);
	free(p);
	return fd;
}

static void refuse_header(struct gw_proxy_header *p, const char *why)
{
	struct gw_proxy_protocol *pp = p->pp;
	struct gw_peer peer = p->peer;

	close(release_header(p));
	pp->ops->refused(pp->ctx, &peer, why);
}

static void finish_header(struct gw_proxy_header *p)
{
	struct gw_proxy_protocol *pp = p->pp;
	struct fmp_forwarded_client client;
	const char *why = fmp_proxy_protocol_parse(p->bytes, p->have, &client);
	struct gw_peer peer = p->peer;

	if (why) {
		refuse_header(p, why);
		return;
	}
	if (client.source.family) {
		peer.source = client.source;
		peer.source_port = client.source_port;
		peer.mac = (struct fmp_addr){ 0 };
	}
	pp->ops->done(pp->ctx, release_header(p), &peer);
}

/* Read no byte beyond the header: the rest is for TLS or HTTP. */
static void on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct gw_proxy_header *p = arg;
	ssize_t n;

	while ((n = recv(fd, p->bytes + p->have, p->want - p->have, 0)) > 0) {
		p->have += (size_t)n;
		if (p->have < p->want)
			continue;
		if (p->want == FMP_PROXY_PROTOCOL_HEAD) {
			p->want = fmp_proxy_protocol_length(p->bytes);
			if (!p->want) {
				refuse_header(p,
					      "a listed proxy sent no PROXY header of version 2");
				return;
			}
		}
		if (p->have == p->want) {
			finish_header(p);
			return;
		}
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	refuse_header(p, p->have ? "the PROXY header was broken off" : NULL);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	refuse_header(arg, "the PROXY header did not come in time");
}

bool gw_proxy_protocol_read(struct gw_proxy_protocol *pp, int fd, const struct gw_peer *proxy)
{
	struct gw_proxy_header *p = calloc(1, sizeof(*p));

	if (p) {
		p->readable = event_new(pp->base, fd, EV_READ | EV_PERSIST, on_readable, p);
		p->timer = event_new(pp->base, -1, 0, on_timer, p);
	}
	if (!p || !p->readable || !p->timer) {
		if (p && p->readable)
			event_free(p->readable);
		if (p && p->timer)
			event_free(p->timer);
		free(p);
		close(fd);
		return false;
	}
	p->pp = pp;
	p->peer = *proxy;
	p->fd = fd;
	p->want = FMP_PROXY_PROTOCOL_HEAD;
	TAILQ_INSERT_TAIL(&pp->open, p, list);
	pp->n_open++;
	event_add(p->readable, NULL);
	fmp_evtimer_arm(p->timer, pp->timeout_ms);
	return true;
}

/* The oldest first: a proxy sends its header at once. */
bool gw_proxy_protocol_evict(struct gw_proxy_protocol *pp)
{
	struct gw_proxy_header *p;

	TAILQ_FOREACH(p, &pp->open, list)
	{
		if (!p->have) {
			close(release_header(p));
			return true;
		}
	}
	return false;
}

void gw_proxy_protocol_clear(struct gw_proxy_protocol *pp)
{
	struct gw_proxy_header *p;

	while ((p = TAILQ_FIRST(&pp->open)))
		close(release_header(p));
}
