// SPDX-License-Identifier: GPL-2.0
/*
 * WSDLs as tools write them: types split over schemas and files, ports that can't be checked beside
 * ones that can, MIME, .NET's DataSet. Each loads, or is refused with position and remedy.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "run.h"
#include "vectors.h"

#define XSD "xmlns:xs='http://www.w3.org/2001/XMLSchema' "
#define HEAD                                                             \
	"<w:definitions xmlns:w='http://schemas.xmlsoap.org/wsdl/' " XSD \
	"targetNamespace='urn:w' xmlns='urn:w' xmlns:t='urn:t' "         \
	"xmlns:s='http://schemas.xmlsoap.org/wsdl/soap/' "               \
	"xmlns:h='http://schemas.xmlsoap.org/wsdl/http/' "               \
	"xmlns:mime='http://schemas.xmlsoap.org/wsdl/mime/' "            \
	"xmlns:s12='http://schemas.xmlsoap.org/wsdl/soap12/'>\n"
#define END		  "</w:definitions>"
#define TYPES(all)	  "<w:types>\n" all "</w:types>\n"
#define SCHEMA(more, all) "<xs:schema " more ">" all "</xs:schema>\n"
#define OF_T		  "targetNamespace='urn:t' elementFormDefault='qualified'"
#define PUT                                                    \
	"<xs:element name='put'><xs:complexType><xs:sequence>" \
	"<xs:element name='n' type='t:N'/></xs:sequence></xs:complexType></xs:element>"
#define GOT "<xs:element name='got' type='xs:int'/>"
#define N   "<xs:simpleType name='N'><xs:restriction base='xs:int'/></xs:simpleType>"
#define MESSAGES                                                               \
	"<w:message name='P'><w:part name='p' element='t:put'/></w:message>\n" \
	"<w:message name='G'><w:part name='g' element='t:got'/></w:message>\n"
#define PORT                                                                            \
	"<w:portType name='T'><w:operation name='put'><w:input message='P'/><w:output " \
	"message='G'/></w:operation></w:portType>\n"
#define OPERATION(name, in, out)                                                \
	"<w:operation name='" name "'><s:operation soapAction=''/><w:input>" in \
	"</w:input><w:output>" out "</w:output></w:operation>\n"
#define LITERAL "<s:body use='literal'/>"
#define BINDING(type, all) \
	"<w:binding name='B" type "' type='" type "'><s:binding/>" all "</w:binding>\n"
#define BOUND BINDING("T", OPERATION("put", LITERAL, LITERAL))
#define REST  MESSAGES PORT BOUND
#define ONE   TYPES(SCHEMA(OF_T, PUT GOT N))

#define GOOD "<put xmlns='urn:t'><n>17</n></put>"
#define BAD  "<put xmlns='urn:t'><n>x</n></put>"

static char dir[64], path[128];

static void setup(void)
{
	vectors_setup();
	strcpy(dir, "/tmp/fmp-kinds.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/main.wsdl", dir);
}

static void teardown(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", dir);
	ck_assert_int_eq(system(command), 0);
	vectors_teardown();
}

static void write_file(const char *name, const char *text)
{
	char file[128];
	FILE *f;

	snprintf(file, sizeof(file), "%s/%s", dir, name);
	f = fopen(file, "we");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

static struct fmp_inspector *load_port(const char *port)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCV);

	cfg.schema = path;
	cfg.port = port;
	return make_inspector(&cfg);
}

static void expect_load_error(const char *port, const char *where, const char *what)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCV);
	struct fmp_error err = { 0 };
	struct fmp_inspector *i;
	char text[1024];

	cfg.schema = path;
	cfg.port = port;
	ck_assert_int_ne(fmp_inspector_new(&cfg, &i, &err), 0);
	fmp_error_format(&err, text, sizeof(text));
	ck_assert_msg(strstr(text, where) && strstr(text, what), "%s", text);
	ck_assert_msg(!strstr(text, "Internal error"), "%s", text);
}

/* Return: what is wrong with the payload under that action; "": nothing. */
static const char *find_action_fault(struct fmp_inspector *i, const char *payload, bool answer,
				     const char *action)
{
	static struct fmp_inspection v;
	static char text[4096];
	struct fmp_message m = {
		.now_s = VECTORS_NOW, .answer = answer, .bytes = text, .soap_action = action
	};

	m.len = (size_t)snprintf(text, sizeof(text),
				 "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'>"
				 "<e:Body>%s</e:Body></e:Envelope>",
				 payload);
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	fmp_inspection_clear(&v);
	return v.detail;
}

static const char *find_fault(struct fmp_inspector *i, const char *payload, bool answer)
{
	return find_action_fault(i, payload, answer, NULL);
}

static void takes_orders(const char *port)
{
	struct fmp_inspector *i = load_port(port);

	ck_assert_str_eq(find_fault(i, GOOD, false), "");
	ck_assert_str_ne(find_fault(i, BAD, false), "");
	ck_assert_str_eq(find_fault(i, "<got xmlns='urn:t'>1</got>", true), "");
	ck_assert_str_ne(find_fault(i, "<got xmlns='urn:t'>x</got>", true), "");
	fmp_inspector_free(i);
}

/* ---- types in several documents ---- */

#define A_XSD	      "<xs:schema " XSD OF_T " xmlns:t='urn:t'>" PUT "</xs:schema>"
#define B_XSD	      "<xs:schema " XSD OF_T ">" GOT N "</xs:schema>"
#define IMPORT(file)  "<xs:import namespace='urn:t' schemaLocation='" file "'/>"
#define INCLUDE(file) "<xs:include schemaLocation='" file "'/>"

