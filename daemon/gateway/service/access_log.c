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
#define REASON_MAX FMP_EVENT_DETAIL

static int open_log(const char *file)
{
	return open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0640);
}

static bool stat_directory(const char *file, struct stat *st)
{
	const char *slash = strrchr(file, '/');
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), "%.*s", slash > file ? (int)(slash - file) : 1,
		 slash ? file : ".");
	return !stat(dir, st);
}

/*
 * fmpd starts us as root without CAP_DAC_OVERRIDE: then we can't write to another user's directory.
 * Create the log as that user, who may also rotate it.
 */
static int open_as_owner(const char *file, const struct stat *dir)
{
	int fd, error;

	/* The group first: only root may change it. */
	setfsgid(dir->st_gid);
	setfsuid(dir->st_uid);
	fd = open_log(file);
	error = errno;
	setfsuid(geteuid());
	setfsgid(getegid());
	errno = error;
	return fd;
}

int gw_access_log_open(const char *file, struct fmp_error *err)
{
	struct stat dir;
	int fd = open_log(file);

	if (fd >= 0)
		return fd;
	if (errno != EACCES || geteuid() || !stat_directory(file, &dir) || !dir.st_uid)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't open the access log %s", file);
	fd = open_as_owner(file, &dir);
	if (fd >= 0)
		return fd;
	return fmp_error_sys(
		err, FMP_ERR_IO, errno,
		"can't open the access log %s, neither as root without CAP_DAC_OVERRIDE nor "
		"as uid %u, whose directory it is in: give the log to that user (chown), or "
		"the directory to root",
		file, (unsigned)dir.st_uid);
}

/* UTC and English, whatever the locale. */
static void format_time(time_t t, char *buf, size_t size)
{
	static const char months[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	struct tm tm = { 0 };

	gmtime_r(&t, &tm);
	snprintf(buf, size, "%02d/%s/%d:%02d:%02d:%02d +0000", tm.tm_mday, months[tm.tm_mon],
		 tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* Copy foreign text: replace line ends, quotes, and bytes below @lowest. */
static void copy_sanitized(char *out, size_t size, const char *text, unsigned char lowest)
{
	size_t i;

	for (i = 0; text[i] && i + 1 < size; i++) {
		unsigned char c = (unsigned char)text[i];

		out[i] = c < lowest || c >= 0x7f || c == '"' || c == '\\' ? '?' : (char)c;
	}
	out[i] = '\0';
}

/* Includes the quotes. */
static void format_request(const struct gw_access_log_entry *a, char *out, size_t size)
{
	char target[TARGET_MAX + 1];

	copy_sanitized(target, sizeof(target), a->target, ' ' + 1);
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
	copy_sanitized(reason, sizeof(reason), a->reason ? a->reason : "", ' ');
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
