// SPDX-License-Identifier: GPL-2.0
#include "attachment.h"

#include <libxml/c14n.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "attachment_header.h"
#include "soap/xop.h"
#include "xml/c14n.h"
#include "xml/encoding.h"
#include "xml/screen.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

static bool ends_with(const char *p, size_t n, const char *tail)
{
	size_t len = strlen(tail);

	return n >= len && strncasecmp(p + n - len, tail, len) == 0;
}

/* 5.4.3: text has CR LF as its line ends. */
static bool digest_text(EVP_MD_CTX *ctx, const char *p, size_t n)
{
	const char *end = p + n;
	bool good = true;

	while (p < end && good) {
		const char *at = p;

		while (at < end && *at != '\r' && *at != '\n')
			at++;
		good = EVP_DigestUpdate(ctx, p, (size_t)(at - p));
		if (at == end)
			break;
		good = good && EVP_DigestUpdate(ctx, "\r\n", 2);
		p = at + (*at == '\r' && at + 1 < end && at[1] == '\n' ? 2 : 1);
	}
	return good;
}

/* ---- XML ---- */

bool fmpi_attachment_replace(struct fmp_attachment *part, const char *header, size_t header_len,
			     bool of_other, const void *bytes, size_t len)
{
	static const char name[] = "Content-Length:";
	const char *p = header, *end = header + header_len, *next;
	char *own = malloc(header_len + len + 1), *to = own;

	if (!own)
		return false;
	for (; p < end; p = next) {
		const char *colon = memchr(p, ':', (size_t)(end - p));

		next = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
		if (of_other ? !fmpi_attachment_header_is_of_bytes(p, (size_t)(colon - p))
			     : strncasecmp(p, name, strlen(name)) != 0)
			to = mempcpy(to, p, (size_t)(next - p));
	}
	memcpy(to, bytes, len);
	part->header_len = (size_t)(to - own);
	part->header = own;
	part->bytes = to;
	part->len = len;
	free(part->own);
	part->own = own;
	return true;
}

/* The reading of the signature is that of UTF-8: a receiver must not be told of another charset. */
static bool names_other_charset(const char *type, size_t n)
{
	for (const char *p = type; (p = memmem(p, n - (size_t)(p - type), "=", 1)); p++) {
		const char *name = p, *value = p + 1, *end = type + n;
		size_t len = 0;

		while (name > type && (name[-1] == ' ' || name[-1] == '\t'))
			name--;
		if (name - type < 7 || strncasecmp(name - 7, "charset", 7) != 0)
			continue;
		while (value < end && strchr(" \t\"'", *value))
			value++;
		while (value + len < end && !strchr(" \t\"';", value[len]))
			len++;
		if ((len != 5 || strncasecmp(value, "utf-8", 5) != 0) &&
		    (len != 8 || strncasecmp(value, "us-ascii", 8) != 0))
			return true;
	}
	return false;
}

/*
 * The canonical form of a document. Its size is bounded first: a namespace may be declared at each
 * element of it.
 */
static int canonicalize_xml(const struct fmp_attachment *part,
			    const struct fmp_policy_limits *limits, xmlChar **out, int *n,
			    struct fmp_inspection *v)
{
	static const struct fmpi_prefixes none;
	size_t budget = fmpi_c14n_budget(part->len);
	struct fmpi_shape shape;
	xmlDocPtr doc = NULL;
	int ret = fmpi_screen(limits, FMPI_SCREEN_UTF8, part->bytes, part->len, &shape, v);

	if (!ret)
		ret = fmpi_document_parse(part->bytes, part->len, &doc, v);
	if (ret)
		return ret;
	if (!fmpi_c14n_exclusive(xmlDocGetRootElement(doc), &none, &budget, NULL))
		*n = xmlC14NDocDumpMemory(doc, NULL, XML_C14N_EXCLUSIVE_1_0, NULL, 0, out);
	xmlFreeDoc(doc);
	return 0;
}

