// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that are signed by the key of an EncryptedKey or by a key derived from it, and endorsing
 * signatures: made by WSS4J (tests/interop/wss4j/Symmetric.java), and changed here.
 */
#include <unistd.h>

#include "run.h"
#include "tokens.h"

/* 2026-11-27T04:00:00Z: an hour after they were made. */
#define NOW 1795752000

#define PKI "interop/vectors/symmetric/pki/"

static struct fmp_inspect_config symmetric_config(enum fmp_security security,
						  enum fmp_symmetric symmetric)
{
	struct fmp_inspect_config cfg = vector_config(security);

	cfg.trust = tests_path(PKI "ca.crt");
	cfg.crl = tests_path(PKI "crl.pem");
	cfg.key = tests_path("interop/vectors/pki/server.key");
	cfg.symmetric = symmetric;
	return cfg;
}

static struct bytes read_symmetric(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "symmetric/%s.xml", name);
	return read_vector(path);
}

/* Frees the message. */
static void expect_verdict(struct fmp_inspector *i, struct bytes b, const char *name,
			   enum fmp_event_kind kind, bool accepted, const char *words)
{
	struct fmp_inspection v = inspect_at(i, b, NOW);

	ck_assert_msg(v.kind == kind && v.accepted == accepted, "%s: %s at %s: %s", name,
		      fmp_event_kind_name(v.kind), fmp_step_name(v.step), v.detail);
	ck_assert_msg(strstr(v.detail, words) != NULL, "%s: %s", name, v.detail);
	fmp_inspection_clear(&v);
	free(b.p);
}

/* ---- what is taken, by policy ---- */

#define SIGNED	   FMP_SECURITY_BCS
#define BOTH	   FMP_SECURITY_BCES
#define GOOD	   FMP_EVENT_GOOD
#define UNENDORSED FMP_EVENT_UNSUPPORTED, "an endorsing signature is missing"

static const struct {
	const char *name;
	enum fmp_security security;
	enum fmp_symmetric symmetric;
	enum fmp_event_kind kind;
	const char *words;
} rows[] = {
	{ "endorsed", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "endorsed-by-sha1-name", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "endorsed-sha512-key16", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "derived-2005", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "derived-13", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "derived-sha384", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "asymmetric-endorsed", SIGNED, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "both", BOTH, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "both-derived-2005", BOTH, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "both-derived-13", BOTH, FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "anonymous", SIGNED, FMP_SYMMETRIC_ENDORSED, UNENDORSED },
	{ "derived-anonymous", SIGNED, FMP_SYMMETRIC_ENDORSED, UNENDORSED },
	{ "both-anonymous", BOTH, FMP_SYMMETRIC_ENDORSED, UNENDORSED },
	{ "anonymous", SIGNED, FMP_SYMMETRIC_SUPPORTED, FMP_EVENT_UNSUPPORTED,
	  "or a signed token" },
	{ "anonymous", SIGNED, FMP_SYMMETRIC_ANONYMOUS, GOOD, "" },
	{ "derived-anonymous", SIGNED, FMP_SYMMETRIC_ANONYMOUS, GOOD, "" },
	{ "both-anonymous", BOTH, FMP_SYMMETRIC_ANONYMOUS, GOOD, "" },
	{ "endorsed", SIGNED, FMP_SYMMETRIC_ANONYMOUS, GOOD, "" },
	{ "endorsed", SIGNED, FMP_SYMMETRIC_NO, FMP_EVENT_UNSUPPORTED, "symmetric=\"no\"" },
	{ "asymmetric-endorsed", SIGNED, FMP_SYMMETRIC_NO, GOOD, "" },
	{ "hmac-sha1", SIGNED, FMP_SYMMETRIC_ANONYMOUS, FMP_EVENT_UNSUPPORTED, "hmac-sha1" },
	{ "endorsed-revoked", SIGNED, FMP_SYMMETRIC_ENDORSED, FMP_EVENT_TOKEN, "revoked" },
	{ "endorsed-revoked", SIGNED, FMP_SYMMETRIC_ANONYMOUS, FMP_EVENT_TOKEN, "revoked" },
	{ "asymmetric-endorsed-revoked", SIGNED, FMP_SYMMETRIC_ENDORSED, FMP_EVENT_TOKEN,
	  "revoked" },
	{ "both", SIGNED, FMP_SYMMETRIC_ENDORSED, FMP_EVENT_SCHEMA, "" },
};

