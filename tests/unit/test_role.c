// SPDX-License-Identifier: GPL-2.0
/*
 * Addressees of header blocks: a Security header for another role is ignored and harmless, whatever
 * it contains; which of two is ours is never guessed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml/names.h"
#include "run.h"
#include "tokens.h"

#define OPENING	  "<soapenv:Header>"
#define CLOSING	  "</soapenv:Header>"
#define SIGNED_11 "good/wss4j-rsa2048-1k.xml"
#define SIGNED_12 "good/wss4j-soap12-rsa2048-1k.xml"
#define OTHER(x)  "<o:Security xmlns:o='" NS_WSSE "' " x ">"
#define OTHER_END "</o:Security>"
#define FOR_B	  "soapenv:actor='urn:b' soapenv:mustUnderstand='1'"
#define EMPTY_B	  OTHER(FOR_B) OTHER_END

/*
 * Everything that has a meaning in our headers, twice where that would be wrong, and what has none.
 */
#define INSIDE                                                                                    \
	"text<u:Timestamp xmlns:u='" NS_WSU                                                       \
	"' u:Id='o1'><u:Created>2026</u:Created></u:Timestamp>"                                   \
	"<u:Timestamp xmlns:u='" NS_WSU "'/><ds:Signature xmlns:ds='" NS_DS "' Id='o2'/>"         \
	"<ds:Signature xmlns:ds='" NS_DS "'/><o:UsernameToken/><o:UsernameToken/>"                \
	"<o:BinarySecurityToken/><o:BinarySecurityToken/><o:BinarySecurityToken/>"                \
	"<x:EncryptedKey xmlns:x='" NS_XENC "' Id='o3'/><x:EncryptedKey xmlns:x='" NS_XENC "'/>"  \
	"<x:ReferenceList xmlns:x='" NS_XENC "'/><x:EncryptedData xmlns:x='" NS_XENC "'/>"        \
	"<s:Assertion xmlns:s='" NS_SAML2 "'/><c:SignatureConfirmation xmlns:c='" NS_WSSE11 "'/>" \
	"<unknown/>"

static struct fmp_inspection inspect_and_free(struct fmp_inspector *i, struct bytes b)
{
	struct fmp_inspection v = inspect_bytes(i, b.p, b.len);

	free(b.p);
	return v;
}

/* kind FMP_EVENT_GOOD: accepted */
static void expect_verdict(struct fmp_inspector *i, struct bytes b, const char *name,
			   enum fmp_event_kind kind, const char *words)
{
	struct fmp_inspection v = inspect_and_free(i, b);

	ck_assert_msg(v.accepted == (kind == FMP_EVENT_GOOD) && v.kind == kind, "%s: %s: %s", name,
		      fmp_event_kind_name(v.kind), v.detail);
	ck_assert_msg(strstr(v.detail, words) != NULL, "%s: %s", name, v.detail);
	fmp_inspection_clear(&v);
}

/* ---- headers for us ---- */

static const struct {
	bool soap12;
	const char *attribute;
	bool ours;
} names[] = {
	{ false, "soapenv:actor=''", true },
	{ false, "soapenv:actor=' &#9;'", true },
	{ false, "soapenv:actor='" SOAP11_ACTOR_NEXT "'", true },
	{ false, "soapenv:actor=' " SOAP11_ACTOR_NEXT "&#10;'", true },
	{ false, "soapenv:actor='" SOAP12_ROLE "next'", false },
	{ false, "soapenv:actor='" SOAP11_ACTOR_NEXT "/'", false },
	{ false, "soapenv:actor='urn:b'", false },
	{ false, "actor='urn:b'", true },
	{ false, "soapenv:role='urn:b'", true },
	{ false, "xmlns:e='" NS_SOAP12 "' e:role='urn:b'", true },
	{ true, "soapenv:role=''", true },
	{ true, "soapenv:role='" SOAP12_ROLE "next'", true },
	{ true, "soapenv:role='\n" SOAP12_ROLE "ultimateReceiver '", true },
	{ true, "soapenv:role='" SOAP12_ROLE "none'", false },
	{ true, "soapenv:role='" SOAP11_ACTOR_NEXT "'", false },
	{ true, "soapenv:role='urn:b'", false },
	{ true, "soapenv:actor='urn:b'", true },
	{ true, "xmlns:e='" NS_SOAP11 "' e:actor='urn:b'", true },
};

