// SPDX-License-Identifier: GPL-2.0
/* BcE and BcES: what is encrypted, and how it becomes a message again. */
#include "inspect/hand_on.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/claims.h"

/* The text with its payload element replaced. */
static int splice(const uint8_t *text, size_t len, const struct fmpi_shape *shape,
		  const struct fmpi_octets *plain, struct fmpi_octets *out)
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

/* BcE: who it is of was looked at before it was decrypted; its header is the same. */
static int take_unsigned(struct fmp_inspector *i, struct fmpi_view *w, struct fmp_inspection *v)
{
	struct fmpi_wsse sec;
	int ret = fmpi_wsse_read(&w->soap, &sec, v);

	return ret ? ret : fmpi_hand_on_body(i, w, sec.username, v);
}

/*
 * A decrypted text is a message again and pays for every step from the first. That
 * the plain text stays in its place is seen there: SOAP's shape leaves no other.
 */
static int take_decrypted(struct fmp_inspector *i, const struct fmp_message *m,
			  struct fmpi_octets *text, struct fmp_inspection *v)
{
	struct fmpi_proof p;
	struct fmpi_view w = { 0 };
	int ret;

	p.body = (struct fmpi_octets){ 0 };
	ret = fmpi_view_open(i, FMPI_SCREEN_UTF8, (const uint8_t *)text->p, text->len, &w, v);
	if (!ret)
		ret = fmpi_ladder_payload(i, m, &w.soap, v);
	if (ret)
		goto out;
	if (i->security == FMP_SECURITY_BCE) {
		ret = take_unsigned(i, &w, v);
		goto out;
	}
	ret = fmpi_ladder_signature(i, m, &w, &p, v);
	if (!ret)
		ret = fmpi_hand_on_signed(i, &w, &p, v);
out:
	free(p.body.p);
	fmpi_view_close(&w);
	return ret;
}

/*
 * BcE, and BcES where the message was signed, then encrypted.
 *
 * CBC does not notice changed bytes: as long as no signature vouches for them, any
 * difference between two answers tells an attacker something of the plain text.
 */
static int take_encrypted(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct fmpi_view *w, const struct fmpi_encrypted *e,
			  struct fmp_inspection *v)
{
	struct fmpi_octets plain = { 0 }, text = { 0 };
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
				 struct fmpi_view *w, const struct fmpi_encrypted *e,
				 struct fmp_inspection *v)
{
	struct fmpi_octets outer = { 0 }, plain = { 0 }, text = { 0 };
	struct fmpi_proof p;
	struct fmpi_shape shape;
	struct fmpi_view inner = { 0 };
	int ret;

	p.body = (struct fmpi_octets){ 0 };
	ret = fmpi_ladder_signature(i, m, w, &p, v);
	if (!ret)
		ret = fmpi_hand_on_wrap(w->soap.ns, &p.body, &outer);
	if (!ret)
		ret = fmpi_screen(&i->limits, FMPI_SCREEN_UTF8, (const uint8_t *)outer.p, outer.len,
				  &shape, v);
	if (!ret)
		ret = fmpi_decrypt(i->key, e, &plain.p, &plain.len, v);
	if (!ret)
		ret = splice((const uint8_t *)outer.p, outer.len, &shape, &plain, &text);
	if (!ret)
		ret = fmpi_view_open(i, FMPI_SCREEN_UTF8, (const uint8_t *)text.p, text.len, &inner,
				     v);
	if (!ret)
		ret = fmpi_ladder_payload(i, m, &inner.soap, v);
	if (!ret)
		ret = fmpi_hand_on_decrypted(i, w, &p, &inner, &text, v);
	fmpi_view_close(&inner);
	free(p.body.p);
	free(outer.p);
	free(plain.p);
	free(text.p);
	return ret;
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
	if (!ret && i->security == FMP_SECURITY_BCES)
		ret = fmpi_claims_signature(i, m, &w->soap, &sec, &info, &who, v);
	if (ret)
		return ret;
	/* The parts of a Security header stand in the order in which they are to be undone. */
	if (i->security == FMP_SECURITY_BCES && !sec.decrypt_first)
		return take_encrypted_signed(i, m, w, &enc, v);
	return take_encrypted(i, m, w, &enc, v);
}
