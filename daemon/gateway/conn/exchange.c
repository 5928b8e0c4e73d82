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
#include "describe.h"
#include "../workers/fault.h"
#include "buffer_budget.h"
#include "inspection.h"
#include "observe.h"
#include "relay.h"
#include "remote_call.h"
#include "service_call.h"
#include "upload.h"
#include "../service/report.h"
#include <fmp/internal/request_route.h>

static const struct gw_service *get_service(const struct gw_connection *c)
{
	return &c->shared->settings->service[c->service];
}

bool gw_exchange_route(struct gw_connection *c)
{
	struct fmp_http *h = &c->http;
	struct fmp_request_route r;

	c->task.job.wsa_action_decides = false;
	if (fmp_http_is_read(h)) {
		if (h->state == FMP_HTTP_REFUSED)
			return true;
		gw_describe(c);
		return false;
	}
	fmp_request_route(&c->shared->settings->evaluator, h, c->peer.local, &r);
	c->task.job.wsa_action_decides = r.wsa_action_decides;
	if (r.routed) {
		c->service = r.service;
		c->routed = true;
	}
	if (r.detail) {
		gw_respond_refusal(c, r.kind, r.status, true, r.detail);
		return false;
	}
	if (r.routed && !gw_upload_begin(c))
		fmp_http_limit_body(h, get_service(c)->evaluate->demands->limits.body_bytes);
	return true;
}

void gw_exchange_release_reply(struct gw_connection *c)
{
	free(c->reply.body);
	free(c->reply.origin);
	fmp_field_list_exit(&c->reply.fields);
	memset(&c->reply, 0, sizeof(c->reply));
	gw_buffer_budget_reply_forwarded(c);
}

void gw_exchange_reset(struct gw_connection *c)
{
	gw_exchange_release_reply(c);
	free(c->reply_context);
	c->reply_context = NULL;
	gw_upload_free(c);
	gw_observe_end(c);
	c->routed = false;
}

static struct gw_connection *get_connection(struct gw_task *t)
{
	return (struct gw_connection *)((char *)t - offsetof(struct gw_connection, task));
}

/*
 * Whoever maintains the CRLs may not read the access log: also warn on stderr, at most once a
 * minute.
 */
void gw_exchange_count_crl_missing(struct gw_shared *s, const char *detail)
{
	gw_report_unevaluated(s->report, FMP_LACKS_CRL);
	if (!gw_warning_is_due(&s->crl_missing_logged_ns))
		return;
	fmp_text_print(
		stderr,
		"fmp-gateway: %s; messages and clients that need it are refused, and not charged\n",
		detail);
}

/*
 * Source whose share of the connections to the service the message takes. NULL: a local program or
 * a proxy that names no client acts for others.
 */
static const struct fmp_addr *get_share_key(const struct gw_connection *c)
{
	if (c->client.family)
		return &c->client_key;
	return c->peer.local || c->peer.forwarded ? NULL : &c->peer.group;
}

/* Whoever updates the peers may not read the access log: also warn on stderr. */
static void warn_decrypt_budget(struct gw_shared *s, const char *detail)
{
	gw_report_unevaluated(s->report, FMP_LACKS_DECRYPT_BUDGET);
	if (!gw_warning_is_due(&s->decrypt_budget_logged_ns))
		return;
	fprintf(stderr,
		"fmp-gateway: %s; a host may be guessing the content of a captured message\n",
		detail);
}

/* The key of a Web server or browser may not be meant to sign messages. */
static void warn_tls_signer(const struct gw_connection *c)
{
	struct gw_shared *s = c->shared;
	char source[FMP_ADDR_STRLEN];

	if (!gw_warning_is_due(&s->tls_signer_logged_ns))
		return;
	fmp_addr_format(gw_inspection_sender(c), source, sizeof(source));
	fmp_text_print(
		stderr,
		"fmp-gateway: a message of %s is signed with a certificate for TLS alone (extended key usage); "
		"set purpose= in the policy to say which may sign\n",
		source);
}

