/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The process that forks workers. It is created before the TLS key is read, so that no worker has
 * the key in memory. Workers are children of the listener.
 */
#ifndef GW_FORK_SERVER_H
#define GW_FORK_SERVER_H

#include <sys/types.h>

#include <fmp/error.h>

#include "../common/settings.h"

/**
 * gw_fork_server_new() - fork it with the services, before secrets that workers must not have are
 * read
 *
 * It ends with its parent, and when the parent closes the socket.
 * Return: its socket, FMP_ERR_IO.
 */
FMP_MUST_CHECK int gw_fork_server_new(const struct gw_settings *s, struct fmp_error *err);

/**
 * gw_fork_server_fork() - fork a worker that serves fd
 * @server: from gw_fork_server_new()
 * @fd: the caller keeps and closes it
 *
 * Return: the worker, a child of the caller; -1: none, with errno EPIPE if the fork server is gone.
 */
pid_t gw_fork_server_fork(int server, int fd);

#endif
