// SPDX-License-Identifier: GPL-2.0
/* BcE and BcES: what is encrypted, and how it becomes a message again. */
#include "inspect/hand_on.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/claims.h"

/* The text with its payload element replaced. */
static int splice(const struct fmpi_view *in, const char *plain, size_t n, struct fmpi_octets *out)
{
	const struct fmpi_shape *shape = &in->shape;
	char *p;

	out->len = shape->payload_start + n + (in->len - shape->payload_end);
	out->p = p = malloc(out->len);
	if (!p)
		return FMP_ERR_NOMEM;
	p = mempcpy(p, in->text, shape->payload_start);
	p = mempcpy(p, plain, n);
	memcpy(p, in->text + shape->payload_end, in->len - shape->payload_end);
	return 0;
}

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

/*
 * What was refused before the parser pays for one all the same, with a text of the same
 * length in its place: else it could be told by the time that the parser was not reached.
 */
static int parse_decoy(struct fmp_inspector *i, const struct fmpi_view *in, size_t n)
{
	struct fmp_inspection unused = { 0 };
	struct fmpi_octets text = { 0 };
	char *plain = malloc(n + 1);
	xmlDocPtr doc = NULL;
	int ret = FMP_ERR_NOMEM;

	if (plain) {
		fill(plain, n);
		ret = splice(in, plain, n, &text);
	}
	if (!ret)
		ret = fmpi_parser_read(&i->parser, text.p, text.len, &doc, &unused);
	xmlFreeDoc(doc);
	free(plain);
	free(text.p);
	return ret == FMP_ERR_NOMEM ? ret : 0;
}

/* A message of which a part was encrypted, in the clear: its text, what was seen of it. */
struct revealed {
	struct fmpi_octets text;
	struct fmpi_view view;
	bool good;
};

static void forget(struct revealed *r)
{
	fmpi_view_close(&r->view);
	free(r->text.p);
}

/*
 * A decrypted text is a message again and pays for every step from the first. That the plain
 * text stays in its place is seen there: SOAP's shape leaves no other. What GCM has not
 * vouched for is not looked at; CBC vouches for nothing, and what does not decrypt goes the
 * same way there as what does.
 */
static int reveal(struct fmp_inspector *i, const struct fmpi_view *in,
		  const struct fmpi_encrypted *e, struct revealed *out, struct fmp_inspection *v)
{
	size_t room = strlen(e->data) / 4 * 3;
	struct fmpi_plain plain;
	int ret = fmpi_decrypt(i->key, e, &plain), decoy = 0;

	*out = (struct revealed){ .good = plain.good };
	if (ret)
		return ret;
	if (!plain.good && !plain.len) {
		ret = fmpi_decrypt_refuse(v);
	} else {
		ret = splice(in, plain.p, plain.len, &out->text);
		if (!ret)
			ret = fmpi_view_open_secret(i, (const uint8_t *)out->text.p, out->text.len,
						    &out->view, v);
	}
	if (ret == FMPI_REFUSED && v->step != FMP_STEP_PARSE && !out->view.doc)
		decoy = parse_decoy(i, in, room);
	free(plain.p);
	return decoy ? decoy : ret;
}

/*
 * Behind the first use of the key there is one step, and one answer. Only of what GCM has
 * vouched for is it told what was wrong: who sent that knows what is in it. CBC does not
 * notice changed bytes, and any difference would tell of the plain text.
 */
static int conclude(int ret, const struct revealed *r, const struct fmpi_encrypted *e,
		    struct fmp_inspection *v)
{
	if (ret < 0 || (!ret && r->good))
		return ret;
	fmp_inspection_clear(v);
	if (!r->good || !fmpi_decrypt_authentic(e))
		return fmpi_decrypt_refuse(v);
	if (v->step != FMP_STEP_CONTENT)
		v->step = FMP_STEP_DECRYPT;
	return FMPI_REFUSED;
}

/* BcES: of what was decrypted the signature must hold. */
static int take_signed_part(struct fmp_inspector *i, const struct fmp_message *m,
			    struct fmpi_view *w, struct fmp_inspection *v)
{
	struct fmpi_proof p;
	int ret;

