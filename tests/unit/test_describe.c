// SPDX-License-Identifier: GPL-2.0
/* GET of a WSDL: forms of asking, URLs that are given out, descriptions of a service. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <fmp/internal/describe.h>
#include <fmp/internal/description.h>
#include <fmp/internal/http.h>

#include "run.h"

START_TEST(reads_each_form)
{
	static const struct {
		const char *target, *path, *name;
		bool schema;
	} rows[] = {
		{ "/a?wsdl", "/a", "", false },
		{ "/a?WSDL", "/a", "", false },
		{ "/a?singleWsdl", "/a", "", false },
		{ "/a?wsdl=3", "/a", "3", false },
		{ "/a?x=y&wsdl=b.wsdl&z", "/a", "b.wsdl", false },
		{ "/a?xsd=types/b.xsd", "/a", "types/b.xsd", true },
		{ "/a/b.wsdl", "/a/b", "", false },
		{ "/b.WSDL", "/b", "", false },
		{ "/a.wsdl?wsdl", "/a.wsdl", "", false },
	};
	struct fmp_describe_request ask;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ck_assert_msg(fmp_describe_parse(rows[i].target, &ask), "%s", rows[i].target);
		ck_assert_str_eq(ask.path, rows[i].path);
		ck_assert_uint_eq(ask.name_len, strlen(rows[i].name));
		ck_assert(!memcmp(ask.name, rows[i].name, ask.name_len));
		ck_assert_int_eq(ask.schema, rows[i].schema);
	}
}
END_TEST

START_TEST(reads_nothing_else)
{
	static const char *const rows[] = { "/",	 "/a",	     "/a?",	  "/a?xsd",
					    "/a?xsd=",	 "/a?disco", "/a?wsdl2",  "/a?awsdl",
					    "/.wsdl?x",	 ".wsdl",    "?wsdl",	  "/a\"?wsdl",
					    "/<?wsdl",	 "/a'?wsdl", "/a&b?wsdl", "/a.wsdl?x",
					    "/a?policy", "/a?x=wsdl" };
	char target[2 * FMP_DESCRIBE_PATH] = "/";
	struct fmp_describe_request ask;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		ck_assert_msg(!fmp_describe_parse(rows[i], &ask), "%s", rows[i]);
	memset(target + 1, 'a', FMP_DESCRIBE_PATH);
	strcat(target, "?wsdl");
	ck_assert(!fmp_describe_parse(target, &ask));
}
END_TEST

START_TEST(knows_names_that_lead_outside)
{
	static const char *const outside[] = {
		"/s?xsd=../../etc/passwd",
		"/s?xsd=..",
		"/s?xsd=a/../../b",
		"/s?xsd=%2e%2E%2fpasswd",
		"/s?xsd=%252e%252e%252fpasswd",
		"/s?xsd=%25252e%25252e%25252fpasswd",
		"/s?xsd=%2525252525252e./x",
		"/s?xsd=..%5c..%5cwin.ini",
		"/s?xsd=/etc/passwd",
		"/s?xsd=%2fetc/passwd",
		"/s?xsd=file:///etc/passwd",
		"/s?xsd=c:%5cwin.ini",
		"/s?xsd=http://192.0.2.1/",
		"/s?xsd=a%00.xsd",
		"/s?wsdl&xsd=../x",
		"/s?wsdl;xsd=../x",
		"/s?wsdl&../x",
		"/s?xsd=../x",
		"/s?xsd=../.xsd",
		"/s?xsd=../x.xsd/",
		"/s?xsd=../x.xsd/y",
		"/s?xsd=../x.xsd.txt",
		"/s?xsd=../passwd%00.xsd",
		"/s?xsd=../passwd%3f.xsd",
		"/s?xsd=../passwd?.xsd",
		"/s?xsd=../passwd%23.xsd",
		"/s?xsd=../passwd%3b.xsd",
		"/s?xsd=../passwd;.xsd",
		"/s?xsd=../passwd%26.xsd",
		"/s?xsd=../passwd%0a.xsd",
		"/s?xsd=../passwd%20.xsd",
		"/s?xsd=../passwd%5c.xsd",
		"/s?xsd=..%5cx.xsd",
		"/s?xsd=../c:x.xsd",
		"/s?xsd=/../x.xsd",
		"/s?xsd=%2f../x.xsd",
		"/s?xsd=file:/../x.xsd",
		"/s?xsd=%252e%252e/x.xsd",
		"/s?xsd=..%252fx.xsd",
		"/s?xsd=../x%252exsd",
		"/s?xsd=../etc%252fpasswd%2500.xsd",
		"/s?a=../x.xsd",
		"/s?wsdl&../x.xsd",
		"/s?xsd=../x.xsd&xsd=../y",
	};
	static const char *const inside[] = {
		"/s?wsdl",
		"/s.wsdl",
		"/s?xsd=types.xsd",
		"/s?xsd=a/../b.xsd",
		"/s?xsd=./a..b/...",
		"/s?xsd=a%2Fb",
		"/s?xsd=xsd0&a=100%",
		"/s?wsdl=urn:x:y",
		"/s?xsd=../schemas/foo.xsd",
		"/s?XSD=../../Foo.XSD",
		"/s?wsdl=../a.b/foo.wsdl",
		"/s?xsd=..%2Fschemas%2ffoo%2exsd",
		"/s?xsd=a/../../b.xsd",
	};
	char target[FMP_DESCRIBE_NAME + 20] = "/s?xsd=";

	for (size_t i = 0; i < sizeof(outside) / sizeof(*outside); i++)
		ck_assert_msg(fmp_describe_is_outside(outside[i]), "%s", outside[i]);
	for (size_t i = 0; i < sizeof(inside) / sizeof(*inside); i++)
		ck_assert_msg(!fmp_describe_is_outside(inside[i]), "%s", inside[i]);
	memset(target + strlen(target), 'a', FMP_DESCRIBE_NAME - 1);
	ck_assert(!fmp_describe_is_outside(target));
	target[strlen(target)] = 'a';
	ck_assert(fmp_describe_is_outside(target));
}
END_TEST

START_TEST(gives_out_hosts_only)
{
	static const char *const good[] = { "a", "a.b-c_d:1", "1.2.3.4:65535", "[::1]", "[::1]:8" };
	static const char *const bad[] = { "",	  ":1",	 "a:",	  "a:x",   "a:123456", "a\"",
					   "a<",  "a b", "a&b",	  "[::1",  "[]x",      "[a z]",
					   "a/b", "a@b", "a\r\n", "[::1]x" };
	char url[FMP_DESCRIBE_URL];

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		ck_assert_msg(fmp_describe_url("http", good[i], "/p", url), "%s", good[i]);
	ck_assert_str_eq(url, "http://[::1]:8/p");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ck_assert_msg(!fmp_describe_url("http", bad[i], "/p", url), "%s", bad[i]);
}
END_TEST

static void assert_rewritten(const char *body, const char *want)
{
	static const struct fmp_target_service s = {
		.host = "in.ner", .port = 80, .to = "/svc", .prefix = "/p"
	};
	struct fmp_field_list out = { 0 };

	ck_assert(fmp_describe_rewrite(&out, &s, "https://o", body, strlen(body)));
	ck_assert(fmp_field_list_append(&out, "", 1));
	ck_assert_str_eq(out.bytes, want);
	fmp_field_list_exit(&out);
}

START_TEST(rewrites_places_only)
{
	assert_rewritten("<a location=\"http://in.ner/svc?wsdl=1\"/>",
			 "<a location=\"https://o/p?wsdl=1\"/>");
	assert_rewritten("<a schemaLocation = ' http://in.ner:80/svc '/>",
			 "<a schemaLocation = ' https://o/p '/>");
	assert_rewritten("<w:Address>http://in.ner/svc</w:Address>",
			 "<w:Address>https://o/p</w:Address>");
	for (size_t i = 0; i < 6; i++) {
		static const char *const same[] = {
			"<a targetNamespace=\"http://in.ner/svc\" xmlns=\"http://in.ner/svc\"/>",
			"<a location=\"http://else.where/svc\"/>",
			"<a location=\"x.xsd\"/>",
			"<a location=",
			"<a location=\"",
			"Address>"
		};

		assert_rewritten(same[i], same[i]);
	}
}
END_TEST

/* Each of these places would search the rest of the text: the test would take minutes. */
START_TEST(rewrites_in_linear_time)
{
	static const char place[] = "Address>";
	size_t n = (size_t)1 << 19;
	char *text = malloc(n * strlen(place) + 1), *to = text;

	ck_assert_ptr_nonnull(text);
	for (size_t i = 0; i < n; i++)
		to = stpcpy(to, place);
	assert_rewritten(text, text);
	free(text);
}
END_TEST

