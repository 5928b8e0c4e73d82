// SPDX-License-Identifier: GPL-2.0
/* libfmp/policy: policies of many files (base, include), and overrides. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmp/policy.h>

#include <fmp/internal/policy_pack.h>

#include "policy_text.h"
#include "run.h"

static char dir[64];

static void setup(void)
{
	snprintf(dir, sizeof(dir), "/tmp/fmp-parts-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
}

/* A policy: what its root has, what it holds. */
static void put_file(const char *name, const char *attributes, const char *body)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fprintf(f, "<policy xmlns=\"urn:fmp:policy:1\"%s>%s</policy>\n", attributes, body);
	fclose(f);
}

static void put_folder(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	ck_assert_int_eq(mkdir(path, 0700), 0);
}

static int load_file(const char *name, struct fmp_policy **p, struct fmp_error *err)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	memset(err, 0, sizeof(*err));
	return fmp_policy_load(path, xsd_path(), p, err);
}

static struct fmp_policy *must_load(const char *name)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	char why[1024];

	ck_assert_msg(!load_file(name, &p, &err), "%s", fmp_error_format(&err, why, sizeof(why)));
	return p;
}

static void must_fail(const char *name, int code, const char *file, unsigned line, unsigned column,
		      const char *words)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	char why[1024], path[128];
	int rc = load_file(name, &p, &err);

	fmp_error_format(&err, why, sizeof(why));
	snprintf(path, sizeof(path), "%s/%s", dir, file);
	ck_assert_msg(rc == code, "%d: %s", rc, why);
	ck_assert_str_eq(err.file, path);
	ck_assert_msg(err.line == line && err.column == column, "%s", why);
	ck_assert_msg(strstr(err.message, words) != NULL, "%s", why);
	ck_assert_ptr_null(p);
}

/* What the file says goes before its base, what the base says before the defaults. */
START_TEST(base_is_built_on)
{
	struct fmp_policy *p;

	put_file(
		"house.xml", " name=\"house\"",
		"<suspicion malicious=\"200\" suspicious=\"50\"><event kind=\"dtd\" rank=\"1\"/>"
		"<event kind=\"http\" rank=\"2\"/></suspicion>"
		"<protect><address>192.0.2.1</address></protect><gateway security=\"BcV\" schema=\"h.xsd\"/>");
	put_file("mine.xml", " base=\"house\"",
		 "<suspicion malicious=\"300\"><event kind=\"dtd\" rank=\"3\"/></suspicion>"
		 "<protect><address>192.0.2.2</address></protect>");
	p = must_load("mine.xml");
	ck_assert_str_eq(p->name, "mine");
	ck_assert_uint_eq(p->suspicion.malicious, 300);
	ck_assert_uint_eq(p->suspicion.suspicious, 50);
	ck_assert_uint_eq(p->suspicion.rank[FMP_EVENT_DTD], 3);
	ck_assert_uint_eq(p->suspicion.rank[FMP_EVENT_HTTP], 2);
	ck_assert_uint_eq(p->suspicion.rank[FMP_EVENT_SOAP], 15);
	ck_assert_uint_eq(p->n_protect, 2);
	fmp_policy_free(p);
}
END_TEST

/* The shipped ones are found; one beside the file goes before them; a file is never its own. */
START_TEST(base_is_found)
{
	struct fmp_policy *p;

	put_file("mine.xml", " base=\"cautious\"", "");
	p = must_load("mine.xml");
	ck_assert_uint_eq(p->suspicion.malicious, 50);
	fmp_policy_free(p);
	put_file("cautious.xml", " base=\"cautious\"", "<suspicion suspicious=\"7\"/>");
	p = must_load("cautious.xml");
	ck_assert_uint_eq(p->suspicion.suspicious, 7);
	ck_assert_uint_eq(p->suspicion.malicious, 50);
	fmp_policy_free(p);
	p = must_load("mine.xml");
	ck_assert_uint_eq(p->suspicion.suspicious, 7);
	fmp_policy_free(p);
}
END_TEST

