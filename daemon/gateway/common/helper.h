/* SPDX-License-Identifier: GPL-2.0 */
/* Processes beside the listener, and file descriptors from one to another. */
#ifndef GW_HELPER_H
#define GW_HELPER_H

#include <stdbool.h>
#include <sys/types.h>

#include <fmp/error.h>

/**
 * gw_helper_new() - a process, forked from this one
 * @be: what it does, with its end of a pair of SOCK_SEQPACKET; does not return
 *
 * Return: the other end, which exec() closes; FMP_ERR_IO.
 */
FMP_MUST_CHECK int gw_helper_new(void (*be)(const void *ctx, int fd), const void *ctx,
				 struct fmp_error *err);
/** gw_helper_start() - the same. @pid: of one that is to be waited for */
FMP_MUST_CHECK int gw_helper_start(void (*be)(const void *ctx, int fd), const void *ctx, pid_t *pid,
				   struct fmp_error *err);

/** gw_helper_send_fd() - closing it stays with the caller. Return: was it sent? */
bool gw_helper_send_fd(int socket, int fd);
/** gw_helper_receive_fd() - waits. Return: it; -1: nobody is left to send one, or it was something else. */
int gw_helper_receive_fd(int socket);

#endif
