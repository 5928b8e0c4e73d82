// SPDX-License-Identifier: GPL-2.0
/* Validation: long texts and patterns, included files, one error and no more. */
#include <libxml/xmlschemas.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmp/internal/xml_error_arg.h>

#include "xml/document.h"
#include "xml/entity_loader.h"
#include "schema/schema.h"
#include "../lib/random.h"
#include "run.h"

#define XSD \
	"<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:t' xmlns='urn:t' elementFormDefault='qualified'>"

static char dir[64], main_xsd[128], types_xsd[128];
static struct fmpi_schema *schema;
static struct fmpi_parser fast = { .fast = { .use_arena = true } };

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

/* The patterns are in a separate file: included files are read without patterns as well. */
static void setup(void)
{
	struct fmp_error err = { 0 };

	strcpy(dir, "/tmp/fmp-schema.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(main_xsd, sizeof(main_xsd), "%s/main.xsd", dir);
	snprintf(types_xsd, sizeof(types_xsd), "%s/types.xsd", dir);
	write_text(
		types_xsd, XSD
		"<xs:simpleType name='Short'><xs:restriction base='xs:string'>"
		"<xs:maxLength value='9'/><xs:pattern value='[a-z]*'/></xs:restriction></xs:simpleType>"
		"<xs:simpleType name='Long'><xs:restriction base='xs:string'>"
		"<xs:pattern value='[a-z]*'/></xs:restriction></xs:simpleType></xs:schema>");
	write_text(main_xsd,
		   XSD "<xs:include schemaLocation='types.xsd'/><xs:element name='r'>"
		       "<xs:complexType><xs:sequence><xs:element name='n' type='xs:int'/>"
		       "<xs:element name='s' type='Short'/><xs:element name='l' type='Long'/>"
		       "</xs:sequence><xs:attribute name='a' type='Short'/></xs:complexType>"
		       "</xs:element></xs:schema>");
	fmpi_entity_loader_install();
	ck_assert_msg(fmpi_schema_load(&(struct fmpi_schema_source){ .path = main_xsd }, &schema,
				       &err) == 0,
		      "%s", err.message);
}

static void teardown(void)
{
	fmpi_schema_free(schema);
	fmpi_parser_clear(&fast);
	fmpi_entity_loader_remove();
	unlink(main_xsd);
	unlink(types_xsd);
	rmdir(dir);
}

/* The result must not depend on the parser, and libxml2 must free only its own nodes. */
static struct fmp_inspection validate_both(const char *message)
{
	struct fmp_inspection v = { 0 }, w = { 0 };
	xmlDocPtr theirs, ours;
	int ret;

	ck_assert_int_eq(fmpi_document_parse(message, strlen(message), &theirs, &v), 0);
	ck_assert_int_eq(fmpi_parser_fast(&fast, message, strlen(message), &ours, &w), 0);
	ret = fmpi_schema_check(schema, xmlDocGetRootElement(theirs), &v);
	ck_assert_int_eq(ret, v.kind == FMP_EVENT_GOOD ? 0 : FMPI_REFUSED);
	ck_assert_int_eq(fmpi_schema_check(schema, xmlDocGetRootElement(ours), &w), ret);
	ck_assert(w.kind == v.kind && w.line == v.line);
	ck_assert_str_eq(w.detail, v.detail);
	xmlFreeDoc(theirs);
	fmpi_fast_free(ours);
	return v;
}

/* Validate a message made of format: its %s is n times 'a', then end. */
static struct fmp_inspection validate_format(const char *format, size_t n, const char *end)
{
	struct fmp_inspection v;
	char *text = calloc(1, n + 10), *message = calloc(1, n + strlen(format) + 10);
	const char *at;

	ck_assert(text && message);
	memset(text, 'a', n);
	strcat(text, end);
	at = strstr(format, "%s");
	sprintf(message, "%.*s%s%s", (int)(at - format), format, text, at + 2);
	v = validate_both(message);
	free(text);
	free(message);
	return v;
}

#define ROOT(a, n, s, l) "<r xmlns='urn:t'" a "><n>" n "</n><s>" s "</s><l>" l "</l></r>"

START_TEST(long_texts)
{
	static const struct {
		const char *format;
		size_t n;
		const char *end, *fault; /* NULL: valid */
	} rows[] = {
		{ ROOT("", "1", "%s", ""), 9, "", NULL },
		{ ROOT("", "1", "%s", ""), 8, "!", "pattern" },
		{ ROOT("", "1", "%s", ""), 10, "", "maxLength" },
		{ ROOT("", "1", "%s", ""), 5000, "!", "maxLength" },
		{ ROOT(" a='%s'", "1", "", ""), 9, "", NULL },
		{ ROOT(" a='%s'", "1", "", ""), 5000, "!", "maxLength" },
		{ ROOT("", "1", "", "%s"), 10, "", NULL },
		{ ROOT("", "1", "", "%s"), 5000, "", NULL },
		{ ROOT("", "1", "", "%s"), 5000, "!", "pattern" },
		{ ROOT("", "1", "", "<!-- a -->%s<!-- b -->"), 5000, "", NULL },
		{ ROOT("", "1", "", "<!-- a -->%s<!-- b -->"), 5000, "!", "pattern" },
		/* Without patterns another error comes first. */
		{ ROOT(" a='!'", "1", "%s", ""), 5000, "", "maxLength" },
		{ ROOT(" a='!'", "1", "%s", ""), 500, "", "pattern" },
		{ ROOT("", "x", "%s", ""), 5000, "", "xs:int" },
		{ ROOT(" b='1'", "1", "%s", ""), 5000, "", "attribute 'b'" },
		{ ROOT("", "1", "!", "%s"), 5, "", "pattern" },
		{ ROOT("", "1", "<z/>%s", ""), 5000, "", "Element content" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fmp_inspection v = validate_format(rows[i].format, rows[i].n, rows[i].end);

		ck_assert_msg((v.kind == FMP_EVENT_GOOD) == !rows[i].fault, "row %zu: %s", i,
			      v.detail);
		ck_assert_msg(!rows[i].fault || strstr(v.detail, rows[i].fault), "row %zu: %s", i,
			      v.detail);
	}
}
END_TEST

/* Each position where the rest is cut off: nothing leaks, nothing is freed twice. */
START_TEST(what_stands_behind_a_fault_is_freed)
{
	static const char *const messages[] = {
		"<x xmlns='urn:t'/>%s",
		"<r xmlns='urn:t'><x><y/>text<z/></x><n>1</n><s/><l/></r>%s",
		"<r xmlns='urn:t'>text<n>1</n>more<s/><l/>%s</r>",
		"<r xmlns='urn:t' b='1' a='1' c='1'><n>1<n/>1</n><s/><l/></r>%s",
		"<r xmlns='urn:t'><n>1</n><s/><l/><l/><l/><!-- --></r>%s",
		"<r xmlns='urn:t'><n/><s>1</s><l>1</l></r>%s",
		"<r xmlns='urn:t'><n>1</n><s/></r>%s",
		"<r xmlns='urn:t'><!-- --><n>x</n><!-- --><s/><l/></r>%s",
	};

	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
		ck_assert_int_eq(validate_format(messages[i], 0, "").kind, FMP_EVENT_SCHEMA);
}
END_TEST

/* ---- compared with libxml2 alone ---- */

#define ROUNDS 4000

static void put_text(FILE *f, struct test_random *r)
{
	static const char *const texts[] = { "",    "1",  "abc", "aaaaaaaaaa",	 "A!",
					     "a-b", "\n", "1 2", "<!-- c -->ab", "ab<!-- c -->cd" };
	unsigned n = random_once_in(r, 3) ? random_below(r, 12) : 2;

	if (n < 10)
		fputs(texts[n], f);
	else
		for (int i = n == 10 ? 5000 : 60; i; i--)
			fputc('a', f);
}

/* Mostly valid messages: in some one thing is missing, duplicated or replaced. */
static void put_message(FILE *f, struct test_random *r)
{
	static const char *const names[] = { "n", "s", "l", "x" };

	const char *root = random_once_in(r, 30) ? "x" : "r";

	fprintf(f, "<%s xmlns='urn:t'", root);
	if (random_once_in(r, 4))
		fputs(random_once_in(r, 4) ? " b='1'" : " a='abc'", f);
	fputs(">", f);
	for (unsigned i = 0; i < 3; i++) {
		const char *name = names[random_once_in(r, 8) ? random_below(r, 4) : i];

		if (random_once_in(r, 20))
			continue;
		fprintf(f, "<%s>", name);
		if (i == 0 && !random_once_in(r, 8))
			fputs("17", f);
		else if (random_once_in(r, 12))
			fputs("<s>a</s>", f);
		else
			put_text(f, r);
		fprintf(f, "</%s>", name);
		if (random_once_in(r, 12))
			fputs(random_once_in(r, 2) ? "<!-- -->" : "text", f);
	}
	fprintf(f, random_once_in(r, 30) ? "<l/><s/></%s>" : "</%s>", root);
}

static void ignore_error(void *ctx, fmpi_xml_error_arg e)
{
}

static bool is_valid_alone(xmlSchemaPtr s, const char *text, size_t len)
{
	xmlSchemaValidCtxtPtr ctxt = xmlSchemaNewValidCtxt(s);
	xmlDocPtr doc = xmlReadMemory(text, (int)len, NULL, NULL, 0);
	int ret;

	ck_assert(ctxt && doc);
	xmlSchemaSetValidStructuredErrors(ctxt, ignore_error, NULL);
	ret = xmlSchemaValidateOneElement(ctxt, xmlDocGetRootElement(doc));
	xmlSchemaFreeValidCtxt(ctxt);
	xmlFreeDoc(doc);
	return ret == 0;
}

START_TEST(the_verdict_is_that_of_libxml2)
{
	struct test_random r = { 20261122 };
	xmlSchemaParserCtxtPtr parser = xmlSchemaNewParserCtxt(main_xsd);
	xmlSchemaPtr alone = xmlSchemaParse(parser);
	unsigned valid = 0;

	ck_assert_ptr_nonnull(alone);
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct fmp_inspection v = { 0 };
		char *text = NULL;
		size_t len = 0;
		FILE *f = open_memstream(&text, &len);
		bool is_valid;
		xmlDocPtr doc;

		ck_assert_ptr_nonnull(f);
		put_message(f, &r);
		fclose(f);
		is_valid = is_valid_alone(alone, text, len);
		ck_assert_int_eq(fmpi_document_parse(text, len, &doc, &v), 0);
		ck_assert_msg((fmpi_schema_check(schema, xmlDocGetRootElement(doc), &v) == 0) ==
				      is_valid,
			      "round %u: %.200s: %s", i, text, v.detail);
		valid += is_valid;
		xmlFreeDoc(doc);
		free(text);
	}
	xmlSchemaFree(alone);
	xmlSchemaFreeParserCtxt(parser);
	ck_assert_msg(valid > ROUNDS / 10 && valid < ROUNDS * 9 / 10, "%u valid", valid);
}
END_TEST

/* ---- texts validated by their beginning first ---- */

#define HUGE_BYTES 200000

/* n bytes: begin once, then repeat as often as there is room, then end. */
static char *make_huge(size_t n, const char *begin, const char *repeat, const char *end)
{
	size_t one = strlen(repeat), left = n - strlen(begin) - strlen(end);
	char *text = malloc(n + 1), *p;

	ck_assert_ptr_nonnull(text);
	p = stpcpy(text, begin);
	for (; left >= one; left -= one)
		p = stpcpy(p, repeat);
	strcpy(p, end);
	return text;
}

static const struct {
	const char *format, *begin, *repeat, *end;
} huge_rows[] = {
	{ "<string>%s</string>", "", "a", "" },
	{ "<string>%s</string>", "a", "\xe2\x82\xac", "" },
	{ "<base64>%s</base64>", "", "YWJj", "" },
	{ "<base64>%s</base64>", "", "YWJj\n", "YQ==" },
	{ "<base64>%s</base64>", "  ", "YWJj YWJj", "" },
	{ "<base64>%s</base64>", "", "YWJj", "Y" },
	{ "<hex>%s</hex>", "", "0a1B2c", "" },
	{ "<hex>%s</hex>", "", "0a1B2c", "0" },
	{ "<uri>%s</uri>", "http://h/", "%20", "" },
	{ "<uri>%s</uri>", "http://h/1", "%20", "" },
	{ "<uri>%s</uri>", "http://h/12", "%20", "" },
	{ "<number>%s</number>", "", "1", "" },
	{ "<number>%s</number>", "", "0", "1" },
	{ "<number>%s</number>", "", " ", "1" },
	{ "<number>%s</number>", "1", " ", "" },
	{ "<number>%s</number>", "1", "\n", "2" },
	{ "<number>%s</number>", "", "a", "" },
	{ "<date>%s</date>", "2026-11-23T00:00:00.", "0", "Z" },
	{ "<date>%s</date>", "2026-11-23T00:00:00.", "0", "x" },
	{ "<colour>%s</colour>", "", "red", "" },
	{ "<colour>%s</colour>", "red", " ", "" },
	{ "<list>%s</list>", "", "123 ", "" },
	{ "<list>%s</list>", "", "123 ", "a" },
	{ "<either>%s</either>", "", "red", "" },
	{ "<least>%s</least>", "", "a", "" },
	{ "<name>%s</name>", "", "a", "" },
	{ "<name>%s</name>", "", "a", "b:c" },
	{ "<with number='%s'/>", "", "1", "" },
	{ "<with number='%s'/>", "1", " ", "" },
	{ "<with string='%s'/>", "", "a", "" },
	{ "<with string='%s' other=''/>", "", "a", "" },
	{ "<string>%s</string><!-- -->", "", "a", "" },
	{ "<string>%s<z/></string>", "", "a", "" },
};

static const char huge_xsd[] =
	"<xs:simpleType name='Colour'><xs:restriction base='xs:token'><xs:enumeration value='red'/>"
	"</xs:restriction></xs:simpleType><xs:element name='r'><xs:complexType><xs:choice>"
	"<xs:element name='string' type='xs:string'/>"
	"<xs:element name='base64' type='xs:base64Binary'/>"
	"<xs:element name='hex' type='xs:hexBinary'/>"
	"<xs:element name='uri' type='xs:anyURI'/>"
	"<xs:element name='number' type='xs:decimal'/>"
	"<xs:element name='date' type='xs:dateTime'/>"
	"<xs:element name='colour' type='Colour'/>"
	"<xs:element name='name' type='xs:NCName'/>"
	"<xs:element name='list'><xs:simpleType><xs:list itemType='xs:int'/></xs:simpleType></xs:element>"
	"<xs:element name='either'><xs:simpleType><xs:union memberTypes='xs:int Colour'/></xs:simpleType></xs:element>"
	"<xs:element name='least'><xs:simpleType><xs:restriction base='xs:string'><xs:minLength value='100000'/>"
	"</xs:restriction></xs:simpleType></xs:element>"
	"<xs:element name='with'><xs:complexType><xs:attribute name='number' type='xs:decimal'/>"
	"<xs:attribute name='string' type='xs:string'/></xs:complexType></xs:element>"
	"</xs:choice></xs:complexType></xs:element></xs:schema>";

START_TEST(huge_texts)
{
	struct fmp_error err = { 0 };
	xmlSchemaParserCtxtPtr parser;
	xmlSchemaPtr alone;
	unsigned valid = 0;
	char *xsd = NULL;

	fmpi_schema_free(schema);
	ck_assert_int_gt(asprintf(&xsd, XSD "%s", huge_xsd), 0);
	write_text(main_xsd, xsd);
	free(xsd);
	ck_assert_msg(fmpi_schema_load(&(struct fmpi_schema_source){ .path = main_xsd }, &schema,
				       &err) == 0,
		      "%s", err.message);
	parser = xmlSchemaNewParserCtxt(main_xsd);
	alone = xmlSchemaParse(parser);
	ck_assert_ptr_nonnull(alone);
	for (size_t i = 0; i < sizeof(huge_rows) / sizeof(huge_rows[0]); i++) {
		char *text = make_huge(HUGE_BYTES, huge_rows[i].begin, huge_rows[i].repeat,
				       huge_rows[i].end);
		const char *at = strstr(huge_rows[i].format, "%s");
		char *message = NULL;
		int n = asprintf(&message, "<r xmlns='urn:t'>%.*s%s%s</r>",
				 (int)(at - huge_rows[i].format), huge_rows[i].format, text,
				 at + 2);
		bool is_valid = is_valid_alone(alone, message, (size_t)n);

		/* libxml2 from 2.14 on reads numbers of any length; here they are bounded. */
		if (LIBXML_VERSION >= 21400 && strstr(huge_rows[i].format, "number") &&
		    strcmp(huge_rows[i].repeat, "1") == 0)
			is_valid = false;
		ck_assert_msg((validate_both(message).kind == FMP_EVENT_GOOD) == is_valid,
			      "row %zu", i);
		valid += is_valid;
		free(message);
		free(text);
	}
	xmlSchemaFree(alone);
	xmlSchemaFreeParserCtxt(parser);
	ck_assert_uint_gt(valid, 8);
}
END_TEST

/* libxml2 measures the text read so far again at each piece. */
START_TEST(texts_that_comments_part)
{
	static const struct {
		size_t n;
		unsigned pieces;
		bool good;
	} rows[] = {
		{ 100000, 0, true },  { 100000, 100, true }, { 100000, 200, false },
		{ 4000, 2000, true }, { 4000, 3500, false },
	};
	size_t n = rows[_i].n;
	char *text = malloc(n + 10 * rows[_i].pieces + 200), *at = text;
	struct fmp_inspection v;

	ck_assert_ptr_nonnull(text);
	at += sprintf(at, "<r xmlns='urn:t'><n>1</n><s>a</s><l>");
	memset(at, 'a', n);
	at += n;
	for (unsigned k = 0; k < rows[_i].pieces; k++)
		at += sprintf(at, "<!---->a");
	sprintf(at, "</l></r>");
	v = validate_both(text);
	free(text);
	ck_assert_msg(v.kind == (rows[_i].good ? FMP_EVENT_GOOD : FMP_EVENT_STRUCTURE), "%s",
		      v.detail);
}
END_TEST

/* XSD 1.0 forbids elements that a wildcard behind them covers; ONVIF's schema has such a type. */
START_TEST(ambiguous_types)
{
	static const struct {
		const char *content;
		bool is_valid;
	} rows[] = {
		{ "", true },
		{ "<t:o>1</t:o><t:o>2</t:o>", true },
		{ "<t:o>1</t:o><t:more/>", true },
		{ "<t:more/><t:o>1</t:o>", true },
		{ "<x/>", false },
	};
	static const char ambiguous[] =
		"<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:t='urn:t' "
		"targetNamespace='urn:t' elementFormDefault='qualified'><xs:complexType name='Other'/>"
		"<xs:complexType name='T'><xs:sequence>%s<xs:element name='o' type='xs:int' minOccurs='0' "
		"maxOccurs='unbounded'/>%s</xs:sequence></xs:complexType>"
		"<xs:element name='once' type='t:Other'/><xs:element name='r' type='t:T'/></xs:schema>";
	static const char wildcard[] =
		"<xs:any namespace='##targetNamespace' processContents='lax' "
		"minOccurs='0' maxOccurs='unbounded'/>";
	struct fmp_error err = { 0 };
	char text[2048];

	fmpi_schema_free(schema);
	snprintf(text, sizeof(text), ambiguous, "", wildcard);
	write_text(main_xsd, text);
	ck_assert_msg(fmpi_schema_load(&(struct fmpi_schema_source){ .path = main_xsd }, &schema,
				       &err) == 0,
		      "%s", err.message);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		xmlSchemaValidCtxtPtr valid =
			xmlSchemaNewValidCtxt(fmpi_schema_compiled(schema, false));
		xmlDocPtr doc;

		snprintf(text, sizeof(text), "<t:r xmlns:t='urn:t'>%s</t:r>", rows[i].content);
		doc = xmlReadMemory(text, (int)strlen(text), NULL, NULL, 0);
		ck_assert_int_eq(xmlSchemaValidateDoc(valid, doc) == 0, rows[i].is_valid);
		xmlSchemaFreeValidCtxt(valid);
		xmlFreeDoc(doc);
	}
	fmpi_schema_free(schema);
	schema = NULL;
	/* What wider wildcards can't resolve stays an error. */
	snprintf(text, sizeof(text), ambiguous, wildcard, "");
	write_text(main_xsd, text);
	ck_assert_int_eq(fmpi_schema_load(&(struct fmpi_schema_source){ .path = main_xsd }, &schema,
					  &err),
			 FMP_ERR_SCHEMA);
	ck_assert_ptr_nonnull(strstr(err.message, "not determinist"));
}
END_TEST

