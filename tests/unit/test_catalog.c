// SPDX-License-Identifier: GPL-2.0
/* Where imports of a schema lead: catalogs, folders, and what is built in. */
#include <check.h>
#include <libxml/parser.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <schema/schema.h>
#include <xml/entity_loader.h>

#define NS_XS	"xmlns:xs='http://www.w3.org/2001/XMLSchema'"
#define TARGET	"<xs:schema " NS_XS " targetNamespace='urn:x'><xs:element name='x'/></xs:schema>"
#define CATALOG "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>"

static char dir[] = "/tmp/fmp-catalog-XXXXXX";

static void write_file(const char *name, const char *format, ...)
{
	char path[256];
	va_list ap;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "we");
	ck_assert_ptr_nonnull(f);
	va_start(ap, format);
	vfprintf(f, format, ap);
	va_end(ap);
	fclose(f);
}

static void make_link(const char *target, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	ck_assert_int_eq(symlink(target, path), 0);
}

static void setup(void)
{
	char path[64];

	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = { "in", "in/s", "in/lib" };

		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		ck_assert_int_eq(mkdir(path, 0700), 0);
	}
	write_file("in/lib/x.xsd", TARGET);
	write_file("in/lib/odd", TARGET);
	write_file("in/s/x.xsd", TARGET);
	write_file("out.xsd", TARGET);
	fmpi_entity_loader_install();
}

static void teardown(void)
{
	char command[64];

	fmpi_entity_loader_remove();
	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
}

/* Return: the error's text; "": it loads. */
static const char *load_catalog(const char *catalog, const char *around)
{
	static char text[1024];
	char path[64], catalog_path[64], around_path[64];
	struct fmpi_schema_source source = { .path = path };
	struct fmpi_schema *schema;
	struct fmp_error err = { 0 };

	snprintf(path, sizeof(path), "%s/in/s/main.xsd", dir);
	snprintf(catalog_path, sizeof(catalog_path), "%s/%s", dir, catalog ? catalog : "");
	snprintf(around_path, sizeof(around_path), "%s/%s", dir, around ? around : "");
	source.catalog = catalog ? catalog_path : NULL;
	source.around = around ? around_path : NULL;
	*text = '\0';
	if (fmpi_schema_load(&source, &schema, &err))
		fmp_error_format(&err, text, sizeof(text));
	else
		fmpi_schema_free(schema);
	return text;
}

static void write_main(const char *location)
{
	write_file("in/s/main.xsd",
		   "<xs:schema " NS_XS " xmlns:x='urn:x'><xs:import namespace='urn:x'%s%s%s/>"
		   "<xs:element name='e'><xs:complexType><xs:sequence><xs:element ref='x:x'/>"
		   "</xs:sequence></xs:complexType></xs:element></xs:schema>",
		   location ? " schemaLocation='" : "", location ? location : "",
		   location ? "'" : "");
}

