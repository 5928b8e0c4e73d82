/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The process that forks workers: it came to be before the TLS key was read, so that no
 * worker's memory holds that. Its workers are children of the listener.
 */
#ifndef GW_FORK_SERVER_H
#define GW_FORK_SERVER_H

#include <sys/types.h>

#include <fmp/error.h>

#include "../common/settings.h"

/**
 * gw_fork_server_new() - with services, and without all that workers must not have
 *
 * It ends with its caller, and when the caller closes the socket.
 * Return: its socket, FMP_ERR_IO.
 */
FMP_MUST_CHECK int gw_fork_server_new(const struct gw_settings *s, struct fmp_error *err);

/**
 * gw_fork_server_fork() - a worker that serves fd
 * @spawner: what gw_fork_server_new() returned
 * @fd: closing it stays with the caller
 *
 * Return: the worker, to be waited for as any child; -1: there is none, errno EPIPE where the
 * spawner is gone.
 */
pid_t gw_fork_server_fork(int spawner, int fd);

#endif
