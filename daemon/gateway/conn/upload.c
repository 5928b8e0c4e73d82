// SPDX-License-Identifier: GPL-2.0
#include "upload.h"

#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include <fmp/internal/multipart_stream.h>

#include "../backend/backend.h"
#include "../common/clock.h"
#include "buffer_budget.h"
#include "connection_private.h"
#include "exchange.h"
#include "observe.h"
#include "receive.h"

#define UPLOAD_MIN    (64u << 10) /* a shorter request is held */
#define UPLOAD_UNSENT (64u << 10) /* bytes buffered for the service before reading pauses */
/* In each body timeout a client has to send so much; less than a share of a held body only so often. */
#define PROGRESS_MIN  4096u
#define CHECKS_MAX    32u

struct gw_upload {
	struct fmp_multipart_stream *stream;
	size_t scanned; /* bytes of the body that were parsed, until the root is found */
	bool has_root;
	bool needs_parts;
	bool blocked; /* until the service has read what is buffered for it */
	bool has_length;
	bool counted; /* in shared->n_uploads, of this service */
	unsigned service;
	uint64_t length;
	uint64_t checked; /* bytes received at the last check */
	unsigned checks;
	struct {
		uint64_t cpu_ns;
		uint64_t step_ns[FMP_STEPS];
	} verdict; /* of the root */
	size_t n_gathered;
	uint8_t gathered[4096]; /* small pieces, which are sent as one */
};

static const struct gw_service *get_service(const struct gw_connection *c)
{
	return &c->shared->settings->service[c->service];
}

static const struct fmp_policy_gateway *get_demands(const struct gw_connection *c)
{
	return get_service(c)->evaluate->demands;
}

static bool may_be_uploaded(const struct gw_connection *c, uint64_t *len, bool *has_length)
{
	const struct fmp_http *h = &c->http;

	*has_length = fmp_http_body_length(h, len);
	return h->state == FMP_HTTP_READING && !get_service(c)->client &&
	       fmp_multipart_stream_max(get_demands(c)) &&
	       h->coding == FMP_CONTENT_CODING_IDENTITY && (!*has_length || *len > UPLOAD_MIN) &&
	       fmp_mime_is_related(h->content_type);
}

bool gw_upload_begin(struct gw_connection *c)
{
	const struct fmp_policy_gateway *demands = get_demands(c);
	struct gw_upload *u;
	bool has_length;
	uint64_t len;

	if (!may_be_uploaded(c, &len, &has_length))
		return false;
	u = calloc(1, sizeof(*u));
	if (!u)
		return false;
	u->stream = fmp_multipart_stream_new(c->http.content_type, &demands->attachments,
					     demands->limits.body_bytes);
	/* What is wrong with its type is found when it is whole, too. */
	if (!u->stream || u->stream->status) {
		fmp_multipart_stream_free(u->stream);
		free(u);
		return false;
	}
	u->has_length = has_length;
	u->length = len;
	c->upload = u;
	fmp_http_limit_body(&c->http, fmp_multipart_stream_max(demands));
	return true;
}

void gw_upload_free(struct gw_connection *c)
{
	if (!c->upload)
		return;
	if (c->upload->counted)
		c->shared->n_uploads[c->upload->service]--;
	fmp_multipart_stream_free(c->upload->stream);
	free(c->upload);
	c->upload = NULL;
}

/* ---- the root ---- */

static bool refuse_root(struct gw_connection *c, enum fmp_event_kind kind, int status,
			const char *detail)
{
	gw_respond_refusal(c, kind, status, true, detail);
	return false;
}

/* Return: false: the body so far is refused. */
static bool scan_root(struct gw_connection *c)
{
	struct gw_upload *u = c->upload;
	size_t used;
	int ret;

	if (u->has_root)
		return true;
	ret = fmp_multipart_stream_read_root(u->stream, c->http.body + u->scanned,
					     c->http.body_len - u->scanned, &used);
	u->scanned += used;
	u->has_root = !ret;
	if (ret == FMP_ERR_INVALID)
		return refuse_root(c, u->stream->kind, u->stream->status, u->stream->detail);
	return true;
}

/* A slow client keeps a connection to the service: leave half of them to requests that are held. */
static bool count_upload(struct gw_connection *c)
{
	struct gw_upload *u = c->upload;

	u->service = c->service;
	u->counted = c->shared->n_uploads[u->service] < GW_BACKEND_CONNS_MAX / 2;
	c->shared->n_uploads[u->service] += u->counted;
	return u->counted;
}

/* Return: true: it is short enough to be held; false: refused, and not charged. */
static bool hold_instead(struct gw_connection *c)
{
	uint32_t most = get_demands(c)->limits.body_bytes;

	if (!c->upload->has_length || c->upload->length > most) {
		gw_connection_set_reason(c, "too many requests with attachments at once");
		gw_respond_refusal(c, FMP_EVENT_GOOD, 503, false, "");
		return false;
	}
	gw_upload_free(c);
	fmp_http_limit_body(&c->http, most);
	return true;
}

