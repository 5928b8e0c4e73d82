// SPDX-License-Identifier: GPL-2.0
/* What both ends of TLS demand of a peer's chain, before the peer's key is used. */
#include <check.h>

#include "../../daemon/gateway/common/verify.h"
#include "exponent.h"
#include "run.h"
#include "trusted.h"

/* Return: X509_V_OK or why not. */
static int verify_chain(X509 *cert, STACK_OF(X509) * beside)
{
	X509_STORE *store = X509_STORE_new();
	X509_STORE_CTX *x = X509_STORE_CTX_new();
	int rc, error;

	X509_STORE_add_cert(store, ca);
	ck_assert(X509_STORE_CTX_init(x, store, cert, beside));
	X509_STORE_CTX_set_time(x, 0, NOW);
	rc = gw_verify_chain(x, NULL);
	error = X509_STORE_CTX_get_error(x);
	ck_assert_int_eq(rc == 1, error == X509_V_OK);
	X509_STORE_CTX_free(x);
	X509_STORE_free(store);
	ERR_clear_error();
	return error;
}

START_TEST(exponents_of_peers)
{
	EVP_PKEY *dear = rsa_with(2047, 1), *even = rsa_with(17, 0), *good = rsa_with(0, 3);
	struct recipe r = { .key = dear }, of_ca = { .key = dear,
						     .usage = "critical,keyCertSign",
						     .basic = "critical,CA:TRUE" };
	STACK_OF(X509) *beside = sk_X509_new_null();
	X509 *c = make_certificate("leaf", &r, ca, ca_key);

	ck_assert_int_eq(verify_chain(c, NULL), X509_V_ERR_EE_KEY_TOO_SMALL);
	X509_free(c);
	r.key = even;
	c = make_certificate("leaf", &r, ca, ca_key);
	ck_assert_int_eq(verify_chain(c, NULL), X509_V_ERR_EE_KEY_TOO_SMALL);
	X509_free(c);
	r.key = good;
	c = make_certificate("leaf", &r, ca, ca_key);
	ck_assert_int_eq(verify_chain(c, NULL), X509_V_OK);
	X509_free(c);
	/* Its own key is no RSA at all. */
	r.key = leaf_key;
	c = make_certificate("leaf", &r, ca, ca_key);
	ck_assert_int_eq(verify_chain(c, NULL), X509_V_OK);
	/* What is shown beside it, but not used, is not looked at. */
	sk_X509_push(beside, make_certificate("unused", &of_ca, ca, ca_key));
	ck_assert_int_eq(verify_chain(c, beside), X509_V_OK);
	X509_free(c);
	/* A stranger's is refused as ever. */
	c = make_certificate("leaf", &r, ca, leaf_key);
	ck_assert_int_eq(verify_chain(c, NULL), X509_V_ERR_CERT_SIGNATURE_FAILURE);
	X509_free(c);
	sk_X509_pop_free(beside, X509_free);
	EVP_PKEY_free(dear);
	EVP_PKEY_free(even);
	EVP_PKEY_free(good);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("verify");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, exponents_of_peers);
	return run_tcase("verify", tc);
}
