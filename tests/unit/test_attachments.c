// SPDX-License-Identifier: GPL-2.0
/* Messages with attachments through evaluation: MTOM and SOAP with Attachments, what is forwarded. */
#include <libxml/c14n.h>
#include <libxml/xpath.h>
#include <unistd.h>

#include <fmp/internal/evaluate.h>

#include "secured.h"

#define XOP "http://www.w3.org/2004/08/xop/include"
#define MTOM                                                                 \
	"multipart/related; type=\"application/xop+xml\"; start=\"<r@x>\"; " \
	"start-info=\"text/xml\"; boundary=\"BB\""
#define SWA		"multipart/related; type=\"text/xml\"; start=\"<r@x>\"; boundary=\"BB\""
#define INCLUDE(cid)	"<xop:Include xmlns:xop='" XOP "' href='cid:" cid "'/>"
#define ENVELOPED(body) "<s:Envelope xmlns:s='" S11 "'><s:Body>" body "</s:Body></s:Envelope>"
#define FILED(content) \
	"<f:file xmlns:f='urn:f'><f:name>n</f:name><f:data>" content "</f:data></f:file>"

#define XOP_ROOT(root)                                                                    \
	"--BB\r\nContent-Type: application/xop+xml; charset=UTF-8; type=\"text/xml\"\r\n" \
	"Content-ID: <r@x>\r\n\r\n" root "\r\n"
#define XML_ROOT(root) "--BB\r\nContent-Type: text/xml\r\nContent-ID: <r@x>\r\n\r\n" root "\r\n"
#define PART(id, data) "--BB\r\nContent-ID: <" id ">\r\n\r\n" data "\r\n"
#define END	       "--BB--\r\n"

static const char schema_text[] =
	"<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:f' "
	"elementFormDefault='qualified'><xs:element name='file'><xs:complexType><xs:sequence>"
	"<xs:element name='name' type='xs:string'/><xs:element name='data'><xs:simpleType>"
	"<xs:restriction base='xs:base64Binary'><xs:maxLength value='2000'/>"
	"</xs:restriction></xs:simpleType></xs:element>"
	"<xs:element name='more' type='xs:base64Binary' minOccurs='0'/>"
	"</xs:sequence></xs:complexType></xs:element></xs:schema>";
static char schema[] = "/tmp/fmp-attachments-XXXXXX";

static struct fmp_policy *policy;

static struct fmp_evaluator new_evaluator(enum fmp_security security)
{
	struct fmp_evaluator e = { .policy = policy };
	struct fmp_inspect_config cfg = vector_config(security);

	cfg.schema = security == FMP_SECURITY_BC ? NULL : schema;
	policy->gateway.security = security;
	policy->gateway.limits = cfg.limits;
	e.service[0] = (struct fmp_evaluate_service){ .name = "",
						      .demands = &policy->gateway,
						      .inspector = make_inspector(&cfg) };
	e.n_services = 1;
	return e;
}

/* As text; the caller frees it. strndup() would read on in search of an end. */
static char *copy_text(const void *bytes, size_t len)
{
	char *out = calloc(1, len + 1);

	ck_assert_ptr_nonnull(out);
	return memcpy(out, bytes, len);
}

static struct fmp_evaluation evaluate_message(struct fmp_evaluator *e, const char *type,
					      const void *body, size_t len)
{
	struct fmp_job job = { .body = body, .len = len };
	struct fmp_evaluation j;

	snprintf(job.content_type, sizeof(job.content_type), "%s", type);
	fmp_evaluate(e, &job, VECTORS_NOW, &j);
	return j;
}

static void check_taken(struct fmp_evaluator *e, const char *type, const char *body,
			const char *forward)
{
	struct fmp_evaluation j = evaluate_message(e, type, body, strlen(body));

	ck_assert_msg(j.v.accepted, "%s: %s", body, j.v.detail);
	ck_assert_msg(j.forward_len == strlen(forward) &&
			      memcmp(j.forward, forward, j.forward_len) == 0,
		      "%.*s", (int)j.forward_len, (const char *)j.forward);
	fmp_evaluate_clear(&j);
}

static void check_refused(struct fmp_evaluator *e, const char *type, const char *body,
			  enum fmp_event_kind kind, const char *detail)
{
	struct fmp_evaluation j = evaluate_message(e, type, body, strlen(body));

	ck_assert_msg(!j.v.accepted, "taken: %s", body);
	ck_assert_msg(strstr(j.v.detail, detail) != NULL, "%s\n%s", j.v.detail, body);
	ck_assert_int_eq(j.v.kind, kind);
	fmp_evaluate_clear(&j);
}

