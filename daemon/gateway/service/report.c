// SPDX-License-Identifier: GPL-2.0
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/event.h>

#include <fmp/inspect.h>
#include <fmp/wire.h>

#include "../common/stream.h"

/* Totals follow this long after something changed; an idle gateway says nothing. */
#define STATS_DELAY_S 2
/*
 * Good messages are told of so much later, or when there are so many bytes of them: one system
 * call and one waking of fmpd for many. A bad one goes at once, behind the good ones before it.
 */
#define GATHER_MS     20
#define GATHER_BYTES  8192

struct gw_report {
	struct gw_stream *stream; /* NULL: alone */
	struct event *stats, *gathering;
	uint8_t held[GATHER_BYTES];
	size_t n_held;
	const struct gw_report_ops *ops;
	void *ctx;
	bool verbose;
	uint64_t accepted, rejected, lost, unjudged[FMP_LACKS];
	struct {
		uint64_t messages, rejected, cpu_ns;
	} step[FMP_STEPS];
};

/* What is held, and this behind it. */
static void send_now(struct gw_report *r, void *bytes, size_t len)
{
	struct iovec part[2] = { { .iov_base = r->held, .iov_len = r->n_held },
				 { .iov_base = bytes, .iov_len = len } };

	if (r->n_held + len)
		gw_stream_send(r->stream, part, 2);
	r->n_held = 0;
	event_del(r->gathering);
}

static void gathered(evutil_socket_t fd, short what, void *arg)
{
	send_now(arg, NULL, 0);
}

static void hold(struct gw_report *r, void *bytes, size_t len)
{
	static const struct timeval delay = { .tv_usec = GATHER_MS * 1000 };

	if (len > sizeof(r->held) - r->n_held) {
		send_now(r, bytes, len);
		return;
	}
	if (!r->n_held)
		event_add(r->gathering, &delay);
	memcpy(r->held + r->n_held, bytes, len);
	r->n_held += len;
}

static bool is_full(struct gw_report *r, size_t len)
{
	return gw_stream_unsent(r->stream) + r->n_held + len > GW_REPORT_QUEUE;
}

static void put_stats(struct gw_report *r, uint64_t connections)
{
	struct fmp_wire_out w;
	uint8_t buf[1024];

	fmp_wire_begin(&w, buf, sizeof(buf), FMP_MSG_GW_STATS);
	fmp_wire_put_u64(&w, 1, r->accepted);
	fmp_wire_put_u64(&w, 2, r->rejected);
	fmp_wire_put_u64(&w, 3, connections);
	fmp_wire_put_u64(&w, 4, r->lost);
	fmp_wire_put_u64(&w, 5, r->unjudged[FMP_LACKS_TIME]);
	fmp_wire_put_u64(&w, 6, r->unjudged[FMP_LACKS_CRL]);
	for (unsigned s = 0; s < FMP_STEPS; s++) {
		fmp_wire_put_u64(&w, (uint16_t)(7 + 3 * s), r->step[s].messages);
		fmp_wire_put_u64(&w, (uint16_t)(8 + 3 * s), r->step[s].rejected);
		fmp_wire_put_u64(&w, (uint16_t)(9 + 3 * s), r->step[s].cpu_ns);
	}
	fmp_wire_put_u64(&w, 7 + 3 * FMP_STEPS, r->unjudged[FMP_LACKS_DECRYPT_BUDGET]);
	if (fmp_wire_end(&w) || is_full(r, w.len))
		r->lost++;
	else
		send_now(r, buf, w.len);
}

static void send_stats(evutil_socket_t fd, short what, void *arg)
{
	struct gw_report *r = arg;

	put_stats(r, r->ops->connections(r->ctx));
}

static void send_stats_soon(struct gw_report *r)
{
	static const struct timeval delay = { .tv_sec = STATS_DELAY_S };

	if (r->stream && !event_pending(r->stats, EV_TIMEOUT, NULL))
		event_add(r->stats, &delay);
}

