// SPDX-License-Identifier: GPL-2.0
/*
 * The ladder: which steps a message takes under each configuration, cheapest first.
 *
 * What is handed on (DESIGN: invariant 9):
 *   Os, Bc, BcV  the bytes as they came; what came in UTF-16, in the UTF-8 that was inspected
 *   BcS, BcES    a new Envelope around the very octets of the Body whose digest was signed
 *   BcE, and Bc, BcV with users
 *                the inspected tree in canonical form, without its Header
 * Under BcS, BcE, BcES no header block is handed on: Security is spent here, and
 * nothing vouches for the others (one that must be understood is refused, wsse.c).
 */
#include <fmp/inspect.h>

#include <libxml/c14n.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/addressing.h"
#include "inspect/claims.h"
#include "inspect/encoding.h"
#include "inspect/loader.h"
#include "inspect/screen.h"
#include "inspect/signature.h"

struct octets {
	char *p; /* malloc()ed */
	size_t len;
};

/* A text that has passed screen, parser and SOAP. */
struct view {
	const uint8_t *text;
	size_t len;
	struct fmpi_shape shape;
	xmlDocPtr doc;
	struct fmpi_soap soap;
};

static int open_view(struct fmp_inspector *i, enum fmpi_screen_mode mode, const uint8_t *text,
		     size_t len, struct view *out, struct fmp_inspection *v)
{
	size_t skip;
	int ret;

	*out = (struct view){ .text = text, .len = len };
	ret = fmpi_screen(&i->limits, mode, text, len, &out->shape, v);
	if (ret)
		return ret;
	/* The declaration of what was UTF-16 is no longer true. */
	skip = mode == FMPI_SCREEN_UTF16 ? out->shape.prolog : 0;
	ret = fmpi_parser_read(&i->parser, text + skip, len - skip, &out->doc, v);
	if (ret)
		return ret;
	return fmpi_soap_read(out->doc, &out->soap, v);
}

static void close_view(struct view *w)
{
	xmlFreeDoc(w->doc);
	w->doc = NULL;
}

static int set_forward(struct fmp_inspection *v, struct octets *o)
{
	v->own = o->p;
	v->forward = o->p;
	v->forward_len = o->len;
	*o = (struct octets){ 0 };
	return 0;
}

static int wrap_body(const char *soap_ns, const struct octets *body, struct octets *out)
{
	static const char head[] = "<env:Envelope xmlns:env=\"", mid[] = "\">",
			  tail[] = "</env:Envelope>";
	size_t cap = sizeof(head) + strlen(soap_ns) + sizeof(mid) + body->len + sizeof(tail);
	char *p = malloc(cap);

	*out = (struct octets){ .p = p };
	if (!p)
		return FMP_ERR_NOMEM;
	p = stpcpy(stpcpy(stpcpy(p, head), soap_ns), mid);
	p = mempcpy(p, body->p, body->len);
	p = stpcpy(p, tail);
	out->len = (size_t)(p - out->p);
	return 0;
}

/* The text with its payload element replaced. */
static int splice(const uint8_t *text, size_t len, const struct fmpi_shape *shape,
		  const struct octets *plain, struct octets *out)
{
	char *p;

	out->len = shape->payload_start + plain->len + (len - shape->payload_end);
	out->p = p = malloc(out->len);
	if (!p)
		return FMP_ERR_NOMEM;
	p = mempcpy(p, text, shape->payload_start);
	p = mempcpy(p, plain->p, plain->len);
	memcpy(p, text + shape->payload_end, len - shape->payload_end);
	return 0;
}

static int check_signature(struct fmp_inspector *i, const struct fmp_message *m,
			   const struct view *w, struct octets *body, struct fmp_inspection *v)
{
	struct fmpi_signedinfo info;
	struct fmpi_wsse sec;
	struct fmpi_signer who;
	int ret;

	ret = fmpi_wsse_read(&w->soap, &sec, v);
	if (!ret)
		ret = fmpi_claims_user(i, m, &sec, &w->soap, v);
	if (!ret)
		ret = fmpi_claims_signature(i, m, &w->soap, &sec, &info, &who, v);
	if (ret)
		return ret;
	if (i->dsig)
		ret = fmpi_dsig_verify(i->dsig, sec.signature, &info, who.key, &body->p, &body->len,
				       v);
	if (!i->dsig || ret == FMP_ERR_UNSUPPORTED)
		ret = fmpi_signature_verify(sec.signature, &info, who.key, &body->p, &body->len, v);
	return ret;
}

static int check_payload(struct fmp_inspector *i, const struct fmp_message *m,
			 const struct fmpi_soap *soap, struct fmp_inspection *v)
{
	int ret = fmpi_schema_check(i->schema, soap->payload, v);

	return ret ? ret : fmpi_action_check(soap, m->soap_action, i->schema, v);
}

