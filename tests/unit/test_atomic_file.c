// SPDX-License-Identifier: GPL-2.0
/* A file is replaced as a whole or not at all, if power fails, the disk fails, or the process dies. */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../daemon/fmpd/state/atomic_file.h"

#include "run.h"

/* ---- power cuts: a simulated disk that keeps what was synced, and perhaps more ---- */

#define OLD "the state before"
#define NEW "the state after, which is longer"

/*
 * Two names, each with a file or none. Writes go to a cache. After a cut each file has what was synced and any part of the
 * rest, and each rename that was not synced has happened or not.
 */
struct node {
	char data[128];
	size_t len, synced;
};
static struct {
	struct node nodes[8];
	int n_nodes;
	int temp, target; /* the directory as programs see it: index of a node; -1: none */
	int disk_temp, disk_target; /* the directory as it is on the disk for certain */
	int calls, cut_at; /* the power fails before call number cut_at */
	int fail_at; /* or only this call fails, and the program goes on */
} disk;

/* Return: this call fails. */
static bool should_fail(void)
{
	errno = EIO;
	disk.calls++;
	return disk.calls == disk.fail_at || disk.calls >= disk.cut_at;
}

static int sim_create(const char *path, mode_t mode)
{
	if (should_fail())
		return -1;
	disk.nodes[disk.n_nodes] = (struct node){ .len = 0 };
	disk.temp = disk.n_nodes++;
	return 100 + disk.temp;
}

static ssize_t sim_write(int fd, const void *bytes, size_t n)
{
	struct node *node = &disk.nodes[fd - 100];

	if (should_fail())
		return -1;
	/* A short write, as on a disk that is nearly full. */
	n = n > 5 ? 5 : n;
	memcpy(node->data + node->len, bytes, n);
	node->len += n;
	return (ssize_t)n;
}

static int sim_sync(int fd)
{
	if (should_fail())
		return -1;
	disk.nodes[fd - 100].synced = disk.nodes[fd - 100].len;
	return 0;
}

static int sim_close(int fd)
{
	if (should_fail())
		return -1;
	return 0;
}

static int sim_rename(const char *from, const char *to)
{
	if (should_fail())
		return -1;
	disk.target = disk.temp;
	disk.temp = -1;
	return 0;
}

static int sim_sync_dir(const char *path)
{
	if (should_fail())
		return -1;
	disk.disk_target = disk.target;
	disk.disk_temp = disk.temp;
	return 0;
}

static int sim_unlink(const char *path)
{
	if (should_fail())
		return -1;
	disk.temp = -1;
	return 0;
}

static const struct fmpd_disk sim = {
	.create = sim_create,
	.write = sim_write,
	.sync = sim_sync,
	.close = sim_close,
	.rename = sim_rename,
	.sync_dir = sim_sync_dir,
	.unlink = sim_unlink,
};

static int replace_file(int cut_at, int fail_at)
{
	static struct fmpd_file f;
	struct fmp_error err;
	int rc;

	memset(&disk, 0, sizeof(disk));
	disk.nodes[0].len = disk.nodes[0].synced = strlen(OLD);
	memcpy(disk.nodes[0].data, OLD, strlen(OLD));
	disk.n_nodes = 1;
	disk.temp = disk.disk_temp = -1;
	disk.cut_at = cut_at;
	disk.fail_at = fail_at;
	rc = fmpd_file_begin(&f, &sim, "/state", 0600, &err);
	if (rc)
		return rc;
	rc = fmpd_file_put(&f, NEW, strlen(NEW), &err);
	if (!rc)
		return fmpd_file_commit(&f, &err);
	fmpd_file_abort(&f);
	return rc;
}

/* Check all contents that the file may have after a cut. */
static void ck_old_or_new(int cut, bool must_be_new)
{
	int may_be[2] = { disk.disk_target, disk.target };

	for (int way = must_be_new; way < 2; way++) {
		const struct node *node = &disk.nodes[may_be[way]];

		for (size_t len = node->synced; len <= node->len; len++) {
			bool is_old = len == strlen(OLD) && !memcmp(node->data, OLD, len);
			bool is_new = len == strlen(NEW) && !memcmp(node->data, NEW, len);

			ck_assert_msg(is_new || (is_old && !must_be_new),
				      "cut before call %d, way %d: \"%.*s\"", cut, way, (int)len,
				      node->data);
		}
	}
}