START_TEST(types_in_several_documents)
{
	static const char *const all[] = {
		/* Two of one namespace; one is empty. */
		TYPES(SCHEMA(OF_T, PUT) SCHEMA(OF_T, N GOT)),
		TYPES(SCHEMA(OF_T, PUT) SCHEMA(OF_T, N) SCHEMA(OF_T, "") SCHEMA(OF_T, GOT)),
		/* Metro, JAX-WS: schemas that only import. */
		TYPES(SCHEMA("", IMPORT("a.xsd")) SCHEMA("", IMPORT("b.xsd"))),
		TYPES(SCHEMA("", IMPORT("a.xsd") IMPORT("b.xsd") IMPORT("a.xsd"))),
		TYPES(SCHEMA("targetNamespace='urn:other'", IMPORT("a.xsd") IMPORT("b.xsd"))),
		TYPES(SCHEMA("", IMPORT("a.xsd"))
			      SCHEMA("targetNamespace='urn:x'", IMPORT("b.xsd"))),
		/* Included and imported at once; in circles; by itself. */
		TYPES(SCHEMA(OF_T, INCLUDE("a.xsd") INCLUDE("b.xsd"))),
		TYPES(SCHEMA(OF_T, INCLUDE("a.xsd")) SCHEMA("", IMPORT("b.xsd"))),
		TYPES(SCHEMA(OF_T, INCLUDE("circle.xsd"))),
		TYPES(SCHEMA("", IMPORT("circle.xsd") IMPORT("circle2.xsd"))),
		TYPES(SCHEMA("", IMPORT("out.xsd"))),
		/* Imported into their own namespace, as an include. */
		TYPES(SCHEMA(OF_T, IMPORT("a.xsd") IMPORT("b.xsd"))),
		TYPES(SCHEMA(OF_T, IMPORT("a.xsd")) SCHEMA(OF_T, IMPORT("a.xsd") N GOT)),
		/* Without a target namespace: the including schema has one. */
		TYPES(SCHEMA(OF_T, INCLUDE("chameleon.xsd") GOT)
			      SCHEMA("targetNamespace='urn:u'", INCLUDE("chameleon.xsd"))
				      SCHEMA("targetNamespace='urn:v'",
					     "<xs:import/>" INCLUDE("chameleon.xsd"))
					      SCHEMA("", INCLUDE("chameleon.xsd"))),
		/* At a remote location, but present here; or of a built-in namespace. */
		TYPES(SCHEMA(
			"",
			"<xs:import namespace='urn:t' schemaLocation='http://127.0.0.1:9/t.xsd'/>")
			      SCHEMA(OF_T, PUT GOT N)),
		TYPES(SCHEMA(OF_T, "<xs:import namespace='http://www.w3.org/XML/1998/namespace' "
				   "schemaLocation='http://www.w3.org/2001/xml.xsd'/>" PUT GOT N
				   "<xs:element name='l'><xs:complexType><xs:attribute "
				   "ref='xml:lang'/></xs:complexType></xs:element>")),
		TYPES(SCHEMA(
			OF_T
			" xmlns:e='http://schemas.xmlsoap.org/soap/encoding/'",
			"<xs:import namespace='http://schemas.xmlsoap.org/soap/encoding/'/>" PUT GOT
				N
			"<xs:complexType name='L'><xs:complexContent><xs:restriction base='e:Array'>"
			"<xs:attribute ref='e:arrayType' w:arrayType='t:N[]'/></xs:restriction>"
			"</xs:complexContent></xs:complexType>")),
		TYPES(SCHEMA(
			OF_T
			" xmlns:m='http://www.w3.org/2005/05/xmlmime'",
			"<xs:import namespace='http://www.w3.org/2005/05/xmlmime' "
			"schemaLocation='http://www.w3.org/2005/05/xmlmime'/>" PUT GOT N
			"<xs:element name='m' type='m:base64Binary' m:expectedContentTypes='*/*'/>")),
		TYPES(SCHEMA(
			OF_T
			" xmlns:a='http://www.w3.org/2005/08/addressing'",
			"<xs:import namespace='http://www.w3.org/2005/08/addressing' "
			"schemaLocation='http://www.w3.org/2005/08/addressing/ws-addr.xsd'/>" PUT
				GOT N "<xs:element name='r' type='a:EndpointReferenceType'/>")),
		TYPES(SCHEMA(OF_T, "<xs:import namespace='urn:unused'/>" PUT GOT N)),
		/* One file under two names of the folder. */
		TYPES(SCHEMA("", IMPORT("a.xsd") IMPORT("./sub/../a.xsd") IMPORT("b%2exsd"))),
		TYPES(SCHEMA("", IMPORT("redefines.xsd"))),
	};

	write_file("a.xsd", A_XSD);
	write_file("b.xsd", B_XSD);
	write_file("circle.xsd", "<xs:schema " XSD OF_T " xmlns:t='urn:t'>" INCLUDE("circle.xsd")
					 INCLUDE("circle2.xsd") PUT "</xs:schema>");
	write_file("circle2.xsd",
		   "<xs:schema " XSD OF_T ">" INCLUDE("circle.xsd") GOT N "</xs:schema>");
	write_file(
		"out.xsd",
		"<xs:schema " XSD OF_T " xmlns:t='urn:t' xmlns:o='urn:o'><xs:import "
		"namespace='urn:o' schemaLocation='back.xsd'/>" PUT GOT
		"<xs:simpleType name='N'><xs:restriction base='o:M'/></xs:simpleType></xs:schema>");
	write_file(
		"back.xsd",
		"<xs:schema " XSD "targetNamespace='urn:o' xmlns:t='urn:t'>" IMPORT(
			"out.xsd") "<xs:simpleType name='M'><xs:restriction base='xs:int'/></xs:simpleType>"
				   "<xs:element name='back' type='t:N'/></xs:schema>");
	write_file("chameleon.xsd",
		   "<xs:schema " XSD "elementFormDefault='qualified'>" N
		   "<xs:element name='put'><xs:complexType><xs:sequence><xs:element name='n' "
		   "type='N'/></xs:sequence></xs:complexType></xs:element></xs:schema>");
	write_file("redefined.xsd",
		   "<xs:schema " XSD OF_T ">" GOT "<xs:simpleType name='N'><xs:restriction "
		   "base='xs:string'/></xs:simpleType></xs:schema>");
	write_file("redefines.xsd",
		   "<xs:schema " XSD OF_T " xmlns:t='urn:t'><xs:redefine "
		   "schemaLocation='redefined.xsd'><xs:simpleType name='N'><xs:restriction "
		   "base='t:N'><xs:pattern value='[0-9]+'/></xs:restriction></xs:simpleType>"
		   "</xs:redefine>" PUT "</xs:schema>");
	{
		char sub[128];

		snprintf(sub, sizeof(sub), "%s/sub", dir);
		ck_assert_int_eq(mkdir(sub, 0700), 0);
	}
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char text[8192];

		snprintf(text, sizeof(text), HEAD "%s" REST END, all[i]);
		write_file("main.wsdl", text);
		ck_assert_msg(strlen(text) < sizeof(text) - 1, "row %zu", i);
		takes_orders(NULL);
	}
	/* The same without a WSDL around them. */
	write_file("main.wsdl", "<xs:schema " XSD "xmlns:t='urn:t'>" IMPORT("a.xsd")
					IMPORT("b.xsd") "</xs:schema>");
	takes_orders(NULL);
	write_file("main.wsdl", "<xs:schema " XSD OF_T ">" INCLUDE("circle.xsd")
					INCLUDE("main.wsdl") "</xs:schema>");
	takes_orders(NULL);
	write_file("main.wsdl",
		   "<xs:schema " XSD OF_T ">" INCLUDE("chameleon.xsd") GOT "</xs:schema>");
	takes_orders(NULL);
}
END_TEST

