// SPDX-License-Identifier: GPL-2.0
#include "inspect/wsdl_schema.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/document.h"
#include "inspect/names.h"

/* As many empty lines before it as the WSDL has: what is wrong is told with its line. */
static bool write_part(const struct fmpi_wsdl_schema *s, struct fmpi_loader_text *out)
{
	size_t lines = s->line > 1 ? s->line - 1 : 0;
	xmlBuffer *text = xmlBufferCreate();
	int n = text ? xmlNodeDump(text, s->doc, xmlDocGetRootElement(s->doc), 0, 0) : -1;

	out->path = s->url;
	out->bytes = n > 0 ? malloc(lines + (size_t)n) : NULL;
	if (out->bytes) {
		memset(out->bytes, '\n', lines);
		memcpy(out->bytes + lines, xmlBufferContent(text), (size_t)n);
		out->len = (int)lines + n;
	}
	xmlBufferFree(text);
	return out->bytes;
}

static bool add_import(xmlNode *root, const struct fmpi_wsdl_schema *s)
{
	const char *ns = fmpi_attribute(xmlDocGetRootElement(s->doc), NULL, "targetNamespace");
	xmlNode *n = xmlNewChild(root, root->ns, (const xmlChar *)"import", NULL);

	return n && (!ns || xmlNewProp(n, (const xmlChar *)"namespace", (const xmlChar *)ns)) &&
	       xmlNewProp(n, (const xmlChar *)"schemaLocation", (const xmlChar *)s->url);
}

static bool write_whole(const struct fmpi_wsdl *w, struct fmpi_wsdl_texts *out)
{
	xmlDoc *doc = xmlNewDoc((const xmlChar *)"1.0");
	xmlNode *root = doc ? xmlNewDocNode(doc, NULL, (const xmlChar *)"schema", NULL) : NULL;
	xmlChar *text = NULL;
	bool good = root;

	if (root) {
		xmlDocSetRootElement(doc, root);
		xmlSetNs(root, xmlNewNs(root, (const xmlChar *)NS_XSD, (const xmlChar *)"xs"));
		/* A namespace of its own: it could not import what has none else. */
		good = root->ns && xmlNewProp(root, (const xmlChar *)"targetNamespace",
					      (const xmlChar *)"urn:fmp:wsdl");
	}
	for (unsigned i = 0; good && i < w->n_schemas; i++)
		good = add_import(root, &w->schema[i]);
	if (good)
		xmlDocDumpMemory(doc, &text, &out->whole_len);
	xmlFreeDoc(doc);
	out->whole = (char *)text;
	return text;
}

int fmpi_wsdl_texts_make(const struct fmpi_wsdl *w, struct fmpi_wsdl_texts *out)
{
	bool good;

	*out = (struct fmpi_wsdl_texts){ 0 };
	good = write_whole(w, out);
	for (; good && out->n < w->n_schemas; out->n++)
		good = write_part(&w->schema[out->n], &out->part[out->n]);
	if (good)
		return 0;
	fmpi_wsdl_texts_clear(out);
	return FMP_ERR_NOMEM;
}

void fmpi_wsdl_texts_clear(struct fmpi_wsdl_texts *t)
{
	for (unsigned i = 0; i < FMPI_WSDL_SCHEMAS; i++)
		free(t->part[i].bytes);
	xmlFree(t->whole);
	*t = (struct fmpi_wsdl_texts){ 0 };
}

const char *fmpi_wsdl_file_of(const struct fmpi_wsdl *w, const char *path)
{
	for (unsigned i = 0; i < w->n_schemas; i++)
		if (strcmp(w->schema[i].url, path) == 0)
			return w->schema[i].file;
	return NULL;
}
