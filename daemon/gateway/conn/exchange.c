// SPDX-License-Identifier: GPL-2.0
#include "exchange.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include <event2/event.h>

#include <fmp/internal/text.h>

#include "../common/clock.h"
#include "../backend/backend.h"
#include "connection_private.h"
#include "../workers/fault.h"
#include "buffer_budget.h"
#include "../service/report.h"
#include <fmp/internal/routing.h>

#define LISTS_TELL_NS (60 * 1000000000ull)

static const struct gw_service *service_of(const struct gw_connection *c)
{
	return &c->shared->settings->service[c->service];
}

/*
 * What a page of another site sent is nobody's offence, and nothing that is read: no program sends a
 * cross-site Origin, and a form's content type is no SOAP. Under Os all is the service's own to judge.
 */
static const char *refuse_page(const struct gw_connection *c, int *status)
{
	const struct fmp_http *h = &c->http;

	if (service_of(c)->evaluate->demands->security == FMP_SECURITY_OS)
		return NULL;
	*status = h->cross_site ? 403 : 415;
	if (h->cross_site)
		return "a web page of another site sent it";
	/* What a local program says to a remote service is not looked at, and may have any type. */
	if (service_of(c)->client && !fmp_http_has_origin(h))
		return NULL;
	return fmp_http_is_browser_request(h) ? "its Content-Type is a form's, not SOAP's" : NULL;
}

bool gw_exchange_route(struct gw_connection *c)
{
	const struct fmp_policy *p = c->shared->settings->policy;
	struct fmp_http *h = &c->http;
	char action[FMP_HTTP_VALUE];
	int n = 0, status;
	const char *why;

	c->task.job.wsa_action_decides = false;
	if (p->n_services)
		n = fmp_route(
			p->services, p->n_services, fmp_http_path(h), fmp_http_target_is_whole(h),
			fmp_soap_action(h->content_type, h->soap_action, action, sizeof(action)),
			c->peer.local, &c->task.job.wsa_action_decides);
	if (n >= 0) {
		c->service = (unsigned)n;
		c->routed = true;
		why = h->state == FMP_HTTP_REFUSED ? NULL : refuse_page(c, &status);
		if (why) {
			gw_respond_refusal(c, FMP_EVENT_BROWSER, status, true, why);
			return false;
		}
		fmp_http_limit_body(h, service_of(c)->evaluate->demands->limits.body_bytes);
		return true;
	}
	if (h->state == FMP_HTTP_REFUSED) /* says more than that it was for nobody */
		return true;
	gw_respond_refusal(
		c, fmp_http_refusal_kind(h, n == FMP_ROUTE_PATH ? FMP_EVENT_HTTP : FMP_EVENT_SOAP),
		404, true,
		n == FMP_ROUTE_PATH ? "no service at this path"
				    : "no service for this action at this path");
	return false;
}

void gw_exchange_release_reply(struct gw_connection *c)
{
	free(c->remote.body);
	memset(&c->remote, 0, sizeof(c->remote));
	gw_buffer_budget_reply_forwarded(c);
}

void gw_exchange_reset(struct gw_connection *c)
{
	gw_exchange_release_reply(c);
	free(c->reply_context);
	c->reply_context = NULL;
	c->routed = false;
}

static struct gw_connection *of_task(struct gw_task *t)
{
	return (struct gw_connection *)((char *)t - offsetof(struct gw_connection, task));
}

/* Who looks after the lists is not who reads the access log. */
void gw_exchange_count_crl_missing(struct gw_shared *s, const char *detail)
{
	uint64_t now = gw_clock_ns(CLOCK_BOOTTIME);

	gw_report_unevaluated(s->report, FMP_LACKS_CRL);
	if (s->lists_told_ns && now - s->lists_told_ns < LISTS_TELL_NS)
		return;
	s->lists_told_ns = now;
	fmp_text_print(
		stderr,
		"fmp-gateway: %s; what can't be told for that is refused, and nobody is charged\n",
		detail);
}

/* Who sent what is, or was, inspected, by the key of a source. */
static struct fmp_addr sender_of(const struct gw_connection *c)
{
	const struct gw_shared *s = c->shared;

	if (c->task.job.answer)
		return c->remote.source;
	return c->client.family ? gw_source_key(&s->prefixes, s->settings->policy, &c->client, -1)
				: c->peer.group;
}

