// SPDX-License-Identifier: GPL-2.0
#include "http_exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/evaluate.h>
#include <fmp/internal/forwarded.h>
#include <fmp/internal/routing.h>

#define TLS_HANDSHAKE 0x16u

struct http_exchange {
	struct fmp_http http;
	struct fmp_addr client; /* behind a proxy; {0}: the peer of the connection */
	unsigned service, served;
	bool routed, open;
	bool over; /* ignore further bytes */
};

/* ---- the gateway of a policy ---- */

static int add_service(struct offline_gateway *g, const char *name,
		       const struct fmp_policy_gateway *demands, struct fmp_error *err)
{
	int rc = fmp_evaluator_add(&g->evaluator, name, demands, NULL, err);

	if (rc)
		return rc;
	if (demands->limits.body_bytes > g->body_max)
		g->body_max = demands->limits.body_bytes;
	return 0;
}

int offline_gateway_init(struct offline_gateway *g, const struct fmp_policy *policy, uint16_t port,
			 struct fmp_error *err)
{
	int rc = fmp_inspect_global_init(err);

	if (rc)
		return rc;
	*g = (struct offline_gateway){ .port = port };
	g->evaluator.policy = policy;
	if (!policy->n_services)
		rc = add_service(g, "", &policy->gateway, err);
	for (size_t i = 0; i < policy->n_services && !rc; i++)
		rc = add_service(g, policy->services[i].name, &policy->services[i].demands, err);
	if (rc)
		offline_gateway_exit(g);
	return rc;
}

void offline_gateway_exit(struct offline_gateway *g)
{
	/* In reverse order: an inspector uses the cache of an earlier one. */
	while (g->evaluator.n_services)
		fmp_inspector_free(g->evaluator.service[--g->evaluator.n_services].inspector);
	fmp_inspect_global_exit();
}

/* ---- one connection ---- */

static const struct fmp_policy_gateway *gateway_policy(const struct offline_gateway *g)
{
	return &g->evaluator.policy->gateway;
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
			 g->evaluator.service[v->service].name);
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
	const struct fmp_policy *p = g->evaluator.policy;
	struct http_exchange *c = s->user;
	struct fmp_http *h = &c->http;
	char action[FMP_HTTP_VALUE];
	int n = 0;

	if (h->has_forwarded && !fmp_forwarded_for(gateway_policy(g), h->forwarded, &c->client))
		return refuse_message(g, s, FMP_EVENT_HTTP, "X-Forwarded-For is no address");
	c->open = false;
	if (p->n_services)
		n = fmp_route(
			p->services, p->n_services, fmp_http_path(h), fmp_http_target_is_whole(h),
			fmp_soap_action(h->content_type, h->soap_action, action, sizeof(action)),
			false, &c->open);
	if (n >= 0) {
		c->service = (unsigned)n;
		c->routed = true;
		if (h->state != FMP_HTTP_REFUSED && fmp_http_is_browser_request(h) &&
		    g->evaluator.service[n].demands->security != FMP_SECURITY_OS)
			return refuse_message(g, s, FMP_EVENT_BROWSER,
					      h->cross_site
						      ? "a web page of another site sent it"
						      : "its Content-Type is a form's, not SOAP's");
		fmp_http_limit_body(h, g->evaluator.service[n].demands->limits.body_bytes);
		return 0;
	}
	if (h->state == FMP_HTTP_REFUSED) /* its reason is more exact than the missing route */
		return 0;
	return n == FMP_ROUTE_PATH ? refuse_message(g, s, fmp_http_refusal_kind(h, FMP_EVENT_HTTP),
						    "no service at this path")
				   : refuse_message(g, s, fmp_http_refusal_kind(h, FMP_EVENT_SOAP),
						    "no service for this action at this path");
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
	fmp_evaluate(&g->evaluator, &job, (int64_t)(g->now_ns / 1000000000), &j);
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
	c->http.limits.body_bytes = g->body_max;
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
		.body_bytes = g->body_max,
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
