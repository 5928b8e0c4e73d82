/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A strict parser of multipart/related (RFC 2046, 2387, 2392): MTOM and SOAP with Attachments.
 *
 * It is pure and incremental: the same bytes give the same parts or the same refusal, however they
 * are split; only the ranges of the data events depend on the split. What two parsers could
 * understand differently is refused: bare CR or LF around a delimiter, a line that begins with the
 * boundary but is no delimiter, two fields or parameters of one name, two parts of one Content-ID,
 * a root that is not the first part. Memory is that of the struct, whatever comes.
 *
 * Preamble and epilogue may be up to FMP_MIME_AROUND bytes. Whoever hands a message on writes the
 * delimiters anew and forwards no preamble, no epilogue, no folding and no padding: what the
 * receiver reads then is what was read here.
 */
#ifndef FMP_MIME_H
#define FMP_MIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/event.h>

#define FMP_MIME_BOUNDARY   70 /**< longest boundary (RFC 2046 5.1.1) */
#define FMP_MIME_ID	    256 /**< longest Content-ID, with its NUL */
#define FMP_MIME_MEDIA	    64 /**< longest media type, with its NUL */
#define FMP_MIME_PARAMETER  512 /**< longest value of a parameter, with its NUL */
#define FMP_MIME_HEADER_MAX 4096 /**< most bytes of a part's header */
#define FMP_MIME_FIELDS_MAX 32 /**< most fields of a part */
#define FMP_MIME_PARTS_MAX  1000 /**< most attachments */
#define FMP_MIME_AROUND	    1024 /**< most bytes of the preamble, and of the epilogue */

/** struct fmp_mime_limits - upper bounds of one message; the root is not counted as an attachment */
struct fmp_mime_limits {
	uint32_t parts; /**< attachments; at most FMP_MIME_PARTS_MAX */
	uint32_t header_bytes; /**< of one part; at most FMP_MIME_HEADER_MAX */
	uint32_t fields; /**< of one part; at most FMP_MIME_FIELDS_MAX */
	uint64_t root_bytes; /**< of the root part's data */
	uint64_t part_bytes; /**< of one attachment's data */
	uint64_t bytes; /**< of all attachments' data */
};

/** struct fmp_mime_type - a Content-Type, of the message or of a part */
struct fmp_mime_type {
	char media[FMP_MIME_MEDIA]; /**< in lower case; "": none */
	char boundary[FMP_MIME_BOUNDARY + 1]; /**< "": none */
	char start[FMP_MIME_ID]; /**< a Content-ID as fmp_mime_id() gives it; "": none */
	char type[FMP_MIME_PARAMETER]; /**< type=, with parameters of its own; "": none */
	char start_info[FMP_MIME_PARAMETER]; /**< start-info=; "": none */
	char charset[FMP_MIME_MEDIA]; /**< "": none */
	char action[FMP_MIME_PARAMETER]; /**< "": none */
	const char *why; /**< static text, if it was refused */
};

/**
 * fmp_mime_type_read() - parse a Content-Type with its parameters
 *
 * Return: 0; FMP_ERR_SYNTAX with out->why: malformed, a parameter twice, or one of those above in
 * the form of RFC 2231.
 */
FMP_MUST_CHECK int fmp_mime_type_read(const char *content_type, struct fmp_mime_type *out);
/** fmp_mime_is_related() - is it multipart/related? Not whether it is well-formed. */
bool fmp_mime_is_related(const char *content_type);
/** fmp_mime_media_equal() - compare two media types without case and without their parameters. */
bool fmp_mime_media_equal(const char *a, const char *b);

/**
 * fmp_mime_check_nested() - if a part is a multipart itself: is its boundary another one than @boundary?
 *
 * A receiver that reads it would take the outer delimiters for its own, and the parts behind them.
 * Return: what is wrong, static text; NULL: nothing.
 */
const char *fmp_mime_check_nested(const char *content_type, const char *boundary);

/**
 * fmp_mime_id() - the Content-ID in a field or parameter, without its angle brackets
 *
 * Percent-encoded bytes are decoded, however often they were encoded, as receivers differ in whether
 * they do: two Content-IDs that are equal for any receiver are equal here. There may be spaces inside of
 * the brackets. Return: false: empty, too long or malformed.
 */
