// SPDX-License-Identifier: GPL-2.0
/* <answers> of a policy: what lands where, what a service inherits, what is refused and where. */
#include <check.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/policy.h>

#include "policy_text.h"
#include "run.h"

#define GATEWAY "<policy xmlns='urn:fmp:policy:1'><gateway security='BcS' schema='a' trust='b'>\n"
#define TAIL	"</gateway></policy>"
#define KEYS	" certificate='c' key='k'"

START_TEST(lands_in_its_fields)
{
	struct fmp_policy *p = must_load_text(
		GATEWAY "<answers sign='ecdsa-sha384' encrypt='aes256-gcm'"
			" order='encrypt-then-sign' certificate='c' key='/k'"
			" timestamp='90s' confirm='yes' relate='yes' faults='no'/>" TAIL);
	const struct fmp_policy_answers *a = &p->gateway.answers;

	ck_assert_int_eq(a->sign, FMP_SIGN_ECDSA_SHA384);
	ck_assert_int_eq(a->encrypt, FMP_SEAL_AES256_GCM);
	ck_assert_int_eq(a->order, FMP_ORDER_ENCRYPT_SIGN);
	ck_assert_int_eq(p->gateway.order, FMP_ORDER_SIGN_ENCRYPT);
	ck_assert_str_eq(a->certificate, "/etc/fmp/c");
	ck_assert_str_eq(a->key, "/k");
	ck_assert_uint_eq(a->timestamp_ms, 90000);
	ck_assert(a->confirm && a->relate && !a->faults);
	fmp_policy_free(p);
}
END_TEST

START_TEST(nothing_by_default)
{
	struct fmp_policy *p = must_load_text(GATEWAY "<answers/>" TAIL);
	const struct fmp_policy_answers *a = &p->gateway.answers;

	ck_assert(!a->sign && !a->encrypt && !a->confirm && !a->relate && a->faults);
	ck_assert_uint_eq(a->timestamp_ms, 300000);
	fmp_policy_free(p);
}
END_TEST

static int append_line(const char *line, void *ctx)
{
	strcat(ctx, line);
	return 0;
}

/* A service says what is its own, a client has no answers to sign; written out it is the same. */
START_TEST(services_inherit)
{
	struct fmp_policy *p = must_load_text(
		GATEWAY "<answers sign='rsa-sha256'" KEYS " timestamp='1min'/><services>"
			"<service name='a' path='/a'><answers sign='rsa-sha512'/></service>"
			"<service name='b' path='/b'><answers sign='none'/></service>"
			"<service name='c' path='/c'/>"
			"<client name='d' path='/d' backend='http://h/'/></services>" TAIL);
	static char text[16384];
	struct fmp_policy *q;

	ck_assert_int_eq(p->services[0].demands.answers.sign, FMP_SIGN_RSA_SHA512);
	ck_assert_uint_eq(p->services[0].demands.answers.timestamp_ms, 60000);
	ck_assert_str_eq(p->services[0].demands.answers.key, "/etc/fmp/k");
	ck_assert_int_eq(p->services[1].demands.answers.sign, FMP_SIGN_NONE);
	ck_assert_int_eq(p->services[2].demands.answers.sign, FMP_SIGN_RSA_SHA256);
	ck_assert_int_eq(p->services[3].demands.answers.sign, FMP_SIGN_NONE);
	text[0] = '\0';
	ck_assert_int_eq(fmp_policy_print(p, append_line, text), 0);
	q = must_load_text(text);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_mem_eq(&p->services[i], &q->services[i],
				 offsetof(struct fmp_policy_service, line));
	fmp_policy_free(p);
	fmp_policy_free(q);
}
END_TEST

static const struct bad_policy bad[] = {
	{ GATEWAY "<answers sign='rsa-sha1'/>" TAIL, FMP_ERR_SCHEMA, 2, 10,
	  "/policy/gateway/answers/@sign",
	  "is none of none, rsa-sha256, rsa-sha384, rsa-sha512, ecdsa-sha256, ecdsa-sha384, "
	  "ecdsa-sha512" },
	{ GATEWAY "<answers encrypt='aes128-cbc'/>" TAIL, FMP_ERR_SCHEMA, 2, 10,
	  "/policy/gateway/answers/@encrypt", "is none of none, aes128-gcm, aes256-gcm" },
	{ GATEWAY "<answers order='both'/>" TAIL, FMP_ERR_SCHEMA, 2, 10,
	  "/policy/gateway/answers/@order", "is none of sign-then-encrypt" },
	{ GATEWAY "<answers order='encrypt-sign-encrypt'/>" TAIL, FMP_ERR_SCHEMA, 2, 10,
	  "/policy/gateway/answers/@order", "is none of sign-then-encrypt, encrypt-then-sign" },
	{ GATEWAY "<answers timestamp='2d'/>" TAIL, FMP_ERR_SCHEMA, 2, 10,
	  "/policy/gateway/answers/@timestamp", "outside of 0 to 1d" },
	{ GATEWAY "<answers confirm='1'/>" TAIL, FMP_ERR_SCHEMA, 2, 10,
	  "/policy/gateway/answers/@confirm", "neither yes nor no" },
	{ GATEWAY "<answers key=''/>" TAIL, FMP_ERR_SCHEMA, 2, 10, "/policy/gateway/answers/@key",
	  "is empty" },
	{ GATEWAY "<answers sing='none'/>" TAIL, FMP_ERR_SCHEMA, 2, 10,
	  "/policy/gateway/answers/@sing", "did you mean 'sign'?" },
	{ GATEWAY "<answers sign='rsa-sha256' key='k'/>" TAIL, FMP_ERR_CONFLICT, 2, 10,
	  "/policy/gateway/answers/@sign", "both certificate" },
	{ GATEWAY "<answers sign='rsa-sha256' certificate='k'/>" TAIL, FMP_ERR_CONFLICT, 2, 10,
	  "/policy/gateway/answers/@sign", "both certificate" },
	{ GATEWAY "<answers encrypt='aes128-gcm' confirm='yes'/>" TAIL, FMP_ERR_CONFLICT, 2, 31,
	  "/policy/gateway/answers/@confirm", "needs security BcS or BcES, and sign" },
	{ GATEWAY "<answers relate='yes' encrypt='aes128-gcm'/>" TAIL, FMP_ERR_CONFLICT, 2, 10,
	  "/policy/gateway/answers/@relate", "needs sign" },
	{ ROOT "<gateway security='BcE' schema='a' key='b'>\n<answers encrypt='aes128-gcm'/>" TAIL,
	  FMP_ERR_CONFLICT, 2, 10, "/policy/gateway/answers/@encrypt", "BcS or BcES" },
	{ ROOT "<gateway security='Os'>\n<answers sign='rsa-sha256'" KEYS "/>" TAIL,
	  FMP_ERR_CONFLICT, 1, 43, "/policy/gateway/@security", "need not be SOAP" },
	{ GATEWAY "<services>\n<client name='a' path='/a' backend='http://h/'><answers/></client>"
		  "</services>" TAIL,
	  FMP_ERR_CONFLICT, 3, 48, "/policy/gateway/services/client/answers", "not signed here" },
};

START_TEST(bad_ones)
{
	check_bad_policy(&bad[_i]);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("answers");

	tcase_add_test(t, lands_in_its_fields);
	tcase_add_test(t, nothing_by_default);
	tcase_add_test(t, services_inherit);
	tcase_add_loop_test(t, bad_ones, 0, sizeof(bad) / sizeof(bad[0]));
	return run_tcase("policy_answers", t);
}
