// SPDX-License-Identifier: GPL-2.0
/*
 * The filter of each of the gateway's roles, as the kernel of each architecture would run it: the
 * names of calls differ there, and a machine of that kind is seldom at hand.
 */
#include <endian.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../daemon/gateway/sandbox/seccomp_filter.h"
#include "run.h"

#define ALLOWED SECCOMP_RET_ALLOW
#define REFUSED (SECCOMP_RET_ERRNO | EPERM)
#define DEADLY	SECCOMP_RET_KILL_PROCESS

static const struct arch {
	const char *name;
	uint32_t token;
	bool is_32, big;
	uint32_t stream; /* SOCK_STREAM */
} archs[] = {
	{ "x86_64", SCMP_ARCH_X86_64, false, false, 1 },
	{ "aarch64", SCMP_ARCH_AARCH64, false, false, 1 },
	{ "arm", SCMP_ARCH_ARM, true, false, 1 },
	{ "mipsel", SCMP_ARCH_MIPSEL, true, false, 2 },
	{ "mips", SCMP_ARCH_MIPS, true, true, 2 },
};
#define ARCHS (sizeof(archs) / sizeof(archs[0]))

struct program {
	struct sock_filter *code;
	size_t n;
};

/* libseccomp writes it in the order of that machine's bytes. */
static struct program export_filter(enum gw_role role, const struct arch *a)
{
	scmp_filter_ctx ctx = gw_seccomp_filter_new(role, a->token);
	FILE *f = tmpfile();
	struct program p;
	long size;

	ck_assert_msg(ctx && f, "%s", a->name);
	ck_assert_int_eq(seccomp_export_bpf(ctx, fileno(f)), 0);
	seccomp_release(ctx);
	size = lseek(fileno(f), 0, SEEK_END);
	ck_assert_int_gt(size, 0);
	p.n = (size_t)size / sizeof(*p.code);
	p.code = calloc(p.n, sizeof(*p.code));
	ck_assert_ptr_nonnull(p.code);
	ck_assert_int_eq(pread(fileno(f), p.code, (size_t)size, 0), size);
	fclose(f);
	for (size_t i = 0; i < p.n; i++) {
		struct sock_filter *c = &p.code[i];

		c->code = a->big ? be16toh(c->code) : le16toh(c->code);
		c->k = a->big ? be32toh(c->k) : le32toh(c->k);
	}
	return p;
}

/* What the kernel's own interpreter does with the instructions that libseccomp writes. */
static uint32_t run_filter(const struct program *p, const uint32_t *data, size_t words)
{
	uint32_t acc = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct sock_filter *c = &p->code[i];
		bool yes;

		switch (c->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			ck_assert(c->k % 4 == 0 && c->k / 4 < words);
			acc = data[c->k / 4];
			continue;
		case BPF_ALU | BPF_AND | BPF_K:
			acc &= c->k;
			continue;
		case BPF_RET | BPF_K:
			return c->k;
		case BPF_JMP | BPF_JA:
			i += c->k;
			continue;
		case BPF_JMP | BPF_JEQ | BPF_K:
			yes = acc == c->k;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			yes = acc > c->k;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			yes = acc >= c->k;
			break;
		case BPF_JMP | BPF_JSET | BPF_K:
			yes = acc & c->k;
			break;
		default:
			ck_abort_msg("instruction %zu: code %#x", i, c->code);
		}
		i += yes ? c->jt : c->jf;
	}
	ck_abort_msg("no end");
}

struct call {
	const char *name;
	uint32_t args[3];
};

/* libseccomp has numbers of its own for calls that socketcall() can do, too: the kernel's, of o32. */
static int number_of(const struct arch *a, const char *name)
{
	static const char *const mips[] = {
		[168] = "accept",   "bind",	   "connect",
		"getpeername",	    "getsockname", "getsockopt",
		"listen",	    "recv",	   "recvfrom",
		"recvmsg",	    "send",	   "sendmsg",
		"sendto",	    "setsockopt",  "shutdown",
		"socket",	    "socketpair",  [334] = "accept4",
		[343] = "sendmmsg",
	};

	for (unsigned i = 0; a->stream == 2 && i < sizeof(mips) / sizeof(mips[0]); i++)
		if (mips[i] && strcmp(mips[i], name) == 0)
			return 4000 + (int)i;
	return seccomp_syscall_resolve_name_arch(a->token, name);
}

