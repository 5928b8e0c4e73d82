/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the bytes of a client to requests: each that is complete is run, and each that is refused
 * answered. Meanwhile the crash attribution page names the client.
 */
#ifndef GW_RECEIVE_H
#define GW_RECEIVE_H

struct gw_connection;

/** gw_receive_requests() - parse what has come, until a request is complete or the input is empty. */
void gw_receive_requests(struct gw_connection *c);
/** gw_receive_refuse_pending() - respond to a refusal that waits for the end of the header. */
void gw_receive_refuse_pending(struct gw_connection *c);
/** gw_receive_clear_crash_page() - nobody's bytes are being read. */
void gw_receive_clear_crash_page(struct gw_connection *c);

#endif
