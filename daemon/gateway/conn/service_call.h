/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The call of a service for a connection: its request, its end without a reply, and the reply, which is
 * forwarded, or signed and encrypted first.
 */
#ifndef GW_SERVICE_CALL_H
#define GW_SERVICE_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include "../backend/backend.h"

struct fmp_identity_fields;
struct gw_connection;

/**
 * gw_service_call_send() - send a request with its target and fields
 * @identity: NULL: nobody was verified
 *
 * Return: false without memory.
 */
bool gw_service_call_send(struct gw_connection *c, struct gw_request *r, bool changed,
			  const struct fmp_identity_fields *identity,
			  const struct gw_call_ops *ops);
/** gw_service_call_reserve() - for struct gw_call_ops: room for a long reply. */
bool gw_service_call_reserve(void *ctx, size_t have, size_t max);

/** gw_service_call_fail() - @status: 503: the service received nothing */
void gw_service_call_fail(struct gw_connection *c, int status, const char *why);
/** gw_service_call_take_back() - the service can't have got the message: its copy is no replay. */
void gw_service_call_take_back(struct gw_connection *c);
/** gw_service_call_end() - answer with a Fault, if the client is still there. */
void gw_service_call_end(struct gw_connection *c, int status, const char *reason);

/** gw_service_call_reply() - forward or secure a reply; the source is never charged for it. */
void gw_service_call_reply(struct gw_connection *c, const struct gw_reply *r);
/** gw_service_call_refuse_reply() - it can't be forwarded. */
void gw_service_call_refuse_reply(struct gw_connection *c, const char *why);
/** gw_service_call_is_soap_status() - may a reply with this status be a message of SOAP? */
bool gw_service_call_is_soap_status(const struct gw_reply *r);
/** gw_service_call_is_soap() - is its type one of SOAP, with or without attachments? */
bool gw_service_call_is_soap(const struct gw_reply *r);

#endif
