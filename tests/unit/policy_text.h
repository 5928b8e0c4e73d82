/* SPDX-License-Identifier: GPL-2.0 */
/* Policies as text, for tests of their reader. */
#ifndef FMP_TESTS_POLICY_TEXT_H
#define FMP_TESTS_POLICY_TEXT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/policy.h>

/** top() - of the tree: FMP_TOP, or where the test was started. */
static inline const char *top(void)
{
	const char *path = getenv("FMP_TOP");

	return path ? path : ".";
}

static inline const char *xsd(void)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/policies/fmp-policy.xsd", top());
	return path;
}

#define ROOT "<policy xmlns=\"urn:fmp:policy:1\">"

/** load() - text as the file /etc/fmp/p.xml. */
static inline int load(const char *text, struct fmp_policy **p, struct fmp_error *err)
{
	memset(err, 0, sizeof(*err));
	return fmp_policy_load_memory(text, strlen(text), "/etc/fmp/p.xml", xsd(), p, err);
}

/** must_load_text() - the same, of a policy that is good. */
static inline struct fmp_policy *must_load_text(const char *text)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	char why[1024];

	ck_assert_msg(!load(text, &p, &err), "%s\n%s", fmp_error_format(&err, why, sizeof(why)),
		      text);
	return p;
}

/** struct bad_policy - text that is refused, and what is said of it */
struct bad_policy {
	const char *text;
	int code;
	unsigned line, column;
	const char *path, *words;
};

static inline void check_bad_policy(const struct bad_policy *bad)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	int rc = load(bad->text, &p, &err);
	char why[1024];

	fmp_error_format(&err, why, sizeof(why));
	ck_assert_msg(rc == bad->code, "%s: %d: %s", bad->text, rc, why);
	ck_assert_ptr_null(p);
	ck_assert_int_eq(err.code, rc);
	ck_assert_str_eq(err.file, "/etc/fmp/p.xml");
	ck_assert_msg(err.line == bad->line && err.column == bad->column, "%u:%u expected: %s",
		      bad->line, bad->column, why);
	ck_assert_str_eq(err.path, bad->path);
	ck_assert_msg(strstr(err.message, bad->words), "\"%s\" expected: %s", bad->words, why);
}

#endif
