// SPDX-License-Identifier: GPL-2.0
/* What is asked of a header is asked of what was encrypted in it, too. */
#include <libxml/tree.h>

#include "encrypted_twice.h"
#include "run.h"

#define HIDDEN(part, name, x)                                                                      \
	{                                                                                          \
		name, BCE, PART(part), BLOCKS(BLOCK(G("et", ADDRESS(name, "a", x)))), NULL, 0, "", \
			0                                                                          \
	}
static const struct encrypted_row reply_to_us =
	HIDDEN(REPLY_TO, "ReplyTo", "<wsa:Address>" WSA "/anonymous</wsa:Address>");
static const struct encrypted_row reply_to_others =
	HIDDEN(REPLY_TO, "ReplyTo", "<wsa:Address>http://192.0.2.1/</wsa:Address>");
static const struct encrypted_row action = HIDDEN(ACTION, "Action", "urn:a");

START_TEST(addresses_are_looked_at)
{
	struct fmp_inspection v = inspect_encrypted(&reply_to_us);

	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	v = inspect_encrypted(&reply_to_others);
	ck_assert_msg(!v.accepted && v.kind == FMP_EVENT_SOAP, "%s", v.detail);
	ck_assert_ptr_nonnull(strstr(v.detail, "an address of its own"));
}
END_TEST

static struct fmp_inspector *of_action[2]; /* "", "urn:a" */

static struct fmp_inspector *select_inspector(void *ctx, const char *name)
{
	return strcmp(name, "urn:a") ? of_action[0] : of_action[1];
}

/* Whose demands count is chosen by what is in the clear: what is not must not say another's. */
START_TEST(an_action_is_held_against_what_was_chosen)
{
	struct fmp_inspect_config cfg = encrypted_config(&action);
	struct attack_bytes b = make_encrypted(&action);
	struct fmp_message m = { .bytes = b.p, .len = b.len, .now_s = VECTORS_NOW };
	struct fmp_inspector *i = make_inspector(&cfg);
	struct fmp_inspection v;

	of_action[0] = i;
	of_action[1] = make_inspector(&cfg);
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	m.soap_action = "urn:b";
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(!v.accepted && strstr(v.detail, "SOAPAction and wsa:Action"), "%s", v.detail);
	m.soap_action = NULL;
	m.select_inspector = select_inspector;
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(!v.accepted && strstr(v.detail, "of another service"), "%s", v.detail);
	of_action[0] = of_action[1];
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
	fmp_inspector_free(of_action[1]);
	free(b.p);
}
END_TEST

#define OF_LABELS ADDRESS("Action", "act", "urn:fmp:orders/labels")
static const struct encrypted_row other_actions[] = {
	{ "encrypted", BCE, 0, SECRET(KEY(TO_BE("ed")), "", OF_LABELS, G("ed", ORDER)), NULL, 0, "",
	  0 },
	{ "signed, then encrypted", BCES, 0,
	  SIGNED_SECRET(KEY(TO_BE("ed")), "@G", OF_LABELS, G("ed", "@O")), NULL, 0, "", 0 },
	{ "encrypted, then signed", BCES, 0,
	  SECRET_SIGNED(KEY(TO_BE("ed")), "", OF_LABELS, G("ed", ORDER)),
	  INFO_SIGNED(G("ed", ORDER), REF("act", OF_LABELS)), 0, "", FMP_ORDER_ENCRYPT_SIGN },
	{ "encrypted, then signed, a username too", BCES, USERNAME,
	  SECRET_SIGNED(KEY(TO_BE("eu") TO_BE("ed")), G("eu", USER), OF_LABELS, G("ed", ORDER)),
	  INFO_SIGNED(G("ed", ORDER), REF("eu", G("eu", USER))), 0, "", FMP_ORDER_ENCRYPT_SIGN },
	{ "encrypted, then signed, the Action too", BCES, PART(ACTION),
	  SECRET_SIGNED(KEY(TO_BE("et") TO_BE("ed")), "", BLOCK(G("et", OF_LABELS)),
			G("ed", ORDER)),
	  INFO_SIGNED(G("ed", ORDER), REF("et", G("et", OF_LABELS))), 0, "",
	  FMP_ORDER_ENCRYPT_SIGN },
};

