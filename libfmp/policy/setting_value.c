// SPDX-License-Identifier: GPL-2.0
/* The value of a setting: from its text into a field of the policy, or why it is none. */
#include <fmp/internal/policy_settings.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Returns the name of bit @i; NULL behind the last. */
struct bit_names {
	const char *(*name)(unsigned i);
};

static const char *bit_name(size_t i, const void *ctx)
{
	return ((const struct bit_names *)ctx)->name((unsigned)i);
}

/* @always: bits that are set even if not written */
static int set_bits(unsigned *field, unsigned always, struct bit_names names, const char *text,
		    char *why, size_t size)
{
	unsigned bits = always, part;
	char word[16], hint[64];
	const char *name;

	for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n")) {
		size_t n = strcspn(text, " \t\r\n");

		snprintf(word, sizeof(word), "%.*s", (int)(n < sizeof(word) ? n : sizeof(word) - 1),
			 text);
		for (part = 0; (name = names.name(part)) && strcmp(word, name) != 0; part++)
			;
		if (!name) {
			fmp_suggestion(fmp_suggest(word, bit_name, &names), hint, sizeof(hint));
			snprintf(why, size, "names the part \"%s\", which nobody can require%s",
				 word, hint);
			return FMP_ERR_SCHEMA;
		}
		bits |= 1u << part;
		text += n;
	}
	*field = bits;
	return 0;
}

/* Parse a name of an enum. Each enum starts at 0 and is as wide as an unsigned. */
static int set_word(unsigned *field, const char *(*name)(unsigned i), const char *text, char *why,
		    size_t size)
{
	size_t n = (size_t)snprintf(why, size, "is none of");

	for (unsigned i = 0; name(i); i++) {
		if (!strcmp(text, name(i))) {
			*field = i;
			return 0;
		}
		if (n < size)
			n += (size_t)snprintf(why + n, size - n, "%s %s", i ? "," : "", name(i));
	}
	return FMP_ERR_SCHEMA;
}

/* Answers know no encryption after the signature. */
static const char *answer_order_name(unsigned i)
{
	return i <= FMP_ORDER_ENCRYPT_SIGN ? fmp_order_name(i) : NULL;
}

_Static_assert(sizeof(enum fmp_order) == sizeof(unsigned) &&
		       sizeof(enum fmp_headers) == sizeof(unsigned) &&
		       sizeof(enum fmp_signing) == sizeof(unsigned) &&
		       sizeof(enum fmp_sealing) == sizeof(unsigned),
	       "they are set as numbers");

static const char *security_name(size_t i, const void *ctx)
{
	return i < FMP_SECURITIES ? fmp_security_name((unsigned)i) : NULL;
}

static const char *format_bound(const struct fmpi_setting *s, uint64_t v, char *buf, size_t size)
{
	if (s->type == FMPI_MS)
		return fmp_duration_format(v, buf, size);
	if (s->type == FMPI_SIZE)
		return fmpi_size_format(v, buf, size);
	if (s->type == FMPI_FACTOR)
		snprintf(buf, size, "%" PRIu64 ".%02" PRIu64, v / 100, v % 100);
	else if (s->type == FMPI_RATE)
		snprintf(buf, size, "%" PRIu64 "/s", v);
	else
		snprintf(buf, size, "%" PRIu64 "%s", v, s->type == FMPI_PERCENT ? "%" : "");
	return buf;
}

/* Is it a number anyway: negative, or too large for any field? */
static bool is_out_of_range(const char *text)
{
	bool negative = *text == '-';
	size_t digits;

	text += negative;
	digits = strspn(text, "0123456789");
	/* Units and decimals may follow, as in any other value. */
	return digits &&
	       strspn(text, "0123456789.abcdefghijklmnopqrstuvwxyzBGKM%/") == strlen(text) &&
	       (negative || digits > 19);
}

