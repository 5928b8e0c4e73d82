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

#include <fmp/internal/close_fds.h>

#include "../common/helper.h"
#include "../keys/remote_keys.h"
#include "../sandbox/sandbox.h"
#include "../service/service.h"
#include "worker.h"

/* A worker's socket, the server's own, the key agent's; the rest moves beyond first. */
#define WORKER_FD 3
#define SERVER_FD 4
#define AGENT_FD  5
#define BEYOND	  16

/* Close all descriptors from first on, except the file that workers share. */
static bool close_from(const struct gw_settings *s, unsigned first)
{
	int shared = gw_services_shared_fd(s); /* 10 or higher, or -1 */
	unsigned keep = (unsigned)shared;

	if (shared < 0 || keep < first)
		return !fmp_close_fds(first, ~0u);
	return (keep == first || !fmp_close_fds(first, keep - 1)) && !fmp_close_fds(keep + 1, ~0u);
}

/* @agent: socket to its key agent; -1: it needs none */
static void run_worker(const struct gw_settings *s, int agent)
{
	_Static_assert(GW_REMOTE_KEYS_FD == SERVER_FD, "the one takes the place of the other");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "fmp-gw-worker");
	signal(SIGTERM, SIG_DFL);
	if ((agent >= 0 && dup2(agent, GW_REMOTE_KEYS_FD) < 0) ||
	    !close_from(s, agent < 0 ? GW_REMOTE_KEYS_FD : GW_REMOTE_KEYS_FD + 1) ||
	    gw_sandbox_worker(gw_services_shared_fd(s), s->policy->gateway.worker_memory_bytes,
			      NULL))
		_exit(1);
	_exit(gw_worker_run(s, WORKER_FD));
}

/* Start the key agent of the next worker. Return: false: it needs one and has none. */
static bool start_agent(const struct gw_settings *s, int *agent_fd)
{
	int pair[2];
	bool passed;

	*agent_fd = -1;
	if (s->key_agent_fd < 0)
		return true;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair))
		return false;
	passed = gw_helper_send_fd(AGENT_FD, pair[1]);
	close(pair[1]);
	if (passed)
		*agent_fd = pair[0];
	else
		close(pair[0]);
	return passed;
}

/* CLONE_PARENT makes the listener the child's parent; fork() can't do that. */
static pid_t fork_sibling(void)
{
	/* Of flags and stack, the first two arguments, the stack is first on s390x. */
#ifdef __s390__
	return (pid_t)syscall(SYS_clone, 0, CLONE_PARENT | SIGCHLD, 0, 0, 0);
#else
	return (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
#endif
}

static pid_t fork_worker(const struct gw_settings *s, int agent)
{
	pid_t pid = fork_sibling();

	if (!pid)
		run_worker(s, agent);
	if (agent >= 0)
		close(agent);
	return pid;
}

/* Move each socket to its place, wherever it is now. */
static bool move_fds(const struct gw_settings *s, int fd)
{
	int own = fcntl(fd, F_DUPFD, BEYOND);
	int agent = s->key_agent_fd < 0 ? -1 : fcntl(s->key_agent_fd, F_DUPFD, BEYOND);

	return own >= 0 && dup2(own, SERVER_FD) >= 0 &&
	       (s->key_agent_fd < 0 || (agent >= 0 && dup2(agent, AGENT_FD) >= 0)) &&
	       close_from(s, s->key_agent_fd < 0 ? AGENT_FD : AGENT_FD + 1);
}

static void run_server(const void *ctx, int fd)
{
	const struct gw_settings *s = ctx;
	const struct fmp_policy_gateway *g = &s->policy->gateway;
	int got, agent;

	prctl(PR_SET_NAME, "fmp-gw-fork");
	/* Signals from a terminal or to the whole service: the listener decides, we end with it. */
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	if (!move_fds(s, fd) || gw_sandbox_enter(GW_ROLE_FORK_SERVER, g->user, 0, NULL))
		_exit(1);
	close(WORKER_FD);
	/* After the change of the uid, which clears it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while ((got = gw_helper_receive_fd(SERVER_FD)) >= 0) {
		pid_t pid;

		if (got != WORKER_FD && (dup2(got, WORKER_FD) < 0 || close(got)))
			break;
		if (!start_agent(s, &agent))
			break;
		pid = fork_worker(s, agent);
		close(WORKER_FD);
		if (send(SERVER_FD, &pid, sizeof(pid), MSG_NOSIGNAL) != sizeof(pid))
			break;
	}
	_exit(1);
}

int gw_fork_server_new(const struct gw_settings *s, struct fmp_error *err)
{
	return gw_helper_new(run_server, s, err);
}

pid_t gw_fork_server_fork(int server, int fd)
{
	pid_t pid = -1;
	ssize_t n;

	if (!gw_helper_send_fd(server, fd))
		return -1;
	do
		n = recv(server, &pid, sizeof(pid), 0);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(pid)) {
		errno = EPIPE;
		return -1;
	}
	/* Temporary, unlike EPIPE. */
	if (pid < 0)
		errno = EAGAIN;
	return pid;
}