/* BcS. */
static int take_signed(struct fmp_inspector *i, const struct fmp_message *m, const struct view *w,
		       struct fmp_inspection *v)
{
	struct octets body = { 0 }, out = { 0 };
	int ret;

	ret = check_payload(i, m, &w->soap, v);
	if (!ret)
		ret = check_signature(i, m, w, &body, v);
	if (!ret)
		ret = wrap_body(w->soap.ns, &body, &out);
	if (!ret)
		ret = set_forward(v, &out);
	free(body.p);
	return ret;
}

static int forward_tree(const struct view *w, struct fmp_inspection *v)
{
	struct octets out = { 0 };
	xmlChar *text = NULL;
	int len;

	if (w->soap.header) {
		xmlUnlinkNode(w->soap.header);
		xmlFreeNode(w->soap.header);
	}
	len = xmlC14NDocDumpMemory(w->doc, NULL, XML_C14N_1_0, NULL, 0, &text);
	if (len > 0 && (out.p = malloc((size_t)len))) {
		memcpy(out.p, text, (size_t)len);
		out.len = (size_t)len;
	}
	xmlFree(text);
	return out.p ? set_forward(v, &out) : FMP_ERR_NOMEM;
}

/*
 * A decrypted text is a message again and pays for every step from the first. That
 * the plain text stays in its place is seen there: SOAP's shape leaves no other.
 */
static int take_decrypted(struct fmp_inspector *i, const struct fmp_message *m, struct octets *text,
			  struct fmp_inspection *v)
{
	struct octets body = { 0 }, out = { 0 };
	struct view w = { 0 };
	int ret;

	ret = open_view(i, FMPI_SCREEN_UTF8, (const uint8_t *)text->p, text->len, &w, v);
	if (!ret)
		ret = check_payload(i, m, &w.soap, v);
	if (ret)
		goto out;
	if (i->security == FMP_SECURITY_BCE) {
		ret = forward_tree(&w, v);
		goto out;
	}
	ret = check_signature(i, m, &w, &body, v);
	if (!ret)
		ret = wrap_body(w.soap.ns, &body, &out);
	if (!ret)
		ret = set_forward(v, &out);
out:
	free(body.p);
	close_view(&w);
	return ret;
}

/*
 * BcE, and BcES where the message was signed, then encrypted.
 *
 * CBC does not notice changed bytes: as long as no signature vouches for them, any
 * difference between two answers tells an attacker something of the plain text.
 */
static int take_encrypted(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct view *w, const struct fmpi_encrypted *e,
			  struct fmp_inspection *v)
{
	struct octets plain = { 0 }, text = { 0 };
	int ret;

	ret = fmpi_decrypt(i->key, e, &plain.p, &plain.len, v);
	if (!ret)
		ret = splice(w->text, w->len, &w->shape, &plain, &text);
	if (!ret)
		ret = take_decrypted(i, m, &text, v);
	if (ret == FMPI_REFUSED && !fmpi_decrypt_authentic(e))
		ret = fmpi_decrypt_refuse(v);
	free(plain.p);
	free(text.p);
	return ret;
}

/*
 * BcES where the message was encrypted, then signed: from the signature on only the
 * signed octets count, so the decrypted content is put into them and read in their
 * namespaces, not in those of an Envelope that nobody signed.
 */
static int take_encrypted_signed(struct fmp_inspector *i, const struct fmp_message *m,
				 const struct view *w, const struct fmpi_encrypted *e,
				 struct fmp_inspection *v)
{
	struct octets body = { 0 }, outer = { 0 }, plain = { 0 }, text = { 0 };
	struct fmpi_shape shape;
	struct view inner = { 0 };
	int ret;

	ret = check_signature(i, m, w, &body, v);
	if (!ret)
		ret = wrap_body(w->soap.ns, &body, &outer);
	if (!ret)
		ret = fmpi_screen(&i->limits, FMPI_SCREEN_UTF8, (const uint8_t *)outer.p, outer.len,
				  &shape, v);
	if (!ret)
		ret = fmpi_decrypt(i->key, e, &plain.p, &plain.len, v);
	if (!ret)
		ret = splice((const uint8_t *)outer.p, outer.len, &shape, &plain, &text);
	if (!ret)
		ret = open_view(i, FMPI_SCREEN_UTF8, (const uint8_t *)text.p, text.len, &inner, v);
	if (!ret)
		ret = check_payload(i, m, &inner.soap, v);
	close_view(&inner);
	if (!ret)
		ret = set_forward(v, &text);
	free(body.p);
	free(outer.p);
	free(plain.p);
	free(text.p);
	return ret;
}

/* BcE, BcES. */
static int take_secret(struct fmp_inspector *i, const struct fmp_message *m, const struct view *w,
		       struct fmp_inspection *v)
{
	struct fmpi_signedinfo info;
	struct fmpi_encrypted enc;
	struct fmpi_wsse sec;
	struct fmpi_signer who;
	int ret;

