// SPDX-License-Identifier: GPL-2.0
#include "inspect/algorithm.h"

#include <string.h>

#include "inspect/names.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

const struct fmpi_signature_method fmpi_signature_methods[] = {
	{ NS_DSMORE "rsa-sha256", FMPI_KEY_RSA, false, "SHA256" },
	{ NS_DSMORE "rsa-sha384", FMPI_KEY_RSA, false, "SHA384" },
	{ NS_DSMORE "rsa-sha512", FMPI_KEY_RSA, false, "SHA512" },
	{ NS_DSMORE07 "sha256-rsa-MGF1", FMPI_KEY_RSA, true, "SHA256" },
	{ NS_DSMORE07 "sha384-rsa-MGF1", FMPI_KEY_RSA, true, "SHA384" },
	{ NS_DSMORE07 "sha512-rsa-MGF1", FMPI_KEY_RSA, true, "SHA512" },
	{ NS_DSMORE "ecdsa-sha256", FMPI_KEY_EC, false, "SHA256" },
	{ NS_DSMORE "ecdsa-sha384", FMPI_KEY_EC, false, "SHA384" },
};
const size_t fmpi_n_signature_methods = COUNT(fmpi_signature_methods);

static const struct fmpi_digest_method digests[] = {
	{ ALG_SHA256, "SHA256", 32 },
	{ ALG_SHA384, "SHA384", 48 },
	{ ALG_SHA512, "SHA512", 64 },
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
	for (size_t i = 0; i < COUNT(digests); i++)
		if (strcmp(digests[i].uri, uri) == 0)
			return &digests[i];
	return NULL;
}
