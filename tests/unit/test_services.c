// SPDX-License-Identifier: GPL-2.0
/* <services> of a policy: what is inherited, what is told apart, what is refused and where. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include <fmp/policy.h>

#include "policy_text.h"
#include "run.h"

#define HEAD \
	"<policy xmlns=\"urn:fmp:policy:1\"><gateway security='Bc' key='k.pem' max-age='7min'>\n"
#define TAIL "\n</gateway></policy>"

static int load_services(const char *services, struct fmp_policy **p, struct fmp_error *err)
{
	char text[4096];

	snprintf(text, sizeof(text), HEAD "<services>%s</services>\n<limits depth='9'/>" TAIL,
		 services);
	return load_text(text, p, err);
}

static struct fmp_policy *must_load(const char *services)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	char why[1024];

	ck_assert_msg(!load_services(services, &p, &err), "%s",
		      fmp_error_format(&err, why, sizeof(why)));
	return p;
}

/* What <service> does not say is as in <gateway>, wherever that stands there. */
START_TEST(inherits)
{
	struct fmp_policy *p = must_load(
		"<service name='a' path='/a' security='BcV' schema='a.xsd' max-age='1min'>"
		"<require signed='To'/><limits depth='20' body='2KiB'/></service>"
		"<client name='b' path='/b/*' backend='https://h:1/x' ca='ca.pem' "
		"client-certificate='c.pem' client-key='c.key' server-name='in.example'/>");
	const struct fmp_policy_service *a = p->services, *b = a + 1;

	ck_assert_uint_eq(p->n_services, 2);
	ck_assert_str_eq(a->name, "a");
	ck_assert_str_eq(a->path, "/a");
	ck_assert_str_eq(a->backend, "");
	ck_assert(!a->client && b->client);
	ck_assert_int_eq(a->demands.security, FMP_SECURITY_BCV);
	ck_assert_str_eq(a->demands.schema, "/etc/fmp/a.xsd");
	ck_assert_str_eq(a->demands.key, "/etc/fmp/k.pem");
	ck_assert_uint_eq(a->demands.max_age_ms, 60000);
	ck_assert_uint_eq(a->demands.limits.depth, 20);
	ck_assert_uint_eq(a->demands.limits.body_bytes, 2048);
	ck_assert(a->demands.require_signed & FMP_PART_BIT(FMP_PART_TO));

	ck_assert_int_eq(b->demands.security, FMP_SECURITY_BC);
	ck_assert_uint_eq(b->demands.max_age_ms, 7 * 60000);
	ck_assert_uint_eq(b->demands.limits.depth, 9);
	ck_assert_str_eq(b->demands.backend_tls.ca, "/etc/fmp/ca.pem");
	ck_assert_str_eq(b->demands.backend_tls.certificate, "/etc/fmp/c.pem");
	ck_assert_str_eq(b->demands.backend_tls.key, "/etc/fmp/c.key");
	ck_assert_str_eq(b->demands.backend_tls.server_name, "in.example");
	ck_assert_str_eq(a->demands.backend_tls.key, "");
	ck_assert(!(b->demands.require_signed & FMP_PART_BIT(FMP_PART_TO)));

	/* And nothing of it came into the gateway's own. */
	ck_assert_int_eq(p->gateway.security, FMP_SECURITY_BC);
	ck_assert_uint_eq(p->gateway.limits.depth, 9);
	ck_assert(!(p->gateway.require_signed & FMP_PART_BIT(FMP_PART_TO)));
	fmp_policy_free(p);
}
END_TEST

START_TEST(as_many_as_there_may_be)
{
	char text[4096] = "";
	struct fmp_policy *p;
	struct fmp_error err;

	for (int i = 0; i <= FMP_SERVICES_MAX; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "<service name='s%d' path='/%d'/>", i, i);
	ck_assert_int_eq(load_services(text, &p, &err), FMP_ERR_SCHEMA);
	ck_assert_ptr_nonnull(strstr(err.message, "more than 32"));
	*strstr(text, "<service name='s32'") = '\0';
	p = must_load(text);
	ck_assert_uint_eq(p->n_services, FMP_SERVICES_MAX);
	fmp_policy_free(p);
}
END_TEST

