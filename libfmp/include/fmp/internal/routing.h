/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selects the service of a request by its path, and by its action where several services share a
 * path.
 */
#ifndef FMP_ROUTING_H
#define FMP_ROUTING_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/policy.h>

/** Return values of fmp_route() that are not the index of a service. */
enum {
	FMP_ROUTE_PATH = -1, /**< no service at this path */
	FMP_ROUTE_ACTION = -2, /**< services at this path, none for this action */
};

/**
 * fmp_route() - select a service; pure
 * @services: of the policy
 * @target: of the request; the query is ignored
 * @whole: target is not truncated
 * @action: of SOAPAction or the content type; NULL or "": none
 * @local: the client is a program of this machine: only then <client> services match
 * @open: set if wsa:Action may select another service of the same path
 *
 * An exact path wins over a wildcard, a longer wildcard over a shorter one. Among services of the
 * same path the one with this action wins over the one without any.
 */
int fmp_route(const struct fmp_policy_service *services, size_t n, const char *target, bool whole,
	      const char *action, bool local, bool *open);

/**
 * fmp_route_action() - select by wsa:Action among the services that share the path of @at
 * @action: may have white space around it, as in XML; "": none
 *
 * Return: index of the service, or FMP_ROUTE_ACTION.
 */
int fmp_route_action(const struct fmp_policy_service *services, size_t n, int at,
		     const char *action);

/** fmp_route_may_lead() - can an action lead from service @at to service @to? They share a path. */
bool fmp_route_may_lead(const struct fmp_policy_service *services, size_t n, unsigned at,
			unsigned to);

/**
 * fmp_soap_action() - the action that the HTTP header names; "": none
 * @soap_action: value of SOAPAction; if it is "", the content type may have an action parameter
 *
 * Return: buf.
 */
const char *fmp_soap_action(const char *content_type, const char *soap_action, char *buf,
			    size_t size);
/** fmp_soap_action_parameter() - the action parameter of application/soap+xml; "": none. */
void fmp_soap_action_parameter(const char *content_type, char *out, size_t size);

#endif
