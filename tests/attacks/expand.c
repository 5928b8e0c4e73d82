// SPDX-License-Identifier: GPL-2.0
#include "expand.h"

#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "pki.h"

#define HOUR 3600

static const char signed_body[] = SIGNED_BODY("body", "@O");
static const char timestamp[] = "<wsu:Timestamp xmlns:wsu=\"" WSU "\" wsu:Id=\"ts\"><wsu:Created>@N"
				"</wsu:Created><wsu:Expires>@F</wsu:Expires></wsu:Timestamp>";
static const char token[] = "<wsse:BinarySecurityToken xmlns:wsu=\"" WSU "\" EncodingType=\"" BASE64
			    "\" ValueType=\"" X509V3 "\" wsu:Id=\"token\">@k"
			    "</wsse:BinarySecurityToken>";
static const char signature[] =
	"<ds:Signature xmlns:ds=\"" DS "\">@S<ds:SignatureValue>@v</ds:SignatureValue><ds:KeyInfo>"
	"<wsse:SecurityTokenReference><wsse:Reference ValueType=\"" X509V3 "\" URI=\"#token\"/>"
	"</wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>";
static const char signed_info[] = SIGNED_INFO(REF_TIME REF_BODY);
static const char encrypted_key[] =
	"<xenc:EncryptedKey xmlns:xenc=\"" XENC
	"\" Id=\"ek\"><xenc:EncryptionMethod Algorithm=\"" XENC
	"rsa-oaep-mgf1p\"/><xenc:CipherData><xenc:CipherValue>@x</xenc:CipherValue>"
	"</xenc:CipherData><xenc:ReferenceList><xenc:DataReference URI=\"#ed\"/>"
	"</xenc:ReferenceList></xenc:EncryptedKey>";
static const char encrypted_data[] =
	"<xenc:EncryptedData xmlns:xenc=\"" XENC "\" Id=\"ed\" Type=\"" XENC
	"Content\"><xenc:EncryptionMethod Algorithm=\"" XENC11 "aes128-gcm\"/><xenc:CipherData>"
	"<xenc:CipherValue>@d</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>";

static const char assertion[] = ASSERTION("jane", HOLDER, AUDIENCE(ATTACK_AUDIENCE));
static const char enveloped_info[] = SIGNED_INFO(REFERENCE(
	" URI=\"#_a\"", TRANSFORM(DS "enveloped-signature") TRANSFORM(EXC), XENC "sha256", "@a"));
static const char enveloped[] =
	"<ds:Signature xmlns:ds=\"" DS "\">@I<ds:SignatureValue>@s</ds:SignatureValue><ds:KeyInfo>"
	"<ds:X509Data><ds:X509Certificate>@i</ds:X509Certificate></ds:X509Data></ds:KeyInfo>"
	"</ds:Signature>";
static const char by_holder[] =
	"<ds:Signature xmlns:ds=\"" DS "\">@S<ds:SignatureValue>@v</ds:SignatureValue><ds:KeyInfo>"
	"<wsse:SecurityTokenReference><wsse:KeyIdentifier ValueType=\"" SAMLID "\">_a"
	"</wsse:KeyIdentifier></wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>";

static struct attack_bytes expand_to_bytes(struct attack_pki *pki, const struct attack *a,
					   const char *text)
{
	struct attack_bytes b = { 0 };
	FILE *f = open_memstream(&b.p, &b.len);

	NEED(f);
	attack_expand(pki, a, text, f);
	NEED(fclose(f) == 0);
	return b;
}

static void put_repeated(const char *piece, unsigned n, FILE *out)
{
	for (unsigned i = 0; i < n; i++) {
		for (const char *p = piece; *p; p++) {
			if (*p != '@') {
				fputc(*p, out);
			} else if (*++p == '#') {
				fprintf(out, "%u", i);
			} else {
				NEED(*p == 'h');
				for (unsigned bit = 0; bit < 16; bit++)
					fputs(i >> bit & 1 ? "Ez" : "FY", out);
			}
		}
	}
}

static void put_digest_of(struct attack_pki *pki, const struct attack *a, const char *text,
			  const EVP_MD *md, FILE *out)
{
	struct attack_bytes b = expand_to_bytes(pki, a, text);

	attack_put_digest(out, md, b.p, b.len);
	free(b.p);
}

static const char *info_of(const struct attack *a)
{
	return a->info ? a->info : signed_info;
}

static void put_value(struct attack_pki *pki, const struct attack *a, FILE *out)
{
	struct attack_bytes b = expand_to_bytes(pki, a, info_of(a));

	attack_put_signature(out, pki->key[a->key], b.p, b.len);
	free(b.p);
}

static void put_mac(struct attack_pki *pki, const struct attack *a, FILE *out)
{
	struct attack_bytes b = expand_to_bytes(pki, a, info_of(a));

	attack_put_mac(out, a->secret, pki->token[a->token], b.p, b.len);
	free(b.p);
}

static void put_endorsement(struct attack_pki *pki, const struct attack *a, FILE *out)
{
	struct attack_bytes b = expand_to_bytes(pki, a, a->endorsing);

	attack_put_signature(out, pki->key[a->key], b.p, b.len);
	free(b.p);
}

static enum attack_cert issuer_of(const struct attack *a)
{
	return a->issuer ? a->issuer : ATTACK_IDP;
}

static const char *assertion_of(const struct attack *a)
{
	return a->assertion ? a->assertion : assertion;
}

