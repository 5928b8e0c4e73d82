/* SPDX-License-Identifier: GPL-2.0 */
/* Which service a request is for: by its path, and by its action where several share a path. */
#ifndef FMP_ROUTING_H
#define FMP_ROUTING_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/policy.h>

/** What fmp_route() says beside the number of a service. */
enum {
	FMP_ROUTE_PATH = -1, /**< nothing is at this path */
	FMP_ROUTE_ACTION = -2, /**< something is, but not for this action */
};

/**
 * fmp_route() - pure
 * @services: of the policy
 * @target: of the request; a query counts for nothing
 * @whole: target is not cut
 * @action: of SOAPAction or the content type; NULL or "": none
 * @local: the client is a program of this machine: <client>s are for it, else for nobody
 * @open: set if wsa:Action may say another one than what is returned
 *
 * A whole path goes before one with a star, a longer one with a star before a shorter one; of
 * those with the same path the one with this very action before the one without any.
 */
int fmp_route(const struct fmp_policy_service *services, size_t n, const char *target, bool whole,
	      const char *action, bool local, bool *open);

/**
 * fmp_route_action() - of those that have the path of @at, the one for a wsa:Action
 * @action: with white space around it, as it may be in XML; "": none
 *
 * Return: its number, FMP_ROUTE_ACTION.
 */
int fmp_route_action(const struct fmp_policy_service *services, size_t n, int at,
		     const char *action);

/**
 * fmp_soap_action() - what HTTP says the action is; "": nothing
 * @soap_action: of its header; where it is "" the content type may say one
 *
 * Return: buf.
 */
const char *fmp_soap_action(const char *content_type, const char *soap_action, char *buf,
			    size_t size);
/** fmp_soap_action_parameter() - the one of application/soap+xml; "": none. */
void fmp_soap_action_parameter(const char *content_type, char *out, size_t size);

#endif
