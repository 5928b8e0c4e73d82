// SPDX-License-Identifier: GPL-2.0
/* Which content types are inspected, and which event kind the others get. */
#include <fmp/internal/evaluate.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "xml/encoding.h"

/* RFC 9110 8.3.1: compare types ignoring case; parameters follow a semicolon. */
static void copy_media_type(const char *content_type, char *out)
{
	size_t n = strcspn(content_type, "; \t");

	if (n >= FMP_MEDIA_MAX)
		n = 0;
	for (size_t i = 0; i < n; i++)
		out[i] = (char)(content_type[i] >= 'A' && content_type[i] <= 'Z'
					? content_type[i] | 0x20
					: content_type[i]);
	out[n] = '\0';
}

static bool is_one_of(const char *type, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(type, list[i]) == 0)
			return true;
	return false;
}

/* Scan the parameters. A ';' in quotes only yields more candidates. */
static bool has_plain_charset(const char *content_type)
{
	static const char name[] = "charset=";

	for (const char *p = strchr(content_type, ';'); p; p = strchr(p, ';')) {
		p++;
		p += strspn(p, " \t");
		if (strncasecmp(p, name, strlen(name)) != 0)
			continue;
		p += strlen(name);
		p += *p == '"';
		return fmpi_encoding_is_plain(p, strcspn(p, "\"; \t"));
	}
	return false;
}

/* In any place where a receiver may find it: also in quotes, or with white space around the '='. */
static bool has_hiding_charset(const char *content_type)
{
	for (const char *p = content_type; (p = strcasestr(p, "charset"));) {
		p += strlen("charset");
		p += strspn(p, " \t");
		if (*p != '=')
			continue;
		p++;
		p += strspn(p, " \t\"'\\");
		if (fmpi_encoding_hides_ascii(p, strcspn(p, "\"'\\; \t")))
			return true;
	}
	return false;
}

bool fmp_media_has_attachments(const struct fmp_media *media)
{
	/* SwA and MTOM (RFC 2387); XOP's own type is that of a part, but is also sent alone. */
	static const char *const types[] = { "multipart/related", "application/xop+xml" };

	return is_one_of(media->type, types, sizeof(types) / sizeof(*types));
}

void fmp_media_read(const char *content_type, struct fmp_media *out)
{
	static const char *const soap[] = { "text/xml", "application/soap+xml" };
	/* Types that a page may send to any host without CORS preflight. */
	static const char *const forms[] = { "text/plain", "application/x-www-form-urlencoded",
					     "multipart/form-data" };
	bool none = !content_type || !*content_type;

	*out = (struct fmp_media){ .kind = FMP_EVENT_GOOD };
	if (!none) {
		copy_media_type(content_type, out->type);
		out->plain_charset = has_plain_charset(content_type);
	}
	if (is_one_of(out->type, soap, sizeof(soap) / sizeof(*soap))) {
		if (!has_hiding_charset(content_type))
			return;
		out->kind = FMP_EVENT_UNSUPPORTED;
		snprintf(out->why, sizeof(out->why),
			 "Content-Type \"%.40s\": only UTF-8 and UTF-16 are supported",
			 content_type);
		return;
	}
	out->kind = is_one_of(out->type, forms, sizeof(forms) / sizeof(*forms))
			    ? FMP_EVENT_BROWSER
			    : FMP_EVENT_UNSUPPORTED;
	if (none)
		snprintf(out->why, sizeof(out->why), "without a Content-Type it is not SOAP");
	else if (fmp_media_has_attachments(out))
		snprintf(out->why, sizeof(out->why),
			 "Content-Type \"%.32s\": attachments (MTOM, SwA) are not allowed",
			 out->type);
	else
		snprintf(out->why, sizeof(out->why), "Content-Type \"%.60s\" is not SOAP",
			 content_type);
}
