// SPDX-License-Identifier: GPL-2.0
#include "observed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- services, and the sizes of their sources ---- */

/* The service that the text names. Return: NULL: more than there can be, or no name of one. */
static struct observed_service *find_service(struct observed *o, const char *text)
{
	char name[FMP_OBSERVATION_NAME], value[FMP_OBSERVATION_VALUE], of[32] = "";
	unsigned i = 0;

	while (fmp_observation_next(&text, name, value)) {
		if (strcmp(name, "service") != 0)
			continue;
		if (strlen(value) >= sizeof(of))
			return NULL;
		strcpy(of, value);
	}
	while (i < o->n_services && strcmp(o->service[i].name, of) != 0)
		i++;
	if (i == OBSERVED_SERVICES_MAX)
		return NULL;
	if (i == o->n_services)
		strcpy(o->service[o->n_services++].name, of);
	return &o->service[i];
}

/* Return: 0 and *out, which is NULL if there are too many sources; FMP_ERR_NOMEM. */
static int find_sizes(struct observed_service *s, const struct fmp_addr *source,
		      struct observed_sizes **out)
{
	uint64_t *index = fmp_addrmap_find(&s->sources, source);
	struct observed_sizes *more;

	*out = NULL;
	if (!index && s->n == OBSERVED_SOURCES_MAX)
		return 0;
	if (!index) {
		/* In steps of a power of two. */
		more = s->n & (s->n - 1) ? s->sizes
					 : realloc(s->sizes, (s->n ? 2 * s->n : 1) * sizeof(*more));
		if (!more)
			return FMP_ERR_NOMEM;
		s->sizes = more;
		index = fmp_addrmap_get(&s->sources, source);
		if (!index)
			return FMP_ERR_NOMEM;
		s->sizes[s->n] = (struct observed_sizes){ .source = *source };
		*index = ++s->n;
	}
	*out = &s->sizes[*index - 1];
	return 0;
}

static void raise_to(uint32_t *most, uint64_t value)
{
	if (value > *most)
		*most = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static void raise_long(uint64_t *most, uint64_t value)
{
	if (value > *most)
		*most = value;
}

/* Return: false: it is no size. */
static bool add_size(struct observed_sizes *z, const char *name, const char *text)
{
	char *end;
	uint64_t value;

	if (*text < '0' || *text > '9' || strlen(text) > 18)
		return false;
	value = strtoull(text, &end, 10);
	if (*end)
		return false;
	if (!strcmp(name, "head"))
		raise_to(&z->head, value);
	else if (!strcmp(name, "fields"))
		raise_to(&z->fields, value);
	else if (!strcmp(name, "target"))
		raise_to(&z->target, value);
	else if (!strcmp(name, "parts"))
		raise_to(&z->parts, value);
	else if (!strcmp(name, "part"))
		raise_long(&z->part, value);
	else if (!strcmp(name, "bytes"))
		raise_long(&z->bytes, value);
	return true;
}

/* ---- names ---- */

/* The name with the fewest sources, the first of several: no flood of names displaces one that many sources send. */
static struct observed_name *fewest_sources(const struct observed *o)
{
	struct observed_name *found = o->name;

	for (unsigned i = 1; i < o->n_names; i++)
		if (o->name[i].sources.n < found->sources.n)
			found = &o->name[i];
	return found;
}

static struct observed_name *find_name(struct observed *o, unsigned service,
				       enum observed_what what, const char *text)
{
	struct observed_name *n;

	for (unsigned i = 0; i < o->n_names; i++)
		if (o->name[i].service == service && o->name[i].what == what &&
		    !strcmp(o->name[i].text, text))
			return &o->name[i];
	if (!o->name)
		o->name = calloc(OBSERVED_NAMES_MAX, sizeof(*o->name));
	if (!o->name)
		return NULL;
	if (o->n_names < OBSERVED_NAMES_MAX) {
		n = &o->name[o->n_names++];
	} else {
		/* The newest is the last, so that of names with as many sources the oldest goes. */
		n = fewest_sources(o);
		fmp_addrmap_free(&n->sources);
		memmove(n, n + 1, (size_t)(o->name + o->n_names - n - 1) * sizeof(*n));
		n = &o->name[o->n_names - 1];
	}
	*n = (struct observed_name){ .service = service, .what = what };
	strcpy(n->text, text);
	return n;
}

static int add_name(struct observed *o, unsigned service, enum observed_what what, const char *text,
		    unsigned how, const struct fmp_addr *source)
{
	struct observed_name *n = find_name(o, service, what, text);
	uint64_t *bits = n ? fmp_addrmap_find(&n->sources, source) : NULL;

	if (n && !bits && n->sources.n == OBSERVED_SOURCES_MAX)
		return 0;
	if (n && !bits)
		bits = fmp_addrmap_get(&n->sources, source);
	if (!bits)
		return FMP_ERR_NOMEM;
	*bits |= how;
	return 0;
}

/* "{NAMESPACE}LOCAL:signed:must:dropped". @text: the words behind the name are cut off */
static int add_header(struct observed *o, unsigned service, char *text,
		      const struct fmp_addr *source)
{
	bool is_signed = false, is_dropped = false;
	char *at, *word, *local = strchr(text, '}');

	if (*text != '{' || !local || !local[1] || local[1] == ':')
		return 0;
	at = strchr(local, ':');
	if (at)
		*at++ = '\0';
	while ((word = at ? strsep(&at, ":") : NULL)) {
		if (!strcmp(word, "signed"))
			is_signed = true;
		else if (!strcmp(word, "dropped"))
			is_dropped = true;
		else if (strcmp(word, "must") != 0)
			return 0; /* the rest of a namespace that has a "}", with which a client can write words */
	}
	return add_name(o, service, OBSERVED_HEADER, text,
			!is_dropped ? OBSERVED_FORWARDED
			: is_signed ? OBSERVED_SIGNED
				    : OBSERVED_CLEAR,
			source);
}

int observed_add(struct observed *o, const struct fmp_addr *source, const char *text)
{
	char name[FMP_OBSERVATION_NAME], value[FMP_OBSERVATION_VALUE];
	const char *at = text;
	struct observed_service *s;
	struct observed_sizes *z;
	unsigned service;
	int rc;

	if (!fmp_observation_next(&at, name, value))
		return 0;
	s = find_service(o, text);
	if (!s)
		return 0;
	service = (unsigned)(s - o->service);
	rc = find_sizes(s, source, &z);
	for (at = text; !rc && z && fmp_observation_next(&at, name, value);) {
		if (!strcmp(name, "header"))
			rc = add_header(o, service, value, source);
		else if (!strcmp(name, "field"))
			rc = add_name(o, service, OBSERVED_FIELD, value, OBSERVED_CLEAR, source);
		else
			(void)add_size(z, name, value);
	}
	return rc;
}

void observed_exit(struct observed *o)
{
	for (unsigned i = 0; i < o->n_services; i++) {
		fmp_addrmap_free(&o->service[i].sources);
		free(o->service[i].sizes);
	}
	for (unsigned i = 0; i < o->n_names; i++)
		fmp_addrmap_free(&o->name[i].sources);
	free(o->name);
	*o = (struct observed){ 0 };
}
