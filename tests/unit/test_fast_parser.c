// SPDX-License-Identifier: GPL-2.0
/*
 * The fast parser: what it parses, what it leaves to libxml2, and that its tree equals libxml2's.
 */
#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

#include "../lib/same_tree.h"
#include "xml/document.h"
#include "run.h"

/* Parsers kept between documents: also tests what one document leaves to the next. */
static struct fmpi_parser parser;
static struct fmpi_fast_parser fast;
static xmlDictPtr dict;
static unsigned refused;

static void setup(void)
{
	xmlInitParser();
	dict = xmlDictCreate();
}

static void teardown(void)
{
	xmlDictFree(dict);
	fmpi_parser_clear(&parser);
	fast = (struct fmpi_fast_parser){ 0 };
}

/* Does the fast parser handle it? Compares its tree or its refusal with libxml2's. */
static bool parse_and_compare(const void *bytes, size_t len, bool use_arena)
{
	struct fmp_inspection v = { 0 }, w = { 0 };
	xmlDoc *ours, *theirs;
	int ret;
	const xmlNode *where;
	const char *what;

	ck_assert_int_ge(fmpi_parser_read(&parser, bytes, len, &theirs, &v), 0);
	fast.use_arena = use_arena;
	ret = fmpi_fast_parse(&fast, dict, bytes, len, theirs ? theirs->parseFlags : 0, &ours, &w);
	ck_assert(!ours == (ret != 0));
	if (ret == FMPI_REFUSED) {
		/* The words are those of Debian 12's libxml2. */
		if (LIBXML_VERSION < 21000)
			ck_assert_str_eq(w.detail, v.detail);
		ck_assert(!theirs && (w.line == v.line || LIBXML_VERSION >= 21400) &&
			  w.kind == v.kind && w.step == v.step);
		refused++;
	}
	ck_assert_msg(!ours || theirs, "libxml2 refuses %.*s", (int)len, (const char *)bytes);
	what = ours ? differing(ours, theirs, &where) : NULL;
	ck_assert_msg(!what, "%s differs in %.*s", what, (int)len, (const char *)bytes);
	xmlFreeDoc(theirs);
	if (use_arena)
		fmpi_fast_free(ours);
	else
		xmlFreeDoc(ours);
	return ours != NULL;
}

/* With an arena and without one. */
static bool takes_bytes(const void *bytes, size_t len)
{
	bool taken = parse_and_compare(bytes, len, false);

	ck_assert(parse_and_compare(bytes, len, true) == taken);
	return taken;
}

/* In memory of the exact size: a sanitizer detects reads behind it. */
static bool parse_both(const char *text)
{
	size_t len = strlen(text);
	char *copy = malloc(len ? len : 1);
	bool taken;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, text, len);
	taken = takes_bytes(copy, len);
	free(copy);
	return taken;
}

