// SPDX-License-Identifier: GPL-2.0
#include "seccomp_filter.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmp/internal/seccomp.h>

/* Needed by all roles: memory, time, signals, an open socket. */
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
	SCMP_SYS(fstatat64),
	SCMP_SYS(statx), /* fstat() on 32 bit */
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
	SCMP_SYS(clock_getres_time64),
	SCMP_SYS(rt_sigaction),
	SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sigreturn),
	SCMP_SYS(sigaltstack),
	SCMP_SYS(getpid),
	SCMP_SYS(gettid),
	SCMP_SYS(restart_syscall),
	SCMP_SYS(sched_yield),
	SCMP_SYS(sysinfo),
	SCMP_SYS(sched_getaffinity),
	SCMP_SYS(getrusage),
	SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

/* Also needed by the listener: connections, the event loop, exit states of workers. */
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
	SCMP_SYS(wait4),
	SCMP_SYS(waitid),
	SCMP_SYS(kill),
	/* Only to read: setting the clock needs a capability. */
	SCMP_SYS(adjtimex),
	SCMP_SYS(clock_adjtime),
	SCMP_SYS(clock_adjtime64),
};

/* Also needed by the fork server and the key agent: new processes, and the set-up of workers. musl forks by fork, and its
 * child asks for its thread's number by set_tid_address. */
static const int fork_server_calls[] = {
	SCMP_SYS(fork),	      SCMP_SYS(set_tid_address), SCMP_SYS(clone),      SCMP_SYS(dup2),
	SCMP_SYS(dup3),	      SCMP_SYS(close_range),	 SCMP_SYS(prctl),      SCMP_SYS(seccomp),
	SCMP_SYS(prlimit64),  SCMP_SYS(setrlimit),	 SCMP_SYS(ugetrlimit), SCMP_SYS(getrlimit),
	SCMP_SYS(socketpair),
};

/* Also needed to resolve names: files and modules of the C library, sockets, waiting. */
static const int dns_helper_calls[] = {
	SCMP_SYS(open),
	SCMP_SYS(openat),
	SCMP_SYS(access),
	SCMP_SYS(faccessat),
	SCMP_SYS(faccessat2),
	SCMP_SYS(readlink),
	SCMP_SYS(readlinkat),
	SCMP_SYS(stat),
	SCMP_SYS(stat64),
	SCMP_SYS(lstat),
	SCMP_SYS(lstat64),
	SCMP_SYS(getdents64),
	SCMP_SYS(pread64),
	SCMP_SYS(connect),
	SCMP_SYS(bind),
	SCMP_SYS(getsockname),
	SCMP_SYS(getpeername),
	SCMP_SYS(sendmmsg),
	SCMP_SYS(recvmmsg),
	SCMP_SYS(recvmmsg_time64),
	SCMP_SYS(ioctl),
	SCMP_SYS(uname),
	SCMP_SYS(getuid),
	SCMP_SYS(geteuid),
	SCMP_SYS(getgid),
	SCMP_SYS(getegid),
	SCMP_SYS(getuid32),
	SCMP_SYS(geteuid32),
	SCMP_SYS(getgid32),
	SCMP_SYS(getegid32),
	SCMP_SYS(prctl),
	SCMP_SYS(nanosleep),
	SCMP_SYS(clock_nanosleep),
	SCMP_SYS(clock_nanosleep_time64),
	SCMP_SYS(epoll_create1),
	SCMP_SYS(epoll_ctl),
	SCMP_SYS(epoll_wait),
	SCMP_SYS(epoll_pwait),
	SCMP_SYS(eventfd2),
	SCMP_SYS(pipe2),
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static bool is_mips(uint32_t arch)
{
	return arch == SCMP_ARCH_MIPS || arch == SCMP_ARCH_MIPSEL;
}

/* MIPS numbers socket types differently. */
static scmp_datum_t stream_type(uint32_t arch)
{
	return is_mips(arch) ? 2 : 1;
}

/*
 * The resolver loads modules of the C library, and talks to local programs, servers and the kernel.
 */
static bool allow_dns_helper(scmp_filter_ctx ctx)
{
	static const int maps[] = { SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(mprotect) };
	static const int families[] = { AF_UNIX, AF_INET, AF_INET6, AF_NETLINK };

	return fmp_seccomp_add(ctx, SCMP_ACT_ALLOW, dns_helper_calls, COUNT(dns_helper_calls)) &&
	       fmp_seccomp_add(ctx, SCMP_ACT_ALLOW, maps, COUNT(maps)) &&
	       fmp_seccomp_allow_families(ctx, families, COUNT(families));
}

/*
 * Memory without code; TCP sockets for the listener only: a worker has its socket to the listener.
 */
static bool allow_data_and_tcp(scmp_filter_ctx ctx, enum gw_role role, uint32_t arch)
{
	static const int families[] = { AF_INET, AF_INET6 };

	if (!fmp_seccomp_allow_data(ctx))
		return false;
	for (size_t i = 0; role == GW_ROLE_LISTENER && i < COUNT(families); i++)
		if (seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(socket), 2,
				     SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)families[i]),
				     SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, stream_type(arch))))
			return false;
	return true;
}

