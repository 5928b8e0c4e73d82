/* SPDX-License-Identifier: GPL-2.0 */
/* Encrypting the Body for the client: XML Encryption 1.1, AES-GCM and RSA-OAEP, by OpenSSL. */
#ifndef FMPI_SECURE_SEAL_H
#define FMPI_SECURE_SEAL_H

#include <fmp/inspect.h>

#include "secure/build.h"

/**
 * fmpi_seal() - replace the Body's content by EncryptedData, and make the EncryptedKey
 * @key: out: the EncryptedKey without a parent; its place in the header tells the order of operations
 *
 * Return: 0; FMP_ERR_INVALID: the client has no RSA certificate; FMP_ERR_NOMEM.
 */
int fmpi_seal(struct fmpi_build *b, enum fmp_sealing how,
	      const struct fmp_reply_context *reply_context, xmlNode *body, xmlNode **key);

#endif
