// SPDX-License-Identifier: GPL-2.0
#include "sandbox.h"

#include <cap-ng.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "worker.h"

/* Address space of a worker: libraries, schema, and one document many times over. */
#define WORKER_MEMORY (512ul << 20)
#define WORKER_FILES  16
#define SPARE_FILES   256 /* of the listener, beside its connections */

/*
 * ASan maps terabytes and its leak check needs ptrace: under it there is neither a
 * filter nor a limit of memory.
 */
#ifdef __SANITIZE_ADDRESS__
static const bool sanitized = true;
#else
static const bool sanitized;
#endif

/* What both need: memory, time, signals, an open socket. */
static const int common_calls[] = {
	SCMP_SYS(read),
	SCMP_SYS(readv),
	SCMP_SYS(write),
	SCMP_SYS(writev),
	SCMP_SYS(recv),
	SCMP_SYS(recvfrom),
	SCMP_SYS(recvmsg),
	SCMP_SYS(send),
	SCMP_SYS(sendto),
	SCMP_SYS(sendmsg),
	SCMP_SYS(close),
	SCMP_SYS(shutdown),
	SCMP_SYS(setsockopt),
	SCMP_SYS(getsockopt),
	SCMP_SYS(fcntl),
	SCMP_SYS(fcntl64),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(ppoll_time64),
	SCMP_SYS(select),
	SCMP_SYS(_newselect),
	SCMP_SYS(pselect6),
	SCMP_SYS(pselect6_time64),
	SCMP_SYS(fstat),
	SCMP_SYS(fstat64),
	SCMP_SYS(newfstatat),
	SCMP_SYS(lseek),
	SCMP_SYS(_llseek),
	SCMP_SYS(munmap),
	SCMP_SYS(mremap),
	SCMP_SYS(madvise),
	SCMP_SYS(brk),
	SCMP_SYS(futex),
	SCMP_SYS(futex_time64),
	SCMP_SYS(getrandom),
	SCMP_SYS(clock_gettime),
	SCMP_SYS(clock_gettime64),
	SCMP_SYS(gettimeofday),
	SCMP_SYS(time),
	SCMP_SYS(clock_getres),
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sigreturn),
	SCMP_SYS(sigaltstack),
	SCMP_SYS(getpid),
	SCMP_SYS(gettid),
	SCMP_SYS(tgkill),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(sched_yield),
	SCMP_SYS(sysinfo),
	SCMP_SYS(sched_getaffinity),
	SCMP_SYS(getrusage),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

/* What the listener needs beside: connections, the event loop, its workers. */
static const int listener_calls[] = {
	SCMP_SYS(connect),
	SCMP_SYS(accept),
	SCMP_SYS(accept4),
	SCMP_SYS(getsockname),
	SCMP_SYS(getpeername),
	SCMP_SYS(socketpair),
	SCMP_SYS(pipe2),
	SCMP_SYS(epoll_create1),
	SCMP_SYS(epoll_ctl),
	SCMP_SYS(epoll_wait),
	SCMP_SYS(epoll_pwait),
	SCMP_SYS(epoll_pwait2),
	SCMP_SYS(eventfd2),
	SCMP_SYS(timerfd_create),
	SCMP_SYS(timerfd_settime),
	SCMP_SYS(timerfd_settime64),
	SCMP_SYS(ioctl),
	SCMP_SYS(fork),
	SCMP_SYS(clone),
	SCMP_SYS(clone3),
	SCMP_SYS(wait4),
	SCMP_SYS(waitid),
	SCMP_SYS(kill),
	SCMP_SYS(dup2),
	SCMP_SYS(dup3),
	SCMP_SYS(close_range),
	SCMP_SYS(prctl),
	SCMP_SYS(seccomp),
	SCMP_SYS(prlimit64),
	SCMP_SYS(setrlimit),
	SCMP_SYS(ugetrlimit),
	SCMP_SYS(getrlimit),
	SCMP_SYS(set_robust_list),
	SCMP_SYS(rseq),
	SCMP_SYS(set_tid_address),
	SCMP_SYS(mprotect),
};

/* Nothing of ours ever asks for these: who does is not us any more. */
static const int deadly_calls[] = {
	SCMP_SYS(execve),
	SCMP_SYS(execveat),
	SCMP_SYS(ptrace),
	SCMP_SYS(process_vm_readv),
	SCMP_SYS(process_vm_writev),
	SCMP_SYS(bpf),
	SCMP_SYS(init_module),
	SCMP_SYS(finit_module),
	SCMP_SYS(keyctl),
	SCMP_SYS(mount),
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Calls that this architecture does not have are passed over. */
static bool add(scmp_filter_ctx ctx, uint32_t action, const int *calls, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int rc = seccomp_rule_add(ctx, action, calls[i], 0);

		if (rc && rc != -EDOM && rc != -EOPNOTSUPP)
			return false;
	}
	return true;
}

