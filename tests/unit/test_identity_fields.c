// SPDX-License-Identifier: GPL-2.0
/* Fields that tell a service who was verified: what stands in a certificate or token adds nothing to them. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/certificate_names.h>
#include <fmp/internal/identity_fields.h>
#include <fmp/internal/job.h>

#include <openssl/x509.h>

#include "run.h"

static const struct fmp_policy_identity names = { .forward = true,
						  .subject = "X-Fmp-Subject",
						  .issuer = "X-Fmp-Issuer",
						  .user = "X-Who",
						  .assurance = "X-Fmp-Assurance" };

static const struct {
	struct fmp_identity id;
	const char *lines;
} rows[] = {
	{ { 0 }, "X-Fmp-Assurance: none\r\n" },
	{ { .methods = FMP_ASSURANCE_BIT(FMP_ASSURANCE_X509),
	    .subject = "CN=a,O=b",
	    .issuer = "CN=c" },
	  "X-Fmp-Subject: CN=a,O=b\r\nX-Fmp-Issuer: CN=c\r\nX-Fmp-Assurance: x509\r\n" },
	{ { .methods = FMP_ASSURANCE_BIT(FMP_ASSURANCE_USERNAME), .user = "a\r\nX-Fmp-Subject: b" },
	  "X-Who: a%0D%0AX-Fmp-Subject: b\r\nX-Fmp-Assurance: username\r\n" },
	{ { .methods = FMP_ASSURANCE_BIT(FMP_ASSURANCE_USERNAME), .user = " j\303\266rg%41\177 " },
	  "X-Who: %20j%C3%B6rg%2541%7F%20\r\nX-Fmp-Assurance: username\r\n" },
	{ { .methods = FMP_ASSURANCE_BIT(FMP_ASSURANCE_SAML),
	    .saml_subject = "joe",
	    .saml_issuer = "urn:i" },
	  "X-Fmp-Subject: joe\r\nX-Fmp-Issuer: urn:i\r\nX-Who: joe\r\nX-Fmp-Assurance: saml\r\n" },
	{ { .methods = FMP_ASSURANCE_BIT(FMP_ASSURANCE_SAML) |
		       FMP_ASSURANCE_BIT(FMP_ASSURANCE_X509) |
		       FMP_ASSURANCE_BIT(FMP_ASSURANCE_USERNAME),
	    .subject = "CN=a",
	    .issuer = "CN=c",
	    .user = "u",
	    .saml_subject = "joe",
	    .saml_issuer = "urn:i" },
	  "X-Fmp-Subject: CN=a\r\nX-Fmp-Issuer: CN=c\r\nX-Who: u\r\n"
	  "X-Fmp-Assurance: x509, username, saml\r\n" },
};

START_TEST(lines)
{
	struct fmp_identity_fields f = { 0 };
	char buf[FMP_IDENTITY_FIELDS_MAX];
	size_t n;

	fmp_identity_fields_from(&rows[_i].id, &f);
	n = fmp_identity_fields_format(&names, &f, buf, sizeof(buf));
	ck_assert_str_eq(buf, rows[_i].lines);
	ck_assert_uint_eq(n, strlen(buf));
}
END_TEST

/* The longest of all values fit, and nothing is cut where there is no room. */
START_TEST(bounded)
{
	struct fmp_identity id = { .methods = FMP_ASSURANCE_BIT(FMP_ASSURANCES - 1) * 2 - 1 };
	struct fmp_identity_fields f = { 0 };
	char buf[FMP_IDENTITY_FIELDS_MAX], small[40];
	size_t n;

	memset(id.subject, 0xff, sizeof(id.subject) - 1);
	memset(id.issuer, '\n', sizeof(id.issuer) - 1);
	memset(id.user, '%', sizeof(id.user) - 1);
	fmp_identity_fields_from(&id, &f);
	ck_assert_uint_eq(strlen(f.subject), 3 * (sizeof(id.subject) - 1));
	ck_assert(fmp_identity_value_is_valid(f.subject) && fmp_identity_value_is_valid(f.issuer));
	n = fmp_identity_fields_format(&names, &f, buf, sizeof(buf));
	ck_assert_uint_eq(n, strlen(buf));
	ck_assert_ptr_nonnull(strstr(buf, "\r\nX-Fmp-Assurance: x509, username, saml, tls\r\n"));
	fmp_identity_fields_format(&names, &f, small, sizeof(small));
	ck_assert_str_eq(small, "");
}
END_TEST

START_TEST(tls_fills_gaps)
{
	const struct fmp_identity tls = { .methods = FMP_ASSURANCE_BIT(FMP_ASSURANCE_TLS),
					  .subject = "CN=t",
					  .issuer = "CN=ca" };
	struct fmp_identity_fields f = { 0 };

	fmp_identity_fields_from(&rows[2].id, &f);
	fmp_identity_fields_add_tls(&tls, &f);
	ck_assert_str_eq(f.subject, "CN=t");
	fmp_identity_fields_from(&rows[1].id, &f);
	fmp_identity_fields_add_tls(&tls, &f);
	ck_assert_str_eq(f.subject, "CN=a,O=b");
	ck_assert_uint_eq(f.methods, FMP_ASSURANCE_BIT(FMP_ASSURANCE_X509) |
					     FMP_ASSURANCE_BIT(FMP_ASSURANCE_TLS));
}
END_TEST