#define OTHER_N	  "<xs:simpleType name='N'><xs:restriction base='xs:short'/></xs:simpleType>"
#define OTHER_GOT "<xs:element name='got' type='xs:short'/>"

/* Tools copy a schema into each WSDL: the same definition again is none, any other is an error. */
START_TEST(the_same_twice)
{
	static const struct {
		const char *types;
		bool same;
	} all[] = {
		{ TYPES(SCHEMA(OF_T, PUT GOT N) "\n" SCHEMA(OF_T, PUT N GOT)), true },
		{ TYPES(SCHEMA(OF_T, PUT GOT N) SCHEMA("", IMPORT("b.xsd"))), true },
		{ TYPES(SCHEMA("", IMPORT("b.xsd") IMPORT("copy.xsd"))), true },
		/* Another type, order, attribute, number of children; no other text at all. */
		{ TYPES(SCHEMA(OF_T, PUT GOT N) SCHEMA(OF_T, OTHER_N)), false },
		{ TYPES(SCHEMA(OF_T, PUT GOT N) SCHEMA(OF_T, OTHER_GOT)), false },
		{ TYPES(SCHEMA(OF_T, PUT GOT N) SCHEMA(
			  OF_T, "<xs:element name='got' type='xs:int' nillable='true'/>")),
		  false },
		{ TYPES(SCHEMA(OF_T, PUT GOT N) SCHEMA(OF_T, "<xs:element name='got'/>")), false },
		{ TYPES(SCHEMA(OF_T, PUT GOT N) SCHEMA(
			  OF_T, "<xs:simpleType name='N'><xs:restriction base='xs:int'>"
				"<xs:enumeration value='1'/></xs:restriction></xs:simpleType>")),
		  false },
		{ TYPES(SCHEMA(OF_T, PUT GOT N) SCHEMA(
			  OF_T, "<xs:complexType name='N'><xs:sequence/></xs:complexType>")),
		  false },
		/* Prefixes and defaults that mean something else. */
		{ TYPES(SCHEMA(OF_T, PUT GOT N) SCHEMA("targetNamespace='urn:t'", PUT)), false },
		{ TYPES(SCHEMA(OF_T, PUT GOT N) SCHEMA(OF_T " xmlns:t='urn:u'", PUT)), false },
		{ TYPES(SCHEMA(OF_T, PUT GOT N) SCHEMA(OF_T " blockDefault='#all'", PUT)), false },
		{ TYPES(SCHEMA(OF_T,
			       PUT GOT N "<xs:element name='k'><xs:key name='x'><xs:selector "
					 "xpath='t:a'/><xs:field xpath='.'/></xs:key></xs:element>")
				SCHEMA(OF_T,
				       "<xs:element name='k'><xs:key name='x'><xs:selector "
				       "xpath='t:a'/><xs:field xpath='.'/></xs:key></xs:element>")),
		  false },
	};

	write_file("b.xsd", "<xs:schema " XSD OF_T " xmlns:t='urn:t'>" GOT N PUT "</xs:schema>");
	write_file("copy.xsd",
		   "<xs:schema " XSD OF_T " xmlns:t='urn:t'>\n" N PUT GOT "</xs:schema>");
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char text[8192];

		snprintf(text, sizeof(text), HEAD "%s" REST END, all[i].types);
		write_file("main.wsdl", text);
		if (all[i].same)
			takes_orders(NULL);
		else
			expect_load_error(NULL, "main.wsdl:", "the first is at");
	}
}
END_TEST

