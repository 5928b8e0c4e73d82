// SPDX-License-Identifier: GPL-2.0
/* UsernameToken: tokens that WSS4J made, and what must be refused of them. */
#include <errno.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <sys/stat.h>
#include <unistd.h>

#include "xml/names.h"
#include "wss/username.h"
#include "run.h"
#include "tokens.h"

#define USERS "# who may\njohn:other\n\njane:correct horse, battery\n"

static char users[64];

static void write_users(const char *text, mode_t mode)
{
	FILE *f = fopen(users, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	ck_assert_int_eq(chmod(users, mode), 0);
}

static void setup(void)
{
	vectors_setup();
	snprintf(users, sizeof(users), "/tmp/fmp-test-users-%d", (int)getpid());
	write_users(USERS, 0600);
}

static void teardown(void)
{
	unlink(users);
	vectors_teardown();
}

static struct fmp_inspector *new_inspector(enum fmp_security s, bool text, uint32_t replay)
{
	struct fmp_inspect_config cfg = token_config(s);

	cfg.passwords = users;
	cfg.password_text = text;
	cfg.max_age_ms = 2 * 3600 * 1000;
	cfg.replay_entries = cfg.replay_per_signer = replay;
	return make_inspector(&cfg);
}

START_TEST(digests)
{
	struct fmp_inspector *i = new_inspector(FMP_SECURITY_BCV, false, 0);
	struct bytes b = read_token("user-digest");
	struct fmp_inspection v = inspect_at(i, b, TOKENS_NOW);

	ck_assert_msg(v.accepted, "%s", v.detail);
	/* The password's digest is not the service's business. */
	ck_assert_ptr_null(memmem(v.forward, v.forward_len, "Security", 8));
	ck_assert_ptr_nonnull(memmem(v.forward, v.forward_len, "submitOrder", 11));
	fmp_inspection_clear(&v);
	free(b.p);
	expect_token(i, "user-text", FMP_EVENT_ALGORITHM, "as text");
	fmp_inspector_free(i);

	i = new_inspector(FMP_SECURITY_BC, true, 0);
	expect_token(i, "user-digest", FMP_EVENT_GOOD, "");
	expect_token(i, "user-text", FMP_EVENT_GOOD, "");
	expect_bytes(i, read_vector("plain/plain-1k.xml"), "nobody", FMP_EVENT_TOKEN,
		     "no UsernameToken");
	fmp_inspector_free(i);
}
END_TEST

/* Without the header the output is the tree, in the namespaces that it has. */
START_TEST(namespaces_are_in_the_output)
{
	static const struct {
		const char *has, *written;
	} rows[] = {
		{ "xmlns:u='rela/tive'", " xmlns:u=\"rela/tive\"" },
		{ "xmlns:u='urn:a?b&amp;c'", " xmlns:u=\"urn:a?b&amp;c\"" },
		{ "xmlns:u='urn:u' type='u:t'", " xmlns:u=\"urn:u\" type=\"u:t\"" },
	};
	struct fmp_inspector *i = new_inspector(FMP_SECURITY_BC, false, 0);

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		char tag[128];
		struct fmp_inspection v;
		struct bytes b;

		snprintf(tag, sizeof(tag), "<customer %s", rows[n].has);
		b = edit_bytes(read_token("user-digest"), "<customer", tag);
		v = inspect_at(i, b, TOKENS_NOW);
		ck_assert_msg(v.accepted, "%s: %s", rows[n].has, v.detail);
		ck_assert_msg(memmem(v.forward, v.forward_len, rows[n].written,
				     strlen(rows[n].written)) != NULL,
			      "%s: %.*s", rows[n].has, (int)v.forward_len, (const char *)v.forward);
		fmp_inspection_clear(&v);
		free(b.p);
	}
	fmp_inspector_free(i);
}
END_TEST

