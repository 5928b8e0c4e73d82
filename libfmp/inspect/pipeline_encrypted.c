// SPDX-License-Identifier: GPL-2.0
/* The pipeline of security BcE and BcES: which parts are encrypted, in which order they are decrypted and verified. */
#include "pipeline_encrypted.h"

#include <stdlib.h>
#include <string.h>

#include "soap/addressing.h"
#include "sender_checks.h"
#include "envelope_rebuild.h"
#include "reply_context.h"
#include "decrypt_message.h"
#include "named_headers.h"
#include "output.h"
#include "stages.h"
#include "wss/attachment_encrypted.h"
#include "xml/names.h"

#define ENCRYPTED_ACTION (FMP_ENCRYPTED_TO + FMP_PART_ACTION - FMP_PART_TO)

static bool is_encrypted_part(const struct fmp_inspector *i, enum fmp_encrypted_part s)
{
	return i->encrypted & FMP_ENCRYPTED_BIT(s);
}

/* FMP_ENCRYPTED_BIT()s of what is encrypted when an encrypted Body is signed. */
static unsigned encrypted_before_signature(const struct fmp_inspector *i)
{
	return i->order == FMP_ORDER_ENCRYPT_SIGN ? i->encrypted
						  : i->encrypted & FMPI_ENCRYPTED_BLOCKS;
}

/* BcE: the sender was checked before decryption, unless its UsernameToken was encrypted too. */
static int output_unsigned(struct fmp_inspector *i, const struct fmp_message *m,
			   struct fmpi_view *w, struct fmp_inspection *v)
{
	struct fmpi_wsse sec;
	int ret = fmpi_wsse_read_encrypted(&w->soap, FMPI_ENCRYPTED_ATTACHMENTS, &sec, v);

	if (!ret)
		ret = fmpi_wsse_check_understood(&sec, &w->soap, i->named, false, v);
	if (!ret)
		ret = fmpi_named_headers_check(i, &w->soap, NULL, v);
	if (!ret)
		fmpi_observe_headers(m->observation, i, &w->soap, FMPI_HEADER_OUTPUT_NAMED);
	if (!ret && is_encrypted_part(i, FMP_ENCRYPTED_USERNAME))
		ret = fmpi_sender_check_user(i, m, &sec, &w->soap, v);
	return ret ? ret : fmpi_output_body(i, w, sec.username, v);
}

/* The checks that pipeline.c makes on clear addressing headers, for decrypted ones. */
static int check_addressing(struct fmp_inspector *i, const struct fmp_message *m,
			    const struct fmpi_soap *soap, struct fmp_inspection *v)
{
	int ret = fmpi_addressing_check(soap, m->soap_action, v);

	if (ret)
		return ret;
	if (m->select_inspector && is_encrypted_part(i, ENCRYPTED_ACTION) &&
	    m->select_inspector(m->select_ctx, fmpi_addressing_action(soap)) != i)
		return fmpi_refuse(v, FMP_STEP_SOAP, FMP_EVENT_SOAP, 0,
				   "its action is of another service");
	fmpi_reply_context_message(i, soap, v);
	return 0;
}

static int check_header(struct fmp_inspector *i, const struct fmp_message *m, unsigned encrypted,
			const struct fmpi_plaintext *r, struct fmpi_wsse *sec,
			struct fmp_inspection *v)
{
	int ret;

	if (!encrypted)
		return 0;
	ret = fmpi_plaintext_check(r, encrypted, 0, sec, v);
	return ret ? ret : check_addressing(i, m, &r->view.soap, v);
}

/* Find the byte spans of all encrypted data; that of the Body comes from the screen. */
static int find_spans(const struct fmpi_view *w, const struct fmpi_encrypted *e,
		      struct fmpi_text_span at[FMP_ENCRYPTED_PARTS], struct fmp_inspection *v)
{
	at[e->n - 1] = (struct fmpi_text_span){ w->shape.payload_start, w->shape.payload_end };
	return fmpi_decrypt_find_spans(w, e, e->n - 1, at, v);
}

/*
 * Each xop:Include was replaced before decryption (xop.h). One that was encrypted would be the service's to
 * replace: by a part that no rule was held against, and as often as it stands there.
 */
static int check_includes(const struct fmp_message *m, const struct fmpi_soap *soap,
			  struct fmp_inspection *v)
{
	const xmlNode *n = m->attachments && m->attachments->xop ? soap->payload : NULL;

