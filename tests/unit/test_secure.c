// SPDX-License-Identifier: GPL-2.0
/*
 * Answers made secure, and taken by the inspection as messages of others are: what it accepts
 * is complete, what is changed it refuses. That other stacks say the same is tests/interop.
 */
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

#include "secured.h"

#define S12 "http://www.w3.org/2003/05/soap-envelope"
#define WSA "http://www.w3.org/2005/08/addressing"
#define RESPONSE                                                                     \
	"<submitOrderResponse xmlns='urn:fmp:orders'><orderId>7</orderId>"           \
	"<total>4.50</total><confirmation>a &lt;b&gt;&#13;\n\xc3\xa4</confirmation>" \
	"</submitOrderResponse>"
#define PLAIN ENVELOPE(S11, "", RESPONSE)

static struct fmp_secured secure_text(struct fmp_securer *s, const char *text)
{
	struct fmp_reply_context r = make_reply_context();
	struct fmp_reply reply = {
		.bytes = text, .len = strlen(text), .now_s = VECTORS_NOW, .reply_context = &r
	};
	struct fmp_secured out;

	ck_assert_int_eq(fmp_secure(s, &reply, &out), 0);
	return out;
}

static struct fmp_inspection inspect_secured(const void *p, size_t n, enum fmp_security security,
					     enum fmp_order order, int64_t now)
{
	struct fmp_inspect_config cfg = vector_config(security);
	struct fmp_message m = { .bytes = p, .len = n, .now_s = now, .answer = true };
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.order = order;
	cfg.schema = tests_path("../daemon/sample/orders.xsd");
	i = make_inspector(&cfg);
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	fmp_inspector_free(i);
	return v;
}

static const struct {
	enum fmp_signing sign;
	enum fmp_sealing encrypt;
	enum fmp_order order;
	enum fmp_security security;
	const char *text;
} good[] = {
	{ FMP_SIGN_RSA_SHA256, 0, 0, FMP_SECURITY_BCS, PLAIN },
	{ FMP_SIGN_RSA_SHA384, 0, 0, FMP_SECURITY_BCS, PLAIN },
	{ FMP_SIGN_RSA_SHA512, 0, 0, FMP_SECURITY_BCS, ENVELOPE(S12, "", RESPONSE) },
	{ FMP_SIGN_RSA_SHA256, FMP_SEAL_AES128_GCM, 0, FMP_SECURITY_BCES, PLAIN },
	{ FMP_SIGN_RSA_SHA256, FMP_SEAL_AES256_GCM, FMP_ORDER_ENCRYPT_SIGN, FMP_SECURITY_BCES,
	  PLAIN },
	{ FMP_SIGN_NONE, FMP_SEAL_AES256_GCM, 0, FMP_SECURITY_BCE, PLAIN },
	/* White space in the Body is signed too; comments are not, and stay out of the way. */
	{ FMP_SIGN_RSA_SHA256, FMP_SEAL_AES256_GCM, 0, FMP_SECURITY_BCES,
	  ENVELOPE(S11, "<e:Header/>", "\n <!-- x -->" RESPONSE "\n") },
	/* Prefixes of ours that mean something else there, and an Envelope without one. */
	{ FMP_SIGN_RSA_SHA256, 0, 0, FMP_SECURITY_BCS,
	  "<wsu:Envelope xmlns:wsu='" S11
	  "' xmlns:ds='urn:a' xmlns:wsse='urn:b'><wsu:Body>" RESPONSE
	  "</wsu:Body></wsu:Envelope>" },
	{ FMP_SIGN_RSA_SHA256, FMP_SEAL_AES128_GCM, FMP_ORDER_ENCRYPT_SIGN, FMP_SECURITY_BCES,
	  "<Envelope xmlns='" S11 "' xmlns:soap='urn:c'><Body>" RESPONSE "</Body></Envelope>" },
	/* What the service says of itself is signed, and an Id of its own is replaced. */
	{ FMP_SIGN_RSA_SHA256, 0, 0, FMP_SECURITY_BCS,
	  "<e:Envelope xmlns:e='" S11 "' xmlns:w='" WSA "'><e:Header><w:Action>urn:x</w:Action>"
	  "<w:To>urn:y</w:To></e:Header><e:Body xmlns:u='http://docs.oasis-open.org/wss/2004/01/"
	  "oasis-200401-wss-wssecurity-utility-1.0.xsd' u:Id='Body'>" RESPONSE
	  "</e:Body></e:Envelope>" },
};

