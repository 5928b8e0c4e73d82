// SPDX-License-Identifier: GPL-2.0
#include "tcp_reassembly.h"

#include <stdlib.h>
#include <string.h>

#include <fmp/internal/queue.h>

#define BUCKETS 4096u /* a power of two */
#define WINDOW_MAX \
	(1u << 30) /* the largest window (RFC 7323 2.3): segments farther away are ignored */

/* A segment received ahead of a gap. */
struct ahead {
	STAILQ_ENTRY(ahead) list; /* by seq */
	uint32_t seq;
	size_t len;
	uint8_t bytes[];
};

struct connection {
	struct tcp_stream s;
	LIST_ENTRY(connection) bucket;
	TAILQ_ENTRY(connection) by_use;
	uint32_t client_isn; /* initial sequence number: that of the SYN */
	uint32_t client_next; /* the next byte in order */
	uint32_t server_isn, server_next; /* valid once answered */
	uint32_t fin; /* the sequence number after the last byte */
	uint32_t other_isn; /* of a SYN within the connection: forged, or the port is reused */
	bool answered, has_fin, has_other_isn;
	STAILQ_HEAD(, ahead) ahead;
	size_t n_ahead; /* bytes, including struct ahead */
};

struct tcp_reassembly {
	uint16_t port;
	const struct tcp_reassembly_ops *ops;
	void *ctx;
	LIST_HEAD(, connection) buckets[BUCKETS];
	TAILQ_HEAD(, connection) by_use; /* the first one was silent for longest */
	size_t n, ahead_all;
	struct tcp_reassembly_counters counters;
};

struct tcp_reassembly *tcp_reassembly_new(uint16_t port, const struct tcp_reassembly_ops *ops,
					  void *ctx)
{
	struct tcp_reassembly *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->port = port;
	t->ops = ops;
	t->ctx = ctx;
	TAILQ_INIT(&t->by_use);
	return t;
}

/* Return: a - b, modulo 2^32 (RFC 9293 3.4): positive if a comes after b. */
static int32_t seq_distance(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b);
}

static void drop_first_ahead(struct tcp_reassembly *t, struct connection *c)
{
	struct ahead *a = STAILQ_FIRST(&c->ahead);

	STAILQ_REMOVE_HEAD(&c->ahead, list);
	c->n_ahead -= sizeof(*a) + a->len;
	t->ahead_all -= sizeof(*a) + a->len;
	free(a);
}

static void close_connection(struct tcp_reassembly *t, struct connection *c)
{
	t->counters.gaps += !STAILQ_EMPTY(&c->ahead) ||
			    (c->has_fin && seq_distance(c->fin, c->client_next) > 0);
	while (!STAILQ_EMPTY(&c->ahead))
		drop_first_ahead(t, c);
	t->ops->closed(&c->s, t->ctx);
	LIST_REMOVE(c, bucket);
	TAILQ_REMOVE(&t->by_use, c, by_use);
	t->n--;
	free(c);
}

bool tcp_reassembly_evict_oldest(struct tcp_reassembly *t)
{
	struct connection *c = TAILQ_FIRST(&t->by_use);

	if (!c)
		return false;
	t->counters.given_up++;
	close_connection(t, c);
	return true;
}

void tcp_reassembly_close(struct tcp_reassembly *t)
{
	while (!TAILQ_EMPTY(&t->by_use))
		close_connection(t, TAILQ_FIRST(&t->by_use));
}

void tcp_reassembly_free(struct tcp_reassembly *t)
{
	if (t)
		tcp_reassembly_close(t);
	free(t);
}

const struct tcp_reassembly_counters *tcp_reassembly_counters(const struct tcp_reassembly *t)
{
	return &t->counters;
}

/* Collisions can be forced: a chain has at most TCP_CONNECTIONS_MAX entries. */
static size_t hash_bucket(const struct fmp_addr *client, uint16_t port,
			  const struct fmp_addr *server)
{
	return (fmp_addr_hash(client, port) ^ fmp_addr_hash(server, 0)) & (BUCKETS - 1);
}

