// SPDX-License-Identifier: GPL-2.0
/* libfmp/policy: units, defaults, the reader and its errors, contradictions. FMP_TOP: top of the tree. */
#include <check.h>
#include <libxml/tree.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fmp/policy.h>

#include <policy/settings.h>

static const char *top(void)
{
	const char *path = getenv("FMP_TOP");

	return path ? path : ".";
}

static const char *xsd(void)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/policies/fmp-policy.xsd", top());
	return path;
}

#define ROOT "<policy xmlns=\"urn:fmp:policy:1\">"

static int load(const char *text, struct fmp_policy **p, struct fmp_error *err)
{
	memset(err, 0, sizeof(*err));
	return fmp_policy_load_memory(text, strlen(text), "/etc/fmp/p.xml", xsd(), p, err);
}

static struct fmp_policy *must_load(const char *body)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	char text[4096], why[1024];

	snprintf(text, sizeof(text), ROOT "%s</policy>", body);
	ck_assert_msg(!load(text, &p, &err), "%s", fmp_error_format(&err, why, sizeof(why)));
	return p;
}

/* ---- units ---- */

START_TEST(durations)
{
	static const struct {
		const char *in;
		uint64_t ms;
		const char *out;
	} good[] = {
		{ "0", 0, "0" },
		{ "0s", 0, "0" },
		{ "1ms", 1, "1ms" },
		{ "999ms", 999, "999ms" },
		{ "1000ms", 1000, "1s" },
		{ "90s", 90000, "1min30s" },
		{ "10min", 600000, "10min" },
		{ "1h30min", 5400000, "1h30min" },
		{ "24h", 86400000, "1d" },
		{ "1d2h3min", 93780000, "1d2h" },
		{ "1h0min5s", 3605000, "1h" },
		{ "18446744073709551615ms", UINT64_MAX, "213503982334d14h" },
	};
	static const char *const bad[] = {
		"",
		"1",
		"60",
		" 1s",
		"1s ",
		"1 s",
		"-1s",
		"+1s",
		"1.5h",
		"1S",
		"s",
		"10m",
		"1min1h",
		"1s1s",
		"1s2",
		"1hour",
		"0x10s",
		"18446744073709551616ms",
		"213503982335d",
		"1ms1d",
		"18446744073709551615ms1ms",
		"213503982334d24h",
	};
	char buf[32];
	uint64_t ms;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_msg(!fmp_duration_parse(good[i].in, &ms), "%s", good[i].in);
		ck_assert_uint_eq(ms, good[i].ms);
		ck_assert_str_eq(fmp_duration_format(ms, buf, sizeof(buf)), good[i].out);
		ck_assert_int_eq(fmp_duration_parse(buf, &ms), 0);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(fmp_duration_parse(bad[i], &ms) == FMP_ERR_SYNTAX, "%s", bad[i]);
	ck_assert_str_eq(fmp_duration_format(90000, buf, 5), "1min");
}
END_TEST

START_TEST(sizes)
{
	static const char *const bad[] = { "",	     "KiB",   "1K",
					   "1kb",    "1 KiB", "-1",
					   "1.5MiB", "1KiBB", "18446744073709551615KiB" };
	uint64_t n;

	ck_assert(!fmp_size_parse("512", &n) && n == 512);
	ck_assert(!fmp_size_parse("512B", &n) && n == 512);
	ck_assert(!fmp_size_parse("64KiB", &n) && n == 65536);
	ck_assert(!fmp_size_parse("3MiB", &n) && n == 3 << 20);
	ck_assert(!fmp_size_parse("4GiB", &n) && n == 1ull << 32);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(fmp_size_parse(bad[i], &n) == FMP_ERR_SYNTAX, "%s", bad[i]);
}
END_TEST

/* ---- what is shipped ---- */

static const char *const shipped[] = { "balanced", "cautious", "permissive", "observe" };

START_TEST(shipped_policies_load)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	char path[512], why[1024];

	snprintf(path, sizeof(path), "%s/policies/%s.xml", top(), shipped[_i]);
	ck_assert_msg(!fmp_policy_load(path, xsd(), &p, &err), "%s",
		      fmp_error_format(&err, why, sizeof(why)));
	ck_assert_str_eq(p->name, shipped[_i]);
	ck_assert_str_eq(p->file, path);
	ck_assert_int_eq(p->block.observe, !strcmp(p->name, "observe"));
	fmp_policy_free(p);
}
END_TEST

/* A user who leaves a setting out gets what balanced.xml says of it: all but name and file. */
START_TEST(balanced_is_the_default)
{
	struct fmp_policy *p = NULL, *d = fmp_policy_default();
	char path[512];

	snprintf(path, sizeof(path), "%s/policies/balanced.xml", top());
	ck_assert_int_eq(fmp_policy_load(path, xsd(), &p, NULL), 0);
	ck_assert_mem_eq(&p->suspicion, &d->suspicion, sizeof(p->suspicion));
	ck_assert_mem_eq(&p->block, &d->block, sizeof(p->block));
	ck_assert_mem_eq(&p->gateway, &d->gateway, sizeof(p->gateway));
	ck_assert_mem_eq(&p->enforce, &d->enforce, sizeof(p->enforce));
	ck_assert_uint_eq(p->n_protect, 0);
	fmp_policy_free(p);
	fmp_policy_free(d);
}
END_TEST

