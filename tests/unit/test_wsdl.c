// SPDX-License-Identifier: GPL-2.0
/* A WSDL in place of an XSD: what it allows, what it imports, and errors with their positions. */
#include <sys/stat.h>
#include <unistd.h>

#include "run.h"
#include "vectors.h"

#define HEAD                                                                                         \
	"<w:definitions xmlns:w='http://schemas.xmlsoap.org/wsdl/' targetNamespace='urn:w' "         \
	"xmlns:xs='http://www.w3.org/2001/XMLSchema' xmlns='urn:w' xmlns:a='urn:a' xmlns:b='urn:b' " \
	"xmlns:s='http://schemas.xmlsoap.org/wsdl/soap/' "                                           \
	"xmlns:s12='http://schemas.xmlsoap.org/wsdl/soap12/' "                                       \
	"xmlns:m='http://www.w3.org/2007/05/addressing/metadata'>\n"
#define END "</w:definitions>"
/* a refers to types of b; neither gives a location. */
#define SCHEMA_A                                                                               \
	"<xs:schema targetNamespace='urn:a' elementFormDefault='qualified'>\n"                 \
	"<xs:import namespace='urn:b'/><xs:element name='order'><xs:complexType><xs:sequence>" \
	"<xs:element name='n' type='b:Number'/></xs:sequence></xs:complexType></xs:element>\n" \
	"<xs:element name='cancel' type='b:Number'/><xs:element name='done' type='xs:int'/>"   \
	"<xs:element name='stray' type='xs:int'/></xs:schema>\n"
#define SCHEMA_B                                                                                  \
	"<xs:schema targetNamespace='urn:b'><xs:simpleType name='Number'><xs:restriction "        \
	"base='xs:string'><xs:maxLength value='5'/><xs:pattern value='[0-9]+'/></xs:restriction>" \
	"</xs:simpleType></xs:schema>\n"
#define OTHER_B                                                                            \
	"<xs:schema targetNamespace='urn:b'><xs:simpleType name='Number'><xs:restriction " \
	"base='xs:int'/></xs:simpleType></xs:schema>\n"
#define TYPES "<w:types>" SCHEMA_A SCHEMA_B "</w:types>\n"
#define MESSAGES                                                                  \
	"<w:message name='O'><w:part name='p' element='a:order'/></w:message>\n"  \
	"<w:message name='C'><w:part name='p' element='a:cancel'/></w:message>\n" \
	"<w:message name='D'><w:part name='p' element='a:done'/></w:message>\n"
#define PORT                                                                                         \
	"<w:portType name='P'><w:operation name='order'><w:input message='O' "                       \
	"m:Action='urn:w/P/order'/><w:output message='D'/></w:operation><w:operation name='cancel'>" \
	"<w:input message='C'/></w:operation></w:portType>\n"
#define BINDING(name, soap)                                                             \
	"<w:binding name='" name "' type='P'><" soap ":binding style='document'/>"      \
	"<w:operation name='order'><" soap ":operation soapAction='urn:order'/>"        \
	"<w:input><" soap ":body use='literal'/></w:input><w:output><" soap             \
	":body use='literal'/></w:output></w:operation>"                                \
	"<w:operation name='cancel'><" soap ":operation soapAction=''/><w:input><" soap \
	":body use='literal'/></w:input></w:operation></w:binding>\n"
#define ORDERS HEAD TYPES MESSAGES PORT BINDING("B", "s") BINDING("B12", "s12") END

#define ORDER(n) "<o:order xmlns:o='urn:a'><o:n>" n "</o:n></o:order>"

static char dir[64], path[128];

static void setup(void)
{
	vectors_setup();
	strcpy(dir, "/tmp/fmp-wsdl.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/in", dir);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/in/main.wsdl", dir);
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

	snprintf(file, sizeof(file), "%s/in/%s", dir, name);
	f = fopen(file, "we");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

static struct fmp_inspect_config make_config(void)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCV);

	cfg.schema = path;
	return cfg;
}

struct row {
	const char *body, *action, *addressed; /* NULL: none */
	bool answer;
	const char *fault; /* NULL: accepted */
};

