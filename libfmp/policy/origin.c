// SPDX-License-Identifier: GPL-2.0
#include <policy/origin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fmpi_origin_new(struct fmpi_reader *r)
{
	struct fmpi_origin *o = calloc(1, sizeof(*o));

	if (!o)
		return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
	o->where = r->where;
	memcpy(o->events, r->event_at, sizeof(o->events));
	memcpy(o->devices, r->device_at, sizeof(o->devices));
	memcpy(o->elements, r->element_at, sizeof(o->elements));
	for (unsigned i = 0; i < r->n_files; i++) {
		o->files[i] = r->files[i].name;
		o->is_base[i] = r->files[i].kind == FMPI_INCLUDE_BASE;
		r->files[i].name = NULL;
	}
	r->policy->origin = o;
	return 0;
}

void fmpi_origin_free(struct fmpi_origin *o)
{
	for (unsigned i = 0; o && i < FMPI_INCLUDES_MAX; i++)
		free(o->files[i]);
	free(o);
}

/* "gateway/limits/body" */
static void format_path(const struct fmpi_setting *s, char *buf, size_t size)
{
	const struct fmpi_element *e = fmpi_element_find(s->element);
	char behind[96];

	snprintf(buf, size, "%s", s->attribute);
	for (; e && e->parent; e = fmpi_element_find(e->parent)) {
		snprintf(behind, sizeof(behind), "%.95s", buf);
		snprintf(buf, size, "%s/%s", e->name, behind);
	}
}

static const struct fmp_position *find_event(const struct fmpi_origin *o, const char *path)
{
	static const char begin[] = "suspicion/event[";
	char name[64];

	if (strncmp(path, begin, sizeof(begin) - 1) != 0)
		return NULL;
	path += sizeof(begin) - 1;
	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++) {
		snprintf(name, sizeof(name), "%s]", fmp_event_kind_name(k));
		if (!strncmp(path, name, strlen(name)))
			return &o->events[k];
	}
	return NULL;
}

/* The position of the enclosing element, for elements that may occur more than once: nothing in
 * them is a default. */
static const struct fmp_position *find_element(const struct fmpi_origin *o, const char *path)
{
	const struct fmp_position *found = NULL;

	for (size_t len; *path; path += len + strspn(path + len, "/")) {
		len = strcspn(path, "/[");
		for (size_t i = 0; i < fmpi_n_elements; i++)
			if (fmpi_elements[i].many && strlen(fmpi_elements[i].name) == len &&
			    !memcmp(fmpi_elements[i].name, path, len) && o->elements[i].line)
				found = &o->elements[i];
		len = strcspn(path, "/");
		/* A key may contain any character, '/' too. */
		if (memchr(path, '[', len))
			break;
	}
	return found;
}

static const struct fmp_position *find_position(const struct fmpi_origin *o, const char *path)
{
	char name[160];

	for (size_t i = 0; i < fmpi_n_settings; i++) {
		format_path(&fmpi_settings[i], name, sizeof(name));
		if (!strcmp(name, path))
			return &o->where.at[i];
	}
	return strstr(path, "event[") ? find_event(o, path) : find_element(o, path);
}

static bool is_base_file(const struct fmpi_origin *o, const char *file)
{
	for (unsigned i = 0; i < FMPI_INCLUDES_MAX; i++)
		if (o->files[i] == file)
			return o->is_base[i];
	return false;
}

const char *fmp_policy_origin(const struct fmp_policy *p, const char *path, char *buf, size_t size)
{
	const struct fmp_position *at = p->origin ? find_position(p->origin, path) : NULL;

	if (!at || !at->line)
		snprintf(buf, size, "default");
	else
		snprintf(buf, size, "%s:%u:%u%s", at->file ? at->file : p->file, at->line,
			 at->column,
			 at->file && is_base_file(p->origin, at->file) ? " (base)" : "");
	return buf;
}

static void set_position(const struct fmp_policy *p, const char *file, unsigned line,
			 unsigned column, struct fmp_error *err)
{
	snprintf(err->file, sizeof(err->file), "%s", file ? file : p->file);
	err->line = line;
	err->column = column;
}

/* Does @text contain @value as a word of its own? */
static bool mentions_word(const char *text, const char *value)
{
	const char *at = *value ? strstr(text, value) : NULL;

	return at && (at == text || !strchr(FMPI_NAME_CHARACTERS "/", at[-1])) &&
	       (!at[strlen(value)] || !strchr(FMPI_NAME_CHARACTERS "/", at[strlen(value)]) ||
		at[strlen(value)] == '.');
}

bool fmp_policy_locate(const struct fmp_policy *p, const char *value, struct fmp_error *err)
{
	char text[FMPI_VALUE_MAX];

	for (unsigned i = 0; i < p->enforce.n_devices && p->origin; i++)
		if (!strcmp(p->enforce.devices[i], value)) {
			const struct fmp_position *at = &p->origin->devices[i];

			set_position(p, at->file, at->line, at->column, err);
			return true;
		}
	for (size_t i = 0; i < fmpi_n_settings && p->origin; i++) {
		const struct fmpi_setting *s = &fmpi_settings[i];
		const struct fmp_position *at = &p->origin->where.at[i];

		if (!at->line || (s->type != FMPI_FILE && s->type != FMPI_WORD &&
				  strcmp(s->attribute, "user") && strcmp(s->attribute, "group")))
			continue;
		fmpi_setting_format(s, (const char *)p + s->offset, text);
		if (!mentions_word(value, text))
			continue;
		set_position(p, at->file, at->line, at->column, err);
		return true;
	}
	for (size_t i = 0; i < p->n_services; i++) {
		const struct fmp_policy_service *svc = &p->services[i];
		const struct fmp_policy_gateway *d = &svc->demands;

		if (svc->line &&
		    (mentions_word(value, d->schema) || mentions_word(value, d->catalog) ||
		     mentions_word(value, d->trust) || mentions_word(value, d->key) ||
		     mentions_word(value, d->crl) || mentions_word(value, d->backend_tls.ca) ||
		     mentions_word(value, d->backend_tls.certificate) ||
		     mentions_word(value, d->backend_tls.key) || mentions_word(value, svc->name))) {
			set_position(p, NULL, svc->line, svc->column, err);
			return true;
		}
	}
	return false;
}
