// SPDX-License-Identifier: GPL-2.0
/*
 * Encrypted messages with any content: made here for the key of the vectors. What
 * was encrypted is no more trusted than what was not.
 */
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <unistd.h>

#include <fmp/error.h>

#include "inspect/decrypt_message.h"
#include "run.h"
#include "tokens.h"
#include "work.h"

#define S11  "http://schemas.xmlsoap.org/soap/envelope/"
#define XENC "http://www.w3.org/2001/04/xmlenc#"
#define GCM  "http://www.w3.org/2009/xmlenc11#aes128-gcm"
#define CBC  "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
#define ORDER                                                                                      \
	"<submitOrder xmlns='urn:fmp:orders'><orderId>1</orderId><customer>A</customer>"           \
	"<date>2026-11-21T02:00:00Z</date><item><sku>ABC-000000</sku><qty>1</qty><price>1</price>" \
	"</item></submitOrder>"

static EVP_PKEY *recipient;

static void setup(void)
{
	FILE *f = fopen(tests_path("interop/vectors/pki/server.key"), "r");

	vectors_setup();
	ck_assert_ptr_nonnull(f);
	recipient = PEM_read_PrivateKey(f, NULL, NULL, NULL);
	fclose(f);
	ck_assert_ptr_nonnull(recipient);
}

static void teardown(void)
{
	EVP_PKEY_free(recipient);
	vectors_teardown();
}

static char *encode_base64(const uint8_t *p, size_t n)
{
	char *out = malloc(n / 3 * 4 + 5);

	ck_assert_ptr_nonnull(out);
	EVP_EncodeBlock((unsigned char *)out, p, (int)n);
	return out;
}

static char *wrap_key_for(EVP_PKEY *whom, int padding, const uint8_t *session, size_t n)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(whom, NULL);
	uint8_t out[512];
	size_t len = sizeof(out);

	ck_assert(EVP_PKEY_encrypt_init(ctx) > 0);
	ck_assert(EVP_PKEY_CTX_set_rsa_padding(ctx, padding) > 0);
	ck_assert(EVP_PKEY_encrypt(ctx, out, &len, session, n) > 0);
	EVP_PKEY_CTX_free(ctx);
	return encode_base64(out, len);
}

static char *wrap_key(const uint8_t *session, size_t n)
{
	return wrap_key_for(recipient, RSA_PKCS1_OAEP_PADDING, session, n);
}

/* The bytes of a CipherValue: the IV, the cipher text, the tag of GCM. pad: last byte of CBC's padding. */
static char *encrypt_text(const char *plain, const uint8_t *session, bool gcm, int pad)
{
	size_t n = strlen(plain), iv = gcm ? 12 : 16, whole = n;
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t *in = calloc(1, n + 16), *out = malloc(n + 64);
	char *text;
	int a, b;

	ck_assert(ctx && in && out);
	memcpy(in, plain, n);
	if (!gcm) {
		whole = n / 16 * 16 + 16;
		in[whole - 1] = pad >= 0 ? (uint8_t)pad : (uint8_t)(whole - n);
	}
	RAND_bytes(out, (int)iv);
	ck_assert(EVP_EncryptInit_ex(ctx, gcm ? EVP_aes_128_gcm() : EVP_aes_128_cbc(), NULL,
				     session, out));
	EVP_CIPHER_CTX_set_padding(ctx, 0);
	ck_assert(EVP_EncryptUpdate(ctx, out + iv, &a, in, (int)whole));
	ck_assert(EVP_EncryptFinal_ex(ctx, out + iv + a, &b));
	if (gcm)
		EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, out + iv + a);
	text = encode_base64(out, iv + (size_t)a + (gcm ? 16 : 0));
	EVP_CIPHER_CTX_free(ctx);
	free(in);
	free(out);
	return text;
}

static char *message_of(const char *key, const char *data, bool gcm)
{
	char *text;

	ck_assert_int_gt(
		asprintf(&text,
			 "<e:Envelope xmlns:e='" S11 "'><e:Header><w:Security xmlns:w='http://"
			 "docs.oasis-open.org/wss/2004/01/"
			 "oasis-200401-wss-wssecurity-secext-1.0.xsd'>"
			 "<x:EncryptedKey xmlns:x='" XENC "'><x:EncryptionMethod Algorithm='" XENC
			 "rsa-oaep-mgf1p'/><x:CipherData><x:CipherValue>%s</x:CipherValue>"
			 "</x:CipherData></x:EncryptedKey></w:Security></e:Header><e:Body>"
			 "<x:EncryptedData xmlns:x='" XENC "'><x:EncryptionMethod Algorithm='%s'/>"
			 "<x:CipherData><x:CipherValue>%s</x:CipherValue></x:CipherData>"
			 "</x:EncryptedData></e:Body></e:Envelope>",
			 key, gcm ? GCM : CBC, data),
		0);
	return text;
}

