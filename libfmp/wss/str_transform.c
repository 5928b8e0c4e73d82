// SPDX-License-Identifier: GPL-2.0
#include "str_transform.h"

#include <fmp/error.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "xml/names.h"

bool fmpi_str_is_transform(const xmlNode *t)
{
	const char *alg = fmpi_is(t, NS_DS, "Transform") ? fmpi_attribute(t, NULL, "Algorithm")
							 : NULL;

	return alg && strcmp(alg, ALG_STR_TRANSFORM) == 0;
}

const xmlNode *fmpi_str_method(const xmlNode *t)
{
	const xmlNode *parameters = fmpi_first(t), *method;

	if (!fmpi_is(parameters, NS_WSSE, "TransformationParameters") || fmpi_next(parameters))
		return NULL;
	method = fmpi_first(parameters);
	return fmpi_is(method, NS_DS, "CanonicalizationMethod") && !fmpi_next(method) ? method
										      : NULL;
}

static bool has_id(const xmlNode *n, const char *id)
{
	const char *have = fmpi_is(n, NS_WSSE, "SecurityTokenReference") ? fmpi_wsu_id(n) : NULL;

	return have && strcmp(have, id) == 0;
}

/* Only where a receiver looks for them: one elsewhere may have been moved. */
static xmlNode *find_str(const char *id, const struct fmpi_wsse *w)
{
	const xmlNode *info = fmpi_next(fmpi_next(fmpi_first(w->signature)));

	for (xmlNode *n = info ? fmpi_first(info) : NULL; n; n = fmpi_next(n))
		if (has_id(n, id))
			return n;
	for (xmlNode *n = fmpi_first(w->security); n; n = fmpi_next(n))
		if (has_id(n, id))
			return n;
	return NULL;
}

static xmlNode *find_assertion(const char *id, const struct fmpi_wsse *w)
{
	const char *have = w->assertion ? fmpi_attribute(w->assertion, NULL, "ID") : NULL;

	return id && have && strcmp(have, id) == 0 ? w->assertion : NULL;
}

static xmlNode *find_token(const char *id, const struct fmpi_wsse *w)
{
	const char *have;

	for (unsigned i = 0; id && i < w->n_tokens; i++) {
		have = fmpi_wsu_id(w->token[i]);
		if (have && strcmp(have, id) == 0)
			return w->token[i];
	}
	have = id ? fmpi_wsu_id(w->username) : NULL;
	return have && strcmp(have, id) == 0 ? w->username : find_assertion(id, w);
}

static bool names_saml(const xmlNode *identifier)
{
	const char *type = fmpi_attribute(identifier, NULL, "ValueType");

	return type && strcmp(type, WSSE_SAML_ID) == 0;
}

xmlNode *fmpi_str_resolve(const char *id, const struct fmpi_wsse *w, xmlNode **str)
{
	xmlNode *s = find_str(id, w), *way = s ? fmpi_first(s) : NULL;

	*str = s;
	if (!way || fmpi_next(way))
		return NULL;
	if (fmpi_is(way, NS_WSSE, "Reference"))
		return find_token(fmp_local_id(fmpi_attribute(way, NULL, "URI")), w);
	if (fmpi_is(way, NS_WSSE, "KeyIdentifier") && names_saml(way))
		return find_assertion(fmpi_text(way), w);
	/* Only by the Signature's own KeyInfo is it known which certificate is meant. */
	if (s->parent->parent == w->signature &&
	    (fmpi_is(way, NS_WSSE, "KeyIdentifier") || fmpi_is(way, NS_DS, "X509Data")))
		return s;
	return NULL;
}

enum fmp_event_kind fmpi_str_kind(const xmlNode *str, const struct fmpi_wsse *w)
{
	const xmlNode *way = fmpi_first(str);
	const char *id = fmp_local_id(fmpi_attribute(way ? way : str, NULL, "URI"));

