// SPDX-License-Identifier: GPL-2.0
/*
 * The Security header: a good message with one thing changed in it, and the reason
 * for which it must be refused. All of it is found before any cryptography.
 */
#include "xml/names.h"
#include "run.h"
#include "vectors.h"

#define C14N	  "http://www.w3.org/2001/10/xml-exc-c14n#"
#define DS	  "http://www.w3.org/2000/09/xmldsig#"
#define DSMORE	  "http://www.w3.org/2001/04/xmldsig-more#"
#define BODY_ID	  "id-1859b294-744e-4503-af08-54fb3ffed7d9"
#define TS_ID	  "TS-762229e0-6e73-4b41-a05f-b0d2c4787ea8"
#define BST_ID	  "X509-6ffaef7d-ee04-4d18-b886-5062a7c1e11c"
#define RSA256	  "\"" DSMORE "rsa-sha256\""
#define BODY_REF  "<ds:Reference URI=\"#" BODY_ID "\">"
#define TRANSFORM "<ds:Transform Algorithm=\"" C14N "\"/>"
#define STR_REF	  "<wsse:Reference URI=\"#" BST_ID "\""

struct edit {
	const char *name, *from, *to;
	enum fmp_event_kind kind;
};

/* The first `from` in the message becomes `to`. */
static struct bytes edit_file(const char *file, const char *from, const char *to)
{
	return edit_bytes(read_vector(file), from, to);
}

