// SPDX-License-Identifier: GPL-2.0
#include "log.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include <fmp/internal/text.h>

#include "clock.h"

#define BURST	   200u /* lines at once */
#define PER_SECOND 20u /* lines a second in the long run */
#define VALUE_MAX  256u /* bytes of a field */
#define HELD_MAX   65536u /* bytes of buffered lines */

static struct {
	bool syslog, journal, terminal, colour, json;
	uint64_t tokens, filled_ms, suppressed;
	char *held; /* buffered lines; NULL: not buffering, or no memory for it */
	size_t held_len; /* bytes */
	time_t stamp_s; /* the second of the stamp; -1: none is made */
	char stamp_text[40];
} sink = { .tokens = BURST, .stamp_s = -1 };

static const char *const level_names[] = { "error", "warning", "notice", "info", "detail" };
static const char *const level_colours[] = { "\x1b[31m", "\x1b[33m", "", "", "\x1b[2m" };
static const int level_priorities[] = { LOG_ERR, LOG_WARNING, LOG_NOTICE, LOG_INFO, LOG_DEBUG };

/* Does journald read standard error? See sd-daemon(3), JOURNAL_STREAM. */
static bool is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	uintmax_t device, inode;
	struct stat st;

	return stream && sscanf(stream, "%ju:%ju", &device, &inode) == 2 &&
	       !fstat(STDERR_FILENO, &st) && st.st_dev == device && st.st_ino == inode;
}

void fmpd_log_open(bool to_syslog, enum fmpd_log_format format)
{
	const char *no_colour = getenv("NO_COLOR");

	sink.stamp_s = -1;
	sink.syslog = to_syslog;
	sink.journal = !to_syslog && is_journal();
	sink.json = format == FMPD_LOG_JSON;
	sink.terminal = format == FMPD_LOG_AUTO && !to_syslog && isatty(STDERR_FILENO);
	sink.colour = sink.terminal && !(no_colour && *no_colour);
	if (to_syslog)
		openlog("fmpd", LOG_PID, LOG_DAEMON);
}

/* Details may use only the upper half of the bucket. */
static bool take_token(enum fmpd_level level)
{
	uint64_t now = fmpd_now_ms(), fresh = (now - sink.filled_ms) * PER_SECOND / 1000;

	if (fresh) {
		sink.tokens = sink.tokens + fresh > BURST ? BURST : sink.tokens + fresh;
		sink.filled_ms = now;
	}
	if (sink.tokens <= (level == FMPD_DETAIL ? BURST / 2 : 0))
		return false;
	sink.tokens--;
	return true;
}

static void append_bytes(struct fmpd_line *l, const char *s, size_t n)
{
	size_t room = sizeof(l->text) - 1 - l->len;

	if (n > room)
		n = room;
	memcpy(l->text + l->len, s, n);
	l->len += n;
	l->text[l->len] = '\0';
}

/* A logfmt value: quoted, with quotes and backslashes escaped, only where it must be. */
static void append_value(struct fmpd_line *l, const char *s)
{
	if (*s && !strpbrk(s, " \"=\\")) {
		append_bytes(l, s, strlen(s));
		return;
	}
	append_bytes(l, "\"", 1);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			append_bytes(l, "\\", 1);
		append_bytes(l, s, 1);
	}
	append_bytes(l, "\"", 1);
}

/* A JSON string. A line without room cuts the text, but keeps room for the ends of the string and the object. */
static void append_json(struct fmpd_line *l, const char *s)
{
	char one[8];

	append_bytes(l, "\"", 1);
	for (; *s && l->len < sizeof(l->text) - 16; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			snprintf(one, sizeof(one), "\\%c", c);
		else if (c < 0x20)
			snprintf(one, sizeof(one), "\\u%04x", c);
		else
			snprintf(one, sizeof(one), "%c", c);
		append_bytes(l, one, strlen(one));
	}
	/* Do not cut a UTF-8 character. */
	if (*s)
		while (l->len && ((unsigned char)l->text[l->len - 1] & 0x80))
			l->len--;
	append_bytes(l, "\"", 1);
}

static void add_json(struct fmpd_line *l, const char *key, const char *value)
{
	size_t digits = strspn(value, "0123456789");

	/* Leave out a field without room for its name, colon and quotes. */
	if (l->len + strlen(key) + 24 > sizeof(l->text))
		return;
	if (l->len)
		append_bytes(l, ",", 1);
	append_json(l, key);
	append_bytes(l, ":", 1);
	/* Up to 15 digits fit into a double without loss: write these as numbers. */
	if (digits && digits < 16 && !value[digits] && (*value != '0' || digits == 1))
		append_bytes(l, value, digits);
	else
		append_json(l, value);
}

static void add_value(struct fmpd_line *l, const char *key, const char *value)
{
	if (sink.json) {
		add_json(l, key, value);
		return;
	}
	if (l->len)
		append_bytes(l, " ", 1);
	append_bytes(l, key, strlen(key));
	append_bytes(l, "=", 1);
	append_value(l, value);
}

