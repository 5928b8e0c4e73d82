/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The corpus of attacks: tables of variants, each a template of a message and the verdict that
 * the pipeline must give on it. Messages are made on demand: keys are new in each run, texts
 * are always the same.
 */
#ifndef FMP_TESTS_ATTACK_H
#define FMP_TESTS_ATTACK_H

#include <fmp/inspect.h>

enum attack_cert {
	ATTACK_GOOD = 0, /* RSA 2048, of the CA */
	ATTACK_SECOND, /* another of the CA: P-256 */
	ATTACK_ROGUE, /* of a CA of the same name that nobody trusts */
	ATTACK_SELF, /* signed by itself */
	ATTACK_EXPIRED, /* of the CA, two days ago */
	ATTACK_CA, /* the CA itself */
	ATTACK_HUGE, /* RSA of 16384 bits, of nobody */
	ATTACK_IDP, /* RSA 2048, issues assertions */
	/* Below the CA, for paths; those behind a colon have the key of ATTACK_GOOD. */
	ATTACK_BETWEEN, /* a CA of the CA: */
	ATTACK_DEEP,
	ATTACK_NO_CA, /* of the CA, but none itself: */
	ATTACK_OF_NO_CA,
	ATTACK_SHORT, /* a CA that may have no CA below it; that has one: */
	ATTACK_BELOW_SHORT,
	ATTACK_TOO_DEEP,
	ATTACK_NARROW, /* a CA for good.example alone; that issues for another: */
	ATTACK_OF_NARROW,
	ATTACK_CERTS
};

/* By what a message is signed where no certificate is named. */
enum attack_secret {
	ATTACK_SESSION = 0, /* the wrapped key */
	ATTACK_NOTHING, /* no byte */
	ATTACK_OTHER, /* of another message */
	ATTACK_PUBLIC, /* the certificate of the token, in DER */
	ATTACK_DERIVED, /* of the wrapped key */
};

enum attack_form {
	ATTACK_AS_IS = 0,
	ATTACK_UTF16LE, /* two bytes for each, without a mark */
	ATTACK_UTF16BE,
	ATTACK_UTF16LE_MARK, /* with one */
	ATTACK_UTF32LE,
};

/**
 * struct attack - one variant
 *
 * @text: template of the message; see expand.h
 * @piece, @close, @n: what @* and @/ stand for, n times
 * @twin: the same without what is wrong with it, which is accepted; NULL: an order as long is good
 * @info: template of the SignedInfo; NULL: as it should be
 * @plain: template of what is encrypted; NULL: an order
 * @key, @token: who signs, and whose certificate is in the token
 * @saml: the inspector knows the issuer; under BcV it takes a bearer's assertion, too
 * @assertion: template of the assertion; NULL: one of the holder of ATTACK_GOOD
 * @issuer: who signs it and whose certificate it has; ATTACK_GOOD: ATTACK_IDP
 * @encrypted_parts: the inspector demands an encrypted UsernameToken, of jane, and To
 * @symmetric: the inspector takes keys of an EncryptedKey, whoever made it
 * @headers: the inspector demands a signed header block {urn:fmp:attacks}route
 * @secret, @endorsing: of @M; template of a second SignedInfo, whose value is @e
 * @content: the inspector has the rules of policies/content-injection.xml
 * @action: SOAPAction; NULL: none
 * @again: the attack is the second copy; the inspector must have a replay cache
 * @raw: a whole HTTP request; the inspector sees what the gateway's reader has not refused
 */
struct attack {
	const char *class, *variant;
	enum fmp_security security;
	enum fmp_step step;
	enum fmp_event_kind kind;
	const char *text;
	const char *piece, *close;
	unsigned n;
	const char *twin;
	const char *info;
	const char *plain;
	enum attack_cert key, token;
	bool saml;
	bool encrypted_parts;
	bool symmetric;
	bool headers;
	enum attack_secret secret;
	const char *endorsing;
	bool content;
	const char *assertion;
	enum attack_cert issuer;
	enum attack_form form;
	const char *action;
	bool again;
	bool raw;
};

struct attack_table {
	const struct attack *rows;
	size_t n;
};
extern const struct attack_table attack_parsing, attack_entities, attack_encoding, attack_envelope,
	attack_wrapping, attack_signature, attack_oversized, attack_encryption, attack_saml,
	attack_content, attack_http, attack_encrypted_parts, attack_paths, attack_token_references,
	attack_symmetric, attack_headers;

/** attack_get() - variant number i of all; NULL behind the last. */
const struct attack *attack_get(size_t i);

struct attack_bytes {
	char *p; /* free() */
	size_t len;
};

struct attack_pki;

/** attack_pki_new() - keys and certificates; server: PEM certificate to encrypt for. */
struct attack_pki *attack_pki_new(const char *server, int64_t now_s);
void attack_pki_free(struct attack_pki *pki);
/** attack_pki_write_ca() / _idp() - writes the CA, the issuer, that the inspector is to trust. */
void attack_pki_write_ca(const struct attack_pki *pki, const char *path);
void attack_pki_write_idp(const struct attack_pki *pki, const char *path);
/** What the file of users says. */
#define ATTACK_USERS	"jane:secret\n"
/** The issuer's name, and who we are for it. */
#define ATTACK_ISSUER	"https://idp.example.org/"
#define ATTACK_AUDIENCE "urn:fmp:orders"
/** The namespace of the header block that is demanded. */
#define ATTACK_ROUTE	"urn:fmp:attacks"

struct attack_bytes attack_make(struct attack_pki *pki, const struct attack *a);

/**
 * attack_accepted() - a good message of about that size or its least
 * @as: its configuration, and whether it is a request, has an assertion or is looked at by rules
 */
struct attack_bytes attack_accepted(struct attack_pki *pki, const struct attack *as, size_t size);
/** attack_items() - items of that message's order: two of as many are the same. */
size_t attack_items(const struct attack *as, size_t size);

#endif