static void check_row(struct fmp_inspector *i, const struct row *r)
{
	struct fmp_message m = { .now_s = VECTORS_NOW,
				 .soap_action = r->action,
				 .answer = r->answer };
	struct fmp_inspection v;
	char text[2048], header[256] = "";

	if (r->addressed)
		snprintf(header, sizeof(header),
			 "<e:Header><a:Action xmlns:a='http://www.w3.org/2005/08/addressing'>%s"
			 "</a:Action></e:Header>",
			 r->addressed);
	m.len = (size_t)snprintf(text, sizeof(text),
				 "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'>"
				 "%s<e:Body>%s</e:Body></e:Envelope>",
				 header, r->body);
	m.bytes = text;
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(v.accepted == !r->fault, "%s, %s: %s", r->body, r->action, v.detail);
	ck_assert_msg(!r->fault || strstr(v.detail, r->fault), "%s, %s: %s", r->body, r->action,
		      v.detail);
	fmp_inspection_clear(&v);
}

static void look_at_all(const struct row *rows, size_t n)
{
	struct fmp_inspect_config cfg = make_config();
	struct fmp_inspector *i = make_inspector(&cfg);

	for (size_t k = 0; k < n; k++)
		check_row(i, &rows[k]);
	fmp_inspector_free(i);
}
#define LOOK_AT(rows) look_at_all(rows, sizeof(rows) / sizeof(rows[0]))

START_TEST(documents)
{
	static const struct row rows[] = {
		{ ORDER("17"), NULL, NULL, false, NULL },
		{ ORDER("17"), "", NULL, false, NULL },
		{ ORDER("17"), "urn:order", NULL, false, NULL },
		{ ORDER("17"), NULL, "urn:order", false, NULL },
		{ ORDER("17"), NULL, " urn:w/P/order\n", false, NULL },
		{ ORDER("x"), "urn:order", NULL, false, "pattern" },
		{ ORDER("123456"), "urn:order", NULL, false, "maxLength" },
		{ ORDER("17"), "urn:w/P/cancel", NULL, false, "another element" },
		{ ORDER("17"), NULL, "urn:cancel", false, "another element" },
		{ "<cancel xmlns='urn:a'>1</cancel>", "urn:whatever", NULL, false, NULL },
		{ "<cancel xmlns='urn:a'>1</cancel>", "urn:order", NULL, false, "another element" },
		{ "<cancel xmlns='urn:a'>1</cancel>", NULL, "urn:w/P/order", false,
		  "another element" },
		/* Declared, but not a message of any operation. */
		{ "<stray xmlns='urn:a'>1</stray>", NULL, NULL, false, "no operation" },
		{ "<done xmlns='urn:a'>1</done>", NULL, NULL, false, "no operation" },
		{ "<done xmlns='urn:a'>1</done>", NULL, NULL, true, NULL },
		{ ORDER("17"), NULL, NULL, true, "no operation" },
		{ "<order xmlns='urn:b'/>", NULL, NULL, false, "No matching global" },
	};

	write_file("main.wsdl", ORDERS);
	LOOK_AT(rows);
}
END_TEST

START_TEST(rpc)
{
	static const struct row rows[] = {
		{ "<r:add xmlns:r='urn:b'><x>1</x><y>22</y></r:add>", "urn:add", NULL, false,
		  NULL },
		{ "<r:add xmlns:r='urn:b'><x>1</x></r:add>", "urn:add", NULL, false, "Missing" },
		{ "<r:add xmlns:r='urn:b'><x>a</x><y>1</y></r:add>", "urn:add", NULL, false,
		  "xs:int" },
		{ "<r:add xmlns:r='urn:b'><x>1</x><y>123456</y></r:add>", "urn:add", NULL, false,
		  "maxLength" },
		{ "<r:add xmlns:r='urn:b'><x>1</x><y>1</y></r:add>", "urn:clear", NULL, false,
		  "another element" },
		{ "<r:addResponse xmlns:r='urn:b'><z>1</z></r:addResponse>", NULL, NULL, true,
		  NULL },
		{ "<r:addResponse xmlns:r='urn:b'><z>1</z></r:addResponse>", NULL, NULL, false,
		  "no operation" },
		{ "<r:clear xmlns:r='urn:new'><y>1</y></r:clear>", "urn:clear", NULL, false, NULL },
		{ "<r:clear xmlns:r='urn:new'><y>b</y></r:clear>", "urn:clear", NULL, false,
		  "pattern" },
	};

	write_file("main.wsdl", HEAD
		   "<w:types>" SCHEMA_B "</w:types>"
		   "<w:message name='I'><w:part name='x' type='xs:int'/><w:part name='y' "
		   "type='b:Number'/></w:message><w:message name='O'><w:part name='z' "
		   "type='xs:int'/></w:message><w:message name='Y'><w:part name='y' "
		   "type='b:Number'/><w:part name='h' type='xs:int'/></w:message>"
		   "<w:portType name='P'><w:operation name='add'><w:input message='I'/>"
		   "<w:output message='O'/></w:operation><w:operation name='clear'>"
		   "<w:input message='Y'/></w:operation></w:portType>"
		   "<w:binding name='B' type='P'><s:binding style='rpc'/><w:operation name='add'>"
		   "<s:operation soapAction='urn:add'/><w:input><s:body use='literal' "
		   "namespace='urn:b'/></w:input><w:output><s:body use='literal' "
		   "namespace='urn:b'/></w:output></w:operation><w:operation name='clear'>"
		   "<s:operation soapAction='urn:clear'/><w:input><s:body use='literal' "
		   "namespace='urn:new' parts='y'/></w:input></w:operation></w:binding>" END);
	LOOK_AT(rows);
}
END_TEST