/* pad: of CBC; -1: the right one */
static char *message_with(const char *plain, bool gcm, int pad)
{
	uint8_t session[16];
	char *key, *data, *text;

	RAND_bytes(session, sizeof(session));
	key = wrap_key(session, sizeof(session));
	data = encrypt_text(plain, session, gcm, pad);
	text = message_of(key, data, gcm);
	free(key);
	free(data);
	return text;
}

static struct fmp_inspection inspect_text(const struct fmp_inspect_config *cfg, char *text)
{
	struct fmp_inspector *i = make_inspector(cfg);
	struct fmp_inspection v = inspect_bytes(i, text, strlen(text));

	fmp_inspector_free(i);
	free(text);
	return v;
}

static struct fmp_inspection inspect_plain_pad(const char *plain, bool gcm, int pad)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCE);

	if (!gcm)
		cfg.algorithms = vector_cbc();
	return inspect_text(&cfg, message_with(plain, gcm, pad));
}

static struct fmp_inspection inspect_plain(const char *plain, bool gcm)
{
	return inspect_plain_pad(plain, gcm, -1);
}

START_TEST(good_content)
{
	for (int gcm = 0; gcm < 2; gcm++) {
		struct fmp_inspection v = inspect_plain(" " ORDER "\n", gcm);

		ck_assert_msg(v.accepted, "%s", v.detail);
		ck_assert_ptr_nonnull(memmem(v.forward, v.forward_len, "ABC-000000", 10));
		ck_assert_ptr_null(memmem(v.forward, v.forward_len, "Encrypted", 9));
		fmp_inspection_clear(&v);
	}
}
END_TEST

static const struct {
	const char *plain;
	enum fmp_event_kind kind; /* under GCM; under CBC all are one */
} bad_content[] = {
	{ "", FMP_EVENT_SOAP },
	{ "text", FMP_EVENT_SOAP },
	{ "<other/>", FMP_EVENT_SCHEMA },
	{ "<submitOrder xmlns='urn:fmp:orders'/>", FMP_EVENT_SCHEMA },
	{ "<unbound:x/>", FMP_EVENT_WELLFORMED },
	{ "<a>", FMP_EVENT_WELLFORMED },
	{ "\xff", FMP_EVENT_ENCODING },
	{ "<!DOCTYPE x>" ORDER, FMP_EVENT_DTD },
	{ "<?xml version='1.0'?>" ORDER, FMP_EVENT_STRUCTURE },
	{ ORDER ORDER, FMP_EVENT_SOAP },
	/* Out of the Body and back in, or out for good. */
	{ ORDER "</e:Body><e:Body>", FMP_EVENT_SOAP },
	{ "</e:Body><e:Body>" ORDER, FMP_EVENT_SOAP },
	{ ORDER "</e:Body></e:Envelope>", FMP_EVENT_WELLFORMED },
	{ ORDER "</e:Body></e:Envelope><!--", FMP_EVENT_WELLFORMED },
	{ ORDER "<![CDATA[", FMP_EVENT_WELLFORMED },
	/* Encrypted twice is not what the configuration asks for. */
	{ "<x:EncryptedData xmlns:x='" XENC "'/>", FMP_EVENT_SCHEMA },
};

START_TEST(bad_content_is_refused)
{
	struct fmp_inspection v = inspect_plain(bad_content[_i].plain, true);

	ck_assert_msg(!v.accepted && v.kind == bad_content[_i].kind, "%s: kind %d: %s",
		      bad_content[_i].plain, v.kind, v.detail);
	v = inspect_plain(bad_content[_i].plain, false);
	ck_assert_msg(!v.accepted && v.kind == FMP_EVENT_DECRYPT, "%s", v.detail);
	ck_assert_int_eq(v.step, FMP_STEP_DECRYPT);
	ck_assert_str_eq(v.detail, "the message does not decrypt");
	ck_assert_int_eq(v.line, 0);
}
END_TEST

