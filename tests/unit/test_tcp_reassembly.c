// SPDX-License-Identifier: GPL-2.0
/* Connections put together from captured segments: their bounds, and whose word counts. */
#include <string.h>

#include "../../daemon/fmpctl/replay/tcp_reassembly.h"
#include "run.h"

#define PORT  8080u
#define FIRST 1000u /* of a client */
#define OTHER 7000u /* of the server */

static struct {
	char text[64];
	size_t len, bytes;
	unsigned closed;
	bool proven;
} heard;

static int on_bytes(struct tcp_stream *s, const uint8_t *p, size_t n, void *ctx)
{
	for (size_t i = 0; i < n && heard.len + 1 < sizeof(heard.text); i++)
		heard.text[heard.len++] = (char)p[i];
	heard.bytes += n;
	heard.proven = s->proven;
	return 0;
}

static void on_closed(struct tcp_stream *s, void *ctx)
{
	heard.closed++;
}

static struct tcp_reassembly *begin(void)
{
	static const struct tcp_reassembly_ops ops = { .bytes = on_bytes, .closed = on_closed };
	struct tcp_reassembly *t = tcp_reassembly_new(PORT, &ops, NULL);

	ck_assert_ptr_nonnull(t);
	memset(&heard, 0, sizeof(heard));
	return t;
}

static struct packet segment(unsigned client, unsigned flags, uint32_t seq, const char *text)
{
	const uint8_t address[4] = { 192, 0, (uint8_t)(client >> 8), (uint8_t)client };
	static const uint8_t server[4] = { 198, 51, 100, 1 };

	return (struct packet){ .source = fmp_addr_ipv4(address),
				.dest = fmp_addr_ipv4(server),
				.source_port = 4000,
				.dest_port = PORT,
				.flags = (uint8_t)flags,
				.seq = seq,
				.ack = OTHER + 1,
				.payload = (const uint8_t *)text,
				.len = strlen(text) };
}

static void says(struct tcp_reassembly *t, unsigned client, unsigned flags, uint32_t seq,
		 const char *text)
{
	struct packet p = segment(client, flags, seq, text);

	ck_assert_int_eq(tcp_reassembly_add_segment(t, &p), 0);
}

static void answers(struct tcp_reassembly *t, unsigned client, unsigned flags, uint32_t seq,
		    uint32_t ack)
{
	struct packet to = segment(client, flags, seq, ""), p = to;

	p.source = to.dest;
	p.dest = to.source;
	p.source_port = to.dest_port;
	p.dest_port = to.source_port;
	p.ack = ack;
	ck_assert_int_eq(tcp_reassembly_add_segment(t, &p), 0);
}

static void connects(struct tcp_reassembly *t, unsigned client)
{
	says(t, client, PACKET_SYN, FIRST, "");
	answers(t, client, PACKET_SYN | PACKET_ACK, OTHER, FIRST + 1);
	says(t, client, PACKET_ACK, FIRST + 1, "");
}

START_TEST(in_order)
{
	struct tcp_reassembly *t = begin();

	connects(t, 1);
	says(t, 1, PACKET_ACK, FIRST + 4, "def");
	says(t, 1, PACKET_ACK, FIRST + 2, "bX");
	says(t, 1, PACKET_ACK, FIRST + 2, "YY");
	ck_assert_uint_eq(heard.len, 0);
	says(t, 1, PACKET_ACK, FIRST + 1, "a");
	/* What came first of a byte counts: the X of "bX", not the Y behind it. */
	ck_assert_str_eq(heard.text, "abXdef");
	says(t, 1, PACKET_ACK, FIRST + 1, "......gh");
	ck_assert_str_eq(heard.text, "abXdefgh");
	tcp_reassembly_free(t);
}
END_TEST

START_TEST(inv2_the_handshake_proves)
{
	struct tcp_reassembly *t = begin();

	connects(t, 1);
	says(t, 1, PACKET_ACK, FIRST + 1, "a");
	ck_assert(heard.proven);
	/* Nobody answered. */
	says(t, 2, PACKET_SYN, FIRST, "");
	says(t, 2, PACKET_ACK, FIRST + 1, "a");
	ck_assert(!heard.proven);
	/* The answer went to somebody else: the number is guessed. */
	says(t, 3, PACKET_SYN, FIRST, "");
	answers(t, 3, PACKET_SYN | PACKET_ACK, OTHER + 99, FIRST + 1);
	says(t, 3, PACKET_ACK, FIRST + 1, "a");
	ck_assert(!heard.proven);
	/* What is answered is not this SYN. */
	says(t, 4, PACKET_SYN, FIRST, "");
	answers(t, 4, PACKET_SYN | PACKET_ACK, OTHER, FIRST + 2);
	says(t, 4, PACKET_ACK, FIRST + 1, "a");
	ck_assert(!heard.proven);
	tcp_reassembly_free(t);
}
END_TEST