/* A message of it was refused behind decryption. */
static void take_try(struct gw_connection *c)
{
	struct fmp_addr sender = sender_of(c);

	fmp_decrypt_budget_take(&c->shared->tries, &sender, gw_clock_ns(CLOCK_BOOTTIME));
}

static bool is_spent(const struct gw_connection *c)
{
	struct fmp_addr sender = sender_of(c);

	return fmp_decrypt_budget_spent(&c->shared->tries, &sender, gw_clock_ns(CLOCK_BOOTTIME));
}

static bool takes_cbc(const struct gw_connection *c)
{
	return service_of(c)->evaluate->demands->algorithms.encryption & FMP_CIPHERS_CBC;
}

/* Whoever has to see to it that peers get something better is not who reads the access log. */
static void tell_no_tries(struct gw_shared *s, const char *detail)
{
	uint64_t now = gw_clock_ns(CLOCK_BOOTTIME);

	gw_report_unevaluated(s->report, FMP_LACKS_DECRYPT_BUDGET);
	if (s->tries_told_ns && now - s->tries_told_ns < LISTS_TELL_NS)
		return;
	s->tries_told_ns = now;
	fprintf(stderr, "fmp-gateway: %s; somebody may be guessing at a captured message\n",
		detail);
}

/* Whoever holds the key of a Web server or browser may not be meant to sign messages. */
static void tell_tls_signer(const struct gw_connection *c)
{
	struct gw_shared *s = c->shared;
	uint64_t now = gw_clock_ns(CLOCK_BOOTTIME);
	struct fmp_addr sender = sender_of(c);
	char source[FMP_ADDR_STRLEN];

	if (s->tls_signer_told_ns && now - s->tls_signer_told_ns < LISTS_TELL_NS)
		return;
	s->tls_signer_told_ns = now;
	fmp_addr_format(&sender, source, sizeof(source));
	fmp_text_print(
		stderr,
		"fmp-gateway: a message of %s is signed with a certificate for TLS alone (extended key usage); "
		"purpose= in the policy says which may sign\n",
		source);
}

static void on_verdict(struct gw_task *t, const struct fmp_job_verdict *v)
{
	struct gw_connection *c = of_task(t);

	if (v->tls_signer)
		tell_tls_signer(c);

	if (v->cbc_failed)
		take_try(c);
	c->service = v->service;
	c->verdict.step = v->step;
	c->replay_keys = v->replay_keys;
	/* Refused, but nobody's offence: that earns nothing either. */
	if (v->kind == FMP_EVENT_GOOD && v->step != FMP_STEP_DONE) {
		if (v->lacks || v->step == FMP_STEP_HTTP)
			gw_connection_set_reason(c, v->detail);
		else
			c->why = "a Fault without the security that is asked for";
		if (v->lacks == FMP_LACKS_CRL)
			gw_exchange_count_crl_missing(c->shared, v->detail);
		else if (v->lacks == FMP_LACKS_DECRYPT_BUDGET)
			tell_no_tries(c->shared, v->detail);
		else if (v->lacks)
			gw_report_unevaluated(c->shared->report, v->lacks);
		c->verdict.cpu_ns = v->cpu_ns;
		return;
	}
	memcpy(c->verdict.step_ns, v->step_ns, sizeof(v->step_ns));
	gw_connection_charge(c, v->kind, v->cpu_ns, v->detail);
}

static void on_answer(struct gw_task *t, const struct fmp_job_reply *a)
{
	struct gw_connection *c = of_task(t);

	if (c->state == ORPHAN)
		gw_connection_destroy(c);
	else
		gw_respond(c, a->status, a->content_type, a->body, a->len);
}

static void fail(struct gw_connection *c, int status, const char *reason)
{
	if (c->state == ORPHAN)
		gw_connection_destroy(c);
	else
		gw_respond_fault(c, c->soap_version, status, false, reason);
}

/* ---- a message that reached nobody ---- */

static void on_forgotten(struct gw_task *t, const struct fmp_job_reply *a)
{
	fail(of_task(t), a->status == 200 ? 503 : 500, GW_REASON_BACKEND);
}

/*
 * Its sender is asked to repeat it: what it was remembered by is forgotten first, lest the copy
 * be a replay. Never of what the service may have got, and once: another one may take the copy.
 */
