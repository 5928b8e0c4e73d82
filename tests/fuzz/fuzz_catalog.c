// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: an XML catalog, and a schema whose import it maps. The input is the content of the
 * catalog.
 *
 * What must hold besides no crash: nothing outside of the catalog's folder is loaded, whatever it says.
 */
#include <libxml/schemasInternals.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "places/catalog.h"
#include "schema/schema.h"
#include "xml/entity_loader.h"

static char dir[] = "/tmp/fmp-fuzz-catalog-XXXXXX", at[128];
static unsigned long inputs, catalogs, loaded;

static void print_counters(void)
{
	printf("catalog: %lu inputs, %lu catalogs, %lu schemas loaded\n", inputs, catalogs, loaded);
}

static void write_file(const char *name, const void *bytes, size_t len)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "we");
	if (!f || fwrite(bytes, 1, len, f) != len || fclose(f))
		abort();
}

static void remove_files(void)
{
	static const char *const names[] = {
		"in/catalog.xml", "in/next.xml", "in/main.xsd", "in/x.xsd",
		"in/link.xsd",	  "out.xsd",	 "in",		""
	};
	char path[256];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		remove(path);
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
#define XS "xmlns:xs='http://www.w3.org/2001/XMLSchema'"
	/* Only the schema outside has an element "secret". */
	static const char main_xsd[] =
		"<xs:schema " XS " xmlns:x='urn:x'><xs:import namespace='urn:x' "
		"schemaLocation='http://h/x.xsd'/><xs:element name='e'><xs:complexType>"
		"<xs:sequence><xs:element ref='x:x'/></xs:sequence></xs:complexType></xs:element>"
		"</xs:schema>";
	static const char in[] = "<xs:schema " XS " targetNamespace='urn:x'>"
				 "<xs:element name='x'/></xs:schema>";
	static const char out[] = "<xs:schema " XS " targetNamespace='urn:x'>"
				  "<xs:element name='x'/><xs:element name='secret'/></xs:schema>";
	static const char next[] = "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>"
				   "<uri name='urn:x' uri='x.xsd'/></catalog>";
	char path[256];

	if (!mkdtemp(dir))
		abort();
	snprintf(path, sizeof(path), "%s/in", dir);
	snprintf(at, sizeof(at), "%s/in/catalog.xml", dir);
	if (mkdir(path, 0700))
		abort();
	snprintf(path, sizeof(path), "%s/in/link.xsd", dir);
	if (symlink("../out.xsd", path))
		abort();
	write_file("in/main.xsd", main_xsd, sizeof(main_xsd) - 1);
	write_file("in/x.xsd", in, sizeof(in) - 1);
	write_file("out.xsd", out, sizeof(out) - 1);
	write_file("in/next.xml", next, sizeof(next) - 1);
	fmpi_entity_loader_install();
	atexit(remove_files);
	atexit(print_counters);
	return 0;
}

static void load_schema(void)
{
	char path[256];
	struct fmpi_schema_source source = { .path = path, .catalog = at };
	struct fmpi_schema *schema;
	struct fmp_error err = { 0 };

	snprintf(path, sizeof(path), "%s/in/main.xsd", dir);
	if (fmpi_schema_load(&source, &schema, &err))
		return;
	loaded++;
	if (xmlHashLookup2(fmpi_schema_compiled(schema, false)->elemDecl, BAD_CAST "secret",
			   BAD_CAST "urn:x"))
		abort();
	fmpi_schema_free(schema);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char open[] = "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>";
	static const char close[] = "</catalog>";
	struct fmpi_catalog *c = NULL;
	struct fmpi_catalog_hit location = { 0 }, ns = { 0 };
	struct fmp_error err = { 0 };
	char *text = malloc(size + sizeof(open) + sizeof(close));
	size_t n = 0;
	bool whole = size && data[0] == '<' && size > 1 && data[1] == '?';

	inputs++;
	if (!text)
		return 0;
	if (!whole)
		n = (size_t)(stpcpy(text, open) - text);
	memcpy(text + n, data, size);
	n += size;
	if (!whole)
		n += (size_t)(stpcpy(text + n, close) - text - n);
	write_file("in/catalog.xml", text, n);
	free(text);
	if (fmpi_catalog_load(at, &c, &err) == 0) {
		catalogs++;
		if (fmpi_catalog_find_location(c, "http://h/x.xsd", &location) == 0)
			free(location.uri);
		if (fmpi_catalog_find_namespace(c, "urn:x", &ns) == 0)
			free(ns.uri);
		load_schema();
	}
	fmpi_catalog_free(c);
	return 0;
}
