// SPDX-License-Identifier: GPL-2.0
/* Messages that are longer in their canonical form: how much longer, and what that may cost. */
#include "encrypted_messages.h"
#include "memory.h"
#include "run.h"

/* 64 bytes, that each of the elements declares anew. */
#define NAME	   "urn:name:of:a:namespace:as:long:as:one:can:be:that:somebody:uses"
#define DECLARED   "<p:x xmlns:p=\"" NAME "\"></p:x>"
#define IN_BODY(x) "<a>" x "</a>"
#define FROM(more) \
	"<wsa:From xmlns:wsa=\"" WSA "\" xmlns:wsu=\"" WSU "\" wsu:Id=\"from\">" more "</wsa:From>"
#define SIGNED(header, body)                                             \
	"<soapenv:Envelope xmlns:soapenv=\"" SOAP11 "\" xmlns:p=\"" NAME \
	"\">" HEADER(SECURITY("@K@T@G") header) SIGNED_BODY("body", body) "</soapenv:Envelope>"
#define INFO_OF(body, more) SIGNED_INFO(REF_TIME REF("body", SIGNED_BODY("body", body)) more)

static const char any_schema[] =
	"<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:element name='a'><xs:complexType>"
	"<xs:sequence><xs:any processContents='skip' minOccurs='0' maxOccurs='unbounded'/>"
	"</xs:sequence></xs:complexType></xs:element></xs:schema>";
static char any_file[64];

static void setup(void)
{
	encrypted_setup();
	write_temporary_file(strcpy(any_file, "/tmp/grown-schema.XXXXXX"), any_schema);
}

static void teardown(void)
{
	unlink(any_file);
	encrypted_teardown();
}

static struct fmp_inspector *open_inspector(uint32_t body_bytes, bool xmlsec_only)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCS);

	cfg.schema = any_file;
	cfg.trust = encrypted_ca;
	cfg.limits.body_bytes = body_bytes;
	cfg.xmlsec_only = xmlsec_only;
	return make_inspector(&cfg);
}

static struct fmp_inspection inspect_grown(const struct attack_bytes *b, uint32_t body_bytes,
					   bool xmlsec_only)
{
	struct fmp_inspector *i = open_inspector(body_bytes, xmlsec_only);
	struct fmp_inspection v = inspect_bytes(i, b->p, b->len);

	fmp_inspector_free(i);
	return v;
}

/* Its Body becomes 14 times as long, the message more than six times. */
static const struct attack grown = { .text = SIGNED("", IN_BODY("@*")),
				     .info = INFO_OF(IN_BODY("@/"), ""),
				     .piece = "<p:x/>",
				     .close = DECLARED,
				     .n = 700 };

START_TEST(the_output_is_at_most_six_times_as_long)
{
	struct attack_bytes b = attack_make(pki, &grown);
	struct fmp_inspection v;

	ck_assert_uint_eq(fmp_forward_max(1 << 20), 6 << 20);
	for (int engine = 0; engine < 2; engine++) {
		v = inspect_grown(&b, 1 << 20, engine);
		ck_assert_msg(v.accepted && v.forward_len > 6 * b.len, "%zu for %zu: %s",
			      v.forward_len, b.len, v.detail);
		fmp_inspection_clear(&v);
		v = inspect_grown(&b, (uint32_t)b.len, engine);
		ck_assert_msg(!v.accepted && v.kind == FMP_EVENT_OVERSIZE &&
				      v.step == FMP_STEP_CONTENT && !v.forward,
			      "%s", v.detail);
		ck_assert_ptr_nonnull(strstr(v.detail, "longer than"));
	}
	free(b.p);
}
END_TEST

/* More of them, and there is no more room. */
START_TEST(who_signs_well_has_a_limit_too)
{
	struct attack more = grown;
	struct attack_bytes b;

	more.n = 3000;
	b = attack_make(pki, &more);
	for (int engine = 0; engine < 2; engine++) {
		struct fmp_inspection v = inspect_grown(&b, 1 << 20, engine);

		ck_assert_msg(!v.accepted && v.kind == FMP_EVENT_STRUCTURE &&
				      v.step == FMP_STEP_SIGNATURE &&
				      strstr(v.detail, "form of Body"),
			      "%s", v.detail);
	}
	free(b.p);
}
END_TEST

/* What a large message took is not kept for the next: workers are many, and small devices are, too. */
START_TEST(memory_is_given_back)
{
	static const struct attack large = {
		.text = SIGNED(FROM("@*"), IN_BODY("")),
		.info = INFO_OF(IN_BODY(""), REF("from", FROM("@*"))),
		.piece = "<b>0123456789012345678901234567890123456789012345678901234567890123456789"
			 "0123456789012345678901234567890123456789012345678901234567890123</b>",
		.n = 3500
	};
	static const struct attack small = { .text = SIGNED("", IN_BODY("")),
					     .info = INFO_OF(IN_BODY(""), "") };
	struct attack_bytes b = attack_make(pki, &large), first = attack_make(pki, &small);
	struct fmp_inspector *i = open_inspector(1 << 20, false);
	struct fmp_inspection v = inspect_bytes(i, first.p, first.len);

	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	memory_begin();
	v = inspect_bytes(i, b.p, b.len);
	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	ck_assert_uint_gt(memory_end(), b.len);
	ck_assert_msg(memory_kept() < 256 << 10, "%ld bytes", memory_kept());
	fmp_inspector_free(i);
	free(first.p);
	free(b.p);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("grown");

	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_test(tc, the_output_is_at_most_six_times_as_long);
	tcase_add_test(tc, who_signs_well_has_a_limit_too);
	tcase_add_test(tc, memory_is_given_back);
	return run_tcase("grown", tc);
}