START_TEST(is_taken)
{
	struct fmp_policy_answers a = make_answers(good[_i].sign, good[_i].encrypt);
	struct fmp_securer *s;
	struct fmp_secured out;
	struct fmp_inspection v;

	a.order = good[_i].order;
	s = new_securer(&a);
	out = secure_text(s, good[_i].text);
	ck_assert_msg(out.bytes != NULL, "row %d: %s", _i, out.detail);
	ck_assert_uint_le(out.len, fmp_secured_max(strlen(good[_i].text)));
	v = inspect_secured(out.bytes, out.len, good[_i].security, a.order, VECTORS_NOW);
	ck_assert_msg(v.accepted, "row %d: %s: %s\n%.*s", _i, fmp_step_name(v.step), v.detail,
		      (int)out.len, (const char *)out.bytes);
	/* Canonical, or as it was encrypted. */
	ck_assert(memmem(v.forward, v.forward_len, "&lt;b&gt;&#xD;\n\xc3\xa4", 17) ||
		  memmem(v.forward, v.forward_len, "&lt;b&gt;&#13;\n\xc3\xa4", 17));
	ck_assert(!good[_i].encrypt || !memmem(out.bytes, out.len, "4.50", 4));
	fmp_inspection_clear(&v);
	fmp_secured_clear(&out);
	fmp_securer_free(s);
}
END_TEST

/* Each signed part changed, and each changed message refused. */
static const struct {
	const char *from, *to;
	enum fmp_event_kind kind;
} changes[] = {
	{ "4.50", "4.51", FMP_EVENT_SIGNATURE },
	{ "2026-11-21T03:05:00Z", "2026-11-21T03:06:00Z", FMP_EVENT_SIGNATURE },
	{ "<w:Action ", "<w:Actiox ", FMP_EVENT_WELLFORMED },
	{ "urn:x", "urn:z", FMP_EVENT_SIGNATURE },
	{ "urn:uuid:1&amp;2", "urn:uuid:1&amp;3", FMP_EVENT_SIGNATURE },
	{ "#sha256\"", "#sha255\"", FMP_EVENT_ALGORITHM },
};

START_TEST(changed_it_is_refused)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, FMP_SEAL_NONE);
	struct fmp_securer *s;
	struct fmp_secured out;
	struct fmp_inspection v;
	struct bytes b;

	a.relate = true;
	s = new_securer(&a);
	out = secure_text(s, "<e:Envelope xmlns:e='" S11 "' xmlns:w='" WSA
			     "'><e:Header><w:Action>urn:x</w:Action></e:Header><e:Body>" RESPONSE
			     "</e:Body></e:Envelope>");
	b = (struct bytes){ strndup(out.bytes, out.len), out.len };
	v = inspect_secured(b.p, b.len, FMP_SECURITY_BCS, 0, VECTORS_NOW);
	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	b = edit_bytes(b, changes[_i].from, changes[_i].to);
	v = inspect_secured(b.p, b.len, FMP_SECURITY_BCS, 0, VECTORS_NOW);
	ck_assert_msg(!v.accepted && v.kind == changes[_i].kind, "row %d: %s %s", _i,
		      fmp_event_kind_name(v.kind), v.detail);
	free(b.p);
	fmp_secured_clear(&out);
	fmp_securer_free(s);
}
END_TEST

START_TEST(ends_in_time)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, FMP_SEAL_NONE);
	struct fmp_securer *s = new_securer(&a);
	struct fmp_secured out = secure_text(s, PLAIN);
	struct fmp_inspection v =
		inspect_secured(out.bytes, out.len, FMP_SECURITY_BCS, 0, VECTORS_NOW + 300 + 61);

	ck_assert_int_eq(v.kind, FMP_EVENT_TIMESTAMP);
	fmp_secured_clear(&out);
	fmp_securer_free(s);
	a.timestamp_ms = 0;
	s = new_securer(&a);
	out = secure_text(s, PLAIN);
	ck_assert_ptr_null(memmem(out.bytes, out.len, "Timestamp", 9));
	fmp_secured_clear(&out);
	fmp_securer_free(s);
}
END_TEST