START_TEST(checks_what_a_service_sends)
{
	ck_assert_ptr_null(fmp_describe_check("Text/XML; charset=utf-8", "\xef\xbb\xbf <a/>", 8));
	ck_assert_ptr_null(fmp_describe_check("application/wsdl+xml", "<a/>", 4));
	ck_assert_ptr_nonnull(fmp_describe_check("text/html", "<a/>", 4));
	ck_assert_ptr_nonnull(fmp_describe_check("", "<a/>", 4));
	ck_assert_ptr_nonnull(fmp_describe_check("text/xml", "", 0));
	ck_assert_ptr_nonnull(fmp_describe_check("text/xml", "<\0a\0", 4));
	ck_assert_ptr_nonnull(fmp_describe_check("text/xml", "+ADw-", 5));
	ck_assert_ptr_nonnull(fmp_describe_check("text/xml", "<!DOCTYPE a><a/>", 16));
	ck_assert_ptr_nonnull(
		fmp_describe_check("text/xml", "<?xml version='1.0' encoding='utf-7'?>", 38));
}
END_TEST

static const struct fmp_http_limits limits = {
	.header_bytes = 8192, .fields = 64, .body_bytes = 100, .describe = true
};

static void assert_http(const char *text, enum fmp_http_state state, int status)
{
	struct fmp_http h;
	size_t used;

	fmp_http_init(&h, &limits);
	ck_assert_int_eq(fmp_http_feed(&h, text, strlen(text), &used), state);
	if (state == FMP_HTTP_REFUSED) {
		ck_assert_int_eq(h.status, status);
		ck_assert_int_eq(h.kind, FMP_EVENT_BROWSER);
	} else {
		ck_assert(h.keep_alive && fmp_http_is_read(&h) && fmp_http_is_browser_request(&h));
	}
	fmp_http_next(&h);
	fmp_http_exit(&h);
}