/* What nothing has to be changed in is forwarded as the very bytes that came. */
START_TEST(taken)
{
	static const char mtom[] = XOP_ROOT(ENVELOPED(FILED(INCLUDE("a%40x")))) PART("a@x", "ABC")
		END;
	static const char swa[] = XML_ROOT(ENVELOPED(FILED("QUJD"))) PART("a@x", "\0ABC") END;
	static const char plain[] = ENVELOPED(FILED("QUJD"));
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BCV);
	struct fmp_evaluation j = evaluate_message(&e, MTOM, mtom, strlen(mtom));

	ck_assert_ptr_eq(j.forward, mtom);
	fmp_evaluate_clear(&j);
	j = evaluate_message(&e, SWA, swa, sizeof(swa) - 1);
	ck_assert_ptr_eq(j.forward, swa);
	ck_assert_uint_eq(j.forward_len, sizeof(swa) - 1);
	fmp_evaluate_clear(&j);
	check_taken(&e, "application/xop+xml; type=\"text/xml\"", plain, plain);
	/* An empty part, and one that is long enough to be searched for. */
	check_taken(&e, MTOM, XOP_ROOT(ENVELOPED(FILED(INCLUDE("a@x")))) PART("a@x", "") END,
		    XOP_ROOT(ENVELOPED(FILED(INCLUDE("a@x")))) PART("a@x", "") END);
	/* Preamble, padding and folding go. */
	check_taken(
		&e, SWA,
		"x\r\n--BB \r\nContent-Type:\r\n text/xml\r\nContent-ID: <r@x>\r\n\r\n" ENVELOPED(
			FILED("QUJD")) "\r\n--BB-- \r\n\r\n",
		XML_ROOT(ENVELOPED(FILED("QUJD"))) END);
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

#define REFERRED(text) \
	"<f:file xmlns:f='urn:f'><f:name>" text "</f:name><f:data>QUJD</f:data></f:file>"

/* As stacks name parts and refer to them (RFC 2392; WS-I Attachments Profile 1.0, 4.4). */
START_TEST(names_of_parts)
{
	static const char *const taken_mtom[] = {
		XOP_ROOT(ENVELOPED(FILED(INCLUDE("a%2540x")))) PART("a%40x", "A") END,
		XOP_ROOT(ENVELOPED(FILED(INCLUDE("my%20file.pdf")))) PART("my file.pdf", "A") END,
		XOP_ROOT(ENVELOPED(FILED(INCLUDE("a@x ")))) PART("a@x", "A") END,
	};
	static const char *const taken_swa[] = {
		XML_ROOT(ENVELOPED(REFERRED("\n cid:a@x\t"))) PART("a@x", "A") END,
		XML_ROOT(ENVELOPED(REFERRED("cid:a%20b"))) PART("a b", "A") END,
	};
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BCV);

	policy->gateway.attachments.unreferenced = false;
	for (size_t i = 0; i < sizeof(taken_mtom) / sizeof(*taken_mtom); i++)
		check_taken(&e, MTOM, taken_mtom[i], taken_mtom[i]);
	for (size_t i = 0; i < sizeof(taken_swa) / sizeof(*taken_swa); i++)
		check_taken(&e, SWA, taken_swa[i], taken_swa[i]);
	policy->gateway.attachments.unreferenced = true;
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

