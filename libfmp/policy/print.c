// SPDX-License-Identifier: GPL-2.0
/* Prints a policy as XML. */
#include <policy/emit.h>

#include <fmp/internal/text.h>

#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 8
#define WIDTH	  110

struct printer {
	struct fmpi_sink sink; /* first: a sink is a printer */
	int (*line)(const char *text, void *ctx);
	void *ctx;
	const char *open[DEPTH_MAX]; /* open elements */
	unsigned depth, written; /* depth, and number of elements whose start tag is written */
	bool tag_open; /* the innermost start tag lacks its '>' */
	char text[16384]; /* fits the longest regular expression with each byte escaped */
	size_t len;
};

static int flush_line(struct printer *p)
{
	int rc = p->line(p->text, p->ctx);

	p->len = 0;
	p->text[0] = '\0';
	return rc;
}

static void append_text(struct printer *p, const char *text)
{
	size_t n = strlen(text), room = sizeof(p->text) - 1 - p->len;

	if (n > room)
		n = room;
	memcpy(p->text + p->len, text, n);
	p->len += n;
	p->text[p->len] = '\0';
}

static void append_indent(struct printer *p, unsigned depth)
{
	while (depth--)
		append_text(p, "  ");
}

static void append_escaped(struct printer *p, const char *value)
{
	uint32_t c;
	size_t n;

	for (; *value; value += n) {
		char one[16];

		n = fmp_text_next(value, &c);
		snprintf(one, sizeof(one), "%.*s", (int)n, value);
		if (strchr("&<>\"", *value) || fmp_text_is_control(c))
			snprintf(one, sizeof(one), "&#%u;", (unsigned)c);
		append_text(p, one);
	}
}

/* Write the pending start tags: these elements are not empty after all. */
static int write_start_tags(struct printer *p)
{
	int rc = 0;

	while (p->written < p->depth && !rc) {
		if (p->tag_open) {
			append_text(p, ">");
			rc = flush_line(p);
		}
		append_indent(p, p->written);
		append_text(p, "<");
		append_text(p, p->open[p->written]);
		if (!p->written++)
			append_text(p, " xmlns=\"" FMPI_POLICY_NS "\"");
		p->tag_open = true;
	}
	return rc;
}

static int print_open(struct fmpi_sink *s, const char *element, const char *key)
{
	struct printer *p = (struct printer *)s;

	p->open[p->depth++] = element;
	return p->depth == 1 ? write_start_tags(p) : 0;
}

static int print_attribute(struct fmpi_sink *s, const char *name, const char *value)
{
	struct printer *p = (struct printer *)s;
	int rc = write_start_tags(p);

	if (!rc && p->len + strlen(name) + strlen(value) + 4 > WIDTH) {
		rc = flush_line(p);
		append_indent(p, p->depth + 1);
	} else {
		append_text(p, " ");
	}
	append_text(p, name);
	append_text(p, "=\"");
	append_escaped(p, value);
	append_text(p, "\"");
	return rc;
}

static int print_text(struct fmpi_sink *s, const char *value)
{
	struct printer *p = (struct printer *)s;
	int rc = write_start_tags(p);

	append_text(p, ">");
	append_escaped(p, value);
	p->tag_open = false;
	return rc;
}

static int print_close(struct fmpi_sink *s, const char *element)
{
	struct printer *p = (struct printer *)s;

	p->depth--;
	if (p->written <= p->depth)
		return 0;
	p->written--;
	if (p->tag_open) {
		append_text(p, "/>");
	} else {
		/* After a text, close on the same line, else on a line of its own. */
		if (!p->len)
			append_indent(p, p->depth);
		append_text(p, "</");
		append_text(p, element);
		append_text(p, ">");
	}
	p->tag_open = false;
	return flush_line(p);
}

int fmp_policy_print(const struct fmp_policy *policy, int (*line)(const char *text, void *ctx),
		     void *ctx)
{
	struct printer p = { .sink = { print_open, print_attribute, print_text, print_close },
			     .line = line,
			     .ctx = ctx };
	int rc = line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", ctx);

	return rc ? rc : fmpi_policy_emit(policy, &p.sink);
}