static const struct edit signature_edits[] = {
	{ "two Security headers", "</wsse:Security>",
	  "</wsse:Security><wsse:Security xmlns:wsse="
	  "\"http://docs.oasis-open.org/wss/2004/01/"
	  "oasis-200401-wss-wssecurity-secext-1.0.xsd\"/>",
	  FMP_EVENT_WRAPPING },
	{ "two Timestamps", "<wsu:Timestamp ", "<wsu:Timestamp/><wsu:Timestamp ",
	  FMP_EVENT_WRAPPING },
	{ "three tokens", "<ds:Signature ",
	  "<wsse:BinarySecurityToken/><wsse:BinarySecurityToken/><ds:Signature ",
	  FMP_EVENT_WRAPPING },
	{ "a user name", "<ds:Signature ", "<wsse:UsernameToken/><ds:Signature ",
	  FMP_EVENT_UNSUPPORTED },
	/* Legal, and of features that are not supported. */
	{ "a SecurityContextToken", "<ds:Signature ",
	  "<c:SecurityContextToken "
	  "xmlns:c=\"http://docs.oasis-open.org/ws-sx/ws-secureconversation/200512\"/>"
	  "<ds:Signature ",
	  FMP_EVENT_UNSUPPORTED },
	{ "an assertion of SAML 1.1", "<ds:Signature ",
	  "<Assertion xmlns=\"urn:oasis:names:tc:SAML:1.0:assertion\"/><ds:Signature ",
	  FMP_EVENT_UNSUPPORTED },
	{ "an encrypted token or Signature", "<ds:Signature ",
	  "<x:EncryptedData xmlns:x=\"http://www.w3.org/2001/04/xmlenc#\"/><ds:Signature ",
	  FMP_EVENT_UNSUPPORTED },
	{ "an encrypted assertion", "<ds:Signature ",
	  "<EncryptedAssertion xmlns=\"urn:oasis:names:tc:SAML:2.0:assertion\"/><ds:Signature ",
	  FMP_EVENT_UNSUPPORTED },
	{ "a derived key", "<ds:Signature ",
	  "<DerivedKey xmlns=\"http://www.w3.org/2009/xmlenc11#\"/><ds:Signature ",
	  FMP_EVENT_UNSUPPORTED },
	{ "what nobody knows", "<ds:Signature ", "<x xmlns=\"urn:x\"/><ds:Signature ",
	  FMP_EVENT_TOKEN },
	{ "a malformed endorsing Signature", "</ds:Signature>",
	  "</ds:Signature><ds:Signature xmlns:ds=\"" DS "\"><ds:SignedInfo><ds:Reference "
	  "URI=\"#SIG-51903b98-8274-4e52-b812-17a4deadd4f1\"/></ds:SignedInfo></ds:Signature>",
	  FMP_EVENT_SIGNATURE },
	{ "a second Signature", "</ds:Signature>",
	  "</ds:Signature><ds:Signature xmlns:ds=\"" DS "\"/>", FMP_EVENT_WRAPPING },
	{ "two user names beside a Signature", "<ds:Signature ",
	  "<wsse:UsernameToken/><wsse:UsernameToken/><ds:Signature ", FMP_EVENT_WRAPPING },
	{ "Ed448", RSA256, "\"http://www.w3.org/2021/04/xmldsig-more#eddsa-ed448\"",
	  FMP_EVENT_UNSUPPORTED },
	{ "SHA-3", "http://www.w3.org/2001/04/xmlenc#sha256",
	  "http://www.w3.org/2007/05/xmldsig-more#sha3-256", FMP_EVENT_UNSUPPORTED },
	{ "STR-Transform", TRANSFORM,
	  "<ds:Transform Algorithm=\"http://docs.oasis-open.org/wss/2004/01/"
	  "oasis-200401-wss-soap-message-security-1.0#STR-Transform\"/>",
	  FMP_EVENT_UNSUPPORTED },
	{ "no Transforms", "<ds:Transforms>" TRANSFORM "</ds:Transforms>", "",
	  FMP_EVENT_UNSUPPORTED },
	{ "text in the header", "<ds:Signature ", "x<ds:Signature ", FMP_EVENT_SOAP },
	{ "an unsigned block that must be understood", "<soapenv:Header>",
	  "<soapenv:Header><x xmlns=\"urn:x\" soapenv:mustUnderstand=\"1\"/>",
	  FMP_EVENT_UNSUPPORTED },
	{ "an Object", "</ds:Signature>", "<ds:Object/></ds:Signature>", FMP_EVENT_WRAPPING },
	{ "HMAC", RSA256, "\"" DSMORE "hmac-sha256\"", FMP_EVENT_ALGORITHM },
	{ "RSA with MD5", RSA256, "\"" DSMORE "rsa-md5\"", FMP_EVENT_ALGORITHM },
	{ "Ed25519 with a key of RSA", RSA256,
	  "\"http://www.w3.org/2021/04/xmldsig-more#eddsa-ed25519\"", FMP_EVENT_ALGORITHM },
	{ "the other kind of key", RSA256, "\"" DSMORE "ecdsa-sha256\"", FMP_EVENT_ALGORITHM },
	{ "SHA-1 digest", "http://www.w3.org/2001/04/xmlenc#sha256", DS "sha1",
	  FMP_EVENT_ALGORITHM },
	{ "a parameter of the method", "<ds:SignatureMethod Algorithm=" RSA256 "/>",
	  "<ds:SignatureMethod Algorithm=" RSA256
	  "><ds:HMACOutputLength>1</ds:HMACOutputLength></ds:SignatureMethod>",
	  FMP_EVENT_SIGNATURE },
	{ "inclusive canonical form", "<ds:Transform Algorithm=\"" C14N "\"/>",
	  "<ds:Transform Algorithm=\"http://www.w3.org/TR/2001/REC-xml-c14n-20010315\"/>",
	  FMP_EVENT_UNSUPPORTED },
	{ "canonical form with comments", "<ds:CanonicalizationMethod Algorithm=\"" C14N "\"",
	  "<ds:CanonicalizationMethod Algorithm=\"" C14N "WithComments\"", FMP_EVENT_UNSUPPORTED },
	{ "XPath", TRANSFORM,
	  "<ds:Transform Algorithm=\"http://www.w3.org/TR/1999/REC-xpath-19991116\">"
	  "<ds:XPath>false()</ds:XPath></ds:Transform>",
	  FMP_EVENT_ALGORITHM },
	{ "enveloped signature", TRANSFORM,
	  "<ds:Transform Algorithm=\"" DS "enveloped-signature\"/>", FMP_EVENT_ALGORITHM },
	{ "a signed attachment", TRANSFORM,
	  "<ds:Transform Algorithm=\"http://docs.oasis-open.org/wss/oasis-wss-SwAProfile-1.1#"
	  "Attachment-Content-Signature-Transform\"/>",
	  FMP_EVENT_UNSUPPORTED },
	{ "no Transform", TRANSFORM, "", FMP_EVENT_SIGNATURE },
	{ "two Transforms", TRANSFORM, TRANSFORM TRANSFORM, FMP_EVENT_ALGORITHM },
	{ "the whole document", BODY_REF, "<ds:Reference URI=\"\">", FMP_EVENT_WRAPPING },
	{ "no URI", BODY_REF, "<ds:Reference>", FMP_EVENT_WRAPPING },
	{ "an XPointer", BODY_REF, "<ds:Reference URI=\"#xpointer(id('" BODY_ID "'))\">",
	  FMP_EVENT_WRAPPING },
	{ "a file", BODY_REF, "<ds:Reference URI=\"file:///etc/passwd\">", FMP_EVENT_WRAPPING },
	{ "another host", BODY_REF, "<ds:Reference URI=\"http://192.0.2.1/x\">",
	  FMP_EVENT_WRAPPING },
	{ "an Id of nothing", BODY_REF, "<ds:Reference URI=\"#nothing\">", FMP_EVENT_WRAPPING },
	{ "the Timestamp twice", BODY_REF, "<ds:Reference URI=\"#" TS_ID "\">",
	  FMP_EVENT_WRAPPING },
	{ "the token for the Body", BODY_REF, "<ds:Reference URI=\"#" BST_ID "\">",
	  FMP_EVENT_UNSIGNED },
	{ "the token for the Timestamp", "<ds:Reference URI=\"#" TS_ID "\">",
	  "<ds:Reference URI=\"#" BST_ID "\">", FMP_EVENT_UNSIGNED },
	{ "the same Id as xml:id", "<submitOrder ", "<submitOrder xml:id=\"" BODY_ID "\" ",
	  FMP_EVENT_SCHEMA },
	{ "the same Id as xml:id in the header", "<soapenv:Header>",
	  "<soapenv:Header><x xmlns=\"\" xml:id=\"" BODY_ID "\"/>", FMP_EVENT_WRAPPING },
	{ "the same Id as ID", "<soapenv:Header>",
	  "<soapenv:Header><x xmlns=\"\" ID=\"" TS_ID "\"/>", FMP_EVENT_WRAPPING },
	{ "the same Id as AssertionID", "<soapenv:Header>",
	  "<soapenv:Header><x xmlns=\"\" AssertionID=\"" BST_ID "\"/>", FMP_EVENT_WRAPPING },
	{ "the same Id on the Signature", "Id=\"SIG-51903b98-8274-4e52-b812-17a4deadd4f1\"",
	  "Id=\"" BODY_ID "\"", FMP_EVENT_WRAPPING },
	{ "two URIs", BODY_REF,
	  "<ds:Reference xmlns:x=\"urn:x\" x:URI=\"#" TS_ID "\" URI=\"#" BODY_ID "\">",
	  FMP_EVENT_WRAPPING },
	{ "two URIs, the right one first", BODY_REF,
	  "<ds:Reference URI=\"#" BODY_ID "\" xml:URI=\"\">", FMP_EVENT_WRAPPING },
	{ "two Algorithms", "<ds:Transform ", "<ds:Transform xml:Algorithm=\"" DS "base64\" ",
	  FMP_EVENT_WRAPPING },
	{ "two Types", BODY_REF, "<ds:Reference Type=\"a\" xml:Type=\"b\" URI=\"#" BODY_ID "\">",
	  FMP_EVENT_WRAPPING },
	{ "two PrefixLists",
	  "PrefixList=", "xml:PrefixList=\"wsu\" PrefixList=", FMP_EVENT_WRAPPING },
	{ "two Ids of the Signature", "<ds:Signature ", "<ds:Signature xml:Id=\"x\" ",
	  FMP_EVENT_WRAPPING },
	{ "an Algorithm of another namespace",
	  "<ds:Transform Algorithm=", "<ds:Transform xml:Algorithm=", FMP_EVENT_SIGNATURE },
	{ "a key by identifier", STR_REF, "<wsse:KeyIdentifier URI=\"#" BST_ID "\"",
	  FMP_EVENT_TOKEN },
	{ "a token elsewhere", STR_REF, "<wsse:Reference URI=\"#elsewhere\"", FMP_EVENT_TOKEN },
	{ "the Body as token", STR_REF, "<wsse:Reference URI=\"#" BODY_ID "\"", FMP_EVENT_TOKEN },
	{ "a certificate as a chain", "x509-token-profile-1.0#X509v3\" wsu:Id",
	  "x509-token-profile-1.0#X509PKIPathv1\" wsu:Id", FMP_EVENT_TOKEN },
	{ "a token that is no Base64", ">MIIDQzCC", ">!!!!QzCC", FMP_EVENT_TOKEN },
	{ "a token that is no certificate", ">MIIDQzCC", ">AAAAQzCC", FMP_EVENT_TOKEN },
	{ "bytes behind the certificate", "+bg=</wsse:Binary", "+bgA</wsse:Binary",
	  FMP_EVENT_TOKEN },
	{ "elements in the token", ">MIIDQzCC", "><x/>MIIDQzCC", FMP_EVENT_TOKEN },
	{ "no Created", "<wsu:Created>2026-11-21T01:56:47.952Z</wsu:Created>", "",
	  FMP_EVENT_TIMESTAMP },
	{ "two Expires", "</wsu:Expires>",
	  "</wsu:Expires><wsu:Expires>"
	  "2046-11-16T01:56:47.952Z</wsu:Expires>",
	  FMP_EVENT_TIMESTAMP },
	{ "a comment in Created", "2026-11-21T01:56", "2026-<!---->11-21T01:56",
	  FMP_EVENT_TIMESTAMP },
	{ "local time", "47.952Z", "47.952+01:00", FMP_EVENT_SIGNATURE },
	{ "local time without a colon", "47.952Z", "47.952+0100", FMP_EVENT_TIMESTAMP },
	{ "something else in the Timestamp", "<wsu:Created>", "<wsu:Other/><wsu:Created>",
	  FMP_EVENT_TIMESTAMP },
};

