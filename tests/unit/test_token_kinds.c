// SPDX-License-Identifier: GPL-2.0
/* Tokens and keys of kinds that peers use by default: PKIPath, STR-Transform, Ed25519, P-521. */
#include "run.h"
#include "signed_message.h"

#define STR(x)	 "<wsse:SecurityTokenReference" XMLNS_WSSE ">" x "</wsse:SecurityTokenReference>"
#define DATA(x)	 "<ds:X509Data>" x "</ds:X509Data>"
#define CERT	 "<ds:X509Certificate>%s</ds:X509Certificate>"
#define ED25519	 NS_DSMORE21 "eddsa-ed25519"
#define ECDSA(n) NS_DSMORE "ecdsa-sha" n
#define STR_METHOD                                     \
	"<ds:Transform Algorithm=\"" ALG_STR_TRANSFORM \
	"\"><wsse:TransformationParameters" XMLNS_WSSE \
	">" EXC_METHOD("CanonicalizationMethod") "</wsse:TransformationParameters></ds:Transform>"
/* Of the canonical form where the default namespace is declared at the apex. */
#define BST(default, rest) \
	"<wsse:BinarySecurityToken" default XMLNS_WSSE rest ">%s</wsse:BinarySecurityToken>"
#define TYPED(type) \
	XMLNS_WSU " EncodingType=\"" WSSE_BASE64 "\" ValueType=\"" type "\" wsu:Id=\"X\""
#define ASKS(type) " ValueType=\"" WSSE_X509 type "\""

static EVP_PKEY *ed_key, *p521_key, *between_key;
static X509 *leaf, *ed_leaf, *p521_leaf, *between, *deep;
static struct fmp_inspect_config cfg;

static void token_setup(void)
{
	struct recipe r = { .usage = "critical,digitalSignature" };
	struct recipe sub = { .usage = "critical,keyCertSign,cRLSign",
			      .basic = "critical,CA:TRUE" };

	signed_setup();
	cfg = signed_config(FMP_SECURITY_BCS);
	r.key = leaf_key;
	leaf = make_certificate("leaf", &r, ca, ca_key);
	r.key = ed_key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	ed_leaf = make_certificate("ed", &r, ca, ca_key);
	r.key = p521_key = EVP_EC_gen("P-521");
	p521_leaf = make_certificate("p521", &r, ca, ca_key);
	sub.key = between_key = EVP_EC_gen("P-256");
	between = make_certificate("between", &sub, ca, ca_key);
	r.key = leaf_key;
	deep = make_certificate("deep", &r, between, between_key);
}

static void token_teardown(void)
{
	X509 *certs[] = { leaf, ed_leaf, p521_leaf, between, deep };

	for (unsigned i = 0; i < 5; i++)
		X509_free(certs[i]);
	EVP_PKEY_free(ed_key);
	EVP_PKEY_free(p521_key);
	EVP_PKEY_free(between_key);
	signed_teardown();
}

static struct signing sign_by(EVP_PKEY *key, X509 *cert)
{
	bool ed = EVP_PKEY_is_a(key, "ED25519");

	return (struct signing){
		.key = key,
		.method = ed				 ? ED25519
			  : EVP_PKEY_get_bits(key) > 500 ? ECDSA("512")
							 : ECDSA("256"),
		.digest = ed				 ? NULL
			  : EVP_PKEY_get_bits(key) > 500 ? "SHA512"
							 : "SHA256",
		.key_info = append_text(DATA(CERT), certificate_text(cert)),
	};
}

static void expect_result(const struct signing *s, const char *name, enum fmp_event_kind kind,
			  const char *words)
{
	expect_signed(&cfg, signed_message(s), name, kind, words);
}

/* ---- keys ---- */

