// SPDX-License-Identifier: GPL-2.0
/* The pipeline as a whole: its output, and what an inspector refuses to start with. */
#include <fcntl.h>
#include <unistd.h>

#include "run.h"
#include "vectors.h"

#define S11  "http://schemas.xmlsoap.org/soap/envelope/"
#define ENV  "<e:Envelope xmlns:e='" S11 "'>"
#define BODY "<e:Body><x xmlns='urn:x'/></e:Body>"
#define END  "</e:Envelope>"

static struct bytes to_utf16(const char *text, bool big)
{
	struct bytes b = { .len = 2 + 2 * strlen(text) };

	b.p = calloc(1, b.len);
	ck_assert_ptr_nonnull(b.p);
	memcpy(b.p, big ? "\xfe\xff" : "\xff\xfe", 2);
	for (size_t i = 0; text[i]; i++)
		b.p[2 + 2 * i + big] = text[i];
	return b;
}

/* The output is the UTF-8 that was inspected, without a declaration that is no longer true. */
START_TEST(utf16_is_output_as_utf8)
{
	const char *good = "<?xml version='1.0' encoding='UTF-16'?>" ENV BODY END;
	const char *bad = "<?xml version='1.0' encoding='UTF-16'?>" ENV
			  "\n<e:Body>text</e:Body>" END;
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BC);

	for (int big = 0; big < 2; big++) {
		struct bytes b = to_utf16(good, big);
		struct fmp_inspection v = inspect_bytes(i, b.p, b.len);

		ck_assert_msg(v.accepted, "%s", v.detail);
		ck_assert_uint_eq(v.forward_len, strlen(ENV BODY END));
		ck_assert_int_eq(memcmp(v.forward, ENV BODY END, v.forward_len), 0);
		fmp_inspection_clear(&v);

		v = inspect_bytes(i, b.p, b.len - 1);
		ck_assert(!v.accepted && v.kind == FMP_EVENT_ENCODING);
		free(b.p);

		b = to_utf16(bad, big);
		v = inspect_bytes(i, b.p, b.len);
		ck_assert(!v.accepted && v.kind == FMP_EVENT_SOAP);
		ck_assert_int_eq(v.line, 2);
		free(b.p);
	}
	fmp_inspector_free(i);
}
END_TEST

/* RFC 7303 3.2: it counts before what a message says of itself; nothing hides in such a one. */
START_TEST(plain_charsets_are_no_attack)
{
	static const struct {
		const char *content_type;
		bool is_plain;
	} rows[] = {
		{ "text/xml; charset=iso-8859-1", true },
		{ "text/xml;CHARSET=\"ISO-8859-15\"; a=b", true },
		{ "application/soap+xml; action=\"urn:a\"; charset=windows-1252", true },
		{ "text/xml; charset=US-ASCII", true },
		{ "text/xml; charset=utf-8", false },
		{ "text/xml; charset=utf-7", false },
		{ "text/xml; xcharset=iso-8859-1", false },
		{ "text/xml", false },
		{ NULL, false },
	};
	static const char latin1[] =
		"<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body><a>\xe4</a>"
		"</e:Body></e:Envelope>";
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BC);
	struct fmp_inspector *i = make_inspector(&cfg);

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct fmp_message m = { .bytes = latin1, .len = sizeof(latin1) - 1 };
		struct fmp_inspection v;
		struct fmp_media media;

		fmp_media_read(rows[k].content_type, &media);
		ck_assert_msg(media.plain_charset == rows[k].is_plain, "row %zu", k);
		m.plain_charset = media.plain_charset;
		ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
		ck_assert_msg(!v.accepted && v.kind == (rows[k].is_plain ? FMP_EVENT_UNSUPPORTED
									 : FMP_EVENT_ENCODING),
			      "row %zu: %s", k, v.detail);
		fmp_inspection_clear(&v);
	}
	fmp_inspector_free(i);
}
END_TEST

START_TEST(os_looks_at_the_size_only)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_OS);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.limits.body_bytes = 5;
	i = make_inspector(&cfg);
	v = inspect_bytes(i, "\0<!x>", 5);
	ck_assert(v.accepted && v.forward_len == 5);
	v = inspect_bytes(i, "123456", 6);
	ck_assert(!v.accepted && v.kind == FMP_EVENT_OVERSIZE && !v.forward);
	v = inspect_bytes(i, "", 0);
	ck_assert(v.accepted && v.forward_len == 0);
	fmp_inspector_free(i);
}
END_TEST