START_TEST(refused)
{
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BCV);
#define LONGER                                     \
	XOP_ROOT(ENVELOPED(FILED(INCLUDE("a@x")))) \
	"--BB\r\nContent-ID: <a@x>\r\n\r\n%.*s"    \
	"\r\n" END
	char longer[4096], data[2001];

	check_refused(&e, MTOM, XOP_ROOT(ENVELOPED(FILED(INCLUDE("b@x")))) PART("a@x", "ABC") END,
		      FMP_EVENT_SOAP, "names no part");
	check_refused(&e, MTOM, XOP_ROOT(ENVELOPED(FILED("QUJD"))) PART("a@x", "ABC") END,
		      FMP_EVENT_SOAP, "nothing refers to attachment 1");
	check_refused(
		&e, MTOM,
		XOP_ROOT(ENVELOPED("<f:file xmlns:f='urn:f'><f:name>n</f:name><f:data>" INCLUDE(
			"a@x") "</f:data><f:more>" INCLUDE("a@x") "</f:more></f:file>"))
			PART("a@x", "ABC") END,
		FMP_EVENT_STRUCTURE, "two xop:Include name one part");
	check_refused(&e, MTOM,
		      XOP_ROOT(ENVELOPED("<f:file xmlns:f='urn:f'><f:name>" INCLUDE(
			      "a@x") "</f:name><f:data/></f:file>")) PART("a@x", "ABC") END,
		      FMP_EVENT_SCHEMA, "an xop:Include in name, which is not base64Binary");
	check_refused(&e, MTOM,
		      XOP_ROOT(ENVELOPED(FILED("QUJD" INCLUDE("a@x")))) PART("a@x", "ABC") END,
		      FMP_EVENT_SOAP, "content in or beside an xop:Include");
	check_refused(&e, MTOM,
		      XOP_ROOT(ENVELOPED(FILED("<x:Include xmlns:x='" XOP
					       "' href='cid:a@x' b='c'/>"))) PART("a@x", "ABC") END,
		      FMP_EVENT_SOAP, "more than an href");
	check_refused(&e, MTOM,
		      XOP_ROOT(ENVELOPED(
			      FILED("<x:Include xmlns:x='" XOP "' href='cid:a@x'>b</x:Include>")))
			      PART("a@x", "ABC") END,
		      FMP_EVENT_SOAP, "content in or beside an xop:Include");
	check_refused(&e, MTOM,
		      XOP_ROOT(ENVELOPED(FILED(INCLUDE(
			      "a@x")))) "--BB\r\nContent-ID: <a@x>\r\n"
					"Content-Transfer-Encoding: base64\r\n\r\nQUJD\r\n" END,
		      FMP_EVENT_UNSUPPORTED, "Content-Transfer-Encoding");
	/* Some receivers end a part within a line, and would find parts that were not read here. */
	check_refused(&e, SWA,
		      XML_ROOT(ENVELOPED(FILED("QUJD"))) PART("a@x", "x--BB\r\n\r\nABC") END,
		      FMP_EVENT_HTTP, "the boundary stands in the data of a part");
	check_refused(&e, SWA, XML_ROOT(ENVELOPED(FILED("QUJD")) "<!--BB-->") END, FMP_EVENT_HTTP,
		      "the boundary stands in the data of a part");
	/* In SOAP with Attachments it is an element as any other. */
	check_refused(&e, SWA, XML_ROOT(ENVELOPED(FILED(INCLUDE("a@x")))) PART("a@x", "ABC") END,
		      FMP_EVENT_SCHEMA, "Element content is not allowed");
	/* A facet counts the bytes of the part. */
	memset(data, 'x', 2001);
	snprintf(longer, sizeof(longer), LONGER, 2000, data);
	check_taken(&e, MTOM, longer, longer);
	snprintf(longer, sizeof(longer), LONGER, 2001, data);
	check_refused(&e, MTOM, longer, FMP_EVENT_SCHEMA, "maxLength");
	policy->gateway.attachments.unreferenced = false;
	check_refused(&e, SWA, XML_ROOT(ENVELOPED(FILED("QUJD"))) PART("a@x", "ABC") END,
		      FMP_EVENT_SOAP, "nothing refers to attachment 1");
	policy->gateway.attachments.unreferenced = true;
	policy->gateway.attachments.allowed = false;
	check_refused(&e, SWA, XML_ROOT(ENVELOPED(FILED("QUJD"))) END, FMP_EVENT_UNSUPPORTED,
		      "attachments (MTOM, SwA) are not allowed");
	check_refused(&e, "application/xop+xml; type=\"text/xml\"", ENVELOPED(FILED("QUJD")),
		      FMP_EVENT_UNSUPPORTED, "are not allowed");
	policy->gateway.attachments.allowed = true;
	check_refused(&e, "application/xop+xml", ENVELOPED(FILED("QUJD")), FMP_EVENT_UNSUPPORTED,
		      "without a type of SOAP");
	check_refused(&e, "application/xop+xml; type=\"text/xml\"",
		      ENVELOPED(FILED(INCLUDE("a@x"))), FMP_EVENT_SOAP, "names no part");
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

#define OTHER_INCLUDE(ns, href) "<q><i:Include xmlns:i='" ns "' href='" href "'/></q>"
#define XOP_REFERRED		"http://www.w3.org/2004/08/xop/incl&#117;de"

/* Without a schema that refuses the element: a service that resolves it would fetch what it names. */
START_TEST(stray_include)
{
	static const struct {
		const char *type, *body;
		bool taken;
	} rows[] = {
		{ "text/xml", ENVELOPED(OTHER_INCLUDE(XOP, "http://192.0.2.1/x")), false },
		{ "text/xml", ENVELOPED(OTHER_INCLUDE(XOP, "cid:a@x")), false },
		{ "text/xml", ENVELOPED("<i:Include xmlns:i='" XOP "'/>"), false },
		{ "text/xml", ENVELOPED(OTHER_INCLUDE(XOP_REFERRED, "file:///etc/passwd")), false },
		{ "text/xml",
		  "<s:Envelope xmlns:s='" S11 "'><s:Header>" OTHER_INCLUDE(
			  XOP,
			  "http://192.0.2.1/x") "</s:Header><s:Body><q/></s:Body></s:Envelope>",
		  false },
		{ "text/xml",
		  ENVELOPED(
			  "<s:Fault><faultcode>s:Client</faultcode><faultstring/><detail>" OTHER_INCLUDE(
				  XOP, "cid:a@x") "</detail></s:Fault>"),
		  false },
		{ SWA,
		  XML_ROOT(ENVELOPED(OTHER_INCLUDE(XOP, "http://192.0.2.1/x"))) PART("a@x", "A")
			  END,
		  false },
		{ SWA, XML_ROOT(ENVELOPED(OTHER_INCLUDE(XOP, "cid:b@x"))) PART("a@x", "A") END,
		  false },
		{ SWA, XML_ROOT(ENVELOPED(OTHER_INCLUDE(XOP, "cid:a@x"))) PART("a@x", "A") END,
		  true },
		{ "text/xml", ENVELOPED(OTHER_INCLUDE("urn:x", "http://192.0.2.1/x")), true },
		{ "text/xml", ENVELOPED("<q a='" XOP "'>" XOP "</q>"), true },
	};
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BC);

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (int answer = 0; answer < 2; answer++) {
			struct fmp_job job = { .body = rows[i].body,
					       .len = strlen(rows[i].body),
					       .answer = answer };
			struct fmp_evaluation j;

			strcpy(job.content_type, rows[i].type);
			fmp_evaluate(&e, &job, VECTORS_NOW, &j);
			ck_assert_msg(j.v.accepted == rows[i].taken, "%zu: %s", i, j.v.detail);
			if (!rows[i].taken)
				ck_assert_int_eq(j.v.kind, FMP_EVENT_SOAP);
			fmp_evaluate_clear(&j);
		}
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

