// SPDX-License-Identifier: GPL-2.0
#include "record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/policy.h>
#include <fmp/internal/text.h>

#define FIELDS_FIRST 8u

int record_new(struct record *r)
{
	*r = (struct record){ .v = calloc(FIELDS_FIRST, sizeof(*r->v)), .cap = FIELDS_FIRST };
	return r->v ? 0 : FMP_ERR_NOMEM;
}

void record_free(struct record *r)
{
	if (!r->v)
		return;
	for (unsigned i = 0; i < r->n; i++)
		free(r->v[i].text);
	free(r->v);
	*r = (struct record){ 0 };
}

static struct record_value *find_value(const struct record *r, uint16_t id)
{
	for (unsigned i = 0; i < r->n; i++)
		if (r->v[i].id == id)
			return &r->v[i];
	return NULL;
}

/* Return: the field, added empty if it was absent; NULL without memory. */
static struct record_value *get_or_add_value(struct record *r, uint16_t id)
{
	struct record_value *v = find_value(r, id);

	if (v)
		return v;
	if (r->n == r->cap) {
		v = reallocarray(r->v, 2 * r->cap, sizeof(*v));
		if (!v)
			return NULL;
		r->v = v;
		r->cap *= 2;
	}
	v = &r->v[r->n++];
	*v = (struct record_value){ .id = id };
	return v;
}

static int decode_value(const struct fmp_wire_field *f, enum fmp_ctl_value type,
			struct record_value *v)
{
	switch (type) {
	case FMP_V_ADDR:
		return fmp_wire_get_addr(f, &v->addr);
	case FMP_V_STR:
		v->text = malloc(f->len + 1);
		if (!v->text)
			return FMP_ERR_NOMEM;
		v->text[0] = '\0';
		if (fmp_wire_get_str(f, v->text, f->len + 1))
			return FMP_ERR_SYNTAX;
		fmp_text_clean(v->text);
		return 0;
	default:
		return fmp_wire_get_u64(f, &v->number);
	}
}

static int decode_field(struct record *r, const struct fmp_wire_field *f, enum fmp_ctl_value type)
{
	struct record_value *v = get_or_add_value(r, f->id);

	return v ? decode_value(f, type, v) : FMP_ERR_NOMEM;
}

int record_decode(struct fmp_wire_in *in, struct record *r)
{
	const struct fmp_ctl_field_info *info;
	struct fmp_wire_field f;
	int rc = record_new(r);

	if (rc)
		return rc;
	while ((rc = fmp_wire_next(in, &f)) > 0) {
		info = fmp_ctl_field_info(f.id);
		if (!info)
			continue; /* from a newer fmpd */
		if (find_value(r, f.id))
			rc = FMP_ERR_SYNTAX;
		else
			rc = decode_field(r, &f, info->type);
		if (rc)
			break;
	}
	if (rc)
		record_free(r);
	return rc;
}

int records_add(struct records *l, struct record *r)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 32;
		struct record *more = realloc(l->r, cap * sizeof(*more));

		if (!more) {
			record_free(r);
			return FMP_ERR_NOMEM;
		}
		l->r = more;
		l->cap = cap;
	}
	l->r[l->n++] = *r;
	return 0;
}

void records_free(struct records *l)
{
	for (size_t i = 0; i < l->n; i++)
		record_free(&l->r[i]);
	free(l->r);
	*l = (struct records){ 0 };
}

const struct record *records_find(const struct records *l, const char *kind)
{
	for (size_t i = 0; i < l->n; i++)
		if (record_is(&l->r[i], kind))
			return &l->r[i];
	return NULL;
}

/* Without memory the setters leave the field absent. */
void record_set_number(struct record *r, uint16_t id, uint64_t n)
{
	struct record_value *v = get_or_add_value(r, id);

	if (v)
		v->number = n;
}

void record_set_text(struct record *r, uint16_t id, const char *s)
{
	struct record_value *v = get_or_add_value(r, id);

	if (!v)
		return;
	free(v->text);
	v->text = strdup(s);
	if (!v->text)
		*v = r->v[--r->n];
}

void record_set_addr(struct record *r, uint16_t id, const struct fmp_addr *a)
{
	struct record_value *v = get_or_add_value(r, id);

	if (v)
		v->addr = *a;
}

bool record_has(const struct record *r, uint16_t id)
{
	return find_value(r, id) != NULL;
}

bool record_is(const struct record *r, const char *kind)
{
	return !strcmp(record_string(r, FMP_F_RECORD), kind);
}

uint64_t record_number(const struct record *r, uint16_t id)
{
	const struct record_value *v = find_value(r, id);

	return v ? v->number : 0;
}

const struct fmp_addr *record_addr(const struct record *r, uint16_t id)
{
	static const struct fmp_addr none;
	const struct record_value *v = find_value(r, id);

	return v ? &v->addr : &none;
}

const char *record_string(const struct record *r, uint16_t id)
{
	const struct record_value *v = find_value(r, id);

	return v && v->text ? v->text : "";
}

static const char *format_bytes(uint64_t v, char *buf, size_t size)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double d = (double)v;
	unsigned u = 0;

	while (d >= 1024 && u + 1 < sizeof(units) / sizeof(units[0])) {
		d /= 1024;
		u++;
	}
	snprintf(buf, size, u ? "%.1f %s" : "%.0f %s", d, units[u]);
	return buf;
}

const char *record_text(const struct record *r, uint16_t id, char *buf, size_t size)
{
	const struct fmp_ctl_field_info *info = fmp_ctl_field_info(id);
	const struct record_value *v = find_value(r, id);

	buf[0] = '\0';
	if (!info || !v)
		return buf;
	switch (info->type) {
	case FMP_V_STR:
		snprintf(buf, size, "%s", v->text);
		/* Records made by fmpctl itself may hold text of files and messages: clean them too. */
		fmp_text_clean(buf);
		break;
	case FMP_V_ADDR:
		return fmp_addr_format(&v->addr, buf, size);
	case FMP_V_BOOL:
		snprintf(buf, size, "%s", v->number ? "yes" : "no");
		break;
	case FMP_V_MS:
		/* Round to seconds above one second. */
		return fmp_duration_format(
			v->number >= 1000 ? (v->number + 500) / 1000 * 1000 : v->number, buf, size);
	case FMP_V_BYTES:
		return format_bytes(v->number, buf, size);
	case FMP_V_RATIO:
		snprintf(buf, size, "%.4g %%", (double)v->number / 10000);
		break;
	case FMP_V_U64:
		snprintf(buf, size, "%" PRIu64, v->number);
		break;
	}
	return buf;
}

static struct json_object *value_to_json(const struct fmp_ctl_field_info *info,
					 const struct record_value *v)
{
	char addr[FMP_ADDR_STRLEN];

	switch (info->type) {
	case FMP_V_STR:
		return json_object_new_string(v->text);
	case FMP_V_ADDR:
		return json_object_new_string(fmp_addr_format(&v->addr, addr, sizeof(addr)));
	case FMP_V_BOOL:
		return json_object_new_boolean(v->number != 0);
	case FMP_V_RATIO:
		return json_object_new_double((double)v->number / 1000000);
	default:
		return json_object_new_uint64(v->number);
	}
}

struct json_object *record_json(const struct record *r)
{
	struct json_object *o = json_object_new_object();
	const struct fmp_ctl_field_info *info;
	const struct record_value *v;

	for (uint16_t id = 1; id < FMP_F_MAX; id++) {
		info = fmp_ctl_field_info(id);
		v = find_value(r, id);
		if (info && v)
			json_object_object_add(o, info->name, value_to_json(info, v));
	}
	return o;
}
