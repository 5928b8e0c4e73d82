// SPDX-License-Identifier: GPL-2.0
/* The byte scan: each limit at its edge, and everything that must never reach a parser. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml/encoding.h"
#include "xml/screen.h"
#include "run.h"

static struct fmp_inspection verdict;
static struct fmpi_shape shape;

static const struct fmp_policy_limits roomy = {
	.body_bytes = 1 << 20,
	.depth = 300,
	.attributes = 1000,
	.elements = 1000,
	.name_bytes = 1000,
	.text_bytes = 10000,
	.references = 8,
};

static int screen_mode(const struct fmp_policy_limits *l, enum fmpi_screen_mode mode,
		       const char *text, size_t len)
{
	/* A copy of exactly that length: ASan detects a read behind it. */
	uint8_t *copy = malloc(len ? len : 1);
	int ret;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, text, len);
	memset(&verdict, 0, sizeof(verdict));
	ret = fmpi_screen(l, mode, copy, len, &shape, &verdict);
	free(copy);
	if (ret) {
		ck_assert_int_eq(ret, FMPI_REFUSED);
		ck_assert_int_eq(verdict.step, FMP_STEP_SCREEN);
		ck_assert_int_ge(verdict.line, 1);
		ck_assert_str_ne(verdict.detail, "");
	}
	return ret;
}

static int screen_text(const char *text)
{
	return screen_mode(&roomy, FMPI_SCREEN_UTF8, text, strlen(text));
}

#define expect_passes(text) ck_assert_msg(screen_text(text) == 0, "%s: %s", text, verdict.detail)
#define expect_refused(text, k)                                                           \
	do {                                                                              \
		ck_assert_msg(screen_text(text) == FMPI_REFUSED, "passed: %s", text);     \
		ck_assert_msg(verdict.kind == (k), "%s: kind %d, %s", text, verdict.kind, \
			      verdict.detail);                                            \
	} while (0)

START_TEST(plain_documents_pass)
{
	expect_passes("<a/>");
	expect_passes("\xef\xbb\xbf<a/>");
	expect_passes("<?xml version=\"1.0\"?><a/>");
	expect_passes("<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<a/>\n");
	expect_passes("<a b='1' c=\"it's\" d='say \"x\"'>t<!-- c --><![CDATA[<x>&]]>\t</a >");
	expect_passes("<a>\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80</a>");
	expect_passes("<!-- before --><a/><!-- behind -->");
	expect_passes("<a b=\"&lt;&#9;'&quot;&apos;\" c='&amp;&gt;\"'>&amp;lt;&#x26;&lt;</a>");
	expect_passes("<a><!-- &b; & --><![CDATA[&b;12345678&]]></a>");
	expect_passes("<a\n><b c='1'><b/></b ><\xc3\xa4><a.b/></\xc3\xa4></a>");
}
END_TEST

