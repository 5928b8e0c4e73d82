// SPDX-License-Identifier: GPL-2.0
/* Header blocks that the policy names: understood, required, signed, forwarded. */
#include <libxml/tree.h>

#include <fmp/internal/observation.h>

#include "encrypted_messages.h"
#include "run.h"

#define MUST	"soapenv:mustUnderstand=\"1\""
#define EBMS	"http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/"
#define OCPP	"urn://Ocpp/Cs/2012/06/"
#define RM	"http://docs.oasis-open.org/ws-rx/wsrm/200702"
#define XROAD	"http://x-road.eu/xsd/xroad.xsd"
#define SALES	"urn:partner.soap.sforce.com"
#define ONVIF	"http://www.onvif.org/ver10/events/wsdl"
#define WSA2004 "http://schemas.xmlsoap.org/ws/2004/08/addressing"

/* In canonical form, as they are signed. */
#define APP(prefix, local, ns, id, more, content)                                   \
	"<" prefix ":" local " xmlns:" prefix "=\"" ns "\" xmlns:soapenv=\"" SOAP11 \
	"\" xmlns:wsu=\"" WSU "\" wsu:Id=\"" id "\" " more ">" content "</" prefix ":" local ">"
#define EB		  APP("eb", "Messaging", EBMS, "eb", MUST, "<eb:UserMessage></eb:UserMessage>")
/* AS4: no wsu:Timestamp, but a time of its own. */
#define UNIT(kind, times) "<eb:" kind "><eb:MessageInfo>" times "</eb:MessageInfo></eb:" kind ">"
#define AT(time)	  "<eb:Timestamp>" time "</eb:Timestamp>"
#define AS4(units)	  APP("eb", "Messaging", EBMS, "eb", MUST, units)
#define TIMELY		  AS4(UNIT("UserMessage", AT("2026-11-21T02:59:58.123Z")))
#define UNDATED(more)	  OPEN HEADER(SECURITY("@K@G") more) "@B" CLOSE
#define AS4_ROW(what, units, event, text)                                                       \
	{                                                                                       \
		"AS4, " what, UNDATED(AS4(units)), SIGNED_INFO(REF_BODY REF("eb", AS4(units))), \
			FMP_SECURITY_BCS, FMP_HEADERS_STRIP, 1,                                 \
			{ NAME(EBMS, "Messaging", .required = true) }, event, text              \
	}
#define SEQ    APP("rm", "Sequence", RM, "seq", MUST, "<rm:MessageNumber>1</rm:MessageNumber>")
#define ACK    APP("rm", "AckRequested", RM, "ack", MUST, "<rm:Identifier>urn:s</rm:Identifier>")
/* Written by the client as it likes: nobody signs it. */
#define CHARGE "<o:chargeBoxIdentity xmlns:o=\"" OCPP "\" " MUST ">CB1</o:chargeBoxIdentity>"
#define PLAIN(prefix, local, ns, content) \
	"<" prefix ":" local " xmlns:" prefix "=\"" ns "\">" content "</" prefix ":" local ">"
#define FOR_OTHER                                                                 \
	"<o:chargeBoxIdentity xmlns:o=\"" OCPP "\" soapenv:actor=\"urn:b\" " MUST \
	">CB1</o:chargeBoxIdentity>"
#define SUBSCRIPTION                                                                       \
	"<tev:SubscriptionId xmlns:tev=\"" ONVIF "\" xmlns:a=\"http://www.w3.org/2005/08/" \
	"addressing\" a:IsReferenceParameter=\"true\">7</tev:SubscriptionId>"
#define SIGNED_SUBSCRIPTION                                                                       \
	"<tev:SubscriptionId xmlns:a=\"http://www.w3.org/2005/08/addressing\" xmlns:tev=\"" ONVIF \
	"\" xmlns:wsu=\"" WSU                                                                     \
	"\" wsu:Id=\"sub\" a:IsReferenceParameter=\"true\">7</tev:SubscriptionId>"
