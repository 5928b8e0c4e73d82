// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/content_coding.h>

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define INITIAL_CAPACITY 4096u
#define WINDOW_BITS	 15
#define GZIP_WRAPPER	 16 /* added to the window bits (zlib's inflateInit2()) */

static struct fmp_content_decoded refuse_body(struct fmp_content_decoded *e, int status,
					      enum fmp_event_kind kind, const char *detail)
{
	free(e->bytes);
	return (struct fmp_content_decoded){ .kind = kind, .status = status, .detail = detail };
}

/* "deflate" means zlib's format; some senders omit its two-byte header. */
static int window_bits(enum fmp_content_coding coding, const uint8_t *p, size_t n)
{
	if (coding == FMP_CONTENT_CODING_GZIP)
		return GZIP_WRAPPER + WINDOW_BITS;
	if (n >= 2 && (p[0] & 0x0f) == Z_DEFLATED && (p[0] << 8 | p[1]) % 31 == 0)
		return WINDOW_BITS;
	return -WINDOW_BITS;
}

/* Grow up to one byte beyond the limit: that byte shows that the body is too long. */
static bool grow_buffer(struct fmp_content_decoded *e, size_t *cap, size_t most)
{
	size_t more = *cap ? *cap * 2 : INITIAL_CAPACITY;
	uint8_t *bytes;

	if (more > most + 1)
		more = most + 1;
	bytes = realloc(e->bytes, more);
	if (!bytes)
		return false;
	e->bytes = bytes;
	*cap = more;
	return true;
}

/* Our own problem: do not charge the sender. */
static struct fmp_content_decoded refuse_for_memory(struct fmp_content_decoded *e)
{
	return refuse_body(e, 503, FMP_EVENT_GOOD, "no memory to expand the body");
}

static struct fmp_content_decoded inflate_body(z_stream *z, size_t most)
{
	struct fmp_content_decoded e = { 0 };
	size_t cap = 0;
	int rc = Z_OK;

	while (rc == Z_OK) {
		if (e.len == cap && !grow_buffer(&e, &cap, most))
			return refuse_for_memory(&e);
		z->next_out = e.bytes + e.len;
		z->avail_out = (uInt)(cap - e.len);
		rc = inflate(z, Z_NO_FLUSH);
		e.len = cap - z->avail_out;
		if (e.len > most)
			return refuse_body(&e, 413, FMP_EVENT_OVERSIZE,
					   "compressed body becomes larger than allowed");
	}
	if (rc == Z_MEM_ERROR)
		return refuse_for_memory(&e);
	if (rc == Z_BUF_ERROR)
		return refuse_body(&e, 400, FMP_EVENT_HTTP, "compressed body is broken off");
	if (rc != Z_STREAM_END)
		return refuse_body(&e, 400, FMP_EVENT_HTTP, "compressed body does not expand");
	if (z->avail_in)
		return refuse_body(&e, 400, FMP_EVENT_HTTP, "bytes behind a compressed body");
	return e;
}

struct fmp_content_decoded fmp_content_decode(enum fmp_content_coding coding, const void *body,
					      size_t len,
					      const struct fmp_content_coding_limits *limits)
{
	uint64_t most = (uint64_t)len * limits->ratio;
	z_stream z = { .next_in = (Bytef *)body, .avail_in = (uInt)len };
	struct fmp_content_decoded e = { 0 };

	if (inflateInit2(&z, window_bits(coding, body, len)) != Z_OK)
		return refuse_for_memory(&e);
	e = inflate_body(&z, most < limits->bytes ? (size_t)most : limits->bytes);
	inflateEnd(&z);
	return e;
}