START_TEST(encodings)
{
	expect_refused("<?xml version='1.1'?><a/>", FMP_EVENT_ENCODING);
	expect_refused("<?xml version='1.0' encoding='UTF-7'?><a/>", FMP_EVENT_ENCODING);
	expect_passes("<?xml version='1.0' encoding='utf8'?><a/>");
	expect_refused("<?xml version='1.0' encoding='ISO-8859-1'?><a/>", FMP_EVENT_UNSUPPORTED);
	expect_refused("<?xml version='1.0' encoding='Windows-1252'?><a/>", FMP_EVENT_UNSUPPORTED);
	expect_refused("<?xml version='1.0' encoding='us-ascii'?><a/>", FMP_EVENT_UNSUPPORTED);
	expect_refused("<?xml version='1.0' encoding='Shift_JIS'?><a/>", FMP_EVENT_ENCODING);
	expect_refused("<?xml version='1.0' encoding='UTF-16'?><a/>", FMP_EVENT_ENCODING);
	expect_refused("<a>\x80</a>", FMP_EVENT_ENCODING); /* a lone trail byte */
	expect_refused("<a>\xc0\xbc</a>", FMP_EVENT_ENCODING); /* '<', overlong */
	expect_refused("<a>\xe0\x80\xbc</a>", FMP_EVENT_ENCODING); /* the same in three */
	expect_refused("<a>\xed\xa0\x80</a>", FMP_EVENT_ENCODING); /* a surrogate */
	expect_refused("<a>\xf4\x90\x80\x80</a>", FMP_EVENT_ENCODING); /* behind Unicode */
	expect_refused("<a>\xef\xbf\xbf</a>", FMP_EVENT_ENCODING); /* no character */
	expect_refused("<a>\xe2\x82", FMP_EVENT_ENCODING); /* cut short */
	expect_refused("<a b='\xff'/>", FMP_EVENT_ENCODING);
	expect_refused("<a\xff/>", FMP_EVENT_ENCODING);
	expect_refused("<a><!-- \xff --></a>", FMP_EVENT_ENCODING);
	expect_refused("<a><![CDATA[<\xff]]></a>", FMP_EVENT_ENCODING);
	expect_refused("\x4c\x6f\xa7\x94", FMP_EVENT_ENCODING); /* EBCDIC's "<?xm" */
	ck_assert_int_eq(screen_mode(&roomy, FMPI_SCREEN_UTF8, "<\0a\0/\0>\0", 8), FMPI_REFUSED);
	ck_assert_int_eq(verdict.kind, FMP_EVENT_ENCODING);
	ck_assert_int_eq(screen_mode(&roomy, FMPI_SCREEN_UTF8, "<a>\0</a>", 8), FMPI_REFUSED);
	ck_assert_int_eq(verdict.kind, FMP_EVENT_ENCODING);
}
END_TEST

START_TEST(malformed_declarations)
{
	expect_refused("<?xml encoding='UTF-8'?><a/>", FMP_EVENT_WELLFORMED);
	expect_refused("<?xml version='1.0?><a/>", FMP_EVENT_WELLFORMED);
	expect_refused("<?xml version='1.0' encoding=\"?><a/>", FMP_EVENT_WELLFORMED);
	expect_refused("<?xml version='1.0' encoding=?><a/>", FMP_EVENT_WELLFORMED);
	expect_refused("<?xml version='1.0' encoding ?><a/>", FMP_EVENT_WELLFORMED);
	expect_refused("<?xml version='1.0' standalone='?><a/>", FMP_EVENT_WELLFORMED);
	expect_refused("<?xml version='1.0' standalone='yes' encoding='UTF-8'?><a/>",
		       FMP_EVENT_WELLFORMED);
	expect_refused("<?xml version='1.0' other='x'?><a/>", FMP_EVENT_WELLFORMED);
}
END_TEST

