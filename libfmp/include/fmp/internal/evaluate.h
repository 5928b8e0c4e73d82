/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Evaluates one message: the checks before the pipeline (content type, action, content coding), then
 * the pipeline itself. The gateway's workers evaluate messages with it, and fmpctl recorded ones.
 */
#ifndef FMP_EVALUATE_H
#define FMP_EVALUATE_H

#include <fmp/inspect.h>
#include <fmp/policy.h>

#include <fmp/internal/content_coding.h>
#include <fmp/internal/job.h>
#include <fmp/internal/multipart.h>

/** struct fmp_evaluate_service - what the messages of one service are evaluated with */
struct fmp_evaluate_service {
	const char *name; /**< "": the only one */
	const struct fmp_policy_gateway *demands;
	struct fmp_inspector *inspector;
	/** what becomes of GET; not "auto" where GET is read at all (fmp_request_route_description()) */
	enum fmp_describe describe;
};

/** struct fmp_evaluator - the services of a policy; starts as all 0 but for the first three members */
struct fmp_evaluator {
	const struct fmp_policy *policy;
	const char *replay_file; /**< keeps replay keys for the next process; NULL: none */
	bool check_only; /**< only check whether it can be set up */
	unsigned n_services;
	struct fmp_evaluate_service service[FMP_SERVICES_MAX]; /**< in the order of the policy */
};

/** struct fmp_evaluation - result for one message; freed with fmp_evaluate_clear() */
struct fmp_evaluation {
	struct fmp_inspection v;
	unsigned service; /**< that the message is for */
	int status; /**< HTTP status of a refusal; 0: that of the Fault */
	char action[FMP_HTTP_TYPE_MAX]; /**< of its content type; "": none */
	struct fmp_content_decoded decoded; /**< body of a compressed message */
	struct fmp_multipart *multipart; /**< NULL: it has no parts */
	/** Of a pending message: fmp_multipart_references(). */
	char *references;
	size_t references_len;
	/** What to forward: v.forward, or the multipart message around it. */
	const void *forward;
	size_t forward_len;
	struct fmp_observation *observation; /**< if the job asks for it */
	void *own; /**< private */
};

/**
 * fmp_evaluator_add() - create the next service's inspector
 * @name: stays the caller's, as @demands
 * @keys: NULL: read private keys in this process
 *
 * All inspectors share one replay cache. Services are freed by the caller, the last one first: the
 * cache belongs to an earlier one.
 */
FMP_MUST_CHECK int fmp_evaluator_add(struct fmp_evaluator *e, const char *name,
				     const struct fmp_policy_gateway *demands,
				     const struct fmp_key_source *keys, struct fmp_error *err);

void fmp_evaluate(const struct fmp_evaluator *e, const struct fmp_job *job, int64_t now_s,
		  struct fmp_evaluation *out);
void fmp_evaluate_clear(struct fmp_evaluation *j);

/** fmp_media_has_attachments() - Return: true: MTOM or SwA, which is SOAP if the policy allows it. */
bool fmp_media_has_attachments(const struct fmp_media *media);

/**
 * fmp_evaluate_media() - event kind of a message whose content type is not inspected
 *
 * For messages that fmp_http_is_browser_request() did not explain. Return: FMP_EVENT_GOOD: inspect it.
 */
enum fmp_event_kind fmp_evaluate_media(const struct fmp_media *media, bool answer,
				       const struct fmp_policy_gateway *demands);
/**
 * fmp_evaluate_browser_page() - turn the refusal of a reply into FMP_EVENT_OUTAGE if it is a page
 * @v: of fmp_inspect() with @m; for a page with a document type declaration it becomes the result for
 *     the bytes behind the declaration
 */
void fmp_evaluate_browser_page(struct fmp_inspector *inspector, const struct fmp_message *m,
			       struct fmp_inspection *v);

/** fmp_evaluate_verdict() - the verdict to send; without CPU time. */
struct fmp_job_verdict fmp_evaluate_verdict(const struct fmp_evaluation *j);

/** fmp_evaluate_cost() - set the CPU time, and split it by the time that each step took. */
void fmp_evaluate_cost(const struct fmp_evaluation *j, uint64_t cpu_ns,
		       struct fmp_job_verdict *out);

#endif