	while (n && !fmpi_is(n, NS_XOP, "Include"))
		n = fmpi_walk_next(soap->payload, n);
	return n ? fmpi_refuse(v, FMP_STEP_DECRYPT, FMP_EVENT_UNSUPPORTED, fmpi_line(n),
			       "an xop:Include that is encrypted is not supported")
		 : 0;
}

/* BcE, and BcES for messages that were signed, then encrypted. */
static int inspect_encrypted(struct fmp_inspector *i, const struct fmp_message *m,
			     const struct fmpi_view *w, const struct fmpi_encrypted *e,
			     struct fmp_inspection *v)
{
	struct fmpi_text_span at[FMP_ENCRYPTED_PARTS];
	struct fmpi_session session;
	struct fmpi_plaintext r;
	struct fmpi_wsse sec;
	int ret = find_spans(w, e, at, v);

	if (!ret)
		ret = fmpi_decrypt_unwrap(i, m, e, &session, v);
	if (ret)
		return ret;
	ret = fmpi_decrypt_message(i, &session, w->text, w->len, at, e, &r, v);
	fmpi_session_clear(&session);
	if (!ret)
		ret = check_header(i, m, i->encrypted, &r, &sec, v);
	if (!ret)
		ret = check_includes(m, &r.view.soap, v);
	if (!ret)
		ret = fmpi_stage_payload(i, m, &r.view.soap, v);
	if (!ret)
		ret = i->security == FMP_SECURITY_BCE ? output_unsigned(i, m, &r.view, v)
						      : fmpi_stage_output_signed(i, m, &r.view, v);
	ret = fmpi_plaintext_verdict(ret, &r, e, v);
	fmpi_plaintext_clear(&r);
	return ret;
}

/* Verify the signature; all later stages read only the signed bytes. */
static int verify_signed(struct fmp_inspector *i, const struct fmp_message *m,
			 const struct fmpi_view *w, const struct fmpi_encrypted *e,
			 struct fmpi_verified_signature *p, struct fmpi_envelope *o,
			 struct fmp_inspection *v)
{
	struct fmpi_shape shape;
	int ret = fmpi_stage_signature(i, m, w, encrypted_before_signature(i), p, v);

	if (!ret)
		ret = fmpi_envelope_rebuild(&w->soap, &p->sec, e, &p->signed_bytes.body, o);
	if (!ret)
		ret = fmpi_screen(&i->limits, FMPI_SCREEN_UTF8, (const uint8_t *)o->text.p,
				  o->text.len, &shape, v);
	if (!ret)
		o->at[e->n - 1] = (struct fmpi_text_span){ shape.payload_start, shape.payload_end };
	return ret;
}

/* Validate the Body against the action of the message, or against the one that was encrypted. */
static int check_payload(struct fmp_inspector *i, const struct fmp_message *m,
			 const struct fmpi_soap *message, const struct fmpi_soap *plaintext,
			 struct fmp_inspection *v)
{
	struct fmpi_soap both = *plaintext;

	if (!is_encrypted_part(i, ENCRYPTED_ACTION))
		both.header = message->header;
	return fmpi_stage_payload(i, m, &both, v);
}

static int output_plaintext(struct fmp_inspector *i, const struct fmp_message *m,
			    struct fmpi_view *w, const struct fmpi_encrypted *e,
			    const struct fmpi_envelope *o, struct fmpi_verified_signature *p,
			    struct fmpi_plaintext *r, struct fmp_inspection *v)
{
	unsigned encrypted = encrypted_before_signature(i);
	struct fmpi_wsse sec;
	int ret = check_header(i, m, encrypted, r, &sec, v);

	if (!ret)
		ret = check_includes(m, &r->view.soap, v);
	if (!ret)
		ret = check_payload(i, m, &w->soap, &r->view.soap, v);
	if (!ret && encrypted & FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_USERNAME)) {
		p->sec.username = sec.username;
		ret = fmpi_sender_check_user(i, m, &sec, &r->view.soap, v);
	}
	if (!ret && encrypted)
		fmpi_envelope_remove_header(o, r->place, e->n - 1, &r->text);
	return ret ? ret : fmpi_output_decrypted(i, w, p, &r->view, &r->text, v);
}

/*
 * BcES for messages that were encrypted, then signed: the decrypted content is put into the signed
 * bytes and read in their namespaces, not in those of an Envelope that is not signed.
 * @known: the session key if it has decrypted something already; NULL: it is unwrapped here, after
 *	   the signature is verified
 */
