// SPDX-License-Identifier: GPL-2.0
/*
 * Timelines of tests/golden: NAME.log played must give NAME.out. A log that starts with
 * "# policy: FILE" is played under that file of policies/, or of tests/golden if it is a
 * .policy.xml; others under NAME.policy.xml. Run from the top of the tree, or with FMP_TOP=PATH. FMP_GOLDEN_WRITE=1 writes what came out
 * instead of comparing: read the difference before you keep it.
 */
#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/timeline.h>

#define LEAST_TIMELINES 110

static const char *top_path(void)
{
	const char *path = getenv("FMP_TOP");

	return path ? path : ".";
}

static char *read_file(const char *path, size_t *len)
{
	FILE *f = fopen(path, "r");
	char *text;
	long size;

	ck_assert_msg(f != NULL, "%s can't be read", path);
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	text = calloc(1, (size_t)size + 1);
	ck_assert_uint_eq(fread(text, 1, (size_t)size, f), (size_t)size);
	fclose(f);
	*len = (size_t)size;
	return text;
}

static int collect_line(const char *text, void *ctx)
{
	fprintf(ctx, "%s\n", text);
	return 0;
}

/* The policy that a log is played under. */
static void policy_path(const char *base, const char *log, char *path, size_t size)
{
	char name[64];

	if (sscanf(log, "# policy: %63[a-z0-9.-]", name) != 1)
		snprintf(path, size, "%s.policy.xml", base);
	else if (strstr(name, ".policy.xml"))
		snprintf(path, size, "%s/tests/golden/%s", top_path(), name);
	else
		snprintf(path, size, "%s/policies/%s", top_path(), name);
}

/* Every line that the log gives under a seed. */
static char *play_timeline(const char *base, uint64_t seed)
{
	struct fmp_error err = { 0 };
	struct fmp_policy *policy;
	char path[512], from[512], xsd[512], why[1024];
	size_t len, out_len;
	char *log, *out;
	FILE *f;

	snprintf(path, sizeof(path), "%s.log", base);
	log = read_file(path, &len);
	policy_path(base, log, from, sizeof(from));
	snprintf(xsd, sizeof(xsd), "%s/policies/fmp-policy.xsd", top_path());
	ck_assert_msg(!fmp_policy_load(from, xsd, &policy, &err), "%s",
		      fmp_error_format(&err, why, sizeof(why)));
	f = open_memstream(&out, &out_len);
	ck_assert_msg(!fmp_timeline_play(policy, seed, log, len, path, collect_line, f, &err), "%s",
		      fmp_error_format(&err, why, sizeof(why)));
	fclose(f);
	free(log);
	fmp_policy_free(policy);
	return out;
}

static void compare_timeline(const char *base)
{
	char path[512], *got = play_timeline(base, 1), *want;
	size_t len, line = 1;

	snprintf(path, sizeof(path), "%s.out", base);
	if (getenv("FMP_GOLDEN_WRITE")) {
		FILE *f = fopen(path, "w");

		ck_assert(f && fputs(got, f) >= 0 && !fclose(f));
		free(got);
		return;
	}
	want = read_file(path, &len);
	for (char *g = got, *w = want; *g || *w; line++) {
		size_t gl = strcspn(g, "\n"), wl = strcspn(w, "\n");

		ck_assert_msg(gl == wl && !memcmp(g, w, gl), "%s:%zu:\nwant: %.*s\n got: %.*s",
			      path, line, (int)wl, w, (int)gl, g);
		g += gl + (g[gl] == '\n');
		w += wl + (w[wl] == '\n');
	}
	free(got);
	free(want);
}

static glob_t logs;

START_TEST(timeline)
{
	char base[400];

	snprintf(base, sizeof(base), "%.*s", (int)strlen(logs.gl_pathv[_i]) - 4, logs.gl_pathv[_i]);
	compare_timeline(base);
}
END_TEST

START_TEST(invariant7_seed_changes_nothing)
{
	char base[400], *one, *other;

	snprintf(base, sizeof(base), "%.*s", (int)strlen(logs.gl_pathv[_i]) - 4, logs.gl_pathv[_i]);
	one = play_timeline(base, 0);
	other = play_timeline(base, 0x9e3779b97f4a7c15u);
	ck_assert_str_eq(one, other);
	free(one);
	free(other);
}
END_TEST

START_TEST(none_is_missing)
{
	char pattern[512];
	glob_t outs;

	ck_assert_uint_ge(logs.gl_pathc, LEAST_TIMELINES);
	snprintf(pattern, sizeof(pattern), "%s/tests/golden/*.out", top_path());
	ck_assert_int_eq(glob(pattern, 0, NULL, &outs), 0);
	ck_assert_uint_eq(outs.gl_pathc, logs.gl_pathc);
	globfree(&outs);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("golden");
	TCase *t = tcase_create("timelines");
	char pattern[512];
	SRunner *r;
	int failed;

	snprintf(pattern, sizeof(pattern), "%s/tests/golden/*.log", top_path());
	if (glob(pattern, 0, NULL, &logs)) {
		fprintf(stderr, "no timelines in %s: run from the top of the tree\n", pattern);
		return EXIT_FAILURE;
	}
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, timeline, 0, (int)logs.gl_pathc);
	tcase_add_loop_test(t, invariant7_seed_changes_nothing, 0, (int)logs.gl_pathc);
	tcase_add_test(t, none_is_missing);
	suite_add_tcase(s, t);
	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	globfree(&logs);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