START_TEST(power_may_fail_at_every_call)
{
	int calls;

	ck_assert_int_eq(replace_file(1 << 30, 0), 0);
	calls = disk.calls;
	ck_old_or_new(0, true);
	ck_assert_int_ge(calls, 6 + (int)strlen(NEW) / 5);
	for (int cut = 1; cut <= calls; cut++) {
		ck_assert_msg(replace_file(cut, 0) < 0, "cut before call %d went unnoticed", cut);
		ck_old_or_new(cut, false);
	}
	/* If only the disk fails, the program goes on, returns an error, and leaves no file behind. */
	for (int fail = 1; fail <= calls; fail++) {
		ck_assert_msg(replace_file(1 << 30, fail) < 0, "failure of call %d", fail);
		ck_old_or_new(fail, false);
		ck_assert_int_eq(disk.temp, -1);
	}
}
END_TEST

/* ---- a real disk, and a process that is killed at each call ---- */

#define SHORT	  1000
#define LONG	  80000 /* more than one buffer */
#define BYTES_MAX (LONG + 1)

static int real_calls, die_at;

static void count_call(void)
{
	if (++real_calls == die_at)
		kill(getpid(), SIGKILL);
}

static int real_create(const char *path, mode_t mode)
{
	count_call();
	return fmpd_disk.create(path, mode);
}

static ssize_t real_write(int fd, const void *bytes, size_t n)
{
	count_call();
	return fmpd_disk.write(fd, bytes, n > 9000 ? 9000 : n);
}

static int real_sync(int fd)
{
	count_call();
	return fmpd_disk.sync(fd);
}

static int real_close(int fd)
{
	count_call();
	return fmpd_disk.close(fd);
}

static int real_rename(const char *from, const char *to)
{
	count_call();
	return fmpd_disk.rename(from, to);
}

static int real_sync_dir(const char *path)
{
	count_call();
	return fmpd_disk.sync_dir(path);
}

static int real_unlink(const char *path)
{
	count_call();
	return fmpd_disk.unlink(path);
}

static const struct fmpd_disk real = {
	.create = real_create,
	.write = real_write,
	.sync = real_sync,
	.close = real_close,
	.rename = real_rename,
	.sync_dir = real_sync_dir,
	.unlink = real_unlink,
};

/* Write n equal bytes in a child. Return: 0 written; else the child was killed. */
static int write_real(const char *path, size_t n, int at)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		static struct fmpd_file f;
		static char bytes[BYTES_MAX];
		struct fmp_error err;

		memset(bytes, n == LONG ? 'n' : 'o', sizeof(bytes));
		die_at = at;
		_exit(fmpd_file_begin(&f, &real, path, 0600, &err) ||
		      fmpd_file_put(&f, bytes, n, &err) || fmpd_file_commit(&f, &err));
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status))
		ck_assert_int_eq(WEXITSTATUS(status), 0);
	return WIFSIGNALED(status);
}

/* The unit's umask is 0077; a file for the node exporter must be readable all the same. */
START_TEST(mode_is_as_asked)
{
	char path[] = "/tmp/fmp-mode-XXXXXX";
	struct fmpd_file f;
	struct fmp_error err;
	struct stat st;
	int fd = mkstemp(path);
	mode_t before = umask(0077);

	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(fmpd_file_begin(&f, &fmpd_disk, path, 0644, &err), 0);
	ck_assert_int_eq(fmpd_file_commit(&f, &err), 0);
	umask(before);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0644);
	unlink(path);
}
END_TEST

START_TEST(killed_at_every_call)
{
	char dir[] = "/tmp/test_state.XXXXXX", path[64], temp[80];
	static char bytes[BYTES_MAX];
	bool killed = true;
	int at;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/state", dir);
	snprintf(temp, sizeof(temp), "%s.new", path);
	for (at = 1; killed; at++) {
		FILE *f;
		size_t n;

		ck_assert_int_eq(write_real(path, SHORT, 0), 0);
		killed = write_real(path, LONG, at);
		f = fopen(path, "r");
		ck_assert_ptr_nonnull(f);
		n = fread(bytes, 1, sizeof(bytes), f);
		fclose(f);
		ck_assert_msg(n == SHORT || n == LONG, "%zu bytes", n);
		ck_assert(killed || n == LONG);
		for (size_t i = 0; i < n; i++)
			ck_assert_int_eq(bytes[i], n == LONG ? 'n' : 'o');
	}
	ck_assert_int_gt(at, 8);
	unlink(temp);
	unlink(path);
	rmdir(dir);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("atomic_file");

	tcase_add_test(t, power_may_fail_at_every_call);
	tcase_add_test(t, mode_is_as_asked);
	tcase_add_test(t, killed_at_every_call);
	tcase_set_timeout(t, 60);
	return run_tcase("atomic_file", t);
}