START_TEST(plain_documents)
{
	static const char *const rows[] = {
		"<a/>",
		"<a></a >\n \t",
		"\n<a\n/>",
		"<?xml version=\"1.0\"?>\n<a/>",
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>",
		"<?xml version='1.0' encoding='utf-8'?>\n\n<a/>",
		"<a>text</a>",
		"<a>0123456789abcde</a>",
		"<a>0123456789abcdef</a>",
		"<a>\n  <b>\n</b>\n  t\n<c/>u</a>",
		"<a>]] ]> > ]</a>",
		"<a>&#00000000000000000065;&#x000000000A;</a>",
		"<a>&lt;&gt;&amp;&quot;&apos;</a>",
		"<a>\n&#65;&#x1d11E;&#xD;\n</a>",
		"<a>\n\xc3\xa9\n</a>",
		"<a>\xc3\xa9\xf0\x9d\x84\x9e</a>",
		"<a x='1' y=\"2'\" z = '\"' e=''/>",
		"<a\nx\n=\n'0123456789abcdef'\n>\n</a\n>",
		"<p:a xmlns:p='urn:x' p:x='1' x='2'/>",
		"<p:a p:x='1' xmlns:p='urn:x'><p:b xmlns:p='urn:y' p:x='1'/><p:c/></p:a>",
		"<a xmlns='urn:x'><b xmlns='urn:y'/><c x='1'/></a>",
		"<a xmlns='urn:x' xmlns:p='urn:x' xmlns:q='urn:y' p:x='1' q:x='2' x='3'/>",
		"<a xmlns:p='relative'><p:b/></a>",
		"<a xmlns='urn&#58;&#x78;'><b xmlns:p='urn:x' p:c='1'/></a>",
		"<p:a xmlns:p='&#104;ttp:&#x2f;&#x2F;a&#46;b&#x2d;&#95;c&#122;'/>",
		"<xmla.b-c_1 xmlx='1'/>",
		"<a><!----><!-- \xc3\xa9\n<&> - -> --></a>",
		"<a>1<!-- c -->2</a>",
		"<a><![CDATA[]]></a>",
		"<a><![CDATA[\n]]><b/><![CDATA[]]></a>",
		"<a>\n&amp;1<![CDATA[&amp;<\n\xc3\xa9]]]]>&lt;\n<![CDATA[]]>2</a>",
		"<a>\xc3\xa9<![CDATA[\n]]>\n</a>",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_msg(parse_both(rows[i]), "%s", rows[i]);
}
END_TEST

/* libxml2's message, as it is. */
START_TEST(others_are_left_alone)
{
	static const char *const rows[] = {
		/* what is not plain */
		"",
		" ",
		"\xef\xbb\xbf<a/>",
		"<?xml version=\"1.0\" standalone='yes'?><a/>",
		"<?xml version=\"1.0\" encoding='ISO-8859-1'?><a/>",
		"<?xml version=\"1.1\"?><a/>",
		"<!DOCTYPE a><a/>",
		"<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>",
		"<!-- c --><a/>",
		"<a/><!-- c -->",
		"<a><!-- c ---></a>",
		"<a><![CDATA[\r]]></a>",
		"<a><![CDATA[]] ></a>",
		"<a><?pi?></a>",
		"<a>\r\n</a>",
		"<a x='&amp;'/>",
		"<a x='\n'/>",
		"<a x='\xc3\xa9'/>",
		"<\xc3\xa9/>",
		"<a xml:lang='en'/>",
		"<xml:a/>",
		"<p:a b='1' b='2'/>",
		"<a>&unknown;]]></a>",
		"<a><!----- --></a>",
		"<a><!--\n-- --></a>",
		"<a></b/></a>",
		"<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>",
		"<a xmlns='urn:x'><b xmlns=''/></a>",
		"<a>\xc3\xa9\n</a>",
		/* what is not well-formed */
		"a",
		"<",
		"<>",
		"<a>",
		"</a>",
		"<a/><b/>",
		"<a/>x",
		"x<a/>",
		"<a></a",
		"<a/",
		"<a / >",
		"<a x/>",
		"<a x=1/>",
		"<a x='1'y='2'/>",
		"<a x='1' x='2' / >",
		"<a x='<'/>",
		"<a x='1/>",
		"<a x='\x01'/>",
		"<1/>",
		"<a:/>",
		"<:a/>",
		"<a 1='2'/>",
		"<a>& </a>",
		"<a>&amp</a>",
		"<a>&#;</a>",
		"<a>&#x;</a>",
		"<a>&#X41;</a>",
		"<a>&#x00000000000A;</a>",
		"<a>&#000000000000000000065;</a>",
		"<a>&a.b;</a>",
		"<a>\x01</a>",
		"<a>\xc3</a>",
		"<a>\xff</a>",
		"<a>\xef\xbf\xbf</a>",
		"<a>\xed\xa0\x80</a>",
		/* what is wrong with its namespaces */
		"<a p:x='1'/>",
		"<a xmlns:p='a b'/>",
		"<a xmlns='%'/>",
		"<a xmlns='urn:&amp;'/>",
		"<a xmlns='urn:&#38;'/>",
		"<a xmlns='urn:&#32;'/>",
		"<a xmlns='urn:&#37;'/>",
		"<a xmlns='urn:&#xe9;'/>",
		"<a xmlns='urn:&#065;'/>",
		"<a xmlns='urn:&#128;'/>",
		"<a xmlns='urn:&#;'/>",
		"<a xmlns='urn:&#x;'/>",
		"<a xmlns='urn:&#-65;'/>",
		"<a xmlns='urn:&#x0x41;'/>",
		"<a xmlns='urn:&#65'/>",
		"<a xmlns='urn:&#'/>",
		"<a xmlns='urn:&'/>",
		"<a xmlns:xml='http://www.w3.org/XML/1998/namespac&#101;'/>",
		"<a xmlns:xml='urn:&#65;'/>",
		"<a xmlns:p='http://www.w3.org/2000/xmlns&#47;'/>",
		"<a b='&#65;'/>",
		"<a xmlns='http://www.w3.org/XML/1998/namespace'/>",
		"<a xmlns:p='http://www.w3.org/2000/xmlns/'/>",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_msg(!parse_both(rows[i]), "%s", rows[i]);
	ck_assert(!takes_bytes("<a>\0</a>", 8));
	ck_assert(!takes_bytes("<a/>\0", 5));
}
END_TEST

START_TEST(refused_in_libxml2s_words)
{
	static const char *const rows[] = {
		"<a>\n1&lt;\n2&unknown;\n</a>",
		"<a>&lt;&gt;1\n2<![CDATA[\n]]>\n&nbsp;&unknown;</a>",
		"<a>\n&#0;</a>",
		"<a>&#8;</a>",
		"<a>&#xD800;</a>",
		"<a>&#xFFFE;</a>",
		"<a>&#1114112;</a>",
		"<a>&#4294967361;</a>",
		"<a>&#xffffffffff;</a>",
		"<a\nx='1'\nx='2'\n/>",
		"<a xmlns:p='urn:x'><b p:x='1' p:y='2' p:x='3'/></a>",
		"<a xmlns:p='urn:x' xmlns:q='urn:x' p:x='1' q:x='2'/>",
		"<a\nxmlns:p=''\nxmlns:q=''/>",
		"\n<a:b:c xmlns:a='urn:x'/>",
		"<a><!-- c -- --></a>",
		"<a></b>",
		"<a></ab>",
		"<a><b></a></b>",
		"<a>]]></a>",
		"<p:a/>",
		"<a><b xmlns:p='urn:x'/><p:c/></a>",
		"<a xmlns:p='urn:x' xmlns:p='urn:y'/>",
		"<a xmlns='urn:x' xmlns='urn:x'/>",
		"<a xmlns:xmlns=''/>",
		"<a xmlns:xmlns='urn:x'/>",
		"<a xmlns:xml='urn:x'/>",
		"<xmlns:a xmlns='urn:x'/>",
		"<ab></a>",
		"\n<a\n><b\n></a\n></b>",
		"<p:a\nxmlns:p='urn:x'>\n</q:b>",
		"<p:a xmlns:p='urn:x'></b>",
		"<a></p:b >",
		"<a>\n1]]]>\n&unknown;</a>",
		"<a>\n\xc3\xa9 ]]>\n</a>",
		"<a\nxmlns:p='urn:x'\nxmlns:p='urn:x'\n/>",
		"<a xmlns:xml='' xmlns:b=''/>",
		"<p:a xmlns:q='urn:x'\nxmlns='urn:y'\n/>",
		"<a>\n<!--0123456789012345678901234567890123456789012345678901234567890 -- -->\n</a>",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		refused = 0;
		ck_assert_msg(!parse_both(rows[i]) && refused == 2, "%s", rows[i]);
	}
}
END_TEST

START_TEST(no_part_of_a_document_is_taken)
{
	static const char text[] =
		"<?xml version=\"1.0\"?>\n<p:a xmlns:p=\"urn:x\" p:x='1' y=\"0123456789\">te&amp;xt\n"
		"<b>\xc3\xa9&#65;]</b ><c\n/></p:a>";
	size_t len = sizeof(text) - 1;

	ck_assert(parse_both(text));
	for (size_t n = 0; n < len; n++) {
		char part[sizeof(text)];

		memcpy(part, text, n);
		part[n] = '\0';
		ck_assert_msg(!parse_both(part), "%s", part);
	}
}
END_TEST

/* ---- bounds ---- */

/* Repeat a piece; each '#' becomes a different number. */
static char *repeat_numbered(const char *before, const char *each, unsigned n, const char *after)
{
	char *out = malloc(strlen(before) + n * (strlen(each) + 10) + strlen(after) + 1), *p = out;

	ck_assert_ptr_nonnull(out);
	p = stpcpy(p, before);
	while (n--)
		for (const char *c = each; *c; c++)
			p = *c == '#' ? p + sprintf(p, "%u", n)
				      : stpcpy(p, (const char[]){ *c, '\0' });
	strcpy(p, after);
	return out;
}

static bool takes_many(const char *before, const char *each, unsigned n, const char *after)
{
	char *text = repeat_numbered(before, each, n, after);
	bool taken = parse_both(text);

	free(text);
	return taken;
}

START_TEST(bounds)
{
	static const struct {
		const char *before, *each, *after;
		unsigned most;
	} rows[] = {
		{ "<e", " a#='v'", "/>", 32 },	{ "<e ", "n", "='v'/>", 256 },
		{ "<e><", "n", "/></e>", 256 }, { "<e xmlns:p='urn:", "n", "'/>", 252 },
		{ "<e>", "\n", "</e>", 65533 }, { "<e", "\n", "/>", 65533 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ck_assert_msg(takes_many(rows[i].before, rows[i].each, rows[i].most, rows[i].after),
			      "row %zu", i);
		ck_assert_msg(!takes_many(rows[i].before, rows[i].each, rows[i].most + 1,
					  rows[i].after),
			      "row %zu and one more", i);
	}
}
END_TEST

START_TEST(bounds_of_what_is_open)
{
	for (unsigned n = 127; n < 130; n++) {
		char *close = repeat_numbered("", "</e>", n, ""),
		     *open = repeat_numbered("", "<e>", n, close);

		ck_assert_msg(parse_both(open) == (n <= 128), "%u elements deep", n);
		free(open);
		free(close);
	}
	for (unsigned n = 31; n < 34; n++) {
		char *inner = repeat_numbered("><i", " xmlns:p#='urn:x'", 32, "/></e>");
		char *both = repeat_numbered("<e", " xmlns:q#='urn:x'", n, inner);

		ck_assert_msg(parse_both(both) == (n <= 32), "%u declarations and 32", n);
		free(both);
		free(inner);
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("fast");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, plain_documents);
	tcase_add_test(tc, others_are_left_alone);
	tcase_add_test(tc, refused_in_libxml2s_words);
	tcase_add_test(tc, no_part_of_a_document_is_taken);
	tcase_add_test(tc, bounds);
	tcase_add_test(tc, bounds_of_what_is_open);
	return run_tcase("fast", tc);
}
