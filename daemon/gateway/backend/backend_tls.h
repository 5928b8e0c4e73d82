/* SPDX-License-Identifier: GPL-2.0 */
/* TLS towards a service: its expected name and CAs, and our client certificate. */
#ifndef GW_BACKEND_TLS_H
#define GW_BACKEND_TLS_H

#include <fmp/error.h>

struct bufferevent;
struct event_base;
struct fmp_key_source;
struct fmp_policy_backend_tls;
struct gw_tls_meter;
struct ssl_ctx_st;

/**
 * gw_backend_tls_new() - read the files that the policy names
 * @keys: loads the key of the client certificate; NULL: into this process
 *
 * Return: 0; FMP_ERR_IO, FMP_ERR_INVALID, FMP_ERR_CONFLICT (the key is not the certificate's),
 * FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int gw_backend_tls_new(const struct fmp_policy_backend_tls *policy,
				      const struct fmp_key_source *keys, struct ssl_ctx_st **out,
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

/** gw_backend_tls_error() - why a connection ended. Return: static text; NULL: not due to TLS. */
const char *gw_backend_tls_error(struct bufferevent *bev);

#endif
