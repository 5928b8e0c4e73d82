/* SPDX-License-Identifier: GPL-2.0 */
/* The key of a message's EncryptedKey, for its data and its HMAC: unwrapped once. */
#ifndef FMPI_INSPECT_MESSAGE_KEY_H
#define FMPI_INSPECT_MESSAGE_KEY_H

#include "inspector.h"

/**
 * fmpi_message_key_unwrap() - the only use of the private key
 * @e: of the message; if this EncryptedKey was unwrapped for it before, it is not again
 *
 * For fmpi_session_clear(). Return: 0, FMP_ERR_NOMEM.
 */
int fmpi_message_key_unwrap(struct fmp_inspector *i, const struct fmpi_encrypted *e,
			    struct fmpi_session *out);

/** fmpi_message_key_forget() - at the end of a message */
void fmpi_message_key_forget(struct fmp_inspector *i);

/**
 * fmpi_message_key_verify() - verify the HMAC of a message
 * @bytes: out; NULL: verify the SignatureValue alone
 *
 * A key that does not unwrap costs as much as an HMAC that does not match, and is refused as that.
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_message_key_verify(struct fmp_inspector *i, const struct fmpi_wsse *sec,
			    const struct fmpi_signedinfo *info, struct fmpi_signed_bytes *bytes,
			    struct fmp_inspection *v);

#endif