#define SENT(blocks)  OPEN HEADER("@W" blocks) "@B" CLOSE
#define CLEAR(blocks) OPEN HEADER(blocks) "@B" CLOSE

#define NAME(uri, name, ...)                                                                   \
	{                                                                                      \
		.ns = uri, .local = name, .understood = true, .forwarded = true, ##__VA_ARGS__ \
	}
#define UNSIGNED_TOO .is_signed = FMP_HEADER_SIGNED_NO

static const struct row {
	const char *name, *text, *info;
	enum fmp_security security;
	enum fmp_headers headers;
	unsigned n;
	struct fmp_policy_header named[2];
	enum fmp_event_kind kind;
	const char *words; /* of the refusal, or of the output; "!": not in it */
} rows[] = {
	{ "ebMS3, named",
	  SENT(EB),
	  INFO(REF("eb", EB)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(EBMS, "Messaging", .required = true) },
	  FMP_EVENT_GOOD,
	  "<env:Header>" EB "</env:Header>" },
	AS4_ROW("its own time", UNIT("UserMessage", AT("2026-11-21T02:59:58.123Z")), FMP_EVENT_GOOD,
		"<env:Header>" TIMELY "</env:Header>"),
	AS4_ROW("with an offset, and a receipt",
		UNIT("SignalMessage", AT("2026-11-21T02:58:00Z"))
			UNIT("UserMessage", AT("2026-11-21T03:59:58+01:00")),
		FMP_EVENT_GOOD, "eb:SignalMessage"),
	AS4_ROW("an old time", UNIT("UserMessage", AT("2026-11-21T02:00:00Z")), FMP_EVENT_TIMESTAMP,
		"too old"),
	AS4_ROW("a time of the future", UNIT("UserMessage", AT("2026-11-21T04:00:00Z")),
		FMP_EVENT_TIMESTAMP, "from the future"),
	AS4_ROW("one of two is old",
		UNIT("UserMessage", AT("2026-11-21T03:00:00Z"))
			UNIT("SignalMessage", AT("2026-11-21T02:00:00Z")),
		FMP_EVENT_TIMESTAMP, "too old"),
	AS4_ROW("no time", UNIT("UserMessage", ""), FMP_EVENT_TIMESTAMP, "nor one of ebMS"),
	AS4_ROW("two times",
		UNIT("UserMessage", AT("2026-11-21T03:00:00Z") AT("2026-11-21T03:00:00Z")),
		FMP_EVENT_TIMESTAMP, "nor one of ebMS"),
	AS4_ROW("no time at all", UNIT("UserMessage", AT("yesterday")), FMP_EVENT_TIMESTAMP,
		"not a time of xs:dateTime"),
	AS4_ROW("no message", "", FMP_EVENT_TIMESTAMP, "nor one of ebMS"),
	{ "AS4, not signed",
	  UNDATED(TIMELY),
	  SIGNED_INFO(REF_BODY),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(EBMS, "Messaging", .required = true) },
	  FMP_EVENT_UNSIGNED,
	  "header block Messaging is not signed" },
	{ "AS4, may be unsigned",
	  UNDATED(TIMELY),
	  SIGNED_INFO(REF_BODY REF("eb", TIMELY)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(EBMS, "Messaging", UNSIGNED_TOO) },
	  FMP_EVENT_TIMESTAMP,
	  "no Timestamp in the Security header" },
	{ "AS4, not named",
	  UNDATED(TIMELY),
	  SIGNED_INFO(REF_BODY REF("eb", TIMELY)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_SIGNED,
	  0,
	  { NAME(OCPP, "*") },
	  FMP_EVENT_TIMESTAMP,
	  "no Timestamp in the Security header" },
	{ "AS4, a second block",
	  UNDATED(TIMELY PLAIN("eb", "Messaging", EBMS, "x")),
	  SIGNED_INFO(REF_BODY REF("eb", TIMELY)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(EBMS, "Messaging") },
	  FMP_EVENT_TIMESTAMP,
	  "no Timestamp in the Security header" },
	{ "ebMS3, not named",
	  SENT(EB),
	  INFO(REF("eb", EB)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(OCPP, "*") },
	  FMP_EVENT_UNSUPPORTED,
	  "Messaging must be understood" },
	{ "ebMS3, not understood",
	  SENT(EB),
	  INFO(REF("eb", EB)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { { .ns = EBMS, .local = "Messaging", .forwarded = true } },
	  FMP_EVENT_UNSUPPORTED,
	  "Messaging must be understood" },
	{ "ebMS3, required and missing",
	  SENT(""),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(EBMS, "Messaging", .required = true) },
	  FMP_EVENT_UNSIGNED,
	  "no header block Messaging" },
	{ "ebMS3, required and not signed",
	  SENT(EB),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(EBMS, "Messaging", .required = true) },
	  FMP_EVENT_UNSIGNED,
	  "header block Messaging is not signed" },
	{ "ebMS3, a second one beside the signed one",
	  SENT(EB PLAIN("eb", "Messaging", EBMS, "x")),
	  INFO(REF("eb", EB)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(EBMS, "Messaging", .required = true) },
	  FMP_EVENT_UNSIGNED,
	  "header block Messaging is not signed" },
	{ "required, twice, where unsigned ones pass",
	  SENT(CHARGE CHARGE),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(OCPP, "chargeBoxIdentity", .required = true, UNSIGNED_TOO) },
	  FMP_EVENT_WRAPPING,
	  "header block chargeBoxIdentity stands twice" },
	{ "ebMS3, in another block",
	  SENT("<w xmlns=\"urn:w\">" EB "</w>"),
	  INFO(REF("eb", EB)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(EBMS, "Messaging", .required = true) },
	  FMP_EVENT_UNSUPPORTED,
	  "is signed, too" },
	{ "the same prefix, another namespace",
	  SENT(APP("eb", "Messaging", "urn:evil", "eb", MUST, "")),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(EBMS, "Messaging") },
	  FMP_EVENT_UNSUPPORTED,
	  "Messaging must be understood" },
	{ "another prefix, the same namespace",
	  SENT(CHARGE),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(OCPP, "chargeBoxIdentity", UNSIGNED_TOO) },
	  FMP_EVENT_GOOD,
	  ">CB1</o:chargeBoxIdentity></env:Header>" },
	{ "OCPP, which must be signed by default",
	  SENT(CHARGE),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(OCPP, "chargeBoxIdentity") },
	  FMP_EVENT_UNSIGNED,
	  "chargeBoxIdentity is not signed" },
	{ "OCPP, for another role is none",
	  SENT(FOR_OTHER),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(OCPP, "chargeBoxIdentity", .required = true, UNSIGNED_TOO) },
	  FMP_EVENT_UNSIGNED,
	  "no header block chargeBoxIdentity" },
	{ "OCPP, for another role is not forwarded",
	  SENT(FOR_OTHER),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(OCPP, "chargeBoxIdentity", UNSIGNED_TOO) },
	  FMP_EVENT_GOOD,
	  "!Header" },
	{ "WS-ReliableMessaging, all of its namespace",
	  SENT(SEQ ACK),
	  INFO(REF("seq", SEQ) REF("ack", ACK)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(RM, "*") },
	  FMP_EVENT_GOOD,
	  "<env:Header>" SEQ ACK "</env:Header>" },
	{ "WS-ReliableMessaging, one of them kept",
	  SENT(SEQ ACK),
	  INFO(REF("seq", SEQ) REF("ack", ACK)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_SIGNED,
	  2,
	  { NAME(RM, "*"), { .ns = RM, .local = "AckRequested", .understood = true } },
	  FMP_EVENT_GOOD,
	  "<env:Header>" SEQ "</env:Header>" },
	{ "WS-Addressing and a reference parameter, without a word of the policy",
	  SENT(TO SIGNED_SUBSCRIPTION SEQ),
	  INFO(REF("to", TO) REF("sub", SIGNED_SUBSCRIPTION) REF("seq", SEQ)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_ADDRESSING,
	  1,
	  { { .ns = RM, .local = "*", .understood = true } },
	  FMP_EVENT_GOOD,
	  "<env:Header>" TO SIGNED_SUBSCRIPTION "</env:Header>" },
	{ "WS-Addressing that nobody signed",
	  SENT(TO),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_ADDRESSING,
	  1,
	  { NAME(RM, "*") },
	  FMP_EVENT_GOOD,
	  "!Header" },
	{ "X-Road, unsigned, beside a signed block",
	  SENT(EB PLAIN("x", "client", XROAD, "EE/GOV/1") PLAIN("x", "service", XROAD, "s")),
	  INFO(REF("eb", EB)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_SIGNED,
	  2,
	  { NAME(XROAD, "*", UNSIGNED_TOO), NAME(EBMS, "Messaging") },
	  FMP_EVENT_GOOD,
	  ">EE/GOV/1</x:client><x:service" },
	{ "X-Road, beside nothing but signed blocks",
	  SENT(PLAIN("x", "client", XROAD, "EE")),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_ONLY_SIGNED,
	  1,
	  { NAME(XROAD, "*", UNSIGNED_TOO) },
	  FMP_EVENT_GOOD,
	  ">EE</x:client></env:Header>" },
	{ "a prefix in a value keeps its namespace",
	  SENT("<x:id xmlns:x=\"" XROAD "\" t=\"p:T\" xmlns:p=\"urn:p\">p:v</x:id>"),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(XROAD, "id", UNSIGNED_TOO) },
	  FMP_EVENT_GOOD,
	  "xmlns:p=\"urn:p\"" },
	{ "Salesforce, in the clear",
	  CLEAR(PLAIN("s", "SessionHeader", SALES, "<s:sessionId>00D</s:sessionId>")),
	  NULL,
	  FMP_SECURITY_BC,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(SALES, "SessionHeader", .required = true) },
	  FMP_EVENT_GOOD,
	  "<s:sessionId>00D" },
	{ "Salesforce, missing",
	  CLEAR(""),
	  NULL,
	  FMP_SECURITY_BC,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(SALES, "SessionHeader", .required = true) },
	  FMP_EVENT_SOAP,
	  "no header block SessionHeader" },
	{ "Salesforce, twice",
	  CLEAR(PLAIN("s", "SessionHeader", SALES, "1") PLAIN("t", "SessionHeader", SALES, "2")),
	  NULL,
	  FMP_SECURITY_BC,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(SALES, "SessionHeader", .required = true) },
	  FMP_EVENT_SOAP,
	  "SessionHeader stands twice" },
	{ "in the clear, not forwarded",
	  CLEAR(PLAIN("x", "id", XROAD, "7") PLAIN("s", "SessionHeader", SALES, "1")),
	  NULL,
	  FMP_SECURITY_BC,
	  FMP_HEADERS_STRIP,
	  1,
	  { { .ns = XROAD, .local = "id", .understood = true } },
	  FMP_EVENT_GOOD,
	  "!xroad" },
	{ "of a header binding",
	  SENT(EB),
	  INFO(REF("eb", EB)),
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(EBMS, "Messaging", .bound = true) },
	  FMP_EVENT_GOOD,
	  "<env:Header>" EB "</env:Header>" },
	{ "of a header binding, not signed",
	  SENT(EB),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(EBMS, "Messaging", .bound = true) },
	  FMP_EVENT_UNSUPPORTED,
	  "must be understood, but is not signed" },
	{ "of a header binding, not signed, among signed ones",
	  SENT(EB),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_SIGNED,
	  1,
	  { NAME(EBMS, "Messaging", .bound = true) },
	  FMP_EVENT_UNSIGNED,
	  "must be understood, but is not signed" },
	{ "of a header binding, not signed, and none must understand it",
	  SENT(PLAIN("s", "SessionHeader", SALES, "1")),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(SALES, "SessionHeader", .bound = true) },
	  FMP_EVENT_GOOD,
	  "!SessionHeader" },
	{ "ONVIF, a reference parameter",
	  SENT(SUBSCRIPTION),
	  NULL,
	  FMP_SECURITY_BCS,
	  FMP_HEADERS_STRIP,
	  1,
	  { NAME(ONVIF, "SubscriptionId", UNSIGNED_TOO) },
	  FMP_EVENT_GOOD,
	  ">7</tev:SubscriptionId></env:Header>" },
	{ "ONVIF, a reference parameter in the clear",
	  CLEAR(SUBSCRIPTION),
	  NULL,
	  FMP_SECURITY_BC,
	  FMP_HEADERS_STRIP,
	  0,
	  { NAME("", "") },
	  FMP_EVENT_GOOD,
	  ">7</tev:SubscriptionId>" },
};

