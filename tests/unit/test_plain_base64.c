// SPDX-License-Identifier: GPL-2.0
/* Base64 that libxml2 need not read: the same texts are valid, and what a schema asks is asked. */
#include <libxml/xmlschemastypes.h>

#include <schema/plain_base64.h>

#include "../lib/random.h"
#include "values.h"

#define ROUNDS 40000

/* ---- compared with libxml2 ---- */

/* Whole groups, mostly; now and then padding, too many bits, a stray or a length that is none. */
static size_t make_text(struct test_random *r, char *out)
{
	static const char some[] = "AZazQgwBCEIMUYcko048159+/", strays[] = "=.:-_@[`{,\x7f\x80\xff";
	size_t n = 4 * random_below(r, 12);

	for (size_t i = 0; i < n; i++)
		out[i] = some[random_below(r, sizeof(some) - 1)];
	for (unsigned k = n ? random_below(r, 3) : 0; k; k--)
		out[n - k] = '=';
	if (n && random_once_in(r, 4))
		out[random_below(r, (unsigned)n)] = strays[random_below(r, sizeof(strays) - 1)];
	if (random_once_in(r, 8))
		out[n++] = 'A';
	out[n] = '\0';
	return n;
}

START_TEST(beside_libxml2)
{
	xmlSchemaTypePtr type = xmlSchemaGetBuiltInType(XML_SCHEMAS_BASE64BINARY);
	struct test_random r = { 20261127 };
	unsigned n_valid = 0, n_invalid = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		char text[64];
		size_t n = make_text(&r, text);
		bool found = fmpi_plain_base64_is_valid(text, n);
		/* libxml2 skips strays. */
		bool expected = n &&
				n == strspn(text,
					    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					    "0123456789+/=") &&
				!xmlSchemaValidatePredefinedType(type, (const xmlChar *)text, NULL);

		ck_assert_msg(found == expected, "\"%s\": %d", text, found);
		n_valid += found;
		n_invalid += !found;
	}
	ck_assert_uint_gt(n_valid, ROUNDS / 10);
	ck_assert_uint_gt(n_invalid, ROUNDS / 10);
}
END_TEST

/* ---- in schemas ---- */

#define LONG "QUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJD"
#define EXTENDED(b)                                                                            \
	"<xs:complexType name='T'><xs:simpleContent><xs:extension base='" b "'><xs:attribute " \
	"name='t' type='xs:int'/></xs:extension></xs:simpleContent></xs:complexType>"
#define V(more) ROOT("<xs:element name='v' type='T'" more "/>")
#define B	"xs:base64Binary"

