// SPDX-License-Identifier: GPL-2.0
/*
 * SAML 2.0 assertions: messages that WSS4J made, and what is changed in them. Whatever an
 * assertion says is looked at before its signature, so that an edit shows by its own reason.
 */
#include "run.h"
#include "saml.h"

START_TEST(assertions_of_wss4j)
{
	struct fmp_policy_saml s = token_saml();

	/* Both ways of verifying: by own code, by xmlsec1. */
	for (int xmlsec = 0; xmlsec < 2; xmlsec++) {
		struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
		struct fmp_inspector *i;

		cfg.saml = &s;
		cfg.xmlsec_only = xmlsec;
		i = make_inspector(&cfg);
		for (int again = 0; again < 2; again++) {
			expect_token(i, "saml-holder", FMP_EVENT_GOOD, "");
			expect_token(i, "saml-bearer-signed", FMP_EVENT_GOOD, "");
			expect_token(i, "saml-other-holder", FMP_EVENT_SIGNATURE, "does not match");
			expect_token(i, "saml-bearer", FMP_EVENT_UNSIGNED, "no Signature");
			expect_token(i, "direct", FMP_EVENT_GOOD, "");
		}
		fmp_inspector_free(i);

		cfg.security = FMP_SECURITY_BCV;
		i = make_inspector(&cfg);
		expect_token(i, "saml-bearer", FMP_EVENT_GOOD, "");
		expect_token(i, "saml-holder", FMP_EVENT_UNSIGNED, "who signs nothing");
		expect_bytes(i, edit_bytes(read_token("saml-bearer"), ">jane<", ">joan<"), "joan",
			     FMP_EVENT_SIGNATURE, "digest of Assertion does not match");
		fmp_inspector_free(i);
	}
}
END_TEST

START_TEST(the_verdict_names_the_subject)
{
	static const struct {
		const char *file, *subject, *issuer;
	} rows[] = {
		{ "saml-holder", "jane", "https://idp.example.org/" },
		{ "direct", "", "" },
		{ "saml-bearer-signed", "jane", "https://idp.example.org/" },
		/* The assertion is good, the message is not. */
		{ "saml-other-holder", "", "" },
	};
	struct fmp_policy_saml s = token_saml();
	struct fmp_inspector *i = saml_inspector(FMP_SECURITY_BCS, &s);

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct bytes b = read_token(rows[n].file);
		struct fmp_inspection v = inspect_at(i, b, TOKENS_NOW);

		ck_assert_str_eq(v.subject, rows[n].subject);
		ck_assert_str_eq(v.issuer, rows[n].issuer);
		fmp_inspection_clear(&v);
		free(b.p);
	}
	fmp_inspector_free(i);
}
END_TEST

START_TEST(policy_says_who_needs_one)
{
	struct fmp_policy_saml s = token_saml();
	struct fmp_inspector *i = saml_inspector(FMP_SECURITY_BCS, NULL);

	expect_token(i, "saml-holder", FMP_EVENT_TOKEN, "no issuers are known");
	expect_token(i, "saml-bearer-signed", FMP_EVENT_TOKEN, "no issuers are known");
	fmp_inspector_free(i);

	s.required = true;
	i = saml_inspector(FMP_SECURITY_BCS, &s);
	expect_token(i, "direct", FMP_EVENT_TOKEN, "no Assertion");
	expect_token(i, "saml-holder", FMP_EVENT_GOOD, "");
	fmp_inspector_free(i);
	i = saml_inspector(FMP_SECURITY_BCV, &s);
	expect_token(i, "enc-gcm128-mgf1p", FMP_EVENT_SCHEMA, "");
	expect_bytes(i, read_vector("plain/plain-1k.xml"), "plain", FMP_EVENT_TOKEN,
		     "no Assertion");
	fmp_inspector_free(i);

	s = token_saml();
	s.bearer = false;
	i = saml_inspector(FMP_SECURITY_BCS, &s);
	expect_token(i, "saml-bearer-signed", FMP_EVENT_TOKEN, "not taken here");
	expect_token(i, "saml-holder", FMP_EVENT_GOOD, "");
	fmp_inspector_free(i);

	s = token_saml();
	strcpy(s.audiences, "urn:fmp:order urn:fmp:orders2");
	i = saml_inspector(FMP_SECURITY_BCS, &s);
	expect_token(i, "saml-holder", FMP_EVENT_TOKEN, "another audience");
	fmp_inspector_free(i);
}
END_TEST