#define CID_REFERENCE                                                                        \
	"<ds:Reference URI=\"cid:a@x\"><ds:Transforms><ds:Transform Algorithm=\"" NS_SWA     \
	"Attachment-Content-Signature-Transform\"></ds:Transform></ds:Transforms>"           \
	"<ds:DigestMethod Algorithm=\"" ALG_SHA256 "\"></ds:DigestMethod><ds:DigestValue>%s" \
	"</ds:DigestValue></ds:Reference>"

/* xmlsec1, which verifies RSA-PSS otherwise, knows nothing of attachments. */
START_TEST(pss_with_an_attachment)
{
	static const char header[] = "Content-Type: image/png\r\n";
	struct recipe r = { .usage = "critical,digitalSignature", .key = EVP_RSA_gen(2048) };
	X509 *cert = make_certificate("pss", &r, ca, ca_key);
	struct signing s = { .key = r.key,
			     .method = NS_DSMORE07 "sha256-rsa-MGF1",
			     .digest = "SHA256",
			     .key_info = append_text(DATA(CERT), certificate_text(cert)),
			     .more = append_text(CID_REFERENCE, digest_text("content")) };
	struct bytes b = signed_message(&s);

	for (int turn = 0; turn < 4; turn++) {
		struct fmp_attachment part = { .id = "a@x",
					       .bytes = turn & 1 ? "changed" : "content",
					       .len = 7,
					       .header = header,
					       .header_len = strlen(header) };
		struct fmp_attachments a = { .part = &part, .n = 1 };
		struct fmp_message m = {
			.bytes = b.p, .len = b.len, .now_s = NOW, .attachments = &a
		};
		struct fmp_inspection v;
		struct fmp_inspector *i;

		cfg.xmlsec_only = turn > 1;
		i = make_inspector(&cfg);
		ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
		ck_assert_msg(v.accepted == !(turn & 1) &&
				      v.kind == (turn & 1 ? FMP_EVENT_SIGNATURE : FMP_EVENT_GOOD),
			      "turn %d: %s", turn, v.detail);
		ck_assert(turn & 1 || part.is_signed);
		fmp_inspection_clear(&v);
		free(part.own);
		fmp_inspector_free(i);
	}
	cfg.xmlsec_only = false;
	free(b.p);
	X509_free(cert);
	EVP_PKEY_free(r.key);
}
END_TEST

START_TEST(ed25519_and_p521)
{
	struct signing ed = sign_by(ed_key, ed_leaf), p521 = sign_by(p521_key, p521_leaf);
	static struct fmp_policy_algorithms without = FMP_ALGORITHMS_DEFAULT;
	struct bytes b;
	char *at;

	expect_result(&ed, "Ed25519", FMP_EVENT_GOOD, "");
	expect_result(&p521, "P-521", FMP_EVENT_GOOD, "");
	cfg.xmlsec_only = true;
	expect_result(&ed, "Ed25519, which xmlsec1 does not know", FMP_EVENT_GOOD, "");
	expect_result(&p521, "P-521 by xmlsec1", FMP_EVENT_GOOD, "");
	cfg.xmlsec_only = false;

	/* The service must not act on what can't be answered as the policy wants. */
	cfg.reply_context = cfg.encryptable = true;
	expect_result(&ed, "Ed25519, to be encrypted for", FMP_EVENT_TOKEN,
		      "no certificate of RSA or EC");
	expect_result(&p521, "P-521, to be encrypted for", FMP_EVENT_GOOD, "");
	cfg.reply_context = cfg.encryptable = false;

	b = signed_message(&ed);
	at = strstr(b.p, ">a<");
	at[1] = 'b';
	expect_signed(&cfg, b, "tampered with", FMP_EVENT_SIGNATURE, "digest");
	b = signed_message(&ed);
	at = strstr(b.p, "<ds:SignatureValue>") + 20;
	*at = *at == 'A' ? 'B' : 'A';
	expect_signed(&cfg, b, "another value", FMP_EVENT_SIGNATURE, "signature value");
	/* The key of another certificate, and one of another kind. */
	ed.key_info = append_text(DATA(CERT), certificate_text(leaf));
	expect_result(&ed, "a key that does not fit", FMP_EVENT_ALGORITHM, "does not fit");

	ed = sign_by(ed_key, ed_leaf);
	without.signature &= ~FMP_ALGORITHM_BIT(FMP_SIGNATURE_ED25519);
	cfg.algorithms = &without;
	expect_result(&ed, "left out by the policy", FMP_EVENT_ALGORITHM, "left out by the policy");
	cfg.algorithms = NULL;
}
END_TEST

