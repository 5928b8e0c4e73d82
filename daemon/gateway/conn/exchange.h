/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One request and its reply: routing, the worker's verdict, the service, and back.
 *
 * A request for a local service is inspected and then forwarded. A request of a local program for a
 * remote service is forwarded unchanged, and the reply is inspected.
 */
#ifndef GW_EXCHANGE_H
#define GW_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>

struct gw_connection;
struct gw_shared;

/**
 * gw_exchange_route() - select the service; when the header is complete. Return: false: refused.
 */
bool gw_exchange_route(struct gw_connection *c);
/** gw_exchange_begin() - run the request; when it is complete. */
void gw_exchange_begin(struct gw_connection *c);
/**
 * gw_exchange_begin_root() - run a request of which only the root part has come.
 * @len: bytes of the body up to the boundary behind it
 */
void gw_exchange_begin_root(struct gw_connection *c, size_t len);
/** gw_exchange_release_reply() - free the reply; it is being sent to the client. */
void gw_exchange_release_reply(struct gw_connection *c);
/** gw_exchange_reset() - free all that it holds except the request. */
void gw_exchange_reset(struct gw_connection *c);
/**
 * gw_exchange_count_crl_missing() - count and log that a message could not be evaluated without
 * CRLs.
 */
void gw_exchange_count_crl_missing(struct gw_shared *s, const char *detail);

#endif
