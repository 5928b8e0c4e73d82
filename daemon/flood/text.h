/* SPDX-License-Identifier: GPL-2.0 */
/* A growing text buffer. Running out of memory sets failed, which callers check once, at the end. */
#ifndef FLOOD_TEXT_H
#define FLOOD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct flood_text {
	char *data; /* not terminated */
	size_t len, cap;
	bool failed;
};

void flood_text_clear(struct flood_text *t);
void flood_text_free(struct flood_text *t);
void flood_text_add(struct flood_text *t, const void *bytes, size_t n);
void flood_text_str(struct flood_text *t, const char *s);
/* Decimal, with leading zeros up to width. */
void flood_text_uint(struct flood_text *t, uint64_t v, unsigned width);
void flood_text_base64(struct flood_text *t, const void *bytes, size_t n);
/* 2026-11-21T02:00:00Z */
void flood_text_time(struct flood_text *t, int64_t seconds);

#endif
