/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What connections hold together: requests until they are answered, answers until they are read.
 *
 * Above the policy's limit one of the source that holds most gives way, the one that holds most
 * itself: whoever fills the memory loses by it, and nobody who comes after him.
 *
 * An answer that is on its way in is obeyed already: it does not give way, but is not read from the
 * service before there is room for all of it. All that may come take half of the memory at most, or
 * one takes what it needs, until they are on their way to their clients: so each that may come can be
 * read to its end, and one always may. Room is
 * made by those of sources that hold more than its own would; else it waits for its turn, the source
 * that holds least first, until the time for an answer is over.
 */
#ifndef GW_BUFFER_BUDGET_H
#define GW_BUFFER_BUDGET_H

#include <stdbool.h>

#include "connection.h"

struct gw_call;

/** gw_buffer_budget_init() - Return: false without memory. */
bool gw_buffer_budget_init(struct gw_shared *s);
void gw_buffer_budget_exit(struct gw_shared *s);
/** gw_buffer_budget_update() - after what a connection holds has changed. Closes none at once. */
void gw_buffer_budget_update(struct gw_connection *c);

/** gw_buffer_budget_request_sent() - a call holds the request now; the connection holds its body no more. */
void gw_buffer_budget_request_sent(struct gw_connection *c, struct gw_call *call);
/** gw_buffer_budget_reserve_reply() - for its answer, see struct gw_call_ops. Closes none at once. */
bool gw_buffer_budget_reserve_reply(struct gw_connection *c, size_t have, size_t most);
/** gw_buffer_budget_reply_received() - the call is over. @answer: bytes that came and are held still */
void gw_buffer_budget_reply_received(struct gw_connection *c, size_t answer);
/** gw_buffer_budget_reply_forwarded() - of the answer is held only what the client has not read yet. */
void gw_buffer_budget_reply_forwarded(struct gw_connection *c);

#endif
