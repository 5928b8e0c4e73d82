/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What becomes of a request once its header is complete: the service that it is for, or a refusal.
 * Pure. The gateway decides by it, and fmpctl for recorded requests and for those of a file.
 */
#ifndef FMP_REQUEST_ROUTE_H
#define FMP_REQUEST_ROUTE_H

#include <fmp/internal/describe.h>
#include <fmp/internal/evaluate.h>
#include <fmp/internal/http.h>

/** struct fmp_request_route - the decision */
struct fmp_request_route {
	bool routed; /**< a service was selected, perhaps also of a refused request */
	unsigned service;
	bool wsa_action_decides; /**< the message may select another service of the same path */
	/* A refusal; detail is NULL if there is none. */
	enum fmp_event_kind kind;
	int status;
	const char *detail; /**< static text */
};

/**
 * fmp_request_route() - route a request that does not ask for a description
 * @e: all services of its policy
 * @local: the client is a program of this machine
 *
 * If the HTTP reader refused the request, this refusal is not replaced by another one.
 */
void fmp_request_route(const struct fmp_evaluator *e, const struct fmp_http *h, bool local,
		       struct fmp_request_route *out);

/** struct fmp_description_route - the decision on a GET or HEAD, which nobody is charged for */
struct fmp_description_route {
	bool routed; /**< a service was selected, perhaps also of a refused request */
	unsigned service;
	struct fmp_describe_request ask;
	/* A refusal; detail is NULL if there is none. */
	int status;
	const char *detail; /**< static text */
};

/**
 * fmp_request_route_description() - select the service that is asked for its description
 * @target: normalised path and query
 */
void fmp_request_route_description(const struct fmp_evaluator *e, const char *target, bool local,
				   struct fmp_description_route *out);

#endif