/* @bytes: for free(), after the output was looked at: it may point into the message */
static struct fmp_inspection inspect_row(const struct row *r, bool xmlsec_only, bool tree,
					 void **bytes)
{
	struct attack a = { .variant = r->name, .text = r->text, .info = r->info };
	struct encrypted_row row = { .security = r->security };
	struct fmp_inspect_config cfg = encrypted_config(&row);
	struct fmp_policy_headers named = { .n = r->n };
	struct attack_bytes b = attack_make(pki, &a);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.headers = r->headers;
	cfg.max_age_ms = 300000;
	memcpy(named.block, r->named, sizeof(r->named));
	cfg.header_blocks = named.n ? &named : NULL;
	cfg.xmlsec_only = xmlsec_only;
	cfg.tree = tree;
	i = make_inspector(&cfg);
	v = inspect_bytes(i, b.p, b.len);
	fmp_inspector_free(i);
	*bytes = b.p;
	return v;
}

START_TEST(named_blocks)
{
	void *bytes;
	const struct row *r = &rows[_i / 2];
	struct fmp_inspection v = inspect_row(r, _i % 2, false, &bytes);
	bool absent = *r->words == '!';

	if (r->kind) {
		ck_assert_msg(!v.accepted && v.kind == r->kind && strstr(v.detail, r->words),
			      "%s: %s (%s)", r->name, v.detail, fmp_event_kind_name(v.kind));
	} else {
		ck_assert_msg(v.accepted, "%s: %s", r->name, v.detail);
		ck_assert_msg(!memmem(v.forward, v.forward_len, r->words + absent,
				      strlen(r->words + absent)) == absent,
			      "%s: %.*s", r->name, (int)v.forward_len, (const char *)v.forward);
	}
	fmp_inspection_clear(&v);
	free(bytes);
}
END_TEST

