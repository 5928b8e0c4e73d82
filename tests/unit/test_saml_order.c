// SPDX-License-Identifier: GPL-2.0
/* invariant 8: an assertion is verified once, and behind all that costs less. Counted where it is paid. */
#include <openssl/evp.h>

#include "encrypted_messages.h"
#include "inspect/sender_checks.h"
#include "soap/soap.h"
#include "run.h"

static unsigned verified; /* signatures, of messages and assertions */

int __real_EVP_PKEY_verify(EVP_PKEY_CTX *ctx, const unsigned char *sig, size_t siglen,
			   const unsigned char *tbs, size_t tbslen);
int __wrap_EVP_PKEY_verify(EVP_PKEY_CTX *ctx, const unsigned char *sig, size_t siglen,
			   const unsigned char *tbs, size_t tbslen);
int __wrap_EVP_PKEY_verify(EVP_PKEY_CTX *ctx, const unsigned char *sig, size_t siglen,
			   const unsigned char *tbs, size_t tbslen)
{
	verified++;
	return __real_EVP_PKEY_verify(ctx, sig, siglen, tbs, tbslen);
}

static struct fmp_policy_saml saml = { .n_issuers = 1, .bearer = true };

static void setup(void)
{
	encrypted_setup();
	strcpy(saml.audiences, ATTACK_AUDIENCE);
	strcpy(saml.issuers[0].name, ATTACK_ISSUER);
	write_temporary_file(strcpy(saml.issuers[0].trust, "/tmp/saml-order-idp.XXXXXX"), "");
	attack_pki_write_idp(pki, saml.issuers[0].trust);
}

static void teardown(void)
{
	unlink(saml.issuers[0].trust);
	encrypted_teardown();
}

static struct fmp_inspector *open_inspector(enum fmp_security security, enum fmp_order order)
{
	struct fmp_inspect_config cfg = vector_config(security);

	cfg.trust = encrypted_ca;
	cfg.saml = &saml;
	cfg.order = order;
	cfg.replay_entries = cfg.replay_per_signer = 16;
	return make_inspector(&cfg);
}

static const char of_holder[] = OPEN HEADER(SECURITY("@A@T@H")) "@B" CLOSE;
static const char of_bearer[] = OPEN HEADER(SECURITY("@A@K@T@G")) "@B" CLOSE;
#define SECRET_OF(parts) OPEN HEADER(SECURITY(parts)) SIGNED_BODY("body", G("ed", ORDER)) CLOSE
static const char secret_of_holder[] = SECRET_OF(KEY(TO_BE("ed")) "@A@T@H");
static const char secret_of_bearer[] = SECRET_OF(KEY(TO_BE("ed")) "@A@K@T@G");
static const char holder_of_secret[] = SECRET_OF("@A@T@H" KEY(TO_BE("ed")));

#define BEARERS ASSERTION("jane", BEARER, AUDIENCE(ATTACK_AUDIENCE))

static struct fmp_inspection inspect_attack(struct fmp_inspector *i, const struct attack_bytes *b)
{
	struct fmp_message m = { .bytes = b->p, .len = b->len, .now_s = VECTORS_NOW };
	struct fmp_inspection v;

	verified = 0;
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	return v;
}

static const struct {
	enum fmp_security security;
	enum fmp_order order;
	const char *text, *assertion, *info;
} rows[] = {
	{ FMP_SECURITY_BCS, 0, of_holder, NULL, NULL },
	{ FMP_SECURITY_BCS, 0, of_bearer, BEARERS, NULL },
	{ FMP_SECURITY_BCES, 0, secret_of_holder, NULL, NULL },
	{ FMP_SECURITY_BCES, 0, secret_of_bearer, BEARERS, NULL },
	{ FMP_SECURITY_BCES, FMP_ORDER_ENCRYPT_SIGN, holder_of_secret, NULL,
	  SIGNED_INFO(REF_TIME REF("body", SIGNED_BODY("body", G("ed", ORDER)))) },
};

