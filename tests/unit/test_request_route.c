// SPDX-License-Identifier: GPL-2.0
/* From the header of a request to a service or a refusal. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include <fmp/internal/request_route.h>

#include "policy_text.h"
#include "run.h"

static struct fmp_policy *policy;
static struct fmp_evaluator evaluator;

static void load_services(const char *services)
{
	char text[2048];
	struct fmp_error err;

	snprintf(text, sizeof(text), ROOT "<gateway security='Bc'>%s</gateway></policy>", services);
	ck_assert_msg(!load_text(text, &policy, &err), "%s", err.message);
	evaluator = (struct fmp_evaluator){ .policy = policy, .n_services = 1 };
	evaluator.service[0].demands = &policy->gateway;
	for (unsigned i = 0; i < policy->n_services; i++)
		evaluator.service[i].demands = &policy->services[i].demands;
}

#define SERVICES                                                                             \
	"<services><service name='a' path='/a' action='urn:1'/><service name='b' path='/a' " \
	"action='urn:2'/><service name='c' path='/c/*'/><service name='o' path='/o' "        \
	"security='Os'/><client name='r' path='/r' backend='http://192.0.2.1/'/></services>"

static struct fmp_request_route route_request(const char *target, const char *fields, bool local)
{
	const struct fmp_http_limits limits = { .header_bytes = 8192,
						.fields = 20,
						.body_bytes = 1000 };
	struct fmp_request_route r;
	struct fmp_http h;
	char text[1024];
	size_t used;
	int n = snprintf(text, sizeof(text),
			 "POST %s HTTP/1.1\r\nHost: h\r\n%sContent-Length: 1\r\n\r\nx", target,
			 fields);

	fmp_http_init(&h, &limits);
	fmp_http_feed(&h, text, (size_t)n, &used);
	ck_assert(h.headers_done || h.state == FMP_HTTP_REFUSED);
	fmp_request_route(&evaluator, &h, local, &r);
	fmp_http_exit(&h);
	return r;
}

#define XML "Content-Type: text/xml\r\n"

static void is_routed(struct fmp_request_route r, unsigned service)
{
	ck_assert_msg(!r.detail && r.routed, "%s", r.detail);
	ck_assert_uint_eq(r.service, service);
}

static void is_refused(struct fmp_request_route r, int status, enum fmp_event_kind kind)
{
	ck_assert_ptr_nonnull(r.detail);
	ck_assert_int_eq(r.status, status);
	ck_assert_str_eq(fmp_event_kind_name(r.kind), fmp_event_kind_name(kind));
}

START_TEST(selects_by_path_and_action)
{
	load_services(SERVICES);
	is_routed(route_request("/a?x", XML "SOAPAction: \"urn:1\"\r\n", false), 0);
	is_routed(route_request("/a", XML "SOAPAction: \"urn:2\"\r\n", false), 1);
	is_routed(route_request("/a", "Content-Type: application/soap+xml; action=\"urn:2\"\r\n",
				false),
		  1);
	is_routed(route_request("http://h/c/d/e", XML, false), 2);
	is_routed(route_request("/%63/d", XML, false), 2);
	ck_assert(route_request("/a", XML, false).wsa_action_decides);
	ck_assert(!route_request("/c/", XML, false).wsa_action_decides);
	fmp_policy_free(policy);
}
END_TEST

START_TEST(refuses_what_no_service_is_for)
{
	load_services(SERVICES);
	is_refused(route_request("/", XML "SOAPAction: \"\"\r\n", false), 404, FMP_EVENT_HTTP);
	is_refused(route_request("/a", XML "SOAPAction: \"urn:3\"\r\n", false), 404,
		   FMP_EVENT_SOAP);
	/* A page may send this one. */
	is_refused(route_request("/", "Content-Type: text/plain\r\n", false), 404,
		   FMP_EVENT_BROWSER);
	/* A <client> is for programs of this machine. */
	is_refused(route_request("/r", XML "SOAPAction: \"\"\r\n", false), 404, FMP_EVENT_HTTP);
	is_routed(route_request("/r", XML, true), 4);
	fmp_policy_free(policy);
}
END_TEST

START_TEST(refuses_what_a_page_sends)
{
	load_services(SERVICES);
	is_refused(route_request("/c/", "Content-Type: text/plain\r\n", false), 415,
		   FMP_EVENT_BROWSER);
	is_refused(route_request("/c/", XML "Origin: http://b\r\n", false), 403, FMP_EVENT_BROWSER);
	is_routed(route_request("/o", "Content-Type: text/plain\r\n", false), 3);
	is_routed(route_request("/r", "Content-Type: text/plain\r\n", true), 4);
	is_refused(route_request("/r", "Content-Type: text/plain\r\nOrigin: http://b\r\n", true),
		   403, FMP_EVENT_BROWSER);
	fmp_policy_free(policy);
}
END_TEST

/* The reader's own refusal is the more precise one. */
START_TEST(keeps_the_first_refusal)
{
	struct fmp_request_route r;

	load_services(SERVICES);
	r = route_request("/", XML "Content-Length: 2\r\n", false);
	ck_assert(!r.routed && !r.detail);
	fmp_policy_free(policy);
}
END_TEST

START_TEST(takes_the_only_service)
{
	load_services("");
	is_routed(route_request("/any", XML, false), 0);
	fmp_policy_free(policy);
}
END_TEST

static struct fmp_description_route route_description(const char *target)
{
	struct fmp_description_route r;

	fmp_request_route_description(&evaluator, target, false, &r);
	return r;
}

START_TEST(routes_a_request_for_a_description)
{
	struct fmp_description_route r;

	load_services(SERVICES);
	for (unsigned i = 0; i < policy->n_services; i++)
		evaluator.service[i].describe = FMP_DESCRIBE_REFUSE;
	evaluator.service[1].describe = FMP_DESCRIBE_ANSWER;
	evaluator.service[2].describe = FMP_DESCRIBE_PASS;
	/* Of two at one path it is the one that is described. */
	r = route_description("/a?wsdl");
	ck_assert(r.routed && !r.detail && r.service == 1 && !r.ask.schema);
	r = route_description("/c/d?xsd=x.xsd");
	ck_assert(r.routed && !r.detail && r.service == 2 && r.ask.schema);
	r = route_description("/o?wsdl");
	ck_assert(r.routed && r.detail && r.status == 405);
	r = route_description("/r?wsdl");
	ck_assert(!r.routed && r.detail && r.status == 404);
	r = route_description("/a");
	ck_assert(!r.routed && r.detail && r.status == 405);
	fmp_policy_free(policy);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("request_route");

	tcase_add_test(tc, selects_by_path_and_action);
	tcase_add_test(tc, refuses_what_no_service_is_for);
	tcase_add_test(tc, refuses_what_a_page_sends);
	tcase_add_test(tc, keeps_the_first_refusal);
	tcase_add_test(tc, takes_the_only_service);
	tcase_add_test(tc, routes_a_request_for_a_description);
	return run_tcase("request_route", tc);
}
