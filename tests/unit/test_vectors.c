// SPDX-License-Identifier: GPL-2.0
/*
 * The interoperability vectors through the whole pipeline. What MANIFEST.json says
 * must come out, and for each message that is refused the table below says at
 * which step and why: a refusal for the wrong reason is a hole that happens to be closed.
 */
#include <json-c/json.h>
#include <libxml/xmlmemory.h>
#include <time.h>

#include "run.h"
#include "vectors.h"

/* As large as the largest vector, so that each is refused for what it is. */
static struct fmp_policy_limits wide_limits(void)
{
	struct fmp_policy_limits l = vector_limits();

	l.body_bytes = 4 << 20;
	l.elements = 100000;
	return l;
}

static const struct expected {
	const char *file;
	enum fmp_step step;
	enum fmp_event_kind kind;
} refusals[] = {
	{ "bad-wss/dup-signature.xml", FMP_STEP_SIGNATURE, FMP_EVENT_WRAPPING },
	{ "bad-wss/dup-wsuid-header.xml", FMP_STEP_SIGNATURE, FMP_EVENT_WRAPPING },
	{ "bad-wss/enc-gcm-tag-flip.xml", FMP_STEP_DECRYPT, FMP_EVENT_DECRYPT },
	{ "bad-wss/enc-rsa15.xml", FMP_STEP_DECRYPT, FMP_EVENT_ALGORITHM },
	{ "bad-wss/keyinfo-keyvalue.xml", FMP_STEP_SIGNATURE, FMP_EVENT_UNSUPPORTED },
	{ "bad-wss/no-signature.xml", FMP_STEP_SIGNATURE, FMP_EVENT_UNSIGNED },
	{ "bad-wss/no-timestamp.xml", FMP_STEP_TIMESTAMP, FMP_EVENT_TIMESTAMP },
	{ "bad-wss/refs-5000.xml", FMP_STEP_SCREEN, FMP_EVENT_STRUCTURE },
	{ "bad-wss/tampered-body.xml", FMP_STEP_SIGNATURE, FMP_EVENT_SIGNATURE },
	{ "bad-wss/tampered-timestamp.xml", FMP_STEP_SIGNATURE, FMP_EVENT_SIGNATURE },
	{ "bad-wss/transform-xslt.xml", FMP_STEP_SIGNATURE, FMP_EVENT_ALGORITHM },
	{ "bad-wss/wss4j-expired.xml", FMP_STEP_TIMESTAMP, FMP_EVENT_TIMESTAMP },
	{ "bad-wss/wss4j-rogue-ca.xml", FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN },
	{ "bad-wss/wss4j-rsa-sha1.xml", FMP_STEP_SIGNATURE, FMP_EVENT_ALGORITHM },
	{ "bad-wss/wss4j-signed-ts-only.xml", FMP_STEP_SIGNATURE, FMP_EVENT_UNSIGNED },
	{ "bad-wss/xsw1.xml", FMP_STEP_SIGNATURE, FMP_EVENT_WRAPPING },
	{ "bad-wss/xsw2.xml", FMP_STEP_SIGNATURE, FMP_EVENT_WRAPPING },
	{ "bad-wss/xsw5.xml", FMP_STEP_SOAP, FMP_EVENT_SOAP },
	{ "xml-attack/attrs-100k.xml", FMP_STEP_SCREEN, FMP_EVENT_STRUCTURE },
	{ "xml-attack/billion-laughs.xml", FMP_STEP_SCREEN, FMP_EVENT_DTD },
	{ "xml-attack/deep-10000.xml", FMP_STEP_SCREEN, FMP_EVENT_NESTING },
	{ "xml-attack/dtd-empty.xml", FMP_STEP_SCREEN, FMP_EVENT_DTD },
	{ "xml-attack/not-soap.xml", FMP_STEP_SOAP, FMP_EVENT_SOAP },
	{ "xml-attack/quadratic-blowup.xml", FMP_STEP_SCREEN, FMP_EVENT_DTD },
	{ "xml-attack/schema-extra-element.xml", FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA },
	{ "xml-attack/schema-qty-zero.xml", FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA },
	{ "xml-attack/soap-array-attack.xml", FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA },
	{ "xml-attack/sql-injection.xml", FMP_STEP_SCHEMA, FMP_EVENT_SCHEMA },
	{ "xml-attack/two-bodies.xml", FMP_STEP_SOAP, FMP_EVENT_SOAP },
	{ "xml-attack/unbound-prefix.xml", FMP_STEP_PARSE, FMP_EVENT_WELLFORMED },
	{ "xml-attack/utf7.xml", FMP_STEP_SCREEN, FMP_EVENT_ENCODING },
	{ "xml-attack/xxe-file.xml", FMP_STEP_SCREEN, FMP_EVENT_DTD },
};

