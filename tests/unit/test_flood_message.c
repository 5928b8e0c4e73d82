// SPDX-License-Identifier: GPL-2.0
/* fmp-flood: the gateway's reader and pipeline find each kind of message to be of that kind. */
#include <check.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include "../../daemon/flood/message.h"
#include <fmp/internal/http.h>
#include "vectors.h"

#define NOW VECTORS_NOW

/* ---- a CA with an RSA and an EC client ---- */

static char dir[] = "/tmp/fmp-flood-XXXXXX";

static const char *pki_path(const char *name)
{
	static char buf[4][64];
	static unsigned next;
	char *p = buf[next++ % 4];

	snprintf(p, sizeof(buf[0]), "%s/%s", dir, name);
	return p;
}

static void write_pem(const char *name, EVP_PKEY *key, X509 *cert)
{
	FILE *f = fopen(pki_path(name), "w");

	ck_assert_ptr_nonnull(f);
	if (key)
		ck_assert_int_eq(PEM_write_PrivateKey(f, key, NULL, NULL, 0, NULL, NULL), 1);
	if (cert)
		ck_assert_int_eq(PEM_write_X509(f, cert), 1);
	fclose(f);
}

static void add_extension(X509 *x, int nid, const char *value)
{
	X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, NULL, nid, value);

	ck_assert_ptr_nonnull(e);
	ck_assert_int_eq(X509_add_ext(x, e, -1), 1);
	X509_EXTENSION_free(e);
}

static X509 *issue_certificate(EVP_PKEY *key, const char *cn, X509 *ca, EVP_PKEY *ca_key,
			       long serial)
{
	X509 *x = X509_new();
	X509_NAME *name = X509_get_subject_name(x);

	X509_set_version(x, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(x), serial);
	ASN1_TIME_set(X509_getm_notBefore(x), NOW - 86400);
	/* Signatures are checked at the current time. */
	ck_assert(ASN1_TIME_set_string_X509(X509_getm_notAfter(x), "20461121000000Z"));
	X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)cn, -1, -1, 0);
	X509_set_issuer_name(x, ca ? X509_get_subject_name(ca) : name);
	X509_set_pubkey(x, key);
	add_extension(x, NID_basic_constraints, ca ? "critical,CA:FALSE" : "critical,CA:TRUE");
	add_extension(x, NID_key_usage, ca ? "critical,digitalSignature" : "critical,keyCertSign");
	ck_assert_int_gt(X509_sign(x, ca_key, EVP_sha256()), 0);
	return x;
}

static void make_pki(void)
{
	EVP_PKEY *ca_key = EVP_EC_gen("P-256"), *rsa = EVP_RSA_gen(2048), *ec = EVP_EC_gen("P-256");
	X509 *ca = issue_certificate(ca_key, "ca", NULL, ca_key, 1);
	X509 *rsa_cert = issue_certificate(rsa, "rsa", ca, ca_key, 2),
	     *ec_cert = issue_certificate(ec, "ec", ca, ca_key, 3);

	ck_assert_ptr_nonnull(mkdtemp(dir));
	write_pem("ca.crt", NULL, ca);
	write_pem("rsa.crt", NULL, rsa_cert);
	write_pem("rsa.key", rsa, NULL);
	write_pem("ec.crt", NULL, ec_cert);
	write_pem("ec.key", ec, NULL);
	X509_free(ca);
	X509_free(rsa_cert);
	X509_free(ec_cert);
	EVP_PKEY_free(ca_key);
	EVP_PKEY_free(rsa);
	EVP_PKEY_free(ec);
}

static void drop_pki(void)
{
	static const char *const files[] = { "ca.crt", "rsa.crt", "rsa.key", "ec.crt", "ec.key" };
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlink(pki_path(files[i]));
	rmdir(dir);
}

static void setup(void)
{
	vectors_setup();
	make_pki();
}

static void teardown(void)
{
	drop_pki();
	vectors_teardown();
}

/* ---- helpers ---- */

static struct fmp_inspector *new_inspector(enum fmp_security security)
{
	struct fmp_inspect_config cfg = vector_config(security);

	cfg.trust = pki_path("ca.crt");
	return make_inspector(&cfg);
}

static struct flood_signer *new_signer(const char *key, const char *cert)
{
	struct fmp_error err = { 0 };
	struct flood_signer *s;

	ck_assert_msg(!flood_signer_new(key, cert, cert ? pki_path("ca.crt") : NULL, &s, &err),
		      "%s", err.message);
	return s;
}

static struct flood_builder *new_builder(const struct flood_signer *s, bool sign, uint32_t size)
{
	struct flood_message_config cfg = {
		.host = "192.0.2.1:80",
		.path = "/orders",
		.size = size,
		.oversize = 2 << 20,
		.depth = 10000,
		.sign = sign,
		.signer = s,
		.seed = 42,
	};
	struct flood_builder *b;

