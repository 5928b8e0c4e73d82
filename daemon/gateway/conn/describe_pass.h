/* SPDX-License-Identifier: GPL-2.0 */
/* GET of a description that the service itself answers. */
#ifndef GW_DESCRIBE_PASS_H
#define GW_DESCRIBE_PASS_H

#include <stdbool.h>

#include <fmp/internal/describe.h>

struct gw_connection;

/** gw_describe_url() - the URL by which the client sees a path. Return: false: its host is none. */
bool gw_describe_url(const struct gw_connection *c, const char *path, char url[FMP_DESCRIBE_URL]);
/** gw_describe_take_budget() - Return: false: its source has had as many bytes as it may. */
bool gw_describe_take_budget(struct gw_connection *c, size_t bytes);
/** gw_describe_report() - an answer follows. It is no message: no credit, and no points. */
void gw_describe_report(struct gw_connection *c);
/** gw_describe_pass() - ask the service, and respond with what it answers. */
void gw_describe_pass(struct gw_connection *c);

#endif