/* Each speaks for itself: the certificates of one do not do for another. */
START_TEST(issuers)
{
	struct fmp_policy_saml s = token_saml();
	struct fmp_inspector *i;

	strcpy(s.issuers[0].name, "https://other.example.org/");
	i = saml_inspector(FMP_SECURITY_BCV, &s);
	expect_token(i, "saml-bearer", FMP_EVENT_TOKEN,
		     "issuer https://idp.example.org/ is not known");
	fmp_inspector_free(i);

	s.n_issuers = 2;
	strcpy(s.issuers[1].name, "https://idp.example.org/");
	strcpy(s.issuers[1].trust, tests_path(TOKENS_PKI "ca.crt"));
	i = saml_inspector(FMP_SECURITY_BCV, &s);
	expect_token(i, "saml-bearer", FMP_EVENT_TOKEN, "not trusted");
	fmp_inspector_free(i);

	strcpy(s.issuers[1].trust, tests_path(TOKENS_PKI "idp.crt"));
	i = saml_inspector(FMP_SECURITY_BCV, &s);
	expect_token(i, "saml-bearer", FMP_EVENT_GOOD, "");
	fmp_inspector_free(i);

	/* Nor does to be trusted as a signer of messages make one an issuer. */
	s = token_saml();
	strcpy(s.issuers[0].trust, tests_path(TOKENS_PKI "ca.crt"));
	i = saml_inspector(FMP_SECURITY_BCS, &s);
	expect_token(i, "direct", FMP_EVENT_GOOD, "");
	expect_token(i, "saml-holder", FMP_EVENT_TOKEN, "not trusted");
	fmp_inspector_free(i);
}
END_TEST

#define AUDIENCE   "<saml2:AudienceRestriction>"
#define CONDITION  "<saml2:Conditions "
#define BEARER	   "<saml2:SubjectConfirmation Method=\"urn:oasis:names:tc:SAML:2.0:cm:bearer\">"
#define NOT_BEFORE "NotBefore=\"2026-11-22T01:59:00Z\""
#define AFTER_ALL  " NotBefore=\"2026-11-22T01:59:00Z\" " AFTER
#define TRANSFORM_1 \
	"<ds:Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"/>"
#define TRANSFORM_2 \
	"<ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/></ds:Transforms>"

