/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The endorsing signature of a message (WS-SecurityPolicy 1.2, 8.3), and what stands for its sender if
 * it is signed by an EncryptedKey. That proves only that the sender has our certificate, which is
 * public: the policy says what else it takes.
 */
#ifndef FMPI_INSPECT_ENDORSING_H
#define FMPI_INSPECT_ENDORSING_H

#include "inspector.h"
#include "verified_signature.h"

/**
 * fmpi_endorsing_find_sender() - find the sender of a message that is signed by an EncryptedKey
 * @holder: the required signer; NULL: any trusted one
 * @resolved: all that @info covers is in the clear
 * @who: out; without a key, and with an id of zeros, if the sender is nobody in particular
 *
 * Its signature is still to be verified. Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_endorsing_find_sender(struct fmp_inspector *i, const struct fmp_message *m,
			       const struct fmpi_wsse *sec, const struct fmpi_signedinfo *info,
			       const struct fmpi_signer *holder, bool resolved,
			       struct fmpi_signer *who, struct fmp_inspection *v);

/**
 * fmpi_endorsing_verify() - verify the endorsing signature
 * @who: its signer; NULL: find it
 * @holder: the required signer if @who is NULL; NULL: any trusted one
 *
 * Return: 0, also without such a signature; FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_endorsing_verify(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
			  const struct fmpi_signer *who, const struct fmpi_signer *holder,
			  struct fmp_inspection *v);

/** fmpi_endorsing_verify_value() - verify its SignatureValue alone, before decryption */
int fmpi_endorsing_verify_value(struct fmp_inspector *i, const struct fmp_message *m,
				const struct fmpi_wsse *sec, EVP_PKEY *key,
				struct fmp_inspection *v);

/** fmpi_endorsing_is_by_holder() - does it name the key of the header's Assertion? */
bool fmpi_endorsing_is_by_holder(struct fmp_inspector *i, const struct fmpi_wsse *sec);

#endif
