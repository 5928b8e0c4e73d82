// SPDX-License-Identifier: GPL-2.0
/*
 * A multipart message of which only the root was evaluated, and whose rest passes piece by piece, is
 * taken or refused as when it is whole, and is forwarded as the same bytes.
 */
#include <unistd.h>

#include <fmp/internal/evaluate.h>
#include <fmp/internal/multipart_stream.h>

#include "run.h"
#include "tokens.h"

#define S11 "http://schemas.xmlsoap.org/soap/envelope/"
#define XOP "http://www.w3.org/2004/08/xop/include"
#define MTOM                                                                 \
	"multipart/related; type=\"application/xop+xml\"; start=\"<r@x>\"; " \
	"start-info=\"text/xml\"; boundary=\"BB\""
#define SWA		"multipart/related; type=\"text/xml\"; boundary=BB"
#define INCLUDE(cid)	"<xop:Include xmlns:xop='" XOP "' href='cid:" cid "'/>"
#define HEADED(head, d) "<s:Envelope xmlns:s='" S11 "'>" head "<s:Body>" d "</s:Body></s:Envelope>"
#define FILED(content)	HEADED("", "<f:file xmlns:f='urn:f'>" content "</f:file>")
#define DATA(content)	"<f:data>" content "</f:data>"
#define XOP_ROOT(root)                                                                    \
	"--BB\r\nContent-Type: application/xop+xml; charset=UTF-8; type=\"text/xml\"\r\n" \
	"Content-ID: <r@x>\r\n\r\n" root "\r\n"
#define XML_ROOT(root) "--BB\r\nContent-Type: text/xml\r\nContent-ID: <r@x>\r\n\r\n" root "\r\n"
#define PART(id, data) "--BB\r\nContent-ID: <" id ">\r\n\r\n" data "\r\n"
#define END	       "--BB--\r\n"

static const char schema_text[] =
	"<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:f='urn:f' targetNamespace='urn:f' "
	"elementFormDefault='qualified'><xs:simpleType name='short'><xs:restriction "
	"base='xs:base64Binary'><xs:maxLength value='5'/></xs:restriction></xs:simpleType>"
	"<xs:complexType name='typed'><xs:simpleContent><xs:extension base='xs:base64Binary'>"
	"<xs:attribute name='type'/></xs:extension></xs:simpleContent></xs:complexType>"
	"<xs:complexType name='of-short'><xs:simpleContent><xs:extension base='f:short'/>"
	"</xs:simpleContent></xs:complexType>"
	"<xs:element name='file'><xs:complexType><xs:choice maxOccurs='9'>"
	"<xs:element name='data' type='xs:base64Binary'/><xs:element name='typed' type='f:typed'/>"
	"<xs:element name='short' type='f:short'/><xs:element name='of-short' type='f:of-short'/>"
	"<xs:element name='fixed' type='xs:base64Binary' fixed='QUJD'/>"
	"<xs:element name='text' type='xs:string'/><xs:element name='any' type='xs:anyType'/>"
	"</xs:choice></xs:complexType></xs:element></xs:schema>";
static const char keyed_text[] =
	"<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns:f='urn:f' targetNamespace='urn:f' "
	"elementFormDefault='qualified'><xs:element name='file'><xs:complexType><xs:sequence>"
	"<xs:element name='data' type='xs:base64Binary' maxOccurs='9'/></xs:sequence></xs:complexType>"
	"<xs:unique name='u'><xs:selector xpath='f:data'/><xs:field xpath='.'/></xs:unique>"
	"</xs:element></xs:schema>";

static struct fmp_policy *policy;

struct text {
	char bytes[16384];
	size_t len;
};

static bool add_text(void *ctx, const void *bytes, size_t n)
{
	struct text *t = ctx;

	ck_assert_uint_le(t->len + n, sizeof(t->bytes));
	memcpy(t->bytes + t->len, bytes, n);
	t->len += n;
	return true;
}

