// SPDX-License-Identifier: GPL-2.0
/* TCP reassembly from captured segments: order, proof of the source, forged segments, bounds. */
#include <string.h>

#include "../../daemon/fmpctl/replay/tcp_reassembly.h"
#include "run.h"

#define PORT	   8080u
#define CLIENT_ISN 1000u /* of each client */
#define SERVER_ISN 7000u /* of the server */

static struct {
	char text[64];
	size_t len, bytes;
	unsigned closed;
	bool proven;
} received;

static int on_bytes(struct tcp_stream *s, const uint8_t *p, size_t n, void *ctx)
{
	for (size_t i = 0; i < n && received.len + 1 < sizeof(received.text); i++)
		received.text[received.len++] = (char)p[i];
	received.bytes += n;
	received.proven = s->proven;
	return 0;
}

static void on_closed(struct tcp_stream *s, void *ctx)
{
	received.closed++;
}

static struct tcp_reassembly *start_reassembly(void)
{
	static const struct tcp_reassembly_ops ops = { .bytes = on_bytes, .closed = on_closed };
	struct tcp_reassembly *t = tcp_reassembly_new(PORT, &ops, NULL);

	ck_assert_ptr_nonnull(t);
	memset(&received, 0, sizeof(received));
	return t;
}

static struct packet make_segment(unsigned client, unsigned flags, uint32_t seq, const char *text)
{
	const uint8_t address[4] = { 192, 0, (uint8_t)(client >> 8), (uint8_t)client };
	static const uint8_t server[4] = { 198, 51, 100, 1 };

	return (struct packet){ .source = fmp_addr_ipv4(address),
				.dest = fmp_addr_ipv4(server),
				.source_port = 4000,
				.dest_port = PORT,
				.flags = (uint8_t)flags,
				.seq = seq,
				.ack = SERVER_ISN + 1,
				.payload = (const uint8_t *)text,
				.len = strlen(text) };
}

static void send_from_client(struct tcp_reassembly *t, unsigned client, unsigned flags,
			     uint32_t seq, const char *text)
{
	struct packet p = make_segment(client, flags, seq, text);

	ck_assert_int_eq(tcp_reassembly_add_segment(t, &p), 0);
}

static void send_from_server(struct tcp_reassembly *t, unsigned client, unsigned flags,
			     uint32_t seq, uint32_t ack)
{
	struct packet to = make_segment(client, flags, seq, ""), p = to;

	p.source = to.dest;
	p.dest = to.source;
	p.source_port = to.dest_port;
	p.dest_port = to.source_port;
	p.ack = ack;
	ck_assert_int_eq(tcp_reassembly_add_segment(t, &p), 0);
}

static void open_connection(struct tcp_reassembly *t, unsigned client)
{
	send_from_client(t, client, PACKET_SYN, CLIENT_ISN, "");
	send_from_server(t, client, PACKET_SYN | PACKET_ACK, SERVER_ISN, CLIENT_ISN + 1);
	send_from_client(t, client, PACKET_ACK, CLIENT_ISN + 1, "");
}

START_TEST(in_order)
{
	struct tcp_reassembly *t = start_reassembly();

	open_connection(t, 1);
	send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 4, "def");
	send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 2, "bX");
	send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 2, "YY");
	ck_assert_uint_eq(received.len, 0);
	send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 1, "a");
	/* Of overlapping data the first received counts: the X of "bX", not the Y sent after it. */
	ck_assert_str_eq(received.text, "abXdef");
	send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 1, "......gh");
	ck_assert_str_eq(received.text, "abXdefgh");
	tcp_reassembly_free(t);
}
END_TEST

START_TEST(inv2_the_handshake_proves)
{
	struct tcp_reassembly *t = start_reassembly();

	open_connection(t, 1);
	send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 1, "a");
	ck_assert(received.proven);
	/* No SYN-ACK. */
	send_from_client(t, 2, PACKET_SYN, CLIENT_ISN, "");
	send_from_client(t, 2, PACKET_ACK, CLIENT_ISN + 1, "a");
	ck_assert(!received.proven);
	/* The client guessed the acknowledged number. */
	send_from_client(t, 3, PACKET_SYN, CLIENT_ISN, "");
	send_from_server(t, 3, PACKET_SYN | PACKET_ACK, SERVER_ISN + 99, CLIENT_ISN + 1);
	send_from_client(t, 3, PACKET_ACK, CLIENT_ISN + 1, "a");
	ck_assert(!received.proven);
	/* The SYN-ACK acknowledges another SYN. */
	send_from_client(t, 4, PACKET_SYN, CLIENT_ISN, "");
	send_from_server(t, 4, PACKET_SYN | PACKET_ACK, SERVER_ISN, CLIENT_ISN + 2);
	send_from_client(t, 4, PACKET_ACK, CLIENT_ISN + 1, "a");
	ck_assert(!received.proven);
	tcp_reassembly_free(t);
}
END_TEST

