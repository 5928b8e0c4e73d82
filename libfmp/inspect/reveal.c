// SPDX-License-Identifier: GPL-2.0
#include "inspect/reveal.h"

#include <stdlib.h>
#include <string.h>

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_DECRYPT, kind, fmpi_line(node), __VA_ARGS__)

/* As many elements as in most messages: a text without any is parsed in a tenth of the time. */
static void fill(char *p, size_t n)
{
	static const char open[] = "<a>", element[] = "<a>0123456789</a>", close[] = "</a>";
	const size_t size = sizeof(element) - 1;

	memset(p, ' ', n);
	if (n < sizeof(open) + sizeof(close))
		return;
	memcpy(p, open, sizeof(open) - 1);
	memcpy(p + n - (sizeof(close) - 1), close, sizeof(close) - 1);
	p += sizeof(open) - 1;
	n -= sizeof(open) + sizeof(close) - 2;
	for (; n >= size; n -= size, p += size)
		memcpy(p, element, size);
}

/* The elements around an encrypted datum. */
static unsigned depth_of(const xmlNode *place)
{
	unsigned n = 0;

	for (const xmlNode *e = place->parent; e && e->type == XML_ELEMENT_NODE; e = e->parent)
		n++;
	return n;
}

/* From the place on that the screen came to, for it has seen what is in front of that. */
static void screen_rest(const struct fmp_inspector *i, const struct fmpi_encrypted *e,
			const struct fmpi_revealed *r)
{
	static const char open[] = "<a>";
	const size_t size = sizeof(open) - 1, seen = r->view.shape.screened;
	struct fmp_inspection unused = { 0 };
	struct fmpi_shape shape;
	size_t from;
	unsigned k = 0;

	while (k + 1 < e->n && r->place[k].end <= seen)
		k++;
	from = seen ? r->place[k].start : 0;
	/*
	 * What ends behind it begins in front of it, where start tags have stood that were no
	 * shorter. Their names are not the tree's where the text around it is one of ours.
	 */
	for (unsigned n = depth_of(e->datum[k].place); from >= size && n; n--)
		memcpy(r->text.p + (from -= size), open, size);
	if (fmpi_screen(&i->limits, FMPI_SCREEN_REST, (const uint8_t *)r->text.p + from,
			r->text.len - from, &shape, &unused) != 0)
		return;
}

/* Octets that nobody has looked at, or that are not to be looked at, give their room to it. */
static int make_decoy(const uint8_t *text, size_t len, const struct fmpi_place *at,
		      const struct fmpi_encrypted *e, struct fmpi_plain *plain,
		      struct fmpi_revealed *r)
{
	for (unsigned k = 0; r->text.p && k < e->n; k++)
		fill(r->text.p + r->place[k].start, r->place[k].end - r->place[k].start);
	if (r->text.p)
		return 0;
	for (unsigned k = 0; k < e->n; k++) {
		plain->part[k].len = strlen(e->datum[k].text) / 4 * 3;
		fill(plain->part[k].p, plain->part[k].len);
	}
	return fmpi_places_fill(text, len, at, plain->part, e->n, &r->text, r->place);
}

/*
 * What was refused by the screen or the parser, or before, pays for the rest of these steps all
 * the same, with texts of the same length in its places: else it could be told by the time that
 * they were not reached, of a message whose sender has made them dear.
 */
static int pay_for_rest(struct fmp_inspector *i, const struct fmpi_encrypted *e,
			struct fmpi_revealed *r, bool parsed)
{
	struct fmp_inspection unused = { 0 };
	struct fmpi_soap soap;
	xmlDocPtr doc = NULL;
	int ret = 0;

	if (!parsed) {
		ret = fmpi_parser_secret(&i->parser, r->text.p, r->text.len, &doc, &unused);
		xmlFreeDoc(doc);
		screen_rest(i, e, r);
	}
	/* The message around what is encrypted is one of SOAP. */
	if (ret != FMP_ERR_NOMEM)
		ret = fmpi_soap_read(e->datum[0].place->doc, &soap, &unused);
	return ret == FMP_ERR_NOMEM ? ret : 0;
}

static int look(struct fmp_inspector *i, const uint8_t *text, size_t len,
		const struct fmpi_place *at, const struct fmpi_encrypted *e,
		const struct fmpi_plain *plain, struct fmpi_revealed *out, struct fmp_inspection *v)
{
	int ret;

	if (!plain->readable)
		return fmpi_decrypt_refuse(v);
	ret = fmpi_places_fill(text, len, at, plain->part, e->n, &out->text, out->place);
	if (ret)
		return ret;
	return fmpi_view_open_secret(i, (const uint8_t *)out->text.p, out->text.len, &out->view, v);
}

int fmpi_reveal_plain(struct fmp_inspector *i, const uint8_t *text, size_t len,
		      const struct fmpi_place *at, const struct fmpi_encrypted *e,
		      struct fmpi_plain *plain, struct fmpi_revealed *out, struct fmp_inspection *v)
{
	bool parsed;
	int ret, rest;

