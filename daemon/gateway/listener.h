/* SPDX-License-Identifier: GPL-2.0 */
/* The listener process: accepts, limits, obeys fmpd; never parses what it carries. */
#ifndef GW_LISTENER_H
#define GW_LISTENER_H

#include <fmp/internal/gateway_settings.h>

/** gw_listener_run() - serves until told to stop. Return: exit status of the process. */
int gw_listener_run(struct fmp_gateway_settings *s);

#endif
