/* SPDX-License-Identifier: GPL-2.0 */
/* The services of the policy, ready to be used as soon as names are resolved (dns_helper.h). */
#ifndef GW_SERVICE_H
#define GW_SERVICE_H

#include "../common/settings.h"

/** gw_services_have_keys() - private ones, of WS-Security? */
bool gw_services_have_keys(const struct fmp_policy *p);

/**
 * gw_services_new() - fills s->service; reads files: before the sandbox
 * @s: where it has a keeper, that one reads their private keys
 * @backend: of those that name none; NULL: each must
 *
 * Return: 0, or a code with the file in err.
 */
FMP_MUST_CHECK int gw_services_new(struct gw_settings *s, const char *backend,
				   struct fmp_error *err);
/** gw_services_drop_secrets() - in a process that is to have none of their passwords: all but names and URLs. */
void gw_services_drop_secrets(struct gw_settings *s);
void gw_services_free(struct gw_settings *s);

/** gw_services_shared_fd() - that workers must keep open; -1: none. */
int gw_services_shared_fd(const struct gw_settings *s);
/** gw_services_shared_holder() - the process that has it for itself just now; 0: none. */
int gw_services_shared_holder(const struct gw_settings *s);
/** gw_services_max_body() - the longest body that any of them takes. */
uint32_t gw_services_max_body(const struct gw_settings *s);
/** gw_services_max_result() - the longest that a worker makes of a message, or of a service's answer. */
size_t gw_services_max_result(const struct gw_settings *s);

#endif
