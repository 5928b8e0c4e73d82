/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPI_ENFORCE_KILL_CONNECTIONS_H
#define FMPI_ENFORCE_KILL_CONNECTIONS_H

#include <libmnl/libmnl.h>

#include <fmp/source.h>

/* Parse a message of sock_diag. Return: false if it describes no connection. */
bool fmpi_kill_connections_parse(const struct nlmsghdr *nlh, struct fmp_addr *peer,
				 uint16_t *local_port);

#endif
