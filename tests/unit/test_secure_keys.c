// SPDX-License-Identifier: GPL-2.0
/* Answers signed by each kind of key, and encrypted for each kind of certificate. */
#include <openssl/params.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include "secured.h"

#define RESPONSE                                                           \
	"<submitOrderResponse xmlns='urn:fmp:orders'><orderId>7</orderId>" \
	"<total>4.50</total><confirmation>a</confirmation></submitOrderResponse>"

static char files[5][64]; /* CA, certificate, key of who signs; key, and nothing more, of who asked */
static unsigned n_files;

static const char *write_pem(X509 *cert, EVP_PKEY *key)
{
	char *path = files[n_files++];
	FILE *f;

	strcpy(path, "/tmp/secure-keys.XXXXXX");
	f = fdopen(mkstemp(path), "w");
	ck_assert(f && (cert ? PEM_write_X509(f, cert)
			     : PEM_write_PrivateKey(f, key, NULL, NULL, 0, NULL, NULL)));
	fclose(f);
	return path;
}

static void remove_files(void)
{
	while (n_files)
		unlink(files[--n_files]);
}

#define COMPRESSED "P-384, a compressed point"

static EVP_PKEY *make_compressed_key(void)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
	EVP_PKEY *key = NULL;
	OSSL_PARAM params[] = { OSSL_PARAM_utf8_string("group", "P-384", 5),
				OSSL_PARAM_utf8_string("point-format", "compressed", 10),
				OSSL_PARAM_END };

	ck_assert(ctx && EVP_PKEY_keygen_init(ctx) > 0 &&
		  EVP_PKEY_CTX_set_params(ctx, params) > 0 && EVP_PKEY_keygen(ctx, &key) > 0);
	EVP_PKEY_CTX_free(ctx);
	return key;
}

static EVP_PKEY *make_key(const char *kind)
{
	EVP_PKEY *key = strcmp(kind, COMPRESSED) == 0  ? make_compressed_key()
			: strcmp(kind, "ED25519") == 0 ? EVP_PKEY_Q_keygen(NULL, NULL, kind)
						       : EVP_PKEY_Q_keygen(NULL, NULL, "EC", kind);

	ck_assert_ptr_nonnull(key);
	return key;
}

static X509 *make_certificate(const char *name, EVP_PKEY *key, X509 *issuer, EVP_PKEY *by)
{
	static long serial;
	X509 *c = X509_new();
	X509_NAME *subject = X509_get_subject_name(c);

	X509_set_version(c, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(c), ++serial);
	X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1,
				   0);
	X509_set_issuer_name(c, issuer ? X509_get_subject_name(issuer) : subject);
	ASN1_TIME_set(X509_getm_notBefore(c), VECTORS_NOW - 86400);
	ASN1_TIME_set(X509_getm_notAfter(c), VECTORS_NOW + 86400);
	X509_set_pubkey(c, key);
	if (!issuer)
		X509_add1_ext_i2d(c, NID_basic_constraints, &(BASIC_CONSTRAINTS){ .ca = 0xff }, 1,
				  0);
	ck_assert(X509_sign(c, by, EVP_PKEY_is_a(by, "ED25519") ? NULL : EVP_sha256()));
	return c;
}

static const struct {
	enum fmp_signing sign;
	const char *key;
	enum fmp_sealing encrypt;
	const char *recipient;
	enum fmp_order order;
} rows[] = {
	{ FMP_SIGN_ECDSA_SHA256, "P-256", 0, NULL, 0 },
	{ FMP_SIGN_ECDSA_SHA512, "P-521", 0, NULL, 0 },
	{ FMP_SIGN_ED25519, "ED25519", 0, NULL, 0 },
	{ FMP_SIGN_ED25519, "ED25519", FMP_SEAL_AES128_GCM, "P-256", 0 },
	{ FMP_SIGN_ED25519, "ED25519", FMP_SEAL_AES256_GCM, "P-521", FMP_ORDER_ENCRYPT_SIGN },
	{ FMP_SIGN_ECDSA_SHA384, "P-384", FMP_SEAL_AES256_GCM, "P-384", 0 },
	{ FMP_SIGN_ECDSA_SHA512, "P-521", FMP_SEAL_AES128_GCM, "P-521", 0 },
	{ FMP_SIGN_NONE, NULL, FMP_SEAL_AES256_GCM, "P-256", 0 },
	{ FMP_SIGN_NONE, NULL, FMP_SEAL_AES128_GCM, COMPRESSED, 0 },
};

