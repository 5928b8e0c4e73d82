// SPDX-License-Identifier: GPL-2.0
/* Who signs more than must be signed is no attacker; what was moved stays one's. */
#include "encrypted_messages.h"
#include "run.h"

#define MUST " soapenv:mustUnderstand=\"1\""
#define AUTH_WITH(attributes, text)                                               \
	"<k:Auth xmlns:k=\"urn:k\" xmlns:soapenv=\"" SOAP11 "\" xmlns:wsu=\"" WSU \
	"\" wsu:Id=\"ah\"" attributes "><k:Session>" text "</k:Session></k:Auth>"
#define CANONICAL_OF(text)                                                               \
	"<k:Auth xmlns:k=\"urn:k\" xmlns:wsu=\"" WSU "\" wsu:Id=\"ah\"><k:Session>" text \
	"</k:Session></k:Auth>"
#define AUTH  CANONICAL_OF("1")
#define INNER "<k:Session xmlns:k=\"urn:k\" xmlns:wsu=\"" WSU "\" wsu:Id=\"in\">1</k:Session>"
#define OUTER "<k:Auth xmlns:k=\"urn:k\">" INNER "</k:Auth>"
#define BODY_BY(attribute) \
	"<soapenv:Body xmlns:soapenv=\"" SOAP11 "\" " attribute "=\"body\">" ORDER "</soapenv:Body>"
#define BODY_IN_ALL_WAYS                                              \
	"<soapenv:Body xmlns:soapenv=\"" SOAP11 "\" xmlns:wsu=\"" WSU \
	"\" Id=\"body\" wsu:Id=\"body\" xml:id=\"body\">" ORDER "</soapenv:Body>"
#define OTHERS                                                                           \
	"<o:Security xmlns:o=\"" WSSE "\" xmlns:soapenv=\"" SOAP11 "\" xmlns:wsu=\"" WSU \
	"\" soapenv:actor=\"urn:b\" wsu:Id=\"os\"></o:Security>"
#define EVIL		     SIGNED_BODY("evil", EVIL_ORDER)
#define MESSAGE_WITH(blocks) OPEN HEADER("@W" blocks) "@B" CLOSE

#define STRIP  FMP_HEADERS_STRIP
#define SIGNED FMP_HEADERS_SIGNED
#define ONLY   FMP_HEADERS_ONLY_SIGNED