static int set_number(void *field, const struct fmpi_setting *s, const char *text, char *why,
		      size_t size)
{
	char low[32], high[32];
	uint64_t v = 0, scratch;
	int rc;

	if (s->type == FMPI_MS)
		rc = fmp_duration_parse(text, &v);
	else if (s->type == FMPI_SIZE)
		rc = fmp_size_parse(text, &v);
	else if (s->type == FMPI_FACTOR)
		rc = fmpi_factor_parse(text, &v);
	else if (s->type == FMPI_PERCENT)
		rc = fmpi_percent_parse(text, &v);
	else if (s->type == FMPI_RATE)
		rc = fmpi_rate_parse(text, &v);
	else
		rc = fmpi_decimal_parse(text, &v);

	if (rc && is_out_of_range(text)) {
		snprintf(why, size, "is outside of %s to %s",
			 format_bound(s, s->min, low, sizeof(low)),
			 format_bound(s, s->max, high, sizeof(high)));
		return FMP_ERR_SCHEMA;
	}
	if (rc) {
		const char *form = "a whole number";

		if (s->type == FMPI_MS)
			form = fmpi_decimal_parse(text, &scratch)
				       ? "a duration like \"90s\", \"10min\" or \"1h30min\""
				       : "a duration: its unit is missing (ms, s, min, h, d)";
		else if (s->type == FMPI_SIZE)
			form = "a size like \"512\", \"64KiB\" or \"1MiB\"";
		else if (s->type == FMPI_FACTOR)
			form = "a factor like \"2.0\", of two decimals at most";
		else if (s->type == FMPI_PERCENT)
			form = "a percentage like \"10%\"";
		else if (s->type == FMPI_RATE)
			form = "a rate like \"50/s\"";
		snprintf(why, size, "is not %s", form);
		return FMP_ERR_SCHEMA;
	}
	if (v < s->min || v > s->max) {
		snprintf(why, size, "is outside of %s to %s",
			 format_bound(s, s->min, low, sizeof(low)),
			 format_bound(s, s->max, high, sizeof(high)));
		return FMP_ERR_SCHEMA;
	}
	if (s->size == sizeof(uint64_t))
		*(uint64_t *)field = v;
	else if (s->size == sizeof(uint32_t))
		*(uint32_t *)field = (uint32_t)v;
	else if (s->size == sizeof(uint16_t))
		*(uint16_t *)field = (uint16_t)v;
	else
		*(uint8_t *)field = (uint8_t)v;
	return 0;
}

static int set_text(char *field, const struct fmpi_setting *s, const char *text, const char *dir,
		    char *why, size_t size)
{
	bool relative = s->type == FMPI_FILE && *text != '/';
	int len;

	if (!*text) {
		snprintf(why, size, "is empty");
		return FMP_ERR_SCHEMA;
	}
	if (s->type == FMPI_NAME && text[strspn(text, FMPI_NAME_CHARACTERS)]) {
		snprintf(why, size, "is not a name of letters, digits, '.', '_' and '-'");
		return FMP_ERR_SCHEMA;
	}
	for (const char *c = text; s->type == FMPI_WORD && *c; c++) {
		if (*c <= ' ' || *c >= 0x7f || strchr("\"'<>\\", *c)) {
			snprintf(why, size, "has a character that can't be there");
			return FMP_ERR_SCHEMA;
		}
	}
	if (strlen(text) > s->max) {
		snprintf(why, size, "is longer than %" PRIu64 " bytes", s->max);
		return FMP_ERR_SCHEMA;
	}
	len = snprintf(NULL, 0, "%s%s", relative ? dir : "", text);
	if (len < 0 || (size_t)len >= s->size) {
		snprintf(why, size, "is longer than %zu bytes with the policy's folder before it",
			 s->size - 1);
		return FMP_ERR_SCHEMA;
	}
	snprintf(field, s->size, "%s%s", relative ? dir : "", text);
	return 0;
}

static bool is_purpose(const char *item, size_t n)
{
	static const char *const names[] = { "any",  "server-auth", "client-auth",
					     "code", "email",	    "document" };
	bool dots = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (n == strlen(names[i]) && !memcmp(item, names[i], n))
			return true;
	/* An OID: numeric arcs, of which the first is 0, 1 or 2. */
	if (n < 3 || *item > '2')
		return false;
	for (size_t i = 0; i < n; i++) {
		bool dot = item[i] == '.';

		if ((!dot && (item[i] < '0' || item[i] > '9')) ||
		    (dot && (!i || i + 1 == n || item[i - 1] == '.')))
			return false;
		dots = dots || dot;
	}
	return dots && item[1] == '.';
}

static int set_translators(struct fmp_translators *t, const char *text, char *why, size_t size)
{
	char word[FMP_ADDR_STRLEN];

	memset(t, 0, sizeof(*t));
	for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n")) {
		size_t n = strcspn(text, " \t\r\n");

		if (t->n == FMP_TRANSLATORS_MAX) {
			snprintf(why, size, "has more than %u prefixes", t->n);
			return FMP_ERR_SCHEMA;
		}
		snprintf(word, sizeof(word), "%.*s", (int)n, text);
		if (n >= sizeof(word) || fmp_addr_parse(word, &t->prefix[t->n], NULL) ||
		    !fmp_translator_valid(&t->prefix[t->n])) {
			snprintf(
				why, size,
				"names \"%s\", which is not an IPv6 prefix of 32, 40, 48, 56, 64 or 96 "
				"bits, 64 to 71 zero, as translators have (RFC 6052)",
				word);
			return FMP_ERR_SCHEMA;
		}
		t->n++;
		text += n;
	}
	if (t->n)
		return 0;
	snprintf(why, size, "is empty");
	return FMP_ERR_SCHEMA;
}

