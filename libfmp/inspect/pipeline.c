// SPDX-License-Identifier: GPL-2.0
/*
 * The ladder: which steps a message takes under each configuration, cheapest first.
 *
 * What is handed on (DESIGN: invariant 9):
 *   Os, Bc, BcV  the bytes as they came; what came in UTF-16, in the UTF-8 that was inspected
 *   BcS, BcES    a new Envelope around the very octets of the Body whose digest was signed; names
 *                inside its values mean there what they meant in the message (namespace_context.h)
 *   BcE, and Bc, BcV with users or assertions
 *                the inspected tree in canonical form, without its Header
 * Under BcS, BcE, BcES no header block is handed on, but for those that were signed, if the policy
 * says so: Security is spent here, and nothing vouches for the others (one that must be understood
 * and is not handed on is refused, wsse.c).
 * As a tree: output_tree.h.
 */
#include <fmp/inspect.h>

#include <stdlib.h>
#include <string.h>

#include "soap/addressing.h"
#include "sender_checks.h"
#include "soap/streaming_validate.h"
#include "xml/encoding.h"
#include "output.h"
#include "xml/entity_loader.h"
#include "reply_context.h"
#include "wss/signature.h"
#include "xml/oom.h"

typedef int parse_fn(struct fmpi_parser *p, const void *bytes, size_t len, xmlDocPtr *out,
		     struct fmp_inspection *v);

static void skip_prolog(struct fmpi_view *w)
{
	size_t n = w->shape.prolog;

	w->text += n;
	w->len -= n;
	if (w->shape.payload_end) {
		w->shape.payload_start -= n;
		w->shape.payload_end -= n;
	}
}

/*
 * What can be told before there is a tree of it, where that would be a large one. Who chooses
 * the schema looks at the tree; what is encrypted is no payload yet, and as short as a Header.
 */
static int check_before_tree(const struct fmp_inspector *i, const struct fmp_message *m,
			     const struct fmpi_view *w, bool *valid, struct fmp_inspection *v)
{
	bool is_encrypted = i->security == FMP_SECURITY_BCE || i->security == FMP_SECURITY_BCES;
	const struct fmpi_schema *schema = m->select_inspector ? NULL : i->schema;
	int ret;

	if (!fmpi_streaming_pays(&w->shape, w->len))
		return 0;
	if (w->shape.siblings)
		return fmpi_refuse(v, FMP_STEP_SOAP, FMP_EVENT_SOAP, 0,
				   "more than one element inside the Body");
	if (is_encrypted && w->shape.nodes > 2 * FMPI_MAX_HEADER)
		return fmpi_refuse(v, FMP_STEP_DECRYPT, FMP_EVENT_STRUCTURE, 0,
				   "more elements and attributes than an encrypted message has");
	if (is_encrypted)
		return 0;
	ret = fmpi_streaming_validate(schema, m->answer, w->text, w->len, &w->shape, valid, v);
	fmpi_step_done(v, schema ? FMP_STEP_SCHEMA : FMP_STEP_PARSE);
	return ret;
}

/* m is NULL for what was secret: nothing may be told by its time. */
static int open_view(struct fmp_inspector *i, const struct fmp_message *m,
		     enum fmpi_screen_mode mode, parse_fn *parse, const uint8_t *text, size_t len,
		     struct fmpi_view *out, struct fmp_inspection *v)
{
	bool valid = false;
	int ret;

	*out = (struct fmpi_view){ .text = text, .len = len };
	ret = fmpi_screen(&i->limits, mode, text, len, &out->shape, v);
	if (ret)
		return ret;
	fmpi_step_done(v, FMP_STEP_SCREEN);
	/* The declaration of what was UTF-16 is no longer true. */
	if (mode == FMPI_SCREEN_UTF16)
		skip_prolog(out);
	ret = m ? check_before_tree(i, m, out, &valid, v) : 0;
	if (ret)
		return ret;
	ret = parse(&i->parser, out->text, out->len, &out->doc, v);
	if (ret)
		return ret;
	fmpi_step_done(v, FMP_STEP_PARSE);
	/* Only a schema knows whether it may be empty; what is secret is some element. */
	ret = m ? fmpi_soap_read_envelope(out->doc, &out->soap, v)
		: fmpi_soap_read(out->doc, &out->soap, v);
	out->soap.valid = valid;
	fmpi_step_done(v, FMP_STEP_SOAP);
	return ret;
}

