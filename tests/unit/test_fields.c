// SPDX-License-Identifier: GPL-2.0
/* The fields of a message: recorded as they came, forwarded but for those that the gateway makes. */
#include <stdio.h>
#include <string.h>

#include <fmp/internal/forward_fields.h>

#include "http_cuts.h"
#include "run.h"

static const struct fmp_http_limits limits = {
	.header_bytes = 20000, .fields = 100, .target_bytes = 1024, .body_bytes = 1000
};
static const struct fmp_policy_fields no_rules;

#define START "POST / HTTP/1.1\r\nHost: gw\r\n"
#define END   "Content-Length: 0\r\n\r\n"

static struct fmp_http read_text(const char *text, bool response)
{
	struct fmp_http_limits l = limits;
	struct fmp_http h;

	l.response = response;
	h = http_read(&l, text, strlen(text));
	ck_assert_msg(h.state == FMP_HTTP_DONE, "%s: %s", text, h.detail);
	return h;
}

/* Return: the lines of a list, as text. */
static const char *lines_of(const struct fmp_field_list *l)
{
	static char text[32768];

	snprintf(text, sizeof(text), "%.*s", (int)(l->len - l->first),
		 l->bytes ? l->bytes + l->first : "");
	return text;
}

START_TEST(recorded_in_order)
{
	static const char fields[] =
		"Host: gw\r\nX-One: a\r\nset-COOKIE: b=1; path=/\r\n"
		"Empty: \r\nX-One: M\xfcller\r\nColon: :\r\nContent-Length: 0\r\n";
	char text[512];
	struct fmp_http h;
	struct fmp_field f;

	snprintf(text, sizeof(text),
		 "POST /a?b HTTP/1.1\r\nHost:gw\r\nX-One: \t a\t \r\n"
		 "set-COOKIE: b=1; path=/\r\nEmpty:  \r\nX-One:M\xfcller\r\nColon::\r\n"
		 "Content-Length: 0\r\n\r\n");
	h = read_text(text, false);
	ck_assert_str_eq(lines_of(&h.fields), fields);
	ck_assert_str_eq(fmp_http_path(&h), "/a?b");
	ck_assert(fmp_field_find(&h.fields, "x-one", &f));
	ck_assert_uint_eq(f.value_len, 6);
	ck_assert(!fmp_field_find(&h.fields, "x-on", &f));
	fmp_http_exit(&h);
	/* A trailer is none of them. */
	h = read_text(START "Transfer-Encoding: chunked\r\n\r\n0\r\nX-T: 1\r\n\r\n", false);
	ck_assert_str_eq(lines_of(&h.fields), "Host: gw\r\nTransfer-Encoding: chunked\r\n");
	fmp_http_exit(&h);
	/* Nor are those of an interim answer. */
	h = read_text("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n"
		      "Content-Length: 0\r\n\r\n",
		      true);
	ck_assert_str_eq(lines_of(&h.fields), "A: b\r\nContent-Length: 0\r\n");
	fmp_http_exit(&h);
}
END_TEST

/* @want: behind what is forwarded stands Via. */
static void check_forwarded(const char *text, const struct fmp_forward_fields *how,
			    const char *want)
{
	struct fmp_http h = read_text(text, how->answer);
	struct fmp_field_list out = { 0 };
	char all[4096];

	snprintf(all, sizeof(all), "%sVia: 1.1 fmp\r\n", want);
	ck_assert(fmp_forward_fields(&out, &h, how));
	ck_assert_str_eq(lines_of(&out), all);
	fmp_field_list_exit(&out);
	fmp_http_exit(&h);
}

#define REQUEST(fields, want) \
	check_forwarded(START fields END, &(struct fmp_forward_fields){ .policy = &no_rules }, want)
#define ANSWER(fields, want)                              \
	check_forwarded("HTTP/1.1 200 OK\r\n" fields END, \
			&(struct fmp_forward_fields){ .policy = &no_rules, .answer = true }, want)