/* The Action says what the Body is, wherever each of them stands. */
START_TEST(an_action_is_held_against_what_was_encrypted)
{
	const struct encrypted_row *r = &other_actions[_i];
	struct fmp_inspection v = inspect_encrypted(r);

	ck_assert_msg(!v.accepted && v.kind == FMP_EVENT_SOAP &&
			      strstr(v.detail, "for another element than submitOrder"),
		      "%s: %s at %s: %s", r->name, fmp_event_kind_name(v.kind),
		      fmp_step_name(v.step), v.detail);
}
END_TEST

/* Its declaration is true of the received bytes only. */
START_TEST(utf_16_is_decrypted_as_well)
{
	static const struct encrypted_row r = { "UTF-16",
						BCE,
						USERNAME,
						"<?xml version='1.0' encoding='UTF-16'?>\n" SECRET(
							KEY(TO_BE("eu") TO_BE("ed")), G("eu", USER),
							"", G("ed", ORDER)),
						NULL,
						0,
						"",
						0 };
	struct fmp_inspect_config cfg = encrypted_config(&r);
	struct fmp_inspector *i = make_inspector(&cfg);
	struct attack_bytes b = make_encrypted(&r);
	uint8_t *wide = calloc(2, b.len + 1);
	struct fmp_inspection v;

	ck_assert_ptr_nonnull(wide);
	memcpy(wide, "\xff\xfe", 2);
	for (size_t n = 0; n < b.len; n++)
		wide[2 + 2 * n] = (uint8_t)b.p[n];
	v = inspect_bytes(i, wide, 2 * b.len + 2);
	ck_assert_msg(v.accepted, "%s", v.detail);
	ck_assert_ptr_nonnull(memmem(v.forward, v.forward_len, "M. Brandt", 9));
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
	free(wide);
	free(b.p);
}
END_TEST

static const struct encrypted_row all = {
	"all",
	BCES,
	ALL,
	SIGNED_SECRET(KEY(ALL_REFS), G("es", "@G") G("eu", USER),
		      BLOCK(G("et", TO)) BLOCK(G("em", MESSAGE_ID)), G("ed", "@O")),
	ALL_INFO,
	0,
	"",
	0
};
static const struct encrypted_row username = {
	"username", BCE,
	USERNAME,   SECRET(KEY(TO_BE("eu") TO_BE("ed")), G("eu", USER), "", G("ed", ORDER)),
	NULL,	    0,
	"",	    0
};

static const struct encrypted_row later = {
	"later",
	BCES,
	USERNAME | PART(TO) | PART(MESSAGE_ID),
	SECRET_SIGNED(KEY(TO_BE("eu") TO_BE("ed") TO_BE("et") TO_BE("em")), G("eu", USER),
		      BLOCK(G("et", TO)) BLOCK(G("em", MESSAGE_ID)), G("ed", ORDER)),
	INFO_SIGNED(G("ed", ORDER),
		    REF("eu", G("eu", USER)) REF("em", G("em", MESSAGE_ID)) REF("et", G("et", TO))),
	0,
	"",
	FMP_ORDER_ENCRYPT_SIGN
};

static const struct encrypted_row twice = TWICE_ALL(GK);

START_TEST(who_asked_is_known)
{
	const struct encrypted_row *r =
		(const struct encrypted_row *[]){ &all, &later, &twice }[_i];
	struct fmp_inspect_config cfg = encrypted_config(r);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.tree = cfg.reply_context = true;
	i = make_inspector(&cfg);
	v = inspect_encrypted_with(i, r);
	ck_assert_msg(v.accepted, "%s", v.detail);
	ck_assert_str_eq(v.reply_context.message_id, "urn:uuid:1");
	ck_assert_str_eq(v.tree.user, "jane");
	ck_assert(v.tree.is_signed);
	/* A block that was encrypted, then signed is not in the output. */
	ck_assert(!v.tree.header[FMP_PART_TO] == (_i > 0));
	ck_assert(_i == 0 || v.tree.body->parent->children == v.tree.body);
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
}
END_TEST