/* A service in process finds the same blocks in its tree. */
START_TEST(named_blocks_in_a_tree)
{
	void *bytes;
	const struct row *r = &rows[_i];
	struct fmp_inspection v = inspect_row(r, false, true, &bytes);
	const xmlNode *header = NULL;

	ck_assert_msg(v.accepted == !r->kind, "%s: %s", r->name, v.detail);
	if (r->kind || r->security != FMP_SECURITY_BCS)
		goto out;
	header = v.tree.body->prev;
	if (*r->words == '!')
		ck_assert_msg(!header || !header->children, "%s", r->name);
	else
		ck_assert_msg(header && header->children, "%s", r->name);
out:
	fmp_inspection_clear(&v);
	free(bytes);
}
END_TEST

#define XA "<x:a xmlns:wsu=\"" WSU "\" xmlns:x=\"urn:x\" wsu:Id=\"xa\">1</x:a>"

/* What a good message had, and what became of it. */
static const struct observed_row {
	const char *name, *text, *info;
	enum fmp_security security;
	enum fmp_headers headers;
	unsigned turn, n;
	struct fmp_policy_header named[2];
	const char *seen;
} observed_rows[] = {
	{ "nothing", SENT(""), INFO(""), FMP_SECURITY_BCS, FMP_HEADERS_ADDRESSING, .seen = "" },
	{ "signed, but dropped", SENT(XA PLAIN("y", "b", "urn:y", "2")), INFO(REF("xa", XA)),
	  FMP_SECURITY_BCS, FMP_HEADERS_ADDRESSING,
	  .seen = "seen header={urn:x}a:signed:dropped header={urn:y}b:dropped" },
	{ "another first", SENT(XA PLAIN("y", "b", "urn:y", "2")), INFO(REF("xa", XA)),
	  FMP_SECURITY_BCS, FMP_HEADERS_ADDRESSING, .turn = 7,
	  .seen = "seen header={urn:y}b:dropped header={urn:x}a:signed:dropped" },
	{ "named and forwarded", SENT(EB PLAIN("y", "b", "urn:y", "2")), INFO(REF("eb", EB)),
	  FMP_SECURITY_BCS, FMP_HEADERS_STRIP, .n = 2,
	  .named = { NAME(EBMS, "Messaging"), NAME("urn:y", "b", UNSIGNED_TOO) },
	  .seen = "seen header={" EBMS "}Messaging:signed:must header={urn:y}b" },
	{ "for others, and of WS-Addressing",
	  SENT(FOR_OTHER PLAIN("a", "To", "http://www.w3.org/2005/08/addressing", "urn:b")),
	  INFO(""), FMP_SECURITY_BCS, FMP_HEADERS_ADDRESSING, .seen = "" },
	{ "all forwarded", CLEAR(PLAIN("y", "b", "urn:y", "2") CHARGE), NULL, FMP_SECURITY_BC,
	  FMP_HEADERS_ADDRESSING,
	  .seen = "seen header={urn:y}b header={" OCPP "}chargeBoxIdentity:must" },
	{ "taken away", CLEAR(PLAIN("y", "b", "urn:y", "2")), NULL, FMP_SECURITY_BC,
	  FMP_HEADERS_ADDRESSING, .n = 1,
	  .named = { { .ns = "urn:y", .local = "b", .understood = true } },
	  .seen = "seen header={urn:y}b:dropped" },
	{ "names that are not ASCII, and namespaces with quotes",
	  CLEAR("<y:\xc3\xbc xmlns:y=\"urn:y\"/><z:a xmlns:z=\"urn:'z\"/><z:a xmlns:z=\"urn:z\"/>"),
	  NULL, FMP_SECURITY_BC, FMP_HEADERS_ADDRESSING, .seen = "seen header={urn:z}a" },
};