static char *evaluate_xpath(const struct fmp_secured *out, const char *xpath)
{
	xmlDoc *doc = xmlReadMemory(out->bytes, (int)out->len, "", NULL, 0);
	xmlXPathContext *ctx = xmlXPathNewContext(doc);
	xmlXPathObject *o = xmlXPathEval(BAD_CAST xpath, ctx);
	char *text = strdup((char *)o->stringval);

	xmlXPathFreeObject(o);
	xmlXPathFreeContext(ctx);
	xmlFreeDoc(doc);
	return text;
}

static void expect_xpath(const struct fmp_secured *out, const char *xpath, const char *value)
{
	char *text = evaluate_xpath(out, xpath);

	ck_assert_msg(!strcmp(text, value), "%s is \"%s\", not \"%s\"", xpath, text, value);
	free(text);
}

#define L(name) "//*[local-name()='" name "']"
/* How many References there are to what has that name. */
#define REFERENCES(name) \
	"string(count(" L("Reference") "[@URI=concat('#'," L(name) "/@*[local-name()='Id'])]))"

/* By our own client side; for a request it is none, and it must be signed. */
static void is_taken_as_an_answer(struct fmp_secured *out)
{
	struct fmp_inspection v =
		inspect_secured(out->bytes, out->len, FMP_SECURITY_BCS, 0, VECTORS_NOW);
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCS);
	struct fmp_inspector *i;
	char *value;

	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	cfg.schema = tests_path("../daemon/sample/orders.xsd");
	i = make_inspector(&cfg);
	v = inspect_bytes(i, out->bytes, out->len);
	ck_assert_msg(!v.accepted && strstr(v.detail, "in a request"), "%s", v.detail);
	fmp_inspector_free(i);
	value = memmem(out->bytes, out->len, "AQL9/g==", 8);
	ck_assert_ptr_nonnull(value);
	*value = 'B';
	v = inspect_secured(out->bytes, out->len, FMP_SECURITY_BCS, 0, VECTORS_NOW);
	ck_assert_msg(!v.accepted && strstr(v.detail, "digest of SignatureConfirmation"), "%s",
		      v.detail);
	*value = 'A';
}

/* Of which request it is: its signature and its MessageID, both signed. */
START_TEST(names_its_request)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, FMP_SEAL_NONE);
	struct fmp_securer *s;
	struct fmp_secured out;

	a.confirm = a.relate = true;
	s = new_securer(&a);
	out = secure_text(s, PLAIN);
	expect_xpath(&out, "string(" L("SignatureConfirmation") "/@Value)", "AQL9/g==");
	expect_xpath(&out, "string(" L("RelatesTo") ")", "urn:uuid:1&2");
	expect_xpath(&out, "namespace-uri(" L("RelatesTo") ")", WSA);
	expect_xpath(&out, REFERENCES("SignatureConfirmation"), "1");
	expect_xpath(&out, REFERENCES("RelatesTo"), "1");
	expect_xpath(&out, REFERENCES("Timestamp"), "1");
	expect_xpath(&out, REFERENCES("Body"), "1");
	expect_xpath(&out, REFERENCES("BinarySecurityToken"), "1");
	expect_xpath(&out, "string(count(" L("SignedInfo") "/*[local-name()='Reference']))", "4");
	is_taken_as_an_answer(&out);
	fmp_secured_clear(&out);

	/* The service's own word goes before ours. */
	out = secure_text(
		s, "<e:Envelope xmlns:e='" S11 "' xmlns:w='" WSA
		   "'><e:Header><w:RelatesTo>urn:own</w:RelatesTo></e:Header><e:Body>" RESPONSE
		   "</e:Body></e:Envelope>");
	expect_xpath(&out, "string(count(" L("RelatesTo") "))", "1");
	expect_xpath(&out, "string(" L("RelatesTo") ")", "urn:own");
	expect_xpath(&out, REFERENCES("RelatesTo"), "1");
	fmp_secured_clear(&out);
	fmp_securer_free(s);
}
END_TEST

