/* SPDX-License-Identifier: GPL-2.0 */
/* Private keys held by the key agent: the public half here, operations by request to the agent. */
#ifndef GW_REMOTE_KEYS_H
#define GW_REMOTE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/inspect.h>

/* Descriptor of a worker's socket to its key agent. */
#define GW_REMOTE_KEYS_FD   4
/* Exit status of a worker whose agent is gone: not caused by its message. */
#define GW_REMOTE_KEYS_EXIT 3

/**
 * gw_remote_keys_load() - for struct fmp_key_source; ctx is an int, the socket of
 * gw_key_agent_new()
 *
 * Keys for FMP_KEY_CLIENT come from an agent of their own, which agent_call.h asks.
 */
int gw_remote_keys_load(void *ctx, const char *path, enum fmp_key_use use, struct evp_pkey_st **out,
			struct fmp_error *err);
/**
 * gw_remote_keys_ready() - all keys are loaded; the agent drops its privileges. Return: 0, or its
 * error.
 */
FMP_MUST_CHECK int gw_remote_keys_ready(int agent, struct fmp_error *err);
/** gw_remote_keys_cpu_ns() - CPU time that the agent spent for this process so far. */
uint64_t gw_remote_keys_cpu_ns(void);

#endif