START_TEST(reads_get_without_a_body)
{
	assert_http("GET /?wsdl HTTP/1.1\r\nHost: h\r\n\r\n", FMP_HTTP_DONE, 0);
	assert_http("HEAD /?wsdl HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n", FMP_HTTP_DONE,
		    0);
	assert_http("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx", FMP_HTTP_REFUSED,
		    405);
	assert_http("GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n",
		    FMP_HTTP_REFUSED, 405);
	assert_http("GET / HTTP/1.1\r\n\r\n", FMP_HTTP_REFUSED, 400);
	assert_http("GET / HTTP/1.1\r\nHost : h\r\n\r\n", FMP_HTTP_REFUSED, 400);
	assert_http("OPTIONS / HTTP/1.1\r\nHost: h\r\n\r\n", FMP_HTTP_REFUSED, 405);
}
END_TEST

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_ge(fputs(text, f), 0);
	ck_assert_int_eq(fclose(f), 0);
}

#define WSDL(body)                                                   \
	"<w:definitions xmlns:w='http://schemas.xmlsoap.org/wsdl/' " \
	"xmlns:s='http://schemas.xmlsoap.org/wsdl/soap/'>" body "</w:definitions>"

static char folder[] = "/tmp/fmp-describe-XXXXXX";

static const char *in_folder(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static int load_text(const char *text, const char *port, struct fmp_description **out)
{
	static bool made;
	struct fmp_error err;

	if (!made)
		ck_assert_ptr_nonnull(mkdtemp(folder));
	made = true;
	write_file(in_folder("a.wsdl"), text);
	return fmp_description_load(&(struct fmp_description_source){ .path = in_folder("a.wsdl"),
								      .port = port,
								      .literal = true },
				    out, &err);
}

static char *document_text(const struct fmp_description *d, unsigned i)
{
	size_t n = fmp_description_size(d, i, "U");
	char *text = calloc(1, n + 1);

	ck_assert_ptr_nonnull(text);
	fmp_description_write(d, i, "U", text);
	ck_assert_uint_eq(strlen(text), n);
	return text;
}

START_TEST(offers_served_ports_only)
{
	static const char text[] = WSDL(
		"<w:binding name='l'><w:operation><w:input><s:body use='literal'/></w:input></w:operation></w:binding>"
		"<w:binding name='e'><w:operation><w:input><s:body use='encoded'/></w:input></w:operation></w:binding>"
		"<w:service name='s'><w:port name='one' binding='l'><s:address location='http://in/1'/></w:port>"
		"<w:port name='enc' binding='e'><s:address location='http://in/2'/></w:port>"
		"<w:port name='two' binding='l'><s:address location='http://in/3'/></w:port>"
		"<w:port name='get' binding='l'/></w:service>");
	struct fmp_description *d;
	char *out;

	ck_assert_int_eq(load_text(text, "", &d), 0);
	out = document_text(d, 0);
	ck_assert(strstr(out, "\"one\"") && strstr(out, "\"two\"") &&
		  strstr(out, "location=\"U\""));
	ck_assert(!strstr(out, "\"enc\"") && !strstr(out, "\"get\"") && !strstr(out, "http://in"));
	ck_assert_uint_ne(fmp_description_tag(d, 0, "U"), fmp_description_tag(d, 0, "V"));
	free(out);
	fmp_description_free(d);
	ck_assert_int_eq(load_text(text, "two", &d), 0);
	out = document_text(d, 0);
	ck_assert(!strstr(out, "\"one\"") && strstr(out, "\"two\""));
	free(out);
	fmp_description_free(d);
}
END_TEST

/* Imports in a circle are read once; what is not below the folder is neither read nor named. */
START_TEST(reads_imports_once)
{
	struct fmp_description *d;
	char *out;

	ck_assert_int_eq(
		load_text(WSDL("<w:import location='a.wsdl'/><w:import location='/etc/passwd'/>"
			       "<w:import location='../a.wsdl'/><w:import location='http://x/y'/>"
			       "<w:import location='none'/><w:import/>"),
			  "", &d),
		0);
	out = document_text(d, 0);
	ck_assert(strstr(out, "\"U?wsdl=0\"") && strstr(out, "\"/etc/passwd\"") &&
		  strstr(out, "\"http://x/y\""));
	ck_assert_int_eq(fmp_description_find(d, false, "", 0), 0);
	ck_assert_int_eq(fmp_description_find(d, false, "0", 1), 0);
	ck_assert_int_eq(fmp_description_find(d, false, "a.wsdl", 6), 0);
	ck_assert_int_eq(fmp_description_find(d, true, "a.wsdl", 6), -1);
	ck_assert_int_eq(fmp_description_find(d, true, "", 0), -1);
	ck_assert_int_eq(fmp_description_find(d, false, "1", 1), -1);
	ck_assert_int_eq(fmp_description_find(d, false, "/etc/passwd", 11), -1);
	free(out);
	fmp_description_free(d);
}
END_TEST

#define XSD(body) "<x:schema xmlns:x='http://www.w3.org/2001/XMLSchema'>" body "</x:schema>"
#define XML_NS	  "http://www.w3.org/XML/1998/namespace"

static const char spread[] =
	WSDL("<x:schema xmlns:x='http://www.w3.org/2001/XMLSchema'>"
	     "<x:import namespace='urn:l' schemaLocation='http://x/by-location'/>"
	     "<x:import namespace='urn:by-namespace'/>"
	     "<x:import namespace='urn:u' schemaLocation='../s/up.xsd'/>"
	     "<x:import namespace='urn:k' schemaLocation='../s/key.pem'/>"
	     "<x:import namespace='urn:o' schemaLocation='../s/other.xsd'/>"
	     "<x:import namespace='urn:d' schemaLocation='http://x/doctype'/>"
	     "<x:import namespace='" XML_NS "' schemaLocation='none.xsd'/>"
	     "<x:import namespace='" XML_NS "' schemaLocation='http://w/xml.xsd'/></x:schema>");

/* The folder around: p/a.wsdl imports from c, by a catalog, and from s, by "..". */
static void make_tree(void)
{
	static const char *const folders[] = { "p", "s", "c" };

	ck_assert(mkdir(folder, 0700) == 0 || errno == EEXIST);
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		ck_assert(mkdir(in_folder(folders[i]), 0700) == 0 || errno == EEXIST);
	write_file(in_folder("c/catalog.xml"),
		   "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>"
		   "<uri name='http://x/by-location' uri='l.xsd'/>"
		   "<uri name='urn:by-namespace' uri='n.xsd'/>"
		   "<uri name='http://x/doctype' uri='d.xsd'/></catalog>");
	write_file(in_folder("c/l.xsd"), XSD("<x:include schemaLocation='l2.xsd'/>"));
	write_file(in_folder("c/l2.xsd"), XSD("<x:element name='of-l2'/>"));
	write_file(in_folder("c/n.xsd"), XSD("<x:element name='of-n'/>"));
	write_file(in_folder("c/d.xsd"), "<!DOCTYPE a>" XSD(""));
	write_file(in_folder("s/up.xsd"), XSD("<x:element name='of-up'/>"));
	write_file(in_folder("s/key.pem"), XSD("<x:element name='secret'/>"));
	write_file(in_folder("s/other.xsd"), "<key>secret</key>");
	write_file(in_folder("p/a.wsdl"), spread);
}

/* Each has its text, and none what is not offered. */
static void assert_documents(const struct fmp_description *d, const char *const *has, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char *text = document_text(d, i);

		ck_assert_msg(strstr(text, has[i]), "%u lacks %s: %s", i, has[i], text);
		ck_assert_msg(!strstr(text, "secret"), "%s", text);
		free(text);
	}
}