static void expect_refused(const char *file, enum fmp_security security, const struct edit *e)
{
	struct fmp_inspector *i = inspector_for(file, security);
	struct bytes b = edit_file(file, e->from, e->to);
	struct fmp_inspection v = inspect_bytes(i, b.p, b.len);

	ck_assert_msg(!v.accepted, "%s: accepted", e->name);
	ck_assert_msg(v.kind == e->kind, "%s: step %s, kind %d: %s", e->name, fmp_step_name(v.step),
		      v.kind, v.detail);
	fmp_inspector_free(i);
	free(b.p);
}

START_TEST(signature_refusals)
{
	expect_refused("good/wss4j-rsa2048-1k.xml", FMP_SECURITY_BCS, &signature_edits[_i]);
}
END_TEST

START_TEST(prefix_lists_are_short)
{
	char to[1024] = "PrefixList=\"soapenv";
	struct edit e = { "a long PrefixList", "PrefixList=\"soapenv\"", to, FMP_EVENT_STRUCTURE };

	for (unsigned i = 1; i < 16; i++)
		strcat(to, i % 2 ? "\na" : "\t");
	strcat(to, "\"");
	e.kind = FMP_EVENT_SIGNATURE; /* fits: only the signature value says no */
	expect_refused("good/wss4j-rsa2048-1k.xml", FMP_SECURITY_BCS, &e);
	to[strlen(to) - 1] = '\0';
	strcat(to, " a\"");
	e.kind = FMP_EVENT_STRUCTURE;
	expect_refused("good/wss4j-rsa2048-1k.xml", FMP_SECURITY_BCS, &e);
}
END_TEST

