// SPDX-License-Identifier: GPL-2.0
/*
 * Key agreement: what another implementation encrypted (tests/interop/agreement_vectors.py), and the
 * same messages changed as an attacker may.
 */
#include <openssl/evp.h>
#include <string.h>

#include <fmp/error.h>

#include "run.h"
#include "vectors.h"

#define FOLDER	"interop/vectors/agreement/"
#define GENERIC "the message does not decrypt"

static const char *const curves[] = { "p256", "p384", "p521", "x25519" };

#define CURVES (sizeof(curves) / sizeof(curves[0]))

static struct fmp_inspector *inspector_of(const char *curve)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCE);
	struct fmp_inspector *i;
	char path[128];

	snprintf(path, sizeof(path), FOLDER "%s.key", curve);
	cfg.key = tests_path(path);
	i = make_inspector(&cfg);
	return i;
}

static char *read_message(const char *curve, const char *kdf, int wrap)
{
	static char text[16384];
	char path[128];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), FOLDER "%s-%s-kw%d.xml", curve, kdf, wrap);
	f = fopen(tests_path(path), "r");
	ck_assert_ptr_nonnull(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = 0;
	fclose(f);
	return text;
}

START_TEST(messages_of_another_implementation)
{
	static const char *const kdfs[] = { "concat", "hkdf" };
	struct fmp_inspector *i = inspector_of(curves[_i]);

	for (int k = 0; k < 2; k++) {
		for (int wrap = 128; wrap <= 256; wrap += 64) {
			char *text = read_message(curves[_i], kdfs[k], wrap);
			struct fmp_inspection v = inspect_bytes(i, text, strlen(text));

			ck_assert_msg(v.accepted, "%s %d: %s", kdfs[k], wrap, v.detail);
			ck_assert_ptr_nonnull(memmem(v.forward, v.forward_len, "ABC-000000", 10));
			fmp_inspection_clear(&v);
		}
	}
	fmp_inspector_free(i);
}
END_TEST

/* ---- changed ones ---- */

/* Put @text in place of what is between the first @open and the next @close. */
static void replace_text(char *message, const char *open, const char *close, const char *text)
{
	char *start = strstr(message, open), *end, *rest;

	ck_assert_ptr_nonnull(start);
	start += strlen(open);
	end = strstr(start, close);
	ck_assert_ptr_nonnull(end);
	rest = strdup(end);
	strcpy(start, text);
	strcat(start, rest);
	free(rest);
}

static struct fmp_inspection inspect_changed(const char *curve, const char *kdf, int wrap,
					     const char *open, const char *close, const char *text)
{
	struct fmp_inspector *i = inspector_of(curve);
	char *message = read_message(curve, kdf, wrap);
	struct fmp_inspection v;

	replace_text(message, open, close, text);
	v = inspect_bytes(i, message, strlen(message));
	ck_assert(!v.accepted && !v.forward_len);
	fmp_inspector_free(i);
	return v;
}

#define LONG_HEX                                                                           \
	"0000112233445566778899aabbccddeeff00112233445566778899aabbccddeeff00112233445566" \
	"778899aabbccddeeff00112233445566778899aabbccddeeff00112233445566778899aabbccddee" \
	"ff00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff00112233445566"
#define TOO_LONG LONG_HEX LONG_HEX LONG_HEX LONG_HEX LONG_HEX