static void on_verdict(struct gw_task *t, const struct fmp_job_verdict *v)
{
	struct gw_connection *c = get_connection(t);

	if (v->tls_signer)
		warn_tls_signer(c);

	if (v->cbc_failed)
		gw_inspection_spend_budget(c);
	c->service = v->service;
	c->verdict.step = v->step;
	c->replay_keys = v->replay_keys;
	if (v->kind == FMP_EVENT_GOOD && v->step == FMP_STEP_DONE)
		gw_observe_verdict(c, v);
	if (c->upload && gw_upload_keep_verdict(c, v))
		return;
	/* Refused, but not charged: it is not counted as good either. */
	if (v->kind == FMP_EVENT_GOOD && v->step != FMP_STEP_DONE) {
		if (v->lacks || v->step == FMP_STEP_HTTP)
			gw_connection_set_reason(c, v->detail);
		else
			c->why = "a Fault without the security that is asked for";
		if (v->lacks == FMP_LACKS_CRL)
			gw_exchange_count_crl_missing(c->shared, v->detail);
		else if (v->lacks == FMP_LACKS_DECRYPT_BUDGET)
			warn_decrypt_budget(c->shared, v->detail);
		else if (v->lacks)
			gw_report_unevaluated(c->shared->report, v->lacks);
		c->verdict.cpu_ns = v->cpu_ns;
		return;
	}
	memcpy(c->verdict.step_ns, v->step_ns, sizeof(v->step_ns));
	gw_connection_charge(c, v->kind, v->cpu_ns, v->detail);
}

static void on_reply_message(struct gw_task *t, const struct fmp_job_reply *a)
{
	struct gw_connection *c = get_connection(t);

	if (c->upload && gw_upload_needs_parts(c))
		gw_upload_hold(c);
	else if (c->state == CONN_DETACHED)
		gw_connection_destroy(c);
	else if (t->job.secure && a->status == t->job.status) /* else it is our Fault */
		gw_respond_from_backend(c, a->status, a->content_type, a->body, a->len);
	else
		gw_respond(c, a->status, a->content_type, a->body, a->len);
}

static void on_lost(struct gw_task *t, enum fmp_event_kind kind, uint64_t cpu_ns,
		    const char *detail)
{
	struct gw_connection *c = get_connection(t);
	bool ours = kind == FMP_EVENT_GOOD && c->verdict.kind == FMP_EVENT_GOOD;

	/* It is not known whether the lost worker decrypted it. */
	if (gw_inspection_accepts_cbc(c) && !fmp_job_is_evaluated(&t->job) &&
	    c->verdict.kind == FMP_EVENT_GOOD)
		gw_inspection_spend_budget(c);
	if (kind != FMP_EVENT_GOOD)
		gw_connection_charge(c, kind, cpu_ns, detail);
	if (ours && !t->job.answer && !fmp_job_is_evaluated(&t->job))
		gw_service_call_take_back(c);
	else
		gw_service_call_end(c, 500, GW_REASON_FAILED);
}

/* Copy it with all that it points to, in one allocation. Return: false without memory. */
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

	return !strncasecmp(content_type, type, sizeof(type) - 1) ||
	       (fmp_mime_is_related(content_type) && strcasestr(content_type, type));
}

static void on_reply(void *ctx, const struct gw_reply *r)
{
	struct gw_connection *c = ctx;

	if (c->relay.open) {
		gw_relay_end(c, r);
		return;
	}
	if (c->upload)
		gw_upload_cut(c);
	gw_buffer_budget_reply_received(c, r->len);
	gw_service_call_reply(c, r);
}