START_TEST(where_catalogs_lead)
{
	static const struct {
		const char *location, *entries, *what; /* what: "": it loads */
	} all[] = {
		{ "http://h/x.xsd", "<system systemId='http://h/x.xsd' uri='lib/x.xsd'/>", "" },
		{ "http://h/x.xsd", "<uri name='http://h/x.xsd' uri='lib/x.xsd'/>", "" },
		{ "http://h/x.xsd", "<uri name='urn:x' uri='lib/odd'/>", "" },
		{ "http://h/x.xsd", "<public publicId='urn:x' uri='lib/odd'/>", "" },
		{ NULL, "<uri name='urn:x' uri='lib/x.xsd'/>", "" },
		{ "http://h/a/x.xsd",
		  "<rewriteSystem systemIdStartString='http://h/' rewritePrefix='none/'/>"
		  "<rewriteSystem systemIdStartString='http://h/a/' rewritePrefix='lib/'/>",
		  "" },
		{ "https://h/a/x.xsd",
		  "<rewriteURI uriStartString='https://h/a/' rewritePrefix='lib/'/>", "" },
		{ "http://h/a/x.xsd", "<systemSuffix systemIdSuffix='/x.xsd' uri='lib/x.xsd'/>",
		  "" },
		{ "http://h/x.xsd",
		  "<group xml:base='lib/'><uri name='http://h/x.xsd' uri='x.xsd'/></group>", "" },
		{ "http://h/x.xsd", "<nextCatalog catalog='next.xml'/>", "" },
		{ "http://h/x.xsd", "<delegateURI uriStartString='http://h/' catalog='next.xml'/>",
		  "" },
		{ "http://h/x.xsd",
		  "<delegateSystem systemIdStartString='http://h/' catalog='loop.xml'/>"
		  "<nextCatalog catalog='next.xml'/>",
		  "" },
		{ "../lib/nothing.xsd", "<system systemId='../lib/nothing.xsd' uri='lib/odd'/>",
		  "" },
		{ "http://h/x.xsd", "", "nothing is fetched" },
		{ "http://h/x.xsd", "<uri name='http://h/x.xsd' uri='http://k/x.xsd'/>",
		  "nothing is fetched" },
		{ "http://h/x.xsd", "<uri name='http://h/x.xsd' uri='lib/none.xsd'/>",
		  "no such file" },
		/* Out of the folder, by dots of the catalog and by dots of the location. */
		{ "http://h/x.xsd", "<uri name='http://h/x.xsd' uri='../out.xsd'/>",
		  "is not below" },
		{ "http://h/../../out.xsd",
		  "<rewriteURI uriStartString='http://h/' rewritePrefix='lib/'/>", "is not below" },
		{ "http://h/odd", "<rewriteURI uriStartString='http://h/' rewritePrefix='lib/'/>",
		  "is not below" },
		{ "http://h/x.xsd", "<nextCatalog catalog='../out.xml'/>", "is not below" },
		{ "http://h/x.xsd", "<nextCatalog catalog='none.xml'/>",
		  "catalog.xml:1: nextCatalog" },
		{ "http://h/x.xsd", "<nextCatalog catalog='http://h/c.xml'/>",
		  "nothing is fetched" },
		/* Out of the folder in other spellings. */
		{ "http://h/x.xsd", "<uri name='http://h/x.xsd' uri='/etc/passwd'/>",
		  "is not below" },
		{ "http://h/x.xsd", "<uri name='http://h/x.xsd' uri='file:///etc/passwd'/>",
		  "is not below" },
		{ "http://h/x.xsd", "<uri name='http://h/x.xsd' uri='%2e%2e/out.xsd'/>",
		  "is not below" },
		{ "http://h/x.xsd", "<uri name='http://h/x.xsd' uri='lib/..%2f..%2fout.xsd'/>",
		  "is not below" },
		{ "http://h/x.xsd", "<uri name='http://h/x.xsd' uri='lib/../../out.xsd'/>",
		  "is not below" },
		{ "http://h/x.xsd", "<uri name='http://h/x.xsd' uri='link.xsd'/>", "is not below" },
		{ "http://h/x.xsd", "<uri name='http://h/x.xsd' uri='linked/out.xsd'/>",
		  "is not below" },
		{ "http://h/x.xsd",
		  "<group xml:base='../'><uri name='http://h/x.xsd' "
		  "uri='out.xsd'/></group>",
		  "is not below" },
		{ "http://h/x.xsd",
		  "<group xml:base='/'><uri name='http://h/x.xsd' "
		  "uri='etc/passwd'/></group>",
		  "is not below" },
		{ "http://h/x.xsd", "<nextCatalog catalog='linked/out.xml'/>", "is not below" },
		{ "http://h/x.xsd",
		  "<delegateURI uriStartString='http://h/' catalog='file:///etc/passwd'/>",
		  "is not below" },
		{ "http://h/x.xsd", "<nextCatalog catalog='catalog.xml'/>", "nothing is fetched" },
		{ "http://h/x.xsd",
		  "<delegateURI uriStartString='http://h/' catalog='catalog.xml'/>",
		  "nothing is fetched" },
		{ "http://h/x.xsd", "<uri name='http://h/x.xsd'/>", "<uri> has no uri" },
		{ "http://h/x.xsd", "<nextCatalog/>", "<nextCatalog> has no catalog" },
		{ "http://h/x.xsd", "<uri>", "not well-formed" },
	};

	write_file("in/next.xml", "%s<uri name='http://h/x.xsd' uri='lib/x.xsd'/></catalog>",
		   CATALOG);
	write_file("in/loop.xml",
		   "%s<nextCatalog catalog='catalog.xml'/><nextCatalog catalog='loop.xml'/>"
		   "<nextCatalog catalog='next.xml'/></catalog>",
		   CATALOG);
	write_file("out.xml", "%s</catalog>", CATALOG);
	make_link("../out.xsd", "in/link.xsd");
	make_link("..", "in/linked");
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const char *text;

		write_main(all[i].location);
		write_file("in/catalog.xml", "%s%s</catalog>", CATALOG, all[i].entries);
		text = load_catalog("in/catalog.xml", NULL);
		ck_assert_msg(*all[i].what ? strstr(text, all[i].what) != NULL : !*text,
			      "row %zu: %s", i, text);
	}
	write_main("http://h/x.xsd");
	write_file("in/catalog.xml", "<!DOCTYPE catalog [<!ENTITY a 'lib/x.xsd'>]>" CATALOG
				     "<uri name='http://h/x.xsd' uri='&a;'/></catalog>");
	ck_assert_ptr_nonnull(strstr(load_catalog("in/catalog.xml", NULL), "declares no entities"));
	write_file("in/catalog.xml", "<catalog/>");
	ck_assert_ptr_nonnull(strstr(load_catalog("in/catalog.xml", NULL), "no XML catalog"));
	ck_assert_ptr_nonnull(strstr(load_catalog("in/none.xml", NULL), "cannot read the catalog"));
}
END_TEST

