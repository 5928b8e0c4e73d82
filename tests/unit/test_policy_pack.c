// SPDX-License-Identifier: GPL-2.0
/* libfmp/policy: a policy handed from one process to another, whole or not at all. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/policy_pack.h>

#include "policy_text.h"
#include "run.h"

static char *pack_policy(const struct fmp_policy *p, const struct fmp_error *e, size_t *len)
{
	char *bytes;
	FILE *f = open_memstream(&bytes, len);

	ck_assert_ptr_nonnull(f);
	fmp_policy_pack(f, p, e);
	ck_assert_int_eq(fclose(f), 0);
	return bytes;
}

static int fail_on_change(const struct fmp_policy_change *c, void *ctx)
{
	ck_abort_msg("%s: %s -> %s", c->path, c->from, c->to);
	return 1;
}

START_TEST(full_policy_arrives)
{
	struct fmp_policy *p = must_load_text(FULL_POLICY), *q = NULL;
	char *before, *after, *bytes;
	size_t len;

	bytes = pack_policy(p, NULL, &len);
	ck_assert_int_eq(fmp_policy_unpack(bytes, len, &q, NULL), 0);
	ck_assert_int_eq(fmp_policy_diff(p, q, fail_on_change, NULL), 0);
	before = print_policy(p);
	after = print_policy(q);
	ck_assert_str_eq(before, after);
	ck_assert_str_eq(p->file, q->file);
	/* Rules are the same ones where they were: a service may have the gateway's, or its own. */
	ck_assert_ptr_nonnull(q->gateway.content);
	ck_assert_ptr_ne(q->gateway.content, p->gateway.content);
	for (size_t i = 0; i < p->n_services; i++)
		ck_assert_int_eq(p->services[i].demands.content == p->gateway.content,
				 q->services[i].demands.content == q->gateway.content);
	free(before);
	free(after);
	free(bytes);
	fmp_policy_free(p);
	fmp_policy_free(q);
}
END_TEST

START_TEST(an_error_arrives)
{
	struct fmp_error sent, got;
	struct fmp_policy *q;
	char *bytes;
	size_t len;

	fmp_error_at(&sent, FMP_ERR_SCHEMA, "p.xml", 3, 9, "what is \"%s\"", "malicius");
	bytes = pack_policy(NULL, &sent, &len);
	ck_assert_int_eq(fmp_policy_unpack(bytes, len, &q, &got), FMP_ERR_SCHEMA);
	ck_assert_uint_eq(got.line, 3);
	ck_assert_uint_eq(got.column, 9);
	ck_assert_str_eq(got.file, "p.xml");
	ck_assert_str_eq(got.message, "what is \"malicius\"");
	for (size_t cut = 0; cut < len; cut++)
		ck_assert_int_eq(fmp_policy_unpack(bytes, cut, &q, &got), FMP_ERR_SYNTAX);
	free(bytes);
}
END_TEST

/* Cut anywhere it is refused; so is what another build wrote, and what goes on behind its end. */
START_TEST(parts_are_refused)
{
	struct fmp_policy *p = must_load_text(FULL_POLICY), *q;
	struct fmp_error err;
	char *bytes, *longer;
	size_t len, step;

	bytes = pack_policy(p, NULL, &len);
	for (size_t cut = 0; cut < len; cut += step) {
		char *part = malloc(cut ? cut : 1);

		memcpy(part, bytes, cut);
		ck_assert_int_eq(fmp_policy_unpack(part, cut, &q, &err), FMP_ERR_SYNTAX);
		free(part);
		/* The lists at its end byte by byte, the structs in front of them not. */
		step = cut + 2048 < len ? 509 : 1;
	}
	longer = calloc(1, len + 1);
	memcpy(longer, bytes, len);
	ck_assert_int_eq(fmp_policy_unpack(longer, len + 1, &q, &err), FMP_ERR_SYNTAX);
	longer[8]++;
	ck_assert_int_eq(fmp_policy_unpack(longer, len, &q, &err), FMP_ERR_SYNTAX);
	ck_assert_ptr_nonnull(strstr(err.message, "build"));
	free(longer);
	free(bytes);
	fmp_policy_free(p);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("pack");

	tcase_add_test(tc, full_policy_arrives);
	tcase_add_test(tc, an_error_arrives);
	tcase_add_test(tc, parts_are_refused);
	return run_tcase("policy_pack", tc);
}
