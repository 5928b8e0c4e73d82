// SPDX-License-Identifier: GPL-2.0
/* What the inspection tells of who sent a request: for the answer that is made for him. */
#include <openssl/x509.h>

#include "run.h"
#include "tokens.h"

static struct fmp_inspection inspect_token_bytes(struct bytes b, bool encryptable,
						 enum fmp_security security)
{
	struct fmp_inspect_config cfg = token_config(security);
	struct fmp_inspection v;
	struct fmp_inspector *i;

	cfg.reply_context = true;
	cfg.encryptable = encryptable;
	i = make_inspector(&cfg);
	v = inspect_at(i, b, TOKENS_NOW);
	fmp_inspector_free(i);
	free(b.p);
	return v;
}

static struct fmp_inspection inspect_token(const char *token, bool encryptable,
					   enum fmp_security security)
{
	return inspect_token_bytes(read_token(token), encryptable, security);
}

START_TEST(requester_is_known)
{
	struct fmp_inspection v = inspect_token("addressing", true, FMP_SECURITY_BCS);
	const uint8_t *p = v.reply_context.certificate;
	char name[64] = "";
	X509 *cert;

	ck_assert_msg(v.accepted, "%s", v.detail);
	cert = d2i_X509(NULL, &p, (long)v.reply_context.certificate_len);
	ck_assert_ptr_nonnull(cert);
	X509_NAME_get_text_by_NID(X509_get_subject_name(cert), NID_commonName, name, sizeof(name));
	ck_assert_str_eq(name, "rsa");
	X509_free(cert);
	ck_assert_uint_eq(v.reply_context.signature_len, 256);
	ck_assert_str_eq(v.reply_context.message_id,
			 "urn:uuid:5f4dcc3b-5aa7-4af1-8f0e-3f4f5c8b9d11");
	ck_assert(!v.reply_context.addressing_2004);
	fmp_inspection_clear(&v);
	ck_assert_ptr_null(v.reply_context.certificate);

	/* Named in any way, and behind a decryption. */
	v = inspect_token("thumbprint", true, FMP_SECURITY_BCS);
	ck_assert(v.accepted && v.reply_context.certificate_len);
	fmp_inspection_clear(&v);
	v = inspect_token("pss-then-enc", true, FMP_SECURITY_BCES);
	ck_assert_msg(v.accepted && v.reply_context.certificate_len, "%s", v.detail);
	fmp_inspection_clear(&v);
}
END_TEST

#define STRANGERS \
	"<a:MessageID xmlns:a='http://www.w3.org/2005/08/addressing'>urn:stranger</a:MessageID>"

/* What the answer is said to relate to is signed there; so it is to be signed here. */
START_TEST(a_message_id_is_the_signers)
{
	struct bytes b =
		edit_bytes(read_token("direct"), "<wsse:Security", STRANGERS "<wsse:Security");
	struct fmp_inspection v = inspect_token_bytes(b, false, FMP_SECURITY_BCS);

	ck_assert_msg(v.accepted && v.reply_context.signature_len, "%s", v.detail);
	ck_assert_str_eq(v.reply_context.message_id, "");
	fmp_inspection_clear(&v);
	/* Where nothing is signed it is as good as the rest. */
	b = edit_bytes(read_token("direct"), "<wsse:Security", STRANGERS "<wsse:Security");
	v = inspect_token_bytes(b, false, FMP_SECURITY_BCV);
	ck_assert_msg(v.accepted, "%s", v.detail);
	ck_assert_str_eq(v.reply_context.message_id, "urn:stranger");
	fmp_inspection_clear(&v);
}
END_TEST

/* Whom nothing can be encrypted for is in test_token_kinds. */
START_TEST(what_is_of_ec_is_kept)
{
	for (int encryptable = 0; encryptable < 2; encryptable++) {
		struct fmp_inspection v = inspect_token("ec384", encryptable, FMP_SECURITY_BCS);

		ck_assert_msg(v.accepted && v.reply_context.certificate_len, "%s", v.detail);
		fmp_inspection_clear(&v);
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("requester");

	tcase_add_checked_fixture(t, vectors_setup, vectors_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, requester_is_known);
	tcase_add_test(t, a_message_id_is_the_signers);
	tcase_add_test(t, what_is_of_ec_is_kept);
	return run_tcase("requester", t);
}
