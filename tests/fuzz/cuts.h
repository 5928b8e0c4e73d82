/* SPDX-License-Identifier: GPL-2.0 */
/* A connection's bytes for the gateway's HTTP reader, cut in several ways that must not matter. */
#ifndef FMP_FUZZ_CUTS_H
#define FMP_FUZZ_CUTS_H

#include <stdlib.h>
#include <string.h>

#include <fmp/internal/http.h>

#define MESSAGES 8
#define CUTS	 3

/* What is known of a message when it ends, and how much of the connection it took. */
struct outcome {
	struct fmp_http http; /* body and its private parts are not compared as they stand */
	size_t taken;
};

static inline uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 16;
}

/* Cut 0: whole; 1: byte by byte; others: pieces of any length. */
static inline size_t next_piece(unsigned cut, uint32_t *random, size_t left)
{
	size_t n = cut == 0 ? left : cut == 1 ? 1 : 1 + next_random(random) % 97;

	return n < left ? n : left;
}

static inline void check_holds(bool holds)
{
	if (!holds)
		abort();
}

static inline void check_bounds(const struct fmp_http *h)
{
	const struct fmp_http_limits *l = &h->limits;

	check_holds(h->body_len <= l->body_bytes && h->body_len <= h->body_cap);
	check_holds(h->body_cap <= 2 * h->body_len + 4096);
	/* A header that is refused is read to its end for the client's address. */
	check_holds(h->header_used <= l->header_bytes +
					      (h->refusal_pending ? FMP_HTTP_SKIP_BYTES : 0) +
					      h->body_len / 8 + 1);
	check_holds(memchr(h->content_type, 0, sizeof(h->content_type)));
	check_holds(memchr(h->soap_action, 0, sizeof(h->soap_action)));
	check_holds(memchr(h->forwarded, 0, sizeof(h->forwarded)));
	/* What coding an answer has is told, whatever it is; only requests are expanded. */
	check_holds(l->compressed || l->response || h->coding == FMP_CONTENT_CODING_IDENTITY);
	check_holds(l->forwarded || !h->has_forwarded);
	check_holds(!l->response || h->state != FMP_HTTP_DONE || (h->code >= 200 && h->code < 600));
	check_holds(h->state != FMP_HTTP_REFUSED || (h->status >= 400 && h->status < 600 &&
						     h->detail && h->kind && !h->keep_alive));
}

static inline struct outcome read_one(const struct fmp_http_limits *limits, const uint8_t *p,
				      size_t n, unsigned cut, uint32_t *random)
{
	struct outcome o = { 0 };

	fmp_http_init(&o.http, limits);
	while (o.taken < n && o.http.state == FMP_HTTP_READING) {
		size_t give = next_piece(cut, random, n - o.taken), used;

		fmp_http_feed(&o.http, p + o.taken, give, &used);
		check_holds(used <= give && (used == give || o.http.state != FMP_HTTP_READING));
		o.taken += used;
	}
	/* Behind an answer the service closes. */
	if (limits->response)
		check_holds(fmp_http_finish(&o.http) != FMP_HTTP_READING);
	check_bounds(&o.http);
	check_holds(o.http.bytes == o.taken);
	return o;
}

static inline void check_same(const struct outcome *a, const struct outcome *b)
{
	const struct fmp_http *x = &a->http, *y = &b->http;

	check_holds(a->taken == b->taken && x->state == y->state && x->status == y->status);
	check_holds(x->code == y->code);
	check_holds(x->kind == y->kind && x->detail == y->detail);
	check_holds(x->keep_alive == y->keep_alive && x->expect_continue == y->expect_continue);
	check_holds(x->headers_done == y->headers_done && x->coding == y->coding);
	check_holds(!strcmp(x->content_type, y->content_type));
	check_holds(x->has_action == y->has_action && !strcmp(x->soap_action, y->soap_action));
	check_holds(x->has_forwarded == y->has_forwarded && !strcmp(x->forwarded, y->forwarded));
	check_holds(x->body_len == y->body_len);
	check_holds(!x->body_len || !memcmp(x->body, y->body, x->body_len));
	check_holds(x->state != FMP_HTTP_DONE ||
		    (x->fields.len == y->fields.len && x->fields.first == y->fields.first &&
		     (!x->fields.len || !memcmp(x->fields.bytes, y->fields.bytes, x->fields.len))));
}

/*
 * The messages of a connection, up to the first that is not whole: each however it is cut.
 * @check: called for each that is whole; NULL. Return: how many were whole.
 */
static inline unsigned
read_connection(const struct fmp_http_limits *limits, const uint8_t *data, size_t size,
		void (*check)(const struct fmp_http *h, const uint8_t *p, size_t size))
{
	uint32_t random = (uint32_t)size;
	unsigned whole_ones = 0;

	while (size && whole_ones < MESSAGES) {
		struct outcome whole = read_one(limits, data, size, 0, &random);
		bool done = whole.http.state == FMP_HTTP_DONE;

		for (unsigned cut = 1; cut <= CUTS; cut++) {
			struct outcome other = read_one(limits, data, size, cut, &random);

			check_same(&whole, &other);
			fmp_http_exit(&other.http);
		}
		if (done && check)
			check(&whole.http, data, whole.taken);
		data += whole.taken;
		size -= whole.taken;
		fmp_http_exit(&whole.http);
		if (!done)
			break;
		whole_ones++;
	}
	return whole_ones;
}

#endif
