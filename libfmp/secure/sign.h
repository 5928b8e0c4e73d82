/* SPDX-License-Identifier: GPL-2.0 */
/* Making a ds:Signature: libxml2's canonicalization, OpenSSL's digests and keys. */
#ifndef FMPI_SECURE_SIGN_H
#define FMPI_SECURE_SIGN_H

#include <fmp/inspect.h>

#include "secure/build.h"
#include "secure/key.h"

/** Most signed elements of a reply; one with more is refused. */
#define FMPI_MAX_SIGNED 16

/** struct fmpi_signed - what to sign; every element has a wsu:Id that xmlAddID() knows */
struct fmpi_signed {
	unsigned n;
	char id[FMPI_MAX_SIGNED][FMPI_ID];
	unsigned body; /**< index of the Body's */
	const char *prefixes; /**< of its InclusiveNamespaces; "": none */
	const struct fmp_attachments *attachments; /**< those by themselves are signed; NULL: none */
};

/**
 * fmpi_sign() - append the Signature to the header
 * @token: Id of the certificate's BinarySecurityToken
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_sign(struct fmpi_build *b, const struct fmpi_signkey *key, const struct fmpi_signed *what,
	      const char *token);

#endif