/* ---- STR-Transform ---- */

#define ID_STR(x)                                                     \
	"<wsse:SecurityTokenReference" XMLNS_WSU " wsu:Id=\"STR\">" x \
	"</wsse:SecurityTokenReference>"
#define TO_TOKEN "<wsse:Reference URI=\"#X\"/>"

START_TEST(str_transform)
{
	struct signing s = sign_by(leaf_key, leaf);
	const char *text = certificate_text(leaf);

	/* The token is in the header. */
	s.token = append_text(BST("", TYPED(WSSE_X509V3)), text);
	s.key_info = ID_STR(TO_TOKEN);
	s.more = reference_with("STR", STR_METHOD,
				append_text(BST(" xmlns=\"\"", TYPED(WSSE_X509V3)), text));
	expect_result(&s, "as WS-Security 1.1, 8.3", FMP_EVENT_GOOD, "");
	s.more = reference_with("STR", STR_METHOD, s.token);
	expect_result(&s, "without a default namespace", FMP_EVENT_GOOD, "");
	s.more = append_text("%s%s", reference_with("STR", STR_METHOD, s.token),
			     reference_text("X", s.token));
	expect_result(&s, "the token by its Id too", FMP_EVENT_GOOD, "");
	s.more = reference_with("STR", STR_METHOD, "<other/>");
	expect_result(&s, "the digest of something else", FMP_EVENT_SIGNATURE,
		      "digest of BinarySecurityToken");

	/* The reference is in the header, too, as CXF and WSS4J write it for an Assertion. */
	s.token = append_text("%s%s", ID_STR(TO_TOKEN), s.token);
	s.key_info = "<wsse:SecurityTokenReference>" TO_TOKEN "</wsse:SecurityTokenReference>";
	s.more = reference_with("STR", STR_METHOD,
				append_text(BST(" xmlns=\"\"", TYPED(WSSE_X509V3)), text));
	expect_result(&s, "a reference in the header", FMP_EVENT_GOOD, "");
	s.more = NULL;
	expect_result(&s, "one that nothing is signed through", FMP_EVENT_GOOD, "");
	s.token = append_text("%s%s%s%s", s.token, ID_STR(TO_TOKEN), ID_STR(TO_TOKEN),
			      ID_STR(TO_TOKEN));
	expect_result(&s, "four", FMP_EVENT_GOOD, "");
	s.token = append_text("%s%s", s.token, ID_STR(TO_TOKEN));
	expect_result(&s, "five", FMP_EVENT_STRUCTURE, "more than 4 SecurityTokenReferences");

	/* It is not: WS-Security 1.1, 8.3 says how it would look. */
	s.token = NULL;
	s.key_info = append_text(ID_STR(DATA(CERT)), text);
	s.more = reference_with("STR", STR_METHOD,
				append_text(BST(" xmlns=\"\"", ASKS("X509v3")), text));
	expect_result(&s, "a certificate in X509Data", FMP_EVENT_GOOD, "");
	s.more = reference_with("STR", STR_METHOD,
				append_text(BST("", ASKS("X509v3")), certificate_text(ed_leaf)));
	expect_result(&s, "another certificate", FMP_EVENT_SIGNATURE, "digest");
}
END_TEST