	ck_assert_int_eq(flood_builder_new(&cfg, &b, NULL), 0);
	return b;
}

static void build_message(struct flood_builder *b, enum flood_kind kind, struct flood_message *m)
{
	struct fmp_error err = { 0 };

	ck_assert_msg(!flood_builder_build(b, kind, NOW, m, &err), "%s", err.message);
}

/* Build many messages of a kind, so that each variant occurs: all must be found as `kind_found`. */
static void inspect_message(const char *key, const char *cert, bool sign,
			    enum fmp_security security, enum flood_kind kind,
			    enum fmp_event_kind kind_found)
{
	struct flood_signer *s = new_signer(key, cert);
	struct flood_builder *b = new_builder(s, sign, 1024);
	struct fmp_inspector *i = new_inspector(security);
	struct flood_message m = { 0 };
	unsigned n;

	for (n = 0; n < 60; n++) {
		struct fmp_inspection v;

		build_message(b, kind, &m);
		v = inspect_bytes(i, m.body->data, m.body->len);
		ck_assert_msg(v.kind == kind_found, "%s: %s, not %s (%s)", flood_kind_name(kind),
			      fmp_event_kind_name(v.kind), fmp_event_kind_name(kind_found),
			      v.detail);
		ck_assert_int_eq(v.accepted, kind_found == FMP_EVENT_GOOD);
		fmp_inspection_clear(&v);
	}
	flood_message_free(&m);
	fmp_inspector_free(i);
	flood_builder_free(b);
	flood_signer_free(s);
}

/* ---- kinds ---- */

START_TEST(a_good_order_is_accepted)
{
	inspect_message(NULL, NULL, false, FMP_SECURITY_BCV, FLOOD_GOOD, FMP_EVENT_GOOD);
}
END_TEST

START_TEST(a_good_order_signed_with_rsa_is_accepted)
{
	inspect_message(pki_path("rsa.key"), pki_path("rsa.crt"), true, FMP_SECURITY_BCS,
			FLOOD_GOOD, FMP_EVENT_GOOD);
}
END_TEST

START_TEST(a_good_order_signed_with_ecdsa_is_accepted)
{
	inspect_message(pki_path("ec.key"), pki_path("ec.crt"), true, FMP_SECURITY_BCS, FLOOD_GOOD,
			FMP_EVENT_GOOD);
}
END_TEST

START_TEST(an_unclosed_tag_is_not_wellformed)
{
	inspect_message(NULL, NULL, false, FMP_SECURITY_BCV, FLOOD_WELLFORMED,
			FMP_EVENT_WELLFORMED);
	inspect_message(NULL, NULL, false, FMP_SECURITY_BCS, FLOOD_WELLFORMED,
			FMP_EVENT_WELLFORMED);
}
END_TEST

START_TEST(a_bad_quantity_is_against_the_schema)
{
	inspect_message(NULL, NULL, false, FMP_SECURITY_BCV, FLOOD_SCHEMA, FMP_EVENT_SCHEMA);
	inspect_message(NULL, NULL, false, FMP_SECURITY_BCS, FLOOD_SCHEMA, FMP_EVENT_SCHEMA);
	/* It has no other flaw. */
	inspect_message(NULL, NULL, false, FMP_SECURITY_BC, FLOOD_SCHEMA, FMP_EVENT_GOOD);
}
END_TEST

START_TEST(a_plain_order_is_unsigned)
{
	inspect_message(pki_path("ec.key"), pki_path("ec.crt"), true, FMP_SECURITY_BCS,
			FLOOD_UNSIGNED, FMP_EVENT_UNSIGNED);
	inspect_message(NULL, NULL, false, FMP_SECURITY_BCV, FLOOD_UNSIGNED, FMP_EVENT_GOOD);
}
END_TEST

START_TEST(a_body_tampered_with_has_a_bad_signature)
{
	inspect_message(pki_path("rsa.key"), pki_path("rsa.crt"), true, FMP_SECURITY_BCS,
			FLOOD_SIGNATURE, FMP_EVENT_SIGNATURE);
	inspect_message(pki_path("ec.key"), pki_path("ec.crt"), true, FMP_SECURITY_BCS,
			FLOOD_SIGNATURE, FMP_EVENT_SIGNATURE);
	/* The order in it is valid. */
	inspect_message(pki_path("ec.key"), pki_path("ec.crt"), true, FMP_SECURITY_BCV,
			FLOOD_SIGNATURE, FMP_EVENT_GOOD);
}
END_TEST

