// SPDX-License-Identifier: GPL-2.0
/* Attachments that WSS4J encrypted, by themselves and beside the Body: decrypted, changed, refused. */
#include <unistd.h>

#include <fmp/internal/evaluate.h>

#include "run.h"
#include "vectors.h"

#define XOP                                                                  \
	"multipart/related; type=\"application/xop+xml\"; start=\"<r@x>\"; " \
	"start-info=\"text/xml\"; boundary=\"BB\""
#define SWA	     "multipart/related; type=\"text/xml\"; start=\"<r@x>\"; boundary=\"BB\""
#define TYPE	     "http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#Attachment-"
#define DIR	     "attachments/"
/* 2026-11-27T07:05:00Z, five minutes behind the messages. */
#define NOW	     1795763100
#define SIGN_ENCRYPT FMP_ORDER_SIGN_ENCRYPT
#define ENCRYPT_SIGN FMP_ORDER_ENCRYPT_SIGN

static struct fmp_policy *policy;
static char pings[] = "/tmp/fmp-attachments-XXXXXX";
static char anything[] = "/tmp/fmp-attachments-XXXXXX";

/* Of an element that may hold any other. */
static const char xsd[] =
	"<schema xmlns='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:t'>"
	"<element name='any'><complexType><sequence>"
	"<any processContents='skip' maxOccurs='unbounded'/>"
	"</sequence></complexType></element></schema>";

/* Of an operation whose messages have no part. */
static const char wsdl[] =
	"<definitions xmlns='http://schemas.xmlsoap.org/wsdl/' xmlns:t='urn:t' "
	"xmlns:s='http://schemas.xmlsoap.org/wsdl/soap/' targetNamespace='urn:t'>"
	"<message name='None'/><portType name='P'><operation name='ping'>"
	"<input message='t:None'/><output message='t:None'/></operation></portType>"
	"<binding name='B' type='t:P'><s:binding/><operation name='ping'>"
	"<s:operation soapAction='urn:ping'/><input><s:body use='literal'/></input>"
	"<output><s:body use='literal'/></output></operation></binding></definitions>";

struct edit {
	const char *from, *to;
};

/* The first `from` becomes `to`; both may be followed by NUL bytes of the message. */
static void edit_message(struct bytes *b, const struct edit *e)
{
	size_t from = strlen(e->from), to = strlen(e->to);
	char *at = memmem(b->p, b->len, e->from, from), *p;
	size_t head = at ? (size_t)(at - b->p) : 0;

	ck_assert_msg(at != NULL, "no %s", e->from);
	p = malloc(b->len - from + to + 1);
	ck_assert_ptr_nonnull(p);
	memcpy(p, b->p, head);
	memcpy(p + head, e->to, to);
	memcpy(p + head + to, at + from, b->len - head - from + 1);
	free(b->p);
	b->p = p;
	b->len += to - from;
}

static void check_message(const struct bytes *b, const char *schema, enum fmp_security security,
			  enum fmp_order order, struct fmp_evaluation *j)
{
	struct fmp_inspect_config cfg = vector_config(security);
	struct fmp_evaluator e = { .policy = policy, .n_services = 1 };
	struct fmp_job job = { .body = b->p, .len = b->len };

	strcpy(job.content_type, schema == anything ? XOP : SWA);
	if (schema)
		cfg.schema = schema;
	cfg.trust = tests_path("interop/vectors/" DIR "pki/ca.crt");
	cfg.crl = tests_path("interop/vectors/" DIR "pki/crl.pem");
	cfg.order = order;
	policy->gateway.security = security;
	policy->gateway.limits = cfg.limits;
	e.service[0] = (struct fmp_evaluate_service){ .name = "",
						      .demands = &policy->gateway,
						      .inspector = make_inspector(&cfg) };
	fmp_evaluate(&e, &job, NOW, j);
	fmp_inspector_free(e.service[0].inspector);
}

