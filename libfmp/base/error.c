// SPDX-License-Identifier: GPL-2.0
/* struct fmp_error: fill it, and show it as text. */
#include <fmp/error.h>

#include <stdio.h>
#include <string.h>

#include <fmp/internal/errno_text.h>
#include <fmp/internal/text.h>

/* A message is one line, whatever a caller or a library puts into it. */
static void flatten_line(char *s)
{
	size_t len = strlen(s);

	while (len && (s[len - 1] == '\n' || s[len - 1] == '\r' || s[len - 1] == ' '))
		s[--len] = '\0';
	for (; *s; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			*s = ' ';
}

static void fill_error(struct fmp_error *err, enum fmp_code code, const char *fmt, va_list ap)
{
	/* Format into a copy: the arguments may point into err. */
	char message[sizeof(err->message)];

	if (vsnprintf(message, sizeof(message), fmt, ap) < 0)
		message[0] = '\0';
	flatten_line(message);
	fmp_text_clean(message);
	memset(err, 0, sizeof(*err));
	err->code = code;
	memcpy(err->message, message, sizeof(message));
}

int fmp_error_set(struct fmp_error *err, enum fmp_code code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	va_start(ap, fmt);
	fill_error(err, code, fmt, ap);
	va_end(ap);
	return code;
}

int fmp_error_sys(struct fmp_error *err, enum fmp_code code, int sys_errno, const char *fmt, ...)
{
	char why[128];
	size_t len;
	va_list ap;

	if (!err)
		return code;
	va_start(ap, fmt);
	fill_error(err, code, fmt, ap);
	va_end(ap);
	err->sys_errno = sys_errno;
	len = strlen(err->message);
	snprintf(err->message + len, sizeof(err->message) - len, "%s%s", len ? ": " : "",
		 fmp_errno_text(sys_errno, why, sizeof(why)));
	return code;
}

int fmp_error_at(struct fmp_error *err, enum fmp_code code, const char *file, unsigned line,
		 unsigned column, const char *fmt, ...)
{
	char name[sizeof(err->file)];
	va_list ap;

	if (!err)
		return code;
	snprintf(name, sizeof(name), "%s", file ? file : "");
	va_start(ap, fmt);
	fill_error(err, code, fmt, ap);
	va_end(ap);
	memcpy(err->file, name, sizeof(name));
	err->line = line;
	err->column = column;
	return code;
}

const char *fmp_error_format(const struct fmp_error *err, char *buf, unsigned long size)
{
	const char *text = err->message[0] ? err->message : fmp_code_name(err->code);
	char line[24] = "", column[24] = "";

	if (!size)
		return "";
	if (err->line)
		snprintf(line, sizeof(line), "%u:", err->line);
	if (err->line && err->column)
		snprintf(column, sizeof(column), "%u:", err->column);
	snprintf(buf, size, "%s%s%s%s%s%s", err->file, err->file[0] ? ":" : "", line, column,
		 err->file[0] || line[0] ? " " : "", text);
	/* A file name may hold control characters too. */
	fmp_text_clean(buf);
	return buf;
}

const char *fmp_code_name(int code)
{
	static const char *const names[] = {
		[-FMP_OK] = "ok",
		[-FMP_ERR_NOMEM] = "nomem",
		[-FMP_ERR_INVALID] = "invalid",
		[-FMP_ERR_SYNTAX] = "syntax",
		[-FMP_ERR_SCHEMA] = "schema",
		[-FMP_ERR_CONFLICT] = "conflict",
		[-FMP_ERR_IO] = "io",
		[-FMP_ERR_LIMIT] = "limit",
		[-FMP_ERR_DENIED] = "denied",
		[-FMP_ERR_PROTECTED] = "protected",
		[-FMP_ERR_NOTFOUND] = "notfound",
		[-FMP_ERR_EXISTS] = "exists",
		[-FMP_ERR_UNSUPPORTED] = "unsupported",
		[-FMP_ERR_KERNEL] = "kernel",
		[-FMP_ERR_CLOSED] = "closed",
		[-FMP_ERR_AGAIN] = "again",
	};

	if (code > 0 || code <= -(int)(sizeof(names) / sizeof(names[0])))
		return "unknown";
	return names[-code];
}