START_TEST(what_is_wrong_with_types)
{
	static const struct {
		const char *types, *where, *what;
	} all[] = {
		{ TYPES(SCHEMA(OF_T, PUT GOT N) "\n" SCHEMA(OF_T, OTHER_N)),
		  "main.wsdl:5: ", "main.wsdl:3;" },
		{ TYPES(SCHEMA("", IMPORT("b.xsd")) SCHEMA(OF_T, PUT OTHER_GOT)),
		  "b.xsd:1: ", "main.wsdl:4;" },
		{ TYPES(SCHEMA("", IMPORT("b.xsd") IMPORT("c.xsd"))), "c.xsd:2: ", "b.xsd:1;" },
		{ TYPES(SCHEMA(OF_T, "\n<xs:import schemaLocation='a.xsd'/>")),
		  "main.wsdl:4: ", "write xs:include" },
		{ TYPES(SCHEMA("", INCLUDE("a.xsd"))), "main.wsdl:3: ", "write xs:import" },
		{ TYPES(SCHEMA("", "<xs:import/>")), "main.wsdl:3: ", "name the namespace" },
		{ TYPES(SCHEMA("", "<xs:import namespace='urn:z' schemaLocation='a.xsd'/>")),
		  "main.wsdl:3: ", "that file is of \"urn:t\": correct namespace=" },
		{ TYPES(SCHEMA("", IMPORT("none.xsd"))), "main.wsdl:3: ", "no such file" },
		{ TYPES(SCHEMA("", IMPORT("http://127.0.0.1:9/x.xsd"))),
		  "main.wsdl:3: ", "nothing is fetched; save a copy" },
		{ TYPES(SCHEMA(OF_T, INCLUDE("https://127.0.0.1:9/x.xsd"))),
		  "main.wsdl:3: ", "save a copy" },
		{ TYPES(SCHEMA("", IMPORT("broken.xsd"))), "broken.xsd:3:", "not well-formed" },
		{ TYPES(SCHEMA("", IMPORT("main.wsdl"))),
		  "main.wsdl:3: ", "imported by wsdl:import" },
		{ TYPES(SCHEMA("", IMPORT("."))), "main.wsdl:3: ", "not below" },
		{ TYPES(SCHEMA(OF_T, PUT GOT)), "main.wsdl:3: ", "'{urn:t}N' does not resolve" },
		/* The line number is right behind tags of several lines. */
		{ TYPES(SCHEMA(
			  OF_T,
			  "<xs:element\n name='put'\n type='xs:int'\n/><xs:element name='got'\n type='t:M'/>")),
		  "main.wsdl:7: ", "{urn:t}M" },
		{ TYPES(SCHEMA(
			  OF_T, PUT GOT N
			  "<xs:element name='z' type='q:Z' xmlns:q='urn:q'/><xs:import namespace='urn:q'/>")),
		  "main.wsdl:3: ", "" },
		{ TYPES(SCHEMA(OF_T, "<xs:import namespace='urn:q'/>" PUT GOT N
				     "<xs:element name='z' type='q:Z' xmlns:q='urn:q'/>")),
		  "main.wsdl:3: ", "no document of that namespace is here" },
	};

	write_file("a.xsd", A_XSD);
	write_file("b.xsd", B_XSD);
	write_file("c.xsd", "<xs:schema " XSD OF_T ">\n" OTHER_N PUT "</xs:schema>");
	write_file("broken.xsd", "<xs:schema " XSD ">\n\n<xs:element></xs:schema>");
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char text[8192];

		snprintf(text, sizeof(text), HEAD "%s" REST END, all[i].types);
		write_file("main.wsdl", text);
		expect_load_error(NULL, all[i].where, all[i].what);
	}
	write_file("main.wsdl", "<w:description xmlns:w='http://www.w3.org/ns/wsdl'/>");
	expect_load_error(NULL, "main.wsdl:1: ", "WSDL 2.0");
	write_file("main.wsdl", "<html/>");
	expect_load_error(NULL, "main.wsdl:1: ", "give an XML Schema");
	write_file("main.wsdl", "<xs:schema>");
	expect_load_error(NULL, "main.wsdl:1:", "well-formed");
	write_file("main.wsdl", HEAD "<w:import location='a.xsd'/>" REST END);
	expect_load_error(NULL, "main.wsdl:2: ", "imported by xs:import");
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	expect_load_error(NULL, "main.wsdl", "no regular file");
}
END_TEST

