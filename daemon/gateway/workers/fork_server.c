// SPDX-License-Identifier: GPL-2.0
#include "fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../common/helper.h"
#include "../keys/remote_keys.h"
#include "../sandbox/sandbox.h"
#include "../service/service.h"
#include "worker.h"

/* Where a worker's socket is, the spawner's own, the keeper's; beyond, until they are there. */
#define WORKER_FD  3
#define SPAWNER_FD 4
#define KEEPER_FD  5
#define BEYOND	   16

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

/* @keeper: a socket to its own; -1: it needs none */
static void be_worker(const struct gw_settings *s, int keeper)
{
	_Static_assert(GW_REMOTE_KEYS_FD == SPAWNER_FD, "the one takes the place of the other");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "fmp-gw-worker");
	signal(SIGTERM, SIG_DFL);
	if ((keeper >= 0 && dup2(keeper, GW_REMOTE_KEYS_FD) < 0) ||
	    !close_from(s, keeper < 0 ? GW_REMOTE_KEYS_FD : GW_REMOTE_KEYS_FD + 1) ||
	    gw_sandbox_worker(gw_services_shared_fd(s), s->policy->gateway.worker_memory_bytes,
			      NULL))
		_exit(1);
	_exit(gw_worker_run(s, WORKER_FD));
}

/* A keeper for the next worker. Return: false if there is none that should be. */
static bool order_keeper(const struct gw_settings *s, int *fd)
{
	int pair[2];
	bool passed;

	*fd = -1;
	if (s->key_agent_fd < 0)
		return true;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair))
		return false;
	passed = gw_helper_send_fd(KEEPER_FD, pair[1]);
	close(pair[1]);
	if (passed)
		*fd = pair[0];
	else
		close(pair[0]);
	return passed;
}

static pid_t fork_worker(const struct gw_settings *s, int keeper)
{
	/* Its parent is ours: fork() can't do that. */
	pid_t pid = (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);

	if (!pid)
		be_worker(s, keeper);
	if (keeper >= 0)
		close(keeper);
	return pid;
}

/* Each socket to its place, whichever places they have now. */
static bool settle(const struct gw_settings *s, int fd)
{
	int own = fcntl(fd, F_DUPFD, BEYOND);
	int keeper = s->key_agent_fd < 0 ? -1 : fcntl(s->key_agent_fd, F_DUPFD, BEYOND);

	return own >= 0 && dup2(own, SPAWNER_FD) >= 0 &&
	       (s->key_agent_fd < 0 || (keeper >= 0 && dup2(keeper, KEEPER_FD) >= 0)) &&
	       close_from(s, s->key_agent_fd < 0 ? KEEPER_FD : KEEPER_FD + 1);
}

static void be_spawner(const void *ctx, int fd)
{
	const struct gw_settings *s = ctx;
	const struct fmp_policy_gateway *g = &s->policy->gateway;
	int got, keeper;

	prctl(PR_SET_NAME, "fmp-gw-spawner");
	/* A terminal's, or one to all of a service: the listener decides, we end with it. */
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	if (!settle(s, fd) || gw_sandbox_enter(GW_ROLE_FORK_SERVER, g->user, 0, NULL))
		_exit(1);
	close(WORKER_FD);
	/* After the change of uid, which takes it away. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while ((got = gw_helper_receive_fd(SPAWNER_FD)) >= 0) {
		pid_t pid;

		if (got != WORKER_FD && (dup2(got, WORKER_FD) < 0 || close(got)))
			break;
		if (!order_keeper(s, &keeper))
			break;
		pid = fork_worker(s, keeper);
		close(WORKER_FD);
		if (send(SPAWNER_FD, &pid, sizeof(pid), MSG_NOSIGNAL) != sizeof(pid))
			break;
	}
	_exit(1);
}

int gw_fork_server_new(const struct gw_settings *s, struct fmp_error *err)
{
	return gw_helper_new(be_spawner, s, err);
}

pid_t gw_fork_server_fork(int spawner, int fd)
{
	pid_t pid = -1;
	ssize_t n;

	if (!gw_helper_send_fd(spawner, fd))
		return -1;
	do
		n = recv(spawner, &pid, sizeof(pid), 0);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(pid)) {
		errno = EPIPE;
		return -1;
	}
	/* Not for ever, as without it. */
	if (pid < 0)
		errno = EAGAIN;
	return pid;
}
