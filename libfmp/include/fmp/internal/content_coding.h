/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decoding of compressed bodies under limits. A worker does it: the cost of a decompression bomb is
 * charged to its sender, and a fault of the decompressor costs one message.
 */
#ifndef FMP_CONTENT_CODING_H
#define FMP_CONTENT_CODING_H

#include <stddef.h>
#include <stdint.h>

#include <fmp/event.h>

#include <fmp/internal/http.h>

/** struct fmp_content_coding_limits - the smaller one applies */
struct fmp_content_coding_limits {
	uint32_t bytes; /**< of the decoded body */
	uint32_t ratio; /**< decoded length divided by the received length */
};

/** struct fmp_content_decoded - a decoded body, or the reason of a refusal */
struct fmp_content_decoded {
	uint8_t *bytes; /**< the caller frees it; NULL: refused */
	size_t len;
	enum fmp_event_kind kind; /**< of a refusal; FMP_EVENT_GOOD: out of memory */
	int status; /**< of a refusal: HTTP status of the response */
	const char *detail; /**< static text */
};

/** fmp_content_decode() - decode a complete body; allocates at most the limit plus one byte. */
struct fmp_content_decoded fmp_content_decode(enum fmp_content_coding coding, const void *body,
					      size_t len,
					      const struct fmp_content_coding_limits *limits);

#endif
