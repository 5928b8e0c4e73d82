/* SPDX-License-Identifier: GPL-2.0 */
/* How every program of ours connects to fmpd and verifies that it is fmpd. */
#ifndef FMPI_REPORT_CLIENT_H
#define FMPI_REPORT_CLIENT_H

#include <fmp/control.h>

/**
 * fmpi_client_open() - connect to a socket of fmpd, and check who listens
 * @path: NULL: @standard, then that of an fmpd which the user runs, unless the user is root
 * @name: name of that one beside its control socket; NULL: the control socket itself
 *
 * The folder must belong to root or to the caller and not be writable by others (unless sticky);
 * the listener must run as root or as the caller.
 *
 * Return: 0, FMP_ERR_IO (no daemon), FMP_ERR_DENIED (another user listens), FMP_ERR_INVALID.
 */
FMP_MUST_CHECK int fmpi_client_open(const char *path, const char *standard, const char *name,
				    struct fmp_client **out, struct fmp_error *err);

#endif
