/* SPDX-License-Identifier: GPL-2.0 */
/* The file behind the replay cache: anonymous, or named to outlive the gateway. */
#ifndef FMPI_WSS_REPLAY_FILE_H
#define FMPI_WSS_REPLAY_FILE_H

#include <fmp/error.h>
#include <stddef.h>

/*
 * All functions return a descriptor of 10 or higher that exec() closes; FMP_ERR_IO; FMP_ERR_DENIED:
 * others may write the file. A new file is all 0.
 */

/** fmpi_replay_file_anonymous() - create memory without a name */
int fmpi_replay_file_anonymous(size_t size, struct fmp_error *err);
/** fmpi_replay_file_open() - open the existing file; FMP_ERR_NOTFOUND: none of this size */
int fmpi_replay_file_open(const char *path, size_t size, struct fmp_error *err);
/** fmpi_replay_file_open_any() - open the existing file of any size, which is returned in @size */
int fmpi_replay_file_open_any(const char *path, size_t *size, struct fmp_error *err);
/** fmpi_replay_file_replace() - create a file in place of the existing one, which others may still have open */
int fmpi_replay_file_replace(const char *path, size_t size, struct fmp_error *err);

/** fmpi_replay_file_check() - would opening or creating it work? Creates nothing. Return: 0, or their codes. */
int fmpi_replay_file_check(const char *path, size_t size, struct fmp_error *err);

#endif
