/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Resolves names of backends, which may fail when the gateway starts: at boot there may be no DNS
 * yet. Each name has a process of its own, which asks until the name is resolved and then ends. So
 * replies of foreign name servers are parsed neither by the listener nor with its privileges, and a
 * slow server delays nothing else. Until then the service replies 503, and the others serve.
 *
 * Addresses are saved in a file for the next gateway, in case the name does not resolve then.
 */
#ifndef GW_DNS_HELPER_H
#define GW_DNS_HELPER_H

#include "../common/settings.h"

/**
 * gw_dns_helpers_start() - start resolving, and wait for a short time; before the sandbox
 * @s: services with their URLs; unresolved names are logged
 * @file: saved addresses, old and new; in a directory where nobody else may write; NULL: none
 *
 * Return: 0; FMP_ERR_IO: no process.
 */
FMP_MUST_CHECK int gw_dns_helpers_start(struct gw_settings *s, const char *file,
					struct fmp_error *err);

enum gw_dns_helper_result {
	GW_DNS_HELPER_PENDING, /**< no news */
	GW_DNS_HELPER_FAILED, /**< failed again; the helper retries, with growing delay */
	GW_DNS_HELPER_RESOLVED, /**< the URL has addresses; stop the helper */
	GW_DNS_HELPER_EXITED, /**< it ended without a result; stop it; the name stays unresolved */
};

/** gw_dns_helper_read() - read the helper's result, without waiting. */
enum gw_dns_helper_result gw_dns_helper_read(struct gw_service *svc);
/** gw_dns_helper_stop() - end the process, if there is one. */
void gw_dns_helper_stop(struct gw_service *svc);
/** gw_dns_helpers_stop() - end all of them. */
void gw_dns_helpers_stop(struct gw_settings *s);

#endif
