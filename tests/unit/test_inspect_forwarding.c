// SPDX-License-Identifier: GPL-2.0
/* What fmpctl inspect says that the gateway forwards of a message. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "../../daemon/fmpctl/inspect/forwarding.h"
#include "policy_text.h"
#include "run.h"

#define CLIENT ", X-Forwarded-For, X-Forwarded-Proto"

static struct fmp_policy *policy;
static struct forwarding_source source;
static struct fmp_http http;

static void load_service(const char *service)
{
	char text[2048];
	struct fmp_error err;

	snprintf(text, sizeof(text),
		 ROOT "<gateway security='Bc'><services>%s</services></gateway></policy>", service);
	ck_assert_msg(!load_text(text, &policy, &err), "%s", err.message);
	source = (struct forwarding_source){ .policy = policy,
					     .service = &policy->services[0],
					     .demands = &policy->services[0].demands };
}

static void read_message(const char *start, const char *fields, bool response)
{
	const struct fmp_http_limits limits = {
		.header_bytes = 8192, .fields = 40, .body_bytes = 10, .response = response
	};
	char text[2048];
	size_t used;
	int n = snprintf(text, sizeof(text), "%s HTTP/1.1\r\n%sContent-Length: 1\r\n\r\nx", start,
			 fields);

	if (response)
		n = snprintf(text, sizeof(text), "HTTP/1.1 %s\r\n%sContent-Length: 1\r\n\r\nx",
			     start, fields);
	fmp_http_init(&http, &limits);
	fmp_http_feed(&http, text, (size_t)n, &used);
	ck_assert_msg(http.state == FMP_HTTP_DONE, "%s", http.detail);
}

static struct forwarding forward_request(const char *target, const char *fields)
{
	const struct fmp_identity identity = { 0 };
	struct forwarding f;
	char start[256];

	snprintf(start, sizeof(start), "POST %s", target);
	read_message(start, fields, false);
	ck_assert(forwarding_of_request(&source, &http, false, &identity, &f));
	fmp_http_exit(&http);
	return f;
}

static void has_target(const char *target, const char *expected)
{
	struct forwarding f = forward_request(target, "Host: h\r\n");

	ck_assert_str_eq(f.target, expected);
	forwarding_exit(&f);
}

START_TEST(maps_the_target)
{
	struct forwarding f;

	load_service("<service name='a' path='/a/*' backend='http://[2001:db8::1]:81/in?v=1'/>");
	has_target("/a/b/c?x", "/in/b/c?v=1&x");
	has_target("http://h/a/b", "/in/b?v=1");
	/* It is for another service. */
	f = forward_request("/b", "Host: h\r\n");
	ck_assert_ptr_null(f.target);
	forwarding_exit(&f);
	fmp_policy_free(policy);
	load_service("<service name='a' path='/a' backend='https://h' ca='c.pem'/>");
	has_target("/a", "/");
	fmp_policy_free(policy);
}
END_TEST

START_TEST(lists_fields_of_requests)
{
	struct forwarding f;

	load_service("<service name='a' path='/*' backend='http://h/'><fields>"
		     "<remove name='X-Debug*'/><set name='X-Site' value='n'/></fields>"
		     "<identity forward='yes'/></service>");
	f = forward_request("/a", "Host: h\r\nContent-Type: text/xml\r\nSOAPAction: a\r\n"
				  "Cookie: a\r\nx-debug-1: a\r\nX_Site: s\r\nX-Fmp-User: r\r\n"
				  "content_type: a\r\nConnection: x-a\r\nX-A: 1\r\nVia: 1.1 a\r\n");
	ck_assert_str_eq(f.withheld,
			 "x-debug-1, X_Site, X-Fmp-User, content_type, Connection, X-A");
	ck_assert_str_eq(f.added,
			 "X-Site, Via" CLIENT ", X-Forwarded-Host, Forwarded, X-Fmp-Assurance");
	forwarding_exit(&f);
	fmp_policy_free(policy);
}
END_TEST

START_TEST(lists_fields_of_answers)
{
	struct forwarding f;

	load_service("<service name='a' path='/a/*' backend='http://[2001:db8::1]:81/in'/>");
	read_message("200 OK",
		     "Set-Cookie: a\r\nSet-Cookie: b\r\nETag: a\r\n"
		     "Location: http://[2001:db8::1]:81/in/x\r\nKeep-Alive: 3\r\n",
		     true);
	ck_assert(forwarding_of_answer(&source, &http, false, &f));
	ck_assert_ptr_null(f.target);
	ck_assert_str_eq(f.withheld, "Location, Keep-Alive");
	ck_assert_str_eq(f.added, "Location, Via");
	forwarding_exit(&f);
	/* Signed by the gateway: its tag is of other bytes. */
	ck_assert(forwarding_of_answer(&source, &http, true, &f));
	ck_assert_str_eq(f.withheld, "ETag, Location, Keep-Alive");
	forwarding_exit(&f);
	fmp_http_exit(&http);
	fmp_policy_free(policy);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("inspect_forwarding");

	tcase_add_test(tc, maps_the_target);
	tcase_add_test(tc, lists_fields_of_requests);
	tcase_add_test(tc, lists_fields_of_answers);
	return run_tcase("inspect_forwarding", tc);
}