/* A value of the wrong length is refused for that, by both ways, before anything is digested. */
START_TEST(values_of_the_wrong_length)
{
	static const struct {
		const char *file, *element;
		int cut; /* characters left of it; -1: 4 more */
		const char *words;
	} rows[] = {
		{ "wss4j-rsa2048-1k", "SignatureValue", 0, "not as long" },
		{ "wss4j-rsa2048-1k", "SignatureValue", 16, "not as long" },
		{ "wss4j-rsa2048-1k", "SignatureValue", 340, "not as long" },
		{ "wss4j-rsa2048-1k", "SignatureValue", 341, "malformed SignatureValue" },
		{ "wss4j-rsa2048-1k", "SignatureValue", -1, "not as long" },
		{ "wss4j-ec256-1k", "SignatureValue", 0, "not as long" },
		{ "wss4j-ec256-1k", "SignatureValue", 84, "not as long" },
		{ "wss4j-ec256-1k", "SignatureValue", -1, "not as long" },
		{ "wss4j-rsa2048-1k", "DigestValue", 0, "malformed DigestValue" },
		{ "wss4j-rsa2048-1k", "DigestValue", 40, "malformed DigestValue" },
		{ "wss4j-rsa2048-1k", "DigestValue", -1, "malformed DigestValue" },
	};
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCS);

	for (unsigned way = 0; way < 2; way++) {
		struct fmp_inspector *i;

		cfg.xmlsec_only = way;
		i = make_inspector(&cfg);
		for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
			char from[64], path[64];
			struct fmp_inspection v;
			struct bytes b;
			char *p;

			snprintf(path, sizeof(path), "good/%s.xml", rows[n].file);
			snprintf(from, sizeof(from), "<ds:%s>", rows[n].element);
			b = read_vector(path);
			p = strstr(b.p, from);
			ck_assert_ptr_nonnull(p);
			p += strlen(from);
			if (rows[n].cut >= 0) {
				char *end = strchr(p, '<');

				p += rows[n].cut;
				memmove(p, end, (size_t)(b.p + b.len - end) + 1);
				b.len -= (size_t)(end - p);
			} else {
				strcat(from, "AAAA");
				b = edit_bytes(b, strndupa(from, strlen(from) - 4), from);
			}
			v = inspect_bytes(i, b.p, b.len);
			ck_assert_msg(v.kind == FMP_EVENT_SIGNATURE &&
					      strstr(v.detail, rows[n].words),
				      "%s %s %d: %s", rows[n].file, rows[n].element, rows[n].cut,
				      v.detail);
			free(b.p);
		}
		fmp_inspector_free(i);
	}
}
END_TEST

