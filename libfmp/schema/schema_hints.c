// SPDX-License-Identifier: GPL-2.0
#include "schema_hints.h"

#include <stdlib.h>
#include <string.h>

#include <fmp/error.h>

#include "xml/names.h"

bool fmpi_hints_is(const xmlAttr *a)
{
	return a->ns && strcmp((const char *)a->ns->href, NS_XSI) == 0 &&
	       (strcmp((const char *)a->name, "schemaLocation") == 0 ||
		strcmp((const char *)a->name, "noNamespaceSchemaLocation") == 0);
}

int fmpi_hints_add(struct fmpi_hints *h, xmlAttr *a)
{
	if (h->n == h->capacity) {
		size_t capacity = h->capacity ? 2 * h->capacity : 4;
		struct fmpi_hint *list = reallocarray(h->list, capacity, sizeof(*list));

		if (!list)
			return FMP_ERR_NOMEM;
		h->list = list;
		h->capacity = capacity;
	}
	h->list[h->n++].attribute = a;
	return 0;
}

void fmpi_hints_hide(struct fmpi_hints *h)
{
	for (size_t i = 0; i < h->n; i++) {
		xmlAttr *a = h->list[i].attribute;

		h->list[i].before = a->prev;
		if (a->prev)
			a->prev->next = a->next;
		else
			a->parent->properties = a->next;
		if (a->next)
			a->next->prev = a->prev;
	}
}

/* In reverse order, so that the predecessor of an attribute is restored first. */
void fmpi_hints_restore(struct fmpi_hints *h)
{
	for (size_t i = h->n; i--;) {
		xmlAttr *a = h->list[i].attribute, *before = h->list[i].before;

		a->prev = before;
		a->next = before ? before->next : a->parent->properties;
		if (before)
			before->next = a;
		else
			a->parent->properties = a;
		if (a->next)
			a->next->prev = a;
	}
}
