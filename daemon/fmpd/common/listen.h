/* SPDX-License-Identifier: GPL-2.0 */
/* The gateway's listening socket. fmpd binds it once: connections that wait in it outlive a gateway that dies. */
#ifndef FMPD_LISTEN_H
#define FMPD_LISTEN_H

#include <stddef.h>

#include <fmp/error.h>

#include "options.h"

/**
 * fmpd_listen() - bind and listen
 * @text: the address that was bound; for port 0 it has the port that the kernel chose
 *
 * Waits up to 3 s for an address that is in use. Return: 0, FMP_ERR_IO.
 */
FMP_MUST_CHECK int fmpd_listen(const struct fmpd_options *o, int *fd, char *text, size_t size,
			       struct fmp_error *err);

#endif
