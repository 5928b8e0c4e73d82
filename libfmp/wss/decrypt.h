/* SPDX-License-Identifier: GPL-2.0 */
/* The cryptography of XML Encryption, by OpenSSL. */
#ifndef FMPI_WSS_DECRYPT_H
#define FMPI_WSS_DECRYPT_H

#include "encrypted.h"
#include "base/buffer.h"

/** fmpi_decrypt_key_load() - read a private key from PEM, without a passphrase: RSA of 2048
 * bits or more, or one for key agreement. */
int fmpi_decrypt_key_load(const char *path, const struct fmp_key_source *keys, EVP_PKEY **out,
			  struct fmp_error *err);

/** fmpi_decrypt_refuse() - the one verdict for every failure after the first use of the key */
int fmpi_decrypt_refuse(struct fmp_inspection *v);

/** fmpi_encrypted_is_authenticated() - does the cipher detect a changed byte (GCM)? */
bool fmpi_encrypted_is_authenticated(const struct fmpi_encrypted *e);

/** struct fmpi_plain - decrypted data */
struct fmpi_plain {
	struct fmpi_buffer part[FMP_ENCRYPTED_PARTS]; /**< of each datum */
	bool good; /**< all data were encrypted with this key */
};

/** struct fmpi_session - the key of a message's data */
struct fmpi_session {
	uint8_t key[EVP_MAX_KEY_LENGTH];
	size_t len; /**< of the key */
	bool good; /**< false: a random key stands in */
};

/**
 * fmpi_decrypt_key_length() - the length that data and attachments need of the session key itself
 *
 * Return: 0: any: they are encrypted with keys that are derived from it, or there are none.
 */
size_t fmpi_decrypt_key_length(const struct fmpi_encrypted *e);

/**
 * fmpi_decrypt_key() - the one use of the private key
 *
 * A session key that does not unwrap, or has another length, is replaced by a random one: it costs
 * as much as a good one, and the text that it "decrypts" is refused as any damaged text. If no datum
 * is encrypted with the key itself, but with keys derived from it, or if there are no data, its length
 * is 16 to 64 bytes; else the cipher's.
 * For fmpi_session_clear(). Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_decrypt_key(EVP_PKEY *key, const struct fmpi_encrypted *e, struct fmpi_session *out);
void fmpi_session_clear(struct fmpi_session *s);

/**
 * fmpi_decrypt() - decrypt all data of a message
 * @plain: the bytes, not parsed. For fmpi_plain_free(), whatever is returned.
 *
 * Every datum is decrypted even if one before it failed. Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_decrypt(const struct fmpi_session *s, const struct fmpi_encrypted *e,
		 struct fmpi_plain *plain);
void fmpi_plain_free(struct fmpi_plain *plain);

/**
 * fmpi_decrypt_bytes() - decrypt bytes that do not stand in the text: those of an attachment
 * @d: its datum, in @e
 * @o: for free(), whatever is returned
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_decrypt_bytes(const struct fmpi_session *s, const struct fmpi_encrypted *e,
		       const struct fmpi_datum *d, const void *in, size_t n, struct fmpi_buffer *o,
		       bool *good);

#endif