static void inspect_row(size_t n, bool xmlsec_only)
{
	struct fmp_inspect_config cfg = symmetric_config(rows[n].security, rows[n].symmetric);
	struct fmp_inspector *i;

	cfg.xmlsec_only = xmlsec_only;
	i = make_inspector(&cfg);
	expect_verdict(i, read_symmetric(rows[n].name), rows[n].name, rows[n].kind,
		       rows[n].kind == GOOD, rows[n].words);
	fmp_inspector_free(i);
}

START_TEST(the_policy_says_what_suffices)
{
	inspect_row((size_t)_i, false);
	inspect_row((size_t)_i, true);
}
END_TEST

START_TEST(encrypted_before_it_is_signed)
{
	struct fmp_inspect_config cfg = symmetric_config(BOTH, FMP_SYMMETRIC_ENDORSED);
	struct fmp_inspector *i = make_inspector(&cfg);

	expect_verdict(i, read_symmetric("encrypted-first"), "first", FMP_EVENT_UNSIGNED, false,
		       "");
	fmp_inspector_free(i);
	cfg.order = FMP_ORDER_ENCRYPT_SIGN;
	i = make_inspector(&cfg);
	expect_verdict(i, read_symmetric("encrypted-first"), "first", GOOD, true, "");
	expect_verdict(i, read_symmetric("encrypted-first-derived"), "derived", GOOD, true, "");
	expect_verdict(i, read_symmetric("both"), "both", FMP_EVENT_UNSIGNED, false, "");
	fmp_inspector_free(i);
}
END_TEST

START_TEST(without_a_key)
{
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, FMP_SYMMETRIC_ENDORSED);
	struct fmp_inspector *i;

	cfg.key = NULL;
	i = make_inspector(&cfg);
	expect_verdict(i, read_symmetric("endorsed"), "endorsed", FMP_EVENT_UNSUPPORTED, false,
		       "no key to decrypt it");
	expect_verdict(i, read_symmetric("asymmetric-endorsed"), "asymmetric", GOOD, true, "");
	fmp_inspector_free(i);
}
END_TEST

/* ---- assertions ---- */

static const struct {
	const char *name;
	enum fmp_symmetric symmetric;
	enum fmp_event_kind kind;
	const char *words;
} assertions[] = {
	{ "vouched", FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "vouched-unsigned", FMP_SYMMETRIC_ENDORSED, FMP_EVENT_UNSIGNED, "does not sign it" },
	{ "vouched-anonymous", FMP_SYMMETRIC_ANONYMOUS, FMP_EVENT_UNSUPPORTED, "vouch" },
	{ "vouched-endorsed", FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "bearer-signed", FMP_SYMMETRIC_SUPPORTED, GOOD, "" },
	{ "bearer-signed", FMP_SYMMETRIC_ENDORSED, UNENDORSED },
	{ "bearer-unsigned", FMP_SYMMETRIC_SUPPORTED, FMP_EVENT_UNSUPPORTED, "signed token" },
	{ "bearer-unsigned", FMP_SYMMETRIC_ANONYMOUS, GOOD, "" },
	{ "holder-endorses", FMP_SYMMETRIC_ENDORSED, GOOD, "" },
	{ "other-endorses", FMP_SYMMETRIC_ANONYMOUS, FMP_EVENT_SIGNATURE, "" },
	{ "asymmetric-holder-endorses", FMP_SYMMETRIC_ENDORSED, GOOD, "" },
};

