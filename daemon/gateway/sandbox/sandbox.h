/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Drops privileges of the gateway's processes: they read bytes from the network, so they run as
 * their own uid without capabilities, with no_new_privs, an allow-list of system calls and resource
 * limits.
 */
#ifndef GW_SANDBOX_H
#define GW_SANDBOX_H

#include <stddef.h>

#include <fmp/error.h>

#include "seccomp_filter.h"

/** CPU seconds after which a worker is replaced, between two messages. */
#define GW_WORKER_RETIRE_S 600

/**
 * gw_sandbox_check_user() - check that the user exists. Return: 0; FMP_ERR_NOTFOUND,
 * FMP_ERR_DENIED. Without root it is not needed.
 */
FMP_MUST_CHECK int gw_sandbox_check_user(const char *user, struct fmp_error *err);

/**
 * gw_sandbox_hide_memory() - protect our memory from processes of the same uid (PR_SET_DUMPABLE)
 *
 * Call it before a key or password is read: the kernel does the same only when the uid changes.
 * Forked processes inherit it.
 *
 * Return: 0, FMP_ERR_DENIED.
 */
FMP_MUST_CHECK int gw_sandbox_hide_memory(struct fmp_error *err);

/**
 * gw_sandbox_enter() - drop all privileges for good, before the first byte is read and the first
 * worker starts
 * @user: name or number; without root the uid is kept
 * @connections: open at once, for the limit of file descriptors
 *
 * Return: 0; FMP_ERR_DENIED, FMP_ERR_NOTFOUND: the process must not continue.
 */
FMP_MUST_CHECK int gw_sandbox_enter(enum gw_role role, const char *user, unsigned connections,
				    struct fmp_error *err);

/**
 * gw_sandbox_worker() - apply the narrower sandbox of a worker, in its process
 * @shared_fd: file shared with other workers, which must not grow; -1: none
 * @memory: bytes of address space
 *
 * Return: 0, FMP_ERR_DENIED.
 */
FMP_MUST_CHECK int gw_sandbox_worker(int shared_fd, size_t memory, struct fmp_error *err);

/**
 * gw_sandbox_check_memory() - is this limit enough for a worker, which inherits our memory, and a
 * message?
 *
 * Without the check every message would look like one that crashed a worker. Return: 0,
 * FMP_ERR_LIMIT.
 */
FMP_MUST_CHECK int gw_sandbox_check_memory(size_t memory, size_t message, struct fmp_error *err);

#endif
