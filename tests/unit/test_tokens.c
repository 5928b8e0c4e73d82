// SPDX-License-Identifier: GPL-2.0
/*
 * The ways in which a signature names its certificate, the algorithms it may use, and
 * revocation, and encryption: messages that WSS4J made.
 */
#include <dirent.h>
#include <errno.h>
#include <openssl/x509.h>

#include "x509/dn.h"
#include "run.h"
#include "tokens.h"

START_TEST(names_and_algorithms)
{
	static const char *const good[] = {
		"direct",     "issuer-serial", "ski",	     "thumbprint", "x509-identifier",
		"rsa-sha384", "rsa-sha512",    "pss-sha256", "pss-sha384", "pss-sha512",
		"ec384",      "ec384-ski",     "revoked",
	};
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct fmp_inspector *i = make_inspector(&cfg);

	for (size_t n = 0; n < sizeof(good) / sizeof(good[0]); n++)
		expect_token(i, good[n], FMP_EVENT_GOOD, "");
	expect_token(i, "pss-sha1", FMP_EVENT_ALGORITHM, "SignatureMethod");
	fmp_inspector_free(i);
}
END_TEST

START_TEST(named_certificates_must_be_listed)
{
	static const char *const named[] = { "issuer-serial", "ski", "thumbprint" };
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct fmp_inspector *i;

	cfg.certificates = NULL;
	i = make_inspector(&cfg);
	for (size_t n = 0; n < 3; n++)
		expect_token(i, named[n], FMP_EVENT_TOKEN, "none are listed");
	expect_token(i, "direct", FMP_EVENT_GOOD, "");
	expect_token(i, "x509-identifier", FMP_EVENT_GOOD, "");
	fmp_inspector_free(i);

	cfg.certificates = tests_path(TOKENS_PKI "idp.crt");
	i = make_inspector(&cfg);
	for (size_t n = 0; n < 3; n++)
		expect_token(i, named[n], FMP_EVENT_TOKEN, "not listed");
	fmp_inspector_free(i);

	/* A directory of them; there the CA is one too, which names nobody. */
	cfg.certificates = tests_path("interop/vectors/tokens/pki");
	i = make_inspector(&cfg);
	for (size_t n = 0; n < 3; n++)
		expect_token(i, named[n], FMP_EVENT_GOOD, "");
	fmp_inspector_free(i);
}
END_TEST

/* Of a disk that fails, or a share that has gone: some of a folder can be read, and then no more. */
static int readable = -1;

struct dirent *__wrap_readdir64(DIR *dir);
struct dirent *__real_readdir64(DIR *dir);

struct dirent *__wrap_readdir64(DIR *dir)
{
	if (readable < 0 || readable-- > 0)
		return __real_readdir64(dir);
	errno = EIO;
	return NULL;
}

START_TEST(a_directory_that_cannot_be_read_to_its_end)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct fmp_inspector *i;
	struct fmp_error err;

	cfg.certificates = tests_path(TOKENS_PKI);
	for (int n = 0; n < 12; n++) {
		readable = n;
		if (!fmp_inspector_new(&cfg, &i, &err)) {
			/* They are fewer than that. */
			ck_assert_int_gt(n, 5);
			readable = -1;
			fmp_inspector_free(i);
			return;
		}
		ck_assert_ptr_nonnull(strstr(err.message, "cannot read the directory"));
		ck_assert_ptr_nonnull(strstr(err.message, strerror(EIO)));
	}
	ck_abort_msg("it is read without an end");
}
END_TEST

/* To be listed is not to be trusted. */
START_TEST(listed_certificates_must_be_trusted)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct fmp_inspector *i;

	cfg.trust = tests_path("interop/vectors/pki/ca.crt");
	i = make_inspector(&cfg);
	expect_token(i, "issuer-serial", FMP_EVENT_TOKEN, "not trusted");
	expect_token(i, "ski", FMP_EVENT_TOKEN, "not trusted");
	expect_token(i, "x509-identifier", FMP_EVENT_TOKEN, "not trusted");
	fmp_inspector_free(i);
}
END_TEST