START_TEST(subject_confirmations)
{
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, assertions[_i].symmetric);
	struct fmp_policy_saml saml = token_saml();
	struct fmp_inspector *i;

	strcpy(saml.issuers[0].trust, tests_path(PKI "idp.crt"));
	saml.vouched = true;
	cfg.saml = &saml;
	i = make_inspector(&cfg);
	for (unsigned twice = 0; twice < 2; twice++)
		expect_verdict(i, read_symmetric(assertions[_i].name), assertions[_i].name,
			       assertions[_i].kind, assertions[_i].kind == GOOD,
			       assertions[_i].words);
	fmp_inspector_free(i);
}
END_TEST

/* ---- attacks ---- */

static struct bytes replace_text(struct bytes b, const char *from, const char *to)
{
	char *at = strstr(b.p, from), *p;
	size_t head;

	ck_assert_msg(at != NULL, "nothing to replace: %s", from);
	head = (size_t)(at - b.p);
	p = malloc(b.len + strlen(to) + 1);
	ck_assert_ptr_nonnull(p);
	memcpy(p, b.p, head);
	strcpy(stpcpy(p + head, to), at + strlen(from));
	free(b.p);
	return (struct bytes){ .p = p, .len = strlen(p) };
}

/* The text between two marks, the second behind the first; for free(). */
static char *copy_between(struct bytes b, const char *begin, const char *end)
{
	const char *p = strstr(b.p, begin), *q;

	ck_assert_msg(p != NULL, "no %s", begin);
	p += strlen(begin);
	q = strstr(p, end);
	ck_assert_ptr_nonnull(q);
	return strndup(p, (size_t)(q - p));
}

#define OFFSET	      "<wsc:Offset>0</wsc:Offset>"
#define LENGTH	      "<wsc:Length>32</wsc:Length>"
#define REFUSED(kind) FMP_EVENT_##kind
#define SC13	      "http://docs.oasis-open.org/ws-sx/ws-secureconversation/200512"
#define HMAC256 \
	"<ds:SignatureMethod Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#hmac-sha256\"/>"
#define CUT                                                                                     \
	"<ds:SignatureMethod Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#hmac-sha256\">" \
	"<ds:HMACOutputLength>8</ds:HMACOutputLength></ds:SignatureMethod>"

