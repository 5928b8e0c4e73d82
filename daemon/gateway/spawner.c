// SPDX-License-Identifier: GPL-2.0
#include "spawner.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox.h"
#include "service.h"
#include "worker.h"

/* Where a worker's socket is, and the spawner's own. */
#define WORKER_FD  3
#define SPAWNER_FD 4

/* Keeps standard error, what workers share, and all below `first`. */
static bool close_from(const struct gw_settings *s, unsigned first)
{
	int shared = gw_services_shared_fd(s); /* 10 or higher, or -1 */
	unsigned keep = (unsigned)shared;

	if (shared < 0 || keep < first)
		return !close_range(first, ~0u, 0);
	return (keep == first || !close_range(first, keep - 1, 0)) &&
	       !close_range(keep + 1, ~0u, 0);
}

static void be_worker(const struct gw_settings *s)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "fmp-gw-worker");
	signal(SIGTERM, SIG_DFL);
	if (!close_from(s, SPAWNER_FD) || gw_sandbox_worker(NULL))
		_exit(1);
	_exit(gw_worker_run(s, WORKER_FD));
}

/* Return: 1 with the socket of a worker in *fd, 0: the listener is gone. */
static int take_order(int *fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	char byte;
	struct iovec part = { &byte, 1 };
	struct msghdr m = { .msg_iov = &part,
			    .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	ssize_t n;

	do
		n = recvmsg(SPAWNER_FD, &m, 0);
	while (n < 0 && errno == EINTR);
	c = n == 1 ? CMSG_FIRSTHDR(&m) : NULL;
	if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof(int)))
		return 0;
	memcpy(fd, CMSG_DATA(c), sizeof(int));
	return 1;
}

static void be_spawner(const struct gw_settings *s, int fd)
{
	const struct fmp_policy_gateway *g = &s->policy->gateway;
	int got;

	prctl(PR_SET_NAME, "fmp-gw-spawner");
	/* A terminal's, or one to all of a service: the listener decides, we end with it. */
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	if (dup2(fd, SPAWNER_FD) < 0 || !close_from(s, SPAWNER_FD + 1) ||
	    gw_sandbox_enter(GW_ROLE_SPAWNER, g->user, 0, NULL))
		_exit(1);
	close(WORKER_FD);
	/* After the change of uid, which takes it away. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (take_order(&got)) {
		pid_t pid;

		if (got != WORKER_FD && (dup2(got, WORKER_FD) < 0 || close(got)))
			break;
		/* Its parent is ours: fork() can't do that. */
		pid = (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
		if (!pid)
			be_worker(s);
		close(WORKER_FD);
		if (send(SPAWNER_FD, &pid, sizeof(pid), MSG_NOSIGNAL) != sizeof(pid))
			break;
	}
	_exit(1);
}

int gw_spawner_new(const struct gw_settings *s, struct fmp_error *err)
{
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "socketpair");
	pid = fork();
	if (!pid)
		be_spawner(s, pair[1]);
	close(pair[1]);
	if (pid > 0)
		return pair[0];
	close(pair[0]);
	return fmp_error_sys(err, FMP_ERR_IO, errno, "fork");
}

pid_t gw_spawner_fork(int spawner, int fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .head = { .cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_RIGHTS,
				.cmsg_len = CMSG_LEN(sizeof(int)) } };
	struct iovec part = { "", 1 };
	const struct msghdr m = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	pid_t pid = -1;
	ssize_t n;

	memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	if (sendmsg(spawner, &m, MSG_NOSIGNAL) != 1)
		return -1;
	do
		n = recv(spawner, &pid, sizeof(pid), 0);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(pid)) {
		errno = EPIPE;
		return -1;
	}
	return pid;
}
