/* SPDX-License-Identifier: GPL-2.0 */
/* TLS towards a service: expected name, and the CAs to verify it with. */
#ifndef GW_BACKEND_TLS_H
#define GW_BACKEND_TLS_H

#include <fmp/error.h>

struct bufferevent;
struct event_base;
struct gw_tls_meter;
struct ssl_ctx_st;

/**
 * gw_backend_tls_new() - @ca: PEM file, read now. Return: 0; FMP_ERR_IO, FMP_ERR_INVALID,
 * FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int gw_backend_tls_new(const char *ca, struct ssl_ctx_st **out,
				      struct fmp_error *err);
void gw_backend_tls_free(struct ssl_ctx_st *ctx);

/**
 * gw_backend_tls_connect() - start TLS on one connection
 * @fd: connected; belongs to the bufferevent unless NULL is returned
 * @name: DNS name or address that the certificate must contain
 * @meter: all 0
 *
 * Return: NULL without memory.
 */
struct bufferevent *gw_backend_tls_connect(struct ssl_ctx_st *ctx, struct event_base *base, int fd,
					   const char *name, struct gw_tls_meter *meter);

#endif
