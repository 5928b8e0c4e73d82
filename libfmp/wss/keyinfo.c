// SPDX-License-Identifier: GPL-2.0
#include "keyinfo.h"

#include <openssl/x509.h>
#include <string.h>

#include "x509/path.h"
#include "xml/names.h"
#include "derived_key.h"
#include "token.h"

/* Certificates of one X509Data: the signer's and those of its CAs. */
#define MAX_CHAIN 4

#define refuse(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN, fmpi_line(node), __VA_ARGS__)
#define unsupported(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSUPPORTED, fmpi_line(node), __VA_ARGS__)

static bool names_assertion(const char *id, const struct fmpi_wsse *w)
{
	const char *have = w->assertion ? fmpi_attribute(w->assertion, NULL, "ID") : NULL;

	return id && have && strcmp(id, have) == 0;
}

static int read_reference(const xmlNode *ref, const struct fmpi_wsse *w, struct fmpi_keyinfo *out,
			  struct fmp_inspection *v)
{
	const char *id = fmp_local_id(fmpi_attribute(ref, NULL, "URI")), *have;

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
	out->token = fmpi_hmac_key_by_id(id, w);
	if (out->token) {
		out->name = FMPI_KEY_ENCRYPTED_KEY;
		return 0;
	}
	have = fmpi_wsu_id(w->username);
	if (id && have && strcmp(have, id) == 0)
		return unsupported(v, ref, "a key that is made of a password is not supported");
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
	if (type && strcmp(type, WSSE_ENCRYPTED_KEY_SHA1) == 0) {
		if (!fmpi_encrypted_key_is_named(out->text, w))
			return unsupported(v, n,
					   "an EncryptedKey of another message is not supported");
		out->name = FMPI_KEY_ENCRYPTED_KEY;
		out->token = w->encrypted_key;
		return 0;
	}
	for (size_t i = 0; type && i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(type, known[i].type) == 0) {
			out->name = known[i].name;
			if (out->name == FMPI_KEY_ASSERTION && !names_assertion(out->text, w))
				return refuse(v, n, "the Assertion named is not in this header");
			return 0;
		}
	}
	return unsupported(v, n, "KeyIdentifier of type %s is not supported",
			   type ? type : "unknown");
}

static int read_issuer_serial(const xmlNode *pair, struct fmpi_keyinfo *out,
			      struct fmp_inspection *v)
{
	const xmlNode *issuer = fmpi_first(pair), *serial = issuer ? fmpi_next(issuer) : NULL;

	if (!fmpi_is(issuer, NS_DS, "X509IssuerName") ||
	    !fmpi_is(serial, NS_DS, "X509SerialNumber") || fmpi_next(serial))
		return refuse(v, pair,
			      "the X509IssuerSerial is not one X509IssuerName and one "
			      "X509SerialNumber");
	out->name = FMPI_KEY_ISSUER_SERIAL;
	out->text = fmpi_text(issuer);
	out->serial = fmpi_text(serial);
	if (!out->text || !out->serial)
		return refuse(v, pair, "the X509IssuerSerial is not plain text");
	return 0;
}

/* Return: the index of the one certificate that has issued none of the others; n: none, or several. */
static unsigned find_leaf(const struct fmpi_names names[], unsigned n)
{
	unsigned leaf = n;

	for (unsigned i = 0; i < n; i++) {
		bool issues = false;

		for (unsigned k = 0; k < n; k++)
			issues |= i != k && X509_NAME_cmp(names[i].subject, names[k].issuer) == 0;
		if (!issues && leaf != n)
			return n;
		if (!issues)
			leaf = i;
	}
	return leaf;
}

/* Find the signer's certificate in a chain in any order (XML-DSig 4.4.4); trust.c verifies the chain. */
static int pick_signer(const xmlNode *const node[], unsigned n, const xmlNode **out,
		       struct fmp_inspection *v)
{
	struct fmpi_names names[MAX_CHAIN] = { 0 };
	uint8_t der[FMPI_TOKEN_DER];
	unsigned leaf = n;
	int ret = 0;