START_TEST(str_transform_of_what_is_no_token)
{
	struct signing s = sign_by(leaf_key, leaf);
	const char *text = certificate_text(leaf);
	static const struct {
		const char *info, *id, *transform;
		enum fmp_event_kind kind;
		const char *words;
	} rows[] = {
		{ ID_STR(TO_TOKEN), "b", STR_METHOD, FMP_EVENT_WRAPPING,
		  "not of a SecurityTokenReference" },
		{ ID_STR(TO_TOKEN), "ts", STR_METHOD, FMP_EVENT_WRAPPING,
		  "not of a SecurityTokenReference" },
		{ ID_STR(TO_TOKEN), "X", STR_METHOD, FMP_EVENT_WRAPPING,
		  "not of a SecurityTokenReference" },
		{ ID_STR("<wsse:Reference URI=\"#b\"/>"), "STR", STR_METHOD, FMP_EVENT_WRAPPING,
		  "not of a token" },
		{ ID_STR("<wsse:Reference URI=\"#ts\"/>"), "STR", STR_METHOD, FMP_EVENT_WRAPPING,
		  "not of a token" },
		{ ID_STR("<wsse:Reference URI=\"#STR\"/>"), "STR", STR_METHOD, FMP_EVENT_WRAPPING,
		  "not of a token" },
		{ ID_STR(TO_TOKEN TO_TOKEN), "STR", STR_METHOD, FMP_EVENT_UNSUPPORTED,
		  "not of a token" },
		{ ID_STR("<wsse:Embedded/>"), "STR", STR_METHOD, FMP_EVENT_UNSUPPORTED,
		  "not of a token" },
		{ ID_STR(TO_TOKEN), "STR", "<ds:Transform Algorithm=\"" ALG_STR_TRANSFORM "\"/>",
		  FMP_EVENT_UNSUPPORTED, "no TransformationParameters" },
		{ ID_STR(TO_TOKEN), "STR", STR_METHOD STR_METHOD, FMP_EVENT_ALGORITHM,
		  "more than one Transform" },
	};

	s.token = append_text(BST("", TYPED(WSSE_X509V3)), text);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		s.key_info = rows[i].info;
		s.more = reference_with(rows[i].id, rows[i].transform, s.token);
		expect_result(&s, rows[i].info, rows[i].kind, rows[i].words);
	}
	s.key_info = ID_STR(TO_TOKEN);
	s.more = append_text("%s%s", reference_with("STR", STR_METHOD, s.token),
			     reference_with("STR", STR_METHOD, s.token));
	expect_result(&s, "twice", FMP_EVENT_WRAPPING, "two References");
	/* A second element with the Id of the SecurityTokenReference, and one with that of the token. */
	s.more = reference_with("STR", STR_METHOD, s.token);
	s.body = ECHO_BODY("<e:echo xmlns:e=\"urn:echo\" Id=\"STR\">a</e:echo>");
	expect_result(&s, "its Id twice", FMP_EVENT_WRAPPING,
		      "Id of a signed element stands twice");
	s.body = ECHO_BODY("<e:echo xmlns:e=\"urn:echo\" Id=\"X\">a</e:echo>");
	expect_result(&s, "the token's Id twice", FMP_EVENT_WRAPPING,
		      "Id of a signed element stands twice");
}
END_TEST

/* ---- an endorsing signature with an STR-Transform ---- */

#define DS_START "<ds:Signature xmlns:ds=\"" NS_DS "\""

