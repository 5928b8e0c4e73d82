/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Replace a file as a whole or not at all, even if power fails: write a new file beside it,
 * sync that, rename it over the old one, and sync the directory.
 */
#ifndef FMPD_ATOMIC_FILE_H
#define FMPD_ATOMIC_FILE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <fmp/error.h>

/** struct fmpd_disk - the system calls used; a test replaces them by a disk that fails. */
struct fmpd_disk {
	int (*create)(const char *path, mode_t mode); /**< an empty file, for writing */
	ssize_t (*write)(int fd, const void *bytes, size_t n);
	int (*sync)(int fd);
	int (*close)(int fd);
	int (*rename)(const char *from, const char *to);
	int (*sync_dir)(const char *path);
	int (*unlink)(const char *path);
};
/** fmpd_disk - the real one. */
extern const struct fmpd_disk fmpd_disk;

struct fmpd_file {
	const struct fmpd_disk *disk;
	char path[PATH_MAX], temp[PATH_MAX];
	int fd;
	size_t len; /* of buf */
	uint8_t buf[32768];
};

/** fmpd_file_begin() - Return: 0, FMP_ERR_IO, FMP_ERR_INVALID for a path that is too long. */
FMP_MUST_CHECK int fmpd_file_begin(struct fmpd_file *f, const struct fmpd_disk *disk,
				   const char *path, mode_t mode, struct fmp_error *err);
FMP_MUST_CHECK int fmpd_file_put(struct fmpd_file *f, const void *bytes, size_t n,
				 struct fmp_error *err);
/** fmpd_file_commit() - replace the old file; on failure the old one is unchanged. */
FMP_MUST_CHECK int fmpd_file_commit(struct fmpd_file *f, struct fmp_error *err);
/** fmpd_file_abort() - drop the new file, instead of a commit. */
void fmpd_file_abort(struct fmpd_file *f);

#endif