/* A DataSet's message contains its own schema, and data under a wildcard. */
START_TEST(dataset)
{
	static const char set[] = "<put xmlns='urn:t'><xs:schema id='d' " XSD
				  "><xs:element name='x'/></xs:schema>%s</put>";
	struct fmp_inspector *i;
	char text[1024];

	write_file("main.wsdl",
		   HEAD TYPES(SCHEMA(OF_T, "<xs:element name='put'><xs:complexType><xs:sequence>"
					   "<xs:element ref='xs:schema'/><xs:any/></xs:sequence>"
					   "</xs:complexType></xs:element>" GOT)) REST END);
	i = load_port(NULL);
	snprintf(
		text, sizeof(text), set,
		"<d:diffgram xmlns:d='urn:schemas-microsoft-com:xml-diffgram-v1'><D xmlns=''><x>1</x></D></d:diffgram>");
	ck_assert_str_eq(find_fault(i, text, false), "");
	snprintf(text, sizeof(text), set, "<got>1</got>");
	ck_assert_str_eq(find_fault(i, text, false), "");
	snprintf(text, sizeof(text), set, "<got>x</got>");
	ck_assert_str_ne(find_fault(i, text, false), "");
	snprintf(text, sizeof(text), set, "");
	ck_assert_str_ne(find_fault(i, text, false), "");
	ck_assert_str_ne(find_fault(i, "<put xmlns='urn:t'><got>1</got></put>", false), "");
	fmp_inspector_free(i);
}
END_TEST

/* ---- operations that can't be checked ---- */

static void expect_notes(const char *port, unsigned n, const char *where, const char *what)
{
	struct fmp_inspector *i = load_port(port);
	struct fmp_error note;
	char text[1024] = "";

	for (unsigned k = 0; k < n; k++)
		ck_assert_msg(fmp_inspector_wsdl_note(i, k, &note), "note %u of %u", k, n);
	if (n)
		fmp_error_format(&note, text, sizeof(text));
	ck_assert_msg(strstr(text, where) && strstr(text, what), "%s", text);
	ck_assert(!fmp_inspector_wsdl_note(i, n, &note));
	fmp_inspector_free(i);
}

#define MIME(body, content)                                                               \
	"<mime:multipartRelated><mime:part>" body "</mime:part><mime:part><mime:content " \
	"part='" content "' type='image/png'/></mime:part></mime:multipartRelated>"
#define TWO_PARTS                                                                             \
	"<w:message name='P'><w:part name='q' type='xs:base64Binary'/><w:part name='p' "      \
	"element='t:put'/></w:message><w:message name='G'><w:part name='g' element='t:got'/>" \
	"<w:part name='q' element='t:put'/></w:message>\n" PORT

START_TEST(parts_that_are_elsewhere)
{
	static const char *const all[] = {
		MESSAGES PORT BINDING("T", OPERATION("put", LITERAL, MIME(LITERAL, "x"))),
		MESSAGES PORT BINDING("T",
				      OPERATION("put", MIME(LITERAL, "x"), MIME(LITERAL, "x"))),
		TWO_PARTS BINDING("T", OPERATION("put", MIME(LITERAL, "q"), MIME(LITERAL, "q"))),
		TWO_PARTS BINDING("T",
				  OPERATION("put", MIME("<s:body use='literal' parts='p'/>", "q"),
					    MIME("<s:body parts='g' use='literal'/>", "q"))),
		/* A header; a header of another message does not count. */
		TWO_PARTS BINDING(
			"T",
			OPERATION("put", LITERAL "<s:header message='P' part='q' use='literal'/>",
				  "<s:header message='G' part='q' use='literal'/>" LITERAL
				  "<s:header message='P' part='g' use='literal'/>")),
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char text[8192];

		snprintf(text, sizeof(text), HEAD ONE "%s" END, all[i]);
		write_file("main.wsdl", text);
		takes_orders(NULL);
		expect_notes(NULL, 0, "", "");
	}
	write_file("main.wsdl",
		   HEAD ONE TWO_PARTS BINDING("T", OPERATION("put", LITERAL, LITERAL)) END);
	expect_load_error(NULL, "main.wsdl:5: ", "a second part in the Body (WS-I BP R2210)");
}
END_TEST

#define EXTRA_PORT(operation) "<w:portType name='X'>" operation "</w:portType>\n"
#define EXTRA(operation, bound) \
	EXTRA_PORT("<w:operation name='x'>" operation "</w:operation>") BINDING("X", bound)
#define ENCODED "<s:body use='encoded' namespace='urn:e'/>"
#define ACTION(name, in)                                                                    \
	"<w:operation name='" name "'><s:operation soapAction='urn:left-out'/><w:input>" in \
	"</w:input></w:operation>"
#define IN  "<w:input message='P'/>"
#define OUT "<w:output message='G'/>"