#define FAULT             \
	ENVELOPE(S11, "", \
		 "<e:Fault><faultcode>e:Server</faultcode><faultstring>x</faultstring></e:Fault>")

START_TEST(faults_as_the_policy_says)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, FMP_SEAL_NONE);
	struct fmp_securer *s = new_securer(&a);
	struct fmp_secured out = secure_text(s, FAULT);
	struct fmp_inspection v =
		inspect_secured(out.bytes, out.len, FMP_SECURITY_BCS, 0, VECTORS_NOW);

	ck_assert_msg(v.accepted, "%s", v.detail);
	/* Whom e: in faultcode means is signed as well. */
	expect_xpath(&out, "string(" L("InclusiveNamespaces") "/@PrefixList)", "e");
	fmp_inspection_clear(&v);
	fmp_secured_clear(&out);
	fmp_securer_free(s);
	a.faults = false;
	s = new_securer(&a);
	out = secure_text(s, FAULT);
	ck_assert_uint_eq(out.len, strlen(FAULT));
	ck_assert_mem_eq(out.bytes, FAULT, out.len);
	fmp_secured_clear(&out);
	fmp_securer_free(s);
}
END_TEST

static const struct {
	const char *text, *words;
} refused[] = {
	{ "<html/>", "not a SOAP Envelope" },
	{ "", "" },
	{ "<e:Envelope xmlns:e='" S11 "'><e:Body>", "" },
	{ "<!DOCTYPE a [<!ENTITY b 'c'>]>" PLAIN, "" },
	{ ENVELOPE(S11, "", ""), "Body is empty" },
	{ ENVELOPE(S11, "", "<a/><b/>"), "more than one element" },
	{ ENVELOPE(S11,
		   "<e:Header><a:Security xmlns:a='http://docs.oasis-open.org/wss/2004/01/oasis-"
		   "200401-wss-wssecurity-secext-1.0.xsd'/></e:Header>",
		   RESPONSE),
	  "has a Security header already" },
	{ ENVELOPE(S11, "", "<a xmlns='orders'/>"), "URI is relative" },
};

START_TEST(what_it_does_not_sign)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, FMP_SEAL_NONE);
	struct fmp_securer *s = new_securer(&a);
	struct fmp_secured out = secure_text(s, refused[_i].text);

	ck_assert_msg(!out.bytes && !out.len && *out.detail &&
			      strstr(out.detail, refused[_i].words),
		      "row %d: %s", _i, out.detail);
	fmp_secured_clear(&out);
	fmp_securer_free(s);
}
END_TEST

START_TEST(no_larger_than_allowed)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, FMP_SEAL_NONE);
	struct fmp_policy_limits limits = vector_limits();
	struct fmp_error err = { 0 };
	struct fmp_securer *s;
	struct fmp_secured out;

	limits.body_bytes = strlen(PLAIN) - 1;
	ck_assert_int_eq(fmp_securer_new(&a, &limits, NULL, &s, &err), 0);
	out = secure_text(s, PLAIN);
	ck_assert(!out.bytes && strstr(out.detail, "larger than allowed"));
	fmp_securer_free(s);
}
END_TEST

/* What a service can be made to say is bounded as what a client says. */
START_TEST(no_deeper_than_allowed)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, FMP_SEAL_NONE);
	struct fmp_securer *s = new_securer(&a);
	struct fmp_secured out;
	char text[1024] = "<e:Envelope xmlns:e='" S11 "'><e:Body>";

	for (unsigned i = 0; i < vector_limits().depth; i++)
		strcat(text, "<a>");
	for (unsigned i = 0; i < vector_limits().depth; i++)
		strcat(text, "</a>");
	out = secure_text(s, strcat(text, "</e:Body></e:Envelope>"));
	ck_assert_msg(!out.bytes && strstr(out.detail, "deep"), "%s", out.detail);
	fmp_securer_free(s);
}
END_TEST