#define CHANGED(fields, want)                                                           \
	check_forwarded("HTTP/1.1 200 OK\r\n" fields END,                               \
			&(struct fmp_forward_fields){                                   \
				.policy = &no_rules, .answer = true, .changed = true }, \
			want)

START_TEST(what_is_forwarded)
{
	REQUEST("Authorization: Basic YTpi\r\nCookie: a=b; c=d\r\nCookie: e=f\r\n"
		"User-Agent: gSOAP/2.8\r\ntraceparent: 00-1-2-01\r\nAccept-Encoding: gzip\r\n"
		"X-User: M\xfcller\r\nVia: 1.1 other\r\n",
		"Authorization: Basic YTpi\r\nCookie: a=b; c=d\r\nCookie: e=f\r\n"
		"User-Agent: gSOAP/2.8\r\ntraceparent: 00-1-2-01\r\nAccept-Encoding: gzip\r\n"
		"X-User: M\xfcller\r\nVia: 1.1 other\r\n");
	ANSWER("Set-Cookie: a=b\r\nSet-Cookie: c=d; Path=/\r\nDate: x\r\nServer: y\r\n"
	       "WWW-Authenticate: Basic realm=\"x\"\r\nETag: \"1\"\r\nContent-Encoding: br\r\n",
	       "Set-Cookie: a=b\r\nSet-Cookie: c=d; Path=/\r\nDate: x\r\nServer: y\r\n"
	       "WWW-Authenticate: Basic realm=\"x\"\r\nETag: \"1\"\r\nContent-Encoding: br\r\n");
	CHANGED("Set-Cookie: a=b\r\nETag: \"1\"\r\nContent-MD5: x\r\nDigest: x\r\n"
		"Content-Digest: x\r\nRepr-Digest: x\r\n",
		"Set-Cookie: a=b\r\n");
}
END_TEST

START_TEST(what_is_not)
{
	REQUEST("Connection: Keep-Alive, TE, X-Hop, Upgrade\r\nTE: trailers\r\nKeep-Alive: 5\r\n"
		"X-Hop: a\r\nUpgrade: h2c\r\nHTTP2-Settings: A\r\nTrailer: X\r\n"
		"Proxy-Authorization: x\r\nProxy-Connection: close\r\nContent-Type: text/xml\r\n"
		"SOAPAction: \"a\"\r\nExpect: 100-continue\r\nX-End: b\r\n",
		"X-End: b\r\n");
	/* What says who the client is, or changes what the service reads. */
	REQUEST("X-Forwarded-For: 192.0.2.1\r\nX_Forwarded_For: 192.0.2.1\r\n"
		"X-Forwarded-Host: a\r\nx-forwarded-anything: b\r\nForwarded: for=192.0.2.1\r\n"
		"X-Real-IP: 192.0.2.1\r\nX-Fmp-Subject: CN=root\r\nX_FMP_USER: root\r\n"
		"X.Forwarded.For: 192.0.2.1\r\nX~Fmp!User: root\r\nX.Real.IP: 192.0.2.1\r\n"
		"Content_Length: 5\r\nTransfer_Encoding: chunked\r\nX-Original-URL: /admin\r\n"
		"X-Rewrite-Url: /admin\r\nProxy: http://evil\r\n",
		"");
	ANSWER("Connection: close, X-Hop\r\nX-Hop: a\r\nKeep-Alive: x\r\nContent-Type: a/b\r\n"
	       "Transfer_Encoding: x\r\nProxy-Authenticate: Basic\r\n",
	       "");
}
END_TEST