/* Blanks that mean nothing are read as one; the signature is what then does not fit. */
START_TEST(blanks_in_a_prefix_list)
{
	static const char *const lists[][2] = {
		{ "PrefixList=\"  soapenv", "does not match" },
		{ "PrefixList=\"\n soapenv  \t", "does not match" },
		{ "PrefixList=\"&#9;soapenv", "malformed InclusiveNamespaces" },
		{ "PrefixList=\"soapenv&#10;", "malformed InclusiveNamespaces" },
	};
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCS);

	for (unsigned n = 0; n < 4; n++) {
		struct bytes b =
			edit_file("good/wss4j-rsa2048-1k.xml", "PrefixList=\"soapenv", lists[n][0]);
		struct fmp_inspection v = inspect_bytes(i, b.p, b.len);

		ck_assert_int_eq(v.kind, FMP_EVENT_SIGNATURE);
		ck_assert_msg(strstr(v.detail, lists[n][1]) != NULL, "%s", v.detail);
		free(b.p);
	}
	fmp_inspector_free(i);
}
END_TEST

#define EK_ID "EK-a298285a-b041-477a-89fa-65ed04ef46e4"
#define ED_ID "ED-bcc2e69e-c91b-4c77-8b20-839ca0092bba"

static const struct edit encryption_edits[] = {
	{ "two keys", "<xenc:EncryptedKey ",
	  "<xenc:EncryptedKey xmlns:xenc="
	  "\"http://www.w3.org/2001/04/xmlenc#\"/><xenc:EncryptedKey ",
	  FMP_EVENT_WRAPPING },
	{ "no key", "Id=\"" EK_ID "\"", "", FMP_EVENT_WRAPPING },
	{ "a cipher that is not allowed", "xmlenc11#aes256-gcm", "xmlenc11#aes192-gcm",
	  FMP_EVENT_UNSUPPORTED },
	{ "triple DES", "2009/xmlenc11#aes256-gcm", "2001/04/xmlenc#tripledes-cbc",
	  FMP_EVENT_ALGORITHM },
	{ "a digest that is not allowed", "xmlenc#sha256", "xmlenc#ripemd160",
	  FMP_EVENT_ALGORITHM },
	{ "an MGF that is not allowed", "mgf1sha256", "mgf1sha224", FMP_EVENT_ALGORITHM },
	{ "OAEP parameters", "<ds:DigestMethod ",
	  "<xenc:OAEPparams>AA==</xenc:OAEPparams>"
	  "<ds:DigestMethod ",
	  FMP_EVENT_ALGORITHM },
	{ "data of another type", "xmlenc#Content", "xmlenc#Other", FMP_EVENT_ALGORITHM },
	{ "another digest than the sender's", "xmlenc#sha256", "xmlenc#sha256x",
	  FMP_EVENT_ALGORITHM },
	{ "another MGF than the sender's", "mgf1sha256", "mgf1sha1", FMP_EVENT_DECRYPT },
	{ "another key length", "aes256-gcm", "aes128-gcm", FMP_EVENT_DECRYPT },
	{ "another cipher", "2009/xmlenc11#aes256-gcm", "2001/04/xmlenc#aes256-cbc",
	  FMP_EVENT_ALGORITHM },
	{ "the key of something else", "<xenc:DataReference URI=\"#" ED_ID,
	  "<xenc:DataReference URI=\"#other", FMP_EVENT_WRAPPING },
	{ "a key elsewhere", "<wsse:Reference URI=\"#" EK_ID, "<wsse:Reference URI=\"#other",
	  FMP_EVENT_WRAPPING },
	{ "cipher text elsewhere", "<xenc:CipherValue>",
	  "<xenc:CipherReference/><xenc:CipherValue>", FMP_EVENT_ALGORITHM },
	{ "a second element in the Body", "</soapenv:Body>", "<x xmlns=\"\"/></soapenv:Body>",
	  FMP_EVENT_SOAP },
};