START_TEST(a_stolen_certificate_has_a_bad_signature)
{
	inspect_message(NULL, pki_path("rsa.crt"), false, FMP_SECURITY_BCS, FLOOD_SIGNATURE,
			FMP_EVENT_SIGNATURE);
	inspect_message(NULL, pki_path("ec.crt"), false, FMP_SECURITY_BCS, FLOOD_SIGNATURE,
			FMP_EVENT_SIGNATURE);
}
END_TEST

START_TEST(a_certificate_of_our_own_is_trusted_by_nobody)
{
	inspect_message(NULL, NULL, false, FMP_SECURITY_BCS, FLOOD_SIGNATURE, FMP_EVENT_TOKEN);
}
END_TEST

START_TEST(nesting_dtd_and_oversize)
{
	inspect_message(NULL, NULL, false, FMP_SECURITY_BCV, FLOOD_NESTING, FMP_EVENT_NESTING);
	inspect_message(NULL, NULL, false, FMP_SECURITY_BCV, FLOOD_DTD, FMP_EVENT_DTD);
	inspect_message(NULL, NULL, false, FMP_SECURITY_BCV, FLOOD_OVERSIZE, FMP_EVENT_OVERSIZE);
}
END_TEST

/* ---- size, freshness, HTTP ---- */

START_TEST(the_size_is_what_was_asked_for)
{
	static const uint32_t sizes[] = { 1024, 10240, 102400 };
	struct flood_message m = { 0 };
	size_t i, n;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct flood_builder *b = new_builder(NULL, false, sizes[i]);

		for (n = 0; n < 20; n++) {
			build_message(b, FLOOD_GOOD, &m);
			ck_assert_uint_ge(m.body->len + 100, sizes[i]);
			ck_assert_uint_le(m.body->len, sizes[i] + 100);
		}
		flood_builder_free(b);
	}
	flood_message_free(&m);
}
END_TEST

START_TEST(no_two_signed_messages_are_equal)
{
	struct flood_signer *s = new_signer(pki_path("ec.key"), pki_path("ec.crt"));
	struct flood_builder *b = new_builder(s, true, 1024);
	struct flood_message m[2] = { 0 };

	build_message(b, FLOOD_GOOD, &m[0]);
	build_message(b, FLOOD_GOOD, &m[1]);
	ck_assert_ptr_nonnull(memmem(m[0].own.data, m[0].own.len, "Id=\"body-", 9));
	/* The wsu:Ids of the first message, made from the id of its order, are not in the second. */
	char *id = memmem(m[0].own.data, m[0].own.len, "<orderId>", 9);
	char *end;

	ck_assert_ptr_nonnull(id);
	id += 9;
	end = memchr(id, '<', m[0].own.len - (size_t)(id - (char *)m[0].own.data));
	ck_assert_ptr_nonnull(end);
	ck_assert_ptr_null(memmem(m[1].own.data, m[1].own.len, id, (size_t)(end - id)));
	flood_message_free(&m[0]);
	flood_message_free(&m[1]);
	flood_builder_free(b);
	flood_signer_free(s);
}
END_TEST

START_TEST(a_pool_sends_the_same_again_until_it_is_old)
{
	struct flood_message_config cfg = {
		.host = "h", .path = "/", .size = 1024, .pool = 2, .seed = 1
	};
	struct flood_message m[4] = { 0 };
	struct flood_builder *b;
	unsigned i;

	ck_assert_int_eq(flood_builder_new(&cfg, &b, NULL), 0);
	for (i = 0; i < 3; i++)
		build_message(b, FLOOD_GOOD, &m[i]);
	ck_assert_int_eq(flood_builder_build(b, FLOOD_GOOD, NOW + 121, &m[3], NULL), 0);
	ck_assert_uint_eq(m[0].own.len, m[2].own.len);
	ck_assert_mem_eq(m[0].own.data, m[2].own.data, m[0].own.len);
	ck_assert(m[0].own.len != m[1].own.len ||
		  memcmp(m[0].own.data, m[1].own.data, m[0].own.len));
	ck_assert(m[1].own.len != m[3].own.len ||
		  memcmp(m[1].own.data, m[3].own.data, m[1].own.len));
	for (i = 0; i < 4; i++)
		flood_message_free(&m[i]);
	flood_builder_free(b);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_messages)
{
	struct flood_builder *a = new_builder(NULL, false, 1024),
			     *b = new_builder(NULL, false, 1024);
	struct flood_message m[2] = { 0 };
	unsigned k;

	for (k = 0; k < FLOOD_KINDS; k++) {
		if (k == FLOOD_SIGNATURE) /* ECDSA itself is random */
			continue;
		build_message(a, k, &m[0]);
		build_message(b, k, &m[1]);
		ck_assert_uint_eq(m[0].body->len, m[1].body->len);
		ck_assert_mem_eq(m[0].body->data, m[1].body->data, m[0].body->len);
	}
	flood_message_free(&m[0]);
	flood_message_free(&m[1]);
	flood_builder_free(a);
	flood_builder_free(b);
}
END_TEST

