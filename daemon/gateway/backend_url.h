/* SPDX-License-Identifier: GPL-2.0 */
/* Where the service is: names resolved to addresses, in text, as the HTTP client wants them. */
#ifndef GW_BACKEND_URL_H
#define GW_BACKEND_URL_H

#include <stdint.h>

#include "backend.h"

#define GW_BACKEND_ADDRESSES 4

struct ssl_ctx_st;

struct gw_backend_url {
	struct ssl_ctx_st *tls; /**< NULL: http */
	char name[256]; /**< that its certificate must be for */
	char host[300]; /**< of the Host field: with brackets and a port, as needed */
	char path[512];
	uint16_t port;
	unsigned n;
	char address[GW_BACKEND_ADDRESSES][64]; /**< to be tried in this order */
};

#endif