/* Any client can write them, and services read them as the word of a proxy. */
START_TEST(what_is_forged)
{
	static const char fields[] =
		"X-HTTP-Method-Override: DELETE\r\nX-HTTP-Method: PUT\r\nX_Method_Override: PUT\r\n"
		"CF-Connecting-IP: 192.0.2.1\r\nCF-Connecting-IPv6: 2001:db8::1\r\n"
		"True-Client-IP: 192.0.2.1\r\nX-Client-IP: 192.0.2.1\r\n"
		"X-Cluster-Client-IP: 192.0.2.1\r\nFastly-Client-IP: 192.0.2.1\r\n"
		"X-SSL-Client-Verify: SUCCESS\r\nX-SSL-Client-S-DN: CN=root\r\n"
		"X-Client-Cert: MII\r\nX-Client-Certificate: MII\r\nSSL_CLIENT_S_DN: CN=root\r\n"
		"ssl-client-verify: SUCCESS\r\nClient-Cert: :MII:\r\nRemote-User: root\r\n"
		"REMOTE_USER: root\r\nX-Remote-User: root\r\nWL-Proxy-Client-IP: 192.0.2.1\r\n"
		"$WSRU: root\r\n$WSSN: internal\r\nX-Proxied-Https: on\r\n"
		"Proxy-auth-cert: AES\r\nProxy-ssl-id: 1\r\n"
		"X-Real-IP: 192.0.2.1\r\nX-Rewrite-URL: /admin\r\nProxy: http://evil\r\n";
	static const struct fmp_policy_fields keep_some = {
		.n = 3,
		.rule = { { .name = "x-real-ip", .requests = true, .keep = true },
			  { .name = "X-SSL-*", .requests = true, .keep = true },
			  { .name = "X-Forwarded-User", .requests = true, .keep = true } },
	};
	char text[2048];

	snprintf(text, sizeof(text), START "%s" END, fields);
	check_forwarded(text, &(struct fmp_forward_fields){ .policy = &no_rules }, "");
	/* The policy says which proxy is believed; what the gateway itself writes stays its own. */
	snprintf(text, sizeof(text), START "%sX-Forwarded-User: root\r\n" END, fields);
	check_forwarded(text, &(struct fmp_forward_fields){ .policy = &keep_some },
			"X-SSL-Client-Verify: SUCCESS\r\nX-SSL-Client-S-DN: CN=root\r\n"
			"X-Real-IP: 192.0.2.1\r\n");
	/* Nothing else is taken, nor anything of an answer. */
	REQUEST("X-Request-ID: 1\r\nX-User: a\r\nX-Client-Version: 2\r\nX-HTTP-Foo: b\r\n"
		"Remote-Users: c\r\nX-Method: d\r\nClient-Certain: e\r\nWS-A: f\r\n",
		"X-Request-ID: 1\r\nX-User: a\r\nX-Client-Version: 2\r\nX-HTTP-Foo: b\r\n"
		"Remote-Users: c\r\nX-Method: d\r\nClient-Certain: e\r\nWS-A: f\r\n");
	ANSWER("X-Real-IP: 192.0.2.1\r\nX-HTTP-Method: GET\r\n",
	       "X-Real-IP: 192.0.2.1\r\nX-HTTP-Method: GET\r\n");
}
END_TEST