static const struct {
	const char *what, *file, *from, *to;
	enum fmp_event_kind kind;
} attacks[] = {
	{ "another offset", "derived-13", OFFSET, "<wsc:Offset>4</wsc:Offset>",
	  REFUSED(SIGNATURE) },
	{ "a negative offset", "derived-13", OFFSET, "<wsc:Offset>-1</wsc:Offset>",
	  REFUSED(TOKEN) },
	{ "a huge offset", "derived-13", OFFSET, "<wsc:Offset>4294967296</wsc:Offset>",
	  REFUSED(TOKEN) },
	{ "an offset far behind", "derived-13", OFFSET, "<wsc:Offset>999999</wsc:Offset>",
	  REFUSED(STRUCTURE) },
	{ "an offset that is no number", "derived-13", OFFSET, "<wsc:Offset>0x10</wsc:Offset>",
	  REFUSED(TOKEN) },
	{ "a huge generation", "derived-13", OFFSET, "<wsc:Generation>999999</wsc:Generation>",
	  REFUSED(STRUCTURE) },
	{ "generation and offset", "derived-13", OFFSET,
	  OFFSET "<wsc:Generation>0</wsc:Generation>", REFUSED(TOKEN) },
	{ "no key at all", "derived-13", LENGTH, "<wsc:Length>0</wsc:Length>", REFUSED(STRUCTURE) },
	{ "a key to be tried out", "derived-13", LENGTH, "<wsc:Length>1</wsc:Length>",
	  REFUSED(STRUCTURE) },
	{ "a negative length", "derived-13", LENGTH, "<wsc:Length>-16</wsc:Length>",
	  REFUSED(TOKEN) },
	{ "a huge length", "derived-13", LENGTH, "<wsc:Length>999999</wsc:Length>",
	  REFUSED(STRUCTURE) },
	{ "two lengths", "derived-13", LENGTH, LENGTH LENGTH, REFUSED(TOKEN) },
	{ "another label", "derived-13", LENGTH, LENGTH "<wsc:Label>x</wsc:Label>",
	  REFUSED(SIGNATURE) },
	{ "another key derivation", "derived-13", "<wsc:DerivedKeyToken ",
	  "<wsc:DerivedKeyToken Algorithm=\"urn:x\" ", REFUSED(UNSUPPORTED) },
	{ "no nonce", "derived-13", "<wsc:Nonce>", "<wsc:Nonce>!", REFUSED(STRUCTURE) },
	{ "HMAC cut", "endorsed", HMAC256, CUT, REFUSED(SIGNATURE) },
	{ "another Body", "endorsed", "<submitOrder ", "<submitOrder xml:lang=\"x\" ",
	  REFUSED(SCHEMA) },
	{ "an endorsing signature of nothing", "asymmetric-endorsed", "<ds:Reference URI=\"#SIG-",
	  "<ds:Reference URI=\"#XIG-", REFUSED(WRAPPING) },
	{ "an endorsing signature of another", "endorsed", "<soapenv:Header>",
	  "<soapenv:Header><x xmlns=\"urn:x\" Id=\"@SIG\"/>", REFUSED(WRAPPING) },
	{ "two EncryptedKeys", "endorsed", "<xenc:EncryptedKey ",
	  "<xenc:EncryptedKey xmlns:xenc=\"http://www.w3.org/2001/04/xmlenc#\"/><xenc:EncryptedKey ",
	  REFUSED(WRAPPING) },
	{ "the Id of the key again", "endorsed", "<soapenv:Header>",
	  "<soapenv:Header><x xmlns=\"urn:x\" Id=\"@EK\"/>", REFUSED(WRAPPING) },
	{ "a signature by a key that is derived from itself", "derived-13",
	  "<wsse:Reference URI=\"#@EK\"", "<wsse:Reference URI=\"#@DK\"", REFUSED(TOKEN) },
	{ "by a key of no token", "derived-13", "<wsse:Reference URI=\"#@EK\"",
	  "<wsse:Reference URI=\"#x\"", REFUSED(UNSUPPORTED) },
	{ "by one derived from the certificate", "derived-13", "<wsse:Reference URI=\"#@EK\"",
	  "<wsse:Reference URI=\"#@BST\"", REFUSED(UNSUPPORTED) },
	{ "HMAC by the key of a certificate", "endorsed",
	  "#EncryptedKey\"/></wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>",
	  "#EncryptedKey\"/></wsse:SecurityTokenReference><ds:X509Data/></ds:KeyInfo></ds:Signature>",
	  REFUSED(ALGORITHM) },
	{ "RSA by the key of an EncryptedKey", "endorsed", "xmldsig-more#hmac-sha256",
	  "xmldsig-more#rsa-sha256", REFUSED(ALGORITHM) },
	{ "a key that is damaged", "endorsed", "<xenc:CipherValue>", "<xenc:CipherValue>AAAA",
	  REFUSED(SIGNATURE) },
	{ "a key without bytes", "endorsed", "<xenc:CipherValue>", "<xenc:CipherValue>!",
	  REFUSED(SIGNATURE) },
	{ "a key by RSA 1.5", "endorsed", "xmlenc#rsa-oaep-mgf1p", "xmlenc#rsa-1_5",
	  REFUSED(ALGORITHM) },
};

/* Put an Id of the message in the place of @EK, @DK, @SIG, @BST. */
static char *fill_ids(struct bytes b, const char *text)
{
	static const struct {
		const char *mark, *begin;
	} ids[] = {
		{ "@EK",
		  "<xenc:EncryptedKey xmlns:xenc=\"http://www.w3.org/2001/04/xmlenc#\" Id=\"" },
		{ "@DK", "<wsc:DerivedKeyToken xmlns:wsc=\"" SC13 "\" wsu:Id=\"" },
		{ "@SIG", "xmldsig#\" Id=\"" },
		{ "@BST", "x509-token-profile-1.0#X509v3\" wsu:Id=\"" },
	};
	struct bytes t = { .p = strdup(text), .len = strlen(text) };

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		char *id;

		if (!strstr(text, ids[i].mark))
			continue;
		id = copy_between(b, ids[i].begin, "\"");
		t = replace_text(t, ids[i].mark, id);
		free(id);
	}
	return t.p;
}