static struct connection *find_connection(struct tcp_reassembly *t, const struct fmp_addr *client,
					  uint16_t port, const struct fmp_addr *server)
{
	struct connection *c;

	LIST_FOREACH(c, &t->buckets[hash_bucket(client, port, server)], bucket)
	if (c->s.client_port == port && fmp_addr_equal(&c->s.client, client) &&
	    fmp_addr_equal(&c->s.server, server))
		return c;
	return NULL;
}

/* Start a connection from a client's SYN. Return: NULL without memory. */
static struct connection *start_connection(struct tcp_reassembly *t, const struct packet *p)
{
	struct connection *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	if (t->n == TCP_CONNECTIONS_MAX)
		tcp_reassembly_evict_oldest(t);
	c->s.client = p->source;
	c->s.client_port = p->source_port;
	c->s.server = p->dest;
	c->s.mac = p->mac;
	c->client_isn = p->seq;
	c->client_next = p->seq + 1;
	STAILQ_INIT(&c->ahead);
	LIST_INSERT_HEAD(&t->buckets[hash_bucket(&p->source, p->source_port, &p->dest)], c, bucket);
	TAILQ_INSERT_TAIL(&t->by_use, c, by_use);
	t->n++;
	t->counters.connections++;
	return c;
}

/* Pass the new part of [seq, seq + len) to the user. */
static int take_bytes(struct tcp_reassembly *t, struct connection *c, uint32_t seq,
		      const uint8_t *p, size_t len)
{
	uint32_t had = c->client_next - seq;
	int rc;

	if (had >= len)
		return 0;
	rc = t->ops->bytes(&c->s, p + had, len - had, t->ctx);
	c->client_next = seq + (uint32_t)len;
	return rc;
}

static int take_ahead(struct tcp_reassembly *t, struct connection *c)
{
	int rc = 0;

	while (!rc && !STAILQ_EMPTY(&c->ahead)) {
		struct ahead *a = STAILQ_FIRST(&c->ahead);

		if (seq_distance(a->seq, c->client_next) > 0)
			break;
		rc = take_bytes(t, c, a->seq, a->bytes, a->len);
		drop_first_ahead(t, c);
	}
	return rc;
}

/* Keep a segment until the gap before it is filled. Where segments overlap the first one received counts. */
static int keep_ahead(struct tcp_reassembly *t, struct connection *c, const struct packet *p,
		      uint32_t seq)
{
	struct ahead *a, *before = NULL, *fresh;
	size_t size = sizeof(*fresh) + p->len;

	if (c->n_ahead + size > TCP_AHEAD_MAX || t->ahead_all + size > TCP_AHEAD_ALL_MAX) {
		t->counters.given_up++;
		close_connection(t, c);
		return 0;
	}
	fresh = malloc(size);
	if (!fresh)
		return FMP_ERR_NOMEM;
	fresh->seq = seq;
	fresh->len = p->len;
	memcpy(fresh->bytes, p->payload, p->len);
	STAILQ_FOREACH(a, &c->ahead, list)
	{
		if (seq_distance(a->seq, seq) > 0)
			break;
		before = a;
	}
	if (before)
		STAILQ_INSERT_AFTER(&c->ahead, before, fresh, list);
	else
		STAILQ_INSERT_HEAD(&c->ahead, fresh, list);
	c->n_ahead += size;
	t->ahead_all += size;
	return 0;
}

/* May close the connection. */
static int take_data(struct tcp_reassembly *t, struct connection *c, const struct packet *p,
		     uint32_t seq)
{
	int32_t gap = seq_distance(seq, c->client_next);
	int rc = 0;

	if (gap > (int32_t)WINDOW_MAX || gap < -(int32_t)WINDOW_MAX)
		return 0;
	if (gap > 0)
		return p->len ? keep_ahead(t, c, p, seq) : 0;
	if (p->len)
		rc = take_bytes(t, c, seq, p->payload, p->len);
	if (!rc)
		rc = take_ahead(t, c);
	if (!rc && c->has_fin && c->client_next == c->fin)
		close_connection(t, c);
	return rc;
}

