// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "expand.h"
#include "encrypted_parts.h"
#include "headers.h"
#include "symmetric.h"
#include "pki.h"

/* The most items of a good message that the limit on elements allows. */
#define MOST_ITEMS 4900

static const struct attack_table *const tables[] = {
	&attack_parsing,   &attack_entities,	     &attack_encoding,
	&attack_envelope,  &attack_wrapping,	     &attack_signature,
	&attack_oversized, &attack_encryption,	     &attack_encrypted_parts,
	&attack_saml,	   &attack_content,	     &attack_http,
	&attack_paths,	   &attack_token_references, &attack_symmetric,
	&attack_headers,
};

const struct attack *attack_get(size_t i)
{
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		if (i < tables[t]->n)
			return &tables[t]->rows[i];
		i -= tables[t]->n;
	}
	return NULL;
}

/* Each byte becomes `width` bytes, itself at `at`. */
static struct attack_bytes widen_bytes(struct attack_bytes in, unsigned width, unsigned at,
				       const char *mark)
{
	size_t skip = strlen(mark);
	struct attack_bytes out = { .len = skip + in.len * width };

	out.p = calloc(1, out.len + 1);
	NEED(out.p);
	memcpy(out.p, mark, skip);
	for (size_t i = 0; i < in.len; i++)
		out.p[skip + i * width + at] = in.p[i];
	free(in.p);
	return out;
}

struct attack_bytes attack_make(struct attack_pki *pki, const struct attack *a)
{
	struct attack_bytes b = { 0 };
	FILE *f = open_memstream(&b.p, &b.len);

	NEED(f);
	attack_expand(pki, a, a->text, f);
	NEED(fclose(f) == 0);
	switch (a->form) {
	case ATTACK_UTF16LE:
		return widen_bytes(b, 2, 0, "");
	case ATTACK_UTF16BE:
		return widen_bytes(b, 2, 1, "");
	case ATTACK_UTF16LE_MARK:
		return widen_bytes(b, 2, 0, "\xff\xfe");
	case ATTACK_UTF32LE:
		return widen_bytes(b, 4, 0, "");
	default:
		return b;
	}
}

/* What a Security header of that configuration and its Body look like. */
static const char *accepted_text(enum fmp_security security)
{
	switch (security) {
	case FMP_SECURITY_BCS:
		return OPEN HEADER("@W") "@B" CLOSE;
	case FMP_SECURITY_BCE:
		return OPEN HEADER(SECURITY("@X")) BODY("@D") CLOSE;
	default:
		return OPEN BODY("@O") CLOSE;
	}
}

static void add_assertion(struct attack *a)
{
	a->saml = true;
	if (a->security == FMP_SECURITY_BCS) {
		a->text = OPEN HEADER(SECURITY("@T@A@H")) "@B" CLOSE;
	} else {
		a->text = OPEN HEADER(SECURITY("@A")) BODY("@O") CLOSE;
		a->assertion = ASSERTION("jane", BEARER, AUDIENCE(ATTACK_AUDIENCE));
	}
}

size_t attack_items(const struct attack *as, size_t size)
{
	/* Everything but the items: Base64 makes four bytes of three. */
	size_t head = as->security == FMP_SECURITY_BCS	 ? 4600
		      : as->security == FMP_SECURITY_BCE ? 1700
							 : 400;
	size_t assertion = as->saml ? 3200 : as->encrypted_parts ? 3400 : as->raw ? 100 : 0;
	size_t item = as->security == FMP_SECURITY_BCE ? strlen(ITEM) * 4 / 3 : strlen(ITEM);
	size_t more = size > head + assertion ? (size - head - assertion) / item : 0;

	return more < MOST_ITEMS ? more + 1 : MOST_ITEMS;
}

/* Make a message an HTTP request. */
static struct attack_bytes wrap_in_request(struct attack_bytes in)
{
	struct attack_bytes out = { 0 };
	FILE *f = open_memstream(&out.p, &out.len);

	NEED(f);
	fprintf(f,
		"POST /orders HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\n"
		"Content-Length: %zu\r\n\r\n",
		in.len);
	fwrite(in.p, 1, in.len, f);
	NEED(fclose(f) == 0);
	free(in.p);
	return out;
}

struct attack_bytes attack_accepted(struct attack_pki *pki, const struct attack *as, size_t size)
{
	struct attack a = { .security = as->security, .text = accepted_text(as->security) };
	struct attack_bytes order = { 0 }, out;
	FILE *f;

	if (as->twin) {
		a.text = as->twin;
		a.piece = as->piece;
		a.n = as->n;
		return attack_make(pki, &a);
	}
	f = open_memstream(&order.p, &order.len);
	NEED(f);
	fputs(ORDER_OPEN ORDER_HEAD
	      "<customer>M. Brandt</customer><date>2026-11-21T02:00:00Z</date>",
	      f);
	for (size_t i = attack_items(as, size); i; i--)
		fputs(ITEM, f);
	fputs("</submitOrder>", f);
	NEED(fclose(f) == 0);
	a.plain = order.p;
	if (as->encrypted_parts)
		a.text = SECRET(KEY(TO_BE("eu") TO_BE("et") TO_BE("ed")), G("eu", USER),
				BLOCK(G("et", TO)), G("ed", "@O"));
	if (as->symmetric) {
		a.text = BY_SECRET(WRAPPED, HMAC_BY("ek", "@M"));
		a.info = HMAC_INFO;
	}
	if (as->headers) {
		a.text = ROUTED(ROUTE);
		a.info = SIGNED_INFO(REF_TIME REF_BODY REF_ROUTE);
	}
	if (as->saml)
		add_assertion(&a);
	out = attack_make(pki, &a);
	free(order.p);
	return as->raw ? wrap_in_request(out) : out;
}
