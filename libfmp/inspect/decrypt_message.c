// SPDX-License-Identifier: GPL-2.0
#include "decrypt_message.h"

#include <stdlib.h>
#include <string.h>

#include "wss/attachment_encrypted.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_DECRYPT, kind, fmpi_line(node), __VA_ARGS__)

int fmpi_decrypt_attachments(const struct fmp_inspector *i, const struct fmpi_session *s,
			     const struct fmpi_encrypted *e, bool *good, struct fmp_inspection *v)
{
	bool signed_encrypted = i->security == FMP_SECURITY_BCES &&
				i->order == FMP_ORDER_ENCRYPT_SIGN;
	int ret = fmpi_attachments_decrypt(s, e, signed_encrypted, good, v);

	return ret || *good ? ret : fmpi_decrypt_refuse(v);
}

int fmpi_decrypt_message(struct fmp_inspector *i, const struct fmpi_session *s, const uint8_t *text,
			 size_t len, const struct fmpi_text_span *at,
			 const struct fmpi_encrypted *e, struct fmpi_plaintext *out,
			 struct fmp_inspection *v)
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
					       &out->view, v);
	fmpi_plain_free(&plain);
	return ret;
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
