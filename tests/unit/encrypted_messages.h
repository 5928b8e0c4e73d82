/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages that encrypt more than the Body, as templates of the corpus of attacks (expand.h).
 * No other stack's are at hand: what is signed is written in its canonical form.
 */
#ifndef FMP_TESTS_ENCRYPTED_MESSAGES_H
#define FMP_TESTS_ENCRYPTED_MESSAGES_H

#include <unistd.h>

#include "attack.h"
#include "encrypted_parts.h"
#include "vectors.h"

#define REF(uri, x) REFERENCE(" URI=\"#" uri "\"", TRANSFORM(EXC), XENC "sha256", "@(" x "@)")
#define INFO(more)  SIGNED_INFO(REF_TIME REF_BODY more)

/* BcES. */
#define SIGNED_SECRET(key, parts, blocks, body) \
	OPEN HEADER(SECURITY(key "@K@T" parts) blocks) SIGNED_BODY("body", body) CLOSE

/* BcES where the signature is over cipher text; its key stands behind the signature. */
#define SECRET_SIGNED(key, parts, blocks, body) \
	OPEN HEADER(SECURITY("@K@T@G" key parts) blocks) SIGNED_BODY("body", body) CLOSE
#define INFO_SIGNED(body, more) SIGNED_INFO(REF_TIME REF("body", SIGNED_BODY("body", body)) more)

#define USERNAME  FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_USERNAME)
#define SIGNATURE FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_SIGNATURE)
#define PART(p)	  FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_TO + FMP_PART_##p - FMP_PART_TO)

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

#define BCE  FMP_SECURITY_BCE
#define BCES FMP_SECURITY_BCES

#define ALL_REFS       TO_BE("eu") TO_BE("es") TO_BE("et") TO_BE("em") TO_BE("ed")
#define ALL_INFO       INFO(REF("user", USER) REF("to", TO) REF("mid", MESSAGE_ID))
#define ALL	       (USERNAME | SIGNATURE | PART(TO) | PART(MESSAGE_ID))
#define BLOCKS(blocks) SECRET(KEY(TO_BE("et") TO_BE("ed")), "", blocks, G("ed", ORDER))

/** struct encrypted_row - a message and its verdict; kind GOOD: it is accepted */
struct encrypted_row {
	const char *name;
	enum fmp_security security;
	unsigned encrypted;
	const char *text, *info;
	enum fmp_event_kind kind;
	const char *words;
	enum fmp_order order;
};

static struct attack_pki *pki;
static char encrypted_ca[64], encrypted_users[64];

static inline void write_temporary_file(char *path, const char *text)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
}

static inline void encrypted_setup(void)
{
	vectors_setup();
	pki = attack_pki_new(tests_path("interop/vectors/pki/server.crt"), VECTORS_NOW);
	write_temporary_file(strcpy(encrypted_ca, "/tmp/encrypted-ca.XXXXXX"), "");
	attack_pki_write_ca(pki, encrypted_ca);
	write_temporary_file(strcpy(encrypted_users, "/tmp/encrypted-users.XXXXXX"),
			     "jane:secret\n");
}

static inline void encrypted_teardown(void)
{
	attack_pki_free(pki);
	unlink(encrypted_ca);
	unlink(encrypted_users);
	vectors_teardown();
}

static inline struct fmp_inspect_config encrypted_config(const struct encrypted_row *r)
{
	struct fmp_inspect_config cfg = vector_config(r->security);

	cfg.trust = encrypted_ca;
	cfg.order = r->order;
	if (r->text && strstr(r->text, CBC))
		cfg.algorithms = vector_cbc();
	cfg.require_encrypted = r->encrypted | FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_BODY);
	cfg.password_text = true;
	if (r->encrypted & USERNAME)
		cfg.passwords = encrypted_users;
	return cfg;
}

static inline struct attack_bytes make_encrypted(const struct encrypted_row *r)
{
	struct attack a = { .variant = r->name, .text = r->text, .info = r->info };

	return attack_make(pki, &a);
}

static inline struct fmp_inspection inspect_encrypted_with(struct fmp_inspector *i,
							   const struct encrypted_row *r)
{
	struct attack_bytes b = make_encrypted(r);
	struct fmp_inspection v = inspect_bytes(i, b.p, b.len);

	/* An output that points into the received bytes would be gone. */
	ck_assert(!v.forward || v.own);
	free(b.p);
	return v;
}

static inline struct fmp_inspection inspect_encrypted(const struct encrypted_row *r)
{
	struct fmp_inspect_config cfg = encrypted_config(r);
	struct fmp_inspector *i = make_inspector(&cfg);
	struct fmp_inspection v = inspect_encrypted_with(i, r);

	fmp_inspector_free(i);
	return v;
}

#endif