static const struct expected *refusal_of(const char *file)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		if (strcmp(refusals[i].file, file) == 0)
			return &refusals[i];
	ck_abort_msg("%s is refused in MANIFEST.json, but the table does not say why", file);
	return NULL;
}

static struct fmp_inspector *inspectors[FMP_SECURITIES], *encrypted_first, *with_cbc;

static void setup(void)
{
	vectors_setup();
	for (unsigned s = 0; s < FMP_SECURITIES; s++) {
		struct fmp_inspect_config cfg = vector_config(s);

		cfg.limits = wide_limits();
		inspectors[s] = make_inspector(&cfg);
		cfg.order = FMP_ORDER_ENCRYPT_SIGN;
		if (s == FMP_SECURITY_BCES)
			encrypted_first = make_inspector(&cfg);
		cfg.algorithms = vector_cbc();
		if (s == FMP_SECURITY_BCE)
			with_cbc = make_inspector(&cfg);
	}
}

static void teardown(void)
{
	for (unsigned s = 0; s < FMP_SECURITIES; s++)
		fmp_inspector_free(inspectors[s]);
	fmp_inspector_free(encrypted_first);
	fmp_inspector_free(with_cbc);
	vectors_teardown();
}

static void check_vector(const char *file, const char *config, bool encrypts_first, bool accept)
{
	enum fmp_security security = FMP_SECURITY_OS;
	struct bytes b = read_vector(file);
	struct fmp_inspection v;

	ck_assert_int_eq(fmp_security_parse(config, &security), 0);
	v = inspect_bytes(encrypts_first	 ? encrypted_first
			  : strstr(file, "-cbc") ? with_cbc
						 : inspectors[security],
			  b.p, b.len);
	ck_assert_msg(v.accepted == accept, "%s %s: %s %s: %s", file, config, fmp_step_name(v.step),
		      v.accepted ? "accepted" : "refused", v.detail);
	if (accept) {
		ck_assert_int_eq(v.step, FMP_STEP_DONE);
		ck_assert_int_eq(v.kind, FMP_EVENT_GOOD);
		ck_assert_ptr_nonnull(v.forward);
		ck_assert_uint_gt(v.forward_len, 0);
	} else {
		const struct expected *e = refusal_of(file);

		ck_assert_msg(v.step == e->step && v.kind == e->kind, "%s %s: step %s, kind %d: %s",
			      file, config, fmp_step_name(v.step), v.kind, v.detail);
		ck_assert_str_ne(v.detail, "");
		ck_assert_ptr_null(v.forward);
		ck_assert_uint_eq(v.forward_len, 0);
	}
	fmp_inspection_clear(&v);
	free(b.p);
}

START_TEST(manifest)
{
	struct json_object *all =
		json_object_from_file(tests_path("interop/vectors/MANIFEST.json"));
	unsigned accepted = 0, refused = 0;

	ck_assert_ptr_nonnull(all);
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *row = json_object_array_get_idx(all, i);
		const char *file = json_object_get_string(json_object_object_get(row, "file"));
		const char *expect = json_object_get_string(json_object_object_get(row, "expect"));
		struct json_object *configs = json_object_object_get(row, "configs");
		bool encrypts_first = json_object_object_get(row, "order") != NULL;

		/* Raw requests are the gateway's. */
		if (strncmp(file, "http/", 5) == 0)
			continue;
		for (size_t c = 0; c < json_object_array_length(configs); c++) {
			bool accept = strcmp(expect, "accept") == 0;

			ck_assert(accept || strcmp(expect, "reject") == 0);
			check_vector(file,
				     json_object_get_string(json_object_array_get_idx(configs, c)),
				     encrypts_first, accept);
			accepted += accept;
			refused += !accept;
		}
	}
	json_object_put(all);
	/* A manifest that is not read must not look like one that is fulfilled. */
	ck_assert_uint_ge(accepted, 22);
	ck_assert_uint_ge(refused, 42);
}
END_TEST

/* Every message in every configuration: no crash, no leak, always one verdict. */
START_TEST(any_message_in_any_configuration)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct bytes b = read_vector(refusals[i].file);

		for (unsigned s = 0; s < FMP_SECURITIES; s++) {
			struct fmp_inspection v = inspect_bytes(inspectors[s], b.p, b.len);

			ck_assert_msg(v.accepted == (v.kind == FMP_EVENT_GOOD), "%s %s",
				      refusals[i].file, fmp_security_name(s));
			ck_assert(!v.accepted || s < FMP_SECURITY_BCS);
			fmp_inspection_clear(&v);
		}
		free(b.p);
	}
}
END_TEST