START_TEST(spellings)
{
	static const char *const ours[] = { "X-Fmp-Subject", "x_fmp_subject", "X-FMP-x",
					    "x-who",	     "X_WHO",	      "x-fmp_user",
					    "X-Fmp-",	     "X.Fmp.Subject", "X!Fmp~User",
					    "X.Who" };
	static const char *const others[] = { "X-Fm",	"X-Fmp", "XFmp-Subject",
					      "X-Who2", "X-Wh",	 "Authorization" };

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		ck_assert_msg(fmp_identity_is_field(&names, ours[i], strlen(ours[i])), "%s",
			      ours[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		ck_assert_msg(!fmp_identity_is_field(&names, others[i], strlen(others[i])), "%s",
			      others[i]);
	ck_assert(!fmp_identity_is_field(NULL, "X-Who", 5));
	ck_assert(fmp_identity_is_field(NULL, "x_FMP-user", 10));
}
END_TEST

static int pass_on(const struct fmp_identity_fields *id, struct fmp_job_forward *got)
{
	struct fmp_job job = { .body = "<a/>", .len = 4 };
	struct fmp_job_forward f = {
		.content_type = "text/xml", .body = "<b/>", .len = 4, .identity = *id
	};
	struct fmp_wire_in in;
	size_t len, used;
	uint8_t *bytes = fmp_job_forward_encode(&f, &len);
	int rc;

	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(fmp_wire_parse(bytes, len, 1u << 20, &in, &used), 0);
	rc = fmp_job_forward_decode(&in, &job, got);
	free(bytes);
	return rc;
}

/* The listener takes no control characters from a worker, nor unknown methods. */
START_TEST(from_a_worker)
{
	struct fmp_identity_fields id = { .methods = 1 };
	struct fmp_job_forward got;

	memset(id.subject, 'a', sizeof(id.subject) - 1);
	memset(id.issuer, 'b', sizeof(id.issuer) - 1);
	memset(id.user, 'c', sizeof(id.user) - 1);
	ck_assert_int_eq(pass_on(&id, &got), 0);
	ck_assert_str_eq(got.identity.subject, id.subject);
	ck_assert_str_eq(got.identity.user, id.user);
	ck_assert_uint_eq(got.identity.methods, 1);
	id.user[3] = '\n';
	ck_assert_int_eq(pass_on(&id, &got), FMP_ERR_SYNTAX);
	id.user[3] = 'c';
	id.issuer[0] = '\r';
	ck_assert_int_eq(pass_on(&id, &got), FMP_ERR_SYNTAX);
	id.issuer[0] = '\200';
	ck_assert_int_eq(pass_on(&id, &got), FMP_ERR_SYNTAX);
	id.issuer[0] = 'b';
	id.subject[9] = 127;
	ck_assert_int_eq(pass_on(&id, &got), FMP_ERR_SYNTAX);
	id.subject[9] = 'a';
	id.methods = 1u << FMP_ASSURANCES;
	ck_assert_int_eq(pass_on(&id, &got), FMP_ERR_SYNTAX);
}
END_TEST

static void add_entry(X509_NAME *n, const char *type, int kind, const char *text, int len)
{
	ck_assert_int_eq(X509_NAME_add_entry_by_txt(n, type, kind, (const unsigned char *)text, len,
						    -1, 0),
			 1);
}

START_TEST(names_of_certificates)
{
	X509 *cert = X509_new();
	X509_NAME *n = X509_NAME_new();
	struct fmp_identity id = { 0 };
	char text[300];

	add_entry(n, "O", V_ASN1_UTF8STRING, "\303\274ber", -1);
	add_entry(n, "CN", V_ASN1_UTF8STRING, "a,\nb\0c", 6);
	ck_assert(X509_set_subject_name(cert, n) && X509_set_issuer_name(cert, n));
	ASN1_INTEGER_set(X509_get_serialNumber(cert), 0x1234);
	fmp_certificate_names(cert, &id);
	ck_assert_str_eq(id.subject, "CN=a\\,\\0Ab\\00c,O=\303\274ber");
	ck_assert_str_eq(id.serial, "1234");
	memset(text, 'x', sizeof(text));
	add_entry(n, "2.5.4.13", V_ASN1_UTF8STRING, text, sizeof(text));
	add_entry(n, "2.5.4.13", V_ASN1_UTF8STRING, text, sizeof(text));
	ck_assert(X509_set_subject_name(cert, n));
	fmp_certificate_names(cert, &id);
	ck_assert_str_eq(id.subject, "");
	X509_NAME_free(n);
	X509_free(cert);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("identity_fields");

	tcase_add_loop_test(tc, lines, 0, sizeof(rows) / sizeof(*rows));
	tcase_add_test(tc, bounded);
	tcase_add_test(tc, tls_fills_gaps);
	tcase_add_test(tc, spellings);
	tcase_add_test(tc, from_a_worker);
	tcase_add_test(tc, names_of_certificates);
	return run_tcase("identity_fields", tc);
}
