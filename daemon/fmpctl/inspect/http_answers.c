// SPDX-License-Identifier: GPL-2.0
#include "http_file.h"

#include <string.h>

#include "forwarding.h"

struct answer_reader {
	struct inspect_run *run;
	const struct offline_services *services; /* the one that answers */
	const char *file;
	const unsigned char *bytes;
	size_t len, at;
	unsigned number;
	struct fmp_http http;
};

bool http_file_is_answer(const unsigned char *bytes, size_t len)
{
	return len > 7 && memcmp(bytes, "HTTP/1.", 7) == 0;
}

static const struct fmp_policy_gateway *get_demands(const struct answer_reader *a)
{
	return a->services->evaluator.service[0].demands;
}

/*
 * As the gateway: a Fault comes with 500 (SOAP 1.1 6.2) or 400 (SOAP 1.2 part 2, 7.5.2.2, and some
 * services of SOAP 1.1); 202 answers a one-way message, perhaps with an Envelope.
 */
static bool has_status_of_soap(const struct fmp_http *h, const struct fmp_media *media)
{
	return h->code == 200 || h->code == 400 || h->code == 500 ||
	       (h->code == 202 &&
		(media->kind == FMP_EVENT_GOOD || fmp_media_has_attachments(media)));
}

static void evaluate_answer(const struct answer_reader *a, struct fmp_evaluation *j)
{
	const struct fmp_http *h = &a->http;
	struct fmp_job job = { .body = h->body ? h->body : (const void *)"",
			       .len = h->body_len,
			       .has_action = h->has_action,
			       .coding = h->coding,
			       .answer = true };

	memcpy(job.content_type, h->content_type, sizeof(job.content_type));
	memcpy(job.soap_action, h->soap_action, sizeof(job.soap_action));
	fmp_evaluate(&a->services->evaluator, &job, inspect_run_now(a->run), j);
}

static void accept_unread(struct fmp_inspection *v)
{
	*v = (struct fmp_inspection){ .accepted = true, .step = FMP_STEP_DONE };
}

static void inspect_answer(const struct answer_reader *a, struct fmp_evaluation *j)
{
	const struct fmp_http *h = &a->http;
	struct fmp_media media;

	fmp_media_read(h->content_type, &media);
	if (get_demands(a)->security == FMP_SECURITY_OS || has_status_of_soap(h, &media)) {
		if (h->body_len)
			evaluate_answer(a, j);
		else
			accept_unread(&j->v);
	} else if (h->code < 300) {
		/* The gateway neither inspects nor forwards a body with such a status. */
		accept_unread(&j->v);
	} else {
		verdict_refuse(&j->v, FMP_STEP_HTTP, FMP_EVENT_GOOD,
			       "it answered with a status that is not SOAP's");
	}
}

/* Signed or encrypted by the gateway, or what was verified in another form. */
static bool is_changed(const struct answer_reader *a)
{
	const struct fmp_policy_gateway *demands = get_demands(a);
	const struct fmp_policy_service *s = a->run->service;

	if (demands->answers.sign || demands->answers.encrypt)
		return true;
	return s && s->client && demands->security != FMP_SECURITY_OS &&
	       (demands->security >= FMP_SECURITY_BCS ||
		a->http.coding != FMP_CONTENT_CODING_IDENTITY);
}

static bool has_more(const struct answer_reader *a)
{
	return a->at < a->len;
}

static void report_answer(struct answer_reader *a, const struct fmp_inspection *v)
{
	const struct fmp_policy_service *service = a->run->service;
	const struct forwarding_source from = { .policy = a->run->policy,
						.service = service,
						.demands = get_demands(a) };
	struct forwarding f = { 0 };
	struct verdict verdict = { .file = a->file,
				   .v = v,
				   .number = a->number,
				   .several = a->number > 1 || has_more(a),
				   .service = service ? service->name : NULL };

	if (v->accepted && a->run->has_policy &&
	    forwarding_of_answer(&from, &a->http, is_changed(a), &f))
		verdict.forwarding = &f;
	inspect_run_report(a->run, &verdict);
	forwarding_exit(&f);
}

/* Return: true: another one may follow. */
static bool read_answer(struct answer_reader *a)
{
	struct fmp_http *h = &a->http;
	struct fmp_evaluation j = { 0 };
	bool open = false;
	size_t used;

	fmp_http_next(h);
	a->number++;
	fmp_http_feed(h, a->bytes + a->at, a->len - a->at, &used);
	a->at += used;
	if (h->state == FMP_HTTP_READING)
		fmp_http_finish(h);
	if (h->state == FMP_HTTP_DONE) {
		inspect_answer(a, &j);
		open = true;
	} else {
		verdict_refuse(&j.v, FMP_STEP_HTTP, h->kind, h->detail);
	}
	report_answer(a, &j.v);
	fmp_evaluate_clear(&j);
	return open;
}

void http_file_inspect_answers(struct inspect_run *r, const char *file, const unsigned char *bytes,
			       size_t len)
{
	const struct fmp_policy_http *http = &r->policy->gateway.http;
	struct fmp_http_limits limits = { .header_bytes = http->answer_header_bytes,
					  .fields = http->answer_fields,
					  .response = true };
	struct answer_reader a = { .run = r, .file = file, .bytes = bytes, .len = len };

	a.services = inspect_run_single(r);
	if (!a.services)
		return;
	limits.body_bytes = get_demands(&a)->limits.body_bytes;
	fmp_http_init(&a.http, &limits);
	while (has_more(&a) && read_answer(&a))
		;
	fmp_http_exit(&a.http);
}