/* Single sign-on gateways write them for the services behind. */
START_TEST(what_single_sign_on_writes)
{
	static const char fields[] =
		"SM_USER: root\r\nSM-UserDN: CN=root\r\nsm_universalid: 0\r\nsm.authtype: Form\r\n"
		"iv-user: root\r\nIV_GROUPS: wheel\r\niv-creds: AA==\r\niv_remote_address: 192.0.2.1\r\n"
		"OAM_REMOTE_USER: root\r\nOAM_IDENTITY_DOMAIN: a\r\nOsso-User-Dn: CN=root\r\n"
		"Proxy-Remote-User: root\r\nShib-Session-ID: 1\r\nShib_Identity_Provider: a\r\n"
		"AJP_eppn: root@a\r\neppn: root@a\r\npersistent-id: a\r\ntargeted_id: a\r\n"
		"affiliation: staff\r\nunscoped-affiliation: staff\r\nentitlement: admin\r\n"
		"CAS-User: root\r\nOIDC_CLAIM_sub: root\r\nX-Auth-Request-User: root\r\n"
		"X-Authenticated-User: root\r\nX-Authenticated-Userid: root\r\nX-WEBAUTH-USER: root\r\n"
		"X-Proxy-User: root\r\nX-Proxy-REMOTE-USER: root\r\nX-Consumer-Username: root\r\n"
		"X-Credential-Identifier: root\r\nX-Anonymous-Consumer: false\r\n"
		"X-MS-CLIENT-PRINCIPAL-NAME: root\r\nX-MS-TOKEN-AAD-ID-TOKEN: a\r\n"
		"X-Goog-Authenticated-User-Email: root\r\nX-Goog-IAP-JWT-Assertion: a\r\n"
		"x-amzn-oidc-identity: root\r\nX-Amzn-Mtls-Clientcert-Subject: CN=root\r\n"
		"Cf-Access-Authenticated-User-Email: root\r\nX-Remote-Group: wheel\r\n"
		"X-Remote-Extra-scopes: a\r\nRemote-Groups: wheel\r\nRemote-Name: root\r\n"
		"Remote-Email: root\r\nX-Client-DN: CN=root\r\nX-Client-Verify: SUCCESS\r\n"
		"X-SSL-Cert: MII\r\nX-TLS-Client-Subject: CN=root\r\n";
	static const struct fmp_policy_fields keep_one = {
		.n = 1,
		.rule = { { .name = "SM_USER*", .requests = true, .keep = true } },
	};
	char text[4096];

	snprintf(text, sizeof(text), START "%s" END, fields);
	check_forwarded(text, &(struct fmp_forward_fields){ .policy = &no_rules }, "");
	check_forwarded(text, &(struct fmp_forward_fields){ .policy = &keep_one },
			"SM_USER: root\r\nSM-UserDN: CN=root\r\n");
	REQUEST("SMTP-Id: a\r\nIvory: b\r\nX-Consumer: c\r\nX-Auth-User: d\r\nX-Auth-Key: e\r\n"
		"Eppn2: f\r\nX-Amzn-Trace-Id: g\r\nX-MS-Request-Id: h\r\nCF-Access-Client-Id: i\r\n",
		"SMTP-Id: a\r\nIvory: b\r\nX-Consumer: c\r\nX-Auth-User: d\r\nX-Auth-Key: e\r\n"
		"Eppn2: f\r\nX-Amzn-Trace-Id: g\r\nX-MS-Request-Id: h\r\nCF-Access-Client-Id: i\r\n");
	ANSWER("SM_USER: root\r\n", "SM_USER: root\r\n");
}
END_TEST

/* What a policy may keep, and does not. */
START_TEST(what_is_withheld)
{
	static const struct fmp_policy_fields rules = {
		.n = 2,
		.rule = { { .name = "X-Real-IP", .requests = true, .keep = true },
			  { .name = "Proxy", .requests = true } },
	};
	static const struct {
		const char *name;
		bool by_default, by_rules;
	} rows[] = {
		{ "X_Real_IP", true, false },
		{ "$WSRU", true, true },
		{ "Proxy", true, false },
		{ "Host", false, false },
		{ "X-Forwarded-For", false, false },
		{ "X-User", false, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct fmp_field f = { .name = rows[i].name,
					     .name_len = strlen(rows[i].name) };

		ck_assert_msg(fmp_forward_withholds(&f, &no_rules) == rows[i].by_default, "%s",
			      rows[i].name);
		ck_assert_msg(fmp_forward_withholds(&f, &rules) == rows[i].by_rules, "%s",
			      rows[i].name);
	}
}
END_TEST

/* Each name costs a comparison per field. */
START_TEST(connection_names_few)
{
	char text[1024] = START "Connection: close", *p = text + strlen(text);
	struct fmp_http h;

	for (unsigned i = 0; i < FMP_HTTP_HOP_NAMES; i++)
		p += sprintf(p, ",a%u", i);
	strcpy(p, "\r\nA31: x\r\nA32: y\r\n" END);
	check_forwarded(text, &(struct fmp_forward_fields){ .policy = &no_rules }, "A32: y\r\n");
	strcpy(p, ",b\r\n" END);
	h = http_read(&limits, text, strlen(text));
	ck_assert_int_eq(h.state, FMP_HTTP_REFUSED);
	ck_assert_int_eq(h.status, 431);
	fmp_http_exit(&h);
}
END_TEST

/* A proxy must remove what Connection names (RFC 9110 7.6.1): a client would choose what it loses. */
START_TEST(connection_names_no_others)
{
	static const char *const names[] = { "Host",
					     "content-length",
					     "Authorization",
					     "Cookie",
					     "Content-Type",
					     "SOAPAction",
					     "Via",
					     "Forwarded",
					     "X-Forwarded-For",
					     "X_Forwarded_For" };
	char text[256];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct fmp_http h;

		snprintf(text, sizeof(text), START "Connection: close, %s\r\n" END, names[i]);
		h = http_read(&limits, text, strlen(text));
		ck_assert_msg(h.state == FMP_HTTP_REFUSED && h.status == 400, "%s", names[i]);
		ck_assert_int_eq(h.kind, FMP_EVENT_HTTP);
		fmp_http_exit(&h);
	}
}
END_TEST

