// SPDX-License-Identifier: GPL-2.0
/*
 * What is encrypted beside the Body: a UsernameToken, the Signature, header blocks. Each must
 * be where the policy demands it and be what the policy demands, one element, and nothing in
 * the message may be encrypted but that.
 */
#include "encrypted_rows.h"
#include "encrypted_twice.h"
#include "run.h"
#include "work.h"

#define ACCEPTED_ROWS (COUNT(accepted) + COUNT(accepted_twice))
#define REFUSED_ROWS  (COUNT(refused_once) + COUNT(refused_twice))

static const struct encrypted_row *accepted_row(int n)
{
	return n < COUNT(accepted) ? &accepted[n] : &accepted_twice[n - COUNT(accepted)];
}

static const struct encrypted_row *refused_row(int n)
{
	return n < COUNT(refused_once) ? &refused_once[n] : &refused_twice[n - COUNT(refused_once)];
}

START_TEST(what_is_demanded_is_accepted)
{
	const struct encrypted_row *r = accepted_row(_i);
	struct fmp_inspect_config cfg = encrypted_config(r);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.headers = FMP_HEADERS_STRIP;
	i = make_inspector(&cfg);
	v = inspect_encrypted_with(i, r);
	fmp_inspector_free(i);
	ck_assert_msg(v.accepted, "%s: %s: %s", r->name, fmp_step_name(v.step), v.detail);
	ck_assert_ptr_nonnull(memmem(v.forward, v.forward_len, "ABC-000001", 10));
	ck_assert_ptr_null(memmem(v.forward, v.forward_len, "Header", 6));
	ck_assert_ptr_null(memmem(v.forward, v.forward_len, "Encrypted", 9));
	ck_assert_ptr_null(memmem(v.forward, v.forward_len, "secret", 6));
	fmp_inspection_clear(&v);
}
END_TEST

/* That it stood encrypted makes it no less the signer's. */
START_TEST(a_message_id_is_known)
{
	const struct encrypted_row *r = accepted_row(_i);
	struct fmp_inspect_config cfg = encrypted_config(r);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	if (!(r->encrypted & PART(MESSAGE_ID)))
		return;
	cfg.reply_context = true;
	i = make_inspector(&cfg);
	v = inspect_encrypted_with(i, r);
	ck_assert_msg(v.accepted, "%s: %s", r->name, v.detail);
	ck_assert_msg(strcmp(v.reply_context.message_id, "urn:uuid:1") == 0, "%s: \"%s\"", r->name,
		      v.reply_context.message_id);
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
}
END_TEST

START_TEST(what_is_not_demanded_is_refused)
{
	const struct encrypted_row *r = refused_row(_i);
	struct fmp_inspection v = inspect_encrypted(r);

	ck_assert_msg(!v.accepted && v.kind == r->kind && strstr(v.detail, r->words),
		      "%s: %s at %s: %s", r->name, fmp_event_kind_name(v.kind),
		      fmp_step_name(v.step), v.detail);
	ck_assert(!v.forward && !v.tree.doc);
}
END_TEST

static const struct encrypted_row cheap[] = {
	{ "a Timestamp of last hour", BCES, SIGNATURE,
	  OPEN HEADER(SECURITY(
		  KEY(TO_BE("es") TO_BE("ed")) "@K<wsu:Timestamp xmlns:wsu='" WSU
					       "'><wsu:Created>@P</wsu:Created><wsu:Expires>@P"
					       "</wsu:Expires></wsu:Timestamp>" G("es", "@G")))
		  SIGNED_BODY("body", G("ed", "@O")) CLOSE,
	  NULL, FMP_EVENT_TIMESTAMP, "", 0 },
	{ "no Timestamp", BCES, SIGNATURE,
	  OPEN HEADER(SECURITY(KEY(TO_BE("es") TO_BE("ed")) "@K" G("es", "@G")))
		  SIGNED_BODY("body", G("ed", "@O")) CLOSE,
	  NULL, FMP_EVENT_TIMESTAMP, "no Timestamp", 0 },
	{ "no signature beside a username", BCES, USERNAME,
	  SIGNED_SECRET(KEY(TO_BE("eu") TO_BE("ed")), G("eu", USER), "", G("ed", "@O")), NULL,
	  FMP_EVENT_UNSIGNED, "no Signature in the Security header", 0 },
};