	if (!way || !fmpi_is(way, NS_WSSE, "Reference"))
		return FMP_EVENT_UNSUPPORTED;
	/*
	 * A key of this header is a token that is not known here; anything else is none, and a
	 * SecurityTokenReference that leads to another (BSP 1.1, R3057) may lead back.
	 */
	for (const xmlNode *n = fmpi_first(w->security); id && n; n = fmpi_next(n)) {
		const char *have = fmpi_is_in_namespace(n, NS_XENC) ? fmpi_attribute(n, NULL, "Id")
								    : fmpi_wsu_id(n);

		if (have && strcmp(have, id) == 0)
			return n == w->timestamp || n == w->signature ||
					       fmpi_is(n, NS_WSSE, "SecurityTokenReference")
				       ? FMP_EVENT_WRAPPING
				       : FMP_EVENT_UNSUPPORTED;
	}
	return FMP_EVENT_WRAPPING;
}

/* ---- the canonical form ---- */

static bool put_bytes(struct fmpi_buffer *o, const char *text)
{
	return fmpi_buffer_add(o, text, strlen(text));
}

/*
 * 8.3: a token that is not in the message is a BinarySecurityToken with the prefix of the
 * SecurityTokenReference, a ValueType and no EncodingType, its Base64 without white space.
 */
static int put_certificate(const xmlNode *str, const struct fmpi_der_certificate *c, bool plain,
			   struct fmpi_buffer *o)
{
	const char *prefix = str->ns && str->ns->prefix ? (const char *)str->ns->prefix : "";
	const char *colon = *prefix ? ":" : "";
	unsigned char *text;
	bool good;

	if (!c->der)
		return FMP_ERR_UNSUPPORTED;
	text = malloc(c->len / 3 * 4 + 5);
	if (!text)
		return FMP_ERR_NOMEM;
	EVP_EncodeBlock(text, c->der, (int)c->len);
	good = put_bytes(o, "<") && put_bytes(o, prefix) && put_bytes(o, colon) &&
	       put_bytes(o, "BinarySecurityToken") &&
	       (!*prefix || plain || put_bytes(o, " xmlns=\"\"")) && put_bytes(o, " xmlns") &&
	       put_bytes(o, colon) && put_bytes(o, prefix) &&
	       put_bytes(o, "=\"" NS_WSSE "\" ValueType=\"" WSSE_X509V3 "\">") &&
	       put_bytes(o, (const char *)text) && put_bytes(o, "</") && put_bytes(o, prefix) &&
	       put_bytes(o, colon) && put_bytes(o, "BinarySecurityToken>");
	free(text);
	return good ? 0 : FMP_ERR_NOMEM;
}

/* The default namespace is declared at the apex, whether or not it is used, and also if there is none. */
static int add_default(struct fmpi_buffer *o, size_t start)
{
	static const char none[] = " xmlns=\"\"";
	size_t at = start, n = sizeof(none) - 1;

	while (at < o->len && o->p[at] != ' ' && o->p[at] != '>')
		at++;
	if (o->len - at >= 8 && memcmp(o->p + at, " xmlns=\"", 8) == 0)
		return 0;
	if (!fmpi_buffer_reserve(o, n))
		return FMP_ERR_NOMEM;
	memmove(o->p + at + n, o->p + at, o->len - at);
	memcpy(o->p + at, none, n);
	o->len += n;
	return 0;
}

int fmpi_str_canonicalize(const xmlNode *str, const xmlNode *target,
			  const struct fmpi_der_certificate *signer,
			  const struct fmpi_prefixes *prefixes, bool plain, size_t *budget,
			  struct fmpi_buffer *out)
{
	struct fmpi_prefixes with = *prefixes;
	size_t start = out ? out->len : 0;
	int ret;

	if (str == target)
		return out ? put_certificate(str, signer, plain, out) : 0;
	if (plain)
		return fmpi_c14n_exclusive(target, prefixes, budget, out);
	if (with.n == FMPI_C14N_PREFIXES)
		return FMP_ERR_UNSUPPORTED;
	with.prefix[with.n].p = "";
	with.prefix[with.n++].len = 0;
	ret = fmpi_c14n_exclusive(target, &with, budget, out);
	return ret || !out ? ret : add_default(out, start);
}
