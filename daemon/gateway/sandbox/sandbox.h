/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The gateway reads bytes from the network, so it has no rights: own uid, no
 * capabilities, no new privileges, an allow-list of system calls, limits.
 */
#ifndef GW_SANDBOX_H
#define GW_SANDBOX_H

#include <stddef.h>

#include <fmp/error.h>

#include "seccomp_filter.h"

/** CPU seconds after which a worker makes room for a fresh one, between two messages. */
#define GW_WORKER_RETIRE_S 600

/** gw_sandbox_check_user() - whether there is one that it could become. Return: 0; FMP_ERR_NOTFOUND,
 * FMP_ERR_DENIED. Without root it needs none. */
FMP_MUST_CHECK int gw_sandbox_check_user(const char *user, struct fmp_error *err);

/**
 * gw_sandbox_hide_memory() - our memory from others of our uid, before there is a key or a password in it
 *
 * The kernel does so when the uid changes, and only then. Processes that are forked inherit it.
 *
 * Return: 0, FMP_ERR_DENIED.
 */
FMP_MUST_CHECK int gw_sandbox_hide_memory(struct fmp_error *err);

/**
 * gw_sandbox_enter() - for good, before the first byte is read and before the first worker
 * @user: name or number of the uid; without root the uid is kept
 * @connections: open at once, for the limit of file descriptors
 *
 * Return: 0; FMP_ERR_DENIED, FMP_ERR_NOTFOUND: the process must not go on.
 */
FMP_MUST_CHECK int gw_sandbox_enter(enum gw_role role, const char *user, unsigned connections,
				    struct fmp_error *err);

/**
 * gw_sandbox_worker() - the narrower one of a worker, in its process
 * @shared_fd: the file that it shares with others, which it can't make longer; -1: none
 * @memory: bytes of its address space
 *
 * Return: 0, FMP_ERR_DENIED.
 */
FMP_MUST_CHECK int gw_sandbox_worker(int shared_fd, size_t memory, struct fmp_error *err);

/**
 * gw_sandbox_check_memory() - is so much memory enough for a worker, which has all that is here now, and a message?
 *
 * Else every message would be called one that a worker died over. Return: 0, FMP_ERR_LIMIT.
 */
FMP_MUST_CHECK int gw_sandbox_check_memory(size_t memory, size_t message, struct fmp_error *err);

#endif