START_TEST(operations_left_out)
{
	static const struct {
		const char *extra, *what;
	} all[] = {
		{ EXTRA(OUT,
			"<w:operation name='x'><w:output>" LITERAL "</w:output></w:operation>"),
		  "no input" },
		{ EXTRA(OUT IN, OPERATION("x", LITERAL, LITERAL)), "output stands before" },
		{ EXTRA(IN OUT, OPERATION("x", ENCODED, ENCODED)), "encoded" },
		{ EXTRA(IN OUT, OPERATION("x", LITERAL, ENCODED)), "encoded" },
		{ EXTRA(IN OUT,
			OPERATION("x", LITERAL, "<mime:content part='g' type='image/png'/>")),
		  "soap:body" },
		{ EXTRA(IN OUT, OPERATION("x", "<mime:mimeXml part='p'/>", LITERAL)), "soap:body" },
		{ "<w:message name='Y'><w:part name='p' type='t:N'/></w:message>" EXTRA(
			  "<w:input message='Y'/>" OUT, OPERATION("x", LITERAL, LITERAL)),
		  "no element= (WS-I BP R2204)" },
		{ "<w:message name='Y'><w:part name='p' element='t:put'/><w:part name='q' "
		  "element='t:got'/></w:message>" EXTRA(IN "<w:output message='Y'/>",
							OPERATION("x", LITERAL, LITERAL)),
		  "a second part in the Body (WS-I BP R2210)" },
		{ EXTRA_PORT("<w:operation name='x'>" IN OUT "</w:operation>") "<w:binding name='BX' type='X'><s:binding style='rpc'/>" OPERATION(
			  "x", LITERAL, LITERAL) "</w:binding>\n",
		  "no type= (WS-I BP R2203)" },
		{ EXTRA_PORT("<w:operation name='x'>" IN OUT
			     "</w:operation><w:operation name='x'>" IN "</w:operation>")
			  BINDING("X", OPERATION("x", LITERAL, LITERAL)),
		  "another operation of that name" },
		{ EXTRA_PORT("<w:operation name='x'>" IN OUT
			     "</w:operation><w:operation name='y'>" OUT "</w:operation>")
			  BINDING("X", OPERATION("x", ENCODED, ENCODED) "<w:operation name='y'/>"),
		  "1 more of this binding" },
		/* What the binding is for, or a message, is not there. */
		{ EXTRA_PORT("<w:operation name='y'>" IN OUT "</w:operation>")
			  BINDING("X", OPERATION("x", LITERAL, LITERAL)),
		  "no such operation in the port type" },
		{ EXTRA(IN "<w:output message='Z'/>", OPERATION("x", LITERAL, LITERAL)),
		  "no message of the name" },
		{ EXTRA("<w:input message='z:P'/>" OUT, OPERATION("x", LITERAL, LITERAL)),
		  "no message of the name" },
		{ EXTRA(IN, OPERATION("x", LITERAL, LITERAL)), "its port type does not have" },
		{ EXTRA(IN OUT, "<w:operation name='x'/>"), "no input" },
		{ "<w:message name='Y'><w:part name='p' element='z:put'/></w:message>" EXTRA(
			  "<w:input message='Y'/>" OUT, OPERATION("x", LITERAL, LITERAL)),
		  "a prefix that is not declared" },
		{ EXTRA(IN OUT, OPERATION("x", "<s:body use='literal' parts='z'/>", LITERAL)),
		  "no part of its message" },
		{ "<w:message name='Y'><w:part name='p' type='z:put'/></w:message>" EXTRA_PORT(
			  "<w:operation name='x'><w:input message='Y'/></w:operation>") "<w:binding "
											"name='BX' type='X'><s:binding style='rpc'/><w:operation name='x'><w:input>" LITERAL
											"</w:input></w:operation></w:binding>\n",
		  "a prefix that is not declared" },
	};
	char text[8192];

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		snprintf(text, sizeof(text), HEAD ONE REST "%s" END, all[i].extra);
		write_file("main.wsdl", text);
		takes_orders(NULL);
		expect_notes(NULL, 1, "main.wsdl:", all[i].what);
		expect_notes(NULL, 1,
			     "main.wsdl:", "operation \"x\" of binding \"BX\" is left out");
		/* If no other operation remains, that is the error. */
		snprintf(text, sizeof(text), HEAD ONE MESSAGES "%s" END, all[i].extra);
		write_file("main.wsdl", text);
		expect_load_error(NULL, "main.wsdl:", all[i].what);
	}
	/* A whole binding. */
	write_file("main.wsdl", HEAD ONE REST BINDING("Z", OPERATION("x", LITERAL, LITERAL)) END);
	takes_orders(NULL);
	expect_notes(NULL, 1, "main.wsdl:10: ", "binding \"BZ\" is left out");
	expect_notes(NULL, 1, "main.wsdl:10: ", "no port type of that name: \"Z\"");
	/* In the same port type and binding. */
	write_file("main.wsdl", HEAD ONE MESSAGES
		   "<w:portType name='T'><w:operation name='told'>" OUT
		   "</w:operation><w:operation name='put'>" IN OUT
		   "</w:operation></w:portType>" BINDING(
			   "T", OPERATION("put", LITERAL, LITERAL) "\n<w:operation "
								   "name='told'><w:output>" LITERAL
								   "</w:output></w:operation>")
			   END);
	takes_orders(NULL);
	expect_notes(NULL, 1, "main.wsdl:9: ", "\"told\"");
}
END_TEST

/* What is left out can't be called by its action, with the message of an operation without one. */
START_TEST(actions_left_out)
{
	static const char *const all[] = {
		EXTRA_PORT("<w:operation name='x'>" IN OUT "</w:operation>")
			BINDING("X", ACTION("x", ENCODED)),
		EXTRA_PORT("<w:operation name='y'>" IN OUT "</w:operation>")
			BINDING("X", ACTION("x", LITERAL)),
		EXTRA_PORT("<w:operation name='x'><w:input message='Z'/></w:operation>")
			BINDING("X", ACTION("x", LITERAL)),
		BINDING("Z", ACTION("x", LITERAL)),
	};
	char text[8192];

	for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
		struct fmp_inspector *i;

		snprintf(text, sizeof(text), HEAD ONE REST "%s" END, all[k]);
		write_file("main.wsdl", text);
		i = load_port(NULL);
		ck_assert_str_eq(find_action_fault(i, GOOD, false, "urn:put"), "");
		ck_assert_msg(*find_action_fault(i, GOOD, false, "urn:left-out"), "row %zu", k);
		fmp_inspector_free(i);
	}
}
END_TEST

