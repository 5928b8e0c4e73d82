// SPDX-License-Identifier: GPL-2.0
#include "listen.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "log.h"

/* The gateway of an fmpd that was killed holds the address for a moment, until it ends by itself. */
#define IN_USE_WAIT_MS	3000u
#define IN_USE_RETRY_MS 50u

static int listen_once_free(const struct fmp_endpoint *at, bool *not_yet_local,
			    struct fmp_error *err)
{
	static const struct timespec pause = { .tv_nsec = IN_USE_RETRY_MS * 1000000l };
	int fd = fmp_endpoint_listen(at, SOCK_NONBLOCK, not_yet_local, err);

	for (unsigned ms = 0; fd < 0 && err->sys_errno == EADDRINUSE && ms < IN_USE_WAIT_MS;
	     ms += IN_USE_RETRY_MS) {
		nanosleep(&pause, NULL);
		fd = fmp_endpoint_listen(at, SOCK_NONBLOCK, not_yet_local, err);
	}
	return fd;
}

int fmpd_listen(const struct fmpd_options *o, int *out, char *text, size_t size,
		struct fmp_error *err)
{
	struct fmp_error cause = { 0 };
	bool not_yet_local;
	int fd = listen_once_free(&o->endpoint, &not_yet_local, &cause);

	if (fd < 0)
		return fmp_error_set(err, fd, "%s: %s", o->listen, cause.message);
	if (not_yet_local)
		fmpd_log(
			FMPD_WARNING, "listen",
			"%s is not yet an address of this machine: no client can connect before it is",
			o->listen);
	if (!fmp_endpoint_format(fd, text, size))
		snprintf(text, size, "%s", o->listen);
	*out = fd;
	return 0;
}