START_TEST(markup_that_never_passes)
{
	expect_refused("<!DOCTYPE a><a/>", FMP_EVENT_DTD);
	expect_refused("<a><!DOCTYPE a></a>", FMP_EVENT_DTD);
	expect_refused("<a><!ENTITY x 'y'></a>", FMP_EVENT_DTD);
	expect_refused("<a><![INCLUDE[ ]]></a>", FMP_EVENT_DTD);
	expect_refused("<?xml-stylesheet href='x'?><a/>", FMP_EVENT_STRUCTURE);
	expect_refused("<a><?php x ?></a>", FMP_EVENT_STRUCTURE);
	expect_refused(" <?xml version='1.0'?><a/>", FMP_EVENT_STRUCTURE);
	expect_refused("<a>\x01</a>", FMP_EVENT_WELLFORMED);
	expect_refused("", FMP_EVENT_WELLFORMED);
	expect_refused("<", FMP_EVENT_WELLFORMED);
	expect_refused("<!", FMP_EVENT_WELLFORMED);
	expect_refused("<!--", FMP_EVENT_WELLFORMED);
	expect_refused("<a><!-- -- --></a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a><!--- ---></a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a><!-----></a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a><!-- --", FMP_EVENT_WELLFORMED);
	expect_passes("<a><!----><!-- - -> - --><!-->--><!--->--></a>");
	expect_refused("<a><![CDATA[", FMP_EVENT_WELLFORMED);
	expect_refused("<![CDATA[x]]><a/>", FMP_EVENT_WELLFORMED);
	expect_refused("hello", FMP_EVENT_WELLFORMED);
	expect_refused("<a/>x", FMP_EVENT_WELLFORMED);
	expect_refused("<a/><b/>", FMP_EVENT_WELLFORMED);
	expect_refused("</a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a></a></a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a><b></a></b>", FMP_EVENT_WELLFORMED);
	expect_refused("<a></aa>", FMP_EVENT_WELLFORMED);
	expect_refused("<aa></a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a\xef\xbb\xbf></a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a><b/></b>", FMP_EVENT_WELLFORMED);
	expect_refused("<a>&b;</a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a>&</a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a>&lt</a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a>&LT;</a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a>12345678&nbsp;</a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a b='12345678&nbsp;'/>", FMP_EVENT_WELLFORMED);
	expect_refused("<a>&am", FMP_EVENT_WELLFORMED);
	expect_refused("<a>", FMP_EVENT_WELLFORMED);
	expect_refused("<a", FMP_EVENT_WELLFORMED);
	expect_refused("<a ", FMP_EVENT_WELLFORMED);
	expect_refused("<a/", FMP_EVENT_WELLFORMED);
	expect_refused("<a b", FMP_EVENT_WELLFORMED);
	expect_refused("<a b=", FMP_EVENT_WELLFORMED);
	expect_refused("<a b=c/>", FMP_EVENT_WELLFORMED);
	expect_refused("<a b='c/>", FMP_EVENT_WELLFORMED);
	expect_refused("<a b='<'/>", FMP_EVENT_WELLFORMED);
	expect_refused("<a></a x>", FMP_EVENT_WELLFORMED);
	expect_refused("< a/>", FMP_EVENT_WELLFORMED);
	expect_refused("<?xml?><a/>", FMP_EVENT_STRUCTURE);
	expect_refused("<?xml ?><a/>", FMP_EVENT_WELLFORMED);
	expect_refused("<?xml version='1.0' bogus='x'?><a/>", FMP_EVENT_WELLFORMED);
	expect_refused("<?xml version='1.0", FMP_EVENT_WELLFORMED);
}
END_TEST

START_TEST(line_of_the_finding)
{
	expect_refused("<a>\n\n<b>\n<!DOCTYPE x></b></a>", FMP_EVENT_DTD);
	ck_assert_int_eq(verdict.line, 4);
}
END_TEST

/* N times a piece, between head and tail. */
static char *repeat_piece(const char *head, const char *piece, unsigned n, const char *tail)
{
	char *s = malloc(strlen(head) + n * strlen(piece) + strlen(tail) + 1), *p;

	ck_assert_ptr_nonnull(s);
	p = stpcpy(s, head);
	while (n--)
		p = stpcpy(p, piece);
	strcpy(p, tail);
	return s;
}

static void expect_limit(struct fmp_policy_limits l, const char *head, const char *piece,
			 unsigned most, const char *tail, enum fmp_event_kind kind)
{
	char *s = repeat_piece(head, piece, most, tail);

	ck_assert_msg(screen_mode(&l, FMPI_SCREEN_UTF8, s, strlen(s)) == 0, "%s: %s", s,
		      verdict.detail);
	free(s);
	s = repeat_piece(head, piece, most + 1, tail);
	ck_assert_msg(screen_mode(&l, FMPI_SCREEN_UTF8, s, strlen(s)) == FMPI_REFUSED, "%s", s);
	ck_assert_msg(verdict.kind == kind, "%s: %s", s, verdict.detail);
	free(s);
}

static void edge_depth(struct fmp_policy_limits l, unsigned most)
{
	for (unsigned over = 0; over < 2; over++) {
		char *open = repeat_piece("", "<a>", most + over, "x");
		char *s = repeat_piece(open, "</a>", most + over, "");

		ck_assert_int_eq(screen_mode(&l, FMPI_SCREEN_UTF8, s, strlen(s)), (int)over);
		ck_assert_int_eq(verdict.kind, over ? FMP_EVENT_NESTING : FMP_EVENT_GOOD);
		free(open);
		free(s);
	}
}

