/* SPDX-License-Identifier: GPL-2.0 */
/* The file behind the memory of replays: of a process and its children, or of those that follow, too. */
#ifndef FMPI_WSS_REPLAY_FILE_H
#define FMPI_WSS_REPLAY_FILE_H

#include <fmp/error.h>
#include <stddef.h>

/*
 * Return, of all: a descriptor of 10 or higher that exec() closes; FMP_ERR_IO; FMP_ERR_DENIED:
 * what is there is not ours alone. What was not there before is all 0.
 */

/** fmpi_replay_file_anonymous() - without a name. */
int fmpi_replay_file_anonymous(size_t size, struct fmp_error *err);
/** fmpi_replay_file_open() - the one that is there; FMP_ERR_NOTFOUND: none is, of this size. */
int fmpi_replay_file_open(const char *path, size_t size, struct fmp_error *err);
/** fmpi_replay_file_open_any() - the one that is there, of any size, which is told. */
int fmpi_replay_file_open_any(const char *path, size_t *size, struct fmp_error *err);
/** fmpi_replay_file_replace() - in the place of what is there, which others may have open still. */
int fmpi_replay_file_replace(const char *path, size_t size, struct fmp_error *err);

/** fmpi_replay_file_check() - would the one or the other do? Nothing is left behind. Return: 0, or their codes. */
int fmpi_replay_file_check(const char *path, size_t size, struct fmp_error *err);

#endif