START_TEST(observed_blocks)
{
	const struct observed_row *r = &observed_rows[_i];
	struct attack a = { .variant = r->name, .text = r->text, .info = r->info };
	struct encrypted_row row = { .security = r->security };
	struct fmp_inspect_config cfg = encrypted_config(&row);
	struct fmp_policy_headers named = { .n = r->n };
	struct attack_bytes b = attack_make(pki, &a);
	struct fmp_observation o = { .turn = r->turn };
	struct fmp_message m = {
		.bytes = b.p, .len = b.len, .now_s = VECTORS_NOW, .observation = &o
	};
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.headers = r->headers;
	memcpy(named.block, r->named, sizeof(r->named));
	cfg.header_blocks = named.n ? &named : NULL;
	i = make_inspector(&cfg);
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(v.accepted, "%s: %s", r->name, v.detail);
	ck_assert_msg(!strcmp(o.text, r->seen), "%s: %s", r->name, o.text);
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

/* A message of AS4 is accepted once, as one with a Timestamp is. */
START_TEST(copy_of_as4)
{
	struct attack a = { .variant = "as4",
			    .text = UNDATED(TIMELY),
			    .info = SIGNED_INFO(REF_BODY REF("eb", TIMELY)) };
	struct encrypted_row row = { .security = FMP_SECURITY_BCS };
	struct fmp_inspect_config cfg = encrypted_config(&row);
	const struct fmp_policy_headers named = { .n = 1, .block = { NAME(EBMS, "Messaging") } };
	struct attack_bytes b = attack_make(pki, &a);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.header_blocks = &named;
	cfg.max_age_ms = 300000;
	cfg.replay_entries = 16;
	cfg.replay_per_signer = 16;
	i = make_inspector(&cfg);
	for (int n = 0; n < 2; n++) {
		v = inspect_bytes(i, b.p, b.len);
		ck_assert_msg(v.kind == (n ? FMP_EVENT_REPLAY : FMP_EVENT_GOOD), "%d: %s", n,
			      v.detail);
		fmp_inspection_clear(&v);
	}
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

/* ---- header bindings of a WSDL ---- */

#define VECTORS "tests/interop/vectors/"

/* Write a copy of the orders' WSDL that binds eb:Messaging to the request. */
static void write_wsdl(const char *dir)
{
	char command[900];

	snprintf(command, sizeof(command),
		 "cp " VECTORS "orders.xsd %s/ && sed 's|<wsdl:portType|<wsdl:message name=\"h\">"
		 "<wsdl:part name=\"b\" element=\"eb:Messaging\" xmlns:eb=\"" EBMS
		 "\"/></wsdl:message>&|; s|</wsdl:input><wsdl:output><soap|<soap:header "
		 "message=\"tns:h\" part=\"b\" use=\"literal\"/>&|' " VECTORS
		 "orders.wsdl >%s/orders.wsdl",
		 dir, dir);
	ck_assert_int_eq(system(command), 0);
}

/* The policy names none, or this one otherwise: then it counts. */
START_TEST(blocks_of_bindings)
{
	char dir[] = "/tmp/fmp-headers.XXXXXX", schema[64], command[64];
	struct attack a = { .variant = "bound", .text = SENT(EB), .info = INFO(REF("eb", EB)) };
	struct encrypted_row row = { .security = FMP_SECURITY_BCS };
	struct fmp_inspect_config cfg = encrypted_config(&row);
	const struct fmp_policy_headers other = {
		.n = 1, .block = { { .ns = EBMS, .local = "*", .forwarded = false } }
	};
	struct attack_bytes b = attack_make(pki, &a);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	write_wsdl(dir);
	snprintf(schema, sizeof(schema), "%s/orders.wsdl", dir);
	if (_i)
		cfg.schema = schema;
	if (_i == 2)
		cfg.header_blocks = &other;
	i = make_inspector(&cfg);
	v = inspect_bytes(i, b.p, b.len);
	if (_i == 1)
		ck_assert_msg(v.accepted && memmem(v.forward, v.forward_len, EB, strlen(EB)), "%s",
			      v.detail);
	else
		ck_assert_msg(!v.accepted && v.kind == FMP_EVENT_UNSUPPORTED &&
				      strstr(v.detail, "Messaging must be understood"),
			      "%s", v.detail);
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
	free(b.p);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("named_headers");

	/* Once: most of the time went into the keys that it makes. */
	tcase_add_unchecked_fixture(tc, encrypted_setup, encrypted_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, copy_of_as4);
	tcase_add_loop_test(tc, observed_blocks, 0, COUNT(observed_rows));
	tcase_add_loop_test(tc, named_blocks, 0, 2 * COUNT(rows));
	tcase_add_loop_test(tc, named_blocks_in_a_tree, 0, COUNT(rows));
	tcase_add_loop_test(tc, blocks_of_bindings, 0, 3);
	return run_tcase("named_headers", tc);
}
