// SPDX-License-Identifier: GPL-2.0
/*
 * The pipeline: which stages a message passes under each security configuration, cheapest first.
 *
 * What is forwarded (invariant 9 of libfmp/README.md):
 *   Os, Bc, BcV  the bytes as received; UTF-16 as the UTF-8 that was inspected
 *   BcS, BcES    a new Envelope around the exact bytes of the Body whose digest was signed; prefixes
 *                in its values mean there what they meant in the message (namespace_context.h)
 *   BcE, and Bc, BcV with users or assertions
 *                the inspected tree in canonical form, without its Header
 * Under BcS, BcE and BcES no header block is forwarded except signed ones of WS-Addressing, and others if the policy says so:
 * the Security header has done its work, and nothing vouches for the others. A block that must be
 * understood and is not forwarded is refused (wsse.c). A tree instead of bytes: output_tree.h.
 */
#include <fmp/inspect.h>

#include <stdlib.h>
#include <string.h>

#include "encrypted_header.h"
#include "message_key.h"
#include "named_headers.h"
#include "output.h"
#include "pipeline_encrypted.h"
#include "reply_context.h"
#include "sender_checks.h"
#include "stages.h"
#include "soap/addressing.h"
#include "soap/xop.h"
#include "xml/encoding.h"
#include "xml/entity_loader.h"
#include "xml/oom.h"

/* BcS. */
static int inspect_signed(struct fmp_inspector *i, const struct fmp_message *m, struct fmpi_view *w,
			  struct fmp_inspection *v)
{
	int ret;

	if (fmpi_encrypted_header_is_there(i, w))
		return fmpi_encrypted_header_inspect(i, m, w, v);
	ret = fmpi_stage_payload(i, m, &w->soap, v);
	return ret ? ret : fmpi_stage_output_signed(i, m, w, v);
}

/* Bc, BcV: of the header only UsernameToken and Assertion are checked, if the policy asks for them. */
static int inspect_plain(struct fmp_inspector *i, const struct fmp_message *m, struct fmpi_view *w,
			 struct fmp_inspection *v)
{
	struct fmpi_wsse sec;
	int ret;

	ret = i->schema ? fmpi_stage_payload(i, m, &w->soap, v)
			: fmpi_stage_includes(m, &w->soap, v);
	if (ret)
		return ret;
	ret = fmpi_named_headers_check(i, &w->soap, NULL, v);
	if (!ret)
		fmpi_observe_headers(m->observation, i, &w->soap,
				     i->passwords || i->issuers ? FMPI_HEADER_OUTPUT_NAMED
								: FMPI_HEADER_OUTPUT_ALL);
	if (ret || (!i->passwords && !i->issuers))
		return ret ? ret : fmpi_output_all(i, w, v);
	ret = fmpi_wsse_read(&w->soap, &sec, v);
	if (!ret)
		ret = fmpi_wsse_check_understood(&sec, &w->soap, i->named, false, v);
	if (!ret)
		ret = fmpi_sender_check_all(i, m, &sec, &w->soap, v);
	if (!ret)
		ret = fmpi_sender_check_assertion(i, m, &sec, v);
	fmpi_step_done(v, FMP_STEP_SIGNATURE);
	return ret ? ret : fmpi_output_body(i, w, sec.username, v);
}

/* Where the service depends on the action: switch to its inspector now that the action is read. */
static int select_inspector(struct fmp_inspector **i, const struct fmp_message *m,
			    const struct fmpi_view *w, struct fmp_inspection *v)
{
	struct fmp_inspector *chosen;

	if (!m->select_inspector)
		return 0;
	chosen = m->select_inspector(m->select_ctx, fmpi_addressing_action(&w->soap));
	if (!chosen)
		return fmpi_refuse(v, FMP_STEP_SOAP, FMP_EVENT_SOAP, 0,
				   "its action is none of a service here");
	fmpi_sender_check_begin(chosen);
	*i = chosen;
	return 0;
}

/*
 * An unsigned or unencrypted Fault is refused, but is no offence: hardly any service signs the
 * Faults with which it answers bad requests. If it were one, a local program that sends bad
 * requests could have the service blocked.
 */
static void waive_fault(const struct fmp_message *m, const struct fmpi_soap *soap,
			struct fmp_inspection *v)
{
	bool bare = v->kind == FMP_EVENT_UNSIGNED || v->kind == FMP_EVENT_UNENCRYPTED;

