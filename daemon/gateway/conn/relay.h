/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A service's reply with attachments, passed to the client as it comes: the memory for it does not
 * depend on its length. Only where replies are neither inspected nor signed.
 */
#ifndef GW_RELAY_H
#define GW_RELAY_H

#include <stdbool.h>
#include <stddef.h>

struct gw_connection;
struct gw_reply;

/** gw_relay_begin() - @c: a struct gw_connection. Return: true: pass the body to gw_relay_data(). */
bool gw_relay_begin(void *c, const struct gw_reply *r);
void gw_relay_data(void *c, const void *bytes, size_t len);
/** gw_relay_resume() - the client has read what was sent to it. */
void gw_relay_resume(struct gw_connection *c);
/** gw_relay_end() - the reply is complete, or broken off. */
void gw_relay_end(struct gw_connection *c, const struct gw_reply *r);
/** gw_relay_cancel() - the client is gone. */
void gw_relay_cancel(struct gw_connection *c);

#endif
