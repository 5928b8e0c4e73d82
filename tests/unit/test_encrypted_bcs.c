// SPDX-License-Identifier: GPL-2.0
/* BcS with a key: what the sender encrypted of the header is decrypted, and then is as if it had come in the clear. */
#include <libxml/tree.h>
#include <openssl/evp.h>

#include "encrypted_messages.h"
#include "run.h"

#define BCS  FMP_SECURITY_BCS
#define GOOD FMP_EVENT_GOOD

/* Signed first. */
#define CLEAR(parts, blocks) OPEN HEADER(SECURITY(parts) blocks) "@B" CLOSE
#define WITH_USER(key, user) CLEAR(key "@K@T" user "@G", "")
#define USER_SIGNED	     INFO(REF("user", USER))
#define TO_US		     ADDRESS("To", "to", "urn:here")
#define OTHER_USER	     USER_OF("mallory", "")
#define HIDDEN_KEY	     KEY(TO_BE("eu"))
#define ACTION(x)	     ADDRESS("Action", "act", x)
#define ORDER_ACTION	     "urn:fmp:orders/submitOrder"

/* users: the policy has some */
static const struct row {
	const char *name;
	bool users;
	const char *text, *info;
	enum fmp_event_kind kind;
	const char *words;
} rows[] = {
	{ "a username", true, WITH_USER(HIDDEN_KEY, G("eu", USER)), USER_SIGNED, GOOD, "" },
	{ "under CBC", true, WITH_USER(HIDDEN_KEY, C("eu", USER)), USER_SIGNED, GOOD, "" },
	{ "behind the signature", true, CLEAR(HIDDEN_KEY "@K@T@G" G("eu", USER), ""), USER_SIGNED,
	  GOOD, "" },
	{ "with a list beside the key", true,
	  WITH_USER(KEY_WITH("") LIST(TO_BE("eu")), GK("eu", USER)), USER_SIGNED, GOOD, "" },
	{ "with white space around it", true, WITH_USER(HIDDEN_KEY, G("eu", "\n" USER " ")),
	  USER_SIGNED, GOOD, "" },
	{ "a signature", false, CLEAR(KEY(TO_BE("es")) "@K@T" G("es", "@G"), ""), NULL, GOOD, "" },
	{ "a signature and a username", true,
	  CLEAR(KEY(TO_BE("eu") TO_BE("es")) "@K@T" G("eu", USER) G("es", "@G"), ""), USER_SIGNED,
	  GOOD, "" },
	{ "a block", false, CLEAR(KEY(TO_BE("et")) "@K@T@G", BLOCK(G("et", TO_US))),
	  INFO(REF("to", TO_US)), GOOD, "" },
	{ "a block in front of the Security header", false,
	  OPEN HEADER("<o/>" BLOCK(G("et", TO_US)) "<o/>" SECURITY(
		  KEY(TO_BE("et")) "@K@T@G")) "@B" CLOSE,
	  INFO(REF("to", TO_US)), GOOD, "" },
	{ "a block of an application", false,
	  CLEAR(KEY(TO_BE("et")) "@K@T@G", BLOCK(G("et", "<a:a xmlns:a='urn:a'/>"))), NULL, GOOD,
	  "" },
	{ "an action that is of the Body", false,
	  CLEAR(KEY(TO_BE("ea")) "@K@T@G", BLOCK(G("ea", ACTION(ORDER_ACTION)))),
	  INFO(REF("act", ACTION(ORDER_ACTION))), GOOD, "" },
	{ "an action that is not", false,
	  CLEAR(KEY(TO_BE("ea")) "@K@T@G", BLOCK(G("ea", ACTION("urn:fmp:orders/labels")))),
	  INFO(REF("act", ACTION("urn:fmp:orders/labels"))), FMP_EVENT_SOAP,
	  "for another element than submitOrder" },
	{ "a block that must be understood", false,
	  CLEAR(KEY(TO_BE("et")) "@K@T@G",
		BLOCK(G("et", "<a:a xmlns:a='urn:a' soapenv:mustUnderstand='1'/>"))),
	  NULL, FMP_EVENT_UNSUPPORTED, "must be understood" },
	{ "an address of its own", false,
	  CLEAR(KEY(TO_BE("et")) "@K@T@G",
		BLOCK(G("et",
			ADDRESS("ReplyTo", "to", "<wsa:Address>http://192.0.2.1/</wsa:Address>")))),
	  NULL, FMP_EVENT_SOAP, "an address of its own" },
	/* What is asked of the message in the clear. */
	{ "a username that nothing asks for", false, WITH_USER(HIDDEN_KEY, G("eu", USER)),
	  USER_SIGNED, FMP_EVENT_UNSUPPORTED, "no users are known here" },
	{ "no username", true, CLEAR(KEY(TO_BE("es")) "@K@T" G("es", "@G"), ""), NULL,
	  FMP_EVENT_TOKEN, "no UsernameToken" },
	{ "a username that is not signed", true, WITH_USER(HIDDEN_KEY, G("eu", USER)), NULL,
	  FMP_EVENT_UNSIGNED, "the UsernameToken is not signed" },
	{ "another username than was signed", true, WITH_USER(HIDDEN_KEY, G("eu", OTHER_USER)),
	  USER_SIGNED, FMP_EVENT_TOKEN, "" },
	{ "two usernames", true, WITH_USER(HIDDEN_KEY, USER G("eu", USER)), USER_SIGNED,
	  FMP_EVENT_WRAPPING, "more than one UsernameToken" },
	{ "no signature", true, CLEAR(HIDDEN_KEY "@K@T" G("eu", USER), ""), NULL,
	  FMP_EVENT_UNSIGNED, "no Signature" },
	{ "a second signature", false, CLEAR(KEY(TO_BE("es")) "@K@T@G" G("es", "@G"), ""), NULL,
	  FMP_EVENT_WRAPPING, "more than one Signature" },
	{ "a second Timestamp", false, CLEAR(KEY(TO_BE("es")) "@K@T@G" G("es", "@T"), ""), NULL,
	  FMP_EVENT_WRAPPING, "more than one Timestamp" },
	{ "a Security header as a block", false,
	  CLEAR(KEY(TO_BE("es")) "@K@T@G", BLOCK(G("es", SECURITY("@T@G")))), NULL,
	  FMP_EVENT_WRAPPING, "more than one Security" },
	/* Plaintext that is not one element. */
	{ "two elements", true, WITH_USER(HIDDEN_KEY, G("eu", USER "<a/>")), USER_SIGNED,
	  FMP_EVENT_WRAPPING, "more than one element" },
	{ "text", true, WITH_USER(HIDDEN_KEY, G("eu", "jane")), USER_SIGNED, FMP_EVENT_WRAPPING,
	  "" },
	{ "nothing", true, WITH_USER(HIDDEN_KEY, G("eu", " ")), USER_SIGNED, FMP_EVENT_WRAPPING,
	  "" },
	{ "half of one", true,
	  CLEAR(KEY(TO_BE("eu") TO_BE("ev")) "@K@T" G("eu", "<a>") G("ev", "</a>") "@G", ""),
	  USER_SIGNED, FMP_EVENT_WRAPPING, "" },
	{ "the end of the Security header", true,
	  WITH_USER(HIDDEN_KEY,
		    G("eu", "</wsse:Security><wsse:Security xmlns:wsse='" WSSE "'>" USER)),
	  USER_SIGNED, FMP_EVENT_WRAPPING, "" },
	{ "a comment that goes on", true,
	  CLEAR(KEY(TO_BE("eu") TO_BE("ev")) "@K@T" G("eu", USER "<!--") G("ev", "--><a/>") "@G",
		""),
	  USER_SIGNED, FMP_EVENT_WRAPPING, "" },
	{ "what is encrypted again", true, WITH_USER(HIDDEN_KEY, G("eu", G("ev", USER))),
	  USER_SIGNED, FMP_EVENT_UNSUPPORTED, "EncryptedData is not supported" },
	/* The key. */
	{ "another key", true,
	  WITH_USER("<xenc:EncryptedKey xmlns:xenc='" XENC
		    "'><xenc:EncryptionMethod Algorithm='" XENC
		    "rsa-oaep-mgf1p'/><xenc:CipherData><xenc:CipherValue>AAAA</xenc:CipherValue>"
		    "</xenc:CipherData></xenc:EncryptedKey>",
		    G("eu", USER)),
	  USER_SIGNED, FMP_EVENT_DECRYPT, "does not decrypt" },
	{ "no key", true, WITH_USER("", G("eu", USER)), USER_SIGNED, FMP_EVENT_UNSUPPORTED,
	  "not for an EncryptedKey" },
	{ "a key of something else", true, WITH_USER(KEY(TO_BE("ev")), G("eu", USER)), USER_SIGNED,
	  FMP_EVENT_WRAPPING, "" },
	{ "four parts", true,
	  WITH_USER(KEY(TO_BE("eu") TO_BE("e2") TO_BE("e3") TO_BE("e4")),
		    G("eu", USER) G("e2", "<a/>") G("e3", "<a/>") G("e4", "<a/>")),
	  USER_SIGNED, FMP_EVENT_UNSUPPORTED, "more than 3" },
	/* Encrypted first. */
	{ "a signature of cipher text", true, CLEAR("@K@T@G" HIDDEN_KEY G("eu", USER), ""),
	  INFO(REF("eu", G("eu", USER))), FMP_EVENT_UNSUPPORTED, "sign first" },
};

