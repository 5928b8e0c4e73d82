/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages of which more is encrypted than the Body, as templates of the corpus of attacks
 * (expand.h). No other stack's are at hand: what is signed is written in its canonical form.
 */
#ifndef FMP_TESTS_HIDDEN_H
#define FMP_TESTS_HIDDEN_H

#include <unistd.h>

#include "attack.h"
#include "hidden_parts.h"
#include "vectors.h"

#define REF(uri, x) REFERENCE(" URI=\"#" uri "\"", TRANSFORM(EXC), XENC "sha256", "@(" x "@)")
#define INFO(more)  SIGNED_INFO(REF_TIME REF_BODY more)

/* BcES. */
#define SIGNED_SECRET(key, parts, blocks, body) \
	OPEN HEADER(SECURITY(key "@K@T" parts) blocks) SIGNED_BODY("body", body) CLOSE

/* BcES where the encrypted is what is signed; its key stands behind the signature. */
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

/** struct hidden_row - a message, and what is said of it; kind GOOD: it is accepted */
struct hidden_row {
	const char *name;
	enum fmp_security security;
	unsigned hidden;
	const char *text, *info;
	enum fmp_event_kind kind;
	const char *words;
	enum fmp_order order;
};

static struct attack_world *world;
static char hidden_ca[64], hidden_users[64];

static inline void hidden_file(char *path, const char *text)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
}

static inline void hidden_setup(void)
{
	vectors_setup();
	world = attack_world_new(tests_path("interop/vectors/pki/server.crt"), VECTORS_NOW);
	hidden_file(strcpy(hidden_ca, "/tmp/hidden-ca.XXXXXX"), "");
	attack_world_ca(world, hidden_ca);
	hidden_file(strcpy(hidden_users, "/tmp/hidden-users.XXXXXX"), "jane:secret\n");
}

static inline void hidden_teardown(void)
{
	attack_world_free(world);
	unlink(hidden_ca);
	unlink(hidden_users);
	vectors_teardown();
}

static inline struct fmp_inspect_config hidden_config(const struct hidden_row *r)
{
	struct fmp_inspect_config cfg = vector_config(r->security);

	cfg.trust = hidden_ca;
	cfg.order = r->order;
	if (r->text && strstr(r->text, CBC))
		cfg.algorithms = vector_cbc();
	cfg.require_encrypted = r->hidden | FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_BODY);
	cfg.password_text = true;
	if (r->hidden & USERNAME)
		cfg.passwords = hidden_users;
	return cfg;
}

static inline struct attack_bytes hidden_make(const struct hidden_row *r)
{
	struct attack a = { .variant = r->name, .text = r->text, .info = r->info };

	return attack_make(world, &a);
}

static inline struct fmp_inspection hidden_inspect(struct fmp_inspector *i,
						   const struct hidden_row *r)
{
	struct attack_bytes b = hidden_make(r);
	struct fmp_inspection v = inspect_bytes(i, b.p, b.len);

	/* An output that points into the received bytes would be gone. */
	ck_assert(!v.forward || v.own);
	free(b.p);
	return v;
}

static inline struct fmp_inspection hidden_look(const struct hidden_row *r)
{
	struct fmp_inspect_config cfg = hidden_config(r);
	struct fmp_inspector *i = make_inspector(&cfg);
	struct fmp_inspection v = hidden_inspect(i, r);

	fmp_inspector_free(i);
	return v;
}

#endif