/* Nobody's offence. Frees the message. */
static void expect_crl_missing(struct fmp_inspector *i, struct bytes b, const char *words)
{
	struct fmp_inspection v = inspect_at(i, b, TOKENS_NOW);

	ck_assert_msg(!v.accepted && v.kind == FMP_EVENT_GOOD && v.lacks == FMP_LACKS_CRL &&
			      strstr(v.detail, words) && !v.forward,
		      "%s at %s: %s", fmp_event_kind_name(v.kind), fmp_step_name(v.step), v.detail);
	free(b.p);
}

START_TEST(revocation)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct fmp_inspector *i;

	cfg.crl = tests_path(TOKENS_PKI "crl.pem");
	i = make_inspector(&cfg);
	expect_token(i, "direct", FMP_EVENT_GOOD, "");
	expect_token(i, "revoked", FMP_EVENT_TOKEN, "revoked");
	fmp_inspector_free(i);

	cfg.crl = tests_path(TOKENS_PKI "crl-before.pem");
	i = make_inspector(&cfg);
	expect_token(i, "revoked", FMP_EVENT_GOOD, "");
	fmp_inspector_free(i);

	cfg.crl = tests_path(TOKENS_PKI "crl-expired.pem");
	i = make_inspector(&cfg);
	expect_crl_missing(i, read_token("direct"), "CRL has expired");
	/* A sender that can't sign as its signer is charged. */
	expect_bytes(i, edit_bytes(read_token("direct"), "<qty>", "<qty>1"), "tampered with",
		     FMP_EVENT_SIGNATURE, "");
	expect_token(i, "revoked", FMP_EVENT_TOKEN, "certificate revoked");
	fmp_inspector_free(i);

	/* A list of another CA says nothing of these signers. */
	cfg.trust = tests_path("interop/vectors/pki/ca.crt");
	i = make_inspector(&cfg);
	expect_crl_missing(i, read_vector("good/wss4j-rsa2048-1k.xml"),
			   "unable to get certificate CRL");
	fmp_inspector_free(i);
}
END_TEST

START_TEST(key_infos_that_are_none)
{
	static const struct {
		const char *file, *from, *to, *words;
	} rows[] = {
		{ "issuer-serial", "<ds:X509SerialNumber>", "<ds:X509SerialNumber>-",
		  "not a number" },
		{ "issuer-serial", "<ds:X509SerialNumber>", "<ds:X509SerialNumber>1",
		  "not listed" },
		{ "issuer-serial", "<ds:X509IssuerName>", "<ds:X509IssuerName>CN=A,",
		  "not listed" },
		{ "issuer-serial", "<ds:X509IssuerName>", "<ds:X509IssuerName>!", "not a name" },
		{ "issuer-serial", "<ds:X509IssuerName>", "<ds:X509IssuerName><!-- -->",
		  "plain text" },
		{ "issuer-serial", "</ds:X509IssuerSerial>",
		  "</ds:X509IssuerSerial><ds:X509IssuerSerial/>", "not one X509IssuerSerial" },
		{ "ski", "#X509SubjectKeyIdentifier\">", "#X509SubjectKeyIdentifier\">!",
		  "not Base64" },
		{ "ski", "#X509SubjectKeyIdentifier\">", "#X509SubjectKeyIdentifier\">AAAA",
		  "not listed" },
		{ "ski", "1.0#Base64Binary\" ValueType", "1.0#HexBinary\" ValueType",
		  "not encoded" },
		{ "thumbprint", "#ThumbprintSHA1\">", "#ThumbprintSHA1\">AAAA", "not listed" },
		{ "x509-identifier", "#X509v3\">", "#X509v3\">AAAA", "not an X.509" },
		{ "thumbprint", "</wsse:KeyIdentifier>",
		  "</wsse:KeyIdentifier><wsse:KeyIdentifier/>", "one token" },
	};
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct fmp_inspector *i = make_inspector(&cfg);

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		expect_bytes(i, edit_bytes(read_token(rows[n].file), rows[n].from, rows[n].to),
			     rows[n].to, FMP_EVENT_TOKEN, rows[n].words);
	fmp_inspector_free(i);
}
END_TEST