/* struct seccomp_data of that machine: number, architecture, where it stands, six of 64 bits. */
static uint32_t filter_result(const struct program *p, const struct arch *a,
			      const struct call *call)
{
	int number = number_of(a, call->name);
	uint32_t data[sizeof(struct seccomp_data) / 4] = { 0 };

	ck_assert_msg(number >= 0, "%s has no %s", a->name, call->name);
	data[0] = (uint32_t)number;
	data[1] = a->token;
	for (unsigned i = 0; i < 3; i++)
		data[4 + 2 * i + (a->big ? 1 : 0)] = call->args[i];
	return run_filter(p, data, sizeof(data) / sizeof(data[0]));
}

static void expect_results(enum gw_role role, const struct arch *a, const char *names,
			   uint32_t want)
{
	struct program p = export_filter(role, a);
	char text[2048], *next = text, *name;

	ck_assert_uint_lt(strlen(names), sizeof(text));
	strcpy(text, names);
	while ((name = strsep(&next, " "))) {
		struct call call = { .name = name };
		uint32_t got = filter_result(&p, a, &call);

		ck_assert_msg(got == want, "%s: role %d: %s: %#x", a->name, role, name, got);
	}
	free(p.code);
}

#define BOTH                                                                                       \
	"read write readv writev sendto recvfrom recvmsg sendmsg close shutdown setsockopt ppoll " \
	"fstat lseek munmap mremap madvise brk futex getrandom clock_gettime clock_getres "        \
	"gettimeofday rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack getpid gettid exit "    \
	"exit_group statx"
/* What a C library of today calls there in the place of what it was asked for. */
#define BOTH_32                                                                \
	"fstat64 fstatat64 _llseek mmap2 recv send sigreturn clock_gettime64 " \
	"clock_getres_time64 futex_time64 ppoll_time64 pselect6_time64"
#define LISTENER                                                                 \
	"connect accept4 getsockname getpeername pipe2 epoll_create1 epoll_ctl " \
	"epoll_pwait eventfd2 timerfd_create ioctl wait4 kill adjtimex clock_adjtime"
#define FORK_SERVER "clone dup3 close_range prctl seccomp prlimit64"
#define NOBODY                                                                                 \
	"openat unlinkat renameat2 mkdirat linkat fchmodat fchownat chdir chroot bind listen " \
	"setuid setgid setns unshare memfd_create userfaultfd perf_event_open add_key reboot " \
	"swapon pidfd_open io_uring_setup clone3"
#define KILLS                                                                                     \
	"execve execveat ptrace process_vm_readv process_vm_writev bpf init_module finit_module " \
	"keyctl mount"

START_TEST(calls_of_each_role)
{
	const struct arch *a = &archs[_i];

	for (enum gw_role role = GW_ROLE_LISTENER; role <= GW_ROLE_WORKER; role++) {
		expect_results(role, a, BOTH, ALLOWED);
		if (a->is_32)
			expect_results(role, a, BOTH_32, ALLOWED);
		else
			expect_results(role, a, "newfstatat", ALLOWED);
		expect_results(role, a, LISTENER, role == GW_ROLE_LISTENER ? ALLOWED : REFUSED);
		expect_results(role, a,
			       a->is_32 ? "timerfd_settime64 clock_adjtime64" : "timerfd_settime",
			       role == GW_ROLE_LISTENER ? ALLOWED : REFUSED);
		expect_results(role, a, "socketpair", role == GW_ROLE_WORKER ? REFUSED : ALLOWED);
		expect_results(role, a, FORK_SERVER,
			       role == GW_ROLE_FORK_SERVER ? ALLOWED : REFUSED);
		expect_results(role, a, NOBODY, REFUSED);
		expect_results(role, a, KILLS, DEADLY);
	}
}
END_TEST