/* A receiver that obeys the charset would read '<' where "+ADw-" was inspected. */
START_TEST(charsets)
{
	static const char *const plain[] = {
		"text/xml; charset=utf-7", "text/xml; x=1; Charset = \"Unicode-1-1-UTF-7\"",
		"text/xml; charset=HZ-GB-2312", "text/xml; charset=iso-2022-jp",
		"application/soap+xml; action=\"urn:a\"; charset='UTF-7'"
	};
	static const char *const parts[] = { "utf-7", "\"UTF-7\"", "hz-gb-2312" };
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BCV);
	char body[1000];

	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		check_refused(&e, plain[i], ENVELOPED(FILED("QUJD")), FMP_EVENT_UNSUPPORTED,
			      "only UTF-8 and UTF-16");
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		snprintf(body, sizeof(body),
			 "--BB\r\nContent-Type: text/xml; charset=%s\r\n\r\n%s\r\n" END, parts[i],
			 ENVELOPED(FILED("QUJD")));
		check_refused(&e, "multipart/related; type=\"text/xml\"; boundary=BB", body,
			      FMP_EVENT_UNSUPPORTED, "only UTF-8 and UTF-16");
	}
	check_refused(&e, SWA "; charset=utf-7", XML_ROOT(ENVELOPED(FILED("QUJD"))) END,
		      FMP_EVENT_UNSUPPORTED, "only UTF-8 and UTF-16");
	check_taken(&e, SWA "; charset=windows-1252", XML_ROOT(ENVELOPED(FILED("QUJD"))) END,
		    XML_ROOT(ENVELOPED(FILED("QUJD"))) END);
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

START_TEST(actions)
{
	static const char type[] = "multipart/related; type=\"application/xop+xml\"; boundary=BB; "
				   "start-info=\"application/soap+xml; action=\\\"urn:a\\\"\"";
	static const char root[] =
		"--BB\r\nContent-Type: application/xop+xml; type=\"application/soap+xml; "
		"action=\\\"urn:%c\\\"\"\r\n\r\n<s:Envelope "
		"xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body>" FILED(
			"QUJD") "</s:Body></s:Envelope>\r\n" END;
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BCV);
	struct fmp_evaluation j;
	char body[1000];

	snprintf(body, sizeof(body), root, 'a');
	j = evaluate_message(&e, type, body, strlen(body));
	ck_assert_msg(j.v.accepted, "%s", j.v.detail);
	ck_assert_str_eq(j.action, "urn:a");
	fmp_evaluate_clear(&j);
	snprintf(body, sizeof(body), root, 'b');
	check_refused(&e, type, body, FMP_EVENT_HTTP,
		      "the actions of message and root part differ");
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

/* Two services at one path: the second is selected by its action, wherever that stands. */
START_TEST(selected)
{
	static const char type[] = "multipart/related; type=\"application/soap+xml\"; boundary=BB";
	static const char root[] =
		"--BB\r\nContent-Type: application/soap+xml; action=\"urn:%c\"\r\n\r\n<s:Envelope "
		"xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body>" FILED(
			"QUJD") "</s:Body></s:Envelope>\r\n" END;
	static struct fmp_policy_service services[2] = { { .path = "/s" },
							 { .path = "/s", .action = "urn:b" } };
	struct fmp_policy two = { .services = services, .n_services = 2 };
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BCV);
	struct fmp_policy_gateway other = policy->gateway;
	struct fmp_evaluation j;
	char body[1000];

	e.policy = &two;
	e.service[1] = e.service[0];
	e.service[1].demands = &other;
	e.n_services = 2;
	other.attachments.allowed = false;
	for (char action = 'a'; action <= 'b'; action++) {
		struct fmp_job job = { .body = body, .wsa_action_decides = true };

		job.len = (size_t)snprintf(body, sizeof(body), root, action);
		strcpy(job.content_type, type);
		fmp_evaluate(&e, &job, VECTORS_NOW, &j);
		ck_assert_uint_eq(j.service, action == 'b');
		ck_assert_msg(j.v.accepted == (action == 'a'), "%s", j.v.detail);
		ck_assert_int_eq(j.status, action == 'a' ? 0 : 415);
		fmp_evaluate_clear(&j);
	}
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