START_TEST(invariant_8_an_assertion_is_verified_once)
{
	struct attack a = { .text = rows[_i].text,
			    .assertion = rows[_i].assertion,
			    .info = rows[_i].info };
	struct fmp_inspector *i = open_inspector(rows[_i].security, rows[_i].order);
	struct attack_bytes b = attack_make(pki, &a);
	struct fmp_inspection v = inspect_attack(i, &b);

	ck_assert_msg(v.accepted, "row %d: %s", _i, v.detail);
	ck_assert_str_eq(v.issuer, ATTACK_ISSUER);
	ck_assert_uint_eq(verified, 2);
	fmp_inspection_clear(&v);
	/* A copy is known by what is signed. */
	v = inspect_attack(i, &b);
	ck_assert_msg(v.kind == FMP_EVENT_REPLAY, "row %d: %s", _i, v.detail);
	ck_assert_uint_eq(verified, 0);
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

START_TEST(invariant_8_an_old_message_costs_no_signature)
{
	struct attack a = { .text = rows[_i].text,
			    .assertion = rows[_i].assertion,
			    .info = rows[_i].info };
	struct fmp_inspector *i = open_inspector(rows[_i].security, rows[_i].order);
	struct attack_bytes b = attack_make(pki, &a);
	char *end = memmem(b.p, b.len, "<wsu:Expires>2026", 17);
	struct fmp_inspection v;

	ck_assert_ptr_nonnull(end);
	memcpy(end, "<wsu:Expires>2025", 17);
	v = inspect_attack(i, &b);
	ck_assert_msg(v.kind == FMP_EVENT_TIMESTAMP, "row %d: %s", _i, v.detail);
	ck_assert_uint_eq(verified, 0);
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

/* As behind decryption: another tree of the same message. Return: what was said of its assertion. */
static int check_assertion(struct fmp_inspector *i, const struct attack_bytes *b, xmlDocPtr *doc)
{
	const struct fmp_message m = { .bytes = b->p, .len = b->len, .now_s = VECTORS_NOW };
	struct fmp_inspection v = { 0 };
	struct fmpi_soap soap;
	struct fmpi_wsse sec;

	verified = 0;
	ck_assert_int_eq(fmpi_document_parse(b->p, b->len, doc, &v), 0);
	ck_assert_int_eq(fmpi_soap_read(*doc, &soap, &v), 0);
	ck_assert_int_eq(fmpi_wsse_read(&soap, &sec, &v), 0);
	ck_assert_msg(fmpi_sender_check_all(i, &m, &sec, &soap, &v) == 0, "%s", v.detail);
	return fmpi_sender_check_assertion(i, &m, &sec, &v);
}

START_TEST(invariant_9_another_assertion_is_verified)
{
	struct attack a = { .text = of_bearer, .assertion = BEARERS };
	struct fmp_inspector *i = open_inspector(FMP_SECURITY_BCS, 0);
	struct attack_bytes b = attack_make(pki, &a);
	xmlDocPtr doc[4];

	fmpi_sender_check_begin(i);
	ck_assert_int_eq(check_assertion(i, &b, &doc[0]), 0);
	ck_assert_uint_eq(verified, 1);
	ck_assert_int_eq(check_assertion(i, &b, &doc[1]), 0);
	ck_assert_uint_eq(verified, 0);
	memcpy(memmem(b.p, b.len, ">jane<", 6), ">joan<", 6);
	ck_assert_int_eq(check_assertion(i, &b, &doc[2]), FMPI_REFUSED);
	memcpy(memmem(b.p, b.len, ">joan<", 6), ">jane<", 6);
	/* Nor does anything hold of the message before. */
	fmpi_sender_check_begin(i);
	ck_assert_int_eq(check_assertion(i, &b, &doc[3]), 0);
	ck_assert_uint_eq(verified, 1);
	for (unsigned n = 0; n < 4; n++)
		xmlFreeDoc(doc[n]);
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("saml order");

	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, invariant_8_an_assertion_is_verified_once, 0, COUNT(rows));
	tcase_add_loop_test(tc, invariant_8_an_old_message_costs_no_signature, 0, COUNT(rows));
	tcase_add_test(tc, invariant_9_another_assertion_is_verified);
	return run_tcase("saml order", tc);
}
