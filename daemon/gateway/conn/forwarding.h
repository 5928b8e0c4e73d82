/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a message is forwarded with: the fields and the target of a request, the fields of a reply.
 */
#ifndef GW_FORWARDING_H
#define GW_FORWARDING_H

#include <stdbool.h>

#include <fmp/internal/field_list.h>

struct gw_connection;
struct gw_reply;

/** struct gw_forwarding - of one request; starts as all 0 */
struct gw_forwarding {
	struct fmp_field_list fields;
	struct fmp_field_list target; /**< ends with a NUL */
};

/**
 * gw_forwarding_of_request() - prepare the request of a connection for its service
 * @changed: the body is not the received one
 *
 * Return: false without memory.
 */
bool gw_forwarding_of_request(const struct gw_connection *c, bool changed,
			      struct gw_forwarding *out);
void gw_forwarding_clear(struct gw_forwarding *f);

/**
 * gw_forwarding_of_reply() - fields of a service's reply for the client
 * @changed: its body is not forwarded, or in another form
 *
 * Return: false without memory.
 */
bool gw_forwarding_of_reply(const struct gw_connection *c, const struct gw_reply *r, bool changed,
			    struct fmp_field_list *out);

#endif
