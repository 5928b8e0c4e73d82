// SPDX-License-Identifier: GPL-2.0
#include "log_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "log_watch.h"

static const char *const names[LOG_FORMATS] = {
	[LOG_AUTO] = "auto",	 [LOG_TIMELINE] = "timeline", [LOG_WATCH] = "watch",
	[LOG_ACCESS] = "access", [LOG_PCAP] = "pcap",
};

const char *log_format_name(unsigned format)
{
	return format < LOG_FORMATS ? names[format] : NULL;
}

int log_format_parse(const char *name, enum log_format *out)
{
	for (unsigned f = 0; f < LOG_FORMATS; f++) {
		if (!strcmp(name, names[f])) {
			*out = f;
			return 0;
		}
	}
	return FMP_ERR_NOTFOUND;
}

static enum log_format guess_format(const char *line)
{
	const char *p = strstr(line, " [");

	if (*line == '{')
		return LOG_WATCH;
	/* "[22/Nov/2026:..." */
	return p && strspn(p + 2, "0123456789") == 2 && p[4] == '/' ? LOG_ACCESS : LOG_TIMELINE;
}

/* Return: the time in ms since the start, as timelines have it; it never goes back. */
static uint64_t advance_time(struct log_reader *r, uint64_t ns)
{
	if (!ns)
		ns = r->last_ns;
	if (!r->start_ns)
		r->start_ns = r->last_ns = ns;
	if (ns < r->last_ns)
		r->late++;
	else
		r->last_ns = ns;
	/* Round both, as the engine does: it counts whole milliseconds of the clock. */
	return r->last_ns / 1000000 - r->start_ns / 1000000;
}

int log_add_entry(struct log_reader *r, const struct log_entry *e, struct fmp_error *err)
{
	char line[1024];
	size_t n = log_entry_format(e, advance_time(r, e->event.time_ns), line, sizeof(line));

	r->entries++;
	return r->line(line, n, r->ctx, err);
}

static int read_line(struct log_reader *r, enum log_format format, const char *line, size_t len,
		     unsigned number, struct fmp_error *err)
{
	struct log_entry e;
	int rc;

	if (format == LOG_TIMELINE) {
		r->entries++;
		return r->line(line, len, r->ctx, err);
	}
	if (!len)
		return 0;
	rc = format == LOG_WATCH ? watch_parse_line(line, len, &e)
				 : access_parse_line(&r->map, line, &e);
	if (rc == FMP_ERR_NOMEM)
		return fmp_error_set(err, rc, "no memory");
	if (rc == 1)
		return log_add_entry(r, &e, err);
	if (!rc) {
		r->left_out++;
		return 0;
	}
	if (!r->not_understood++)
		r->first_bad = number;
	return 0;
}

/* Read a line without its line end; sets *cut if it does not fit. Return: false at the end of the file. */
static bool next_line(FILE *f, char *buf, size_t size, size_t *len, bool *cut)
{
	int c;

	*cut = false;
	*len = 0;
	while ((c = getc_unlocked(f)) != EOF && c != '\n') {
		if (*len + 1 < size)
			buf[(*len)++] = (char)c;
		else
			*cut = true;
	}
	if (*len && buf[*len - 1] == '\r')
		--*len;
	buf[*len] = '\0';
	return c != EOF || *len;
}

static int read_lines(struct log_reader *r, FILE *f, const char *file, struct fmp_error *err)
{
	enum log_format format = r->format;
	uint64_t before = r->entries + r->left_out;
	char line[LOG_LINE_MAX];
	unsigned number = 0;
	bool cut;
	size_t len;
	int rc = 0;

	while (!rc && next_line(f, line, sizeof(line), &len, &cut)) {
		number++;
		if (!format && len && *line != '#')
			format = guess_format(line);
		/* Only timelines may begin with comments. */
		rc = read_line(r, format ? format : LOG_TIMELINE, line, cut ? 0 : len, number, err);
		if (cut && !r->not_understood++)
			r->first_bad = number;
		r->is_wall |= format == LOG_ACCESS;
	}
	if (rc)
		return rc;
	if (ferror(f))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't read %s", file);
	if (number && r->not_understood && r->entries + r->left_out == before)
		return fmp_error_at(err, FMP_ERR_SYNTAX, file, r->first_bad, 0,
				    "no line is one of the format \"%s\"", names[format]);
	return 0;
}

/* Recognize a capture by its first bytes, which are pushed back. */
static bool is_capture(FILE *f)
{
	static const unsigned char magics[][4] = {
		{ 0xa1, 0xb2, 0xc3, 0xd4 }, { 0xd4, 0xc3, 0xb2, 0xa1 }, /* microseconds */
		{ 0xa1, 0xb2, 0x3c, 0x4d }, { 0x4d, 0x3c, 0xb2, 0xa1 }, /* nanoseconds */
		{ 0x0a, 0x0d, 0x0d, 0x0a }, /* pcapng */
	};
	unsigned char first[4];
	size_t n = 0;
	bool is = false;
	int c;

	while (n < sizeof(first) && (c = getc(f)) != EOF)
		first[n++] = (unsigned char)c;
	for (size_t i = 0; n == sizeof(first) && i < sizeof(magics) / sizeof(magics[0]); i++)
		is |= !memcmp(first, magics[i], sizeof(first));
	/* glibc and musl take back as many bytes as were just read from the buffer. */
	while (n)
		ungetc(first[--n], f);
	return is;
}

static int read_capture(struct log_reader *r, FILE *f, const char *file, struct fmp_error *err)
{
	r->is_wall = true;
	if (r->capture)
		return r->capture(r, f, file, err);
	if (f != stdin)
		fclose(f);
	return fmp_error_set(err, FMP_ERR_INVALID,
			     "%s is a packet capture: convert it with fmpctl replay --timeline",
			     file);
}

int log_read(struct log_reader *r, const char *file, struct fmp_error *err)
{
	FILE *f = strcmp(file, "-") ? fopen(file, "r") : stdin;
	int rc;

	if (!f)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't read %s", file);
	if (r->format == LOG_PCAP || (r->format == LOG_AUTO && is_capture(f)))
		return read_capture(r, f, file, err);
	rc = read_lines(r, f, file, err);
	if (f != stdin)
		fclose(f);
	return rc;
}

const char *log_format_time(const struct log_reader *r, uint64_t at_ms, char *buf, size_t size)
{
	time_t t = (time_t)(r->start_ns / 1000000000 + at_ms / 1000);
	struct tm tm;

	if (!r->is_wall || !gmtime_r(&t, &tm))
		return NULL;
	strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return buf;
}