/* Beside a signature it must be under it: else it could be anybody's. */
START_TEST(beside_a_signature)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct fmp_inspector *i = new_inspector(FMP_SECURITY_BCS, false, 0);

	expect_token(i, "user-digest-signed", FMP_EVENT_GOOD, "");
	expect_token(i, "user-digest-beside-signature", FMP_EVENT_UNSIGNED,
		     "UsernameToken is not signed");
	expect_token(i, "direct", FMP_EVENT_TOKEN, "no UsernameToken");
	fmp_inspector_free(i);
	i = make_inspector(&cfg);
	expect_token(i, "user-digest-signed", FMP_EVENT_UNSUPPORTED, "no users");
	fmp_inspector_free(i);
}
END_TEST

START_TEST(tokens_that_are_refused)
{
	static const struct {
		const char *file, *from, *to, *words;
	} rows[] = {
		{ "user-digest", ">jane<", ">john<", "user or password is wrong" },
		{ "user-digest", ">jane<", ">nobody<", "user or password is wrong" },
		{ "user-digest", ">jane<", "><", "user or password is wrong" },
		{ "user-text", "horse", "Horse", "user or password is wrong" },
		{ "user-text", ">jane<", ">nobody<", "user or password is wrong" },
		/* Nobody has no password, not an empty one. */
		{ "user-text",
		  "jane</wsse:Username><wsse:Password Type=\"http://docs.oasis-open.org/wss/2004/01/"
		  "oasis-200401-wss-username-token-profile-1.0#PasswordText\">correct horse, battery<",
		  "nobody</wsse:Username><wsse:Password><", "user or password is wrong" },
		{ "user-digest", "#PasswordDigest\">", "#PasswordDigest\">AAAA",
		  "user or password is wrong" },
		{ "user-digest", "#PasswordDigest\">", "#PasswordDigest\">!",
		  "user or password is wrong" },
		{ "user-digest", "02:00:00.000Z", "02:00:00.001Z", "user or password is wrong" },
		{ "user-digest", "000Z</wsu:Created>", "000z</wsu:Created>",
		  "not a time of xs:dateTime" },
		/* It is digested as it stands there, or without white space around it. */
		{ "user-digest", "000Z</wsu:Created>", "000+00:00</wsu:Created>",
		  "user or password is wrong" },
		{ "user-digest", "<wsu:Created>2026-11-22T02:00:00.000Z</wsu:Created>", "",
		  "a PasswordDigest, but no Created" },
		{ "user-digest", "</wsse:Username>",
		  "</wsse:Username><wsse:Username>jane</wsse:Username>", "two Username" },
		{ "user-digest", "<wsse:Username>", "x<wsse:Username>", "text inside" },
		{ "user-digest", "<wsse:Username>jane</wsse:Username>", "", "no Username" },
		{ "user-digest", "<wsse:Username>", "<wsse:Username><!-- -->", "not plain text" },
		{ "user-digest", "#Base64Binary\">", "#Base64Binary\">!", "not Base64" },
		{ "user-digest", "#Base64Binary\"", "#HexBinary\"", "not encoded in Base64" },
		{ "user-text", "#Base64Binary\">", "#Base64Binary\">AAAA</wsse:Nonce><wsse:Nonce>",
		  "of 8 to 64" },
	};
	struct fmp_inspector *i = new_inspector(FMP_SECURITY_BCV, true, 0);

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		expect_bytes(i, edit_bytes(read_token(rows[n].file), rows[n].from, rows[n].to),
			     rows[n].to, FMP_EVENT_TOKEN, rows[n].words);
	fmp_inspector_free(i);
}
END_TEST