/*
 * A worker may only set locks that end with it. A lock of the open file description would belong to
 * all workers and outlast it.
 */
static bool allow_fcntl(scmp_filter_ctx ctx, enum gw_role role, uint32_t arch)
{
	static const int calls[] = { SCMP_SYS(fcntl), SCMP_SYS(fcntl64) };
	const scmp_datum_t locks[] = { 7, is_mips(arch) ? 35 : 14 }; /* F_SETLKW, F_SETLKW64 */

	if (role != GW_ROLE_WORKER)
		return fmp_seccomp_add(ctx, SCMP_ACT_ALLOW, calls, COUNT(calls));
	for (size_t i = 0; i < COUNT(calls) * COUNT(locks); i++) {
		int rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, calls[i / COUNT(locks)], 1,
					  SCMP_A1(SCMP_CMP_EQ, locks[i % COUNT(locks)]));

		if (rc && rc != -EDOM)
			return false;
	}
	return true;
}

/*
 * abort() needs tgkill(). All processes have one uid, so restrict it to the own process. The
 * listener ends workers, and the fork server's filter is inherited by its children: they are not
 * restricted.
 */
static bool allow_abort(scmp_filter_ctx ctx, enum gw_role role)
{
	if (role == GW_ROLE_LISTENER || role == GW_ROLE_FORK_SERVER)
		return !seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 0);
	return fmp_seccomp_allow_abort(ctx);
}

/*
 * Workers inherit the filter of the fork server and add their own: it must allow what workers need,
 * and theirs is narrower.
 */
scmp_filter_ctx gw_seccomp_filter_new(enum gw_role role, uint32_t arch)
{
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	bool ok = ctx;

	if (arch == SCMP_ARCH_NATIVE)
		arch = seccomp_arch_native();
	else if (ok && arch != seccomp_arch_native())
		ok = !seccomp_arch_remove(ctx, SCMP_ARCH_NATIVE) && !seccomp_arch_add(ctx, arch);
	ok = ok && fmp_seccomp_add(ctx, SCMP_ACT_ALLOW, common_calls, COUNT(common_calls)) &&
	     fmp_seccomp_add_deadly(ctx) &&
	     (role != GW_ROLE_LISTENER ||
	      fmp_seccomp_add(ctx, SCMP_ACT_ALLOW, listener_calls, COUNT(listener_calls))) &&
	     (role != GW_ROLE_FORK_SERVER ||
	      fmp_seccomp_add(ctx, SCMP_ACT_ALLOW, fork_server_calls, COUNT(fork_server_calls))) &&
	     allow_fcntl(ctx, role, arch) && allow_abort(ctx, role) &&
	     (role == GW_ROLE_DNS_HELPER ? allow_dns_helper(ctx)
					 : allow_data_and_tcp(ctx, role, arch));
	if (ok)
		return ctx;
	if (ctx)
		seccomp_release(ctx);
	return NULL;
}