static void take_back(struct gw_connection *c)
{
	struct fmp_job *job = &c->task.job;

	if (!c->replay_keys.n) {
		fail(c, 503, GW_REASON_BACKEND);
		return;
	}
	*job = (struct fmp_job){ .body = "",
				 .service = c->service,
				 .replay_remove = c->replay_keys };
	c->replay_keys.n = 0;
	c->task.reply = on_forgotten;
	if (c->state != ORPHAN)
		gw_connection_enter(c, WORKING);
	gw_pool_submit(c->shared->pool, &c->task);
}

static void on_lost(struct gw_task *t, enum fmp_event_kind kind, uint64_t cpu_ns,
		    const char *detail)
{
	struct gw_connection *c = of_task(t);
	bool ours = kind == FMP_EVENT_GOOD && c->verdict.kind == FMP_EVENT_GOOD;

	/* Whether it was decrypted can't be told any more. */
	if (takes_cbc(c) && !fmp_job_is_evaluated(&t->job) && c->verdict.kind == FMP_EVENT_GOOD)
		take_try(c);
	if (kind != FMP_EVENT_GOOD)
		gw_connection_charge(c, kind, cpu_ns, detail);
	if (ours && !t->job.answer && !fmp_job_is_evaluated(&t->job))
		take_back(c);
	else
		fail(c, 500, GW_REASON_FAILED);
}

/* @status: 503: the service got nothing of it */
static void no_reply(struct gw_connection *c, int status, const char *why)
{
	c->why = why;
	fmp_text_print(stderr, "fmp-gateway: backend%s%s: %s\n",
		       *service_of(c)->evaluate->name ? " of " : "", service_of(c)->evaluate->name,
		       why);
	if (status == 503)
		take_back(c);
	else
		fail(c, status, GW_REASON_BACKEND);
}

/* ---- of a service, that is to be signed or encrypted ---- */

static void refuse_reply(struct gw_connection *c, const char *why)
{
	c->why = why;
	fmp_text_print(stderr, "fmp-gateway: an answer%s%s can't be handed on: %s\n",
		       *service_of(c)->evaluate->name ? " of " : "", service_of(c)->evaluate->name,
		       why);
	gw_respond_fault(c, c->soap_version, 502, false, GW_REASON_BACKEND);
}

/* In one piece with what it points to. Return: false without memory. */
static bool keep_reply_context(struct gw_connection *c, const struct fmp_reply_context *r)
{
	uint8_t *p = malloc(sizeof(*r) + r->certificate_len + r->signature_len);

	if (!p)
		return false;
	c->reply_context = (struct fmp_reply_context *)p;
	*c->reply_context = *r;
	p += sizeof(*r);
	if (r->certificate)
		c->reply_context->certificate = memcpy(p, r->certificate, r->certificate_len);
	p += r->certificate_len;
	if (r->signature)
		c->reply_context->signature = memcpy(p, r->signature, r->signature_len);
	return true;
}

static bool is_soap12(const char *content_type)
{
	static const char type[] = "application/soap+xml";

	return !strncasecmp(content_type, type, sizeof(type) - 1);
}

/* SOAP 1.1 over HTTP (6.2) knows 500 for a Fault; SOAP 1.2 (part 2, 7.5.2.2) 400, too, for one of the sender. */
static bool has_status_of_soap(const struct gw_reply *r)
{
	return r->status == 200 || r->status == 500 ||
	       (r->status == 400 && is_soap12(r->content_type));
}

static void secure_reply(struct gw_connection *c, const struct gw_reply *r)
{
	if (!has_status_of_soap(r)) {
		refuse_reply(c, "its status is not SOAP's");
		return;
	}
	if (r->len > service_of(c)->evaluate->demands->limits.body_bytes) {
		refuse_reply(c, "it is larger than allowed");
		return;
	}
	c->remote.body = malloc(r->len);
	if (!c->remote.body) {
		refuse_reply(c, "no memory");
		return;
	}
	memcpy(c->remote.body, r->body, r->len);
	c->remote.len = r->len;
	c->task.job = (struct fmp_job){ .body = c->remote.body,
					.len = r->len,
					.service = c->service,
					.secure = true,
					.status = r->status,
					.soap_version = c->soap_version,
					.reply_context = c->reply_context };
	gw_connection_enter(c, WORKING);
	gw_pool_submit(c->shared->pool, &c->task);
}

