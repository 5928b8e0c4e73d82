// SPDX-License-Identifier: GPL-2.0
#include "attachment.h"

#include <openssl/evp.h>
#include <string.h>
#include <strings.h>

#include "soap/xop.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

static const char *next_line(const char *p, const char *end)
{
	const char *at = memchr(p, '\n', (size_t)(end - p));

	return at ? at + 1 : NULL;
}

/* Without parameters; n 0: none. */
static const char *find_media(const struct fmp_attachment *part, size_t *n)
{
	static const char name[] = "Content-Type:";
	const char *p = part->header, *end = p + part->header_len;

	*n = 0;
	for (; p && p < end; p = next_line(p, end)) {
		if ((size_t)(end - p) < strlen(name) || strncasecmp(p, name, strlen(name)) != 0)
			continue;
		p += strlen(name);
		while (p < end && (*p == ' ' || *p == '\t'))
			p++;
		while (p + *n < end && p[*n] > ' ' && p[*n] != ';')
			(*n)++;
		return p;
	}
	return NULL;
}

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

static bool is_text(const struct fmp_attachment *part)
{
	size_t n;
	const char *media = find_media(part, &n);

	return media && n > 5 && strncasecmp(media, "text/", 5) == 0;
}

static bool is_xml(const struct fmp_attachment *part)
{
	size_t n;
	const char *media = find_media(part, &n);

	return media && (ends_with(media, n, "/xml") || ends_with(media, n, "+xml"));
}

bool fmpi_attachment_is_signable(const struct fmp_attachment *part)
{
	return part->id[0] && !part->encoded && !is_xml(part);
}

int fmpi_attachment_digest(const struct fmp_attachment *part, const char *method, uint8_t *digest,
			   unsigned *len)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	bool good = ctx && EVP_DigestInit_ex(ctx, EVP_get_digestbyname(method), NULL) &&
		    (is_text(part) ? digest_text(ctx, part->bytes, part->len)
				   : EVP_DigestUpdate(ctx, part->bytes, part->len)) &&
		    EVP_DigestFinal_ex(ctx, digest, len);

	EVP_MD_CTX_free(ctx);
	return good ? 0 : FMP_ERR_NOMEM;
}

static int check_digest(const struct fmpi_signed_attachment *said,
			const struct fmp_attachment *part, struct fmp_inspection *v)
{
	uint8_t digest[EVP_MAX_MD_SIZE];
	unsigned len = 0;

	if (fmpi_attachment_digest(part, said->method, digest, &len))
		return FMP_ERR_NOMEM;
	if (len != said->digest.len || memcmp(digest, said->digest.p, len) != 0)
		return refuse(v, FMP_EVENT_SIGNATURE, said->reference,
			      "the digest of an attachment does not match");
	return 0;
}

static int verify_one(const struct fmpi_signed_attachment *said, struct fmp_attachments *a,
		      struct fmp_inspection *v)
{
	const char *uri = fmpi_attribute(said->reference, NULL, "URI");
	struct fmp_attachment *part = a ? fmpi_xop_find_part(a, uri) : NULL;

	if (!part)
		return refuse(v, FMP_EVENT_WRAPPING, said->reference,
			      "a Reference names no attachment of the message");
	if (part->is_signed)
		return refuse(v, FMP_EVENT_WRAPPING, said->reference,
			      "two References to one attachment");
	if (part->encoded || is_xml(part))
		return refuse(v, FMP_EVENT_UNSUPPORTED, said->reference,
			      "the signature of an attachment %s is not supported",
			      is_xml(part) ? "of XML" : "with a Content-Transfer-Encoding");
	part->is_signed = true;
	return check_digest(said, part, v);
}

int fmpi_attachments_verify(const struct fmpi_signedinfo *s, struct fmp_attachments *a,
			    struct fmp_inspection *v)
{
	int ret = 0;

	for (unsigned i = 0; i < s->n_attachments && !ret; i++)
		ret = verify_one(&s->attachment[i], a, v);
	for (size_t i = 0; !ret && a && i < a->n; i++)
		if (!a->part[i].included && !a->part[i].is_signed)
			ret = refuse(v, FMP_EVENT_UNSIGNED, NULL, "attachment %zu is not signed",
				     i + 1);
	return ret;
}