/* What is not signed of it, its comments, is not forwarded. */
static int digest_xml(EVP_MD_CTX *ctx, struct fmp_attachment *part, const char *media, size_t n,
		      const xmlNode *reference, const struct fmp_policy_limits *limits,
		      struct fmp_inspection *v)
{
	xmlChar *text = NULL;
	int len = -1, ret;

	if (names_other_charset(media, n))
		return refuse(v, FMP_EVENT_UNSUPPORTED, reference,
			      "a signed attachment of XML in another charset than UTF-8");
	ret = canonicalize_xml(part, limits, &text, &len, v);
	if (ret)
		return ret;
	if (len < 0 || !text)
		return refuse(v, FMP_EVENT_STRUCTURE, reference,
			      "an attachment of XML can't be canonicalized");
	ret = EVP_DigestUpdate(ctx, text, (size_t)len) ? 0 : FMP_ERR_NOMEM;
	if (!ret && memmem(part->bytes, part->len, "<!--", 4) &&
	    !fmpi_attachment_replace(part, part->header, part->header_len, true, text, (size_t)len))
		ret = FMP_ERR_NOMEM;
	xmlFree(text);
	return ret;
}

/* ---- content ---- */

/* @n: out: its length without parameters; @n_type: with them */
static const char *find_media(const struct fmp_attachment *part, size_t *n, size_t *n_type)
{
	const char *type =
		fmpi_attachment_header_find(part->header, part->header_len, "Content-Type", n_type);

	for (*n = 0; *n < *n_type && type[*n] > ' ' && type[*n] != ';'; ++*n)
		;
	return type;
}

static bool starts_with(const char *p, size_t n, const char *head)
{
	return n >= strlen(head) && strncasecmp(p, head, strlen(head)) == 0;
}

/* What Apache WSS4J canonicalizes as XML, and with it AS4 products. */
static bool is_xml(const char *media, size_t n)
{
	return media &&
	       (starts_with(media, n, "text/xml") || starts_with(media, n, "application/xml") ||
		(ends_with(media, n, "+xml") &&
		 (starts_with(media, n, "application/") || starts_with(media, n, "image/"))));
}

/* By RFC 7303 it is XML, too, but WSS4J signs it as other content: senders differ. */
static bool may_be_xml(const char *media, size_t n)
{
	return media && !is_xml(media, n) &&
	       (ends_with(media, n, "/xml") || ends_with(media, n, "+xml"));
}

/* Of anything but XML. */
static bool digest_bytes(EVP_MD_CTX *ctx, const struct fmp_attachment *part, const char *media,
			 size_t n)
{
	if (n > strlen("text/") && strncasecmp(media, "text/", strlen("text/")) == 0)
		return digest_text(ctx, part->bytes, part->len);
	return EVP_DigestUpdate(ctx, part->bytes, part->len);
}

bool fmpi_attachment_is_signable(const struct fmp_attachment *part)
{
	size_t n, n_type;
	const char *media = find_media(part, &n, &n_type);

	return part->id[0] && !part->encoded && !is_xml(media, n) && !may_be_xml(media, n);
}

int fmpi_attachment_digest(const struct fmp_attachment *part, const char *method, uint8_t *digest,
			   unsigned *len)
{
	size_t n, n_type;
	const char *media = find_media(part, &n, &n_type);
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	bool good = ctx && EVP_DigestInit_ex(ctx, EVP_get_digestbyname(method), NULL) &&
		    digest_bytes(ctx, part, media, n) && EVP_DigestFinal_ex(ctx, digest, len);

	EVP_MD_CTX_free(ctx);
	return good ? 0 : FMP_ERR_NOMEM;
}

/* ---- a Reference ---- */

/* 5.4.2, 5.4.3; by the Content-Type. */
static int digest_content(EVP_MD_CTX *ctx, const struct fmpi_signed_attachment *said,
			  struct fmp_attachment *part, bool as_xml,
			  const struct fmp_policy_limits *limits, struct fmp_inspection *v)
{
	size_t n, n_type;
	const char *media = find_media(part, &n, &n_type);

	if (as_xml)
		return digest_xml(ctx, part, media, n_type, said->reference, limits, v);
	return digest_bytes(ctx, part, media, n) ? 0 : FMP_ERR_NOMEM;
}