START_TEST(attacks_are_refused)
{
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, FMP_SYMMETRIC_ENDORSED);
	struct fmp_inspector *i = make_inspector(&cfg);
	struct bytes b = read_symmetric(attacks[_i].file);
	char *from = fill_ids(b, attacks[_i].from), *to = fill_ids(b, attacks[_i].to);

	expect_verdict(i, replace_text(b, from, to), attacks[_i].what, attacks[_i].kind, false, "");
	free(from);
	free(to);
	fmp_inspector_free(i);
}
END_TEST

/* No oracle: a key that does not unwrap is refused as an HMAC that does not match. */
START_TEST(one_refusal_after_the_key_is_used)
{
	static const char value[] = "<ds:SignatureValue>";
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, FMP_SYMMETRIC_ANONYMOUS);
	struct fmp_inspector *i = make_inspector(&cfg);
	struct bytes b = read_symmetric("anonymous");
	char *mac = copy_between(b, value, "<"), *other = strdup(mac);

	other[3] = other[3] == 'A' ? 'B' : 'A';
	expect_verdict(i, replace_text(b, mac, other), "value", FMP_EVENT_SIGNATURE, false,
		       "the signature value does not match");
	b = replace_text(read_symmetric("anonymous"), "<xenc:CipherValue>",
			 "<xenc:CipherValue>AAAA");
	expect_verdict(i, b, "key", FMP_EVENT_SIGNATURE, false,
		       "the signature value does not match");
	free(mac);
	free(other);
	fmp_inspector_free(i);
}
END_TEST

/* What endorses a message can be taken off: it is the same message. */
START_TEST(a_replay_without_its_endorsement)
{
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, FMP_SYMMETRIC_ANONYMOUS);
	struct bytes b = read_symmetric("derived-2005");
	struct fmp_inspector *i;
	char *id, *end;

	cfg.replay_entries = 16;
	cfg.replay_per_signer = 16;
	i = make_inspector(&cfg);
	expect_verdict(i, read_symmetric("derived-2005"), "first", GOOD, true, "");
	id = strstr(b.p, "<ds:Signature ");
	id = strstr(id + 1, "<ds:Signature ");
	end = strstr(id, "</ds:Signature>") + strlen("</ds:Signature>");
	memmove(id, end, strlen(end) + 1);
	b.len = strlen(b.p);
	expect_verdict(i, b, "again", FMP_EVENT_REPLAY, false, "");
	fmp_inspector_free(i);
}
END_TEST

/* Another endorsement does not make another message, also when the first one was driven out. */
START_TEST(a_replay_after_eviction)
{
	static const char *const others[] = { "derived-13", "derived-sha384", "endorsed",
					      "endorsed-sha512-key16" };
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, FMP_SYMMETRIC_ANONYMOUS);
	struct bytes b = read_symmetric("derived-2005");
	struct fmp_inspector *i;
	char *id, *end;

	/* One entry: all of these evict the first message. */
	cfg.replay_entries = 1;
	cfg.replay_per_signer = 1;
	i = make_inspector(&cfg);
	expect_verdict(i, read_symmetric("derived-2005"), "first", GOOD, true, "");
	for (size_t n = 0; n < sizeof(others) / sizeof(*others); n++) {
		struct fmp_inspection v;
		struct bytes o = read_symmetric(others[n]);

		v = inspect_at(i, o, NOW);
		fmp_inspection_clear(&v);
		free(o.p);
	}
	id = strstr(b.p, "<ds:Signature ");
	id = strstr(id + 1, "<ds:Signature ");
	end = strstr(id, "</ds:Signature>") + strlen("</ds:Signature>");
	memmove(id, end, strlen(end) + 1);
	b.len = strlen(b.p);
	expect_verdict(i, b, "again", FMP_EVENT_REPLAY, false, "older than");
	fmp_inspector_free(i);
}
END_TEST

/* ---- what a sender leaves out or exchanges behind its signatures ---- */

