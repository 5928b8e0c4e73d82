// SPDX-License-Identifier: GPL-2.0
/* Streaming validation of large messages: what it leaves to the check of the tree. */
#include <unistd.h>

#include "run.h"
#include "tokens.h"

#define MANY \
	13500 /* elements, of which a tree takes more than streaming_validate.c wants to see unlooked at */

static char path[32];

static void write_schema(const char *type)
{
	FILE *f;

	strcpy(path, "/tmp/fmp-early.XXXXXX");
	f = fdopen(mkstemp(path), "w");
	ck_assert_ptr_nonnull(f);
	fprintf(f,
		"<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:t' "
		"elementFormDefault='qualified'><s:simpleType name='Key'><s:restriction base='%s'/>"
		"</s:simpleType><s:element name='r'><s:complexType><s:sequence>"
		"<s:element name='a' maxOccurs='unbounded'><s:complexType>"
		"<s:attribute name='k' xmlns='urn:t' type='Key'/></s:complexType></s:element>"
		"</s:sequence></s:complexType></s:element></s:schema>",
		type);
	ck_assert_int_eq(fclose(f), 0);
}

static struct fmp_inspection inspect_large(unsigned others)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCV);
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	fputs("<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body>"
	      "<r xmlns='urn:t'><a k='same'/><a k='same'/>",
	      f);
	while (others--)
		fputs("<a/>", f);
	fputs("</r></e:Body></e:Envelope>", f);
	ck_assert_int_eq(fclose(f), 0);
	cfg.schema = path;
	i = make_inspector(&cfg);
	v = inspect_bytes(i, text, len);
	fmp_inspector_free(i);
	free(text);
	unlink(path);
	return v;
}

/* libxml2 finds duplicate IDs only in a tree. */
START_TEST(an_id_is_there_once)
{
	static const unsigned others[] = { 0, MANY };
	struct fmp_inspection v;

	write_schema("s:ID");
	v = inspect_large(others[_i]);
	ck_assert_msg(!v.accepted && v.kind == FMP_EVENT_SCHEMA, "%s", v.detail);
	write_schema("s:NCName");
	v = inspect_large(others[_i]);
	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("early");

	tcase_add_checked_fixture(t, vectors_setup, vectors_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, an_id_is_there_once, 0, 2);
	return run_tcase("early", t);
}