static int inspect_encrypted_signed(struct fmp_inspector *i, const struct fmp_message *m,
				    struct fmpi_view *w, const struct fmpi_encrypted *e,
				    const struct fmpi_session *known, struct fmp_inspection *v)
{
	struct fmpi_envelope o = { 0 };
	struct fmpi_session session = { 0 };
	struct fmpi_plaintext r;
	struct fmpi_verified_signature p;
	const uint8_t *text;
	int ret;

	p.signed_bytes = (struct fmpi_signed_bytes){ 0 };
	ret = verify_signed(i, m, w, e, &p, &o, v);
	if (!ret && !known)
		ret = fmpi_decrypt_unwrap(i, m, e, &session, v);
	if (ret)
		goto out;
	text = (const uint8_t *)o.text.p;
	ret = fmpi_decrypt_message(i, known ? known : &session, text, o.text.len, o.at, e, &r, v);
	if (!ret)
		ret = output_plaintext(i, m, w, e, &o, &p, &r, v);
	ret = fmpi_plaintext_verdict(ret, &r, e, v);
	fmpi_plaintext_clear(&r);
out:
	fmpi_session_clear(&session);
	fmpi_verified_signature_clear(&p);
	free(o.text.p);
	return ret;
}

/* BcE and BcES for an empty Body: only attachments are encrypted (AS4). */
static int inspect_empty(struct fmp_inspector *i, const struct fmp_message *m, struct fmpi_view *w,
			 const struct fmpi_encrypted *e, struct fmp_inspection *v)
{
	bool signed_last = i->security == FMP_SECURITY_BCES && i->order == FMP_ORDER_ENCRYPT_SIGN;
	struct fmpi_verified_signature p;
	struct fmpi_plaintext r = { 0 };
	struct fmpi_session session;
	int ret;

	p.signed_bytes = (struct fmpi_signed_bytes){ 0 };
	ret = signed_last ? fmpi_stage_signature(i, m, w, 0, &p, v) : 0;
	if (!ret)
		ret = fmpi_decrypt_unwrap(i, m, e, &session, v);
	if (ret)
		goto out;
	ret = fmpi_decrypt_attachments(i, &session, e, &r.good, v);
	fmpi_session_clear(&session);
	fmpi_step_done(v, FMP_STEP_DECRYPT);
	if (!ret)
		ret = fmpi_stage_payload(i, m, &w->soap, v);
	if (!ret && signed_last)
		ret = fmpi_output_signed(i, w, &p, v);
	else if (!ret)
		ret = i->security == FMP_SECURITY_BCE ? output_unsigned(i, m, w, v)
						      : fmpi_stage_output_signed(i, m, w, v);
	ret = fmpi_plaintext_verdict(ret, &r, e, v);
out:
	fmpi_verified_signature_clear(&p);
	return ret;
}

/* WS-Security 1.1, 5: the parts of a Security header stand in the order in which they are undone. */
static int check_order(enum fmp_order want, const struct fmpi_wsse *sec, struct fmp_inspection *v)
{
	bool encrypted_last = want == FMP_ORDER_SIGN_ENCRYPT;

	if (sec->decrypt_first == encrypted_last)
		return 0;
	return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSIGNED, fmpi_line(sec->signature),
			   encrypted_last
				   ? "the signature is of the encrypted Body, not of the Body"
				   : "the signature is of the Body, not of the encrypted Body");
}

/* Select the data inside the Security header, or the others, of which that of the Body is the last. */
static struct fmpi_encrypted select_data(const struct fmpi_encrypted *e, const xmlNode *security,
					 bool inside)
{
	struct fmpi_encrypted share = *e;

	share.n = 0;
	for (unsigned k = 0; k < e->n; k++)
		if ((e->datum[k].place->parent == security) == inside)
			share.datum[share.n++] = e->datum[k];
	return share;
}

/*
 * BcES for messages whose UsernameToken and Signature were encrypted after an encrypted Body was
 * signed (WS-SecurityPolicy 1.2, EncryptBeforeSigning). The decrypted parts are put into the
 * message, which is then one that was encrypted, then signed. The private key is used once for
 * both, but the Body is not decrypted before its signature is verified.
 */