static const struct {
	const char *curve, *kdf;
	int wrap;
	const char *open, *close, *text;
	enum fmp_event_kind kind;
	const char *detail; /* NULL: any */
} changed[] = {
	/* What only the key tells is refused in one way. */
	{ "p256", "concat", 128, "AlgorithmID=\"", "\"", "000002", FMP_EVENT_DECRYPT, GENERIC },
	{ "p256", "concat", 128, "AlgorithmID=\"", "\"", "", FMP_EVENT_DECRYPT, GENERIC },
	{ "p256", "concat", 128, "PartyUInfo=\"", "\"", "0000", FMP_EVENT_DECRYPT, GENERIC },
	{ "p256", "concat", 128, "<x:CipherValue>", "<", "AAAA", FMP_EVENT_DECRYPT, GENERIC },
	{ "p256", "concat", 128, "<x:CipherValue>", "<", "", FMP_EVENT_DECRYPT, GENERIC },
	{ "p256", "concat", 128, "<x:CipherValue>", "<",
	  "AAAAAAAAAAAAAAAAAAAAAA==", FMP_EVENT_DECRYPT, GENERIC },
	{ "p256", "concat", 128, "<x:CipherValue>", "<", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	  FMP_EVENT_DECRYPT, GENERIC },
	{ "p256", "concat", 128, "kw-aes", "\"", "256", FMP_EVENT_DECRYPT, GENERIC },
	{ "p384", "concat", 128, "#ConcatKDF\"><x11:ConcatKDFParams ", ">", "", FMP_EVENT_DECRYPT,
	  GENERIC },
	{ "x25519", "hkdf", 128, "<m21:Info>", "<", "AAAA", FMP_EVENT_DECRYPT, GENERIC },
	{ "x25519", "hkdf", 128, "<m21:Salt>", "<", "", FMP_EVENT_DECRYPT, GENERIC },
	/* Parameters. */
	{ "p256", "concat", 128, "AlgorithmID=\"", "\"", "03D8", FMP_EVENT_UNSUPPORTED, NULL },
	{ "p256", "concat", 128, "AlgorithmID=\"", "\"", "08D8", FMP_EVENT_DECRYPT, NULL },
	{ "p256", "concat", 128, "AlgorithmID=\"", "\"", "0", FMP_EVENT_DECRYPT, NULL },
	{ "p256", "concat", 128, "AlgorithmID=\"", "\"", "000", FMP_EVENT_DECRYPT, NULL },
	{ "p256", "concat", 128, "AlgorithmID=\"", "\"", "00xy", FMP_EVENT_DECRYPT, NULL },
	{ "p256", "concat", 128, "PartyVInfo=\"", "\"", TOO_LONG, FMP_EVENT_DECRYPT, NULL },
	{ "p256", "hkdf", 128, "<m21:Info>", "<", TOO_LONG, FMP_EVENT_DECRYPT, NULL },
	{ "p256", "hkdf", 128, "<m21:Info>", "<", "666d7", FMP_EVENT_DECRYPT,
	  "Info of more than 512 bytes, or not in Base64" },
	{ "p256", "hkdf", 128, "<m21:Salt>", "<", TOO_LONG, FMP_EVENT_DECRYPT, NULL },
	{ "p256", "hkdf", 128, "<m21:KeyLength>", "<", "32", FMP_EVENT_ALGORITHM, NULL },
	{ "p256", "hkdf", 128, "<m21:KeyLength>", "<", "1 6", FMP_EVENT_ALGORITHM, NULL },
	{ "p256", "hkdf", 128, "<m21:Salt>", "</m21:Salt>", "<m21:Other>AAAA</m21:Other>",
	  FMP_EVENT_DECRYPT, NULL },
	{ "p256", "hkdf", 128, "<m21:KeyLength>", "<", "99999999999999999999", FMP_EVENT_ALGORITHM,
	  NULL },
	{ "p256", "hkdf", 128, "#hmac-", "\"", "md5", FMP_EVENT_ALGORITHM, NULL },
	{ "p256", "concat", 128, "<ds:DigestMethod Algorithm=\"", "\"",
	  "http://www.w3.org/2000/09/xmldsig#sha1", FMP_EVENT_ALGORITHM, NULL },
	/* What is missing, or not ours. */
	{ "p256", "concat", 128, "#ConcatKDF\">", "</x11:KeyDerivationMethod>", "",
	  FMP_EVENT_UNSUPPORTED, NULL },
	{ "p256", "concat", 128, "</x11:KeyDerivationMethod>", "</x:AgreementMethod>", "",
	  FMP_EVENT_UNSUPPORTED, NULL },
	{ "p256", "concat", 128, "<ds:KeyInfo>", "</ds:KeyInfo>", "", FMP_EVENT_UNSUPPORTED, NULL },
	{ "p256", "concat", 128, "#ECDH-", "\"", "SS", FMP_EVENT_UNSUPPORTED, NULL },
	{ "x25519", "concat", 128, "AgreementMethod Algorithm=\"", "\"",
	  "http://www.w3.org/2009/xmlenc11#ECDH-ES", FMP_EVENT_UNSUPPORTED, NULL },
	{ "p256", "concat", 128, "urn:oid:", "\"", "1.3.132.0.10", FMP_EVENT_UNSUPPORTED, NULL },
	/* The originator's key. */
	{ "p256", "concat", 128, "urn:oid:", "\"", "1.3.132.0.34", FMP_EVENT_DECRYPT, NULL },
	{ "p256", "concat", 128, "<d11:PublicKey>", "<", "AA==", FMP_EVENT_DECRYPT, NULL },
	{ "p256", "concat", 128, "<d11:PublicKey>", "<", "", FMP_EVENT_DECRYPT, NULL },
	{ "p256", "concat", 128, "<d11:PublicKey>", "<", "BAAA", FMP_EVENT_DECRYPT, NULL },
	{ "p256", "concat", 256, "<d11:DEREncodedKeyValue>", "<", "MAAA", FMP_EVENT_UNSUPPORTED,
	  NULL },
	{ "p256", "concat", 128, "<d11:ECKeyValue>", "<d11:PublicKey>", "<d11:ECParameters/>",
	  FMP_EVENT_ALGORITHM, NULL },
	{ "p256", "concat", 128, "<x:OriginatorKeyInfo>", "</x:OriginatorKeyInfo>", "",
	  FMP_EVENT_DECRYPT, NULL },
};