/* WS-Security 1.1, 7.3: a name by SHA-1 needs no Id. */
START_TEST(a_key_without_an_id)
{
	static const char id[] = " Id=\"@EK\"";
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, FMP_SYMMETRIC_ENDORSED);
	struct fmp_inspector *i = make_inspector(&cfg);
	struct bytes b = read_symmetric("endorsed-by-sha1-name");
	char *from = fill_ids(b, id);

	expect_verdict(i, replace_text(b, from, ""), "no Id", GOOD, true, "");
	free(from);
	fmp_inspector_free(i);
}
END_TEST

/* Of the signer, of the key's recipient, and of who endorses: each may stand in the header. */
START_TEST(three_tokens)
{
	static const char begin[] = "<wsse:BinarySecurityToken ";
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, FMP_SYMMETRIC_ENDORSED);
	struct fmp_inspector *i = make_inspector(&cfg);
	struct bytes b = read_symmetric("asymmetric-endorsed");

	b = replace_text(b, begin, "<wsse:BinarySecurityToken/><wsse:BinarySecurityToken ");
	expect_verdict(i, b, "three", GOOD, true, "");
	b = replace_text(read_symmetric("endorsed"), begin,
			 "<wsse:BinarySecurityToken/><wsse:BinarySecurityToken/>"
			 "<wsse:BinarySecurityToken/><wsse:BinarySecurityToken ");
	expect_verdict(i, b, "four", FMP_EVENT_WRAPPING, false, "more than 3 tokens");
	fmp_inspector_free(i);
}
END_TEST

/* With a list of certificates, in which no secret is. */
START_TEST(endorsed_by_a_secret)
{
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, FMP_SYMMETRIC_ENDORSED);
	struct bytes b = read_symmetric("endorsed");
	char *from = fill_ids(b, "<wsse:Reference URI=\"#@BST\"");
	char *to = fill_ids(b, "<wsse:Reference URI=\"#@EK\"");
	char *type = copy_between(b, from, "/>"), *whole;
	struct fmp_inspector *i;

	cfg.certificates = tests_path(TOKENS_PKI "clients.pem");
	i = make_inspector(&cfg);
	b = replace_text(b, "xmldsig-more#rsa-sha256", "xmldsig-more#hmac-sha256");
	ck_assert_int_gt(asprintf(&whole, "%s%s", from, type), 0);
	b = replace_text(b, whole, to);
	free(whole);
	expect_verdict(i, b, "by a secret", FMP_EVENT_UNSUPPORTED, false, "by a secret");
	free(type);
	free(from);
	free(to);
	fmp_inspector_free(i);
}
END_TEST

/* WS-Security UsernameToken profile 1.1, 4: a key may be made of a password; not here, but it is legal. */
START_TEST(by_a_user)
{
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, FMP_SYMMETRIC_SUPPORTED);
	struct bytes b = read_symmetric("user");
	char users[] = "/tmp/fmp-test-users.XXXXXX";
	int fd;
	char *from = fill_ids(b, "<wsse:Reference URI=\"#@EK\"");
	char *id = copy_between(b, "<wsse:UsernameToken wsu:Id=\"", "\""), *to;
	struct fmp_inspector *i;

	ck_assert_int_gt(asprintf(&to, "<wsse:Reference URI=\"#%s\"", id), 0);
	fd = mkstemp(users);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(dprintf(fd, "jane:correct horse, battery\n"), 28);
	close(fd);
	cfg.passwords = users;
	cfg.max_age_ms = 2 * 3600 * 1000;
	i = make_inspector(&cfg);
	expect_verdict(i, read_symmetric("user"), "user", GOOD, true, "");
	expect_verdict(i, read_symmetric("user-derived"), "derived", GOOD, true, "");
	expect_verdict(i, replace_text(b, from, to), "by a password", FMP_EVENT_UNSUPPORTED, false,
		       "password");
	fmp_inspector_free(i);
	cfg.symmetric = FMP_SYMMETRIC_ENDORSED;
	i = make_inspector(&cfg);
	expect_verdict(i, read_symmetric("user"), "user", FMP_EVENT_UNSUPPORTED, false,
		       "an endorsing signature is missing");
	fmp_inspector_free(i);
	unlink(users);
	free(from);
	free(id);
	free(to);
}
END_TEST

