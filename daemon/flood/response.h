/* SPDX-License-Identifier: GPL-2.0 */
/* Reads an HTTP answer as it comes in and says what it is. Pure. */
#ifndef FLOOD_RESPONSE_H
#define FLOOD_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOOD_HEADER_MAX    8192 /* bytes of an answer's header */
#define FLOOD_BODY_HEAD_MAX 2048 /* bytes of the body searched for a Fault */

enum flood_reading {
	FLOOD_READING_MORE = 0, /* not complete yet */
	FLOOD_READING_DONE,
	FLOOD_READING_BAD, /* not HTTP, or beyond what is allowed */
};

struct flood_response {
	char header[FLOOD_HEADER_MAX];
	char body_head[FLOOD_BODY_HEAD_MAX];
	size_t header_len, body_head_len;
	uint64_t left; /* of the body or of the chunk */
	int status;
	enum {
		FLOOD_AT_HEADER = 0,
		FLOOD_AT_BODY,
		FLOOD_AT_EOF,
		FLOOD_AT_CHUNK_SIZE,
		FLOOD_AT_CHUNK,
		FLOOD_AT_CHUNK_END,
		FLOOD_AT_TRAILER,
		FLOOD_AT_DONE
	} at;
	unsigned line_len; /* of a chunk-size or trailer line so far */
	bool close; /* the server will close the connection */
};

/* Only the fields that matter are cleared: the buffers are large. */
void flood_response_init(struct flood_response *a);
enum flood_reading flood_response_feed(struct flood_response *a, const void *bytes, size_t n);
/* The connection's end: complete if the answer has no other end. */
enum flood_reading flood_response_eof(struct flood_response *a);
/* Is a SOAP Fault inside? */
bool flood_response_is_fault(const struct flood_response *a);

#endif
