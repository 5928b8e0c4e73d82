// SPDX-License-Identifier: GPL-2.0
/* A socket's bytes in the event loop: sent at once where they fit, read only when wanted. */
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/util.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../daemon/gateway/common/stream.h"
#include "run.h"

#define TURNS 50 /* of the loop: more than anything here needs */

static struct event_base *base;
static struct gw_stream *stream;
static int peer;
static unsigned reads, writtens, endeds;
static bool free_when_called;

static void count_and_free(unsigned *what)
{
	++*what;
	if (free_when_called) {
		gw_stream_free(stream);
		stream = NULL;
	}
}

static void on_read(void *ctx)
{
	count_and_free(&reads);
}

static void on_written(void *ctx)
{
	count_and_free(&writtens);
}

static void on_ended(void *ctx, bool cleanly)
{
	count_and_free(&endeds);
	/* As who owns one does: else it would be told again and again. */
	if (stream)
		gw_stream_pause(stream);
}

static const struct gw_stream_ops ops = { .read = on_read,
					  .written = on_written,
					  .ended = on_ended };

static void start_stream(void)
{
	int pair[2];

	ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	evutil_make_socket_nonblocking(pair[0]);
	evutil_make_socket_nonblocking(pair[1]);
	base = event_base_new();
	peer = pair[1];
	reads = writtens = endeds = 0;
	free_when_called = false;
	stream = gw_stream_new(base, pair[0], NULL, &ops, NULL);
	ck_assert_ptr_nonnull(stream);
}

static void end_stream(void)
{
	gw_stream_free(stream);
	if (peer >= 0)
		close(peer);
	event_base_free(base);
}

/* What is ready is done; nothing is waited for. */
static void run_loop(unsigned times)
{
	while (times--)
		event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
}

static bool send_two(const char *first, const char *second)
{
	char a[64], b[64];
	struct iovec part[2] = { { a, strlen(first) }, { b, strlen(second) } };

	strcpy(a, first);
	strcpy(b, second);
	return gw_stream_send(stream, part, 2);
}

START_TEST(sent_at_once)
{
	char got[64] = "";

	ck_assert(send_two("head ", "body"));
	ck_assert(send_two("", ""));
	/* The loop has not run. */
	ck_assert_int_eq(recv(peer, got, sizeof(got) - 1, 0), 9);
	ck_assert_str_eq(got, "head body");
	run_loop(TURNS);
	ck_assert_uint_eq(writtens, 0);
	ck_assert_uint_eq(gw_stream_unsent(stream), 0);
}
END_TEST

/* Numbers in order, far more than the socket takes: none is lost, doubled or moved. */
START_TEST(what_does_not_fit_follows)
{
	static uint32_t numbers[300000];
	const unsigned n = sizeof(numbers) / sizeof(*numbers);
	static uint8_t got[sizeof(numbers)];
	struct iovec part[2] = { { numbers, 1000 },
				 { (uint8_t *)numbers + 1000, sizeof(numbers) / 2 - 1000 } };
	ssize_t first;
	size_t have;

	for (unsigned i = 0; i < n; i++)
		numbers[i] = i;
	ck_assert(!gw_stream_send(stream, part, 2));
	ck_assert_uint_gt(gw_stream_unsent(stream), 0);
	/* There is room again, but not for what comes later. */
	first = recv(peer, got, sizeof(got), 0);
	ck_assert_int_gt(first, 0);
	have = (size_t)first;
	part[0] = (struct iovec){ (uint8_t *)numbers + sizeof(numbers) / 2, sizeof(numbers) / 2 };
	ck_assert(!gw_stream_send(stream, part, 1));
	for (unsigned i = 0; i < 10000 && have < sizeof(got); i++) {
		ssize_t r = recv(peer, got + have, sizeof(got) - have, 0);

		have += r > 0 ? (size_t)r : 0;
		run_loop(1);
	}
	ck_assert_uint_eq(have, sizeof(got));
	ck_assert_mem_eq(got, numbers, sizeof(numbers));
	ck_assert_uint_eq(writtens, 1);
	ck_assert_uint_eq(gw_stream_unsent(stream), 0);
}
END_TEST