/* No single message of any kind blocks; a forgery weighs more than a slip. */
START_TEST(balanced_makes_sense)
{
	struct fmp_policy *d = fmp_policy_default();
	const struct fmp_policy_suspicion *s = &d->suspicion;

	for (unsigned k = 1; k < FMP_EVENT_KINDS; k++) {
		ck_assert_uint_gt(s->rank[k], 0);
		ck_assert_uint_lt(s->rank[k], s->malicious);
	}
	ck_assert_uint_eq(s->rank[FMP_EVENT_GOOD], 0);
	ck_assert_uint_gt(s->rank[FMP_EVENT_SIGNATURE], s->rank[FMP_EVENT_SCHEMA]);
	ck_assert_uint_eq(s->max_sources, 16384);
	fmp_policy_free(d);
}
END_TEST

/* ---- reading ---- */

START_TEST(every_setting_lands_in_its_field)
{
	struct fmp_policy *p = must_load(
		"<enforce reconcile='45s' max-blocks='17'><device>bb0</device><device> wlan0 </device>"
		"</enforce>"
		"<gateway security='BcES' schema='s/o.xsd' trust='/abs/ca.crt' key='k.pem'"
		" crl='crl.pem' certificates='/abs/known'"
		" access-log='log/access' clock-skew='7s' max-age='8s' fast-signatures='no' workers='9' user='gw'>"
		"<connections max='100' per-source='11'/>"
		"<http compressed='yes' ratio='31' requests='32'/>"
		"<proxies><proxy address='192.0.2.9'/>"
		"<proxy tells='x-forwarded-for' address='2001:db8:5::/64'/></proxies>"
		"<tls certificate='gw.crt' key='/abs/gw.key' client-ca='cl.crt'/>"
		"<timeouts header='1s' body='2s' idle='3s' worker='4s'/>"
		"<limits body='2MiB' depth='12' attributes='13' elements='14' name='15KiB' text='16KiB'"
		" references='17'/><require signed=' To\tMessageID' order='encrypt-then-sign'/><username passwords='users' text='yes'/>"
		"<saml required='yes' bearer='yes' one-time='yes' audiences=' urn:a\t\nurn:b ' recipients='http://c/'>"
		"<issuer name='urn:i' trust='i.crt'/><issuer trust='/abs/j.crt' name='urn:j'/></saml>"
		"<replay entries='99' per-signer='98'/></gateway>"
		"<protect><address>192.0.2.0/24</address><mac>02:00:5e:00:53:01</mac>"
		"<address>2001:db8::1</address></protect>"
		"<block layers='ip, premac' mac='no' duration='1min' factor='1.5' max='3min' forget='4min'"
		" observe='yes'/>"
		"<suspicion suspicious='18' malicious='19' half-life='20s' ipv6-prefix='56'"
		" rank-per-cpu-ms='21' max-sources='22'><event kind='schema' rank='23'/></suspicion>");
	char buf[FMP_ADDR_STRLEN];

	ck_assert_str_eq(p->name, "p");
	ck_assert_str_eq(p->file, "/etc/fmp/p.xml");
	ck_assert_uint_eq(p->suspicion.suspicious, 18);
	ck_assert_uint_eq(p->suspicion.malicious, 19);
	ck_assert_uint_eq(p->suspicion.half_life_ms, 20000);
	ck_assert_uint_eq(p->suspicion.ipv6_prefix, 56);
	ck_assert_uint_eq(p->suspicion.rank_per_cpu_ms, 21);
	ck_assert_uint_eq(p->suspicion.max_sources, 22);
	ck_assert_uint_eq(p->suspicion.rank[FMP_EVENT_SCHEMA], 23);
	ck_assert_uint_eq(p->suspicion.rank[FMP_EVENT_SOAP], 15);
	ck_assert_uint_eq(p->block.layers,
			  FMP_LAYER_BIT(FMP_LAYER_IP) | FMP_LAYER_BIT(FMP_LAYER_PREMAC));
	ck_assert(!p->block.mac && p->block.observe);
	ck_assert_uint_eq(p->block.duration_ms, 60000);
	ck_assert_uint_eq(p->block.factor_pct, 150);
	ck_assert_uint_eq(p->block.max_ms, 180000);
	ck_assert_uint_eq(p->block.forget_ms, 240000);
	ck_assert_int_eq(p->gateway.security, FMP_SECURITY_BCES);
	ck_assert_str_eq(p->gateway.schema, "/etc/fmp/s/o.xsd");
	ck_assert_str_eq(p->gateway.trust, "/abs/ca.crt");
	ck_assert_uint_eq(p->gateway.require_signed,
			  FMP_PART_BIT(FMP_PART_BODY) | FMP_PART_BIT(FMP_PART_TIMESTAMP) |
				  FMP_PART_BIT(FMP_PART_TO) | FMP_PART_BIT(FMP_PART_MESSAGE_ID));
	ck_assert_int_eq(p->gateway.order, FMP_ORDER_ENCRYPT_SIGN);
	ck_assert_str_eq(p->gateway.passwords, "/etc/fmp/users");
	ck_assert(p->gateway.password_text);
	ck_assert(p->gateway.saml.required && p->gateway.saml.bearer && p->gateway.saml.one_time);
	ck_assert_str_eq(p->gateway.saml.audiences, "urn:a urn:b");
	ck_assert_str_eq(p->gateway.saml.recipients, "http://c/");
	ck_assert_uint_eq(p->gateway.saml.n_issuers, 2);
	ck_assert_str_eq(p->gateway.saml.issuers[0].name, "urn:i");
	ck_assert_str_eq(p->gateway.saml.issuers[0].trust, "/etc/fmp/i.crt");
	ck_assert_str_eq(p->gateway.saml.issuers[1].name, "urn:j");
	ck_assert_str_eq(p->gateway.saml.issuers[1].trust, "/abs/j.crt");
	ck_assert_uint_eq(p->gateway.replay_entries, 99);
	ck_assert_uint_eq(p->gateway.replay_per_signer, 98);
	ck_assert_str_eq(p->gateway.crl, "/etc/fmp/crl.pem");
	ck_assert_str_eq(p->gateway.certificates, "/abs/known");
	ck_assert_str_eq(p->gateway.key, "/etc/fmp/k.pem");
	ck_assert_uint_eq(p->gateway.clock_skew_ms, 7000);
	ck_assert_uint_eq(p->gateway.max_age_ms, 8000);
	ck_assert(!p->gateway.fast_signatures);
	ck_assert_uint_eq(p->gateway.workers, 9);
	ck_assert_str_eq(p->gateway.user, "gw");
	ck_assert_str_eq(p->gateway.access_log, "/etc/fmp/log/access");
	ck_assert_str_eq(p->gateway.tls.certificate, "/etc/fmp/gw.crt");
	ck_assert_str_eq(p->gateway.tls.key, "/abs/gw.key");
	ck_assert_str_eq(p->gateway.tls.client_ca, "/etc/fmp/cl.crt");
	ck_assert_uint_eq(p->gateway.connections, 100);
	ck_assert_uint_eq(p->gateway.connections_per_source, 11);
	ck_assert_uint_eq(p->gateway.header_timeout_ms, 1000);
	ck_assert_uint_eq(p->gateway.body_timeout_ms, 2000);
	ck_assert_uint_eq(p->gateway.idle_timeout_ms, 3000);
	ck_assert_uint_eq(p->gateway.worker_timeout_ms, 4000);
	ck_assert_uint_eq(p->gateway.limits.body_bytes, 2 << 20);
	ck_assert_uint_eq(p->gateway.limits.depth, 12);
	ck_assert_uint_eq(p->gateway.limits.attributes, 13);
	ck_assert_uint_eq(p->gateway.limits.elements, 14);
	ck_assert_uint_eq(p->gateway.limits.name_bytes, 15 << 10);
	ck_assert_uint_eq(p->gateway.limits.text_bytes, 16 << 10);
	ck_assert_uint_eq(p->gateway.limits.references, 17);
	ck_assert_uint_eq(p->enforce.reconcile_ms, 45000);
	ck_assert_uint_eq(p->enforce.max_blocks, 17);
	ck_assert_uint_eq(p->enforce.n_devices, 2);
	ck_assert_str_eq(p->enforce.devices[0], "bb0");
	ck_assert_str_eq(p->enforce.devices[1], "wlan0");
	/* A proxy is protected, too. */
	ck_assert_uint_eq(p->n_protect, 5);
	ck_assert_str_eq(fmp_addr_format(&p->protect[0], buf, sizeof(buf)), "192.0.2.9");
	ck_assert_str_eq(fmp_addr_format(&p->protect[1], buf, sizeof(buf)), "2001:db8:5::/64");
	ck_assert_str_eq(fmp_addr_format(&p->protect[2], buf, sizeof(buf)), "192.0.2.0/24");
	ck_assert_str_eq(fmp_addr_format(&p->protect[3], buf, sizeof(buf)), "02:00:5e:00:53:01");
	ck_assert_str_eq(fmp_addr_format(&p->protect[4], buf, sizeof(buf)), "2001:db8::1");
	ck_assert(p->gateway.http.compressed);
	ck_assert_uint_eq(p->gateway.http.ratio, 31);
	ck_assert_uint_eq(p->gateway.http.requests, 32);
	ck_assert_uint_eq(p->gateway.n_proxies, 2);
	ck_assert(fmp_addr_equal(&p->gateway.proxies[0].address, &p->protect[0]));
	ck_assert_int_eq(p->gateway.proxies[0].tells, FMP_PROXY_PROTOCOL);
	ck_assert_int_eq(p->gateway.proxies[1].tells, FMP_PROXY_FORWARDED_FOR);
	fmp_policy_free(p);
}
END_TEST

