// SPDX-License-Identifier: GPL-2.0
/*
 * Answers with attachments made secure, and taken by the inspection as messages of others are: what an
 * xop:Include names is signed as its Base64, any other part by itself, and none leaves without.
 */
#include <unistd.h>

#include <fmp/internal/evaluate.h>
#include <fmp/internal/multipart_secure.h>

#include "secured.h"

#define XOP "http://www.w3.org/2004/08/xop/include"
#define MTOM                                                                 \
	"multipart/related; type=\"application/xop+xml\"; start=\"<r@x>\"; " \
	"start-info=\"text/xml\"; boundary=\"BB\""
#define SWA	     "multipart/related; type=\"text/xml\"; start=\"<r@x>\"; boundary=\"BB\""
#define INCLUDE(cid) "<xop:Include xmlns:xop='" XOP "' href='cid:" cid "'/>"
#define RESPONSE(data)                                                        \
	ENVELOPE(S11, "",                                                     \
		 "<f:file xmlns:f='urn:f'><f:name>4.50</f:name><f:data>" data \
		 "</f:data></f:file>")
#define XOP_ROOT(root)                                                                    \
	"--BB\r\nContent-Type: application/xop+xml; charset=UTF-8; type=\"text/xml\"\r\n" \
	"Content-ID: <r@x>\r\n\r\n" root "\r\n"
#define XML_ROOT(root)	 "--BB\r\nContent-Type: text/xml\r\nContent-ID: <r@x>\r\n\r\n" root "\r\n"
#define PART(head, data) "--BB\r\nContent-ID: <p@x>\r\n" head "\r\n" data "\r\n"
#define END		 "--BB--\r\n"
#define TEN		 "0123456789"
/* Long enough to be an xop:Include again. */
#define LONG		 TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "longer"
#define FAULT                                                                           \
	ENVELOPE(S11, "",                                                               \
		 "<e:Fault><faultcode>e:Server</faultcode><faultstring>x</faultstring>" \
		 "</e:Fault>")

static const char schema_text[] =
	"<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:f' "
	"elementFormDefault='qualified'><xs:element name='file'><xs:complexType><xs:sequence>"
	"<xs:element name='name' type='xs:string'/><xs:element name='data' type='xs:base64Binary'/>"
	"</xs:sequence></xs:complexType></xs:element></xs:schema>";
static char schema[] = "/tmp/fmp-secure-XXXXXX";

static struct fmp_policy *policy;

static struct fmp_secured secure_parts(const struct fmp_policy_answers *a, const char *type,
				       const char *text, void **own)
{
	struct fmp_reply_context r = make_reply_context();
	struct fmp_reply reply = {
		.bytes = text, .len = strlen(text), .now_s = VECTORS_NOW, .reply_context = &r
	};
	struct fmp_securer *s = new_securer(a);
	struct fmp_secured out;

	ck_assert_int_eq(fmp_multipart_secure(s, type, &reply, &policy->gateway.attachments,
					      vector_limits().body_bytes, &out, own),
			 0);
	fmp_securer_free(s);
	return out;
}

static struct fmp_evaluation evaluate_secured(struct fmp_evaluator *e, enum fmp_security security,
					      const char *type, const void *bytes, size_t len)
{
	struct fmp_inspect_config cfg = vector_config(security);
	struct fmp_job job = { .body = bytes, .len = len, .answer = true };
	struct fmp_evaluation j;

	cfg.schema = schema;
	*e = (struct fmp_evaluator){ .policy = policy };
	policy->gateway.security = security;
	policy->gateway.limits = cfg.limits;
	e->service[0] = (struct fmp_evaluate_service){ .name = "",
						       .demands = &policy->gateway,
						       .inspector = make_inspector(&cfg) };
	e->n_services = 1;
	snprintf(job.content_type, sizeof(job.content_type), "%s", type);
	fmp_evaluate(e, &job, VECTORS_NOW, &j);
	fmp_inspector_free(e->service[0].inspector);
	return j;
}

