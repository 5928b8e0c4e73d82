// SPDX-License-Identifier: GPL-2.0
#include "notify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct fmpd_notify {
	int fd; /* -1: no socket to notify */
	struct sockaddr_un to;
	socklen_t to_len;
	uint64_t watchdog_us; /* 0: none */
	struct event *watchdog_timer;
};

static void send_state(const struct fmpd_notify *n, const char *text)
{
	if (n && n->fd >= 0)
		(void)!sendto(n->fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT,
			      (const struct sockaddr *)&n->to, n->to_len);
}

static void on_watchdog(evutil_socket_t fd, short what, void *ctx)
{
	send_state(ctx, "WATCHDOG=1");
}

/* A path; or a name in the abstract name space, after '@'. */
static bool parse_address(struct fmpd_notify *n, const char *path)
{
	size_t len = strlen(path);

	if ((*path != '/' && *path != '@') || len < 2 || len >= sizeof(n->to.sun_path))
		return false;
	n->to.sun_family = AF_UNIX;
	memcpy(n->to.sun_path, path, len);
	if (*path == '@')
		n->to.sun_path[0] = '\0';
	n->to_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	return true;
}

/* $WATCHDOG_PID may name another process. */
static uint64_t read_watchdog_us(void)
{
	const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
	char *end;
	uint64_t us;

	if (!usec || (pid && strtol(pid, NULL, 10) != (long)getpid()))
		return 0;
	us = strtoull(usec, &end, 10);
	return *end || us < 1000 || us > UINT64_MAX / 2 ? 0 : us;
}

int fmpd_notify_new(struct event_base *base, struct fmpd_notify **out, struct fmp_error *err)
{
	struct fmpd_notify *n = calloc(1, sizeof(*n));
	const char *path = getenv("NOTIFY_SOCKET");

	if (!n)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	*out = n;
	n->fd = -1;
	if (path && parse_address(n, path))
		n->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	n->watchdog_us = read_watchdog_us();
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
	n->watchdog_timer = event_new(base, -1, EV_PERSIST, on_watchdog, n);
	return n->watchdog_timer ? 0 : fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
}

void fmpd_notify_ready(struct fmpd_notify *n, const char *fmt, ...)
{
	char text[600] = "READY=1\nSTATUS=";
	size_t len = strlen(text);
	struct timeval half;
	va_list ap;

	if (!n || n->fd < 0)
		return;
	va_start(ap, fmt);
	vsnprintf(text + len, sizeof(text) - len, fmt, ap);
	va_end(ap);
	send_state(n, text);
	if (!n->watchdog_us)
		return;
	half = (struct timeval){ (time_t)(n->watchdog_us / 2 / 1000000),
				 (suseconds_t)(n->watchdog_us / 2 % 1000000) };
	event_add(n->watchdog_timer, &half);
}

void fmpd_notify_reloading(struct fmpd_notify *n)
{
	struct timespec now;
	char text[80];

	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%" PRIu64,
		 (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000);
	send_state(n, text);
}

void fmpd_notify_stopping(struct fmpd_notify *n)
{
	send_state(n, "STOPPING=1");
}

void fmpd_notify_free(struct fmpd_notify *n)
{
	if (!n)
		return;
	if (n->fd >= 0)
		close(n->fd);
	if (n->watchdog_timer)
		event_free(n->watchdog_timer);
	free(n);
}
