/* SPDX-License-Identifier: GPL-2.0 */
/* The services of the policy: inspectors, keys and URLs; names are resolved by dns_helper.h. */
#ifndef GW_SERVICE_H
#define GW_SERVICE_H

#include "../common/settings.h"

/** gw_services_have_keys() - does any service use a private key of WS-Security? */
bool gw_services_have_keys(const struct fmp_policy *p);

/** gw_services_have_client_keys() - does any service name a TLS client certificate? */
bool gw_services_have_client_keys(const struct fmp_policy *p);

/**
 * gw_services_new() - fill s->service; reads files: before the sandbox
 * @s: if it has key agents, they read the private keys
 * @backend: for services that name none; NULL: each must name one
 *
 * Return: 0, or an error code with the file in err.
 */
FMP_MUST_CHECK int gw_services_new(struct gw_settings *s, const char *backend,
				   struct fmp_error *err);
/** gw_services_drop_secrets() - free everything with secrets; names and URLs remain. */
void gw_services_drop_secrets(struct gw_settings *s);
void gw_services_free(struct gw_settings *s);

/** gw_services_describe() - does any service answer GET ?wsdl, or pass it on? */
bool gw_services_describe(const struct gw_settings *s);
/** gw_services_shared_fd() - descriptor that workers must keep open; -1: none. */
int gw_services_shared_fd(const struct gw_settings *s);
/** gw_services_shared_holder() - the process that holds the lock of the replay cache; 0: none. */
int gw_services_shared_holder(const struct gw_settings *s);
/** gw_services_max_body() - longest body that any service accepts. */
uint32_t gw_services_max_body(const struct gw_settings *s);
/**
 * gw_services_max_result() - longest result of a worker: a message to forward, or a secured reply.
 */
size_t gw_services_max_result(const struct gw_settings *s);

#endif