START_TEST(reads_what_is_there)
{
	char got[16] = "";

	ck_assert_int_eq(send(peer, "some", 4, 0), 4);
	run_loop(1);
	ck_assert_int_eq(send(peer, "more", 4, 0), 4);
	run_loop(1);
	ck_assert_uint_eq(reads, 2);
	ck_assert_int_eq(evbuffer_remove(gw_stream_input(stream), got, sizeof(got)), 8);
	ck_assert_str_eq(got, "somemore");
	close(peer);
	peer = -1;
	run_loop(1);
	ck_assert_uint_eq(endeds, 1);
}
END_TEST

/* Neither bytes nor the end are told of, nor does the loop turn for them. */
START_TEST(paused)
{
	gw_stream_pause(stream);
	ck_assert_int_eq(send(peer, "some", 4, 0), 4);
	shutdown(peer, SHUT_WR);
	run_loop(TURNS);
	ck_assert_uint_eq(reads + endeds, 0);
	ck_assert_uint_eq(evbuffer_get_length(gw_stream_input(stream)), 0);
	/* 1: there is nothing to wait for any more. */
	ck_assert_int_eq(event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK), 1);
	/* Who has only stopped sending still gets his answer. */
	ck_assert(send_two("an", "swer"));
	gw_stream_resume(stream);
	run_loop(1);
	ck_assert_uint_eq(reads, 1);
	ck_assert_uint_eq(evbuffer_get_length(gw_stream_input(stream)), 4);
	run_loop(1);
	ck_assert_uint_eq(endeds, 1);
}
END_TEST

START_TEST(broken_is_told_by_the_loop)
{
	gw_stream_pause(stream);
	close(peer);
	peer = -1;
	ck_assert(!send_two("to", "nobody"));
	ck_assert(!send_two("to", "nobody"));
	ck_assert_uint_eq(endeds, 0);
	run_loop(TURNS);
	ck_assert_uint_eq(endeds, 1);
	ck_assert_uint_eq(writtens, 0);
}
END_TEST

/* What the other side had said is read before its end is told of. */
START_TEST(last_words)
{
	ck_assert_int_eq(send(peer, "some", 4, 0), 4);
	close(peer);
	peer = -1;
	ck_assert(!send_two("to", "nobody"));
	while (!endeds)
		run_loop(1);
	ck_assert_uint_eq(reads, 1);
	ck_assert_uint_eq(evbuffer_get_length(gw_stream_input(stream)), 4);
}
END_TEST

/* 0: by bytes, 1: by the end, 2: by an error of sending, 3: by what waited being out */
START_TEST(freed_in_a_callback)
{
	static uint8_t much[1 << 20];
	struct iovec part = { much, sizeof(much) };

	free_when_called = true;
	if (_i == 0)
		ck_assert_int_eq(send(peer, "some", 4, 0), 4);
	if (_i == 3)
		ck_assert(!gw_stream_send(stream, &part, 1));
	if (_i == 1 || _i == 2) {
		close(peer);
		peer = -1;
	}
	if (_i == 2)
		ck_assert(!send_two("to", "nobody"));
	for (unsigned i = 0; i < TURNS * 10; i++) {
		if (_i == 3)
			recv(peer, much, sizeof(much), 0);
		run_loop(1);
	}
	ck_assert_uint_eq(reads + writtens + endeds, 1);
	ck_assert_ptr_null(stream);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("stream");

	tcase_add_checked_fixture(tc, start_stream, end_stream);
	tcase_add_test(tc, sent_at_once);
	tcase_add_test(tc, what_does_not_fit_follows);
	tcase_add_test(tc, reads_what_is_there);
	tcase_add_test(tc, paused);
	tcase_add_test(tc, broken_is_told_by_the_loop);
	tcase_add_test(tc, last_words);
	tcase_add_loop_test(tc, freed_in_a_callback, 0, 4);
	return run_tcase("stream", tc);
}