#define BOUND(name, action, list)                                              \
	"<w:operation name='" name "'><s:operation soapAction='" action "'/>"  \
	"<w:input><s:body use='literal'" list "/></w:input><w:output><s:body " \
	"use='literal'/></w:output></w:operation>"
#define HAS(name, in, out)                                                                \
	"<w:operation name='" name "'><w:input message='" in "'/><w:output message='" out \
	"'/></w:operation>"
/* ping and its answer have no part, another message has all parts elsewhere. */
#define PINGS(more, bound)                                                                      \
	HEAD TYPES MESSAGES "<w:message name='N'/><w:portType name='P'>" HAS("order", "O", "D") \
		HAS("ping", "N", "N") more                                                      \
		"</w:portType><w:binding name='B' type='P'><s:binding/>" BOUND("order",         \
									       "urn:order", "") \
			BOUND("ping", "urn:ping", "") bound                                     \
		"</w:binding><w:binding name='B2' type='P'><s:binding/>" BOUND("order",         \
									       "urn:order", "") \
			BOUND("ping", "urn:ping", "") "</w:binding>" END

/* An empty Body belongs to the one operation that takes it, however often it is bound. */
START_TEST(empty_bodies)
{
	static const struct row rows[] = {
		{ "", NULL, NULL, false, NULL },
		{ "", "", NULL, false, NULL },
		{ " \n\t", "urn:ping", NULL, false, NULL },
		{ "<!-- -->", NULL, "urn:ping", false, NULL },
		{ "", "urn:ping", "urn:ping", false, NULL },
		{ "", NULL, NULL, true, NULL },
		{ "", "urn:order", NULL, false, "another element than an empty Body" },
		{ "", NULL, "urn:w/order", false, "another element than an empty Body" },
		{ "", "urn:else", NULL, false, "another element than an empty Body" },
		{ "x", "urn:ping", NULL, false, "text inside the Body" },
		{ "<done xmlns='urn:a'>1</done>", "urn:ping", NULL, false, "no operation" },
		{ ORDER("17"), "urn:ping", NULL, false, "another element than order" },
		{ ORDER("17") ORDER("17"), "urn:order", NULL, false, "more than one element" },
		{ ORDER("17"), "urn:order", NULL, false, NULL },
	};

	write_file("main.wsdl", PINGS("", ""));
	LOOK_AT(rows);
}
END_TEST

/* Only an action tells its operation then; "" and white space are no action. */
START_TEST(empty_bodies_of_several)
{
	static const struct row rows[] = {
		{ "", "urn:ping", NULL, false, NULL },
		{ "", NULL, " urn:reset ", false, NULL },
		{ "", "", "urn:reset", false, NULL },
		{ "", NULL, NULL, false, "no action says" },
		{ "", "", " ", false, "no action says" },
		{ "", "urn:order", NULL, false, "another element than an empty Body" },
		/* One of them has no action: the message may be its, or of none. */
		{ "", "urn:else", NULL, false, "another element than an empty Body" },
		{ "", NULL, NULL, true, NULL },
	};

	/* An empty list of parts is like a message without parts. */
	write_file("main.wsdl",
		   PINGS(HAS("reset", "C", "D") HAS("any", "N", "D"),
			 BOUND("reset", "urn:reset", " parts=' '") BOUND("any", "", "")));
	LOOK_AT(rows);
}
END_TEST

