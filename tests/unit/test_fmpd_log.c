// SPDX-License-Identifier: GPL-2.0
/* fmpd's log: buffered lines are written together, completely and in order. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../daemon/fmpd/common/log.h"
#include "run.h"

static int reader;

/* Standard error is a packet pipe (O_DIRECT): each write to it is read by itself. */
static void setup(void)
{
	int ends[2];

	ck_assert_int_eq(pipe2(ends, O_DIRECT | O_NONBLOCK), 0);
	reader = ends[0];
	ck_assert_int_eq(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
	close(ends[1]);
	fmpd_log_open(false, FMPD_LOG_LOGFMT);
}

/* Read the next write. Return: its lines; 0: there was none. */
static unsigned next_write(char *buf, size_t size)
{
	ssize_t n = read(reader, buf, size - 1);
	unsigned lines = 0;

	buf[n > 0 ? n : 0] = '\0';
	for (const char *p = buf; (p = strchr(p, '\n')); p++)
		lines++;
	return lines;
}

START_TEST(lines_come_at_once)
{
	char got[4096];

	fmpd_log(FMPD_NOTICE, "one", "first");
	ck_assert_uint_eq(next_write(got, sizeof(got)), 1);
	ck_assert_ptr_nonnull(strstr(got, "level=notice event=one msg=first\n"));
}
END_TEST

/* journald reads the priority from the prefix. */
START_TEST(the_journal_is_told_the_priority)
{
	char got[4096], stream[64];
	struct stat st;

	ck_assert_int_eq(fstat(STDERR_FILENO, &st), 0);
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
	ck_assert_int_eq(setenv("JOURNAL_STREAM", stream, 1), 0);
	fmpd_log_open(false, FMPD_LOG_LOGFMT);
	fmpd_log(FMPD_WARNING, "one", "first");
	ck_assert_uint_eq(next_write(got, sizeof(got)), 1);
	ck_assert_msg(strncmp(got, "<4>time=", 8) == 0, "%s", got);
	/* $JOURNAL_STREAM of another stream. */
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino + 1);
	ck_assert_int_eq(setenv("JOURNAL_STREAM", stream, 1), 0);
	fmpd_log_open(false, FMPD_LOG_LOGFMT);
	fmpd_log(FMPD_WARNING, "one", "first");
	ck_assert_uint_eq(next_write(got, sizeof(got)), 1);
	ck_assert_msg(strncmp(got, "time=", 5) == 0, "%s", got);
	unsetenv("JOURNAL_STREAM");
}
END_TEST

START_TEST(held_lines_come_together)
{
	char got[4096];

	fmpd_log_hold();
	fmpd_log(FMPD_NOTICE, "one", "first");
	fmpd_log(FMPD_WARNING, "two", "second");
	ck_assert_uint_eq(next_write(got, sizeof(got)), 0);
	fmpd_log_release();
	ck_assert_uint_eq(next_write(got, sizeof(got)), 2);
	ck_assert_ptr_nonnull(strstr(got, "event=one"));
	ck_assert(strstr(got, "event=one") < strstr(got, "event=two"));
	/* Afterwards lines are written at once again. */
	fmpd_log(FMPD_NOTICE, "three", "third");
	ck_assert_uint_eq(next_write(got, sizeof(got)), 1);
	fmpd_log_release();
	ck_assert_uint_eq(next_write(got, sizeof(got)), 0);
}
END_TEST

/* More lines than the buffer holds: none is lost. */
START_TEST(many_held_lines)
{
	char word[1000], got[4096];
	unsigned lines = 0, n;

	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	/* By default the pipe holds 16 packets of a page each: too few for 100 lines. */
	ck_assert_int_ge(fcntl(reader, F_SETPIPE_SZ, 1 << 20), 1 << 19);
	fmpd_log_hold();
	for (unsigned i = 0; i < 100; i++)
		fmpd_log(FMPD_NOTICE, "many", "%u %s", i, word);
	fmpd_log_release();
	while ((n = next_write(got, sizeof(got))))
		lines += n;
	ck_assert_uint_eq(lines, 100);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("held");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, lines_come_at_once);
	tcase_add_test(tc, the_journal_is_told_the_priority);
	tcase_add_test(tc, held_lines_come_together);
	tcase_add_test(tc, many_held_lines);
	return run_tcase("fmpd_log", tc);
}