	ret = fmpi_wsse_read(&w->soap, &sec, v);
	if (!ret)
		ret = fmpi_claims_user(i, m, &sec, &w->soap, v);
	if (!ret)
		ret = fmpi_encrypted_read(&sec, &w->soap, &enc, v);
	if (!ret && i->security == FMP_SECURITY_BCES)
		ret = fmpi_claims_signature(i, m, &w->soap, &sec, &info, &who, v);
	if (ret)
		return ret;
	/* The parts of a Security header stand in the order in which they are to be undone. */
	if (i->security == FMP_SECURITY_BCES && !sec.decrypt_first)
		return take_encrypted_signed(i, m, w, &enc, v);
	return take_encrypted(i, m, w, &enc, v);
}

/* Bc, BcV: only who sent it is looked for in the header, if anything is. */
static int take_plain(struct fmp_inspector *i, const struct fmp_message *m, const struct view *w,
		      struct fmp_inspection *v)
{
	struct fmpi_wsse sec;
	int ret = 0;

	if (i->schema)
		ret = check_payload(i, m, &w->soap, v);
	if (ret || !i->passwords)
		return ret;
	ret = fmpi_wsse_read(&w->soap, &sec, v);
	if (!ret)
		ret = fmpi_claims_user(i, m, &sec, &w->soap, v);
	return ret ? ret : forward_tree(w, v);
}

static int take(struct fmp_inspector *i, const struct fmp_message *m, const struct view *w,
		struct fmp_inspection *v)
{
	int ret = fmpi_addressing_check(&w->soap, m->soap_action, v);

	if (ret)
		return ret;
	switch (i->security) {
	case FMP_SECURITY_BC:
	case FMP_SECURITY_BCV:
		return take_plain(i, m, w, v);
	case FMP_SECURITY_BCS:
		return take_signed(i, m, w, v);
	case FMP_SECURITY_BCE:
	case FMP_SECURITY_BCES:
		return take_secret(i, m, w, v);
	default:
		return FMP_ERR_INVALID;
	}
}

static int inspect_utf8(struct fmp_inspector *i, const struct fmp_message *m,
			struct fmp_inspection *v)
{
	struct view w = { 0 };
	int ret;

	ret = open_view(i, FMPI_SCREEN_UTF8, m->bytes, m->len, &w, v);
	if (!ret)
		ret = take(i, m, &w, v);
	close_view(&w);
	return ret;
}

static int inspect_utf16(struct fmp_inspector *i, const struct fmp_message *m,
			 struct fmp_inspection *v)
{
	struct octets text = { .p = malloc(FMPI_UTF16_MAX(m->len)) };
	struct view w = { 0 };
	int ret = FMP_ERR_NOMEM;

	if (!text.p)
		return ret;
	if (fmpi_utf16_decode(m->bytes, m->len, (uint8_t *)text.p, &text.len) != 0)
		ret = fmpi_refuse(v, FMP_STEP_SCREEN, FMP_EVENT_ENCODING, 0, "malformed UTF-16");
	else
		ret = open_view(i, FMPI_SCREEN_UTF16, (const uint8_t *)text.p, text.len, &w, v);
	if (!ret)
		ret = take(i, m, &w, v);
	close_view(&w);
	if (!ret && !v->own) {
		size_t skip = w.shape.prolog;

		set_forward(v, &text);
		v->forward = (const char *)v->forward + skip;
		v->forward_len -= skip;
	}
	free(text.p);
	return ret;
}

int fmp_inspect(struct fmp_inspector *i, const struct fmp_message *m, struct fmp_inspection *out)
{
	int ret = 0;

	*out = (struct fmp_inspection){ .step = FMP_STEP_SCREEN };
	if (m->len > i->limits.body_bytes) {
		fmpi_refuse(out, FMP_STEP_SCREEN, FMP_EVENT_OVERSIZE, 0,
			    "message larger than %u bytes", i->limits.body_bytes);
		return 0;
	}
	if (i->security != FMP_SECURITY_OS) {
		i->n_remember = 0;
		fmpi_loader_shut(true);
		ret = fmpi_utf16_bom(m->bytes, m->len) ? inspect_utf16(i, m, out)
						       : inspect_utf8(i, m, out);
		fmpi_loader_shut(false);
		if (!ret)
			ret = fmpi_claims_remember(i, m, out);
	}
	if (ret) {
		fmp_inspection_clear(out);
		return ret < 0 ? ret : 0;
	}
	out->accepted = true;
	out->step = FMP_STEP_DONE;
	out->kind = FMP_EVENT_GOOD;
	if (!out->forward) {
		out->forward = m->bytes;
		out->forward_len = m->len;
	}
	return 0;
}

void fmp_inspection_clear(struct fmp_inspection *v)
{
	free(v->own);
	v->own = NULL;
	v->forward = NULL;
	v->forward_len = 0;
}