START_TEST(nothing_but_the_root_is_balanced)
{
	struct fmp_policy *p = must_load(""), *d = fmp_policy_default();

	ck_assert_mem_eq(&p->suspicion, &d->suspicion, sizeof(p->suspicion));
	ck_assert_mem_eq(&p->gateway, &d->gateway, sizeof(p->gateway));
	fmp_policy_free(p);
	fmp_policy_free(d);
}
END_TEST

START_TEST(relative_to_the_file_in_the_working_directory)
{
	const char *text = ROOT "<gateway schema='o.xsd'/></policy>";
	struct fmp_policy *p = NULL;
	char cwd[256], want[300];

	ck_assert_ptr_nonnull(getcwd(cwd, sizeof(cwd)));
	ck_assert_int_eq(fmp_policy_load_memory(text, strlen(text), "p.xml", xsd(), &p, NULL), 0);
	snprintf(want, sizeof(want), "%s/o.xsd", cwd);
	ck_assert_str_eq(p->gateway.schema, want);
	fmp_policy_free(p);
	ck_assert_int_eq(fmp_policy_load_memory(text, strlen(text), "a/p.xml", xsd(), &p, NULL), 0);
	snprintf(want, sizeof(want), "%s/a/o.xsd", cwd);
	ck_assert_str_eq(p->gateway.schema, want);
	fmp_policy_free(p);
	ck_assert_int_eq(fmp_policy_load_memory(text, strlen(text), "/p.xml", xsd(), &p, NULL), 0);
	ck_assert_str_eq(p->gateway.schema, "/o.xsd");
	fmp_policy_free(p);
}
END_TEST

