/* SPDX-License-Identifier: GPL-2.0 */
/* URL of a service, and its addresses once the name is resolved. */
#ifndef GW_BACKEND_URL_H
#define GW_BACKEND_URL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "backend.h"

#define GW_BACKEND_ADDRESSES 4

struct ssl_ctx_st;

struct gw_backend_url {
	struct ssl_ctx_st *tls; /**< NULL: http */
	char name[256]; /**< to be resolved */
	char server_name[256]; /**< that the certificate must contain; for SNI */
	char host[300]; /**< value of the Host field: with brackets and port as needed */
	char path[512]; /**< may have a query; "": the URL has none */
	uint16_t port;
	unsigned n; /**< 0: the name is not resolved yet */
	struct sockaddr_storage sa[GW_BACKEND_ADDRESSES]; /**< tried in this order */
	socklen_t sa_len[GW_BACKEND_ADDRESSES];
	char address[GW_BACKEND_ADDRESSES][64]; /**< the same as text */
};

/** gw_backend_url_add() - add an address. Return: false: not IPv4 or IPv6, or too many. */
bool gw_backend_url_add(struct gw_backend_url *u, const struct sockaddr *sa);

#endif