START_TEST(padding_of_cbc)
{
	struct fmp_inspection v;
	/* The order fills whole blocks: its padding is a block of its own. */
	char plain[1024] = ORDER;
	size_t n = strlen(plain);

	while (n % 16)
		plain[n++] = ' ';
	v = inspect_plain_pad(plain, false, 16);
	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	v = inspect_plain_pad(plain, false, 0);
	ck_assert(!v.accepted && v.kind == FMP_EVENT_DECRYPT);
	v = inspect_plain_pad(plain, false, 17);
	ck_assert(!v.accepted && v.kind == FMP_EVENT_DECRYPT);
	v = inspect_plain_pad(plain, false, 255);
	ck_assert(!v.accepted && v.kind == FMP_EVENT_DECRYPT);
}
END_TEST

/* ---- namespaces whose URI is relative: no canonical form of the standard has them ---- */

static char *with_relative(char *text)
{
	struct bytes b = { .p = text, .len = strlen(text) };

	return edit_bytes(b, "<e:Envelope ", "<e:Envelope xmlns:q='q' ").p;
}

START_TEST(a_relative_namespace_is_in_the_output)
{
	static const char schema[] =
		"<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema' targetNamespace='orders' "
		"elementFormDefault='qualified'><s:element name='x' type='s:string'/></s:schema>";
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCE);
	char file[] = "/tmp/fmp-decrypt.XXXXXX";
	int fd = mkstemp(file);
	struct fmp_inspection v;

	ck_assert(fd >= 0 && write(fd, schema, strlen(schema)) == (ssize_t)strlen(schema));
	close(fd);
	cfg.schema = file;
	v = inspect_text(&cfg, with_relative(message_with("<x xmlns='orders'>1</x>", true, -1)));
	ck_assert_msg(v.accepted, "%s", v.detail);
	ck_assert_ptr_nonnull(memmem(v.forward, v.forward_len, " xmlns:q=\"q\"", 12));
	ck_assert_ptr_nonnull(memmem(v.forward, v.forward_len, "<x xmlns=\"orders\">1</x>", 23));
	fmp_inspection_clear(&v);
	unlink(file);
}
END_TEST

/* With bytes that anybody may add: an answer of another kind would tell of the padding. */
START_TEST(a_relative_namespace_tells_nothing)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCE);
	char plain[1024] = ORDER;
	struct fmp_inspection v;

	cfg.algorithms = vector_cbc();
	while (strlen(plain) % 16)
		strcat(plain, " ");
	v = inspect_text(&cfg, with_relative(message_with(plain, false, 16)));
	ck_assert_msg(v.accepted, "%s", v.detail);
	fmp_inspection_clear(&v);
	v = inspect_text(&cfg, with_relative(message_with(plain, false, 0)));
	ck_assert_msg(!v.accepted && v.kind == FMP_EVENT_DECRYPT, "%s", v.detail);
}
END_TEST

/* What fails of ours is no other answer. */
START_TEST(a_failure_tells_nothing)
{
	static const struct fmpi_encrypted cbc = { .cipher = FMP_CIPHER_AES128_CBC };
	struct fmpi_plaintext r = { .good = false };
	struct fmp_inspection v = { 0 };

	ck_assert_int_eq(fmpi_plaintext_verdict(FMP_ERR_UNSUPPORTED, &r, &cbc, &v), FMPI_REFUSED);
	ck_assert_int_eq(v.kind, FMP_EVENT_DECRYPT);
	ck_assert_int_eq(fmpi_plaintext_verdict(FMP_ERR_NOMEM, &r, &cbc, &v), FMP_ERR_NOMEM);
	r.good = true;
	ck_assert_int_eq(fmpi_plaintext_verdict(FMP_ERR_UNSUPPORTED, &r, &cbc, &v),
			 FMP_ERR_UNSUPPORTED);
}
END_TEST

/* ---- what GCM does not vouch for costs the same, whatever it is ---- */

enum fault {
	GOOD,
	OTHERS_KEY, /* wrapped for another recipient */
	PKCS1, /* Bleichenbacher's */
	KEY_BIT, /* Manger's */
	KEY_SHORT,
	KEY_LONG,
	KEY_NONE,
	KEY_TEXT, /* not Base64 */
	KEY_LARGE, /* not below the modulus */
	SESSION_LENGTH, /* of the other AES */
	DATA_BIT,
	TAG,
	PADDING_0,
	PADDING_17,
	PADDING_255,
	NO_XML,
	NO_UTF8,
	MARKUP,
	NO_ORDER,
	FAULTS
};