static void begin_line(struct fmpd_line *l, enum fmpd_level level, const char *event,
		       const char *fmt, va_list ap)
{
	char sentence[768];

	l->level = level;
	l->always = false;
	l->len = 0;
	vsnprintf(sentence, sizeof(sentence), fmt, ap);
	fmp_text_clean(sentence);
	if (sink.terminal) {
		append_bytes(l, sentence, strlen(sentence));
		return;
	}
	add_value(l, "event", event);
	add_value(l, "msg", sentence);
}

void fmpd_line_begin(struct fmpd_line *l, enum fmpd_level level, const char *event, const char *fmt,
		     ...)
{
	va_list ap;

	va_start(ap, fmt);
	begin_line(l, level, event, fmt, ap);
	va_end(ap);
}

void fmpd_line_add_text(struct fmpd_line *l, const char *key, const char *value)
{
	char clean[VALUE_MAX];
	size_t n = strnlen(value, sizeof(clean) - 1);

	if (sink.terminal)
		return;
	memcpy(clean, value, n);
	clean[n] = '\0';
	fmp_text_clean(clean);
	add_value(l, key, clean);
}

void fmpd_line_add(struct fmpd_line *l, const char *key, const char *fmt, ...)
{
	char value[VALUE_MAX];
	va_list ap;

	if (sink.terminal)
		return;
	va_start(ap, fmt);
	vsnprintf(value, sizeof(value), fmt, ap);
	va_end(ap);
	fmp_text_clean(value);
	add_value(l, key, value);
}

static void write_held_lines(void)
{
	if (sink.held_len)
		fwrite(sink.held, 1, sink.held_len, stderr);
	sink.held_len = 0;
}

static void emit_line(const char *fmt, ...) FMP_PRINTF(1, 2);

/* To stderr, or into the buffer. */
static void emit_line(const char *fmt, ...)
{
	char line[sizeof(((struct fmpd_line *)0)->text) + 128];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(line))
		return;
	if (!sink.held) {
		fwrite(line, 1, (size_t)n, stderr);
		return;
	}
	if (sink.held_len + (size_t)n > HELD_MAX)
		write_held_lines();
	memcpy(sink.held + sink.held_len, line, (size_t)n);
	sink.held_len += (size_t)n;
}

void fmpd_log_hold(void)
{
	if (!sink.held && !sink.syslog)
		sink.held = malloc(HELD_MAX);
}

void fmpd_log_release(void)
{
	write_held_lines();
	free(sink.held);
	sink.held = NULL;
}

/* The time stamp of a line, formatted once a second. */
static const char *stamp_now(void)
{
	time_t now = time(NULL);
	struct tm tm;

	if (now == sink.stamp_s)
		return sink.stamp_text;
	sink.stamp_s = now;
	localtime_r(&now, &tm);
	strftime(sink.stamp_text, sizeof(sink.stamp_text),
		 sink.terminal ? "%H:%M:%S" : "%Y-%m-%dT%H:%M:%S%z", &tm);
	return sink.stamp_text;
}

static void write_line(enum fmpd_level level, const char *text)
{
	char priority[8] = "";

	if (sink.syslog) {
		syslog(level_priorities[level], sink.json ? "{%s}" : "%s", text);
		return;
	}
	if (sink.terminal) {
		const char *colour = sink.colour ? level_colours[level] : "";

		emit_line("%s %s%s%s\n", stamp_now(), colour, text, *colour ? "\x1b[0m" : "");
		return;
	}
	if (sink.journal)
		snprintf(priority, sizeof(priority), "<%d>", level_priorities[level]);
	if (sink.json)
		emit_line("%s{\"time\":\"%s\",\"level\":\"%s\",%s}\n", priority, stamp_now(),
			  level_names[level], text);
	else
		emit_line("%stime=%s level=%s %s\n", priority, stamp_now(), level_names[level],
			  text);
}

void fmpd_line_end(struct fmpd_line *l)
{
	struct fmpd_line note = { .len = 0 };
	char count[24];

	if (l->level == FMPD_DETAIL && !sink.terminal)
		return;
	if (!l->always && !take_token(l->level)) {
		sink.suppressed++;
		return;
	}
	if (sink.suppressed) {
		snprintf(count, sizeof(count), "%llu", (unsigned long long)sink.suppressed);
		add_value(&note, "event", "log");
		add_value(&note, "msg", "lines left out");
		add_value(&note, "lines", count);
		sink.suppressed = 0;
		write_line(FMPD_WARNING, note.text);
	}
	write_line(l->level, l->text);
}

void fmpd_log(enum fmpd_level level, const char *event, const char *fmt, ...)
{
	struct fmpd_line l;
	va_list ap;

	va_start(ap, fmt);
	begin_line(&l, level, event, fmt, ap);
	va_end(ap);
	fmpd_line_end(&l);
}

void fmpd_log_error(enum fmpd_level level, const char *event, const char *what,
		    const struct fmp_error *err)
{
	char text[700];

	fmpd_log(level, event, "%s: %s", what, fmp_error_format(err, text, sizeof(text)));
}
