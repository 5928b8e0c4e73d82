/* SPDX-License-Identifier: GPL-2.0 */
/* GET and HEAD of a service's description (?wsdl and its imports): answered, passed on, or refused. */
#ifndef GW_DESCRIBE_H
#define GW_DESCRIBE_H

struct gw_connection;

/**
 * gw_describe() - respond to a GET or HEAD whose header is complete
 *
 * Never charged as an attack: every client of a Web service may begin so, and a link makes any
 * browser send it. No worker takes part.
 */
void gw_describe(struct gw_connection *c);

#endif
