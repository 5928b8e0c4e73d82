/* SPDX-License-Identifier: GPL-2.0 */
/* A message of a connection at the workers, and the decrypt budget of its sender. */
#ifndef GW_INSPECTION_H
#define GW_INSPECTION_H

#include <stdbool.h>

struct fmp_addr;
struct gw_connection;

/** gw_inspection_submit() - give the connection's job to a worker. */
void gw_inspection_submit(struct gw_connection *c);
/** gw_inspection_sender() - source key of the sender of what is, or was, inspected. */
const struct fmp_addr *gw_inspection_sender(const struct gw_connection *c);
/** gw_inspection_accepts_cbc() - does the service decrypt under CBC, which needs the budget? */
bool gw_inspection_accepts_cbc(const struct gw_connection *c);
/** gw_inspection_spend_budget() - a message was refused after decryption. */
void gw_inspection_spend_budget(struct gw_connection *c);

#endif
