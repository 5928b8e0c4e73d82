// SPDX-License-Identifier: GPL-2.0
/* The steps of the pipeline one by one: parser, SOAP, schema, Timestamp, Base64. */
#include <libxml/parser.h>

#include "xml/base64.h"
#include "xml/document.h"
#include "xml/entity_loader.h"
#include "xml/screen.h"
#include "soap/soap.h"
#include "wss/timestamp.h"
#include "run.h"
#include "vectors.h"

#define S11  "http://schemas.xmlsoap.org/soap/envelope/"
#define S12  "http://www.w3.org/2003/05/soap-envelope"
#define ENV  "<e:Envelope xmlns:e='" S11 "'>"
#define BODY "<e:Body><x xmlns='urn:x'/></e:Body>"
#define END  "</e:Envelope>"

static struct fmp_inspection inspect_text(struct fmp_inspector *i, const char *text)
{
	return inspect_bytes(i, text, strlen(text));
}

/* ---- parse ---- */

START_TEST(documents)
{
	static const struct {
		const char *text;
		unsigned line; /* 0: good */
	} rows[] = {
		{ "<a xmlns='u'>&lt;&#65;</a>", 0 },
		{ "<a>\n<b></a>", 2 },
		{ "<a>&unknown;</a>", 1 },
		{ "\n<p:a/>", 2 },
		{ "<a xmlns:p='u' xmlns:q='u'\n p:b='1' q:b='2'/>", 2 },
		{ "<a b='1' b='2'/>", 1 },
		{ "<a xmlns:p=''/>", 1 },
		{ "<a xmlns:xml='urn:other'/>", 1 },
		{ "<a:b:c xmlns:a='u'/>", 1 },
		{ "<a>]]></a>", 1 },
		{ "<a>&#0;</a>", 1 },
		{ "<a><!-- -- --></a>", 1 },
		{ "<1/>", 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fmp_inspection v = { 0 };
		xmlDocPtr doc;
		int ret = fmpi_document_parse(rows[i].text, strlen(rows[i].text), &doc, &v);

		ck_assert_msg((ret == FMPI_REFUSED) == (rows[i].line > 0), "%s: %d", rows[i].text,
			      ret);
		ck_assert_msg(v.line == rows[i].line, "%s: line %u: %s", rows[i].text, v.line,
			      v.detail);
		ck_assert((doc != NULL) == (ret == 0));
		if (ret) {
			ck_assert_int_eq(v.step, FMP_STEP_PARSE);
			ck_assert_int_eq(v.kind, FMP_EVENT_WELLFORMED);
			ck_assert_ptr_null(strchr(v.detail, '\n'));
		}
		xmlFreeDoc(doc);
	}
}
END_TEST

/* One parser for all messages: what is left of one that was refused is no part of the next. */
START_TEST(a_broken_document_leaves_nothing)
{
	static const char *const broken[] = {
		"<p:a xmlns:p='urn:x'>",
		"<p:a xmlns:p='urn:x'><b></a>",
		"<p:a xmlns:p='urn:x' xmlns='urn:y'><b",
	};
	struct fmpi_parser p = { 0 };
	struct fmp_inspection v = { 0 };
	xmlDocPtr doc;

	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		ck_assert_int_eq(fmpi_parser_fast(&p, broken[i], strlen(broken[i]), &doc, &v),
				 FMPI_REFUSED);
		ck_assert_int_eq(fmpi_parser_fast(&p, "<p:a/>", 6, &doc, &v), FMPI_REFUSED);
		ck_assert_int_eq(v.kind, FMP_EVENT_WELLFORMED);
		ck_assert_int_eq(fmpi_parser_read(&p, "<a/>", 4, &doc, &v), 0);
		ck_assert_ptr_null(xmlDocGetRootElement(doc)->ns);
		xmlFreeDoc(doc);
	}
	fmpi_parser_clear(&p);
}
END_TEST

START_TEST(details_are_printable_and_whole)
{
	struct fmp_inspection v = { 0 };
	char longer[400];

	fmpi_refuse(&v, FMP_STEP_PARSE, FMP_EVENT_WELLFORMED, 3, "a\tb\x1b[31m\x7f\n");
	ck_assert_str_eq(v.detail, "a?b?[31m?");
	/* A character that does not fit in full is left out in full. */
	for (unsigned pad = 0; pad < 4; pad++) {
		memset(longer, 'x', 150 + pad);
		strcpy(longer + 150 + pad, "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac");
		fmpi_refuse(&v, FMP_STEP_PARSE, FMP_EVENT_WELLFORMED, 3, "%s", longer);
		ck_assert_uint_eq((strlen(v.detail) - 150 - pad) % 3, 0);
		ck_assert_uint_gt(strlen(v.detail), 155);
	}
	fmpi_refuse(&v, FMP_STEP_PARSE, FMP_EVENT_WELLFORMED, 3, "caf\xc3\xa9");
	ck_assert_str_eq(v.detail, "caf\xc3\xa9");
}
END_TEST

