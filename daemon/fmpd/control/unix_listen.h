/* SPDX-License-Identifier: GPL-2.0 */
/* Listening unix stream sockets. */
#ifndef FMPD_UNIX_LISTEN_H
#define FMPD_UNIX_LISTEN_H

#include <stdbool.h>
#include <sys/types.h>

#include <fmp/error.h>

/** fmpd_unix_held() - does a living process listen there? */
bool fmpd_unix_held(const char *path);

/** fmpd_unix_dir() - the directory of a socket: made if it is not there. @ours: must belong to us,
 * and is for nobody else. */
FMP_MUST_CHECK int fmpd_unix_dir(const char *path, bool ours, struct fmp_error *err);

/** fmpd_unix_listen() - one that a dead fmpd left is taken away, one that somebody holds is not. */
FMP_MUST_CHECK int fmpd_unix_listen(const char *path, mode_t mode, int backlog, int *out,
				    struct fmp_error *err);

#endif
