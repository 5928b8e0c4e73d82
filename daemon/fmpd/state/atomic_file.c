// SPDX-License-Identifier: GPL-2.0
#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int disk_create(const char *path, mode_t mode)
{
	int fd;

	/* Neither follow nor write to a file that an earlier write left, or that another user put there. */
	if (unlink(path) && errno != ENOENT)
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
	/* The caller names the mode: a service manager's umask must not narrow it. */
	if (fd >= 0 && fchmod(fd, mode)) {
		close(fd);
		return -1;
	}
	return fd;
}

static int disk_sync_dir(const char *path)
{
	char dir[PATH_MAX];
	char *slash;
	int fd, rc;

	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (slash)
		slash[slash == dir] = '\0';
	fd = open(slash ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	rc = fsync(fd);
	close(fd);
	return rc;
}

const struct fmpd_disk fmpd_disk = {
	.create = disk_create,
	.write = write,
	.sync = fsync,
	.close = close,
	.rename = rename,
	.sync_dir = disk_sync_dir,
	.unlink = unlink,
};

static int set_write_error(const struct fmpd_file *f, struct fmp_error *err)
{
	return fmp_error_sys(err, FMP_ERR_IO, errno, "can't write %.400s", f->path);
}

int fmpd_file_begin(struct fmpd_file *f, const struct fmpd_disk *disk, const char *path,
		    mode_t mode, struct fmp_error *err)
{
	f->disk = disk;
	f->len = 0;
	f->fd = -1;
	if (snprintf(f->path, sizeof(f->path), "%s", path) >= (int)sizeof(f->path) ||
	    snprintf(f->temp, sizeof(f->temp), "%s.new", path) >= (int)sizeof(f->temp))
		return fmp_error_set(err, FMP_ERR_INVALID, "the path %.200s... is too long", path);
	f->fd = disk->create(f->temp, mode);
	return f->fd < 0 ? set_write_error(f, err) : 0;
}

static int flush_buffer(struct fmpd_file *f, struct fmp_error *err)
{
	for (size_t at = 0; at < f->len;) {
		ssize_t n = f->disk->write(f->fd, f->buf + at, f->len - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return set_write_error(f, err);
		at += (size_t)n;
	}
	f->len = 0;
	return 0;
}

int fmpd_file_put(struct fmpd_file *f, const void *bytes, size_t n, struct fmp_error *err)
{
	const uint8_t *p = bytes;

	while (n) {
		size_t room = sizeof(f->buf) - f->len, part = n < room ? n : room;
		int rc;

		memcpy(f->buf + f->len, p, part);
		f->len += part;
		p += part;
		n -= part;
		rc = f->len == sizeof(f->buf) ? flush_buffer(f, err) : 0;
		if (rc)
			return rc;
	}
	return 0;
}

int fmpd_file_commit(struct fmpd_file *f, struct fmp_error *err)
{
	int rc = flush_buffer(f, err), fd = f->fd;

	if (!rc && f->disk->sync(fd))
		rc = set_write_error(f, err);
	f->fd = -1;
	if (f->disk->close(fd) && !rc)
		rc = set_write_error(f, err);
	if (!rc && f->disk->rename(f->temp, f->path))
		rc = set_write_error(f, err);
	if (rc) {
		f->disk->unlink(f->temp);
		return rc;
	}
	/* Readers see the new file already; if this fails, a loss of power may bring back the old one. */
	return f->disk->sync_dir(f->path) ? set_write_error(f, err) : 0;
}

void fmpd_file_abort(struct fmpd_file *f)
{
	if (f->fd < 0)
		return;
	f->disk->close(f->fd);
	f->fd = -1;
	f->disk->unlink(f->temp);
}
