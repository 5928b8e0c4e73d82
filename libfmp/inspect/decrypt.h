/* SPDX-License-Identifier: GPL-2.0 */
/* The cryptography of XML-Enc, by OpenSSL. */
#ifndef FMPI_INSPECT_DECRYPT_H
#define FMPI_INSPECT_DECRYPT_H

#include "inspect/encrypted.h"
#include "inspect/octets.h"

/** fmpi_decrypt_key_load() - an RSA key of 2048 bits or more from PEM, without a passphrase. */
int fmpi_decrypt_key_load(const char *path, const struct fmp_key_source *keys, EVP_PKEY **out,
			  struct fmp_error *err);

/** fmpi_decrypt_refuse() - the one answer to every failure behind the first use of the key. */
int fmpi_decrypt_refuse(struct fmp_inspection *v);

/** fmpi_decrypt_authentic() - does the cipher itself notice a changed byte? */
bool fmpi_decrypt_authentic(const struct fmpi_encrypted *e);

/** struct fmpi_plain - what came out */
struct fmpi_plain {
	struct fmpi_octets part[FMP_SECRETS]; /**< of each datum; its cap is the room that it has */
	bool good; /**< else there is something that nobody encrypted for this key */
	bool readable; /**< there is something to look at, good or not */
};

/**
 * fmpi_decrypt()
 * @plain: octets, not looked at; under CBC there are some where it is not good, too, which
 *	   must cost what good ones cost. For fmpi_plain_free(), whatever is returned.
 *
 * A session key that does not unwrap is replaced by a random one: that, a session key of
 * another length, a tag or a padding that does not fit all take as long as what is good, and
 * each datum is deciphered whatever became of the others. Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_decrypt(EVP_PKEY *key, const struct fmpi_encrypted *e, struct fmpi_plain *plain);
void fmpi_plain_free(struct fmpi_plain *plain);

#endif
