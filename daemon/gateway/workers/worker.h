/* SPDX-License-Identifier: GPL-2.0 */
/* A worker process: evaluates one message at a time and prepares what is forwarded. */
#ifndef GW_WORKER_H
#define GW_WORKER_H

#include "../common/settings.h"

/** gw_worker_run() - serve jobs from fd until it closes. Return: exit status of the process. */
int gw_worker_run(const struct gw_settings *s, int fd);

#endif
