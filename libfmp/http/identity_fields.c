// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/field_list.h>
#include <fmp/internal/identity_fields.h>

#include <stdio.h>
#include <string.h>

#define PREFIX "x-fmp-"

/* Encode into a field's value. Return: false: it does not fit, and *out is "". */
static bool append_encoded(const char *text, char *out, size_t size)
{
	static const char hex[] = "0123456789ABCDEF";
	size_t n = 0;

	for (const char *p = text; *p; p++) {
		unsigned char c = (unsigned char)*p;
		/* White space at an end of a value would be lost (RFC 9110 5.5). */
		bool at_end = c == ' ' && (p == text || !p[1]);
		bool plain = c >= 0x20 && c < 0x7f && c != '%' && !at_end;

		if (n + (plain ? 1 : 3) >= size) {
			*out = '\0';
			return false;
		}
		if (plain) {
			out[n++] = (char)c;
			continue;
		}
		out[n++] = '%';
		out[n++] = hex[c >> 4];
		out[n++] = hex[c & 15];
	}
	out[n] = '\0';
	return true;
}

static void encode_names(const char *subject, const char *issuer, struct fmp_identity_fields *out)
{
	append_encoded(subject, out->subject, sizeof(out->subject));
	append_encoded(issuer, out->issuer, sizeof(out->issuer));
}

void fmp_identity_fields_from(const struct fmp_identity *id, struct fmp_identity_fields *out)
{
	bool by_certificate = id->methods & FMP_ASSURANCE_BIT(FMP_ASSURANCE_X509);

	out->methods = id->methods;
	encode_names(by_certificate ? id->subject : id->saml_subject,
		     by_certificate ? id->issuer : id->saml_issuer, out);
	append_encoded(*id->user ? id->user : id->saml_subject, out->user, sizeof(out->user));
}

void fmp_identity_fields_add_tls(const struct fmp_identity *tls, struct fmp_identity_fields *out)
{
	const unsigned named = FMP_ASSURANCE_BIT(FMP_ASSURANCE_X509) |
			       FMP_ASSURANCE_BIT(FMP_ASSURANCE_SAML);

	if (!(tls->methods & FMP_ASSURANCE_BIT(FMP_ASSURANCE_TLS)))
		return;
	if (!(out->methods & named))
		encode_names(tls->subject, tls->issuer, out);
	out->methods |= FMP_ASSURANCE_BIT(FMP_ASSURANCE_TLS);
}

bool fmp_identity_value_is_valid(const char *value)
{
	for (; *value; value++)
		if (*value < 0x20 || *value > 0x7e)
			return false;
	return true;
}

static size_t add_line(const char *name, const char *value, char *buf, size_t size, size_t at)
{
	int n;

	if (!*value || !*name || at >= size)
		return at;
	n = snprintf(buf + at, size - at, "%s: %s\r\n", name, value);
	if (n > 0 && (size_t)n < size - at)
		return at + (size_t)n;
	/* A line that does not fit is left out, not cut. */
	buf[at] = '\0';
	return at;
}

static const char *list_methods(unsigned methods, char *buf, size_t size)
{
	size_t n = 0;

	snprintf(buf, size, "none");
	for (unsigned a = 0; a < FMP_ASSURANCES; a++)
		if (methods & FMP_ASSURANCE_BIT(a) && n < size)
			n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? ", " : "",
					      fmp_assurance_name(a));
	return buf;
}

size_t fmp_identity_fields_format(const struct fmp_policy_identity *names,
				  const struct fmp_identity_fields *f, char *buf, size_t size)
{
	char methods[64];
	size_t n = 0;

	n = add_line(names->subject, f->subject, buf, size, n);
	n = add_line(names->issuer, f->issuer, buf, size, n);
	n = add_line(names->user, f->user, buf, size, n);
	return add_line(names->assurance, list_methods(f->methods, methods, sizeof(methods)), buf,
			size, n);
}

static bool begins_with(const char *name, size_t len, const char *with, size_t n)
{
	if (len < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (fmp_field_name_fold(name[i]) != fmp_field_name_fold(with[i]))
			return false;
	return true;
}

bool fmp_identity_is_field(const struct fmp_policy_identity *names, const char *name, size_t len)
{
	const char *const own[] = { names ? names->subject : "", names ? names->issuer : "",
				    names ? names->user : "", names ? names->assurance : "" };

	if (begins_with(name, len, PREFIX, strlen(PREFIX)))
		return true;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (*own[i] && len == strlen(own[i]) && begins_with(name, len, own[i], len))
			return true;
	return false;
}
