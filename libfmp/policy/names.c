// SPDX-License-Identifier: GPL-2.0
/* The words of the policy file for the values of its enums. */
#include <fmp/policy.h>

#include <string.h>

static const char *const security_names[FMP_SECURITIES] = {
	[FMP_SECURITY_OS] = "Os",   [FMP_SECURITY_BC] = "Bc",	[FMP_SECURITY_BCV] = "BcV",
	[FMP_SECURITY_BCS] = "BcS", [FMP_SECURITY_BCE] = "BcE", [FMP_SECURITY_BCES] = "BcES",
};

const char *fmp_security_name(unsigned s)
{
	return s < FMP_SECURITIES ? security_names[s] : "unknown";
}

int fmp_security_parse(const char *name, enum fmp_security *out)
{
	for (unsigned s = 0; s < FMP_SECURITIES; s++)
		if (!strcmp(name, security_names[s])) {
			*out = s;
			return 0;
		}
	return FMP_ERR_NOTFOUND;
}

static const char *const part_names[FMP_PARTS] = {
	[FMP_PART_BODY] = "Body",
	[FMP_PART_TIMESTAMP] = "Timestamp",
	[FMP_PART_TO] = "To",
	[FMP_PART_ACTION] = "Action",
	[FMP_PART_MESSAGE_ID] = "MessageID",
	[FMP_PART_FROM] = "From",
	[FMP_PART_REPLY_TO] = "ReplyTo",
	[FMP_PART_RELATES_TO] = "RelatesTo",
};

const char *fmp_part_name(unsigned part)
{
	return part < FMP_PARTS ? part_names[part] : NULL;
}

const char *fmp_encrypted_part_name(unsigned part)
{
	switch (part) {
	case FMP_ENCRYPTED_BODY:
		return fmp_part_name(FMP_PART_BODY);
	case FMP_ENCRYPTED_USERNAME:
		return "username";
	case FMP_ENCRYPTED_SIGNATURE:
		return "signature";
	default:
		return fmp_part_name(part - FMP_ENCRYPTED_TO + FMP_PART_TO);
	}
}

static const char *const order_names[FMP_ORDERS] = {
	[FMP_ORDER_SIGN_ENCRYPT] = "sign-then-encrypt",
	[FMP_ORDER_ENCRYPT_SIGN] = "encrypt-then-sign",
	[FMP_ORDER_ENCRYPT_SIGN_ENCRYPT] = "encrypt-sign-encrypt",
};

const char *fmp_order_name(unsigned order)
{
	return order < FMP_ORDERS ? order_names[order] : NULL;
}

static const char *const headers_names[FMP_HEADERS] = {
	[FMP_HEADERS_ADDRESSING] = "addressing",
	[FMP_HEADERS_STRIP] = "strip",
	[FMP_HEADERS_SIGNED] = "signed",
	[FMP_HEADERS_ONLY_SIGNED] = "only-signed",
};

const char *fmp_headers_name(unsigned headers)
{
	return headers < FMP_HEADERS ? headers_names[headers] : NULL;
}

static const char *const signing_names[FMP_SIGNINGS] = {
	[FMP_SIGN_NONE] = "none",
	[FMP_SIGN_RSA_SHA256] = "rsa-sha256",
	[FMP_SIGN_RSA_SHA384] = "rsa-sha384",
	[FMP_SIGN_RSA_SHA512] = "rsa-sha512",
	[FMP_SIGN_ECDSA_SHA256] = "ecdsa-sha256",
	[FMP_SIGN_ECDSA_SHA384] = "ecdsa-sha384",
	[FMP_SIGN_ECDSA_SHA512] = "ecdsa-sha512",
	[FMP_SIGN_ED25519] = "ed25519",
};

const char *fmp_signing_name(unsigned signing)
{
	return signing < FMP_SIGNINGS ? signing_names[signing] : NULL;
}

static const char *const sealing_names[FMP_SEALINGS] = {
	[FMP_SEAL_NONE] = "none",
	[FMP_SEAL_AES128_GCM] = "aes128-gcm",
	[FMP_SEAL_AES256_GCM] = "aes256-gcm",
};

const char *fmp_sealing_name(unsigned sealing)
{
	return sealing < FMP_SEALINGS ? sealing_names[sealing] : NULL;
}