START_TEST(whose_the_header_is)
{
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCS);
	const char *file = names[_i].soap12 ? SIGNED_12 : SIGNED_11;
	char text[300];

	snprintf(text, sizeof(text), "<wsse:Security %s ", names[_i].attribute);
	expect_verdict(i, edit_bytes(read_vector(file), "<wsse:Security ", text),
		       names[_i].attribute, names[_i].ours ? FMP_EVENT_GOOD : FMP_EVENT_UNSIGNED,
		       names[_i].ours ? "" : "no Security header for us, only for others");
	fmp_inspector_free(i);
}
END_TEST

/* Two for us, even by two names: refused. One for another node is skipped. */
START_TEST(beside_ours)
{
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCS);
	const char *file = names[_i].soap12 ? SIGNED_12 : SIGNED_11;
	char text[600];

	snprintf(text, sizeof(text), OPENING "<o:Security xmlns:o='" NS_WSSE "' %s/>",
		 names[_i].attribute);
	expect_verdict(i, edit_bytes(read_vector(file), OPENING, text), names[_i].attribute,
		       names[_i].ours ? FMP_EVENT_WRAPPING : FMP_EVENT_GOOD,
		       names[_i].ours ? "more than one Security" : "");
	fmp_inspector_free(i);
}
END_TEST

START_TEST(who_must_understand)
{
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCS);
	const char *file = names[_i].soap12 ? SIGNED_12 : SIGNED_11;
	char text[600];

	snprintf(text, sizeof(text), OPENING "<x xmlns='urn:x' soapenv:mustUnderstand='1' %s/>",
		 names[_i].attribute);
	expect_verdict(i, edit_bytes(read_vector(file), OPENING, text), names[_i].attribute,
		       names[_i].ours ? FMP_EVENT_UNSUPPORTED : FMP_EVENT_GOOD,
		       names[_i].ours ? "must be understood" : "");
	fmp_inspector_free(i);
}
END_TEST

/* ---- headers for others ---- */

static const struct {
	const char *file;
	enum fmp_security security;
} vectors[] = {
	{ SIGNED_11, FMP_SECURITY_BCS },
	{ SIGNED_12, FMP_SECURITY_BCS },
	{ "good/wss4j-ec256-1k.xml", FMP_SECURITY_BCS },
	{ "good/wss4j-enc-gcm256-oaep256-1k.xml", FMP_SECURITY_BCE },
	{ "good/wss4j-sign-then-enc-1k.xml", FMP_SECURITY_BCES },
	{ "good/wss4j-enc-then-sign-1k.xml", FMP_SECURITY_BCES },
};

/* The forwarded message is the same, byte by byte. */
static void expect_same_output(struct fmp_inspector *i, const char *file, const char *from,
			       const char *to)
{
	struct fmp_inspection good = inspect_and_free(i, read_vector(file));
	struct fmp_inspection v = inspect_and_free(i, edit_bytes(read_vector(file), from, to));

	ck_assert_msg(good.accepted && v.accepted, "%s: %s", file, v.detail);
	ck_assert_uint_eq(v.forward_len, good.forward_len);
	ck_assert_mem_eq(v.forward, good.forward, v.forward_len);
	fmp_inspection_clear(&good);
	fmp_inspection_clear(&v);
}

START_TEST(invariant_9_what_is_for_others_changes_nothing)
{
	const char *file = vectors[_i].file;
	struct fmp_inspector *i = inspector_for(file, vectors[_i].security);

	if (strstr(file, "soap12")) {
		expect_same_output(
			i, file, OPENING,
			OPENING OTHER("soapenv:role='urn:b' soapenv:mustUnderstand='true'")
				INSIDE OTHER_END);
	} else {
		expect_same_output(i, file, OPENING, OPENING OTHER(FOR_B) INSIDE OTHER_END);
		expect_same_output(i, file, CLOSING, OTHER(FOR_B) INSIDE OTHER_END CLOSING);
	}
	fmp_inspector_free(i);
}
END_TEST

