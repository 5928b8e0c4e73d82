/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits what all connections buffer: requests until they are forwarded, replies until they are
 * read.
 *
 * Above the policy's limit the source that buffers most gives way with its largest connection: a
 * host that fills the memory loses by it, not the hosts that come later.
 *
 * The service has already acted on a message whose reply arrives, so a reply never gives way.
 * Instead it is not read before all of it fits. Reservations of replies take half of the limit at
 * most, or one takes what it needs, until they are forwarded: so each reserved reply can be read to
 * its end, and one always can. Room is made by sources that buffer more than the reply's own source
 * would. Otherwise the reply waits, the source that buffers least first, until the reply's
 * deadline.
 */
#ifndef GW_BUFFER_BUDGET_H
#define GW_BUFFER_BUDGET_H

#include <stdbool.h>

#include "connection.h"

struct gw_call;

/** gw_buffer_budget_init() - Return: false without memory. */
bool gw_buffer_budget_init(struct gw_shared *s);
void gw_buffer_budget_exit(struct gw_shared *s);
/**
 * gw_buffer_budget_update() - a connection's buffers have changed. Closes no connection at once.
 */
void gw_buffer_budget_update(struct gw_connection *c);

/** gw_buffer_budget_request_sent() - the call holds a copy of the request; frees what it holds. */
void gw_buffer_budget_request_sent(struct gw_connection *c, struct gw_call *call);
/**
 * gw_buffer_budget_reserve_reply() - see reserve() of struct gw_call_ops. Closes no connection at
 * once.
 */
bool gw_buffer_budget_reserve_reply(struct gw_connection *c, size_t have, size_t max);
/**
 * gw_buffer_budget_reply_received() - the call is over. @reply_bytes: bytes of the reply still buffered
 */
void gw_buffer_budget_reply_received(struct gw_connection *c, size_t reply_bytes);
/** gw_buffer_budget_reply_forwarded() - only what the client has not read yet is buffered. */
void gw_buffer_budget_reply_forwarded(struct gw_connection *c);

#endif
