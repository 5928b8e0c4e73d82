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
#include <fmp/internal/evtimer.h>
#include <fmp/wire.h>

#include "../common/stream.h"

/* Totals are sent this long after a change; an idle gateway sends nothing. */
#define STATS_DELAY_S 2
/*
 * Good messages are sent after this time, or when so many bytes are queued: one system call and one
 * wake-up of fmpd for many. A bad one is sent at once, behind the good ones before it.
 */
#define BATCH_MS      20
#define BATCH_BYTES   8192

struct gw_report {
	struct gw_stream *stream; /* NULL: without fmpd */
	struct event *stats, *batch_timer;
	uint8_t batch[BATCH_BYTES];
	size_t n_batch;
	const struct gw_report_ops *ops;
	void *ctx;
	bool verbose;
	uint64_t accepted, rejected, lost, unevaluated[FMP_LACKS];
	struct {
		uint64_t messages, rejected, cpu_ns;
	} step[FMP_STEPS];
};

/* Send the batch, and these bytes behind it. */
static void flush_with(struct gw_report *r, void *bytes, size_t len)
{
	struct iovec part[2] = { { .iov_base = r->batch, .iov_len = r->n_batch },
				 { .iov_base = bytes, .iov_len = len } };

	if (r->n_batch + len)
		gw_stream_send(r->stream, part, 2);
	r->n_batch = 0;
	event_del(r->batch_timer);
}

static void on_batch_timer(evutil_socket_t fd, short what, void *arg)
{
	flush_with(arg, NULL, 0);
}

static void queue_event(struct gw_report *r, void *bytes, size_t len)
{
	if (len > sizeof(r->batch) - r->n_batch) {
		flush_with(r, bytes, len);
		return;
	}
	if (!r->n_batch)
		fmp_evtimer_arm(r->batch_timer, BATCH_MS);
	memcpy(r->batch + r->n_batch, bytes, len);
	r->n_batch += len;
}

static bool is_full(struct gw_report *r, size_t len)
{
	return gw_stream_unsent(r->stream) + r->n_batch + len > GW_REPORT_QUEUE;
}

static void send_stats(struct gw_report *r, uint64_t connections)
{
	struct fmp_wire_out w;
	uint8_t buf[1024];

	fmp_wire_begin(&w, buf, sizeof(buf), FMP_MSG_GW_STATS);
	fmp_wire_put_u64(&w, 1, r->accepted);
	fmp_wire_put_u64(&w, 2, r->rejected);
	fmp_wire_put_u64(&w, 3, connections);
	fmp_wire_put_u64(&w, 4, r->lost);
	fmp_wire_put_u64(&w, 5, r->unevaluated[FMP_LACKS_TIME]);
	fmp_wire_put_u64(&w, 6, r->unevaluated[FMP_LACKS_CRL]);
	for (unsigned s = 0; s < FMP_STEPS; s++) {
		fmp_wire_put_u64(&w, (uint16_t)(7 + 3 * s), r->step[s].messages);
		fmp_wire_put_u64(&w, (uint16_t)(8 + 3 * s), r->step[s].rejected);
		fmp_wire_put_u64(&w, (uint16_t)(9 + 3 * s), r->step[s].cpu_ns);
	}
	fmp_wire_put_u64(&w, 7 + 3 * FMP_STEPS, r->unevaluated[FMP_LACKS_DECRYPT_BUDGET]);
	if (fmp_wire_end(&w) || is_full(r, w.len))
		r->lost++;
	else
		flush_with(r, buf, w.len);
}

static void on_stats_timer(evutil_socket_t fd, short what, void *arg)
{
	struct gw_report *r = arg;

	send_stats(r, r->ops->count_connections(r->ctx));
}

static void schedule_stats(struct gw_report *r)
{
	static const struct timeval delay = { .tv_sec = STATS_DELAY_S };

	if (r->stream && !event_pending(r->stats, EV_TIMEOUT, NULL))
		event_add(r->stats, &delay);
}

/* Return: false: it does not decode. Without memory the old prefixes remain. */
static bool parse_shared_prefixes(struct gw_report *r, struct fmp_wire_in *in)
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
		r->ops->set_shared_prefixes(prefix, n, &found, r->ctx);
	free(prefix);
	return !rc;
}

static bool handle_message(struct gw_report *r, struct fmp_wire_in *in)
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
		r->ops->blocks_sent(r->ctx);
		return true;
	}
	if (in->type == FMP_MSG_GW_SHARED)
		return parse_shared_prefixes(r, in);
	if (in->type != FMP_MSG_GW_CUT && in->type != FMP_MSG_GW_FREE)
		return true; /* from a newer fmpd */
	while (!rc && (rc = fmp_wire_next(in, &f)) == 1)
		rc = f.id == 1	 ? fmp_wire_get_addr(&f, &source)
		     : f.id == 2 ? fmp_wire_get_u64(&f, &left_ms)
		     : f.id == 3 ? fmp_wire_get_u64(&f, &port)
				 : 0;
	if (rc < 0 || !fmp_addr_is_ip(&source))
		return false;
	if (in->type == FMP_MSG_GW_FREE)
		r->ops->unblock(&source, r->ctx);
	else
		r->ops->block(&source, left_ms, port, r->ctx);
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
		if (rc || !handle_message(r, &in)) {
			r->ops->disconnected(r->ctx);
			return;
		}
		evbuffer_drain(input, used);
	}
}

static void on_ended(void *arg, bool cleanly)
{
	struct gw_report *r = arg;

	gw_stream_pause(r->stream);
	r->ops->disconnected(r->ctx);
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
	r->stats = event_new(base, -1, 0, on_stats_timer, r);
	r->batch_timer = event_new(base, -1, 0, on_batch_timer, r);
	if (!r->stream || !r->stats || !r->batch_timer) {
		gw_report_free(r);
		return NULL;
	}
	return r;
}

void gw_report_free(struct gw_report *r)
{
	if (!r)
		return;
	if (r->stream && r->batch_timer)
		flush_with(r, NULL, 0);
	/* Send the last totals: no other process knows them. */
	if (r->stream && r->batch_timer && event_pending(r->stats, EV_TIMEOUT, NULL))
		send_stats(r, 0);
	if (r->stats)
		event_free(r->stats);
	if (r->batch_timer)
		event_free(r->batch_timer);
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
		flush_with(r, buf, w.len);
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
		flush_with(r, buf, w.len);
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

/* A lost worker has no step: it is not known. */
static void count_event(struct gw_report *r, const struct fmp_event *ev,
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

	count_event(r, ev, step_ns);
	if (!r->stream) {
		if (r->verbose || ev->kind != FMP_EVENT_GOOD)
			print_event(ev);
		return;
	}
	if (fmp_event_encode(ev, buf, sizeof(buf), &len) || is_full(r, len))
		r->lost++;
	else if (ev->kind == FMP_EVENT_GOOD)
		queue_event(r, buf, len);
	else
		flush_with(r, buf, len);
	schedule_stats(r);
}

void gw_report_unevaluated(struct gw_report *r, enum fmp_lack lacks)
{
	r->unevaluated[lacks]++;
	schedule_stats(r);
}