static struct fmp_inspect_config row_config(const struct row *r)
{
	struct fmp_inspect_config cfg = vector_config(BCS);

	cfg.trust = encrypted_ca;
	cfg.password_text = true;
	cfg.passwords = r->users ? encrypted_users : NULL;
	if (strstr(r->text, CBC))
		cfg.algorithms = vector_cbc();
	return cfg;
}

static struct attack_bytes make_row(const struct row *r)
{
	struct attack a = { .variant = r->name, .text = r->text, .info = r->info };

	return attack_make(pki, &a);
}

static void inspect_row(const struct row *r, bool xmlsec_only)
{
	struct fmp_inspect_config cfg = row_config(r);
	struct attack_bytes b = make_row(r);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.xmlsec_only = xmlsec_only;
	cfg.replay_entries = 16;
	cfg.replay_per_signer = 16;
	cfg.message_ms = 1000;
	i = make_inspector(&cfg);
	v = inspect_bytes(i, b.p, b.len);
	ck_assert_msg(v.kind == r->kind && v.accepted == (r->kind == FMP_EVENT_GOOD) &&
			      strstr(v.detail, r->words),
		      "%s: %s at %s: %s", r->name, fmp_event_kind_name(v.kind),
		      fmp_step_name(v.step), v.detail);
	if (v.accepted) {
		ck_assert_ptr_null(memmem(v.forward, v.forward_len, "EncryptedData", 13));
		ck_assert_ptr_nonnull(memmem(v.forward, v.forward_len, "submitOrder", 11));
		fmp_inspection_clear(&v);
		v = inspect_bytes(i, b.p, b.len);
		ck_assert_msg(v.kind == FMP_EVENT_REPLAY, "%s: %s", r->name, v.detail);
	}
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
	free(b.p);
}