START_TEST(each_role_has_one)
{
	static const struct {
		const char *blocks;
		enum fmp_event_kind kind;
		const char *words;
	} rows[] = {
		{ EMPTY_B OTHER("soapenv:actor='urn:c'") OTHER_END, FMP_EVENT_GOOD, "" },
		{ EMPTY_B EMPTY_B, FMP_EVENT_WRAPPING,
		  "more than one Security for the role urn:b" },
		{ EMPTY_B OTHER("soapenv:actor='urn:c'") OTHER_END OTHER("soapenv:actor=' urn:b '")
			  OTHER_END,
		  FMP_EVENT_WRAPPING, "more than one Security for the role urn:b" },
		{ EMPTY_B OTHER("soapenv:actor='1'") OTHER_END OTHER("soapenv:actor='2'")
			  OTHER_END OTHER("soapenv:actor='3'") OTHER_END,
		  FMP_EVENT_GOOD, "" },
		{ EMPTY_B OTHER("soapenv:actor='1'") OTHER_END OTHER("soapenv:actor='2'")
			  OTHER_END OTHER("soapenv:actor='3'") OTHER_END OTHER("soapenv:actor='4'")
				  OTHER_END,
		  FMP_EVENT_WRAPPING, "more than 4 Security for other roles" },
		/* Any reader of URIs may confuse it with white space or with other letters. */
		{ EMPTY_B OTHER("soapenv:actor='urn:B'") OTHER_END, FMP_EVENT_GOOD, "" },
	};
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCS);

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		char text[2048];

		snprintf(text, sizeof(text), OPENING "%s", rows[n].blocks);
		expect_verdict(i, edit_bytes(read_vector(SIGNED_11), OPENING, text), rows[n].blocks,
			       rows[n].kind, rows[n].words);
	}
	fmp_inspector_free(i);
}
END_TEST

/* It is an unsigned header block, refused where none may be unsigned. */
START_TEST(only_signed_means_this_too)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCS);
	struct fmp_inspector *i;

	cfg.headers = FMP_HEADERS_ONLY_SIGNED;
	i = make_inspector(&cfg);
	expect_verdict(i, read_vector(SIGNED_11), "alone", FMP_EVENT_GOOD, "");
	expect_verdict(i, edit_bytes(read_vector(SIGNED_11), OPENING, OPENING EMPTY_B), "beside",
		       FMP_EVENT_UNSIGNED, "header block Security is not signed");
	fmp_inspector_free(i);
}
END_TEST

/* ---- assertions ---- */

START_TEST(assertions_of_others)
{
	static const struct {
		const char *block;
		enum fmp_event_kind kind;
		const char *words;
	} rows[] = {
		{ OTHER(FOR_B) "<s:Assertion xmlns:s='" NS_SAML2 "' ID='o'/>" OTHER_END,
		  FMP_EVENT_GOOD, "" },
		{ OTHER(FOR_B) "<x><s:Assertion xmlns:s='" NS_SAML1 "'/></x>" OTHER_END,
		  FMP_EVENT_GOOD, "" },
		{ OTHER(FOR_B) "<s:Assertion xmlns:s='" NS_SAML2 "' ID='_bearer'/>" OTHER_END,
		  FMP_EVENT_WRAPPING, "Id of the Assertion stands twice" },
		{ OTHER(FOR_B) "<x AssertionID='_bearer'/>" OTHER_END, FMP_EVENT_WRAPPING,
		  "Id of the Assertion stands twice" },
		{ "<x><s:Assertion xmlns:s='" NS_SAML2 "' ID='o'/></x>", FMP_EVENT_WRAPPING,
		  "more than one Assertion" },
		{ "<x>" OTHER(FOR_B) "<s:Assertion xmlns:s='" NS_SAML2 "' ID='o'/>" OTHER_END
				     "</x>",
		  FMP_EVENT_WRAPPING, "more than one Assertion" },
	};
	struct fmp_policy_saml saml = token_saml();
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCV);
	struct fmp_inspector *i;

	cfg.saml = &saml;
	i = make_inspector(&cfg);
	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		char text[1024];

		snprintf(text, sizeof(text), OPENING "%s", rows[n].block);
		expect_bytes(i, edit_bytes(read_token("saml-bearer"), OPENING, text), rows[n].block,
			     rows[n].kind, rows[n].words);
	}
	fmp_inspector_free(i);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("role");

	tcase_add_unchecked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_add_loop_test(tc, whose_the_header_is, 0, sizeof(names) / sizeof(names[0]));
	tcase_add_loop_test(tc, beside_ours, 0, sizeof(names) / sizeof(names[0]));
	tcase_add_loop_test(tc, who_must_understand, 0, sizeof(names) / sizeof(names[0]));
	tcase_add_loop_test(tc, invariant_9_what_is_for_others_changes_nothing, 0,
			    sizeof(vectors) / sizeof(vectors[0]));
	tcase_add_test(tc, each_role_has_one);
	tcase_add_test(tc, only_signed_means_this_too);
	tcase_add_test(tc, assertions_of_others);
	return run_tcase("role", tc);
}
