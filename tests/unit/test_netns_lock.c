// SPDX-License-Identifier: GPL-2.0
/* The lock of a network namespace: one fmpd holds it, however often others ask. */
#include <check.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../daemon/fmpd/supervisor/netns_lock.h"
#include "run.h"

/* More than a queue has places. */
#define ASKERS 5000u

static pid_t holder;

/* An fmpd in its event loop. */
static void run_holder(int ready)
{
	struct event_base *base = event_base_new();
	struct fmp_error err;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!base || fmpd_netns_lock(&err) || fmpd_netns_lock_run(base, &err) ||
	    write(ready, "", 1) != 1)
		_exit(1);
	event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY);
	_exit(0);
}

/* In a namespace of its own, if that may be made: an fmpd may run on this machine. */
static void setup(void)
{
	char byte;
	int ends[2];

	if (unshare(CLONE_NEWNET))
		(void)!unshare(CLONE_NEWUSER | CLONE_NEWNET);
	ck_assert_int_eq(pipe(ends), 0);
	holder = fork();
	ck_assert_int_ge(holder, 0);
	if (!holder)
		run_holder(ends[1]);
	close(ends[1]);
	ck_assert_int_eq(read(ends[0], &byte, 1), 1);
	close(ends[0]);
}

static void teardown(void)
{
	if (!holder)
		return;
	kill(holder, SIGKILL);
	waitpid(holder, NULL, 0);
}

/* What a start that is refused leaves behind. */
static void connect_once(void)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	static const char name[] = "fmpd-enforces";
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	memcpy(sun.sun_path + 1, name, sizeof(name) - 1);
	ck_assert_int_ge(fd, 0);
	if (connect(fd, (const struct sockaddr *)&sun,
		    offsetof(struct sockaddr_un, sun_path) + sizeof(name)))
		ck_assert_int_eq(errno, EAGAIN);
	close(fd);
}

START_TEST(a_second_is_refused)
{
	struct fmp_error err;
	char pid[16];

	ck_assert_int_eq(fmpd_netns_lock(&err), FMP_ERR_EXISTS);
	snprintf(pid, sizeof(pid), "pid %d ", (int)holder);
	ck_assert_ptr_nonnull(strstr(err.message, pid));
}
END_TEST

/* A full queue says nothing about who holds the lock: the next one would start. */
START_TEST(refused_starts_fill_no_queue)
{
	struct fmp_error err;

	for (unsigned i = 0; i < ASKERS; i++)
		connect_once();
	ck_assert_int_eq(fmpd_netns_lock(&err), FMP_ERR_EXISTS);
}
END_TEST

START_TEST(it_ends_with_the_process)
{
	struct fmp_error err;

	kill(holder, SIGKILL);
	waitpid(holder, NULL, 0);
	holder = 0;
	ck_assert_int_eq(fmpd_netns_lock(&err), 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("lock");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_second_is_refused);
	tcase_add_test(tc, refused_starts_fill_no_queue);
	tcase_add_test(tc, it_ends_with_the_process);
	return run_tcase("netns_lock", tc);
}