static int open_message(struct fmp_inspector *i, const struct fmp_message *m,
			enum fmpi_screen_mode mode, const uint8_t *text, size_t len,
			struct fmpi_view *out, struct fmp_inspection *v)
{
	return open_view(i, m, mode, fmpi_parser_fast, text, len, out, v);
}

int fmpi_view_open_plaintext(struct fmp_inspector *i, const uint8_t *text, size_t len,
			     struct fmpi_view *out, struct fmp_inspection *v)
{
	return open_view(i, NULL, FMPI_SCREEN_UTF8, fmpi_parser_plaintext, text, len, out, v);
}

void fmpi_view_close(struct fmpi_view *w)
{
	fmpi_fast_free(w->doc);
	w->doc = NULL;
}

int fmpi_pipeline_signature(struct fmp_inspector *i, const struct fmp_message *m,
			    const struct fmpi_view *w, unsigned encrypted,
			    struct fmpi_verified_signature *p, struct fmp_inspection *v)
{
	/* A service in process gets a tree, with the blocks of WS-Addressing alone (output_tree.h). */
	bool hands_on = i->headers != FMP_HEADERS_STRIP && !i->tree;
	int ret;

	ret = fmpi_wsse_read_encrypted(&w->soap, encrypted, &p->sec, v);
	if (!ret && !hands_on)
		ret = fmpi_wsse_check_understood(&p->sec, !i->tree, v);
	if (!ret)
		ret = fmpi_sender_check_all(i, m, &p->sec, &w->soap, v);
	if (!ret)
		ret = fmpi_sender_check_signature(i, m, &w->soap, &p->sec, &p->info, &p->who, v);
	if (!ret && hands_on)
		ret = fmpi_signedinfo_check_understood(&p->info, &p->sec, &w->soap, v);
	if (!ret && i->headers == FMP_HEADERS_ONLY_SIGNED)
		ret = fmpi_signedinfo_require_all(&p->info, &p->sec, v);
	if (ret)
		return ret;
	if (i->dsig)
		ret = fmpi_dsig_verify(i->dsig, p->sec.signature, &p->info, p->who.key,
				       &p->signed_bytes, v);
	if (!i->dsig || ret == FMP_ERR_UNSUPPORTED)
		ret = fmpi_signature_verify(p->sec.signature, &p->info, p->who.key,
					    &p->signed_bytes, v);
	fmpi_step_done(v, FMP_STEP_SIGNATURE);
	return ret ? ret : fmpi_reply_context_signed(i, &p->info, &p->who, v);
}

int fmpi_pipeline_payload(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct fmpi_soap *soap, struct fmp_inspection *v)
{
	int ret;

	if (m->answer && fmpi_is(soap->payload, soap->ns, "Fault"))
		return 0;
	ret = soap->valid || !soap->payload ? 0 : fmpi_schema_check(i->schema, soap->payload, v);
	fmpi_step_done(v, FMP_STEP_SCHEMA);
	return ret ? ret : fmpi_action_check(soap, m->soap_action, m->answer, i->schema, v);
}

int fmpi_pipeline_output_signed(struct fmp_inspector *i, const struct fmp_message *m,
				struct fmpi_view *w, struct fmp_inspection *v)
{
	struct fmpi_verified_signature p;
	int ret;

	p.signed_bytes = (struct fmpi_signed_bytes){ 0 };
	ret = fmpi_pipeline_signature(i, m, w, 0, &p, v);
	if (!ret)
		ret = fmpi_output_signed(i, w, &p, v);
	fmpi_verified_signature_clear(&p);
	return ret;
}

/* BcS. */
static int inspect_signed(struct fmp_inspector *i, const struct fmp_message *m, struct fmpi_view *w,
			  struct fmp_inspection *v)
{
	int ret = fmpi_pipeline_payload(i, m, &w->soap, v);

	return ret ? ret : fmpi_pipeline_output_signed(i, m, w, v);
}

