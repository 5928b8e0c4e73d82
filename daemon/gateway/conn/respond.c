// SPDX-License-Identifier: GPL-2.0
/* What leaves the gateway because of a connection: replies, events, access log. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/clock.h"
#include "../service/access_log.h"
#include "connection_private.h"
#include "../workers/fault.h"
#include "../service/report.h"
#include <fmp/internal/observation.h>
#include <fmp/internal/http_status.h>
#include "tls.h"

#define HEAD_MAX     (FMP_JOB_FORWARD_TYPE_MAX + 256) /* of a reply: its fields, one of them long */
/*
 * A client on a slow link may need longer than the policy's body timeout to read a reply. That is
 * fine, but reading a byte now and then must not keep a connection open.
 */
#define CHECKS_MAX   32u /* body timeouts at most; in each, this share of the reply must be read */
#define PROGRESS_MIN 4096u /* bytes; minimum share of a short reply */

struct head {
	char *bytes;
	size_t len;
};

__attribute__((format(printf, 2, 3))) static void append_header(struct head *h, const char *format,
								...)
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
	return c->cpu_ns + (c->cpu_start ? gw_clock_ns(CLOCK_THREAD_CPUTIME_ID) - c->cpu_start : 0);
}

/*
 * Requests of a page are not charged. With https: a full handshake precedes them, which comes out
 * of the source's pardon (handshake_pardon.h): otherwise any GET would buy a handshake for nothing.
 */
static bool exceeds_handshake_pardon(struct gw_connection *c)
{
	struct bufferevent *bev = c->stream ? gw_stream_tls(c->stream) : NULL;

	return bev && c->state != CONN_HANDSHAKE && c->handshake.cpu_ns && !c->peer.forwarded &&
	       !gw_tls_resumed(bev) &&
	       !fmp_handshake_pardon_take(&c->shared->handshake_pardon, &c->peer.group,
					  gw_clock_ns(CLOCK_BOOTTIME));
}

/* The first event includes the cost of the handshake. */
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

	if (kind == FMP_EVENT_BROWSER && exceeds_handshake_pardon(c))
		ev.kind = kind = FMP_EVENT_CONNECTION;
	if (c->reply.source.family) {
		ev.source = c->reply.source;
		ev.source_port = c->reply.port;
		ev.mac = (struct fmp_addr){ 0 };
		ev.dest_port = 0;
		ev.cpu_ns = cpu_ns;
		ev.bytes = (uint32_t)c->reply.len;
	}
	c->verdict.kind = kind;
	c->verdict.cpu_ns = ev.cpu_ns;
	/* The step of a lost worker is not known. */
	if (kind != FMP_EVENT_CRASH && kind != FMP_EVENT_TIMEOUT)
		snprintf(ev.step, sizeof(ev.step), "%s", fmp_step_name(c->verdict.step));
	if (c->routed)
		snprintf(ev.service, sizeof(ev.service), "%s",
			 c->shared->settings->evaluator.service[c->service].name);
	if (kind == FMP_EVENT_GOOD && c->observation)
		detail = c->observation->text;
	snprintf(ev.detail, sizeof(ev.detail), "%s", detail);
	/* Time outside the worker was spent on reading. */
	c->verdict.step_ns[FMP_STEP_CONNECTION] += handshake;
	if (c->verdict.step != FMP_STEP_CONNECTION)
		c->verdict.step_ns[FMP_STEP_HTTP] += reading ? reading : 1;
	c->handshake.cpu_ns = 0;
	gw_report_event(c->shared->report, &ev, c->verdict.step_ns);
	memset(c->verdict.step_ns, 0, sizeof(c->verdict.step_ns));
	gw_connection_set_reason(c, kind == FMP_EVENT_GOOD && !c->observation ? NULL : detail);
}

void gw_connection_set_reason(struct gw_connection *c, const char *detail)
{
	free(c->verdict.reason);
	c->verdict.reason = detail && c->shared->settings->access_log_fd >= 0 ? strdup(detail)
									      : NULL;
}

/* Warn at once, then once a minute while it lasts. */
static void warn_unlogged(struct gw_shared *s, int error)
{
	s->unlogged++;
	if (!gw_warning_is_due(&s->unlogged_logged_ns))
		return;
	fprintf(stderr, "fmp-gateway: the access log can't be written: %s; lines lost: %llu\n",
		strerror(error), (unsigned long long)s->unlogged);
}

/* If a line can't be written it is lost: clients come first. */
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
		warn_unlogged(c->shared, errno);
}

static void start_progress(struct gw_connection *c, size_t len)
{
	c->progress.least = len / CHECKS_MAX > PROGRESS_MIN ? len / CHECKS_MAX : PROGRESS_MIN;
	c->progress.acked = gw_stream_acknowledged(c->stream);
	c->progress.checks = 0;
}

/*
 * A service may be slow to send what is relayed, and has a time limit of its own: the client is slow
 * only if it has left bytes unread since the last check. A long reply takes long: the checks count
 * in which the client has read less than its share of the longest reply that is held.
 * @had: bytes that it has read since
 */
