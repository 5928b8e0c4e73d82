// SPDX-License-Identifier: GPL-2.0
#include "refuse.h"

#include <stdio.h>
#include <string.h>

static const char *const step_names[FMP_STEPS] = {
	[FMP_STEP_CONNECTION] = "connection",
	[FMP_STEP_HTTP] = "http",
	[FMP_STEP_SCREEN] = "screen",
	[FMP_STEP_PARSE] = "parse",
	[FMP_STEP_SOAP] = "soap",
	[FMP_STEP_SCHEMA] = "schema",
	[FMP_STEP_TIMESTAMP] = "timestamp",
	[FMP_STEP_SIGNATURE] = "signature",
	[FMP_STEP_DECRYPT] = "decrypt",
	[FMP_STEP_CONTENT] = "content",
	[FMP_STEP_DONE] = "done",
};

const char *fmp_step_name(unsigned step)
{
	return step < FMP_STEPS ? step_names[step] : NULL;
}

/* Cut the text in front of a UTF-8 character that the end of the buffer has split. */
static void cut_at_character(char *s)
{
	size_t n = strlen(s), i = n;
	unsigned char lead;
	size_t want;

	while (i > 0 && n - i < 3 && ((unsigned char)s[i - 1] & 0xc0) == 0x80)
		i--;
	if (i == 0)
		return;
	lead = (unsigned char)s[i - 1];
	want = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
	if (n - (i - 1) < want)
		s[i - 1] = '\0';
}

int fmpi_refuse(struct fmp_inspection *v, enum fmp_step step, enum fmp_event_kind kind,
		unsigned line, const char *fmt, ...)
{
	va_list ap;
	size_t n;

	v->accepted = v->not_yet = false;
	v->lacks = FMP_LACKS_NOTHING;
	v->step = step;
	v->kind = kind;
	v->line = line;
	va_start(ap, fmt);
	vsnprintf(v->detail, sizeof(v->detail), fmt, ap);
	va_end(ap);

	/* libxml2's messages end with a newline. */
	for (n = strlen(v->detail); n > 0 && strchr(" \t\r\n", v->detail[n - 1]); n--)
		v->detail[n - 1] = '\0';
	for (char *p = v->detail; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	cut_at_character(v->detail);
	return FMPI_REFUSED;
}

void fmpi_step_done(struct fmp_inspection *v, enum fmp_step step)
{
	uint64_t now_ns;

	if (!v->clock_ns)
		return;
	now_ns = v->clock_ns();
	/* At least 1, so that a step that took no measurable time shows that it ran. */
	v->step_ns[step] += now_ns > v->since_ns ? now_ns - v->since_ns : 1;
	v->since_ns = now_ns;
}