/* By the signature, and by the user's nonce. */
START_TEST(a_copy_is_refused)
{
	struct encrypted_row rows[] = { username, all, later, twice };

	for (int n = 0; n < COUNT(rows); n++) {
		struct fmp_inspect_config cfg = encrypted_config(&rows[n]);
		struct fmp_inspector *i;
		struct fmp_inspection v;

		cfg.replay_entries = cfg.replay_per_signer = 16;
		i = make_inspector(&cfg);
		v = inspect_encrypted_with(i, &rows[n]);
		ck_assert_msg(v.accepted, "%s", v.detail);
		fmp_inspection_clear(&v);
		v = inspect_encrypted_with(i, &rows[n]);
		ck_assert_msg(v.kind == FMP_EVENT_REPLAY, "%s: %s", rows[n].name, v.detail);
		fmp_inspector_free(i);
	}
}
END_TEST

/* What must be signed is, in whichever order. */
START_TEST(what_is_encrypted_can_be_required_signed)
{
	struct encrypted_row rows[] = { all, later, twice };

	for (int n = 0; n < COUNT(rows); n++) {
		struct fmp_inspect_config cfg = encrypted_config(&rows[n]);
		struct fmp_inspector *i;
		struct fmp_inspection v;

		cfg.require_signed = FMP_PART_BIT(FMP_PART_TO) | FMP_PART_BIT(FMP_PART_MESSAGE_ID);
		i = make_inspector(&cfg);
		v = inspect_encrypted_with(i, &rows[n]);
		ck_assert_msg(v.accepted, "%s: %s", rows[n].name, v.detail);
		fmp_inspection_clear(&v);
		fmp_inspector_free(i);

		cfg.require_signed |= FMP_PART_BIT(FMP_PART_ACTION);
		i = make_inspector(&cfg);
		v = inspect_encrypted_with(i, &rows[n]);
		ck_assert_msg(strstr(v.detail, "no Action of WS-Addressing"), "%s", v.detail);
		fmp_inspector_free(i);
	}
}
END_TEST

START_TEST(contradictions_are_no_inspector)
{
	static const struct encrypted_row rows[] = {
		{ .security = FMP_SECURITY_BCS, .encrypted = PART(TO) },
		{ .security = BCE, .encrypted = SIGNATURE },
		{ .security = BCES, .encrypted = SIGNATURE, .order = FMP_ORDER_ENCRYPT_SIGN },
		{ .security = BCES, .encrypted = 1u << FMP_ENCRYPTED_PARTS },
		{ .security = BCES, .encrypted = PART(TO), .order = TWICE },
		{ .security = BCES, .order = TWICE },
	};

	for (int n = 0; n < COUNT(rows); n++) {
		struct fmp_inspect_config cfg = encrypted_config(&rows[n]);
		struct fmp_inspector *i;
		struct fmp_error err;

		ck_assert_int_eq(fmp_inspector_new(&cfg, &i, &err), FMP_ERR_INVALID);
		ck_assert_ptr_nonnull(strstr(err.message, rows[n].order == TWICE
								  ? "nothing is encrypted behind"
								  : "can't be encrypted"));
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("header");

	tcase_set_timeout(tc, 60);
	tcase_add_unchecked_fixture(tc, encrypted_setup, encrypted_teardown);
	tcase_add_test(tc, addresses_are_looked_at);
	tcase_add_test(tc, an_action_is_held_against_what_was_chosen);
	tcase_add_loop_test(tc, an_action_is_held_against_what_was_encrypted, 0,
			    COUNT(other_actions));
	tcase_add_test(tc, utf_16_is_decrypted_as_well);
	tcase_add_loop_test(tc, who_asked_is_known, 0, 3);
	tcase_add_test(tc, a_copy_is_refused);
	tcase_add_test(tc, what_is_encrypted_can_be_required_signed);
	tcase_add_test(tc, contradictions_are_no_inspector);
	return run_tcase("encrypted_header", tc);
}
