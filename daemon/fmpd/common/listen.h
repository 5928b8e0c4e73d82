/* SPDX-License-Identifier: GPL-2.0 */
/* The gateway's listening socket: bound once, so that no gateway's death loses what waits in it. */
#ifndef FMPD_LISTEN_H
#define FMPD_LISTEN_H

#include <stddef.h>

#include <fmp/error.h>

#include "options.h"

/**
 * fmpd_listen() - @text: the address that was bound; of port 0 a real one
 *
 * Takes up to 3 s where another program listens there. Return: 0, FMP_ERR_IO.
 */
FMP_MUST_CHECK int fmpd_listen(const struct fmpd_options *o, int *fd, char *text, size_t size,
			       struct fmp_error *err);

#endif
