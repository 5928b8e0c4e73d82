// SPDX-License-Identifier: GPL-2.0
/* Compressed bodies: each format, each way to be broken, and bombs. */
#include <string.h>
#include <zlib.h>

#include <fmp/internal/content_coding.h>
#include "run.h"

#define GZIP 31
#define ZLIB 15
#define RAW  (-15)

static const struct fmp_content_coding_limits limits = { .bytes = 65536, .ratio = 20 };
static uint8_t packed[1 << 16];

static enum {
	NEVER,
	OF_BODY,
	OF_STATE,
	OF_WINDOW
} short_of;

void *__real_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n)
{
	return short_of == OF_BODY && n > 4096 ? NULL : __real_realloc(p, n);
}

int __real_inflateInit2_(z_streamp z, int bits, const char *version, int size);
int __wrap_inflateInit2_(z_streamp z, int bits, const char *version, int size);
int __wrap_inflateInit2_(z_streamp z, int bits, const char *version, int size)
{
	return short_of == OF_STATE ? Z_MEM_ERROR : __real_inflateInit2_(z, bits, version, size);
}

int __real_inflate(z_streamp z, int flush);
int __wrap_inflate(z_streamp z, int flush);
int __wrap_inflate(z_streamp z, int flush)
{
	return short_of == OF_WINDOW ? Z_MEM_ERROR : __real_inflate(z, flush);
}

/* Letters that compress a little. */
static void fill_random(uint8_t *p, size_t n)
{
	uint32_t state = 1;

	for (size_t i = 0; i < n; i++) {
		state = state * 1664525u + 1013904223u;
		p[i] = (uint8_t)('a' + (state >> 24) % 20);
	}
}

/* Return: bytes in packed. */
static size_t compress_body(int window, const void *bytes, size_t n)
{
	z_stream z = { .next_in = (Bytef *)bytes,
		       .avail_in = (uInt)n,
		       .next_out = packed,
		       .avail_out = sizeof(packed) };

	ck_assert_int_eq(deflateInit2(&z, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY), Z_OK);
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

static void check_refused(enum fmp_content_coding coding, size_t n, int status,
			  enum fmp_event_kind kind)
{
	/* Exactly as long: a sanitizer sees a byte too far. */
	uint8_t *exact = malloc(n ? n : 1);
	struct fmp_content_decoded e;

	memcpy(exact, packed, n);
	e = fmp_content_decode(coding, exact, n, &limits);
	free(exact);
	ck_assert_ptr_null(e.bytes);
	ck_assert_int_eq(e.status, status);
	ck_assert_int_eq(e.kind, kind);
	ck_assert_ptr_nonnull(e.detail);
}

START_TEST(formats)
{
	static const struct {
		int window;
		enum fmp_content_coding coding;
	} known[] = { { GZIP, FMP_CONTENT_CODING_GZIP },
		      { ZLIB, FMP_CONTENT_CODING_DEFLATE },
		      { RAW, FMP_CONTENT_CODING_DEFLATE } };
	uint8_t text[30000]; /* longer than the first buffer */

	fill_random(text, sizeof(text));
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		size_t n = compress_body(known[i].window, text, sizeof(text));
		struct fmp_content_decoded e =
			fmp_content_decode(known[i].coding, packed, n, &limits);

		ck_assert_msg(e.bytes != NULL, "%zu: %s", i, e.detail);
		ck_assert_uint_eq(e.len, sizeof(text));
		ck_assert_mem_eq(e.bytes, text, e.len);
		free(e.bytes);
	}
}
END_TEST

START_TEST(broken)
{
	size_t n = compress_body(GZIP, "<a>text</a>", 11);

	for (size_t i = 0; i < n; i++)
		check_refused(FMP_CONTENT_CODING_GZIP, i, 400, FMP_EVENT_HTTP);
	packed[n] = 0;
	check_refused(FMP_CONTENT_CODING_GZIP, n + 1, 400, FMP_EVENT_HTTP);
	packed[n - 5] ^= 1; /* the check sum */
	check_refused(FMP_CONTENT_CODING_GZIP, n, 400, FMP_EVENT_HTTP);
	n = compress_body(ZLIB, "<a>text</a>", 11);
	check_refused(FMP_CONTENT_CODING_GZIP, n, 400, FMP_EVENT_HTTP);
	memcpy(packed, "plain text", 10);
	check_refused(FMP_CONTENT_CODING_DEFLATE, 10, 400, FMP_EVENT_HTTP);
}
END_TEST

START_TEST(bombs)
{
	uint8_t *zeros = calloc(1, 1 << 20);
	struct fmp_content_decoded e;
	size_t n;

	/* Within the size, beyond the ratio. */
	n = compress_body(GZIP, zeros, 60000);
	ck_assert_uint_lt(n, 3000);
	check_refused(FMP_CONTENT_CODING_GZIP, n, 413, FMP_EVENT_OVERSIZE);
	/* Beyond the size: by one byte, and by much. */
	fill_random(zeros, 65537);
	n = compress_body(GZIP, zeros, 65537);
	check_refused(FMP_CONTENT_CODING_GZIP, n, 413, FMP_EVENT_OVERSIZE);
	n = compress_body(GZIP, zeros, 65536);
	e = fmp_content_decode(FMP_CONTENT_CODING_GZIP, packed, n, &limits);
	ck_assert(e.bytes && e.len == 65536);
	free(e.bytes);
	memset(zeros, 0, 1 << 20);
	check_refused(FMP_CONTENT_CODING_DEFLATE, compress_body(ZLIB, zeros, 1 << 20), 413,
		      FMP_EVENT_OVERSIZE);
	free(zeros);
}
END_TEST

/* Whatever of it we are short of: that is not the sender's doing. */
START_TEST(no_memory)
{
	uint8_t text[30000];
	size_t n;

	fill_random(text, sizeof(text));
	n = compress_body(GZIP, text, sizeof(text));
	for (short_of = OF_BODY; short_of <= OF_WINDOW; short_of++)
		check_refused(FMP_CONTENT_CODING_GZIP, n, 503, FMP_EVENT_GOOD);
	short_of = NEVER;
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("coding");

	tcase_add_test(tc, formats);
	tcase_add_test(tc, broken);
	tcase_add_test(tc, bombs);
	tcase_add_test(tc, no_memory);
	return run_tcase("coding", tc);
}
