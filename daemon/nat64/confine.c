// SPDX-License-Identifier: GPL-2.0
#include "confine.h"

#include <cap-ng.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmp/internal/seccomp.h>

#define FILES_MAX 32u

/* ASan maps terabytes, and its leak check needs ptrace: no filter with it. */
#ifdef __SANITIZE_ADDRESS__
static const bool sanitized = true;
#else
static const bool sanitized;
#endif

/* Needed by netlink, the C library's resolver, and waiting. */
static const int allowed_calls[] = {
	SCMP_SYS(read),
	SCMP_SYS(write),
	SCMP_SYS(writev),
	SCMP_SYS(recv),
	SCMP_SYS(recvfrom),
	SCMP_SYS(recvmsg),
	SCMP_SYS(recvmmsg),
	SCMP_SYS(recvmmsg_time64),
	SCMP_SYS(send),
	SCMP_SYS(sendto),
	SCMP_SYS(sendmsg),
	SCMP_SYS(sendmmsg),
	SCMP_SYS(connect),
	SCMP_SYS(bind),
	SCMP_SYS(getsockname),
	SCMP_SYS(getpeername),
	SCMP_SYS(setsockopt),
	SCMP_SYS(getsockopt),
	SCMP_SYS(open),
	SCMP_SYS(openat),
	SCMP_SYS(close),
	SCMP_SYS(fstat),
	SCMP_SYS(fstat64),
	SCMP_SYS(newfstatat),
	SCMP_SYS(fstatat64),
	SCMP_SYS(stat),
	SCMP_SYS(stat64),
	SCMP_SYS(statx),
	SCMP_SYS(lseek),
	SCMP_SYS(_llseek),
	SCMP_SYS(fcntl),
	SCMP_SYS(fcntl64),
	SCMP_SYS(ioctl),
	SCMP_SYS(poll),
	SCMP_SYS(ppoll),
	SCMP_SYS(ppoll_time64),
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
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sigreturn),
	SCMP_SYS(getpid),
	SCMP_SYS(gettid),
	SCMP_SYS(getuid),
	SCMP_SYS(geteuid),
	SCMP_SYS(getgid),
	SCMP_SYS(getegid),
	SCMP_SYS(getuid32),
	SCMP_SYS(geteuid32),
	SCMP_SYS(getgid32),
	SCMP_SYS(getegid32),
	SCMP_SYS(uname),
	SCMP_SYS(sysinfo),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static bool load_filter(void)
{
	static const int families[] = { AF_UNIX, AF_INET, AF_INET6, AF_NETLINK };
	scmp_filter_ctx ctx;
	bool ok;

	if (sanitized)
		return true;
	ctx = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	ok = ctx && fmp_seccomp_add(ctx, SCMP_ACT_ALLOW, allowed_calls, COUNT(allowed_calls)) &&
	     fmp_seccomp_add_deadly(ctx) && fmp_seccomp_allow_data(ctx) &&
	     fmp_seccomp_allow_families(ctx, families, COUNT(families)) &&
	     fmp_seccomp_allow_abort(ctx) && !seccomp_load(ctx);
	if (ctx)
		seccomp_release(ctx);
	return ok;
}

static const char *switch_user(const char *user)
{
	unsigned long number;
	uid_t uid;
	gid_t gid;
	char *end;

	if (geteuid())
		return NULL;
	number = strtoul(user, &end, 10);
	uid = (uid_t)number;
	gid = (gid_t)number;
	if (end == user || *end) {
		const struct passwd *pw = getpwnam(user);

		if (!pw)
			return "there is no such user";
		uid = pw->pw_uid;
		gid = pw->pw_gid;
	}
	if (!uid || !gid)
		return "it does not run as root";
	/*
	 * Without CAP_SETPCAP, as in some containers, no_new_privs makes the bounding set useless.
	 */
	capng_clear(CAPNG_SELECT_BOUNDS);
	(void)!capng_apply(CAPNG_SELECT_BOUNDS);
	if (setgroups(0, NULL) || setresgid(gid, gid, gid) || setresuid(uid, uid, uid))
		return "can't become its user";
	return NULL;
}

const char *nat64_confine(const char *user)
{
	const struct rlimit files = { FILES_MAX, FILES_MAX }, none = { 0, 0 };
	const char *why = switch_user(user);

	if (why)
		return why;
	capng_clear(CAPNG_SELECT_CAPS);
	if (capng_apply(CAPNG_SELECT_CAPS))
		return "can't drop capabilities";
	if (setrlimit(RLIMIT_NOFILE, &files) || setrlimit(RLIMIT_CORE, &none) ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ||
	    /* After the change of the user, which clears it. */
	    prctl(PR_SET_PDEATHSIG, SIGKILL))
		return "can't limit itself";
	return load_filter() ? NULL : "can't set the system call filter";
}
