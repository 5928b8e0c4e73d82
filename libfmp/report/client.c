// SPDX-License-Identifier: GPL-2.0
/* The client end of the control socket. */
#include <fmp/control.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include <fmp/internal/socket_path.h>

struct fmp_client {
	int fd;
	size_t len; /* bytes in buf */
	size_t used; /* bytes of the message returned last */
	uint8_t buf[FMP_WIRE_MAX + 4];
};

static bool is_trusted(uid_t uid)
{
	return !uid || uid == geteuid();
}

/*
 * In a folder where others may create files, anybody can put a socket in place of fmpd's. In sticky
 * folders such as /tmp nobody can replace a socket; its owner is checked after connect().
 */
static int check_folder(const char *path, struct fmp_error *err)
{
	char dir[sizeof(((struct sockaddr_un *)0)->sun_path)];
	struct stat st;
	char *slash;

	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (slash)
		slash[slash == dir] = '\0';
	if (stat(slash ? dir : ".", &st))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't reach fmpd at %s", path);
	if (!is_trusted(st.st_uid))
		return fmp_error_set(
			err, FMP_ERR_DENIED,
			"fmpd at %s is not trusted: the folder belongs to user %u, neither to root "
			"nor to the caller",
			path, (unsigned)st.st_uid);
	if (st.st_mode & (S_IWGRP | S_IWOTH) && !(st.st_mode & S_ISVTX))
		return fmp_error_set(
			err, FMP_ERR_DENIED,
			"fmpd at %s is not trusted: others may write to the folder (mode %03o); "
			"chmod go-w it",
			path, (unsigned)st.st_mode & 0777);
	return 0;
}

static int check_peer(int fd, const char *path, struct fmp_error *err)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't tell who listens at %s", path);
	if (is_trusted(cred.uid))
		return 0;
	return fmp_error_set(
		err, FMP_ERR_DENIED,
		"what listens at %s is not trusted: it runs as user %u (process %d), neither as "
		"root nor as the caller",
		path, (unsigned)cred.uid, (int)cred.pid);
}

static int open_path(struct fmp_client *c, const char *path, struct fmp_error *err)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int rc;

	if (strlen(path) >= sizeof(sun.sun_path))
		return fmp_error_set(err, FMP_ERR_INVALID, "the path %s is too long for a socket",
				     path);
	rc = check_folder(path, err);
	if (rc)
		return rc;
	memcpy(sun.sun_path, path, strlen(path) + 1);
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't make a socket");
	if (connect(c->fd, (struct sockaddr *)&sun, sizeof(sun)))
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "can't reach fmpd at %s", path);
	else
		rc = check_peer(c->fd, path, err);
	if (rc)
		close(c->fd);
	return rc;
}

/* Without a system-wide fmpd: try one that the user runs. Root has none. @rc: result for the
 * system-wide one, with @err */
static int open_user_path(struct fmp_client *c, const char *name, int rc, struct fmp_error *err)
{
	char control[sizeof(((struct sockaddr_un *)0)->sun_path)], path[sizeof(control) + 16];
	struct fmp_error why;

	if (!fmp_control_user_path(control, sizeof(control)))
		return rc;
	snprintf(path, sizeof(path), "%s", control);
	if (name)
		fmp_beside_path(control, name, path, sizeof(path));
	switch (open_path(c, path, &why)) {
	case 0:
		return 0;
	case FMP_ERR_DENIED: /* another user listens there: report it */
		if (err)
			*err = why;
		return FMP_ERR_DENIED;
	default:
		return rc;
	}
}

int fmpi_client_open(const char *path, const char *standard, const char *name,
		     struct fmp_client **out, struct fmp_error *err)
{
	struct fmp_client *c = malloc(sizeof(*c));
	int rc;

	if (!c)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	c->len = c->used = 0;
	rc = open_path(c, path ? path : standard, err);
	if (rc && !path)
		rc = open_user_path(c, name, rc, err);
	if (rc) {
		free(c);
		return rc;
	}
	*out = c;
	return 0;
}

int fmp_client_open(const char *path, struct fmp_client **out, struct fmp_error *err)
{
	return fmpi_client_open(path, FMP_CONTROL_SOCKET, NULL, out, err);
}

void fmp_client_close(struct fmp_client *c)
{
	if (!c)
		return;
	close(c->fd);
	free(c);
}

int fmp_client_send(struct fmp_client *c, const void *msg, size_t len, struct fmp_error *err)
{
	const uint8_t *p = msg;

	while (len) {
		ssize_t n = send(c->fd, p, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fmp_error_sys(err, FMP_ERR_IO, errno, "can't send to fmpd");
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Wait for input. Return: 0, FMP_ERR_AGAIN after the deadline. */
static int wait_readable(struct fmp_client *c, int64_t deadline, struct fmp_error *err)
{
	struct pollfd pfd = { .fd = c->fd, .events = POLLIN };
	int timeout = -1, n;

	for (;;) {
		if (deadline >= 0) {
			int64_t left = deadline - now_ms();

			timeout = left > 0 ? (int)left : 0;
		}
		n = poll(&pfd, 1, timeout);
		if (n > 0)
			return 0;
		if (!n)
			return fmp_error_set(err, FMP_ERR_AGAIN, "no answer from fmpd in time");
		if (errno != EINTR)
			return fmp_error_sys(err, FMP_ERR_IO, errno, "can't wait for fmpd");
	}
}

int fmp_client_receive(struct fmp_client *c, int timeout_ms, struct fmp_wire_in *in,
		       struct fmp_error *err)
{
	int64_t deadline = timeout_ms < 0 ? -1 : now_ms() + timeout_ms;
	ssize_t n;
	int rc;

	memmove(c->buf, c->buf + c->used, c->len - c->used);
	c->len -= c->used;
	c->used = 0;
	for (;;) {
		rc = fmp_wire_parse(c->buf, c->len, FMP_WIRE_MAX, in, &c->used);
		if (!rc)
			return 0;
		if (rc != FMP_ERR_AGAIN)
			return fmp_error_set(err, FMP_ERR_SYNTAX, "fmpd sent what does not decode");
		rc = wait_readable(c, deadline, err);
		if (rc)
			return rc;
		n = recv(c->fd, c->buf + c->len, sizeof(c->buf) - c->len, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fmp_error_sys(err, FMP_ERR_IO, errno, "can't read from fmpd");
		if (!n)
			return fmp_error_set(err, FMP_ERR_CLOSED, "fmpd closed the connection");
		c->len += (size_t)n;
	}
}
