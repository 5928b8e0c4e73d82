/* SPDX-License-Identifier: GPL-2.0 */
/* Reads an HTTP response incrementally and classifies it. Pure. */
#ifndef FLOOD_RESPONSE_H
#define FLOOD_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOOD_HEADER_MAX    8192 /* bytes of a response header */
#define FLOOD_BODY_HEAD_MAX 2048 /* bytes of the body searched for a Fault */

enum flood_reading {
	FLOOD_READING_MORE = 0, /* incomplete */
	FLOOD_READING_DONE,
	FLOOD_READING_BAD, /* not HTTP, or too large */
};

struct flood_response {
	char header[FLOOD_HEADER_MAX];
	char body_head[FLOOD_BODY_HEAD_MAX];
	size_t header_len, body_head_len;
	uint64_t left; /* bytes left of the body or of the chunk */
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
	unsigned line_len; /* of the current chunk-size or trailer line, so far */
	bool close; /* the server will close the connection */
};

/* Clears the state but not the buffers, which are large. */
void flood_response_init(struct flood_response *a);
enum flood_reading flood_response_feed(struct flood_response *a, const void *bytes, size_t n);
/* The connection was closed: the response is complete if nothing else delimits it. */
enum flood_reading flood_response_eof(struct flood_response *a);
/* Is the body a SOAP Fault? */
bool flood_response_is_fault(const struct flood_response *a);

#endif
