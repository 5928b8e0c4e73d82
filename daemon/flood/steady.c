// SPDX-License-Identifier: GPL-2.0
#include "steady.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/if_packet.h>

#include "frame.h"

#define GUESS_FRAMES 8.0 /* frames of one request, before measuring */
#define BATCH	     64u
#define TAP_REQUESTS 64 /* answered requests after which recording ends */

struct recorded {
	struct flood_bytes frame;
	uint32_t source;
};

struct flood_steady {
	struct flood_device *device;
	const struct flood_target *target;
	const struct flood_sources *sources;
	struct event_base *base;
	struct event *tap_event;
	int tap, raw;
	struct flood_frame_pace frame_pace;
	uint64_t start_frames, frames; /* count of the device: at the start, last read */
	uint64_t room, last_fill_ns;
	uint64_t replayed;
	double per_request; /* frames of an answered request */
	struct recorded recorded[FLOOD_REPLAY_FRAMES];
	unsigned n_recorded, at;
	unsigned most_of_one; /* most frames recorded of one source */
};

static void stop_tap(struct flood_steady *s)
{
	if (s->tap_event)
		event_free(s->tap_event);
	s->tap_event = NULL;
	if (s->tap >= 0)
		close(s->tap);
	s->tap = -1;
}

static int find_source(const struct flood_steady *s, const struct fmp_addr *addr)
{
	uint32_t i;

	for (i = 0; i < s->sources->n; i++)
		if (s->sources->list[i].addr.family == FMP_FAMILY_NONE ||
		    fmp_addr_equal(&s->sources->list[i].addr, addr))
			return (int)i;
	return -1;
}

struct recording {
	struct flood_steady *s;
	uint32_t source;
};

static void record_frame(const uint8_t *bytes, size_t len, void *ctx)
{
	struct recording *r = ctx;
	struct flood_steady *s = r->s;
	unsigned i, of_source = 0;
	uint8_t *copy;

	for (i = 0; i < s->n_recorded; i++)
		of_source += s->recorded[i].source == r->source;
	if (s->n_recorded == FLOOD_REPLAY_FRAMES || of_source >= s->most_of_one)
		return;
	copy = malloc(len);
	if (!copy)
		return;
	memcpy(copy, bytes, len);
	s->recorded[s->n_recorded++] =
		(struct recorded){ .frame = { .data = copy, .len = len }, .source = r->source };
}

/* Record neither SYN, as connects continue anyway, nor RST, which would end what was sent before. */
static bool is_worth_recording(const struct flood_steady *s, const struct flood_frame *f)
{
	return fmp_addr_equal(&f->dst, &s->target->addr) && f->dport == s->target->port &&
	       !(f->flags & (FLOOD_TCP_SYN | FLOOD_TCP_RST));
}

static void on_tap(evutil_socket_t fd, short what, void *arg)
{
	static uint8_t buf[FLOOD_FRAME_MAX];
	struct flood_steady *s = arg;
	struct sockaddr_ll sll;
	struct flood_frame f;

	for (;;) {
		socklen_t len = sizeof(sll);
		ssize_t n = recvfrom(fd, buf, sizeof(buf), 0, (struct sockaddr *)&sll, &len);
		int source;

		if (n < 0)
			break;
		if (sll.sll_pkttype != PACKET_OUTGOING || !flood_frame_parse(buf, (size_t)n, &f) ||
		    !is_worth_recording(s, &f))
			continue;
		source = find_source(s, &f.src);
		if (source >= 0)
			(void)flood_frame_cut(buf, &f, s->device->mtu, record_frame,
					      &(struct recording){ s, (uint32_t)source });
	}
	if (s->n_recorded == FLOOD_REPLAY_FRAMES)
		stop_tap(s);
}

int flood_steady_new(struct event_base *base, struct flood_device *device,
		     const struct flood_target *target, const struct flood_sources *sources,
		     double rate, struct flood_steady **out, struct fmp_error *err)
{
	struct flood_steady *s = calloc(1, sizeof(*s));

	*out = NULL;
	if (!s)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory to replay frames");
	s->base = base;
	s->device = device;
	s->target = target;
	s->sources = sources;
	s->per_request = GUESS_FRAMES;
	s->frame_pace.rate = rate;
	s->most_of_one = FLOOD_REPLAY_FRAMES / (sources->n < 32 ? sources->n : 32);
	s->tap = -1;
	s->raw = flood_device_raw(device, err);
	if (s->raw >= 0)
		s->tap = flood_device_tap(device, err);
	if (s->tap >= 0)
		s->tap_event = event_new(base, s->tap, EV_READ | EV_PERSIST, on_tap, s);
	if (s->raw >= 0 && s->tap >= 0 && s->tap_event) {
		event_add(s->tap_event, NULL);
		*out = s;
		return 0;
	}
	if (s->raw >= 0 && s->tap >= 0)
		(void)fmp_error_set(err, FMP_ERR_NOMEM, "no memory to replay frames");
	flood_steady_free(s);
	return err ? (int)err->code : FMP_ERR_IO;
}

