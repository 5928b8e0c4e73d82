// SPDX-License-Identifier: GPL-2.0
#include "policy_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmp/internal/policy_pack.h>

#include "clock.h"
#include <fmp/internal/spawn.h>

#define OUTPUT_MAX (64u << 20) /* the policy is made of some MiB of XML and blocklists */
#define LOAD_MS	   10000u
#define SEALS	   (F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

struct output {
	char *bytes;
	size_t len, cap;
};

/* Read until the process closes its output. Return: 0, FMP_ERR_LIMIT, FMP_ERR_NOMEM, FMP_ERR_IO. */
static int read_output(int fd, struct output *a)
{
	uint64_t until = fmpd_now_ms() + LOAD_MS;

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		uint64_t now = fmpd_now_ms();
		ssize_t n;

		if (a->len == a->cap) {
			size_t cap = a->cap ? 2 * a->cap : 32768;
			char *more = cap <= OUTPUT_MAX ? realloc(a->bytes, cap) : NULL;

			if (!more)
				return cap <= OUTPUT_MAX ? FMP_ERR_NOMEM : FMP_ERR_LIMIT;
			a->bytes = more;
			a->cap = cap;
		}
		if (now >= until)
			return FMP_ERR_LIMIT;
		if (poll(&p, 1, (int)(until - now)) <= 0)
			continue;
		n = read(fd, a->bytes + a->len, a->cap - a->len);
		if (n < 0 && errno != EINTR)
			return FMP_ERR_IO;
		if (!n)
			return 0;
		a->len += n > 0 ? (size_t)n : 0;
	}
}

static int check_result(const char *program, int rc, int status, const struct output *a,
			struct fmp_policy **out, struct fmp_error *err)
{
	if (rc)
		return fmp_error_set(err, rc, "%s: %s", program,
				     rc == FMP_ERR_LIMIT ? "no policy in time, or one without end"
							 : fmp_code_name(rc));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return fmp_error_set(err, FMP_ERR_IO, "%s: it ended with %s %d", program,
				     WIFSIGNALED(status) ? "signal" : "status",
				     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return fmp_policy_unpack(a->bytes, a->len, out, err);
}

int fmpd_policy_load(const char *file, struct fmp_policy **out, struct fmp_error *err)
{
	char *const argv[] = { (char *)"fmp-policy-load", (char *)file, NULL };
	struct output a = { .len = 0 };
	char program[PATH_MAX];
	int ends[2], rc, status = 0;
	pid_t pid;

	fmp_spawn_find("fmp-policy-load", NULL, program, sizeof(program));
	if (pipe2(ends, O_CLOEXEC))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no pipe for the policy");
	rc = fmp_spawn_program(program, argv, environ, ends[1], STDOUT_FILENO, &pid);
	close(ends[1]);
	if (rc) {
		close(ends[0]);
		return fmp_error_sys(err, FMP_ERR_IO, rc, "can't run %s", program);
	}
	rc = read_output(ends[0], &a);
	close(ends[0]);
	if (rc)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	rc = check_result(program, rc, status, &a, out, err);
	free(a.bytes);
	return rc;
}

int fmpd_policy_seal(const struct fmp_policy *policy, struct fmp_error *err)
{
	struct fmp_policy own = *policy;
	int fd = memfd_create("fmp-policy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0), rc;
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
	bool whole;

	if (!out)
		goto err_file;
	/* A gateway does not use the blocklists. */
	own.n_blocklists = 0;
	fmp_policy_pack(out, &own, NULL);
	whole = !ferror(out);
	if (fclose(out) || !whole || fcntl(fd, F_ADD_SEALS, SEALS))
		goto err_written;
	return fd;

err_file:
	rc = fmp_error_sys(err, FMP_ERR_IO, errno, "no memory for the policy");
	if (copy >= 0)
		close(copy);
	if (fd >= 0)
		close(fd);
	return rc;
err_written:
	rc = fmp_error_sys(err, FMP_ERR_IO, errno, "no memory for the policy");
	close(fd);
	return rc;
}
