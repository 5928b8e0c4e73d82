// SPDX-License-Identifier: GPL-2.0
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include <fmp/inspect.h>
#include <fmp/wire.h>

/* Totals follow this long after something changed; an idle gateway says nothing. */
#define STATS_DELAY_S 2

struct gw_report {
	struct bufferevent *bev; /* NULL: alone */
	struct event *stats;
	const struct gw_report_ops *ops;
	void *ctx;
	bool verbose;
	uint64_t accepted, rejected, lost;
	struct {
		uint64_t messages, cpu_ns;
	} step[FMP_STEPS];
};

static void send_message(struct gw_report *r, const void *bytes, size_t len, bool may_be_lost)
{
	if (may_be_lost &&
	    evbuffer_get_length(bufferevent_get_output(r->bev)) + len > GW_REPORT_QUEUE)
		r->lost++;
	else
		bufferevent_write(r->bev, bytes, len);
}

static void send_stats(evutil_socket_t fd, short what, void *arg)
{
	struct gw_report *r = arg;
	struct fmp_wire_out w;
	uint8_t buf[512];

	fmp_wire_begin(&w, buf, sizeof(buf), FMP_MSG_GW_STATS);
	fmp_wire_put_u64(&w, 1, r->accepted);
	fmp_wire_put_u64(&w, 2, r->rejected);
	fmp_wire_put_u64(&w, 3, r->ops->connections(r->ctx));
	fmp_wire_put_u64(&w, 4, r->lost);
	for (unsigned s = 0; s < FMP_STEPS; s++) {
		fmp_wire_put_u64(&w, (uint16_t)(5 + 2 * s), r->step[s].messages);
		fmp_wire_put_u64(&w, (uint16_t)(6 + 2 * s), r->step[s].cpu_ns);
	}
	if (!fmp_wire_end(&w))
		send_message(r, buf, w.len, true);
}

static bool obey(struct gw_report *r, struct fmp_wire_in *in)
{
	struct fmp_wire_field f;
	struct fmp_addr source = { 0 };
	int rc = 0;

	if (in->type == FMP_MSG_GW_STOP) {
		r->ops->stop(r->ctx);
		return true;
	}
	if (in->type == FMP_MSG_GW_DRAIN) {
		r->ops->drain(r->ctx);
		return true;
	}
	if (in->type != FMP_MSG_GW_CUT)
		return true; /* of a newer fmpd */
	while (!rc && (rc = fmp_wire_next(in, &f)) == 1)
		rc = f.id == 1 ? fmp_wire_get_addr(&f, &source) : 0;
	if (rc < 0)
		return false;
	r->ops->cut(&source, r->ctx);
	return true;
}

static void on_read(struct bufferevent *bev, void *arg)
{
	struct gw_report *r = arg;
	struct evbuffer *input = bufferevent_get_input(bev);
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

static void on_event(struct bufferevent *bev, short what, void *arg)
{
	struct gw_report *r = arg;

	if (what & (BEV_EVENT_EOF | BEV_EVENT_ERROR))
		r->ops->closed(r->ctx);
}

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
	r->bev = bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE);
	r->stats = event_new(base, -1, 0, send_stats, r);
	if (!r->bev || !r->stats) {
		gw_report_free(r);
		return NULL;
	}
	bufferevent_setcb(r->bev, on_read, NULL, on_event, r);
	bufferevent_enable(r->bev, EV_READ | EV_WRITE);
	return r;
}

void gw_report_free(struct gw_report *r)
{
	if (!r)
		return;
	if (r->stats)
		event_free(r->stats);
	if (r->bev)
		bufferevent_free(r->bev);
	free(r);
}

void gw_report_ready(struct gw_report *r, unsigned workers)
{
	struct fmp_wire_out w;
	uint8_t buf[64];

	if (!r->bev) {
		fprintf(stderr, "fmp-gateway: ready, %u workers\n", workers);
		return;
	}
	fmp_wire_begin(&w, buf, sizeof(buf), FMP_MSG_GW_READY);
	fmp_wire_put_u64(&w, 1, (uint64_t)getpid());
	fmp_wire_put_u64(&w, 2, workers);
	if (!fmp_wire_end(&w))
		send_message(r, buf, w.len, false);
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
static void count(struct gw_report *r, const struct fmp_event *ev)
{
	if (ev->kind == FMP_EVENT_GOOD)
		r->accepted++;
	else
		r->rejected++;
	for (unsigned s = 0; s < FMP_STEPS; s++) {
		if (strcmp(ev->step, fmp_step_name(s)) != 0)
			continue;
		r->step[s].messages++;
		r->step[s].cpu_ns += ev->cpu_ns;
	}
}

void gw_report_event(struct gw_report *r, const struct fmp_event *ev)
{
	static const struct timeval delay = { .tv_sec = STATS_DELAY_S };
	uint8_t buf[1024];
	size_t len;

	count(r, ev);
	if (!r->bev) {
		if (r->verbose || ev->kind != FMP_EVENT_GOOD)
			print_event(ev);
		return;
	}
	if (fmp_event_encode(ev, buf, sizeof(buf), &len))
		r->lost++;
	else
		send_message(r, buf, len, true);
	if (!event_pending(r->stats, EV_TIMEOUT, NULL))
		event_add(r->stats, &delay);
}
