// SPDX-License-Identifier: GPL-2.0
/* libfmp/policy: the policy in force as text, and what two policies differ in. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/policy.h>

#include <fmp/internal/policy_settings.h>

#include "policy_text.h"
#include "run.h"

static int append_change(const struct fmp_policy_change *c, void *ctx)
{
	fprintf(ctx, "%s: %s -> %s\n", c->path, c->from ? c->from : "-", c->to ? c->to : "-");
	return 0;
}

static char *print_difference(const struct fmp_policy *a, const struct fmp_policy *b)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	ck_assert_int_eq(fmp_policy_diff(a, b, append_change, f), 0);
	fclose(f);
	return text;
}

/* Of the rules each policy has its own; their texts are in what is printed. */
static bool same_demands(struct fmp_policy_gateway a, struct fmp_policy_gateway b)
{
	bool same = !a.content == !b.content;

	a.content = b.content = NULL;
	return same && !memcmp(&a, &b, sizeof(a));
}

/* Printed and loaded again it is the same, to the byte where the struct has no lists. */
static void check_loads_again(const struct fmp_policy *p)
{
	char *text = print_policy(p), *again, *changes;
	struct fmp_policy *q = must_load_text(text);

	again = print_policy(q);
	ck_assert_str_eq(text, again);
	changes = print_difference(p, q);
	ck_assert_str_eq(changes, "");
	ck_assert_mem_eq(&p->suspicion, &q->suspicion, sizeof(p->suspicion));
	ck_assert_mem_eq(&p->block, &q->block, sizeof(p->block));
	ck_assert(same_demands(p->gateway, q->gateway));
	ck_assert_mem_eq(&p->enforce, &q->enforce, sizeof(p->enforce));
	ck_assert_mem_eq(&p->state, &q->state, sizeof(p->state));
	ck_assert_mem_eq(&p->report, &q->report, sizeof(p->report));
	ck_assert_mem_eq(&p->metrics, &q->metrics, sizeof(p->metrics));
	ck_assert_uint_eq(p->n_protect, q->n_protect);
	ck_assert_uint_eq(p->n_services, q->n_services);
	for (size_t i = 0; i < p->n_services; i++) {
		ck_assert_mem_eq(&p->services[i], &q->services[i],
				 offsetof(struct fmp_policy_service, demands));
		ck_assert(same_demands(p->services[i].demands, q->services[i].demands));
	}
	ck_assert_mem_eq(&p->suspicious, &q->suspicious, sizeof(p->suspicious));
	ck_assert_uint_eq(p->n_groups, q->n_groups);
	for (size_t i = 0; i < p->n_groups; i++)
		ck_assert_mem_eq(&p->groups[i], &q->groups[i], sizeof(p->groups[i]));
	ck_assert_uint_eq(p->n_overrides, q->n_overrides);
	for (size_t i = 0; i < p->n_overrides; i++)
		ck_assert_mem_eq(&p->overrides[i], &q->overrides[i], sizeof(p->overrides[i]));
	free(text);
	free(again);
	free(changes);
	fmp_policy_free(q);
}

static const char *const shipped[] = { "balanced", "cautious", "permissive", "observe" };

START_TEST(shipped_policies_print)
{
	struct fmp_policy *p = NULL;
	char path[512];

	snprintf(path, sizeof(path), "%s/policies/%s.xml", top_path(), shipped[_i]);
	ck_assert_int_eq(fmp_policy_load(path, xsd_path(), &p, NULL), 0);
	check_loads_again(p);
	fmp_policy_free(p);
}
END_TEST

START_TEST(full_policy_prints)
{
	struct fmp_policy *p = must_load_text(FULL_POLICY);

	check_loads_again(p);
	fmp_policy_free(p);
}
END_TEST

