/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One message: the ladder, and what stands before its first rung. The gateway's workers
 * judge by it, and fmpctl what was captured.
 */
#ifndef FMP_EVALUATE_H
#define FMP_EVALUATE_H

#include <fmp/internal/content_coding.h>
#include <fmp/internal/gateway_settings.h>
#include <fmp/internal/job.h>

/** struct fmp_evaluation - of one message; freed with fmp_evaluate_clear() */
struct fmp_evaluation {
	struct fmp_inspection v;
	unsigned service; /**< that it was for */
	int status; /**< HTTP status of a refusal; 0: the Fault's */
	char action[FMP_HTTP_TYPE_MAX]; /**< of its content type; "": none */
	struct fmp_content_decoded expanded; /**< where the body was compressed */
};

/**
 * fmp_evaluate_prepare() - makes the inspector of a service.
 * @svc: the service behind the last one of @s, its demands set; counted from then on
 * @keys: NULL: keys are read here
 *
 * What one of them must remember of messages it remembers together with the others.
 */
int fmp_evaluate_prepare(struct fmp_gateway_settings *s, struct fmp_gateway_service *svc,
			 const struct fmp_key_source *keys, struct fmp_error *err);

/** fmp_evaluate() - @s: services with their inspectors; nothing else of it is asked. */
void fmp_evaluate(const struct fmp_gateway_settings *s, const struct fmp_job *job, int64_t now_s,
		  struct fmp_evaluation *out);
void fmp_evaluate_clear(struct fmp_evaluation *j);

/**
 * fmp_evaluate_media() - what a message is refused as whose content type is not inspected
 *
 * Behind fmp_http_is_browser_request(). Return: FMP_EVENT_GOOD: it is inspected.
 */
enum fmp_event_kind fmp_evaluate_media(const struct fmp_media *media, bool answer);
/**
 * fmp_evaluate_browser_page() - of an answer that was refused: FMP_EVENT_OUTAGE where it is a page (browser_page.h)
 * @v: of fmp_inspect() with @m; of a page with a document type declaration it is what is behind that from now on
 */
void fmp_evaluate_browser_page(struct fmp_inspector *inspector, const struct fmp_message *m,
			       struct fmp_inspection *v);

/** fmp_evaluate_verdict() - what is told of it; without CPU time. */
struct fmp_job_verdict fmp_evaluate_verdict(const struct fmp_evaluation *j);

/** fmp_evaluate_cost() - the CPU time, and of it each step's share by the time that it took. */
void fmp_evaluate_cost(const struct fmp_evaluation *j, uint64_t cpu_ns,
		       struct fmp_job_verdict *out);

#endif