START_TEST(what_was_encrypted_is_as_if_in_the_clear)
{
	inspect_row(&rows[_i], false);
	inspect_row(&rows[_i], true);
}
END_TEST

/* ---- MTOM: the cipher text is in parts ---- */

#define PARTS  2
#define CID(n) "<xop:Include xmlns:xop=\"" XOP "\" href=\"cid:" n "\"/>"
#define VALUE  "<xenc:CipherValue>"

/* Move the text of the last CipherValue before @end to a part. Return: where it stood. */
static size_t move_to_part(struct attack_bytes *b, size_t end, struct fmp_attachment *part,
			   const char *include)
{
	size_t at = 0, from, n, len = strlen(include);
	char *p, *next;

	for (next = b->p;
	     (next = memmem(next, end - (size_t)(next - (char *)b->p), VALUE, strlen(VALUE)));)
		at = (size_t)((next += strlen(VALUE)) - (char *)b->p);
	from = (size_t)((char *)memchr((char *)b->p + at, '<', b->len - at) - (char *)b->p);
	n = from - at;
	p = malloc(n + 1);
	ck_assert_ptr_nonnull(p);
	part->len = (size_t)EVP_DecodeBlock((uint8_t *)p, (uint8_t *)b->p + at, (int)n);
	for (size_t k = from; ((char *)b->p)[--k] == '=';)
		part->len--;
	part->own = p;
	part->bytes = p;
	p = malloc(b->len + len);
	ck_assert_ptr_nonnull(p);
	memcpy(p, b->p, at);
	memcpy(p + at, include, len);
	memcpy(p + at + len, (char *)b->p + from, b->len - from);
	b->len = at + len + b->len - from;
	free(b->p);
	b->p = p;
	return at - strlen(VALUE);
}

