// SPDX-License-Identifier: GPL-2.0
/* The keys that assertions confirm: how they are written, and that each stays its holder's. */
#include <openssl/x509.h>

#include "xml/document.h"
#include "saml/holder_of_key.h"
#include "saml/saml_issuer.h"
#include "run.h"
#include "tokens.h"

#define KEY(x)                                                                                               \
	"<KeyInfo xmlns='http://www.w3.org/2000/09/xmldsig#' xmlns:d='http://www.w3.org/2009/xmldsig11#'>" x \
	"</KeyInfo>"
#define EC(uri, point)                                                                 \
	KEY("<KeyValue><d:ECKeyValue><d:NamedCurve URI='" uri "'/><d:PublicKey>" point \
	    "</d:PublicKey></d:ECKeyValue></KeyValue>")
#define RSA(n, e)                                                         \
	KEY("<KeyValue><RSAKeyValue><Modulus>" n "</Modulus><Exponent>" e \
	    "</Exponent></RSAKeyValue></KeyValue>")
#define P256 "urn:oid:1.2.840.10045.3.1.7"
/* The base point of P-256: everybody knows its secret, but it is a key. */
#define POINT \
	"BGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU="

static int read_key(const char *text, EVP_PKEY **key, struct fmp_inspection *v)
{
	uint8_t id[FMPI_HOLDER_ID];
	struct fmpi_keytext t;
	xmlDocPtr doc;
	int ret;

	*v = (struct fmp_inspection){ 0 };
	*key = NULL;
	ck_assert_int_eq(fmpi_document_parse(text, strlen(text), &doc, v), 0);
	ret = fmpi_holder_of_key_read(xmlDocGetRootElement(doc), &t, id, v);
	if (!ret)
		ret = fmpi_holder_of_key_load(&t, key, v);
	xmlFreeDoc(doc);
	return ret;
}

START_TEST(key_values)
{
	static const char *const none[] = {
		KEY(""),
		KEY("<KeyName>x</KeyName>"),
		KEY("<KeyValue/>"),
		KEY("<X509Data/>"),
		KEY("<X509Data><X509Certificate/></X509Data>"),
		KEY("<X509Data><X509Certificate>AAAA</X509Certificate></X509Data>"),
		KEY("<X509Data><X509SKI>AAAA</X509SKI></X509Data>"),
		KEY("<KeyValue><DSAKeyValue><P>AA</P><Q>AA</Q></DSAKeyValue></KeyValue>"),
		EC("urn:oid:1.3.132.0.10", POINT), /* secp256k1 */
		EC("urn:oid:1.3.132.0.34", POINT),
		EC(P256, "AAAA"),
		EC(P256, ""),
		EC(P256,
		   "BGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfY="),
		RSA("AQAB", "AQAB"),
		RSA("!", "AQAB"),
	};
	struct fmp_inspection v;
	EVP_PKEY *key;

	ck_assert_msg(read_key(EC(P256, POINT), &key, &v) == 0, "%s", v.detail);
	ck_assert(EVP_PKEY_is_a(key, "EC") && EVP_PKEY_get_bits(key) == 256);
	EVP_PKEY_free(key);
	for (size_t n = 0; n < sizeof(none) / sizeof(none[0]); n++) {
		ck_assert_msg(read_key(none[n], &key, &v) == FMPI_REFUSED, "%s", none[n]);
		ck_assert_int_eq(v.kind, FMP_EVENT_TOKEN);
	}
}
END_TEST

static char *base64_of(const uint8_t *p, int n)
{
	char *out = malloc((size_t)n / 3 * 4 + 8);

	EVP_EncodeBlock((unsigned char *)out, p, n);
	return out;
}

/* As a certificate and by its numbers it is one key; an exponent of 2048 bits is none. */
START_TEST(rsa_key_values)
{
	uint8_t n[256];
	EVP_PKEY *rsa = EVP_RSA_gen(2048), *key;
	BIGNUM *bn = NULL;
	struct fmp_inspection v;
	char *modulus, *text;

	ck_assert(EVP_PKEY_get_bn_param(rsa, "n", &bn));
	ck_assert_int_eq(BN_bn2binpad(bn, n, sizeof(n)), sizeof(n));
	modulus = base64_of(n, sizeof(n));
	ck_assert_int_gt(asprintf(&text, RSA("%s", "AQAB"), modulus), 0);
	ck_assert_msg(read_key(text, &key, &v) == 0, "%s", v.detail);
	ck_assert_int_eq(EVP_PKEY_eq(key, rsa), 1);
	EVP_PKEY_free(key);
	free(text);
	ck_assert_int_gt(asprintf(&text, RSA("%s", "%s"), modulus, modulus), 0);
	ck_assert_int_eq(read_key(text, &key, &v), FMPI_REFUSED);
	free(text);
	free(modulus);
	BN_free(bn);
	EVP_PKEY_free(rsa);
}
END_TEST

/* Return: the key that is remembered, not that one. */
static const EVP_PKEY *holder_of(struct fmpi_issuers *list, EVP_PKEY *key)
{
	struct fmp_inspection v = { 0 };
	struct fmpi_assertion a = { 0 };
	struct fmpi_signer who;
	uint8_t *point, id[FMPI_KEY_ID];
	size_t n = EVP_PKEY_get1_encoded_public_key(key, &point);
	char *base64 = base64_of(point, (int)n), *text;
	xmlDocPtr doc;

	ck_assert_int_gt(asprintf(&text, EC(P256, "%s"), base64), 0);
	ck_assert_int_eq(fmpi_document_parse(text, strlen(text), &doc, &v), 0);
	a.holder = xmlDocGetRootElement(doc);
	ck_assert_msg(fmpi_holder_of_key_read(a.holder, &a.key, a.key_id, &v) == 0, "%s", v.detail);
	ck_assert_msg(fmpi_issuers_load_holder(list, &a, &who, &v) == 0, "%s", v.detail);
	ck_assert_int_eq(EVP_PKEY_eq(who.key, key), 1);
	ck_assert(fmpi_key_identify(key, id));
	ck_assert_mem_eq(who.id, id, sizeof(id));
	xmlFreeDoc(doc);
	free(text);
	free(base64);
	OPENSSL_free(point);
	return who.key;
}

/* More than are remembered: whoever comes gets his own, the first time and the next. */
START_TEST(owners_are_told_apart)
{
	enum {
		KEYS = 40
	};
	struct fmp_policy_saml s = token_saml();
	struct fmpi_issuers *list;
	struct fmp_error err = { 0 };
	EVP_PKEY *key[KEYS];
	const EVP_PKEY *first = NULL;

	ck_assert_msg(fmpi_issuers_load(&s, &list, &err) == 0, "%s", err.message);
	for (int n = 0; n < KEYS; n++) {
		key[n] = EVP_EC_gen("P-256");
		holder_of(list, key[n]);
		/* In use all the time, it is read once. */
		if (n == 0)
			first = holder_of(list, key[0]);
		ck_assert_ptr_eq(holder_of(list, key[0]), first);
	}
	for (int n = 0; n < KEYS; n++) {
		holder_of(list, key[n]);
		EVP_PKEY_free(key[n]);
	}
	fmpi_issuers_free(list);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("holder");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, key_values);
	tcase_add_test(tc, rsa_key_values);
	tcase_add_test(tc, owners_are_told_apart);
	return run_tcase("holder", tc);
}
