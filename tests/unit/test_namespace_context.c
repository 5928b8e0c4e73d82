// SPDX-License-Identifier: GPL-2.0
/* Names inside values mean the same in what is validated and in what is forwarded. */
#include <libxml/tree.h>

#include "encrypted_messages.h"
#include "xml/document.h"
#include "run.h"

#define XSD "http://www.w3.org/2001/XMLSchema"

static const char schema_text[] =
	"<xs:schema xmlns:xs='" XSD "' targetNamespace='urn:c' xmlns:c='urn:c' "
	"elementFormDefault='qualified'>"
	"<xs:complexType name='B'><xs:sequence/></xs:complexType>"
	"<xs:complexType name='D'><xs:complexContent><xs:extension base='c:B'>"
	"<xs:attribute name='x'/></xs:extension></xs:complexContent></xs:complexType>"
	"<xs:element name='op'><xs:complexType><xs:choice maxOccurs='unbounded'>"
	"<xs:element name='b' type='c:B'/><xs:element name='s' type='xs:string'/>%s"
	"<xs:any namespace='##other' processContents='skip'/></xs:choice>"
	"<xs:anyAttribute processContents='skip'/></xs:complexType></xs:element></xs:schema>";
#define NAME_TYPE "<xs:element name='q' type='xs:QName'/>"

static char plain_schema[64], name_schema[64];

static void make_schema(char *path, const char *more)
{
	char text[sizeof(schema_text) + sizeof(NAME_TYPE)];

	snprintf(text, sizeof(text), schema_text, more);
	write_temporary_file(strcpy(path, "/tmp/fmp-context.XXXXXX"), text);
}

static void setup(void)
{
	encrypted_setup();
	make_schema(plain_schema, "");
	make_schema(name_schema, NAME_TYPE);
}

static void teardown(void)
{
	unlink(plain_schema);
	unlink(name_schema);
	encrypted_teardown();
}

#define ABOVE(declared) "<soapenv:Envelope xmlns:soapenv=\"" SOAP11 "\" " declared ">"
#define SENT(declared, body) \
	ABOVE(declared) HEADER(SECURITY("@K@T@G")) SIGNED_BODY("body", body) CLOSE
#define LISTS(prefixes)                                                               \
	"<ds:Transform Algorithm=\"" EXC "\"><ec:InclusiveNamespaces xmlns:ec=\"" EXC \
	"\" PrefixList=\"" prefixes "\"></ec:InclusiveNamespaces></ds:Transform>"
#define INFO_OF(transform, body) \
	SIGNED_INFO(REF_TIME REFERENCE(" URI=\"#body\"", transform, XENC "sha256", "@(" body "@)"))
#define AS(body) INFO_OF(TRANSFORM(EXC), SIGNED_BODY("body", body))
#define BODY_WITH(declared, body)                                                 \
	"<soapenv:Body " declared "xmlns:soapenv=\"" SOAP11 "\" xmlns:wsu=\"" WSU \
	"\" wsu:Id=\"body\">" body "</soapenv:Body>"
#define OP(x)	 "<c:op xmlns:c=\"urn:c\">" x "</c:op>"
#define TYPED(x) OP("<c:b xmlns:xsi=\"" XSI "\" xsi:type=\"" x "\"></c:b>")
#define ANY_QNAME(x)                                                      \
	OP("<o:x xmlns:o=\"urn:o\" xmlns:xs=\"" XSD "\" xmlns:xsi=\"" XSI \
	   "\" xsi:type=\"xs:QName\">" x "</o:x>")
#define STRING(x)  OP("<c:s>" x "</c:s>")
#define UNDECLARED "prefix p in a value of"