static void check_answer(int n, const struct fmp_inspect_config *cfg, const struct fmp_secured *out)
{
	struct fmp_inspector *i = make_inspector(cfg);
	struct fmp_message m = {
		.bytes = out->bytes, .len = out->len, .now_s = VECTORS_NOW, .answer = true
	};
	struct fmp_inspection v;
	char *changed = malloc(out->len), *value;

	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(v.accepted && memmem(v.forward, v.forward_len, "4.50", 4), "row %d: %s: %s",
		      n, fmp_step_name(v.step), v.detail);
	ck_assert(!rows[n].encrypt || !memmem(out->bytes, out->len, "4.50", 4));
	fmp_inspection_clear(&v);
	ck_assert_ptr_nonnull(changed);
	memcpy(changed, out->bytes, out->len);
	value = memmem(changed, out->len, rows[n].sign ? "SignatureValue>" : "CipherValue>", 12);
	ck_assert_ptr_nonnull(value);
	value[24] = value[24] == 'A' ? 'B' : 'A';
	m.bytes = changed;
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(!v.accepted, "row %d", n);
	free(changed);
	fmp_inspector_free(i);
}

START_TEST(each_kind_of_key)
{
	struct fmp_policy_answers a = make_answers(rows[_i].sign, rows[_i].encrypt);
	struct fmp_inspect_config cfg = vector_config(!rows[_i].encrypt ? FMP_SECURITY_BCS
						      : rows[_i].sign	? FMP_SECURITY_BCES
									: FMP_SECURITY_BCE);
	const char text[] = ENVELOPE(S11, "", RESPONSE);
	struct fmp_reply_context r = { 0 };
	struct fmp_reply reply = {
		.bytes = text, .len = strlen(text), .now_s = VECTORS_NOW, .reply_context = &r
	};
	EVP_PKEY *by = make_key("P-256"), *key = NULL, *to = NULL;
	X509 *ca = make_certificate("CA", by, NULL, by), *cert = NULL, *recipient = NULL;
	unsigned char *der = NULL;
	struct fmp_securer *s;
	struct fmp_secured out;

	cfg.trust = write_pem(ca, NULL);
	cfg.schema = tests_path("../daemon/sample/orders.xsd");
	cfg.order = a.order = rows[_i].order;
	if (rows[_i].key) {
		key = make_key(rows[_i].key);
		cert = make_certificate("service", key, ca, by);
		strcpy(a.certificate, write_pem(cert, NULL));
		strcpy(a.key, write_pem(NULL, key));
	}
	if (rows[_i].recipient) {
		to = make_key(rows[_i].recipient);
		recipient = make_certificate("client", to, ca, by);
		cfg.key = write_pem(NULL, to);
		r.certificate_len = (size_t)i2d_X509(recipient, &der);
		r.certificate = der;
	}
	s = new_securer(&a);
	ck_assert_int_eq(fmp_secure(s, &reply, &out), 0);
	ck_assert_msg(out.bytes != NULL, "row %d: %s", _i, out.detail);
	ck_assert_uint_le(out.len, fmp_secured_max(strlen(text)));
	check_answer(_i, &cfg, &out);
	fmp_secured_clear(&out);
	fmp_securer_free(s);
	OPENSSL_free(der);
	X509_free(ca);
	X509_free(cert);
	X509_free(recipient);
	EVP_PKEY_free(by);
	EVP_PKEY_free(key);
	EVP_PKEY_free(to);
	remove_files();
}
END_TEST

/* It can only sign. */
START_TEST(nothing_is_encrypted_for_ed25519)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_NONE, FMP_SEAL_AES128_GCM);
	struct fmp_securer *s = new_securer(&a);
	EVP_PKEY *key = make_key("ED25519");
	X509 *cert = make_certificate("client", key, NULL, key);
	unsigned char *der = NULL;
	const char text[] = ENVELOPE(S11, "", RESPONSE);
	struct fmp_reply_context r = { .certificate_len = (size_t)i2d_X509(cert, &der) };
	struct fmp_reply reply = {
		.bytes = text, .len = strlen(text), .now_s = VECTORS_NOW, .reply_context = &r
	};
	struct fmp_secured out;

	r.certificate = der;
	ck_assert_int_eq(fmp_secure(s, &reply, &out), 0);
	ck_assert(!out.bytes && strstr(out.detail, "no certificate"));
	fmp_securer_free(s);
	OPENSSL_free(der);
	X509_free(cert);
	EVP_PKEY_free(key);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("keys");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_add_loop_test(tc, each_kind_of_key, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(tc, nothing_is_encrypted_for_ed25519);
	return run_tcase("secure_keys", tc);
}
