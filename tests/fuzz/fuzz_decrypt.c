// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: what is behind decryption. Each input becomes the content of an encrypted Body,
 * in one of the ways in which one can come: encrypted as it should be (GCM, CBC), encrypted
 * with a padding that the input chooses, or put there in place of the cipher text or of the
 * session key. So the fuzzer reaches what stands behind the key without having to break it.
 * Or an input is three contents with a NUL between them: of a UsernameToken, a To and a Body; the Body is also
 * left in the clear and signed, under BcS, where anything may stand in the two places of the header.
 *
 * What must hold besides no crash:
 *   the output is a message that is accepted in the clear, too;
 *   of CBC, and of all that does not decrypt, there is one answer, whatever was wrong;
 *   a refused message has no output;
 *   in each place of the header there was one element.
 * The first byte of an input chooses the way. FMP_TESTS: where tests/ is.
 */
#include <libxml/parser.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fmp/inspect.h>

#include "vectors.h"

#define SOAP	"http://schemas.xmlsoap.org/soap/envelope/"
#define WSSE	"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
#define WSSE11	"http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd"
#define XENC	"http://www.w3.org/2001/04/xmlenc#"
#define XENC11	"http://www.w3.org/2009/xmlenc11#"
#define MOST	8192
#define GENERIC "the message does not decrypt"

enum way {
	GCM = 0,
	CBC,
	CBC_PADDING, /* the last byte of the input says how long the padding is */
	GCM_RAW, /* the input is the cipher text */
	CBC_RAW,
	KEY_RAW, /* the input is the encrypted session key */
	HEADER_GCM, /* contents of the header, too */
	HEADER_CBC,
	HEADER_SIGNED, /* beside a clear Body */
	WAYS
};

static struct fmp_inspector *body_gcm, *header_gcm, *header_signed, *body_cbc, *header_cbc, *clear;
static const uint8_t session[16] = "0123456789abcdef", iv[16];
static uint8_t wrapped[512];
static size_t wrapped_len;
static unsigned long inputs, accepted, refused[FMP_EVENT_KINDS];

static void print_counters(void)
{
	printf("decrypt: %lu inputs, %lu accepted\n", inputs, accepted);
	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++)
		if (refused[k])
			printf("decrypt: refused as %s: %lu\n", fmp_event_kind_name(k), refused[k]);
}

static void abort_with(const char *what)
{
	fprintf(stderr, "fuzz_decrypt: %s\n", what);
	abort();
}

static void wrap_session(const char *key_file)
{
	FILE *f = fopen(key_file, "r");
	EVP_PKEY *key = f ? PEM_read_PrivateKey(f, NULL, NULL, NULL) : NULL;
	EVP_PKEY_CTX *ctx = key ? EVP_PKEY_CTX_new(key, NULL) : NULL;

	wrapped_len = sizeof(wrapped);
	if (!ctx || EVP_PKEY_encrypt_init(ctx) <= 0 ||
	    EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_OAEP_PADDING) <= 0 ||
	    EVP_PKEY_encrypt(ctx, wrapped, &wrapped_len, session, sizeof(session)) <= 0)
		abort_with("no key");
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(key);
	fclose(f);
}

static struct fmp_inspector *new_inspector(struct fmp_inspect_config *cfg,
					   enum fmp_security security)
{
	struct fmp_inspector *i;
	struct fmp_error err;

	cfg->security = security;
	if (fmp_inspector_new(cfg, &i, &err))
		abort_with(err.message);
	return i;
}

/* Its users are read once: their file is gone afterwards. */
static struct fmp_inspector *new_header_inspector(struct fmp_inspect_config cfg)
{
	static const char users[] = "jane:secret\n";
	char file[] = "/tmp/fuzz-users.XXXXXX";
	struct fmp_inspector *i;
	int fd = mkstemp(file);

