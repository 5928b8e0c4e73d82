// SPDX-License-Identifier: GPL-2.0
#include "replay_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Above the few descriptors that a worker keeps. */
#define FIRST_FD 10

static int move_fd_up(int low)
{
	int fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, FIRST_FD);

	if (low >= 0)
		close(low);
	return fd;
}

int fmpi_replay_file_anonymous(size_t size, struct fmp_error *err)
{
	int fd = move_fd_up(memfd_create("fmp-replay", MFD_CLOEXEC));

	if (fd >= 0 && !ftruncate(fd, (off_t)size))
		return fd;
	(void)fmp_error_sys(err, FMP_ERR_IO, errno, "no shared memory for the replay cache");
	if (fd >= 0)
		close(fd);
	return FMP_ERR_IO;
}

int fmpi_replay_file_open_any(const char *path, size_t *size, struct fmp_error *err)
{
	int fd = move_fd_up(open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return FMP_ERR_NOTFOUND;
	if (fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't open %s", path);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_nlink != 1 ||
	    st.st_mode & 077) {
		close(fd);
		return fmp_error_set(err, FMP_ERR_DENIED, "%s is not a file of ours alone", path);
	}
	*size = (size_t)st.st_size;
	return fd;
}

int fmpi_replay_file_open(const char *path, size_t size, struct fmp_error *err)
{
	size_t is = 0;
	int fd = fmpi_replay_file_open_any(path, &is, err);

	if (fd < 0 || is == size)
		return fd;
	close(fd);
	return FMP_ERR_NOTFOUND;
}

/* Create @path with @ending; the name is returned in @fresh. */
static int create_file(const char *path, const char *ending, size_t size, char fresh[PATH_MAX],
		       struct fmp_error *err)
{
	int fd, error;

	if (snprintf(fresh, PATH_MAX, "%s%s", path, ending) >= PATH_MAX)
		return fmp_error_set(err, FMP_ERR_LIMIT, "path is too long: %.100s", path);
	unlink(fresh);
	fd = move_fd_up(open(fresh, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
	if (fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't make %s", fresh);
	/* Allocate now: on a full file system a later write to the mapping would kill the process. */
	error = posix_fallocate(fd, 0, (off_t)size);
	if (!error)
		return fd;
	close(fd);
	unlink(fresh);
	return fmp_error_sys(err, FMP_ERR_IO, error, "can't make %s of %zu bytes", path, size);
}

int fmpi_replay_file_replace(const char *path, size_t size, struct fmp_error *err)
{
	char fresh[PATH_MAX];
	int rc, fd = create_file(path, ".new", size, fresh, err);

	if (fd < 0 || !rename(fresh, path))
		return fd;
	rc = fmp_error_sys(err, FMP_ERR_IO, errno, "can't make %s", path);
	close(fd);
	unlink(fresh);
	return rc;
}

int fmpi_replay_file_check(const char *path, size_t size, struct fmp_error *err)
{
	char fresh[PATH_MAX];
	int fd = fmpi_replay_file_open(path, size, err);

	if (fd == FMP_ERR_NOTFOUND) {
		fd = create_file(path, ".trial", size, fresh, err);
		if (fd >= 0)
			unlink(fresh);
	}
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}