static const struct {
	const char *services;
	int code;
	unsigned column;
	const char *words;
} bad[] = {
	{ "<service path='/a'/>", FMP_ERR_SCHEMA, 11, "needs a name" },
	{ "<service name='a'/>", FMP_ERR_SCHEMA, 11, "needs a path" },
	{ "<service name='a' path='a'/>", FMP_ERR_SCHEMA, 29, "is not a path" },
	{ "<service name='a' path='/a%2f'/>", FMP_ERR_SCHEMA, 29, "is not a path" },
	{ "<service name='a' path='/a?b'/>", FMP_ERR_SCHEMA, 29, "is not a path" },
	{ "<service name='a' path='/../a'/>", FMP_ERR_SCHEMA, 29, "is not a path" },
	{ "<service name='a' path='/a*'/>", FMP_ERR_SCHEMA, 29, "is not a path" },
	{ "<service name='a' path='/*/a'/>", FMP_ERR_SCHEMA, 29, "is not a path" },
	{ "<service name='a' path='/a b'/>", FMP_ERR_SCHEMA, 29, "character" },
	{ "<service name='a' path='/a' backend='ftp://h/'/>", FMP_ERR_SCHEMA, 39, "neither http" },
	{ "<service name='a' path='/a' backend='https://h/'/>", FMP_ERR_CONFLICT, 39, "needs ca" },
	{ "<service name='a' path='/a' backend='http://h/' ca='x'/>", FMP_ERR_CONFLICT, 59,
	  "there is none" },
	{ "<service name='a' path='/a' backend='http://h/' server-name='x'/>", FMP_ERR_CONFLICT, 59,
	  "server-name is of an https" },
	{ "<service name='a' path='/a' client-certificate='x' client-key='y'/>", FMP_ERR_CONFLICT,
	  39, "client-certificate is of an https" },
	{ "<client name='a' path='/a' backend='https://h/' ca='x' client-key='y'/>",
	  FMP_ERR_CONFLICT, 66, "needs both client-certificate" },
	{ "<client name='a' path='/a' backend='https://h/' ca='x' client-certificate='y'/>",
	  FMP_ERR_CONFLICT, 66, "client-key=\"FILE\"" },
	{ "<client name='a' path='/a' backend='https://h/' ca='x' server-name='h:80/'/>",
	  FMP_ERR_CONFLICT, 66, "neither a host name nor an address" },
	{ "<client name='a' path='/a'/>", FMP_ERR_SCHEMA, 11, "needs a backend" },
	{ "<client name='a' path='/a' backend='http://h/' action='x'/>", FMP_ERR_SCHEMA, 58,
	  "by its path alone" },
	{ "<service name='a' path='/a' security='Os' action='x'/>", FMP_ERR_CONFLICT, 53,
	  "does not look for" },
	{ "<service name='a' path='/a' security='BcV'/>", FMP_ERR_CONFLICT, 39,
	  "schema=\"FILE\" is missing" },
	{ "<service name='a' path='/a' security='BcX'/>", FMP_ERR_SCHEMA, 39, "none of Os" },
	{ "<service name='a' path='/a' scheme='x'/>", FMP_ERR_SCHEMA, 39,
	  "did you mean 'schema'?" },
	{ "<service name='a' path='/a' workers='3'/>", FMP_ERR_SCHEMA, 39, "no attribute" },
	{ "<service name='a' path='/a' worker-memory='64MiB'/>", FMP_ERR_SCHEMA, 39,
	  "no attribute" },
	{ "<service name='a' path='/a'><timeouts/></service>", FMP_ERR_SCHEMA, 39,
	  "limits, require or username" },
	{ "<service name='a' path='/a'><limits/><limits/></service>", FMP_ERR_SCHEMA, 48,
	  "stands twice" },
	{ "<service name='a' path='/a'>x</service>", FMP_ERR_SCHEMA, 11, "no text" },
	{ "<service name='a' path='/a'><limits depth='1'/></service>", FMP_ERR_SCHEMA, 47,
	  "is outside of" },
	{ "<service name='a' path='/a'/><service name='a' path='/b'/>", FMP_ERR_SCHEMA, 49,
	  "given twice" },
	{ "<service name='a' path='/a'/><service name='b' path='/a'/>", FMP_ERR_CONFLICT, 58,
	  "no action tells them apart" },
	{ "<service name='a' path='/a'/><service name='b' path='/a' action='x'>"
	  "<limits depth='8'/></service>",
	  FMP_ERR_CONFLICT, 40, "share their <limits>" },
	{ "<service name='a' path='/a'/><service name='b' path='/a' action='x'>"
	  "<attachments allowed='no'/></service>",
	  FMP_ERR_CONFLICT, 40, "share their <attachments>" },
	{ "<service name='a' path='/a' action='y'><attachments parts='9'/></service>"
	  "<service name='b' path='/a' action='x'><attachments parts='8'/></service>",
	  FMP_ERR_CONFLICT, 84, "\"b\" has others than \"a\"" },
	{ "<service name='a' path='/a'/><service name='b' path='/a' action='x'>"
	  "<attachments part-bytes='9'/></service>",
	  FMP_ERR_CONFLICT, 40, "share their <attachments>" },
	{ "<service name='a' path='/a'/><client name='b' path='/a' backend='http://h/'/>",
	  FMP_ERR_CONFLICT, 57, "no action tells them apart" },
};

START_TEST(errors_say_where_and_what)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	int rc = load_services(bad[_i].services, &p, &err);

	ck_assert_msg(rc == bad[_i].code, "%s: %d %s", bad[_i].services, rc, err.message);
	ck_assert_ptr_null(p);
	ck_assert_msg(strstr(err.message, bad[_i].words), "%s: %s", bad[_i].services, err.message);
	ck_assert_msg(err.line == 2 && err.column == bad[_i].column, "%s: %u:%u %s",
		      bad[_i].services, err.line, err.column, err.message);
	ck_assert_str_eq(err.file, "/etc/fmp/p.xml");
}
END_TEST

/* Where there are services, only theirs must be complete. */
START_TEST(the_gateways_own_are_defaults)
{
	static const char text[] =
		"<policy xmlns='urn:fmp:policy:1'><gateway security='BcV'><services>"
		"<service name='a' path='/a' schema='a.xsd'/></services></gateway></policy>";
	struct fmp_policy *p = NULL;
	struct fmp_error err;

	ck_assert_int_eq(load_text(text, &p, &err), 0);
	ck_assert_int_eq(p->services[0].demands.security, FMP_SECURITY_BCV);
	fmp_policy_free(p);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("services");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, inherits);
	tcase_add_test(t, as_many_as_there_may_be);
	tcase_add_loop_test(t, errors_say_where_and_what, 0, sizeof(bad) / sizeof(bad[0]));
	tcase_add_test(t, the_gateways_own_are_defaults);
	return run_tcase("services", t);
}
