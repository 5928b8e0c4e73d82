// SPDX-License-Identifier: GPL-2.0
#include "relay.h"

#include <stdio.h>

#include <fmp/internal/mime.h>
#include <fmp/internal/text.h>

#include "../backend/backend.h"
#include "buffer_budget.h"
#include "connection_private.h"
#include "forwarding.h"

#define RELAY_MIN    (64u << 10) /* a shorter reply is held, so that a broken one can be replaced */
#define RELAY_UNSENT (64u << 10) /* bytes buffered for the client before reading pauses */

bool gw_relay_begin(void *ctx, const struct gw_reply *r)
{
	struct gw_connection *c = ctx;
	const struct gw_service *svc = &c->shared->settings->service[c->service];
	uint64_t len;
	bool known = fmp_http_body_length(r->http, &len);

	/*
	 * <attachments> limits what comes from outside. These are answers of the service that is
	 * protected, which are forwarded as they come; those of a remote service are not relayed.
	 */
	if (c->state != CONN_FORWARDED || svc->securer || svc->client ||
	    (known && len < RELAY_MIN) || !fmp_mime_is_related(r->content_type) ||
	    !gw_forwarding_of_reply(c, r, false, &c->reply.fields))
		return false;
	c->relay.open = true;
	c->relay.paused = c->relay.stalled = false;
	gw_respond_begin_relay(c, r->status, r->content_type, known ? &len : NULL);
	return true;
}

void gw_relay_data(void *ctx, const void *bytes, size_t len)
{
	struct gw_connection *c = ctx;
	char size[24];
	static char end[] = "\r\n";
	struct iovec part[3] = { { .iov_base = size },
				 { .iov_base = (void *)(uintptr_t)bytes, .iov_len = len },
				 { .iov_base = end } };

	if (c->relay.chunked) {
		part[0].iov_len = (size_t)snprintf(size, sizeof(size), "%zx\r\n", len);
		part[2].iov_len = 2;
	}
	gw_stream_send(c->stream, part, 3);
	if (gw_stream_unsent(c->stream) > RELAY_UNSENT && !c->relay.paused) {
		c->relay.paused = true;
		gw_backend_pause(c->call.handle);
	}
	gw_buffer_budget_update(c);
}

void gw_relay_resume(struct gw_connection *c)
{
	if (!c->relay.paused)
		return;
	c->relay.paused = c->relay.stalled = false;
	gw_buffer_budget_update(c);
	gw_backend_resume(c->call.handle);
}

void gw_relay_end(struct gw_connection *c, const struct gw_reply *r)
{
	static char last[] = "0\r\n\r\n";
	struct iovec part = { .iov_base = last, .iov_len = sizeof(last) - 1 };

	c->relay.open = false;
	gw_buffer_budget_reply_received(c, 0);
	if (r->why) {
		/* The client has to see that the reply is not complete. */
		fmp_text_print(stderr, "fmp-gateway: a reply with attachments was broken off: %s\n",
			       r->why);
		gw_connection_close(c, true);
		return;
	}
	if (c->relay.chunked)
		gw_stream_send(c->stream, &part, 1);
	if (!gw_stream_unsent(c->stream))
		gw_connection_response_sent(c);
}

void gw_relay_cancel(struct gw_connection *c)
{
	struct gw_call *call = c->call.handle;

	if (!c->relay.open)
		return;
	c->relay.open = false;
	gw_buffer_budget_reply_received(c, 0);
	gw_backend_cancel(call);
}