START_TEST(a_change_is_refused)
{
	struct fmp_inspection v;

	v = inspect_changed(changed[_i].curve, changed[_i].kdf, changed[_i].wrap, changed[_i].open,
			    changed[_i].close, changed[_i].text);
	ck_assert_msg(v.kind == changed[_i].kind, "%d: %d %s", _i, v.kind, v.detail);
	ck_assert_int_eq(v.step, FMP_STEP_DECRYPT);
	if (changed[_i].detail)
		ck_assert_str_eq(v.detail, changed[_i].detail);
	fmp_inspection_clear(&v);
}
END_TEST

/* The same values, written otherwise. */
static const struct {
	const char *kdf, *open, *close, *before, *after;
} alike[] = {
	{ "concat", "AlgorithmID=\"", "\"", " \n", " \t" },
	{ "hkdf", "<m21:KeyLength>", "<", "\n ", " " },
	{ "hkdf", "<m21:KeyLength>", "<", "0", "" },
	{ "hkdf", "<m21:Salt>", "</m21:Salt>", "<m21:Specified>", "</m21:Specified>" },
	{ "hkdf", "<m21:Salt>", "</m21:Salt>", "\n<m21:Specified>", "\n</m21:Specified>\n" },
};

static void check_is_taken(char *message, int row)
{
	struct fmp_inspector *i = inspector_of("p256");
	struct fmp_inspection v = inspect_bytes(i, message, strlen(message));

	ck_assert_msg(v.accepted, "%d: %s", row, v.detail);
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
}

START_TEST(another_writing_is_taken)
{
	char *message = read_message("p256", alike[_i].kdf, 128), text[600];
	const char *value = strstr(message, alike[_i].open);

	ck_assert_ptr_nonnull(value);
	value += strlen(alike[_i].open);
	snprintf(text, sizeof(text), "%s%.*s%s", alike[_i].before,
		 (int)(strstr(value, alike[_i].close) - value), value, alike[_i].after);
	replace_text(message, alike[_i].open, alike[_i].close, text);
	check_is_taken(message, _i);
}
END_TEST

START_TEST(a_length_in_bits_is_taken)
{
	char *message = read_message("p256", "hkdf", 128);

	replace_text(message, "<m21:KeyLength>", "<", "128");
	check_is_taken(message, 0);
}
END_TEST

/* Points: any bytes in place of the sender's. */
static void ck_point_is_refused(const char *curve, const char *open, const uint8_t *bytes, int n)
{
	char text[512];
	struct fmp_inspection v;

	EVP_EncodeBlock((unsigned char *)text, bytes, n);
	v = inspect_changed(curve, "concat", 128, open, "<", text);
	ck_assert_str_eq(v.detail, GENERIC);
	ck_assert_int_eq(v.kind, FMP_EVENT_DECRYPT);
	fmp_inspection_clear(&v);
}