/* ---- soap ---- */

START_TEST(envelopes)
{
	static const struct {
		const char *text;
		int version; /* 0: refused */
	} rows[] = {
		{ ENV BODY END, 11 },
		{ ENV "\n<e:Header/>\n<!-- c -->" BODY "\n" END, 11 },
		{ "<Envelope xmlns='" S12 "'><Header/><Body><x/></Body></Envelope>", 12 },
		{ "<Envelope xmlns='urn:other'><Body><x/></Body></Envelope>", 0 },
		{ "<Envelope><Body><x/></Body></Envelope>", 0 },
		{ ENV END, 0 },
		{ ENV "<e:Header/>" END, 0 },
		/* SOAP 1.1, 4.3; SOAP 1.2, 5.3: any number of elements, so none as well. */
		{ ENV "<e:Body/>" END, 11 },
		{ ENV "<e:Body>text</e:Body>" END, 0 },
		{ ENV "<e:Body>text<x xmlns=''/></e:Body>" END, 0 },
		{ ENV "<e:Body><x xmlns=''/><y xmlns=''/></e:Body>" END, 0 },
		{ ENV BODY BODY END, 0 },
		{ ENV BODY "<e:Header/>" END, 0 },
		{ ENV "<e:Header/><e:Header/>" BODY END, 0 },
		{ ENV "<e:Header/><y xmlns='urn:y'/>" BODY END, 0 },
		{ ENV BODY "<y xmlns='urn:y'/>" END, 0 },
		{ ENV "text" BODY END, 0 },
		{ ENV "<e:Header>text</e:Header>" BODY END, 0 },
		{ ENV "<Body xmlns='" S12 "'><x/></Body>" END, 0 },
		{ "<e:Envelope xmlns:e='" S11 "'><Body><x/></Body></e:Envelope>", 0 },
	};
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BC);

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct fmp_inspection v = inspect_text(i, rows[k].text);

		ck_assert_msg(v.accepted == (rows[k].version > 0), "%s: %s", rows[k].text,
			      v.detail);
		if (v.accepted) {
			ck_assert_int_eq(v.soap_version, rows[k].version);
			ck_assert_ptr_eq(v.forward, rows[k].text);
		} else {
			ck_assert_int_eq(v.step, FMP_STEP_SOAP);
			ck_assert_int_eq(v.kind, FMP_EVENT_SOAP);
		}
		fmp_inspection_clear(&v);
	}
	fmp_inspector_free(i);
}
END_TEST

/* ---- schema ---- */

#define XSI_HINT(name, value) \
	"xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:" name "='" value "' "

/*
 * A hint (XSD 1.0 part 1, 4.3.2): what is valid without it is valid with it, at whatever place
 * among the attributes it stands, and nothing becomes valid by it. Hints are in the output.
 */
START_TEST(schema_of_the_sender_is_a_hint)
{
	static const char *const hints[] = {
		XSI_HINT("schemaLocation", "urn:fmp:orders http://192.0.2.1/x.xsd"),
		XSI_HINT("schemaLocation", "not a list of pairs"),
		XSI_HINT("schemaLocation", ""),
		XSI_HINT("noNamespaceSchemaLocation", "file:///etc/passwd"),
		XSI_HINT("schemaLocation", "urn:a b") "i:noNamespaceSchemaLocation='c' ",
	};
	/* The root, one of a simple type, one deep inside. */
	static const char *const tags[] = { "<submitOrder ", "<orderId", "<sku", "<item" };
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCV);

	for (size_t k = 0; k < 20; k++) {
		const char *hint = hints[k % 5], *tag = tags[k / 5];
		struct bytes b = read_vector("plain/plain-1k.xml");
		struct fmp_inspection v;
		char with[256];

		snprintf(with, sizeof(with), "%s %s", tag, hint);
		b = edit_bytes(b, tag, with);
		v = inspect_bytes(i, b.p, b.len);
		ck_assert_msg(v.accepted, "%s: %s", with, v.detail);
		ck_assert_ptr_nonnull(memmem(v.forward, v.forward_len, hint, strlen(hint)));
		fmp_inspection_clear(&v);

		snprintf(with, sizeof(with), "%s i:other='' ", hint);
		b = edit_bytes(b, hint, with);
		v = inspect_bytes(i, b.p, b.len);
		ck_assert_msg(!v.accepted && v.step == FMP_STEP_SCHEMA, "%s", with);
		fmp_inspection_clear(&v);
		free(b.p);
	}
	fmp_inspector_free(i);
}
END_TEST

