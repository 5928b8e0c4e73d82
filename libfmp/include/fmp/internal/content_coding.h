/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compressed bodies, expanded under limits. Done by a worker: what a bomb costs is charged
 * to its sender, and a fault of the decompressor costs one message.
 */
#ifndef FMP_CONTENT_CODING_H
#define FMP_CONTENT_CODING_H

#include <stddef.h>
#include <stdint.h>

#include <fmp/event.h>

#include <fmp/internal/http.h>

/** struct fmp_content_coding_limits - the smaller one counts */
struct fmp_content_coding_limits {
	uint32_t bytes; /**< of the expanded body */
	uint32_t ratio; /**< so many times longer than what came */
};

/** struct fmp_content_decoded - what came of it */
struct fmp_content_decoded {
	uint8_t *bytes; /**< to be freed; NULL: refused */
	size_t len;
	enum fmp_event_kind kind; /**< of a refusal; FMP_EVENT_GOOD: for want of memory */
	int status; /**< of a refusal: the HTTP status to answer with */
	const char *detail; /**< static text */
};

/** fmp_content_decode() - a whole body; memory is never more than what may come of it. */
struct fmp_content_decoded fmp_content_decode(enum fmp_content_coding coding, const void *body,
					      size_t len,
					      const struct fmp_content_coding_limits *limits);

#endif
