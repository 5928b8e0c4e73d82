// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/seccomp.h>

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Our programs never make these calls: a process that does is under foreign control. */
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

bool fmp_seccomp_add(scmp_filter_ctx ctx, uint32_t action, const int *calls, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int rc = seccomp_rule_add(ctx, action, calls[i], 0);

		if (rc && rc != -EDOM && rc != -EOPNOTSUPP)
			return false;
	}
	return true;
}

bool fmp_seccomp_add_deadly(scmp_filter_ctx ctx)
{
	return fmp_seccomp_add(ctx, SCMP_ACT_KILL_PROCESS, deadly_calls, COUNT(deadly_calls));
}

bool fmp_seccomp_allow_data(scmp_filter_ctx ctx)
{
	static const int calls[] = { SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(mprotect) };

	for (size_t i = 0; i < COUNT(calls); i++) {
		int rc = seccomp_rule_add(ctx, SCMP_ACT_ALLOW, calls[i], 1,
					  SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));

		if (rc && rc != -EDOM)
			return false;
	}
	return true;
}

bool fmp_seccomp_allow_families(scmp_filter_ctx ctx, const int *families, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(socket), 1,
				     SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)families[i], 0)))
			return false;
	return true;
}

bool fmp_seccomp_allow_abort(scmp_filter_ctx ctx)
{
	return !seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
				 SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid(), 0));
}
