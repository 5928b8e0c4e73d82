/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DerivedKeyToken of WS-SecureConversation (2005/02 and 1.3, section 7): keys derived by P_SHA-1 from
 * the key of the header's EncryptedKey. Everything that the sender chooses is bounded.
 */
#ifndef FMPI_WSS_DERIVED_KEY_H
#define FMPI_WSS_DERIVED_KEY_H

#include "wsse.h"

/** A shorter key could be tried out: its token is not the EncryptedKey's sender's to choose alone. */
#define FMPI_DERIVED_MIN 16
#define FMPI_DERIVED_MAX 64
/** Largest Offset + Length: each 20 bytes cost two HMACs. */
#define FMPI_DERIVED_END 1024

#define FMPI_DERIVED_LABEL 256
#define FMPI_DERIVED_NONCE 128

/** struct fmpi_derived_key - how a key is derived; length 0: it is not, it is the EncryptedKey's */
struct fmpi_derived_key {
	size_t seed_len, offset, length;
	uint8_t seed[FMPI_DERIVED_LABEL + FMPI_DERIVED_NONCE]; /**< Label, Nonce */
};

/**
 * fmpi_derived_key_read() - read a DerivedKeyToken whose key is derived from the header's EncryptedKey
 *
 * One that is derived from another token is refused: as unsupported, or for a loop.
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_derived_key_read(const xmlNode *token, const struct fmpi_wsse *w,
			  struct fmpi_derived_key *out, struct fmp_inspection *v);

/** fmpi_derived_key_make() - derive it. @out: d->length bytes. Return: 0, FMP_ERR_NOMEM. */
int fmpi_derived_key_make(const struct fmpi_derived_key *d, const uint8_t *secret, size_t len,
			  uint8_t out[FMPI_DERIVED_MAX]);

/**
 * fmpi_derived_key_find() - which key of this header a SecurityTokenReference names
 * @str: with a Reference by Id, or a KeyIdentifier of type EncryptedKeySHA1
 *
 * Return: the header's EncryptedKey or one of its DerivedKeyTokens; NULL: another one.
 */
xmlNode *fmpi_derived_key_find(const xmlNode *str, const struct fmpi_wsse *w);

/** fmpi_encrypted_key_is_named() - is @text the EncryptedKeySHA1 of the header's EncryptedKey? */
bool fmpi_encrypted_key_is_named(const char *text, const struct fmpi_wsse *w);

/** fmpi_hmac_key_by_id() - the EncryptedKey or DerivedKeyToken of this header with this Id; NULL */
xmlNode *fmpi_hmac_key_by_id(const char *id, const struct fmpi_wsse *w);

#endif
