// SPDX-License-Identifier: GPL-2.0
/* Content rules: how they are read, what they find, and what they may cost. */
#include <time.h>

#include "base/pattern.h"
#include "content_rules.h"
#include "run.h"

/* ---- the reader ---- */

START_TEST(reads_rules)
{
	struct fmp_policy *p = must_load_text(POLICY(
		"<rule name='a' xpath='//o:note' regex='(?i)x&lt;y'/>"
		"<list name='b' xpath=\"o:item[@kind = 'o:x' or (count(o:qty) div 2) > 1]\" max='0'/>"
		"<rule name='c' regex='z'/>"));
	const struct fmp_policy_content *c = p->gateway.content;

	ck_assert_uint_eq(c->n_rules, 3);
	ck_assert_str_eq(c->rules[0].name, "a");
	ck_assert_str_eq(c->rules[0].xpath, "//o:note");
	ck_assert_str_eq(c->rules[0].regex, "(?i)x<y");
	ck_assert_uint_eq(c->rules[0].n_namespaces, 1);
	ck_assert_str_eq(c->rules[0].namespaces[0].uri, "urn:fmp:orders");
	ck_assert(c->rules[1].list && !c->rules[1].max && !c->rules[1].regex);
	ck_assert_ptr_null(c->rules[2].xpath);
	fmp_policy_free(p);
}
END_TEST

START_TEST(services_have_their_own)
{
	struct fmp_policy *p = must_load_text(
		ROOT
		"<gateway><services><service name='a' path='/a'/>"
		"<service name='b' path='/b'><content><rule name='own' regex='q'/></content></service>"
		"<service name='c' path='/c'><content/></service></services>"
		"<content><rule name='all' regex='z'/></content></gateway></policy>");

	ck_assert_str_eq(p->services[0].demands.content->rules[0].name, "all");
	ck_assert_str_eq(p->services[1].demands.content->rules[0].name, "own");
	ck_assert_ptr_null(p->services[2].demands.content);
	ck_assert_str_eq(p->gateway.content->rules[0].name, "all");
	fmp_policy_free(p);
}
END_TEST

