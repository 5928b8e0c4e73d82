/* SPDX-License-Identifier: GPL-2.0 */
/* Policies as text, for tests of their reader. */
#ifndef FMP_TESTS_POLICY_TEXT_H
#define FMP_TESTS_POLICY_TEXT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/policy.h>

/** top_path() - of the tree: FMP_TOP, or where the test was started. */
static inline const char *top_path(void)
{
	const char *path = getenv("FMP_TOP");

	return path ? path : ".";
}

static inline const char *xsd_path(void)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/policies/fmp-policy.xsd", top_path());
	return path;
}

#define ROOT "<policy xmlns=\"urn:fmp:policy:1\">"

/** load_text() - text as the file /etc/fmp/p.xml. */
static inline int load_text(const char *text, struct fmp_policy **p, struct fmp_error *err)
{
	memset(err, 0, sizeof(*err));
	return fmp_policy_load_memory(text, strlen(text), "/etc/fmp/p.xml", xsd_path(), p, err);
}

static inline int print_line(const char *line, void *ctx)
{
	fprintf(ctx, "%s\n", line);
	return 0;
}

/** print_policy() - a policy as fmpctl shows it; the caller frees it. */
static inline char *print_policy(const struct fmp_policy *p)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	ck_assert_int_eq(fmp_policy_print(p, print_line, f), 0);
	fclose(f);
	return text;
}

/** must_load_text() - the same, of a policy that is good. */
static inline struct fmp_policy *must_load_text(const char *text)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	char why[1024];

	ck_assert_msg(!load_text(text, &p, &err), "%s\n%s",
		      fmp_error_format(&err, why, sizeof(why)), text);
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
	int rc = load_text(bad->text, &p, &err);
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

/* One with something of everything that a policy can say. */
#define FULL_POLICY                                                                                                                                                                                       \
	ROOT "<suspicion><event kind='login' rank='3' count='7' within='2h'/><credit points='1' half-life='1min30s'/></suspicion>"                                                                        \
	     "<suspicious action='limit' rate='7/s'/>"                                                                                                                                                    \
	     "<overrides><override port='22' service='orders' malicious='50' layers='ip'>"                                                                                                                \
	     "<event kind='dtd' rank='9' count='5' within='1h30min'/><event kind='login' count='0'/></override>"                                                                                          \
	     "<override port='23' pool='no' max='30min' duration='1min'/></overrides>"                                                                                                                    \
	     "<groups><group name='office' address='192.0.2.7 2001:db8:5::/56' action='limit' rate='50/s'/>"                                                                                              \
	     "<group name='lab' address='203.0.113.0/24' malicious='150' duration='7min'>"                                                                                                                \
	     "<event kind='dtd' count='4' within='1h'/><event kind='http' rank='1'/></group></groups>"                                                                                                    \
	     "<state file='/s' interval='1min'/><report rate='7/s' group='g'/>"                                                                                                                           \
	     "<metrics file='/m' interval='2s' listen='[::1]:9333'/>"                                                                                                                                     \
	     "<enforce reconcile='45s' max-blocks='17'><device>bb0</device><device layers='ip premac'>wlan0</device>"                                                                                     \
	     "</enforce><protect><address>192.0.2.0/24</address><mac>02:00:5e:00:53:01</mac>"                                                                                                             \
	     "</protect><block layers='ip premac' duration='1d2h3min4s5ms' max='30d' factor='1.5' jitter='5%'>"                                                                                           \
	     "<shared narrow='port'/><rollup sources='9'/></block>"                                                                                                                                       \
	     "<gateway security='BcES' schema='a&amp;b&lt;&quot;.xsd' port='Port' trust='ca.crt' key='k.pem'"                                                                                             \
	     " clock-skew='1min1s'>"                                                                                                                                                                      \
	     "<limits body='1025' name='16KiB'/><require signed='To MessageID'"                                                                                                                           \
	     " order='encrypt-then-sign'/><algorithms encryption='aes256-gcm'/><proxies><proxy address='192.0.2.9'/></proxies>"                                                                           \
	     "<content xmlns:o='urn:o'><list name='l' xpath='//o:i' max='7'/>"                                                                                                                            \
	     "<rule name='r' xpath='//o:a' regex='(?i)a&lt;b&#10;&quot;'/><rule name='s' regex='x'/>"                                                                                                     \
	     "</content>"                                                                                                                                                                                 \
	     "<saml bearer='yes' audiences='urn:a urn:b'><issuer name='urn:i' trust='i.crt'/></saml>"                                                                                                     \
	     "<fields><remove name='A*'/><set name='B' value='c d' in='both'/><remove name='E' in='answers'/></fields><services><client name='out' path='/out' backend='https://x.example/' ca='w.crt'/>" \
	     "<service name='orders' path='/orders/*' action='urn:o' security='BcV'"                                                                                                                      \
	     " max-age='7s'><limits depth='9'/><require signed='Body'/><content><rule name='own' regex='y'/></content><fields><set name='F' value='g'/></fields></service>"                               \
	     "<service name='none' path='/n'><content/><fields/><algorithms digest='sha512 sha384'/></service></services>"                                                                                \
	     "</gateway></policy>"

#endif