/* The key that is named is the one that must have signed. */
START_TEST(signatures_of_another_key)
{
	static const struct {
		const char *file, *from, *to;
	} rows[] = {
		/* PSS where PKCS #1 was signed, and the reverse. */
		{ "direct", "2001/04/xmldsig-more#rsa-sha256",
		  "2007/05/xmldsig-more#sha256-rsa-MGF1" },
		{ "pss-sha256", "2007/05/xmldsig-more#sha256-rsa-MGF1",
		  "2001/04/xmldsig-more#rsa-sha256" },
		{ "pss-sha512", "sha512-rsa-MGF1", "sha384-rsa-MGF1" },
		{ "issuer-serial", "8795849150816413303", "8795849150816413305" },
	};
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct fmp_inspector *i = make_inspector(&cfg);

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		expect_bytes(i, edit_bytes(read_token(rows[n].file), rows[n].from, rows[n].to),
			     rows[n].to, FMP_EVENT_SIGNATURE, "does not match");
	expect_bytes(i, edit_bytes(read_token("pss-sha256"), "<qty>1</qty>", "<qty>2</qty>"),
		     "Body", FMP_EVENT_SIGNATURE, "digest of Body");
	fmp_inspector_free(i);
}
END_TEST

/* ---- names ---- */

static X509_NAME *name_of(const char *const *pairs)
{
	X509_NAME *n = X509_NAME_new();

	for (; *pairs; pairs += 2)
		ck_assert(X509_NAME_add_entry_by_txt(n, pairs[0], MBSTRING_UTF8,
						     (const unsigned char *)pairs[1], -1, -1, 0));
	return n;
}

START_TEST(distinguished_names)
{
	static const char *const pairs[] = { "C", "DE", "O", "FMP, test", "CN", "A \xc3\xa4", NULL };
	static const char *const same[] = {
		"CN=A \xc3\xa4,O=FMP\\, test,C=DE",
		"CN=A \\C3\\A4, O=\"FMP, test\", C=DE",
		" cn = a \xc3\xa4 ; o = fmp\\, TEST ; c = de ",
		"2.5.4.3=A \xc3\xa4,OID.2.5.4.10=FMP\\, test,C=DE",

		"CN=#0C044120C3A4,O=FMP\\, test,C=#13024445",
	};
	static const char *const other[] = {
		"C=DE,O=FMP\\, test,CN=A \xc3\xa4",
		"CN=A \xc3\xa4+O=FMP\\, test,C=DE",
		"CN=A \xc3\xa4,O=FMP\\, test",
		"CN=A,O=FMP\\, test,C=DE",
	};
	static const char *const none[] = {
		"",	      "CN",	   "CN=A,",  "CN=A,,C=DE",	  "=A",
		"CN=\"A",     "CN=\"A\"x", "CN=A\\", "CN=A\\x",		  "CN=#0c",
		"CN=#0101ff", "CN=#3000",  "X=A",    "CN=#0c0441 20c3a4", "CN",
	};
	X509_NAME *want = name_of(pairs), *have;

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		have = fmpi_dn_parse(same[i]);
		ck_assert_msg(have != NULL, "%s", same[i]);
		ck_assert_msg(X509_NAME_cmp(want, have) == 0, "%s", same[i]);
		X509_NAME_free(have);
	}
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
		have = fmpi_dn_parse(other[i]);
		ck_assert_msg(have != NULL, "%s", other[i]);
		ck_assert_msg(X509_NAME_cmp(want, have) != 0, "%s", other[i]);
		X509_NAME_free(have);
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		ck_assert_msg(!fmpi_dn_parse(none[i]), "%s", none[i]);
	X509_NAME_free(want);
}
END_TEST

START_TEST(files_that_cannot_be_used)
{
	static const struct {
		const char *crl, *certificates;
		int code;
	} rows[] = {
		{ "/nonexistent", NULL, FMP_ERR_IO },
		{ NULL, "/nonexistent", FMP_ERR_IO },
		{ "interop/vectors/tokens/pki/ca.crt", NULL, FMP_ERR_NOTFOUND },
		{ NULL, "interop/vectors/tokens/pki/crl.pem", FMP_ERR_NOTFOUND },
		{ NULL, "interop/vectors/http", FMP_ERR_NOTFOUND },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
		struct fmp_inspector *out;
		struct fmp_error err = { 0 };
		const char *crl = rows[i].crl, *known = rows[i].certificates;

		cfg.crl = crl && crl[0] != '/' ? tests_path(crl) : crl;
		cfg.certificates = known && known[0] != '/' ? tests_path(known) : known;
		ck_assert_int_eq(fmp_inspector_new(&cfg, &out, &err), rows[i].code);
		ck_assert_ptr_null(out);
		ck_assert_str_ne(err.message, "");
	}
}
END_TEST

