// SPDX-License-Identifier: GPL-2.0
/* Parses the words of a timeline's line. */
#include <timeline/words.h>

#include <fmp/policy.h>

#include <string.h>

#define FLOOD_MAX 10000000u /* upper bound on the events of one line */

char *fmpi_word_next(char **at)
{
	char *word = *at + strspn(*at, " \t\r"), *end = word;
	bool quoted = false;

	if (!*word || *word == '#')
		return NULL;
	for (; *end && (quoted || !strchr(" \t\r", *end)); end++)
		if (*end == '"')
			quoted = !quoted;
	*at = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

static bool parse_number(const char *s, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;

	if (!*s || strlen(s) > 19)
		return false;
	for (; *s; s++) {
		if (*s < '0' || *s > '9')
			return false;
		v = v * 10 + (unsigned)(*s - '0');
	}
	*out = v;
	return v <= max;
}

static bool parse_mac(const char *s, struct fmp_addr *out)
{
	struct fmp_addr a;

	if (fmp_addr_parse(s, &a, NULL) || a.family != FMP_FAMILY_MAC)
		return false;
	*out = a;
	return true;
}

static bool parse_text(const char *s, char *out, size_t size)
{
	size_t len = strlen(s);

	if (len < 2 || s[0] != '"' || s[len - 1] != '"' || len - 2 >= size)
		return false;
	memcpy(out, s + 1, len - 2);
	out[len - 2] = '\0';
	return true;
}

/* NAME=VALUE. Return: false if the name is unknown or the value invalid. */
static bool parse_option(char *word, struct fmpi_args *a)
{
	char *v = strchr(word, '=');
	uint64_t n = 0;
	bool ok;

	*v++ = '\0';
	if (!strcmp(word, "port")) {
		ok = parse_number(v, UINT16_MAX, &n);
		a->event.dest_port = (uint16_t)n;
	} else if (!strcmp(word, "bytes")) {
		ok = parse_number(v, UINT32_MAX, &n);
		a->event.bytes = (uint32_t)n;
	} else if (!strcmp(word, "cpu")) {
		ok = !fmp_duration_parse(v, &n) && n <= UINT32_MAX;
		a->event.cpu_ns = n * 1000000;
	} else if (!strcmp(word, "sources")) {
		ok = parse_number(v, FLOOD_MAX, &a->sources);
	} else if (!strcmp(word, "times")) {
		ok = parse_number(v, FLOOD_MAX, &a->times);
	} else if (!strcmp(word, "every")) {
		ok = !fmp_duration_parse(v, &a->every_ms) && a->every_ms <= UINT32_MAX;
	} else if (!strcmp(word, "id")) {
		ok = parse_number(v, UINT64_MAX, &a->id);
	} else if (!strcmp(word, "mac")) {
		ok = parse_mac(v, &a->mac);
	} else if (!strcmp(word, "layers")) {
		ok = !fmp_layers_parse(v, &a->layers);
	} else if (!strcmp(word, "service")) {
		ok = *v && strlen(v) < sizeof(a->event.service);
		if (ok)
			memcpy(a->event.service, v, strlen(v) + 1);
	} else if (!strcmp(word, "text")) {
		ok = parse_text(v, a->text, sizeof(a->text));
	} else {
		ok = false;
	}
	v[-1] = '=';
	return ok;
}

static const char *set_error(const char **what, const char *why, const char *word)
{
	*what = why;
	return word;
}

const char *fmpi_args_parse(char *at, struct fmpi_args *a, const char **what)
{
	char *word;

	while ((word = fmpi_word_next(&at))) {
		if (strchr(word, '=')) {
			if (!parse_option(word, a))
				return set_error(what, "not an option", word);
		} else if (!a->has_addr) {
			if (fmp_addr_parse(word, &a->addr, NULL))
				return set_error(what, "not an address", word);
			a->has_addr = true;
		} else if (!strcmp(word, "unproven")) {
			a->event.proven = false;
		} else if (!fmp_event_kind_parse(word, &a->event.kind)) {
			a->has_kind = true;
		} else if (!parse_mac(word, &a->mac) && fmp_duration_parse(word, &a->duration_ms)) {
			return set_error(what, "neither a kind of event nor a duration", word);
		}
	}
	if (a->sources * a->times > FLOOD_MAX)
		return set_error(what, "too many events in one line", "sources * times");
	return NULL;
}