/* The signed bytes and nothing else: what the canonical form leaves out is left out. */
START_TEST(invariant_9_the_signed_bytes_are_the_output)
{
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCS);
	struct bytes with = read_vector("good/comment-in-body.xml");
	struct bytes without = read_vector("good/wss4j-rsa2048-1k.xml");
	struct fmp_inspection a, b;
	const char *body;

	ck_assert_ptr_nonnull(memmem(with.p, with.len, "<!--", 4));
	a = inspect_bytes(i, with.p, with.len);
	b = inspect_bytes(i, without.p, without.len);
	ck_assert(a.accepted && b.accepted);
	ck_assert_uint_eq(a.forward_len, b.forward_len);
	ck_assert_int_eq(memcmp(a.forward, b.forward, a.forward_len), 0);
	/* It is a message again. */
	body = memmem(b.forward, b.forward_len, "<submitOrder", 12);
	ck_assert_ptr_nonnull(body);
	fmp_inspection_clear(&a);
	a = inspect_bytes(i, b.forward, b.forward_len);
	ck_assert(!a.accepted && a.kind == FMP_EVENT_UNSIGNED);
	fmp_inspector_free(i);
	i = vector_inspector(FMP_SECURITY_BCV);
	a = inspect_bytes(i, b.forward, b.forward_len);
	ck_assert_msg(a.accepted, "%s", a.detail);
	fmp_inspection_clear(&a);
	fmp_inspection_clear(&b);
	fmp_inspector_free(i);
	free(with.p);
	free(without.p);
}
END_TEST

/* The output of every good message is valid by itself and holds no Header. */
START_TEST(forwarded_messages_are_valid)
{
	static const struct {
		const char *file;
		enum fmp_security security;
		int version;
	} rows[] = {
		{ "good/wss4j-soap12-rsa2048-1k.xml", FMP_SECURITY_BCS, 12 },
		{ "good/gsoap-rsa2048-1k.xml", FMP_SECURITY_BCS, 11 },
		{ "good/zeep-rsa2048-1k.xml", FMP_SECURITY_BCS, 11 },
		{ "good/wss4j-enc-cbc256-1k.xml", FMP_SECURITY_BCE, 11 },
		{ "good/wss4j-enc-gcm256-oaep256-1k.xml", FMP_SECURITY_BCE, 11 },
		{ "good/wss4j-sign-then-enc-1k.xml", FMP_SECURITY_BCES, 11 },
		{ "good/wss4j-enc-then-sign-1k.xml", FMP_SECURITY_BCES, 11 },
	};
	struct fmp_inspector *plain = vector_inspector(FMP_SECURITY_BCV);

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct fmp_inspector *i = inspector_for(rows[k].file, rows[k].security);
		struct bytes b = read_vector(rows[k].file);
		struct fmp_inspection v = inspect_bytes(i, b.p, b.len), again;

		ck_assert_msg(v.accepted, "%s: %s", rows[k].file, v.detail);
		ck_assert_int_eq(v.soap_version, rows[k].version);
		ck_assert_ptr_null(memmem(v.forward, v.forward_len, "Header", 6));
		again = inspect_bytes(plain, v.forward, v.forward_len);
		ck_assert_msg(again.accepted, "%s: %s", rows[k].file, again.detail);
		ck_assert_int_eq(again.soap_version, rows[k].version);
		fmp_inspection_clear(&v);
		fmp_inspector_free(i);
		free(b.p);
	}
	fmp_inspector_free(plain);
}
END_TEST

START_TEST(time_is_the_callers)
{
	struct fmp_inspector *i = vector_inspector(FMP_SECURITY_BCS);
	struct bytes b = read_vector("good/wss4j-rsa2048-1k.xml");
	struct fmp_message m = { .bytes = b.p, .len = b.len, .now_s = VECTORS_NOW - 86400 };
	struct fmp_inspection v;

	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert(!v.accepted && v.kind == FMP_EVENT_TIMESTAMP);
	m.now_s = VECTORS_NOW + 21 * 31536000LL;
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert(!v.accepted && v.kind == FMP_EVENT_TIMESTAMP);
	fmp_inspector_free(i);
	free(b.p);
}
END_TEST

/* ---- configurations ---- */

static void no_inspector(struct fmp_inspect_config cfg, int code, const char *words)
{
	struct fmp_error err = { 0 };
	struct fmp_inspector *i;
	char text[1024];

	ck_assert_int_eq(fmp_inspector_new(&cfg, &i, &err), code);
	ck_assert_ptr_null(i);
	fmp_error_format(&err, text, sizeof(text));
	ck_assert_msg(strstr(text, words), "%s", text);
}