/* The digest of what the issuer signed: without the signature, and without what was inserted later. */
static void put_assertion_digest(struct attack_pki *pki, const struct attack *a, FILE *out)
{
	char *text = strdup(assertion_of(a)), *to = text;

	NEED(text);
	for (const char *p = text; *p; p++) {
		if (p[0] == '@' && (p[1] == '!' || p[1] == '~'))
			p++;
		else
			*to++ = *p;
	}
	*to = '\0';
	put_digest_of(pki, a, text, EVP_sha256(), out);
	free(text);
}

static void put_issued(struct attack_pki *pki, const struct attack *a, FILE *out)
{
	struct attack_bytes b = expand_to_bytes(pki, a, enveloped_info);

	attack_put_signature(out, pki->key[issuer_of(a)], b.p, b.len);
	free(b.p);
}

static void put_cipher(struct attack_pki *pki, const struct attack *a, bool gcm, FILE *out)
{
	struct attack_bytes b = expand_to_bytes(pki, a, a->plain ? a->plain : ORDER);

	attack_put_cipher(out, gcm, b.p, b.len);
	free(b.p);
}

static const char *template_of(char letter, const struct attack *a)
{
	switch (letter) {
	case 'O':
		return a->plain ? a->plain : ORDER;
	case 'B':
		return signed_body;
	case 'T':
		return timestamp;
	case 'K':
		return token;
	case 'S':
		return info_of(a);
	case 'G':
		return signature;
	case 'W':
		return SECURITY("@K@T@G");
	case 'A':
		return assertion_of(a);
	case '!':
		return enveloped;
	case 'I':
		return enveloped_info;
	case 'E':
		return a->endorsing;
	case 'H':
		return by_holder;
	case 'X':
		return encrypted_key;
	case 'D':
		return encrypted_data;
	default:
		return NULL;
	}
}

static void put_letter(struct attack_pki *pki, const struct attack *a, char letter, FILE *out)
{
	switch (letter) {
	case '@':
		fputc('@', out);
		return;
	case '0':
		fputc('\0', out);
		return;
	case '*':
		put_repeated(a->piece, a->n, out);
		return;
	case '/':
		put_repeated(a->close, a->n, out);
		return;
	case 'N':
		attack_put_time(out, pki->now_s);
		return;
	case 'P':
		attack_put_time(out, pki->now_s - HOUR);
		return;
	case 'F':
		attack_put_time(out, pki->now_s + HOUR);
		return;
	case 'k':
		fputs(pki->token[a->token], out);
		return;
	case 'v':
		put_value(pki, a, out);
		return;
	case 'b':
		put_digest_of(pki, a, signed_body, EVP_sha256(), out);
		return;
	case 't':
		put_digest_of(pki, a, timestamp, EVP_sha256(), out);
		return;
	case '1':
		put_digest_of(pki, a, signed_body, EVP_sha1(), out);
		return;
	case '~':
		fputs("<!-- -->", out);
		return;
	case 'a':
		put_assertion_digest(pki, a, out);
		return;
	case 's':
		put_issued(pki, a, out);
		return;
	case 'i':
		fputs(pki->token[issuer_of(a)], out);
		return;
	case 'j':
		fputs(pki->token[ATTACK_GOOD], out);
		return;
	case 'C':
		fputs(pki->token[ATTACK_CA], out);
		return;
	case '2':
		fputs(pki->token[ATTACK_SECOND], out);
		return;
	case 'M':
		put_mac(pki, a, out);
		return;
	case 'e':
		put_endorsement(pki, a, out);
		return;
	case 'x':
		attack_put_wrapped(out, pki->server);
		return;
	case 'd':
	case 'c':
		put_cipher(pki, a, letter == 'd', out);
		return;
	default:
		attack_need(template_of(letter, a), a->variant);
		attack_expand(pki, a, template_of(letter, a), out);
	}
}

/* Copy what stands between a bracket and the one that closes it; *behind is set behind that. */
static char *copy_bracket(const char *text, const char **behind)
{
	unsigned depth = 1;
	const char *at = text;

	for (; (at = strchr(at, '@')); at += 2) {
		depth += strchr("({<[", at[1]) != NULL;
		depth -= strchr(")}>]", at[1]) != NULL;
		if (depth == 0)
			break;
	}
	attack_need(at, text);
	*behind = at + 2;
	return strndup(text, (size_t)(at - text));
}

static const char *put_brackets(struct attack_pki *pki, const struct attack *a, const char *open,
				FILE *out)
{
	const char *behind;
	char *text = copy_bracket(open + 1, &behind);
	struct attack_bytes b = expand_to_bytes(pki, a, text);

	if (*open == '[')
		attack_put_path(out, pki, b.p);
	else if (*open == '(')
		attack_put_digest(out, EVP_sha256(), b.p, b.len);
	else
		attack_put_cipher(out, *open == '{', b.p, b.len);
	free(b.p);
	free(text);
	return behind;
}

void attack_expand(struct attack_pki *pki, const struct attack *a, const char *text, FILE *out)
{
	const char *at;

	while ((at = strchr(text, '@'))) {
		fwrite(text, 1, (size_t)(at - text), out);
		text = at + 2;
		if (strchr("({<[", at[1]))
			text = put_brackets(pki, a, at + 1, out);
		else
			put_letter(pki, a, at[1], out);
	}
	fputs(text, out);
}