/* What can be told before the key is used is told before. */
START_TEST(cheap_things_come_first)
{
	const struct encrypted_row *r = &cheap[_i];
	struct fmp_inspection v;

	memset(&work, 0, sizeof(work));
	v = inspect_encrypted(r);
	ck_assert_msg(!v.accepted && v.kind == r->kind && strstr(v.detail, r->words),
		      "%s: %s at %s: %s", r->name, fmp_event_kind_name(v.kind),
		      fmp_step_name(v.step), v.detail);
	ck_assert_uint_eq(work.private_operations, 0);
}
END_TEST

/* ---- behind the key ---- */

START_TEST(the_key_is_used_once_for_two_lists)
{
	const struct encrypted_row *r = &signed_well[_i];
	struct fmp_inspection v;

	memset(&work, 0, sizeof(work));
	v = inspect_encrypted(r);
	ck_assert_msg(!v.accepted && v.kind == r->kind && strstr(v.detail, r->words), "%s: %s: %s",
		      r->name, fmp_event_kind_name(v.kind), v.detail);
	ck_assert_int_eq(v.step, FMP_STEP_DECRYPT);
	ck_assert(work.private_operations == 1 && work.parses == 2);
}
END_TEST

static char *edit_text(char *text, const char *from, const char *to)
{
	char *at, *out;

	while ((at = strstr(text, from))) {
		ck_assert_int_gt(asprintf(&out, "%.*s%s%s", (int)(at - text), text, to,
					  at + strlen(from)),
				 0);
		free(text);
		text = out;
	}
	return text;
}

static char *as_cbc(const char *text)
{
	return edit_text(edit_text(edit_text(strdup(text), "@{", "@<"), "@}", "@>"), GCM, CBC);
}

/* The same message under CBC. */
static struct fmp_inspection look_cbc(const struct encrypted_row *r)
{
	char *text = as_cbc(r->text), *info = r->info ? as_cbc(r->info) : NULL;
	struct encrypted_row cbc = *r;
	struct fmp_inspection v;

	cbc.text = text;
	cbc.info = info;
	v = inspect_encrypted(&cbc);
	free(text);
	free(info);
	return v;
}

static void is_generic(const struct encrypted_row *r, const struct fmp_inspection *v)
{
	ck_assert_msg(!v->accepted && v->kind == FMP_EVENT_DECRYPT && v->line == 0 &&
			      !strcmp(v->detail, "the message does not decrypt"),
		      "%s: %s", r->name, v->detail);
	ck_assert_int_eq(v->step, FMP_STEP_DECRYPT);
}

START_TEST(of_cbc_there_is_one_answer)
{
	unsigned behind = 0;

	for (int n = 0; n < REFUSED_ROWS; n++) {
		const struct encrypted_row *r = refused_row(n);
		struct fmp_inspection v;

		memset(&work, 0, sizeof(work));
		inspect_encrypted(r);
		if (!work.private_operations)
			continue;
		behind++;
		ck_assert_msg(work.private_operations == 1, "%s: %u", r->name,
			      work.private_operations);
		memset(&work, 0, sizeof(work));
		v = look_cbc(r);
		is_generic(r, &v);
		ck_assert_msg(work.private_operations == 1, "%s: %u", r->name,
			      work.private_operations);
	}
	ck_assert_uint_gt(behind, 30);
}
END_TEST

/* A letter of the n-th CipherValue, 0 that of the key, becomes another. */
static void damage_bytes(struct attack_bytes *b, unsigned n)
{
	char *at = b->p;

	for (unsigned i = 0; i <= n; i++)
		at = strstr(at + 1, "<xenc:CipherValue>");
	at += strlen("<xenc:CipherValue>") + 40;
	*at = *at == 'A' ? 'B' : 'A';
}

/*
 * Whatever part of all it is that does not decrypt, and whichever the cipher. Where the signature
 * is in one of them what is encrypted inside it is not deciphered before that holds.
 */