/* Return: false: it does not decode. Without memory what was known stays. */
static bool take_shared(struct gw_report *r, struct fmp_wire_in *in)
{
	struct fmp_addr *prefix = calloc(FMP_WIRE_MAX / sizeof(*prefix), sizeof(*prefix));
	struct fmp_translators found = { 0 };
	struct fmp_wire_field f;
	struct fmp_addr addr;
	size_t n = 0;
	int rc;

	if (!prefix)
		return true;
	while ((rc = fmp_wire_next(in, &f)) == 1) {
		if (f.id != 1 && f.id != 2)
			continue;
		if (fmp_wire_get_addr(&f, &addr) || addr.family != FMP_FAMILY_IPV6)
			break;
		if (f.id == 1)
			prefix[n++] = addr;
		else if (found.n < FMP_TRANSLATORS_MAX)
			found.prefix[found.n++] = addr;
	}
	if (!rc)
		r->ops->shared(prefix, n, &found, r->ctx);
	free(prefix);
	return !rc;
}

static bool obey(struct gw_report *r, struct fmp_wire_in *in)
{
	struct fmp_wire_field f;
	struct fmp_addr source = { 0 };
	uint64_t left_ms = 0, port = 0;
	int rc = 0;

	if (in->type == FMP_MSG_GW_STOP) {
		r->ops->stop(r->ctx);
		return true;
	}
	if (in->type == FMP_MSG_GW_DRAIN) {
		r->ops->drain(r->ctx);
		return true;
	}
	if (in->type == FMP_MSG_GW_TOLD) {
		r->ops->told(r->ctx);
		return true;
	}
	if (in->type == FMP_MSG_GW_SHARED)
		return take_shared(r, in);
	if (in->type != FMP_MSG_GW_CUT && in->type != FMP_MSG_GW_FREE)
		return true; /* of a newer fmpd */
	while (!rc && (rc = fmp_wire_next(in, &f)) == 1)
		rc = f.id == 1	 ? fmp_wire_get_addr(&f, &source)
		     : f.id == 2 ? fmp_wire_get_u64(&f, &left_ms)
		     : f.id == 3 ? fmp_wire_get_u64(&f, &port)
				 : 0;
	if (rc < 0 || !fmp_addr_is_ip(&source))
		return false;
	if (in->type == FMP_MSG_GW_FREE)
		r->ops->free(&source, r->ctx);
	else
		r->ops->cut(&source, left_ms, port, r->ctx);
	return true;
}

static void on_read(void *arg)
{
	struct gw_report *r = arg;
	struct evbuffer *input = gw_stream_input(r->stream);
	size_t n, used;

	while ((n = evbuffer_get_length(input)) > 0) {
		struct fmp_wire_in in;
		int rc = fmp_wire_parse(evbuffer_pullup(input, -1), n, FMP_WIRE_MAX, &in, &used);

		if (rc == FMP_ERR_AGAIN)
			return;
		if (rc || !obey(r, &in)) {
			r->ops->closed(r->ctx);
			return;
		}
		evbuffer_drain(input, used);
	}
}

static void on_ended(void *arg, bool cleanly)
{
	struct gw_report *r = arg;

	gw_stream_pause(r->stream);
	r->ops->closed(r->ctx);
}

static const struct gw_stream_ops stream_ops = { .read = on_read, .ended = on_ended };

struct gw_report *gw_report_new(struct event_base *base, int fd, bool verbose,
				const struct gw_report_ops *ops, void *ctx)
{
	struct gw_report *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->ops = ops;
	r->ctx = ctx;
	r->verbose = verbose;
	if (fd < 0)
		return r;
	evutil_make_socket_nonblocking(fd);
	r->stream = gw_stream_new(base, fd, NULL, &stream_ops, r);
	r->stats = event_new(base, -1, 0, send_stats, r);
	r->gathering = event_new(base, -1, 0, gathered, r);
	if (!r->stream || !r->stats || !r->gathering) {
		gw_report_free(r);
		return NULL;
	}
	return r;
}

