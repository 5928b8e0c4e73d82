// SPDX-License-Identifier: GPL-2.0
/* Paths: one spelling of each, what a service is asked for, and where it says that something is. */
#include <stdio.h>
#include <string.h>

#include <fmp/internal/target.h>

#include "run.h"

static void check_spelling(const char *target, const char *want)
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
	check_spelling("/", "/");
	check_spelling("/a/b.c-d_e~f", "/a/b.c-d_e~f");
	check_spelling("/%61%2Db%2e%7Ec", "/a-b.~c");
	check_spelling("/a%20b%c3%bc", "/a%20b%C3%BC");
	check_spelling("/a%25b", "/a%25b");
	check_spelling("/a%2541", "/a%2541");
	check_spelling("/a/./b/.", "/a/b/");
	check_spelling("/./", "/");
	check_spelling("/%2e/a", "/a");
	check_spelling("//a///b//", "/a/b/");
	check_spelling("/.well-known/x", "/.well-known/x");
	check_spelling("/a/...", "/a/...");
	check_spelling("/a;v=1/b", "/a;v=1/b");
	check_spelling("/a?x=%2e%2e/../%zz&y=\\", "/a?x=%2e%2e/../%zz&y=\\");
	check_spelling("/a/.?b", "/a/?b");
	check_spelling("/a%3Fb", "/a%3Fb");
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
		check_spelling(bad[i], NULL);
}
END_TEST

static void check_mapped(const char *to, const char *prefix, const char *target, const char *want)
{
	struct fmp_field_list out = { 0 };

	ck_assert(fmp_target_map(&out, to, prefix, target) && fmp_field_list_append(&out, "", 1));
	ck_assert_msg(!strcmp(out.bytes, want), "%s of %s to %s: %s", target, prefix, to,
		      out.bytes);
	fmp_field_list_exit(&out);
}

START_TEST(what_the_service_is_asked_for)
{
	check_mapped("/svc/", "/onvif/*", "/onvif/device_service", "/svc/device_service");
	check_mapped("/svc", "/onvif/*", "/onvif/a/b?c=d", "/svc/a/b?c=d");
	check_mapped("/svc", "/onvif/*", "/onvif/", "/svc");
	check_mapped("", "/onvif/*", "/onvif/a", "/a");
	check_mapped("", "/*", "/a?b", "/a?b");
	check_mapped("/", "/*", "/a", "/a");
	check_mapped("/svc", "/orders", "/orders", "/svc");
	check_mapped("/svc", "/orders", "/orders?id=1", "/svc?id=1");
	check_mapped("/svc?k=v", "/orders", "/orders?id=1", "/svc?k=v&id=1");
	check_mapped("/svc?k=v", "/orders/*", "/orders/a", "/svc/a?k=v");
	check_mapped("", "/orders", "/orders", "/");
	check_mapped("/svc", "/orders", "/orders?", "/svc");
	/* Without services: a URL without a path keeps the client's. */
	check_mapped("", NULL, "/a/b?c", "/a/b?c");
	check_mapped("/svc", NULL, "/a/b?c", "/svc?c");
	check_mapped("/svc", NULL, "", "/svc");
	check_mapped("", NULL, "", "/");
}
END_TEST

static void check_location(const char *prefix, const char *value, const char *want)
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
	check_location("/onvif/*", "http://10.0.0.1:8080/svc/a?b", "/onvif/a?b");
	check_location("/onvif/*", "HTTP://10.0.0.1:8080/svc", "/onvif/");
	check_location("/onvif/*", "http://10.0.0.1:8080/svcs/a", "/svcs/a");
	check_location("/orders", "http://10.0.0.1:8080/svc?wsdl", "/orders?wsdl");
	check_location(NULL, "http://10.0.0.1:8080/svc/a", "/svc/a");
	check_location("/orders", "http://10.0.0.1:8080", "/");
	check_location("/orders", "http://10.0.0.1:8080?a", "/?a");
	check_location("/orders", "http://10.0.0.1:8080//evil/a", "/evil/a");
	check_location("/orders", "http://10.0.0.1:8080/\\/evil/a", "/evil/a");
	/* Others. */
	check_location("/orders", "http://10.0.0.1:80801/svc", "http://10.0.0.1:80801/svc");
	check_location("/orders", "http://10.0.0.1/svc", "http://10.0.0.1/svc");
	check_location("/orders", "http://10.0.0.1:8080@evil/svc", "http://10.0.0.1:8080@evil/svc");
	check_location("/orders", "http://10.0.0.10:8080/svc", "http://10.0.0.10:8080/svc");
	check_location("/orders", "https://10.0.0.1:8080/svc", "https://10.0.0.1:8080/svc");
	check_location("/orders", "/svc/a", "/svc/a");
	check_location("/orders", "", "");
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
