// SPDX-License-Identifier: GPL-2.0
/* fmpd starts a gateway, also where the kernel lacks memfd or seals. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmp/internal/spawn.h>
#include "run.h"

static enum {
	AS_IT_IS,
	NO_MEMFD,
	NO_SEALS
} kernel;

int __real_memfd_create(const char *name, unsigned flags);
int __wrap_memfd_create(const char *name, unsigned flags);

int __wrap_memfd_create(const char *name, unsigned flags)
{
	if (kernel == NO_MEMFD) {
		errno = ENOSYS;
		return -1;
	}
	return __real_memfd_create(name, kernel == NO_SEALS ? flags & ~MFD_ALLOW_SEALING : flags);
}

static unsigned count_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	ck_assert_ptr_nonnull(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static int spawn_gateway(struct fmp_gateway_process *process, struct fmp_error *err)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), rc;
	struct fmp_spawn how = { .program = "/bin/true", .policy_fd = null, .listen_fd = null };

	ck_assert_int_ge(null, 0);
	rc = fmp_spawn_gateway(&how, process, err);
	close(null);
	return rc;
}

START_TEST(a_gateway_has_a_note)
{
	struct fmp_error err = { 0 };
	struct fmp_gateway_process process;
	int status;

	kernel = AS_IT_IS;
	ck_assert_msg(!spawn_gateway(&process, &err), "%s", err.message);
	ck_assert_ptr_nonnull(process.note);
	ck_assert_int_eq(waitpid(process.pid, &status, 0), process.pid);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	fmp_spawn_note_free(process.note);
	close(process.event_fd);
	close(process.log_fd);
}
END_TEST

static const struct {
	int kernel, error;
} without[] = {
	{ NO_MEMFD, ENOSYS },
	{ NO_SEALS, EPERM },
};

START_TEST(without_a_note_it_is_said)
{
	unsigned before = count_descriptors();
	struct fmp_error err = { 0 };
	struct fmp_gateway_process process;

	kernel = without[_i].kernel;
	ck_assert_int_eq(spawn_gateway(&process, &err), FMP_ERR_IO);
	ck_assert_msg(strstr(err.message, "note") &&
			      strstr(err.message, strerror(without[_i].error)),
		      "%s", err.message);
	ck_assert_uint_eq(count_descriptors(), before);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("spawn");

	tcase_add_test(tc, a_gateway_has_a_note);
	tcase_add_loop_test(tc, without_a_note_it_is_said, 0, sizeof(without) / sizeof(*without));
	return run_tcase("spawn", tc);
}