bool fmp_mime_id(const char *value, char out[FMP_MIME_ID]);
/** fmp_mime_cid() - the Content-ID of a cid: URL (RFC 2392), as fmp_mime_id(). */
bool fmp_mime_cid(const char *url, char out[FMP_MIME_ID]);

/** enum fmp_mime_coding - Content-Transfer-Encoding */
enum fmp_mime_coding {
	FMP_MIME_IDENTITY = 0, /**< 7bit, 8bit, binary, or none given */
	FMP_MIME_BASE64,
	FMP_MIME_QUOTED,
};

/** struct fmp_mime_part - the header of a part; valid until the next part's */
struct fmp_mime_part {
	unsigned index; /**< 0: the root */
	const char
		*header; /**< all fields as "Name: value" CR LF, unfolded, without the empty line */
	size_t header_len;
	const char *content_type; /**< "": none */
	const char *location; /**< Content-Location; "": none */
	char id[FMP_MIME_ID]; /**< as fmp_mime_id() gives it; "": none */
	enum fmp_mime_coding coding;
	bool has_length;
	uint64_t length; /**< of its Content-Length, which the data must have */
	uint64_t bytes; /**< of its data so far */
};

enum fmp_mime_event {
	FMP_MIME_MORE = 0, /**< all bytes are consumed */
	FMP_MIME_PART, /**< a part begins: fmp_mime.part */
	FMP_MIME_DATA, /**< fmp_mime.data and data_len, in the caller's bytes or in the struct */
	FMP_MIME_PART_END,
	FMP_MIME_END, /**< of fmp_mime_finish() alone */
	FMP_MIME_REFUSED, /**< kind and detail give the reason */
};

/** struct fmp_mime - one message being parsed; may be copied only before its first byte */
struct fmp_mime {
	struct fmp_mime_limits limits;
	struct fmp_mime_type type; /**< of the message */
	struct fmp_mime_type root; /**< of the root part, once it began */
	struct fmp_mime_part part;
	const void *data; /**< of FMP_MIME_DATA; valid until the next call */
	size_t data_len;
	uint64_t bytes; /**< of attachments so far */
	unsigned n_parts; /**< that began, with the root */
	bool closed; /**< the closing delimiter was read */
	enum fmp_event_kind kind; /**< of a refusal */
	const char *detail; /**< static text */

	/* private */
	unsigned state;
	unsigned lead, n_hold, n_delimiter, n_padding, n_around;
	bool line_start; /* no byte since the start of a line, of the part or of the message */
	bool give_end; /* the delimiter ended a part: tell before reading on */
	char delimiter[2 + FMP_MIME_BOUNDARY + 1]; /* "--" and the boundary */
	char hold[2 + 2 + FMP_MIME_BOUNDARY]; /* bytes that may begin a delimiter */
	size_t n_header, n_line;
	char header[FMP_MIME_HEADER_MAX + 1];
	char field[FMP_MIME_HEADER_MAX + 1]; /* value of a field that is kept beyond the header */
	unsigned n_ids;
	uint64_t id[FMP_MIME_PARTS_MAX + 1]; /* hashes of the Content-IDs so far */
};

/**
 * fmp_mime_init() - begin a message
 * @content_type: of the whole message
 *
 * Return: 0; FMP_ERR_SYNTAX with m->kind and m->detail: it is not multipart/related with a good
 * boundary.
 */
FMP_MUST_CHECK int fmp_mime_init(struct fmp_mime *m, const char *content_type,
				 const struct fmp_mime_limits *limits);
/**
 * fmp_mime_next() - parse up to the next event
 * @used: bytes consumed; call again with the rest, also with no rest, until FMP_MIME_MORE
 */
enum fmp_mime_event fmp_mime_next(struct fmp_mime *m, const void *bytes, size_t n, size_t *used);
/** fmp_mime_finish() - the message ends here. Return: FMP_MIME_END or FMP_MIME_REFUSED. */
enum fmp_mime_event fmp_mime_finish(struct fmp_mime *m);

#endif