/* Both are templates. kind GOOD: it is accepted. */
static const struct row {
	const char *name, *sent, *info;
	enum fmp_event_kind kind;
	const char *words;
} rows[] = {
	{ "a type, declared and used inside", SENT("", TYPED("c:D")), AS(TYPED("c:D")), 0, "" },
	{ "a type of the Envelope's prefix", SENT("xmlns:p='urn:c'", TYPED("p:D")),
	  AS(TYPED("p:D")), FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "a type of the Body's prefix",
	  ABOVE("") HEADER(SECURITY("@K@T@G")) BODY_WITH("xmlns:p=\"urn:c\" ", TYPED("p:D")) CLOSE,
	  AS(TYPED("p:D")), FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "a type of a prefix that is listed", SENT("xmlns:p='urn:c'", TYPED("p:D")),
	  INFO_OF(LISTS("p"), BODY_WITH("xmlns:p=\"urn:c\" ", TYPED("p:D"))), 0, "" },
	{ "a type whose prefix was bound anew on the way",
	  SENT("", OP("<c:b xmlns:xsi='" XSI "' xmlns:p='urn:c' xsi:type='p:D'/>"
		      "<p:x xmlns:p='urn:other'/>")),
	  AS(OP("<c:b xmlns:xsi=\"" XSI "\" xsi:type=\"p:D\"></c:b>"
		"<p:x xmlns:p=\"urn:other\"></p:x>")),
	  FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "a prefix that the sibling alone uses",
	  SENT("xmlns:p='urn:c'", OP("<c:b xmlns:xsi='" XSI "' xsi:type='p:D'/><p:s>a</p:s>")),
	  AS(OP("<c:b xmlns:xsi=\"" XSI "\" xsi:type=\"p:D\"></c:b>"
		"<p:s xmlns:p=\"urn:c\">a</p:s>")),
	  FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "a type in a default namespace that is not signed", SENT("xmlns='urn:c'", TYPED("D")),
	  AS(TYPED("D")), FMP_EVENT_UNSUPPORTED, "default namespace" },
	{ "a type in the default namespace",
	  SENT("", "<op xmlns=\"urn:c\"><b xmlns:xsi=\"" XSI "\" xsi:type=\"D\"></b></op>"),
	  AS("<op xmlns=\"urn:c\"><b xmlns:xsi=\"" XSI "\" xsi:type=\"D\"></b></op>"), 0, "" },
	{ "the new Envelope's prefix, of another namespace",
	  SENT("xmlns:env='urn:c'", STRING("env:D")), AS(STRING("env:D")), FMP_EVENT_UNSUPPORTED,
	  "prefix env" },
	{ "the new Envelope's prefix, of the same", SENT("xmlns:env='" SOAP11 "'", STRING("env:D")),
	  AS(STRING("env:D")), 0, "" },
	{ "an expression", SENT("xmlns:p='urn:p'", STRING("a/p:Video//. b")),
	  AS(STRING("a/p:Video//. b")), FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "a step of an axis", SENT("xmlns:p='urn:p'", STRING("a/child::p:x")),
	  AS(STRING("a/child::p:x")), FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "all names of a namespace", SENT("xmlns:p='urn:p'", STRING("a/p:*")), AS(STRING("a/p:*")),
	  FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "a negative number", SENT("xmlns:p='urn:p'", STRING("a[-p:x]")), AS(STRING("a[-p:x]")),
	  FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "a difference", SENT("xmlns:p='urn:p'", STRING("a[1-p:x]")), AS(STRING("a[1-p:x]")),
	  FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "an attribute",
	  SENT("xmlns:p='urn:p'", "<c:op xmlns:c=\"urn:c\" a=\"p:x\"><c:s></c:s></c:op>"),
	  AS("<c:op xmlns:c=\"urn:c\" a=\"p:x\"><c:s></c:s></c:op>"), FMP_EVENT_UNSUPPORTED,
	  UNDECLARED },
	{ "a name that a comment parts", SENT("xmlns:p='urn:p'", STRING("p<!-- -->:x")),
	  AS(STRING("p:x")), FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "a name in CDATA", SENT("xmlns:p='urn:p'", STRING("<![CDATA[p:x]]>")), AS(STRING("p:x")),
	  FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "a name of references", SENT("xmlns:p='urn:p'", STRING("&#112;&#58;x")),
	  AS(STRING("p:x")), FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "content that nobody validates",
	  SENT("xmlns:p='urn:p'", OP("<o:x xmlns:o=\"urn:o\">p:x</o:x>")),
	  AS(OP("<o:x xmlns:o=\"urn:o\">p:x</o:x>")), FMP_EVENT_UNSUPPORTED, UNDECLARED },
	{ "a prefix that is not declared", SENT("", STRING("p:x 12:30 a:b::c")),
	  AS(STRING("p:x 12:30 a:b::c")), 0, "" },
	{ "a URI", SENT("xmlns:urn='urn:p' xmlns:p='urn:p'", STRING("urn:a p://x p::x p: x")),
	  AS(STRING("urn:a p://x p::x p: x")), 0, "" },
	{ "the same prefix again", SENT("xmlns:p='urn:p'", OP("<p:y xmlns:p=\"urn:p\">p:x</p:y>")),
	  AS(OP("<p:y xmlns:p=\"urn:p\">p:x</p:y>")), 0, "" },
	{ "a word", SENT("xmlns='urn:p'", STRING("word")), AS(STRING("word")), 0, "" },
	{ "a QName in a default namespace that is not signed",
	  SENT("xmlns='urn:p'", OP("<c:q>word</c:q>")), AS(OP("<c:q>word</c:q>")),
	  FMP_EVENT_UNSUPPORTED, "default namespace" },
	{ "a QName in none", SENT("", OP("<c:q>word</c:q>")), AS(OP("<c:q>word</c:q>")), 0, "" },
	{ "a QName", SENT("xmlns:urn='urn:p'", OP("<c:q>urn:x</c:q>")), AS(OP("<c:q>urn:x</c:q>")),
	  FMP_EVENT_UNSUPPORTED, "prefix urn" },
	{ "a QName by its xsi:type", SENT("xmlns='urn:p'", ANY_QNAME("word")),
	  INFO_OF(LISTS("xs"), SIGNED_BODY("body", ANY_QNAME("word"))), FMP_EVENT_UNSUPPORTED,
	  "default namespace" },
	{ "a QName by its xsi:type, of a scheme", SENT("xmlns:urn='urn:p'", ANY_QNAME("urn:x")),
	  INFO_OF(LISTS("xs"), SIGNED_BODY("body", ANY_QNAME("urn:x"))), FMP_EVENT_UNSUPPORTED,
	  "prefix urn" },
	{ "a language of the Envelope", SENT("xml:lang='de'", STRING("a")), AS(STRING("a")),
	  FMP_EVENT_UNSUPPORTED, "xml:lang of Envelope" },
	{ "a base of the Envelope", SENT("xml:base='http://a/'", STRING("a")), AS(STRING("a")),
	  FMP_EVENT_UNSUPPORTED, "xml:base of Envelope" },
};