/* May the item be in the list? @what: what it should be */
static bool is_list_item(enum fmpi_type type, const char *item, size_t n, const char **what)
{
	const char *colon = memchr(item, ':', n);

	if (type == FMPI_PURPOSES) {
		*what = "any, email, document, code, client-auth, server-auth or an OID in dots";
		return is_purpose(item, n);
	}
	*what = type == FMPI_HOSTS ? "the name of a host" : "an absolute URI";
	if (type == FMPI_HOSTS)
		return n <= strspn(item, FMPI_NAME_CHARACTERS);
	/* A relative URI could not be compared. */
	return colon && colon != item;
}

static int set_list(char *field, const struct fmpi_setting *s, const char *text, char *why,
		    size_t size)
{
	char *p = field;

	if (strlen(text) > s->max) {
		snprintf(why, size, "is longer than %" PRIu64 " bytes", s->max);
		return FMP_ERR_SCHEMA;
	}
	*p = '\0';
	for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n")) {
		size_t n = strcspn(text, " \t\r\n");
		const char *what;

		if (!is_list_item(s->type, text, n, &what)) {
			snprintf(why, size, "names \"%.*s\", which is not %s", n < 64 ? (int)n : 64,
				 text, what);
			return FMP_ERR_SCHEMA;
		}
		if (p != field)
			*p++ = ' ';
		p = mempcpy(p, text, n);
		*p = '\0';
		text += n;
	}
	if (p != field)
		return 0;
	snprintf(why, size, "is empty");
	return FMP_ERR_SCHEMA;
}

static const char *choice_name(size_t i, const void *names)
{
	return ((const char *const *)names)[i];
}

static int set_choice(void *field, const struct fmpi_setting *s, const char *text, char *why,
		      size_t size)
{
	char list[128] = "", hint[64];
	size_t len = 0;

	for (unsigned i = 0; s->names[i]; i++) {
		if (!strcmp(text, s->names[i])) {
			if (s->size == sizeof(bool))
				*(bool *)field = i != 0;
			else
				*(unsigned *)field = i;
			return 0;
		}
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "",
					s->names[i]);
	}
	fmp_suggestion(fmp_suggest(text, choice_name, s->names), hint, sizeof(hint));
	snprintf(why, size, "is none of %s%s", list, hint);
	return FMP_ERR_SCHEMA;
}

int fmpi_setting_set(void *base, const struct fmpi_setting *s, const char *text, const char *dir,
		     char *why, size_t size)
{
	void *field = (char *)base + s->offset;
	char hint[64];

	switch (s->type) {
	case FMPI_NAME:
	case FMPI_WORD:
	case FMPI_FILE:
		return set_text(field, s, text, dir, why, size);
	case FMPI_BOOL:
		if (strcmp(text, "yes") && strcmp(text, "no")) {
			snprintf(why, size, "is neither yes nor no");
			return FMP_ERR_SCHEMA;
		}
		*(bool *)field = *text == 'y';
		return 0;
	case FMPI_LAYERS:
		if (fmp_layers_parse(text, field)) {
			snprintf(why, size, "is not a list of ip, mac, premac; nor all; nor none");
			return FMP_ERR_SCHEMA;
		}
		return 0;
	case FMPI_NAT64:
		return set_translators(field, text, why, size);
	case FMPI_URIS:
	case FMPI_HOSTS:
	case FMPI_PURPOSES:
		return set_list(field, s, text, why, size);
	case FMPI_PARTS:
		return set_bits(field,
				FMP_PART_BIT(FMP_PART_BODY) | FMP_PART_BIT(FMP_PART_TIMESTAMP),
				(struct bit_names){ fmp_part_name }, text, why, size);
	case FMPI_ENCRYPTED:
		return set_bits(field, FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_BODY),
				(struct bit_names){ fmp_encrypted_part_name }, text, why, size);
	case FMPI_ORDER:
		return set_word(field,
				s->max == FMP_ORDER_ENCRYPT_SIGN ? answer_order_name
								 : fmp_order_name,
				text, why, size);
	case FMPI_HEADERS:
		return set_word(field, fmp_headers_name, text, why, size);
	case FMPI_SIGNING:
		return set_word(field, fmp_signing_name, text, why, size);
	case FMPI_SEALING:
		return set_word(field, fmp_sealing_name, text, why, size);
	case FMPI_ALGORITHMS:
		return fmpi_algorithms_set(field, s->names, text, why, size);
	case FMPI_CHOICE:
		return set_choice(field, s, text, why, size);
	case FMPI_SECURITY:
		if (fmp_security_parse(text, field)) {
			fmp_suggestion(fmp_suggest(text, security_name, NULL), hint, sizeof(hint));
			snprintf(why, size, "is none of Os, Bc, BcV, BcS, BcE, BcES%s", hint);
			return FMP_ERR_SCHEMA;
		}
		return 0;
	default:
		return set_number(field, s, text, why, size);
	}
}
