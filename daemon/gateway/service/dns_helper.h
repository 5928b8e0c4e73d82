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

#include <fmp/internal/gateway_settings.h>

/**
 * gw_names_begin() - has names resolved, and waits for that, but not for long; before the sandbox
 * @s: services with their URLs; what is unresolved still is said on standard error
 * @file: with what was resolved before, or is now; in a directory in which nobody else may write;
 *	  NULL: none
 *
 * Return: 0; FMP_ERR_IO: no process.
 */
FMP_MUST_CHECK int gw_names_begin(struct fmp_gateway_settings *s, const char *file,
				  struct fmp_error *err);

enum gw_name_news {
	GW_NAME_NOTHING, /**< new */
	GW_NAME_FAILED, /**< once more; it is tried again, later and later */
	GW_NAME_RESOLVED, /**< the URL has addresses; the process is to be ended */
	GW_NAME_ENDED, /**< it has ended without, and nobody resolves the name any more; the same */
};

/** gw_name_read() - of a service whose name is being resolved; does not wait. */
enum gw_name_news gw_name_read(struct fmp_gateway_service *svc);
/** gw_name_end() - ends the process, if there is one. */
void gw_name_end(struct fmp_gateway_service *svc);

#endif