/* What the service does is never the source's doing. */
static void hand_back(struct gw_connection *c, const struct gw_reply *r)
{
	if (r->why)
		no_reply(c, r->status, r->why);
	else if (c->state == ORPHAN)
		gw_connection_destroy(c);
	else if (service_of(c)->securer && r->len)
		secure_reply(c, r);
	else
		gw_respond_from_backend(c, r->status, r->content_type, r->body, r->len);
}

static void on_reply(void *ctx, const struct gw_reply *r)
{
	gw_buffer_budget_reply_received(ctx, r->len);
	hand_back(ctx, r);
}

static bool on_reserve(void *ctx, size_t have, size_t most)
{
	return gw_buffer_budget_reserve_reply(ctx, have, most);
}

/* Return: false without memory. */
static bool send_to_service(struct gw_connection *c, const struct gw_request *r,
			    const struct gw_call_ops *ops)
{
	struct gw_call *call = gw_backend_send(c->shared->backend[c->service], r, ops, c);

	if (call)
		gw_buffer_budget_request_sent(c, call);
	return call;
}

/* To be inspected. */
static void submit(struct gw_connection *c)
{
	c->task.job.clock_unset = gw_clock_is_unset(&c->shared->clock);
	c->task.job.decrypt_budget_spent = (takes_cbc(c) || c->task.job.wsa_action_decides) &&
					   is_spent(c);
	gw_pool_submit(c->shared->pool, &c->task);
}

/* What was accepted goes to the service, even if its client has not waited for that. */
static void on_forward(struct gw_task *t, const struct fmp_job_forward *f)
{
	static const struct gw_call_ops ops = { .done = on_reply, .reserve = on_reserve };
	struct gw_connection *c = of_task(t);
	const struct gw_request r = { .body = f->body,
				      .len = f->len,
				      .content_type = f->content_type,
				      .soap_action = t->job.has_action ? t->job.soap_action
								       : NULL };

	c->soap_version = f->soap_version;
	if (c->state == WORKING)
		gw_connection_enter(c, FORWARDED);
	if ((service_of(c)->securer && !keep_reply_context(c, &f->reply_context)) ||
	    !send_to_service(c, &r, &ops))
		no_reply(c, 503, "no memory");
}

/* ---- of a local program for a remote service ---- */

/* A good answer; one whose program is gone was still to be judged. */
static void on_good_answer(struct gw_task *t, const struct fmp_job_forward *f)
{
	struct gw_connection *c = of_task(t);

	if (c->state == ORPHAN)
		gw_connection_destroy(c);
	else
		gw_respond_from_backend(c, c->remote.status, f->content_type, f->body, f->len);
}

/* Return: why it is nothing that could be inspected; NULL. */
static const char *take_answer(struct gw_connection *c, const struct gw_reply *r)
{
	struct fmp_job *job = &c->task.job;

	if (fmp_addr_parse_source(r->address, &c->remote.source, NULL))
		return "its address can't be told";
	c->remote.port = r->port;
	c->remote.status = r->status;
	c->remote.body = malloc(r->len);
	if (!c->remote.body)
		return "no memory for the answer";
	memcpy(c->remote.body, r->body, r->len);
	c->remote.len = r->len;
	*job = (struct fmp_job){ .body = c->remote.body,
				 .len = r->len,
				 .service = c->service,
				 .answer = true,
				 .soap_version = c->soap_version };
	snprintf(job->content_type, sizeof(job->content_type), "%s", r->content_type);
	return NULL;
}

/*
 * It answered, but with no SOAP: it is down, or a captive portal or a proxy between answers in its
 * place. It is told, and nobody is charged.
 */
static void no_service(struct gw_connection *c, const struct gw_reply *r, const char *why)
{
	char detail[128];

	snprintf(detail, sizeof(detail), "%s (status %d, Content-Type \"%.40s\")", why, r->status,
		 r->content_type);
	fmp_text_clean(detail);
	if (!fmp_addr_parse(r->address, &c->remote.source, NULL)) {
		c->remote.port = r->port;
		c->remote.len = r->len;
		c->verdict.step = FMP_STEP_HTTP;
		gw_connection_charge(c, FMP_EVENT_OUTAGE, 0, detail);
	}
	no_reply(c, 502, why);
}

