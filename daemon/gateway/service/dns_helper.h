/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of backends, which may not resolve when the gateway starts: at boot there may be no DNS yet.
 * Each such name has a process of its own, which asks for it until it is resolved, and ends: what
 * reads the answers of foreign name servers is neither the listener nor of its rights, and a slow
 * one delays nobody. Meanwhile the service answers 503, and the others serve.
 *
 * What was resolved lies in a file for the gateway that follows, for when the name does not resolve then.
 */
#ifndef GW_DNS_HELPER_H
#define GW_DNS_HELPER_H

#include "../common/settings.h"

/**
 * gw_dns_helpers_start() - has names resolved, and waits for that, but not for long; before the sandbox
 * @s: services with their URLs; what is unresolved still is said on standard error
 * @file: with what was resolved before, or is now; in a directory in which nobody else may write;
 *	  NULL: none
 *
 * Return: 0; FMP_ERR_IO: no process.
 */
FMP_MUST_CHECK int gw_dns_helpers_start(struct gw_settings *s, const char *file,
					struct fmp_error *err);

enum gw_dns_helper_result {
	GW_DNS_HELPER_PENDING, /**< new */
	GW_DNS_HELPER_FAILED, /**< once more; it is tried again, later and later */
	GW_DNS_HELPER_RESOLVED, /**< the URL has addresses; the process is to be ended */
	GW_DNS_HELPER_EXITED, /**< it has ended without, and nobody resolves the name any more; the same */
};

/** gw_dns_helper_read() - of a service whose name is being resolved; does not wait. */
enum gw_dns_helper_result gw_dns_helper_read(struct gw_service *svc);
/** gw_dns_helper_stop() - ends the process, if there is one. */
void gw_dns_helper_stop(struct gw_service *svc);

#endif