/* Each field is looked for in all that Connection names: without a bound, a message costs seconds. */
START_TEST(connection_is_short)
{
	char text[4096], names[401];
	struct fmp_http h;

	memset(names, ',', sizeof(names) - 1);
	names[sizeof(names) - 1] = '\0';
	snprintf(text, sizeof(text), START "Connection: a%s\r\nConnection: b%s\r\n" END, names,
		 names);
	h = read_text(text, false);
	fmp_http_exit(&h);
	snprintf(text, sizeof(text),
		 START "Connection: a%s\r\nConnection: b%s\r\nConnection: %s\r\n" END, names, names,
		 names);
	h = http_read(&limits, text, strlen(text));
	ck_assert(h.state == FMP_HTTP_REFUSED && h.status == 431);
	fmp_http_exit(&h);
}
END_TEST

START_TEST(rules_of_the_policy)
{
	const struct fmp_policy_fields rules = {
		.n = 4,
		.rule = { { .name = "X-Debug*", .requests = true },
			  { .name = "server", .answers = true },
			  { .name = "X-Site", .value = "a b", .requests = true },
			  { .name = "X-Both", .value = "c", .requests = true, .answers = true } },
	};
	struct fmp_forward_fields how = { .policy = &rules };

	check_forwarded(
		START
		"x-debug-a: 1\r\nX-Debug: 2\r\nX-Debu: 3\r\nX-SITE: forged\r\nx_site: forged\r\nx.site: forged\r\nX_DEBUG_b: 4\r\nServer: d\r\n" END,
		&how, "X-Debu: 3\r\nServer: d\r\nX-Site: a b\r\nX-Both: c\r\n");
	how.answer = true;
	check_forwarded("HTTP/1.1 200 OK\r\nX-Debug: 2\r\nSERVER: d\r\nX-Site: 1\r\n" END, &how,
			"X-Debug: 2\r\nX-Site: 1\r\nX-Both: c\r\n");
	how = (struct fmp_forward_fields){ .policy = &no_rules, .reads_answer = true };
	check_forwarded(START "Accept-Encoding: gzip\r\nAccept: a\r\n" END, &how, "Accept: a\r\n");
}
END_TEST

/* ---- the client ---- */

static void check_client(const char *fields, const char *peer, const char *chain, bool tls,
			 bool proxy, const char *want)
{
	struct fmp_addr a;
	struct fmp_forwarded_by by = {
		.peer = &a, .chain = chain, .tls = tls, .listed_proxy = proxy
	};
	struct fmp_field_list out = { 0 };
	struct fmp_http h;
	char text[512];

	ck_assert_int_eq(fmp_addr_parse_source(peer, &a, NULL), 0);
	snprintf(text, sizeof(text), START "%s" END, fields);
	h = read_text(text, false);
	ck_assert(fmp_forward_client(&out, &h, &by));
	ck_assert_str_eq(lines_of(&out), want);
	fmp_field_list_exit(&out);
	fmp_http_exit(&h);
}

