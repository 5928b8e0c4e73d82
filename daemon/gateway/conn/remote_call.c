// SPDX-License-Identifier: GPL-2.0
#include "remote_call.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/text.h>

#include "../backend/backend.h"
#include "../workers/fault.h"
#include "buffer_budget.h"
#include "connection_private.h"
#include "forwarding.h"
#include "inspection.h"
#include "service_call.h"

static const struct gw_service *get_service(const struct gw_connection *c)
{
	return &c->shared->settings->service[c->service];
}

static struct gw_connection *get_connection(struct gw_task *t)
{
	return (struct gw_connection *)((char *)t - offsetof(struct gw_connection, task));
}

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
		gw_service_call_refuse_reply(c, "no memory");
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
	gw_service_call_fail(c, 502, why);
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
	soap = gw_service_call_is_soap_status(r) &&
	       (r->status != 202 || gw_service_call_is_soap(r));
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
		gw_service_call_fail(c, r->why ? r->status : 502, why);
		return;
	}
	if (!c->reply.len) {
		gw_service_call_reply(c, &(const struct gw_reply){ .status = r->status,
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
	gw_inspection_submit(c);
}

void gw_remote_call_begin(struct gw_connection *c)
{
	static const struct gw_call_ops ops = { .done = on_remote_reply,
						.reserve = gw_service_call_reserve };
	struct gw_request r = { .body = c->task.job.body,
				.len = c->task.job.len,
				.content_type = *c->http.content_type ? c->http.content_type
								      : "text/xml",
				.soap_action = c->http.has_action ? c->http.soap_action : NULL,
				.coding = c->http.coding };

	gw_connection_enter(c, CONN_FORWARDED);
	c->task.forward = on_accepted_reply;
	if (!gw_service_call_send(c, &r, false, NULL, &ops))
		gw_service_call_fail(c, 503, "no memory");
}