static const struct {
	const char *from, *to;
	enum fmp_event_kind kind;
	const char *words;
} edits[] = {
	/* The assertion itself. */
	{ "Version=\"2.0\"", "Version=\"1.1\"", FMP_EVENT_TOKEN, "not of version 2.0" },
	{ " Version=\"2.0\"", "", FMP_EVENT_TOKEN, "not of version 2.0" },
	{ " ID=\"_bearer\"", "", FMP_EVENT_TOKEN, "no proper ID" },
	{ " ID=\"_bearer\"", " ID=\"\"", FMP_EVENT_TOKEN, "no proper ID" },
	{ "IssueInstant=\"2026", "IssueInstant=\"2O26", FMP_EVENT_TOKEN, "no proper IssueInstant" },
	{ "IssueInstant=\"2026", "IssueInstant=\"2027", FMP_EVENT_TIMESTAMP, "from the future" },
	{ "<saml2:Issuer>https", "text<saml2:Issuer>https", FMP_EVENT_TOKEN, "text inside" },
	{ "<saml2:Issuer>", "<saml2:Issuer Format='urn:x'>", FMP_EVENT_TOKEN, "not named as an" },
	{ "<saml2:Issuer>",
	  "<saml2:Issuer Format='urn:oasis:names:tc:SAML:2.0:nameid-format:entity' NameQualifier='x'>",
	  FMP_EVENT_TOKEN, "not named as an entity" },
	{ "<saml2:Issuer>https://idp.example.org/",
	  "<saml2:Issuer>https://idp.example.org/<!-- -->", FMP_EVENT_TOKEN, "no proper Issuer" },
	{ "https://idp.example.org/", "https://idp.example.org", FMP_EVENT_TOKEN, "is not known" },
	{ "<saml2:Issuer>", "<saml2:NameID/><saml2:Issuer>", FMP_EVENT_TOKEN, "no proper Issuer" },

	/* Its subject. */
	{ ">jane<", ">jane<!-- -->.evil<", FMP_EVENT_TOKEN, "no proper NameID" },
	{ ">jane<", "><!-- -->jane<", FMP_EVENT_TOKEN, "no proper NameID" },
	{ ">jane<", "><", FMP_EVENT_TOKEN, "no proper NameID" },
	{ ">jane<", "><b>jane</b><", FMP_EVENT_TOKEN, "no proper NameID" },
	{ "<saml2:NameID>", "<saml2:EncryptedID/><saml2:NameID>", FMP_EVENT_TOKEN,
	  "no proper NameID" },
	{ "<saml2:Subject>", "<saml2:Object/><saml2:Subject>", FMP_EVENT_TOKEN,
	  "no proper Subject" },
	{ "<saml2:NameID>", "text<saml2:NameID>", FMP_EVENT_TOKEN, "no proper Subject" },
	{ "cm:bearer", "cm:sender-voucher", FMP_EVENT_TOKEN, "confirmed by urn:oasis" },
	{ "cm:bearer", "cm:sender-vouches", FMP_EVENT_TOKEN, "vouches for is not taken" },
	{ " Method=\"urn:oasis:names:tc:SAML:2.0:cm:bearer\"", "", FMP_EVENT_TOKEN,
	  "confirmed by nothing" },
	{ "cm:bearer", "cm:holder-of-key", FMP_EVENT_TOKEN, "not name one holder's key" },
	{ "</saml2:SubjectConfirmation>",
	  "</saml2:SubjectConfirmation><saml2:SubjectConfirmation/>", FMP_EVENT_TOKEN,
	  "not one SubjectConfirmation" },
	{ BEARER, BEARER "<saml2:NameID>x</saml2:NameID>", FMP_EVENT_TOKEN,
	  "no proper SubjectConfirmation" },
	{ BEARER, BEARER "x", FMP_EVENT_TOKEN, "no proper SubjectConfirmation" },
	{ DATA AFTER "/>", DATA AFTER "><a/></saml2:SubjectConfirmationData>", FMP_EVENT_TOKEN,
	  "no proper SubjectConfirmation" },
	{ DATA AFTER "/>", "<saml2:NameID/>", FMP_EVENT_TOKEN, "no proper SubjectConfirmation" },
	{ DATA, DATA "Recipient='http://gw.example.org' ", FMP_EVENT_TOKEN, "another recipient" },
	{ DATA, DATA "Recipient='' ", FMP_EVENT_TOKEN, "another recipient" },
	{ DATA, DATA "Recipient='http://gw.example.org/' ", FMP_EVENT_SIGNATURE, "digest of" },
	{ DATA, DATA "Recipient='http://gw.example.org/orders' ", FMP_EVENT_SIGNATURE, "digest" },
	{ DATA, DATA "Address='192.0.2.1' ", FMP_EVENT_TOKEN, "Address of the SubjectConf" },
	{ DATA, DATA "InResponseTo='_1' ", FMP_EVENT_TOKEN, "InResponseTo of the SubjectConf" },
	{ DATA, DATA "NotBefore='2026-11-22T03:01:01Z' ", FMP_EVENT_TIMESTAMP, "not valid yet" },
	{ DATA, DATA "NotBefore='2026-11-22T03:01:00Z' ", FMP_EVENT_SIGNATURE, "digest of" },
	{ DATA AFTER, DATA "NotOnOrAfter='2026-11-22T02:59:00Z'", FMP_EVENT_TIMESTAMP, "expired" },
	{ DATA AFTER, DATA "NotOnOrAfter='2026-11-22T02:59:01Z'", FMP_EVENT_SIGNATURE, "digest" },

	/* Its conditions. */
	{ "<saml2:Conditions ", "<saml2:Advice/><saml2:Conditions ", FMP_EVENT_TOKEN,
	  "no proper Conditions" },
	{ AUDIENCE, "<saml2:OneTimeUse/>" AUDIENCE, FMP_EVENT_REPLAY, "no replay keys are kept" },
	{ AUDIENCE, "<saml2:ProxyRestriction Count='0'/>" AUDIENCE, FMP_EVENT_SIGNATURE, "digest" },
	{ AUDIENCE, "<saml2:Condition/>" AUDIENCE, FMP_EVENT_TOKEN, "not understood: Condition" },
	{ AUDIENCE, "<x:DelegationRestriction xmlns:x='urn:x'/>" AUDIENCE, FMP_EVENT_TOKEN,
	  "not understood: Delegation" },
	{ AUDIENCE, AUDIENCE "<a/>", FMP_EVENT_TOKEN, "a in an AudienceRestriction" },
	{ AUDIENCE,
	  AUDIENCE "<saml2:Audience>urn:x</saml2:Audience></saml2:AudienceRestriction>" AUDIENCE,
	  FMP_EVENT_TOKEN, "another audience" },
	{ ">urn:fmp:orders</saml2:Audience>", ">urn:fmp:orders<!-- -->.x</saml2:Audience>",
	  FMP_EVENT_TOKEN, "Audience in an" },
	{ ">urn:fmp:orders</saml2:Audience>", ">urn:other urn:fmp:orders</saml2:Audience>",
	  FMP_EVENT_TOKEN, "another audience" },
	{ ">urn:fmp:orders</saml2:Audience>",
	  ">urn:fmp:orders</saml2:Audience><saml2:Audience>urn:x</saml2:Audience>",
	  FMP_EVENT_SIGNATURE, "digest of" },
	{ ">urn:fmp:orders</saml2:Audience>", "></saml2:Audience>", FMP_EVENT_TOKEN, "another" },
	{ ">urn:fmp:orders</saml2:Audience>", ">urn:fmp:order</saml2:Audience>", FMP_EVENT_TOKEN,
	  "another audience" },
	{ CONDITION, CONDITION "x='' ", FMP_EVENT_TOKEN, "x of the Conditions" },
	{ CONDITION NOT_BEFORE, CONDITION "NotBefore='2026-11-22T03:01:01Z'", FMP_EVENT_TIMESTAMP,
	  "not valid yet" },
	{ CONDITION NOT_BEFORE " " AFTER, CONDITION "NotOnOrAfter='2026-11-22T02:59:00Z'",
	  FMP_EVENT_TIMESTAMP, "expired" },
	{ CONDITION NOT_BEFORE " " AFTER,
	  CONDITION NOT_BEFORE " NotOnOrAfter='2026-11-22T01:59:00Z'", FMP_EVENT_TIMESTAMP,
	  "end before they begin" },
	{ CONDITION NOT_BEFORE, CONDITION "NotBefore='yesterday'", FMP_EVENT_TIMESTAMP,
	  "NotBefore of the Conditions is not a time of xs:dateTime" },
	{ CONDITION NOT_BEFORE, CONDITION "NotBefore='2026-11-22T01:59:00+0100'",
	  FMP_EVENT_TIMESTAMP, "not a time of xs:dateTime" },
	{ CONDITION NOT_BEFORE, CONDITION "NotBefore='2026-11-22T03:59:00+01:00'",
	  FMP_EVENT_SIGNATURE, "digest of" },
	{ CONDITION NOT_BEFORE, CONDITION "NotBefore='2026-11-22T01:59:00-02:00'",
	  FMP_EVENT_TIMESTAMP, "not valid yet" },
	{ "</saml2:Assertion>", "<saml2:AuthzDecisionStatement/></saml2:Assertion>",
	  FMP_EVENT_TOKEN, "AuthzDecisionStatement in the Assertion" },
	{ "<saml2:AuthnStatement ",
	  "<saml2:AuthnStatement SessionNotOnOrAfter='2026-11-22T02:58:00Z' ", FMP_EVENT_TIMESTAMP,
	  "expired" },
	{ "<saml2:AuthnStatement ", "<saml2:Advice/><saml2:AuthnStatement ", FMP_EVENT_TOKEN,
	  "Advice in the Assertion" },

	/* Its signature. */
	{ "#rsa-sha256", "#rsa-sha1", FMP_EVENT_ALGORITHM, "SignatureMethod" },
	{ "#rsa-sha256", "#ecdsa-sha256", FMP_EVENT_ALGORITHM, "does not fit" },
	{ "#rsa-sha256", "#rsa-sha512", FMP_EVENT_SIGNATURE, "value does not match" },
	{ "xmlenc#sha256", "xmlenc#sha1", FMP_EVENT_ALGORITHM, "DigestMethod" },
	{ "URI=\"#_bearer\"", "URI=\"\"", FMP_EVENT_WRAPPING, "not to this Assertion" },
	{ "URI=\"#_bearer\"", "URI=\"#_other\"", FMP_EVENT_WRAPPING, "not to this Assertion" },
	{ " URI=\"#_bearer\"", "", FMP_EVENT_WRAPPING, "not to this Assertion" },
	{ "URI=\"#_bearer\"", "URI=\"#xpointer(id('_bearer'))\"", FMP_EVENT_WRAPPING, "not to" },
	{ "</ds:Reference>", "</ds:Reference><ds:Reference URI='#x'/>", FMP_EVENT_WRAPPING,
	  "not one Reference" },
	{ TRANSFORM_1, "", FMP_EVENT_ALGORITHM, "is not allowed here" },
	{ TRANSFORM_1, TRANSFORM_1 TRANSFORM_1, FMP_EVENT_ALGORITHM, "the Transforms are not" },
	{ TRANSFORM_2, "</ds:Transforms>", FMP_EVENT_ALGORITHM, "the Transforms are not" },
	{ TRANSFORM_1, "<ds:Transform Algorithm='http://www.w3.org/TR/1999/REC-xpath-19991116'/>",
	  FMP_EVENT_ALGORITHM, "xpath-19991116 is not allowed" },
	{ "xml-exc-c14n#\"/></ds:Transforms>", "xml-exc-c14n#WithComments\"/></ds:Transforms>",
	  FMP_EVENT_UNSUPPORTED, "is not supported" },
	{ "<ds:X509Data>", "<ds:KeyName/><ds:X509Data>", FMP_EVENT_TOKEN, "carry one certificate" },
	{ "<ds:X509Certificate>", "<ds:X509Certificate/><ds:X509Certificate>", FMP_EVENT_TOKEN,
	  "carry one certificate" },
	{ "<ds:X509Certificate>MIID", "<ds:X509Certificate>MIIE", FMP_EVENT_TOKEN,
	  "not an X.509 certificate" },
	{ "</ds:KeyInfo>", "</ds:KeyInfo><ds:Object/>", FMP_EVENT_WRAPPING, "Object inside" },
	{ "ICdZt6Sp", "ICdZt6Sq", FMP_EVENT_SIGNATURE, "value does not match" },

	/* Another beside it. */
	{ "<wsse:Security",
	  "<saml2:Assertion xmlns:saml2='urn:oasis:names:tc:SAML:2.0:assertion'/>"
	  "<wsse:Security",
	  FMP_EVENT_WRAPPING, "more than one Assertion" },
	{ "<saml2:AuthnStatement ",
	  "<saml2:AttributeStatement><saml2:Assertion/></saml2:AttributeStatement>"
	  "<saml2:AuthnStatement ",
	  FMP_EVENT_WRAPPING, "more than one Assertion" },
	{ "<wsse:Security", "<a xmlns='urn:oasis:names:tc:SAML:1.0:assertion'/><wsse:Security",
	  FMP_EVENT_GOOD, "" },
	{ "<wsse:Security",
	  "<Assertion xmlns='urn:oasis:names:tc:SAML:1.0:assertion'/><wsse:Security",
	  FMP_EVENT_WRAPPING, "more than one Assertion" },
	{ "<wsse:Security", "<a xmlns='urn:a' Id='_bearer'/><wsse:Security", FMP_EVENT_WRAPPING,
	  "stands twice" },
	{ "<saml2:Subject>", "<saml2:Subject AssertionID='_bearer'>", FMP_EVENT_WRAPPING,
	  "stands twice" },
	{ "</wsse:Security>",
	  "<saml2:EncryptedAssertion xmlns:saml2='urn:oasis:names:tc:SAML:2.0:"
	  "assertion'/></wsse:Security>",
	  FMP_EVENT_UNSUPPORTED, "EncryptedAssertion is not supported" },
};