/* ---- what must be signed ---- */

START_TEST(required_parts)
{
	static const struct {
		const char *file;
		unsigned parts;
		enum fmp_event_kind kind;
		const char *words;
	} rows[] = {
		{ "direct", 0, FMP_EVENT_GOOD, "" },
		{ "addressing", 0, FMP_EVENT_GOOD, "" },
		{ "addressing-to-unsigned", 0, FMP_EVENT_GOOD, "" },
		{ "direct", FMP_PART_BIT(FMP_PART_BODY) | FMP_PART_BIT(FMP_PART_TIMESTAMP),
		  FMP_EVENT_GOOD, "" },
		{ "addressing", FMP_PART_BIT(FMP_PART_TO) | FMP_PART_BIT(FMP_PART_ACTION),
		  FMP_EVENT_GOOD, "" },
		{ "addressing", FMP_PART_BIT(FMP_PART_FROM), FMP_EVENT_UNSIGNED, "no From" },
		{ "direct", FMP_PART_BIT(FMP_PART_TO), FMP_EVENT_UNSIGNED, "no To" },
		{ "addressing-to-unsigned", FMP_PART_BIT(FMP_PART_MESSAGE_ID), FMP_EVENT_GOOD, "" },
		{ "addressing-to-unsigned", FMP_PART_BIT(FMP_PART_TO), FMP_EVENT_UNSIGNED,
		  "the To is not signed" },
	};
	struct fmp_inspector *i;

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);

		cfg.require_signed = rows[n].parts;
		i = make_inspector(&cfg);
		expect_token(i, rows[n].file, rows[n].kind, rows[n].words);
		fmp_inspector_free(i);
	}
}
END_TEST

START_TEST(signed_addresses)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct fmp_inspector *i = make_inspector(&cfg);

	expect_bytes(
		i, edit_bytes(read_token("addressing"), "example.org/orders", "example.org/other"),
		"another address", FMP_EVENT_SIGNATURE, "digest of To");
	/* Of two, one would be signed and the other read. */
	expect_bytes(
		i,
		edit_bytes(read_token("addressing"), "<soapenv:Header>",
			   "<soapenv:Header><To xmlns='http://www.w3.org/2005/08/addressing'/>"),
		"two addresses", FMP_EVENT_WRAPPING, "more than one To");
	fmp_inspector_free(i);
}
END_TEST

/* ---- what else WSS4J encrypts with ---- */

START_TEST(encryption)
{
	static const char *const files[] = {
		"enc-gcm128-oaep256",	   "enc-gcm256-oaep512", "enc-cbc128-oaep384",
		"enc-cbc256-mgf1p-sha256", "enc-gcm128-mgf1p",	 "enc-gcm256-oaep256-mgf1sha1",
	};
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCE);
	struct fmp_inspector *gcm = make_inspector(&cfg), *cbc;

	cfg.algorithms = vector_cbc();
	cbc = make_inspector(&cfg);
	for (size_t n = 0; n < sizeof(files) / sizeof(files[0]); n++) {
		bool is_cbc = strstr(files[n], "-cbc");

		expect_token(is_cbc ? cbc : gcm, files[n], FMP_EVENT_GOOD, "");
		expect_token(is_cbc ? gcm : cbc, files[n], FMP_EVENT_ALGORITHM,
			     "is left out by the policy");
	}
	fmp_inspector_free(gcm);
	fmp_inspector_free(cbc);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("tokens");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, names_and_algorithms);
	tcase_add_test(tc, named_certificates_must_be_listed);
	tcase_add_test(tc, a_directory_that_cannot_be_read_to_its_end);
	tcase_add_test(tc, listed_certificates_must_be_trusted);
	tcase_add_test(tc, revocation);
	tcase_add_test(tc, key_infos_that_are_none);
	tcase_add_test(tc, signatures_of_another_key);
	tcase_add_test(tc, distinguished_names);
	tcase_add_test(tc, files_that_cannot_be_used);
	tcase_add_test(tc, required_parts);
	tcase_add_test(tc, signed_addresses);
	tcase_add_test(tc, encryption);
	return run_tcase("tokens", tc);
}