	for (unsigned i = 0; i < n && !ret; i++) {
		const uint8_t *p = der;
		size_t len;

		ret = fmpi_token_decode(node[i], fmpi_text(node[i]), der, &len, v);
		if (!ret && (!fmpi_names_read(&p, der + len, &names[i]) || p != der + len))
			ret = refuse(v, node[i], "the token is not a certificate");
	}
	if (!ret)
		leaf = find_leaf(names, n);
	if (!ret && leaf == n)
		ret = unsupported(v, node[0],
				  "X509Data holds certificates that are not one chain: it is not "
				  "clear which is the signer's");
	for (unsigned i = 0; i < n; i++)
		fmpi_names_clear(&names[i]);
	*out = ret ? NULL : node[leaf];
	return ret;
}

/*
 * All content of X509Data is about one certificate and its chain (XML-DSig 4.4.4). If the
 * certificate itself is there, it is used and the names are ignored: it needs no certificate store,
 * and must be trusted and verify the signature anyway.
 */
static int read_x509_data(const xmlNode *data, struct fmpi_keyinfo *out, struct fmp_inspection *v)
{
	const xmlNode *cert[MAX_CHAIN], *serial = NULL, *second = NULL, *ski = NULL, *n;
	unsigned n_certs = 0;
	int ret = 0;

	for (n = fmpi_first(data); n; n = fmpi_next(n)) {
		if (fmpi_is(n, NS_DS, "X509IssuerSerial")) {
			second = serial;
			serial = serial ? serial : n;
		} else if (fmpi_is(n, NS_DS, "X509SKI"))
			ski = ski ? ski : n;
		if (!fmpi_is(n, NS_DS, "X509Certificate"))
			continue;
		if (n_certs == MAX_CHAIN)
			return unsupported(v, n, "X509Data of more than %u certificates",
					   MAX_CHAIN);
		cert[n_certs++] = n;
	}
	if (!n_certs && second)
		return refuse(v, data, "X509Data is not one X509IssuerSerial");
	if (!n_certs && serial)
		return read_issuer_serial(serial, out, v);
	if (!n_certs && !ski)
		return unsupported(v, data,
				   "X509Data has no X509Certificate, X509IssuerSerial or X509SKI");
	n = n_certs ? cert[0] : ski;
	if (n_certs > 1)
		ret = pick_signer(cert, n_certs, &n, v);
	if (ret)
		return ret;
	out->name = n_certs ? FMPI_KEY_EMBEDDED : FMPI_KEY_SKI;
	out->node = n;
	out->chain = n_certs > 1 ? data : NULL;
	out->text = fmpi_text(n);
	return out->text ? 0 : refuse(v, n, "the %s is not plain text", (const char *)n->name);
}

/* KeyInfo may name the key in several ways (XML-DSig 4.4); a SecurityTokenReference is preferred. */
static int find_way(const xmlNode *info, const xmlNode **way, struct fmp_inspection *v)
{
	const xmlNode *str = NULL, *data = NULL, *first = fmpi_first(info);

	for (const xmlNode *n = first; n; n = fmpi_next(n)) {
		const xmlNode **kind = fmpi_is(n, NS_WSSE, "SecurityTokenReference") ? &str
				       : fmpi_is(n, NS_DS, "X509Data")		     ? &data
										     : NULL;

		if (kind && *kind)
			return unsupported(v, n, "more than one %s in KeyInfo",
					   (const char *)n->name);
		if (kind)
			*kind = n;
	}
	*way = str ? fmpi_first(str) : data;
	if (str && (!*way || fmpi_next(*way)))
		return refuse(v, str, "SecurityTokenReference does not name one token");
	if (!*way)
		return unsupported(v, info,
				   "KeyInfo names no certificate: %s instead of a "
				   "SecurityTokenReference or X509Data",
				   first ? (const char *)first->name : "nothing");
	return 0;
}

int fmpi_keyinfo_read(const xmlNode *info, const struct fmpi_wsse *w, struct fmpi_keyinfo *out,
		      struct fmp_inspection *v)
{
	const xmlNode *way = NULL;
	int ret;

	*out = (struct fmpi_keyinfo){ 0 };
	ret = find_way(info, &way, v);
	if (ret)
		return ret;
	out->node = way;
	if (fmpi_is(way, NS_WSSE, "Reference"))
		return read_reference(way, w, out, v);
	if (fmpi_is(way, NS_WSSE, "KeyIdentifier"))
		return read_identifier(way, w, out, v);
	if (fmpi_is(way, NS_DS, "X509Data"))
		return read_x509_data(way, out, v);
	return unsupported(v, way, "%s in a SecurityTokenReference is not supported",
			   (const char *)way->name);
}
