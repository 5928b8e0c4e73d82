// SPDX-License-Identifier: GPL-2.0
#include "decrypt_message.h"

#include <stdlib.h>
#include <string.h>

#include "message_key.h"
#include "wss/attachment_encrypted.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_DECRYPT, kind, fmpi_line(node), __VA_ARGS__)

int fmpi_decrypt_unwrap(struct fmp_inspector *i, const struct fmp_message *m,
			const struct fmpi_encrypted *e, struct fmpi_session *out,
			struct fmp_inspection *v)
{
	if (!m->decrypt_budget_spent || fmpi_encrypted_is_authenticated(e))
		return fmpi_message_key_unwrap(i, e, out);
	*out = (struct fmpi_session){ 0 };
	fmpi_refuse(v, FMP_STEP_DECRYPT, FMP_EVENT_GOOD, 0,
		    "under CBC too many messages did not decrypt: no more are tried now");
	v->lacks = FMP_LACKS_DECRYPT_BUDGET;
	return FMPI_REFUSED;
}

int fmpi_decrypt_find_spans(const struct fmpi_view *w, const struct fmpi_encrypted *e, unsigned n,
			    struct fmpi_text_span at[FMP_ENCRYPTED_PARTS], struct fmp_inspection *v)
{
	const xmlNode *node[FMP_ENCRYPTED_PARTS];

	for (unsigned k = 0; k < n; k++)
		node[k] = e->datum[k].place;
	if (n && fmpi_text_spans_find(w->text, w->len, node, n, at) != 0)
		return fmpi_refuse(v, FMP_STEP_DECRYPT, FMP_EVENT_WELLFORMED, fmpi_line(node[0]),
				   "the header can't be found in the message");
	return 0;
}

int fmpi_decrypt_attachments(const struct fmp_inspector *i, const struct fmpi_session *s,
			     const struct fmpi_encrypted *e, bool *good, struct fmp_inspection *v)
{
	bool signed_encrypted = i->security == FMP_SECURITY_BCES &&
				i->order == FMP_ORDER_ENCRYPT_SIGN;
	int ret = fmpi_attachments_decrypt(s, e, signed_encrypted, good, v);

	return ret || *good ? ret : fmpi_decrypt_refuse(v);
}

static int decrypt_text(struct fmp_inspector *i, const struct fmpi_session *s, const uint8_t *text,
			size_t len, const struct fmpi_text_span *at, const struct fmpi_encrypted *e,
			bool of_header, struct fmpi_plaintext *out, struct fmp_inspection *v)
{
	struct fmpi_plain plain;
	int ret = fmpi_decrypt(s, e, &plain);

	*out = (struct fmpi_plaintext){ .good = plain.good };
	if (!ret && e->n_attachments) {
		ret = fmpi_decrypt_attachments(i, s, e, &out->good, v);
		out->good = out->good && plain.good;
	}
	fmpi_step_done(v, FMP_STEP_DECRYPT);
	if (!ret && !plain.good)
		ret = fmpi_decrypt_refuse(v);
	if (!ret)
		ret = fmpi_text_spans_fill(text, len, at, plain.part, e->n, &out->text, out->place);
	if (!ret)
		ret = fmpi_view_open_plaintext(i, (const uint8_t *)out->text.p, out->text.len,
					       of_header, &out->view, v);
	fmpi_plain_free(&plain);
	return ret;
}

/* ---- what stands in the places ---- */

static bool is_blank(const char *p, size_t n)
{
	while (n && strchr(" \t\r\n", *p) && *p)
		p++, n--;
	return n == 0;
}

/* Does the element fill the place, except for white space around it? */
static bool fills_place(const struct fmpi_buffer *text, const struct fmpi_text_span *place,
			const struct fmpi_text_span *element)
{
	return element->start >= place->start && element->end <= place->end &&
	       is_blank(text->p + place->start, element->start - place->start) &&
	       is_blank(text->p + element->end, place->end - element->end);
}

static unsigned count_before(const xmlNode *n)
{
	unsigned count = 0;

	for (n = n->prev; n; n = n->prev)
		count += n->type == XML_ELEMENT_NODE;
	return count;
}

/* Return: the child of @parent that has as many elements before it as @like; NULL: none. */
static const xmlNode *find_like(const xmlNode *parent, const xmlNode *like)
{
	const xmlNode *n = parent ? fmpi_first(parent) : NULL;

	for (unsigned before = count_before(like); n && before; before--)
		n = fmpi_next(n);
	return n;
}

/* Is each plaintext a single element? Then what stands between the places is unchanged. */
static int check_places(const struct fmpi_plaintext *r, const struct fmpi_soap *was,
			const struct fmpi_encrypted *e, struct fmp_inspection *v)
{
	const xmlNode *header = r->view.soap.header, *part[FMP_ENCRYPTED_PARTS];
	struct fmpi_text_span found[FMP_ENCRYPTED_PARTS];

	for (unsigned k = 0; k < e->n; k++) {
		const xmlNode *place = e->datum[k].place;
		const xmlNode *parent =
			place->parent == was->header ? header : find_like(header, place->parent);

		part[k] = find_like(parent, place);
		if (!part[k])
			return refuse(v, FMP_EVENT_WRAPPING, header,
				      "not an element is encrypted in the header");
	}
	if (fmpi_text_spans_find(r->view.text, r->view.len, part, e->n, found) != 0)
		return refuse(v, FMP_EVENT_WRAPPING, header, "the header is another one");
	for (unsigned k = 0; k < e->n; k++)
		if (!fills_place(&r->text, &r->place[k], &found[k]))
			return refuse(v, FMP_EVENT_WRAPPING, part[k],
				      "more than one element is encrypted as %s",
				      (const char *)part[k]->name);
	return 0;
}

