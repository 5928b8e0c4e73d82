// SPDX-License-Identifier: GPL-2.0
#include "receive.h"

#include <sys/uio.h>

#include <event2/buffer.h>

#include <fmp/internal/crash_note.h>
#include <fmp/internal/forwarded.h>

#include "../common/clock.h"
#include "buffer_budget.h"
#include "connection_private.h"
#include "exchange.h"
#include "upload.h"

/*
 * Each part of a request has a deadline of its own. Some clients send an empty line behind a body:
 * a connection that was served stays idle then.
 */
static void update_deadline(struct gw_connection *c, bool was_between, bool had_headers)
{
	const struct fmp_policy_gateway *g = &c->shared->settings->policy->gateway;

	if (!had_headers && c->http.headers_done)
		gw_connection_arm(c, g->body_timeout_ms);
	else if (c->served && fmp_http_is_between_messages(&c->http))
		gw_connection_enter(c, CONN_IDLE);
	else if (was_between && c->served) /* for the first request it runs since the accept */
		gw_connection_arm(c, g->header_timeout_ms);
}

/*
 * Record whose bytes are being read, in case that crashes us. A proxy's client must be known first.
 */
static void begin_crash_page(struct gw_connection *c)
{
	struct fmp_crash_note *note = c->shared->settings->crash_page;

	if (c->client.family)
		fmp_crash_note_begin(note, &c->client, 0, c->peer.dest_port);
	else if (!c->peer.forwarded)
		fmp_crash_note_begin(note, &c->peer.source, c->peer.source_port, c->peer.dest_port);
}

void gw_receive_clear_crash_page(struct gw_connection *c)
{
	fmp_crash_note_end(c->shared->settings->crash_page);
}

/* Without X-Forwarded-For a proxy's request is its own. Return: false: the field has no address. */
static bool apply_forwarded_for(struct gw_connection *c)
{
	const struct fmp_policy *policy = c->shared->settings->policy;
	bool known = !c->peer.forwarded || !c->http.has_forwarded ||
		     fmp_forwarded_for(&policy->gateway, c->http.forwarded, &c->client);

	if (c->client.family)
		c->client_key = gw_source_key(&c->shared->prefixes, policy, &c->client, -1);
	begin_crash_page(c);
	return known;
}

/* Packet filters see only the proxy's address, so check its client here. */
static bool is_blocked(const struct gw_connection *c)
{
	return c->client.family && gw_blocklist_contains(c->shared->blocklist, &c->client,
							 gw_clock_ns(CLOCK_BOOTTIME) / 1000000u);
}

static void send_continue(struct gw_connection *c)
{
	static char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
	struct iovec part = { .iov_base = text, .iov_len = sizeof(text) - 1 };

	if (c->http.expect_continue && c->http.headers_done && !c->continued && !c->http.body_len) {
		c->continued = true;
		gw_stream_send(c->stream, &part, 1);
	}
}

/*
 * Respond to a refusal that waited for the end of the header. The client is charged. If the header
 * has no end, a client could have written another host's address: then charge the proxy.
 */
void gw_receive_refuse_pending(struct gw_connection *c)
{
	if (c->http.state == FMP_HTTP_REFUSED && apply_forwarded_for(c) && is_blocked(c))
		gw_respond_blocked(c);
	else
		gw_respond_refusal(c, c->http.kind, c->http.status, true, c->http.detail);
}

/* What is held is passed first. */
static void read_upload(struct gw_connection *c, struct evbuffer *in)
{
	begin_crash_page(c);
	gw_upload_pass(c);
	while (evbuffer_get_length(in) && gw_upload_can_read(c)) {
		size_t n = evbuffer_get_contiguous_space(in), used;

		fmp_http_feed(&c->http, evbuffer_pullup(in, (ssize_t)n), n, &used);
		evbuffer_drain(in, used);
		gw_upload_pass(c);
	}
}

/* Parse the input until a request is complete or the input is empty. */
void gw_receive_requests(struct gw_connection *c)
{
	struct evbuffer *in = gw_stream_input(c->stream);

	if (!evbuffer_get_length(in) && c->state != CONN_UPLOADING)
		return;
	c->cpu_start = gw_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	c->described = 0;
	if (gw_upload_can_read(c))
		read_upload(c, in);
	while (evbuffer_get_length(in) && (c->state == CONN_IDLE || c->state == CONN_READING)) {
		bool between = fmp_http_is_between_messages(&c->http),
		     headers = c->http.headers_done;
		size_t n = evbuffer_get_contiguous_space(in), used;

		gw_connection_enter(c, CONN_READING);
		c->verdict.step = FMP_STEP_HTTP;
		begin_crash_page(c);
		fmp_http_feed(&c->http, evbuffer_pullup(in, (ssize_t)n), n, &used);
		evbuffer_drain(in, used);
		gw_buffer_budget_update(c);
		if (c->http.refusal_pending && c->http.state == FMP_HTTP_REFUSED)
			gw_receive_refuse_pending(c);
		else if (!headers && c->http.headers_done && !apply_forwarded_for(c))
			gw_respond_refusal(
				c, fmp_http_is_read(&c->http) ? FMP_EVENT_BROWSER : FMP_EVENT_HTTP,
				400, true, "X-Forwarded-For is no address");
		else if (!headers && c->http.headers_done && is_blocked(c))
			gw_respond_blocked(c);
		else if (!headers && c->http.headers_done && !gw_exchange_route(c))
			continue;
		else if (c->upload && !gw_upload_find_root(c))
			continue;
		else if (c->http.state == FMP_HTTP_DONE)
			gw_exchange_begin(c);
		else if (c->http.state == FMP_HTTP_REFUSED)
			gw_respond_refusal(c, c->http.kind, c->http.status, c->http.status != 503,
					   c->http.detail);
		else
			update_deadline(c, between, headers);
	}
	if (c->state == CONN_READING)
		send_continue(c);
	gw_receive_clear_crash_page(c);
	c->cpu_ns = gw_connection_cpu_ns(c);
	c->cpu_start = 0;
}