static const char plain_data[] =
	"0123456789012345678901234567890123456789012345678901234567890123456789"
	"01234567890123456789012345678901234567890123456789012345678901234";

/* Put an xop:Include in the place of the Base64 in a signed message. */
static size_t make_signed(const char *include, const char *data, size_t len, char *out, size_t size)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, 0);
	struct fmp_securer *s = new_securer(&a);
	struct fmp_reply_context r = make_reply_context();
	char text[1000], base64[400], root[20000];
	struct fmp_reply reply = { .bytes = text, .now_s = VECTORS_NOW, .reply_context = &r };
	struct fmp_secured done;
	const char *at;
	int n;

	EVP_EncodeBlock((unsigned char *)base64, (const unsigned char *)plain_data,
			(int)strlen(plain_data));
	snprintf(text, sizeof(text), ENVELOPED(FILED("%s")), base64);
	reply.len = strlen(text);
	ck_assert_int_eq(fmp_secure(s, &reply, &done), 0);
	ck_assert_msg(done.bytes != NULL, "%s", done.detail);
	snprintf(root, sizeof(root), "%.*s", (int)done.len, (const char *)done.bytes);
	at = strstr(root, base64);
	ck_assert_ptr_nonnull(at);
	n = snprintf(out, size, XOP_ROOT("%.*s%s%s") "--BB\r\nContent-ID: <a@x>\r\n\r\n",
		     (int)(at - root), root, include, at + strlen(base64));
	memcpy(out + n, data, len);
	memcpy(out + n + len, "\r\n" END, strlen("\r\n" END));
	fmp_secured_clear(&done);
	fmp_securer_free(s);
	return (size_t)n + len + strlen("\r\n" END);
}

/* The digest is over the Base64; what is forwarded includes the part again. */
START_TEST(signed_base64)
{
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BCS);
	char body[20000], changed[sizeof(plain_data)];
	size_t n = make_signed(INCLUDE("a@x"), plain_data, strlen(plain_data), body, sizeof(body));
	struct fmp_evaluation j = evaluate_message(&e, MTOM, body, n);
	const char *forward;

	ck_assert_msg(j.v.accepted, "%s", j.v.detail);
	forward = copy_text(j.forward, j.forward_len);
	ck_assert_ptr_nonnull(strstr(forward, "<f:data><xop:Include xmlns:xop=\"" XOP
					      "\" href=\"cid:a@x\"/></f:data>"));
	ck_assert_ptr_null(strstr(forward, "Signature"));
	ck_assert_ptr_nonnull(strstr(forward, "Content-ID: <a@x>\r\n\r\n0123456789"));
	ck_assert_ptr_nonnull(strstr(forward, "\r\n--BB--\r\n"));
	free((char *)forward);
	fmp_evaluate_clear(&j);
	strcpy(changed, plain_data);
	changed[5] ^= 1;
	n = make_signed(INCLUDE("a@x"), changed, strlen(changed), body, sizeof(body));
	j = evaluate_message(&e, MTOM, body, n);
	ck_assert_int_eq(j.v.kind, FMP_EVENT_SIGNATURE);
	fmp_evaluate_clear(&j);
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

#define NS_SWA "http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#"
#define SHA256 "http://www.w3.org/2001/04/xmlenc#sha256"

/* Make the SignatureValue anew, after a change of SignedInfo. */
static void sign_anew(const char *root, char base64[1000])
{
	xmlDoc *doc = xmlReadMemory(root, (int)strlen(root), NULL, NULL, 0);
	xmlXPathContext *ctx = xmlXPathNewContext(doc);
	xmlXPathObject *nodes = xmlXPathEval(
		BAD_CAST
		"(//. | //@* | //namespace::*)[ancestor-or-self::*[local-name()='SignedInfo']]",
		ctx);
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	struct evp_pkey_st *key;
	xmlChar *canonical = NULL;
	unsigned char value[600];
	size_t n = sizeof(value);
	int len = xmlC14NDocDumpMemory(doc, nodes->nodesetval, XML_C14N_EXCLUSIVE_1_0, NULL, 0,
				       &canonical);

	ck_assert_int_gt(len, 0);
	ck_assert(!fmp_key_load(tests_path("interop/vectors/pki/server.key"), &key, NULL));
	ck_assert_int_eq(EVP_DigestSignInit(md, NULL, EVP_sha256(), NULL, key), 1);
	ck_assert_int_eq(EVP_DigestSign(md, value, &n, canonical, (size_t)len), 1);
	EVP_EncodeBlock((unsigned char *)base64, value, (int)n);
	EVP_PKEY_free(key);
	EVP_MD_CTX_free(md);
	xmlFree(canonical);
	xmlXPathFreeObject(nodes);
	xmlXPathFreeContext(ctx);
	xmlFreeDoc(doc);
}