/* The holder of an earlier assertion is none of this one. */
START_TEST(endorsed_by_the_holder_of_no_key)
{
	static const char name[] = "<wsse:Reference URI=\"#";
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, FMP_SYMMETRIC_ENDORSED);
	struct fmp_policy_saml saml = token_saml();
	struct bytes bearer = read_symmetric("bearer-unsigned");
	struct bytes b = read_symmetric("asymmetric-endorsed");
	char *assertion, *id, *bst, *put, *from, *to;
	struct fmp_inspector *i;

	strcpy(saml.issuers[0].trust, tests_path(PKI "idp.crt"));
	cfg.saml = &saml;
	i = make_inspector(&cfg);
	assertion = copy_between(bearer, "<saml2:Assertion", "</saml2:Assertion>");
	id = copy_between((struct bytes){ .p = assertion }, " ID=\"", "\"");
	bst = copy_between(b, "x509-token-profile-1.0#X509v3\" wsu:Id=\"", "\"");
	ck_assert_int_gt(asprintf(&put, "<saml2:Assertion%s</saml2:Assertion></wsse:Security>",
				  assertion),
			 0);
	ck_assert_int_gt(asprintf(&from, "%s%s\"", name, bst), 0);
	ck_assert_int_gt(asprintf(&to, "%s%s\"", name, id), 0);
	b = replace_text(replace_text(b, "</wsse:Security>", put), from, to);
	expect_verdict(i, read_symmetric("holder-endorses"), "holder", GOOD, true, "");
	expect_verdict(i, b, "bearer", FMP_EVENT_TOKEN, false, "confirms no key");
	free(assertion);
	free(id);
	free(bst);
	free(put);
	free(from);
	free(to);
	free(bearer.p);
	fmp_inspector_free(i);
}
END_TEST

/* An assertion's key has no certificate, whether or not it was seen before. */
START_TEST(the_identity_of_a_holder)
{
	struct fmp_inspect_config cfg = symmetric_config(SIGNED, FMP_SYMMETRIC_ENDORSED);
	struct fmp_policy_saml saml = token_saml();
	struct fmp_inspector *i;

	strcpy(saml.issuers[0].trust, tests_path(PKI "idp.crt"));
	cfg.saml = &saml;
	cfg.identity = true;
	i = make_inspector(&cfg);
	for (unsigned n = 0; n < 3; n++) {
		struct bytes b = read_symmetric("holder-endorses");
		struct fmp_inspection v = inspect_at(i, b, NOW);

		ck_assert_msg(v.accepted, "%s", v.detail);
		ck_assert_uint_eq(v.identity.methods, FMP_ASSURANCE_BIT(FMP_ASSURANCE_SAML));
		fmp_inspection_clear(&v);
		free(b.p);
	}
	fmp_inspector_free(i);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("symmetric");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, the_policy_says_what_suffices, 0,
			    (int)(sizeof(rows) / sizeof(rows[0])));
	tcase_add_test(tc, encrypted_before_it_is_signed);
	tcase_add_test(tc, without_a_key);
	tcase_add_loop_test(tc, subject_confirmations, 0,
			    (int)(sizeof(assertions) / sizeof(assertions[0])));
	tcase_add_loop_test(tc, attacks_are_refused, 0,
			    (int)(sizeof(attacks) / sizeof(attacks[0])));
	tcase_add_test(tc, one_refusal_after_the_key_is_used);
	tcase_add_test(tc, a_replay_without_its_endorsement);
	tcase_add_test(tc, a_replay_after_eviction);
	tcase_add_test(tc, a_key_without_an_id);
	tcase_add_test(tc, three_tokens);
	tcase_add_test(tc, endorsed_by_a_secret);
	tcase_add_test(tc, by_a_user);
	tcase_add_test(tc, endorsed_by_the_holder_of_no_key);
	tcase_add_test(tc, the_identity_of_a_holder);
	return run_tcase("symmetric", tc);
}