/* A requester of another kind of key, or none, gets nothing in the clear. */
START_TEST(nobody_to_encrypt_for)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_NONE, FMP_SEAL_AES128_GCM);
	struct fmp_securer *s = new_securer(&a);
	struct fmp_reply_context r = { 0 };
	struct fmp_reply reply = {
		.bytes = PLAIN, .len = strlen(PLAIN), .now_s = VECTORS_NOW, .reply_context = &r
	};
	struct fmp_secured out;

	ck_assert_int_eq(fmp_secure(s, &reply, &out), 0);
	ck_assert(!out.bytes && strstr(out.detail, "no certificate"));
	r.certificate = "\x30\x03\x02\x01\x01";
	r.certificate_len = 5;
	ck_assert_int_eq(fmp_secure(s, &reply, &out), 0);
	ck_assert(!out.bytes && strstr(out.detail, "no certificate"));
	r = requester_of("interop/vectors/pki/ec256.crt");
	ck_assert_int_eq(fmp_secure(s, &reply, &out), 0);
	ck_assert(out.bytes && memmem(out.bytes, out.len, "ECDH-ES", 7));
	fmp_secured_clear(&out);
	fmp_securer_free(s);
}
END_TEST

static const struct {
	enum fmp_signing sign;
	const char *certificate, *key;
	int code;
	const char *words;
} files[] = {
	{ FMP_SIGN_ECDSA_SHA256, "pki/server.crt", "pki/server.key", FMP_ERR_INVALID,
	  "another kind" },
	{ FMP_SIGN_RSA_SHA256, "pki/rsa2048.crt", "pki/server.key", FMP_ERR_INVALID,
	  "of another key" },
	{ FMP_SIGN_RSA_SHA256, "pki/server.crt", "pki/server.crt", FMP_ERR_SYNTAX, "private key" },
	{ FMP_SIGN_RSA_SHA256, "pki/server.key", "pki/server.key", FMP_ERR_NOTFOUND,
	  "certificate" },
	{ FMP_SIGN_RSA_SHA256, "pki/none.crt", "pki/server.key", FMP_ERR_IO, "cannot read" },
	{ FMP_SIGN_RSA_SHA256, "pki/server.crt", "pki/none.key", FMP_ERR_IO, "cannot read" },
};

START_TEST(files_must_fit)
{
	struct fmp_policy_answers a = { .sign = files[_i].sign };
	struct fmp_policy_limits limits = vector_limits();
	struct fmp_error err = { 0 };
	struct fmp_securer *s;
	int rc;

	snprintf(a.certificate, sizeof(a.certificate), "%s/%s", tests_path("interop/vectors"),
		 files[_i].certificate);
	snprintf(a.key, sizeof(a.key), "%s/%s", tests_path("interop/vectors"), files[_i].key);
	rc = fmp_securer_new(&a, &limits, NULL, &s, &err);
	ck_assert_msg(rc == files[_i].code && !s && strstr(err.message, files[_i].words),
		      "row %d: %d %s", _i, rc, err.message);
}
END_TEST

START_TEST(nothing_to_do)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_NONE, FMP_SEAL_NONE);

	ck_assert_ptr_null(new_securer(&a));
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("secure");

	tcase_add_checked_fixture(t, vectors_setup, vectors_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, is_taken, 0, sizeof(good) / sizeof(good[0]));
	tcase_add_loop_test(t, changed_it_is_refused, 0, sizeof(changes) / sizeof(changes[0]));
	tcase_add_test(t, ends_in_time);
	tcase_add_test(t, names_its_request);
	tcase_add_test(t, faults_as_the_policy_says);
	tcase_add_loop_test(t, what_it_does_not_sign, 0, sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(t, no_larger_than_allowed);
	tcase_add_test(t, no_deeper_than_allowed);
	tcase_add_test(t, nobody_to_encrypt_for);
	tcase_add_loop_test(t, files_must_fit, 0, sizeof(files) / sizeof(files[0]));
	tcase_add_test(t, nothing_to_do);
	return run_tcase("secure", t);
}