/* ---- errors: code, place, words ---- */

#define ISSUER(n) "<issuer name='urn:" n "' trust='i'/>"
#define SAML(x)	  ROOT "<gateway><saml audiences='urn:a'>" x "</saml></gateway></policy>"

static const struct {
	const char *text;
	int code;
	unsigned line, column;
	const char *path, *words;
} bad[] = {
	{ "", FMP_ERR_SYNTAX, 1, 1, "", "Document is empty" },
	{ ROOT "\n<block", FMP_ERR_SYNTAX, 2, 7, "", "not well-formed" },
	{ "<!DOCTYPE policy [<!ENTITY a 'b'>]>" ROOT "</policy>", FMP_ERR_SYNTAX, 1, 18, "",
	  "no DOCTYPE" },
	{ "<!DOCTYPE policy SYSTEM 'http://192.0.2.1/x'>" ROOT "</policy>", FMP_ERR_SYNTAX, 1, 45,
	  "", "no DOCTYPE" },
	{ "<?xml version='1.0' encoding='ISO-8859-1'?>" ROOT "</policy>", FMP_ERR_SYNTAX, 1, 0, "",
	  "UTF-8" },
	{ "<policy/>", FMP_ERR_SCHEMA, 1, 1, "/policy", "the root is not" },
	{ "<politics xmlns='urn:fmp:policy:1'/>", FMP_ERR_SCHEMA, 1, 1, "/politics",
	  "the root is not" },
	{ ROOT "\n  <suspicion suspicious='1'\n     malicios='2'/></policy>", FMP_ERR_SCHEMA, 3, 6,
	  "/policy/suspicion/@malicios", "did you mean 'malicious'?" },
	{ ROOT "<!-- <x a=> --><suspicion/>\n\n <blcok/></policy>", FMP_ERR_SCHEMA, 3, 2,
	  "/policy/blcok", "did you mean 'block'?" },
	{ ROOT
	  "<suspicion><event kind='dtd' rank='1'/>\n<event rank='1' kind='shcema'/></suspicion>"
	  "</policy>",
	  FMP_ERR_SCHEMA, 2, 17, "/policy/suspicion/event[2]/@kind", "did you mean 'schema'?" },
	{ ROOT "<suspicion><event kind='qqqqqq' rank='1'/></suspicion></policy>", FMP_ERR_SCHEMA, 1,
	  52, "/policy/suspicion/event/@kind", "no kind of event" },
	{ ROOT "<suspicion><event kind='good' rank='1'/></suspicion></policy>", FMP_ERR_SCHEMA, 1,
	  52, "/policy/suspicion/event/@kind", "no rank" },
	{ ROOT
	  "<suspicion><event kind='dtd' rank='1'/><event kind='dtd' rank='2'/></suspicion></policy>",
	  FMP_ERR_SCHEMA, 1, 80, "/policy/suspicion/event[2]/@kind", "twice" },
	{ ROOT "<suspicion><event kind='dtd'/></suspicion></policy>", FMP_ERR_SCHEMA, 1, 45,
	  "/policy/suspicion/event", "needs a rank" },
	{ ROOT "<suspicion><event kind='dtd' rank='-1'/></suspicion></policy>", FMP_ERR_SCHEMA, 1,
	  63, "/policy/suspicion/event/@rank", "whole number" },
	{ ROOT "<suspicion><event kind='dtd' rank='1000001'/></suspicion></policy>", FMP_ERR_SCHEMA,
	  1, 63, "/policy/suspicion/event/@rank", "outside of 0 to 1000000" },
	{ ROOT "<block/><block/></policy>", FMP_ERR_SCHEMA, 1, 42, "/policy/block[2]", "twice" },
	{ ROOT "<limits/></policy>", FMP_ERR_SCHEMA, 1, 34, "/policy/limits",
	  "belongs into <gateway>" },
	{ ROOT "<block xmlns='urn:other'/></policy>", FMP_ERR_SCHEMA, 1, 34, "/policy/block",
	  "not of the namespace" },
	{ ROOT "<block xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'"
	       " xsi:schemaLocation='urn:x http://192.0.2.1/x'/></policy>",
	  FMP_ERR_SCHEMA, 1, 34, "/policy/block", "has none of others" },
	{ ROOT "<block>text</block></policy>", FMP_ERR_SCHEMA, 1, 34, "/policy/block", "no text" },
	{ ROOT "<block duration='60'/></policy>", FMP_ERR_SCHEMA, 1, 41, "/policy/block/@duration",
	  "unit is missing" },
	{ ROOT "<block duration='soon'/></policy>", FMP_ERR_SCHEMA, 1, 41,
	  "/policy/block/@duration", "a duration like" },
	{ ROOT "<block duration='1ms'/></policy>", FMP_ERR_SCHEMA, 1, 41, "/policy/block/@duration",
	  "outside of 1s to 3650d" },
	{ ROOT "<block factor='1.234'/></policy>", FMP_ERR_SCHEMA, 1, 41, "/policy/block/@factor",
	  "two decimals" },
	{ ROOT "<block factor='0.5'/></policy>", FMP_ERR_SCHEMA, 1, 41, "/policy/block/@factor",
	  "outside of 1.00 to 1000.00" },
	{ ROOT "<block mac='true'/></policy>", FMP_ERR_SCHEMA, 1, 41, "/policy/block/@mac",
	  "neither yes nor no" },
	{ ROOT "<block layers='ip radio'/></policy>", FMP_ERR_SCHEMA, 1, 41,
	  "/policy/block/@layers", "not a list of" },
	{ ROOT "<gateway security='BcSE'/></policy>", FMP_ERR_SCHEMA, 1, 43,
	  "/policy/gateway/@security", "did you mean 'BcES'?" },
	{ ROOT "<gateway user='a b'/></policy>", FMP_ERR_SCHEMA, 1, 43, "/policy/gateway/@user",
	  "not a name" },
	{ ROOT "<gateway><require\norder='encrypt'/></gateway></policy>", FMP_ERR_SCHEMA, 2, 1,
	  "/policy/gateway/require/@order", "neither sign-then-encrypt nor encrypt-then-sign" },
	{ ROOT "<gateway><require signed='to'/></gateway></policy>", FMP_ERR_SCHEMA, 1, 52,
	  "/policy/gateway/require/@signed", "nobody can require" },
	{ ROOT "<gateway schema=''/></policy>", FMP_ERR_SCHEMA, 1, 43, "/policy/gateway/@schema",
	  "is empty" },
	{ ROOT "<gateway>\n<limits body='1kB'/></gateway></policy>", FMP_ERR_SCHEMA, 2, 9,
	  "/policy/gateway/limits/@body", "a size like" },
	{ ROOT "<gateway>\n<limits body='1GiB'/></gateway></policy>", FMP_ERR_SCHEMA, 2, 9,
	  "/policy/gateway/limits/@body", "outside of 1B to 256MiB" },
	{ ROOT "<enforce reconcile='61s'/></policy>", FMP_ERR_SCHEMA, 1, 43,
	  "/policy/enforce/@reconcile", "outside of 1s to 1min" },
	{ ROOT "<protect><address>02:00:5e:00:53:01</address></protect></policy>", FMP_ERR_SCHEMA,
	  1, 43, "/policy/protect/address", "belongs into <mac>" },
	{ ROOT "<protect><mac>192.0.2.1</mac></protect></policy>", FMP_ERR_SCHEMA, 1, 43,
	  "/policy/protect/mac", "belongs into <address>" },
	{ ROOT "<protect><address>192.0.2.1/24</address></protect></policy>", FMP_ERR_SCHEMA, 1, 43,
	  "/policy/protect/address", "is 192.0.2.0/24 meant?" },
	{ ROOT "<enforce><device>a/b</device></enforce></policy>", FMP_ERR_SCHEMA, 1, 43,
	  "/policy/enforce/device", "not the name" },
	{ ROOT "<enforce><device>a234567890123456</device></enforce></policy>", FMP_ERR_SCHEMA, 1,
	  43, "/policy/enforce/device", "not the name" },
	/* "ä" is one column, a tab too. */
	{ ROOT "\n<!-- \xc3\xa4 -->\t<foo/></policy>", FMP_ERR_SCHEMA, 2, 12, "/policy/foo",
	  "no element <foo>" },

	{ ROOT "<suspicion malicious='10'\nsuspicious='20'/></policy>", FMP_ERR_CONFLICT, 1, 45,
	  "/policy/suspicion/@malicious", "before it is suspicious" },
	{ ROOT "<suspicion\nsuspicious='200'/></policy>", FMP_ERR_CONFLICT, 2, 1,
	  "/policy/suspicion/@suspicious", "(malicious is a default)" },
	{ ROOT "<suspicion max-sources='100'/><enforce max-blocks='100'/></policy>",
	  FMP_ERR_CONFLICT, 1, 73, "/policy/enforce/@max-blocks", "no room to watch" },
	{ ROOT "<block duration='2h' max='1h'/></policy>", FMP_ERR_CONFLICT, 1, 55,
	  "/policy/block/@max", "shorter than duration=\"2h\"" },
	{ ROOT "<block duration='48h'/></policy>", FMP_ERR_CONFLICT, 1, 41,
	  "/policy/block/@duration", "(max is a default)" },
	{ ROOT "<block forget='0'/></policy>", FMP_ERR_CONFLICT, 1, 41, "/policy/block/@forget",
	  "forgets every block" },
	{ ROOT "<block layers='none'/></policy>", FMP_ERR_CONFLICT, 1, 41, "/policy/block/@layers",
	  "observe=\"yes\"" },
	{ ROOT "<gateway security='BcV'/></policy>", FMP_ERR_CONFLICT, 1, 43,
	  "/policy/gateway/@security", "schema=\"FILE\" is missing" },
	{ ROOT "<gateway security='BcS' schema='x'/></policy>", FMP_ERR_CONFLICT, 1, 43,
	  "/policy/gateway/@security", "trust=\"FILE\"" },
	{ ROOT "<gateway security='BcE' schema='x'/></policy>", FMP_ERR_CONFLICT, 1, 43,
	  "/policy/gateway/@security", "key=\"FILE\"" },
	{ ROOT "<gateway>\n<saml required='true'/></gateway></policy>", FMP_ERR_SCHEMA, 2, 7,
	  "/policy/gateway/saml/@required", "neither yes nor no" },
	{ ROOT "<gateway>\n<saml beaer='no'/></gateway></policy>", FMP_ERR_SCHEMA, 2, 7,
	  "/policy/gateway/saml/@beaer", "did you mean 'bearer'?" },
	{ ROOT "<gateway>\n<saml audiences='urn:a orders'/></gateway></policy>", FMP_ERR_SCHEMA, 2,
	  7, "/policy/gateway/saml/@audiences", "\"orders\", which is not an absolute URI" },
	{ ROOT "<gateway>\n<saml recipients=' '/></gateway></policy>", FMP_ERR_SCHEMA, 2, 7,
	  "/policy/gateway/saml/@recipients", "is empty" },
	{ ROOT "<gateway>\n<saml><issuer name='urn:i' trust='i'/></saml></gateway></policy>",
	  FMP_ERR_SCHEMA, 2, 1, "/policy/gateway/saml", "needs audiences" },
	{ SAML("\n<issuer name='urn:i'/>"), FMP_ERR_SCHEMA, 2, 1, "/policy/gateway/saml/issuer",
	  "needs a trust" },
	{ SAML("\n<issuer trust='i'/>"), FMP_ERR_SCHEMA, 2, 1, "/policy/gateway/saml/issuer",
	  "needs a name" },
	{ SAML("\n<issuer trust='i' nam='urn:i'/>"), FMP_ERR_SCHEMA, 2, 19,
	  "/policy/gateway/saml/issuer/@nam", "did you mean 'name'?" },
	{ SAML("\n<issuer trust='i' name='i'/>"), FMP_ERR_SCHEMA, 2, 19,
	  "/policy/gateway/saml/issuer/@name", "not an absolute URI" },
	{ SAML("\n<issuer trust='i' name='urn:i urn:j'/>"), FMP_ERR_SCHEMA, 2, 19,
	  "/policy/gateway/saml/issuer/@name", "has one name" },
	{ SAML("<issuer name='urn:i' trust='i'/>\n<issuer name='urn:i' trust='j'/>"),
	  FMP_ERR_SCHEMA, 2, 9, "/policy/gateway/saml/issuer[2]/@name", "listed twice" },
	{ SAML(ISSUER("1") ISSUER("2") ISSUER("3") ISSUER("4") ISSUER("5") ISSUER("6") ISSUER("7")
		       ISSUER("8") "\n" ISSUER("9")),
	  FMP_ERR_SCHEMA, 2, 1, "/policy/gateway/saml/issuer[9]", "more than 8" },
	{ ROOT "<gateway>\n<saml required='yes'/></gateway></policy>", FMP_ERR_CONFLICT, 2, 7,
	  "/policy/gateway/saml/@required", "<issuer>, who may issue them, is missing" },
	{ SAML(ISSUER("1")), FMP_ERR_CONFLICT, 1, 49, "/policy/gateway/saml/@audiences",
	  "needs a signed message" },
	{ ROOT "<gateway security='Os'><saml audiences='urn:a' bearer='yes'>" ISSUER(
		  "1") "</saml></gateway></policy>",
	  FMP_ERR_CONFLICT, 1, 43, "/policy/gateway/@security", "looks into no message" },
	{ ROOT
	  "<gateway><replay entries='0'/>\n<saml audiences='urn:a' bearer='yes' one-time='yes'>" ISSUER(
		  "1") "</saml></gateway></policy>",
	  FMP_ERR_CONFLICT, 2, 38, "/policy/gateway/saml/@one-time", "none are remembered" },
	{ ROOT "<gateway><proxies><proxy address='::/0'/></proxies></gateway></policy>",
	  FMP_ERR_CONFLICT, 1, 52, "/policy/gateway/proxies/proxy", "protects every source" },
	{ ROOT "<gateway><proxies><proxy tells='v1' address='::1'/></proxies></gateway></policy>",
	  FMP_ERR_SCHEMA, 1, 59, "/policy/gateway/proxies/proxy/@tells", "neither proxy-protocol" },
	{ ROOT "<gateway><proxies><proxy/></proxies></gateway></policy>", FMP_ERR_SCHEMA, 1, 52,
	  "/policy/gateway/proxies/proxy", "needs an address" },
	{ ROOT "<gateway><tls certificate='x'/></gateway></policy>", FMP_ERR_CONFLICT, 1, 48,
	  "/policy/gateway/tls/@certificate", "needs both" },
	{ ROOT "<gateway><tls client-ca='x'/></gateway></policy>", FMP_ERR_CONFLICT, 1, 48,
	  "/policy/gateway/tls/@client-ca", "needs TLS" },
	{ ROOT "<gateway>\n<connections max='8' per-source='9'/></gateway></policy>",
	  FMP_ERR_CONFLICT, 2, 22, "/policy/gateway/connections/@per-source", "more than max" },
	{ ROOT "<protect><address>0.0.0.0/0</address></protect></policy>", FMP_ERR_CONFLICT, 1, 43,
	  "/policy/protect/address", "protects every source" },
};