/* A folder's files in the order of their bytes; each goes before the ones that were before. */
START_TEST(folder_in_order)
{
	struct fmp_policy *p;

	put_folder("policy.d");
	put_file("mine.xml", " name=\"me\"",
		 "<include>policy.d</include><suspicion malicious=\"300\" suspicious=\"30\"/>"
		 "<gateway security=\"BcS\" schema=\"o.xsd\"/>");
	put_file("policy.d/20.xml", " name=\"not-this\"", "<suspicion malicious=\"302\"/>");
	put_file("policy.d/10.xml", "",
		 "<suspicion malicious=\"301\" suspicious=\"31\"/><gateway trust=\"ca.crt\"/>");
	put_file("policy.d/30.txt", "", "<suspicion malicious=\"1\"/>");
	put_file("policy.d/.40.xml", "", "<suspicion malicious=\"1\"/>");
	p = must_load("mine.xml");
	ck_assert_str_eq(p->name, "me");
	ck_assert_uint_eq(p->suspicion.malicious, 302);
	ck_assert_uint_eq(p->suspicion.suspicious, 31);
	/* Each file's names are relative to its own folder. */
	ck_assert_ptr_nonnull(strstr(p->gateway.trust, "/policy.d/ca.crt"));
	ck_assert_ptr_null(strstr(p->gateway.schema, "policy.d"));
	fmp_policy_free(p);
}
END_TEST

/* Services and overrides inherit what the last file said, though it is read behind them. */
START_TEST(heirs_inherit_from_all)
{
	const struct fmp_policy_override *o;
	struct fmp_policy *p;

	put_file("last.xml", "",
		 "<suspicion malicious=\"300\"/><gateway max-age=\"9s\"><services>"
		 "<service name=\"late\" path=\"/late\"/></services></gateway>"
		 "<overrides><override port=\"22\" duration=\"2min\"/></overrides>");
	put_file(
		"mine.xml", "",
		"<include>last.xml</include><gateway><services><service name=\"a\" path=\"/a\"/>"
		"</services></gateway><overrides><override service=\"a\" suspicious=\"5\">"
		"<event kind=\"dtd\" rank=\"77\"/></override><override port=\"22\" duration=\"1min\"/>"
		"<override port=\"22\" service=\"a\" max=\"30min\" layers=\"ip\"/>"
		"<override service=\"late\" malicious=\"90\"/></overrides>");
	p = must_load("mine.xml");
	ck_assert_uint_eq(p->services[0].demands.max_age_ms, 9000);
	ck_assert_uint_eq(p->n_overrides, 4);
	ck_assert_uint_eq(fmp_policy_override(p, "late", 80)->suspicion.malicious, 90);
	o = fmp_policy_override(p, "a", 80);
	ck_assert_uint_eq(o->suspicion.suspicious, 5);
	ck_assert_uint_eq(o->suspicion.malicious, 300);
	ck_assert_uint_eq(o->suspicion.rank[FMP_EVENT_DTD], 77);
	ck_assert_uint_eq(o->suspicion.rank[FMP_EVENT_HTTP], 10);
	/* The last word. */
	ck_assert_uint_eq(fmp_policy_override(p, "", 22)->block.duration_ms, 120000);
	/* Who says more of a message goes first. */
	ck_assert_uint_eq(fmp_policy_override(p, "a", 22)->block.max_ms, 1800000);
	ck_assert_uint_eq(fmp_policy_override(p, "a", 22)->block.layers, 1);
	ck_assert_ptr_null(fmp_policy_override(p, "orders", 80));
	fmp_policy_free(p);
}
END_TEST

