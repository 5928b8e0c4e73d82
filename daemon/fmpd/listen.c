// SPDX-License-Identifier: GPL-2.0
#include "listen.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static void name_bound(int fd, const char *asked, char *text, size_t size)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);
	char host[64], port[8];

	snprintf(text, size, "%s", asked);
	if (getsockname(fd, (struct sockaddr *)&ss, &len) ||
	    getnameinfo((struct sockaddr *)&ss, len, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV))
		return;
	if (ss.ss_family == AF_INET6)
		snprintf(text, size, "[%s]:%s", host, port);
	else
		snprintf(text, size, "%s:%s", host, port);
}

int fmpd_listen(const struct fmpd_options *o, int *out, char *text, size_t size,
		struct fmp_error *err)
{
	int fd, on = 1, rc;

	fd = socket(o->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no socket to listen on");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, (const struct sockaddr *)&o->address, o->address_len) ||
	    listen(fd, SOMAXCONN)) {
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "can't listen on %s", o->listen);
		close(fd);
		return rc;
	}
	name_bound(fd, o->listen, text, size);
	*out = fd;
	return 0;
}
