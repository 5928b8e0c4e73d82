// SPDX-License-Identifier: GPL-2.0
/*
 * Invariant 9: what is processed is exactly what was signed. Good messages are
 * changed byte by byte; the output of one that is still accepted must be that of
 * the unchanged one.
 */
#include "run.h"
#include "vectors.h"

/* Inspections per message: bounds the time, not the positions (they are spread). */
#define FLIPS 900

static struct fmp_inspector *inspector;

static struct fmp_inspection reference;

static unsigned still_accepted;

static void check_output(const char *what, const char *file, size_t at, const char *p, size_t n)
{
	struct fmp_inspection v = inspect_bytes(inspector, p, n);

	if (v.accepted) {
		still_accepted++;
		ck_assert_msg(v.forward_len == reference.forward_len &&
				      memcmp(v.forward, reference.forward, v.forward_len) == 0,
			      "%s: %s at byte %zu changed the output: %.*s", file, what, at,
			      (int)v.forward_len, (const char *)v.forward);
	}
	fmp_inspection_clear(&v);
}

static void tamper_with_file(const char *file, enum fmp_security security)
{
	struct bytes b = read_vector(file);
	size_t step;
	char *p;

	inspector = inspector_for(file, security);
	reference = inspect_bytes(inspector, b.p, b.len);
	ck_assert_msg(reference.accepted, "%s: %s", file, reference.detail);
	still_accepted = 0;
	step = b.len / FLIPS + 1;
	p = malloc(b.len + 1);
	ck_assert_ptr_nonnull(p);
	for (size_t at = 0; at < b.len; at += step) {
		memcpy(p, b.p, b.len);
		p[at] ^= 1 << (at / step % 7);
		check_output("a flip", file, at, p, b.len);

		memmove(p + at, b.p + at + 1, b.len - at - 1);
		check_output("a deletion", file, at, p, b.len - 1);
	}
	/* Much of a header may change without harm: a test that never sees that flips too little. */
	ck_assert_uint_gt(still_accepted, 0);
	fmp_inspection_clear(&reference);
	fmp_inspector_free(inspector);
	free(p);
	free(b.p);
}

static const struct {
	const char *file;
	enum fmp_security security;
} signed_messages[] = {
	{ "good/wss4j-rsa2048-1k.xml", FMP_SECURITY_BCS },
	{ "good/gsoap-rsa2048-1k.xml", FMP_SECURITY_BCS },
	{ "good/zeep-ec256-1k.xml", FMP_SECURITY_BCS },
	{ "good/comment-in-body.xml", FMP_SECURITY_BCS },
	{ "good/wss4j-sign-then-enc-1k.xml", FMP_SECURITY_BCES },
	{ "good/wss4j-enc-then-sign-1k.xml", FMP_SECURITY_BCES },
};

START_TEST(invariant_9_changed_messages_change_nothing)
{
	tamper_with_file(signed_messages[_i].file, signed_messages[_i].security);
}
END_TEST

/* Parts that are signed as they stand: no change of a letter in them is accepted. */
START_TEST(invariant_9_signed_parts_can_not_change)
{
	static const char *const parts[][2] = {
		{ "<submitOrder", "</soapenv:Body>" },
		{ "<wsu:Created>", "</wsu:Timestamp>" },
		{ "<ds:SignedInfo>", "</ds:SignedInfo>" },
		{ "<ds:SignatureValue>", "</ds:SignatureValue>" },
	};
	struct bytes b = read_vector("good/wss4j-rsa2048-1k.xml");
	unsigned flips = 0;

	inspector = vector_inspector(FMP_SECURITY_BCS);
	for (unsigned i = 0; i < 4; i++) {
		char *from = memmem(b.p, b.len, parts[i][0], strlen(parts[i][0]));
		char *to = memmem(b.p, b.len, parts[i][1], strlen(parts[i][1]));

		ck_assert(from && to && from < to);
		for (char *p = from; p < to; p += 2, flips++) {
			struct fmp_inspection v;

			*p ^= 1;
			v = inspect_bytes(inspector, b.p, b.len);
			ck_assert_msg(!v.accepted, "%s: byte %td", parts[i][0], p - from);
			*p ^= 1;
		}
	}
	ck_assert_uint_gt(flips, 800);
	fmp_inspector_free(inspector);
	free(b.p);
}
END_TEST

/* AES-GCM notices every changed bit; the answer never says where. */
START_TEST(changed_cipher_text_never_decrypts)
{
	struct bytes b = read_vector("good/wss4j-enc-gcm256-oaep256-1k.xml");
	char *p = memmem(b.p, b.len, "<soapenv:Body", 13);
	char first[160] = "";
	size_t n;

	inspector = vector_inspector(FMP_SECURITY_BCE);
	p = strstr(p, "<xenc:CipherValue>") + 18;
	n = strcspn(p, "<");
	for (size_t i = 0; i < n; i += 7) {
		char kept = p[i];
		struct fmp_inspection v;

		p[i] = kept == 'A' ? 'B' : 'A';
		v = inspect_bytes(inspector, b.p, b.len);
		ck_assert(!v.accepted && v.kind == FMP_EVENT_DECRYPT);
		ck_assert_int_eq(v.line, 0);
		if (!first[0])
			strcpy(first, v.detail);
		ck_assert_str_eq(v.detail, first);
		p[i] = kept;
	}
	fmp_inspector_free(inspector);
	free(b.p);
}
END_TEST

/* CBC does not: whatever comes of a change, from padding to schema, has one answer. */
START_TEST(changed_cbc_has_one_answer)
{
	struct bytes b = read_vector("good/wss4j-enc-cbc256-1k.xml");
	char *key = strstr(b.p, "<xenc:CipherValue>") + 18;
	char *data = strstr(key, "<xenc:CipherValue>") + 18;
	char *const parts[] = { key, data };
	unsigned refused = 0;

	inspector = inspector_for("good/wss4j-enc-cbc256-1k.xml", FMP_SECURITY_BCE);
	for (unsigned k = 0; k < 2; k++) {
		size_t n = strcspn(parts[k], "<");

		for (size_t i = 0; i < n; i += 5) {
			char kept = parts[k][i];
			struct fmp_inspection v;

			parts[k][i] = kept == 'A' ? 'B' : 'A';
			v = inspect_bytes(inspector, b.p, b.len);
			if (!v.accepted) {
				refused++;
				ck_assert_int_eq(v.step, FMP_STEP_DECRYPT);
				ck_assert_int_eq(v.kind, FMP_EVENT_DECRYPT);
				ck_assert_int_eq(v.line, 0);
				ck_assert_str_eq(v.detail, "the message does not decrypt");
			}
			fmp_inspection_clear(&v);
			parts[k][i] = kept;
		}
	}
	ck_assert_uint_gt(refused, 200);
	fmp_inspector_free(inspector);
	free(b.p);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("tamper");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, invariant_9_changed_messages_change_nothing, 0,
			    sizeof(signed_messages) / sizeof(signed_messages[0]));
	tcase_add_test(tc, invariant_9_signed_parts_can_not_change);
	tcase_add_test(tc, changed_cipher_text_never_decrypts);
	tcase_add_test(tc, changed_cbc_has_one_answer);
	return run_tcase("tamper", tc);
}