static const struct {
	const char *schema, *payload;
	bool good;
} rows[] = {
	{ ALIAS(B) V(""), "<v>" LONG "</v>", true },
	{ ALIAS(B) V(""), "<v>" LONG "QQ==</v>", true },
	{ ALIAS(B) V(""), "<v>" LONG "QR==</v>", false },
	{ ALIAS(B) V(""), "<v>" LONG "QUI=</v>", true },
	{ ALIAS(B) V(""), "<v>" LONG "QUJ=</v>", false },
	{ ALIAS(B) V(""), "<v>" LONG "QU=D</v>", false },
	{ ALIAS(B) V(""), "<v>QQ==" LONG "</v>", false },
	{ ALIAS(B) V(""), "<v>" LONG "A</v>", false },
	{ ALIAS(B) V(""), "<v>" LONG "QUJ\xc3\xa4</v>", false },
	{ ALIAS(B) V(""), "<v>\n " LONG "\n QUJD </v>", true },
	{ ALIAS(B) V(""), "<v>" LONG "<!-- -->QUJD</v>", true },
	{ ALIAS(B) V(""), "<v>" LONG "<p/></v>", false },
	{ ALIAS(B) V(""), "<v t='1'>" LONG "</v>", false },
	{ ALIAS(B) V(""), "<v></v>", true },
	/* What is asked beyond Base64. */
	{ BASE(B, F("maxLength", "24")) V(""), "<v>" LONG "</v>", true },
	{ BASE(B, F("maxLength", "23")) V(""), "<v>" LONG "</v>", false },
	{ BASE(B, F("minLength", "25")) V(""), "<v>" LONG "</v>", false },
	{ BASE(B, F("pattern", "[A-P]*")) V(""), "<v>" LONG "</v>", false },
	{ BASE(B, F("enumeration", "QUJD")) V(""), "<v>" LONG "</v>", false },
	{ ALIAS(B) V(" fixed='QUJD'"), "<v>" LONG "</v>", false },
	{ ALIAS(B) V(" fixed='" LONG "'"), "<v>" LONG "</v>", true },
	{ ALIAS(B) V(" default='QUJD'"), "<v>" LONG "</v>", true },
	{ EXTENDED(B) V(""), "<v t='1'>" LONG "</v>", true },
	{ EXTENDED(B) V(""), "<v t='x'>" LONG "</v>", false },
	{ BASE(B, F("maxLength",
		    "23")) "<xs:complexType name='U'><xs:simpleContent><xs:extension base='T'/>"
			   "</xs:simpleContent></xs:complexType>" ROOT(
				   "<xs:element name='v' type='U'/>"),
	  "<v>" LONG "</v>", false },
	{ ALIAS(B) V(" nillable='true'"), "<v i:nil='true'/>", true },
	{ ALIAS(B) V(" nillable='true'"), "<v i:nil='true'>" LONG "</v>", false },
	{ ALIAS(B) "<xs:simpleType name='S'><xs:restriction base='T'>" F(
		  "maxLength", "9") "</xs:restriction></xs:simpleType>" V(""),
	  "<v i:type='S'>" LONG "</v>", false },
	/* Another element has that name. */
	{ BASE("xs:string", F("maxLength", "3")) ROOT(
		  "<xs:element name='v' type='" B "'/><xs:any/>") "<xs:element name='v' type='T'/>",
	  "<v>" LONG "</v><v>" LONG "</v>", false },
	{ ROOT("<xs:element name='v' type='" B
	       "'/><xs:any/>") "<xs:element name='v' type='xs:int'/>",
	  "<v>" LONG "</v><v>" LONG "</v>", false },
	{ ROOT("<xs:any/>") "<xs:element name='v' type='" B "'/>", "<v>" LONG "</v>", true },
	{ ROOT("<xs:any/>") "<xs:element name='v' type='" B "'/>", "<v>" LONG "QR==</v>", false },
	{ ROOT("<xs:element name='w'><xs:complexType><xs:sequence><xs:element name='v' type='xs:date'/></xs:sequence>"
	       "</xs:complexType></xs:element>") "<xs:element name='v' type='" B "'/>",
	  "<w><v>" LONG "</v></w>", false },
	{ ROOT("<xs:element ref='h'/>") "<xs:element name='h' type='" B "'/><xs:element name='v' "
					"substitutionGroup='h'/>",
	  "<v>" LONG "QR==</v>", false },
	/* Keys compare values. */
	{ "<xs:element name='r'><xs:complexType><xs:sequence><xs:element name='v' type='" B "' "
	  "maxOccurs='9'/><xs:element name='p' minOccurs='0' maxOccurs='unbounded'/></xs:sequence></xs:complexType>"
	  "<xs:unique name='u' xmlns:t='urn:t'><xs:selector xpath='t:v'/><xs:field xpath='.'/></xs:unique></xs:element>",
	  "<v>" LONG "</v><v>QUJD</v>", true },
	{ "<xs:element name='r'><xs:complexType><xs:sequence><xs:element name='v' type='" B "' "
	  "maxOccurs='9'/><xs:element name='p' minOccurs='0' maxOccurs='unbounded'/></xs:sequence></xs:complexType>"
	  "<xs:unique name='u' xmlns:t='urn:t'><xs:selector xpath='t:v'/><xs:field xpath='.'/></xs:unique></xs:element>",
	  "<v>QUJD</v><v>QUJD</v>", false },
	/* What is behind the first error is freed. */
	{ ALIAS(B) ROOT("<xs:element name='n' type='xs:int'/><xs:element name='v' type='T'/>"),
	  "<n>x</n><v>" LONG "</v>", false },
};

static void check_row(int row, bool libxml2_only)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCV);
	struct fmp_inspector *i;

	cfg.schema = path;
	cfg.xmlsec_only = libxml2_only;
	i = make_inspector(&cfg);
	for (unsigned pads = 0; pads <= MANY; pads += MANY) {
		struct fmp_inspection v = inspect_payload(i, rows[row].payload, pads);

		ck_assert_msg(v.accepted == rows[row].good &&
				      (v.accepted || v.kind == FMP_EVENT_SCHEMA),
			      "row %d, %u pads: %s: %s", row, pads, rows[row].payload, v.detail);
	}
	fmp_inspector_free(i);
}

/* Trees of libxml2's parser, unlike others, are freed node by node. */
START_TEST(what_the_schema_asks)
{
	write_schema(rows[_i].schema);
	check_row(_i, false);
	check_row(_i, true);
}
END_TEST

/* ---- the tree ---- */

START_TEST(texts_are_put_back)
{
	static const char text[] = "<r><v>QUJD</v><v>QUI=</v><w>QUJD</w><v>Q</v></r>";
	static const char *const after[] = { "", "", "QUJD", "Q" };
	static const char *const before[] = { "QUJD", "QUI=", "QUJD", "Q" };
	xmlDocPtr doc = xmlReadMemory(text, sizeof(text) - 1, NULL, NULL, 0);
	xmlHashTable *names = xmlHashCreate(1);
	struct fmpi_plain_base64 h = { 0 };
	const xmlNode *n = xmlDocGetRootElement(doc)->children;

	ck_assert_int_eq(xmlHashAddEntry(names, (const xmlChar *)"v", &h), 0);
	for (unsigned i = 0; i < 4; i++, n = n->next) {
		ck_assert_int_eq(fmpi_plain_base64_hide(&h, names, n), i < 2);
		ck_assert_str_eq((const char *)n->children->content, after[i]);
	}
	fmpi_plain_base64_show(&h);
	n = xmlDocGetRootElement(doc)->children;
	for (unsigned i = 0; i < 4; i++, n = n->next)
		ck_assert_str_eq((const char *)n->children->content, before[i]);
	xmlHashFree(names, NULL);
	xmlFreeDoc(doc);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("plain_base64");

	tcase_add_checked_fixture(tc, values_setup, values_teardown);
	tcase_add_test(tc, beside_libxml2);
	tcase_add_loop_test(tc, what_the_schema_asks, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(tc, texts_are_put_back);
	return run_tcase("plain_base64", tc);
}
