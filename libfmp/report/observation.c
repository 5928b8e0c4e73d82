// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/observation.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char prefix[] = "seen ";

/* URIs, names of XML in ASCII, and tokens of HTTP: no quotes, no '&', '<' or '\', which logs replace. */
static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
			   "-._~:/?#[]@!$()*+,;={}%^`|";

static bool add_word(struct fmp_observation *o, const char *word, size_t n)
{
	const char *before = o->len ? " " : prefix;
	size_t gap = strlen(before);

	if (n >= sizeof(o->text) - o->len || gap >= sizeof(o->text) - o->len - n)
		return false;
	memcpy(o->text + o->len, before, gap);
	memcpy(o->text + o->len + gap, word, n);
	o->len += gap + n;
	o->text[o->len] = '\0';
	return true;
}

bool fmp_observation_add(struct fmp_observation *o, const char *name, const char *value)
{
	char word[FMP_OBSERVATION_NAME + FMP_OBSERVATION_VALUE];
	size_t n = strlen(value);

	if (!n || value[strspn(value, safe)] || n >= FMP_OBSERVATION_VALUE)
		return false;
	n = (size_t)snprintf(word, sizeof(word), "%s=%s", name, value);
	return n < sizeof(word) && add_word(o, word, n);
}

bool fmp_observation_add_number(struct fmp_observation *o, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return fmp_observation_add(o, name, text);
}

static bool is_of_message(const char *name)
{
	return !strcmp(name, "header") || !strcmp(name, "parts") || !strcmp(name, "part") ||
	       !strcmp(name, "bytes");
}

void fmp_observation_append(struct fmp_observation *o, const char *text)
{
	char name[FMP_OBSERVATION_NAME], value[FMP_OBSERVATION_VALUE];

	while (fmp_observation_next(&text, name, value))
		if (is_of_message(name))
			(void)fmp_observation_add(o, name, value);
}

static size_t word_length(const char *word)
{
	return strcspn(word, " ");
}

bool fmp_observation_next(const char **at, char name[FMP_OBSERVATION_NAME],
			  char value[FMP_OBSERVATION_VALUE])
{
	const char *p = *at;
	size_t n, head;

	/* Only its start has the prefix, for no word of it has a blank. */
	if (!strncmp(p, prefix, sizeof(prefix) - 1))
		p += sizeof(prefix) - 1;
	else if (*p != ' ')
		return false;
	else
		p++;
	n = word_length(p);
	head = strcspn(p, "= ");
	if (!head || head >= FMP_OBSERVATION_NAME || head + 1 >= n ||
	    n - head - 1 >= FMP_OBSERVATION_VALUE)
		return false;
	memcpy(name, p, head);
	name[head] = '\0';
	memcpy(value, p + head + 1, n - head - 1);
	value[n - head - 1] = '\0';
	*at = p + n;
	return value[strspn(value, safe)] == '\0';
}
