// SPDX-License-Identifier: GPL-2.0
#include "http_exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/forwarded.h>
#include <fmp/internal/request_route.h>

#define TLS_HANDSHAKE 0x16u

struct http_exchange {
	struct fmp_http http;
	struct fmp_addr client; /* behind a proxy; {0}: the peer of the connection */
	unsigned service, served;
	bool routed, open;
	bool over; /* ignore further bytes */
};

/* ---- one connection ---- */

static const struct fmp_policy_gateway *gateway_policy(const struct offline_gateway *g)
{
	return &g->services.evaluator.policy->gateway;
}

static int report_event(struct offline_gateway *g, const struct tcp_stream *s,
			const struct fmp_job_verdict *v)
{
	const struct http_exchange *c = s->user;
	struct fmp_event ev = { .kind = v->kind,
				.proven = s->proven,
				.source = c->client.family ? c->client : s->client,
				.source_port = c->client.family ? 0 : s->client_port,
				.dest_port = g->port,
				.time_ns = g->now_ns,
				.bytes = c->http.bytes > UINT32_MAX ? UINT32_MAX
								    : (uint32_t)c->http.bytes };

	snprintf(ev.step, sizeof(ev.step), "%s", fmp_step_name(v->step));
	if (c->routed)
		snprintf(ev.service, sizeof(ev.service), "%s",
			 g->services.evaluator.service[v->service].name);
	snprintf(ev.detail, sizeof(ev.detail), "%s", v->detail);
	return g->event(&ev, g->ctx);
}

/* Refuse a request and end the connection, as the gateway does. */
static int refuse_message(struct offline_gateway *g, struct tcp_stream *s, enum fmp_event_kind kind,
			  const char *detail)
{
	struct http_exchange *c = s->user;
	struct fmp_job_verdict v = { .kind = kind, .step = FMP_STEP_HTTP, .service = c->service };

	c->over = true;
	snprintf(v.detail, sizeof(v.detail), "%s", detail);
	return report_event(g, s, &v);
}

/* Once the header is complete: find the client and the service. */
static int route_request(struct offline_gateway *g, struct tcp_stream *s)
{
	struct http_exchange *c = s->user;
	struct fmp_http *h = &c->http;
	struct fmp_request_route r;

	if (h->has_forwarded && !fmp_forwarded_for(gateway_policy(g), h->forwarded, &c->client))
		return refuse_message(g, s, FMP_EVENT_HTTP, "X-Forwarded-For is no address");
	fmp_request_route(&g->services.evaluator, h, false, &r);
	c->open = r.wsa_action_decides;
	if (r.routed) {
		c->service = r.service;
		c->routed = true;
	}
	if (r.detail)
		return refuse_message(g, s, r.kind, r.detail);
	if (r.routed)
		fmp_http_limit_body(h, offline_services_body_limit(&g->services, r.service, h));
	return 0;
}

static int evaluate_request(struct offline_gateway *g, struct tcp_stream *s)
{
	struct http_exchange *c = s->user;
	const struct fmp_http *h = &c->http;
	struct fmp_job job = { .body = h->body ? h->body : (const void *)"",
			       .len = h->body_len,
			       .has_action = h->has_action,
			       .coding = h->coding,
			       .service = c->service,
			       .wsa_action_decides = c->open };
	struct fmp_evaluation j;
	struct fmp_job_verdict v;
	int rc = 0;

	memcpy(job.content_type, h->content_type, sizeof(job.content_type));
	memcpy(job.soap_action, h->soap_action, sizeof(job.soap_action));
	fmp_evaluate(&g->services.evaluator, &job, (int64_t)(g->now_ns / 1000000000), &j);
	v = fmp_evaluate_verdict(&j);
	fmp_evaluate_clear(&j);
	/* Refused, but not charged: the gateway sends no event for it. */
	if (v.kind == FMP_EVENT_GOOD && v.step != FMP_STEP_DONE)
		g->uncharged++;
	else
		rc = report_event(g, s, &v);
	c->over = !h->keep_alive || ++c->served >= gateway_policy(g)->http.requests;
	c->routed = false;
	c->client = (struct fmp_addr){ 0 };
	fmp_http_next(&c->http);
	c->http.limits.body_bytes = g->services.body_max;
	return rc;
}

static int read_bytes(struct offline_gateway *g, struct tcp_stream *s, const uint8_t *p, size_t n)
{
	struct http_exchange *c = s->user;
	struct fmp_http *h = &c->http;
	int rc = 0;

	while (n && !rc && !c->over) {
		bool headers = h->headers_done;
		size_t used, held = h->body_cap;

		fmp_http_feed(h, p, n, &used);
		p += used;
		n -= used;
		g->buffered += h->body_cap - held;
		held = h->body_cap;
		if (!headers && h->headers_done)
			rc = route_request(g, s);
		if (rc || c->over)
			break;
		if (h->state == FMP_HTTP_DONE) {
			rc = evaluate_request(g, s);
			g->buffered -= held - h->body_cap;
		} else if (h->state == FMP_HTTP_REFUSED && h->status == 503) {
			c->over = true; /* an error of the gateway: not charged */
		} else if (h->state == FMP_HTTP_REFUSED) {
			rc = refuse_message(g, s, h->kind, h->detail);
		}
	}
	return rc;
}

static struct http_exchange *begin_exchange(struct offline_gateway *g, const struct tcp_stream *s,
					    uint8_t first)
{
	const struct fmp_policy_proxy *proxy =
		fmp_forwarded_find_proxy(gateway_policy(g), &s->client);
	const struct fmp_http_limits limits = {
		.header_bytes = gateway_policy(g)->http.header_bytes,
		.fields = gateway_policy(g)->http.fields,
		.target_bytes = gateway_policy(g)->http.target_bytes,
		.body_bytes = g->services.body_max,
		.compressed = gateway_policy(g)->http.compressed,
		.forwarded = proxy && proxy->tells == FMP_PROXY_FORWARDED_FOR,
	};
	struct http_exchange *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	fmp_http_init(&c->http, &limits);
	if (proxy && proxy->tells == FMP_PROXY_PROTOCOL) {
		c->over = true;
		g->proxied++;
	} else if (*gateway_policy(g)->tls.certificate && first == TLS_HANDSHAKE) {
		c->over = true;
		g->encrypted++;
	}
	return c;
}

int http_exchange_feed(struct offline_gateway *g, struct tcp_stream *s, const uint8_t *p, size_t n)
{
	if (!s->user)
		s->user = begin_exchange(g, s, *p);
	return s->user ? read_bytes(g, s, p, n) : FMP_ERR_NOMEM;
}

void http_exchange_end(struct offline_gateway *g, struct tcp_stream *s)
{
	struct http_exchange *c = s->user;

	if (!c)
		return;
	g->buffered -= c->http.body_cap;
	fmp_http_exit(&c->http);
	free(c);
	s->user = NULL;
}
