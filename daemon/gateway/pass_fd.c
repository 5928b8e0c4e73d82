// SPDX-License-Identifier: GPL-2.0
#include "pass_fd.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

union control {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

bool gw_pass_fd(int socket, int fd)
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

int gw_take_fd(int socket)
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
	if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof(int)))
		return -1;
	memcpy(&fd, CMSG_DATA(c), sizeof(int));
	return fd;
}
