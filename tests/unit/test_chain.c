// SPDX-License-Identifier: GPL-2.0
/* Limits set by CAs above a signer's, and what a foreign certificate costs where there are CRLs. */
#include <check.h>
#include <string.h>

#include <fmp/internal/key_strength.h>

#include "exponent.h"
#include "crls.h"
#include "run.h"

#define CA_OF(k) .key = (k), .usage = "critical,keyCertSign,cRLSign", .basic = "critical,CA:TRUE"

/* Load these CAs. */
static int load_trust(X509 *const cas[], const char *crl, struct fmp_error *err)
{
	char path[64];
	FILE *f;
	int ret;

	snprintf(path, sizeof(path), "/tmp/fmp-test-cas-%d.pem", (int)getpid());
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	for (; *cas; cas++)
		PEM_write_X509(f, *cas);
	fclose(f);
	fmpi_trust_free(trust);
	trust = NULL;
	ret = fmpi_trust_load(path, crl, &trust, err);
	unlink(path);
	return ret;
}

static void trust_these(X509 *const cas[])
{
	struct fmp_error err = { 0 };

	ck_assert_msg(load_trust(cas, NULL, &err) == 0, "%s", err.message);
}

/* root -> middle -> low -> leaf, each with its own limits. */
static struct family {
	EVP_PKEY *root_key, *middle_key, *low_key;
	X509 *root, *middle, *low, *leaf;
} f;

static void make_family(struct recipe root, struct recipe middle, struct recipe low,
			struct recipe leaf)
{
	f = (struct family){ .root_key = EVP_EC_gen("P-256"),
			     .middle_key = EVP_EC_gen("P-256"),
			     .low_key = EVP_EC_gen("P-256") };
	root.key = f.root_key;
	middle.key = f.middle_key;
	low.key = f.low_key;
	leaf.key = leaf_key;
	f.root = make_certificate("root", &root, NULL, f.root_key);
	f.middle = make_certificate("middle", &middle, f.root, f.root_key);
	f.low = make_certificate("low", &low, f.middle, f.middle_key);
	f.leaf = make_certificate("leaf", &leaf, f.low, f.low_key);
}

static void free_family(void)
{
	X509_free(f.root);
	X509_free(f.middle);
	X509_free(f.low);
	X509_free(f.leaf);
	EVP_PKEY_free(f.root_key);
	EVP_PKEY_free(f.middle_key);
	EVP_PKEY_free(f.low_key);
}

#define PLAIN               \
	(struct recipe)     \
	{                   \
		CA_OF(NULL) \
	}

START_TEST(path_lengths_of_all_cas_count)
{
	struct recipe of_0 = PLAIN, of_1 = PLAIN, of_2 = PLAIN;

	of_0.basic = "critical,CA:TRUE,pathlen:0";
	of_1.basic = "critical,CA:TRUE,pathlen:1";
	of_2.basic = "critical,CA:TRUE,pathlen:2";
	make_family(of_2, of_1, of_0, (struct recipe){ 0 });
	trust_these((X509 *[]){ f.low, f.middle, f.root, NULL });
	ck_assert_int_eq(check_at(f.leaf, NOW), 0);
	free_family();
	make_family(of_1, PLAIN, PLAIN, (struct recipe){ 0 });
	trust_these((X509 *[]){ f.low, f.middle, f.root, NULL });
	expect_new_refusal(f.leaf, NOW, "path length constraint exceeded");
	/* Only CAs in the file count: a trusted CA below an absent one is trusted itself. */
	trust_these((X509 *[]){ f.low, f.middle, NULL });
	ck_assert_int_eq(check_at(f.leaf, NOW), 0);
	free_family();
	/* Also without a root. */
	make_family(PLAIN, of_0, PLAIN, (struct recipe){ 0 });
	trust_these((X509 *[]){ f.low, f.middle, NULL });
	expect_new_refusal(f.leaf, NOW, "path length constraint exceeded");
	trust_these((X509 *[]){ f.low, NULL });
	ck_assert_int_eq(check_at(f.leaf, NOW), 0);
	free_family();
}
END_TEST