	if (bare && m->answer && fmpi_is(soap->payload, soap->ns, "Fault"))
		v->kind = FMP_EVENT_GOOD;
}

/* Are there attachments by themselves? Each must be encrypted, where the Body must. */
static bool has_attachments(const struct fmp_message *m)
{
	for (size_t n = 0; m->attachments && n < m->attachments->n; n++)
		if (!m->attachments->part[n].included)
			return true;
	return false;
}

/* Refuse an empty Body unless the configuration allows it; the Header is then bounded as any other. */
static int check_empty(const struct fmp_inspector *i, const struct fmp_message *m,
		       const struct fmpi_view *w, struct fmp_inspection *v)
{
	bool is_encrypted = i->security == FMP_SECURITY_BCE || i->security == FMP_SECURITY_BCES;

	if (w->soap.payload ||
	    ((!is_encrypted || has_attachments(m)) && fmp_inspector_accepts_empty(i, m->answer) &&
	     w->shape.nodes <= 2 * FMPI_MAX_HEADER))
		return 0;
	return fmpi_soap_refuse_empty(&w->soap, v);
}

/* The parts are still to come: can the message be evaluated without them? */
static bool needs_parts(const struct fmp_inspector *i, const struct fmp_message *m,
			const struct fmpi_view *w)
{
	const struct fmp_attachments *a = m->attachments;

	if (!a || !a->pending)
		return false;
	return (i->security != FMP_SECURITY_BC && i->security != FMP_SECURITY_BCV) ||
	       fmpi_xop_needs_parts(a, i->schema, w->soap.payload, i->content != NULL);
}

static int inspect_view(struct fmp_inspector **chosen, const struct fmp_message *m,
			struct fmpi_view *w, struct fmp_inspection *v)
{
	int ret = fmpi_addressing_check(&w->soap, m->soap_action, v);
	struct fmp_inspector *i;

	if (!ret)
		ret = select_inspector(chosen, m, w, v);
	if (!ret)
		ret = check_empty(*chosen, m, w, v);
	if (ret)
		return ret;
	i = *chosen;
	if (needs_parts(i, m, w)) {
		v->needs_parts = true;
		return FMPI_REFUSED;
	}
	fmpi_reply_context_message(i, &w->soap, v);
	switch (i->security) {
	case FMP_SECURITY_BC:
	case FMP_SECURITY_BCV:
		return inspect_plain(i, m, w, v);
	case FMP_SECURITY_BCS:
		return inspect_signed(i, m, w, v);
	case FMP_SECURITY_BCE:
	case FMP_SECURITY_BCES:
		return fmpi_pipeline_encrypted(i, m, w, v);
	default:
		return FMP_ERR_INVALID;
	}
}

/* RFC 7303 3.2: the charset of the Content-Type counts unless there is a byte order mark. */
static void waive_charset(const struct fmp_message *m, struct fmp_inspection *v)
{
	if (m->plain_charset && v->step == FMP_STEP_SCREEN && v->kind == FMP_EVENT_ENCODING)
		fmpi_refuse(
			v, v->step, FMP_EVENT_UNSUPPORTED, v->line,
			"a charset of the Content-Type that is not supported, only UTF-8 and UTF-16");
}

static int inspect_utf8(struct fmp_inspector **i, const struct fmp_message *m,
			struct fmp_inspection *v)
{
	struct fmpi_view w = { 0 };
	int ret;

	ret = fmpi_view_open(*i, m, FMPI_SCREEN_UTF8, m->bytes, m->len, &w, v);
	if (ret == FMPI_REFUSED)
		waive_charset(m, v);
	if (!ret)
		ret = inspect_view(i, m, &w, v);
	if (ret == FMPI_REFUSED)
		waive_fault(m, &w.soap, v);
	fmpi_view_close(&w);
	return ret;
}

static int inspect_utf16(struct fmp_inspector **i, const struct fmp_message *m,
			 struct fmp_inspection *v)
{
	struct fmpi_buffer text = { .p = malloc(FMPI_UTF16_MAX(m->len)) };
	struct fmpi_view w = { 0 };
	int ret = FMP_ERR_NOMEM;

