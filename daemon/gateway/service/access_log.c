// SPDX-License-Identifier: GPL-2.0
#include "access_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#define TARGET_MAX 160
#define REASON_MAX 200

static int open_log(const char *file)
{
	return open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0640);
}

static bool stat_folder(const char *file, struct stat *st)
{
	const char *slash = strrchr(file, '/');
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%.*s", slash > file ? (int)(slash - file) : 1,
		 slash ? file : ".");
	return !stat(folder, st);
}

/* Root without CAP_DAC_OVERRIDE, as fmpd starts us, may not write to the folder of another user:
 * the log is then made as that user's, who may also rotate it. */
static int open_as_owner(const char *file, const struct stat *folder)
{
	int fd, error;

	/* The group first: only root may change it. */
	setfsgid(folder->st_gid);
	setfsuid(folder->st_uid);
	fd = open_log(file);
	error = errno;
	setfsuid(geteuid());
	setfsgid(getegid());
	errno = error;
	return fd;
}

int gw_access_log_open(const char *file, struct fmp_error *err)
{
	struct stat folder;
	int fd = open_log(file);

	if (fd >= 0)
		return fd;
	if (errno != EACCES || geteuid() || !stat_folder(file, &folder) || !folder.st_uid)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't open the access log %s", file);
	fd = open_as_owner(file, &folder);
	if (fd >= 0)
		return fd;
	return fmp_error_sys(
		err, FMP_ERR_IO, errno,
		"can't open the access log %s, neither as root without CAP_DAC_OVERRIDE nor "
		"as uid %u, whose folder it is in: give the log to that user (chown), or "
		"the folder to root",
		file, (unsigned)folder.st_uid);
}

/* In UTC, in English, whatever the locale says. */
static void format_time(time_t t, char *buf, size_t size)
{
	static const char months[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	struct tm tm = { 0 };

	gmtime_r(&t, &tm);
	snprintf(buf, size, "%02d/%s/%d:%02d:%02d:%02d +0000", tm.tm_mday, months[tm.tm_mon],
		 tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* Somebody else's words: no end of a line or of the quotes, and nothing below the lowest. */
static void copy_words(char *out, size_t size, const char *text, unsigned char lowest)
{
	size_t i;

	for (i = 0; text[i] && i + 1 < size; i++) {
		unsigned char c = (unsigned char)text[i];

		out[i] = c < lowest || c >= 0x7f || c == '"' || c == '\\' ? '?' : (char)c;
	}
	out[i] = '\0';
}

/* With its quotes. */
static void format_request(const struct gw_access_log_entry *a, char *out, size_t size)
{
	char target[TARGET_MAX + 1];

	copy_words(target, sizeof(target), a->target, ' ' + 1);
	if (a->version)
		snprintf(out, size, "\"POST %s HTTP/%u.%u\"", *target ? target : "-",
			 a->version / 10, a->version % 10);
	else
		snprintf(out, size, "\"-\"");
}

size_t gw_access_log_format(const struct gw_access_log_entry *a, char line[GW_ACCESS_LOG_LINE_MAX])
{
	char address[FMP_ADDR_STRLEN], when[64], request[TARGET_MAX + 32], reason[REASON_MAX];
	int len;

	format_request(a, request, sizeof(request));
	copy_words(reason, sizeof(reason), a->reason ? a->reason : "", ' ');
	format_time(a->time, when, sizeof(when));
	len = snprintf(line, GW_ACCESS_LOG_LINE_MAX,
		       "%s - - [%s] %s %d %zu port=%u kind=%s step=%s cpu_us=%" PRIu64
		       "%s%s%s%s%s%s\n",
		       fmp_addr_format(&a->source, address, sizeof(address)), when, request,
		       a->status, a->len, a->source_port, fmp_event_kind_name(a->kind),
		       fmp_step_name(a->step), a->cpu_ns / 1000, a->why ? " backend=\"" : "",
		       a->why ? a->why : "", a->why ? "\"" : "", *reason ? " reason=\"" : "",
		       reason, *reason ? "\"" : "");
	return len < GW_ACCESS_LOG_LINE_MAX ? (size_t)len : GW_ACCESS_LOG_LINE_MAX - 1;
}
