/* SPDX-License-Identifier: GPL-2.0 */
/* Fields of a request that tell the service who sent it, as far as that was verified. */
#ifndef GW_IDENTITY_H
#define GW_IDENTITY_H

#include <stdbool.h>

#include <fmp/internal/field_list.h>
#include <fmp/internal/identity_fields.h>

struct gw_connection;

/**
 * gw_identity_add() - append them, if the service's policy forwards them
 * @of_message: as a worker verified it
 *
 * Return: false without memory.
 */
bool gw_identity_add(const struct gw_connection *c, const struct fmp_identity_fields *of_message,
		     struct fmp_field_list *out);

#endif