START_TEST(line_of_the_schema_error)
{
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCV);
	struct fmp_inspection v = inspect_text(
		i, ENV "<e:Body>\n<submitOrder xmlns='urn:fmp:orders'>\n<orderId>1</orderId>\n"
		       "<bogus/></submitOrder></e:Body>" END);

	ck_assert(!v.accepted);
	ck_assert_int_eq(v.line, 4);
	ck_assert_msg(strstr(v.detail, "bogus"), "%s", v.detail);
	fmp_inspector_free(i);
}
END_TEST

/* What libxml2 is kept from, should a message ever make it ask. */
START_TEST(nothing_is_fetched_while_a_message_is_inspected)
{
	const char *file = tests_path("interop/vectors/orders.xsd");
	xmlDocPtr doc;

	fmpi_entity_loader_forbid(true);
	doc = xmlReadFile(file, NULL, XML_PARSE_NOERROR);
	ck_assert_ptr_null(doc);
	fmpi_entity_loader_forbid(false);
	doc = xmlReadFile(file, NULL, XML_PARSE_NOERROR);
	ck_assert_ptr_nonnull(doc);
	xmlFreeDoc(doc);
}
END_TEST

/* ---- shape ---- */

/*
 * Decrypted content is put where the screen saw the Body's child. Whatever passes
 * screen, parser and SOAP, both must mean the same element. Seed fixed: repeatable.
 */
START_TEST(shape_agrees_with_the_tree)
{
	static const char *const pieces[] = {
		"<e:Body>",    "</e:Body>",	"<e:Header>",	 "</e:Header>",
		"<e:Header/>", "<p/>",		"<p>",		 "</p>",
		"<q a='>'>",   "</q>",		"<!-- </p> -->", "<![CDATA[</q>]]>",
		" ",	       "<p b=\"/>\"/>",
	};
	struct fmp_policy_limits limits = vector_limits();
	unsigned agreed = 0, seed = 1;

	for (unsigned round = 0; round < 200000; round++) {
		char text[512] = ENV "<e:Header><p/></e:Header>";
		struct fmp_inspection v = { 0 };
		struct fmpi_shape shape;
		struct fmpi_soap soap;
		xmlDocPtr doc = NULL;

		if (rand_r(&seed) % 4)
			strcpy(text, ENV "<e:Body>");
		for (int n = rand_r(&seed) % 7; n >= 0; n--)
			strcat(text, pieces[(unsigned)rand_r(&seed) % 14]);
		strcat(text, rand_r(&seed) % 2 ? "</e:Body>" END : END);
		if (fmpi_screen(&limits, FMPI_SCREEN_UTF8, (uint8_t *)text, strlen(text), &shape,
				&v))
			continue;
		if (fmpi_document_parse(text, strlen(text), &doc, &v) == 0 &&
		    fmpi_soap_read(doc, &soap, &v) == 0) {
			agreed++;
			/* Cut out, the element leaves an empty Body. */
			memmove(text + shape.payload_start, text + shape.payload_end,
				strlen(text + shape.payload_end) + 1);
			xmlFreeDoc(doc);
			ck_assert_int_eq(fmpi_document_parse(text, strlen(text), &doc, &v), 0);
			ck_assert_int_eq(fmpi_soap_read(doc, &soap, &v), FMPI_REFUSED);
			ck_assert_ptr_nonnull(strstr(v.detail, "the Body is empty"));
		}
		xmlFreeDoc(doc);
	}
	ck_assert_uint_gt(agreed, 500);
}
END_TEST

/* ---- timestamp ---- */

