// SPDX-License-Identifier: GPL-2.0
#include "message_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fmp/internal/calendar_time.h>

#define FILE_MAX (256u << 20)

int message_file_read(const char *path, unsigned char **bytes, size_t *len, struct fmp_error *err)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	size_t cap = 64 << 10, n = 0, got;
	unsigned char *buf, *more;
	int rc = 0;

	if (!f)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't read %s", path);
	buf = malloc(cap);
	while (buf && (got = fread(buf + n, 1, cap - n, f))) {
		n += got;
		if (n < cap)
			continue;
		more = cap < FILE_MAX ? realloc(buf, cap * 2) : NULL;
		if (!more)
			break;
		buf = more;
		cap *= 2;
	}
	if (!buf || n == cap)
		rc = fmp_error_set(err, FMP_ERR_LIMIT, "%s is larger than %u MiB", path,
				   FILE_MAX >> 20);
	else if (ferror(f))
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "can't read %s", path);
	if (f != stdin)
		fclose(f);
	if (rc) {
		free(buf);
		return rc;
	}
	*bytes = buf;
	*len = n;
	return 0;
}

/* Parse "Z" or "+01:00", with an optional fraction of a second before it. */
static int parse_zone(const char *p, int64_t *offset)
{
	int h, m, n = 0;

	if (*p == '.')
		for (p++; isdigit((unsigned char)*p); p++)
			;
	*offset = 0;
	if (!strcmp(p, "Z") || !strcmp(p, "z"))
		return 0;
	if ((*p != '+' && *p != '-') || sscanf(p + 1, "%2d:%2d%n", &h, &m, &n) != 2 || p[1 + n] ||
	    h < 0 || h > 23 || m < 0 || m > 59)
		return FMP_ERR_SYNTAX;
	*offset = (h * 60 + m) * 60 * (*p == '-' ? -1 : 1);
	return 0;
}

/* Certificates are verified at a time_t, which has 32 bits on some machines. */
static int check_time_t(int64_t seconds)
{
	return (time_t)seconds == seconds ? 0 : FMP_ERR_SYNTAX;
}

int timestamp_parse(const char *text, int64_t *seconds)
{
	struct tm tm = { 0 };
	int64_t offset;
	const char *p;
	char *end;

	if (*text == '@') {
		errno = 0;
		*seconds = strtoll(text + 1, &end, 10);
		return errno || end == text + 1 || *end ? FMP_ERR_SYNTAX : check_time_t(*seconds);
	}
	p = strptime(text, "%Y-%m-%d", &tm);
	if (!p || (*p != 'T' && *p != 't' && *p != ' '))
		return FMP_ERR_SYNTAX;
	p = strptime(p + 1, "%H:%M:%S", &tm);
	if (!p || parse_zone(p, &offset))
		return FMP_ERR_SYNTAX;
	*seconds = fmp_calendar_seconds(&tm) - offset;
	return check_time_t(*seconds);
}