	if (fd < 0 || write(fd, users, strlen(users)) != (ssize_t)strlen(users))
		abort_with("no file of users");
	cfg.passwords = file;
	cfg.password_text = true;
	cfg.replay_entries = 0;
	cfg.require_encrypted = FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_USERNAME) |
				FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_TO);
	i = new_inspector(&cfg, FMP_SECURITY_BCE);
	unlink(file);
	close(fd);
	return i;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static struct fmp_policy_algorithms cbc = FMP_ALGORITHMS_DEFAULT;
	struct fmp_policy *policy = fmp_policy_default();
	struct fmp_inspect_config cfg;

	(void)argc;
	(void)argv;
	if (!policy || fmp_inspect_global_init(NULL))
		abort_with("no memory");
	cfg = fmp_inspect_config_from(policy);
	cfg.schema = vector_path("orders.xsd");
	cfg.key = vector_path("pki/server.key");
	body_gcm = new_inspector(&cfg, FMP_SECURITY_BCE);
	header_gcm = new_header_inspector(cfg);
	cbc.encryption = FMP_CIPHERS_CBC;
	cfg.algorithms = &cbc;
	body_cbc = new_inspector(&cfg, FMP_SECURITY_BCE);
	header_cbc = new_header_inspector(cfg);
	clear = new_inspector(&cfg, FMP_SECURITY_BCV);
	cfg.algorithms = NULL;
	cfg.trust = vector_path("pki/ca.crt");
	cfg.symmetric = FMP_SYMMETRIC_ANONYMOUS;
	cfg.replay_entries = 0;
	header_signed = new_inspector(&cfg, FMP_SECURITY_BCS);
	wrap_session(cfg.key);
	fmp_policy_free(policy);
	atexit(print_counters);
	return 0;
}

/* ---- a message around the input ---- */

static size_t encrypt_bytes(const EVP_CIPHER *cipher, const uint8_t *in, size_t n, uint8_t *out)
{
	bool gcm = EVP_CIPHER_get_mode(cipher) == EVP_CIPH_GCM_MODE;
	size_t iv_len = gcm ? 12 : 16;
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int a = 0, b = 0;

	memcpy(out, iv, iv_len);
	if (!ctx || !EVP_EncryptInit_ex(ctx, cipher, NULL, session, iv) ||
	    !EVP_CIPHER_CTX_set_padding(ctx, 0) ||
	    !EVP_EncryptUpdate(ctx, out + iv_len, &a, in, (int)n) ||
	    !EVP_EncryptFinal_ex(ctx, out + iv_len + a, &b) ||
	    (gcm && !EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, out + iv_len + a + b)))
		abort_with("no encryption");
	EVP_CIPHER_CTX_free(ctx);
	return iv_len + (size_t)a + (size_t)b + (gcm ? 16 : 0);
}

/* Whole blocks: the content, whatever is behind it, and a last byte that says how much that is. */
static size_t pad_bytes(const uint8_t *in, size_t n, bool chosen, uint8_t *out)
{
	size_t len = (n / 16 + 1) * 16;

	memset(out, 'p', len);
	memcpy(out, in, n);
	out[len - 1] = chosen && n ? in[n - 1] : (uint8_t)(len - n);
	return len;
}

static void put_base64(FILE *f, const uint8_t *p, size_t n)
{
	static uint8_t text[2 * MOST];

	EVP_EncodeBlock(text, p, (int)n);
	fputs((char *)text, f);
}

static size_t encrypt_content(enum way way, const uint8_t *in, size_t n, uint8_t *out)
{
	static uint8_t padded[MOST + 16];

	switch (way) {
	case GCM:
	case HEADER_GCM:
	case HEADER_SIGNED:
		return encrypt_bytes(EVP_aes_128_gcm(), in, n, out);
	case CBC:
	case CBC_PADDING:
	case HEADER_CBC:
		return encrypt_bytes(EVP_aes_128_cbc(), padded,
				     pad_bytes(in, n, way == CBC_PADDING, padded), out);
	case KEY_RAW:
		return encrypt_bytes(EVP_aes_128_gcm(), (const uint8_t *)"<a/>", 4, out);
	default:
		memcpy(out, in, n);
		return n;
	}
}

static bool is_cbc(enum way way)
{
	return way == CBC || way == CBC_PADDING || way == CBC_RAW || way == HEADER_CBC;
}

static bool encrypts_header(enum way way)
{
	return way == HEADER_GCM || way == HEADER_CBC || way == HEADER_SIGNED;
}

/* Of the user, of To, of the Body: the last has what is left. */
struct contents {
	const uint8_t *p[3];
	size_t n[3];
};

static struct contents split_input(enum way way, const uint8_t *in, size_t n)
{
	struct contents c = { .n = { 0 } };

