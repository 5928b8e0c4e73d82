// SPDX-License-Identifier: GPL-2.0
/* Finds values that need a recheck, and checks IDs and references of a payload. */
#include "schema_strict.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xml/document.h"
#include "date_time.h"
#include "plain_base64.h"
#include "xml/names.h"

/* ---- which values need a recheck ---- */

/* Return: "ID" or "IDREF", also for a list of IDREFs; NULL: another type. */
static const char *find_id_type(const struct fmpi_schema_set *s, struct fmpi_type t)
{
	const xmlNode *n = t.node ? fmpi_type_derivation(t.node) : NULL;
	const char *root;

	if (fmpi_is(n, NS_XSD, "list"))
		t = fmpi_type_of(s, n, "itemType");
	root = fmpi_type_root(s, t);
	if (strncmp(root, "IDREF", 5) == 0)
		return "IDREF";
	return strcmp(root, "ID") == 0 ? "ID" : NULL;
}

static void note_list_types(const struct fmpi_schema_set *s, const xmlNode *n,
			    const char *attribute, struct fmpi_strict *out)
{
	const char *names = fmpi_attribute(n, NULL, attribute);
	char name[256];

	while (fmpi_type_next_name(&names, name, sizeof(name))) {
		struct fmpi_type t = fmpi_type_named(s, n, name);

		out->has_lists = out->has_lists || (t.builtin && fmpi_strict_is_list(t.builtin));
	}
}

/* @is_needed: set if libxml2 does not check them itself: it compares only IDs of attributes */
static int note_id_type(const struct fmpi_schema_set *s, const xmlNode *n, struct fmpi_strict *out,
			bool *is_needed)
{
	const char *name = fmpi_attribute(n, NULL, "name"), *reference;
	bool is_attribute = fmpi_is(n, NS_XSD, "attribute");

	if (!name || (!is_attribute && !fmpi_is(n, NS_XSD, "element")))
		return 0;
	reference = find_id_type(s, fmpi_type_of(s, n, "type"));
	if (!reference)
		return 0;
	*is_needed = *is_needed || !is_attribute || strcmp(reference, "ID") != 0;
	return xmlHashUpdateEntry(out->ids, (const xmlChar *)name, (void *)n, NULL) ? FMP_ERR_NOMEM
										    : 0;
}

/* Unions are left to libxml2. */
static int note_base64_type(const struct fmpi_schema_set *s, const xmlNode *n,
			    struct fmpi_strict *out)
{
	const char *name = fmpi_attribute(n, NULL, "name");
	const xmlNode *derivation;
	struct fmpi_type t;

	if (!name || (!fmpi_is(n, NS_XSD, "attribute") && !fmpi_is(n, NS_XSD, "element")))
		return 0;
	t = fmpi_type_of(s, n, "type");
	derivation = t.node ? fmpi_type_derivation(t.node) : NULL;
	if (fmpi_is(derivation, NS_XSD, "list"))
		t = fmpi_type_of(s, derivation, "itemType");
	if (strcmp(fmpi_type_root(s, t), "base64Binary") != 0)
		return 0;
	if (!out->base64)
		out->base64 = xmlHashCreate(16);
	return !out->base64 || xmlHashUpdateEntry(out->base64, (const xmlChar *)name, (void *)n,
						  NULL)
		       ? FMP_ERR_NOMEM
		       : 0;
}

static bool is_identity_constraint(const xmlNode *n)
{
	return fmpi_is(n, NS_XSD, "unique") || fmpi_is(n, NS_XSD, "key") ||
	       fmpi_is(n, NS_XSD, "keyref");
}