START_TEST(bounds_of_catalogs)
{
	char path[64];
	FILE *f;

	write_main("http://h/x.xsd");
	for (int i = 0; i < 70; i++) {
		snprintf(path, sizeof(path), "in/c%d.xml", i);
		write_file(path, "%s<nextCatalog catalog='c%d.xml'/></catalog>", CATALOG,
			   i < 69 ? i + 1 : 0);
	}
	ck_assert_ptr_nonnull(strstr(load_catalog("in/c0.xml", NULL), "more than 64 files"));
	for (int rows = 16384; rows <= 16385; rows++) {
		snprintf(path, sizeof(path), "%s/in/many.xml", dir);
		f = fopen(path, "we");
		fputs(CATALOG, f);
		for (int i = 1; i < rows; i++)
			fprintf(f, "<uri name='u%d' uri='u'/>\n", i);
		fputs("<uri name='urn:x' uri='lib/x.xsd'/></catalog>", f);
		fclose(f);
		ck_assert_str_eq(
			strstr(load_catalog("in/many.xml", NULL), "more than 16384") ? "no" : "yes",
			rows > 16384 ? "no" : "yes");
	}
	snprintf(path, sizeof(path), "%s/in/many.xml", dir);
	f = fopen(path, "we");
	fprintf(f, "%s%*s</catalog>", CATALOG, 1 << 20, "");
	fclose(f);
	ck_assert_ptr_nonnull(strstr(load_catalog("in/many.xml", NULL), "larger than 1 MiB"));
}
END_TEST

