// SPDX-License-Identifier: GPL-2.0
/* What goes out to a client, and what is told of it: answers, events, the access log. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/clock.h"
#include "../service/access_log.h"
#include "connection_private.h"
#include "exchange.h"
#include "../workers/fault.h"
#include "../service/report.h"
#include <fmp/internal/http_status.h>
#include "tls.h"

#define HEAD_MAX	 (FMP_JOB_FORWARD_TYPE_MAX + 256) /* of an answer: its fields, one of them long */
#define UNLOGGED_TELL_NS 60000000000u

/*
 * A client on a slow link reads an answer for longer than the policy's time of a body, and is
 * nobody bad; but a connection is not to be had for reading a byte now and then.
 */
#define READ_TIMES 32u /* so many of those times at most: of each, that part of the answer */
#define READ_LEAST 4096u /* bytes, of a short one */

struct head {
	char *bytes;
	size_t len;
};

__attribute__((format(printf, 2, 3))) static void add(struct head *h, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(h->bytes + h->len, HEAD_MAX - h->len, format, ap);
	va_end(ap);
	if (n > 0)
		h->len += (size_t)n < HEAD_MAX - h->len ? (size_t)n : HEAD_MAX - h->len - 1;
}

uint64_t gw_connection_cpu_ns(const struct gw_connection *c)
{
	return c->cpu_ns + (c->cpu_since ? gw_clock_ns(CLOCK_THREAD_CPUTIME_ID) - c->cpu_since : 0);
}

/*
 * What a page sends is free, and a link to https: has a handshake in front of it: where that was a full one,
 * it comes out of what a source is pardoned (fmp/internal/handshake_pardon.h), or any GET would buy one for nothing.
 */
static bool is_beyond_pardon(struct gw_connection *c)
{
	struct bufferevent *bev = c->stream ? gw_stream_tls(c->stream) : NULL;

	return bev && c->state != HANDSHAKE && c->handshake.cpu_ns && !c->peer.forwarded &&
	       !gw_tls_resumed(bev) &&
	       !fmp_handshake_pardon_take(&c->shared->slips, &c->peer.group,
					  gw_clock_ns(CLOCK_BOOTTIME));
}

/* The handshake's cost is told once: with the first event. */
void gw_connection_charge(struct gw_connection *c, enum fmp_event_kind kind, uint64_t cpu_ns,
			  const char *detail)
{
	uint64_t handshake = c->handshake.cpu_ns, reading = gw_connection_cpu_ns(c);
	struct fmp_event ev = {
		.kind = kind,
		.proven = true, /* a TCP handshake was completed */
		.source = c->client.family ? c->client : c->peer.source,
		.source_port = c->client.family ? 0 : c->peer.source_port,
		.dest_port = c->peer.dest_port,
		.mac = c->client.family ? (struct fmp_addr){ 0 } : c->peer.mac,
		.accepted_ns = c->peer.accepted_ns,
		.time_ns = c->arrived_ns ? c->arrived_ns : gw_clock_ns(CLOCK_BOOTTIME),
		.cpu_ns = cpu_ns + handshake + reading,
		.bytes = c->http.bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)c->http.bytes
	};

	if (kind == FMP_EVENT_BROWSER && is_beyond_pardon(c))
		ev.kind = kind = FMP_EVENT_CONNECTION;
	if (c->remote.source.family) {
		ev.source = c->remote.source;
		ev.source_port = c->remote.port;
		ev.mac = (struct fmp_addr){ 0 };
		ev.dest_port = 0;
		ev.cpu_ns = cpu_ns;
		ev.bytes = (uint32_t)c->remote.len;
	}
	c->verdict.kind = kind;
	c->verdict.cpu_ns = ev.cpu_ns;
	/* In which step a worker was lost nobody knows. */
	if (kind != FMP_EVENT_CRASH && kind != FMP_EVENT_TIMEOUT)
		snprintf(ev.step, sizeof(ev.step), "%s", fmp_step_name(c->verdict.step));
	if (c->routed)
		snprintf(ev.service, sizeof(ev.service), "%s",
			 c->shared->settings->evaluator.service[c->service].name);
	snprintf(ev.detail, sizeof(ev.detail), "%s", detail);
	/* What is not a worker's was spent on reading it. */
	c->verdict.step_ns[FMP_STEP_CONNECTION] += handshake;
	if (c->verdict.step != FMP_STEP_CONNECTION)
		c->verdict.step_ns[FMP_STEP_HTTP] += reading ? reading : 1;
	c->handshake.cpu_ns = 0;
	gw_report_event(c->shared->report, &ev, c->verdict.step_ns);
	memset(c->verdict.step_ns, 0, sizeof(c->verdict.step_ns));
	gw_connection_set_reason(c, kind == FMP_EVENT_GOOD ? NULL : detail);
}

void gw_connection_set_reason(struct gw_connection *c, const char *detail)
{
	free(c->verdict.reason);
	c->verdict.reason = detail && c->shared->settings->access_log_fd >= 0 ? strdup(detail)
									      : NULL;
}