static char *replace_text(char *old, char *new)
{
	free(old);
	return new;
}

static char *faulty_key(enum fault f, const uint8_t *session)
{
	char *key = wrap_key(session, f == SESSION_LENGTH ? 32 : 16);
	static uint8_t large[256];
	EVP_PKEY *other;

	switch (f) {
	case OTHERS_KEY:
		other = EVP_RSA_gen(2048);
		key = replace_text(key, wrap_key_for(other, RSA_PKCS1_OAEP_PADDING, session, 16));
		EVP_PKEY_free(other);
		break;
	case PKCS1:
		key = replace_text(key, wrap_key_for(recipient, RSA_PKCS1_PADDING, session, 16));
		break;
	case KEY_BIT:
		key[100] = key[100] == 'A' ? 'B' : 'A';
		break;
	case KEY_SHORT:
		key[strlen(key) - 4] = '\0';
		break;
	case KEY_LONG:
		key = replace_text(key, encode_base64(large, 512));
		break;
	case KEY_NONE:
		key[0] = '\0';
		break;
	case KEY_TEXT:
		key[7] = '!';
		break;
	case KEY_LARGE:
		memset(large, 0xff, sizeof(large));
		key = replace_text(key, encode_base64(large, sizeof(large)));
		break;
	default:
		break;
	}
	return key;
}

/* All of one length. */
static char *faulty_plain(enum fault f)
{
	char *plain = calloc(1, 1024);

	strcpy(plain, ORDER);
	while (strlen(plain) % 16)
		strcat(plain, " ");
	switch (f) {
	case NO_XML:
		memset(plain, 'x', strlen(plain));
		break;
	case NO_UTF8:
		plain[9] = '\xff';
		break;
	case MARKUP:
		memcpy(strstr(plain, "</item>"), "</itex>", 7);
		break;
	case NO_ORDER:
		memcpy(strstr(plain, "<qty>1"), "<qty>x", 6);
		break;
	default:
		break;
	}
	return plain;
}

#define DEAR 20000

static char around[DEAR + 64], behind[DEAR + 64];

static struct fmp_inspection inspect_fault(struct fmp_inspector *i, enum fault f, bool gcm)
{
	static const int pads[FAULTS] = { [PADDING_0] = 0, [PADDING_17] = 17, [PADDING_255] = 255 };
	char *plain = faulty_plain(f), *key, *data;
	bool pad = f >= PADDING_0 && f <= PADDING_255;
	uint8_t session[32];
	struct fmp_inspection v;
	struct bytes b;

	RAND_bytes(session, sizeof(session));
	key = faulty_key(f, session);
	data = encrypt_text(plain, session, gcm, pad ? pads[f] : -1);
	if (f == DATA_BIT)
		data[64] = data[64] == 'A' ? 'B' : 'A';
	if (f == TAG)
		data[strlen(data) - 5] = data[strlen(data) - 5] == 'A' ? 'B' : 'A';
	b.p = message_of(key, data, gcm);
	b.len = strlen(b.p);
	b = edit_bytes(edit_bytes(b, "<e:Header>", around), "</e:Body>", behind);
	memset(&work, 0, sizeof(work));
	v = inspect_bytes(i, b.p, b.len);
	free(plain);
	free(key);
	free(data);
	free(b.p);
	return v;
}

/* In front of what is encrypted and behind it the sender has put what is dear. */
static void make_dear(void)
{
	sprintf(around, "%*s<e:Header>", DEAR, "");
	sprintf(behind, "</e:Body>%*s", DEAR, "");
}