	*out = (struct fmpi_revealed){ .good = plain->good };
	ret = look(i, text, len, at, e, plain, out, v);
	if (ret != FMPI_REFUSED || out->view.doc)
		return ret;
	parsed = v->step == FMP_STEP_PARSE;
	rest = parsed ? 0 : make_decoy(text, len, at, e, plain, out);
	if (!rest)
		rest = pay_for_rest(i, e, out, parsed);
	return rest ? rest : ret;
}

int fmpi_reveal(struct fmp_inspector *i, const uint8_t *text, size_t len,
		const struct fmpi_place *at, const struct fmpi_encrypted *e,
		struct fmpi_revealed *out, struct fmp_inspection *v)
{
	struct fmpi_plain plain;
	int ret = fmpi_decrypt(i->key, e, &plain);

	*out = (struct fmpi_revealed){ 0 };
	fmpi_step_done(v, FMP_STEP_DECRYPT);
	if (!ret)
		ret = fmpi_reveal_plain(i, text, len, at, e, &plain, out, v);
	fmpi_plain_free(&plain);
	return ret;
}

void fmpi_revealed_forget(struct fmpi_revealed *r)
{
	fmpi_view_close(&r->view);
	free(r->text.p);
}

int fmpi_revealed_conclude(int ret, const struct fmpi_revealed *r, const struct fmpi_encrypted *e,
			   struct fmp_inspection *v)
{
	if (ret == FMP_ERR_NOMEM || (ret <= 0 && r->good))
		return ret;
	fmp_inspection_clear(v);
	if (!r->good || !fmpi_decrypt_authentic(e))
		return fmpi_decrypt_refuse(v);
	if (v->step != FMP_STEP_CONTENT)
		v->step = FMP_STEP_DECRYPT;
	return FMPI_REFUSED;
}

/* ---- what came out of the header ---- */

/* The part of the header that has this name, in the clear; NULL: there is none. */
static const xmlNode *part_of(const struct fmpi_wsse *sec, enum fmp_secret s)
{
	switch (s) {
	case FMP_SECRET_USERNAME:
		return sec->username;
	case FMP_SECRET_SIGNATURE:
		return sec->signature;
	default:
		return sec->addressing[FMP_PART_TO + s - FMP_SECRET_TO];
	}
}

static bool is_part(const xmlNode *n, unsigned hidden, const struct fmpi_wsse *sec)
{
	for (unsigned s = FMP_SECRET_USERNAME; s < FMP_SECRETS; s++)
		if (hidden & FMP_SECRET_BIT(s) && part_of(sec, s) == n)
			return true;
	return false;
}

/* In the order of the document. Return: how many. */
static unsigned gather(const struct fmpi_soap *soap, unsigned hidden, const struct fmpi_wsse *sec,
		       const xmlNode *out[FMP_SECRETS])
{
	unsigned n = 0;

	for (const xmlNode *b = fmpi_first(soap->header); b; b = fmpi_next(b)) {
		if (is_part(b, hidden, sec))
			out[n++] = b;
		if (b != sec->security)
			continue;
		for (const xmlNode *p = fmpi_first(b); p; p = fmpi_next(p))
			if (is_part(p, hidden, sec))
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

/* Does the element fill the place, but for white space around it? */
static bool fills(const struct fmpi_octets *text, const struct fmpi_place *place,
		  const struct fmpi_place *element)
{
	return element->start >= place->start && element->end <= place->end &&
	       is_blank(text->p + place->start, element->start - place->start) &&
	       is_blank(text->p + element->end, place->end - element->end);
}

int fmpi_revealed_check(const struct fmpi_revealed *r, unsigned hidden, unsigned still,
			struct fmpi_wsse *sec, struct fmp_inspection *v)
{
	const struct fmpi_view *w = &r->view;
	const xmlNode *part[FMP_SECRETS];
	struct fmpi_place found[FMP_SECRETS];
	unsigned n;
	int ret = fmpi_wsse_read_hidden(&w->soap, still, sec, v);

	if (ret)
		return ret;
	for (unsigned s = FMP_SECRET_USERNAME; s < FMP_SECRETS; s++)
		if (hidden & FMP_SECRET_BIT(s) && !part_of(sec, s))
			return refuse(v, FMP_EVENT_UNENCRYPTED, w->soap.header,
				      "what is encrypted in the header is not its %s",
				      fmp_secret_name(s));
	n = gather(&w->soap, hidden, sec, part);
	if (fmpi_places_find(w->text, w->len, part, n, found) != 0)
		return refuse(v, FMP_EVENT_WRAPPING, w->soap.header, "the header is another one");
	for (unsigned k = 0; k < n; k++)
		if (!fills(&r->text, &r->place[k], &found[k]))
			return refuse(v, FMP_EVENT_WRAPPING, part[k],
				      "more than one element is encrypted as %s",
				      (const char *)part[k]->name);
	return 0;
}