START_TEST(serves_what_lies_elsewhere)
{
	static const char *const contents[] = { "definitions", "U?xsd=5", "of-n",
						"of-up",       "lang",	  "of-l2" };
	char wsdl[64], catalog[64], around[64];
	struct fmp_description *d;
	struct fmp_error err;
	char *out;

	if (strstr(folder, "XXXXXX"))
		ck_assert_ptr_nonnull(mkdtemp(folder));
	make_tree();
	strcpy(wsdl, in_folder("p/a.wsdl"));
	strcpy(catalog, in_folder("c/catalog.xml"));
	strcpy(around, folder);
	ck_assert_int_eq(fmp_description_load(&(struct fmp_description_source){ .path = wsdl,
										.port = "",
										.catalog = catalog,
										.folder = around },
					      &d, &err),
			 0);
	out = document_text(d, 0);
	for (int i = 1; i <= 4; i++) {
		char want[20];

		snprintf(want, sizeof(want), "\"U?xsd=%d\"", i);
		ck_assert_msg(strstr(out, want), "%s: %s", want, out);
		ck_assert_int_eq(fmp_description_find(d, true, want + 7, 1), i);
	}
	/* Neither schemas nor free of a DOCTYPE; a URL is the client's to fetch. */
	ck_assert(strstr(out, "../s/key.pem") && strstr(out, "../s/other.xsd") &&
		  strstr(out, "http://x/doctype") && strstr(out, "http://w/xml.xsd"));
	ck_assert(!strstr(out, "up.xsd") && !strstr(out, "by-location") &&
		  !strstr(out, "none.xsd"));
	ck_assert_int_eq(fmp_description_find(d, true, "6", 1), -1);
	/* They have numbers only: a name would tell where they lie. */
	ck_assert_int_eq(fmp_description_find(d, true, "../s/up.xsd", 11), -1);
	ck_assert_int_eq(fmp_description_find(d, true, "up.xsd", 6), -1);
	ck_assert_int_eq(fmp_description_find(d, true, "l.xsd", 5), -1);
	assert_documents(d, contents, 6);
	free(out);
	fmp_description_free(d);
	/* Without both nothing outside is read. */
	ck_assert_int_eq(
		fmp_description_load(&(struct fmp_description_source){ .path = wsdl, .port = "" },
				     &d, &err),
		0);
	out = document_text(d, 0);
	ck_assert(strstr(out, "../s/up.xsd") && strstr(out, "http://x/by-location"));
	free(out);
	fmp_description_free(d);
}
END_TEST