/* What nobody has encrypted for us is deciphered and refused, and not looked at. */
START_TEST(failures_do_the_same_work)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCE);
	bool gcm = _i;
	struct fmp_inspector *i;
	struct fmp_inspection v;
	struct work good, bad = { 0 };

	if (!gcm)
		cfg.algorithms = vector_cbc();
	i = make_inspector(&cfg);
	make_dear();
	v = inspect_fault(i, GOOD, gcm);
	good = work;
	ck_assert_msg(v.accepted && !v.cbc_failed, "%s", v.detail);
	ck_assert_uint_eq(good.private_operations, 1);
	/* One of the decrypted text; the fast parser reads the message around it. */
	ck_assert_uint_eq(good.parses, 1);
	fmp_inspection_clear(&v);
	for (enum fault f = OTHERS_KEY; f < FAULTS; f++) {
		/* Without a tag it is padding that stands there: of 256 changes one makes it another good one. */
		if (gcm ? f >= PADDING_0 && f <= PADDING_255 : f == TAG)
			continue;
		v = inspect_fault(i, f, gcm);
		ck_assert_msg(!v.accepted && v.step == FMP_STEP_DECRYPT, "%d: %s", f, v.detail);
		ck_assert_int_eq(v.cbc_failed, !gcm);
		if (!gcm || f < NO_XML) {
			ck_assert_int_eq(v.kind, FMP_EVENT_DECRYPT);
			ck_assert_int_eq(v.line, 0);
			ck_assert_str_eq(v.detail, "the message does not decrypt");
		}
		ck_assert_msg(work.private_operations == 1, "%d: %u operations of the key", f,
			      work.private_operations);
		ck_assert_msg(work.deciphered == good.deciphered, "%d: %zu bytes deciphered", f,
			      work.deciphered);
		/* Of CBC what it is can be told by that: such tries are counted. */
		if (!gcm || f >= NO_XML)
			continue;
		if (f == OTHERS_KEY)
			bad = work;
		ck_assert_msg(memcmp(&work, &bad, sizeof(work)) == 0 && work.parses == 0 &&
				      work.screens == 1,
			      "%d: %u parses, %u screens", f, work.parses, work.screens);
	}
	fmp_inspector_free(i);
}
END_TEST

/* Once too many of them did not decrypt, none does, good or not, without the key; GCM is not asked. */
/* Also that of a key which only attachments are encrypted with: an HMAC may have unwrapped it before. */
START_TEST(length_of_the_key)
{
	static struct fmpi_encrypted e = { .cipher = FMP_CIPHER_AES256_GCM };

	ck_assert_uint_eq(fmpi_decrypt_key_length(&e), 0);
	e.n_attachments = 2;
	e.attachment[0].datum.derived.length = 32;
	ck_assert_uint_eq(fmpi_decrypt_key_length(&e), 32);
	e.attachment[1].datum.derived.length = 32;
	ck_assert_uint_eq(fmpi_decrypt_key_length(&e), 0);
	e.n = 1;
	e.cipher = FMP_CIPHER_AES128_CBC;
	ck_assert_uint_eq(fmpi_decrypt_key_length(&e), 16);
}
END_TEST

START_TEST(no_more_tries)
{
	for (int gcm = 0; gcm < 2; gcm++) {
		struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCE);
		char *text = message_with(ORDER, gcm, -1);
		struct fmp_message m = { .bytes = text,
					 .len = strlen(text),
					 .now_s = VECTORS_NOW,
					 .decrypt_budget_spent = true };
		struct fmp_inspection v;
		struct fmp_inspector *i;

		if (!gcm)
			cfg.algorithms = vector_cbc();
		i = make_inspector(&cfg);
		memset(&work, 0, sizeof(work));
		ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
		ck_assert_int_eq(v.accepted, gcm);
		ck_assert_uint_eq(work.private_operations, gcm);
		ck_assert(gcm || (v.lacks == FMP_LACKS_DECRYPT_BUDGET && v.kind == FMP_EVENT_GOOD &&
				  v.step == FMP_STEP_DECRYPT && !v.cbc_failed));
		fmp_inspection_clear(&v);
		fmp_inspector_free(i);
		free(text);
	}
}
END_TEST

/* ---- a signature that can be seen is looked at before the key is used ---- */