bool gw_upload_find_root(struct gw_connection *c)
{
	struct gw_upload *u = c->upload;
	uint32_t most = get_demands(c)->limits.body_bytes;
	bool whole = c->http.state == FMP_HTTP_DONE;

	if (whole && c->http.body_len <= most) {
		gw_upload_free(c);
		return true;
	}
	if (c->http.state == FMP_HTTP_REFUSED || !c->http.body_len)
		return true;
	if (!scan_root(c))
		return false;
	if (u->has_root ? u->scanned > most : c->http.body_len > most || whole)
		return refuse_root(c, FMP_EVENT_OVERSIZE, 413,
				   "the root part is larger than allowed");
	if (!u->has_root || (!whole && c->http.body_len < UPLOAD_MIN))
		return true;
	if (!count_upload(c))
		return hold_instead(c);
	gw_exchange_begin_root(c, u->scanned);
	return false;
}

bool gw_upload_keep_verdict(struct gw_connection *c, const struct fmp_job_verdict *v)
{
	struct gw_upload *u = c->upload;

	if (v->kind != FMP_EVENT_GOOD || (v->step != FMP_STEP_DONE && !v->needs_parts))
		return false;
	u->needs_parts = v->needs_parts;
	u->verdict.cpu_ns += v->cpu_ns;
	memcpy(u->verdict.step_ns, v->step_ns, sizeof(u->verdict.step_ns));
	return true;
}

bool gw_upload_needs_parts(const struct gw_connection *c)
{
	return c->upload->needs_parts;
}

/* With what the worker spent on the root. */
static void charge_sender(struct gw_connection *c, enum fmp_event_kind kind, const char *detail)
{
	c->verdict.step = FMP_STEP_HTTP;
	gw_connection_charge(c, kind, c->upload->verdict.cpu_ns, detail);
}

void gw_upload_broken_off(struct gw_connection *c)
{
	charge_sender(c, FMP_EVENT_CONNECTION, "the body was broken off");
	gw_upload_free(c);
}

void gw_upload_hold(struct gw_connection *c)
{
	if (c->state == CONN_DETACHED) {
		gw_upload_broken_off(c);
		gw_connection_destroy(c);
		return;
	}
	/* Charged with what follows. */
	c->cpu_ns += c->upload->verdict.cpu_ns;
	gw_upload_free(c);
	fmp_http_limit_body(&c->http, get_demands(c)->limits.body_bytes);
	if (c->http.state == FMP_HTTP_REFUSED) {
		gw_respond_refusal(c, c->http.kind, c->http.status, true, c->http.detail);
	} else if (c->http.state == FMP_HTTP_DONE) {
		gw_exchange_begin(c);
	} else {
		gw_connection_enter(c, CONN_READING);
		gw_connection_arm(c, c->shared->settings->policy->gateway.body_timeout_ms);
		gw_stream_resume(c->stream);
		gw_receive_requests(c);
	}
}

/* ---- the rest ---- */

static void flush_gathered(struct gw_connection *c)
{
	struct gw_upload *u = c->upload;

	if (u->n_gathered)
		gw_backend_feed(c->call.handle, u->gathered, u->n_gathered);
	u->n_gathered = 0;
}

static bool feed_service(void *ctx, const void *bytes, size_t len)
{
	struct gw_connection *c = ctx;
	struct gw_upload *u = c->upload;

	if (len > sizeof(u->gathered) - u->n_gathered)
		flush_gathered(c);
	if (len > sizeof(u->gathered)) {
		gw_backend_feed(c->call.handle, bytes, len);
	} else {
		memcpy(u->gathered + u->n_gathered, bytes, len);
		u->n_gathered += len;
	}
	return true;
}

bool gw_upload_expect(struct gw_connection *c, const struct fmp_job_forward *f, uint64_t *rest)
{
	struct gw_upload *u = c->upload;
	uint64_t left = u->length - u->scanned, *known = u->has_length ? &left : NULL;

	if (fmp_multipart_stream_expect(u->stream, f->references, f->references_len))
		return false;
	*rest = fmp_multipart_stream_begin(u->stream, known, feed_service, c);
	if (!known)
		*rest = GW_BACKEND_CHUNKED;
	return true;
}

void gw_upload_root_sent(struct gw_connection *c)
{
	fmp_http_drop_body_until(&c->http, c->upload->scanned);
	fmp_field_list_exit(&c->http.fields);
}

static void arm_progress(struct gw_connection *c)
{
	c->upload->checked = c->http.bytes;
	gw_connection_arm(c, c->shared->settings->policy->gateway.body_timeout_ms);
}

void gw_upload_start(struct gw_connection *c)
{
	c->upload->blocked = true;
	gw_connection_enter(c, CONN_UPLOADING);
	if (gw_backend_is_ready(c->call.handle))
		gw_upload_drained(c);
}