/* Only a WSDL can allow it; an unknown action belongs to the one operation without an action. */
START_TEST(empty_bodies_of_others)
{
	static const struct row none[] = { { "", NULL, NULL, false, "the Body is empty" },
					   { "", "urn:order", NULL, false, "the Body is empty" },
					   { "", NULL, NULL, true, "the Body is empty" } };
	static const struct row one[] = {
		{ "", "urn:else", NULL, false, NULL },
		{ "", "urn:order", NULL, false, "another element than an empty Body" },
	};

	write_file("main.wsdl", ORDERS);
	LOOK_AT(none);
	write_file("main.wsdl", "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'/>");
	LOOK_AT(none);
	write_file("main.wsdl", HEAD TYPES MESSAGES
		   "<w:message name='N'/><w:portType name='P'>" HAS("order", "O", "D")
			   HAS("ping", "N", "D") "</w:portType><w:binding name='B' type='P'>"
						 "<s:binding/>" BOUND("order", "urn:order", "")
							 BOUND("ping", "", "") "</w:binding>" END);
	LOOK_AT(one);
	/* Also without any types. */
	write_file(
		"main.wsdl",
		HEAD "<w:message name='N'/><w:portType name='P'>" HAS(
			"ping", "N",
			"N") "</w:portType><w:binding name='B' type='P'><s:binding/>" BOUND("ping",
											    "",
											    "") "</w:binding>" END);
	LOOK_AT(((struct row[]){ { "", "urn:ping", NULL, false, NULL } }));
}
END_TEST

#define IMPORT(file) "<w:import namespace='urn:w' location='" file "'/>\n"

START_TEST(files)
{
	static const struct row rows[] = { { ORDER("17"), "urn:order", NULL, false, NULL },
					   { ORDER("x"), "urn:order", NULL, false, "pattern" } };

	/* Imports in a circle, and the types in an XSD beside it. */
	write_file("main.wsdl",
		   HEAD IMPORT("port.wsdl") IMPORT("./types.wsdl") BINDING("B", "s") END);
	write_file("port.wsdl", HEAD IMPORT("main.wsdl") MESSAGES PORT END);
	write_file("types.wsdl",
		   HEAD IMPORT("types.wsdl") "<w:types>" SCHEMA_A
					     "<xs:schema targetNamespace='urn:b'><xs:include "
					     "schemaLocation='b.xsd'/></xs:schema></w:types>" END);
	write_file("b.xsd", "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' "
			    "targetNamespace='urn:b'><xs:simpleType name='Number'><xs:restriction "
			    "base='xs:string'><xs:pattern value='[0-9]+'/></xs:restriction>"
			    "</xs:simpleType></xs:schema>");
	LOOK_AT(rows);

	/* As many tools write it: only imports. */
	write_file("a.xsd",
		   "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' "
		   "xmlns:b='urn:b' targetNamespace='urn:a' elementFormDefault='qualified'>"
		   "<xs:import namespace='urn:b' schemaLocation='b.xsd'/>"
		   "<xs:element name='order'><xs:complexType><xs:sequence><xs:element name='n' "
		   "type='b:Number'/></xs:sequence></xs:complexType></xs:element>"
		   "<xs:element name='cancel' type='xs:int'/><xs:element name='done' "
		   "type='xs:int'/></xs:schema>");
	write_file("types.wsdl", HEAD "<w:types><xs:schema><xs:import namespace='urn:a' "
				      "schemaLocation='a.xsd'/></xs:schema></w:types>" END);
	LOOK_AT(rows);
}
END_TEST

static void expect_load_error(enum fmp_code code, const char *where, const char *what)
{
	struct fmp_inspect_config cfg = make_config();
	struct fmp_error err = { 0 };
	struct fmp_inspector *i;
	char text[1024];

	ck_assert_int_eq(fmp_inspector_new(&cfg, &i, &err), code);
	fmp_error_format(&err, text, sizeof(text));
	ck_assert_msg(strstr(text, where) && strstr(text, what), "%s", text);
}