static const struct {
	const char *file;
	bool is_empty;
	enum fmp_security security;
	enum fmp_order order;
} good[] = {
	{ "as4", true, FMP_SECURITY_BCES, SIGN_ENCRYPT },
	{ "as4-complete", true, FMP_SECURITY_BCES, SIGN_ENCRYPT },
	{ "body", false, FMP_SECURITY_BCES, SIGN_ENCRYPT },
	{ "body-complete", false, FMP_SECURITY_BCES, SIGN_ENCRYPT },
	{ "encrypted-first", false, FMP_SECURITY_BCES, ENCRYPT_SIGN },
	{ "encrypted-first-complete", false, FMP_SECURITY_BCES, ENCRYPT_SIGN },
	{ "encrypted-first-empty", true, FMP_SECURITY_BCES, ENCRYPT_SIGN },
	{ "encrypted", false, FMP_SECURITY_BCE, SIGN_ENCRYPT },
	{ "encrypted-complete", false, FMP_SECURITY_BCE, SIGN_ENCRYPT },
	{ "signed-complete", false, FMP_SECURITY_BCS, SIGN_ENCRYPT },
};

static struct bytes read_mime(const char *file)
{
	char path[64];

	snprintf(path, sizeof(path), DIR "%s.mime", file);
	return read_vector(path);
}

/* The service gets what was encrypted, with all fields of its header. */
START_TEST(decrypted)
{
	static const char *const parts[] = {
		"Content-Type: application/gzip\r\n",
		"Content-Description: part a@x\r\n",
		"Content-ID: <a@x>\r\n",
		"X-Other: a@x\r\n",
		"Content-Type: text/xml; charset=utf-8\r\n",
		"Content-Description: part b@x\r\n",
		"X-Other: b@x\r\n",
		"\r\n\r\n<order  b='2' a='1'><item/></order>\n\r\n--BB--\r\n",
	};
	static const char binary[] = "\r\n\r\nbinary \0 of the first part\n\r\n--BB\r\n";
	struct bytes b = read_mime(good[_i].file);
	struct fmp_evaluation j;

	check_message(&b, good[_i].is_empty ? pings : NULL, good[_i].security, good[_i].order, &j);
	ck_assert_msg(j.v.accepted, "%s: %s", good[_i].file, j.v.detail);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		ck_assert_msg(memmem(j.forward, j.forward_len, parts[i], strlen(parts[i])) != NULL,
			      "%s: no %s in %.*s", good[_i].file, parts[i], (int)j.forward_len,
			      (const char *)j.forward);
	ck_assert_ptr_nonnull(memmem(j.forward, j.forward_len, binary, sizeof(binary) - 1));
	ck_assert_ptr_null(memmem(j.forward, j.forward_len, "octet-stream", 12));
	ck_assert_ptr_null(memmem(j.forward, j.forward_len, "EncryptedData", 13));
	/* Nothing of them is held twice while the worker sends them. */
	for (size_t i = 0; i < j.multipart->attachments.n; i++)
		ck_assert_ptr_null(j.multipart->attachments.part[i].own);
	fmp_evaluate_clear(&j);
	free(b.p);
}
END_TEST

/* What describes the encrypted bytes would be wrong of what was encrypted. */
START_TEST(fields_of_encrypted_bytes)
{
	static const char *const names[] = { "Content-MD5: ", "\r\nDigest: ", "Repr-Digest: ",
					     "Content-Digest: ", "\r\nETag: " };
	static const struct edit edit = {
		"X-Other: a@x\r\n\r\n",
		"X-Other: a@x\r\nContent-MD5: AA==\r\nDigest: md5=AA==\r\nRepr-Digest: md5=:AA==:\r\n"
		"Content-Digest: md5=:AA==:\r\nETag: \"a\"\r\n\r\n"
	};
	struct bytes b = read_mime(good[_i].file);
	struct fmp_evaluation j;

	edit_message(&b, &edit);
	check_message(&b, good[_i].is_empty ? pings : NULL, good[_i].security, good[_i].order, &j);
	ck_assert_msg(j.v.accepted, "%s: %s", good[_i].file, j.v.detail);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		ck_assert_msg(!memmem(j.forward, j.forward_len, names[i], strlen(names[i])), "%s",
			      names[i]);
	fmp_evaluate_clear(&j);
	free(b.p);
}
END_TEST

