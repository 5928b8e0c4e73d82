/* SPDX-License-Identifier: GPL-2.0 */
/* Private keys as those see them who do not have them: the public half, and whom to ask. */
#ifndef GW_REMOTE_KEYS_H
#define GW_REMOTE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/inspect.h>

/* Where a worker finds its keeper. */
#define GW_REMOTE_KEYS_FD   4
/* Exit status of a worker that finds its keeper gone: not the doing of its message. */
#define GW_REMOTE_KEYS_EXIT 3

/** gw_remote_keys_load() - for a struct fmp_key_source; ctx is the socket of gw_key_agent_new(), an int */
int gw_remote_keys_load(void *ctx, const char *path, enum fmp_key_use use, struct evp_pkey_st **out,
			struct fmp_error *err);
/** gw_remote_keys_ready() - no more of them; the keeper gives up its rights. Return: 0, or its code. */
FMP_MUST_CHECK int gw_remote_keys_ready(int keeper, struct fmp_error *err);
/** gw_remote_keys_cpu_ns() - CPU time that the keeper has used for this process so far. */
uint64_t gw_remote_keys_cpu_ns(void);

#endif
