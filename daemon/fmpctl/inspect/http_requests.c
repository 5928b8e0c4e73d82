// SPDX-License-Identifier: GPL-2.0
#include "http_file.h"

#include <ctype.h>
#include <string.h>

#include <fmp/internal/request_route.h>

#include "forwarding.h"
#include "http_description.h"

struct request_reader {
	struct inspect_run *run;
	const struct offline_services *services;
	const char *file;
	const unsigned char *bytes;
	size_t len, at;
	unsigned number;
	struct fmp_http http;
};

bool http_file_is_request(const unsigned char *bytes, size_t len)
{
	const unsigned char *end;

	while (len && (*bytes == '\r' || *bytes == '\n'))
		bytes++, len--;
	end = memchr(bytes, '\n', len);
	return end && isupper(*bytes) &&
	       memmem(bytes, (size_t)(end - bytes), " HTTP/", strlen(" HTTP/"));
}

static const struct fmp_policy_gateway *get_demands(const struct request_reader *q,
						    unsigned service)
{
	return q->services->evaluator.service[service].demands;
}

/* NULL: the policy names no services. */
static const struct fmp_policy_service *get_service(const struct request_reader *q,
						    unsigned service)
{
	return q->services == &q->run->all ? &q->run->policy->services[service] : q->run->service;
}

static bool has_more(const struct request_reader *q)
{
	for (size_t i = q->at; i < q->len; i++)
		if (q->bytes[i] != '\r' && q->bytes[i] != '\n')
			return true;
	return false;
}

static void report_request(const struct request_reader *q, struct verdict *v)
{
	v->file = q->file;
	v->number = q->number;
	inspect_run_report(q->run, v);
}

/* @route: NULL: the request was not routed */
static void report_refusal(const struct request_reader *q, const struct fmp_request_route *route,
			   enum fmp_event_kind kind, int status, const char *detail)
{
	struct fmp_inspection v;
	/* What follows may be its body: nobody can tell. */
	struct verdict verdict = { .v = &v, .status = status, .several = q->number > 1 };

	if (route && route->routed && get_service(q, route->service))
		verdict.service = get_service(q, route->service)->name;
	verdict_refuse(&v, FMP_STEP_HTTP, kind, detail);
	report_request(q, &verdict);
}

/* ---- a complete request ---- */

/* SOAP 1.2 (part 2, 7.5.2.2) has a status of its own for a fault of the sender. */
static int get_fault_status(const struct fmp_evaluation *j)
{
	bool ours = j->v.lacks || (j->v.kind == FMP_EVENT_GOOD && j->v.step == FMP_STEP_HTTP);

	if (j->status)
		return j->status;
	return j->v.soap_version == 12 && !ours ? 400 : 500;
}

static bool is_changed(const struct fmp_job *job, const struct fmp_evaluation *j)
{
	uintptr_t from = (uintptr_t)j->forward, whole = (uintptr_t)job->body;

	return job->coding != FMP_CONTENT_CODING_IDENTITY || from != whole ||
	       j->forward_len != job->len;
}

static void report_evaluation(const struct request_reader *q, const struct fmp_job *job,
			      struct fmp_evaluation *j)
{
	const struct fmp_policy_service *service = get_service(q, j->service);
	const struct forwarding_source from = { .policy = q->run->policy,
						.service = service,
						.demands = get_demands(q, j->service) };
	struct forwarding f = { 0 };
	struct verdict verdict = { .v = &j->v,
				   .several = q->number > 1 || has_more(q),
				   .service = service ? service->name : NULL,
				   .backend = service ? service->backend : NULL };

	if (!j->v.accepted)
		verdict.status = get_fault_status(j);
	else if (q->run->has_policy &&
		 forwarding_of_request(&from, &q->http, is_changed(job, j), &j->v.identity, &f))
		verdict.forwarding = &f;
	report_request(q, &verdict);
	forwarding_exit(&f);
}

/* As a worker of the gateway does: type, action, attachments, then the pipeline. */
static void evaluate_request(const struct request_reader *q, const struct fmp_request_route *route)
{
	const struct fmp_http *h = &q->http;
	struct fmp_job job = { .body = h->body ? h->body : (const void *)"",
			       .len = h->body_len,
			       .has_action = h->has_action,
			       .coding = h->coding,
			       .service = route->service,
			       .wsa_action_decides = route->wsa_action_decides };
	struct fmp_evaluation j;

	memcpy(job.content_type, h->content_type, sizeof(job.content_type));
	memcpy(job.soap_action, h->soap_action, sizeof(job.soap_action));
	fmp_evaluate(&q->services->evaluator, &job, inspect_run_now(q->run), &j);
	report_evaluation(q, &job, &j);
	fmp_evaluate_clear(&j);
}