/* The client is not charged for the time of the service. */
static void refuse_blocked(struct gw_connection *c)
{
	c->upload->blocked = true;
	gw_connection_enter(c, CONN_UPLOADING);
	gw_stream_pause(c->stream);
	event_del(c->timer);
}

void gw_upload_drained(void *ctx)
{
	struct gw_connection *c = ctx;

	if (!c->upload || c->state != CONN_UPLOADING || !c->upload->blocked)
		return;
	c->upload->blocked = false;
	gw_connection_enter(c, CONN_UPLOADING);
	arm_progress(c);
	gw_stream_resume(c->stream);
	gw_receive_requests(c);
}

bool gw_upload_is_blocked(const struct gw_connection *c)
{
	return c->upload && c->upload->blocked;
}

bool gw_upload_can_read(const struct gw_connection *c)
{
	return c->state == CONN_UPLOADING && !c->upload->blocked;
}

/* The root is good, and no part was found that is not. */
static void charge_good(struct gw_connection *c)
{
	struct gw_upload *u = c->upload;

	c->verdict.step = FMP_STEP_DONE;
	gw_observe_attachments(c, u->stream->mime.n_parts ? u->stream->mime.n_parts - 1 : 0,
			       u->stream->mime.bytes);
	memcpy(c->verdict.step_ns, u->verdict.step_ns, sizeof(c->verdict.step_ns));
	gw_connection_charge(c, FMP_EVENT_GOOD, u->verdict.cpu_ns, "");
}

static void finish_upload(struct gw_connection *c)
{
	gw_backend_fed(c->call.handle);
	c->arrived_ns = gw_clock_ns(CLOCK_BOOTTIME);
	charge_good(c);
	gw_upload_free(c);
	event_del(c->timer);
	gw_stream_pause(c->stream);
	gw_connection_enter(c, CONN_FORWARDED);
}

/* The service sees that the message is not complete. */
static void cancel_call(struct gw_connection *c)
{
	struct gw_call *call = c->call.handle;

	gw_buffer_budget_reply_received(c, 0);
	if (call)
		gw_backend_cancel(call);
}

/* Its replay keys stay: the service had the root. */
static void refuse_upload(struct gw_connection *c, enum fmp_event_kind kind, int status,
			  const char *detail)
{
	cancel_call(c);
	c->arrived_ns = gw_clock_ns(CLOCK_BOOTTIME);
	charge_sender(c, kind, detail);
	gw_upload_free(c);
	gw_respond_refusal(c, kind, status, false, detail);
}

void gw_upload_pass(struct gw_connection *c)
{
	struct fmp_multipart_stream *s = c->upload->stream;
	int ret = 0;

	if (c->http.body_len) {
		ret = fmp_multipart_stream_pass(s, c->http.body, c->http.body_len);
		fmp_http_drop_body(&c->http);
	}
	if (!ret && c->http.state == FMP_HTTP_DONE)
		ret = fmp_multipart_stream_finish(s);
	if (!ret)
		flush_gathered(c);
	if (ret)
		refuse_upload(c, s->kind, s->status, s->detail);
	else if (c->http.state == FMP_HTTP_REFUSED)
		refuse_upload(c, c->http.kind, c->http.status, c->http.detail);
	else if (c->http.state == FMP_HTTP_DONE)
		finish_upload(c);
	else if (gw_backend_unsent(c->call.handle) > UPLOAD_UNSENT)
		refuse_blocked(c);
	gw_buffer_budget_update(c);
}

void gw_upload_check_progress(struct gw_connection *c)
{
	struct gw_upload *u = c->upload;
	uint64_t came = c->http.bytes - u->checked;

	/* A long request takes long: count when the client is slower than a held one may be. */
	u->checks += came < get_demands(c)->limits.body_bytes / CHECKS_MAX;
	if (came < PROGRESS_MIN || u->checks >= CHECKS_MAX)
		refuse_upload(c, FMP_EVENT_CONNECTION, 408, "the body did not come in time");
	else
		arm_progress(c);
}

/* ---- its end ---- */

void gw_upload_cut(struct gw_connection *c)
{
	charge_good(c);
	gw_upload_free(c);
	/* The rest of the request is not read. */
	c->http.keep_alive = false;
	event_del(c->timer);
	gw_stream_pause(c->stream);
	gw_connection_enter(c, CONN_FORWARDED);
}

/* The service may have acted on what it had: the client is not told to come again. */
void gw_upload_abort(struct gw_connection *c)
{
	cancel_call(c);
	gw_upload_free(c);
	gw_respond_refusal(c, FMP_EVENT_GOOD, 500, false, "");
}

void gw_upload_cancel(struct gw_connection *c)
{
	if (c->state == CONN_UPLOADING)
		cancel_call(c);
	gw_upload_free(c);
}

size_t gw_upload_size(const struct gw_connection *c)
{
	const struct gw_upload *u = c->upload;

	if (!u)
		return 0;
	return sizeof(*u) + fmp_multipart_stream_size(u->stream) +
	       (c->call.handle ? gw_backend_unsent(c->call.handle) : 0);
}