START_TEST(a_point_off_the_curve)
{
	static const size_t lengths[] = { 65, 97, 133 };
	uint8_t point[133];

	for (int i = 0; i < 3; i++) {
		memset(point, 0, sizeof(point));
		point[0] = 4;
		ck_point_is_refused(curves[i], "<d11:PublicKey>", point, (int)lengths[i]);
		point[lengths[i] / 2] = point[lengths[i] - 1] = 1; /* (1, 1) */
		ck_point_is_refused(curves[i], "<d11:PublicKey>", point, (int)lengths[i]);
		memset(point + 1, 0xff, lengths[i] - 1); /* not below the prime */
		ck_point_is_refused(curves[i], "<d11:PublicKey>", point, (int)lengths[i]);
	}
}
END_TEST

/* RFC 7748, 6.1: the secret would be 0, whatever our key. */
START_TEST(a_point_of_low_order)
{
	static const uint8_t head[12] = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x6e\x03\x21";
	static const uint8_t low[][33] = {
		"",
		"\1",
		"\xe0\xeb\x7a\x7c\x3b\x41\xb8\xae\x16\x56\xe3\xfa\xf1\x9f\xc4\x6a\xda\x09\x8d\xeb"
		"\x9c\x32\xb1\xfd\x86\x62\x05\x16\x5f\x49\xb8\x00",
		"\x5f\x9c\x95\xbc\xa3\x50\x8c\x24\xb1\xd0\xb1\x55\x9c\x83\xef\x5b\x04\x44\x5c\xc4"
		"\x58\x1c\x8e\x86\xd8\x22\x4e\xdd\xd0\x9f\x11\x57",
		"\xec\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
		"\xed\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
		"\xee\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
	};

	for (size_t i = 0; i < sizeof(low) / sizeof(low[0]); i++) {
		uint8_t der[44];

		memcpy(der, head, 12);
		memcpy(der + 12, low[i], 32);
		ck_point_is_refused("x25519", "<d11:DEREncodedKeyValue>", der, 44);
	}
}
END_TEST

/* ---- keys and policies ---- */

START_TEST(a_key_of_another_kind)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCE);
	struct fmp_inspector *i = make_inspector(&cfg);
	char *text = read_message("p256", "concat", 128);
	struct fmp_inspection v = inspect_bytes(i, text, strlen(text));

	ck_assert_msg(v.kind == FMP_EVENT_UNSUPPORTED, "%s", v.detail);
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
}
END_TEST

START_TEST(a_policy_that_leaves_it_out)
{
	struct fmp_policy_algorithms rsa = FMP_ALGORITHMS_DEFAULT;
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCE);
	struct fmp_inspector *i;
	struct fmp_error err;

	rsa.key_transport = FMP_ALGORITHM_BIT(FMP_RSA_OAEP_SHA256);
	cfg.algorithms = &rsa;
	cfg.key = tests_path(FOLDER "p256.key");
	ck_assert_int_eq(fmp_inspector_new(&cfg, &i, &err), FMP_ERR_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "key-transport"));
	rsa.key_transport = FMP_ALGORITHM_BIT(FMP_KEY_ECDH_ES);
	cfg.key = tests_path("interop/vectors/pki/server.key");
	ck_assert_int_eq(fmp_inspector_new(&cfg, &i, &err), FMP_ERR_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "key-transport"));
	ck_assert_ptr_nonnull(strstr(err.file, "server.key"));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("agreement");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, messages_of_another_implementation, 0, CURVES);
	tcase_add_loop_test(tc, a_change_is_refused, 0, sizeof(changed) / sizeof(changed[0]));
	tcase_add_loop_test(tc, another_writing_is_taken, 0, sizeof(alike) / sizeof(alike[0]));
	tcase_add_test(tc, a_length_in_bits_is_taken);
	tcase_add_test(tc, a_point_off_the_curve);
	tcase_add_test(tc, a_point_of_low_order);
	tcase_add_test(tc, a_key_of_another_kind);
	tcase_add_test(tc, a_policy_that_leaves_it_out);
	return run_tcase("agreement", tc);
}