/* Profile 1.1.1, 3.1: Nonce and Created are optional, and other elements may stand there. */
START_TEST(tokens_of_other_makers)
{
	static const char created[] = "<wsu:Created>2026-11-22T02:00:00.000Z</wsu:Created>";
	static const char nonce[] =
		"<wsse:Nonce EncodingType=\"http://docs.oasis-open.org/wss/2004/01/"
		"oasis-200401-wss-soap-message-security-1.0#Base64Binary\">"
		"L4TsLvRRD7mQm+Oj1T+BHQ==</wsse:Nonce>";
	static const char type[] = " Type=\"http://docs.oasis-open.org/wss/2004/01/"
				   "oasis-200401-wss-username-token-profile-1.0#PasswordText\"";
	/* What is left out of a text, or put into its place; copies of such a text are not known. */
	static const struct {
		const char *file, *from, *to;
		enum fmp_event_kind again;
	} rows[] = {
		{ "user-text", nonce, "", FMP_EVENT_GOOD },
		{ "user-text", created, "", FMP_EVENT_GOOD },
		{ "user-text", type, "", FMP_EVENT_REPLAY },
		{ "user-text", created,
		  "<wsu:Created>\n  2026-11-22T03:00:01+01:00\n</wsu:Created>", FMP_EVENT_REPLAY },
		{ "user-text", "</wsse:Username>", "</wsse:Username><Org xmlns=\"urn:x\">1</Org>",
		  FMP_EVENT_REPLAY },
		{ "user-digest", created, "<wsu:Created>\n 2026-11-22T02:00:00.000Z </wsu:Created>",
		  FMP_EVENT_REPLAY },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct fmp_inspector *i = new_inspector(FMP_SECURITY_BCV, true, 16);

		for (unsigned copy = 0; copy < 2; copy++)
			expect_bytes(i,
				     edit_bytes(read_token(rows[n].file), rows[n].from, rows[n].to),
				     rows[n].to, copy ? rows[n].again : FMP_EVENT_GOOD, "");
		expect_bytes(i, edit_bytes(read_token("user-text"), "#PasswordText", "#Other"),
			     "another type", FMP_EVENT_UNSUPPORTED, "of type http");
		fmp_inspector_free(i);
	}
}
END_TEST

