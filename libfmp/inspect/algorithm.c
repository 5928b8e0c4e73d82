// SPDX-License-Identifier: GPL-2.0
#include "inspect/algorithm.h"

#include <string.h>

#include "inspect/names.h"

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
