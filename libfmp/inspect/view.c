// SPDX-License-Identifier: GPL-2.0
/* Screen, parser and SOAP envelope: the first three stages, of a message and of decrypted text. */
#include "view.h"

#include "soap/streaming_validate.h"
#include "soap/xop.h"

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
 * Check what can be checked before a large tree is built. Where the inspector is selected by the
 * message's action, the schema is known only when there is a tree. An encrypted Body is no payload
 * yet: the message must be as short as a Header.
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
	/* The values of a message with xop:Include are there only in the tree. */
	if (is_encrypted ||
	    (m->attachments && m->attachments->xop && fmpi_xop_has_include(w->text, w->len)))
		return 0;
	ret = fmpi_streaming_validate(schema, m->answer, w->text, w->len, &w->shape, valid, v);
	fmpi_step_done(v, schema ? FMP_STEP_SCHEMA : FMP_STEP_PARSE);
	return ret;
}

/*
 * @m: NULL for decrypted text, whose processing time must not depend on the content
 * @may_be_empty: the Body; the caller then decides
 */
static int open_view(struct fmp_inspector *i, const struct fmp_message *m,
		     enum fmpi_screen_mode mode, parse_fn *parse, bool may_be_empty,
		     const uint8_t *text, size_t len, struct fmpi_view *out,
		     struct fmp_inspection *v)
{
	bool valid = false;
	int ret;

	*out = (struct fmpi_view){ .text = text, .len = len };
	ret = fmpi_screen(&i->limits, mode, text, len, &out->shape, v);
	if (ret)
		return ret;
	fmpi_step_done(v, FMP_STEP_SCREEN);
	/* The XML declaration of a converted text still says UTF-16. */
	if (mode == FMPI_SCREEN_UTF16)
		skip_prolog(out);
	ret = m ? check_before_tree(i, m, out, &valid, v) : 0;
	if (ret)
		return ret;
	ret = parse(&i->parser, out->text, out->len, &out->doc, v);
	if (ret)
		return ret;
	fmpi_step_done(v, FMP_STEP_PARSE);
	if (m && m->attachments) {
		ret = fmpi_xop_resolve(out->doc, m->attachments, v);
		if (ret)
			return ret;
	}
	ret = may_be_empty ? fmpi_soap_read_envelope(out->doc, &out->soap, v)
			   : fmpi_soap_read(out->doc, &out->soap, v);
	out->soap.valid = valid;
	fmpi_step_done(v, FMP_STEP_SOAP);
	return ret;
}

int fmpi_view_open(struct fmp_inspector *i, const struct fmp_message *m, enum fmpi_screen_mode mode,
		   const uint8_t *text, size_t len, struct fmpi_view *out, struct fmp_inspection *v)
{
	/* Whether the Body may be empty depends on the schema. */
	return open_view(i, m, mode, fmpi_parser_fast, true, text, len, out, v);
}

int fmpi_view_open_plaintext(struct fmp_inspector *i, const uint8_t *text, size_t len,
			     bool may_be_empty, struct fmpi_view *out, struct fmp_inspection *v)
{
	return open_view(i, NULL, FMPI_SCREEN_UTF8, fmpi_parser_plaintext, may_be_empty, text, len,
			 out, v);
}

void fmpi_view_close(struct fmpi_view *w)
{
	fmpi_fast_free(w->doc);
	w->doc = NULL;
}