START_TEST(configurations_that_lack_something)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCES);

	cfg.schema = NULL;
	no_inspector(cfg, FMP_ERR_INVALID, "BcES needs a schema");
	cfg.schema = "/nonexistent.xsd";
	no_inspector(cfg, FMP_ERR_IO, "/nonexistent.xsd");
	cfg.schema = tests_path("interop/vectors/plain/plain-1k.xml");
	no_inspector(cfg, FMP_ERR_SCHEMA, "plain-1k.xml:");
	cfg = vector_config(FMP_SECURITY_BCES);
	cfg.trust = NULL;
	no_inspector(cfg, FMP_ERR_INVALID, "trusted CAs");
	cfg.trust = tests_path("interop/vectors/orders.xsd");
	no_inspector(cfg, FMP_ERR_NOTFOUND, "orders.xsd");
	cfg = vector_config(FMP_SECURITY_BCES);
	cfg.key = NULL;
	no_inspector(cfg, FMP_ERR_INVALID, "private key");
	cfg.key = tests_path("interop/vectors/pki/ca.crt");
	no_inspector(cfg, FMP_ERR_SYNTAX, "ca.crt");
	cfg = vector_config(FMP_SECURITY_BC);
	cfg.limits.depth = 0;
	no_inspector(cfg, FMP_ERR_INVALID, "limit");
	cfg = vector_config(FMP_SECURITY_BC);
	cfg.limits.body_bytes = UINT32_MAX;
	no_inspector(cfg, FMP_ERR_INVALID, "body_bytes");
	cfg = vector_config(99);
	no_inspector(cfg, FMP_ERR_INVALID, "security");
	/* Files that a configuration does not use are not read. */
	cfg = vector_config(FMP_SECURITY_BC);
	cfg.schema = cfg.trust = cfg.key = "/nonexistent";
	fmp_inspector_free(make_inspector(&cfg));
}
END_TEST

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

START_TEST(schemas_with_errors_say_where)
{
	char path[64];
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCV);

	snprintf(path, sizeof(path), "/tmp/fmp-test-%d.xsd", (int)getpid());
	cfg.schema = path;
	write_file(path, "<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema'>\n"
			 "<s:element name='a' type='nothing'/></s:schema>");
	no_inspector(cfg, FMP_ERR_SCHEMA, ".xsd:2: ");
	/* An import that is not found would leave a hole; one from the network is never fetched. */
	write_file(path, "<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema'>\n"
			 "<s:import namespace='u' schemaLocation='http://127.0.0.1:9/u.xsd'/>"
			 "</s:schema>");
	no_inspector(cfg, FMP_ERR_SCHEMA, "http://127.0.0.1:9/u.xsd");
	write_file(path, "<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema'>\n"
			 "<s:import namespace='u' schemaLocation='nowhere.xsd'/></s:schema>");
	no_inspector(cfg, FMP_ERR_SCHEMA, ".xsd:2: ");
	unlink(path);
}
END_TEST

/* Imports of files beside the schema are read, and hold. */
START_TEST(schemas_import_their_neighbours)
{
	char path[64], imported[64], text[256];
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCV);
	struct fmp_inspector *i;
	struct fmp_inspection v;

	snprintf(path, sizeof(path), "/tmp/fmp-test-%d.xsd", (int)getpid());
	snprintf(imported, sizeof(imported), "/tmp/fmp-test-%d-import.xsd", (int)getpid());
	write_file(imported,
		   "<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema' "
		   "targetNamespace='urn:x'><s:element name='x' type='s:int'/></s:schema>");
	snprintf(text, sizeof(text),
		 "<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema'>"
		 "<s:import namespace='urn:x' schemaLocation='%s'/></s:schema>",
		 strrchr(imported, '/') + 1);
	write_file(path, text);
	cfg.schema = path;
	i = make_inspector(&cfg);
	unlink(path);
	unlink(imported);
	v = inspect_bytes(i, ENV "<e:Body><x xmlns='urn:x'>1</x></e:Body>" END,
			  strlen(ENV "<e:Body><x xmlns='urn:x'>1</x></e:Body>" END));
	ck_assert_msg(v.accepted, "%s", v.detail);
	v = inspect_bytes(i, ENV BODY END, strlen(ENV BODY END));
	ck_assert(!v.accepted && v.kind == FMP_EVENT_SCHEMA);
	fmp_inspector_free(i);
}
END_TEST