START_TEST(mistakes_have_a_place)
{
	static const struct {
		const char *content, *says;
		unsigned column;
	} rows[] = {
		{ "<rule name='a' regex='(b'/>", "missing closing parenthesis (at byte 2)", 16 },
		{ "<rule name='a' regex='[z-a]'/>",
		  "range out of order in character class (at byte ", 16 },
		{ "<rule name='a' regex='\\C'/>", "\\C", 16 },
		{ "<rule name='a' xpath='//o:a['/>", "is not an XPath", 16 },
		{ "<rule name='a' xpath='//p:a'/>", "prefix \"p\"", 16 },
		{ "<rule name='a' xpath='//o:a[p:*]'/>", "prefix \"p\"", 16 },
		{ "<rule name='a' xpath='matches(., 1)'/>", "calls matches()", 16 },
		{ "<rule name='a' xpath='//a[$b]'/>", "variable", 16 },
		{ "<rule name='a' regexp='b'/>", "did you mean 'regex'?", 16 },
		{ "<rule name='a'/>", "needs an xpath, a regex, or both", 1 },
		{ "<rule name='a' xpath='x' fold='yes'/>", "fold needs a regex", 26 },
		{ "<rule regex='a'/>", "needs a name", 1 },
		{ "<rule name='a b' regex='a'/>", "is not a name", 7 },
		{ "<rule name='a' regex=''/>", "is empty", 16 },
		{ "<list name='a' xpath='b'/>", "needs max", 1 },
		{ "<list name='a' max='1'/>", "needs an xpath", 1 },
		{ "<list name='a' xpath='b' max='x'/>", "not a whole number", 26 },
		{ "<list name='a' xpath='b' regex='x' max='1'/>", "no attribute 'regex'", 26 },
		{ "<item/>", "no element <item>: rule or list", 1 },
		{ "<rule name='a' regex='b'/>\n<rule name='a' regex='c'/>", "given twice", 7 },
		{ "text", "elements only", 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[1024], why[1024];
		struct fmp_policy *p;
		struct fmp_error err;
		int ret;

		snprintf(text, sizeof(text),
			 ROOT
			 "<gateway xmlns:o='urn:o'>\n<content>\n%s</content></gateway></policy>",
			 rows[i].content);
		ret = load_text(text, &p, &err);
		fmp_error_format(&err, why, sizeof(why));
		ck_assert_msg(ret == FMP_ERR_SCHEMA || ret == FMP_ERR_SYNTAX, "%s: %d %s",
			      rows[i].content, ret, why);
		ck_assert_msg(strstr(why, rows[i].says) != NULL, "%s: %s", rows[i].content, why);
		ck_assert_msg(err.line >= 2 && err.column == rows[i].column, "%s: %s",
			      rows[i].content, why);
	}
}
END_TEST

START_TEST(rules_of_a_file)
{
	char dir[] = "/tmp/fmp-content.XXXXXX", file[64], text[512], why[1024];
	struct fmp_policy *p;
	struct fmp_error err;
	FILE *f;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(file, sizeof(file), "%s/r.xml", dir);
	snprintf(
		text, sizeof(text),
		ROOT
		"<gateway><content rules='%s'><rule name='b' regex='y'/></content></gateway></policy>",
		file);
	ck_assert_int_eq(load_text(text, &p, &err), FMP_ERR_IO);
	f = fopen(file, "we");
	fputs("<content xmlns='urn:fmp:policy:1'>\n<rule name='a' regex='x'/></content>", f);
	fclose(f);
	p = must_load_text(text);
	ck_assert_uint_eq(p->gateway.content->n_rules, 2);
	ck_assert_str_eq(p->gateway.content->rules[1].name, "b");
	fmp_policy_free(p);

	f = fopen(file, "we");
	fputs("<content xmlns='urn:fmp:policy:1'>\n  <rule name='a' regex='x('/></content>", f);
	fclose(f);
	ck_assert_int_eq(load_text(text, &p, &err), FMP_ERR_SYNTAX);
	fmp_error_format(&err, why, sizeof(why));
	ck_assert_msg(strstr(why, "r.xml:2:18: ") != NULL, "%s", why);
	/* It includes no other file: that could go on for ever. */
	f = fopen(file, "we");
	fprintf(f, "<content xmlns='urn:fmp:policy:1' rules='%s'/>", file);
	fclose(f);
	ck_assert_int_eq(load_text(text, &p, &err), FMP_ERR_SCHEMA);
	remove(file);
	remove(dir);
}
END_TEST

START_TEST(rules_need_messages_that_are_read)
{
	struct fmp_policy *p;
	struct fmp_error err;

	ck_assert_int_eq(load_text(ROOT "<gateway security='Os'><content><rule name='a' regex='b'/>"
					"</content></gateway></policy>",
				   &p, &err),
			 FMP_ERR_CONFLICT);
	ck_assert_uint_gt(err.line, 0);
}
END_TEST

/* ---- what they find ---- */

START_TEST(finds_texts_wherever_they_stand)
{
	struct fmp_inspector *i =
		with_rules(FMP_SECURITY_BC, POLICY("<rule name='evil' regex='evil$'/>"));

	expect_refused_by(i, SAYS("good"), NULL);
	expect_refused_by(i, SAYS("evil"), "a match of the rule \"evil\" in x");
	expect_refused_by(i, SAYS("ev<!-- -->il"), "\"evil\" in x");
	expect_refused_by(i, SAYS("ev<![CDATA[i]]>l"), "\"evil\"");
	expect_refused_by(i, SAYS("e&#118;il"), "\"evil\"");
	expect_refused_by(i, SAYS("ev<b/>il"), "\"evil\"");
	expect_refused_by(i, SAYS("evil<b/>er"), NULL);
	expect_refused_by(i, SAYS("<b c='evil'/>"), "in b/@c");
	expect_refused_by(i, SAYS("<b><c><d>evil</d></c></b>"), "in d");
	/* Under Bc the header is forwarded too. */
	expect_refused_by(i,
			  ENV
			  "<e:Header><h xmlns='urn:h'>evil</h></e:Header><e:Body><x/></e:Body>" END,
			  "in h");
	expect_refused_by(i, SAYS("good"), NULL);
	fmp_inspector_free(i);
}
END_TEST

/* The buffer for joined text grows, and may move. */
START_TEST(a_text_in_pieces_is_whole)
{
	static const int sizes[] = { 300, 300, 1000, 5000 };
	struct fmp_inspector *i =
		with_rules(FMP_SECURITY_BC, POLICY("<rule name='evil' regex='^evil[ab]{7}'/>"));
	char text[8192] = SAYS(""), *p = strstr(text, "</x>"), end[64];

	strcpy(end, p);
	p = stpcpy(p, "ev<!-- -->il");
	for (size_t n = 0; n < sizeof(sizes) / sizeof(sizes[0]); n++) {
		memset(p, n ? 'b' : 'a', (size_t)sizes[n]);
		p = stpcpy(p + sizes[n], "<!-- -->");
	}
	strcpy(p, end);
	expect_refused_by(i, text, "\"evil\" in x");
	fmp_inspector_free(i);
}
END_TEST

START_TEST(an_xpath_says_where)
{
	struct fmp_inspector *i =
		with_rules(FMP_SECURITY_BC,
			   ROOT "<gateway xmlns:o='urn:x'><content>"
				"<rule name='note' xpath='//o:note' regex='evil'/>"
				"<rule name='attribute' xpath='//@q' regex='bad'/>"
				"<rule name='string' xpath='concat(//o:a, //o:b)' regex='^12$'/>"
				"<rule name='text' xpath='//o:t/text()' regex='mad'/>"
				"<rule name='nodes' xpath='//o:u/node()' regex='^mad'/>"
				"<rule name='forbidden' xpath='//o:never'/>"
				"<rule name='sum' xpath='sum(//o:n) &gt; 10'/>"
				"<rule name='here' xpath='o:y' regex='.'/>"
				"<list name='many' xpath='//o:i' max='2'/>"
				"</content></gateway></policy>");

	expect_refused_by(i, SAYS("evil"), NULL);
	expect_refused_by(i, SAYS("<note>evil</note>"), "\"note\" in note");
	expect_refused_by(i, SAYS("<note><b>evil</b></note>"), "\"note\" in b");
	expect_refused_by(i, SAYS("<note xmlns='urn:other'>evil</note>"), NULL);
	expect_refused_by(i, SAYS("<note>a<note>b</note></note><note>evil</note>"), "\"note\"");
	expect_refused_by(i, SAYS("<b q='bad'/>"), "\"attribute\" in b/@q");
	expect_refused_by(i, SAYS("<a>1</a><b>2</b>"), "\"string\"");
	expect_refused_by(i, SAYS("<a>1</a><b>3</b>"), NULL);
	expect_refused_by(i, SAYS("<t>mad</t>"), "\"text\" in t");
	expect_refused_by(i, SAYS("<t>m<!-- -->a<!-- --><![CDATA[d]]></t>"), "\"text\" in t");
	expect_refused_by(i, SAYS("<t>a<!-- -->b<b>m</b><!-- -->ad<!-- -->c</t>"), NULL);
	expect_refused_by(i, SAYS("<t>a<!-- -->b<b/>m<!-- -->ad<!-- -->c</t>"), "\"text\" in t");
	expect_refused_by(i, SAYS("<u>a<!-- -->b<b>mad</b></u>"), "\"nodes\" in b");
	expect_refused_by(i, SAYS("<u>a<b/>m<!-- -->ad<b/></u>"), "\"nodes\" in u");
	expect_refused_by(i, SAYS("<never/>"), "\"forbidden\" in never");
	expect_refused_by(i, SAYS("<n>4</n><n>5</n>"), NULL);
	expect_refused_by(i, SAYS("<n>4</n><n>7</n>"), "\"sum\"");
	/* Without a slash an XPath starts at what is forwarded: here the Envelope. */
	expect_refused_by(i, SAYS("<y>1</y>"), NULL);
	expect_refused_by(i, SAYS("<i/><i/>"), NULL);
	expect_refused_by(i, SAYS("<i/><i/><i/>"), "too many of the rule \"many\" in i");
	fmp_inspector_free(i);
}
END_TEST

/* After verification and decryption, only what is forwarded is checked. */
START_TEST(of_what_was_signed_and_encrypted)
{
	static const struct {
		const char *file;
		enum fmp_security security;
	} rows[] = {
		{ "plain/plain-1k.xml", FMP_SECURITY_BCV },
		{ "good/wss4j-rsa2048-1k.xml", FMP_SECURITY_BCS },
		{ "good/wss4j-enc-gcm128-1k.xml", FMP_SECURITY_BCE },
		{ "good/wss4j-sign-then-enc-1k.xml", FMP_SECURITY_BCES },
		{ "good/wss4j-enc-then-sign-1k.xml", FMP_SECURITY_BCES },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
		struct fmp_inspect_config cfg = config_for(rows[n].file, rows[n].security);
		struct bytes b = read_vector(rows[n].file);

		for (int found = 0; found < 2; found++) {
			/* An unsigned header can't be charged to anybody. */
			struct fmp_policy *p = must_load_text(
				found ? POLICY("<rule name='sku' xpath='//o:sku' regex='^[A-Z]{3}-\\d+$'/>")
				      : POLICY("<rule name='head' regex='^#|http://|^[A-Za-z0-9+/=\\s]{300,}$'/>"));
			struct fmp_inspector *i;
			struct fmp_inspection v;

			cfg.content = p->gateway.content;
			i = make_inspector(&cfg);
			v = inspect_bytes(i, b.p, b.len);
			ck_assert_msg(v.accepted == !found, "%s: %s: %s", rows[n].file,
				      fmp_step_name(v.step), v.detail);
			if (found) {
				ck_assert_int_eq(v.step, FMP_STEP_CONTENT);
				ck_assert_int_eq(v.kind, FMP_EVENT_CONTENT);
				ck_assert_ptr_null(v.forward);
			}
			fmp_inspection_clear(&v);
			fmp_inspector_free(i);
			fmp_policy_free(p);
		}
		free(b.p);
	}
}
END_TEST

/* ---- what they cost ---- */

static char *repeat_piece(const char *piece, size_t n, const char *end)
{
	char *text = malloc(n * strlen(piece) + strlen(end) + 1), *p = text;

	while (n--)
		p = stpcpy(p, piece);
	strcpy(p, end);
	return text;
}

static uint64_t steps_of(const char *regex, const char *text, int *found)
{
	const uint64_t most = 1000000;
	struct fmpi_pattern *p;
	uint64_t left = most;
	char why[256];

	ck_assert_int_eq(fmpi_pattern_new(regex, &p, why, sizeof(why)), 0);
	*found = fmpi_pattern_match(p, text, strlen(text), &left);
	fmpi_pattern_free(p);
	return most - left;
}

/* Matches that may start at each byte, and matches that consume without backtracking. */
START_TEST(steps_are_counted)
{
	static const char *const dear[] = { "(a+)+$", "(a|aa)+$", "(.*)*[xy]", "a*a*a*a*a*[bx]",
					    "a++b|b" };
	char *text = repeat_piece("a", 5000, "!"), *bs = repeat_piece("a", 5000, "!b!");
	int found;

	for (size_t i = 0; i < sizeof(dear) / sizeof(dear[0]); i++) {
		uint64_t n = steps_of(dear[i], i == 4 ? bs : text, &found);

		if (i == 4)
			/*
			 * 5000 starts, each of which runs to the end: nearly all of twelve million
			 * steps.
			 */
			ck_assert_int_eq(found, FMPI_MATCH_LIMIT);
		else
			ck_assert_msg(found == FMPI_MATCH_LIMIT, "%s: %d after %lu", dear[i], found,
				      (unsigned long)n);
	}
	ck_assert_uint_le(steps_of("b", text, &found), 1);
	ck_assert_int_eq(found, FMPI_MATCH_NONE);
	ck_assert_uint_le(steps_of("!$", text, &found), 6000);
	ck_assert_int_eq(found, FMPI_MATCH_FOUND);
	free(text);
	free(bs);
}
END_TEST

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

START_TEST(a_slow_rule_ends_soon)
{
	static const char *const policies[] = {
		POLICY("<rule name='slow' regex='(a|b|ab|aa)*(a|aa)*!$'/>"),
		POLICY("<rule name='slow' xpath='//*[count(//*[count(//*) = 1]) = 1]'/>"),
		POLICY("<rule name='slow' xpath='//*' regex='(a*)*[bc]'/>"),
	};
	char *as = repeat_piece("a", 200000, "!"),
	     *bs = repeat_piece("<b>aaaaaaaaaa!</b>", 15000, "");
	char *text[2];

	ck_assert_int_gt(asprintf(&text[0], SAYS("%s"), as), 0);
	ck_assert_int_gt(asprintf(&text[1], SAYS("%s"), bs), 0);
	for (int n = 0; n < 3; n++) {
		struct fmp_inspector *i = with_rules(FMP_SECURITY_BC, policies[n]);
		double from = cpu_s();

		expect_refused_by(i, text[n > 0], "too many steps");
		/* Unbounded, each would take hours. */
		ck_assert_msg(cpu_s() - from < 5, "%d: %.1f s", n, cpu_s() - from);
		fmp_inspector_free(i);
	}
	free(text[0]);
	free(text[1]);
	free(as);
	free(bs);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("content");

	tcase_add_unchecked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, reads_rules);
	tcase_add_test(tc, services_have_their_own);
	tcase_add_test(tc, mistakes_have_a_place);
	tcase_add_test(tc, rules_of_a_file);
	tcase_add_test(tc, rules_need_messages_that_are_read);
	tcase_add_test(tc, finds_texts_wherever_they_stand);
	tcase_add_test(tc, a_text_in_pieces_is_whole);
	tcase_add_test(tc, an_xpath_says_where);
	tcase_add_test(tc, of_what_was_signed_and_encrypted);
	tcase_add_test(tc, steps_are_counted);
	tcase_add_test(tc, a_slow_rule_ends_soon);
	return run_tcase("content", tc);
}
