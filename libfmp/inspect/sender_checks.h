/* SPDX-License-Identifier: GPL-2.0 */
/* Checks of the sender before the message's signature is verified: user, assertion, time, replay. */
#ifndef FMPI_INSPECT_SENDER_CHECKS_H
#define FMPI_INSPECT_SENDER_CHECKS_H

#include "identity.h"
#include "inspector.h"
#include "wss/signedinfo.h"

/** fmpi_sender_check_begin() - reset the state of the previous message */
static inline void fmpi_sender_check_begin(struct fmp_inspector *i)
{
	i->n_replay_keys = i->n_repeated_keys = 0;
	i->has_copy = false;
	i->verified_assertion = NULL;
	fmpi_identity_begin(i);
}

/**
 * fmpi_sender_check_all() - check UsernameToken and Assertion
 *
 * With a file of users every message needs a UsernameToken, without one none may have it. The
 * issuer's signature of an assertion is not verified here. An encrypted UsernameToken is skipped.
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM, FMP_ERR_IO.
 */
int fmpi_sender_check_all(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct fmpi_wsse *sec, const struct fmpi_soap *soap,
			  struct fmp_inspection *v);

/**
 * fmpi_sender_check_assertion() - verify the issuer's signature of the assertion
 * @sec: the same as for fmpi_sender_check_all()
 *
 * The key that it confirms must then be the signer's. An assertion that was verified before
 * decryption is not verified again.
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_sender_check_assertion(struct fmp_inspector *i, const struct fmp_message *m,
				const struct fmpi_wsse *sec, struct fmp_inspection *v);

/** fmpi_sender_check_user() - check the UsernameToken only */
int fmpi_sender_check_user(struct fmp_inspector *i, const struct fmp_message *m,
			   const struct fmpi_wsse *sec, const struct fmpi_soap *soap,
			   struct fmp_inspection *v);

/**
 * fmpi_sender_check_time() - check the Timestamp only, while the signature is encrypted
 * @visible: the Signature itself must be there
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_sender_check_time(struct fmp_inspector *i, const struct fmp_message *m,
			   const struct fmpi_soap *soap, const struct fmpi_wsse *sec, bool visible,
			   struct fmp_inspection *v);

/**
 * fmpi_sender_check_signature() - check Timestamp, SignedInfo, certificate, replay, Assertion
 * @who: out; its key is owned by the trust store
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM, FMP_ERR_IO.
 */
int fmpi_sender_check_signature(struct fmp_inspector *i, const struct fmp_message *m,
				const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
				struct fmpi_signedinfo *info, struct fmpi_signer *who,
				struct fmp_inspection *v);

/**
 * fmpi_sender_check_unresolved() - the same while signed elements are encrypted
 *
 * The targets of the References are not checked. Return: as fmpi_sender_check_signature().
 */
int fmpi_sender_check_unresolved(struct fmp_inspector *i, const struct fmp_message *m,
				 const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
				 struct fmpi_signedinfo *info, struct fmpi_signer *who,
				 struct fmp_inspection *v);

/**
 * fmpi_sender_verify_value() - verify the SignatureValue alone, before decryption
 * @key: of the signer that fmpi_sender_check_signature() or _unresolved() has found
 *
 * That of an HMAC only after the one that endorses it. Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_sender_verify_value(struct fmp_inspector *i, const struct fmp_message *m,
			     const struct fmpi_wsse *sec, const struct fmpi_signedinfo *info,
			     EVP_PKEY *key, struct fmp_inspection *v);

/**
 * fmpi_sender_check_commit() - insert the replay keys of a message that has passed
 *
 * Here one of two copies that are inspected at the same time is refused.
 * Return: 0, FMPI_REFUSED, FMP_ERR_IO.
 */
int fmpi_sender_check_commit(struct fmp_inspector *i, const struct fmp_message *m,
			     struct fmp_inspection *v);

#endif
