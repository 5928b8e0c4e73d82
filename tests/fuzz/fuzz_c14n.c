// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: our canonical forms against libxml2's, byte by byte: the exclusive one of every
 * element of a document, the inclusive one of the whole. Each input is one document and one list of prefixes (policy_xml.h).
 *
 * What ours leaves to others must be rare, and said so at the end.
 */
#include <libxml/c14n.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/error.h>

#include "canonical.h"
#include "xml/c14n.h"
#include "xml/document.h"
#include "xml.h"

#define MAX_APEXES 24

static unsigned long inputs, documents, relative, elements, unsupported;

static void print_counters(void)
{
	printf("c14n: %lu inputs, %lu documents, %lu of them with relative namespaces, "
	       "%lu elements, %lu left to others\n",
	       inputs, documents, relative, elements, unsupported);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	xml_start(print_counters);
	return 0;
}

/* As xmlsec1 reads it. */
static void split_prefixes(char *list, xmlChar **out, unsigned size)
{
	unsigned n = 0;

	for (char *p = list, *next; p && *p && n + 1 < size; p = next) {
		next = strchr(p, ' ');
		if (next)
			*next++ = '\0';
		out[n++] = (xmlChar *)p;
	}
	out[n] = NULL;
}

static void fail_at_difference(const struct xml_text *t, const char *list, const xmlNode *apex,
			       const struct fmpi_buffer *ours, xmlOutputBuffer *theirs)
{
	fprintf(stderr, "document:\n%.*s\napex %s, prefixes '%s'\nours:\n%.*s\ntheirs:\n%s\n",
		(int)t->n, t->p, (const char *)apex->name, list, (int)ours->len,
		ours->p ? ours->p : "",
		theirs ? (const char *)xmlOutputBufferGetContent(theirs) : "none");
	abort();
}

static void compare_forms(const struct xml_text *t, xmlNode *apex, const char *list, bool absolute)
{
	struct fmpi_buffer ours = { 0 };
	struct fmpi_prefixes prefixes;
	xmlOutputBuffer *theirs;
	xmlChar *array[32];
	size_t room = SIZE_MAX, left = SIZE_MAX;
	char words[256];
	int ret;

	snprintf(words, sizeof(words), "%s", list);
	split_prefixes(words, array, 32);
	theirs = canonical_form(apex, array);
	ret = fmpi_prefixes_read(list, &prefixes);
	if (!ret)
		ret = fmpi_c14n_exclusive(apex, &prefixes, &room, &ours);
	if (!ret && (fmpi_c14n_exclusive(apex, &prefixes, &left, NULL) || left != room))
		fail_at_difference(t, list, apex, &ours, theirs);
	elements++;
	if (!theirs != !absolute)
		fail_at_difference(t, list, apex, &ours, theirs);
	if (ret == FMP_ERR_UNSUPPORTED)
		unsupported++;
	else if (ret ||
		 (theirs && (ours.len != xmlOutputBufferGetSize(theirs) ||
			     memcmp(ours.p, xmlOutputBufferGetContent(theirs), ours.len) != 0)))
		fail_at_difference(t, list, apex, &ours, theirs);
	free(ours.p);
	if (theirs)
		xmlOutputBufferClose(theirs);
}

/* libxml2 does not write it as a document's may stand there. */
static bool odd_namespace(const xmlNode *root)
{
	for (const xmlNode *e = root; e; e = fmpi_walk_next(root, e))
		for (const xmlNs *ns = e->nsDef; ns; ns = ns->next)
			if (ns->href && strpbrk((const char *)ns->href, "&<\"\t\n\r"))
				return true;
	return false;
}

/* Beside libxml2's where that has one; and there is no other of what was read of it. */
static void compare_whole(const struct xml_text *t, xmlDoc *doc, bool absolute)
{
	const xmlNode *root = xmlDocGetRootElement(doc);
	struct fmpi_buffer ours = { 0 }, again = { 0 };
	struct fmp_inspection v;
	xmlChar *theirs = NULL;
	xmlDoc *read = NULL;
	int len;

	if (fmpi_c14n_inclusive(root, &ours) || fmpi_document_parse(ours.p, ours.len, &read, &v) ||
	    fmpi_c14n_inclusive(xmlDocGetRootElement(read), &again) || again.len != ours.len ||
	    memcmp(again.p, ours.p, ours.len) != 0)
		fail_at_difference(t, "all", root, &ours, NULL);
	len = xmlC14NDocDumpMemory(doc, NULL, XML_C14N_1_0, NULL, 0, &theirs);
	/* It has what stands beside the root, too. */
	if (len < 0 ? absolute
		    : !odd_namespace(root) && !memmem(theirs, (size_t)len, ours.p, ours.len)) {
		fprintf(stderr, "theirs:\n%s\n", len < 0 ? "none" : (const char *)theirs);
		fail_at_difference(t, "all", root, &ours, NULL);
	}
	xmlFreeDoc(read);
	xmlFree(theirs);
	free(ours.p);
	free(again.p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct xml_text text;
	struct xml_dice dice;
	struct xml_maker maker = { .dice = &dice, .text = &text };
	struct fmp_inspection v;
	char list[200];
	unsigned n = 0;
	xmlDoc *doc;
	xmlNode *root;
	bool absolute;

	text.n = 0;
	xml_dice_init(&dice, data, size);
	xml_prefix_list(&dice, list, sizeof(list));
	xml_document(&maker);
	inputs++;
	if (fmpi_document_parse(text.p, text.n, &doc, &v))
		return 0;
	documents++;
	root = xmlDocGetRootElement(doc);
	absolute = fmpi_c14n_absolute(root);
	relative += !absolute;
	compare_whole(&text, doc, absolute);
	for (xmlNode *e = root; e && n < MAX_APEXES; e = fmpi_walk_next(root, e), n++)
		compare_forms(&text, e, list, absolute);
	xmlFreeDoc(doc);
	return 0;
}