/* The root part was accepted: the service gets it now, and the rest as it comes. */
static void forward_root(struct gw_connection *c, const struct fmp_job_forward *f,
			 struct gw_request *r, const struct gw_call_ops *ops)
{
	if (c->state == CONN_DETACHED) {
		gw_upload_broken_off(c);
		gw_service_call_take_back(c);
		return;
	}
	r->pieces = true;
	if ((get_service(c)->securer && !keep_reply_context(c, &f->reply_context)) ||
	    !gw_upload_expect(c, f, &r->rest) ||
	    !gw_service_call_send(c, r, !f->part || f->offset, &f->identity, ops)) {
		gw_upload_cut(c);
		gw_service_call_fail(c, 503, "no memory");
	} else {
		gw_upload_start(c);
	}
}

/* An accepted message goes to the service even if its client is gone, if it is whole. */
static void on_forward(struct gw_task *t, const struct fmp_job_forward *f)
{
	static const struct gw_call_ops ops = { .done = on_reply,
						.reserve = gw_service_call_reserve,
						.stream = gw_relay_begin,
						.data = gw_relay_data,
						.drained = gw_upload_drained };
	struct gw_connection *c = get_connection(t);
	bool changed = !f->part || f->len != t->job.len ||
		       t->job.coding != FMP_CONTENT_CODING_IDENTITY;
	struct gw_request r = { .body = f->body,
				.len = f->len,
				.content_type = f->content_type,
				.soap_action = t->job.has_action ? t->job.soap_action : NULL,
				.source = get_share_key(c) };

	c->soap_version = f->soap_version;
	if (c->upload) {
		forward_root(c, f, &r, &ops);
		return;
	}
	if (c->state == CONN_WORKING)
		gw_connection_enter(c, CONN_FORWARDED);
	if ((get_service(c)->securer && !keep_reply_context(c, &f->reply_context)) ||
	    !gw_service_call_send(c, &r, changed, &f->identity, &ops))
		gw_service_call_fail(c, 503, "no memory");
}

/*
 * Do not work for a queued client that is gone: only reading was spent on it. A client that closed
 * only its sending side looks the same and may still listen: tell it to come again.
 */
static bool is_abandoned(struct gw_task *t)
{
	struct gw_connection *c = get_connection(t);
	uint8_t next;
	ssize_t n;

	if (c->state != CONN_WORKING || t->job.answer || fmp_job_is_evaluated(&t->job))
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

static void begin_exchange(struct gw_connection *c, size_t len)
{
	struct fmp_job *job = &c->task.job;

	event_del(c->timer);
	gw_tls_meter_reset(&c->handshake.meter);
	gw_connection_enter(c, CONN_WORKING);
	c->arrived_ns = gw_clock_ns(CLOCK_BOOTTIME);
	job->body = c->http.body ? c->http.body : (const void *)"";
	job->len = len;
	job->pending = c->upload != NULL;
	memcpy(job->content_type, c->http.content_type, sizeof(job->content_type));
	memcpy(job->soap_action, c->http.soap_action, sizeof(job->soap_action));
	job->has_action = c->http.has_action;
	job->coding = c->http.coding;
	job->service = c->service;
	job->answer = job->secure = false;
	job->reply_context = NULL;
	job->replay_remove.n = c->replay_keys.n = 0;
	/* until the worker has read it */
	c->soap_version = is_soap12(c->http.content_type) ? 12 : 11;
	c->task.verdict = on_verdict;
	c->task.reply = on_reply_message;
	c->task.forward = on_forward;
	c->task.lost = on_lost;
	c->task.is_abandoned = is_abandoned;
	c->task.source = gw_inspection_sender(c);
	gw_stream_pause(c->stream);
	if (get_service(c)->client)
		gw_remote_call_begin(c);
	else
		gw_inspection_submit(c);
}

void gw_exchange_begin(struct gw_connection *c)
{
	begin_exchange(c, c->http.body_len);
}

void gw_exchange_begin_root(struct gw_connection *c, size_t len)
{
	begin_exchange(c, len);
}