/* Dots lead out of the schema's folder only below the folder around, and to schemas only. */
START_TEST(folder_around)
{
	static const struct {
		const char *location, *around, *what;
	} all[] = {
		{ "../lib/x.xsd", NULL, "is not below" },
		{ "../lib/x.xsd", "in", "" },
		{ "../lib/x.xsd", "in/lib", "" },
		{ "../lib/odd", "in", "is not below" },
		{ "../../out.xsd", "in", "is not below" },
		{ "../../out.xsd", "", "" },
		{ "x.xsd", "in/lib", "" },
		{ "../in/../lib/none.xsd", "in", "no such file" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const char *text;

		write_main(all[i].location);
		text = load_catalog(NULL, all[i].around);
		ck_assert_msg(*all[i].what ? strstr(text, all[i].what) != NULL : !*text,
			      "row %zu: %s", i, text);
	}
	/* A file around may not name others as its entities. */
	write_file("in/lib/x.xsd", "<!DOCTYPE x [<!ENTITY e SYSTEM '../s/secret'>]>"
				   "<xs:schema " NS_XS " targetNamespace='urn:x'>"
				   "<xs:element name='x'/>&e;</xs:schema>");
	write_file("in/s/secret", "<xs:element " NS_XS " name='secret'/>");
	write_file("in/s/main.xsd",
		   "<xs:schema " NS_XS " xmlns:x='urn:x'><xs:import namespace='urn:x' "
		   "schemaLocation='../lib/x.xsd'/><xs:element name='e'>"
		   "<xs:complexType><xs:sequence><xs:element ref='x:secret'/>"
		   "</xs:sequence></xs:complexType></xs:element></xs:schema>");
	ck_assert_ptr_nonnull(strstr(load_catalog(NULL, "in"), "does not resolve"));
}
END_TEST

/* XSD 1.0 forbids it, others read it like an include; UDDI's schemas do it. */
START_TEST(import_of_the_own_namespace)
{
	static const struct {
		const char *import, *what; /* what: "": it loads */
	} all[] = {
		{ "namespace='urn:x' schemaLocation='more.xsd'", "" },
		{ "namespace='urn:x' schemaLocation='main.xsd'/>"
		  "<xs:import namespace='urn:x' schemaLocation='more.xsd'",
		  "" },
		{ "namespace='urn:x'/><xs:include schemaLocation='more.xsd'", "" },
		{ "namespace='urn:x' schemaLocation='http://h/x.xsd'/>"
		  "<xs:include schemaLocation='more.xsd'",
		  "" },
		{ "namespace='urn:x'", "does not resolve" },
		{ "namespace='urn:x' schemaLocation='none.xsd'", "no such file" },
		{ "namespace='urn:x' schemaLocation='../../out.xsd'", "is not below" },
		{ "namespace='urn:x' schemaLocation='other.xsd'", "that file is of" },
	};

	write_file("in/s/more.xsd", "<xs:schema " NS_XS " xmlns:x='urn:x' targetNamespace='urn:x'>"
				    "<xs:import namespace='urn:x' schemaLocation='main.xsd'/>"
				    "<xs:element name='more' type='x:T'/></xs:schema>");
	write_file("in/s/other.xsd", "<xs:schema " NS_XS " targetNamespace='urn:o'/>");
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const char *text;

		write_file("in/s/main.xsd",
			   "<xs:schema " NS_XS " xmlns:x='urn:x' targetNamespace='urn:x'>"
			   "<xs:import %s/><xs:complexType name='T'/><xs:element name='e'>"
			   "<xs:complexType><xs:sequence><xs:element ref='x:more'/></xs:sequence>"
			   "</xs:complexType></xs:element></xs:schema>",
			   all[i].import);
		text = load_catalog(NULL, NULL);
		ck_assert_msg(*all[i].what ? strstr(text, all[i].what) != NULL : !*text,
			      "row %zu: %s", i, text);
	}
}
END_TEST

