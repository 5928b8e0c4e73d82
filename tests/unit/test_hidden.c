// SPDX-License-Identifier: GPL-2.0
/*
 * What is encrypted beside the Body: a UsernameToken, the Signature, header blocks. Each must
 * be where the policy demands it and be what the policy demands, one element, and nothing in
 * the message may be encrypted but that.
 */
#include "hidden.h"
#include "run.h"
#include "work.h"

/* What is accepted, by the cipher. */
#define ACCEPTED(E)                                                                              \
	{ "username", BCE,                                                                       \
	  USERNAME,   SECRET(KEY(TO_BE("eu") TO_BE("ed")), E("eu", USER), "", E("ed", ORDER)),   \
	  NULL,	      0,                                                                         \
	  "",	      0 },                                                                       \
		{ "a block",                                                                     \
		  BCE,                                                                           \
		  PART(TO),                                                                      \
		  SECRET(KEY(TO_BE("ed") TO_BE("et")), "", BLOCK(E("et", TO)), E("ed", ORDER)),  \
		  NULL,                                                                          \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
		{ "a block that must be understood",                                             \
		  BCE,                                                                           \
		  PART(TO),                                                                      \
		  SECRET(KEY(TO_BE("ed") TO_BE("et")), "",                                       \
			 BLOCK_WITH(" soapenv:mustUnderstand='1'",                               \
				    " " E("et", " " TO "\n") "<!-- -->"),                        \
			 E("ed", ORDER)),                                                        \
		  NULL,                                                                          \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
		{ "a block in front of the Security header",                                     \
		  BCE,                                                                           \
		  USERNAME | PART(TO),                                                           \
		  OPEN HEADER("<!-- <a> -->" BLOCK(E("et", TO)) "<o a='>' b=\"'/>\"/>" SECURITY( \
			  KEY(TO_BE("eu") TO_BE("ed") TO_BE("et")) E("eu", USER)))               \
			  BODY(E("ed", ORDER)) CLOSE,                                            \
		  NULL,                                                                          \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
		{ "signature",                                                                   \
		  BCES,                                                                          \
		  SIGNATURE,                                                                     \
		  SIGNED_SECRET(KEY(TO_BE("es") TO_BE("ed")), E("es", "@G"), "", E("ed", "@O")), \
		  NULL,                                                                          \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
		{ "username, signed",                                                            \
		  BCES,                                                                          \
		  USERNAME,                                                                      \
		  SIGNED_SECRET(KEY(TO_BE("eu") TO_BE("ed")), E("eu", USER) "@G", "",            \
				E("ed", "@O")),                                                  \
		  INFO(REF("user", USER)),                                                       \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
		{ "all",                                                                         \
		  BCES,                                                                          \
		  ALL,                                                                           \
		  SIGNED_SECRET(KEY(ALL_REFS), E("es", "@G") E("eu", USER),                      \
				BLOCK(E("et", TO)) BLOCK(E("em", MESSAGE_ID)), E("ed", "@O")),   \
		  ALL_INFO,                                                                      \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
	{                                                                                        \
		"all in another order", BCES, ALL,                                               \
			SIGNED_SECRET(KEY(ALL_REFS), E("eu", USER) E("es", "@G"),                \
				      BLOCK(E("em", MESSAGE_ID)) BLOCK(E("et", TO)),             \
				      E("ed", "@O")),                                            \
			ALL_INFO, 0, "", 0                                                       \
	}

static const struct hidden_row accepted[] = { ACCEPTED(G), ACCEPTED(C) };

START_TEST(what_is_demanded_is_accepted)
{
	struct fmp_inspection v = hidden_look(&accepted[_i]);

	ck_assert_msg(v.accepted, "%s: %s: %s", accepted[_i].name, fmp_step_name(v.step), v.detail);
	ck_assert_ptr_nonnull(memmem(v.forward, v.forward_len, "ABC-000001", 10));
	ck_assert_ptr_null(memmem(v.forward, v.forward_len, "Header", 6));
	ck_assert_ptr_null(memmem(v.forward, v.forward_len, "Encrypted", 9));
	ck_assert_ptr_null(memmem(v.forward, v.forward_len, "secret", 6));
	fmp_inspection_clear(&v);
}
END_TEST

/* ---- what is not ---- */

#define PARTS(parts, body) SECRET(KEY(TO_BE("eu") TO_BE("ed")), parts, "", body)
#define BOTH(user, to)                                                                      \
	SECRET(KEY(TO_BE("eu") TO_BE("et") TO_BE("ed")), G("eu", user), BLOCK(G("et", to)), \
	       G("ed", ORDER))
#define IN_USERNAME(name, plain, kind, words)                                                    \
	{                                                                                        \
		name, BCE, USERNAME, PARTS(G("eu", plain), G("ed", ORDER)), NULL, kind, words, 0 \
	}
#define IN_TO(name, plain, kind, words)                                                  \
	{                                                                                \
		name, BCE, PART(TO), BLOCKS(BLOCK(G("et", plain))), NULL, kind, words, 0 \
	}
#define IN_SIGNATURE(name, plain, kind, words)                                          \
	{                                                                               \
		name, BCES, SIGNATURE,                                                  \
			SIGNED_SECRET(KEY(TO_BE("es") TO_BE("ed")), G("es", plain), "", \
				      G("ed", "@O")),                                   \
			NULL, kind, words, 0                                            \
	}
#define CLEAR(name, security, hidden, text, info, words)                            \
	{                                                                           \
		name, security, hidden, text, info, FMP_EVENT_UNENCRYPTED, words, 0 \
	}
#define REFERRED(name, key, words)                                                         \
	{                                                                                  \
		name, BCE, USERNAME, SECRET(key, G("eu", USER), "", G("ed", ORDER)), NULL, \
			FMP_EVENT_WRAPPING, words, 0                                       \
	}

static const struct hidden_row refused[] = {
	CLEAR("username in the clear", BCE, USERNAME, PARTS(USER, G("ed", ORDER)), NULL,
	      "the UsernameToken is not encrypted"),
	CLEAR("username in the clear and encrypted", BCE, USERNAME,
	      PARTS(G("eu", USER) USER, G("ed", ORDER)), NULL,
	      "the UsernameToken is not encrypted"),
	CLEAR("no username", BCE, USERNAME, PARTS("", G("ed", ORDER)), NULL,
	      "0 EncryptedData in the Security header, not the 1 that"),
	CLEAR("signature in the clear", BCES, SIGNATURE,
	      SIGNED_SECRET(KEY(TO_BE("ed")), "@G", "", G("ed", "@O")), NULL,
	      "the Signature is not encrypted"),
	CLEAR("no signature", BCES, SIGNATURE,
	      SIGNED_SECRET(KEY(TO_BE("ed")), "", "", G("ed", "@O")), NULL,
	      "0 EncryptedData in the Security header"),
	CLEAR("one of two", BCES, SIGNATURE | USERNAME,
	      SIGNED_SECRET(KEY(TO_BE("es") TO_BE("ed")), G("es", "@G"), "", G("ed", "@O")), NULL,
	      "1 EncryptedData in the Security header, not the 2 that"),
	CLEAR("To in the clear", BCE, PART(TO), BLOCKS(TO), NULL, "the To is not encrypted"),
	CLEAR("no To", BCE, PART(TO), BLOCKS(""), NULL,
	      "0 EncryptedHeader, not the 1 that must be there"),
	CLEAR("the Body in the clear", BCE, USERNAME,
	      SECRET(KEY(TO_BE("eu")), G("eu", USER), "", ORDER), NULL,
	      "the Body is not encrypted"),

	/* What is encrypted is something else. */
	IN_USERNAME("nothing as username", "", FMP_EVENT_UNENCRYPTED, "not its username"),
	IN_USERNAME("text as username", "jane", FMP_EVENT_SOAP, "text inside the Security"),
	IN_USERNAME("a comment as username", "<!-- -->", FMP_EVENT_UNENCRYPTED, "not its username"),
	IN_USERNAME("another element as username", "<a/>", FMP_EVENT_TOKEN, "a is not supported"),
	IN_USERNAME("a Timestamp as username", "@T", FMP_EVENT_UNENCRYPTED, "not its username"),
	IN_USERNAME("a Signature as username", "@G", FMP_EVENT_UNENCRYPTED, "not its username"),
	IN_USERNAME("two as username", USER USER, FMP_EVENT_WRAPPING,
		    "more than one UsernameToken"),
	IN_USERNAME("username and a Timestamp", USER "@T", FMP_EVENT_WRAPPING,
		    "more than one element is encrypted as UsernameToken"),
	IN_USERNAME("a Timestamp and username", "@T" USER, FMP_EVENT_WRAPPING,
		    "more than one element is encrypted as UsernameToken"),
	IN_USERNAME("username and a comment", USER "<!-- -->", FMP_EVENT_WRAPPING,
		    "more than one element"),
	IN_USERNAME("encrypted twice", G("ex", USER), FMP_EVENT_TOKEN, "EncryptedData is not sup"),
	IN_USERNAME("out of the Security header",
		    "</wsse:Security><wsse:Security xmlns:wsse='" WSSE "'>" USER,
		    FMP_EVENT_WRAPPING, "more than one Security"),
	IN_USERNAME("out of the Header",
		    USER "</wsse:Security></soapenv:Header><soapenv:Header><wsse:Security "
			 "xmlns:wsse='" WSSE "'>",
		    FMP_EVENT_SOAP, "Header where the Body should be"),
	IN_USERNAME("a Body of its own",
		    USER "</wsse:Security></soapenv:Header><soapenv:Body>" EVIL_ORDER
			 "</soapenv:Body></soapenv:Envelope><!--",
		    FMP_EVENT_WELLFORMED, ""),
	IN_USERNAME("a document type", "<!DOCTYPE a>" USER, FMP_EVENT_DTD, ""),
	IN_USERNAME("not well-formed", "<a>", FMP_EVENT_WELLFORMED, ""),
	IN_USERNAME("nobody's", USER_OF("joe", ""), FMP_EVENT_TOKEN, "user or password is wrong"),
	IN_TO("Action as To", ADDRESS("Action", "a", "urn:x"), FMP_EVENT_UNENCRYPTED, "not its To"),
	IN_TO("a header block as To", "<a/>", FMP_EVENT_UNENCRYPTED, "not its To"),
	IN_TO("text as To", "urn:here", FMP_EVENT_SOAP, "text inside the Header"),
	IN_TO("two as To", TO TO, FMP_EVENT_WRAPPING, "more than one To"),
	IN_TO("To and a block", TO "<a/>", FMP_EVENT_WRAPPING, "more than one element"),
	IN_TO("a Security header as To", SECURITY("@T") TO, FMP_EVENT_WRAPPING,
	      "more than one Security"),
	IN_TO("To that must be understood",
	      "<wsa:To xmlns:wsa='" WSA "' soapenv:mustUnderstand='1'>urn:x</wsa:To>",
	      FMP_EVENT_SOAP, "must be understood"),
	IN_TO("out of the Header", TO "</soapenv:Header><soapenv:Body>", FMP_EVENT_WELLFORMED, ""),
	IN_SIGNATURE("UsernameToken as signature", USER, FMP_EVENT_UNENCRYPTED,
		     "not its signature"),
	IN_SIGNATURE("two signatures", "@G@G", FMP_EVENT_WRAPPING, "more than one Signature"),
	IN_SIGNATURE("signature and token", "@G@K", FMP_EVENT_WRAPPING, "more than one element"),
	{ "two in each other's place", BCE, USERNAME | PART(TO), BOTH(TO, USER), NULL,
	  FMP_EVENT_TOKEN, "To is not supported", 0 },
	{ "a comment from one to the next", BCE, USERNAME | PART(TO),
	  BOTH(USER "<!--", "--></wsse:Security>" TO "<h:EncryptedHeader xmlns:h='urn:x'>"), NULL,
	  FMP_EVENT_WELLFORMED, "", 0 },
	{ "a comment over what stands between", BCES, USERNAME | SIGNATURE,
	  OPEN HEADER(SECURITY(KEY(TO_BE("eu") TO_BE("es") TO_BE("ed")) "@K" G(
		  "eu", USER "@T<!--") "@T" G("es", "-->@G"))) SIGNED_BODY("body", G("ed", "@O"))
		  CLOSE,
	  INFO(REF("user", USER)), FMP_EVENT_WRAPPING, "more than one element", 0 },
	{ "an attribute over what stands between", BCES, USERNAME | SIGNATURE,
	  OPEN HEADER(SECURITY(KEY(TO_BE("eu") TO_BE("es") TO_BE("ed")) "@K@T" G(
		  "eu", "<wsse:UsernameToken a='") "<wsse:BinarySecurityToken/>" G("es", "'/>@G")))
		  SIGNED_BODY("body", G("ed", "@O")) CLOSE,
	  INFO(""), FMP_EVENT_WELLFORMED, "", 0 },
	{ "username, not signed", BCES, USERNAME,
	  SIGNED_SECRET(KEY(TO_BE("eu") TO_BE("ed")), G("eu", USER) "@G", "", G("ed", "@O")),
	  INFO(""), FMP_EVENT_UNSIGNED, "the UsernameToken is not signed", 0 },
	{ "username, another one signed", BCES, USERNAME,
	  SIGNED_SECRET(KEY(TO_BE("eu") TO_BE("ed")), G("eu", USER) "@G", "", G("ed", "@O")),
	  INFO(REF("user", USER_OF("joe", ""))), FMP_EVENT_SIGNATURE, "does not match", 0 },

	/* What the key is for. */
	REFERRED("no list", KEY_WITH(""), "does not say what it is for"),
	REFERRED("not of username", KEY(TO_BE("ed")), "not for this EncryptedData"),
	REFERRED("not of the Body", KEY(TO_BE("eu")), "not for this EncryptedData"),
	REFERRED("one twice", KEY(TO_BE("eu") TO_BE("eu") TO_BE("ed")), "alone"),
	REFERRED("something that is not there", KEY(TO_BE("eu") TO_BE("ed") TO_BE("ex")), "alone"),
	REFERRED("a key", KEY(TO_BE("eu") TO_BE("ed") "<xenc:KeyReference URI='#ek'/>"), "alone"),
	{ "one Id for both", BCE, USERNAME,
	  SECRET(KEY(TO_BE("ed") TO_BE("ed")), G("ed", USER), "", G("ed", ORDER)), NULL,
	  FMP_EVENT_WRAPPING, "alone", 0 },
	{ "what is elsewhere", BCE, USERNAME,
	  SECRET(KEY(TO_BE("eu") TO_BE("ed") TO_BE("ex")), G("eu", USER), G("ex", TO),
		 G("ed", ORDER)),
	  NULL, FMP_EVENT_WRAPPING, "alone", 0 },

	/* More than is demanded, and what is none. */
	{ "username, not demanded", BCE, 0, PARTS(G("eu", USER), G("ed", ORDER)), NULL,
	  FMP_EVENT_TOKEN, "EncryptedData is not supported", 0 },
	{ "To, not demanded", BCE, 0, BLOCKS(BLOCK(G("et", TO))), NULL, FMP_EVENT_WRAPPING,
	  "not for this Body alone", 0 },
	{ "two for one", BCE, USERNAME, PARTS(G("eu", USER) G("ex", USER), G("ed", ORDER)), NULL,
	  FMP_EVENT_WRAPPING, "more than 1 EncryptedData", 0 },
	{ "two blocks for one", BCE, PART(TO), BLOCKS(BLOCK(G("et", TO)) BLOCK(G("ex", TO))), NULL,
	  FMP_EVENT_WRAPPING, "more than 1 EncryptedHeader", 0 },
	{ "an empty EncryptedHeader", BCE, PART(TO), BLOCKS(BLOCK("")), NULL, FMP_EVENT_DECRYPT,
	  "malformed EncryptedHeader", 0 },
	{ "two in an EncryptedHeader", BCE, PART(TO), BLOCKS(BLOCK(G("et", TO) G("ex", TO))), NULL,
	  FMP_EVENT_DECRYPT, "malformed EncryptedHeader", 0 },
	{ "text in an EncryptedHeader", BCE, PART(TO), BLOCKS(BLOCK("x" G("et", TO))), NULL,
	  FMP_EVENT_DECRYPT, "malformed EncryptedHeader", 0 },
	{ "the content of an element", BCE, USERNAME,
	  PARTS(DATUM_OF("Content", GCM, "eu", "@{" USER "@}"), G("ed", ORDER)), NULL,
	  FMP_EVENT_ALGORITHM, "of type", 0 },
	{ "two ciphers", BCE, USERNAME, PARTS(C("eu", USER), G("ed", ORDER)), NULL,
	  FMP_EVENT_ALGORITHM, "two kinds under one key", 0 },
	{ "a tag that does not fit", BCE, USERNAME,
	  PARTS(DATUM_OF("Element", GCM, "eu", "AAAA@{" USER "@}"), G("ed", ORDER)), NULL,
	  FMP_EVENT_DECRYPT, "the message does not decrypt", 0 },
	{ "a Timestamp of last hour", BCES, SIGNATURE,
	  OPEN HEADER(SECURITY(
		  KEY(TO_BE("es") TO_BE("ed")) "@K<wsu:Timestamp xmlns:wsu='" WSU
					       "'><wsu:Created>@P</wsu:Created><wsu:Expires>@P"
					       "</wsu:Expires></wsu:Timestamp>" G("es", "@G")))
		  SIGNED_BODY("body", G("ed", "@O")) CLOSE,
	  NULL, FMP_EVENT_TIMESTAMP, "", 0 },
};

START_TEST(what_is_not_demanded_is_refused)
{
	const struct hidden_row *r = &refused[_i];
	struct fmp_inspection v = hidden_look(r);

	ck_assert_msg(!v.accepted && v.kind == r->kind && strstr(v.detail, r->words),
		      "%s: %s at %s: %s", r->name, fmp_event_kind_name(v.kind),
		      fmp_step_name(v.step), v.detail);
	ck_assert(!v.forward && !v.tree.doc);
}
END_TEST

/* ---- behind the key ---- */

static char *edited(char *text, const char *from, const char *to)
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

/* The same message under CBC. */
static struct fmp_inspection look_cbc(const struct hidden_row *r)
{
	char *text = edited(edited(strdup(r->text), "@{", "@<"), "@}", "@>");
	struct hidden_row cbc = *r;
	struct fmp_inspection v;

	cbc.text = text = edited(text, GCM, CBC);
	v = hidden_look(&cbc);
	free(text);
	return v;
}

static void is_generic(const struct hidden_row *r, const struct fmp_inspection *v)
{
	ck_assert_msg(!v->accepted && v->kind == FMP_EVENT_DECRYPT && v->line == 0 &&
			      !strcmp(v->detail, "the message does not decrypt"),
		      "%s: %s", r->name, v->detail);
	ck_assert_int_eq(v->step, FMP_STEP_DECRYPT);
}

START_TEST(of_cbc_there_is_one_answer)
{
	unsigned behind = 0;

	for (int n = 0; n < COUNT(refused); n++) {
		const struct hidden_row *r = &refused[n];
		struct fmp_inspection v;

		memset(&work, 0, sizeof(work));
		hidden_look(r);
		if (!work.private_operations)
			continue;
		behind++;
		ck_assert_msg(work.private_operations == 1 && work.parses == 1, "%s: %u, %u",
			      r->name, work.private_operations, work.parses);
		memset(&work, 0, sizeof(work));
		v = look_cbc(r);
		is_generic(r, &v);
		ck_assert_msg(work.private_operations == 1 && work.parses == 1, "%s: %u, %u",
			      r->name, work.private_operations, work.parses);
	}
	ck_assert_uint_gt(behind, 30);
}
END_TEST

/* A letter of the n-th CipherValue, 0 that of the key, becomes another. */
static void damage(struct attack_bytes *b, unsigned n)
{
	char *at = b->p;

	for (unsigned i = 0; i <= n; i++)
		at = strstr(at + 1, "<xenc:CipherValue>");
	at += strlen("<xenc:CipherValue>") + 40;
	*at = *at == 'A' ? 'B' : 'A';
}

/* Whatever part of all it is that does not decrypt, and whichever the cipher. */
START_TEST(failures_do_the_same_work)
{
	const struct hidden_row *r = &accepted[_i ? COUNT(accepted) - 2 : COUNT(accepted) / 2 - 2];
	struct fmp_inspect_config cfg = hidden_config(r);
	struct fmp_inspector *i = make_inspector(&cfg);
	struct attack_bytes b = hidden_make(r);
	struct fmp_inspection v;
	struct work good;

	ck_assert_str_eq(r->name, "all");
	memset(&work, 0, sizeof(work));
	v = inspect_bytes(i, b.p, b.len);
	good = work;
	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	ck_assert(good.private_operations == 1 && good.parses == 1);
	for (unsigned n = 0; n < 6; n++) {
		damage(&b, n);
		memset(&work, 0, sizeof(work));
		v = inspect_bytes(i, b.p, b.len);
		is_generic(r, &v);
		ck_assert_uint_eq(work.private_operations, 1);
		ck_assert_uint_eq(work.deciphered, good.deciphered);
		ck_assert_uint_eq(work.parses, 1);
		free(b.p);
		b = hidden_make(r);
	}
	free(b.p);
	fmp_inspector_free(i);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("hidden");

	tcase_set_timeout(tc, 60);
	tcase_add_unchecked_fixture(tc, hidden_setup, hidden_teardown);
	tcase_add_loop_test(tc, what_is_demanded_is_accepted, 0, COUNT(accepted));
	tcase_add_loop_test(tc, what_is_not_demanded_is_refused, 0, COUNT(refused));
	tcase_add_test(tc, of_cbc_there_is_one_answer);
	tcase_add_loop_test(tc, failures_do_the_same_work, 0, 2);
	return run_tcase("hidden", tc);
}
