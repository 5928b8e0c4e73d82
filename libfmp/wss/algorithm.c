// SPDX-License-Identifier: GPL-2.0
#include "algorithm.h"

#include <string.h>

#include "xml/names.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

const struct fmpi_signature_method fmpi_signature_methods[] = {
	[FMP_SIGNATURE_RSA_SHA256] = { NS_DSMORE "rsa-sha256", FMPI_KEY_RSA, false, "SHA256" },
	[FMP_SIGNATURE_RSA_SHA384] = { NS_DSMORE "rsa-sha384", FMPI_KEY_RSA, false, "SHA384" },
	[FMP_SIGNATURE_RSA_SHA512] = { NS_DSMORE "rsa-sha512", FMPI_KEY_RSA, false, "SHA512" },
	[FMP_SIGNATURE_RSA_PSS_SHA256] = { NS_DSMORE07 "sha256-rsa-MGF1", FMPI_KEY_RSA, true,
					   "SHA256" },
	[FMP_SIGNATURE_RSA_PSS_SHA384] = { NS_DSMORE07 "sha384-rsa-MGF1", FMPI_KEY_RSA, true,
					   "SHA384" },
	[FMP_SIGNATURE_RSA_PSS_SHA512] = { NS_DSMORE07 "sha512-rsa-MGF1", FMPI_KEY_RSA, true,
					   "SHA512" },
	[FMP_SIGNATURE_ECDSA_SHA256] = { NS_DSMORE "ecdsa-sha256", FMPI_KEY_EC, false, "SHA256" },
	[FMP_SIGNATURE_ECDSA_SHA384] = { NS_DSMORE "ecdsa-sha384", FMPI_KEY_EC, false, "SHA384" },
	[FMP_SIGNATURE_ECDSA_SHA512] = { NS_DSMORE "ecdsa-sha512", FMPI_KEY_EC, false, "SHA512" },
	[FMP_SIGNATURE_HMAC_SHA256] = { NS_DSMORE "hmac-sha256", FMPI_KEY_HMAC, false, "SHA256" },
	[FMP_SIGNATURE_HMAC_SHA384] = { NS_DSMORE "hmac-sha384", FMPI_KEY_HMAC, false, "SHA384" },
	[FMP_SIGNATURE_HMAC_SHA512] = { NS_DSMORE "hmac-sha512", FMPI_KEY_HMAC, false, "SHA512" },
	[FMP_SIGNATURE_ED25519] = { NS_DSMORE21 "eddsa-ed25519", FMPI_KEY_ED25519, false,
				    "SHA512" },
};
const size_t fmpi_n_signature_methods = COUNT(fmpi_signature_methods);

const struct fmpi_digest_method fmpi_digest_methods[] = {
	[FMP_DIGEST_SHA256] = { ALG_SHA256, "SHA256", 32 },
	[FMP_DIGEST_SHA384] = { ALG_SHA384, "SHA384", 48 },
	[FMP_DIGEST_SHA512] = { ALG_SHA512, "SHA512", 64 },
};

const struct fmpi_signature_method *fmpi_signature_method_find(const char *uri)
{
	for (size_t i = 0; i < COUNT(fmpi_signature_methods); i++)
		if (strcmp(fmpi_signature_methods[i].uri, uri) == 0)
			return &fmpi_signature_methods[i];
	return NULL;
}

const struct fmpi_digest_method *fmpi_digest_method_find(const char *uri)
{
	for (size_t i = 0; i < COUNT(fmpi_digest_methods); i++)
		if (strcmp(fmpi_digest_methods[i].uri, uri) == 0)
			return &fmpi_digest_methods[i];
	return NULL;
}

bool fmpi_algorithm_is_sound(const char *uri)
{
	static const char *const sound[] = {
		/* SignatureMethod */
		NS_DSMORE21 "eddsa-ed448",
		NS_DSMORE21 "ecdsa-sha3-256",
		NS_DSMORE21 "ecdsa-sha3-384",
		NS_DSMORE21 "ecdsa-sha3-512",
		NS_DSMORE07 "sha3-256-rsa-MGF1",
		NS_DSMORE07 "sha3-384-rsa-MGF1",
		NS_DSMORE07 "sha3-512-rsa-MGF1",
		NS_DSMORE07 "rsa-pss",
		NS_DS "hmac-sha1", /* sound as a MAC, but peers are to leave SHA-1 */
		/* DigestMethod */
		NS_DSMORE07 "sha3-256",
		NS_DSMORE07 "sha3-384",
		NS_DSMORE07 "sha3-512",
		/* CanonicalizationMethod, Transform */
		ALG_C14N,
		ALG_C14N "#WithComments",
		ALG_C14N11,
		ALG_C14N11 "#WithComments",
		ALG_EXC_C14N "WithComments",
		ALG_STR_TRANSFORM,
		NS_SWA "Attachment-Content-Signature-Transform",
		NS_SWA "Attachment-Complete-Signature-Transform",
		NS_SWA "Attachment-Ciphertext-Transform",
		/* EncryptionMethod */
		NS_XENC11 "aes192-gcm",
		NS_XENC11 "ECDH-ES",
		NS_XENC "aes192-cbc",
		NS_XENC "kw-aes128",
		NS_XENC "kw-aes192",
		NS_XENC "kw-aes256",
		NS_DSMORE21 "chacha20poly1305",
	};

	for (size_t i = 0; i < COUNT(sound); i++)
		if (strcmp(sound[i], uri) == 0)
			return true;
	return false;
}