/* An EncryptedKey for the server. */
static const char *encrypt_key(const unsigned char *key, size_t n)
{
	FILE *f = fopen(tests_path("interop/vectors/pki/server.crt"), "r");
	X509 *cert = PEM_read_X509(f, NULL, NULL, NULL);
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(X509_get0_pubkey(cert), NULL);
	unsigned char wrapped[1024];
	size_t len = sizeof(wrapped);

	fclose(f);
	ck_assert_int_eq(EVP_PKEY_encrypt_init(ctx), 1);
	ck_assert_int_eq(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING), 1);
	ck_assert_int_eq(EVP_PKEY_encrypt(ctx, wrapped, &len, key, n), 1);
	EVP_PKEY_CTX_free(ctx);
	X509_free(cert);
	return append_text("<xenc:EncryptedKey xmlns:xenc=\"" NS_XENC "\" Id=\"EK\">"
			   "<xenc:EncryptionMethod Algorithm=\"" NS_XENC "rsa-oaep-mgf1p\"/>"
			   "<xenc:CipherData><xenc:CipherValue>%s</xenc:CipherValue>"
			   "</xenc:CipherData></xenc:EncryptedKey>",
			   base64_of(wrapped, len));
}

/* Give the Signature of a message an Id, and put one that endorses it behind it. Frees the message. */
static struct bytes endorse_message(struct bytes b, const struct signing *by)
{
	char *start = strstr(b.p, DS_START), *end = strstr(start, "</wsse:Security>");
	const char *inner, *first, *info;
	struct bytes out;

	/* SignedInfo declares what Signature has declared. */
	inner = start + strlen(DS_START "><ds:SignedInfo xmlns:ds=\"" NS_DS "\"");
	first = append_text(DS_START " Id=\"SIG\"><ds:SignedInfo%.*s", (int)(end - inner), inner);
	info = append_text(
		"<ds:SignedInfo xmlns:ds=\"" NS_DS "\">" EXC_METHOD(
			"CanonicalizationMethod") "<ds:SignatureMethod Algorithm=\"%s\">"
						  "</ds:SignatureMethod>%s%s</ds:SignedInfo>",
		by->method, reference_text("SIG", first), by->more);
	ck_assert_int_gt(asprintf(&out.p,
				  "%.*s%s" DS_START ">%s<ds:SignatureValue>%s</ds:SignatureValue>"
				  "<ds:KeyInfo>%s</ds:KeyInfo></ds:Signature>%s",
				  (int)(start - b.p), b.p, first, info, signature_text(by, info),
				  by->key_info, end),
			 0);
	free(b.p);
	out.len = strlen(out.p);
	return out;
}

START_TEST(str_transform_of_who_endorses)
{
	static const unsigned char secret[32] = { 1 };
	struct fmp_inspect_config c = cfg;
	EVP_PKEY *key = EVP_PKEY_new_mac_key(EVP_PKEY_HMAC, NULL, secret, sizeof(secret));
	struct signing s = { .key = key,
			     .method = NS_DSMORE "hmac-sha256",
			     .digest = "SHA256",
			     .token = encrypt_key(secret, sizeof(secret)),
			     .key_info = STR("<wsse:Reference URI=\"#EK\"></wsse:Reference>") };
	struct signing by = sign_by(leaf_key, leaf);

	c.key = tests_path("interop/vectors/pki/server.key");
	by.key_info = append_text(ID_STR(DATA(CERT)), certificate_text(leaf));
	by.more = "";
	expect_signed(&c, endorse_message(signed_message(&s), &by), "none", FMP_EVENT_GOOD, "");
	by.more = reference_with("STR", STR_METHOD,
				 append_text(BST("", ASKS("X509v3")), certificate_text(leaf)));
	expect_signed(&c, endorse_message(signed_message(&s), &by), "his own", FMP_EVENT_GOOD, "");
	by.more = reference_with("STR", STR_METHOD,
				 append_text(BST("", ASKS("X509v3")), certificate_text(ed_leaf)));
	expect_signed(&c, endorse_message(signed_message(&s), &by), "another", FMP_EVENT_SIGNATURE,
		      "digest");
	EVP_PKEY_free(key);
}
END_TEST

/* ---- PKIPath ---- */