/* A message of one configuration is none of a stricter one. */
START_TEST(good_messages_where_they_lack_something)
{
	static const struct {
		const char *file;
		enum fmp_security security;
		enum fmp_event_kind kind;
	} rows[] = {
		{ "plain/plain-1k.xml", FMP_SECURITY_BCS, FMP_EVENT_UNSIGNED },
		{ "plain/plain-1k.xml", FMP_SECURITY_BCE, FMP_EVENT_UNENCRYPTED },
		{ "plain/plain-1k.xml", FMP_SECURITY_BCES, FMP_EVENT_UNENCRYPTED },
		{ "good/wss4j-rsa2048-1k.xml", FMP_SECURITY_BCE, FMP_EVENT_UNENCRYPTED },
		{ "good/wss4j-rsa2048-1k.xml", FMP_SECURITY_BCES, FMP_EVENT_UNENCRYPTED },
		{ "good/wss4j-enc-gcm128-1k.xml", FMP_SECURITY_BCES, FMP_EVENT_UNSIGNED },
		{ "good/wss4j-enc-gcm128-1k.xml", FMP_SECURITY_BCS, FMP_EVENT_SCHEMA },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bytes b = read_vector(rows[i].file);
		struct fmp_inspection v = inspect_bytes(inspectors[rows[i].security], b.p, b.len);

		ck_assert_msg(!v.accepted && v.kind == rows[i].kind, "%s %s: %d %s", rows[i].file,
			      fmp_security_name(rows[i].security), v.kind, v.detail);
		free(b.p);
	}
}
END_TEST

/* ---- invariant 8: what is refused early has cost nothing ---- */

static size_t xml_calls;

static void *count_malloc(size_t n)
{
	xml_calls++;
	return malloc(n);
}

static void *count_realloc(void *p, size_t n)
{
	xml_calls++;
	return realloc(p, n);
}

static char *count_strdup(const char *s)
{
	xml_calls++;
	return strdup(s);
}

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

START_TEST(invariant_8_the_screen_refuses_before_the_parser_runs)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct bytes b = read_vector(refusals[i].file);
		double start = cpu_ms();
		size_t before = xml_calls;
		struct fmp_inspection v = inspect_bytes(inspectors[FMP_SECURITY_BCS], b.p, b.len);

		if (refusals[i].step == FMP_STEP_SCREEN) {
			ck_assert_msg(xml_calls == before, "%s: libxml2 was asked",
				      refusals[i].file);
			/* libxml2 alone needs 25 s for one of these. */
			ck_assert_msg(cpu_ms() - start < 50, "%s: %.1f ms", refusals[i].file,
				      cpu_ms() - start);
		}
		ck_assert(!v.accepted);
		free(b.p);
	}
	/* The counter does count. */
	ck_assert_uint_gt(xml_calls, 0);
}
END_TEST

START_TEST(invariant_8_thousands_of_references_are_not_digested)
{
	struct bytes b = read_vector("bad-wss/refs-5000.xml");
	struct fmp_inspector *narrow = vector_inspector(FMP_SECURITY_BCS);
	struct fmp_inspection v = inspect_bytes(narrow, b.p, b.len);
	double start;

	ck_assert_int_eq(v.kind, FMP_EVENT_OVERSIZE);
	ck_assert_int_eq(v.step, FMP_STEP_SCREEN);
	start = cpu_ms();
	v = inspect_bytes(inspectors[FMP_SECURITY_BCS], b.p, b.len);
	ck_assert_int_eq(v.kind, FMP_EVENT_STRUCTURE);
	/* xmlsec1 alone needs more than 20 s. */
	ck_assert_msg(cpu_ms() - start < 2000, "%.1f ms", cpu_ms() - start);
	fmp_inspector_free(narrow);
	free(b.p);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("vectors");

	/* Before libxml2 has a byte of its own. */
	if (xmlMemSetup(free, count_malloc, count_realloc, count_strdup) != 0)
		return EXIT_FAILURE;
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, manifest);
	tcase_add_test(tc, any_message_in_any_configuration);
	tcase_add_test(tc, good_messages_where_they_lack_something);
	tcase_add_test(tc, invariant_8_the_screen_refuses_before_the_parser_runs);
	tcase_add_test(tc, invariant_8_thousands_of_references_are_not_digested);
	return run_tcase("vectors", tc);
}
