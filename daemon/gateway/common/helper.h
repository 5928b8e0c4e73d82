/* SPDX-License-Identifier: GPL-2.0 */
/* Starts helper processes, and passes file descriptors between processes. */
#ifndef GW_HELPER_H
#define GW_HELPER_H

#include <stdbool.h>
#include <sys/types.h>

#include <fmp/error.h>

/**
 * gw_helper_new() - fork a helper process
 * @run: runs in it with one end of a SOCK_SEQPACKET pair; does not return
 *
 * Return: the other end, close-on-exec; FMP_ERR_IO.
 */
FMP_MUST_CHECK int gw_helper_new(void (*run)(const void *ctx, int fd), const void *ctx,
				 struct fmp_error *err);
/** gw_helper_start() - like gw_helper_new(), for a helper to be waited for. @pid: of the helper */
FMP_MUST_CHECK int gw_helper_start(void (*run)(const void *ctx, int fd), const void *ctx,
				   pid_t *pid, struct fmp_error *err);

/** gw_helper_send_fd() - the caller keeps @fd and closes it. Return: true if it was sent. */
bool gw_helper_send_fd(int socket, int fd);
/**
 * gw_helper_receive_fd() - blocks. Return: the descriptor; -1: the peer is gone, or sent anything
 * else.
 */
int gw_helper_receive_fd(int socket);

#endif
