/* SPDX-License-Identifier: GPL-2.0 */
/* Decryption of a message into a plaintext view, with one verdict for all failures. */
#ifndef FMPI_INSPECT_DECRYPT_MESSAGE_H
#define FMPI_INSPECT_DECRYPT_MESSAGE_H

#include "view.h"
#include "xml/text_span.h"

/** struct fmpi_plaintext - the decrypted message: text and view */
struct fmpi_plaintext {
	struct fmpi_buffer text;
	struct fmpi_text_span
		place[FMP_ENCRYPTED_PARTS]; /**< where each datum's content stands in it */
	struct fmpi_view view;
	bool good;
};

/**
 * fmpi_decrypt_message() - decrypt all data and attachments, put them in their places, open the plaintext view
 * @s: the session key
 * @text: the text that holds the places
 * @at: the places, one for each datum, in order
 *
 * Decrypted text passes all stages from the first. Text that GCM has not authenticated is not parsed,
 * so the time of a refusal depends on lengths only. CBC does not authenticate: the time of a refusal
 * tells something of the text, so the number of refusals is bounded (decrypt_budget.h).
 * *out is for fmpi_plaintext_clear(), whatever is returned.
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_decrypt_message(struct fmp_inspector *i, const struct fmpi_session *s, const uint8_t *text,
			 size_t len, const struct fmpi_text_span *at,
			 const struct fmpi_encrypted *e, struct fmpi_plaintext *out,
			 struct fmp_inspection *v);
/**
 * fmpi_decrypt_header() - the same where only parts of the header of @w are encrypted
 *
 * Each plaintext is a single element, as in fmpi_plaintext_check(), of whatever name; the Body may be empty.
 */
int fmpi_decrypt_header(struct fmp_inspector *i, const struct fmpi_session *s,
			const struct fmpi_view *w, const struct fmpi_encrypted *e,
			struct fmpi_plaintext *out, struct fmp_inspection *v);

/**
 * fmpi_decrypt_unwrap() - decrypt the session key, unless it is one for CBC and the decrypt budget is spent
 *
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_decrypt_unwrap(struct fmp_inspector *i, const struct fmp_message *m,
			const struct fmpi_encrypted *e, struct fmpi_session *out,
			struct fmp_inspection *v);

/** fmpi_decrypt_find_spans() - find the byte spans of the first n encrypted data. Return: 0, FMPI_REFUSED. */
int fmpi_decrypt_find_spans(const struct fmpi_view *w, const struct fmpi_encrypted *e, unsigned n,
			    struct fmpi_text_span at[FMP_ENCRYPTED_PARTS],
			    struct fmp_inspection *v);

/**
 * fmpi_decrypt_attachments() - the same for attachments alone: nothing of the text is encrypted
 * @good: out, as in struct fmpi_plaintext
 *
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_decrypt_attachments(const struct fmp_inspector *i, const struct fmpi_session *s,
			     const struct fmpi_encrypted *e, bool *good, struct fmp_inspection *v);
void fmpi_plaintext_clear(struct fmpi_plaintext *r);

/**
 * fmpi_plaintext_verdict() - the verdict on everything after the first use of the key
 * @ret: the result so far
 *
 * There is one stage and one text. Details are told only of text that GCM has authenticated: its
 * sender knows the plaintext. CBC does not detect changed bytes, and any difference would tell
 * something of the plaintext.
 */
int fmpi_plaintext_verdict(int ret, const struct fmpi_plaintext *r, const struct fmpi_encrypted *e,
			   struct fmp_inspection *v);

/**
 * fmpi_plaintext_check() - is each decrypted header part the required one, and a single element?
 * @encrypted: FMP_ENCRYPTED_BIT()s of the required parts, one for each datum but the Body's
 * @still: FMP_ENCRYPTED_BIT()s of parts that are decrypted later
 * @sec: out: the Security header of the plaintext view
 *
 * Then no plaintext ends the element around it, begins a comment that another one ends, or adds a
 * second part: what stands between the places is unchanged.
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_plaintext_check(const struct fmpi_plaintext *r, unsigned encrypted, unsigned still,
			 struct fmpi_wsse *sec, struct fmp_inspection *v);

#endif