START_TEST(name_constraints_of_all_cas_count)
{
	struct recipe narrow = PLAIN;

	narrow.constraints = "critical,permitted;DNS:good.example";
	for (int depth = 0; depth < 3; depth++) {
		for (int good = 0; good < 2; good++) {
			struct recipe leaf = { .names = good ? "DNS:a.good.example"
							     : "DNS:bad.example" };

			make_family(depth == 0 ? narrow : PLAIN, depth == 1 ? narrow : PLAIN,
				    depth == 2 ? narrow : PLAIN, leaf);
			trust_these((X509 *[]){ f.root, f.middle, f.low, NULL });
			if (good)
				ck_assert_int_eq(check_at(f.leaf, NOW), 0);
			else
				expect_new_refusal(f.leaf, NOW, "permitted subtree violation");
			free_family();
		}
	}
	narrow.constraints = "excluded;email:bad.example";
	make_family(narrow, PLAIN, PLAIN, (struct recipe){ .names = "email:a@bad.example" });
	trust_these((X509 *[]){ f.low, f.root, f.middle, NULL });
	expect_new_refusal(f.leaf, NOW, "excluded subtree violation");
	free_family();
}
END_TEST

/* As in TLS; also for one in the file without its issuer. */
START_TEST(times_of_all_cas_count)
{
	struct recipe late = PLAIN;

	late.until = NOW + 100;
	make_family(late, PLAIN, PLAIN, (struct recipe){ 0 });
	trust_these((X509 *[]){ f.root, f.middle, f.low, NULL });
	ck_assert_int_eq(check_at(f.leaf, NOW + 99), 0);
	ck_assert_int_eq(check_at(f.leaf, NOW + 99), 0);
	ck_assert_uint_eq(fmpi_trust_hits(trust), 1);
	expect_new_refusal(f.leaf, NOW + 101, "certificate has expired");
	free_family();
	make_family(PLAIN, late, PLAIN, (struct recipe){ 0 });
	trust_these((X509 *[]){ f.middle, f.low, NULL });
	ck_assert_int_eq(check_at(f.leaf, NOW + 99), 0);
	expect_new_refusal(f.leaf, NOW + 101, "certificate has expired");
	free_family();
}
END_TEST

/*
 * A renewed CA has two certificates of one name: the valid one, or the one whose key signed, is
 * chosen.
 */
START_TEST(the_right_one_of_cas_with_one_name)
{
	struct recipe late = PLAIN, other = PLAIN;
	X509 *renewed, *stranger;
	EVP_PKEY *untrusted_key = EVP_EC_gen("P-256");

	late.until = NOW - 100;
	make_family(late, PLAIN, PLAIN, (struct recipe){ 0 });
	other.key = f.root_key;
	renewed = make_certificate("root", &other, NULL, f.root_key);
	other.key = untrusted_key;
	stranger = make_certificate("root", &other, NULL, untrusted_key);
	trust_these((X509 *[]){ stranger, f.root, renewed, f.middle, f.low, NULL });
	ck_assert_int_eq(check_at(f.leaf, NOW), 0);
	trust_these((X509 *[]){ f.low, f.middle, renewed, f.root, stranger, NULL });
	ck_assert_int_eq(check_at(f.leaf, NOW), 0);
	X509_free(renewed);
	X509_free(stranger);
	EVP_PKEY_free(untrusted_key);
	free_family();
}
END_TEST