static const struct {
	enum fmp_sealing encrypt;
	enum fmp_security security;
	const char *type, *text;
	const char *sent; /* stands in what is sent */
	const char *not_sent; /* does not; NULL: nothing */
} good[] = {
	{ 0, FMP_SECURITY_BCS, MTOM,
	  XOP_ROOT(RESPONSE(INCLUDE("p@x"))) PART("Content-Type: image/png\r\n", LONG) END,
	  "\r\n\r\n" LONG "\r\n--BB--", "MDEyMzQ1Njc4OTAxMjM0NTY3" },
	/* A short one is no part any more. */
	{ 0, FMP_SECURITY_BCS, MTOM, XOP_ROOT(RESPONSE(INCLUDE("p@x"))) PART("", "short") END,
	  ">c2hvcnQ=<", "short" },
	{ 0, FMP_SECURITY_BCS, SWA, XML_ROOT(RESPONSE("eA==")) PART("", "changeme") END,
	  "\r\n\r\nchangeme\r\n--BB--", NULL },
	{ 0, FMP_SECURITY_BCS, SWA,
	  XML_ROOT(RESPONSE("eA==")) PART("Content-Type: text/plain\r\n", "change\nme\n") END,
	  "Attachment-Content-Signature-Transform", NULL },
	/* A Content-ID that no URL can hold as it is. */
	{ 0, FMP_SECURITY_BCS, SWA,
	  XML_ROOT(RESPONSE("eA==")) "--BB\r\nContent-ID: <a#b?{c}@x>\r\n\r\nd\r\n" END,
	  "cid:a%23b%3F%7Bc%7D@x", NULL },
	{ FMP_SEAL_AES256_GCM, FMP_SECURITY_BCES, MTOM,
	  XOP_ROOT(RESPONSE(INCLUDE("p@x"))) PART("", LONG) END, "EncryptedKey", LONG },
};

START_TEST(is_taken)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, good[_i].encrypt);
	struct fmp_evaluator e;
	struct fmp_evaluation j;
	void *own;
	struct fmp_secured out = secure_parts(&a, good[_i].type, good[_i].text, &own);
	const char *not_sent = good[_i].not_sent;

	ck_assert_msg(out.bytes != NULL, "row %d: %s", _i, out.detail);
	ck_assert_msg(memmem(out.bytes, out.len, good[_i].sent, strlen(good[_i].sent)) != NULL,
		      "row %d: %.*s", _i, (int)out.len, (const char *)out.bytes);
	ck_assert_msg(!not_sent || !memmem(out.bytes, out.len, not_sent, strlen(not_sent)),
		      "row %d: %.*s", _i, (int)out.len, (const char *)out.bytes);
	j = evaluate_secured(&e, good[_i].security, good[_i].type, out.bytes, out.len);
	ck_assert_msg(j.v.accepted, "row %d: %s: %s", _i, fmp_step_name(j.v.step), j.v.detail);
	fmp_evaluate_clear(&j);
	fmp_secured_clear(&out);
	free(own);
}
END_TEST

static const struct {
	const char *type, *text, *from, *to;
} changes[] = {
	{ MTOM, XOP_ROOT(RESPONSE(INCLUDE("p@x"))) PART("", LONG) END, "9longer", "9LONGER" },
	{ MTOM, XOP_ROOT(RESPONSE(INCLUDE("p@x"))) PART("", LONG) END, "4.50", "4.51" },
	{ SWA, XML_ROOT(RESPONSE("eA==")) PART("", "changeme") END, "changeme", "changeMe" },
	{ SWA, XML_ROOT(RESPONSE("eA==")) PART("", "d") END, "\r\nd\r\n--BB--",
	  "\r\nd\r\n--BB\r\nContent-ID: <q>\r\n\r\nadded\r\n--BB--" },
};