/* Neither a SYN nor a RST that only looks like the client's ends what is being said. */
START_TEST(forged_ends)
{
	struct tcp_reassembly *t = begin();

	connects(t, 1);
	says(t, 1, PACKET_ACK, FIRST + 1, "a");
	says(t, 1, PACKET_SYN, FIRST + 9000, "");
	says(t, 1, PACKET_RST, FIRST + 9000, "");
	answers(t, 1, PACKET_RST, OTHER + 9000, 0);
	ck_assert_uint_eq(heard.closed, 0);
	says(t, 1, PACKET_ACK, FIRST + 2, "b");
	ck_assert_str_eq(heard.text, "ab");
	/* The server takes the SYN up: the port is used again. */
	answers(t, 1, PACKET_SYN | PACKET_ACK, OTHER, FIRST + 9001);
	ck_assert_uint_eq(heard.closed, 1);
	says(t, 1, PACKET_ACK, FIRST + 9001, "c");
	ck_assert_str_eq(heard.text, "abc");
	says(t, 1, PACKET_RST, FIRST + 9002, "");
	ck_assert_uint_eq(heard.closed, 2);
	says(t, 1, PACKET_ACK, FIRST + 9002, "d");
	ck_assert_uint_eq(tcp_reassembly_counters(t)->without_start, 1);
	tcp_reassembly_free(t);
}
END_TEST

START_TEST(ends)
{
	struct tcp_reassembly *t = begin();

	connects(t, 1);
	says(t, 1, PACKET_ACK | PACKET_FIN, FIRST + 2, "b");
	ck_assert_uint_eq(heard.closed, 0);
	says(t, 1, PACKET_ACK, FIRST + 1, "a");
	ck_assert_str_eq(heard.text, "ab");
	ck_assert_uint_eq(heard.closed, 1);
	connects(t, 1);
	says(t, 1, PACKET_ACK | PACKET_FIN, FIRST + 2, "b");
	tcp_reassembly_close(t);
	ck_assert_uint_eq(heard.closed, 2);
	ck_assert_uint_eq(tcp_reassembly_counters(t)->gaps, 1);
	tcp_reassembly_free(t);
}
END_TEST

START_TEST(inv6_connections_are_bounded)
{
	struct tcp_reassembly *t = begin();

	for (unsigned i = 0; i < TCP_CONNECTIONS_MAX; i++)
		connects(t, i);
	ck_assert_uint_eq(tcp_reassembly_counters(t)->given_up, 0);
	says(t, 0, PACKET_ACK, FIRST + 1, "a");
	connects(t, TCP_CONNECTIONS_MAX);
	ck_assert_uint_eq(tcp_reassembly_counters(t)->given_up, 1);
	/* The one that was silent for longest went: not the first, which has just spoken. */
	says(t, 0, PACKET_ACK, FIRST + 2, "b");
	ck_assert_str_eq(heard.text, "ab");
	says(t, 1, PACKET_ACK, FIRST + 1, "c");
	ck_assert_str_eq(heard.text, "ab");
	tcp_reassembly_free(t);
	ck_assert_uint_eq(heard.closed, TCP_CONNECTIONS_MAX + 1);
}
END_TEST

START_TEST(inv6_what_waits_is_bounded)
{
	static char text[1401];
	struct tcp_reassembly *t = begin();
	unsigned n = 0;

	memset(text, 'x', 1400);
	connects(t, 1);
	for (; !heard.closed && n < 1000; n++)
		says(t, 1, PACKET_ACK, FIRST + 2 + 1400 * n, text);
	ck_assert_uint_eq(heard.closed, 1);
	ck_assert_uint_le(n * 1400, TCP_AHEAD_MAX + 1400);
	ck_assert_uint_ge(n * 1400, TCP_AHEAD_MAX - TCP_AHEAD_MAX / 8);
	/* Single bytes take more room than they are long. */
	connects(t, 2);
	for (n = 0; heard.closed < 2 && n < TCP_AHEAD_MAX; n++)
		says(t, 2, PACKET_ACK, FIRST + 2 + n, "x");
	ck_assert_uint_le(n, TCP_AHEAD_MAX / (2 * sizeof(void *)));
	ck_assert_uint_eq(heard.bytes, 0);
	/* All of them together. */
	for (unsigned c = 3; c < 3 + TCP_AHEAD_ALL_MAX / TCP_AHEAD_MAX * 2; c++) {
		connects(t, c);
		for (n = 0; n < 100; n++)
			says(t, c, PACKET_ACK, FIRST + 2 + 1400 * n, text);
	}
	ck_assert_uint_gt(heard.closed, 2);
	tcp_reassembly_free(t);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("streams");

	tcase_add_test(tc, in_order);
	tcase_add_test(tc, inv2_the_handshake_proves);
	tcase_add_test(tc, forged_ends);
	tcase_add_test(tc, ends);
	tcase_add_test(tc, inv6_connections_are_bounded);
	tcase_add_test(tc, inv6_what_waits_is_bounded);
	return run_tcase("streams", tc);
}