/* ---- a request for a description ---- */

/* Nobody is charged for it, and the connection goes on. */
static bool report_description(const struct request_reader *q, const struct description_verdict *d)
{
	const struct fmp_policy_service *service = d->routed ? get_service(q, d->service) : NULL;
	struct fmp_inspection v = { .accepted = true,
				    .step = FMP_STEP_HTTP,
				    .kind = FMP_EVENT_BROWSER };
	struct verdict verdict = { .v = &v,
				   .several = q->number > 1 || has_more(q),
				   .service = service ? service->name : NULL,
				   .backend = service ? service->backend : NULL,
				   .status = d->status };
	struct forwarding f = { 0 };

	if (d->passed) {
		const struct forwarding_source from = { .policy = q->run->policy,
							.service = service,
							.demands = get_demands(q, d->service) };

		if (forwarding_of_request(&from, &q->http, false, &v.identity, &f))
			verdict.forwarding = &f;
	}
	report_request(q, &verdict);
	forwarding_exit(&f);
	return true;
}

/* Return: true: another request may follow. */
static bool inspect_description(const struct request_reader *q)
{
	const struct fmp_http *h = &q->http;
	struct fmp_request_route route = { 0 };
	struct description_verdict d;

	if (h->state == FMP_HTTP_REFUSED) {
		report_refusal(q, NULL, h->kind, h->status, h->detail);
		return false;
	}
	http_description_evaluate(&q->services->evaluator, &q->run->described, h, &d);
	if (!d.refusal)
		return report_description(q, &d);
	route.routed = d.routed;
	route.service = d.service;
	report_refusal(q, &route, FMP_EVENT_BROWSER, d.status, d.refusal);
	return false;
}

/* ---- the connection ---- */

/* Feed up to @n bytes. */
static void feed_bytes(struct request_reader *q, size_t n)
{
	size_t used;

	fmp_http_feed(&q->http, q->bytes + q->at, n, &used);
	q->at += used;
}

/* The route is known once the header is: then the body has its service's limit. */
static void read_header(struct request_reader *q, struct fmp_request_route *route)
{
	struct fmp_http *h = &q->http;

	*route = (struct fmp_request_route){ 0 };
	while (q->at < q->len && h->state == FMP_HTTP_READING && !h->headers_done)
		feed_bytes(q, 1);
	if (!h->headers_done || fmp_http_is_read(h))
		return;
	fmp_request_route(&q->services->evaluator, h, false, route);
	if (route->routed)
		fmp_http_limit_body(h, offline_services_body_limit(q->services, route->service, h));
}

/* Return: true: another one may follow. */
static bool inspect_request(struct request_reader *q)
{
	struct fmp_http *h = &q->http;
	struct fmp_request_route route;

	read_header(q, &route);
	if (h->headers_done && fmp_http_is_read(h))
		return inspect_description(q);
	if (route.detail) {
		report_refusal(q, &route, route.kind, route.status, route.detail);
		return false;
	}
	feed_bytes(q, q->len - q->at);
	if (h->state == FMP_HTTP_DONE)
		evaluate_request(q, &route);
	else if (h->state == FMP_HTTP_REFUSED)
		report_refusal(q, &route, h->kind, h->status, h->detail);
	else
		report_refusal(q, &route, FMP_EVENT_CONNECTION, 0,
			       "the request ends before its end");
	return h->state == FMP_HTTP_DONE;
}

static bool is_connection_over(const struct request_reader *q)
{
	return !q->http.keep_alive || q->number >= q->run->policy->gateway.http.requests;
}

static void inspect_requests(struct request_reader *q)
{
	bool over = false;

	while (has_more(q)) {
		fmp_http_next(&q->http);
		q->http.limits.body_bytes = q->services->body_max;
		q->number++;
		if (over) {
			report_refusal(
				q, NULL, FMP_EVENT_GOOD, 0,
				"the gateway closes the connection before it: it is not read");
			return;
		}
		if (!inspect_request(q))
			return;
		over = is_connection_over(q);
	}
}

void http_file_inspect_requests(struct inspect_run *r, const char *file, const unsigned char *bytes,
				size_t len)
{
	const struct fmp_policy_http *http = &r->policy->gateway.http;
	struct fmp_http_limits limits = { .header_bytes = http->header_bytes,
					  .fields = http->fields,
					  .target_bytes = http->target_bytes,
					  .compressed = r->has_policy && http->compressed };
	struct request_reader q = { .run = r, .file = file, .bytes = bytes, .len = len };

	q.services = inspect_run_all(r);
	if (!q.services)
		return;
	limits.describe = r->described.any;
	fmp_http_init(&q.http, &limits);
	inspect_requests(&q);
	fmp_http_exit(&q.http);
}