/* Memory yes, code no; sockets of TCP only, and none for a worker: it talks to the listener. */
static bool add_narrowed(scmp_filter_ctx ctx, bool worker)
{
	static const int maps[] = { SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(mprotect) };
	static const int families[] = { AF_INET, AF_INET6 };

	for (size_t i = 0; i < COUNT(maps); i++) {
		int rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, maps[i], 1,
					  SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));

		if (rc && rc != -EDOM)
			return false;
	}
	for (size_t i = 0; !worker && i < COUNT(families); i++)
		if (seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(socket), 2,
				     SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)families[i]),
				     SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, SOCK_STREAM)))
			return false;
	return true;
}

/*
 * The listener's filter is inherited by its workers, whose own is laid upon it: so it
 * holds what workers need too, and theirs is the narrower.
 */
static int filter(bool worker, struct fmp_error *err)
{
	scmp_filter_ctx ctx;
	bool ok;

	if (sanitized)
		return 0;
	ctx = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	ok = ctx && add(ctx, SCMP_ACT_ALLOW, common_calls, COUNT(common_calls)) &&
	     add(ctx, SCMP_ACT_KILL_PROCESS, deadly_calls, COUNT(deadly_calls)) &&
	     (worker || add(ctx, SCMP_ACT_ALLOW, listener_calls, COUNT(listener_calls))) &&
	     add_narrowed(ctx, worker) && !seccomp_load(ctx);
	if (ctx)
		seccomp_release(ctx);
	return ok ? 0 : fmp_error_set(err, FMP_ERR_DENIED, "can't set the system call filter");
}

static int limit(int what, rlim_t most, struct fmp_error *err)
{
	struct rlimit l;

	if (!getrlimit((__rlimit_resource_t)what, &l)) {
		if (l.rlim_max < most && geteuid())
			most = l.rlim_max;
		l.rlim_cur = l.rlim_max = most;
		if (!setrlimit((__rlimit_resource_t)what, &l))
			return 0;
	}
	return fmp_error_sys(err, FMP_ERR_DENIED, errno, "can't set a limit");
}

static int become(const char *user, struct fmp_error *err)
{
	char *end;
	unsigned long number = strtoul(user, &end, 10);
	uid_t uid = (uid_t)number;
	gid_t gid = (gid_t)number;

	if (geteuid()) {
		fprintf(stderr, "fmp-gateway: not started as root: keeps uid %u\n",
			(unsigned)geteuid());
		return 0;
	}
	if (end == user || *end) {
		const struct passwd *pw = getpwnam(user);

		if (!pw)
			return fmp_error_set(
				err, FMP_ERR_NOTFOUND,
				"no user \"%s\" for the gateway: make it, or name another "
				"one (or a number) in the policy",
				user);
		uid = pw->pw_uid;
		gid = pw->pw_gid;
	}
	if (!uid || !gid)
		return fmp_error_set(err, FMP_ERR_DENIED, "the gateway does not run as root");
	if (setgroups(0, NULL) || setresgid(gid, gid, gid) || setresuid(uid, uid, uid))
		return fmp_error_sys(err, FMP_ERR_DENIED, errno, "can't become user \"%s\"", user);
	return 0;
}

int gw_sandbox_enter(const char *user, unsigned connections, struct fmp_error *err)
{
	int rc = limit(RLIMIT_NOFILE, connections + SPARE_FILES, err);

	if (!rc)
		rc = limit(RLIMIT_CORE, 0, err);
	if (!rc && !geteuid()) {
		/* The bounding set goes while there is a capability to do it with. */
		capng_clear(CAPNG_SELECT_BOUNDS);
		if (capng_apply(CAPNG_SELECT_BOUNDS))
			rc = fmp_error_set(err, FMP_ERR_DENIED, "can't drop the bounding set");
	}
	if (!rc)
		rc = become(user, err);
	if (rc)
		return rc;
	capng_clear(CAPNG_SELECT_CAPS);
	if (capng_apply(CAPNG_SELECT_CAPS))
		return fmp_error_set(err, FMP_ERR_DENIED, "can't drop capabilities");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return fmp_error_sys(err, FMP_ERR_DENIED, errno, "no_new_privs");
	return filter(false, err);
}

int gw_sandbox_worker(struct fmp_error *err)
{
	int rc = limit(RLIMIT_NOFILE, WORKER_FILES, err);

	if (!rc && !sanitized)
		rc = limit(RLIMIT_AS, WORKER_MEMORY, err);
	/* It retires long before, and a silent one is ended by the listener. */
	if (!rc)
		rc = limit(RLIMIT_CPU, 2 * GW_WORKER_RETIRE_S, err);
	return rc ? rc : filter(true, err);
}