START_TEST(assertions_that_are_none)
{
	struct fmp_policy_saml s = token_saml();
	struct fmp_inspector *i = saml_inspector(FMP_SECURITY_BCV, &s);

	for (size_t n = 0; n < sizeof(edits) / sizeof(edits[0]); n++)
		expect_bytes(i, edit_bytes(read_token("saml-bearer"), edits[n].from, edits[n].to),
			     edits[n].to, edits[n].kind, edits[n].words);
	fmp_inspector_free(i);
}
END_TEST

/* ---- what takes more than one edit ---- */

/* Without the first from ... to. */
static struct bytes cut_bytes(struct bytes b, const char *from, const char *to)
{
	char *at = strstr(b.p, from), *end = at ? strstr(at, to) : NULL;
	char *piece;

	ck_assert_msg(end != NULL, "no %s ... %s", from, to);
	piece = strndup(at, (size_t)(end - at) + strlen(to));
	b = edit_bytes(b, piece, "");
	free(piece);
	return b;
}

START_TEST(parts_that_are_missing)
{
	static const struct {
		const char *from, *to;
		enum fmp_event_kind kind;
		const char *words;
	} rows[] = {
		{ "<ds:Signature ", "</ds:Signature>", FMP_EVENT_UNSIGNED, "is not signed" },
		{ "<ds:KeyInfo>", "</ds:KeyInfo>", FMP_EVENT_TOKEN, "has no KeyInfo" },
		{ "<saml2:Subject>", "</saml2:Subject>", FMP_EVENT_TOKEN, "no proper Subject" },
		{ "<saml2:SubjectConfirmation ", "</saml2:SubjectConfirmation>", FMP_EVENT_TOKEN,
		  "not one SubjectConfirmation" },
		{ "<saml2:Conditions ", "</saml2:Conditions>", FMP_EVENT_TOKEN,
		  "no proper Conditions" },
		{ "<saml2:AudienceRestriction>", "</saml2:AudienceRestriction>", FMP_EVENT_TOKEN,
		  "not say for whom" },
		/* Not missed, but signed. */
		{ "<saml2:AuthnStatement ", "</saml2:AuthnStatement>", FMP_EVENT_SIGNATURE,
		  "digest of" },
		{ "<saml2:SubjectConfirmationData ", "/>", FMP_EVENT_SIGNATURE, "digest of" },
	};
	struct fmp_policy_saml s = token_saml();
	struct fmp_inspector *i = saml_inspector(FMP_SECURITY_BCV, &s);
	struct bytes b;

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		expect_bytes(i, cut_bytes(read_token("saml-bearer"), rows[n].from, rows[n].to),
			     rows[n].from, rows[n].kind, rows[n].words);
	b = edit_bytes(read_token("saml-bearer"), DATA AFTER, DATA);
	b = edit_bytes(b, NOT_BEFORE " " AFTER, NOT_BEFORE);
	expect_bytes(i, b, "no end", FMP_EVENT_TIMESTAMP, "until when it holds");
	fmp_inspector_free(i);
}
END_TEST