/* A root whose signature covers the part @cid with this content. @cid: NULL: no part */
static char *sign_with_part(const char *cid, const char *transform, const char *content)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, 0);
	struct fmp_securer *s = new_securer(&a);
	struct fmp_reply_context r = make_reply_context();
	static const char text[] = ENVELOPED(FILED("QUJD"));
	struct fmp_reply reply = {
		.bytes = text, .len = sizeof(text) - 1, .now_s = VECTORS_NOW, .reply_context = &r
	};
	struct fmp_secured done;
	unsigned char digest[32];
	char base64[1000], *root, *out, *at, *value;

	ck_assert_int_eq(fmp_secure(s, &reply, &done), 0);
	root = copy_text(done.bytes, done.len);
	fmp_secured_clear(&done);
	fmp_securer_free(s);
	if (!cid)
		return root;
	EVP_Digest(content, strlen(content), digest, NULL, EVP_sha256(), NULL);
	EVP_EncodeBlock((unsigned char *)base64, digest, sizeof(digest));
	at = strstr(root, "</ds:SignedInfo>");
	ck_assert_ptr_nonnull(at);
	ck_assert_int_gt(asprintf(&out,
				  "%.*s<ds:Reference URI=\"%s\"><ds:Transforms><ds:Transform "
				  "Algorithm=\"" NS_SWA "%s\"></ds:Transform></ds:Transforms>"
				  "<ds:DigestMethod Algorithm=\"" SHA256 "\"></ds:DigestMethod>"
				  "<ds:DigestValue>%s</ds:DigestValue></ds:Reference>%s",
				  (int)(at - root), root, cid, transform, base64, at),
			 0);
	free(root);
	sign_anew(out, base64);
	value = strstr(out, "<ds:SignatureValue>") + strlen("<ds:SignatureValue>");
	at = strstr(value, "</ds:SignatureValue>");
	ck_assert_int_gt(asprintf(&root, "%.*s%s%s", (int)(value - out), out, base64, at), 0);
	free(out);
	return root;
}

#define CONTENT	 "Attachment-Content-Signature-Transform"
#define COMPLETE "Attachment-Complete-Signature-Transform"