/* The base's is read first, though it is found in the file. */
START_TEST(heirs_are_above_their_base)
{
	struct fmp_policy *p;

	put_file("under.xml", "",
		 "<gateway><services><service name=\"under\" path=\"/u\"/></services>"
		 "<proxies><proxy address=\"192.0.2.9\"/></proxies></gateway>"
		 "<overrides><override port=\"22\" malicious=\"60\"/>"
		 "<override port=\"23\" malicious=\"61\"/></overrides>");
	put_file(
		"mine.xml", " base=\"under\"",
		"<gateway><services><service name=\"mine\" path=\"/m\"/></services>"
		"<proxies><proxy address=\"192.0.2.9\" tells=\"x-forwarded-for\"/></proxies></gateway>"
		"<overrides><override port=\"22\" malicious=\"70\"/></overrides>");
	p = must_load("mine.xml");
	ck_assert_uint_eq(p->n_overrides, 2);
	ck_assert_uint_eq(fmp_policy_override(p, "", 22)->suspicion.malicious, 70);
	ck_assert_uint_eq(fmp_policy_override(p, "", 23)->suspicion.malicious, 61);
	ck_assert_uint_eq(p->n_services, 2);
	ck_assert_str_eq(p->services[0].name, "under");
	ck_assert_uint_eq(p->services[0].line, 0);
	ck_assert_uint_eq(p->services[1].line, 1);
	ck_assert_uint_eq(p->gateway.n_proxies, 1);
	ck_assert_int_eq(p->gateway.proxies[0].tells, FMP_PROXY_FORWARDED_FOR);
	fmp_policy_free(p);
	/* Twice in one file, also where the base says it, too. */
	put_file("mine.xml", " base=\"under\"",
		 "\n<overrides><override port=\"22\" malicious=\"70\"/>\n"
		 "<override port=\"22\" malicious=\"71\"/></overrides>");
	must_fail("mine.xml", FMP_ERR_CONFLICT, "mine.xml", 3, 1, "said already");
	put_file("mine.xml", " base=\"under\"",
		 "<gateway><proxies><proxy address=\"192.0.2.9\"/>\n"
		 "<proxy address=\"192.0.2.9\"/></proxies></gateway>");
	must_fail("mine.xml", FMP_ERR_CONFLICT, "mine.xml", 2, 8, "listed twice");
	put_file("mine.xml", "", "");
}
END_TEST

START_TEST(errors_name_their_file)
{
	put_file("mine.xml", "", "\n<include>other.xml</include>");
	put_file("other.xml", "", "\n <suspicion malicios=\"1\"/>");
	must_fail("mine.xml", FMP_ERR_SCHEMA, "other.xml", 2, 13, "did you mean 'malicious'?");
	put_file("other.xml", "", "\n <suspicion malicious=\"1\"/>");
	must_fail("mine.xml", FMP_ERR_CONFLICT, "other.xml", 2, 13, "before it is suspicious");
	put_file("other.xml", " base=\"balanced\"", "");
	must_fail("mine.xml", FMP_ERR_SCHEMA, "other.xml", 1, 34, "has no base");
	put_file("other.xml", "", "<a>");
	must_fail("mine.xml", FMP_ERR_SYNTAX, "other.xml", 1, 46, "not well-formed");
	/* Of two that contradict each other the one in the user's own file is named. */
	put_file("other.xml", "", "<suspicion suspicious=\"500\"/>");
	put_file("mine.xml", " base=\"other\"", "\n<suspicion malicious=\"60\"/>");
	must_fail("mine.xml", FMP_ERR_CONFLICT, "mine.xml", 2, 12, "before it is suspicious");
}
END_TEST

/* Each file once: a circle, and a file that two include. */
START_TEST(each_file_once)
{
	char name[32], text[64];

	put_file("a.xml", "", "<include>b.xml</include>");
	put_file("b.xml", "", "\n<include>a.xml</include>");
	must_fail("a.xml", FMP_ERR_CONFLICT, "b.xml", 2, 1, "is read already");
	put_file("a.xml", "", "\n<include>a.xml</include>");
	must_fail("a.xml", FMP_ERR_CONFLICT, "a.xml", 2, 1, "is read already");
	put_file("c.xml", " base=\"d\"", "");
	put_file("d.xml", " base=\"c\"", "");
	must_fail("c.xml", FMP_ERR_CONFLICT, "d.xml", 1, 34, "is read already");
	for (int i = 0; i < 12; i++) {
		snprintf(name, sizeof(name), "deep%d.xml", i);
		snprintf(text, sizeof(text), "\n<include>deep%d.xml</include>", i + 1);
		put_file(name, "", text);
	}
	must_fail("deep0.xml", FMP_ERR_LIMIT, "deep7.xml", 2, 1, "8 files deep");
}
END_TEST

START_TEST(not_too_many)
{
	char name[32];

	put_folder("d");
	put_file("mine.xml", "", "\n<include>d</include>");
	for (int i = 0; i < 63; i++) {
		snprintf(name, sizeof(name), "d/%02d.xml", i);
		put_file(name, "", "");
	}
	fmp_policy_free(must_load("mine.xml"));
	put_file("d/99.xml", "", "");
	must_fail("mine.xml", FMP_ERR_LIMIT, "mine.xml", 2, 1, "more than 64 files");
}
END_TEST

static void put_list(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	ck_assert(f && fputs(text, f) >= 0 && !fclose(f));
}

