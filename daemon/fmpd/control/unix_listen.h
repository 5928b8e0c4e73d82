/* SPDX-License-Identifier: GPL-2.0 */
/* Listening unix stream sockets. */
#ifndef FMPD_UNIX_LISTEN_H
#define FMPD_UNIX_LISTEN_H

#include <stdbool.h>
#include <sys/types.h>

#include <fmp/error.h>

/** fmpd_unix_held() - does a running process listen there? */
bool fmpd_unix_held(const char *path);

/** fmpd_unix_dir() - make the directory of a socket if it does not exist. @ours: it must belong to our user, and no
 * other user may write to it. */
FMP_MUST_CHECK int fmpd_unix_dir(const char *path, bool ours, struct fmp_error *err);

/** fmpd_unix_listen() - replaces a socket that a dead fmpd left, but none that a process holds. */
FMP_MUST_CHECK int fmpd_unix_listen(const char *path, mode_t mode, int backlog, int *out,
				    struct fmp_error *err);

#endif