static const struct {
	const char *name, *text, *info;
	enum fmp_headers headers;
	enum fmp_event_kind kind;
	const char *words; /* of the refusal, or of the output; "!": not in it */
} rows[] = {
	{ "a block, left out", MESSAGE_WITH(AUTH), INFO(REF("ah", AUTH)), STRIP, FMP_EVENT_GOOD,
	  "!urn:k" },
	{ "a block in the output", MESSAGE_WITH(AUTH), INFO(REF("ah", AUTH)), SIGNED,
	  FMP_EVENT_GOOD, "<env:Header>" AUTH "</env:Header>" },
	{ "a block, and none but signed ones", MESSAGE_WITH(AUTH), INFO(REF("ah", AUTH)), ONLY,
	  FMP_EVENT_GOOD, "<env:Header>" AUTH "</env:Header>" },
	{ "an altered block", MESSAGE_WITH(CANONICAL_OF("2")), INFO(REF("ah", AUTH)), STRIP,
	  FMP_EVENT_SIGNATURE, "the digest of Auth does not match" },
	{ "a block for another role", MESSAGE_WITH(AUTH_WITH(" soapenv:actor=\"urn:b\"", "1")),
	  INFO(REF("ah", AUTH_WITH(" soapenv:actor=\"urn:b\"", "1"))), SIGNED, FMP_EVENT_GOOD,
	  "!urn:k" },

	{ "one that must be understood", MESSAGE_WITH(AUTH_WITH(MUST, "1")),
	  INFO(REF("ah", AUTH_WITH(MUST, "1"))), SIGNED, FMP_EVENT_GOOD,
	  "<env:Header>" AUTH_WITH(MUST, "1") "</env:Header>" },
	{ "one that must be understood, left out", MESSAGE_WITH(AUTH_WITH(MUST, "1")),
	  INFO(REF("ah", AUTH_WITH(MUST, "1"))), STRIP, FMP_EVENT_UNSUPPORTED,
	  "header block Auth must be understood, but is not forwarded" },
	{ "one that must be understood, not signed", MESSAGE_WITH(AUTH_WITH(MUST, "1")), NULL,
	  SIGNED, FMP_EVENT_UNSIGNED, "header block Auth must be understood, but is not signed" },

	{ "an element of a block", MESSAGE_WITH(OUTER), INFO(REF("in", INNER)), STRIP,
	  FMP_EVENT_UNSUPPORTED, "Session (line 1) is signed, too" },
	{ "the Body by Id", OPEN HEADER("@W") BODY_BY("Id") CLOSE,
	  SIGNED_INFO(REF_TIME REF("body", BODY_BY("Id"))), STRIP, FMP_EVENT_UNSUPPORTED,
	  "the Reference to the Body is by another attribute than wsu:Id" },
	{ "a Security header for another role", MESSAGE_WITH(OTHERS), INFO(REF("os", OTHERS)),
	  STRIP, FMP_EVENT_UNSUPPORTED, "Security (line 1) is signed, too" },
	{ "the Body by id, and an element", OPEN HEADER("@W" OUTER) BODY_BY("id") CLOSE,
	  SIGNED_INFO(REF("in", INNER) REF_TIME REF("body", BODY_BY("id"))), STRIP,
	  FMP_EVENT_UNSUPPORTED, "Session (line 1) is signed, too" },
	{ "the Body in all ways", OPEN HEADER("@W") BODY_IN_ALL_WAYS CLOSE,
	  SIGNED_INFO(REF_TIME REF("body", BODY_IN_ALL_WAYS)), STRIP, FMP_EVENT_GOOD, "Body" },
	{ "the Body in all ways, and a block",
	  OPEN HEADER("@W<a Id='body'/>") BODY_IN_ALL_WAYS CLOSE,
	  SIGNED_INFO(REF_TIME REF("body", BODY_IN_ALL_WAYS)), STRIP, FMP_EVENT_WRAPPING,
	  "stands twice" },

	/* Real ones. */
	{ "the block is gone", MESSAGE_WITH(""), INFO(REF("ah", AUTH)), STRIP, FMP_EVENT_WRAPPING,
	  "a Reference is not to" },
	{ "the block's Id twice", MESSAGE_WITH(AUTH AUTH), INFO(REF("ah", AUTH)), SIGNED,
	  FMP_EVENT_WRAPPING, "stands twice" },
	{ "the block in a block", MESSAGE_WITH("<w xmlns=\"urn:w\">" AUTH "</w>"),
	  INFO(REF("ah", AUTH)), SIGNED, FMP_EVENT_UNSUPPORTED, "Auth (line 1) is signed, too" },
	{ "the Body as a block", OPEN HEADER("@W@B") EVIL CLOSE, NULL, STRIP, FMP_EVENT_WRAPPING,
	  "a Reference is not to" },
	{ "the Body in a block, behind an element", OPEN HEADER("@W" OUTER "<w>@B</w>") EVIL CLOSE,
	  SIGNED_INFO(REF("in", INNER) REF_TIME REF_BODY), STRIP, FMP_EVENT_WRAPPING,
	  "a Reference is not to" },
	{ "a block for the Body", OPEN HEADER("@W" AUTH) EVIL CLOSE,
	  SIGNED_INFO(REF_TIME REF("ah", AUTH)), SIGNED, FMP_EVENT_UNSIGNED,
	  "the Body is not signed" },
	{ "the Timestamp as a block", OPEN HEADER(SECURITY("@K@G") "@T") "@B" CLOSE, NULL, SIGNED,
	  FMP_EVENT_TIMESTAMP, "no Timestamp" },
	{ "an element for the Body", OPEN HEADER("@W" OUTER) EVIL CLOSE,
	  SIGNED_INFO(REF_TIME REF("in", INNER)), STRIP, FMP_EVENT_UNSIGNED,
	  "the Body is not signed" },
};

static struct fmp_inspection inspect_row(int n, bool xmlsec_only)
{
	struct attack a = { .variant = rows[n].name, .text = rows[n].text, .info = rows[n].info };
	struct encrypted_row row = { .security = FMP_SECURITY_BCS };
	struct fmp_inspect_config cfg = encrypted_config(&row);
	struct attack_bytes b = attack_make(pki, &a);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.headers = rows[n].headers;
	cfg.xmlsec_only = xmlsec_only;
	i = make_inspector(&cfg);
	v = inspect_bytes(i, b.p, b.len);
	fmp_inspector_free(i);
	free(b.p);
	return v;
}

START_TEST(more_is_signed)
{
	const char *words = rows[_i / 2].words;
	struct fmp_inspection v = inspect_row(_i / 2, _i % 2);
	bool absent = *words == '!';

	ck_assert_msg(v.kind == rows[_i / 2].kind && v.accepted == (v.kind == FMP_EVENT_GOOD),
		      "%s: %s: %s", rows[_i / 2].name, fmp_event_kind_name(v.kind), v.detail);
	if (v.accepted)
		ck_assert_msg(!memmem(v.forward, v.forward_len, words + absent,
				      strlen(words + absent)) == absent,
			      "%s: %.*s", rows[_i / 2].name, (int)v.forward_len,
			      (const char *)v.forward);
	else
		ck_assert_msg(strstr(v.detail, words) != NULL, "%s: %s", rows[_i / 2].name,
			      v.detail);
	fmp_inspection_clear(&v);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("signed_more");

	tcase_add_unchecked_fixture(tc, encrypted_setup, encrypted_teardown);
	tcase_add_loop_test(tc, more_is_signed, 0, 2 * COUNT(rows));
	return run_tcase("signed_more", tc);
}