/* Return: the name of a file with the text; NULL: no text */
static char *write_file(char *file, const char *text)
{
	int fd = text ? mkstemp(file) : -1;

	if (!text)
		return NULL;
	ck_assert_int_eq(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	return file;
}

static struct fmp_evaluator new_evaluator_with(enum fmp_security security, const char *schema,
					       const char *passwords)
{
	char schema_file[] = "/tmp/fmp-multipart-stream-XXXXXX",
	     passwords_file[] = "/tmp/fmp-multipart-stream-XXXXXX";
	struct fmp_evaluator e = { .policy = policy };
	struct fmp_inspect_config cfg = vector_config(security);

	cfg.schema = write_file(schema_file, schema);
	cfg.passwords = write_file(passwords_file, passwords);
	cfg.password_text = passwords;
	policy->gateway.security = security;
	policy->gateway.limits = cfg.limits;
	e.service[0] = (struct fmp_evaluate_service){ .name = "",
						      .demands = &policy->gateway,
						      .inspector = make_inspector(&cfg) };
	e.n_services = 1;
	unlink(schema_file);
	unlink(passwords_file);
	return e;
}

static struct fmp_evaluator new_evaluator(enum fmp_security security, const char *schema)
{
	return new_evaluator_with(security, schema, NULL);
}

static struct fmp_evaluation evaluate_message(struct fmp_evaluator *e, const char *type,
					      const void *body, size_t len, bool pending)
{
	struct fmp_job job = { .body = body, .len = len, .pending = pending };
	struct fmp_evaluation j;

	snprintf(job.content_type, sizeof(job.content_type), "%s", type);
	fmp_evaluate(e, &job, VECTORS_NOW, &j);
	return j;
}

struct outcome {
	bool taken, needs_parts;
	enum fmp_event_kind kind;
	char detail[160];
	struct text out;
};

static void set_refused(struct outcome *o, enum fmp_event_kind kind, const char *detail)
{
	o->taken = false;
	o->kind = kind;
	snprintf(o->detail, sizeof(o->detail), "%s", detail);
}

static void pass_rest(struct fmp_multipart_stream *s, const char *rest, size_t n, size_t piece,
		      struct outcome *o)
{
	int ret = 0;

	for (size_t at = 0; at < n && !ret; at += piece)
		ret = fmp_multipart_stream_pass(s, rest + at, n - at < piece ? n - at : piece);
	if (!ret)
		ret = fmp_multipart_stream_finish(s);
	if (ret) {
		ck_assert_int_eq(ret, FMP_ERR_INVALID);
		ck_assert_int_ne(s->status, 0);
		set_refused(o, s->kind, s->detail);
		/* Whoever gets this knows that it is not whole. */
		ck_assert_ptr_null(memmem(o->out.bytes, o->out.len, "--BB--", 6));
	}
}

/* As the gateway does it: the root to a worker, the rest in pieces. @with_length: it was announced */
static void run_stream(struct fmp_evaluator *e, const char *type, const char *body, size_t len,
		       size_t piece, bool with_length, struct outcome *o)
{
	struct fmp_multipart_stream *s = fmp_multipart_stream_new(
		type, &policy->gateway.attachments, policy->gateway.limits.body_bytes);
	size_t at = 0, used;
	uint64_t rest, total;
	struct fmp_evaluation j;
	int ret = FMP_ERR_AGAIN;

	*o = (struct outcome){ .taken = true };
	ck_assert_int_eq(s->status, 0);
	while (at < len && ret == FMP_ERR_AGAIN) {
		ret = fmp_multipart_stream_read_root(s, body + at,
						     len - at < piece ? len - at : piece, &used);
		at += used;
	}
	if (ret) {
		set_refused(o, s->kind, s->detail ? s->detail : "no root");
		fmp_multipart_stream_free(s);
		return;
	}
	j = evaluate_message(e, type, body, at, true);
	o->needs_parts = j.v.needs_parts;
	if (!j.v.accepted) {
		set_refused(o, j.v.kind, j.v.detail);
	} else {
		ck_assert_int_eq(fmp_multipart_stream_expect(s, j.references, j.references_len), 0);
		add_text(&o->out, j.forward, j.forward_len);
		rest = len - at;
		total = j.forward_len + fmp_multipart_stream_begin(s, with_length ? &rest : NULL,
								   add_text, &o->out);
		pass_rest(s, body + at, (size_t)rest, piece, o);
		if (o->taken && with_length)
			ck_assert_uint_eq(total, o->out.len);
	}
	ck_assert_uint_gt(fmp_multipart_stream_size(s), sizeof(*s) - 1);
	fmp_evaluate_clear(&j);
	fmp_multipart_stream_free(s);
}

static const struct {
	const char *name, *type, *body;
	bool needs_parts;
} rows[] = {
	{ "MTOM", MTOM, XOP_ROOT(FILED(DATA(INCLUDE("a%40x")))) PART("a@x", "ABC") END, false },
	{ "two parts", MTOM,
	  XOP_ROOT(FILED(DATA(INCLUDE("a@x")) DATA(INCLUDE("b@x")))) PART("b@x", "ABC")
		  PART("a@x", "D\r\n-\r\n--B\r\n") END,
	  false },
	{ "SwA", SWA, XML_ROOT(FILED(DATA("QUJD"))) PART("a@x", "AB\r\n--B-C") PART("b@x", "") END,
	  false },
	{ "no parts", SWA, XML_ROOT(FILED(DATA("QUJD"))) END, false },
	{ "no last line end", SWA, XML_ROOT(FILED(DATA("QUJD"))) PART("a@x", "A") "--BB--", false },
	{ "around, padding and folding", SWA,
	  "x\r\n--BB \r\nContent-Type:\r\n text/xml\r\nContent-ID: <r@x>\r\n\r\n" FILED(
		  DATA("QUJD")) "\r\n--BB \t\r\nContent-ID:\r\n\t<a@x>\r\n\r\nAB\r\n--BB-- \r\nabc",
	  false },
	{ "with an attribute", MTOM,
	  XOP_ROOT(FILED("<f:typed type='a'>" INCLUDE("a@x") "</f:typed>")) PART("a@x", "A") END,
	  false },
	{ "anyType", MTOM,
	  XOP_ROOT(FILED("<f:any>" INCLUDE("a@x") "</f:any>")) PART("a@x", "A") END, false },
	{ "swaRef", SWA, XML_ROOT(FILED("<f:text>cid:a@x</f:text>")) PART("a@x", "A") END, false },
	{ "maxLength", MTOM,
	  XOP_ROOT(FILED("<f:short>" INCLUDE("a@x") "</f:short>")) PART("a@x", "123456") END,
	  true },
	{ "maxLength of the base", MTOM,
	  XOP_ROOT(FILED("<f:of-short>" INCLUDE("a@x") "</f:of-short>")) PART("a@x", "123456") END,
	  true },
	{ "fixed", MTOM,
	  XOP_ROOT(FILED("<f:fixed>" INCLUDE("a@x") "</f:fixed>")) PART("a@x", "ABD") END, true },
	{ "in the Header", MTOM,
	  XOP_ROOT(HEADED("<s:Header><h xmlns='urn:h'>" INCLUDE("a@x") "</h></s:Header>",
			  "<f:file xmlns:f='urn:f'>" DATA("QUJD") "</f:file>")) PART("a@x", "ABC")
		  END,
	  true },
	{ "in a string", MTOM,
	  XOP_ROOT(FILED("<f:text>" INCLUDE("a@x") "</f:text>")) PART("a@x", "A") END, false },
	{ "twice", MTOM,
	  XOP_ROOT(FILED(DATA(INCLUDE("a@x")) DATA(INCLUDE("a@x")))) PART("a@x", "A") END, false },
	{ "no such part", MTOM, XOP_ROOT(FILED(DATA(INCLUDE("b@x")))) END, false },
	{ "unreferenced", MTOM,
	  XOP_ROOT(FILED(DATA(INCLUDE("a@x")))) PART("a@x", "A") PART("b@x", "A") END, false },
	{ "without an id", MTOM,
	  XOP_ROOT(FILED(DATA(INCLUDE("a@x")))) PART("a@x", "A") "--BB\r\n\r\nA\r\n" END, false },
	{ "one id twice", MTOM,
	  XOP_ROOT(FILED(DATA(INCLUDE("a@x")))) PART("a@x", "A") PART("a%40x", "A") END, false },
	{ "coded", MTOM,
	  XOP_ROOT(FILED(DATA(INCLUDE(
		  "a@x")))) "--BB\r\nContent-ID: <a@x>\r\nContent-Transfer-Encoding: base64\r\n\r\n"
			    "QUJD\r\n" END,
	  false },
	{ "no end", SWA, XML_ROOT(FILED(DATA("QUJD"))) PART("a@x", "A"), false },
	{ "behind the end", SWA, XML_ROOT(FILED(DATA("QUJD"))) END PART("a@x", "A") END, false },
	{ "a boundary within a line", SWA,
	  XML_ROOT(FILED(DATA("QUJD"))) PART("a@x", "x--BB\r\n\r\nABC") END, false },
	{ "one at the end of the data", SWA, XML_ROOT(FILED(DATA("QUJD"))) PART("a@x", "---BB") END,
	  false },
	{ "one in the root", SWA, XML_ROOT(FILED(DATA("QUJD")) "<!--BB-->") END, false },
	{ "one of two parts", SWA,
	  XML_ROOT(FILED(DATA("QUJD"))) PART("a@x", "--B") PART("b@x", "B") END, false },
	{ "bad root", SWA, XML_ROOT(FILED("<f:else/>")) PART("a@x", "A") END, false },
	{ "no root", SWA, "--BB\r\nContent-ID: <r@x>\r\n\r\n<a/>\r\n" END, false },
	{ "other root", MTOM, XML_ROOT(FILED(DATA("QUJD"))) END, false },
};

static void check_row(struct fmp_evaluator *e, unsigned row, size_t piece, bool with_length)
{
	const char *body = rows[row].body, *type = rows[row].type;
	size_t len = strlen(body);
	struct fmp_evaluation whole = evaluate_message(e, type, body, len, false);
	struct outcome o;

	run_stream(e, type, body, len, piece, with_length, &o);
	ck_assert_msg(o.needs_parts == rows[row].needs_parts, "%s: %s", rows[row].name, o.detail);
	if (!o.needs_parts) {
		ck_assert_msg(o.taken == whole.v.accepted, "%s: %s, whole: %s", rows[row].name,
			      o.detail, whole.v.detail);
		ck_assert_msg(o.taken || o.kind == whole.v.kind, "%s: %d %s, whole: %d %s",
			      rows[row].name, o.kind, o.detail, whole.v.kind, whole.v.detail);
	}
	if (o.taken && with_length) {
		/* Blanks behind the last delimiter make up for what was taken away. */
		while (o.out.len > whole.forward_len && o.out.bytes[o.out.len - 1] == ' ')
			o.out.len--;
		if (o.out.len + 2 == whole.forward_len)
			add_text(&o.out, "\r\n", 2);
	}
	if (o.taken)
		ck_assert_msg(o.out.len == whole.forward_len &&
				      memcmp(o.out.bytes, whole.forward, o.out.len) == 0,
			      "%s: %.*s", rows[row].name, (int)o.out.len, o.out.bytes);
	fmp_evaluate_clear(&whole);
}

START_TEST(as_when_whole)
{
	static const size_t pieces[] = { 1, 2, 7, 64, 4096 };
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BCV, schema_text);

	for (unsigned i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		check_row(&e, (unsigned)_i, pieces[i], false);
		check_row(&e, (unsigned)_i, pieces[i], true);
	}
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

static struct outcome stream_outcome(struct fmp_evaluator *e, const char *type, const char *body)
{
	struct outcome o;

	run_stream(e, type, body, strlen(body), 4096, false, &o);
	return o;
}

/* Nothing is asked of the value without a schema; keys compare it; a signature covers it. */
START_TEST(by_configuration)
{
	static const char mtom[] = XOP_ROOT(FILED(DATA(INCLUDE("a@x")))) PART("a@x", "ABC") END;
	static const char swa[] = XML_ROOT(FILED(DATA("QUJD"))) PART("a@x", "ABC") END;
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BC, NULL);

	ck_assert(stream_outcome(&e, MTOM, mtom).taken);
	fmp_inspector_free(e.service[0].inspector);
	e = new_evaluator(FMP_SECURITY_BCV, keyed_text);
	ck_assert(stream_outcome(&e, MTOM, mtom).needs_parts);
	ck_assert(stream_outcome(&e, SWA, swa).taken);
	policy->gateway.attachments.unreferenced = false;
	ck_assert_str_eq(stream_outcome(&e, SWA, swa).detail, "nothing refers to an attachment");
	policy->gateway.attachments.unreferenced = true;
	fmp_inspector_free(e.service[0].inspector);
	e = new_evaluator(FMP_SECURITY_BCS, schema_text);
	ck_assert(stream_outcome(&e, SWA, swa).needs_parts);
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

/* The root is another one: in UTF-8, or without the Security header; the parts are those that came. */
START_TEST(changed_root)
{
	static const char rest[] = "\r\n" PART("a@x", "ABC") END,
			  head[] =
				  "--BB\r\nContent-Type: application/xop+xml; type=\"text/xml\"\r\n"
				  "Content-ID: <r@x>\r\n\r\n",
			  root[] = FILED(DATA(INCLUDE("a@x")));
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BCV, schema_text);
	char body[2000], *p = mempcpy(body, head, sizeof(head) - 1);
	struct fmp_evaluation whole;
	struct outcome o;
	size_t len;

	p = mempcpy(p, "\xff\xfe", 2);
	for (const char *c = root; *c; c++) {
		*p++ = *c;
		*p++ = '\0';
	}
	p = mempcpy(p, rest, sizeof(rest) - 1);
	len = (size_t)(p - body);
	whole = evaluate_message(&e, MTOM, body, len, false);
	ck_assert_msg(whole.v.accepted, "%s", whole.v.detail);
	ck_assert_ptr_nonnull(memmem(whole.forward, whole.forward_len, root, sizeof(root) - 1));
	ck_assert_ptr_nonnull(memmem(whole.forward, whole.forward_len, rest, sizeof(rest) - 1));
	run_stream(&e, MTOM, body, len, 100, false, &o);
	ck_assert_msg(o.taken, "%s", o.detail);
	ck_assert_uint_eq(o.out.len, whole.forward_len);
	ck_assert_mem_eq(o.out.bytes, whole.forward, o.out.len);
	fmp_evaluate_clear(&whole);
	run_stream(&e, MTOM, body, len, 100, true, &o);
	ck_assert(o.taken);
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

#define PASSWORD                                                                        \
	"<s:Header><w:Security xmlns:w='http://docs.oasis-open.org/wss/2004/01/"        \
	"oasis-200401-wss-wssecurity-secext-1.0.xsd'><w:UsernameToken><w:Username>jane" \
	"</w:Username><w:Password Type='http://docs.oasis-open.org/wss/2004/01/"        \
	"oasis-200401-wss-username-token-profile-1.0#PasswordText'>secret</w:Password>" \
	"</w:UsernameToken></w:Security></s:Header>"

START_TEST(with_password)
{
	static const char body[] =
		XOP_ROOT(HEADED(PASSWORD, "<f:file xmlns:f='urn:f'>" DATA(INCLUDE("a@x"))
						  DATA(INCLUDE("b@x")) "</f:file>"))
			PART("b@x", "ABC") PART("a@x", "D") END;
	struct fmp_evaluator e = new_evaluator_with(FMP_SECURITY_BCV, schema_text, "jane:secret\n");
	struct outcome o = stream_outcome(&e, MTOM, body);

	ck_assert_msg(o.taken, "%s", o.detail);
	o.out.bytes[o.out.len] = '\0';
	ck_assert_ptr_null(strstr(o.out.bytes, "secret"));
	ck_assert_ptr_nonnull(strstr(o.out.bytes,
				     "<f:data><xop:Include xmlns:xop=\"" XOP
				     "\" href=\"cid:a@x\"/></f:data><f:data><xop:Include "
				     "xmlns:xop=\"" XOP "\" href=\"cid:b@x\"/></f:data>"));
	ck_assert_ptr_nonnull(strstr(o.out.bytes, PART("b@x", "ABC") PART("a@x", "D") END));
	/* What stands for the parts does not get out. */
	ck_assert_uint_lt(o.out.len, sizeof(body) + 200);
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

START_TEST(bounds)
{
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BC, NULL);
	struct fmp_policy_attachments *a = &policy->gateway.attachments, before = *a;

	a->part_bytes = 3;
	ck_assert(stream_outcome(&e, SWA, XML_ROOT(FILED(DATA(""))) PART("a@x", "ABC") END).taken);
	ck_assert_str_eq(
		stream_outcome(&e, SWA, XML_ROOT(FILED(DATA(""))) PART("a@x", "ABCD") END).detail,
		"a part is larger than allowed");
	a->parts = 1;
	ck_assert_str_eq(stream_outcome(&e, SWA,
					XML_ROOT(FILED(DATA(""))) PART("a@x", "") PART("b@x", "")
						END)
				 .detail,
			 "more attachments than allowed");
	ck_assert_ptr_nonnull(strstr(
		stream_outcome(&e, SWA, XML_ROOT(FILED(DATA("cid:a") DATA("cid:b"))) END).detail,
		"references to more than 1 attachments"));
	*a = before;
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

/* What a worker says of references is not trusted. */
START_TEST(references)
{
	struct fmp_policy_attachments limits = { .parts = 3, .part_bytes = 9, .bytes = 9 };
	static const struct {
		const char *bytes;
		size_t len;
		int ret;
	} said[] = {
		{ "", 0, 0 },
		{ "ia\0rb\0", 6, 0 },
		{ "i\0", 2, 0 },
		{ "ia", 2, FMP_ERR_SYNTAX },
		{ "xa\0", 3, FMP_ERR_SYNTAX },
		{ "\0", 1, FMP_ERR_SYNTAX },
	};

	for (unsigned i = 0; i < sizeof(said) / sizeof(*said); i++) {
		struct fmp_multipart_stream *s = fmp_multipart_stream_new(SWA, &limits, 100);

		ck_assert_int_eq(fmp_multipart_stream_expect(s, said[i].bytes, said[i].len),
				 said[i].ret);
		fmp_multipart_stream_free(s);
	}
}
END_TEST

/* An empty part whose delimiter follows its header at once: no byte is left to announce it with. */
START_TEST(empty_parts)
{
	struct fmp_evaluator e = new_evaluator(FMP_SECURITY_BC, NULL);
	static const char one[] = XML_ROOT(FILED(DATA(""))) "--BB\r\nA: b\r\n\r\n--BB--\r\n",
			  two[] = XML_ROOT(
				  FILED(DATA(""))) "--BB\r\nA: b\r\n\r\n--BB\r\n\r\n--BB--";
	struct outcome o;

	run_stream(&e, SWA, one, strlen(one), 5, true, &o);
	ck_assert_msg(o.taken, "%s", o.detail);
	run_stream(&e, SWA, two, strlen(two), 5, false, &o);
	ck_assert_msg(o.taken, "%s", o.detail);
	run_stream(&e, SWA, two, strlen(two), 5, true, &o);
	ck_assert_int_eq(o.kind, FMP_EVENT_UNSUPPORTED);
	fmp_inspector_free(e.service[0].inspector);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("multipart_stream");
	struct fmp_error err;
	int failed;

	if (fmp_inspect_global_init(&err))
		return EXIT_FAILURE;
	policy = fmp_policy_default();
	tcase_add_loop_test(tc, as_when_whole, 0, sizeof(rows) / sizeof(*rows));
	tcase_add_test(tc, by_configuration);
	tcase_add_test(tc, changed_root);
	tcase_add_test(tc, with_password);
	tcase_add_test(tc, bounds);
	tcase_add_test(tc, references);
	tcase_add_test(tc, empty_parts);
	failed = run_tcase("multipart_stream", tc);
	fmp_policy_free(policy);
	fmp_inspect_global_exit();
	return failed;
}