/* Bc, BcV: only who sent it is looked for in the header, if anything is. */
static int inspect_plain(struct fmp_inspector *i, const struct fmp_message *m, struct fmpi_view *w,
			 struct fmp_inspection *v)
{
	struct fmpi_wsse sec;
	int ret = 0;

	if (i->schema)
		ret = fmpi_pipeline_payload(i, m, &w->soap, v);
	if (ret)
		return ret;
	if (!i->passwords && !i->issuers)
		return fmpi_output_all(i, w, v);
	ret = fmpi_wsse_read(&w->soap, &sec, v);
	if (!ret)
		ret = fmpi_wsse_check_understood(&sec, false, v);
	if (!ret)
		ret = fmpi_sender_check_all(i, m, &sec, &w->soap, v);
	if (!ret)
		ret = fmpi_sender_check_assertion(i, m, &sec, v);
	fmpi_step_done(v, FMP_STEP_SIGNATURE);
	return ret ? ret : fmpi_output_body(i, w, sec.username, v);
}

/* Whose demands count, where that could not be told before the message was read. */
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
 * Hardly a service signs the Faults that it answers bad requests with: whoever gets one is told
 * nothing by it, but the service has not offended. Else a local program could have it blocked.
 */
static void waive_fault(const struct fmp_message *m, const struct fmpi_soap *soap,
			struct fmp_inspection *v)
{
	bool bare = v->kind == FMP_EVENT_UNSIGNED || v->kind == FMP_EVENT_UNENCRYPTED;

	if (bare && m->answer && fmpi_is(soap->payload, soap->ns, "Fault"))
		v->kind = FMP_EVENT_GOOD;
}

/* May the Body be empty? Then the Header is all there is, and as short as any other one. */
static int check_empty(const struct fmp_inspector *i, const struct fmp_message *m,
		       const struct fmpi_view *w, struct fmp_inspection *v)
{
	bool is_encrypted = i->security == FMP_SECURITY_BCE || i->security == FMP_SECURITY_BCES;

	if (w->soap.payload || (!is_encrypted && fmp_inspector_accepts_empty(i, m->answer) &&
				w->shape.nodes <= 2 * FMPI_MAX_HEADER))
		return 0;
	return fmpi_soap_refuse_empty(&w->soap, v);
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

/* RFC 7303 3.2: the charset of the HTTP header counts, where no mark says something else. */
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

	ret = open_message(*i, m, FMPI_SCREEN_UTF8, m->bytes, m->len, &w, v);
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
		ret = open_message(*i, m, FMPI_SCREEN_UTF16, (const uint8_t *)text.p, text.len, &w,
				   v);
	if (!ret)
		ret = inspect_view(i, m, &w, v);
	if (ret == FMPI_REFUSED)
		waive_fault(m, &w.soap, v);
	fmpi_view_close(&w);
	if (!ret && !v->own && !v->tree.doc)
		fmpi_output_bytes(v, &text, w.shape.prolog);
	free(text.p);
	return ret;
}

/*
 * A clock that is behind says of every good message that it is of the future. It is refused all
 * the same: whether it is old, or was here before, can't be told either.
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
 * Of a byte of UTF-8 a canonical form makes six at most: a '"' in a value that stands in '\''.
 * (In CDATA a '&' becomes five; UTF-16 becomes half as long again, and a '"' of it was two bytes.)
 * Only namespaces that are declared again and again, as exclusive ones are, make more.
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
			   "what would be handed on is longer than %zu bytes", most);
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
		if (fmpi_oom_happened())
			ret = FMP_ERR_NOMEM;
		/* All else of it is good: it would have been refused by now. */
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

void fmp_inspection_clear(struct fmp_inspection *v)
{
	free(v->own);
	free(v->own_reply_context);
	v->own = v->own_reply_context = NULL;
	v->reply_context = (struct fmp_reply_context){ 0 };
	v->forward = NULL;
	v->forward_len = 0;
	for (unsigned n = 0; n < 2; n++) {
		fmpi_fast_free(v->own_doc[n]);
		v->own_doc[n] = NULL;
	}
	v->tree = (struct fmp_tree){ 0 };
}