/* Not by dots, not by a URL, not by a link; but from a folder inside. */
START_TEST(schemas_import_nothing_of_elsewhere)
{
	static const char *const stray[] = { "../", "/tmp/", "file:///tmp/", "in/../../" };
	char dir[] = "/tmp/fmp-schema-XXXXXX", path[64], other[64], text[512], where[128], cmd[512];
	const size_t last = sizeof(stray) / sizeof(stray[0]);
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCV);

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(other, sizeof(other), "%s-x.xsd", dir);
	write_file(other, "<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema' "
			  "targetNamespace='urn:x'><s:element name='x'/></s:schema>");
	snprintf(cmd, sizeof(cmd), "mkdir %s/in && ln -s %s %s/link.xsd && cp %s %s/in/x.xsd", dir,
		 other, dir, other, dir);
	ck_assert_int_eq(system(cmd), 0);
	snprintf(path, sizeof(path), "%s/a.xsd", dir);
	cfg.schema = path;
	for (size_t n = 0; n <= last + 1; n++) {
		if (n < last)
			snprintf(where, sizeof(where), "%s%s", stray[n], strrchr(other, '/') + 1);
		else
			strcpy(where, n == last ? "link.xsd" : "in/x.xsd");
		snprintf(text, sizeof(text),
			 "<s:schema xmlns:s='http://www.w3.org/2001/XMLSchema'>\n"
			 "<s:import namespace='urn:x' schemaLocation='%s'/></s:schema>",
			 where);
		write_file(path, text);
		if (n > last)
			fmp_inspector_free(make_inspector(&cfg));
		else
			no_inspector(cfg, FMP_ERR_SCHEMA, "is not below");
	}
	snprintf(cmd, sizeof(cmd), "rm -r %s %s", dir, other);
	ck_assert_int_eq(system(cmd), 0);
}
END_TEST

/* The library never prints, whatever it is fed. */
START_TEST(nothing_is_printed)
{
	static const char *const files[] = {
		"bad-wss/wss4j-rogue-ca.xml",	  "bad-wss/tampered-body.xml",
		"bad-wss/enc-gcm-tag-flip.xml",	  "xml-attack/unbound-prefix.xml",
		"xml-attack/schema-qty-zero.xml",
	};
	char path[64], buf[8];
	int fd, saved = dup(2);
	ssize_t n;

	snprintf(path, sizeof(path), "/tmp/fmp-test-stderr-%d", (int)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_ge(fd, 0);
	dup2(fd, 2);
	for (unsigned s = 0; s < FMP_SECURITIES; s++) {
		struct fmp_inspector *i = vector_inspector(s);

		for (unsigned k = 0; k < sizeof(files) / sizeof(files[0]); k++) {
			struct bytes b = read_vector(files[k]);
			struct fmp_inspection v = inspect_bytes(i, b.p, b.len);

			fmp_inspection_clear(&v);
			free(b.p);
		}
		fmp_inspector_free(i);
	}
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	n = pread(fd, buf, sizeof(buf), 0);
	close(fd);
	unlink(path);
	ck_assert_int_eq(n, 0);
}
END_TEST

START_TEST(names_of_steps)
{
	for (unsigned s = 0; s < FMP_STEPS; s++)
		ck_assert_ptr_nonnull(fmp_step_name(s));
	ck_assert_str_eq(fmp_step_name(FMP_STEP_SCREEN), "screen");
	ck_assert_str_eq(fmp_step_name(FMP_STEP_DONE), "done");
	ck_assert_ptr_null(fmp_step_name(FMP_STEPS));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("inspect");

	tcase_add_checked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, utf16_is_output_as_utf8);
	tcase_add_test(tc, plain_charsets_are_no_attack);
	tcase_add_test(tc, os_looks_at_the_size_only);
	tcase_add_test(tc, invariant_9_the_signed_bytes_are_the_output);
	tcase_add_test(tc, forwarded_messages_are_valid);
	tcase_add_test(tc, time_is_the_callers);
	tcase_add_test(tc, configurations_that_lack_something);
	tcase_add_test(tc, schemas_with_errors_say_where);
	tcase_add_test(tc, schemas_import_their_neighbours);
	tcase_add_test(tc, schemas_import_nothing_of_elsewhere);
	tcase_add_test(tc, nothing_is_printed);
	tcase_add_test(tc, names_of_steps);
	return run_tcase("inspect", tc);
}
