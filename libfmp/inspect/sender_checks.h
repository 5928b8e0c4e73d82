/* SPDX-License-Identifier: GPL-2.0 */
/* What a message says of itself: who, when, whether again. Without the cryptography of its own signature. */
#ifndef FMPI_INSPECT_SENDER_CHECKS_H
#define FMPI_INSPECT_SENDER_CHECKS_H

#include "inspector.h"
#include "wss/signedinfo.h"

/** fmpi_sender_check_begin() - another message: nothing of the one before holds. */
static inline void fmpi_sender_check_begin(struct fmp_inspector *i)
{
	i->n_replay_keys = 0;
	i->verified_assertion = NULL;
}

/**
 * fmpi_sender_check_all() - UsernameToken and Assertion
 *
 * With a file of users every message must be of one of them, without one of nobody. What an
 * assertion says is looked at here, and not yet who says it. A UsernameToken that is encrypted
 * is left out.
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM, FMP_ERR_IO.
 */
int fmpi_sender_check_all(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct fmpi_wsse *sec, const struct fmpi_soap *soap,
			  struct fmp_inspection *v);

/**
 * fmpi_sender_check_assertion() - is it signed by its issuer?
 * @sec: as fmpi_sender_check_all() had it
 *
 * A key that it confirms is from now on who must have signed the message. One that was verified
 * before something of this message was decrypted is not verified again.
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_sender_check_assertion(struct fmp_inspector *i, const struct fmp_message *m,
				const struct fmpi_wsse *sec, struct fmp_inspection *v);

/** fmpi_sender_check_user() - the UsernameToken alone. */
int fmpi_sender_check_user(struct fmp_inspector *i, const struct fmp_message *m,
			   const struct fmpi_wsse *sec, const struct fmpi_soap *soap,
			   struct fmp_inspection *v);

/**
 * fmpi_sender_check_time() - a Timestamp of now, where no more of a signature can be looked at yet
 * @visible: the Signature itself must be there
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_sender_check_time(struct fmp_inspector *i, const struct fmp_message *m,
			   const struct fmpi_soap *soap, const struct fmpi_wsse *sec, bool visible,
			   struct fmp_inspection *v);

/**
 * fmpi_sender_check_signature() - Timestamp, SignedInfo, certificate, replay, Assertion
 * @who: its key is borrowed from the trust
 *
 * What is found wrong here costs the sender's message and no more.
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM, FMP_ERR_IO.
 */
int fmpi_sender_check_signature(struct fmp_inspector *i, const struct fmp_message *m,
				const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
				struct fmpi_signedinfo *info, struct fmpi_signer *who,
				struct fmp_inspection *v);

/**
 * fmpi_sender_check_unresolved() - the same where some of what was signed is encrypted still
 *
 * What the References are to is not looked at. Return: as fmpi_sender_check_signature().
 */
int fmpi_sender_check_unresolved(struct fmp_inspector *i, const struct fmp_message *m,
				 const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
				 struct fmpi_signedinfo *info, struct fmpi_signer *who,
				 struct fmp_inspection *v);

/**
 * fmpi_sender_check_commit() - the message has passed
 *
 * Of two copies on their way at once this is where one is refused.
 * Return: 0, FMPI_REFUSED, FMP_ERR_IO.
 */
int fmpi_sender_check_commit(struct fmp_inspector *i, const struct fmp_message *m,
			     struct fmp_inspection *v);

#endif
