/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One request and its answer: whom it is for, the worker's verdict, the service, back.
 *
 * A request for a service is inspected and then handed on; one of a local program for a
 * remote service is handed on as it is, and the answer is inspected.
 */
#ifndef GW_EXCHANGE_H
#define GW_EXCHANGE_H

#include <stdbool.h>

struct gw_connection;
struct gw_shared;

/** gw_exchange_route() - when the headers are there. Return: false: it was refused. */
bool gw_exchange_route(struct gw_connection *c);
/** gw_exchange_begin() - when the request is whole. */
void gw_exchange_begin(struct gw_connection *c);
/** gw_exchange_release_reply() - the answer is on its way to the client: frees what was held of it. */
void gw_exchange_release_reply(struct gw_connection *c);
/** gw_exchange_reset() - frees what it held beside the request. */
void gw_exchange_reset(struct gw_connection *c);
/** gw_exchange_count_crl_missing() - what could not be judged for want of revocation lists is counted, and told. */
void gw_exchange_count_crl_missing(struct gw_shared *s, const char *detail);

#endif