/* The Base64 of a SEQUENCE of them; NULL ends the list. */
static const char *path_text(X509 *const *certs)
{
	unsigned char der[65536], *p = der + 4;
	size_t n;

	for (; *certs; certs++)
		i2d_X509(*certs, &p);
	n = (size_t)(p - der - 4);
	der[0] = 0x30;
	der[1] = 0x82;
	der[2] = (unsigned char)(n >> 8);
	der[3] = (unsigned char)n;
	return base64_of(der, n + 4);
}

#define PATH(...) path_text((X509 *[]){ __VA_ARGS__, NULL })

static void expect_path(const char *text, const char *name, enum fmp_event_kind kind,
			const char *words)
{
	struct signing s = sign_by(leaf_key, leaf);

	s.token = append_text(BST("", TYPED(WSSE_X509PKIPATH)), text);
	s.key_info = STR(TO_TOKEN);
	expect_result(&s, name, kind, words);
}

START_TEST(pkipath)
{
	expect_path(PATH(leaf), "the signer's alone", FMP_EVENT_GOOD, "");
	expect_path(PATH(between, deep), "one between", FMP_EVENT_GOOD, "");
	expect_path(PATH(ca, between, deep), "from the root", FMP_EVENT_GOOD, "");
	expect_path(PATH(deep), "without the one between", FMP_EVENT_TOKEN, "not trusted");
	expect_path(PATH(deep, between), "upside down", FMP_EVENT_TOKEN, "is not issued by");
	expect_path(PATH(between, leaf), "of another CA", FMP_EVENT_TOKEN, "is not issued by");
	expect_path(PATH(ca, ca, leaf), "a loop", FMP_EVENT_TOKEN, "");
	expect_path(PATH(ca, ca, ca, ca, ca, leaf), "a long loop", FMP_EVENT_TOKEN, "");
	expect_path(PATH(between, deep, deep), "the signer's twice", FMP_EVENT_TOKEN, "");
	expect_path(certificate_text(leaf), "a certificate, not a path", FMP_EVENT_TOKEN, "not ");
	expect_path("MAA=", "an empty path", FMP_EVENT_TOKEN, "not an X509PKIPathv1");
	expect_path("MIAAAA==", "of indefinite length", FMP_EVENT_TOKEN, "not ");
	expect_path("MIIAAQ==", "cut", FMP_EVENT_TOKEN, "not an X509PKIPathv1");
}
END_TEST

/* A CA between that may issue no CAs, one that its key usage forbids to sign, and one that nobody trusts. */
START_TEST(pkipath_forged)
{
	struct recipe r = { .key = between_key, .usage = "critical,digitalSignature" };
	struct recipe l = { .key = leaf_key, .usage = "critical,digitalSignature" };
	struct recipe sub = { .key = between_key,
			      .usage = "critical,keyCertSign",
			      .basic = "critical,CA:TRUE" };
	EVP_PKEY *key = EVP_EC_gen("P-256"), *short_key = EVP_RSA_gen(1024);
	X509 *no_ca = make_certificate("no CA", &r, ca, ca_key);
	X509 *by_no_ca = make_certificate("by no CA", &l, no_ca, between_key);
	X509 *forged = make_certificate("forged", &sub, ca, key);
	X509 *by_forged = make_certificate("by forged", &l, forged, between_key), *weak, *by_weak;
	X509 *list[] = { no_ca, by_no_ca, forged, by_forged };

	expect_path(PATH(no_ca, by_no_ca), "no CA", FMP_EVENT_TOKEN, "not trusted: invalid CA");
	expect_path(PATH(forged, by_forged), "forged", FMP_EVENT_TOKEN, "not trusted");
	sub.key = short_key;
	weak = make_certificate("weak", &sub, ca, ca_key);
	by_weak = make_certificate("by weak", &l, weak, short_key);
	expect_path(PATH(weak, by_weak), "weak", FMP_EVENT_TOKEN, "too weak");
	X509_free(weak);
	X509_free(by_weak);
	for (unsigned i = 0; i < 4; i++)
		X509_free(list[i]);
	EVP_PKEY_free(key);
	EVP_PKEY_free(short_key);
}
END_TEST

