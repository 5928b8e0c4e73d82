/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The listener process: accepts connections, applies limits and fmpd's requests; never parses XML.
 */
#ifndef GW_LISTENER_H
#define GW_LISTENER_H

#include "common/settings.h"

/** gw_listener_run() - serve until asked to stop. Return: exit status of the process. */
int gw_listener_run(struct gw_settings *s);

#endif