START_TEST(faults_and_where_they_are)
{
	static const struct {
		const char *text, *where, *what;
	} rows[] = {
		{ HEAD "\n\n<w:types>\n" SCHEMA_A SCHEMA_B OTHER_B
		       "</w:types>" MESSAGES PORT BINDING("B", "s") END,
		  "main.wsdl:9: ", "simpleType \"Number\" of namespace \"urn:b\": the first is at" },
		{ HEAD "\n\n<w:types>\n" SCHEMA_A SCHEMA_B OTHER_B
		       "</w:types>" MESSAGES PORT BINDING("B", "s") END,
		  "main.wsdl:9: ", "main.wsdl:8;" },
		{ HEAD TYPES MESSAGES PORT END, "main.wsdl", "no SOAP binding" },
		{ HEAD TYPES MESSAGES BINDING("B", "s") END, "main.wsdl:10: ", "no port type" },
		{ HEAD TYPES PORT BINDING("B", "s") END, "main.wsdl:8: ", "no message" },
		{ HEAD "\n<w:types>\n<xs:schema targetNamespace='urn:b'>\n"
		       "<xs:element name='e' type='b:None'/></xs:schema></w:types>" MESSAGES PORT
			       BINDING("B", "s") END,
		  "main.wsdl:5: ", "None" },
		/* A part without a name is in no list, but the message is not without parts. */
		{ HEAD "<w:message name='O'><w:part element='a:order'/></w:message>" PORT BINDING(
			  "B", "s") END,
		  "main.wsdl:3: ", "no part" },
		{ HEAD "<w:message name='O'><w:part name=''/></w:message>" PORT
		       "<w:binding name='B' type='P'><s:binding/><w:operation name='order'>\n"
		       "<w:input><s:body use='literal' parts='p'/></w:input></w:operation>"
		       "</w:binding>" END,
		  "main.wsdl:4: ", "no part" },
		{ HEAD TYPES MESSAGES PORT
		  "<w:binding name='B' type='P'><s:binding/><w:operation name='order'>\n"
		  "<w:input>\n<s:body use='encoded'/></w:input></w:operation></w:binding>" END,
		  "main.wsdl:13: ", "literal" },
		{ HEAD IMPORT("http://127.0.0.1:9/x.wsdl") END, "main.wsdl:2: ", "127.0.0.1" },
		{ HEAD IMPORT("file:///etc/passwd") END, "main.wsdl:2: ", "etc/passwd" },
		{ HEAD IMPORT("nowhere.wsdl") END, "main.wsdl:2: ", "nowhere.wsdl" },
		{ HEAD IMPORT("../out.wsdl") END, "main.wsdl:2: ", "out.wsdl" },
		{ HEAD "<w:import/>" END, "main.wsdl:2: ", "no file" },
		{ HEAD
		  "\n<w:types><xs:schema targetNamespace='urn:b'>\n"
		  "<xs:include schemaLocation='../out.xsd'/></xs:schema></w:types>" MESSAGES PORT
			  BINDING("B", "s") END,
		  "main.wsdl", "not below" },
	};
	char out[128];

	/* Files that could be read. */
	for (int n = 0; n < 2; n++) {
		FILE *f;

		snprintf(out, sizeof(out), "%s/out.%s", dir, n ? "wsdl" : "xsd");
		f = fopen(out, "we");
		ck_assert_ptr_nonnull(f);
		fputs(n ? ORDERS : "<schema xmlns='http://www.w3.org/2001/XMLSchema'/>", f);
		fclose(f);
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		write_file("main.wsdl", rows[i].text);
		expect_load_error(FMP_ERR_SCHEMA, rows[i].where, rows[i].what);
	}
}
END_TEST

