// SPDX-License-Identifier: GPL-2.0
#include "log_entry.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fmp/internal/text.h>

void log_text_clean(char *dst, size_t size, const char *src, size_t len)
{
	size_t n = 0;

	for (; n < len && n + 1 < size && src[n]; n++)
		dst[n] = src[n] == '"' ? '\'' : src[n];
	/* Drop a UTF-8 character that was cut. */
	if (n < len && n && ((unsigned char)src[n] & 0xc0) == 0x80)
		while (n && ((unsigned char)dst[--n] & 0xc0) == 0x80)
			;
	dst[n] = '\0';
	fmp_text_clean(dst);
}

static size_t format_event(const struct log_entry *e, uint64_t at_ms, char *line, size_t size)
{
	const struct fmp_event *ev = &e->event;
	char addr[FMP_ADDR_STRLEN], mac[FMP_ADDR_STRLEN], more[176] = "", text[sizeof(ev->detail)];
	int n = 0;

	if (ev->dest_port)
		n += snprintf(more + n, sizeof(more) - (size_t)n, " port=%u", ev->dest_port);
	/* The name of a service is one word; skip anything else. */
	if (*ev->service && !ev->service[strcspn(ev->service, " \t\"#=")])
		n += snprintf(more + n, sizeof(more) - (size_t)n, " service=%s", ev->service);
	if (ev->bytes)
		n += snprintf(more + n, sizeof(more) - (size_t)n, " bytes=%" PRIu32, ev->bytes);
	/* Round up to milliseconds, as the engine does. */
	if (ev->cpu_ns)
		snprintf(more + n, sizeof(more) - (size_t)n, " cpu=%" PRIu64 "ms",
			 ev->cpu_ns / 1000000 + (ev->cpu_ns % 1000000 != 0));
	n = (int)strlen(more);
	if (e->mac.family)
		snprintf(more + n, sizeof(more) - (size_t)n, " mac=%s",
			 fmp_addr_format(&e->mac, mac, sizeof(mac)));
	log_text_clean(text, sizeof(text), ev->detail, sizeof(ev->detail));
	n = snprintf(line, size, "%" PRIu64 "ms event %s %s%s%s text=\"%s\"", at_ms,
		     fmp_addr_format(&ev->source, addr, sizeof(addr)),
		     fmp_event_kind_name(ev->kind), ev->proven ? "" : " unproven", more, text);
	return (size_t)n < size ? (size_t)n : size - 1;
}

size_t log_entry_format(const struct log_entry *e, uint64_t at_ms, char *line, size_t size)
{
	char addr[FMP_ADDR_STRLEN], layers[32], more[64] = "", text[sizeof(e->text)];
	int n;

	if (e->what == LOG_EVENT)
		return format_event(e, at_ms, line, size);
	if (e->what == LOG_LINK) {
		n = snprintf(line, size, "%" PRIu64 "ms %s %s", at_ms, e->verb,
			     fmp_addr_format(&e->addr, addr, sizeof(addr)));
		return (size_t)n < size ? (size_t)n : size - 1;
	}
	if (e->what == LOG_BLOCK) {
		fmp_layers_format(e->layers, layers, sizeof(layers));
		for (char *c = layers; *c; c++)
			if (*c == ' ')
				*c = ',';
		n = snprintf(more, sizeof(more), " %" PRIu64 "%s", e->duration_ms,
			     e->duration_ms ? "ms" : "");
		if (e->layers)
			snprintf(more + n, sizeof(more) - (size_t)n, " layers=%s", layers);
	}
	log_text_clean(text, sizeof(text), e->text, sizeof(e->text));
	n = snprintf(line, size, "%" PRIu64 "ms %s %s%s text=\"%s\"", at_ms,
		     e->what == LOG_BLOCK ? "block" : "unblock",
		     fmp_addr_format(&e->addr, addr, sizeof(addr)), more, text);
	return (size_t)n < size ? (size_t)n : size - 1;
}