START_TEST(encryption_refusals)
{
	expect_refused("good/wss4j-enc-gcm256-oaep256-1k.xml", FMP_SECURITY_BCE,
		       &encryption_edits[_i]);
}
END_TEST

/* Header blocks that nobody must understand pass, and are left out. */
START_TEST(invariant_9_no_header_block_is_in_the_output)
{
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCS);
	struct bytes b = edit_file("good/wss4j-rsa2048-1k.xml", "<soapenv:Header>",
				   "<soapenv:Header><x xmlns=\"urn:x\" "
				   "soapenv:mustUnderstand=\"0\">route</x>");
	struct fmp_inspection v = inspect_bytes(i, b.p, b.len);

	ck_assert_msg(v.accepted, "%s", v.detail);
	ck_assert_ptr_null(memmem(v.forward, v.forward_len, "route", 5));
	ck_assert_ptr_null(memmem(v.forward, v.forward_len, "Header", 6));
	ck_assert_ptr_nonnull(memmem(v.forward, v.forward_len, BODY_ID, strlen(BODY_ID)));
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

static struct fmp_inspection with_block(struct fmp_inspector *i, const char *block)
{
	struct bytes b;
	struct fmp_inspection v;
	char *text;

	ck_assert_int_gt(asprintf(&text, "<soapenv:Header>%s", block), 0);
	b = edit_file("good/wss4j-rsa2048-1k.xml", "<soapenv:Header>", text);
	v = inspect_bytes(i, b.p, b.len);
	ck_assert(!v.forward || v.own);
	free(b.p);
	free(text);
	return v;
}