/* Said at once, and then once a minute as long as it lasts. */
static void not_logged(struct gw_shared *s, int error)
{
	uint64_t now = gw_clock_ns(CLOCK_BOOTTIME);

	s->unlogged++;
	if (s->unlogged_told_ns && now - s->unlogged_told_ns < UNLOGGED_TELL_NS)
		return;
	s->unlogged_told_ns = now;
	fprintf(stderr, "fmp-gateway: the access log can't be written: %s; lines lost: %llu\n",
		strerror(error), (unsigned long long)s->unlogged);
}

/* A line that can't be written is lost: the clients matter more. */
static void log_access(struct gw_connection *c, int status, size_t len)
{
	const struct gw_access_log_entry a = {
		.source = c->client.family ? c->client : c->peer.source,
		.source_port = c->client.family ? 0 : c->peer.source_port,
		.time = time(NULL),
		.target = c->http.target,
		.version = c->http.version,
		.status = status,
		.len = len,
		.kind = c->verdict.kind,
		.step = c->verdict.step,
		.cpu_ns = c->verdict.cpu_ns,
		.why = c->why,
		.reason = c->verdict.reason,
	};
	int fd = c->shared->settings->access_log_fd;
	char line[GW_ACCESS_LOG_LINE_MAX];

	if (fd >= 0 && write(fd, line, gw_access_log_format(&a, line)) < 0)
		not_logged(c->shared, errno);
}

static void look_from_now(struct gw_connection *c, size_t len)
{
	c->reading.least = len / READ_TIMES > READ_LEAST ? len / READ_TIMES : READ_LEAST;
	c->reading.acked = gw_stream_acknowledged(c->stream);
	c->reading.looks = 0;
}

bool gw_respond_is_too_slow(struct gw_connection *c)
{
	uint64_t acked = gw_stream_acknowledged(c->stream), had = acked - c->reading.acked;

	c->reading.acked = acked;
	return had < c->reading.least || ++c->reading.looks >= READ_TIMES;
}

/* @again: nobody has obeyed the message, and who repeats it is not charged for that */
static void answer(struct gw_connection *c, int status, const char *type, const void *body,
		   size_t len, bool again)
{
	bool no_body = status == 204;
	char head[HEAD_MAX];
	struct iovec part[2] = { { .iov_base = head },
				 { .iov_base = (void *)(uintptr_t)body,
				   .iov_len = no_body ? 0 : len } };
	struct head text = { .bytes = head };
	bool out;

	gw_connection_enter(c, ANSWERING);
	log_access(c, status, no_body ? 0 : len);
	c->keep_alive = c->http.keep_alive && !c->shared->stopping &&
			c->served + 1 < c->shared->settings->policy->gateway.http.requests;
	add(&text, "HTTP/1.1 %d %s\r\n", status, fmp_http_reason(status));
	if (status == 405)
		add(&text, "Allow: POST\r\n");
	if (again)
		add(&text, "Retry-After: 5\r\n");
	if (len && *type)
		add(&text, "Content-Type: %s\r\n", type);
	if (!no_body)
		add(&text, "Content-Length: %zu\r\n", len);
	add(&text, "Connection: %s\r\n\r\n", c->keep_alive ? "keep-alive" : "close");
	part[0].iov_len = text.len;
	out = gw_stream_send(c->stream, part, 2);
	gw_exchange_release_reply(c);
	gw_connection_drop_body(c);
	/* A client that does not read its answer is not waited for for ever. */
	gw_connection_arm(c, c->shared->settings->policy->gateway.body_timeout_ms);
	if (out)
		gw_connection_response_sent(c);
	else
		look_from_now(c, no_body ? 0 : len);
}

/* What a service says of itself is its own: it may have obeyed all the same. */
void gw_respond_from_backend(struct gw_connection *c, int status, const char *type,
			     const void *body, size_t len)
{
	answer(c, status, type, body, len, false);
}

void gw_respond(struct gw_connection *c, int status, const char *type, const void *body, size_t len)
{
	answer(c, status, type, body, len, status == 503);
}

void gw_respond_fault(struct gw_connection *c, int soap_version, int status, bool sender,
		      const char *reason)
{
	struct gw_fault f = gw_fault_make(soap_version, sender, reason);

	gw_respond(c, status, f.content_type, f.body, f.len);
}

void gw_respond_refusal(struct gw_connection *c, enum fmp_event_kind kind, int status, bool charged,
			const char *detail)
{
	gw_stream_pause(c->stream);
	c->arrived_ns = gw_clock_ns(CLOCK_BOOTTIME);
	if (charged)
		gw_connection_charge(c, kind, 0, detail);
	c->http.keep_alive = false;
	gw_respond_fault(c, 11, status, status < 500, gw_fault_reason(FMP_STEP_HTTP));
}

void gw_respond_blocked(struct gw_connection *c)
{
	c->why = "its client is blocked";
	gw_respond_refusal(c, FMP_EVENT_GOOD, 403, false, "");
}
