/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the gateway would forward of an HTTP message: the target, and the fields that it withholds and
 * adds. Those that it always makes itself (Host, Content-Type, the length, SOAPAction) are neither.
 */
#ifndef FMPCTL_FORWARDING_H
#define FMPCTL_FORWARDING_H

#include <fmp/inspect.h>

#include <fmp/internal/http.h>

/** struct forwarding_source - whose message is forwarded */
struct forwarding_source {
	const struct fmp_policy *policy;
	const struct fmp_policy_service *service; /**< NULL: the policy names none */
	const struct fmp_policy_gateway *demands;
};

/** struct forwarding - freed with forwarding_exit(); texts are "" or names separated by ", " */
struct forwarding {
	char *target; /**< of a request; NULL: not known */
	char *withheld, *added;
};

/**
 * forwarding_of_request()
 * @changed: the body is not the received one
 * @identity: of the message
 *
 * Return: false without memory.
 */
bool forwarding_of_request(const struct forwarding_source *from, const struct fmp_http *h,
			   bool changed, const struct fmp_identity *identity,
			   struct forwarding *out);

/** forwarding_of_answer() - @changed: its body is not forwarded, or in another form */
bool forwarding_of_answer(const struct forwarding_source *from, const struct fmp_http *h,
			  bool changed, struct forwarding *out);

void forwarding_exit(struct forwarding *f);

#endif