START_TEST(times)
{
	static const struct {
		const char *text;
		int64_t ms; /* -1: refused */
	} rows[] = {
		{ "1970-01-01T00:00:00Z", 0 },
		{ "1970-01-01T00:00:00.001Z", 1 },
		{ "1972-02-29T00:00:00Z", 68169600000 },
		{ "2000-02-29T23:59:59.999999999Z", 951868799999 },
		{ "2000-03-01T00:00:00Z", 951868800000 },
		{ "2026-11-21T03:00:00Z", (int64_t)VECTORS_NOW * 1000 },
		{ "2026-11-21T03:00:00.5Z", (int64_t)VECTORS_NOW * 1000 + 500 },
		{ "2026-11-21T03:00:00.5+00:00", (int64_t)VECTORS_NOW * 1000 + 500 },
		{ "2100-03-01T00:00:00Z", 4107542400000 },
		{ "9999-12-31T23:59:59Z", 253402300799000 },
		/* All that xs:dateTime takes (XSD 1.0 part 2, 3.2.7 and 4.3.6). */
		{ "20260-01-01T00:00:00Z", 577176624000000 },
		{ "1970-01-01T24:00:00Z", 86400000 },
		{ "1970-01-01T00:00:02", 2000 },
		{ "1970-01-01T01:00:02.5+01:00", 2500 },
		{ "1969-12-31T10:00:02-14:00", 2000 },
		{ "1970-01-01T14:00:00+14:00", 0 },
		{ "1970-01-01T00:00:00-00:00", 0 },
		{ "1970-01-01T00:01:01+00:01", 1000 },
		{ "1970-01-01T00:00:00.1234567890123Z", 123 },
		{ "\n\t 1970-01-01T00:00:01Z\r\n ", 1000 },
		{ "19-70-01T00:00:00Z", -1 },
		{ "0000-01-01T00:00:00Z", -1 },
		{ "01970-01-01T00:00:00Z", -1 },
		{ "1970-01-01T24:00:01Z", -1 },
		{ "1970-01-01T24:00:00.1Z", -1 },
		{ "1970-01-01T00:00:00+14:01", -1 },
		{ "1970-01-01T00:00:00+01:60", -1 },
		{ "1970-01-01T00:00:00+0100", -1 },
		{ "1970-01-01T00:00:00 Z", -1 },
		{ "1970-01-01 00:00:00Z", -1 },
		{ "\v1970-01-01T00:00:00Z", -1 },
		{ "2100-02-29T00:00:00Z", -1 },
		{ "2026-02-29T00:00:00Z", -1 },
		{ "2026-13-01T00:00:00Z", -1 },
		{ "2026-00-01T00:00:00Z", -1 },
		{ "2026-01-00T00:00:00Z", -1 },
		{ "2026-04-31T00:00:00Z", -1 },
		{ "2026-01-01T00:60:00Z", -1 },
		{ "2026-01-01T00:00:60Z", -1 },
		{ "2026-01-01T00:00:00z", -1 },
		{ "2026-01-01T00:00:00+00:00Z", -1 },
		{ "2026-01-01T00:00:00Z+00:00", -1 },
		{ "2026-01-01T00:00:00.Z", -1 },
		{ "2026-1-01T00:00:00Z", -1 },
		{ "-026-01-01T00:00:00Z", -1 },
		{ "2026", -1 },
		{ "", -1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int64_t ms = -1;
		int ret = fmpi_time_parse(rows[i].text, &ms);

		ck_assert_msg((ret == 0) == (rows[i].ms >= 0), "%s", rows[i].text);
		ck_assert_msg(ms == rows[i].ms, "%s: %lld", rows[i].text, (long long)ms);
	}
}
END_TEST

#define WSU "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"

static int check_timestamp(const char *created, const char *expires, int64_t now_s,
			   uint64_t skew_ms, uint64_t max_age_ms)
{
	struct fmp_inspection v = { 0 };
	char text[512];
	xmlDocPtr doc;
	struct fmpi_lifetime life;
	int64_t end_s;
	int ret;

	snprintf(text, sizeof(text),
		 "<Timestamp xmlns='" WSU "'><Created>%s</Created>%s%s%s</Timestamp>", created,
		 expires ? "<Expires>" : "", expires ? expires : "", expires ? "</Expires>" : "");
	ck_assert_int_eq(fmpi_document_parse(text, strlen(text), &doc, &v), 0);
	ret = fmpi_timestamp_check(xmlDocGetRootElement(doc), now_s, skew_ms, max_age_ms, &life,
				   &v);
	if (!ret) {
		/* It ends when it says, not before: till then a copy must be known. */
		ck_assert_int_gt(life.until_ms, now_s * 1000);
		end_s = (life.until_ms + 999) / 1000;
		ck_assert_int_eq(fmpi_timestamp_check(xmlDocGetRootElement(doc), end_s, skew_ms,
						      max_age_ms, &life, &v),
				 FMPI_REFUSED);
		v.kind = FMP_EVENT_GOOD;
	} else {
		ck_assert_int_eq(v.step, FMP_STEP_TIMESTAMP);
		ck_assert_int_eq(v.kind, FMP_EVENT_TIMESTAMP);
	}
	xmlFreeDoc(doc);
	return ret;
}

START_TEST(timestamp_edges)
{
	const char *c = "2026-11-21T03:00:00Z", *e = "2026-11-21T03:05:00Z";
	const int64_t t = VECTORS_NOW;

	ck_assert_int_eq(check_timestamp(c, e, t, 0, 0), 0);
	ck_assert_int_eq(check_timestamp(c, e, t - 1, 0, 0), FMPI_REFUSED);
	ck_assert_int_eq(check_timestamp(c, e, t - 1, 1000, 0), 0);
	ck_assert_int_eq(check_timestamp(c, e, t - 2, 1000, 0), FMPI_REFUSED);
	ck_assert_int_eq(check_timestamp(c, e, t + 299, 0, 0), 0);
	ck_assert_int_eq(check_timestamp(c, e, t + 300, 0, 0), FMPI_REFUSED);
	ck_assert_int_eq(check_timestamp(c, e, t + 300, 1000, 0), 0);
	ck_assert_int_eq(check_timestamp(c, e, t + 301, 1000, 0), FMPI_REFUSED);
	ck_assert_int_eq(check_timestamp(c, e, t + 60, 0, 60000), 0);
	ck_assert_int_eq(check_timestamp(c, e, t + 61, 0, 60000), FMPI_REFUSED);
	ck_assert_int_eq(check_timestamp(c, e, t + 61, 1000, 60000), 0);
	ck_assert_int_eq(check_timestamp(c, NULL, t + 60, 0, 60000), 0);
	ck_assert_int_eq(check_timestamp(c, NULL, t, 0, 0), FMPI_REFUSED);
	ck_assert_int_eq(check_timestamp(e, c, t, 86400000, 0), FMPI_REFUSED);
	ck_assert_int_eq(check_timestamp(c, c, t, 86400000, 0), FMPI_REFUSED);
	/* Settings and clocks out of all range neither overflow nor accept. */
	ck_assert_int_eq(check_timestamp(c, e, t, UINT64_MAX, UINT64_MAX), 0);
	ck_assert_int_eq(check_timestamp(c, e, INT64_MAX, 0, 0), FMPI_REFUSED);
	ck_assert_int_eq(check_timestamp(c, e, INT64_MIN, 0, 0), FMPI_REFUSED);
}
END_TEST

/* ---- Base64 ---- */

START_TEST(base64)
{
	static const struct {
		const char *text, *bytes; /* NULL: refused */
	} rows[] = {
		{ "", "" },
		{ "TQ==", "M" },
		{ "TWE=", "Ma" },
		{ "TWFu", "Man" },
		{ "T W\nF\tu\r", "Man" },
		{ "TWFuTQ==", "ManM" },
		{ "+/+/", "\xfb\xff\xbf" },
		{ "T", NULL },
		{ "TQ", NULL },
		{ "TQ=", NULL },
		{ "TQ===", NULL },
		{ "=", NULL },
		{ "T===", NULL },
		{ "TWFu=", NULL },
		{ "TQ==TQ==", NULL },
		{ "TR==", NULL },
		{ "TWF=", NULL },
		{ "TW-u", NULL },
		{ "TWF\xe9", NULL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t n = strlen(rows[i].text), len = 0;
		uint8_t *out = malloc(FMPI_BASE64_MAX(n));
		int ret = fmpi_base64_decode(rows[i].text, n, out, &len);

		ck_assert_msg((ret == 0) == (rows[i].bytes != NULL), "%s", rows[i].text);
		if (rows[i].bytes) {
			ck_assert_uint_eq(len, strlen(rows[i].bytes));
			ck_assert_int_eq(memcmp(out, rows[i].bytes, len), 0);
		}
		free(out);
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("steps");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, documents);
	tcase_add_test(tc, a_broken_document_leaves_nothing);
	tcase_add_test(tc, details_are_printable_and_whole);
	tcase_add_test(tc, envelopes);
	tcase_add_test(tc, schema_of_the_sender_is_a_hint);
	tcase_add_test(tc, line_of_the_schema_error);
	tcase_add_test(tc, nothing_is_fetched_while_a_message_is_inspected);
	tcase_add_test(tc, shape_agrees_with_the_tree);
	tcase_add_test(tc, times);
	tcase_add_test(tc, timestamp_edges);
	tcase_add_test(tc, base64);
	return run_tcase("steps", tc);
}
