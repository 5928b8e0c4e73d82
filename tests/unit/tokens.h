/* SPDX-License-Identifier: GPL-2.0 */
/* The messages of tests/interop/vectors/tokens, made by WSS4J, and inspectors for them. */
#ifndef FMP_TESTS_TOKENS_H
#define FMP_TESTS_TOKENS_H

#include "vectors.h"

/* 2026-11-22T03:00:00Z: an hour after they were made. */
#define TOKENS_NOW 1795316400

#define TOKENS_PKI "interop/vectors/tokens/pki/"

static inline struct fmp_inspect_config token_config(enum fmp_security security)
{
	struct fmp_inspect_config cfg = vector_config(security);

	cfg.trust = tests_path(TOKENS_PKI "ca.crt");
	cfg.certificates = tests_path(TOKENS_PKI "clients.pem");
	return cfg;
}

/* Of the issuer of the assertions among them. */
static inline struct fmp_policy_saml token_saml(void)
{
	struct fmp_policy_saml s = { .bearer = true, .n_issuers = 1 };

	strcpy(s.audiences, "urn:other urn:fmp:orders");
	strcpy(s.recipients, "http://gw.example.org/ http://gw.example.org/orders");
	strcpy(s.issuers[0].name, "https://idp.example.org/");
	strcpy(s.issuers[0].trust, tests_path(TOKENS_PKI "idp.crt"));
	return s;
}

static inline struct bytes read_token(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "tokens/%s.xml", name);
	return read_vector(path);
}

static inline struct fmp_inspection inspect_at(struct fmp_inspector *i, struct bytes b, int64_t now)
{
	struct fmp_message m = { .bytes = b.p, .len = b.len, .now_s = now };
	struct fmp_inspection v;

	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	return v;
}

/* One message through one inspector; kind FMP_EVENT_GOOD: accepted. Frees the message. */
static inline void expect_bytes(struct fmp_inspector *i, struct bytes b, const char *name,
				enum fmp_event_kind kind, const char *words)
{
	struct fmp_inspection v = inspect_at(i, b, TOKENS_NOW);

	ck_assert_msg(v.kind == kind && v.accepted == (kind == FMP_EVENT_GOOD), "%s: %s at %s: %s",
		      name, fmp_event_kind_name(v.kind), fmp_step_name(v.step), v.detail);
	ck_assert_msg(strstr(v.detail, words) != NULL, "%s: %s", name, v.detail);
	ck_assert(v.accepted || !v.forward);
	fmp_inspection_clear(&v);
	free(b.p);
}

static inline void expect_token(struct fmp_inspector *i, const char *name, enum fmp_event_kind kind,
				const char *words)
{
	expect_bytes(i, read_token(name), name, kind, words);
}

#endif
