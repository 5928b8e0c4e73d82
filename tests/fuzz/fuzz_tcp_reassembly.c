// SPDX-License-Identifier: GPL-2.0
/*
 * TCP reassembly of captured packets under libFuzzer: whatever the segments, the output of a connection is a part of
 * one byte string, in order and without gaps, and no client is proven that did not acknowledge the server's number.
 */
#include <stdlib.h>
#include <string.h>

#include "../../daemon/fmpctl/replay/tcp_reassembly.h"

#define PORT	80u
#define CLIENTS 3u

/* The byte that a client sends is a function of its sequence number, so that any output can be checked. */
static uint8_t byte_at(uint32_t seq)
{
	return (uint8_t)(seq * 2654435761u >> 24);
}

static void check_holds(bool holds)
{
	if (!holds)
		abort();
}

struct expected {
	uint32_t next;
	bool started;
};

static int on_bytes(struct tcp_stream *s, const uint8_t *p, size_t n, void *ctx)
{
	struct expected *h = s->user;

	check_holds(n > 0);
	if (!h)
		h = s->user = calloc(1, sizeof(*h));
	check_holds(h);
	/* The initial sequence number depends on the port: see send_segment(). */
	if (!h->started)
		h->next = (uint32_t)s->client_port << 20;
	h->started = true;
	for (size_t i = 0; i < n; i++)
		check_holds(p[i] == byte_at(h->next++));
	(*(size_t *)ctx) += n;
	return 0;
}

static void on_closed(struct tcp_stream *s, void *ctx)
{
	free(s->user);
}

static const struct tcp_reassembly_ops ops = { .bytes = on_bytes, .closed = on_closed };

/* Send one segment: four bytes choose client and direction, flags, position and length. */
static void send_segment(struct tcp_reassembly *t, const uint8_t *d)
{
	static const uint8_t flags[] = { PACKET_SYN,
					 PACKET_ACK,
					 PACKET_ACK,
					 PACKET_ACK,
					 PACKET_ACK | PACKET_FIN,
					 PACKET_RST,
					 0,
					 PACKET_SYN | PACKET_ACK };
	uint8_t payload[64], client = d[0] % CLIENTS;
	uint16_t port = (uint16_t)(1024 + client);
	uint32_t first = ((uint32_t)port << 20) - 1;
	struct packet p = {
		.source = fmp_addr_ipv4((const uint8_t[]){ 192, 0, 2, 1 }),
		.dest = fmp_addr_ipv4((const uint8_t[]){ 192, 0, 2, 9 }),
		.source_port = port,
		.dest_port = PORT,
		.flags = flags[d[1] % 8],
		.payload = payload,
		.len = d[3] % 64,
	};

	if (p.flags & PACKET_SYN)
		p.len = d[1] & 64 ? p.len : 0;
	p.seq = p.flags & PACKET_SYN ? first : first + 1 + d[2];
	p.ack = 5000u + 1 + (d[1] >> 6);
	for (size_t i = 0; i < p.len; i++)
		payload[i] = byte_at(p.seq + !!(p.flags & PACKET_SYN) + (uint32_t)i);
	if (d[0] & 128) {
		struct fmp_addr a = p.source;

		p.source = p.dest;
		p.dest = a;
		p.source_port = PORT;
		p.dest_port = port;
		p.seq = 5000u + (p.flags & PACKET_SYN ? 0 : 1 + d[2] % 4);
		p.ack = first + 1;
	}
	check_holds(!tcp_reassembly_add_segment(t, &p));
}

static void fuzz_segments(const uint8_t *data, size_t size)
{
	size_t received = 0;
	struct tcp_reassembly *t = tcp_reassembly_new(PORT, &ops, &received);

	check_holds(t);
	for (; size >= 4; data += 4, size -= 4)
		send_segment(t, data);
	tcp_reassembly_free(t);
}

/* Read every byte, so that ASan sees one outside. */
static int read_bytes(struct tcp_stream *s, const uint8_t *p, size_t n, void *ctx)
{
	check_holds(n > 0 && p[0] + p[n - 1] >= 0);
	return 0;
}

static void ignore_closed(struct tcp_stream *s, void *ctx)
{
}

/* Parse the input as packets of a link type, each with its length before it. */
static void fuzz_packets(enum packet_link link, const uint8_t *data, size_t size)
{
	static const struct tcp_reassembly_ops quiet = { .bytes = read_bytes,
							 .closed = ignore_closed };
	struct tcp_reassembly *t = tcp_reassembly_new(PORT, &quiet, NULL);
	struct packet p;

	check_holds(t);
	while (size) {
		size_t n = data[0] < size ? data[0] : size - 1;
		/* Copy it, so that ASan sees a read beyond its end. */
		uint8_t *bytes = malloc(n ? n : 1);

		check_holds(bytes);
		memcpy(bytes, data + 1, n);
		if (packet_parse(link, bytes, n, &p) == PACKET_TCP) {
			check_holds(p.payload >= bytes && p.len <= n &&
				    p.payload + p.len <= bytes + n);
			check_holds(fmp_addr_is_ip(&p.source) && fmp_addr_is_ip(&p.dest));
			check_holds(!tcp_reassembly_add_segment(t, &p));
		}
		free(bytes);
		data += n + 1;
		size -= n + 1;
	}
	tcp_reassembly_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (data[0] % 6 == 5)
		fuzz_segments(data + 1, size - 1);
	else
		fuzz_packets(data[0] % 6, data + 1, size - 1);
	return 0;
}
