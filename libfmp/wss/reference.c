// SPDX-License-Identifier: GPL-2.0
#include "reference.h"

#include <string.h>

#include "xml/names.h"

/* Base64 of the longest digest, line ends included. */
#define MAX_DIGEST_TEXT 256

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

int fmpi_reference_refuse(const xmlNode *where, struct fmp_inspection *v)
{
	return refuse(v, FMP_EVENT_SIGNATURE, where, "malformed %s", (const char *)where->name);
}

const char *fmpi_reference_algorithm(const xmlNode *n, const char *local)
{
	return fmpi_is(n, NS_DS, local) ? fmpi_attribute(n, NULL, "Algorithm") : NULL;
}

/* Count as c14n.c and xmlsec1 do: consecutive spaces make empty entries, and each costs a lookup. */
static unsigned count_words(const char *s)
{
	unsigned n = *s != '\0';

	for (; *s; s++)
		n += s[0] == ' ' && s[1];
	return n;
}

int fmpi_reference_refuse_algorithm(const xmlNode *n, const char *local, const char *alg,
				    const char *only, struct fmp_inspection *v)
{
	if (!fmpi_algorithm_is_sound(alg))
		return refuse(v, FMP_EVENT_ALGORITHM, n, "%s %s is not allowed", local, alg);
	return refuse(v, FMP_EVENT_UNSUPPORTED, n, "%s %s is not supported%s", local, alg, only);
}

int fmpi_reference_check_c14n(const xmlNode *n, const char *local, struct fmp_inspection *v)
{
	const char *alg = fmpi_reference_algorithm(n, local), *prefixes;
	const xmlNode *child;

	if (!alg)
		return fmpi_reference_refuse(n, v);
	if (strcmp(alg, ALG_EXC_C14N) != 0)
		return fmpi_reference_refuse_algorithm(n, local, alg,
						       ", only exclusive canonicalization", v);
	child = fmpi_first(n);
	if (!child)
		return 0;
	prefixes = fmpi_attribute(child, NULL, "PrefixList");
	if (!fmpi_is(child, NS_EXC, "InclusiveNamespaces") || fmpi_next(child) ||
	    fmpi_first(child) || !prefixes)
		return fmpi_reference_refuse(n, v);
	/* Tabs and line ends are left only where they were escaped; implementations disagree on those. */
	if (prefixes[strcspn(prefixes, "\t\r\n")])
		return fmpi_reference_refuse(child, v);
	if (count_words(prefixes) > FMPI_MAX_PREFIXES)
		return refuse(v, FMP_EVENT_STRUCTURE, child, "PrefixList of more than %u prefixes",
			      FMPI_MAX_PREFIXES);
	return 0;
}

static int check_digest(const xmlNode *n, unsigned allowed, size_t *size, struct fmp_inspection *v)
{
	const char *alg = fmpi_reference_algorithm(n, "DigestMethod");
	const struct fmpi_digest_method *m;

	if (!alg || fmpi_first(n))
		return fmpi_reference_refuse(n, v);
	m = fmpi_digest_method_find(alg);
	if (!m)
		return fmpi_reference_refuse_algorithm(n, "DigestMethod", alg, "", v);
	if (!(allowed & FMP_ALGORITHM_BIT(m - fmpi_digest_methods)))
		return refuse(v, FMP_EVENT_ALGORITHM, n,
			      "DigestMethod %s is left out by the policy", alg);
	*size = m->size;
	return 0;
}

int fmpi_reference_value(const xmlNode *n, size_t max_text, uint8_t *out, size_t *len,
			 struct fmp_inspection *v)
{
	const char *text = fmpi_text(n);
	size_t text_len = text ? strlen(text) : 0;

	if (!text || text_len > max_text || fmpi_base64_decode(text, text_len, out, len) != 0)
		return fmpi_reference_refuse(n, v);
	return 0;
}

static int read_digest_value(const xmlNode *n, size_t size, struct fmpi_digest *out,
			     struct fmp_inspection *v)
{
	uint8_t value[FMPI_BASE64_MAX(MAX_DIGEST_TEXT)];
	int ret = fmpi_reference_value(n, MAX_DIGEST_TEXT, value, &out->len, v);

	if (ret)
		return ret;
	if (out->len != size)
		return fmpi_reference_refuse(n, v);
	memcpy(out->p, value, size);
	return 0;
}

int fmpi_reference_read(const xmlNode *ref,
			int (*check)(const xmlNode *transforms, struct fmp_inspection *v),
			struct fmpi_signedinfo *out, struct fmp_inspection *v)
{
	const xmlNode *n = fmpi_first(ref);
	size_t size = 0;
	int ret;

	if (fmpi_is(n, NS_DS, "DigestMethod"))
		return refuse(v, FMP_EVENT_UNSUPPORTED, ref,
			      "a Reference without a Transform (inclusive canonicalization) is not "
			      "supported, only exclusive canonicalization");
	if (!fmpi_is(n, NS_DS, "Transforms"))
		return fmpi_reference_refuse(ref, v);
	ret = check(n, v);
	if (ret)
		return ret;
	n = fmpi_next(n);
	if (!n)
		return fmpi_reference_refuse(ref, v);
	ret = check_digest(n, out->allowed->digest, &size, v);
	if (ret)
		return ret;
	n = fmpi_next(n);
	if (!fmpi_is(n, NS_DS, "DigestValue") || fmpi_next(n))
		return fmpi_reference_refuse(ref, v);
	return read_digest_value(n, size, &out->digest[out->n_references], v);
}