START_TEST(errors_say_where_and_what)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	int rc = load(bad[_i].text, &p, &err);
	char why[1024];

	fmp_error_format(&err, why, sizeof(why));
	ck_assert_msg(rc == bad[_i].code, "%s: %d: %s", bad[_i].text, rc, why);
	ck_assert_ptr_null(p);
	ck_assert_int_eq(err.code, rc);
	ck_assert_str_eq(err.file, "/etc/fmp/p.xml");
	ck_assert_msg(err.line == bad[_i].line && err.column == bad[_i].column,
		      "%u:%u expected: %s", bad[_i].line, bad[_i].column, why);
	ck_assert_str_eq(err.path, bad[_i].path);
	ck_assert_msg(strstr(err.message, bad[_i].words), "\"%s\" expected: %s", bad[_i].words,
		      why);
	/* Without an error to fill the verdict is the same. */
	ck_assert_int_eq(fmp_policy_load_memory(bad[_i].text, strlen(bad[_i].text), "p.xml", xsd(),
						&p, NULL),
			 rc);
}
END_TEST

START_TEST(files_that_are_not_there)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	char *big = malloc((1 << 20) + 2);

	ck_assert_int_eq(fmp_policy_load("/nonexistent/p.xml", xsd(), &p, &err), FMP_ERR_IO);
	ck_assert_ptr_nonnull(strstr(err.message, "/nonexistent/p.xml"));
	ck_assert_int_eq(fmp_policy_load("/", xsd(), &p, &err), FMP_ERR_IO);
	ck_assert_int_eq(fmp_policy_load_memory(ROOT "</policy>", sizeof(ROOT "</policy>") - 1, "p",
						"/nonexistent.xsd", &p, &err),
			 FMP_ERR_IO);
	ck_assert_ptr_nonnull(strstr(err.message, "/nonexistent.xsd"));
	memset(big, ' ', (1 << 20) + 1);
	ck_assert_int_eq(fmp_policy_load_memory(big, (1 << 20) + 1, "p", xsd(), &p, &err),
			 FMP_ERR_LIMIT);
	free(big);
	ck_assert_ptr_null(p);
}
END_TEST