int fmpi_strict_collect(const struct fmpi_schema_set *s, struct fmpi_strict *out)
{
	bool is_needed = false;
	int ret;

	*out = (struct fmpi_strict){ .ids = xmlHashCreate(16) };
	ret = out->ids ? 0 : FMP_ERR_NOMEM;
	for (unsigned i = 0; i < s->n && !ret; i++) {
		const xmlNode *root = xmlDocGetRootElement(s->docs[i].doc);

		for (const xmlNode *n = root; n && !ret; n = fmpi_walk_next(root, n)) {
			note_list_types(s, n, "type", out);
			note_list_types(s, n, "base", out);
			note_list_types(s, n, "itemType", out);
			note_list_types(s, n, "memberTypes", out);
			if (fmpi_strict_is_range(n) &&
			    fmpi_date_time_is_type(fmpi_type_root(s, fmpi_type_base(s, n->parent))))
				out->has_ranges = true;
			out->has_keys = out->has_keys || is_identity_constraint(n);
			ret = note_id_type(s, n, out, &is_needed);
			if (!ret)
				ret = note_base64_type(s, n, out);
		}
	}
	/* Keys compare values: none may be hidden. */
	if (!ret && out->base64 && !out->has_keys)
		ret = fmpi_plain_base64_collect(s, &out->plain_base64);
	if (ret || !is_needed) {
		xmlHashFree(out->ids, NULL);
		out->ids = NULL;
	}
	return ret;
}

void fmpi_strict_clear(struct fmpi_strict *s)
{
	xmlHashFree(s->ids, NULL);
	xmlHashFree(s->base64, NULL);
	xmlHashFree(s->plain_base64, NULL);
	s->ids = s->base64 = s->plain_base64 = NULL;
}

bool fmpi_strict_is_id(const struct fmpi_strict *s, const xmlChar *local)
{
	return s->ids && xmlHashLookup(s->ids, local);
}

/* ---- scanning a value ---- */

bool fmpi_strict_is_stray_value(const struct fmpi_strict *s, const xmlNode *value)
{
	if (!fmpi_strict_is_base64(s, value->name))
		return false;
	for (const xmlNode *n = value->children; n; n = n->next)
		if (n->type == XML_TEXT_NODE &&
		    fmpi_strict_has_strays((const char *)n->content,
					   strlen((const char *)n->content)))
			return true;
	return false;
}

static bool word_needs_recheck(const struct fmpi_recheck *d)
{
	if (d->first == 'N')
		return d->before == 'a' && d->last == 'N';
	if (d->last == 'S')
		return d->before == '.';
	if (d->strict->has_ranges && (d->first == '-' || (d->first >= '0' && d->first <= '9')))
		return true;
	return d->before && (d->last == 'e' || d->last == 'E' || d->last == '+' || d->last == '-');
}

static void end_word(struct fmpi_recheck *d)
{
	d->is_found = d->is_found || (d->first && word_needs_recheck(d));
	d->first = d->before = d->last = '\0';
}

/* Add a word, or the rest of one that started in the previous piece. */
static void add_word_part(struct fmpi_recheck *d, const char *word, size_t len)
{
	if (!d->first) {
		d->first = *word;
		d->is_text = !d->has_word && fmpi_recheck_is_text(*word);
		d->has_word = true;
	}
	d->before = len > 1 ? word[len - 2] : d->last;
	d->last = word[len - 1];
}

void fmpi_recheck_feed(struct fmpi_recheck *d, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end && !d->is_text && !d->is_found) {
		const char *word = text;

		/* XML allows only white space among the characters up to the blank. */
		while (text < end && (unsigned char)*text > ' ')
			text++;
		if (text > word)
			add_word_part(d, word, (size_t)(text - word));
		if (text < end) {
			end_word(d);
			text++;
		}
	}
}

bool fmpi_recheck_end(struct fmpi_recheck *d)
{
	bool is_found;

	if (!d->is_text)
		end_word(d);
	is_found = d->is_found || (d->strict->has_lists && !d->has_word);
	*d = (struct fmpi_recheck){ .strict = d->strict };
	return is_found;
}

/* ---- a payload ---- */

struct strict_check {
	const struct fmpi_schema_set *s;
	const struct fmpi_strict *of;
	const xmlNode *payload;
	struct fmp_inspection *v;
	xmlHashTable *ids; /* IDs met, with their nodes */
	const xmlNode *dangling; /* the first reference without an ID */
	bool has_unknown; /* some value may be an ID, but its type is unknown */
	struct fmpi_type_path path;
};

static bool value_needs_recheck(const struct fmpi_strict *of, const xmlNode *value)
{
	struct fmpi_recheck d = { .strict = of };

	for (const xmlNode *n = value->children; n; n = n->next)
		if (n->type == XML_TEXT_NODE)
			fmpi_recheck_feed(&d, (const char *)n->content,
					  strlen((const char *)n->content));
	return fmpi_recheck_end(&d);
}

