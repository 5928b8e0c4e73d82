// SPDX-License-Identifier: GPL-2.0
/* Settings that do nothing are told with their place, those that do are not; where each value comes from. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/policy.h>

#include "policy_text.h"
#include "run.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static const struct {
	const char *text, *place, *words; /* words NULL: there is no warning */
} idle[] = {
	{ "\n<gateway security='Bc' schema='o.xsd'/>", "p.xml:2:24",
	  "schema does nothing under security=\"Bc\"" },
	{ "\n<gateway security='BcV' schema='o.xsd' trust='c'/>", "p.xml:2:40",
	  "trust does nothing" },
	{ "\n<gateway security='BcE' schema='o.xsd' key='k' crl='c'/>", "p.xml:2:48",
	  "crl does nothing" },
	{ "\n<gateway security='BcS' schema='o.xsd' trust='c' key='k'><require symmetric='no'/></gateway>",
	  NULL, NULL },
	{ "<gateway security='BcS' schema='o.xsd' trust='c' key='k'/>", NULL, NULL },
	{ "\n<gateway security='BcV' schema='o.xsd'><require symmetric='no'/></gateway>",
	  "p.xml:2:49", "symmetric does nothing" },
	{ "\n<gateway security='BcV' schema='o.xsd'><require repeats='pass'/></gateway>",
	  "p.xml:2:49", "repeats does nothing" },
	{ "<gateway security='Bc'><require repeats='pass'/><username passwords='u'/></gateway>",
	  NULL, NULL },
	{ "\n<gateway security='Bc'><require signed='To'/></gateway>", "p.xml:2:33",
	  "signed does nothing" },
	{ "\n<gateway security='Bc' certificates='d'/>", "p.xml:2:24",
	  "certificates does nothing" },
	{ "<gateway security='Os'/>\n<suspicion><credit points='1'/></suspicion>", "p.xml:2:20",
	  "anyone earns it" },
	{ "\n<suspicion suspicious='1' malicious='1'/>", "p.xml:2:27",
	  "a single message of any kind" },
	{ "\n<suspicion malicious='1000000' half-life='1ms'/>", "p.xml:2:12",
	  "nobody reaches malicious=\"1000000\"" },
	{ "<gateway security='BcV' schema='o.xsd'><services>\n<service name='a' path='/a' trust='c' "
	  "backend='http://127.0.0.1/'/></services></gateway>",
	  "p.xml:2:29", "trust of \"a\" does nothing under security=\"BcV\"" },
	{ "<overrides>\n<override port='22' malicious='1' suspicious='1'/></overrides>",
	  "p.xml:2:1", "a single message of any kind" },
	{ "<gateway security='BcV' schema='o.xsd'><services><service name='a' path='/a' security='BcS' "
	  "trust='c' backend='http://127.0.0.1/'/></services></gateway>",
	  NULL, NULL },
	{ "<gateway security='BcS' schema='o.xsd' trust='c' crl='l'><require signed='To'/></gateway>",
	  NULL, NULL },
	{ "<gateway security='BcES' schema='o.xsd' trust='c' key='k'/>", NULL, NULL },
	{ "<gateway security='Bc'/><suspicion><credit points='1'/></suspicion>", NULL, NULL },
	{ "<gateway schema='o.xsd' trust='c'><services><service name='a' path='/a' security='BcS' backend='http://127.0.0.1/'/>"
	  "</services></gateway>",
	  NULL, NULL },
	{ "\n<block><rollup ipv4-prefix='20'/></block>", "p.xml:2:16",
	  "ipv4-prefix of <rollup> does nothing: it needs sources" },
	{ "\n<suspicious rate='7/s'/>", "p.xml:2:13", "rate of <suspicious> does nothing" },
	{ "\n<suspicion><credit max='9'/></suspicion>", "p.xml:2:20",
	  "max of <credit> does nothing: it needs points" },
	{ "\n<block mac='no' local-mac='1h'/>", "p.xml:2:17", "local-mac of <block> does nothing" },
	{ "\n<block layers='ip' local-mac='1h'/>", "p.xml:2:20",
	  "local-mac of <block> does nothing: it needs mac=\"yes\", and mac or premac in layers" },
	{ "\n<metrics interval='1min'/>", "p.xml:2:10", "interval of <metrics> does nothing" },
	{ "<suspicious rate='7/s'/><groups><group name='a' address='192.0.2.7' action='limit'/></groups>",
	  NULL, NULL },
	{ "<block><rollup ipv4-prefix='24'/></block>", NULL, NULL },
	{ "<groups>\n<group name='office' address='192.0.2.7'/></groups>", "p.xml:2:1",
	  "says nothing of its sources" },
	{ "<groups>\n<group name='office' address='192.0.2.7' rate='9/s' malicious='90'/></groups>",
	  "p.xml:2:42", "rate does nothing" },
	{ "<groups>\n<group name='office' address='192.0.2.7' malicious='1' suspicious='1'/></groups>",
	  "p.xml:2:1", "a single message of any kind" },
	{ "<groups><group name='office' address='192.0.2.7' action='limit' rate='9/s'/></groups>",
	  NULL, NULL },
	{ "\n<suspicion><event kind='signature' count='1' within='1h'/></suspicion>", "p.xml:2:36",
	  "a single message of that kind blocks" },
	{ "<suspicion malicious='1000000' half-life='1ms'><event kind='signature' count='3' "
	  "within='1h'/></suspicion>",
	  NULL, NULL },
	{ "<suspicion malicious='300'/>", NULL, NULL },
	{ "<block layers='ip'/>\n<enforce><device layers='ip mac'>g0</device></enforce>",
	  "p.xml:2:10", "name mac, which <block> does not use" },
	{ "<block layers='ip'/><enforce><device layers='ip'>g0</device><device>w0</device></enforce>",
	  NULL, NULL },
	{ "<block layers='ip'/><overrides><override port='22' layers='ip mac'/></overrides>"
	  "<enforce><device layers='ip mac'>g0</device></enforce>",
	  NULL, NULL },
	{ "", NULL, NULL },
};