START_TEST(once_means_once)
{
	struct fmp_policy_saml s = token_saml();
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCV);
	struct fmp_inspector *i;

	cfg.saml = &s;
	cfg.replay_entries = cfg.replay_per_signer = 16;
	i = make_inspector(&cfg);
	expect_token(i, "saml-bearer", FMP_EVENT_GOOD, "");
	expect_token(i, "saml-bearer", FMP_EVENT_GOOD, "");
	fmp_inspector_free(i);

	s.one_time = true;
	i = make_inspector(&cfg);
	/* One that was not taken was not used. */
	expect_bytes(i, edit_bytes(read_token("saml-bearer"), "ICdZt6Sp", "ICdZt6Sq"), "forged",
		     FMP_EVENT_SIGNATURE, "does not match");
	expect_token(i, "saml-bearer", FMP_EVENT_GOOD, "");
	expect_token(i, "saml-bearer", FMP_EVENT_REPLAY, "was here before");
	fmp_inspector_free(i);

	/* In another message it is used again. */
	cfg.security = FMP_SECURITY_BCS;
	i = make_inspector(&cfg);
	expect_token(i, "saml-bearer-signed", FMP_EVENT_GOOD, "");
	expect_token(i, "saml-holder", FMP_EVENT_GOOD, "");
	expect_token(i, "saml-bearer-signed", FMP_EVENT_REPLAY, "was here before");
	fmp_inspector_free(i);
}
END_TEST

