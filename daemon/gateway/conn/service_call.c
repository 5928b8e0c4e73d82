// SPDX-License-Identifier: GPL-2.0
#include "service_call.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/text.h>

#include "../workers/fault.h"
#include "buffer_budget.h"
#include "connection_private.h"
#include "forwarding.h"
#include "identity.h"

static const struct gw_service *get_service(const struct gw_connection *c)
{
	return &c->shared->settings->service[c->service];
}

static struct gw_connection *get_connection(struct gw_task *t)
{
	return (struct gw_connection *)((char *)t - offsetof(struct gw_connection, task));
}

void gw_service_call_end(struct gw_connection *c, int status, const char *reason)
{
	if (c->state == CONN_DETACHED)
		gw_connection_destroy(c);
	else
		gw_respond_fault(c, c->soap_version, status, false, reason);
}

/* ---- a message that did not reach the service ---- */

static void on_replay_keys_removed(struct gw_task *t, const struct fmp_job_reply *a)
{
	gw_service_call_end(get_connection(t), a->status == 200 ? 503 : 500, GW_REASON_BACKEND);
}

/*
 * The sender is asked to repeat the message, so remove its replay keys first: otherwise the copy
 * would be a replay. Only if the service can't have got it, and once: another gateway may take the
 * copy.
 */
void gw_service_call_take_back(struct gw_connection *c)
{
	struct fmp_job *job = &c->task.job;

	if (!c->replay_keys.n) {
		gw_service_call_end(c, 503, GW_REASON_BACKEND);
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

void gw_service_call_fail(struct gw_connection *c, int status, const char *why)
{
	c->why = why;
	fmp_text_print(stderr, "fmp-gateway: backend%s%s: %s\n",
		       *get_service(c)->evaluate->name ? " of " : "",
		       get_service(c)->evaluate->name, why);
	if (status == 503)
		gw_service_call_take_back(c);
	else
		gw_service_call_end(c, status, GW_REASON_BACKEND);
}

/* ---- the request ---- */

bool gw_service_call_reserve(void *ctx, size_t have, size_t max)
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

bool gw_service_call_send(struct gw_connection *c, struct gw_request *r, bool changed,
			  const struct fmp_identity_fields *identity, const struct gw_call_ops *ops)
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

/* ---- a service's reply to be signed or encrypted ---- */

void gw_service_call_refuse_reply(struct gw_connection *c, const char *why)
{
	c->why = why;
	fmp_text_print(stderr, "fmp-gateway: a reply%s%s can't be forwarded: %s\n",
		       *get_service(c)->evaluate->name ? " of " : "",
		       get_service(c)->evaluate->name, why);
	gw_respond_fault(c, c->soap_version, 502, false, GW_REASON_BACKEND);
}

/*
 * SOAP 1.1 (6.2) uses 500 for a Fault; SOAP 1.2 (part 2, 7.5.2.2) also 400, for a fault of the
 * sender, and services of SOAP 1.1 do so too. 202 answers a one-way message, also with an Envelope,
 * for example an acknowledgement of WS-ReliableMessaging (WS-I BP 1.2, 3.4.12).
 */
bool gw_service_call_is_soap_status(const struct gw_reply *r)
{
	return r->status == 200 || r->status == 202 || r->status == 400 || r->status == 500;
}

/* With attachments, too: those that can't be handled are refused, not forwarded as a page. */
bool gw_service_call_is_soap(const struct gw_reply *r)
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
	bool hide = gw_service_call_is_soap(r) ||
		    get_service(c)->evaluate->demands->answers.encrypt;

	if (!gw_forwarding_of_reply(c, r, hide, &c->reply.fields))
		gw_service_call_refuse_reply(c, "no memory");
	else
		gw_respond_from_backend(c, r->status, r->content_type, r->body, hide ? 0 : r->len);
}

static void secure_reply(struct gw_connection *c, const struct gw_reply *r)
{
	if (!gw_service_call_is_soap_status(r) ||
	    (r->status != 200 && !gw_service_call_is_soap(r))) {
		respond_without_soap(c, r);
		return;
	}
	if (r->http->coding == FMP_CONTENT_CODING_OTHER) {
		gw_service_call_refuse_reply(c, "its Content-Encoding is neither gzip nor deflate");
		return;
	}
	if (!gw_forwarding_of_reply(c, r, true, &c->reply.fields)) {
		gw_service_call_refuse_reply(c, "no memory");
		return;
	}
	if (r->len > get_service(c)->evaluate->demands->limits.body_bytes) {
		gw_service_call_refuse_reply(c, "it is larger than allowed");
		return;
	}
	c->reply.body = malloc(r->len);
	if (!c->reply.body) {
		gw_service_call_refuse_reply(c, "no memory");
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

void gw_service_call_reply(struct gw_connection *c, const struct gw_reply *r)
{
	if (r->why)
		gw_service_call_fail(c, r->status, r->why);
	else if (c->state == CONN_DETACHED)
		gw_connection_destroy(c);
	else if (get_service(c)->securer && r->len)
		secure_reply(c, r);
	else if (!gw_forwarding_of_reply(c, r, false, &c->reply.fields))
		gw_service_call_refuse_reply(c, "no memory");
	else
		gw_respond_from_backend(c, r->status, r->content_type, r->body, r->len);
}
