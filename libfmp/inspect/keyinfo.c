// SPDX-License-Identifier: GPL-2.0
#include "inspect/keyinfo.h"

#include <string.h>

#include "inspect/names.h"

#define refuse(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN, fmpi_line(node), __VA_ARGS__)

static bool names_assertion(const char *id, const struct fmpi_wsse *w)
{
	const char *have = w->assertion ? fmpi_attribute(w->assertion, NULL, "ID") : NULL;

	return id && have && strcmp(id, have) == 0;
}

static int read_reference(const xmlNode *ref, const struct fmpi_wsse *w, struct fmpi_keyinfo *out,
			  struct fmp_inspection *v)
{
	const char *id = fmpi_local_id(fmpi_attribute(ref, NULL, "URI")), *have;

	for (unsigned i = 0; id && i < w->n_tokens; i++) {
		have = fmpi_wsu_id(w->token[i]);
		if (have && strcmp(have, id) == 0) {
			out->name = FMPI_KEY_TOKEN;
			out->token = w->token[i];
			return 0;
		}
	}
	if (names_assertion(id, w)) {
		out->name = FMPI_KEY_ASSERTION;
		return 0;
	}
	return refuse(v, ref, "the token referred to is not in this header");
}

static int read_identifier(const xmlNode *n, const struct fmpi_wsse *w, struct fmpi_keyinfo *out,
			   struct fmp_inspection *v)
{
	static const struct {
		const char *type;
		enum fmpi_key_name name;
	} known[] = {
		{ WSSE_X509V3, FMPI_KEY_EMBEDDED },
		{ WSSE_SKI, FMPI_KEY_SKI },
		{ WSSE_THUMBPRINT, FMPI_KEY_THUMBPRINT },
		{ WSSE_SAML_ID, FMPI_KEY_ASSERTION },
	};
	const char *type = fmpi_attribute(n, NULL, "ValueType");
	const char *encoding = fmpi_attribute(n, NULL, "EncodingType");

	if (encoding && strcmp(encoding, WSSE_BASE64) != 0)
		return refuse(v, n, "the KeyIdentifier is not encoded in Base64");
	out->text = fmpi_text(n);
	if (!out->text)
		return refuse(v, n, "the KeyIdentifier is not plain text");
	for (size_t i = 0; type && i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(type, known[i].type) == 0) {
			out->name = known[i].name;
			if (out->name == FMPI_KEY_ASSERTION && !names_assertion(out->text, w))
				return refuse(v, n, "the Assertion named is not in this header");
			return 0;
		}
	}
	return refuse(v, n, "KeyIdentifier of type %s is not supported", type ? type : "unknown");
}

static int read_issuer_serial(const xmlNode *data, struct fmpi_keyinfo *out,
			      struct fmp_inspection *v)
{
	const xmlNode *pair = fmpi_first(data), *issuer, *serial;

	issuer = fmpi_is(pair, NS_DS, "X509IssuerSerial") ? fmpi_first(pair) : NULL;
	serial = issuer ? fmpi_next(issuer) : NULL;
	if (!fmpi_is(issuer, NS_DS, "X509IssuerName") ||
	    !fmpi_is(serial, NS_DS, "X509SerialNumber") || fmpi_next(serial) || fmpi_next(pair))
		return refuse(v, data, "X509Data is not one X509IssuerSerial");
	out->name = FMPI_KEY_ISSUER_SERIAL;
	out->text = fmpi_text(issuer);
	out->serial = fmpi_text(serial);
	if (!out->text || !out->serial)
		return refuse(v, pair, "the X509IssuerSerial is not plain text");
	return 0;
}

int fmpi_keyinfo_read(const xmlNode *info, const struct fmpi_wsse *w, struct fmpi_keyinfo *out,
		      struct fmp_inspection *v)
{
	const xmlNode *str = fmpi_first(info), *way;

	*out = (struct fmpi_keyinfo){ 0 };
	if (!fmpi_is(str, NS_WSSE, "SecurityTokenReference") || fmpi_next(str))
		return refuse(v, info, "KeyInfo is not one SecurityTokenReference");
	way = fmpi_first(str);
	if (!way || fmpi_next(way))
		return refuse(v, str, "SecurityTokenReference does not name one token");
	out->node = way;
	if (fmpi_is(way, NS_WSSE, "Reference"))
		return read_reference(way, w, out, v);
	if (fmpi_is(way, NS_WSSE, "KeyIdentifier"))
		return read_identifier(way, w, out, v);
	if (fmpi_is(way, NS_DS, "X509Data"))
		return read_issuer_serial(way, out, v);
	return refuse(v, way, "%s in a SecurityTokenReference is not supported",
		      (const char *)way->name);
}