START_TEST(idle_settings_are_reported)
{
	struct fmp_policy *p;
	char text[2000], why[800];

	snprintf(text, sizeof(text), ROOT "%s</policy>", idle[_i].text);
	p = must_load_text(text);
	if (!idle[_i].words) {
		ck_assert_msg(!p->n_warnings, "%s", p->n_warnings ? p->warnings[0].message : "");
	} else {
		ck_assert_msg(p->n_warnings == 1, "%zu warnings of %s", p->n_warnings, text);
		fmp_error_format(p->warnings, why, sizeof(why));
		ck_assert_msg(strstr(why, idle[_i].words), "%s", why);
		ck_assert_msg(strstr(why, idle[_i].place), "%s", why);
	}
	fmp_policy_free(p);
}
END_TEST

static const char *origin_of(const struct fmp_policy *p, const char *path)
{
	static char buf[400];

	return fmp_policy_origin(p, path, buf, sizeof(buf));
}

START_TEST(origin_of_each_value)
{
	struct fmp_policy *p = must_load_text(
		"<policy xmlns='urn:fmp:policy:1' base='cautious'>\n<suspicion><event kind='dtd' rank='7'/></suspicion>\n"
		"<gateway><limits body='1MiB'/></gateway>\n<protect><address>192.0.2.1</address></protect></policy>");

	ck_assert_str_eq(origin_of(p, "gateway/limits/body"), "/etc/fmp/p.xml:3:18");
	ck_assert_str_eq(origin_of(p, "suspicion/event[dtd]/rank"), "/etc/fmp/p.xml:2:30");
	ck_assert_str_eq(origin_of(p, "protect/address[192.0.2.1]"), "/etc/fmp/p.xml:4:10");
	ck_assert_str_eq(origin_of(p, "report/group"), "default");
	ck_assert_ptr_nonnull(strstr(origin_of(p, "suspicion/malicious"), "cautious.xml:"));
	ck_assert_ptr_nonnull(strstr(origin_of(p, "suspicion/malicious"), " (base)"));
	fmp_policy_free(p);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("idle");

	tcase_add_loop_test(t, idle_settings_are_reported, 0, COUNT(idle));
	tcase_add_test(t, origin_of_each_value);
	return run_tcase("policy_idle", t);
}