START_TEST(print_is_readable)
{
	struct fmp_policy *p = must_load_text(FULL_POLICY);
	char *text = print_policy(p);

	ck_assert_ptr_nonnull(strstr(text, "<policy xmlns=\"urn:fmp:policy:1\" name=\"p\">\n"));
	ck_assert_ptr_nonnull(strstr(text, "\n    <event kind=\"dtd\" rank=\"25\"/>\n"));
	ck_assert_ptr_nonnull(strstr(text, " duration=\"1d2h3min4s5ms\""));
	ck_assert_ptr_nonnull(strstr(text, "\n    <address>192.0.2.0/24</address>\n"));
	/* A service says what is its own only, and an empty element is left out. */
	ck_assert_ptr_nonnull(strstr(text, "<service name=\"orders\" path=\"/orders/*\" "
					   "action=\"urn:o\" security=\"BcV\" max-age=\"7s\">\n"));
	ck_assert_ptr_null(strstr(text, "<tls"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		ck_assert_msg(strlen(line) <= 200, "too long: %s", line);
	free(text);
	fmp_policy_free(p);
}
END_TEST

START_TEST(diff_says_what_changed)
{
	struct fmp_policy *a = must_load_text(
		ROOT "<suspicion malicious='90'><event kind='dtd' rank='7'/></suspicion>"
		     "<block duration='1min'/><protect><address>192.0.2.1</address></protect>"
		     "<enforce><device>bb0</device></enforce></policy>");
	struct fmp_policy *b = must_load_text(
		ROOT "<suspicion><event kind='dtd' rank='8'/></suspicion>"
		     "<block duration='1min'/><protect><address>192.0.2.2</address></protect>"
		     "<gateway security='BcV' schema='/o.xsd'/></policy>");
	char *changes = print_difference(a, b);

	ck_assert_str_eq(changes, "suspicion/malicious: 90 -> 100\n"
				  "suspicion/event[dtd]/rank: 7 -> 8\n"
				  "protect/address[192.0.2.1]: 192.0.2.1 -> -\n"
				  "gateway/security: Bc -> BcV\n"
				  "enforce/device[bb0]: bb0 -> -\n"
				  "protect/address[192.0.2.2]: - -> 192.0.2.2\n"
				  "gateway/schema: - -> /o.xsd\n");
	free(changes);
	fmp_policy_free(a);
	fmp_policy_free(b);
}
END_TEST

static int stop_at_third(const struct fmp_policy_value *v, void *ctx)
{
	return ++*(int *)ctx == 3 ? 42 : 0;
}

static int mark_setting(const struct fmp_policy_value *v, void *ctx)
{
	const struct fmpi_setting *s = ctx;
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", s->element, s->attribute);
	/* Elements that lie deeper have their parents before them. */
	return strlen(v->path) >= strlen(path) &&
			       !strcmp(v->path + strlen(v->path) - strlen(path), path)
		       ? 1
		       : 0;
}

/* Every setting that has a value is in the listing: none was forgotten by the walk. */
START_TEST(each_has_every_setting)
{
	struct fmp_policy *p = must_load_text(FULL_POLICY);
	char value[FMPI_VALUE_MAX];
	int n = 0;

	for (size_t i = 0; i < fmpi_n_settings; i++) {
		const struct fmpi_setting *s = &fmpi_settings[i];

		if (!strcmp(s->element, "policy") ||
		    !*fmpi_setting_format(s, (const char *)p + s->offset, value))
			continue;
		ck_assert_msg(fmp_policy_each(p, mark_setting, (void *)s) == 1,
			      "<%s %s> is not listed", s->element, s->attribute);
	}
	ck_assert_int_eq(fmp_policy_each(p, stop_at_third, &n), 42);
	ck_assert_int_eq(n, 3);
	fmp_policy_free(p);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("print");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, shipped_policies_print, 0, 4);
	tcase_add_test(t, full_policy_prints);
	tcase_add_test(t, print_is_readable);
	tcase_add_test(t, diff_says_what_changed);
	tcase_add_test(t, each_has_every_setting);
	return run_tcase("policy_print", t);
}
