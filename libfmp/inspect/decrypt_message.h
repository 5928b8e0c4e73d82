/* SPDX-License-Identifier: GPL-2.0 */
/* A message of which parts were encrypted becomes a message in the clear, or one answer that does not tell why. */
#ifndef FMPI_INSPECT_DECRYPT_MESSAGE_H
#define FMPI_INSPECT_DECRYPT_MESSAGE_H

#include "view.h"
#include "xml/text_span.h"

/** struct fmpi_plaintext - its text, and what was seen of it */
struct fmpi_plaintext {
	struct fmpi_buffer text;
	struct fmpi_text_span
		place[FMP_ENCRYPTED_PARTS]; /**< where each datum's content stands in it */
	struct fmpi_view view;
	bool good;
};

/**
 * fmpi_decrypt_message() - decrypt all, put it in its places, take the first three steps again
 * @s: the message's key
 * @text: in which the places are
 * @at: as many as there are data, in order
 *
 * A decrypted text is a message again and pays for every step from the first. What GCM has not
 * vouched for is not looked at, so how dear a refusal is depends on lengths alone. CBC vouches
 * for nothing: how its text is refused takes a time that tells of it, so refusals are bounded
 * (decrypt_budget.h). *out is for fmpi_plaintext_clear(), whatever is returned.
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_decrypt_message(struct fmp_inspector *i, const struct fmpi_session *s, const uint8_t *text,
			 size_t len, const struct fmpi_text_span *at,
			 const struct fmpi_encrypted *e, struct fmpi_plaintext *out,
			 struct fmp_inspection *v);
void fmpi_plaintext_clear(struct fmpi_plaintext *r);

/**
 * fmpi_plaintext_verdict() - what is said of all that was found behind the first use of the key
 * @ret: what was found
 *
 * There is one step, and one answer. Only of what GCM has vouched for is it told what was
 * wrong: who sent that knows what is in it. CBC does not notice changed bytes, and any
 * difference would tell of the plain text.
 */
int fmpi_plaintext_verdict(int ret, const struct fmpi_plaintext *r, const struct fmpi_encrypted *e,
			   struct fmp_inspection *v);

/**
 * fmpi_plaintext_check() - is each part of the header what must be encrypted, and one element?
 * @encrypted: FMP_ENCRYPTED_BIT()s of what must be; as many as there are data beside the Body's
 * @still: FMP_ENCRYPTED_BIT()s of what is to be decrypted later
 * @sec: out, the Security header as it is in the clear
 *
 * So no content of a place ends the element around it, begins a comment that another ends, or
 * brings a second part with it: what stands between the places is as it came.
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_plaintext_check(const struct fmpi_plaintext *r, unsigned encrypted, unsigned still,
			 struct fmpi_wsse *sec, struct fmp_inspection *v);

#endif