void flood_steady_free(struct flood_steady *s)
{
	unsigned i;

	if (!s)
		return;
	stop_tap(s);
	if (s->raw >= 0)
		close(s->raw);
	for (i = 0; i < s->n_recorded; i++)
		free(s->recorded[i].frame.data);
	free(s);
}

static int read_frames(struct flood_steady *s, struct fmp_error *err)
{
	struct flood_device_counts c = { 0 };
	int rc = flood_device_read(s->device, &c, err);

	if (!rc)
		s->frames = c.tx_frames;
	return rc;
}

int flood_steady_begin(struct flood_steady *s, uint64_t now_ns, struct fmp_error *err)
{
	int rc = read_frames(s, err);

	if (rc)
		return rc;
	s->start_frames = s->frames;
	flood_frame_pace_init(&s->frame_pace, s->frame_pace.rate, now_ns, s->frames);
	return 0;
}

static void measure_request(struct flood_steady *s, uint64_t answered)
{
	if (answered && !s->sources->blocked && s->frames - s->start_frames > s->replayed)
		s->per_request =
			(double)(s->frames - s->start_frames - s->replayed) / (double)answered;
	if (s->per_request < 1)
		s->per_request = 1;
	if (s->tap >= 0 && answered >= TAP_REQUESTS)
		stop_tap(s);
}

uint32_t flood_steady_allow(struct flood_steady *s, uint64_t now_ns, uint32_t under_way,
			    uint64_t answered, uint32_t wanted, bool all_blocked,
			    struct fmp_error *err)
{
	double each, reserved, n;

	if (read_frames(s, err))
		return 0;
	measure_request(s, answered);
	s->room = flood_frame_pace_allowed(&s->frame_pace, now_ns, s->frames);
	each = all_blocked ? 1 : s->per_request;
	reserved = under_way * s->per_request;
	n = ((double)s->room - reserved) / each;
	if (n < 1)
		return 0;
	return n < wanted ? (uint32_t)n : wanted;
}

/* Limit to twice the rate while making up for missing frames, to avoid bursts. */
static uint64_t limit_burst(struct flood_steady *s, uint64_t now_ns, uint64_t room)
{
	uint64_t since = s->last_fill_ns ? now_ns - s->last_fill_ns : FLOOD_TICK_NS;
	uint64_t most = (uint64_t)(s->frame_pace.rate * 2 * (double)since / 1e9) + 1;

	s->last_fill_ns = now_ns;
	return room < most ? room : most;
}

/* Pick the next recorded frames in order; while a source is blocked, only frames of blocked sources. */
static unsigned pick_frames(struct flood_steady *s, struct flood_bytes *batch, uint64_t want)
{
	unsigned n = 0, passed = 0;

	while (n < want && n < BATCH && passed < s->n_recorded) {
		struct recorded *r = &s->recorded[s->at];

		s->at = (s->at + 1) % s->n_recorded;
		if (!s->sources->blocked ||
		    flood_block_is_blocked(&s->sources->list[r->source].block)) {
			batch[n++] = r->frame;
			passed = 0;
		} else {
			passed++;
		}
	}
	return n;
}

void flood_steady_fill(struct flood_steady *s, uint64_t now_ns, uint32_t under_way, uint32_t due)
{
	struct flood_bytes batch[BATCH];
	uint64_t want, reserved = (uint64_t)((under_way + due) * s->per_request) + 1;
	unsigned n, sent;

	if (!s->n_recorded || read_frames(s, NULL)) {
		s->last_fill_ns = now_ns;
		return;
	}
	s->room = flood_frame_pace_allowed(&s->frame_pace, now_ns, s->frames);
	want = limit_burst(s, now_ns, s->room > reserved ? s->room - reserved : 0);
	do {
		n = pick_frames(s, batch, want);
		sent = flood_device_send(s->raw, batch, n);
		s->replayed += sent;
		want -= sent;
	} while (want && n && sent == n);
}

uint64_t flood_steady_replayed(const struct flood_steady *s)
{
	return s->replayed;
}

unsigned flood_steady_recorded(const struct flood_steady *s)
{
	return s->n_recorded;
}