START_TEST(age)
{
	struct fmp_inspector *i = new_inspector(FMP_SECURITY_BCV, false, 0);
	struct bytes b = read_token("user-digest");
	static const struct {
		int64_t at;
		enum fmp_event_kind kind;
	} rows[] = {
		/* Created 02:00:00, a minute of skew, two hours of age. */
		{ TOKENS_NOW - 3600 - 61, FMP_EVENT_TIMESTAMP },
		{ TOKENS_NOW - 3600 - 60, FMP_EVENT_GOOD },
		{ TOKENS_NOW + 3600 + 60, FMP_EVENT_GOOD },
		{ TOKENS_NOW + 3600 + 61, FMP_EVENT_TIMESTAMP },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct fmp_inspection v = inspect_at(i, b, rows[n].at);

		ck_assert_msg(v.kind == rows[n].kind, "%zu: %s", n, v.detail);
		fmp_inspection_clear(&v);
	}
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

START_TEST(nonces_pass_once)
{
	struct fmp_inspector *i = new_inspector(FMP_SECURITY_BCV, true, 16);

	expect_token(i, "user-digest", FMP_EVENT_GOOD, "");
	expect_token(i, "user-digest", FMP_EVENT_REPLAY, "here before");
	/* Another message with it is a copy too. */
	expect_bytes(i, edit_bytes(read_token("user-digest"), "<qty>1</qty>", "<qty>2</qty>"),
		     "other", FMP_EVENT_REPLAY, "here before");
	expect_token(i, "user-text", FMP_EVENT_GOOD, "");
	expect_token(i, "user-text", FMP_EVENT_REPLAY, "here before");
	fmp_inspector_free(i);
	i = new_inspector(FMP_SECURITY_BCS, false, 16);
	expect_token(i, "user-digest-signed", FMP_EVENT_GOOD, "");
	expect_token(i, "user-digest-signed", FMP_EVENT_REPLAY, "here before");
	fmp_inspector_free(i);
}
END_TEST

/* Of nonce, time and password, without anything between them. */
static struct bytes digest_token(const char *nonce, const char *created, const char *hashed)
{
	uint8_t digest[SHA_DIGEST_LENGTH];
	char nonce64[128], digest64[64], header[1024];

	SHA1((const uint8_t *)hashed, strlen(hashed), digest);
	EVP_EncodeBlock((uint8_t *)nonce64, (const uint8_t *)nonce, (int)strlen(nonce));
	EVP_EncodeBlock((uint8_t *)digest64, digest, sizeof(digest));
	snprintf(header, sizeof(header),
		 "<soapenv:Header><w:Security xmlns:w='" NS_WSSE "'><w:UsernameToken>"
		 "<w:Username>john</w:Username><w:Password Type='" WSSE_PASSWORD_DIGEST
		 "'>%s</w:Password><w:Nonce>%s</w:Nonce><u:Created xmlns:u='" NS_WSU
		 "'>%s</u:Created></w:UsernameToken></w:Security></soapenv:Header>",
		 digest64, nonce64, created);
	return edit_bytes(read_vector("plain/plain-1k.xml"), "<soapenv:Header/>", header);
}

/* White space at the end of a nonce is none in front of the time: the digest is the same. */
START_TEST(nonces_do_not_end_elsewhere)
{
#define CREATED "2026-11-22T02:30:00Z"
	struct fmp_inspector *i = new_inspector(FMP_SECURITY_BCV, false, 16);

	expect_bytes(i, digest_token("12345678 \n", CREATED, "12345678 \n" CREATED "other"), "sent",
		     FMP_EVENT_GOOD, "");
	expect_bytes(i, digest_token("12345678 ", "\n" CREATED, "12345678 \n" CREATED "other"),
		     "sent again", FMP_EVENT_REPLAY, "here before");
	expect_bytes(i, digest_token("12345678", " \n" CREATED, "12345678 \n" CREATED "other"),
		     "and again", FMP_EVENT_REPLAY, "here before");
	expect_bytes(i, digest_token("12345679 ", CREATED, "12345679 " CREATED "other"), "new",
		     FMP_EVENT_GOOD, "");
	fmp_inspector_free(i);
}
END_TEST

START_TEST(files_of_passwords)
{
	static const struct {
		const char *text, *words;
		mode_t mode;
		int code;
		unsigned line;
	} rows[] = {
		{ USERS, "everybody may read", 0644, FMP_ERR_DENIED, 0 },
		{ USERS, "everybody may read", 0602, FMP_ERR_DENIED, 0 },
		{ "", "no user", 0600, FMP_ERR_SYNTAX, 0 },
		{ "# a\n", "no user", 0600, FMP_ERR_SYNTAX, 0 },
		{ "a:b\nc\n", "name:password", 0600, FMP_ERR_SYNTAX, 2 },
		{ ":b\n", "name:password", 0600, FMP_ERR_SYNTAX, 1 },
		{ "a:\n", "name:password", 0600, FMP_ERR_SYNTAX, 1 },
		{ "a:b\na:c\n", "twice", 0600, FMP_ERR_SYNTAX, 2 },
		{ "12345678901234567890123456789012345678901234567890123456789012345:x\n",
		  "more than 64", 0600, FMP_ERR_LIMIT, 1 },
	};
	struct fmpi_passwords *p;
	struct fmp_error err;

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		memset(&err, 0, sizeof(err));
		write_users(rows[n].text, rows[n].mode);
		ck_assert_int_eq(fmpi_passwords_load(users, &p, &err), rows[n].code);
		ck_assert_ptr_null(p);
		ck_assert_msg(strstr(err.message, rows[n].words), "%s", err.message);
		ck_assert_uint_eq(err.line, rows[n].line);
	}
	write_users("a:b:c\r\nlast:with no line end", 0640);
	ck_assert_int_eq(fmpi_passwords_load(users, &p, &err), 0);
	ck_assert_str_eq(fmpi_passwords_find(p, "a"), "b:c");
	ck_assert_str_eq(fmpi_passwords_find(p, "last"), "with no line end");
	ck_assert_ptr_null(fmpi_passwords_find(p, "b"));
	fmpi_passwords_free(p);
	ck_assert_int_eq(fmpi_passwords_load("/nonexistent", &p, &err), FMP_ERR_IO);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("username");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, digests);
	tcase_add_test(tc, namespaces_are_in_the_output);
	tcase_add_test(tc, beside_a_signature);
	tcase_add_test(tc, tokens_that_are_refused);
	tcase_add_test(tc, tokens_of_other_makers);
	tcase_add_test(tc, age);
	tcase_add_test(tc, nonces_pass_once);
	tcase_add_test(tc, nonces_do_not_end_elsewhere);
	tcase_add_test(tc, files_of_passwords);
	return run_tcase("username", tc);
}