/* Every prefix of a file, and every byte of it damaged: an error or a policy, never a crash. */
START_TEST(damaged_files)
{
	const char *text = ROOT
		"<suspicion half-life='1min'><event kind='dtd' rank='5'/></suspicion>"
		"<protect><address>192.0.2.1</address></protect><!-- c --></policy>";
	size_t len = strlen(text);
	struct fmp_policy *p = NULL;
	struct fmp_error err;

	for (size_t n = 0; n < len; n++) {
		char *cut = malloc(n ? n : 1);

		memcpy(cut, text, n);
		ck_assert_int_ne(fmp_policy_load_memory(cut, n, "p", xsd(), &p, &err), 0);
		for (int bit = 0; bit < 8; bit++) {
			char *hurt = malloc(len);

			memcpy(hurt, text, len);
			hurt[n] ^= (char)(1 << bit);
			if (!fmp_policy_load_memory(hurt, len, "p", xsd(), &p, &err))
				fmp_policy_free(p);
			free(hurt);
		}
		free(cut);
	}
}
END_TEST

/* ---- the schema and the table say the same ---- */

static xmlNode *find_by_name(xmlNode *node, const char *tag, const char *name)
{
	for (; node; node = node->next) {
		xmlChar *v = node->type == XML_ELEMENT_NODE ? xmlGetProp(node, BAD_CAST "name")
							    : NULL;
		bool hit = v && xmlStrEqual(node->name, BAD_CAST tag) &&
			   xmlStrEqual(v, BAD_CAST name);
		xmlNode *below;

		xmlFree(v);
		if (hit)
			return node;
		below = find_by_name(node->children, tag, name);
		if (below)
			return below;
	}
	return NULL;
}

