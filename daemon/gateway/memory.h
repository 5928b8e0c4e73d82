/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What connections hold together: requests until they are answered, answers until they are read.
 *
 * Above the policy's limit one of the source that holds most gives way, the one that holds most
 * itself: whoever fills the memory loses by it, and nobody who comes after him.
 */
#ifndef GW_MEMORY_H
#define GW_MEMORY_H

#include <stdbool.h>

#include "connection.h"

/** gw_memory_begin() - Return: false without memory. */
bool gw_memory_begin(struct gw_shared *s);
void gw_memory_end(struct gw_shared *s);
/** gw_memory_count() - after what a connection holds has changed. Closes none at once. */
void gw_memory_count(struct gw_connection *c);

#endif