/* Its signature was good, but it could not be forwarded: its sender may send it again. */
START_TEST(refused_is_no_replay)
{
	static const struct edit edit = { "MimeType=\"application/gzip\"",
					  "MimeType=\"multipart/x; boundary=&quot;BBx&quot;\"" };
	static const enum fmp_event_kind kinds[] = { FMP_EVENT_STRUCTURE, FMP_EVENT_STRUCTURE,
						     FMP_EVENT_GOOD, FMP_EVENT_REPLAY };
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCES);
	struct fmp_evaluator e = { .policy = policy, .n_services = 1 };
	struct bytes b = read_mime("encrypted-first"), bad_one = read_mime("encrypted-first");

	edit_message(&bad_one, &edit);
	cfg.trust = tests_path("interop/vectors/" DIR "pki/ca.crt");
	cfg.crl = tests_path("interop/vectors/" DIR "pki/crl.pem");
	cfg.order = ENCRYPT_SIGN;
	cfg.replay_entries = cfg.replay_per_signer = 16;
	policy->gateway.security = FMP_SECURITY_BCES;
	policy->gateway.limits = cfg.limits;
	e.service[0] = (struct fmp_evaluate_service){ .name = "",
						      .demands = &policy->gateway,
						      .inspector = make_inspector(&cfg) };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const struct bytes *sent = i < 2 ? &bad_one : &b;
		struct fmp_job job = { .body = sent->p, .len = sent->len, .content_type = SWA };
		struct fmp_evaluation j;

		fmp_evaluate(&e, &job, NOW, &j);
		ck_assert_msg(j.v.kind == kinds[i], "%zu: %s", i, j.v.detail);
		fmp_evaluate_clear(&j);
	}
	fmp_inspector_free(e.service[0].inspector);
	free(b.p);
	free(bad_one.p);
}
END_TEST

#define EXTRA	   "\r\n--BB\r\nContent-ID: <c@x>\r\n\r\nx\r\n--BB--"
#define REFERS(to) "CipherReference URI=\"" to "\""