START_TEST(a_signer_of_the_file_needs_no_ca)
{
	struct recipe r = { .key = leaf_key };
	X509 *c = make_certificate("leaf", &r, ca, ca_key),
	     *other = make_certificate("other", &r, ca, ca_key);

	trust_these((X509 *[]){ c, NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	expect_new_refusal(other, NOW, "unable to get local issuer");
	X509_free(c);
	X509_free(other);
}
END_TEST

START_TEST(exponents_are_odd_and_short)
{
	static const struct {
		unsigned bits, lowest;
		bool good;
	} row[] = {
		{ 0, 3, true },	   { 0, 17, true },    { 17, 1, true },	 { 64, 1, true },
		{ 0, 1, false },   { 0, 2, false },    { 17, 0, false }, { 65, 1, false },
		{ 256, 1, false }, { 2047, 1, false },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct recipe r = { .key = rsa_with(row[i].bits, row[i].lowest) };
		X509 *c = make_certificate("leaf", &r, ca, ca_key);

		ck_assert_int_eq(fmp_key_is_usable(r.key), row[i].good);
		if (row[i].good)
			ck_assert_int_eq(check_at(c, NOW), 0);
		else
			expect_new_refusal(c, NOW, "RSA exponent");
		X509_free(c);
		EVP_PKEY_free(r.key);
	}
}
END_TEST

/* ---- CRLs ---- */

static unsigned verified, looked_up;

static int count_verify(X509_CRL *crl, EVP_PKEY *key)
{
	verified++;
	return 1;
}

static int count_lookup(X509_CRL *crl, X509_REVOKED **out, const ASN1_INTEGER *serial,
			const X509_NAME *issuer)
{
	STACK_OF(X509_REVOKED) *all = X509_CRL_get_REVOKED(crl);

	looked_up++;
	for (int i = 0; i < sk_X509_REVOKED_num(all); i++) {
		*out = sk_X509_REVOKED_value(all, i);
		if (ASN1_INTEGER_cmp(X509_REVOKED_get0_serialNumber(*out), serial) == 0)
			return 1;
	}
	return 0;
}

/*
 * With half a million entries, verifying the signature of a CRL costs as much as a hundred
 * certificates.
 */
START_TEST(lists_are_verified_when_they_are_read)
{
	X509_CRL_METHOD *counting = X509_CRL_METHOD_new(NULL, NULL, count_lookup, count_verify);
	struct recipe r = { .key = leaf_key };
	X509 *good = make_certificate("leaf", &r, ca, ca_key),
	     *revoked = make_certificate("leaf", &r, ca, ca_key);
	X509 *forged = make_certificate("leaf", &r, ca, leaf_key),
	     *stranger = make_certificate("leaf", &r, NULL, leaf_key);

	X509_CRL_set_default_method(counting);
	load_cas_and_crls((X509 *[]){ ca, NULL },
			  (X509_CRL *[]){ make_crl(ca, ca_key, revoked), NULL });
	X509_CRL_set_default_method(NULL);
	ck_assert_uint_eq(verified, 1);
	looked_up = 0;
	expect_new_refusal(forged, NOW, "signature failure");
	expect_new_refusal(stranger, NOW, "not trusted");
	ck_assert_uint_eq(looked_up, 0);
	expect_new_refusal(revoked, NOW, "certificate revoked");
	expect_cached_refusal(revoked, NOW, "certificate revoked");
	ck_assert_uint_eq(looked_up, 1);
	ck_assert_int_eq(check_at(good, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	ck_assert_int_eq(check_at(good, NOW), 0);
	ck_assert_uint_eq(looked_up, 2);
	/* After its end each certificate is verified again, but the CRL's signature is not. */
	ck_assert_int_eq(check_at(good, NOW + 200), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_CRL_HAS_EXPIRED);
	expect_new_refusal(forged, NOW + 200, "signature failure");
	ck_assert_uint_eq(verified, 1);
	fmpi_trust_free(trust);
	trust = NULL;
	X509_CRL_METHOD_free(counting);
	X509_free(good);
	X509_free(revoked);
	X509_free(forged);
	X509_free(stranger);
}
END_TEST

/* Treated as complete, these CRLs would let revoked certificates pass. */
static void expect_crl_refused(X509_CRL *crl, const char *words)
{
	struct fmp_error err = { 0 };
	X509_CRL *whole = make_crl(ca, ca_key, NULL);
	char path[64];
	FILE *g;

	snprintf(path, sizeof(path), "/tmp/fmp-test-crl-%d.pem", (int)getpid());
	g = fopen(path, "w");
	ck_assert_ptr_nonnull(g);
	fputs("of the CA\n", g);
	PEM_write_X509_CRL(g, whole);
	fputs("\n", g);
	PEM_write_X509_CRL(g, set_crl_dates(crl, ca_key, NOW - 10, NOW + 100));
	fclose(g);
	ck_assert_int_eq(load_trust((X509 *[]){ ca, NULL }, path, &err), FMP_ERR_INVALID);
	ck_assert_msg(strstr(err.message, words), "%s", err.message);
	ck_assert_str_eq(err.file, path);
	/* The line of the first one depends on its lines of Base64. */
	g = fopen(path, "r");
	for (unsigned n = 1, begun = 0; begun < 2; n++) {
		char line[128];

		ck_assert_ptr_nonnull(fgets(line, sizeof(line), g));
		begun += strncmp(line, "-----BEGIN", 10) == 0;
		if (begun == 2)
			ck_assert_uint_eq(err.line, n);
	}
	fclose(g);
	unlink(path);
	X509_CRL_free(whole);
	X509_CRL_free(crl);
}

static X509_CRL *with_scope(ISSUING_DIST_POINT *scope)
{
	X509_CRL *crl = make_crl(ca, ca_key, NULL);

	ck_assert(X509_CRL_add1_ext_i2d(crl, NID_issuing_distribution_point, scope, 1, 0) == 1);
	ISSUING_DIST_POINT_free(scope);
	return crl;
}

static X509_CRL *with_extension(int nid, const char *value, bool critical)
{
	X509_CRL *crl = make_crl(ca, ca_key, NULL);
	ASN1_OCTET_STRING *data = ASN1_OCTET_STRING_new();
	X509_EXTENSION *e;

	ASN1_OCTET_STRING_set(data, (const unsigned char *)value, (int)strlen(value));
	e = X509_EXTENSION_create_by_NID(NULL, nid, critical, data);
	ck_assert(X509_CRL_add_ext(crl, e, -1));
	X509_EXTENSION_free(e);
	ASN1_OCTET_STRING_free(data);
	return crl;
}

START_TEST(lists_that_do_not_tell_all_are_refused)
{
	struct recipe r = { .key = leaf_key };
	X509 *c = make_certificate("leaf", &r, ca, ca_key);
	ISSUING_DIST_POINT *scope = ISSUING_DIST_POINT_new();
	GENERAL_NAMES *names = GENERAL_NAMES_new();
	GENERAL_NAME *name = GENERAL_NAME_new();
	X509_CRL *crl;

	scope->indirectCRL = 0xff;
	expect_crl_refused(with_scope(scope), "indirect");
	scope = ISSUING_DIST_POINT_new();
	scope->onlyattr = 0xff;
	expect_crl_refused(with_scope(scope), "attribute certificates");
	scope = ISSUING_DIST_POINT_new();
	scope->onlysomereasons = ASN1_BIT_STRING_new();
	ASN1_BIT_STRING_set_bit(scope->onlysomereasons, 1, 1);
	expect_crl_refused(with_scope(scope), "some reasons");
	expect_crl_refused(with_extension(NID_netscape_comment, "\x16\x01x", true),
			   "critical extension");
	/* An entry of another issuer, though the CRL is not marked indirect. */
	crl = make_crl(ca, ca_key, c);
	GENERAL_NAME_set0_value(name, GEN_DIRNAME, X509_NAME_dup(X509_get_subject_name(c)));
	sk_GENERAL_NAME_push(names, name);
	X509_REVOKED_add1_ext_i2d(sk_X509_REVOKED_value(X509_CRL_get_REVOKED(crl), 0),
				  NID_certificate_issuer, names, 1, 0);
	GENERAL_NAMES_free(names);
	expect_crl_refused(crl, "indirect");
	/* Extensions that are not critical are allowed. */
	load_cas_and_crls((X509 *[]){ ca, NULL },
			  (X509_CRL *[]){ set_crl_dates(with_extension(NID_netscape_comment,
								       "\x16\x01x", false),
							ca_key, NOW - 10, NOW + 100),
					  NULL });
	ck_assert_int_eq(check_at(c, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	X509_free(c);
}
END_TEST

static X509_CRL *of_point(const char *uri, X509 *revoked)
{
	ISSUING_DIST_POINT *scope = ISSUING_DIST_POINT_new();
	GENERAL_NAME *name = GENERAL_NAME_new();
	ASN1_IA5STRING *text = ASN1_IA5STRING_new();
	X509_CRL *crl = make_crl(ca, ca_key, revoked);

	ASN1_STRING_set(text, uri, -1);
	GENERAL_NAME_set0_value(name, GEN_URI, text);
	scope->distpoint = DIST_POINT_NAME_new();
	scope->distpoint->type = 0;
	scope->distpoint->name.fullname = GENERAL_NAMES_new();
	sk_GENERAL_NAME_push(scope->distpoint->name.fullname, name);
	ck_assert(X509_CRL_add1_ext_i2d(crl, NID_issuing_distribution_point, scope, 1, 0) == 1);
	ISSUING_DIST_POINT_free(scope);
	return set_crl_dates(crl, ca_key, NOW - 10, NOW + 100);
}

/* A CA that splits its CRL by distribution points. */
START_TEST(lists_of_distribution_points)
{
	struct recipe r = { .key = leaf_key, .points = "URI:http://ca.example/1.crl" };
	X509 *one = make_certificate("leaf", &r, ca, ca_key),
	     *one_bad = make_certificate("leaf", &r, ca, ca_key), *two, *none;

	r.points = "URI:http://ca.example/2.crl";
	two = make_certificate("leaf", &r, ca, ca_key);
	r.points = NULL;
	none = make_certificate("leaf", &r, ca, ca_key);
	load_cas_and_crls((X509 *[]){ ca, NULL },
			  (X509_CRL *[]){ of_point("http://ca.example/1.crl", one_bad), NULL });
	ck_assert_int_eq(check_at(one, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	expect_new_refusal(one_bad, NOW, "certificate revoked");
	ck_assert_int_eq(check_at(two, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_DIFFERENT_CRL_SCOPE);
	ck_assert_int_eq(check_at(none, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, X509_V_ERR_DIFFERENT_CRL_SCOPE);
	load_cas_and_crls((X509 *[]){ ca, NULL },
			  (X509_CRL *[]){ of_point("http://ca.example/1.crl", NULL),
					  of_point("http://ca.example/2.crl", two), NULL });
	ck_assert_int_eq(check_at(one, NOW), 0);
	ck_assert_int_eq(verdict.crl_error, 0);
	expect_new_refusal(two, NOW, "certificate revoked");
	X509_free(one);
	X509_free(one_bad);
	X509_free(two);
	X509_free(none);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("chain");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, path_lengths_of_all_cas_count);
	tcase_add_test(tc, name_constraints_of_all_cas_count);
	tcase_add_test(tc, times_of_all_cas_count);
	tcase_add_test(tc, the_right_one_of_cas_with_one_name);
	tcase_add_test(tc, a_signer_of_the_file_needs_no_ca);
	tcase_add_test(tc, exponents_are_odd_and_short);
	tcase_add_test(tc, lists_are_verified_when_they_are_read);
	tcase_add_test(tc, lists_that_do_not_tell_all_are_refused);
	tcase_add_test(tc, lists_of_distribution_points);
	return run_tcase("chain", tc);
}
