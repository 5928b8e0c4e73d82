// SPDX-License-Identifier: GPL-2.0
/* Formats the value of a field as the text that the reader accepts for it. */
#include <fmp/internal/policy_settings.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t load_number(const struct fmpi_setting *s, const void *field)
{
	if (s->size == sizeof(uint64_t))
		return *(const uint64_t *)field;
	if (s->size == sizeof(uint32_t))
		return *(const uint32_t *)field;
	if (s->size == sizeof(uint16_t))
		return *(const uint16_t *)field;
	return *(const uint8_t *)field;
}

static void format_bits(unsigned bits, const char *(*name)(unsigned i), char *buf)
{
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned i = 0; name(i); i++)
		if (bits & (1u << i))
			len += (size_t)snprintf(buf + len, FMPI_VALUE_MAX - len, "%s%s",
						len ? " " : "", name(i));
}

static void format_number(const struct fmpi_setting *s, uint64_t v, char *buf)
{
	if (s->type == FMPI_MS)
		fmpi_duration_format(v, buf, FMPI_VALUE_MAX);
	else if (s->type == FMPI_SIZE)
		fmpi_size_format(v, buf, FMPI_VALUE_MAX);
	else if (s->type == FMPI_FACTOR)
		snprintf(buf, FMPI_VALUE_MAX, "%" PRIu64 ".%02" PRIu64, v / 100, v % 100);
	else if (s->type == FMPI_RATE)
		snprintf(buf, FMPI_VALUE_MAX, "%" PRIu64 "/s", v);
	else
		snprintf(buf, FMPI_VALUE_MAX, "%" PRIu64 "%s", v,
			 s->type == FMPI_PERCENT ? "%" : "");
}

static void format_translators(const struct fmp_translators *t, char *buf)
{
	char text[FMP_ADDR_STRLEN];
	size_t len = 0;

	*buf = '\0';
	for (uint32_t i = 0; i < t->n; i++)
		len += (size_t)snprintf(buf + len, FMPI_VALUE_MAX - len, "%s%s", i ? " " : "",
					fmp_addr_format(&t->prefix[i], text, sizeof(text)));
}

const char *fmpi_setting_format(const struct fmpi_setting *s, const void *field, char *buf)
{
	switch (s->type) {
	case FMPI_NAME:
	case FMPI_WORD:
	case FMPI_FILE:
	case FMPI_URIS:
	case FMPI_HOSTS:
	case FMPI_PURPOSES:
		snprintf(buf, FMPI_VALUE_MAX, "%s", (const char *)field);
		break;
	case FMPI_NAT64:
		format_translators(field, buf);
		break;
	case FMPI_BOOL:
		snprintf(buf, FMPI_VALUE_MAX, "%s", *(const bool *)field ? "yes" : "no");
		break;
	case FMPI_LAYERS:
		fmp_layers_format(*(const unsigned *)field, buf, FMPI_VALUE_MAX);
		break;
	case FMPI_PARTS:
		format_bits(*(const unsigned *)field, fmp_part_name, buf);
		break;
	case FMPI_ENCRYPTED:
		format_bits(*(const unsigned *)field, fmp_encrypted_part_name, buf);
		break;
	case FMPI_ALGORITHMS:
		fmpi_algorithms_format(*(const unsigned *)field, s->names, buf, FMPI_VALUE_MAX);
		break;
	case FMPI_ORDER:
		snprintf(buf, FMPI_VALUE_MAX, "%s", fmp_order_name(*(const enum fmp_order *)field));
		break;
	case FMPI_HEADERS:
		snprintf(buf, FMPI_VALUE_MAX, "%s",
			 fmp_headers_name(*(const enum fmp_headers *)field));
		break;
	case FMPI_SIGNING:
		snprintf(buf, FMPI_VALUE_MAX, "%s",
			 fmp_signing_name(*(const enum fmp_signing *)field));
		break;
	case FMPI_SEALING:
		snprintf(buf, FMPI_VALUE_MAX, "%s",
			 fmp_sealing_name(*(const enum fmp_sealing *)field));
		break;
	case FMPI_SECURITY:
		snprintf(buf, FMPI_VALUE_MAX, "%s",
			 fmp_security_name(*(const enum fmp_security *)field));
		break;
	case FMPI_CHOICE:
		snprintf(buf, FMPI_VALUE_MAX, "%s",
			 s->names[s->size == sizeof(bool) ? *(const bool *)field
							  : *(const unsigned *)field]);
		break;
	default:
		format_number(s, load_number(s, field), buf);
	}
	return buf;
}
