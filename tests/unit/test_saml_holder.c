// SPDX-License-Identifier: GPL-2.0
/* SAML 2.0 assertions whose holder proves it with a key. */
#include "run.h"
#include "saml.h"

START_TEST(who_holds_the_key)
{
	static const struct {
		const char *file, *from, *to;
		enum fmp_event_kind kind;
		const char *words;
	} rows[] = {
		{ "saml-holder", ">_holder</wsse:KeyId", ">_other</wsse:KeyId", FMP_EVENT_TOKEN,
		  "not in this header" },
		{ "saml-holder", "1.1#SAMLID\">", "1.0#SAMLAssertionID\">", FMP_EVENT_UNSUPPORTED,
		  "not supported" },
		{ "saml-holder",
		  "<wsse:KeyIdentifier ValueType=\"http://docs.oasis-open.org/wss/"
		  "oasis-wss-saml-token-profile-1.1#SAMLID\">_holder</wsse:KeyIdentifier>",
		  "<wsse:Reference URI='#_holder'/>", FMP_EVENT_GOOD, "" },
		{ "saml-holder", "#rsa-sha256\"/><ds:Reference URI=\"#id",
		  "#ecdsa-sha256\"/><ds:Reference URI=\"#id", FMP_EVENT_ALGORITHM, "does not fit" },
		{ "saml-holder", "<qty>1</qty>", "<qty>2</qty>", FMP_EVENT_SIGNATURE,
		  "digest of Body" },
		{ "saml-holder", DATA AFTER ">", DATA AFTER ">x", FMP_EVENT_TOKEN,
		  "no proper SubjectConfirmation" },
		{ "saml-holder", DATA AFTER ">",
		  DATA AFTER "><ds:KeyInfo "
			     "xmlns:ds='http://www.w3.org/2000/09/xmldsig#'/>",
		  FMP_EVENT_TOKEN, "not name one holder's key" },
		/* A bearer's assertion has no key to sign with. */
		{ "saml-bearer-signed",
		  "<wsse:Reference URI=\"#X509-27ab722f-94fa-427e-8a82-ca88ab630042\" ValueType="
		  "\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-"
		  "1.0#X509v3\"/>",
		  "<wsse:Reference URI='#_bearer'/>", FMP_EVENT_TOKEN, "confirms no key" },
	};
	struct fmp_policy_saml s = token_saml();
	struct fmp_inspector *i = saml_inspector(FMP_SECURITY_BCS, &s);

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		expect_bytes(i, edit_bytes(read_token(rows[n].file), rows[n].from, rows[n].to),
			     rows[n].to, rows[n].kind, rows[n].words);
	fmp_inspector_free(i);
}
END_TEST

/* The text between two tags of a message; free(). */
static char *copy_between(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from), *end = at ? strstr(at, to) : NULL;

	ck_assert(end != NULL);
	at += strlen(from);
	return strndup(at, (size_t)(end - at));
}

/* Put into a message of somebody else, signed by himself with a certificate that is trusted. */
START_TEST(a_stolen_assertion_is_of_no_use)
{
	struct fmp_policy_saml s = token_saml();
	struct fmp_inspector *i = saml_inspector(FMP_SECURITY_BCS, &s);
	struct bytes holder = read_token("saml-holder");
	char *assertion = copy_between(holder.p, "</wsu:Timestamp>", "</wsse:Security>"), *put;

	ck_assert_int_gt(asprintf(&put, "</wsu:Timestamp>%s</wsse:Security>", assertion), 0);
	/* Of the same key, by its certificate, is as good as by the assertion. */
	expect_bytes(i, edit_bytes(read_token("direct"), "</wsu:Timestamp></wsse:Security>", put),
		     "direct", FMP_EVENT_GOOD, "");
	expect_bytes(i, edit_bytes(read_token("revoked"), "</wsu:Timestamp></wsse:Security>", put),
		     "revoked", FMP_EVENT_TOKEN, "not signed by the holder");
	expect_bytes(i, edit_bytes(read_token("ec384"), "</wsu:Timestamp></wsse:Security>", put),
		     "ec384", FMP_EVENT_TOKEN, "not signed by the holder");
	free(put);
	free(assertion);
	free(holder.p);
	fmp_inspector_free(i);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("saml-holder");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, who_holds_the_key);
	tcase_add_test(tc, a_stolen_assertion_is_of_no_use);
	return run_tcase("saml-holder", tc);
}
