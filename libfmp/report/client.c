// SPDX-License-Identifier: GPL-2.0
/* The client's end of the control socket. */
#include <fmp/control.h>

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "path.h"

struct fmp_client {
	int fd;
	size_t len; /* bytes in buf */
	size_t used; /* of those, the message handed out last */
	uint8_t buf[FMP_WIRE_MAX + 4];
};

static int open_path(struct fmp_client *c, const char *path, struct fmp_error *err)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int rc;

	if (strlen(path) >= sizeof(sun.sun_path))
		return fmp_error_set(err, FMP_ERR_INVALID, "the path %s is too long for a socket",
				     path);
	memcpy(sun.sun_path, path, strlen(path) + 1);
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't make a socket");
	if (!connect(c->fd, (struct sockaddr *)&sun, sizeof(sun)))
		return 0;
	rc = fmp_error_sys(err, FMP_ERR_IO, errno, "can't reach fmpd at %s", path);
	close(c->fd);
	return rc;
}

int fmp_client_open(const char *path, struct fmp_client **out, struct fmp_error *err)
{
	struct fmp_client *c = malloc(sizeof(*c));
	char user[sizeof(((struct sockaddr_un *)0)->sun_path)];
	int rc;

	if (!c)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	c->len = c->used = 0;
	rc = open_path(c, path ? path : FMP_CONTROL_SOCKET, err);
	/* No system-wide fmpd: one that the user runs? The first error is the better one. */
	if (rc && !path && !open_path(c, fmpi_control_user_path(user, sizeof(user)), NULL))
		rc = 0;
	if (rc) {
		free(c);
		return rc;
	}
	*out = c;
	return 0;
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

/* Waits until there is something to read. Return: 0, FMP_ERR_AGAIN after the deadline. */
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