	for (int k = encrypts_header(way) ? 0 : 2; k < 3; k++) {
		const uint8_t *nul = k < 2 ? memchr(in, 0, n) : NULL;

		c.p[k] = in;
		c.n[k] = nul ? (size_t)(nul - in) : k < 2 ? 0 : n;
		if (nul) {
			n -= (size_t)(nul + 1 - in);
			in = nul + 1;
		}
	}
	return c;
}

static void put_data(FILE *f, enum way way, const char *id, const struct contents *c, int k)
{
	static uint8_t cipher[MOST + 64];

	fprintf(f,
		"<x:EncryptedData xmlns:x='" XENC "' Id='%s' Type='" XENC
		"Element'><x:EncryptionMethod Algorithm='%s'/><x:CipherData><x:CipherValue>",
		id, is_cbc(way) ? XENC "aes128-cbc" : XENC11 "aes128-gcm");
	put_base64(f, cipher, encrypt_content(way, c->p[k], c->n[k], cipher));
	fputs("</x:CipherValue></x:CipherData></x:EncryptedData>", f);
}

/* ---- a signature by the session key ---- */

#define WSU	"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"
#define DS	"http://www.w3.org/2000/09/xmldsig#"
#define EXC	"http://www.w3.org/2001/10/xml-exc-c14n#"
#define EK_TYPE "http://docs.oasis-open.org/wss/oasis-wss-soap-message-security-1.1#EncryptedKey"

/* What is signed is written in its canonical form. */
static const char signed_time[] =
	"<wsu:Timestamp xmlns:wsu=\"" WSU "\" wsu:Id=\"ts\"><wsu:Created>2026-11-22T02:59:00Z"
	"</wsu:Created><wsu:Expires>2026-11-22T03:04:00Z</wsu:Expires></wsu:Timestamp>";
static const char signed_body[] =
	"<e:Body xmlns:e=\"" SOAP "\" xmlns:wsu=\"" WSU "\" wsu:Id=\"b\">"
	"<submitOrder xmlns=\"urn:fmp:orders\"><orderId>1</orderId><customer>A</customer>"
	"<date>2026-11-21T02:00:00Z</date><item><sku>ABC-000001</sku><qty>1</qty><price>1.00"
	"</price></item></submitOrder></e:Body>";

static void put_reference(FILE *f, const char *id, const char *of)
{
	uint8_t digest[32];

	SHA256((const uint8_t *)of, strlen(of), digest);
	fprintf(f,
		"<ds:Reference URI=\"#%s\"><ds:Transforms><ds:Transform Algorithm=\"" EXC
		"\"></ds:Transform></ds:Transforms><ds:DigestMethod Algorithm=\"" XENC
		"sha256\"></ds:DigestMethod><ds:DigestValue>",
		id);
	put_base64(f, digest, sizeof(digest));
	fputs("</ds:DigestValue></ds:Reference>", f);
}

static void put_signature(FILE *f)
{
	uint8_t value[32];
	size_t len;
	char *info;
	FILE *i = open_memstream(&info, &len);

	if (!i)
		abort_with("no memory");
	fputs("<ds:SignedInfo xmlns:ds=\"" DS "\"><ds:CanonicalizationMethod Algorithm=\"" EXC
	      "\"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm=\"http://www.w3.org/"
	      "2001/04/xmldsig-more#hmac-sha256\"></ds:SignatureMethod>",
	      i);
	put_reference(i, "b", signed_body);
	put_reference(i, "ts", signed_time);
	fputs("</ds:SignedInfo>", i);
	fclose(i);
	HMAC(EVP_sha256(), session, sizeof(session), (uint8_t *)info, len, value, NULL);
	fprintf(f, "%s<ds:Signature xmlns:ds=\"" DS "\">%s<ds:SignatureValue>", signed_time, info);
	put_base64(f, value, sizeof(value));
	fputs("</ds:SignatureValue><ds:KeyInfo><w:SecurityTokenReference><w:Reference URI='#k' "
	      "ValueType='" EK_TYPE "'/></w:SecurityTokenReference></ds:KeyInfo></ds:Signature>",
	      f);
	free(info);
}