/* A CA that the file holds and a CRL revokes must not come back with the message. */
START_TEST(pkipath_revoked)
{
	char crl_path[64];
	X509_CRL *crl = X509_CRL_new();
	X509_REVOKED *one = X509_REVOKED_new();
	ASN1_TIME *at = ASN1_TIME_set(NULL, NOW - 100);
	FILE *f;

	X509_CRL_set_version(crl, 1);
	X509_CRL_set_issuer_name(crl, X509_get_subject_name(ca));
	X509_CRL_set1_lastUpdate(crl, at);
	X509_REVOKED_set_serialNumber(one, X509_get_serialNumber(between));
	X509_REVOKED_set_revocationDate(one, at);
	X509_CRL_add0_revoked(crl, one);
	ASN1_TIME_set(at, NOW + YEAR);
	X509_CRL_set1_nextUpdate(crl, at);
	X509_CRL_sort(crl);
	ck_assert(X509_CRL_sign(crl, ca_key, EVP_sha256()));
	snprintf(crl_path, sizeof(crl_path), "/tmp/fmp-test-crl-%d.pem", (int)getpid());
	f = fopen(crl_path, "w");
	PEM_write_X509_CRL(f, crl);
	fclose(f);
	cfg.crl = crl_path;
	expect_path(PATH(leaf), "a CRL of its CA", FMP_EVENT_GOOD, "");
	expect_path(PATH(between, deep), "revoked", FMP_EVENT_TOKEN, "revoked");
	cfg.crl = NULL;
	unlink(crl_path);
	ASN1_TIME_free(at);
	X509_CRL_free(crl);
}
END_TEST

START_TEST(chain_in_x509_data)
{
	struct signing s = sign_by(leaf_key, deep);

	expect_result(&s, "alone", FMP_EVENT_TOKEN, "not trusted");
	s.key_info =
		append_text(DATA(CERT CERT), certificate_text(deep), certificate_text(between));
	expect_result(&s, "with its CA's", FMP_EVENT_GOOD, "");
	s.key_info = append_text(STR(DATA(CERT CERT)), certificate_text(between),
				 certificate_text(deep));
	expect_result(&s, "behind its CA's", FMP_EVENT_GOOD, "");
}
END_TEST

START_TEST(refused_by_name)
{
	struct signing s = sign_by(leaf_key, leaf);

	s.token = append_text(BST("", TYPED(WSSE_X509 "PKCS7")), "AAAA");
	s.key_info = STR(TO_TOKEN);
	expect_result(&s, "PKCS7", FMP_EVENT_UNSUPPORTED, "#PKCS7 is not supported");
	s.token = append_text(BST("", TYPED(WSSE_KERBEROS "GSS_Kerberosv5_AP_REQ")), "AAAA");
	expect_result(&s, "Kerberos", FMP_EVENT_UNSUPPORTED, "Kerberosv5_AP_REQ is not supported");
	s.method = NS_DS "hmac-sha1";
	expect_result(&s, "HMAC by a ticket", FMP_EVENT_UNSUPPORTED, "by a Kerberos ticket");
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("token kinds");

	tcase_add_unchecked_fixture(tc, token_setup, token_teardown);
	tcase_add_test(tc, ed25519_and_p521);
	tcase_add_test(tc, pss_with_an_attachment);
	tcase_add_test(tc, str_transform);
	tcase_add_test(tc, str_transform_of_what_is_no_token);
	tcase_add_test(tc, str_transform_of_who_endorses);
	tcase_add_test(tc, pkipath);
	tcase_add_test(tc, pkipath_forged);
	tcase_add_test(tc, pkipath_revoked);
	tcase_add_test(tc, chain_in_x509_data);
	tcase_add_test(tc, refused_by_name);
	return run_tcase("token kinds", tc);
}