	if (!text.p)
		return ret;
	if (fmpi_utf16_decode(m->bytes, m->len, (uint8_t *)text.p, &text.len) != 0)
		ret = fmpi_refuse(v, FMP_STEP_SCREEN, FMP_EVENT_ENCODING, 0, "malformed UTF-16");
	else
		ret = fmpi_view_open(*i, m, FMPI_SCREEN_UTF16, (const uint8_t *)text.p, text.len,
				     &w, v);
	if (!ret)
		ret = inspect_view(i, m, &w, v);
	if (ret == FMPI_REFUSED)
		waive_fault(m, &w.soap, v);
	fmpi_view_close(&w);
	if (!ret && !v->own && !v->tree.doc) {
		fmpi_output_bytes(v, &text, w.shape.prolog);
		if (m->attachments)
			m->attachments->verbatim = true;
	}
	free(text.p);
	return ret;
}

/*
 * To a clock that is behind, every good message is from the future. It is refused, without blame:
 * its age and whether it is a replay cannot be decided either.
 */
static void waive_unset_clock(const struct fmp_message *m, struct fmp_inspection *v)
{
	char why[sizeof(v->detail)];

	if (!m->clock_unset || !v->not_yet)
		return;
	memcpy(why, v->detail, sizeof(why));
	fmpi_refuse(v, v->step, FMP_EVENT_GOOD, v->line, "the clock of this device is not set: %s",
		    why);
	v->lacks = FMP_LACKS_TIME;
}

/*
 * A canonical form has at most six bytes for one of UTF-8: '"' in a value that was quoted by '\''
 * becomes &quot;. A '&' in CDATA becomes five. UTF-16 grows by half, and a '"' of it was two bytes.
 * Only namespaces that exclusive canonicalization declares repeatedly take more.
 */
size_t fmp_forward_max(uint32_t body_bytes)
{
	return (size_t)body_bytes * 6;
}

static int check_length(const struct fmp_inspector *i, struct fmp_inspection *v)
{
	size_t most = fmp_forward_max(i->limits.body_bytes);

	if (v->forward_len <= most)
		return 0;
	return fmpi_refuse(v, FMP_STEP_CONTENT, FMP_EVENT_OVERSIZE, 0,
			   "the output would be longer than %zu bytes", most);
}

int fmp_inspect(struct fmp_inspector *i, const struct fmp_message *m, struct fmp_inspection *out)
{
	int ret = 0;

	*out = (struct fmp_inspection){ .step = FMP_STEP_SCREEN, .clock_ns = m->clock_ns };
	out->since_ns = m->clock_ns ? m->clock_ns() : 0;
	if (m->len > i->limits.body_bytes) {
		fmpi_refuse(out, FMP_STEP_SCREEN, FMP_EVENT_OVERSIZE, 0,
			    "message larger than %u bytes", i->limits.body_bytes);
		fmpi_step_done(out, FMP_STEP_SCREEN);
		return 0;
	}
	if (i->security != FMP_SECURITY_OS) {
		fmpi_sender_check_begin(i);
		fmpi_entity_loader_forbid(true);
		fmpi_oom_begin();
		ret = fmpi_utf16_bom(m->bytes, m->len) ? inspect_utf16(&i, m, out)
						       : inspect_utf8(&i, m, out);
		fmpi_entity_loader_forbid(false);
		fmpi_message_key_forget(i);
		if (fmpi_oom_happened())
			ret = FMP_ERR_NOMEM;
		/* All other checks have passed. */
		if (!ret && out->crl_error)
			ret = fmpi_trust_refuse_without_crl(out);
		if (!ret)
			ret = check_length(i, out);
		if (!ret)
			ret = fmpi_sender_check_commit(i, m, out);
	}
	fmpi_step_done(out, ret ? out->step : FMP_STEP_DONE);
	if (ret) {
		if (ret == FMPI_REFUSED)
			waive_unset_clock(m, out);
		else if (ret == FMP_ERR_NOMEM)
			fmpi_refuse(out, out->step, FMP_EVENT_GOOD, 0, "out of memory");
		fmp_inspection_clear(out);
		return ret < 0 ? ret : 0;
	}
	out->accepted = true;
	out->step = FMP_STEP_DONE;
	out->kind = FMP_EVENT_GOOD;
	if (!out->forward && !out->tree.doc) {
		out->forward = m->bytes;
		out->forward_len = m->len;
	}
	return 0;
}
