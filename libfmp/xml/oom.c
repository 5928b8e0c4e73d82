// SPDX-License-Identifier: GPL-2.0
/*
 * Out-of-memory tracker: libxml2 reports a failed allocation in many ways: as a parser error, as a
 * global error, as a validation error with another reason, as a missing name, or not at all. So its
 * allocators are wrapped.
 */
#include "oom.h"

#include <libxml/globals.h>
#include <libxml/xmlmemory.h>

static __thread bool ran_out;
static xmlFreeFunc below_free;
static xmlMallocFunc below_malloc;
static xmlReallocFunc below_realloc;
static xmlStrdupFunc below_strdup;

static void *note_result(void *p)
{
	ran_out = ran_out || !p;
	return p;
}

static void *watch_malloc(size_t n)
{
	return note_result(below_malloc(n));
}

static void *watch_realloc(void *p, size_t n)
{
	/* realloc() to size 0 is free(). */
	return n ? note_result(below_realloc(p, n)) : below_realloc(p, n);
}

static char *watch_strdup(const char *text)
{
	return note_result(below_strdup(text));
}

void fmpi_oom_install(void)
{
	if (xmlMalloc == watch_malloc)
		return;
	xmlMemGet(&below_free, &below_malloc, &below_realloc, &below_strdup);
	xmlMemSetup(below_free, watch_malloc, watch_realloc, watch_strdup);
}

void fmpi_oom_begin(void)
{
	ran_out = false;
}

bool fmpi_oom_happened(void)
{
	return ran_out;
}