#define AWAY	    "http://127.0.0.1:9/away.xsd"
#define IMPORT_AWAY "\n<xs:import namespace='urn:away' schemaLocation='" AWAY "'/>\n"

/* Nothing is fetched: what something refers to must be here, what nothing refers to is noted. */
START_TEST(imports_of_the_network)
{
	static const char *const needed[] = {
		"<xs:element name='z' type='a:Z'/>",
		"<xs:complexType name='Z'><xs:sequence><xs:element ref='a:z'/></xs:sequence>"
		"</xs:complexType>",
		"<xs:complexType name='Z'><xs:attribute ref='a:z'/></xs:complexType>",
		"<xs:complexType name='Z'><xs:attributeGroup ref='a:z'/></xs:complexType>",
		"<xs:complexType name='Z'><xs:group ref='a:z'/></xs:complexType>",
		"<xs:simpleType name='Z'><xs:restriction base='a:Z'/></xs:simpleType>",
		"<xs:simpleType name='Z'><xs:list itemType='a:Z'/></xs:simpleType>",
		"<xs:simpleType name='Z'><xs:union memberTypes='t:N&#10; xs:int\ta:Z'/></xs:simpleType>",
		"<xs:element name='z' substitutionGroup='a:z'/>",
		"<xs:group name='z'><xs:sequence><xs:any namespace='##local urn:away' "
		"processContents='lax'/></xs:sequence></xs:group>",
		"<xs:attributeGroup name='z'><xs:anyAttribute namespace=' urn:away' "
		"processContents='lax'/></xs:attributeGroup>",
	};
	static const char at_use[] = "main.wsdl:5 refers to it";
	char text[8192];

	write_file("main.wsdl", HEAD TYPES(SCHEMA(OF_T, IMPORT_AWAY PUT GOT N)) REST END);
	takes_orders(NULL);
	expect_notes(NULL, 1, "main.wsdl:4: ", "imports \"" AWAY "\", which is not read");
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		snprintf(text, sizeof(text),
			 HEAD TYPES(SCHEMA(OF_T " xmlns:a='urn:away'", IMPORT_AWAY "%s" PUT GOT N))
				 REST END,
			 needed[i]);
		write_file("main.wsdl", text);
		expect_load_error(NULL, "main.wsdl:4: ", "catalog=");
		expect_load_error(NULL, "main.wsdl:4: ", at_use);
	}
	/* A wildcard that takes any namespace needs none; what it does is said. */
	for (unsigned i = 0; i < 4; i++) {
		static const char *const how[] = { "processContents='lax'", "",
						   "namespace='##other'",
						   "processContents='skip'" };
		static const char *const what[] = { "main.wsdl:5 takes its elements unchecked",
						    "main.wsdl:5 refuses its elements",
						    "main.wsdl:5 refuses its elements",
						    "nothing here refers to it" };

		snprintf(text, sizeof(text),
			 HEAD TYPES(SCHEMA(OF_T, IMPORT_AWAY
					   "<xs:group name='z'><xs:sequence><xs:any %s/>"
					   "</xs:sequence></xs:group>" PUT GOT N)) REST END,
			 how[i]);
		write_file("main.wsdl", text);
		takes_orders(NULL);
		expect_notes(NULL, 1, "main.wsdl:4: ", what[i]);
	}
	/* A message, an rpc part, a header. */
	write_file(
		"main.wsdl", HEAD TYPES(SCHEMA(OF_T, IMPORT_AWAY PUT GOT N)) REST
		"<w:message name='Y'><w:part name='p' element='a:z' xmlns:a='urn:away'/></w:message>" EXTRA(
			"<w:input message='Y'/>",
			"<w:operation name='x'><w:input>" LITERAL "</w:input></w:operation>") END);
	expect_load_error(NULL, "main.wsdl:4: ", "catalog=");
	write_file(
		"main.wsdl", HEAD TYPES(SCHEMA(OF_T, IMPORT_AWAY PUT GOT N)) REST
		"<w:message name='Y'><w:part name='p' type='a:Z' xmlns:a='urn:away'/></w:message>" EXTRA_PORT(
			"<w:operation name='x'><w:input message='Y'/></w:operation>") "<w:binding name='BX' type='X'><s:binding style='rpc'/><w:operation name='x'>"
										      "<w:input><s:body use='literal' namespace='urn:t'/></w:input></w:operation>"
										      "</w:binding>" END);
	expect_load_error(NULL, "main.wsdl:4: ", "catalog=");
	write_file(
		"main.wsdl", HEAD TYPES(SCHEMA(OF_T, IMPORT_AWAY PUT GOT N)) MESSAGES PORT
		"<w:message name='Y'><w:part name='h' element='a:z' xmlns:a='urn:away'/></w:message>" BINDING(
			"T",
			OPERATION("put", LITERAL "<s:header message='Y' part='h' use='literal'/>",
				  LITERAL)) END);
	expect_load_error(NULL, "main.wsdl:4: ", "catalog=");
	/* Without a WSDL; alone, it would be the schema. */
	write_file("main.wsdl",
		   "<xs:schema " XSD OF_T " xmlns:t='urn:t'>" IMPORT_AWAY PUT GOT N "</xs:schema>");
	takes_orders(NULL);
	expect_notes(NULL, 1, "main.wsdl:2: ", "which is not read");
	write_file("main.wsdl", "<xs:schema " XSD OF_T ">" IMPORT_AWAY "</xs:schema>");
	expect_load_error(NULL, "main.wsdl:2: ", "nothing is fetched; save a copy");
}
END_TEST