/* A forged SYN or RST does not end the connection. */
START_TEST(forged_ends)
{
	struct tcp_reassembly *t = start_reassembly();

	open_connection(t, 1);
	send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 1, "a");
	send_from_client(t, 1, PACKET_SYN, CLIENT_ISN + 9000, "");
	send_from_client(t, 1, PACKET_RST, CLIENT_ISN + 9000, "");
	send_from_server(t, 1, PACKET_RST, SERVER_ISN + 9000, 0);
	ck_assert_uint_eq(received.closed, 0);
	send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 2, "b");
	ck_assert_str_eq(received.text, "ab");
	/* The server answers the SYN: the port is reused. */
	send_from_server(t, 1, PACKET_SYN | PACKET_ACK, SERVER_ISN, CLIENT_ISN + 9001);
	ck_assert_uint_eq(received.closed, 1);
	send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 9001, "c");
	ck_assert_str_eq(received.text, "abc");
	send_from_client(t, 1, PACKET_RST, CLIENT_ISN + 9002, "");
	ck_assert_uint_eq(received.closed, 2);
	send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 9002, "d");
	ck_assert_uint_eq(tcp_reassembly_counters(t)->without_start, 1);
	tcp_reassembly_free(t);
}
END_TEST

START_TEST(ends)
{
	struct tcp_reassembly *t = start_reassembly();

	open_connection(t, 1);
	send_from_client(t, 1, PACKET_ACK | PACKET_FIN, CLIENT_ISN + 2, "b");
	ck_assert_uint_eq(received.closed, 0);
	send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 1, "a");
	ck_assert_str_eq(received.text, "ab");
	ck_assert_uint_eq(received.closed, 1);
	open_connection(t, 1);
	send_from_client(t, 1, PACKET_ACK | PACKET_FIN, CLIENT_ISN + 2, "b");
	tcp_reassembly_close(t);
	ck_assert_uint_eq(received.closed, 2);
	ck_assert_uint_eq(tcp_reassembly_counters(t)->gaps, 1);
	tcp_reassembly_free(t);
}
END_TEST

START_TEST(inv6_connections_are_bounded)
{
	struct tcp_reassembly *t = start_reassembly();

	for (unsigned i = 0; i < TCP_CONNECTIONS_MAX; i++)
		open_connection(t, i);
	ck_assert_uint_eq(tcp_reassembly_counters(t)->given_up, 0);
	send_from_client(t, 0, PACKET_ACK, CLIENT_ISN + 1, "a");
	open_connection(t, TCP_CONNECTIONS_MAX);
	ck_assert_uint_eq(tcp_reassembly_counters(t)->given_up, 1);
	/* The connection that was silent for longest is evicted, not the first one, which has just sent data. */
	send_from_client(t, 0, PACKET_ACK, CLIENT_ISN + 2, "b");
	ck_assert_str_eq(received.text, "ab");
	send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 1, "c");
	ck_assert_str_eq(received.text, "ab");
	tcp_reassembly_free(t);
	ck_assert_uint_eq(received.closed, TCP_CONNECTIONS_MAX + 1);
}
END_TEST

START_TEST(inv6_what_waits_is_bounded)
{
	static char text[1401];
	struct tcp_reassembly *t = start_reassembly();
	unsigned n = 0;

	memset(text, 'x', 1400);
	open_connection(t, 1);
	for (; !received.closed && n < 1000; n++)
		send_from_client(t, 1, PACKET_ACK, CLIENT_ISN + 2 + 1400 * n, text);
	ck_assert_uint_eq(received.closed, 1);
	ck_assert_uint_le(n * 1400, TCP_AHEAD_MAX + 1400);
	ck_assert_uint_ge(n * 1400, TCP_AHEAD_MAX - TCP_AHEAD_MAX / 8);
	/* Single bytes count with their overhead. */
	open_connection(t, 2);
	for (n = 0; received.closed < 2 && n < TCP_AHEAD_MAX; n++)
		send_from_client(t, 2, PACKET_ACK, CLIENT_ISN + 2 + n, "x");
	ck_assert_uint_le(n, TCP_AHEAD_MAX / (2 * sizeof(void *)));
	ck_assert_uint_eq(received.bytes, 0);
	/* The bound over all connections. */
	for (unsigned c = 3; c < 3 + TCP_AHEAD_ALL_MAX / TCP_AHEAD_MAX * 2; c++) {
		open_connection(t, c);
		for (n = 0; n < 100; n++)
			send_from_client(t, c, PACKET_ACK, CLIENT_ISN + 2 + 1400 * n, text);
	}
	ck_assert_uint_gt(received.closed, 2);
	tcp_reassembly_free(t);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("tcp_reassembly");

	tcase_add_test(tc, in_order);
	tcase_add_test(tc, inv2_the_handshake_proves);
	tcase_add_test(tc, forged_ends);
	tcase_add_test(tc, ends);
	tcase_add_test(tc, inv6_connections_are_bounded);
	tcase_add_test(tc, inv6_what_waits_is_bounded);
	return run_tcase("tcp_reassembly", tc);
}
