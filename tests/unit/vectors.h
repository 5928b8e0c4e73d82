/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of the inspection share: the vectors of tests/interop and inspectors over them. */
#ifndef FMP_TESTS_VECTORS_H
#define FMP_TESTS_VECTORS_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/inspect.h>

/* 2026-11-21T03:00:00Z: shortly after the vectors were made. */
#define VECTORS_NOW 1795230000

struct bytes {
	char *p;
	size_t len;
};

/* A path below tests/; FMP_TESTS says where that is when it is not below here. */
static inline const char *tests_path(const char *name)
{
	static char buf[16][512];
	static unsigned next;
	const char *root = getenv("FMP_TESTS");
	char *p = buf[next++ % 16];

	snprintf(p, sizeof(buf[0]), "%s/%s", root ? root : "tests", name);
	return p;
}

static inline struct bytes read_vector(const char *name)
{
	struct bytes b = { 0 };
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "interop/vectors/%s", name);
	f = fopen(tests_path(path), "rb");
	ck_assert_msg(f != NULL, "cannot open %s", tests_path(path));
	b.p = malloc(1 << 23);
	ck_assert_ptr_nonnull(b.p);
	b.len = fread(b.p, 1, 1 << 23, f);
	fclose(f);
	/* Exactly as long as the message and a NUL for the tests: a read behind is seen by ASan. */
	b.p = realloc(b.p, b.len + 1);
	ck_assert_ptr_nonnull(b.p);
	b.p[b.len] = '\0';
	return b;
}

static inline struct fmp_policy_limits vector_limits(void)
{
	return (struct fmp_policy_limits){
		.body_bytes = 1 << 20,
		.depth = 64,
		.attributes = 64,
		.elements = 20000,
		.name_bytes = 256,
		.text_bytes = 256 << 10,
		.references = 8,
	};
}

static inline struct fmp_inspect_config vector_config(enum fmp_security security)
{
	return (struct fmp_inspect_config){
		.security = security,
		.schema = tests_path("interop/vectors/orders.xsd"),
		.trust = tests_path("interop/vectors/pki/ca.crt"),
		.key = tests_path("interop/vectors/pki/server.key"),
		.clock_skew_ms = 60000,
		.limits = vector_limits(),
	};
}

/* For peers that have nothing but CBC. */
static inline const struct fmp_policy_algorithms *vector_cbc(void)
{
	static struct fmp_policy_algorithms cbc = FMP_ALGORITHMS_DEFAULT;

	cbc.encryption = FMP_CIPHERS_CBC;
	return &cbc;
}

static inline struct fmp_inspector *make_inspector(const struct fmp_inspect_config *cfg)
{
	struct fmp_error err = { 0 };
	struct fmp_inspector *i;
	int ret = fmp_inspector_new(cfg, &i, &err);

	ck_assert_msg(ret == 0, "%s: %s", err.file, err.message);
	return i;
}

static inline struct fmp_inspector *vector_inspector(enum fmp_security security)
{
	struct fmp_inspect_config cfg = vector_config(security);

	return make_inspector(&cfg);
}

/* By a vector's name it is known what was done first, and with what. */
static inline struct fmp_inspect_config config_for(const char *file, enum fmp_security security)
{
	struct fmp_inspect_config cfg = vector_config(security);

	if (strstr(file, "enc-then-"))
		cfg.order = FMP_ORDER_ENCRYPT_SIGN;
	if (strstr(file, "-cbc"))
		cfg.algorithms = vector_cbc();
	return cfg;
}

static inline struct fmp_inspector *inspector_for(const char *file, enum fmp_security security)
{
	struct fmp_inspect_config cfg = config_for(file, security);

	return make_inspector(&cfg);
}

static inline struct fmp_inspection inspect_bytes(struct fmp_inspector *i, const void *p, size_t n)
{
	struct fmp_message m = { .bytes = p, .len = n, .now_s = VECTORS_NOW };
	struct fmp_inspection v;

	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	return v;
}

static inline void vectors_setup(void)
{
	struct fmp_error err = { 0 };

	ck_assert_msg(fmp_inspect_global_init(&err) == 0, "%s", err.message);
}

static inline void vectors_teardown(void)
{
	fmp_inspect_global_exit();
}

/* The first `from` in the message becomes `to`. */
static inline struct bytes edit_bytes(struct bytes b, const char *from, const char *to)
{
	char *at = strstr(b.p, from);
	struct bytes out;
	size_t head;

	ck_assert_msg(at != NULL, "no %s", from);
	head = (size_t)(at - b.p);
	out.len = b.len - strlen(from) + strlen(to);
	out.p = malloc(out.len + 1);
	ck_assert_ptr_nonnull(out.p);
	memcpy(out.p, b.p, head);
	strcpy(stpcpy(out.p + head, to), at + strlen(from));
	free(b.p);
	return out;
}

#endif