static struct fmp_inspection inspect_row(const struct row *r, bool tree, bool xmlsec_only)
{
	const struct encrypted_row message = {
		.name = r->name, .security = FMP_SECURITY_BCS, .text = r->sent, .info = r->info
	};
	struct fmp_inspect_config cfg = encrypted_config(&message);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.schema = strstr(r->info, "<c:q>") ? name_schema : plain_schema;
	cfg.tree = tree;
	cfg.xmlsec_only = xmlsec_only;
	i = make_inspector(&cfg);
	v = inspect_encrypted_with(i, &message);
	fmp_inspector_free(i);
	return v;
}

START_TEST(the_same_names)
{
	const struct row *r = &rows[_i / 4];
	struct fmp_inspection v = inspect_row(r, _i & 1, _i & 2);

	if (r->kind)
		ck_assert_msg(!v.accepted && v.kind == r->kind && strstr(v.detail, r->words),
			      "%s: %s", r->name, v.accepted ? "accepted" : v.detail);
	else
		ck_assert_msg(v.accepted, "%s: %s", r->name, v.detail);
	fmp_inspection_clear(&v);
}
END_TEST

/* What a service reads that a listed prefix stands for. */
START_TEST(a_listed_prefix_is_forwarded)
{
	const struct row *r = &rows[3];

	for (int tree = 0; tree < 2; tree++) {
		struct fmp_inspection v = inspect_row(r, tree, false);
		xmlDoc *doc = tree ? v.tree.doc
				   : xmlReadMemory(v.forward, (int)v.forward_len, NULL, NULL, 0);
		xmlNode *root = xmlDocGetRootElement(doc), *n;
		xmlNs *ns;

		for (n = root; n && strcmp((const char *)n->name, "b") != 0;)
			n = fmpi_walk_next(root, n);
		ck_assert_ptr_nonnull(n);
		ns = xmlSearchNs(doc, n, BAD_CAST "p");
		ck_assert_ptr_nonnull(ns);
		ck_assert_str_eq((const char *)ns->href, "urn:c");
		if (!tree)
			xmlFreeDoc(doc);
		fmp_inspection_clear(&v);
	}
}
END_TEST

/* A signed block of WS-Addressing is forwarded alone, like the Body. */
#define BLOCK_OF(x) ADDRESS("ReplyTo", "rt", x)
#define ANONYMOUS   "<wsa:Address>" WSA "/anonymous</wsa:Address>"
#define PARAMETER   "<wsa:ReferenceParameters><x xmlns=\"urn:x\">p:x</x></wsa:ReferenceParameters>"

START_TEST(header_blocks_too)
{
	const struct encrypted_row message = {
		.name = "a block",
		.security = FMP_SECURITY_BCS,
		.text = ABOVE("xmlns:p='urn:p'")
			HEADER(SECURITY("@K@T@G") BLOCK_OF(ANONYMOUS PARAMETER))
				SIGNED_BODY("body", STRING("a")) CLOSE,
		.info = SIGNED_INFO(REF_TIME REF("body", SIGNED_BODY("body", STRING("a")))
					    REF("rt", BLOCK_OF(ANONYMOUS PARAMETER)))
	};
	struct fmp_inspect_config cfg = encrypted_config(&message);

	cfg.schema = plain_schema;
	for (int headers = 0; headers < 2; headers++) {
		struct fmp_inspector *i;
		struct fmp_inspection v;

		cfg.headers = headers ? FMP_HEADERS_SIGNED : FMP_HEADERS_STRIP;
		i = make_inspector(&cfg);
		v = inspect_encrypted_with(i, &message);
		if (headers)
			ck_assert_msg(!v.accepted && strstr(v.detail, UNDECLARED), "%s", v.detail);
		else
			ck_assert_msg(v.accepted, "%s", v.detail);
		fmp_inspection_clear(&v);
		fmp_inspector_free(i);
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("context");

	tcase_add_unchecked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, the_same_names, 0, 4 * COUNT(rows));
	tcase_add_test(tc, a_listed_prefix_is_forwarded);
	tcase_add_test(tc, header_blocks_too);
	return run_tcase("context", tc);
}