START_TEST(limits_at_their_edges)
{
	struct fmp_policy_limits l = roomy;

	l.elements = 6;
	expect_limit(l, "<a>", "<b/>", 5, "</a>", FMP_EVENT_STRUCTURE);
	expect_limit(l, "<a>", "<!---->", 5, "</a>", FMP_EVENT_STRUCTURE);
	expect_limit(l, "<a>", "<![CDATA[]]>", 5, "</a>", FMP_EVENT_STRUCTURE);
	expect_limit(l, "<a", " b='1'", 5, "/>", FMP_EVENT_STRUCTURE);
	expect_limit(l, "<a b='1'>", "<b/>", 4, "</a>", FMP_EVENT_STRUCTURE);
	l = roomy;
	l.attributes = 3;
	expect_limit(l, "<a", " b='1'", 3, "/>", FMP_EVENT_STRUCTURE);
	expect_limit(l, "<a", " xmlns:b='1'", 3, "/>", FMP_EVENT_STRUCTURE);
	l = roomy;
	l.name_bytes = 9;
	expect_limit(l, "<", "n", 9, "/>", FMP_EVENT_STRUCTURE);
	expect_limit(l, "<a ", "n", 9, "='1'/>", FMP_EVENT_STRUCTURE);
	ck_assert_int_eq(screen_mode(&l, FMPI_SCREEN_UTF8, "<a></nnnnnnnnnn>", 16), FMPI_REFUSED);
	ck_assert_int_eq(verdict.kind, FMP_EVENT_STRUCTURE);
	l = roomy;
	l.text_bytes = 20;
	expect_limit(l, "<a>", "t", 20, "</a>", FMP_EVENT_STRUCTURE);
	expect_limit(l, "<a b='", "t", 20, "'/>", FMP_EVENT_STRUCTURE);
	expect_limit(l, "<a><!--", "t", 13, "--></a>", FMP_EVENT_STRUCTURE);
	expect_limit(l, "<a><![CDATA[", "t", 8, "]]></a>", FMP_EVENT_STRUCTURE);
	expect_limit(l, "<a>12345678<!---->", "t", 5, "</a>", FMP_EVENT_STRUCTURE);
	l = roomy;
	l.depth = 5;
	edge_depth(l, 5);
	/* libxml2's own limit, whatever the policy allows. */
	l.depth = 100000;
	edge_depth(l, FMPI_MAX_DEPTH);
}
END_TEST

START_TEST(namespaces_in_scope)
{
	/*
	 * 32 per tag: the fourth level is the last that fits; leaving a level frees its
	 * declarations.
	 */
	char *tag = repeat_piece("<a", " xmlns:p='u'", 32, ">");
	char *s = malloc(8 * strlen(tag) + 64);

	ck_assert_ptr_nonnull(s);
	sprintf(s, "%s%s%s%s</a>%s</a></a></a></a>", tag, tag, tag, tag, tag);
	ck_assert_msg(screen_text(s) == 0, "%s", verdict.detail);
	sprintf(s, "%s%s%s%s<a xmlns='u'/></a></a></a></a>", tag, tag, tag, tag);
	ck_assert_int_eq(screen_text(s), FMPI_REFUSED);
	ck_assert_int_eq(verdict.kind, FMP_EVENT_STRUCTURE);
	/* Attributes that only look like declarations don't count. */
	sprintf(s, "%s%s%s%s<a xmlnsx='u'/></a></a></a></a>", tag, tag, tag, tag);
	ck_assert_int_eq(screen_text(s), 0);
	free(tag);
	free(s);
}
END_TEST

START_TEST(shape_of_an_envelope)
{
	const char *s = "<?xml version='1.0'?><e><h><x>1</x></h><b> <p a='1'><q/></p>\n</b></e>";

	expect_passes(s);
	ck_assert_uint_eq(shape.prolog, strlen("<?xml version='1.0'?>"));
	ck_assert_ptr_eq(s + shape.payload_start, strstr(s, "<p"));
	ck_assert_ptr_eq(s + shape.payload_end, strstr(s, "</p>") + 4);
	s = "<e><b><p/></b></e>";
	expect_passes(s);
	ck_assert_uint_eq(shape.payload_end - shape.payload_start, 4);
	expect_passes("<e><b/></e>");
	ck_assert_uint_eq(shape.payload_end, 0);
}
END_TEST

