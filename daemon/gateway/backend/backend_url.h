/* SPDX-License-Identifier: GPL-2.0 */
/* Where the service is; its addresses as soon as its name is resolved. */
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
	char name[256]; /**< that its certificate must be for */
	char host[300]; /**< of the Host field: with brackets and a port, as needed */
	char path[512];
	uint16_t port;
	unsigned n; /**< 0: its name is not resolved yet */
	struct sockaddr_storage sa[GW_BACKEND_ADDRESSES]; /**< to be tried in this order */
	socklen_t sa_len[GW_BACKEND_ADDRESSES];
	char address[GW_BACKEND_ADDRESSES][64]; /**< the same in text */
};

/** gw_backend_url_add() - another address. Return: false if it is none of TCP over IP, or one too many. */
bool gw_backend_url_add(struct gw_backend_url *u, const struct sockaddr *sa);

#endif
