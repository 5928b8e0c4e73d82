// SPDX-License-Identifier: GPL-2.0
/* Which answers of a service are pages, for which nobody is charged, and which only begin as one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/inspect.h>

#include <fmp/internal/evaluate.h>
#include <fmp/internal/browser_page.h>
#include "run.h"

#define W3C \
	"\"-//W3C//DTD XHTML 1.0 Strict//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\""
#define SOAP	"xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\""
#define MESSAGE "<s:Envelope " SOAP "><s:Body><a/></s:Body></s:Envelope>"

static struct fmp_policy *policy;
static struct fmp_inspector *inspector;

static void start_inspector(void)
{
	struct fmp_inspect_config cfg;

	ck_assert_int_eq(fmp_inspect_global_init(NULL), 0);
	policy = fmp_policy_default();
	ck_assert_ptr_nonnull(policy);
	cfg = fmp_inspect_config_of(&policy->gateway);
	cfg.security = FMP_SECURITY_BC;
	ck_assert_int_eq(fmp_inspector_new(&cfg, &inspector, NULL), 0);
}

static void end_inspector(void)
{
	fmp_inspector_free(inspector);
	fmp_policy_free(policy);
	fmp_inspect_global_exit();
}

/* What the bytes are refused as. @line: where, if it matters */
static enum fmp_event_kind kind_of(const char *text, size_t len, bool answer, unsigned *line)
{
	struct fmp_message m = { .len = len, .answer = answer, .content_type = "text/xml" };
	struct fmp_inspection v = { 0 };
	/* Its last byte is the last that may be read. */
	char *bytes = malloc(len ? len : 1);

	memcpy(bytes, text, len);
	m.bytes = bytes;
	ck_assert_int_eq(fmp_inspect(inspector, &m, &v), 0);
	fmp_evaluate_browser_page(inspector, &m, &v);
	ck_assert_msg(!v.accepted, "accepted: %s", text);
	if (line)
		*line = v.line;
	fmp_inspection_clear(&v);
	free(bytes);
	return v.kind;
}

static const char *const pages[] = {
	"<html>down</html>",
	"<HTML><body>down<br></HTML>",
	"<html lang=\"en\"><head><meta charset=utf-8></head></html>",
	"<html\n><p>a & b</p></html>",
	"\xef\xbb\xbf \r\n\t<html>down",
	"<!-- portal --><html>down</html>",
	"<!doctype html><html>down</html>",
	"<!DOCTYPE HTML>\n<!--[if lt IE 7]> <html class=\"ie6\"> <![endif]-->\n<html><br></html>",
	"<!DOCTYPE html><title>Sign in</title><p>here",
	"<!DOCTYPE html><head><body>down",
	"<!DOCTYPE html SYSTEM \"about:legacy-compat\"><html>down</html>",
	"<!DOCTYPE html PUBLIC " W3C "><html xmlns=\"http://www.w3.org/1999/xhtml\"><body/></html>",
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html PUBLIC " W3C
	"><html><body/></html>",
	"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><html>\xe9</html>",
	"<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\"><html><head></html>",
	"<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\"\"http://www.w3.org/TR/html4/strict.dtd\"><HTML>x",
	"<!DOCTYPE html PUBLIC '-//WAPFORUM//DTD XHTML Mobile 1.0//EN' 'http://www.wapforum.org/DTD/m.dtd'><html>x",
	"<html><body><pre>&lt;soap:Envelope xmlns...&gt;</pre>the Envelope of SOAP</body></html>",
	"<html><EnvelopeOf/><x:MyEnvelope></html>",
};

START_TEST(pages_are_outages)
{
	const char *page = pages[_i];

	ck_assert_msg(kind_of(page, strlen(page), true, NULL) == FMP_EVENT_OUTAGE, "%s", page);
	/* A client has no page to answer with. */
	ck_assert_msg(kind_of(page, strlen(page), false, NULL) != FMP_EVENT_OUTAGE, "%s", page);
}
END_TEST

#define ENTITY "<!ENTITY b \"poison\">"

static const struct {
	const char *text;
	enum fmp_event_kind kind;
} attacks[] = {
	{ "<html><!DOCTYPE a [" ENTITY "]><a>&b;</a></html>", FMP_EVENT_DTD },
	{ "<!DOCTYPE html [" ENTITY "]><html>&b;</html>", FMP_EVENT_DTD },
	{ "<!DOCTYPE html[" ENTITY "]><html>&b;</html>", FMP_EVENT_DTD },
	{ "<!DOCTYPE html PUBLIC " W3C " [" ENTITY "]><html>&b;</html>", FMP_EVENT_DTD },
	{ "<!DOCTYPE html SYSTEM \"http://192.0.2.1/x.dtd\"><html>&b;</html>", FMP_EVENT_DTD },
	{ "<!DOCTYPE html SYSTEM \"file:///etc/passwd\"><html/>", FMP_EVENT_DTD },
	{ "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://192.0.2.1/x.dtd\"><html/>",
	  FMP_EVENT_DTD },
	{ "<!DOCTYPE html PUBLIC \"x\" \"http://192.0.2.1/x.dtd\"><html/>", FMP_EVENT_DTD },
	{ "<!DOCTYPE htmlx><html/>", FMP_EVENT_DTD },
	{ "<!DOCTYPE html", FMP_EVENT_DTD },
	{ "<!DOCTYPE html \"", FMP_EVENT_DTD },
	{ "<!DOCTYPE html><html><!DOCTYPE a [" ENTITY "]></html>", FMP_EVENT_DTD },
	{ "<!DOCTYPE html><!DOCTYPE a [" ENTITY "]><html>&b;</html>", FMP_EVENT_DTD },
	{ "<!DOCTYPE html>" MESSAGE, FMP_EVENT_DTD },
	{ "<!DOCTYPE html><!-- <html> -->" MESSAGE, FMP_EVENT_DTD },
	{ "<!DOCTYPE html><html>" MESSAGE "</html>", FMP_EVENT_DTD },
	{ "<html>" MESSAGE "</html>", FMP_EVENT_SOAP },
	{ "<html/>" MESSAGE, FMP_EVENT_WELLFORMED },
	{ "<html><Envelope xmlns=\"http://schemas.xmlsoap.org/soap/envelope/\"/></html>",
	  FMP_EVENT_SOAP },
	{ "<html>" MESSAGE, FMP_EVENT_WELLFORMED },
	{ "<htmls>x", FMP_EVENT_WELLFORMED },
	{ "<html", FMP_EVENT_WELLFORMED },
	{ "<html:a/>", FMP_EVENT_WELLFORMED },
	{ "<title>x</title>", FMP_EVENT_SOAP },
	{ "<!-- no end <html>x", FMP_EVENT_WELLFORMED },
	{ "<html><?php x ?></html>", FMP_EVENT_STRUCTURE },
	{ "", FMP_EVENT_WELLFORMED },
};

