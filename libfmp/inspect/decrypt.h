/* SPDX-License-Identifier: GPL-2.0 */
/* The cryptography of XML-Enc, by OpenSSL. */
#ifndef FMPI_INSPECT_DECRYPT_H
#define FMPI_INSPECT_DECRYPT_H

#include "inspect/encrypted.h"

/** fmpi_decrypt_key_load() - an RSA key of 2048 bits or more from PEM, without a passphrase. */
int fmpi_decrypt_key_load(const char *path, EVP_PKEY **out, struct fmp_error *err);

/** fmpi_decrypt_refuse() - the one answer to every failure behind the first use of the key. */
int fmpi_decrypt_refuse(struct fmp_inspection *v);

/** fmpi_decrypt_authentic() - does the cipher itself notice a changed byte? */
bool fmpi_decrypt_authentic(const struct fmpi_encrypted *e);

/**
 * fmpi_decrypt()
 * @plain: malloc()ed octets, not looked at
 *
 * A session key that does not unwrap is replaced by a random one, so that it takes
 * as long as one that does. Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_decrypt(EVP_PKEY *key, const struct fmpi_encrypted *e, char **plain, size_t *len,
		 struct fmp_inspection *v);

#endif