static int inspect_encrypted_twice(struct fmp_inspector *i, const struct fmp_message *m,
				   const struct fmpi_view *w, const struct fmpi_encrypted *e,
				   const xmlNode *security, struct fmp_inspection *v)
{
	unsigned parts = i->encrypted & FMPI_ENCRYPTED_PARTS;
	struct fmpi_encrypted first = select_data(e, security, true);
	struct fmpi_encrypted later = select_data(e, security, false);
	struct fmpi_text_span at[FMP_ENCRYPTED_PARTS];
	struct fmpi_session session;
	struct fmpi_plaintext r;
	struct fmpi_wsse sec;
	int ret = fmpi_decrypt_find_spans(w, &first, first.n, at, v);

	if (!ret)
		ret = fmpi_decrypt_unwrap(i, m, e, &session, v);
	if (ret)
		return ret;
	ret = fmpi_decrypt_message(i, &session, w->text, w->len, at, &first, &r, v);
	if (!ret)
		ret = fmpi_plaintext_check(&r, parts, encrypted_before_signature(i), &sec, v);
	if (!ret)
		ret = check_order(i->order, &sec, v);
	if (!ret)
		ret = inspect_encrypted_signed(i, m, &r.view, &later, &session, v);
	ret = fmpi_plaintext_verdict(ret, &r, e, v);
	fmpi_plaintext_clear(&r);
	fmpi_session_clear(&session);
	return ret;
}

/* Check what can be checked while the signature, or what it covers, is still encrypted. */
static int check_sender(struct fmp_inspector *i, const struct fmp_message *m,
			const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
			struct fmp_inspection *v)
{
	struct fmpi_signedinfo info;
	struct fmpi_signer who;
	int ret = sec->signature ? check_order(i->order, sec, v) : 0;

	if (ret)
		return ret;
	if (i->order == FMP_ORDER_ENCRYPT_SIGN)
		return fmpi_sender_check_signature(i, m, soap, sec, &info, &who, v);
	if (is_encrypted_part(i, FMP_ENCRYPTED_SIGNATURE)) {
		ret = fmpi_sender_check_time(i, m, soap, sec, false, v);
		return ret ? ret : fmpi_sender_check_assertion(i, m, sec, v);
	}
	ret = i->encrypted ? fmpi_sender_check_unresolved(i, m, soap, sec, &info, &who, v)
			   : fmpi_sender_check_signature(i, m, soap, sec, &info, &who, v);
	/* The private key is used only for trusted signers; the digests are verified after decryption. */
	if (!ret)
		ret = fmpi_sender_verify_value(i, m, sec, &info, who.key, v);
	fmpi_step_done(v, FMP_STEP_SIGNATURE);
	return ret;
}

int fmpi_pipeline_encrypted(struct fmp_inspector *i, const struct fmp_message *m,
			    struct fmpi_view *w, struct fmp_inspection *v)
{
	bool both = i->security == FMP_SECURITY_BCES;
	bool twice = both && i->order == FMP_ORDER_ENCRYPT_SIGN_ENCRYPT;
	struct fmpi_encrypted enc;
	struct fmpi_wsse sec;
	int ret;

	ret = fmpi_wsse_read_encrypted(&w->soap, i->encrypted | FMPI_ENCRYPTED_ATTACHMENTS, &sec,
				       v);
	if (!ret && (!both || !fmpi_named_headers_forward_all(i)))
		ret = fmpi_wsse_check_understood(&sec, &w->soap, i->named, both && !i->tree, v);
	if (!ret)
		ret = fmpi_sender_check_all(i, m, &sec, &w->soap, v);
	if (!ret)
		ret = fmpi_encrypted_read(&sec, &w->soap, i->encrypted, twice, &i->algorithms, &enc,
					  v);
	if (!ret && (m->attachments || enc.n_attachments))
		ret = fmpi_attachments_match(&enc, m->attachments, v);
	if (!ret)
		ret = both ? check_sender(i, m, &w->soap, &sec, v)
			   : fmpi_sender_check_assertion(i, m, &sec, v);
	if (ret)
		return ret;
	if (!enc.n)
		return inspect_empty(i, m, w, &enc, v);
	if (twice)
		return inspect_encrypted_twice(i, m, w, &enc, sec.security, v);
	if (both && i->order == FMP_ORDER_ENCRYPT_SIGN)
		return inspect_encrypted_signed(i, m, w, &enc, NULL, v);
	return inspect_encrypted(i, m, w, &enc, v);
}
