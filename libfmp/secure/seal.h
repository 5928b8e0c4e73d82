/* SPDX-License-Identifier: GPL-2.0 */
/* The Body encrypted for who asked: XML-Enc 1.1, AES-GCM and RSA-OAEP, by OpenSSL. */
#ifndef FMPI_SECURE_SEAL_H
#define FMPI_SECURE_SEAL_H

#include <fmp/inspect.h>

#include "secure/build.h"

/**
 * fmpi_seal() - the Body's content becomes an EncryptedData, its key an EncryptedKey
 * @key: out: the EncryptedKey, of no parent yet: its place in the header says what was done first
 *
 * Return: 0; FMP_ERR_INVALID: the requester has no certificate of RSA; FMP_ERR_NOMEM.
 */
int fmpi_seal(struct fmpi_build *b, enum fmp_sealing how,
	      const struct fmp_reply_context *reply_context, xmlNode *body, xmlNode **key);

#endif
