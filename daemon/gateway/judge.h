/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One message: the ladder, and what stands before its first rung. The gateway's workers
 * judge by it, and fmpctl what was captured.
 */
#ifndef GW_JUDGE_H
#define GW_JUDGE_H

#include "coding.h"
#include "gateway.h"
#include "job.h"

/** struct gw_judgement - of one message; freed with gw_judge_clear() */
struct gw_judgement {
	struct fmp_inspection v;
	unsigned service; /**< that it was for */
	int status; /**< HTTP status of a refusal; 0: the Fault's */
	char action[GW_TYPE_MAX]; /**< of its content type; "": none */
	struct gw_expanded expanded; /**< where the body was compressed */
};

/**
 * gw_judge_prepare() - makes the inspector of a service.
 * @svc: the service behind the last one of @s, its demands set; counted from then on
 * @keys: NULL: keys are read here
 *
 * What one of them must remember of messages it remembers together with the others.
 */
int gw_judge_prepare(struct gw_settings *s, struct gw_service *svc,
		     const struct fmp_key_source *keys, struct fmp_error *err);

/** gw_judge() - @s: services with their inspectors; nothing else of it is asked. */
void gw_judge(const struct gw_settings *s, const struct gw_job *job, int64_t now_s,
	      struct gw_judgement *out);
void gw_judge_clear(struct gw_judgement *j);

/**
 * gw_judge_media() - what a message is refused as whose content type is not inspected
 *
 * Behind gw_http_is_of_page(). Return: FMP_EVENT_GOOD: it is inspected.
 */
enum fmp_event_kind gw_judge_media(const struct fmp_media *media, bool answer);
/**
 * gw_judge_page() - of an answer that was refused: FMP_EVENT_OUTAGE where it is a page (page.h)
 * @v: of fmp_inspect() with @m; of a page with a document type declaration it is what is behind that from now on
 */
void gw_judge_page(struct fmp_inspector *inspector, const struct fmp_message *m,
		   struct fmp_inspection *v);

/** gw_judge_verdict() - what is told of it; without CPU time. */
struct gw_verdict gw_judge_verdict(const struct gw_judgement *j);

/** gw_judge_cost() - the CPU time, and of it each step's share by the time that it took. */
void gw_judge_cost(const struct gw_judgement *j, uint64_t cpu_ns, struct gw_verdict *out);

#endif
