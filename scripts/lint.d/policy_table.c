// SPDX-License-Identifier: GPL-2.0
/*
 * Prints what the library knows of a policy, for policy_table.py: one line for each attribute (element, name, type, default,
 * least, most, words), element (name, parent) and event kind (name, rank), with tabs between; "-" is none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fmp/event.h>
#include <fmp/internal/policy_settings.h>
#include <fmp/internal/policy_xml.h>
#include <policy/emit.h>

static const char *const type_names[] = {
	[FMPI_NAME] = "name",
	[FMPI_WORD] = "word",
	[FMPI_FILE] = "file",
	[FMPI_COUNT] = "count",
	[FMPI_COUNT8] = "count",
	[FMPI_MS] = "duration",
	[FMPI_SIZE] = "size",
	[FMPI_BOOL] = "switch",
	[FMPI_LAYERS] = "layers",
	[FMPI_SECURITY] = "security",
	[FMPI_PARTS] = "parts",
	[FMPI_ENCRYPTED] = "encrypted",
	[FMPI_URIS] = "uris",
	[FMPI_HOSTS] = "hosts",
	[FMPI_PURPOSES] = "purposes",
	[FMPI_NAT64] = "prefixes",
	[FMPI_ORDER] = "order",
	[FMPI_HEADERS] = "headers",
	[FMPI_SIGNING] = "signing",
	[FMPI_SEALING] = "sealing",
	[FMPI_FACTOR] = "factor",
	[FMPI_PERCENT] = "percent",
	[FMPI_CHOICE] = "choice",
	[FMPI_RATE] = "rate",
	[FMPI_ALGORITHMS] = "algorithms",
};

/* A bound, as it would be written; "-" where the type has none. */
static const char *format_bound(const struct fmpi_setting *s, uint64_t value, char *buf,
				size_t size)
{
	switch (s->type) {
	case FMPI_COUNT:
	case FMPI_COUNT8:
		snprintf(buf, size, "%" PRIu64, value);
		return buf;
	case FMPI_MS:
		return fmpi_duration_format(value, buf, size);
	case FMPI_SIZE:
		return fmpi_size_format(value, buf, size);
	case FMPI_PERCENT:
		snprintf(buf, size, "%" PRIu64 "%%", value);
		return buf;
	case FMPI_FACTOR:
		snprintf(buf, size, "%" PRIu64 ".%02" PRIu64, value / 100, value % 100);
		return buf;
	case FMPI_RATE:
		snprintf(buf, size, "%" PRIu64 "/s", value);
		return buf;
	default:
		return "-";
	}
}

/* @base: the struct of the defaults; NULL: the setting has none, or takes that of another element. */
static void print_attribute(const char *element, const struct fmpi_setting *s, const void *base)
{
	char value[FMPI_VALUE_MAX] = "", least[64], most[64];

	if (base)
		fmpi_setting_format(s, (const char *)base + s->offset, value);
	printf("attribute\t%s\t%s\t%s\t%s\t%s\t%s\t", element, s->attribute, type_names[s->type],
	       *value ? value : "-", format_bound(s, s->min, least, sizeof(least)),
	       format_bound(s, s->max, most, sizeof(most)));
	for (size_t i = 0; s->names && s->names[i]; i++)
		printf("%s%s", i ? " " : "", s->names[i]);
	printf("%s\n", s->names ? "" : "-");
}

/* What a table of an element inside has not: it is read by a function of its own. */
static void print_other(const char *element, const char *attribute)
{
	printf("attribute\t%s\t%s\t-\t-\t-\t-\t-\n", element, attribute);
}

static void print_inner(const char *element, const struct fmpi_setting *(*own)(size_t i),
			const char *(*attribute)(size_t i))
{
	const struct fmpi_setting *s;
	size_t n = 0;

	while ((s = own(n)) != NULL) {
		print_attribute(element, s, NULL);
		n++;
	}
	for (; attribute && attribute(n); n++)
		print_other(element, attribute(n));
}

int main(void)
{
	struct fmp_policy *defaults = fmp_policy_default();

	if (!defaults)
		return 1;
	for (size_t i = 0; i < fmpi_n_elements; i++)
		printf("element\t%s\t%s\n", fmpi_elements[i].name,
		       fmpi_elements[i].parent ? fmpi_elements[i].parent : "-");
	for (size_t i = 0; i < fmpi_n_settings; i++)
		print_attribute(fmpi_settings[i].element, &fmpi_settings[i], defaults);
	print_inner("service", fmpi_service_setting, fmpi_service_attribute);
	print_inner("client", fmpi_service_setting, fmpi_service_attribute);
	print_inner("override", fmpi_override_setting, fmpi_override_attribute);
	print_inner("group", fmpi_group_setting, fmpi_group_attribute);
	print_inner("blocklist", fmpi_blocklist_setting, NULL);
	for (unsigned k = FMP_EVENT_GOOD + 1; k < FMP_EVENT_KINDS; k++)
		printf("event\t%s\t%" PRIu32 "\n", fmp_event_kind_name(k),
		       defaults->suspicion.rank[k]);
	fmp_policy_free(defaults);
	return 0;
}