static const struct {
	const char *file;
	bool is_empty;
	enum fmp_security security;
	enum fmp_order order;
	struct edit edit[3];
	enum fmp_event_kind kind;
	const char *detail;
} bad[] = {
	{ "as4", false, FMP_SECURITY_BCES, SIGN_ENCRYPT, { { 0 } }, FMP_EVENT_SOAP, "empty" },
	{ "as4", true, FMP_SECURITY_BCES, ENCRYPT_SIGN, { { 0 } }, FMP_EVENT_UNSIGNED, "" },
	{ "encrypted-first-empty",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { 0 } },
	  FMP_EVENT_UNSIGNED,
	  "" },
	{ "as4", true, FMP_SECURITY_BCS, SIGN_ENCRYPT, { { 0 } }, FMP_EVENT_UNSUPPORTED, "" },
	/* Which part is encrypted. */
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { "\r\n--BB--", EXTRA } },
	  FMP_EVENT_UNENCRYPTED,
	  "attachment 3 is not encrypted" },
	{ "encrypted",
	  false,
	  FMP_SECURITY_BCE,
	  SIGN_ENCRYPT,
	  { { "\r\n--BB--", EXTRA } },
	  FMP_EVENT_UNENCRYPTED,
	  "attachment 3 is not encrypted" },
	{ "encrypted",
	  false,
	  FMP_SECURITY_BCE,
	  SIGN_ENCRYPT,
	  { { "-ID: <b@x>", "-ID: <c@x>" } },
	  FMP_EVENT_WRAPPING,
	  "names no attachment" },
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { REFERS("cid:b@x"), REFERS("cid:a@x") } },
	  FMP_EVENT_WRAPPING,
	  "read otherwise, too" },
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { REFERS("cid:b@x"), REFERS("cid:r@x") } },
	  FMP_EVENT_WRAPPING,
	  "names no attachment" },
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { REFERS("cid:b@x"), REFERS("http://b/") } },
	  FMP_EVENT_WRAPPING,
	  "names no attachment" },
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { " URI=\"#ED-", " URI=\"#EX-" } },
	  FMP_EVENT_WRAPPING,
	  "the EncryptedKey is not for this" },
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { "-ID: <a@x>", "-ID: <c@x>" },
	    { "-ID: <b@x>", "-ID: <a@x>" },
	    { "-ID: <c@x>", "-ID: <b@x>" } },
	  FMP_EVENT_SIGNATURE,
	  "digest of an attachment" },
	{ "as4-complete",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { "-ID: <a@x>", "-ID: <c@x>" },
	    { "-ID: <b@x>", "-ID: <a@x>" },
	    { "-ID: <c@x>", "-ID: <b@x>" } },
	  FMP_EVENT_WRAPPING,
	  "has not its Content-ID" },
	{ "encrypted-complete",
	  false,
	  FMP_SECURITY_BCE,
	  SIGN_ENCRYPT,
	  { { "-ID: <a@x>", "-ID: <c@x>" },
	    { "-ID: <b@x>", "-ID: <a@x>" },
	    { "-ID: <c@x>", "-ID: <b@x>" } },
	  FMP_EVENT_WRAPPING,
	  "has not its Content-ID" },
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { "Content-Type: application/octet-stream",
	      "Content-Type: a/b\r\nContent-Transfer-Encoding: base64" } },
	  FMP_EVENT_UNSUPPORTED,
	  "Content-Transfer-Encoding" },
	/* Attributes of EncryptedData. */
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { TYPE "Content-Only", TYPE "Complete" } },
	  FMP_EVENT_DECRYPT,
	  "malformed MIME header" },
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { TYPE "Content-Only", TYPE "Some" } },
	  FMP_EVENT_ALGORITHM,
	  "EncryptedData of type" },
	{ "as4-complete",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { "application/gzip\" Type=\"" TYPE "Complete",
	      "application/gzip\" Type=\"" TYPE "Content-Only" } },
	  FMP_EVENT_SIGNATURE,
	  "digest of an attachment" },
	{ "encrypted-first",
	  false,
	  FMP_SECURITY_BCES,
	  ENCRYPT_SIGN,
	  { { TYPE "Content-Only", TYPE "Complete" } },
	  FMP_EVENT_DECRYPT,
	  "malformed MIME header" },
	{ "encrypted-first-complete",
	  false,
	  FMP_SECURITY_BCES,
	  ENCRYPT_SIGN,
	  { { TYPE "Complete", TYPE "Content-Only" } },
	  FMP_EVENT_WRAPPING,
	  "its Type is not signed" },
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { "MimeType=\"application/gzip\"", "MimeType=\"text/plain\"" } },
	  FMP_EVENT_SIGNATURE,
	  "digest of an attachment" },
	{ "encrypted",
	  false,
	  FMP_SECURITY_BCE,
	  SIGN_ENCRYPT,
	  { { "MimeType=\"application/gzip\"", "MimeType=\"a/b&#13;&#10;X: y\"" } },
	  FMP_EVENT_DECRYPT,
	  "malformed MimeType" },
	{ "encrypted",
	  false,
	  FMP_SECURITY_BCE,
	  SIGN_ENCRYPT,
	  { { "MimeType=\"application/gzip\"", "MimeType=\"a/b; c=&quot;--B&#66;&quot;\"" } },
	  FMP_EVENT_STRUCTURE,
	  "the boundary stands in what is forwarded" },
	/* A receiver that reads the part as a multipart would end it behind the parts that follow. */
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { "MimeType=\"application/gzip\"", "MimeType=\"multipart/mixed; boundary=BB\"" } },
	  FMP_EVENT_STRUCTURE,
	  "the boundary stands in what is forwarded" },
	{ "encrypted-first",
	  false,
	  FMP_SECURITY_BCES,
	  ENCRYPT_SIGN,
	  { { "MimeType=\"application/gzip\"",
	      "MimeType=\"Multipart/x; boundary=&quot;BBx&quot;\"" } },
	  FMP_EVENT_STRUCTURE,
	  "the boundary stands in what is forwarded" },
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { "Attachment-Ciphertext-Transform", "Attachment-Content-Signature-Transform" } },
	  FMP_EVENT_ALGORITHM,
	  "is not allowed for an encrypted attachment" },
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { "<xenc:CipherReference", "<xenc:CipherValue" },
	    { "</xenc:CipherReference", "</xenc:CipherValue" } },
	  FMP_EVENT_ALGORITHM,
	  "without a CipherReference" },
	{ "as4",
	  true,
	  FMP_SECURITY_BCES,
	  SIGN_ENCRYPT,
	  { { "xmlenc11#aes128-gcm", "xmlenc11#aes256-gcm" } },
	  FMP_EVENT_ALGORITHM,
	  "two kinds" },
	/* A MIME header that is signed in its encrypted form. */
	{ "encrypted-first-empty",
	  true,
	  FMP_SECURITY_BCES,
	  ENCRYPT_SIGN,
	  { { "Description: part a@x", "Description: part c@x" } },
	  FMP_EVENT_SIGNATURE,
	  "digest of an attachment" },
	{ "signed-complete",
	  false,
	  FMP_SECURITY_BCS,
	  SIGN_ENCRYPT,
	  { { "application/gzip", "application/zip" } },
	  FMP_EVENT_SIGNATURE,
	  "digest of an attachment" },
};