static const struct {
	const char *cid, *transform, *signed_content, *part, *detail;
	enum fmp_event_kind kind;
} signatures[] = {
	{ "cid:a@x", CONTENT, "ABC", "Content-ID: <a@x>\r\n\r\nABC", NULL, 0 },
	{ "cid:a%40x", CONTENT, "A\r\nB\r\n",
	  "Content-ID: <a@x>\r\nContent-Type: text/plain\r\n\r\nA\nB\r", NULL, 0 },
	{ "cid:a@x", CONTENT, "ABC", "Content-ID: <a@x>\r\n\r\nABD", "digest of an attachment",
	  FMP_EVENT_SIGNATURE },
	{ "cid:b@x", CONTENT, "ABC", "Content-ID: <a@x>\r\n\r\nABC", "names no attachment",
	  FMP_EVENT_WRAPPING },
	{ NULL, NULL, NULL, "Content-ID: <a@x>\r\n\r\nABC", "attachment 1 is not signed",
	  FMP_EVENT_UNSIGNED },
	{ "cid:a@x", CONTENT, "ABC", "Content-ID: <a@x>\r\n\r\nABC\r\n--BB\r\n\r\nD",
	  "attachment 2 is not signed", FMP_EVENT_UNSIGNED },
	/* Fields in their order, names in their case, a default type, parameters sorted and quoted. */
	{ "cid:a@x", COMPLETE,
	  "Content-ID:<a@x>\r\nContent-Type:text/plain;charset=\"us-ascii\"\r\nABC",
	  "Content-ID: <a@x>\r\n\r\nABC", NULL, 0 },
	{ "cid:a@x", COMPLETE,
	  "Content-Description:A  b\r\nContent-Disposition:attachment;filename=\"a.txt\";z=\"Q\"\r\n"
	  "Content-ID:<a@x>\r\nContent-Location:u/v\r\n"
	  "Content-Type:text/plain;charset=\"utf-8\";x=\"1 2\"\r\nA\r\nB",
	  "content-id: <a@x>\r\nContent-Type: Text/Plain; X=\"1 2\"; charset=UTF-8\r\nX-Other: 1\r\n"
	  "CONTENT-LOCATION: u/v \r\nContent-Disposition: Attachment;\r\n z=Q; FileName=A.txt\r\n"
	  "Content-Description: A  b\r\n\r\nA\nB",
	  NULL, 0 },
	{ "cid:a@x", COMPLETE, "Content-ID:<a@x>\r\nContent-Type:image/png\r\nABC",
	  "Content-ID: <a@x>\r\nContent-Type: image/jpg\r\n\r\nABC", "digest of an attachment",
	  FMP_EVENT_SIGNATURE },
	{ "cid:a@x", COMPLETE, "Content-ID:<a@x>\r\nContent-Type:image/png\r\nABC",
	  "Content-ID: <a@x>\r\nContent-Type: image/png\r\nContent-Description: b\r\n\r\nABC",
	  "digest of an attachment", FMP_EVENT_SIGNATURE },
	{ "cid:a@x", COMPLETE, "", "Content-ID: <a@x>\r\nContent-Type: a/b (c); d=e\r\n\r\nABC",
	  "more than one reading", FMP_EVENT_UNSUPPORTED },
	{ "cid:a@x", COMPLETE, "", "Content-ID: <a@x>\r\nContent-Type: a/b; d*=''e\r\n\r\nABC",
	  "more than one reading", FMP_EVENT_UNSUPPORTED },
	{ "cid:a@x", COMPLETE, "", "Content-ID: <a@x>\r\nContent-Type: a/b; d=e; D=f\r\n\r\nABC",
	  "more than one reading", FMP_EVENT_UNSUPPORTED },
	{ "cid:a@x", COMPLETE, "",
	  "Content-ID: <a@x>\r\nContent-Description: =?utf-8?q?a?=\r\n\r\nABC",
	  "more than one reading", FMP_EVENT_UNSUPPORTED },
	{ "cid:a@x", COMPLETE, "",
	  "Content-ID: <a@x>\r\nContent-Disposition: attachment; filename=\"a;b\"\r\n\r\nABC",
	  "more than one reading", FMP_EVENT_UNSUPPORTED },
	{ "cid:a@x", "Attachment-Ciphertext-Transform", "ABC", "Content-ID: <a@x>\r\n\r\nABC",
	  "is not supported for the signature of an attachment", FMP_EVENT_UNSUPPORTED },
	/* XML by its canonical form. */
	{ "cid:a@x", CONTENT, "<a b=\"1\" c=\"2\"></a>",
	  "Content-ID: <a@x>\r\nContent-Type: text/xml\r\n\r\n<a  c='2' b='1'/>\n", NULL, 0 },
	{ "cid:a@x", CONTENT, "<a></a>",
	  "Content-ID: <a@x>\r\nContent-Type: image/svg+xml; charset=UTF-8\r\n\r\n<a />", NULL, 0 },
	{ "cid:a@x", CONTENT, "<a>2</a>",
	  "Content-ID: <a@x>\r\nContent-Type: application/xml\r\n\r\n<a>1</a>",
	  "digest of an attachment", FMP_EVENT_SIGNATURE },
	/* XML that WSS4J signs as other content: senders differ. */
	{ "cid:a@x", CONTENT, "<a  b='1'/>\n",
	  "Content-ID: <a@x>\r\nContent-Type: model/x3d+xml\r\n\r\n<a  b='1'/>\n", NULL, 0 },
	{ "cid:a@x", CONTENT, "<a b=\"1\"></a>",
	  "Content-ID: <a@x>\r\nContent-Type: model/x3d+xml\r\n\r\n<a  b='1'/>\n", NULL, 0 },
	{ "cid:a@x", CONTENT, "<a  b='1'/>\r\n",
	  "Content-ID: <a@x>\r\nContent-Type: text/x+xml\r\n\r\n<a  b='1'/>\n", NULL, 0 },
	{ "cid:a@x", CONTENT, "<a  b='1'/>",
	  "Content-ID: <a@x>\r\nContent-Type: image/svg+xml\r\n\r\n<a  b='1'/>",
	  "digest of an attachment", FMP_EVENT_SIGNATURE },
	{ "cid:a@x", CONTENT, "<a b=\"2\"></a>",
	  "Content-ID: <a@x>\r\nContent-Type: model/x3d+xml\r\n\r\n<a  b='1'/>\n",
	  "digest of an attachment", FMP_EVENT_SIGNATURE },
	{ "cid:a@x", CONTENT, "<a></a>",
	  "Content-ID: <a@x>\r\nContent-Type: text/xml; charset=utf-7\r\n\r\n<a/>",
	  "another charset", FMP_EVENT_UNSUPPORTED },
	{ "cid:a@x", CONTENT, "<a></a>",
	  "Content-ID: <a@x>\r\nContent-Type: text/xml\r\n\r\n<!DOCTYPE a><a/>", "",
	  FMP_EVENT_DTD },
	{ "cid:a@x", CONTENT, "<a></a>", "Content-ID: <a@x>\r\nContent-Type: text/xml\r\n\r\n<a>",
	  "", FMP_EVENT_WELLFORMED },
};

