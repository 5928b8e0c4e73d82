/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A multipart message that is checked and written anew while it comes: in memory is its root part
 * until that was evaluated, and then nothing of it.
 *
 * The root is found first (read_root()). Whoever evaluates it says what it refers to (expect()).
 * Then each piece of the rest is given to pass(), which forwards what the receiver is to read: as
 * fmp_multipart_write() does for a message that is whole, with delimiters of its own, and no
 * preamble, epilogue, folding or padding. Whatever is wrong is found before the closing delimiter is
 * forwarded, so that a receiver that was given a part of a bad message knows that it is not whole.
 */
#ifndef FMP_MULTIPART_STREAM_H
#define FMP_MULTIPART_STREAM_H

#include <fmp/policy.h>

#include <fmp/internal/mime.h>

/* The first byte of a reference; its Content-ID and a NUL follow. */
#define FMP_MULTIPART_INCLUDED 'i' /**< by an xop:Include: the part has to come */
#define FMP_MULTIPART_REFERRED 'r'

struct fmp_multipart_reference {
	uint64_t hash;
	const char *id;
	bool included;
	bool came;
};

/** struct fmp_multipart_stream - freed with fmp_multipart_stream_free() */
struct fmp_multipart_stream {
	int status; /**< of a refusal; 0: none */
	enum fmp_event_kind kind;
	const char *detail; /**< static text */

	/* private */
	struct fmp_mime mime;
	bool unreferenced;
	size_t n_tail;
	char tail[2 + FMP_MIME_BOUNDARY]; /* last bytes of the part so far */
	char *references; /* that `reference` points into */
	struct fmp_multipart_reference *reference;
	size_t n_references;
	uint64_t left; /* bytes to forward, if has_length */
	bool has_length;
	bool (*out)(void *ctx, const void *bytes, size_t len);
	void *ctx;
};

/**
 * fmp_multipart_stream_max() - longest request body of a service that may be passed so; 0: none may
 *
 * Under signatures and encryption, which may cover the parts, a request is held whole.
 */
uint32_t fmp_multipart_stream_max(const struct fmp_policy_gateway *demands);

/**
 * fmp_multipart_stream_new() - begin a message that fmp_mime_is_related()
 * @root_bytes: most bytes of the root
 *
 * Return: NULL: out of memory. A message was refused if status is not 0.
 */
struct fmp_multipart_stream *fmp_multipart_stream_new(const char *content_type,
						      const struct fmp_policy_attachments *limits,
						      uint32_t root_bytes);
void fmp_multipart_stream_free(struct fmp_multipart_stream *s);

/**
 * fmp_multipart_stream_read_root() - look for the end of the root part
 * @used: bytes consumed; the rest is for fmp_multipart_stream_pass()
 *
 * Return: 0: it is read; FMP_ERR_AGAIN: all bytes are consumed; FMP_ERR_INVALID: refused.
 */
FMP_MUST_CHECK int fmp_multipart_stream_read_root(struct fmp_multipart_stream *s, const void *bytes,
						  size_t n, size_t *used);

/**
 * fmp_multipart_stream_expect() - what the root refers to (fmp_multipart_references())
 *
 * Return: 0, FMP_ERR_NOMEM, FMP_ERR_SYNTAX.
 */
FMP_MUST_CHECK int fmp_multipart_stream_expect(struct fmp_multipart_stream *s,
					       const char *references, size_t len);

/**
 * fmp_multipart_stream_begin() - the rest is passed to @out
 * @len: bytes of the message behind the root, if known: as many are forwarded behind the root, with
 *       blanks behind the closing delimiter for those that are not. NULL: not known
 *
 * Return: bytes that will be forwarded, if @len is known.
 */
uint64_t fmp_multipart_stream_begin(struct fmp_multipart_stream *s, const uint64_t *len,
				    bool (*out)(void *ctx, const void *bytes, size_t len),
				    void *ctx);

/**
 * fmp_multipart_stream_pass() - the next bytes of the rest
 *
 * Return: 0; FMP_ERR_INVALID: refused; FMP_ERR_IO: @out returned false.
 */
FMP_MUST_CHECK int fmp_multipart_stream_pass(struct fmp_multipart_stream *s, const void *bytes,
					     size_t n);
/** fmp_multipart_stream_finish() - the message ends here. Return: as fmp_multipart_stream_pass(). */
FMP_MUST_CHECK int fmp_multipart_stream_finish(struct fmp_multipart_stream *s);

/** fmp_multipart_stream_size() - bytes of memory that it takes. */
size_t fmp_multipart_stream_size(const struct fmp_multipart_stream *s);

#endif