int fmpi_decrypt_message(struct fmp_inspector *i, const struct fmpi_session *s, const uint8_t *text,
			 size_t len, const struct fmpi_text_span *at,
			 const struct fmpi_encrypted *e, struct fmpi_plaintext *out,
			 struct fmp_inspection *v)
{
	return decrypt_text(i, s, text, len, at, e, false, out, v);
}

int fmpi_decrypt_header(struct fmp_inspector *i, const struct fmpi_session *s,
			const struct fmpi_view *w, const struct fmpi_encrypted *e,
			struct fmpi_plaintext *out, struct fmp_inspection *v)
{
	struct fmpi_text_span at[FMP_ENCRYPTED_PARTS];
	int ret = fmpi_decrypt_find_spans(w, e, e->n, at, v);

	*out = (struct fmpi_plaintext){ 0 };
	if (!ret)
		ret = decrypt_text(i, s, w->text, w->len, at, e, true, out, v);
	return ret ? ret : check_places(out, &w->soap, e, v);
}

void fmpi_plaintext_clear(struct fmpi_plaintext *r)
{
	fmpi_view_close(&r->view);
	free(r->text.p);
}

int fmpi_plaintext_verdict(int ret, const struct fmpi_plaintext *r, const struct fmpi_encrypted *e,
			   struct fmp_inspection *v)
{
	if (ret && !fmpi_encrypted_is_authenticated(e))
		v->cbc_failed = true;
	if (ret == FMP_ERR_NOMEM || (ret <= 0 && r->good))
		return ret;
	fmp_inspection_clear(v);
	if (!r->good || !fmpi_encrypted_is_authenticated(e))
		return fmpi_decrypt_refuse(v);
	if (v->step != FMP_STEP_CONTENT)
		v->step = FMP_STEP_DECRYPT;
	return FMPI_REFUSED;
}

/* ---- decrypted header parts ---- */

/* Return: this part of the header in the clear; NULL: none. */
static const xmlNode *find_part(const struct fmpi_wsse *sec, enum fmp_encrypted_part s)
{
	switch (s) {
	case FMP_ENCRYPTED_USERNAME:
		return sec->username;
	case FMP_ENCRYPTED_SIGNATURE:
		return sec->signature;
	default:
		return sec->addressing[FMP_PART_TO + s - FMP_ENCRYPTED_TO];
	}
}

static bool is_part(const xmlNode *n, unsigned encrypted, const struct fmpi_wsse *sec)
{
	for (unsigned s = FMP_ENCRYPTED_USERNAME; s < FMP_ENCRYPTED_PARTS; s++)
		if (encrypted & FMP_ENCRYPTED_BIT(s) && find_part(sec, s) == n)
			return true;
	return false;
}

/* Collect in document order. Return: how many. */
static unsigned collect_parts(const struct fmpi_soap *soap, unsigned encrypted,
			      const struct fmpi_wsse *sec, const xmlNode *out[FMP_ENCRYPTED_PARTS])
{
	unsigned n = 0;

	for (const xmlNode *b = fmpi_first(soap->header); b; b = fmpi_next(b)) {
		if (is_part(b, encrypted, sec))
			out[n++] = b;
		if (b != sec->security)
			continue;
		for (const xmlNode *p = fmpi_first(b); p; p = fmpi_next(p))
			if (is_part(p, encrypted, sec))
				out[n++] = p;
	}
	return n;
}

int fmpi_plaintext_check(const struct fmpi_plaintext *r, unsigned encrypted, unsigned still,
			 struct fmpi_wsse *sec, struct fmp_inspection *v)
{
	const struct fmpi_view *w = &r->view;
	const xmlNode *part[FMP_ENCRYPTED_PARTS];
	struct fmpi_text_span found[FMP_ENCRYPTED_PARTS];
	unsigned n;
	int ret = fmpi_wsse_read_encrypted(&w->soap, still | FMPI_ENCRYPTED_ATTACHMENTS, sec, v);

	if (ret)
		return ret;
	for (unsigned s = FMP_ENCRYPTED_USERNAME; s < FMP_ENCRYPTED_PARTS; s++)
		if (encrypted & FMP_ENCRYPTED_BIT(s) && !find_part(sec, s))
			return refuse(v, FMP_EVENT_UNENCRYPTED, w->soap.header,
				      "what is encrypted in the header is not its %s",
				      fmp_encrypted_part_name(s));
	n = collect_parts(&w->soap, encrypted, sec, part);
	if (fmpi_text_spans_find(w->text, w->len, part, n, found) != 0)
		return refuse(v, FMP_EVENT_WRAPPING, w->soap.header, "the header is another one");
	for (unsigned k = 0; k < n; k++)
		if (!fills_place(&r->text, &r->place[k], &found[k]))
			return refuse(v, FMP_EVENT_WRAPPING, part[k],
				      "more than one element is encrypted as %s",
				      (const char *)part[k]->name);
	return 0;
}
