/* SPDX-License-Identifier: GPL-2.0 */
/* A value of a simple type, at each position where one may be, through the whole inspector. */
#ifndef TESTS_VALUES_H
#define TESTS_VALUES_H

#include <unistd.h>

#include "run.h"
#include "vectors.h"

static char path[32];

static void values_setup(void)
{
	vectors_setup();
	strcpy(path, "/tmp/fmp-number.XXXXXX");
	ck_assert_int_ge(close(mkstemp(path)), 0);
}

static void values_teardown(void)
{
	unlink(path);
	vectors_teardown();
}

#define XSD                                                                     \
	"<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns='urn:t' " \
	"targetNamespace='urn:t' elementFormDefault='qualified'>"
#define TYPE(all)    "<xs:simpleType name='T'>" all "</xs:simpleType>"
#define BASE(b, all) TYPE("<xs:restriction base='" b "'>" all "</xs:restriction>")
#define INNER(b, all) \
	"<xs:simpleType><xs:restriction base='" b "'>" all "</xs:restriction></xs:simpleType>"
#define F(name, v) "<xs:" name " value='" v "'/>"
#define ALIAS(b)   BASE(b, "")

static void write_schema(const char *more)
{
	FILE *f = fopen(path, "we");

	ck_assert_ptr_nonnull(f);
	fprintf(f, XSD "%s</xs:schema>", more);
	ck_assert_int_eq(fclose(f), 0);
}

static struct fmp_inspector *load_schema(void)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCV);

	cfg.schema = path;
	return make_inspector(&cfg);
}

#define MANY 16000 /* with so many a message is large enough for streaming validation */

static struct fmp_inspection inspect_payload(struct fmp_inspector *i, const char *payload,
					     unsigned pads)
{
	struct fmp_message m = { .now_s = VECTORS_NOW };
	struct fmp_inspection v;
	char *text = NULL;
	FILE *f = open_memstream(&text, &m.len);

	ck_assert_ptr_nonnull(f);
	fprintf(f,
		"<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' "
		"xmlns:i='http://www.w3.org/2001/XMLSchema-instance' "
		"xmlns:xs='http://www.w3.org/2001/XMLSchema'><e:Body><r xmlns='urn:t'>%s",
		payload);
	while (pads--)
		fputs("<p/>", f);
	fputs("</r></e:Body></e:Envelope>", f);
	ck_assert_int_eq(fclose(f), 0);
	m.bytes = text;
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	fmp_inspection_clear(&v);
	free(text);
	return v;
}

#define ROOT(all)                                                \
	"<xs:element name='r'><xs:complexType><xs:sequence>" all \
	"<xs:element name='p' minOccurs='0' maxOccurs='unbounded'/></xs:sequence></xs:complexType></xs:element>"

enum value_is {
	VALUE_BAD,
	VALUE_GOOD,
	VALUE_WAIVED, /* refused, but not an offence */
};

/* @type: the declaration of T */
static inline void check_value(size_t row, const char *type, const char *value, enum value_is is)
{
	struct fmp_inspector *i;
	struct fmp_inspection v;
	char text[4096];

	snprintf(
		text, sizeof(text),
		"%s" ROOT(
			"<xs:element name='v' type='T' minOccurs='0'/><xs:element name='a' "
			"minOccurs='0'><xs:complexType><xs:attribute name='t' type='T'/></xs:complexType>"
			"</xs:element>"),
		type);
	write_schema(text);
	i = load_schema();
	for (unsigned way = 0; way < 3; way++) {
		snprintf(text, sizeof(text), way == 1 ? "<a t='%s'/>" : "<v>%s</v>", value);
		/* Large ones only now and then: they take time. */
		if (way == 2 && row % 4)
			continue;
		v = inspect_payload(i, text, way == 2 ? MANY : 0);
		ck_assert_msg(v.accepted == (is == VALUE_GOOD), "row %zu, way %u: %s: %s", row, way,
			      value, v.detail);
		ck_assert_msg(v.accepted || (v.kind == (is == VALUE_WAIVED ? FMP_EVENT_GOOD
									   : FMP_EVENT_SCHEMA) &&
					     !strstr(v.detail, "fmp:")),
			      "row %zu: %s", row, v.detail);
	}
	fmp_inspector_free(i);
}

#endif
