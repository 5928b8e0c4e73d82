// SPDX-License-Identifier: GPL-2.0
/* <algorithms>: the names of algorithms in the policy, lists of names into bits and back. */
#include <fmp/internal/policy_settings.h>

#include <stdio.h>
#include <string.h>

#define BLANKS " \t\r\n"

const char *const fmpi_signature_names[] = {
	[FMP_SIGNATURE_RSA_SHA256] = "rsa-sha256",
	[FMP_SIGNATURE_RSA_SHA384] = "rsa-sha384",
	[FMP_SIGNATURE_RSA_SHA512] = "rsa-sha512",
	[FMP_SIGNATURE_RSA_PSS_SHA256] = "rsa-pss-sha256",
	[FMP_SIGNATURE_RSA_PSS_SHA384] = "rsa-pss-sha384",
	[FMP_SIGNATURE_RSA_PSS_SHA512] = "rsa-pss-sha512",
	[FMP_SIGNATURE_ECDSA_SHA256] = "ecdsa-sha256",
	[FMP_SIGNATURE_ECDSA_SHA384] = "ecdsa-sha384",
	[FMP_SIGNATURE_ECDSA_SHA512] = "ecdsa-sha512",
	[FMP_SIGNATURE_HMAC_SHA256] = "hmac-sha256",
	[FMP_SIGNATURE_HMAC_SHA384] = "hmac-sha384",
	[FMP_SIGNATURE_HMAC_SHA512] = "hmac-sha512",
	[FMP_SIGNATURE_ED25519] = "ed25519",
	[FMP_SIGNATURES] = NULL,
};

const char *const fmpi_digest_names[] = {
	[FMP_DIGEST_SHA256] = "sha256",
	[FMP_DIGEST_SHA384] = "sha384",
	[FMP_DIGEST_SHA512] = "sha512",
	[FMP_DIGESTS] = NULL,
};

const char *const fmpi_cipher_names[] = {
	[FMP_CIPHER_AES128_CBC] = "aes128-cbc",
	[FMP_CIPHER_AES256_CBC] = "aes256-cbc",
	[FMP_CIPHER_AES128_GCM] = "aes128-gcm",
	[FMP_CIPHER_AES256_GCM] = "aes256-gcm",
	[FMP_CIPHERS] = NULL,
};

const char *const fmpi_key_transport_names[] = {
	[FMP_RSA_OAEP_SHA1] = "rsa-oaep-sha1",
	[FMP_RSA_OAEP_SHA256] = "rsa-oaep-sha256",
	[FMP_RSA_OAEP_SHA384] = "rsa-oaep-sha384",
	[FMP_RSA_OAEP_SHA512] = "rsa-oaep-sha512",
	[FMP_KEY_ECDH_ES] = "ecdh-es",
	[FMP_KEY_X25519] = "x25519",
	[FMP_KEY_TRANSPORTS] = NULL,
};

void fmpi_algorithms_format(unsigned bits, const char *const *names, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned i = 0; names[i] && len < size; i++)
		if (bits & FMP_ALGORITHM_BIT(i))
			len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? " " : "",
						names[i]);
}

static const char *next_name(size_t i, const void *names)
{
	return ((const char *const *)names)[i];
}

static int refuse_name(const char *word, const char *const *names, char *why, size_t size)
{
	char all[256], hint[64];

	fmpi_algorithms_format(~0u, names, all, sizeof(all));
	fmp_suggestion(fmp_suggest(word, next_name, names), hint, sizeof(hint));
	snprintf(why, size, "names \"%s\", which is none of %s%s", word, all, hint);
	return FMP_ERR_SCHEMA;
}

int fmpi_algorithms_set(unsigned *field, const char *const *names, const char *text, char *why,
			size_t size)
{
	unsigned bits = 0, i;
	char word[32];

	for (text += strspn(text, BLANKS); *text; text += strspn(text, BLANKS)) {
		size_t n = strcspn(text, BLANKS);

		snprintf(word, sizeof(word), "%.*s", (int)(n < sizeof(word) ? n : sizeof(word) - 1),
			 text);
		for (i = 0; names[i] && strcmp(word, names[i]) != 0; i++)
			;
		if (!names[i])
			return refuse_name(word, names, why, size);
		bits |= FMP_ALGORITHM_BIT(i);
		text += n;
	}
	*field = bits;
	if (bits)
		return 0;
	snprintf(why, size, "names none: every message would be refused");
	return FMP_ERR_SCHEMA;
}

int fmp_ciphers_parse(const char *text, unsigned *out, char *why, size_t size)
{
	return fmpi_algorithms_set(out, fmpi_cipher_names, text, why, size);
}
