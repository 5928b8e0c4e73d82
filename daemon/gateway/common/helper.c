// SPDX-License-Identifier: GPL-2.0
#include "helper.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int gw_helper_start(void (*run)(const void *ctx, int fd), const void *ctx, pid_t *pid,
		    struct fmp_error *err)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "socketpair");
	*pid = fork();
	if (!*pid) {
		run(ctx, pair[1]);
		_exit(1);
	}
	close(pair[1]);
	if (*pid > 0)
		return pair[0];
	close(pair[0]);
	return fmp_error_sys(err, FMP_ERR_IO, errno, "fork");
}

int gw_helper_new(void (*run)(const void *ctx, int fd), const void *ctx, struct fmp_error *err)
{
	pid_t pid;

	return gw_helper_start(run, ctx, &pid, err);
}

union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

bool gw_helper_send_fd(int socket, int fd)
{
	union control control = { .head = { .cmsg_level = SOL_SOCKET,
					    .cmsg_type = SCM_RIGHTS,
					    .cmsg_len = CMSG_LEN(sizeof(int)) } };
	struct iovec part = { "", 1 };
	const struct msghdr m = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };

	memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	return sendmsg(socket, &m, MSG_NOSIGNAL) == 1;
}

int gw_helper_receive_fd(int socket)
{
	union control control;
	char byte;
	struct iovec part = { &byte, 1 };
	struct msghdr m = { .msg_iov = &part,
			    .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	ssize_t n;
	int fd;

	do
		n = recvmsg(socket, &m, 0);
	while (n < 0 && errno == EINTR);
	c = n == 1 ? CMSG_FIRSTHDR(&m) : NULL;
	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS ||
	    c->cmsg_len != CMSG_LEN(sizeof(int)))
		return -1;
	memcpy(&fd, CMSG_DATA(c), sizeof(int));
	return fd;
}