/* Who sends addresses wants them understood; whatever else must be is not. */
START_TEST(addresses_may_have_to_be_understood)
{
	static const char *const names[] = { "To",	"Action",    "MessageID", "From", "ReplyTo",
					     "FaultTo", "RelatesTo", "Relates",	  "to" };
	static const char *const uris[] = { NS_WSA, NS_WSA2004, NS_WSA "/" };
	const char *address = _i == 1 ? "<a:Address>" NS_WSA2004 "/role/anonymous</a:Address>"
				      : "<a:Address>" NS_WSA "/anonymous</a:Address>";
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCS);

	for (int n = 0; n < 9; n++) {
		struct fmp_inspection v;
		char *block;

		ck_assert_int_gt(asprintf(&block,
					  "<a:%s xmlns:a='%s' soapenv:mustUnderstand='1'>%s</a:%s>",
					  names[n], uris[_i], n == 1 ? "urn:x" : address, names[n]),
				 0);
		v = with_block(i, block);
		if (_i < 2 && n < 7)
			ck_assert_msg(v.accepted, "%s: %s", block, v.detail);
		else
			ck_assert_msg(v.kind == FMP_EVENT_UNSUPPORTED &&
					      strstr(v.detail, "must be understood"),
				      "%s: %s", block, v.detail);
		fmp_inspection_clear(&v);
		free(block);
	}
	fmp_inspector_free(i);
}
END_TEST

/* A message may have several relations: that is not supported, and nobody's offence. */
START_TEST(several_relations)
{
	static const struct {
		const char *name;
		enum fmp_event_kind kind;
	} rows[] = { { "RelatesTo", FMP_EVENT_UNSUPPORTED }, { "MessageID", FMP_EVENT_WRAPPING } };
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCS);

	for (int k = 0; k < 2; k++) {
		struct fmp_inspection v;
		char *blocks;

		ck_assert_int_gt(asprintf(&blocks,
					  "<a:%s xmlns:a='" NS_WSA "'>urn:x</a:%s><b:%s "
					  "xmlns:b='" NS_WSA "'>urn:y</b:%s>",
					  rows[k].name, rows[k].name, rows[k].name, rows[k].name),
				 0);
		v = with_block(i, blocks);
		ck_assert_msg(!v.accepted && v.kind == rows[k].kind &&
				      strstr(v.detail, "more than one"),
			      "%s: %s", rows[k].name, v.detail);
		fmp_inspection_clear(&v);
		free(blocks);
	}
	fmp_inspector_free(i);
}
END_TEST

/* Signed, then encrypted: the decrypted Body's signature must hold, and the time is checked first. */
START_TEST(both_are_checked)
{
	static const struct edit edits[] = {
		{ "sign first: expired", "<wsu:Expires>2046", "<wsu:Expires>2026", 0 },
		{ "sign first: signature", "<ds:SignatureValue>KjHA", "<ds:SignatureValue>KjHB",
		  0 },
	};
	static const enum fmp_event_kind kinds[] = { FMP_EVENT_TIMESTAMP, FMP_EVENT_SIGNATURE };

	for (unsigned k = 0; k < 2; k++) {
		struct edit e = edits[k];

		e.kind = kinds[k];
		expect_refused("good/wss4j-sign-then-enc-1k.xml", FMP_SECURITY_BCES, &e);
	}
	expect_refused("good/wss4j-enc-then-sign-1k.xml", FMP_SECURITY_BCES,
		       &(struct edit){ "encrypt first: content", "<xenc:CipherValue>DkQp",
				       "<xenc:CipherValue>DkQq", FMP_EVENT_SIGNATURE });
	expect_refused("good/wss4j-enc-then-sign-1k.xml", FMP_SECURITY_BCES,
		       &(struct edit){ "encrypt first: key", "<xenc:CipherValue>rI33",
				       "<xenc:CipherValue>rI34", FMP_EVENT_DECRYPT });
}
END_TEST