START_TEST(memory_yes_code_no)
{
	const struct arch *a = &archs[_i];
	const char *const names[] = { a->is_32 ? "mmap2" : "mmap", "mprotect" };

	for (enum gw_role role = GW_ROLE_LISTENER; role <= GW_ROLE_WORKER; role++) {
		struct program p = export_filter(role, a);

		for (unsigned i = 0; i < 2; i++) {
			struct call data = { names[i], { 0, 4096, PROT_READ | PROT_WRITE } };
			struct call code = { names[i], { 0, 4096, PROT_READ | PROT_EXEC } };

			ck_assert_msg(filter_result(&p, a, &data) == ALLOWED, "%s: role %d: %s",
				      a->name, role, names[i]);
			ck_assert_msg(filter_result(&p, a, &code) == REFUSED,
				      "%s: role %d: %s of code", a->name, role, names[i]);
		}
		free(p.code);
	}
}
END_TEST

/* Of a worker no lock stays, and no file of others changes hands. */
START_TEST(locks_that_end_with_it)
{
	const struct arch *a = &archs[_i];
	const char *name = a->is_32 ? "fcntl64" : "fcntl";
	const struct {
		uint32_t command;
		bool may;
	} rows[] = {
		{ a->is_32 ? (a->stream == 2 ? 35 : 14) : 7, true }, /* F_SETLKW64, F_SETLKW */
		{ 37, false }, /* F_OFD_SETLK */
		{ 38, false }, /* F_OFD_SETLKW */
		{ 0, false }, /* F_DUPFD */
		{ 8, false }, /* F_SETOWN */
		{ 1024, false }, /* F_SETLEASE */
	};

	for (enum gw_role role = GW_ROLE_LISTENER; role <= GW_ROLE_WORKER; role++) {
		struct program p = export_filter(role, a);

		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			struct call call = { name, { 3, rows[i].command } };
			bool may = rows[i].may || role != GW_ROLE_WORKER;

			ck_assert_msg(filter_result(&p, a, &call) == (may ? ALLOWED : REFUSED),
				      "%s: role %d: row %zu", a->name, role, i);
		}
		free(p.code);
	}
}
END_TEST

/* abort() yes, the end of another process no. */
START_TEST(ends_itself_alone)
{
	const struct arch *a = &archs[_i];
	const uint32_t own = (uint32_t)getpid();
	const struct call ends_itself = { "tgkill", { own, own, 6 } },
			  ends_other = { "tgkill", { own + 1, own + 1, 6 } };

	for (enum gw_role role = GW_ROLE_LISTENER; role <= GW_ROLE_DNS_HELPER; role++) {
		struct program p = export_filter(role, a);
		bool any = role == GW_ROLE_LISTENER || role == GW_ROLE_FORK_SERVER;

		ck_assert_uint_eq(filter_result(&p, a, &ends_itself), ALLOWED);
		ck_assert_msg(filter_result(&p, a, &ends_other) == (any ? ALLOWED : REFUSED),
			      "%s: role %d", a->name, role);
		free(p.code);
	}
}
END_TEST

