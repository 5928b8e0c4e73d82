/* SPDX-License-Identifier: GPL-2.0 */
/* A worker process: one message at a time through the ladder and to what is to be forwarded. */
#ifndef GW_WORKER_H
#define GW_WORKER_H

#include "../common/settings.h"

/** gw_worker_run() - serves jobs from fd until it closes. Return: exit status of the process. */
int gw_worker_run(const struct gw_settings *s, int fd);

#endif