/* Return: the connection of a segment; NULL: none, or a SYN without memory for it. */
static struct connection *find_or_start_connection(struct tcp_reassembly *t, const struct packet *p)
{
	struct connection *c = find_connection(t, &p->source, p->source_port, &p->dest);

	if (!(p->flags & PACKET_SYN))
		return c;
	if (c && c->client_isn != p->seq && c->answered) {
		/* Real if the server answers it: decided by its SYN-ACK. */
		c->other_isn = p->seq;
		c->has_other_isn = true;
		return c;
	}
	if (c && c->client_isn != p->seq) {
		close_connection(t, c);
		c = NULL;
	}
	return c ? c : start_connection(t, p);
}

static bool is_other_syn(const struct connection *c, const struct packet *p)
{
	return (p->flags & PACKET_SYN) && c->client_isn != p->seq;
}

static int take_client_segment(struct tcp_reassembly *t, const struct packet *p)
{
	struct connection *c = find_or_start_connection(t, p);
	uint32_t seq = p->seq + !!(p->flags & PACKET_SYN);

	if (!c && (p->flags & PACKET_SYN))
		return FMP_ERR_NOMEM;
	if (!c)
		t->counters.without_start += p->len != 0;
	if (!c || is_other_syn(c, p))
		return 0;
	TAILQ_REMOVE(&t->by_use, c, by_use);
	TAILQ_INSERT_TAIL(&t->by_use, c, by_use);
	if ((p->flags & PACKET_ACK) && c->answered &&
	    p->ack - c->server_isn - 1 <= c->server_next - c->server_isn - 1)
		c->s.proven = true;
	if (p->flags & PACKET_RST) {
		/* Anybody can send a RST: accept it only at the exact sequence number (RFC 5961 3.2). */
		if (p->seq == c->client_next)
			close_connection(t, c);
		return 0;
	}
	if ((p->flags & PACKET_FIN) && !c->has_fin) {
		c->fin = seq + (uint32_t)p->len;
		c->has_fin = true;
	}
	return take_data(t, c, p, seq);
}

static void take_syn_ack(struct tcp_reassembly *t, struct connection *c, const struct packet *p)
{
	const struct packet again = { .source = c->s.client,
				      .source_port = c->s.client_port,
				      .dest = c->s.server,
				      .mac = c->s.mac,
				      .seq = c->other_isn };

	if (c->has_other_isn && p->ack == c->other_isn + 1) {
		close_connection(t, c);
		c = start_connection(t, &again);
		if (!c)
			return;
	}
	if (c->answered || p->ack != c->client_isn + 1)
		return;
	c->answered = true;
	c->server_isn = p->seq;
	c->server_next = p->seq + 1;
}

static void take_server_segment(struct tcp_reassembly *t, const struct packet *p)
{
	struct connection *c = find_connection(t, &p->dest, p->dest_port, &p->source);
	uint32_t end = p->seq + (uint32_t)p->len + !!(p->flags & PACKET_FIN);

	if (c && (p->flags & PACKET_SYN) && (p->flags & PACKET_ACK))
		take_syn_ack(t, c, p);
	if (!c || (p->flags & PACKET_SYN) || !c->answered)
		return;
	if (p->flags & PACKET_RST) {
		if (p->seq == c->server_next)
			close_connection(t, c);
	} else if (seq_distance(end, c->server_next) > 0 &&
		   seq_distance(end, c->server_next) <= (int32_t)WINDOW_MAX) {
		c->server_next = end;
	}
}

int tcp_reassembly_add_segment(struct tcp_reassembly *t, const struct packet *p)
{
	if (p->dest_port == t->port)
		return take_client_segment(t, p);
	if (p->source_port == t->port)
		take_server_segment(t, p);
	return 0;
}