static int refuse_value(struct strict_check *c, const xmlNode *value, const char *what)
{
	return fmpi_refuse(c->v, FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA, fmpi_line(value),
			   "%s '%s': the value %s",
			   value->type == XML_ATTRIBUTE_NODE ? "Attribute" : "Element", value->name,
			   what);
}

/* Check an ID or a list of references. @is_first: the pass that collects IDs */
static int check_reference(struct strict_check *c, const xmlNode *value, const char *type,
			   char *text, bool is_first)
{
	char *rest = NULL;

	if (strcmp(type, "ID") == 0) {
		if (!is_first)
			return 0;
		if (xmlHashLookup(c->ids, (const xmlChar *)text))
			return refuse_value(c, value, "is the ID of something else, too");
		return xmlHashAddEntry(c->ids, (const xmlChar *)text, (void *)value) ? FMP_ERR_NOMEM
										     : 0;
	}
	for (char *word = is_first ? NULL : strtok_r(text, " \t\r\n", &rest); word;
	     word = strtok_r(NULL, " \t\r\n", &rest))
		if (!xmlHashLookup(c->ids, (const xmlChar *)word))
			c->dangling = c->dangling ? c->dangling : value;
	return 0;
}

static int check_value(struct strict_check *c, const xmlNode *value, bool is_first)
{
	bool needs_recheck = is_first && (value_needs_recheck(c->of, value) ||
					  fmpi_strict_is_stray_value(c->of, value));
	bool is_id = fmpi_strict_is_id(c->of, value->name);
	const char *fixed, *reference;
	struct fmpi_type t;
	char *text;
	int ret = 0;

	if (!needs_recheck && !is_id)
		return 0;
	t = fmpi_type_of_value(c->s, c->payload, value, &c->path, &fixed);
	if (fmpi_type_is_unknown(&t)) {
		c->has_unknown = true;
		return 0;
	}
	reference = is_id ? find_id_type(c->s, t) : NULL;
	if (!needs_recheck && !reference)
		return 0;
	text = fmpi_value_copy_trimmed(value);
	if (!text)
		return FMP_ERR_NOMEM;
	/* An empty element may have a default value. */
	if (needs_recheck && (*text || value->type == XML_ATTRIBUTE_NODE) &&
	    !fmpi_strict_accepts(c->s, t, text, strlen(text)))
		ret = refuse_value(c, value, "is not one of its type");
	if (!ret && reference)
		ret = check_reference(c, value, reference, text, is_first);
	xmlFree(text);
	return ret;
}

static int check_values(struct strict_check *c, bool is_first)
{
	int ret = 0;

	for (const xmlNode *n = c->payload; n && !ret; n = fmpi_walk_next(c->payload, n)) {
		for (xmlAttr *a = n->properties; a && !ret; a = a->next)
			if (!a->ns || strcmp((const char *)a->ns->href, NS_XSI) != 0)
				ret = check_value(c, (xmlNode *)a, is_first);
		if (!ret && !fmpi_first(n))
			ret = check_value(c, n, is_first);
	}
	return ret;
}

int fmpi_strict_check(const struct fmpi_schema_set *s, const struct fmpi_strict *of,
		      const xmlNode *payload, struct fmp_inspection *v)
{
	struct strict_check c;
	int ret;

	/* Not zeroed as a whole: the path is large and seldom used. */
	memset(&c, 0, offsetof(struct strict_check, path));
	c.s = s;
	c.of = of;
	c.payload = payload;
	c.v = v;
	c.path.n = 0;
	c.ids = of->ids ? xmlHashCreate(64) : NULL;
	if (of->ids && !c.ids)
		return FMP_ERR_NOMEM;
	ret = check_values(&c, true);
	if (!ret && of->ids) {
		ret = check_values(&c, false);
		if (!ret && c.dangling && !c.has_unknown)
			ret = refuse_value(&c, c.dangling, "refers to an ID that is nowhere");
	}
	xmlHashFree(c.ids, NULL);
	return ret;
}