static bool is_relay_too_slow(struct gw_connection *c, uint64_t had)
{
	bool stalled = c->relay.paused && c->relay.stalled;

	c->relay.stalled = c->relay.paused;
	c->progress.checks += c->relay.paused && had < FMP_JOB_REPLY_MAX / CHECKS_MAX;
	return (stalled && had < c->progress.least) || c->progress.checks >= CHECKS_MAX;
}

bool gw_respond_is_too_slow(struct gw_connection *c)
{
	uint64_t acked = gw_stream_acknowledged(c->stream), had = acked - c->progress.acked;

	c->progress.acked = acked;
	if (c->relay.open)
		return is_relay_too_slow(c, had);
	return had < c->progress.least || ++c->progress.checks >= CHECKS_MAX;
}

/*
 * @fields: of a service; NULL: the reply is ours
 * @again: the message had no effect, and a client that repeats it is not charged
 */
static void send_response(struct gw_connection *c, int status, const char *type, const void *body,
			  size_t len, const struct fmp_field_list *fields, bool again)
{
	/* RFC 9110 8.6, 9.3.2 */
	bool no_length = status == 204 || status == 304,
	     no_body = no_length || c->http.method == FMP_HTTP_HEAD;
	static char end[] = "\r\n";
	char head[HEAD_MAX];
	struct iovec part[4] = {
		{ .iov_base = head },
		{ .iov_base = fields ? fields->bytes : NULL, .iov_len = fields ? fields->len : 0 },
		{ .iov_base = end, .iov_len = 2 },
		{ .iov_base = (void *)(uintptr_t)body, .iov_len = no_body ? 0 : len }
	};
	struct head text = { .bytes = head };
	bool out;

	gw_connection_enter(c, CONN_RESPONDING);
	log_access(c, status, no_body ? 0 : len);
	c->keep_alive = c->http.keep_alive && !c->upload && !c->shared->stopping &&
			c->served + 1 < c->shared->settings->policy->gateway.http.requests;
	append_header(&text, "HTTP/1.1 %d %s\r\n", status, fmp_http_reason(status));
	if (status == 405 && !fields)
		append_header(&text, "Allow: %sPOST\r\n",
			      c->shared->describes ? "GET, HEAD, " : "");
	if (again)
		append_header(&text, "Retry-After: 5\r\n");
	if (len && *type)
		append_header(&text, "Content-Type: %s\r\n", type);
	if (!no_length)
		append_header(&text, "Content-Length: %zu\r\n", len);
	append_header(&text, "Connection: %s\r\n", c->keep_alive ? "keep-alive" : "close");
	part[0].iov_len = text.len;
	out = gw_stream_send(c->stream, part, 4);
	gw_connection_response_started(c);
	if (out)
		gw_connection_response_sent(c);
	else
		start_progress(c, no_body ? 0 : len);
}

void gw_respond_begin_relay(struct gw_connection *c, int status, const char *type,
			    const uint64_t *len)
{
	static char end[] = "\r\n";
	size_t known = len ? (size_t)*len : 0;
	char head[HEAD_MAX];
	struct head text = { .bytes = head };
	struct iovec part[3] = { { .iov_base = head },
				 { .iov_base = c->reply.fields.bytes,
				   .iov_len = c->reply.fields.len },
				 { .iov_base = end, .iov_len = 2 } };

	gw_connection_enter(c, CONN_RESPONDING);
	log_access(c, status, known);
	/* Before HTTP/1.1 a body without length ends with the connection. */
	c->relay.chunked = !len && c->http.version == 11;
	c->keep_alive = c->http.keep_alive && !c->shared->stopping && (len || c->relay.chunked) &&
			c->served + 1 < c->shared->settings->policy->gateway.http.requests;
	append_header(&text, "HTTP/1.1 %d %s\r\nContent-Type: %s\r\n", status,
		      fmp_http_reason(status), type);
	if (len)
		append_header(&text, "Content-Length: %zu\r\n", known);
	else if (c->relay.chunked)
		append_header(&text, "Transfer-Encoding: chunked\r\n");
	append_header(&text, "Connection: %s\r\n", c->keep_alive ? "keep-alive" : "close");
	part[0].iov_len = text.len;
	gw_stream_send(c->stream, part, 3);
	gw_connection_response_started(c);
	start_progress(c, known < FMP_JOB_REPLY_MAX ? known : FMP_JOB_REPLY_MAX);
}

/* A service's own 503 gets no Retry-After: it may have acted on the message. */
void gw_respond_from_backend(struct gw_connection *c, int status, const char *type,
			     const void *body, size_t len)
{
	send_response(c, status, type, body, len, &c->reply.fields, false);
}

void gw_respond(struct gw_connection *c, int status, const char *type, const void *body, size_t len)
{
	send_response(c, status, type, body, len, NULL, status == 503);
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