START_TEST(who_the_client_is)
{
	check_client(
		"X-Forwarded-For: 203.0.113.1\r\nX-Forwarded-Proto: https\r\n", "192.0.2.1", NULL,
		false, false,
		"X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Host: gw\r\n"
		"Forwarded: for=192.0.2.1;host=\"gw\";proto=http\r\n");
	check_client(
		"", "2001:db8::1", NULL, true, false,
		"X-Forwarded-For: 2001:db8::1\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: gw\r\n"
		"Forwarded: for=\"[2001:db8::1]\";host=\"gw\";proto=https\r\n");
	check_client("X-Forwarded-Proto: https\r\nX-Forwarded-Host: front.example:8443\r\n",
		     "10.0.0.1", " 203.0.113.9:1234, [2001:db8::2], 10.0.0.2", false, true,
		     "X-Forwarded-For: 203.0.113.9:1234, [2001:db8::2], 10.0.0.2, 10.0.0.1\r\n"
		     "X-Forwarded-Proto: https\r\nX-Forwarded-Host: front.example:8443\r\n"
		     "Forwarded: for=\"203.0.113.9:1234\", for=\"[2001:db8::2]\", for=10.0.0.2, "
		     "for=10.0.0.1;host=\"front.example:8443\";proto=https\r\n");
	/* A listed proxy may pass on what its client wrote, in another spelling. */
	check_client("X-Forwarded-Proto: https\r\nX-Forwarded-Host: front\r\n"
		     "X_Forwarded_Proto: http\r\nX_Forwarded_Host: evil\r\n",
		     "10.0.0.1", NULL, false, true,
		     "X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Proto: https\r\n"
		     "X-Forwarded-Host: front\r\n"
		     "Forwarded: for=10.0.0.1;host=\"front\";proto=https\r\n");
	/* Even a listed proxy may repeat what its client wrote. */
	check_client(
		"X-Forwarded-Proto: gopher\r\nX-Forwarded-Host: a\";for=evil\r\n", "10.0.0.1", NULL,
		false, true,
		"X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Host: gw\r\n"
		"Forwarded: for=10.0.0.1;host=\"gw\";proto=http\r\n");
}
END_TEST

START_TEST(logins_of_a_connection)
{
	static const struct {
		const char *name, *value;
		bool of_connection;
	} cases[] = {
		{ "Authorization", "NTLM TlRMTVNTUAAB", true },
		{ "authorization", "negotiate YII=", true },
		{ "Authorization", "Negotiate", true },
		{ "Authorization", "Basic TlRMTQ==", false },
		{ "Authorization", "Negotiated x", false },
		{ "Authorization", "", false },
		{ "X-Authorization", "NTLM x", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fmp_field_list l = { 0 };

		ck_assert(fmp_field_list_add(&l, "Accept", "*/*"));
		ck_assert(fmp_field_list_add(&l, cases[i].name, cases[i].value));
		ck_assert_msg(fmp_forward_is_of_connection(&l) == cases[i].of_connection, "%s: %s",
			      cases[i].name, cases[i].value);
		fmp_field_list_exit(&l);
	}
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("fields");

	tcase_add_test(t, recorded_in_order);
	tcase_add_test(t, what_is_forwarded);
	tcase_add_test(t, what_is_not);
	tcase_add_test(t, what_is_forged);
	tcase_add_test(t, what_single_sign_on_writes);
	tcase_add_test(t, what_is_withheld);
	tcase_add_test(t, connection_names_few);
	tcase_add_test(t, connection_names_no_others);
	tcase_add_test(t, connection_is_short);
	tcase_add_test(t, rules_of_the_policy);
	tcase_add_test(t, who_the_client_is);
	tcase_add_test(t, logins_of_a_connection);
	return run_tcase("fields", t);
}
