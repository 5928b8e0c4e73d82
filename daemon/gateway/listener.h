/* SPDX-License-Identifier: GPL-2.0 */
/* The listener process: accepts, limits, obeys fmpd; never parses what it carries. */
#ifndef GW_LISTENER_H
#define GW_LISTENER_H

#include "common/settings.h"

/** gw_listener_run() - serves until told to stop. Return: exit status of the process. */
int gw_listener_run(struct gw_settings *s);

#endif