static int decode_utf16(const char *in, size_t n, char *out)
{
	size_t len = 0;
	int ret = fmpi_utf16_decode((const uint8_t *)in, n, (uint8_t *)out, &len);

	ck_assert_uint_le(len, FMPI_UTF16_MAX(n));
	out[len] = '\0';
	return ret;
}

START_TEST(utf16)
{
	char out[64];

	ck_assert(fmpi_utf16_bom((const uint8_t *)"\xfe\xff", 2));
	ck_assert(fmpi_utf16_bom((const uint8_t *)"\xff\xfe", 2));
	ck_assert(!fmpi_utf16_bom((const uint8_t *)"\xff", 1));
	ck_assert(!fmpi_utf16_bom((const uint8_t *)"<a", 2));

	ck_assert_int_eq(decode_utf16("\xfe\xff\0<\0\xe4\x20\xac\xd8\x3d\xde\0", 12, out), 0);
	ck_assert_str_eq(out, "<\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	ck_assert_int_eq(decode_utf16("\xff\xfe<\0\xe4\0\xac\x20\x3d\xd8\0\xde", 12, out), 0);
	ck_assert_str_eq(out, "<\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	ck_assert_int_ne(decode_utf16("\xfe\xff\0<\0", 5, out), 0); /* half a unit */
	ck_assert_int_ne(decode_utf16("\xfe\xff\xd8\x3d", 4, out), 0); /* high without low */
	ck_assert_int_ne(decode_utf16("\xfe\xff\xd8\x3d\0a", 6, out), 0);
	ck_assert_int_ne(decode_utf16("\xfe\xff\xde\0", 4, out), 0); /* low without high */

	/* Its declaration may name UTF-16, and nothing else. */
	ck_assert_int_eq(screen_mode(&roomy, FMPI_SCREEN_UTF16,
				     "<?xml version='1.0' encoding='utf-16'?><a/>", 43),
			 0);
	ck_assert_int_eq(screen_mode(&roomy, FMPI_SCREEN_UTF16,
				     "<?xml version='1.0' encoding='UTF-8'?><a/>", 42),
			 FMPI_REFUSED);
	/* One mark, not two. */
	ck_assert_int_eq(screen_mode(&roomy, FMPI_SCREEN_UTF16, "\xef\xbb\xbf<a/>", 7),
			 FMPI_REFUSED);
}
END_TEST

/* Every prefix of a document, and every byte of it changed: no read outside, always a verdict. */
START_TEST(any_bytes_are_safe)
{
	const char *s = "<?xml version='1.0' encoding='UTF-8'?><e xmlns='u'><h/><b>"
			"<!-- c --><p a=\"1\">t<![CDATA[x]]>\xc3\xa4</p></b></e>";
	size_t n = strlen(s);
	char copy[256];

	expect_passes(s);
	for (size_t i = 0; i < n; i++) {
		(void)screen_mode(&roomy, FMPI_SCREEN_UTF8, s, i);
		for (unsigned c = 0; c < 256; c++) {
			memcpy(copy, s, n);
			copy[i] = (char)c;
			(void)screen_mode(&roomy, FMPI_SCREEN_UTF8, copy, n);
		}
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("screen");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, plain_documents_pass);
	tcase_add_test(tc, encodings);
	tcase_add_test(tc, malformed_declarations);
	tcase_add_test(tc, markup_that_never_passes);
	tcase_add_test(tc, line_of_the_finding);
	tcase_add_test(tc, limits_at_their_edges);
	tcase_add_test(tc, namespaces_in_scope);
	tcase_add_test(tc, shape_of_an_envelope);
	tcase_add_test(tc, utf16);
	tcase_add_test(tc, any_bytes_are_safe);
	return run_tcase("screen", tc);
}
