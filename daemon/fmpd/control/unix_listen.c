// SPDX-License-Identifier: GPL-2.0
#include "unix_listen.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

bool fmpd_unix_held(const char *path)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool held;

	snprintf(sun.sun_path, sizeof(sun.sun_path), "%s", path);
	/* Without a socket to try with, assume that it is held: never take one away from a running process. */
	held = fd < 0 || !connect(fd, (const struct sockaddr *)&sun, sizeof(sun));
	if (fd >= 0)
		close(fd);
	return held;
}

/* Remove a socket that a dead fmpd left, but none that a process holds. */
static int clear_path(const struct sockaddr_un *sun, struct fmp_error *err)
{
	struct stat st;

	if (lstat(sun->sun_path, &st))
		return 0;
	if (!S_ISSOCK(st.st_mode))
		return fmp_error_set(err, FMP_ERR_EXISTS, "%s is there, and is no socket",
				     sun->sun_path);
	if (fmpd_unix_held(sun->sun_path))
		return fmp_error_set(err, FMP_ERR_EXISTS, "an fmpd runs already at %s",
				     sun->sun_path);
	unlink(sun->sun_path);
	return 0;
}

int fmpd_unix_dir(const char *path, bool ours, struct fmp_error *err)
{
	char dir[sizeof(((struct sockaddr_un *)0)->sun_path)];
	struct stat st;
	char *slash;

	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (!slash || slash == dir)
		return 0;
	*slash = '\0';
	if (mkdir(dir, ours ? 0700 : 0755) && errno != EEXIST)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't make %s", dir);
	if (ours && (lstat(dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid()))
		return fmp_error_set(err, FMP_ERR_DENIED, "%s belongs to another user", dir);
	if (ours && st.st_mode & (S_IWGRP | S_IWOTH))
		return fmp_error_set(err, FMP_ERR_DENIED, "others may write to %s: chmod go-w it",
				     dir);
	return 0;
}

int fmpd_unix_listen(const char *path, mode_t mode, int backlog, int *out, struct fmp_error *err)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	mode_t old;
	int fd, rc;

	if (strlen(path) >= sizeof(sun.sun_path))
		return fmp_error_set(err, FMP_ERR_INVALID, "the path %s is too long for a socket",
				     path);
	memcpy(sun.sun_path, path, strlen(path) + 1);
	rc = clear_path(&sun, err);
	if (rc)
		return rc;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no socket");
	old = umask(~mode & 0777); /* the socket has its mode from the start */
	rc = bind(fd, (const struct sockaddr *)&sun, sizeof(sun));
	umask(old);
	if (rc || listen(fd, backlog)) {
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "can't listen on %s", path);
		close(fd);
		return rc;
	}
	*out = fd;
	return 0;
}