/* A binding names the one it means by its input (WSDL 1.1 2.5); without that, none is meant. */
START_TEST(two_operations_of_one_name)
{
	static const char port[] = HEAD MESSAGES
		"<w:portType name='P'>\n<w:operation name='order'><w:input name='i1' "
		"message='O'/><w:output message='D'/></w:operation>\n"
		"<w:operation name='order'><w:input name='i2' message='C'/></w:operation>"
		"</w:portType>" END;
	static const char format[] = HEAD IMPORT("port.wsdl") TYPES
		"<w:binding name='B' type='P'><s:binding style='%s'/>\n<w:operation name='order'>"
		"<w:input %s><s:body use='literal'/></w:input></w:operation>\n<w:operation name='order'>"
		"<w:input %s><s:body use='literal'/></w:input></w:operation></w:binding>" END;
	static const struct {
		const char *style, *first, *second, *what; /* "": both are accepted */
	} rows[] = {
		{ "document", "name='i1'", "name='i2'", "" },
		{ "document", "", "", "names no input to tell them apart" },
		{ "document", "name='i3'", "name='i4'", "names no input to tell them apart" },
		{ "rpc", "name='i1'", "name='i2'", "in rpc style" },
	};
	static const struct row both[] = {
		{ ORDER("1"), NULL, NULL, false, NULL },
		{ "<o:cancel xmlns:o='urn:a'/>", NULL, NULL, false, "cancel" },
		{ "<o:done xmlns:o='urn:a'>1</o:done>", NULL, NULL, false, "no operation" }
	};
	char text[8192];

	write_file("port.wsdl", port);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(text, sizeof(text), format, rows[i].style, rows[i].first, rows[i].second);
		write_file("main.wsdl", text);
		if (*rows[i].what)
			expect_load_error(FMP_ERR_SCHEMA, "main.wsdl:", rows[i].what);
		else
			LOOK_AT(both);
	}
}
END_TEST

#define RPC_PORT(name, message)                                                            \
	"<w:portType name='" name "'><w:operation name='add'><w:input message='" message   \
	"'/></w:operation></w:portType>\n<w:binding name='B" name "' type='" name "'>"     \
	"<s:binding style='rpc'/><w:operation name='add'><s:operation soapAction='urn:add" \
	"'/><w:input><s:body use='literal' namespace='urn:b' parts='x y'/></w:input>"      \
	"</w:operation></w:binding>\n"
#define RPC_MESSAGE(name, second)                                                       \
	"<w:message name='" name "'><w:part name='x' type='xs:int'/><w:documentation/>" \
	"<w:part name='h' type='xs:" name "'/><w:part name='y' type='" second "'/></w:message>\n"
#define RPC_TWICE(second)                                                       \
	HEAD RPC_MESSAGE("int", "b:Number")                                     \
		RPC_MESSAGE("string", second) "<w:types>" SCHEMA_B              \
					      "</w:types>" RPC_PORT("P", "int") \
						      RPC_PORT("Q", "string") END

/* Operations of two port types; with one name in messages they must be equal. */
START_TEST(two_wrappers_of_one_name)
{
	static const struct row rows[] = {
		{ "<r:add xmlns:r='urn:b'><x>1</x><y>2</y></r:add>", "urn:add", NULL, false, NULL },
		{ "<r:add xmlns:r='urn:b'><x>1</x><y>a</y></r:add>", "urn:add", NULL, false,
		  "pattern" },
	};

	write_file("main.wsdl", RPC_TWICE("b:Number"));
	LOOK_AT(rows);
	write_file("main.wsdl", RPC_TWICE("xs:string"));
	expect_load_error(FMP_ERR_SCHEMA, "main.wsdl:8: ", "\"add\": the first is at ");
	expect_load_error(FMP_ERR_SCHEMA, "main.wsdl:8: ", "main.wsdl:6");
}
END_TEST

START_TEST(no_more_than_256_files)
{
	char name[32], text[4096];

	write_file("main.wsdl", HEAD IMPORT("1.wsdl") END);
	for (int n = 1; n <= 256; n++) {
		snprintf(name, sizeof(name), "%d.wsdl", n);
		snprintf(text, sizeof(text),
			 HEAD "<w:import namespace='urn:w' location='%d.wsdl'/>" END, n + 1);
		write_file(name, text);
	}
	write_file("257.wsdl", ORDERS);
	expect_load_error(FMP_ERR_LIMIT, "255.wsdl:2: ", "256 files");
	write_file("255.wsdl", ORDERS);
	LOOK_AT(((struct row[]){ { ORDER("17"), NULL, NULL, false, NULL } }));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("wsdl");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, documents);
	tcase_add_test(tc, rpc);
	tcase_add_test(tc, empty_bodies);
	tcase_add_test(tc, empty_bodies_of_several);
	tcase_add_test(tc, empty_bodies_of_others);
	tcase_add_test(tc, files);
	tcase_add_test(tc, faults_and_where_they_are);
	tcase_add_test(tc, two_operations_of_one_name);
	tcase_add_test(tc, two_wrappers_of_one_name);
	tcase_add_test(tc, no_more_than_256_files);
	return run_tcase("wsdl", tc);
}