/* The policy says which comes first; what the message says of that is held against it. */
START_TEST(order_is_the_policys)
{
	static const char *const files[] = { "good/wss4j-sign-then-enc-1k.xml",
					     "good/wss4j-enc-then-sign-1k.xml" };
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCES);

	for (unsigned want = 0; want <= FMP_ORDER_ENCRYPT_SIGN; want++) {
		struct fmp_inspector *i;

		cfg.order = want;
		i = make_inspector(&cfg);
		for (unsigned have = 0; have <= FMP_ORDER_ENCRYPT_SIGN; have++) {
			struct bytes b = read_vector(files[have]);
			struct fmp_inspection v = inspect_bytes(i, b.p, b.len);

			ck_assert_msg(v.kind ==
					      (have == want ? FMP_EVENT_GOOD : FMP_EVENT_UNSIGNED),
				      "%s: %s", files[have], v.detail);
			ck_assert(have == want || strstr(v.detail, "the signature is of the "));
			fmp_inspection_clear(&v);
			free(b.p);
		}
		fmp_inspector_free(i);
	}
}
END_TEST

/* The parts of the header moved, so that it looks like what the policy demands. */
START_TEST(order_is_not_believed)
{
	static const char *const files[] = { "good/wss4j-enc-then-sign-1k.xml",
					     "good/wss4j-sign-then-enc-1k.xml" };
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCES);

	for (unsigned want = 0; want <= FMP_ORDER_ENCRYPT_SIGN; want++) {
		struct bytes b = read_vector(files[want]);
		struct fmp_inspector *i;
		struct fmp_inspection v;
		char *key, *end, *moved, to[64];

		cfg.order = want;
		i = make_inspector(&cfg);
		key = strstr(b.p, "<xenc:EncryptedKey");
		end = strstr(key, "</xenc:EncryptedKey>") + strlen("</xenc:EncryptedKey>");
		moved = strndup(key, (size_t)(end - key));
		memmove(key, end, strlen(end) + 1);
		b.len -= (size_t)(end - key);
		snprintf(to, sizeof(to), want ? "</ds:Signature>" : "<ds:Signature ");
		key = malloc(strlen(moved) + sizeof(to));
		strcpy(stpcpy(key, want ? to : moved), want ? moved : to);
		b = edit_bytes(b, to, key);
		v = inspect_bytes(i, b.p, b.len);
		ck_assert_msg(v.kind == FMP_EVENT_SIGNATURE, "%u: %s: %s", want,
			      fmp_event_kind_name(v.kind), v.detail);
		fmp_inspector_free(i);
		free(key);
		free(moved);
		free(b.p);
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("wsse");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, signature_refusals, 0,
			    sizeof(signature_edits) / sizeof(signature_edits[0]));
	tcase_add_loop_test(tc, encryption_refusals, 0,
			    sizeof(encryption_edits) / sizeof(encryption_edits[0]));
	tcase_add_test(tc, prefix_lists_are_short);
	tcase_add_test(tc, values_of_the_wrong_length);
	tcase_add_test(tc, blanks_in_a_prefix_list);
	tcase_add_test(tc, invariant_9_no_header_block_is_in_the_output);
	tcase_add_loop_test(tc, addresses_may_have_to_be_understood, 0, 3);
	tcase_add_test(tc, several_relations);
	tcase_add_test(tc, both_are_checked);
	tcase_add_test(tc, order_is_the_policys);
	tcase_add_test(tc, order_is_not_believed);
	return run_tcase("wsse", tc);
}