START_TEST(failures_do_the_same_work)
{
	static const struct encrypted_row rows[] = { ACCEPTED(G), ACCEPTED(C) };
	static const struct encrypted_row twice[] = { TWICE_ALL(GK), TWICE_ALL(CK) };
	const struct encrypted_row *r = _i > 1 ? &twice[_i - 2]
					: _i   ? &rows[COUNT(rows) - 2]
					       : &rows[COUNT(rows) / 2 - 2];
	struct fmp_inspect_config cfg = encrypted_config(r);
	struct fmp_inspector *i = make_inspector(&cfg);
	struct attack_bytes b = make_encrypted(r);
	struct fmp_inspection v;
	struct work good;

	ck_assert_str_eq(r->name, _i > 1 ? "all, in two lists" : "all");
	memset(&work, 0, sizeof(work));
	v = inspect_bytes(i, b.p, b.len);
	good = work;
	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	ck_assert(good.private_operations == 1 && good.parses == (_i > 1 ? 2 : 1));
	for (unsigned n = 0; n < 6; n++) {
		damage_bytes(&b, n);
		memset(&work, 0, sizeof(work));
		v = inspect_bytes(i, b.p, b.len);
		if (_i == 2)
			ck_assert(!v.accepted && v.step == FMP_STEP_DECRYPT);
		else
			is_generic(r, &v);
		ck_assert_uint_eq(work.private_operations, 1);
		if (_i > 1) {
			ck_assert_uint_lt(work.deciphered, good.deciphered);
		} else {
			ck_assert_uint_eq(work.deciphered, good.deciphered);
			ck_assert_uint_eq(work.parses, 0);
		}
		free(b.p);
		b = make_encrypted(r);
	}
	free(b.p);
	fmp_inspector_free(i);
}
END_TEST

/* Where what was signed is encrypted still, the SignatureValue is not: it is looked at first. */
START_TEST(a_value_that_is_seen_counts_first)
{
	static const struct encrypted_row rows[] = { ACCEPTED(G), TWICE_ALL(GK) };
	unsigned seen = 0;

	for (int n = 0; n < COUNT(rows); n++) {
		const struct encrypted_row *r = &rows[n];
		struct fmp_inspect_config cfg = encrypted_config(r);
		struct fmp_inspector *i;
		struct attack_bytes b;
		struct fmp_inspection v;
		char *at;

		if (r->security != BCES || r->encrypted & SIGNATURE)
			continue;
		seen++;
		b = make_encrypted(r);
		at = strstr(b.p, "SignatureValue>");
		ck_assert_ptr_nonnull(at);
		at += 20;
		*at = *at == 'A' ? 'B' : 'A';
		i = make_inspector(&cfg);
		memset(&work, 0, sizeof(work));
		v = inspect_bytes(i, b.p, b.len);
		ck_assert_msg(!v.accepted && v.kind == FMP_EVENT_SIGNATURE, "%s: %s", r->name,
			      v.detail);
		ck_assert_uint_eq(work.private_operations, 0);
		fmp_inspector_free(i);
		free(b.p);
	}
	ck_assert_uint_gt(seen, 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("encrypted");

	tcase_set_timeout(tc, 60);
	tcase_add_unchecked_fixture(tc, encrypted_setup, encrypted_teardown);
	tcase_add_loop_test(tc, what_is_demanded_is_accepted, 0, ACCEPTED_ROWS);
	tcase_add_loop_test(tc, a_message_id_is_known, 0, ACCEPTED_ROWS);
	tcase_add_loop_test(tc, what_is_not_demanded_is_refused, 0, REFUSED_ROWS);
	tcase_add_loop_test(tc, cheap_things_come_first, 0, COUNT(cheap));
	tcase_add_test(tc, of_cbc_there_is_one_answer);
	tcase_add_test(tc, a_value_that_is_seen_counts_first);
	tcase_add_loop_test(tc, the_key_is_used_once_for_two_lists, 0, COUNT(signed_well));
	tcase_add_loop_test(tc, failures_do_the_same_work, 0, 4);
	return run_tcase("encrypted", tc);
}