START_TEST(changed)
{
	struct bytes b = read_mime(bad[_i].file);
	struct fmp_evaluation j;

	for (size_t k = 0; k < 3 && bad[_i].edit[k].from; k++)
		edit_message(&b, &bad[_i].edit[k]);
	check_message(&b, bad[_i].is_empty ? pings : NULL, bad[_i].security, bad[_i].order, &j);
	ck_assert_msg(!j.v.accepted && strstr(j.v.detail, bad[_i].detail), "%s, %s: %s",
		      bad[_i].file, bad[_i].detail, j.v.detail);
	ck_assert_msg(j.v.kind == bad[_i].kind, "%s: %s: %s", bad[_i].file,
		      fmp_event_kind_name(j.v.kind), j.v.detail);
	fmp_evaluate_clear(&j);
	free(b.p);
}
END_TEST

/* Each byte of an encrypted part, one is cut off or added: there is one verdict. */
START_TEST(ciphertext)
{
	static const char head[] = "X-Other: a@x\r\n\r\n", end[] = "\r\n--BB\r\nContent";
	struct bytes b = read_mime(good[_i].file);
	char *from = (char *)memmem(b.p, b.len, head, strlen(head)) + strlen(head);
	char *to = memmem(from, (size_t)(b.p + b.len - from), end, strlen(end));
	bool is_signed = good[_i].order == ENCRYPT_SIGN;
	size_t n = (size_t)(to - from);

	for (size_t k = 0; k <= n; k += k < 40 || n - k < 20 ? 1 : 7) {
		struct bytes c = { malloc(b.len + 1), b.len };
		struct fmp_evaluation j;

		memcpy(c.p, b.p, b.len + 1);
		if (k < n) {
			c.p[from - b.p + (ptrdiff_t)k] ^= 0x40;
		} else {
			memmove(c.p + (to - b.p) - 1, c.p + (to - b.p), b.len - (size_t)(to - b.p));
			c.len--;
		}
		check_message(&c, good[_i].is_empty ? pings : NULL, good[_i].security,
			      good[_i].order, &j);
		ck_assert_msg(!j.v.accepted, "%s: byte %zu", good[_i].file, k);
		ck_assert_int_eq(j.v.kind, is_signed ? FMP_EVENT_SIGNATURE : FMP_EVENT_DECRYPT);
		if (!is_signed)
			ck_assert_str_eq(j.v.detail, "the message does not decrypt");
		fmp_evaluate_clear(&j);
		free(c.p);
	}
	free(b.p);
}
END_TEST

/* A receiver would put the part there twice, and none of it was looked at. */
START_TEST(encrypted_include)
{
	struct bytes b = read_mime("encrypted-include");
	struct fmp_evaluation j;

	check_message(&b, anything, FMP_SECURITY_BCE, SIGN_ENCRYPT, &j);
	ck_assert_msg(!j.v.accepted, "%.*s", (int)j.forward_len, (const char *)j.forward);
	ck_assert_msg(strstr(j.v.detail, "an xop:Include that is encrypted") != NULL, "%s",
		      j.v.detail);
	ck_assert_int_eq(j.v.kind, FMP_EVENT_UNSUPPORTED);
	fmp_evaluate_clear(&j);
	free(b.p);
}
END_TEST

static int write_file(char *path, const char *text)
{
	int fd = mkstemp(path);
	bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return written ? 0 : -1;
}

int main(void)
{
	TCase *tc = tcase_create("encrypted_attachments");
	struct fmp_error err;
	int failed;

	if (write_file(pings, wsdl) || write_file(anything, xsd) || fmp_inspect_global_init(&err))
		return EXIT_FAILURE;
	policy = fmp_policy_default();
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, decrypted, 0, sizeof(good) / sizeof(good[0]));
	/* Nothing is in the place of the one that is only signed. */
	tcase_add_loop_test(tc, fields_of_encrypted_bytes, 0, sizeof(good) / sizeof(good[0]) - 1);
	tcase_add_test(tc, refused_is_no_replay);
	tcase_add_loop_test(tc, changed, 0, sizeof(bad) / sizeof(bad[0]));
	/* Not the one that is only signed. */
	tcase_add_loop_test(tc, ciphertext, 0, sizeof(good) / sizeof(good[0]) - 1);
	tcase_add_test(tc, encrypted_include);
	failed = run_tcase("encrypted_attachments", tc);
	unlink(pings);
	unlink(anything);
	fmp_policy_free(policy);
	fmp_inspect_global_exit();
	return failed;
}