START_TEST(an_assertion_ends)
{
	struct fmp_policy_saml s = token_saml();
	struct fmp_inspector *i = saml_inspector(FMP_SECURITY_BCV, &s);
	struct bytes b = read_token("saml-bearer");
	static const struct {
		int64_t now;
		enum fmp_event_kind kind;
	} rows[] = {
		/* The IssueInstant less the skew; the end and the skew, where the issuer's
		 * certificate has ended before. */
		{ 1795312739, FMP_EVENT_TIMESTAMP }, { 1795312740, FMP_EVENT_GOOD },
		{ TOKENS_NOW, FMP_EVENT_GOOD },	     { 2426464859, FMP_EVENT_TOKEN },
		{ 2426464860, FMP_EVENT_TIMESTAMP },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct fmp_inspection v = inspect_at(i, b, rows[n].now);

		ck_assert_msg(v.kind == rows[n].kind, "%zu: %s", n, v.detail);
		fmp_inspection_clear(&v);
	}
	free(b.p);
	fmp_inspector_free(i);
}
END_TEST

START_TEST(files_that_cannot_be_used)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BC);
	struct fmp_policy_saml s = token_saml();
	struct fmp_inspector *out;
	struct fmp_error err = { 0 };

	cfg.saml = &s;
	strcpy(s.issuers[0].trust, "/nonexistent");
	ck_assert_int_eq(fmp_inspector_new(&cfg, &out, &err), FMP_ERR_IO);
	ck_assert_ptr_null(out);
	ck_assert_ptr_nonnull(strstr(err.message, "/nonexistent"));
	strcpy(s.issuers[0].trust, tests_path(TOKENS_PKI "crl.pem"));
	ck_assert_int_eq(fmp_inspector_new(&cfg, &out, &err), FMP_ERR_NOTFOUND);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("saml");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, assertions_of_wss4j);
	tcase_add_test(tc, the_verdict_names_the_subject);
	tcase_add_test(tc, policy_says_who_needs_one);
	tcase_add_test(tc, issuers);
	tcase_add_test(tc, assertions_that_are_none);
	tcase_add_test(tc, parts_that_are_missing);
	tcase_add_test(tc, once_means_once);
	tcase_add_test(tc, an_assertion_ends);
	tcase_add_test(tc, files_that_cannot_be_used);
	return run_tcase("saml", tc);
}