static enum fmp_http_state read_request(const struct flood_message *m, struct fmp_http *h)
{
	static const struct fmp_http_limits limits = { .header_bytes = 8192,
						       .fields = 32,
						       .body_bytes = 1 << 20 };
	size_t used;

	fmp_http_init(h, &limits);
	if (fmp_http_feed(h, m->head.data, m->head.len, &used) == FMP_HTTP_READING)
		fmp_http_feed(h, m->body->data, m->body->len, &used);
	return h->state;
}

START_TEST(a_good_request_is_strict_http)
{
	struct flood_builder *b = new_builder(NULL, false, 1024);
	struct flood_message m = { 0 };
	struct fmp_http h;

	build_message(b, FLOOD_GOOD, &m);
	ck_assert_int_eq(read_request(&m, &h), FMP_HTTP_DONE);
	ck_assert_uint_eq(h.body_len, m.body->len);
	ck_assert(!h.keep_alive);
	fmp_http_exit(&h);
	flood_message_free(&m);
	flood_builder_free(b);
}
END_TEST

START_TEST(malformed_http_is_refused_as_such)
{
	struct flood_builder *b = new_builder(NULL, false, 1024);
	struct flood_message m = { 0 };
	struct fmp_http h;
	unsigned n;

	for (n = 0; n < 6; n++) {
		build_message(b, FLOOD_HTTP, &m);
		ck_assert_msg(read_request(&m, &h) == FMP_HTTP_REFUSED, "variant %u", n);
		ck_assert_int_eq(h.kind, FMP_EVENT_HTTP);
		fmp_http_exit(&h);
	}
	build_message(b, FLOOD_OVERSIZE, &m);
	ck_assert_int_eq(read_request(&m, &h), FMP_HTTP_REFUSED);
	ck_assert_int_eq(h.kind, FMP_EVENT_OVERSIZE);
	fmp_http_exit(&h);
	flood_message_free(&m);
	flood_builder_free(b);
}
END_TEST

/* ---- keys ---- */

START_TEST(keys_that_do_not_fit_are_refused)
{
	struct flood_signer *s;
	struct fmp_error err = { 0 };

	ck_assert_int_eq(flood_signer_new(pki_path("rsa.key"), pki_path("ec.crt"), NULL, &s, &err),
			 FMP_ERR_INVALID);
	ck_assert_ptr_null(s);
	ck_assert_int_eq(flood_signer_new(pki_path("ec.key"), NULL, NULL, &s, &err),
			 FMP_ERR_INVALID);
	ck_assert_int_eq(flood_signer_new(pki_path("ec.crt"), pki_path("ec.crt"), NULL, &s, &err),
			 FMP_ERR_INVALID);
	ck_assert_int_eq(flood_signer_new(NULL, pki_path("none.crt"), NULL, &s, &err), FMP_ERR_IO);
	ck_assert_int_eq(flood_signer_new(pki_path("ec.key"), pki_path("ec.crt"),
					  pki_path("rsa.crt"), &s, &err),
			 FMP_ERR_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "did not issue"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("flood_message");
	TCase *t = tcase_create("all");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, a_good_order_is_accepted);
	tcase_add_test(t, a_good_order_signed_with_rsa_is_accepted);
	tcase_add_test(t, a_good_order_signed_with_ecdsa_is_accepted);
	tcase_add_test(t, an_unclosed_tag_is_not_wellformed);
	tcase_add_test(t, a_bad_quantity_is_against_the_schema);
	tcase_add_test(t, a_plain_order_is_unsigned);
	tcase_add_test(t, a_body_tampered_with_has_a_bad_signature);
	tcase_add_test(t, a_stolen_certificate_has_a_bad_signature);
	tcase_add_test(t, a_certificate_of_our_own_is_trusted_by_nobody);
	tcase_add_test(t, nesting_dtd_and_oversize);
	tcase_add_test(t, the_size_is_what_was_asked_for);
	tcase_add_test(t, no_two_signed_messages_are_equal);
	tcase_add_test(t, a_pool_sends_the_same_again_until_it_is_old);
	tcase_add_test(t, the_same_seed_gives_the_same_messages);
	tcase_add_test(t, a_good_request_is_strict_http);
	tcase_add_test(t, malformed_http_is_refused_as_such);
	tcase_add_test(t, keys_that_do_not_fit_are_refused);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