static const struct {
	const char *file, *part; /* what is changed: behind this */
	enum fmp_order order;
	bool xmlsec_only, tokens;
} seen[] = {
	{ "good/wss4j-sign-then-enc-1k.xml", "SignatureValue>", FMP_ORDER_SIGN_ENCRYPT, false,
	  false },
	{ "good/wss4j-sign-then-enc-1k.xml", "DigestValue>", FMP_ORDER_SIGN_ENCRYPT, false, false },
	{ "good/wss4j-sign-then-enc-1k.xml", "SignatureValue>", FMP_ORDER_SIGN_ENCRYPT, true,
	  false },
	{ "tokens/pss-then-enc.xml", "SignatureValue>", FMP_ORDER_SIGN_ENCRYPT, false, true },
	{ "tokens/pss-then-enc.xml", "SignatureValue>", FMP_ORDER_SIGN_ENCRYPT, true, true },
	{ "good/wss4j-enc-then-sign-1k.xml", "SignatureValue>", FMP_ORDER_ENCRYPT_SIGN, false,
	  false },
	{ "good/wss4j-enc-then-sign-1k.xml", "soapenv:Body", FMP_ORDER_ENCRYPT_SIGN, false, false },
	{ "good/wss4j-enc-then-sign-1k.xml", "soapenv:Body", FMP_ORDER_ENCRYPT_SIGN, true, false },
};

/* One letter of Base64, of a cipher text where the Body is meant. */
static void change_letter(struct bytes *b, const char *part)
{
	char *at = strstr(b->p, part);

	ck_assert_ptr_nonnull(at);
	if (strstr(part, "Body"))
		at = strstr(at, "CipherValue>");
	at = strchr(at, '>') + 20;
	*at = *at == 'A' ? 'B' : 'A';
}

static struct fmp_inspection inspect_then(struct fmp_inspector *i, const struct bytes *b,
					  int64_t now_s)
{
	struct fmp_message m = { .bytes = b->p, .len = b->len, .now_s = now_s };
	struct fmp_inspection v;

	memset(&work, 0, sizeof(work));
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	return v;
}

START_TEST(the_key_is_not_used)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCES);
	struct bytes b = read_vector(seen[_i].file);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.order = seen[_i].order;
	cfg.xmlsec_only = seen[_i].xmlsec_only;
	if (seen[_i].tokens)
		cfg.trust = tests_path("interop/vectors/tokens/pki/ca.crt");
	i = make_inspector(&cfg);
	v = inspect_then(i, &b, seen[_i].tokens ? TOKENS_NOW : VECTORS_NOW);
	ck_assert_msg(v.accepted, "%s: %s", seen[_i].file, v.detail);
	ck_assert_uint_eq(work.private_operations, 1);
	fmp_inspection_clear(&v);
	change_letter(&b, seen[_i].part);
	v = inspect_then(i, &b, seen[_i].tokens ? TOKENS_NOW : VECTORS_NOW);
	ck_assert_msg(v.kind == FMP_EVENT_SIGNATURE && v.step == FMP_STEP_SIGNATURE, "%s: %s",
		      seen[_i].file, v.detail);
	ck_assert_uint_eq(work.private_operations, 0);
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

/* Text where an element is to be ends the look at what stands beside it: it is to be little. */
START_TEST(blanks_beside_are_few)
{
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCE);

	for (int n = 0; n < 2; n++) {
		struct bytes b = { .p = message_with(ORDER, true, -1) };
		struct fmp_inspection v;
		char blanks[4200];

		b.len = strlen(b.p);
		sprintf(blanks, "<!-- -->%*s</e:Body>", n ? 4097 : 4096, "");
		b = edit_bytes(b, "</e:Body>", blanks);
		v = inspect_bytes(i, b.p, b.len);
		ck_assert_msg(n ? v.kind == FMP_EVENT_STRUCTURE && v.step == FMP_STEP_DECRYPT
				: v.accepted,
			      "%d: %s", v.kind, v.detail);
		fmp_inspection_clear(&v);
		free(b.p);
	}
	fmp_inspector_free(i);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("decrypt");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, good_content);
	tcase_add_loop_test(tc, bad_content_is_refused, 0,
			    sizeof(bad_content) / sizeof(bad_content[0]));
	tcase_add_test(tc, padding_of_cbc);
	tcase_add_test(tc, length_of_the_key);
	tcase_add_test(tc, no_more_tries);
	tcase_add_loop_test(tc, the_key_is_not_used, 0, sizeof(seen) / sizeof(seen[0]));
	tcase_add_test(tc, a_relative_namespace_is_in_the_output);
	tcase_add_test(tc, a_relative_namespace_tells_nothing);
	tcase_add_test(tc, a_failure_tells_nothing);
	tcase_add_test(tc, blanks_beside_are_few);
	tcase_add_loop_test(tc, failures_do_the_same_work, 0, 2);
	return run_tcase("decrypt", tc);
}