#define RPC                                                                                     \
	"<w:message name='R'><w:part name='a' type='xs:int'/></w:message><w:portType name='R'>" \
	"<w:operation name='rpc'><w:input message='R'/><w:output message='R'/></w:operation>"   \
	"</w:portType><w:binding name='BR' type='R'><s:binding style='rpc'/>" OPERATION(        \
		"rpc", "<s:body use='literal' namespace='urn:t'/>",                             \
		"<s:body use='literal' namespace='urn:t'/>") "</w:binding>\n"
#define AT(name, binding) "<w:port name='" name "' binding='" binding "'/>\n"
#define RPC_GOOD	  "<t:rpc xmlns:t='urn:t'><a>1</a></t:rpc>"

START_TEST(ports)
{
	struct fmp_inspector *i;

	write_file(
		"main.wsdl",
		HEAD ONE REST RPC EXTRA(
			IN OUT,
			OPERATION(
				"x", ENCODED,
				ENCODED)) "<w:binding name='BH' type='T'><h:binding verb='GET'/><w:operation name='put'/></w:binding>\n"
					  "<w:binding name='B12' type='T'><s12:binding/><w:operation name='put'><w:input><s12:body "
					  "use='literal'/></w:input><w:output><s12:body use='literal'/></w:output></w:operation>"
					  "</w:binding>\n<w:service name='S'>" AT("Orders", "BT")
						  AT("Encoded", "BX") AT("Rpc", "BR") AT(
							  "Http", "BH") AT("Orders12", "B12")
							  AT("Nowhere", "BN") "</w:service>" END);
	takes_orders(NULL);
	expect_notes(NULL, 1, "main.wsdl:", "encoded");
	i = load_port(NULL);
	ck_assert_str_eq(find_fault(i, RPC_GOOD, false), "");
	ck_assert_str_ne(find_fault(i, "<t:rpc xmlns:t='urn:t'><a>x</a></t:rpc>", false), "");
	fmp_inspector_free(i);
	takes_orders("Orders");
	takes_orders("Orders12");
	expect_notes("Orders", 0, "", "");
	i = load_port("Orders");
	ck_assert_ptr_nonnull(strstr(find_fault(i, RPC_GOOD, false), ""));
	ck_assert_str_ne(find_fault(i, RPC_GOOD, false), "");
	fmp_inspector_free(i);
	i = load_port("Rpc");
	ck_assert_str_eq(find_fault(i, RPC_GOOD, false), "");
	ck_assert_ptr_nonnull(strstr(find_fault(i, GOOD, false), "no operation"));
	fmp_inspector_free(i);
	expect_load_error("Encoded", "main.wsdl:", "encoded");
	expect_load_error("Http", "main.wsdl:", "not one of SOAP");
	expect_load_error("Nowhere", "main.wsdl:", "no binding of that name: \"BN\"");
	expect_load_error("orders",
			  "main.wsdl: ", "its ports are Orders, Encoded, Rpc, Http, Orders12");
}
END_TEST

#define MANY 3000

START_TEST(thousands_of_operations)
{
	struct fmp_inspector *i;
	char *text = NULL, last[64];
	size_t len;
	FILE *f = open_memstream(&text, &len);

	ck_assert_ptr_nonnull(f);
	fputs(HEAD "<w:types><xs:schema targetNamespace='urn:t'>", f);
	for (int n = 0; n < MANY; n++)
		fprintf(f, "<xs:element name='e%d' type='xs:int'/>", n);
	fputs("</xs:schema></w:types>", f);
	for (int n = 0; n < MANY; n++)
		fprintf(f, "<w:message name='m%d'><w:part name='p' element='t:e%d'/></w:message>",
			n, n);
	fputs("<w:portType name='T'>", f);
	for (int n = 0; n < MANY; n++)
		fprintf(f, "<w:operation name='o%d'><w:input message='m%d'/></w:operation>", n, n);
	fputs("</w:portType><w:binding name='B' type='T'><s:binding/>", f);
	for (int n = 0; n < MANY; n++)
		fprintf(f, "<w:operation name='o%d'><w:input>" LITERAL "</w:input></w:operation>",
			n);
	fputs("</w:binding>" END, f);
	ck_assert_int_eq(fclose(f), 0);
	write_file("main.wsdl", text);
	free(text);
	i = load_port(NULL);
	snprintf(last, sizeof(last), "<e%d xmlns='urn:t'>1</e%d>", MANY - 1, MANY - 1);
	ck_assert_str_eq(find_fault(i, last, false), "");
	fmp_inspector_free(i);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("wsdl kinds");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, types_in_several_documents);
	tcase_add_test(tc, the_same_twice);
	tcase_add_test(tc, what_is_wrong_with_types);
	tcase_add_test(tc, dataset);
	tcase_add_test(tc, parts_that_are_elsewhere);
	tcase_add_test(tc, operations_left_out);
	tcase_add_test(tc, actions_left_out);
	tcase_add_test(tc, imports_of_the_network);
	tcase_add_test(tc, ports);
	tcase_add_test(tc, thousands_of_operations);
	return run_tcase("wsdl kinds", tc);
}