void gw_report_free(struct gw_report *r)
{
	if (!r)
		return;
	if (r->stream && r->gathering)
		send_now(r, NULL, 0);
	/* What was counted in the last second before the end: nobody else knows it. */
	if (r->stream && r->gathering && event_pending(r->stats, EV_TIMEOUT, NULL))
		put_stats(r, 0);
	if (r->stats)
		event_free(r->stats);
	if (r->gathering)
		event_free(r->gathering);
	gw_stream_free(r->stream);
	free(r);
}

void gw_report_ready(struct gw_report *r, unsigned workers)
{
	struct fmp_wire_out w;
	uint8_t buf[64];

	if (!r->stream) {
		fprintf(stderr, "fmp-gateway: ready, %u workers\n", workers);
		return;
	}
	fmp_wire_begin(&w, buf, sizeof(buf), FMP_MSG_GW_READY);
	fmp_wire_put_u64(&w, 1, (uint64_t)getpid());
	fmp_wire_put_u64(&w, 2, workers);
	if (!fmp_wire_end(&w))
		send_now(r, buf, w.len);
}

void gw_report_clock(struct gw_report *r, bool unset)
{
	struct fmp_wire_out w;
	uint8_t buf[64];

	if (!r->stream)
		return;
	fmp_wire_begin(&w, buf, sizeof(buf), FMP_MSG_GW_CLOCK);
	fmp_wire_put_u64(&w, 1, unset);
	if (!fmp_wire_end(&w))
		send_now(r, buf, w.len);
}

static void print_event(const struct fmp_event *ev)
{
	char text[FMP_ADDR_STRLEN], detail[sizeof(ev->detail)];
	size_t i;

	for (i = 0; ev->detail[i] && i + 1 < sizeof(detail); i++)
		detail[i] = (unsigned char)ev->detail[i] < 0x20 || ev->detail[i] == '"'
				    ? '?'
				    : ev->detail[i];
	detail[i] = 0;
	fprintf(stderr,
		"event kind=%s source=%s source_port=%u port=%u bytes=%u cpu_us=%llu step=%s service=%s "
		"detail=\"%s\"\n",
		fmp_event_kind_name(ev->kind), fmp_addr_format(&ev->source, text, sizeof(text)),
		ev->source_port, ev->dest_port, ev->bytes, (unsigned long long)(ev->cpu_ns / 1000),
		*ev->step ? ev->step : "-", *ev->service ? ev->service : "-", detail);
}

/* A worker that was lost, was lost in no step that could be told. */
static void count(struct gw_report *r, const struct fmp_event *ev,
		  const uint64_t step_ns[FMP_STEPS])
{
	if (ev->kind == FMP_EVENT_GOOD)
		r->accepted++;
	else
		r->rejected++;
	for (unsigned s = 0; s < FMP_STEPS; s++) {
		bool ended = strcmp(ev->step, fmp_step_name(s)) == 0;

		r->step[s].messages += ended || step_ns[s];
		r->step[s].rejected += ended && ev->kind != FMP_EVENT_GOOD;
		r->step[s].cpu_ns += step_ns[s];
	}
}

void gw_report_event(struct gw_report *r, const struct fmp_event *ev,
		     const uint64_t step_ns[FMP_STEPS])
{
	uint8_t buf[1024];
	size_t len;

	count(r, ev, step_ns);
	if (!r->stream) {
		if (r->verbose || ev->kind != FMP_EVENT_GOOD)
			print_event(ev);
		return;
	}
	if (fmp_event_encode(ev, buf, sizeof(buf), &len) || is_full(r, len))
		r->lost++;
	else if (ev->kind == FMP_EVENT_GOOD)
		hold(r, buf, len);
	else
		send_now(r, buf, len);
	send_stats_soon(r);
}

void gw_report_unevaluated(struct gw_report *r, enum fmp_lack lacks)
{
	r->unjudged[lacks]++;
	send_stats_soon(r);
}