static void put_header(FILE *f, enum way way, const struct contents *c)
{
	fputs("<e:Header><w:Security xmlns:w='" WSSE "'><x:EncryptedKey xmlns:x='" XENC
	      "' Id='k'><x:EncryptionMethod Algorithm='" XENC
	      "rsa-oaep-mgf1p'/><x:CipherData><x:CipherValue>",
	      f);
	put_base64(f, way == KEY_RAW ? c->p[2] : wrapped, way == KEY_RAW ? c->n[2] : wrapped_len);
	fputs("</x:CipherValue></x:CipherData><x:ReferenceList>", f);
	if (way != HEADER_SIGNED)
		fputs("<x:DataReference URI='#d'/>", f);
	if (encrypts_header(way))
		fputs("<x:DataReference URI='#u'/><x:DataReference URI='#t'/>", f);
	fputs("</x:ReferenceList></x:EncryptedKey>", f);
	if (encrypts_header(way))
		put_data(f, way, "u", c, 0);
	if (way == HEADER_SIGNED)
		put_signature(f);
	fputs("</w:Security>", f);
	if (encrypts_header(way)) {
		fputs("<h:EncryptedHeader xmlns:h='" WSSE11 "'>", f);
		put_data(f, way, "t", c, 1);
		fputs("</h:EncryptedHeader>", f);
	}
	fputs("</e:Header>", f);
}

static char *write_message(enum way way, const struct contents *c, size_t *len)
{
	char *text;
	FILE *f = open_memstream(&text, len);

	if (!f)
		abort_with("no memory");
	fputs("<e:Envelope xmlns:e='" SOAP "'>", f);
	put_header(f, way, c);
	if (way == HEADER_SIGNED) {
		fputs(signed_body, f);
	} else {
		fputs("<e:Body>", f);
		put_data(f, way, "d", c, 2);
		fputs("</e:Body>", f);
	}
	fputs("</e:Envelope>", f);
	fclose(f);
	return text;
}

/* ---- what must hold ---- */

static void check_refused(enum way way, const struct fmp_inspection *v)
{
	refused[v->kind]++;
	if (v->step != FMP_STEP_DECRYPT || v->forward || !v->detail[0])
		abort_with("refused in another way");
	if (way != GCM && way != HEADER_GCM && way != HEADER_SIGNED &&
	    (v->kind != FMP_EVENT_DECRYPT || v->line || strcmp(v->detail, GENERIC)))
		abort_with("the answer tells what was wrong");
}

/* One element, in the namespaces of its place, with nothing but white space around it. */
static void check_element(const uint8_t *p, size_t n)
{
	xmlDocPtr doc;
	xmlNode *only = NULL;
	size_t len;
	char *text;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		abort_with("no memory");
	fputs("<r xmlns:e='" SOAP "' xmlns:w='" WSSE "'>", f);
	fwrite(p, 1, n, f);
	fputs("</r>", f);
	fclose(f);
	doc = xmlReadMemory(text, (int)len, NULL, "UTF-8",
			    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	for (xmlNode *c = doc ? xmlDocGetRootElement(doc)->children : NULL; c; c = c->next) {
		if (c->type == XML_TEXT_NODE && xmlIsBlankNode(c))
			continue;
		if (only || c->type != XML_ELEMENT_NODE)
			abort_with("more than an element in a place");
		only = c;
	}
	if (!only)
		abort_with("no element in a place");
	xmlFreeDoc(doc);
	free(text);
}

static void check_accepted(enum way way, const struct contents *c, const struct fmp_inspection *v)
{
	struct fmp_inspection again = inspect_or_abort(clear, v->forward, v->forward_len);

	accepted++;
	if (way == GCM_RAW || way == KEY_RAW)
		abort_with("a tag that nobody made");
	if (!again.accepted)
		abort_with("accepted, but its output is not good in the clear");
	if (encrypts_header(way)) {
		check_element(c->p[0], c->n[0]);
		check_element(c->p[1], c->n[1]);
	}
	fmp_inspection_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fmp_inspection v;
	struct contents c;
	enum way way;
	size_t len;
	char *text;

	if (size < 1 || size > MOST)
		return 0;
	inputs++;
	way = data[0] % WAYS;
	c = split_input(way, data + 1, size - 1);
	text = write_message(way, &c, &len);
	if (is_cbc(way))
		v = inspect_or_abort(encrypts_header(way) ? header_cbc : body_cbc, text, len);
	else
		v = inspect_or_abort(way == HEADER_SIGNED   ? header_signed
				     : encrypts_header(way) ? header_gcm
							    : body_gcm,
				     text, len);
	if (v.accepted)
		check_accepted(way, &c, &v);
	else
		check_refused(way, &v);
	fmp_inspection_clear(&v);
	free(text);
	return 0;
}