static int digest_header(EVP_MD_CTX *ctx, const struct fmpi_signed_attachment *said,
			 const struct fmp_attachment *part, struct fmp_inspection *v)
{
	struct fmpi_buffer text = { 0 };
	int ret = fmpi_attachment_header_canonical(part->header, part->header_len, &text);

	if (ret == FMP_ERR_SYNTAX)
		ret = refuse(v, FMP_EVENT_UNSUPPORTED, said->reference,
			     "the signed header of an attachment has more than one reading");
	else if (!ret && !EVP_DigestUpdate(ctx, text.p, text.len))
		ret = FMP_ERR_NOMEM;
	free(text.p);
	return ret;
}

/* Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM; *equal: the digest is that of the Reference. */
static int compare_digest(const struct fmpi_signed_attachment *said, struct fmp_attachment *part,
			  bool as_xml, const struct fmp_policy_limits *limits, bool *equal,
			  struct fmp_inspection *v)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	uint8_t digest[EVP_MAX_MD_SIZE];
	unsigned len = 0;
	int ret = ctx && EVP_DigestInit_ex(ctx, EVP_get_digestbyname(said->method), NULL)
			  ? 0
			  : FMP_ERR_NOMEM;

	if (!ret && said->complete)
		ret = digest_header(ctx, said, part, v);
	if (!ret)
		ret = digest_content(ctx, said, part, as_xml, limits, v);
	if (!ret && !EVP_DigestFinal_ex(ctx, digest, &len))
		ret = FMP_ERR_NOMEM;
	EVP_MD_CTX_free(ctx);
	*equal = !ret && len == said->digest.len && memcmp(digest, said->digest.p, len) == 0;
	return ret;
}

static int check_digest(const struct fmpi_signed_attachment *said, struct fmp_attachment *part,
			const struct fmp_policy_limits *limits, struct fmp_inspection *v)
{
	size_t n, n_type;
	const char *media = find_media(part, &n, &n_type);
	bool equal, may_be = may_be_xml(media, n);
	int ret = compare_digest(said, part, is_xml(media, n), limits, &equal, v);

	if (!ret && !equal && may_be)
		ret = compare_digest(said, part, true, limits, &equal, v);
	if (!ret && !equal)
		ret = refuse(v, FMP_EVENT_SIGNATURE, said->reference,
			     "the digest of an attachment does not match");
	return ret;
}

static int verify_one(const struct fmpi_signed_attachment *said, struct fmp_attachments *a,
		      const struct fmp_policy_limits *limits, struct fmp_inspection *v)
{
	const char *uri = fmpi_attribute(said->reference, NULL, "URI");
	struct fmp_attachment *part = a ? fmpi_xop_find_part(a, uri) : NULL;

	if (!part)
		return refuse(v, FMP_EVENT_WRAPPING, said->reference,
			      "a Reference names no attachment of the message");
	if (part->is_signed)
		return refuse(v, FMP_EVENT_WRAPPING, said->reference,
			      "two References to one attachment");
	if (part->encoded)
		return refuse(
			v, FMP_EVENT_UNSUPPORTED, said->reference,
			"the signature of an attachment with a Content-Transfer-Encoding is not "
			"supported");
	part->is_signed = true;
	return check_digest(said, part, limits, v);
}

int fmpi_attachments_verify(const struct fmpi_signedinfo *s, struct fmp_attachments *a,
			    const struct fmp_policy_limits *limits, struct fmp_inspection *v)
{
	int ret = 0;

	for (unsigned i = 0; i < s->n_attachments && !ret; i++)
		ret = verify_one(&s->attachment[i], a, limits, v);
	for (size_t i = 0; !ret && a && i < a->n; i++)
		if (!a->part[i].included && !a->part[i].is_signed)
			ret = refuse(v, FMP_EVENT_UNSIGNED, NULL, "attachment %zu is not signed",
				     i + 1);
	return ret;
}
