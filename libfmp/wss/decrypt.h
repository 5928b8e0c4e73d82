/* SPDX-License-Identifier: GPL-2.0 */
/* The cryptography of XML-Enc, by OpenSSL. */
#ifndef FMPI_WSS_DECRYPT_H
#define FMPI_WSS_DECRYPT_H

#include "encrypted.h"
#include "base/buffer.h"

/** fmpi_decrypt_key_load() - an RSA key of 2048 bits or more from PEM, without a passphrase. */
int fmpi_decrypt_key_load(const char *path, const struct fmp_key_source *keys, EVP_PKEY **out,
			  struct fmp_error *err);

/** fmpi_decrypt_refuse() - the one answer to every failure behind the first use of the key. */
int fmpi_decrypt_refuse(struct fmp_inspection *v);

/** fmpi_encrypted_is_authenticated() - does the cipher itself notice a changed byte? */
bool fmpi_encrypted_is_authenticated(const struct fmpi_encrypted *e);

/** struct fmpi_plain - what came out */
struct fmpi_plain {
	struct fmpi_buffer part[FMP_ENCRYPTED_PARTS]; /**< of each datum */
	bool good; /**< else there is something that nobody encrypted for this key */
};

/** struct fmpi_session - the key of a message's data */
struct fmpi_session {
	uint8_t key[EVP_MAX_KEY_LENGTH];
	bool good; /**< else it is a random one */
};

/**
 * fmpi_decrypt_key() - the one use of the private key
 *
 * A session key that does not unwrap, or has another length, is replaced by a random one: so
 * it costs what a good one does, and what it "decrypts" is refused as any other damaged text.
 * To be forgotten with fmpi_session_clear(). Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_decrypt_key(EVP_PKEY *key, const struct fmpi_encrypted *e, struct fmpi_session *out);
void fmpi_session_clear(struct fmpi_session *s);

/**
 * fmpi_decrypt()
 * @plain: octets, not looked at, if they are good. For fmpi_plain_free(), whatever is returned.
 *
 * Each datum is deciphered whatever became of the others. Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_decrypt(const struct fmpi_session *s, const struct fmpi_encrypted *e,
		 struct fmpi_plain *plain);
void fmpi_plain_free(struct fmpi_plain *plain);

#endif
