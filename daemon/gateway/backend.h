/* SPDX-License-Identifier: GPL-2.0 */
/* The Web service behind the gateway: a gSOAP client with one kept-alive connection. */
#ifndef GW_BACKEND_H
#define GW_BACKEND_H

#include <stddef.h>

#include <fmp/error.h>

#define GW_BACKEND_CONNECT_S 5 /**< seconds to wait for a connection */
#define GW_BACKEND_ANSWER_S  30 /**< seconds to wait for the answer to go on */

/** struct gw_backend_url - resolved while names can still be resolved: before the sandbox */
struct gw_backend_url;

FMP_MUST_CHECK int gw_backend_url_new(const char *url, struct gw_backend_url **out,
				      struct fmp_error *err);
void gw_backend_url_free(struct gw_backend_url *url);

struct gw_backend;

/** gw_backend_new() - url must outlive it. Connects at the first message. Return: NULL without memory. */
struct gw_backend *gw_backend_new(const struct gw_backend_url *url);
void gw_backend_free(struct gw_backend *b);

/** struct gw_reply - the service's answer; lives until the next gw_backend_forward() */
struct gw_reply {
	int status;
	const char *content_type; /**< "" if it has none */
	const void *body;
	size_t len;
};

/**
 * gw_backend_forward() - one message to the service, its answer back
 * @content_type: of the request, with charset
 * @soap_action: NULL: no SOAPAction field
 * @max: longest answer that is taken
 *
 * Return: 0; FMP_ERR_IO not reached or broken off, FMP_ERR_LIMIT answer too long.
 */
FMP_MUST_CHECK int gw_backend_forward(struct gw_backend *b, const void *body, size_t len,
				      const char *content_type, const char *soap_action, size_t max,
				      struct gw_reply *reply, struct fmp_error *err);

#endif