START_TEST(cipher_text_may_be_in_parts)
{
	const struct row both = {
		"both",
		true,
		CLEAR(KEY(TO_BE("eu") TO_BE("es")) "@K@T" G("eu", USER) G("es", "@G"), ""),
		USER_SIGNED,
		GOOD,
		""
	};
	struct fmp_inspect_config cfg = row_config(&both);
	struct attack_bytes b = make_row(&both);
	struct fmp_attachment part[PARTS] = { { .id = "a", .header = "" },
					      { .id = "b", .header = "" } };
	struct fmp_attachments a = { .part = part, .n = PARTS, .xop = true };
	struct fmp_message m = { .now_s = VECTORS_NOW, .attachments = &a };
	struct fmp_inspector *i = make_inspector(&cfg);
	struct fmp_inspection v;

	move_to_part(&b, move_to_part(&b, b.len, &part[1], CID("b")), &part[0], CID("a"));
	m.bytes = b.p;
	m.len = b.len;
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(v.accepted, "%s at %s: %s", fmp_event_kind_name(v.kind),
		      fmp_step_name(v.step), v.detail);
	/* They are not forwarded. */
	for (int n = 0; n < PARTS; n++)
		ck_assert(part[n].included && !part[n].element);
	ck_assert_uint_eq(a.included, 0);
	fmp_inspection_clear(&v);
	for (int n = 0; n < PARTS; n++)
		free(part[n].own);
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

/* The sender's key is used before ours, and a wrong signature costs no decryption. */
START_TEST(a_wrong_signature_is_found_first)
{
	const struct row *r = &rows[0];
	struct fmp_inspect_config cfg = row_config(r);
	struct attack_bytes b = make_row(r);
	struct fmp_inspector *i = make_inspector(&cfg);
	char *value = memmem(b.p, b.len, "SignatureValue>", 15);
	struct fmp_inspection v;

	ck_assert_ptr_nonnull(value);
	value[20] = value[20] == 'A' ? 'B' : 'A';
	v = inspect_bytes(i, b.p, b.len);
	ck_assert_msg(v.kind == FMP_EVENT_SIGNATURE && v.step == FMP_STEP_SIGNATURE, "%s at %s: %s",
		      fmp_event_kind_name(v.kind), fmp_step_name(v.step), v.detail);
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

START_TEST(without_a_key_nothing_is_decrypted)
{
	const struct row *r = &rows[0];
	struct fmp_inspect_config cfg = row_config(r);
	struct attack_bytes b = make_row(r);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.key = NULL;
	i = make_inspector(&cfg);
	v = inspect_bytes(i, b.p, b.len);
	ck_assert_msg(v.kind == FMP_EVENT_UNSUPPORTED, "%s", v.detail);
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

START_TEST(cbc_is_budgeted)
{
	const struct row *r = &rows[1];
	struct fmp_inspect_config cfg = row_config(r);
	struct attack_bytes b = make_row(r);
	struct fmp_message m = {
		.bytes = b.p, .len = b.len, .now_s = VECTORS_NOW, .decrypt_budget_spent = true
	};
	struct fmp_inspector *i = make_inspector(&cfg);
	struct fmp_inspection v;

	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(!v.accepted && v.lacks == FMP_LACKS_DECRYPT_BUDGET, "%s", v.detail);
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

/* What GCM protects could be tried with CBC, where one key opens both. */
START_TEST(two_services_with_one_key_take_one_kind_of_cipher)
{
	struct fmp_inspect_config cfg = row_config(&rows[0]), other = vector_config(BCES);
	struct fmp_inspector *a = make_inspector(&cfg), *b;

	other.algorithms = vector_cbc();
	b = make_inspector(&other);
	ck_assert(fmp_inspector_shares_session_keys(a, b));
	fmp_inspector_free(b);
	fmp_inspector_free(a);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("bcs");

	tcase_set_timeout(tc, 60);
	tcase_add_unchecked_fixture(tc, encrypted_setup, encrypted_teardown);
	tcase_add_loop_test(tc, what_was_encrypted_is_as_if_in_the_clear, 0, COUNT(rows));
	tcase_add_test(tc, cipher_text_may_be_in_parts);
	tcase_add_test(tc, a_wrong_signature_is_found_first);
	tcase_add_test(tc, without_a_key_nothing_is_decrypted);
	tcase_add_test(tc, cbc_is_budgeted);
	tcase_add_test(tc, two_services_with_one_key_take_one_kind_of_cipher);
	return run_tcase("encrypted_bcs", tc);
}