	p.body = (struct fmpi_octets){ 0 };
	ret = fmpi_ladder_signature(i, m, w, &p, v);
	if (!ret)
		ret = fmpi_hand_on_signed(i, w, &p, v);
	free(p.body.p);
	return ret;
}

/* BcE: who it is of was looked at before it was decrypted; its header is the same. */
static int take_unsigned(struct fmp_inspector *i, struct fmpi_view *w, struct fmp_inspection *v)
{
	struct fmpi_wsse sec;
	int ret = fmpi_wsse_read(&w->soap, &sec, v);

	return ret ? ret : fmpi_hand_on_body(i, w, sec.username, v);
}

/* BcE, and BcES where a message is signed, then encrypted. */
static int take_encrypted(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct fmpi_view *w, const struct fmpi_encrypted *e,
			  struct fmp_inspection *v)
{
	struct revealed r;
	int ret = reveal(i, w, e, &r, v);

	if (!ret)
		ret = fmpi_ladder_payload(i, m, &r.view.soap, v);
	if (!ret)
		ret = i->security == FMP_SECURITY_BCE ? take_unsigned(i, &r.view, v)
						      : take_signed_part(i, m, &r.view, v);
	ret = conclude(ret, &r, e, v);
	forget(&r);
	return ret;
}

/* From the signature on only the signed octets count. */
static int read_signed(struct fmp_inspector *i, const struct fmp_message *m,
		       const struct fmpi_view *w, struct fmpi_proof *p, struct fmpi_octets *outer,
		       struct fmpi_view *out, struct fmp_inspection *v)
{
	int ret = fmpi_ladder_signature(i, m, w, p, v);

	if (!ret)
		ret = fmpi_hand_on_wrap(w->soap.ns, &p->body, outer);
	if (ret)
		return ret;
	*out = (struct fmpi_view){ .text = (const uint8_t *)outer->p, .len = outer->len };
	return fmpi_screen(&i->limits, FMPI_SCREEN_UTF8, out->text, out->len, &out->shape, v);
}

/*
 * BcES where a message is encrypted, then signed: the decrypted content is put into the
 * signed octets and read in their namespaces, not in those of an Envelope that nobody signed.
 */
static int take_encrypted_signed(struct fmp_inspector *i, const struct fmp_message *m,
				 struct fmpi_view *w, const struct fmpi_encrypted *e,
				 struct fmp_inspection *v)
{
	struct fmpi_octets outer = { 0 };
	struct fmpi_proof p;
	struct fmpi_view in;
	struct revealed r;
	int ret;

	p.body = (struct fmpi_octets){ 0 };
	ret = read_signed(i, m, w, &p, &outer, &in, v);
	if (ret)
		goto out;
	ret = reveal(i, &in, e, &r, v);
	if (!ret)
		ret = fmpi_ladder_payload(i, m, &r.view.soap, v);
	if (!ret)
		ret = fmpi_hand_on_decrypted(i, w, &p, &r.view, &r.text, v);
	ret = conclude(ret, &r, e, v);
	forget(&r);
out:
	free(p.body.p);
	free(outer.p);
	return ret;
}

/* The parts of a Security header stand in the order in which they are to be undone. */
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

/* BcE, BcES. */
int fmpi_ladder_secret(struct fmp_inspector *i, const struct fmp_message *m, struct fmpi_view *w,
		       struct fmp_inspection *v)
{
	struct fmpi_signedinfo info;
	struct fmpi_encrypted enc;
	struct fmpi_wsse sec;
	struct fmpi_signer who;
	int ret;

	ret = fmpi_wsse_read(&w->soap, &sec, v);
	if (!ret)
		ret = fmpi_claims_sender(i, m, &sec, &w->soap, v);
	if (!ret)
		ret = fmpi_encrypted_read(&sec, &w->soap, &enc, v);
	if (!ret && i->security == FMP_SECURITY_BCES && sec.signature)
		ret = check_order(i->order, &sec, v);
	if (!ret && i->security == FMP_SECURITY_BCES)
		ret = fmpi_claims_signature(i, m, &w->soap, &sec, &info, &who, v);
	if (ret)
		return ret;
	if (i->security == FMP_SECURITY_BCES && i->order == FMP_ORDER_ENCRYPT_SIGN)
		return take_encrypted_signed(i, m, w, &enc, v);
	return take_encrypted(i, m, w, &enc, v);
}
