// SPDX-License-Identifier: GPL-2.0
/*
 * The parser of multipart/related under libFuzzer: a message gives the same parts or the same
 * refusal however it is cut, within the limits. One that is passed on while it comes is the same
 * however it is cut, as long as it was announced, and has the parts that were read.
 *
 * Input: the Content-Type up to a line feed, and the message.
 */
#include <fmp/internal/multipart_stream.h>

#include "../unit/mime_cuts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_holds(bool holds)
{
	if (!holds)
		abort();
}

struct passed {
	bool taken;
	char *bytes; /* for free() */
	size_t len;
};

static bool write_passed(void *ctx, const void *bytes, size_t n)
{
	return fwrite(bytes, 1, n, ctx) == n;
}

static bool read_root(struct fmp_multipart_stream *s, const uint8_t *p, size_t n, size_t piece,
		      size_t *at)
{
	int ret = FMP_ERR_AGAIN;
	size_t used;

	for (*at = 0; *at < n && ret == FMP_ERR_AGAIN; *at += used)
		ret = fmp_multipart_stream_read_root(s, p + *at, n - *at < piece ? n - *at : piece,
						     &used);
	return !ret;
}

/* The root as it came; all parts may come, one has to. */
static struct passed pass_piece(const char *type, const uint8_t *p, size_t n, size_t piece,
				const struct fmp_mime_limits *limits, bool with_length)
{
	const struct fmp_policy_attachments bounds = { .unreferenced = true,
						       .parts = limits->parts,
						       .part_bytes = (uint32_t)limits->part_bytes,
						       .bytes = (uint32_t)limits->bytes };
	static const char references[] = "ia\0rb";
	struct fmp_multipart_stream *s =
		fmp_multipart_stream_new(type, &bounds, (uint32_t)limits->root_bytes);
	struct passed o = { 0 };
	FILE *f = open_memstream(&o.bytes, &o.len);
	size_t at, root;
	uint64_t rest, total;
	int ret = 0;

	if (!s || !f)
		abort();
	if (!s->status && read_root(s, p, n, piece, &at)) {
		root = at - strlen(s->mime.delimiter);
		root -= root >= 2 && !memcmp(p + root - 2, "\r\n", 2) ? 2 : 0;
		fwrite(p, 1, root, f);
		rest = n - at;
		total = root +
			fmp_multipart_stream_begin(s, with_length ? &rest : NULL, write_passed, f);
		check_holds(!fmp_multipart_stream_expect(s, references, sizeof(references)));
		for (size_t give; at < n && !ret; at += give) {
			give = n - at < piece ? n - at : piece;
			ret = fmp_multipart_stream_pass(s, p + at, give);
		}
		if (!ret)
			ret = fmp_multipart_stream_finish(s);
		fflush(f);
		o.taken = !ret;
		check_holds(o.taken ? !with_length || total == o.len : s->status && s->detail);
	}
	fclose(f);
	fmp_multipart_stream_free(s);
	return o;
}

static void check_passed(const char *type, const uint8_t *data, size_t size)
{
	static const struct fmp_mime_limits wide = { .parts = 4,
						     .header_bytes = FMP_MIME_HEADER_MAX,
						     .fields = FMP_MIME_FIELDS_MAX,
						     .root_bytes = 300,
						     .part_bytes = 200,
						     .bytes = 400 },
					    *limits = &wide;
	struct passed first = pass_piece(type, data, size, size, limits, false);
	struct mime_outcome whole = mime_read(type, data, size, size, limits), again;

	check_holds(!first.taken || !whole.refused);
	for (size_t piece = 1; piece < 20; piece += 6) {
		struct passed cut = pass_piece(type, data, size, piece, limits, false);

		check_holds(cut.taken == first.taken);
		check_holds(!cut.taken ||
			    (cut.len == first.len && !memcmp(cut.bytes, first.bytes, cut.len)));
		free(cut.bytes);
		cut = pass_piece(type, data, size, piece, limits, true);
		check_holds(!cut.taken || first.taken);
		free(cut.bytes);
	}
	if (first.taken) {
		again = mime_read(type, first.bytes, first.len, first.len, limits);
		check_holds(!again.refused && again.n_parts == whole.n_parts);
		check_holds(again.len == whole.len && !memcmp(again.log, whole.log, again.len));
		free(again.log);
	}
	free(whole.log);
	free(first.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct fmp_mime_limits limits = { .parts = 4,
						       .header_bytes = 200,
						       .fields = 5,
						       .root_bytes = 300,
						       .part_bytes = 200,
						       .bytes = 400 };
	static const size_t pieces[] = { 1, 2, 5, 13 };
	const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
	char type[600];
	struct mime_outcome whole;
	size_t n;

	if (!line || (size_t)(line - data) >= sizeof(type))
		return 0;
	n = (size_t)(line - data);
	memcpy(type, data, n);
	type[n] = '\0';
	data = line + 1;
	size -= n + 1;
	whole = mime_read(type, data, size, size ? size : 1, &limits);
	check_holds(whole.n_parts <= limits.parts + 1);
	check_holds(!whole.refused || (whole.kind && whole.detail));
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		struct mime_outcome cut = mime_read(type, data, size, pieces[i], &limits);

		check_holds(cut.refused == whole.refused && cut.kind == whole.kind);
		check_holds(cut.detail == whole.detail && cut.n_parts == whole.n_parts);
		if (whole.kind != FMP_EVENT_OVERSIZE)
			check_holds(cut.len == whole.len && !memcmp(cut.log, whole.log, cut.len));
		free(cut.log);
	}
	if (size)
		check_passed(type, data, size);
	free(whole.log);
	return 0;
}
