// SPDX-License-Identifier: GPL-2.0
/* Stages that clear and encrypted messages share: payload, signature, output of what is signed. */
#include "stages.h"

#include <string.h>

#include "endorsing.h"
#include "message_key.h"
#include "named_headers.h"
#include "output.h"
#include "reply_context.h"
#include "sender_checks.h"
#include "soap/addressing.h"
#include "soap/xop.h"
#include "wss/attachment.h"
#include "wss/signature.h"
#include "xml/names.h"

/* Whoever endorses the message is verified first: the private key is used only for trusted ones. */
static int verify_symmetric(struct fmp_inspector *i, const struct fmp_message *m,
			    const struct fmpi_soap *soap, struct fmpi_verified_signature *p,
			    struct fmp_inspection *v)
{
	int ret = fmpi_endorsing_verify(i, m, soap, &p->sec, &p->who, NULL, v);

	return ret ? ret : fmpi_message_key_verify(i, &p->sec, &p->info, &p->signed_bytes, v);
}

static int verify_asymmetric(struct fmp_inspector *i, const struct fmp_message *m,
			     const struct fmpi_soap *soap, struct fmpi_verified_signature *p,
			     struct fmp_inspection *v)
{
	int ret = FMP_ERR_UNSUPPORTED;

	p->info.signer = (struct fmpi_der_certificate){ p->who.der, p->who.der_len };
	if (i->dsig || fmpi_dsig_is_needed(&p->info))
		ret = fmpi_dsig_verify(i->value_dsig, p->sec.signature, &p->info, p->who.key,
				       &p->signed_bytes, v);
	if (ret == FMP_ERR_UNSUPPORTED)
		ret = fmpi_signature_verify(p->sec.signature, &p->info, p->who.key,
					    &p->signed_bytes, v);
	if (ret || !p->sec.endorsing)
		return ret;
	return fmpi_endorsing_verify(i, m, soap, &p->sec, NULL,
				     fmpi_endorsing_is_by_holder(i, &p->sec) ? &i->holder : NULL,
				     v);
}

int fmpi_stage_signature(struct fmp_inspector *i, const struct fmp_message *m,
			 const struct fmpi_view *w, unsigned encrypted,
			 struct fmpi_verified_signature *p, struct fmp_inspection *v)
{
	/* A tree holds no header blocks but those of WS-Addressing (output_tree.h). */
	bool forwards_blocks = fmpi_named_headers_forward_all(i);
	unsigned attachments = i->security == FMP_SECURITY_BCS ? 0 : FMPI_ENCRYPTED_ATTACHMENTS;
	int ret;

	ret = fmpi_wsse_read_encrypted(&w->soap, encrypted | attachments, &p->sec, v);
	if (!ret && !forwards_blocks)
		ret = fmpi_wsse_check_understood(&p->sec, &w->soap, i->named, !i->tree, v);
	if (!ret)
		ret = fmpi_sender_check_all(i, m, &p->sec, &w->soap, v);
	if (!ret)
		ret = fmpi_sender_check_signature(i, m, &w->soap, &p->sec, &p->info, &p->who, v);
	if (!ret && forwards_blocks)
		ret = fmpi_signedinfo_check_understood(&p->info, &p->sec, &w->soap, i->named, v);
	if (!ret && i->headers == FMP_HEADERS_ONLY_SIGNED)
		ret = fmpi_signedinfo_require_all(&p->info, &p->sec, &w->soap, i->named, v);
	if (!ret)
		ret = fmpi_named_headers_check(i, &w->soap, &p->info, v);
	if (ret)
		return ret;
	p->info.forwarded = fmpi_named_headers_select(i, &w->soap, &p->info);
	if (fmpi_signedinfo_is_symmetric(&p->info))
		ret = verify_symmetric(i, m, &w->soap, p, v);
	else
		ret = verify_asymmetric(i, m, &w->soap, p, v);
	if (!ret)
		fmpi_identity_set_signer(i, &p->who);
	if (!ret && (m->attachments || p->info.n_attachments))
		ret = fmpi_attachments_verify(&p->info, m->attachments, &i->limits, v);
	if (!ret)
		ret = fmpi_named_headers_add_unsigned(i, &w->soap, p, v);
	if (!ret)
		fmpi_observe_signed_headers(m->observation, &w->soap, p);
	fmpi_step_done(v, FMP_STEP_SIGNATURE);
	return ret ? ret : fmpi_reply_context_signed(i, &p->info, &p->who, v);
}

/* A request to a Security Token Service, at a service whose schema knows of none. */
static bool is_token_request(const struct fmpi_soap *soap, const struct fmp_inspection *v)
{
	return (fmpi_is_in_namespace(soap->payload, NS_TRUST) ||
		fmpi_is_in_namespace(soap->payload, NS_TRUST13)) &&
	       strstr(v->detail, "No matching global declaration");
}

int fmpi_stage_includes(const struct fmp_message *m, const struct fmpi_soap *soap,
			struct fmp_inspection *v)
{
	int ret = fmpi_xop_check_strays(soap->header, m->attachments, v);

	return ret ? ret : fmpi_xop_check_strays(soap->body, m->attachments, v);
}

int fmpi_stage_payload(struct fmp_inspector *i, const struct fmp_message *m,
		       const struct fmpi_soap *soap, struct fmp_inspection *v)
{
	int ret;

	if (m->answer && fmpi_is(soap->payload, soap->ns, "Fault"))
		return fmpi_stage_includes(m, soap, v);
	ret = soap->valid || !soap->payload ? 0 : fmpi_schema_check(i->schema, soap->payload, v);
	if (!ret && m->attachments && soap->payload)
		ret = fmpi_xop_check_types(m->attachments, i->schema, soap->payload, v);
	if (ret == FMPI_REFUSED && v->kind == FMP_EVENT_SCHEMA && is_token_request(soap, v))
		ret = fmpi_refuse(v, FMP_STEP_SCHEMA, FMP_EVENT_UNSUPPORTED,
				  fmpi_line(soap->payload), "%s of WS-Trust is not supported",
				  (const char *)soap->payload->name);
	if (!ret)
		ret = fmpi_stage_includes(m, soap, v);
	fmpi_step_done(v, FMP_STEP_SCHEMA);
	return ret ? ret : fmpi_action_check(soap, m->soap_action, m->answer, i->schema, v);
}

int fmpi_stage_output_signed(struct fmp_inspector *i, const struct fmp_message *m,
			     struct fmpi_view *w, struct fmp_inspection *v)
{
	struct fmpi_verified_signature p;
	int ret;

	p.signed_bytes = (struct fmpi_signed_bytes){ 0 };
	ret = fmpi_stage_signature(i, m, w, 0, &p, v);
	if (!ret)
		ret = fmpi_output_signed(i, w, &p, v);
	fmpi_verified_signature_clear(&p);
	return ret;
}