/* libxml2 alone leads from a repeated wildcard back to what stands in front of it. */
START_TEST(order_around_wildcards)
{
	static const struct {
		const char *model, *content;
		bool is_valid;
	} rows[] = {
#define T_STAR	       "<xs:element name='t' minOccurs='0' maxOccurs='unbounded'/>"
#define OTHERS(occurs) "<xs:any namespace='##other' processContents='lax' " occurs "/>"
#define ANY_OTHERS     OTHERS("minOccurs='0' maxOccurs='unbounded'")
		{ T_STAR ANY_OTHERS, "<t:t/><o:o/><o:o/>", true },
		{ T_STAR ANY_OTHERS, "<o:o/>", true },
		{ T_STAR ANY_OTHERS, "", true },
		{ T_STAR ANY_OTHERS, "<o:o/><t:t/>", false },
		{ T_STAR ANY_OTHERS, "<t:t/><o:o/><t:t/>", false },
		{ T_STAR OTHERS("maxOccurs='2'"), "<t:t/><o:o/><o:o/>", true },
		{ T_STAR OTHERS("maxOccurs='2'"), "<t:t/><o:o/><t:t/>", false },
		{ T_STAR OTHERS("maxOccurs='2'"), "<t:t/><o:o/><o:o/><o:o/>", false },
		{ T_STAR OTHERS("maxOccurs='2'"), "<t:t/>", false },
		{ T_STAR OTHERS("minOccurs='2' maxOccurs='unbounded'"), "<o:o/><o:o/><o:o/>",
		  true },
		{ T_STAR OTHERS("minOccurs='2' maxOccurs='unbounded'"), "<t:t/><o:o/>", false },
		{ T_STAR OTHERS("minOccurs='0' maxOccurs='0'"), "<t:t/>", true },
		{ T_STAR OTHERS("minOccurs='0' maxOccurs='0'"), "<o:o/>", false },
		{ "<xs:choice maxOccurs='unbounded'>" T_STAR ANY_OTHERS "</xs:choice>",
		  "<o:o/><t:t/><o:o/>", true },
		{ "<xs:element name='t' maxOccurs='unbounded'/>" ANY_OTHERS, "<t:t/><o:o/><t:t/>",
		  false },
		{ ANY_OTHERS T_STAR, "<o:o/><t:t/><t:t/>", true },
		{ ANY_OTHERS T_STAR, "<o:o/><t:t/><o:o/>", false },
	};
	char text[2048];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fmp_error err = { 0 };
		struct fmp_inspection v;

		fmpi_schema_free(schema);
		snprintf(text, sizeof(text),
			 XSD "<xs:element name='r'><xs:complexType><xs:sequence>%s</xs:sequence>"
			     "</xs:complexType></xs:element></xs:schema>",
			 rows[i].model);
		write_text(main_xsd, text);
		ck_assert_msg(fmpi_schema_load(&(struct fmpi_schema_source){ .path = main_xsd },
					       &schema, &err) == 0,
			      "row %zu: %s", i, err.message);
		snprintf(text, sizeof(text), "<t:r xmlns:t='urn:t' xmlns:o='urn:o'>%s</t:r>",
			 rows[i].content);
		v = validate_both(text);
		ck_assert_msg((v.kind == FMP_EVENT_GOOD) == rows[i].is_valid, "row %zu: %s", i,
			      v.detail);
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("schema");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, ambiguous_types);
	tcase_add_test(tc, order_around_wildcards);
	tcase_add_test(tc, long_texts);
	tcase_add_test(tc, what_stands_behind_a_fault_is_freed);
	tcase_add_test(tc, huge_texts);
	tcase_add_loop_test(tc, texts_that_comments_part, 0, 5);
	tcase_add_test(tc, the_verdict_is_that_of_libxml2);
	return run_tcase("schema", tc);
}
