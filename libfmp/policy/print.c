// SPDX-License-Identifier: GPL-2.0
/* The policy as XML. */
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
	const char *open[DEPTH_MAX]; /* elements that we are in */
	unsigned depth, written; /* of them, so many have their start tag written */
	bool tag_open; /* the innermost one's is not closed yet */
	char text[16384]; /* the longest regular expression, each byte of it escaped */
	size_t len;
};

static int flush(struct printer *p)
{
	int rc = p->line(p->text, p->ctx);

	p->len = 0;
	p->text[0] = '\0';
	return rc;
}

static void put(struct printer *p, const char *text)
{
	size_t n = strlen(text), room = sizeof(p->text) - 1 - p->len;

	if (n > room)
		n = room;
	memcpy(p->text + p->len, text, n);
	p->len += n;
	p->text[p->len] = '\0';
}

static void indent(struct printer *p, unsigned depth)
{
	while (depth--)
		put(p, "  ");
}

static void put_escaped(struct printer *p, const char *value)
{
	uint32_t c;
	size_t n;

	for (; *value; value += n) {
		char one[16];

		n = fmp_text_next(value, &c);
		snprintf(one, sizeof(one), "%.*s", (int)n, value);
		if (strchr("&<>\"", *value) || fmp_text_is_control(c))
			snprintf(one, sizeof(one), "&#%u;", (unsigned)c);
		put(p, one);
	}
}

/* The start tags of elements that have something in them after all. */
static int begin(struct printer *p)
{
	int rc = 0;

	while (p->written < p->depth && !rc) {
		if (p->tag_open) {
			put(p, ">");
			rc = flush(p);
		}
		indent(p, p->written);
		put(p, "<");
		put(p, p->open[p->written]);
		if (!p->written++)
			put(p, " xmlns=\"" FMPI_POLICY_NS "\"");
		p->tag_open = true;
	}
	return rc;
}

static int print_open(struct fmpi_sink *s, const char *element, const char *key)
{
	struct printer *p = (struct printer *)s;

	p->open[p->depth++] = element;
	return p->depth == 1 ? begin(p) : 0;
}

static int print_attribute(struct fmpi_sink *s, const char *name, const char *value)
{
	struct printer *p = (struct printer *)s;
	int rc = begin(p);

	if (!rc && p->len + strlen(name) + strlen(value) + 4 > WIDTH) {
		rc = flush(p);
		indent(p, p->depth + 1);
	} else {
		put(p, " ");
	}
	put(p, name);
	put(p, "=\"");
	put_escaped(p, value);
	put(p, "\"");
	return rc;
}

static int print_text(struct fmpi_sink *s, const char *value)
{
	struct printer *p = (struct printer *)s;
	int rc = begin(p);

	put(p, ">");
	put_escaped(p, value);
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
		put(p, "/>");
	} else {
		/* Behind a text on its line, else on one of its own. */
		if (!p->len)
			indent(p, p->depth);
		put(p, "</");
		put(p, element);
		put(p, ">");
	}
	p->tag_open = false;
	return flush(p);
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
