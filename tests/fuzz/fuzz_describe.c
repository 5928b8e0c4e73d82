// SPDX-License-Identifier: GPL-2.0
/*
 * Input: a request target, a line end, a Host, a line end, a description. What is given out to the
 * client may hold nothing that ends an attribute value, and a description without a location stays
 * as it is.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/describe.h>

#define check_holds(what)        \
	do {                     \
		if (!(what))     \
			abort(); \
	} while (0)

static char *take_line(const uint8_t **data, size_t *size)
{
	const uint8_t *end = *size ? memchr(*data, '\n', *size) : NULL;
	char *text = end ? strndup((const char *)*data, (size_t)(end - *data)) : NULL;

	if (end) {
		*size -= (size_t)(end + 1 - *data);
		*data = end + 1;
	}
	return text;
}

static void check_request(const char *target, const char *host)
{
	struct fmp_describe_request ask;
	char url[FMP_DESCRIBE_URL];

	if (!fmp_describe_parse(target, &ask))
		return;
	check_holds(strlen(ask.path) < sizeof(ask.path) && ask.name >= target &&
		    ask.name + ask.name_len <= target + strlen(target));
	if (fmp_describe_url("https", host, ask.path, url))
		check_holds(!strpbrk(url, "\"'<>& \t\r\n\\") && strlen(url) < sizeof(url));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct fmp_target_service s = {
		.host = "in.ner", .port = 80, .to = "/svc", .prefix = "/p/*"
	};
	char *target = take_line(&data, &size), *host = take_line(&data, &size);
	struct fmp_field_list out = { 0 };

	if (target && host) {
		const char *body = (const char *)data;

		check_request(target, host);
		fmp_describe_check("text/xml", body, size);
		check_holds(fmp_describe_rewrite(&out, &s, "https://o", body, size));
		if (!memmem(body, size, "://", 3))
			check_holds(out.len == size && (!size || !memcmp(out.bytes, body, size)));
	}
	fmp_field_list_exit(&out);
	free(target);
	free(host);
	return 0;
}