START_TEST(sockets_of_tcp_only)
{
	const struct arch *a = &archs[_i];
	const struct {
		struct call call;
		bool may;
	} rows[] = {
		{ { "socket", { AF_INET, a->stream, 0 } }, true },
		{ { "socket", { AF_INET6, a->stream | SOCK_CLOEXEC | SOCK_NONBLOCK, 0 } }, true },
		{ { "socket", { AF_INET, 3 - a->stream, 0 } }, false }, /* UDP */
		{ { "socket", { AF_INET, 3, 0 } }, false }, /* raw */
		{ { "socket", { AF_UNIX, a->stream, 0 } }, false },
		{ { "socket", { AF_NETLINK, 3, 0 } }, false },
		{ { "socket", { AF_PACKET, 3, 0 } }, false },
	};
	struct program listener = export_filter(GW_ROLE_LISTENER, a);
	struct program worker = export_filter(GW_ROLE_WORKER, a);
	struct program fork_server = export_filter(GW_ROLE_FORK_SERVER, a);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ck_assert_msg(filter_result(&listener, a, &rows[i].call) ==
				      (rows[i].may ? ALLOWED : REFUSED),
			      "%s: row %zu", a->name, i);
		ck_assert_uint_eq(filter_result(&worker, a, &rows[i].call), REFUSED);
		ck_assert_uint_eq(filter_result(&fork_server, a, &rows[i].call), REFUSED);
	}
	/* MIPS has another way there, and its arguments stand in memory. */
	if (a->stream == 2) {
		struct call other = { "socketcall", { 1 } };

		ck_assert_uint_eq(filter_result(&listener, a, &other), REFUSED);
		ck_assert_uint_eq(filter_result(&worker, a, &other), REFUSED);
	}
	free(listener.code);
	free(worker.code);
	free(fork_server.code);
}
END_TEST

/* A call by the numbers of another architecture is not the call of that name. */
START_TEST(other_architectures)
{
	const struct arch *a = &archs[_i], *other = &archs[(_i + 1) % (int)ARCHS];
	struct program p = export_filter(GW_ROLE_WORKER, a);
	uint32_t data[sizeof(struct seccomp_data) / 4] = { 0 };

	data[0] = (uint32_t)seccomp_syscall_resolve_name_arch(other->token, "read");
	data[1] = other->token;
	ck_assert_uint_ne(run_filter(&p, data, sizeof(data) / sizeof(data[0])), ALLOWED);
	free(p.code);
}
END_TEST

/* Who resolves names reads files and loads modules, and still neither makes a file nor a process. */
START_TEST(names_are_resolved)
{
	const struct arch *a = &archs[_i];
	struct program p = export_filter(GW_ROLE_DNS_HELPER, a);
	const struct {
		struct call call;
		bool may;
	} rows[] = {
		{ { "socket", { AF_INET, 3 - a->stream, 0 } }, true },
		{ { "socket", { AF_INET6, a->stream, 0 } }, true },
		{ { "socket", { AF_UNIX, a->stream, 0 } }, true },
		{ { "socket", { AF_NETLINK, 3, 0 } }, true },
		{ { "socket", { AF_PACKET, 3, 0 } }, false },
		{ { "socket", { 40, a->stream, 0 } }, false }, /* of virtual machines */
		{ { a->is_32 ? "mmap2" : "mmap", { 0, 4096, PROT_READ | PROT_EXEC } }, true },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_msg(filter_result(&p, a, &rows[i].call) ==
				      (rows[i].may ? ALLOWED : REFUSED),
			      "%s: row %zu", a->name, i);
	free(p.code);
	expect_results(GW_ROLE_DNS_HELPER, a, BOTH, ALLOWED);
	expect_results(GW_ROLE_DNS_HELPER, a,
		       "openat faccessat readlinkat sendmmsg bind connect getsockname", ALLOWED);
	expect_results(
		GW_ROLE_DNS_HELPER, a,
		"clone clone3 kill accept4 listen unlinkat renameat2 mkdirat linkat fchmodat "
		"fchownat setuid setns unshare memfd_create seccomp",
		REFUSED);
	expect_results(GW_ROLE_DNS_HELPER, a, KILLS, DEADLY);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("sandbox");

	tcase_add_loop_test(tc, calls_of_each_role, 0, ARCHS);
	tcase_add_loop_test(tc, memory_yes_code_no, 0, ARCHS);
	tcase_add_loop_test(tc, locks_that_end_with_it, 0, ARCHS);
	tcase_add_loop_test(tc, ends_itself_alone, 0, ARCHS);
	tcase_add_loop_test(tc, sockets_of_tcp_only, 0, ARCHS);
	tcase_add_loop_test(tc, names_are_resolved, 0, ARCHS);
	tcase_add_loop_test(tc, other_architectures, 0, ARCHS);
	return run_tcase("sandbox", tc);
}