/* Each one compiles, with a location that does not exist. */
START_TEST(built_in)
{
	static const struct {
		const char *ns, *element, *type;
	} all[] = {
#define WSA(date) "http://schemas.xmlsoap.org/ws/" date "/addressing"
		{ "http://schemas.xmlsoap.org/soap/envelope/", "Fault", "detail" },
		{ "http://www.w3.org/2003/05/soap-envelope", "Fault", "faultcode" },
		{ "http://schemas.xmlsoap.org/soap/encoding/", "int", "Array" },
		{ "http://www.w3.org/2003/05/soap-encoding", "int", "Array" },
		{ "http://www.w3.org/2005/05/xmlmime", NULL, "base64Binary" },
		{ "http://www.w3.org/2004/11/xmlmime", NULL, "base64Binary" },
		{ "http://www.w3.org/2004/08/xop/include", "Include", "Include" },
		{ WSA("2003/03"), "Recipient", "EndpointReferenceType" },
		{ WSA("2004/03"), "ReplyTo", "AttributedURI" },
		{ WSA("2004/08"), "ReplyTo", "ReferenceParametersType" },
		{ "http://www.w3.org/2005/08/addressing", "ProblemAction",
		  "EndpointReferenceType" },
		{ "http://docs.oasis-open.org/wsrf/bf-2", "BaseFault", "BaseFaultType" },
		{ "http://docs.oasis-open.org/wsrf/r-2", "ResourceUnknownFault",
		  "ResourceUnavailableFaultType" },
#define WSS "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-"
		{ "http://www.w3.org/2000/09/xmldsig#", "Signature", "KeyInfoType" },
		{ "http://www.w3.org/2001/04/xmlenc#", "EncryptedData", "EncryptedKeyType" },
		{ WSS "utility-1.0.xsd", "Timestamp", "AttributedDateTime" },
		{ WSS "secext-1.0.xsd", "Security", "UsernameTokenType" },
		{ "http://schemas.xmlsoap.org/wsdl/", "definitions", "tDefinitions" },
		{ "http://schemas.xmlsoap.org/wsdl/soap/", "address", "tBody" },
		{ "http://schemas.xmlsoap.org/wsdl/soap12/", "address", "tBody" },
		{ "http://schemas.xmlsoap.org/wsdl/mime/", "content", "tPart" },
		{ "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd",
		  "SignatureConfirmation", "EncryptedHeaderType" },
		{ "http://www.w3.org/2009/xmlenc11#", "ConcatKDFParams", "MGFType" },
		{ "http://www.w3.org/2009/xmldsig11#", "ECKeyValue", "X509DigestType" },
		{ "http://schemas.xmlsoap.org/ws/2004/09/policy", "Policy", "OperatorContentType" },
		{ "http://www.w3.org/ns/ws-policy", "PolicyReference", "OperatorContentType" },
		{ "http://www.w3.org/2006/05/addressing/wsdl", "UsingAddressing", "AnonymousType" },
		{ "http://www.w3.org/2007/05/addressing/metadata", "Addressing",
		  "ServiceNameType" },
		{ "http://schemas.xmlsoap.org/ws/2004/09/mex", "GetMetadata", NULL },
		{ "http://www.w3.org/1999/xlink", "title", "simple" },
		{ "http://ws-i.org/profiles/basic/1.1/xsd", NULL, "swaRef" },
		{ "http://schemas.xmlsoap.org/ws/2005/02/rm", "CreateSequence", "SequenceType" },
		{ "http://docs.oasis-open.org/ws-rx/wsrm/200702", "CloseSequence", "OfferType" },
		{ "urn:oasis:names:tc:SAML:2.0:protocol", "AuthnRequest", "StatusResponseType" },
		{ "urn:oasis:names:tc:SAML:1.0:assertion", "Assertion", "NameIdentifierType" },
		{ "urn:oasis:names:tc:SAML:2.0:assertion", "Assertion", "NameIDType" },
		{ "http://docs.oasis-open.org/wsn/t-1", "TopicSet", "TopicNamespaceType" },
		{ "http://docs.oasis-open.org/wsn/b-2", "Notify", "AbsoluteOrRelativeTimeType" },
		{ "http://schemas.xmlsoap.org/ws/2005/02/rm", "Sequence", "OfferType" },
		{ "http://docs.oasis-open.org/ws-rx/wsrm/200702", "Sequence", "OfferType" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		char element[128] = "", type[128] = "";

		if (all[i].element)
			snprintf(element, sizeof(element), "<xs:element ref='b:%s'/>",
				 all[i].element);
		if (all[i].type)
			snprintf(type, sizeof(type), "<xs:element name='t' type='b:%s'/>",
				 all[i].type);
		write_file("in/s/main.xsd",
			   "<xs:schema " NS_XS " xmlns:b='%s'><xs:import namespace='%s' "
			   "schemaLocation='%s'/><xs:element name='e'><xs:complexType><xs:sequence>"
			   "%s%s</xs:sequence></xs:complexType></xs:element></xs:schema>",
			   all[i].ns, all[i].ns, i % 2 ? "none.xsd" : all[i].ns, element, type);
		ck_assert_msg(!*load_catalog(NULL, NULL), "%s: %s", all[i].ns,
			      load_catalog(NULL, NULL));
	}
}
END_TEST

static bool is_valid_by_main(const char *text)
{
	char path[256];
	const struct fmpi_schema_source source = { .path = path };
	struct fmp_error err = { 0 };
	xmlSchemaValidCtxtPtr ctxt;
	struct fmpi_schema *s;
	xmlDoc *doc;
	int ret;

	snprintf(path, sizeof(path), "%s/in/s/main.xsd", dir);
	ck_assert_msg(!fmpi_schema_load(&source, &s, &err), "%s", err.message);
	doc = xmlReadMemory(text, (int)strlen(text), NULL, NULL, XML_PARSE_NONET);
	ck_assert_ptr_nonnull(doc);
	ctxt = xmlSchemaNewValidCtxt(fmpi_schema_compiled(s, false));
	ck_assert_ptr_nonnull(ctxt);
	ret = xmlSchemaValidateDoc(ctxt, doc);
	xmlSchemaFreeValidCtxt(ctxt);
	xmlFreeDoc(doc);
	fmpi_schema_free(s);
	return ret == 0;
}

/* Is it valid by the built-in schema of that namespace, and those that it imports? */
static bool is_valid_by(const char *ns, const char *text)
{
	write_file("in/s/main.xsd", "<xs:schema " NS_XS "><xs:import namespace='%s'/></xs:schema>",
		   ns);
	return is_valid_by_main(text);
}

static bool is_valid_signature_part(const char *text)
{
	return is_valid_by("http://www.w3.org/2001/04/xmlenc#", text);
}

/* Names, order, cardinality and types are those of the standard's tables. */
START_TEST(built_in_content)
{
#define KEY_INFO(content) \
	"<KeyInfo xmlns='http://www.w3.org/2000/09/xmldsig#'>" content "</KeyInfo>"
	ck_assert(is_valid_signature_part(KEY_INFO("<KeyName>k</KeyName>")));
	ck_assert(is_valid_signature_part(KEY_INFO("<x xmlns='urn:x'/>")));
	ck_assert(!is_valid_signature_part(KEY_INFO("")));
	ck_assert(!is_valid_signature_part(KEY_INFO("<KeyNames>k</KeyNames>")));
	ck_assert(!is_valid_signature_part(KEY_INFO("<KeyValue><RSAKeyValue><Modulus>AAAA"
						    "</Modulus></RSAKeyValue></KeyValue>")));
	ck_assert(!is_valid_signature_part(KEY_INFO("<KeyName><x xmlns='urn:x'/></KeyName>")));
}
END_TEST

/* tests/interop/builtins.sh sets all of them beside the official ones. */
START_TEST(built_in_content_of_others)
{
#define RM "http://schemas.xmlsoap.org/ws/2005/02/rm"
#define ACKS(wsa)                                                                               \
	"<r:CreateSequence xmlns:r='" RM "'><r:AcksTo><Address xmlns='" wsa "'>urn:a</Address>" \
	"</r:AcksTo></r:CreateSequence>"
#define SAML11 "urn:oasis:names:tc:SAML:1.0:assertion"
#define SAMLP  "urn:oasis:names:tc:SAML:2.0:protocol"
#define WSDL   "http://schemas.xmlsoap.org/wsdl/"
#define MEX    "http://schemas.xmlsoap.org/ws/2004/09/mex"
#define WSAM   "http://www.w3.org/2007/05/addressing/metadata"
	static const struct {
		const char *ns, *text;
		bool is_valid;
	} all[] = {
		{ RM, ACKS("http://www.w3.org/2005/08/addressing"), true },
		{ RM, ACKS("http://schemas.xmlsoap.org/ws/2004/08/addressing"), true },
		{ RM, ACKS("urn:other"), false },
		{ SAML11, "<Conditions xmlns='" SAML11 "'><DoNotCacheCondition/></Conditions>",
		  true },
		{ SAML11, "<Conditions xmlns='" SAML11 "'><OneTimeUse/></Conditions>", false },
		{ SAMLP, "<Status xmlns='" SAMLP "'><StatusCode Value='urn:s'/></Status>", true },
		{ SAMLP, "<Status xmlns='" SAMLP "'/>", false },
		{ WSDL, "<definitions xmlns='" WSDL "'><message name='m'/></definitions>", true },
		{ WSDL,
		  "<definitions xmlns='" WSDL
		  "'><message name='m'/><message name='m'/></definitions>",
		  false },
		{ WSDL, "<definitions xmlns='" WSDL "'><message/></definitions>", false },
		{ MEX, "<GetMetadata xmlns='" MEX "'><Dialect>urn:d</Dialect></GetMetadata>",
		  true },
		{ MEX, "<GetMetadata xmlns='" MEX "'><Dialects/></GetMetadata>", false },
		{ WSAM, "<Addressing xmlns='" WSAM "'><p:Policy xmlns:p='urn:p'/></Addressing>",
		  true },
		{ WSAM, "<Addressing xmlns='" WSAM "'><Policy/></Addressing>", false },
		{ WSAM, "<ServiceName xmlns='" WSAM "' EndpointName='e f'>s</ServiceName>", false },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		ck_assert_msg(is_valid_by(all[i].ns, all[i].text) == all[i].is_valid, "row %zu: %s",
			      i, all[i].text);
}
END_TEST

/* WCF's AcksTo is taken beside own schemas of WS-Addressing, which the built-in one may not need. */
START_TEST(built_in_beside_own)
{
	static const struct {
		const char *ns, *text;
		bool is_valid;
	} all[] = {
		{ "http://schemas.xmlsoap.org/ws/2004/08/addressing",
		  ACKS("http://www.w3.org/2005/08/addressing"), true },
		{ "http://www.w3.org/2005/08/addressing",
		  ACKS("http://www.w3.org/2005/08/addressing"), true },
		{ "http://www.w3.org/2005/08/addressing",
		  ACKS("http://schemas.xmlsoap.org/ws/2004/08/addressing"), true },
		{ "http://www.w3.org/2005/08/addressing", ACKS("urn:other"), false },
		{ "http://www.w3.org/2005/08/addressing",
		  "<Address xmlns='http://www.w3.org/2005/08/addressing'>1</Address>", true },
		{ "http://www.w3.org/2005/08/addressing",
		  "<Address xmlns='http://www.w3.org/2005/08/addressing'>a</Address>", false },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		write_file("in/s/own.xsd",
			   "<xs:schema " NS_XS " targetNamespace='%s'><xs:element name='Address' "
			   "type='xs:int'/></xs:schema>",
			   all[i].ns);
		write_file("in/s/main.xsd",
			   "<xs:schema " NS_XS "><xs:import namespace='%s' "
			   "schemaLocation='own.xsd'/><xs:import namespace='" RM "'/></xs:schema>",
			   all[i].ns);
		ck_assert_msg(is_valid_by_main(all[i].text) == all[i].is_valid, "row %zu", i);
	}
}
END_TEST

/* Parameters of algorithms are of namespaces that no document here is of: WSS4J and others send them. */
START_TEST(built_in_parameters)
{
#define DS   "xmlns='http://www.w3.org/2000/09/xmldsig#'"
#define XENC "xmlns='http://www.w3.org/2001/04/xmlenc#'"
	ck_assert(is_valid_signature_part(
		"<CanonicalizationMethod " DS
		" Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'>"
		"<e:InclusiveNamespaces xmlns:e='http://www.w3.org/2001/10/xml-exc-c14n#' "
		"PrefixList='soap'/></CanonicalizationMethod>"));
	ck_assert(is_valid_signature_part(
		"<SignatureMethod " DS
		" Algorithm='http://www.w3.org/2007/05/xmldsig-more#rsa-pss'>"
		"<p:RSAPSSParams xmlns:p='http://www.w3.org/2007/05/xmldsig-more#'/>"
		"</SignatureMethod>"));
	ck_assert(is_valid_signature_part(
		"<EncryptedKey " XENC "><EncryptionMethod "
		"Algorithm='http://www.w3.org/2009/xmlenc11#rsa-oaep'>"
		"<d:DigestMethod xmlns:d='http://www.w3.org/2000/09/xmldsig#' Algorithm='urn:d'/>"
		"<m:MGF xmlns:m='http://www.w3.org/2009/xmlenc11#' Algorithm='urn:m'/>"
		"</EncryptionMethod><CipherData><CipherValue>AAAA</CipherValue></CipherData>"
		"</EncryptedKey>"));
	ck_assert(is_valid_signature_part(
		"<AgreementMethod " XENC " Algorithm='http://www.w3.org/2009/xmlenc11#ECDH-ES'>"
		"<m:KeyDerivationMethod xmlns:m='http://www.w3.org/2009/xmlenc11#' "
		"Algorithm='urn:k'/></AgreementMethod>"));
	/* What is here is checked. */
	ck_assert(!is_valid_signature_part(
		"<EncryptedKey " XENC "><EncryptionMethod Algorithm='urn:e'>"
		"<d:DigestMethod xmlns:d='http://www.w3.org/2000/09/xmldsig#'/>"
		"</EncryptionMethod><CipherData><CipherValue>AAAA</CipherValue></CipherData>"
		"</EncryptedKey>"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("catalog");
	TCase *t = tcase_create("catalog");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, where_catalogs_lead);
	tcase_add_test(t, bounds_of_catalogs);
	tcase_add_test(t, folder_around);
	tcase_add_test(t, import_of_the_own_namespace);
	tcase_add_test(t, built_in);
	tcase_add_test(t, built_in_content);
	tcase_add_test(t, built_in_content_of_others);
	tcase_add_test(t, built_in_beside_own);
	tcase_add_test(t, built_in_parameters);
	suite_add_tcase(s, t);
	runner = srunner_create(s);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