START_TEST(refuses_other_files)
{
	struct fmp_description *d;

	ck_assert_int_eq(load_text("<!DOCTYPE a><a/>", "", &d), FMP_ERR_SCHEMA);
	ck_assert_int_eq(load_text("<a>", "", &d), FMP_ERR_SCHEMA);
	ck_assert_int_eq(
		load_text("<x:schema xmlns:x='http://www.w3.org/2001/XMLSchema'/>", "", &d), 0);
	ck_assert_ptr_null(d);
	ck_assert_int_eq(fmp_description_load(&(struct fmp_description_source){ .path = "/none",
										.port = "" },
					      &d, NULL),
			 FMP_ERR_IO);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("describe");

	tcase_add_test(tc, reads_each_form);
	tcase_add_test(tc, reads_nothing_else);
	tcase_add_test(tc, knows_names_that_lead_outside);
	tcase_add_test(tc, gives_out_hosts_only);
	tcase_add_test(tc, rewrites_places_only);
	tcase_add_test(tc, rewrites_in_linear_time);
	tcase_add_test(tc, checks_what_a_service_sends);
	tcase_add_test(tc, reads_get_without_a_body);
	tcase_add_test(tc, offers_served_ports_only);
	tcase_add_test(tc, reads_imports_once);
	tcase_add_test(tc, serves_what_lies_elsewhere);
	tcase_add_test(tc, refuses_other_files);
	return run_tcase("describe", tc);
}
