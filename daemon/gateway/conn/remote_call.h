/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A request of a program of this machine to a remote service: it is forwarded unchanged, and the reply
 * is inspected.
 */
#ifndef GW_REMOTE_CALL_H
#define GW_REMOTE_CALL_H

struct gw_connection;

/** gw_remote_call_begin() - send the request that the connection's job holds. */
void gw_remote_call_begin(struct gw_connection *c);

#endif
