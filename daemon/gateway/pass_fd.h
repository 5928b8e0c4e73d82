/* SPDX-License-Identifier: GPL-2.0 */
/* A file descriptor from one process of the gateway to another. */
#ifndef GW_PASS_FD_H
#define GW_PASS_FD_H

#include <stdbool.h>

/** gw_pass_fd() - closing it stays with the caller. Return: was it sent? */
bool gw_pass_fd(int socket, int fd);
/** gw_take_fd() - waits. Return: it; -1: nobody is left to send one, or it was something else. */
int gw_take_fd(int socket);

#endif