static void on_remote_reply(void *ctx, const struct gw_reply *r)
{
	struct gw_connection *c = ctx;
	bool plain = service_of(c)->evaluate->demands->security == FMP_SECURITY_OS;
	const char *why = r->why;
	struct fmp_media media;

	gw_buffer_budget_reply_received(c, r->len);
	fmp_media_read(r->content_type, &media);
	/* What comes with another one is of no use to a program, and not looked at. */
	if (!why && !plain && !has_status_of_soap(r) && r->status >= 300) {
		no_service(c, r, "it answered with a status that is not SOAP's");
		return;
	}
	if (!why && !plain && has_status_of_soap(r) && r->len && media.kind != FMP_EVENT_GOOD) {
		no_service(c, r, "it answered with a page, not with SOAP");
		return;
	}
	if (!why && r->len && (plain || has_status_of_soap(r)))
		why = take_answer(c, r);
	if (why) {
		no_reply(c, r->why ? r->status : 502, why);
		return;
	}
	if (!c->remote.len) {
		hand_back(c, &(const struct gw_reply){ .status = r->status, .content_type = "" });
		return;
	}
	if (c->state == FORWARDED)
		gw_connection_enter(c, WORKING);
	if (r->len > service_of(c)->evaluate->demands->limits.body_bytes) {
		gw_connection_charge(c, FMP_EVENT_OVERSIZE, 0, "the answer is larger than allowed");
		if (c->state == ORPHAN)
			gw_connection_destroy(c);
		else
			gw_respond_fault(c, c->soap_version, 500, false,
					 gw_fault_reason(FMP_STEP_HTTP));
		return;
	}
	submit(c);
}

static void call_remote(struct gw_connection *c)
{
	static const struct gw_call_ops ops = { .done = on_remote_reply, .reserve = on_reserve };
	const struct gw_request r = {
		.body = c->task.job.body,
		.len = c->task.job.len,
		.content_type = *c->http.content_type ? c->http.content_type : "text/xml",
		.soap_action = c->http.has_action ? c->http.soap_action : NULL,
		.coding = c->http.coding
	};

	gw_connection_enter(c, FORWARDED);
	c->task.forward = on_good_answer;
	if (!send_to_service(c, &r, &ops))
		no_reply(c, 503, "no memory");
}

/*
 * Who was queued and has gone away is not worked for: nothing was spent on him but the reading. Whoever has
 * closed his side alone looks the same, and may listen still: he is told to come again.
 */
static bool is_gone(struct gw_task *t)
{
	struct gw_connection *c = of_task(t);
	uint8_t next;
	ssize_t n;

	if (c->state != WORKING || t->job.answer || fmp_job_is_evaluated(&t->job))
		return false;
	n = recv(gw_stream_fd(c->stream), &next, sizeof(next), MSG_PEEK | MSG_DONTWAIT);
	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return false;
	if (n < 0) {
		gw_connection_close(c, false);
		return true;
	}
	gw_pool_withdraw(c->shared->pool, t);
	gw_connection_set_reason(c, "its client closed while it was queued");
	gw_respond_refusal(c, FMP_EVENT_GOOD, 503, false, "");
	return true;
}

void gw_exchange_begin(struct gw_connection *c)
{
	struct fmp_job *job = &c->task.job;

	event_del(c->timer);
	gw_tls_meter_reset(&c->handshake.meter);
	gw_connection_enter(c, WORKING);
	c->arrived_ns = gw_clock_ns(CLOCK_BOOTTIME);
	job->body = c->http.body ? c->http.body : (const void *)"";
	job->len = c->http.body_len;
	memcpy(job->content_type, c->http.content_type, sizeof(job->content_type));
	memcpy(job->soap_action, c->http.soap_action, sizeof(job->soap_action));
	job->has_action = c->http.has_action;
	job->coding = c->http.coding;
	job->service = c->service;
	job->answer = job->secure = false;
	job->reply_context = NULL;
	job->replay_remove.n = c->replay_keys.n = 0;
	/* As the worker says, as soon as it does. */
	c->soap_version = is_soap12(c->http.content_type) ? 12 : 11;
	c->task.verdict = on_verdict;
	c->task.reply = on_answer;
	c->task.forward = on_forward;
	c->task.lost = on_lost;
	c->task.is_abandoned = is_gone;
	c->task.source = c->client.family ? &c->client : &c->peer.group;
	gw_stream_pause(c->stream);
	if (service_of(c)->client)
		call_remote(c);
	else
		submit(c);
}
