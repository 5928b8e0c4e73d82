// SPDX-License-Identifier: GPL-2.0
/* Paths: one spelling of each, what a service is asked for, and where it says that something is. */
#include <stdio.h>
#include <string.h>

#include <fmp/internal/target.h>

#include "run.h"

static void becomes(const char *target, const char *want)
{
	char text[256];
	const char *why;

	snprintf(text, sizeof(text), "%s", target);
	why = fmp_target_normalise(text);
	ck_assert_msg(!why == (want != NULL), "%s: %s", target, why ? why : "not refused");
	if (want)
		ck_assert_str_eq(text, want);
	/* Once is enough. */
	if (want && !fmp_target_normalise(text))
		ck_assert_str_eq(text, want);
}

START_TEST(one_spelling)
{
	becomes("/", "/");
	becomes("/a/b.c-d_e~f", "/a/b.c-d_e~f");
	becomes("/%61%2Db%2e%7Ec", "/a-b.~c");
	becomes("/a%20b%c3%bc", "/a%20b%C3%BC");
	becomes("/a%25b", "/a%25b");
	becomes("/a%2541", "/a%2541");
	becomes("/a/./b/.", "/a/b/");
	becomes("/./", "/");
	becomes("/%2e/a", "/a");
	becomes("//a///b//", "/a/b/");
	becomes("/.well-known/x", "/.well-known/x");
	becomes("/a/...", "/a/...");
	becomes("/a;v=1/b", "/a;v=1/b");
	becomes("/a?x=%2e%2e/../%zz&y=\\", "/a?x=%2e%2e/../%zz&y=\\");
	becomes("/a/.?b", "/a/?b");
	becomes("/a%3Fb", "/a%3Fb");
}
END_TEST

START_TEST(refused)
{
	static const char *const bad[] = {
		"/..",	    "/a/..",	 "/a/../b", "/%2e%2e/a",   "/.%2E/a", "/%2e./a",
		"/..;/a",   "/a/..;x=1", "/.;/a",   "/a/%2e;x",	   "/a%2fb",  "/a%2Fb",
		"/a%5cb",   "/a\\b",	 "/a%00",   "/a%0d%0aX:y", "/a%7f",   "/a%zz",
		"/a%2",	    "/a%",	 "/a#b",    "/a?b#c",	   "/a/..?b", "/%252e%252e/",
		"/a%252fb", "/a%255cb",	 "/a%2500", "/a/../../b",  "//..",    "/..//a",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		becomes(bad[i], NULL);
}
END_TEST

static void maps(const char *to, const char *prefix, const char *target, const char *want)
{
	struct fmp_field_list out = { 0 };

	ck_assert(fmp_target_map(&out, to, prefix, target) && fmp_field_list_append(&out, "", 1));
	ck_assert_msg(!strcmp(out.bytes, want), "%s of %s to %s: %s", target, prefix, to,
		      out.bytes);
	fmp_field_list_exit(&out);
}

START_TEST(what_the_service_is_asked_for)
{
	maps("/svc/", "/onvif/*", "/onvif/device_service", "/svc/device_service");
	maps("/svc", "/onvif/*", "/onvif/a/b?c=d", "/svc/a/b?c=d");
	maps("/svc", "/onvif/*", "/onvif/", "/svc");
	maps("", "/onvif/*", "/onvif/a", "/a");
	maps("", "/*", "/a?b", "/a?b");
	maps("/", "/*", "/a", "/a");
	maps("/svc", "/orders", "/orders", "/svc");
	maps("/svc", "/orders", "/orders?id=1", "/svc?id=1");
	maps("/svc?k=v", "/orders", "/orders?id=1", "/svc?k=v&id=1");
	maps("/svc?k=v", "/orders/*", "/orders/a", "/svc/a?k=v");
	maps("", "/orders", "/orders", "/");
	maps("/svc", "/orders", "/orders?", "/svc");
	/* Without services: a URL without a path keeps the client's. */
	maps("", NULL, "/a/b?c", "/a/b?c");
	maps("/svc", NULL, "/a/b?c", "/svc?c");
	maps("/svc", NULL, "", "/svc");
	maps("", NULL, "", "/");
}
END_TEST

static void unmaps(const char *prefix, const char *value, const char *want)
{
	const struct fmp_target_service s = {
		.host = "10.0.0.1", .port = 8080, .to = "/svc", .prefix = prefix
	};
	struct fmp_field_list out = { 0 };

	ck_assert(fmp_target_unmap(&out, &s, value, strlen(value)) &&
		  fmp_field_list_append(&out, "", 1));
	ck_assert_msg(!strcmp(out.bytes, want), "%s: %s", value, out.bytes);
	fmp_field_list_exit(&out);
}

START_TEST(where_the_service_says_that_it_is)
{
	unmaps("/onvif/*", "http://10.0.0.1:8080/svc/a?b", "/onvif/a?b");
	unmaps("/onvif/*", "HTTP://10.0.0.1:8080/svc", "/onvif/");
	unmaps("/onvif/*", "http://10.0.0.1:8080/svcs/a", "/svcs/a");
	unmaps("/orders", "http://10.0.0.1:8080/svc?wsdl", "/orders?wsdl");
	unmaps(NULL, "http://10.0.0.1:8080/svc/a", "/svc/a");
	unmaps("/orders", "http://10.0.0.1:8080", "/");
	unmaps("/orders", "http://10.0.0.1:8080?a", "/?a");
	unmaps("/orders", "http://10.0.0.1:8080//evil/a", "/evil/a");
	/* Others. */
	unmaps("/orders", "http://10.0.0.1:80801/svc", "http://10.0.0.1:80801/svc");
	unmaps("/orders", "http://10.0.0.1/svc", "http://10.0.0.1/svc");
	unmaps("/orders", "http://10.0.0.1:8080@evil/svc", "http://10.0.0.1:8080@evil/svc");
	unmaps("/orders", "http://10.0.0.10:8080/svc", "http://10.0.0.10:8080/svc");
	unmaps("/orders", "https://10.0.0.1:8080/svc", "https://10.0.0.1:8080/svc");
	unmaps("/orders", "/svc/a", "/svc/a");
	unmaps("/orders", "", "");
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("target");

	tcase_add_test(t, one_spelling);
	tcase_add_test(t, refused);
	tcase_add_test(t, what_the_service_is_asked_for);
	tcase_add_test(t, where_the_service_says_that_it_is);
	return run_tcase("target", t);
}