static unsigned count_tags(xmlNode *node, const char *tag)
{
	unsigned n = 0;

	for (; node; node = node->next)
		n += (node->type == XML_ELEMENT_NODE && xmlStrEqual(node->name, BAD_CAST tag)) +
		     count_tags(node->children, tag);
	return n;
}

/* What <gateway> and <service> share is a group. */
static bool has_attribute(xmlNode *root, xmlNode *at, const char *name)
{
	xmlNode *group = find_by_name(root, "attributeGroup", "Demands");

	return find_by_name(at->children, "attribute", name) ||
	       (group && count_tags(at->children, "attributeGroup") &&
		find_by_name(group->children, "attribute", name));
}

START_TEST(schema_and_table_agree)
{
	xmlDoc *doc = xmlReadFile(xsd(), NULL, XML_PARSE_NONET);
	xmlNode *root = xmlDocGetRootElement(doc);

	for (size_t i = 0; i < fmpi_n_settings; i++) {
		const struct fmpi_setting *s = &fmpi_settings[i];
		xmlNode *el = find_by_name(root, "element", s->element);
		xmlChar *type = el ? xmlGetProp(el, BAD_CAST "type") : NULL;
		xmlNode *at = type ? find_by_name(root, "complexType", (char *)type) : el;

		xmlFree(type);
		ck_assert_msg(at && has_attribute(root, at, s->attribute),
			      "<%s %s> is not in the schema", s->element, s->attribute);
	}
	for (size_t i = 0; i < fmpi_n_elements; i++)
		ck_assert_msg(find_by_name(root, "element", fmpi_elements[i].name) != NULL, "<%s>",
			      fmpi_elements[i].name);
	for (unsigned k = 1; k < FMP_EVENT_KINDS; k++) {
		char body[128];

		snprintf(body, sizeof(body), "<suspicion><event kind='%s' rank='77'/></suspicion>",
			 fmp_event_kind_name(k));
		struct fmp_policy *p = must_load(body);

		ck_assert_uint_eq(p->suspicion.rank[k], 77);
		fmp_policy_free(p);
	}
	/* And nothing in the schema that the table does not know; those of event, proxy,
	 * issuer and service are read apart, and three elements stand in service too. */
	ck_assert_uint_eq(count_tags(root, "attribute"), fmpi_n_settings + 6 + 5);
	ck_assert_uint_eq(count_tags(root, "element"), fmpi_n_elements + 3);
	xmlFreeDoc(doc);
}
END_TEST

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

int main(void)
{
	Suite *s = suite_create("policy");
	TCase *t = tcase_create("policy");
	SRunner *r;
	int failed;

	tcase_set_timeout(t, 120);
	tcase_add_test(t, durations);
	tcase_add_test(t, sizes);
	tcase_add_loop_test(t, shipped_policies_load, 0, COUNT(shipped));
	tcase_add_test(t, balanced_is_the_default);
	tcase_add_test(t, balanced_makes_sense);
	tcase_add_test(t, every_setting_lands_in_its_field);
	tcase_add_test(t, nothing_but_the_root_is_balanced);
	tcase_add_test(t, relative_to_the_file_in_the_working_directory);
	tcase_add_loop_test(t, errors_say_where_and_what, 0, COUNT(bad));
	tcase_add_test(t, files_that_are_not_there);
	tcase_add_test(t, damaged_files);
	tcase_add_test(t, schema_and_table_agree);
	suite_add_tcase(s, t);

	r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
