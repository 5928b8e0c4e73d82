// SPDX-License-Identifier: GPL-2.0
#include "sandbox.h"

#include <cap-ng.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORKER_FILES	 16
#define WORKER_HEAP_STEP (8u << 20) /* its heap grows in steps of this size */
#define SPARE_FILES	 256 /* descriptors of the listener that are not connections */

/* ASan maps terabytes, and its leak check needs ptrace: no filter and no memory limit with it. */
#ifdef __SANITIZE_ADDRESS__
static const bool sanitized = true;
#else
static const bool sanitized;
#endif

static int load_filter(enum gw_role role, struct fmp_error *err)
{
	scmp_filter_ctx ctx;
	bool ok;

	if (sanitized)
		return 0;
	ctx = gw_seccomp_filter_new(role, SCMP_ARCH_NATIVE);
	ok = ctx && !seccomp_load(ctx);
	if (ctx)
		seccomp_release(ctx);
	return ok ? 0 : fmp_error_set(err, FMP_ERR_DENIED, "can't set the system call filter");
}

static int set_limit(int what, rlim_t most, struct fmp_error *err)
{
	struct rlimit l;

	if (!getrlimit(what, &l)) {
		if (l.rlim_max < most && geteuid())
			most = l.rlim_max;
		l.rlim_cur = l.rlim_max = most;
		if (!setrlimit(what, &l))
			return 0;
	}
	return fmp_error_sys(err, FMP_ERR_DENIED, errno, "can't set a limit");
}

static int find_user(const char *user, uid_t *uid, gid_t *gid, struct fmp_error *err)
{
	char *end;
	unsigned long number = strtoul(user, &end, 10);

	*uid = (uid_t)number;
	*gid = (gid_t)number;
	if (end == user || *end) {
		const struct passwd *pw = getpwnam(user);

		if (!pw)
			return fmp_error_set(
				err, FMP_ERR_NOTFOUND,
				"no user \"%s\" for the gateway: make it, or name another "
				"one (or a number) in the policy",
				user);
		*uid = pw->pw_uid;
		*gid = pw->pw_gid;
	}
	if (!*uid || !*gid)
		return fmp_error_set(err, FMP_ERR_DENIED, "the gateway does not run as root");
	return 0;
}

int gw_sandbox_check_user(const char *user, struct fmp_error *err)
{
	uid_t uid;
	gid_t gid;

	return geteuid() ? 0 : find_user(user, &uid, &gid, err);
}

static int switch_user(const char *user, struct fmp_error *err)
{
	uid_t uid;
	gid_t gid;
	int rc;

	if (geteuid())
		return 0;
	rc = find_user(user, &uid, &gid, err);
	if (rc)
		return rc;
	if (setgroups(0, NULL) || setresgid(gid, gid, gid) || setresuid(uid, uid, uid))
		return fmp_error_sys(err, FMP_ERR_DENIED, errno, "can't become user \"%s\"", user);
	return 0;
}

/*
 * Needs CAP_SETPCAP. Where it is missing, as in some containers, libcap-ng reports no error.
 * no_new_privs makes the bounding set useless then, but warn about it.
 */
static int empty_bounding_set(enum gw_role role, struct fmp_error *err)
{
	int held = 0;

	if (geteuid())
		return 0;
	capng_clear(CAPNG_SELECT_BOUNDS);
	if (capng_apply(CAPNG_SELECT_BOUNDS))
		return fmp_error_set(err, FMP_ERR_DENIED, "can't drop the bounding set");
	for (int cap = 0; cap <= CAP_LAST_CAP; cap++)
		held += prctl(PR_CAPBSET_READ, cap, 0, 0, 0) == 1;
	if (held && role == GW_ROLE_LISTENER)
		fputs("fmp-gateway: the capability bounding set is not empty: CAP_SETPCAP is missing where it "
		      "was started\n",
		      stderr);
	return 0;
}

int gw_sandbox_hide_memory(struct fmp_error *err)
{
	return sanitized || !prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
		       ? 0
		       : fmp_error_sys(err, FMP_ERR_DENIED, errno,
				       "can't hide the process's memory");
}

int gw_sandbox_enter(enum gw_role role, const char *user, unsigned connections,
		     struct fmp_error *err)
{
	int rc = set_limit(RLIMIT_NOFILE, connections + SPARE_FILES, err);

	if (!rc)
		rc = set_limit(RLIMIT_CORE, 0, err);
	if (!rc)
		rc = empty_bounding_set(role, err);
	if (!rc)
		rc = switch_user(user, err);
	/* A change of the uid resets it. */
	if (!rc)
		rc = gw_sandbox_hide_memory(err);
	if (rc)
		return rc;
	capng_clear(CAPNG_SELECT_CAPS);
	if (capng_apply(CAPNG_SELECT_CAPS))
		return fmp_error_set(err, FMP_ERR_DENIED, "can't drop capabilities");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return fmp_error_sys(err, FMP_ERR_DENIED, errno, "no_new_privs");
	return load_filter(role, err);
}

/* Growing the file would fill the memory that holds it. Standard error is a pipe to fmpd. */
static int limit_shared_file(int fd, struct fmp_error *err)
{
	struct stat st;

	if (fd < 0)
		return 0;
	if (fstat(fd, &st))
		return fmp_error_sys(err, FMP_ERR_DENIED, errno, "can't set a limit");
	/* A write beyond the limit must fail, not kill the process. */
	signal(SIGXFSZ, SIG_IGN);
	return set_limit(RLIMIT_FSIZE, (rlim_t)st.st_size, err);
}

/* Return: 0: unknown. */
static size_t get_address_space(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f && fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

int gw_sandbox_check_memory(size_t memory, size_t message, struct fmp_error *err)
{
	size_t need = get_address_space() + message + WORKER_HEAP_STEP;

	if (sanitized || need <= memory)
		return 0;
	return fmp_error_set(err, FMP_ERR_LIMIT,
			     "worker-memory is %zu MiB, and a worker with a message needs %zu",
			     memory >> 20, (need >> 20) + 1);
}

int gw_sandbox_worker(int shared_fd, size_t memory, struct fmp_error *err)
{
	int rc = set_limit(RLIMIT_NOFILE, WORKER_FILES, err);

	if (!rc)
		rc = limit_shared_file(shared_fd, err);
	if (!rc && !sanitized)
		rc = set_limit(RLIMIT_AS, memory, err);
	/* A worker retires long before, and the listener ends a silent one. */
	if (!rc)
		rc = set_limit(RLIMIT_CPU, 2 * GW_WORKER_RETIRE_S, err);
	return rc ? rc : load_filter(GW_ROLE_WORKER, err);
}