/* What goes to fmpd is what was read. */
static struct fmp_policy *hand_over(struct fmp_policy *p)
{
	char *bytes = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&bytes, &len);
	struct fmp_policy *q = NULL;

	fmp_policy_pack(f, p, NULL);
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_int_eq(fmp_policy_unpack(bytes, len, &q, NULL), 0);
	free(bytes);
	fmp_policy_free(p);
	return q;
}

START_TEST(blocklists_are_read)
{
	struct fmp_policy *p;

	put_list("drop.txt", "192.0.2.1 for 2h\n; comment\n192.0.2.4-192.0.2.6\n");
	put_list("own.txt", "198.51.100.77/24\n");
	put_file("under.xml", "",
		 "<blocklists><blocklist file=\"drop.txt\" for=\"1d\"/></blocklists>");
	put_file("mine.xml", " base=\"under\"",
		 "<blocklists><blocklist file=\"own.txt\" set=\"mine\"/></blocklists>");
	p = hand_over(must_load("mine.xml"));
	ck_assert_uint_eq(p->n_blocklists, 2);
	ck_assert_str_eq(p->blocklists[0].set, "drop");
	ck_assert_uint_eq(p->blocklists[0].for_ms, 86400000);
	ck_assert_uint_eq(p->blocklists[0].list.n, 3);
	ck_assert_uint_eq(p->blocklists[0].list.ms[0], 7200000);
	ck_assert(p->blocklists[0].list.ms[2] == FMP_BLOCKLIST_NO_TIME);
	ck_assert_str_eq(p->blocklists[1].set, "mine");
	ck_assert_uint_eq(p->blocklists[1].for_ms, 0);
	ck_assert_uint_eq(p->n_warnings, 1);
	ck_assert_ptr_nonnull(strstr(p->warnings[0].message, "has bits behind its prefix"));
	ck_assert_uint_eq(p->warnings[0].line, 1);
	fmp_policy_free(p);
	/* As a download that failed leaves it. */
	put_list("own.txt", "# nothing\n");
	put_file("empty.xml", "",
		 "\n<blocklists><blocklist set=\"a\" file=\"own.txt\"/></blocklists>");
	p = must_load("empty.xml");
	ck_assert_uint_eq(p->n_warnings, 1);
	ck_assert_ptr_nonnull(strstr(p->warnings[0].message, "own.txt has no address"));
	ck_assert_uint_eq(p->warnings[0].line, 2);
	ck_assert_uint_eq(p->warnings[0].column, 32);
	fmp_policy_free(p);
	/* A mistake is told where it is: in the list, or where the policy names it. */
	put_list("own.txt", "198.51.100.7\n\n198.51.100.x\n");
	must_fail("mine.xml", FMP_ERR_SYNTAX, "own.txt", 3, 0, "198.51.100.x");
	put_file("mine.xml", "", "\n<blocklists><blocklist file=\"none.txt\"/></blocklists>");
	must_fail("mine.xml", FMP_ERR_IO, "mine.xml", 2, 24, "none.txt: No such file");
	put_file("mine.xml", "", "\n<blocklists><blocklist file=\".\" set=\"a\"/></blocklists>");
	must_fail("mine.xml", FMP_ERR_IO, "mine.xml", 2, 24, "a folder stands there");
	put_file(
		"mine.xml", "",
		"<blocklists><blocklist file=\"drop.txt\"/>\n<blocklist file=\"drop.txt\"/></blocklists>");
	must_fail("mine.xml", FMP_ERR_CONFLICT, "mine.xml", 2, 12, "has a list already");
	put_file("mine.xml", "", "\n<blocklists><blocklist fiel=\"drop.txt\"/></blocklists>");
	must_fail("mine.xml", FMP_ERR_SCHEMA, "mine.xml", 2, 24, "did you mean 'file'?");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("parts");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, base_is_built_on);
	tcase_add_test(t, base_is_found);
	tcase_add_test(t, folder_in_order);
	tcase_add_test(t, heirs_inherit_from_all);
	tcase_add_test(t, heirs_are_above_their_base);
	tcase_add_test(t, errors_name_their_file);
	tcase_add_test(t, blocklists_are_read);
	tcase_add_test(t, each_file_once);
	tcase_add_test(t, not_too_many);
	return run_tcase("policy_parts", t);
}