START_TEST(attacks_are_what_they_are)
{
	const char *text = attacks[_i].text;
	enum fmp_event_kind kind = kind_of(text, strlen(text), true, NULL);

	ck_assert_msg(kind == attacks[_i].kind, "%s: %s", text, fmp_event_kind_name(kind));
}
END_TEST

/* @n times @each behind @head. */
static enum fmp_event_kind kind_of_many(const char *head, const char *each, size_t n)
{
	size_t len = strlen(head) + n * strlen(each);
	char *text = malloc(len + 1), *p = text + sprintf(text, "%s", head);
	enum fmp_event_kind kind;

	for (size_t i = 0; i < n; i++)
		p += sprintf(p, "%s", each);
	kind = kind_of(text, len, true, NULL);
	free(text);
	return kind;
}

/* With a document type declaration in front, too: nothing behind it was looked at. */
START_TEST(structure_counts)
{
	static const char *const heads[] = { "<html>", "<!DOCTYPE html><html>" };

	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(kind_of_many(heads[i], "<a>", 1000), FMP_EVENT_NESTING);
		ck_assert_int_eq(kind_of_many(heads[i], "<a/>", 200000), FMP_EVENT_STRUCTURE);
	}
	ck_assert_int_eq(kind_of_many("<!DOCTYPE html><html ", "a=\"\" ", 5000),
			 FMP_EVENT_STRUCTURE);
}
END_TEST

/* What looks nearly like a message is none, and what has one behind all that does. */
START_TEST(near_messages)
{
	static const char *const near[] = { "Envelope/", "Envelope:", "<x:Envelop",
					    "EnvelopeEnvelope ", "x:Envelope>" };

	for (size_t i = 0; i < sizeof(near) / sizeof(*near); i++) {
		char text[8192] = "<html>";
		size_t len = strlen(text), rest;

		while (len + strlen(near[i]) < sizeof(text) - 16)
			len += (size_t)sprintf(text + len, "%s", near[i]);
		ck_assert_msg(fmp_browser_page_is(text, len, &rest), "%s", near[i]);
		len += (size_t)sprintf(text + len, " <x:Envelope");
		ck_assert_msg(!fmp_browser_page_is(text, len, &rest), "%s", near[i]);
	}
}
END_TEST

START_TEST(lines)
{
	static const char text[] = "<!DOCTYPE html>\n<html>\n<?php ?>\n</html>",
			  below[] = "<!DOCTYPE\nhtml\n>\n<html>\n<?php ?></html>";
	unsigned line = 0;

	ck_assert_int_eq(kind_of(text, sizeof(text) - 1, true, &line), FMP_EVENT_STRUCTURE);
	ck_assert_uint_eq(line, 3);
	ck_assert_int_eq(kind_of(below, sizeof(below) - 1, true, &line), FMP_EVENT_STRUCTURE);
	ck_assert_uint_eq(line, 5);
}
END_TEST

/* Whatever is cut off a page: its bytes are never left. */
START_TEST(cut)
{
	static const char page[] =
		"\xef\xbb\xbf<?xml version=\"1.0\"?> <!-- a --><!DOCTYPE html PUBLIC " W3C
		"> <!-- b --><html><s:Envelope ></html>";
	size_t rest;

	for (size_t n = 0; n < sizeof(page); n++) {
		char *bytes = malloc(n ? n : 1);

		memcpy(bytes, page, n);
		fmp_browser_page_is(bytes, n, &rest);
		ck_assert_uint_le(rest, n);
		free(bytes);
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("page");

	tcase_add_unchecked_fixture(tc, start_inspector, end_inspector);
	tcase_add_loop_test(tc, pages_are_outages, 0, sizeof(pages) / sizeof(*pages));
	tcase_add_loop_test(tc, attacks_are_what_they_are, 0, sizeof(attacks) / sizeof(*attacks));
	tcase_add_test(tc, structure_counts);
	tcase_add_test(tc, near_messages);
	tcase_add_test(tc, lines);
	tcase_add_test(tc, cut);
	return run_tcase("page", tc);
}