START_TEST(changed_is_refused)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, 0);
	struct fmp_evaluator e;
	struct fmp_evaluation j;
	void *own;
	struct fmp_secured out = secure_parts(&a, changes[_i].type, changes[_i].text, &own);
	size_t from = strlen(changes[_i].from), to = strlen(changes[_i].to), head, len;
	char *at = memmem(own, out.len, changes[_i].from, from), *bytes;

	ck_assert_ptr_nonnull(at);
	head = (size_t)(at - (char *)own);
	len = out.len - from + to;
	bytes = malloc(len);
	memcpy(mempcpy(mempcpy(bytes, own, head), changes[_i].to, to), at + from,
	       out.len - head - from);
	j = evaluate_secured(&e, FMP_SECURITY_BCS, changes[_i].type, bytes, len);
	ck_assert_msg(!j.v.accepted, "row %d", _i);
	ck_assert_msg(j.v.kind == FMP_EVENT_SIGNATURE || j.v.kind == FMP_EVENT_UNSIGNED,
		      "row %d: %s", _i, j.v.detail);
	fmp_evaluate_clear(&j);
	free(bytes);
	free(own);
}
END_TEST

/* None of these leaves: in part it would be without what the policy wants. */
static const struct {
	enum fmp_sealing encrypt;
	const char *type, *text, *why;
} bad[] = {
	{ FMP_SEAL_AES256_GCM, SWA, XML_ROOT(RESPONSE("eA==")) PART("", "secret") END,
	  "would not be encrypted" },
	{ 0, SWA, XML_ROOT(RESPONSE("eA==")) "--BB\r\n\r\nd\r\n" END, "can't be signed" },
	{ 0, SWA, XML_ROOT(RESPONSE("eA==")) PART("Content-Type: text/xml\r\n", "<a/>") END,
	  "can't be signed" },
	{ 0, SWA,
	  XML_ROOT(RESPONSE("eA==")) PART("Content-Transfer-Encoding: base64\r\n", "QQ==") END,
	  "can't be signed" },
	{ 0, MTOM, XOP_ROOT(RESPONSE(INCLUDE("q@x"))) PART("", LONG) END, "names no part" },
	{ 0, MTOM, XOP_ROOT(RESPONSE("eA==")) PART("", LONG) END, "nothing refers" },
	{ 0, SWA, XML_ROOT("<html/>") END, "" },
	{ 0, SWA, XML_ROOT(RESPONSE("eA==")) "--BB\r\n", "" },
	{ 0, "multipart/related; type=\"text/xml\"", XML_ROOT(RESPONSE("eA==")) END, "" },
};

START_TEST(is_refused)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, bad[_i].encrypt);
	void *own;
	struct fmp_secured out = secure_parts(&a, bad[_i].type, bad[_i].text, &own);

	ck_assert_msg(!out.bytes && !own, "row %d", _i);
	ck_assert_msg(*out.detail && strstr(out.detail, bad[_i].why), "row %d: %s", _i, out.detail);
}
END_TEST

/* A Fault that the policy leaves alone is sent with its parts, as it came. */
START_TEST(fault_stays)
{
	static const char text[] = XML_ROOT(FAULT) PART("", "d") END;
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, 0);
	struct fmp_secured out;
	void *own;

	a.faults = false;
	out = secure_parts(&a, SWA, text, &own);
	ck_assert_mem_eq(out.bytes, text, sizeof(text) - 1);
	ck_assert_uint_eq(out.len, sizeof(text) - 1);
	ck_assert(out.fault);
	free(own);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("multipart_secure");
	int fd = mkstemp(schema), failed;

	if (fd < 0 || write(fd, schema_text, strlen(schema_text)) < 0)
		return EXIT_FAILURE;
	close(fd);
	policy = fmp_policy_default();
	tcase_add_checked_fixture(t, vectors_setup, vectors_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, is_taken, 0, sizeof(good) / sizeof(good[0]));
	tcase_add_loop_test(t, changed_is_refused, 0, sizeof(changes) / sizeof(changes[0]));
	tcase_add_loop_test(t, is_refused, 0, sizeof(bad) / sizeof(bad[0]));
	tcase_add_test(t, fault_stays);
	failed = run_tcase("multipart_secure", t);
	unlink(schema);
	fmp_policy_free(policy);
	return failed;
}