START_TEST(signed_attachments)
{
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BCS);
	char *root = sign_with_part(signatures[_i].cid, signatures[_i].transform,
				    signatures[_i].signed_content);
	struct fmp_evaluation j;
	char *body;

	ck_assert_int_gt(
		asprintf(&body, XML_ROOT("%s") "--BB\r\n%s\r\n" END, root, signatures[_i].part), 0);
	j = evaluate_message(&e, SWA, body, strlen(body));
	if (signatures[_i].detail) {
		ck_assert_msg(!j.v.accepted && strstr(j.v.detail, signatures[_i].detail), "%s",
			      j.v.detail);
		ck_assert_int_eq(j.v.kind, signatures[_i].kind);
	} else {
		const char *folded = strstr(signatures[_i].part, ";\r\n ");

		ck_assert_msg(j.v.accepted, "%s", j.v.detail);
		/* Folding is undone. */
		ck_assert_ptr_nonnull(folded ? memmem(j.forward, j.forward_len, "z=Q", 3)
					     : memmem(j.forward, j.forward_len, signatures[_i].part,
						      strlen(signatures[_i].part)));
	}
	fmp_evaluate_clear(&j);
	free(root);
	free(body);
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

/* Who signs more than we take is no attacker; they don't count as other References do. */
START_TEST(many_signed)
{
	static const struct {
		unsigned n, of_elements;
		enum fmp_event_kind kind;
	} rows[] = {
		{ 33, 0, FMP_EVENT_UNSUPPORTED }, { 100, 0, FMP_EVENT_UNSUPPORTED },
		{ 32, 0, FMP_EVENT_SIGNATURE },	  { 32, 64, FMP_EVENT_STRUCTURE },
		{ 0, 64, FMP_EVENT_STRUCTURE },
	};
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BCS);
	char *root = sign_with_part(NULL, NULL, NULL);
	const char *at = strstr(root, "</ds:SignedInfo>");

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *body;
		size_t n;
		FILE *f = open_memstream(&body, &n);

		fprintf(f, "--BB\r\nContent-Type: text/xml\r\nContent-ID: <r@x>\r\n\r\n%.*s",
			(int)(at - root), root);
		for (unsigned k = 0; k < rows[i].n + rows[i].of_elements; k++)
			fprintf(f,
				"<ds:Reference URI=\"%s%u\"><ds:Transforms><ds:Transform "
				"Algorithm=\"" NS_SWA CONTENT "\"/></ds:Transforms>"
				"<ds:DigestMethod Algorithm=\"" SHA256 "\"/><ds:DigestValue>"
				"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=</ds:DigestValue>"
				"</ds:Reference>",
				k < rows[i].n ? "cid:a" : "#a", k);
		fprintf(f, "%s\r\n" END, at);
		ck_assert(!fclose(f));
		check_refused(&e, SWA, body, rows[i].kind, "");
		free(body);
	}
	free(root);
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

/* Of XML, comments are not signed. */
START_TEST(signed_comments)
{
	static const char part[] =
		"Content-ID: <a@x>\r\nContent-Length: 14\r\nContent-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\r\n"
		"Digest: sha-256=AA==\r\nContent-Type: text/xml\r\n\r\n<a><!--x--></a>";
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BCS);
	char *root = sign_with_part("cid:a@x", CONTENT, "<a></a>"), *body;
	struct fmp_evaluation j;

	ck_assert_int_gt(asprintf(&body, XML_ROOT("%s") "--BB\r\n%s\r\n" END, root, part), 0);
	memcpy(strstr(body, "Length: 14"), "Length: 15", 10);
	j = evaluate_message(&e, SWA, body, strlen(body));
	ck_assert_msg(j.v.accepted, "%s", j.v.detail);
	ck_assert_ptr_nonnull(memmem(j.forward, j.forward_len, "\r\n\r\n<a></a>\r\n--BB--", 19));
	ck_assert_ptr_null(memmem(j.forward, j.forward_len, "Length: 15", 10));
	ck_assert_ptr_null(memmem(j.forward, j.forward_len, "Content-MD5", 11));
	ck_assert_ptr_null(memmem(j.forward, j.forward_len, "Digest: ", 8));
	fmp_evaluate_clear(&j);
	free(root);
	free(body);
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("attachments");
	struct fmp_error err;
	int fd = mkstemp(schema), failed;

	if (fd < 0 || write(fd, schema_text, strlen(schema_text)) < 0 ||
	    fmp_inspect_global_init(&err))
		return EXIT_FAILURE;
	close(fd);
	policy = fmp_policy_default();
	tcase_add_test(tc, taken);
	tcase_add_test(tc, refused);
	tcase_add_test(tc, names_of_parts);
	tcase_add_test(tc, stray_include);
	tcase_add_test(tc, charsets);
	tcase_add_test(tc, actions);
	tcase_add_test(tc, selected);
	tcase_add_test(tc, signed_base64);
	tcase_add_loop_test(tc, signed_attachments, 0, sizeof(signatures) / sizeof(signatures[0]));
	tcase_add_test(tc, many_signed);
	tcase_add_test(tc, signed_comments);
	failed = run_tcase("attachments", tc);
	unlink(schema);
	fmp_policy_free(policy);
	fmp_inspect_global_exit();
	return failed;
}
