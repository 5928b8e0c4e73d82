// SPDX-License-Identifier: GPL-2.0
#include "dn.h"

#include <openssl/err.h>
#include <openssl/objects.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/hex.h"

struct text {
	uint8_t p[FMPI_MAX_DN + 1];
	size_t len;
};

static void skip_blanks(const char **p)
{
	while (**p == ' ')
		(*p)++;
}

/* Return: value of two hexadecimal digits; -1: they are none. */
static int hex_byte(const char *p)
{
	int high = fmpi_hex_digit(p[0]), low = high < 0 ? -1 : fmpi_hex_digit(p[1]);

	return low < 0 ? -1 : high << 4 | low;
}

/* OpenSSL's names are case-sensitive and differ from those of .NET and Java. */
static ASN1_OBJECT *find_attribute_type(char *name)
{
	static const char *const aliases[][2] = {
		{ "S", "ST" },
		{ "E", "emailAddress" },
		{ "EMAILADDRESS", "emailAddress" },
		{ "STREET", "street" },
	};
	ASN1_OBJECT *o = OBJ_txt2obj(name, 0);

	if (o)
		return o;
	for (char *p = name; *p; p++)
		if (*p >= 'a' && *p <= 'z')
			*p = (char)(*p - 'a' + 'A');
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (strcmp(name, aliases[i][0]) == 0)
			return OBJ_txt2obj(aliases[i][1], 0);
	return OBJ_txt2obj(name, 0);
}

/* Read a type: "CN", "1.2.840.113549.1.9.1", "OID.2.5.4.3". */
static ASN1_OBJECT *read_type(const char **p)
{
	char name[64];
	size_t n;

	if (strncmp(*p, "OID.", 4) == 0)
		*p += 4;
	n = strspn(*p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-");
	if (n == 0 || n >= sizeof(name))
		return NULL;
	memcpy(name, *p, n);
	name[n] = '\0';
	*p += n;
	return find_attribute_type(name);
}

/* Read what follows "\": one special character or two hexadecimal digits; fails at the NUL. */
static bool read_escape(const char **p, struct text *out)
{
	int byte = hex_byte(*p);

	if (byte >= 0) {
		out->p[out->len++] = (uint8_t)byte;
		*p += 2;
		return true;
	}
	if (**p == '\0' || !strchr(",=+<>#;\\\" ", **p))
		return false;
	out->p[out->len++] = (uint8_t) * (*p)++;
	return true;
}

/* Each byte read writes at most one, and the whole name is at most FMPI_MAX_DN bytes. */
static bool read_string(const char **p, struct text *out)
{
	bool quoted = **p == '"';
	size_t solid = 0; /* trailing blanks are removed down to here */

	*p += quoted;
	for (; **p && (quoted ? **p != '"' : !strchr(",+;", **p));) {
		if (**p == '\\') {
			(*p)++;
			if (!read_escape(p, out))
				return false;
			solid = out->len;
			continue;
		}
		out->p[out->len++] = (uint8_t) * *p;
		if (quoted || **p != ' ')
			solid = out->len;
		(*p)++;
	}
	out->len = solid;
	if (quoted && *(*p)++ != '"')
		return false;
	skip_blanks(p);
	return true;
}

static ASN1_STRING *read_der(const char **p)
{
	struct text t = { .len = 0 };
	const uint8_t *at = t.p;
	ASN1_TYPE *any;
	ASN1_STRING *s = NULL;
	int byte;

	while ((byte = hex_byte(*p)) >= 0) {
		t.p[t.len++] = (uint8_t)byte;
		*p += 2;
	}
	skip_blanks(p);
	any = d2i_ASN1_TYPE(NULL, &at, (long)t.len);
	/* Accept string types only: other types of ASN1_TYPE do not point to a string. */
	if (any && at == t.p + t.len &&
	    (ASN1_tag2bit(any->type) & (B_ASN1_DIRECTORYSTRING | B_ASN1_IA5STRING)))
		s = ASN1_STRING_dup(any->value.asn1_string);
	ASN1_TYPE_free(any);
	return s;
}

static ASN1_STRING *read_value(const char **p)
{
	struct text t = { .len = 0 };
	ASN1_STRING *s;

	if (**p == '#') {
		(*p)++;
		return read_der(p);
	}
	if (!read_string(p, &t))
		return NULL;
	s = ASN1_STRING_type_new(V_ASN1_UTF8STRING);
	if (s && !ASN1_STRING_set(s, t.p, (int)t.len)) {
		ASN1_STRING_free(s);
		s = NULL;
	}
	return s;
}

/* Add one "type=value" in front of those read before: the text is the name in reverse. */
static bool read_pair(const char **p, X509_NAME *name, bool same_set)
{
	ASN1_OBJECT *type;
	ASN1_STRING *value = NULL;
	bool good = false;

	skip_blanks(p);
	type = read_type(p);
	skip_blanks(p);
	if (type && *(*p)++ == '=') {
		skip_blanks(p);
		value = read_value(p);
	}
	if (value)
		/*
		 * set -1 joins the previous entry, 1 the next one; at index 0 that is the one read
		 * last.
		 */
		good = X509_NAME_add_entry_by_OBJ(name, type, ASN1_STRING_type(value),
						  ASN1_STRING_get0_data(value),
						  ASN1_STRING_length(value), 0,
						  same_set ? 1 : 0) == 1;
	ASN1_STRING_free(value);
	ASN1_OBJECT_free(type);
	return good;
}

X509_NAME *fmpi_dn_parse(const char *text)
{
	X509_NAME *name;
	bool good, same_set = false;

	if (strlen(text) > FMPI_MAX_DN || !(name = X509_NAME_new()))
		return NULL;
	for (;;) {
		good = read_pair(&text, name, same_set);
		if (!good || !*text)
			break;
		same_set = *text == '+';
		good = strchr(",;+", *text++) != NULL;
		if (!good)
			break;
	}
	ERR_clear_error();
	if (good)
		return name;
	X509_NAME_free(name);
	return NULL;
}
