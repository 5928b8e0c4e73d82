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
#include "forwarding.h"
#include "identity.h"
#include "../workers/fault.h"
#include "buffer_budget.h"
#include "relay.h"
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

/* Source key of the sender of what is, or was, inspected. */
static const struct fmp_addr *get_sender_key(const struct gw_connection *c)
{
	if (c->task.job.answer)
		return &c->reply.key;
	return c->client.family ? &c->client_key : &c->peer.group;
}

/* A message was refused after decryption. */
static void spend_decrypt_budget(struct gw_connection *c)
{
	fmp_decrypt_budget_take(&c->shared->decrypt_budget, get_sender_key(c),
				gw_clock_ns(CLOCK_BOOTTIME));
}

static bool is_decrypt_budget_spent(const struct gw_connection *c)
{
	return fmp_decrypt_budget_spent(&c->shared->decrypt_budget, get_sender_key(c),
					gw_clock_ns(CLOCK_BOOTTIME));
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

static bool accepts_cbc(const struct gw_connection *c)
{
	return get_service(c)->evaluate->demands->algorithms.encryption & FMP_CIPHERS_CBC;
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
	fmp_addr_format(get_sender_key(c), source, sizeof(source));
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
		spend_decrypt_budget(c);
	c->service = v->service;
	c->verdict.step = v->step;
	c->replay_keys = v->replay_keys;
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

static void fail_exchange(struct gw_connection *c, int status, const char *reason)
{
	if (c->state == CONN_DETACHED)
		gw_connection_destroy(c);
	else
		gw_respond_fault(c, c->soap_version, status, false, reason);
}

/* ---- a message that did not reach the service ---- */

static void on_replay_keys_removed(struct gw_task *t, const struct fmp_job_reply *a)
{
	fail_exchange(get_connection(t), a->status == 200 ? 503 : 500, GW_REASON_BACKEND);
}

/*
 * The sender is asked to repeat the message, so remove its replay keys first: otherwise the copy
 * would be a replay. Only if the service can't have got it, and once: another gateway may take the
 * copy.
 */
static void remove_replay_keys(struct gw_connection *c)
{
	struct fmp_job *job = &c->task.job;

	if (!c->replay_keys.n) {
		fail_exchange(c, 503, GW_REASON_BACKEND);
		return;
	}
	*job = (struct fmp_job){ .body = "",
				 .service = c->service,
				 .replay_remove = c->replay_keys };
	c->replay_keys.n = 0;
	c->task.reply = on_replay_keys_removed;
	if (c->state != CONN_DETACHED)
		gw_connection_enter(c, CONN_WORKING);
	gw_pool_submit(c->shared->pool, &c->task);
}

static void on_lost(struct gw_task *t, enum fmp_event_kind kind, uint64_t cpu_ns,
		    const char *detail)
{
	struct gw_connection *c = get_connection(t);
	bool ours = kind == FMP_EVENT_GOOD && c->verdict.kind == FMP_EVENT_GOOD;

	/* It is not known whether the lost worker decrypted it. */
	if (accepts_cbc(c) && !fmp_job_is_evaluated(&t->job) && c->verdict.kind == FMP_EVENT_GOOD)
		spend_decrypt_budget(c);
	if (kind != FMP_EVENT_GOOD)
		gw_connection_charge(c, kind, cpu_ns, detail);
	if (ours && !t->job.answer && !fmp_job_is_evaluated(&t->job))
		remove_replay_keys(c);
	else
		fail_exchange(c, 500, GW_REASON_FAILED);
}

/* @status: 503: the service received nothing */
static void fail_backend(struct gw_connection *c, int status, const char *why)
{
	c->why = why;
	fmp_text_print(stderr, "fmp-gateway: backend%s%s: %s\n",
		       *get_service(c)->evaluate->name ? " of " : "",
		       get_service(c)->evaluate->name, why);
	if (status == 503)
		remove_replay_keys(c);
	else
		fail_exchange(c, status, GW_REASON_BACKEND);
}

/* ---- a service's reply to be signed or encrypted ---- */

static void refuse_reply(struct gw_connection *c, const char *why)
{
	c->why = why;
	fmp_text_print(stderr, "fmp-gateway: a reply%s%s can't be forwarded: %s\n",
		       *get_service(c)->evaluate->name ? " of " : "",
		       get_service(c)->evaluate->name, why);
	gw_respond_fault(c, c->soap_version, 502, false, GW_REASON_BACKEND);
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

/*
 * SOAP 1.1 (6.2) uses 500 for a Fault; SOAP 1.2 (part 2, 7.5.2.2) also 400, for a fault of the
 * sender, and services of SOAP 1.1 do so too. 202 answers a one-way message, also with an Envelope,
 * for example an acknowledgement of WS-ReliableMessaging (WS-I BP 1.2, 3.4.12).
 */
static bool is_soap_status(const struct gw_reply *r)
{
	return r->status == 200 || r->status == 202 || r->status == 400 || r->status == 500;
}

/* With attachments, too: those that can't be handled are refused, not forwarded as a page. */
static bool is_soap(const struct gw_reply *r)
{
	struct fmp_media media;

	fmp_media_read(r->content_type, &media);
	return media.kind == FMP_EVENT_GOOD || fmp_media_has_attachments(&media);
}

/*
 * A status of HTTP alone, or a page that explains an error: the client's program needs to know it,
 * and it is no answer that could be mistaken for a signed one. Where answers are encrypted, the
 * body could tell what they hide.
 */
static void respond_without_soap(struct gw_connection *c, const struct gw_reply *r)
{
	bool hide = is_soap(r) || get_service(c)->evaluate->demands->answers.encrypt;

	if (!gw_forwarding_of_reply(c, r, hide, &c->reply.fields))
		refuse_reply(c, "no memory");
	else
		gw_respond_from_backend(c, r->status, r->content_type, r->body, hide ? 0 : r->len);
}

static void secure_reply(struct gw_connection *c, const struct gw_reply *r)
{
	if (!is_soap_status(r) || (r->status != 200 && !is_soap(r))) {
		respond_without_soap(c, r);
		return;
	}
	if (r->http->coding == FMP_CONTENT_CODING_OTHER) {
		refuse_reply(c, "its Content-Encoding is neither gzip nor deflate");
		return;
	}
	if (!gw_forwarding_of_reply(c, r, true, &c->reply.fields)) {
		refuse_reply(c, "no memory");
		return;
	}
	if (r->len > get_service(c)->evaluate->demands->limits.body_bytes) {
		refuse_reply(c, "it is larger than allowed");
		return;
	}
	c->reply.body = malloc(r->len);
	if (!c->reply.body) {
		refuse_reply(c, "no memory");
		return;
	}
	memcpy(c->reply.body, r->body, r->len);
	c->reply.len = r->len;
	c->task.job = (struct fmp_job){ .body = c->reply.body,
					.len = r->len,
					.coding = r->http->coding,
					.service = c->service,
					.secure = true,
					.status = r->status,
					.soap_version = c->soap_version,
					.reply_context = c->reply_context };
	snprintf(c->task.job.content_type, sizeof(c->task.job.content_type), "%s", r->content_type);
	gw_connection_enter(c, CONN_WORKING);
	gw_pool_submit(c->shared->pool, &c->task);
}

/* The source is never charged for what the service does. */
static void handle_backend_reply(struct gw_connection *c, const struct gw_reply *r)
{
	if (r->why)
		fail_backend(c, r->status, r->why);
	else if (c->state == CONN_DETACHED)
		gw_connection_destroy(c);
	else if (get_service(c)->securer && r->len)
		secure_reply(c, r);
	else if (!gw_forwarding_of_reply(c, r, false, &c->reply.fields))
		refuse_reply(c, "no memory");
	else
		gw_respond_from_backend(c, r->status, r->content_type, r->body, r->len);
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
	handle_backend_reply(c, r);
}

static bool on_reserve(void *ctx, size_t have, size_t max)
{
	return gw_buffer_budget_reserve_reply(ctx, have, max);
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

/* @identity: NULL: nobody was verified. Return: false without memory. */
static bool forward_request(struct gw_connection *c, struct gw_request *r, bool changed,
			    const struct fmp_identity_fields *identity,
			    const struct gw_call_ops *ops)
{
	struct gw_forwarding f = { 0 };
	bool ok = gw_forwarding_of_request(c, changed, &f) &&
		  (!identity || gw_identity_add(c, identity, &f.fields));

	r->target = f.target.bytes;
	r->fields = &f.fields;
	ok = ok && send_to_service(c, r, ops);
	gw_forwarding_clear(&f);
	return ok;
}

static void submit_for_inspection(struct gw_connection *c)
{
	if (c->task.job.wsa_action_decides || get_service(c)->evaluate->demands->repeats)
		c->task.job.source = *get_sender_key(c);
	c->task.job.clock_unset = gw_clock_is_unset(&c->shared->clock);
	c->task.job.decrypt_budget_spent = (accepts_cbc(c) || c->task.job.wsa_action_decides) &&
					   is_decrypt_budget_spent(c);
	gw_pool_submit(c->shared->pool, &c->task);
}

/* The root part was accepted: the service gets it now, and the rest as it comes. */
static void forward_root(struct gw_connection *c, const struct fmp_job_forward *f,
			 struct gw_request *r, const struct gw_call_ops *ops)
{
	if (c->state == CONN_DETACHED) {
		gw_upload_broken_off(c);
		remove_replay_keys(c);
		return;
	}
	r->pieces = true;
	if ((get_service(c)->securer && !keep_reply_context(c, &f->reply_context)) ||
	    !gw_upload_expect(c, f, &r->rest) ||
	    !forward_request(c, r, !f->part || f->offset, &f->identity, ops)) {
		gw_upload_cut(c);
		fail_backend(c, 503, "no memory");
	} else {
		gw_upload_start(c);
	}
}

/* An accepted message goes to the service even if its client is gone, if it is whole. */
static void on_forward(struct gw_task *t, const struct fmp_job_forward *f)
{
	static const struct gw_call_ops ops = { .done = on_reply,
						.reserve = on_reserve,
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
	    !forward_request(c, &r, changed, &f->identity, &ops))
		fail_backend(c, 503, "no memory");
}

/* ---- a local program and a remote service ---- */

/* The reply was accepted; it was inspected even if the program is gone. */
static void on_accepted_reply(struct gw_task *t, const struct fmp_job_forward *f)
{
	struct gw_connection *c = get_connection(t);

	if (c->state == CONN_DETACHED)
		gw_connection_destroy(c);
	else
		gw_respond_from_backend(c, c->reply.status, f->content_type, f->body, f->len);
}

/*
 * Nothing of it is inspected, so only what the status needs is forwarded: the challenge of a
 * service that wants a password, and when to come again.
 */
static bool is_status_for_program(const struct gw_reply *r)
{
	struct fmp_field f;

	if (r->status == 401)
		return fmp_field_find(&r->http->fields, "www-authenticate", &f);
	return (r->status == 429 || r->status == 503) &&
	       fmp_field_find(&r->http->fields, "retry-after", &f);
}

static void respond_status(struct gw_connection *c, const struct gw_reply *r)
{
	if (c->state == CONN_DETACHED)
		gw_connection_destroy(c);
	else if (!gw_forwarding_of_reply(c, r, true, &c->reply.fields))
		refuse_reply(c, "no memory");
	else
		gw_respond_from_backend(c, r->status, "", NULL, 0);
}

/* What was inspected may be another form of what was received. */
static bool is_reply_changed(const struct gw_connection *c, const struct gw_reply *r)
{
	return get_service(c)->evaluate->demands->security >= FMP_SECURITY_BCS ||
	       r->http->coding != FMP_CONTENT_CODING_IDENTITY;
}

/* Return: why it can't be inspected; NULL. */
static const char *store_remote_reply(struct gw_connection *c, const struct gw_reply *r)
{
	struct fmp_job *job = &c->task.job;
	bool plain = get_service(c)->evaluate->demands->security == FMP_SECURITY_OS;

	if (!plain && r->http->coding == FMP_CONTENT_CODING_OTHER)
		return "its Content-Encoding is neither gzip nor deflate";
	if (!gw_forwarding_of_reply(c, r, !plain && is_reply_changed(c, r), &c->reply.fields))
		return "no memory for the answer";
	if (fmp_addr_parse_source(r->address, &c->reply.source, NULL))
		return "its address is not valid as a source";
	c->reply.key = gw_source_key(&c->shared->prefixes, c->shared->settings->policy,
				     &c->reply.source, -1);
	c->reply.port = r->port;
	c->reply.status = r->status;
	c->reply.body = malloc(r->len);
	if (!c->reply.body)
		return "no memory for the answer";
	memcpy(c->reply.body, r->body, r->len);
	c->reply.len = r->len;
	*job = (struct fmp_job){ .body = c->reply.body,
				 .len = r->len,
				 .coding = plain ? FMP_CONTENT_CODING_IDENTITY : r->http->coding,
				 .service = c->service,
				 .answer = true,
				 .soap_version = c->soap_version };
	snprintf(job->content_type, sizeof(job->content_type), "%s", r->content_type);
	return NULL;
}

/*
 * Report a reply that is not inspected. FMP_EVENT_OUTAGE: it is not SOAP, since the service is down or
 * a captive portal or proxy replied; nobody is charged.
 */
static void refuse_remote_reply(struct gw_connection *c, const struct gw_reply *r,
				enum fmp_event_kind kind, const char *why)
{
	char detail[FMP_EVENT_DETAIL];

	snprintf(detail, sizeof(detail), "%s (status %d, Content-Type \"%.40s\")", why, r->status,
		 r->content_type);
	fmp_text_clean(detail);
	if (!fmp_addr_parse(r->address, &c->reply.source, NULL)) {
		c->reply.port = r->port;
		c->reply.len = r->len;
		c->verdict.step = FMP_STEP_HTTP;
		gw_connection_charge(c, kind, 0, detail);
	}
	fail_backend(c, 502, why);
}

static const char *explain_media(const struct fmp_media *media)
{
	if (!fmp_media_has_attachments(media))
		return "it answered with a page, not with SOAP";
	return strcmp(media->type, "multipart/related") == 0
		       ? "it answered with multipart/related: attachments (MTOM, SwA) are not allowed"
		       : "it answered with application/xop+xml: attachments (MTOM) are not allowed";
}

static void on_remote_reply(void *ctx, const struct gw_reply *r)
{
	struct gw_connection *c = ctx;
	bool plain = get_service(c)->evaluate->demands->security == FMP_SECURITY_OS, soap;
	const char *why = r->why;
	enum fmp_event_kind kind;
	struct fmp_media media;

	gw_buffer_budget_reply_received(c, r->len);
	fmp_media_read(r->content_type, &media);
	/* Text beside a 202 is no answer: no program reads it. */
	soap = is_soap_status(r) && (r->status != 202 || is_soap(r));
	/* A body with another status is useless to a program, and not inspected. */
	if (!why && !plain && is_status_for_program(r)) {
		respond_status(c, r);
		return;
	}
	if (!why && !plain && !soap && r->status >= 300) {
		refuse_remote_reply(c, r, FMP_EVENT_OUTAGE,
				    "it answered with a status that is not SOAP's");
		return;
	}
	kind = fmp_evaluate_media(&media, true, get_service(c)->evaluate->demands);
	if (!why && !plain && soap && r->len && kind != FMP_EVENT_GOOD) {
		refuse_remote_reply(c, r, kind, explain_media(&media));
		return;
	}
	if (!why && r->len && (plain || soap))
		why = store_remote_reply(c, r);
	if (why) {
		fail_backend(c, r->why ? r->status : 502, why);
		return;
	}
	if (!c->reply.len) {
		handle_backend_reply(c, &(const struct gw_reply){ .status = r->status,
								  .content_type = "",
								  .http = r->http });
		return;
	}
	if (c->state == CONN_FORWARDED)
		gw_connection_enter(c, CONN_WORKING);
	if (r->len > get_service(c)->evaluate->demands->limits.body_bytes) {
		gw_connection_charge(c, FMP_EVENT_OVERSIZE, 0, "the answer is larger than allowed");
		if (c->state == CONN_DETACHED)
			gw_connection_destroy(c);
		else
			gw_respond_fault(c, c->soap_version, 500, false,
					 gw_fault_reason(FMP_STEP_HTTP));
		return;
	}
	submit_for_inspection(c);
}

static void call_remote_service(struct gw_connection *c)
{
	static const struct gw_call_ops ops = { .done = on_remote_reply, .reserve = on_reserve };
	struct gw_request r = { .body = c->task.job.body,
				.len = c->task.job.len,
				.content_type = *c->http.content_type ? c->http.content_type
								      : "text/xml",
				.soap_action = c->http.has_action ? c->http.soap_action : NULL,
				.coding = c->http.coding };

	gw_connection_enter(c, CONN_FORWARDED);
	c->task.forward = on_accepted_reply;
	if (!forward_request(c, &r, false, NULL, &ops))
		fail_backend(c, 503, "no memory");
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
	c->task.source = get_sender_key(c);
	gw_stream_pause(c->stream);
	if (get_service(c)->client)
		call_remote_service(c);
	else
		submit_for_inspection(c);
}

void gw_exchange_begin(struct gw_connection *c)
{
	begin_exchange(c, c->http.body_len);
}

void gw_exchange_begin_root(struct gw_connection *c, size_t len)
{
	begin_exchange(c, len);
}
