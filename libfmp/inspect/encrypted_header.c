// SPDX-License-Identifier: GPL-2.0
#include "encrypted_header.h"

#include "decrypt_message.h"
#include "reply_context.h"
#include "sender_checks.h"
#include "soap/addressing.h"
#include "soap/xop.h"
#include "stages.h"

/* The private key is used only for trusted signers, as far as what names them is in the clear. */
static int check_sender(struct fmp_inspector *i, const struct fmp_message *m,
			const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
			struct fmp_inspection *v)
{
	struct fmpi_signedinfo info;
	struct fmpi_signer who;
	int ret;

	if (!sec->signature || (sec->assertion_encrypted && i->issuers)) {
		ret = fmpi_sender_check_time(i, m, soap, sec, !sec->n_encrypted_parts, v);
		return ret ? ret : fmpi_sender_check_assertion(i, m, sec, v);
	}
	ret = fmpi_sender_check_unresolved(i, m, soap, sec, &info, &who, v);
	return ret ? ret : fmpi_sender_verify_value(i, m, sec, &info, who.key, v);
}

static int check_order(const struct fmpi_wsse *sec, struct fmp_inspection *v)
{
	if (!sec->signature || sec->decrypt_first)
		return 0;
	return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSUPPORTED, fmpi_line(sec->signature),
			   "a signature of what is encrypted in the header is not supported under "
			   "BcS: sign first, then encrypt");
}

/* The checks of clear header blocks that pipeline.c made, for those that were encrypted. */
static int check_blocks(struct fmp_inspector *i, const struct fmp_message *m,
			const struct fmpi_soap *soap, struct fmp_inspection *v)
{
	int ret = fmpi_addressing_check(soap, m->soap_action, v);

	if (ret)
		return ret;
	if (m->select_inspector &&
	    m->select_inspector(m->select_ctx, fmpi_addressing_action(soap)) != i)
		return fmpi_refuse(v, FMP_STEP_SOAP, FMP_EVENT_SOAP, 0,
				   "its action is of another service");
	fmpi_reply_context_message(i, soap, v);
	return fmpi_stage_payload(i, m, soap, v);
}

/* The message is now one that came in the clear: nothing in it may be encrypted any more. */
static int inspect_plaintext(struct fmp_inspector *i, const struct fmp_message *m,
			     const struct fmpi_wsse *sec, struct fmpi_plaintext *r,
			     struct fmp_inspection *v)
{
	int ret = m->attachments ? fmpi_xop_resolve_again(r->view.doc, m->attachments, v) : 0;

	if (!ret && sec->n_encrypted_blocks)
		ret = check_blocks(i, m, &r->view.soap, v);
	return ret ? ret : fmpi_stage_output_signed(i, m, &r->view, v);
}

static int decrypt_and_inspect(struct fmp_inspector *i, const struct fmp_message *m,
			       const struct fmpi_view *w, const struct fmpi_wsse *sec,
			       const struct fmpi_encrypted *e, struct fmp_inspection *v)
{
	struct fmpi_session session;
	struct fmpi_plaintext r;
	int ret = fmpi_decrypt_unwrap(i, m, e, &session, v);

	if (ret)
		return ret;
	ret = fmpi_decrypt_header(i, &session, w, e, &r, v);
	fmpi_session_clear(&session);
	if (!ret)
		ret = inspect_plaintext(i, m, sec, &r, v);
	ret = fmpi_plaintext_verdict(ret, &r, e, v);
	fmpi_plaintext_clear(&r);
	return ret;
}

int fmpi_encrypted_header_inspect(struct fmp_inspector *i, const struct fmp_message *m,
				  struct fmpi_view *w, struct fmp_inspection *v)
{
	struct fmpi_encrypted enc;
	struct fmpi_wsse sec;
	int ret = fmpi_wsse_read_encrypted(&w->soap, FMPI_ENCRYPTED_ANY, &sec, v);

	/* An encrypted Action says what the Body is. */
	if (!ret && !sec.n_encrypted_blocks)
		ret = fmpi_stage_payload(i, m, &w->soap, v);
	if (!ret)
		ret = fmpi_sender_check_all(i, m, &sec, &w->soap, v);
	if (!ret)
		ret = fmpi_encrypted_read_header(&sec, &w->soap, &i->algorithms, &enc, v);
	if (!ret)
		ret = check_order(&sec, v);
	if (!ret)
		ret = check_sender(i, m, &w->soap, &sec, v);
	fmpi_step_done(v, FMP_STEP_SIGNATURE);
	return ret ? ret : decrypt_and_inspect(i, m, w, &sec, &enc, v);
}
