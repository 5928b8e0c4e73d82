// SPDX-License-Identifier: GPL-2.0
/* The client to a service, beside libevent's server: each call ends once, with its own answer. */
#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/util.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../daemon/gateway/backend/backend_url.h"
#include "run.h"

#define CALLS  300
#define LONG_S 60 /* far more than what is waited for takes */

static struct event_base *base;
static struct gw_backend_url url;
static struct evhttp *service;
static unsigned ended, requests;

struct call {
	struct gw_call *handle;
	unsigned number;
	size_t len;
	int status; /* that it ended with */
	unsigned times;
	char why[64];
	unsigned asked; /* for room */
	bool refused; /* when asked */
	size_t streamed;
	size_t given, cancel_at; /* of a request in pieces */
	bool paused;
};
static struct call calls[CALLS];

static int bind_listener(struct sockaddr_in *sa)
{
	socklen_t len = sizeof(*sa);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

	*sa = (struct sockaddr_in){ .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	ck_assert(!bind(fd, (struct sockaddr *)sa, len));
	ck_assert(!getsockname(fd, (struct sockaddr *)sa, &len));
	return fd;
}

/* Return: the socket; listening or not, nobody accepts there. */
static int add_address(bool listening)
{
	struct sockaddr_in sa;
	int fd = bind_listener(&sa);

	if (listening)
		ck_assert(!listen(fd, 512));
	memcpy(&url.sa[url.n], &sa, sizeof(sa));
	url.sa_len[url.n] = sizeof(sa);
	snprintf(url.address[url.n], sizeof(url.address[0]), "address %u", url.n);
	url.n++;
	return fd;
}

static void echo_request(struct evhttp_request *r, void *ctx)
{
	struct evbuffer *out = evbuffer_new();

	requests++;
	evbuffer_add_buffer(out, evhttp_request_get_input_buffer(r));
	evhttp_add_header(evhttp_request_get_output_headers(r), "Content-Type",
			  evhttp_find_header(evhttp_request_get_input_headers(r), "SOAPAction"));
	/* Of every third the connection is not kept. */
	if (requests % 3 == 0)
		evhttp_add_header(evhttp_request_get_output_headers(r), "Connection", "close");
	evhttp_send_reply(r, requests % 2 ? 200 : 500, "any", out);
	evbuffer_free(out);
}

static void serve_requests(int fd)
{
	service = evhttp_new(base);
	evhttp_set_gencb(service, echo_request, NULL);
	ck_assert(!evhttp_accept_socket(service, fd));
}

static void start_server(void)
{
	signal(SIGPIPE, SIG_IGN);
	base = event_base_new();
	memset(&url, 0, sizeof(url));
	memset(calls, 0, sizeof(calls));
	strcpy(url.host, "service");
	strcpy(url.path, "/ws");
	service = NULL;
	ended = requests = 0;
}

static void end_server(void)
{
	if (service)
		evhttp_free(service);
	event_base_free(base);
}

/* Bytes that tell calls apart. */
static char byte_of(const struct call *c, size_t at)
{
	return (char)(c->number * 31 + at);
}

static void check_reply(void *ctx, const struct gw_reply *r)
{
	struct call *c = ctx;
	char type[32];
	size_t wrong = 0;

	c->times++;
	c->status = r->status;
	snprintf(c->why, sizeof(c->why), "%s", r->why ? r->why : "");
	ended++;
	if (r->why)
		return;
	snprintf(type, sizeof(type), "\"urn:%u\"", c->number);
	ck_assert_str_eq(r->content_type, type);
	ck_assert_str_eq(r->address, "address 1");
	ck_assert_uint_eq(r->len, c->len);
	for (size_t i = 0; i < r->len; i++)
		wrong += ((const char *)r->body)[i] != byte_of(c, i);
	ck_assert_uint_eq(wrong, 0);
}

static bool reserve_room(void *ctx, size_t have, size_t most)
{
	struct call *c = ctx;

	ck_assert_uint_gt(have, 0);
	ck_assert_uint_eq(most, c->len);
	c->asked++;
	return !c->refused;
}

static const struct gw_call_ops ops = { .done = check_reply, .reserve = reserve_room };

/* @host: last byte of the sender's address; 0: it acts for others */
static void start_call_of(struct gw_backend *b, unsigned number, size_t len, uint8_t host)
{
	static char body[1 << 20];
	const struct fmp_addr source = { .family = FMP_FAMILY_IPV4,
					 .prefix_len = 32,
					 .bytes = { 192, 0, 2, host } };
	char action[32];
	struct gw_request r = { .body = body,
				.len = len,
				.content_type = "text/xml",
				.soap_action = action,
				.source = host ? &source : NULL };

	calls[number] = (struct call){ .number = number, .len = len };
	for (size_t i = 0; i < len; i++)
		body[i] = byte_of(&calls[number], i);
	snprintf(action, sizeof(action), "urn:%u", number);
	calls[number].handle = gw_backend_send(b, &r, &ops, &calls[number]);
	ck_assert(calls[number].handle);
	ck_assert_uint_eq(calls[number].times, 0);
}

static void start_call(struct gw_backend *b, unsigned number, size_t len)
{
	start_call_of(b, number, len, 0);
}

static void give_up(evutil_socket_t fd, short what, void *arg)
{
	ck_abort_msg("%u calls have ended", ended);
}

static void wait_for(unsigned n)
{
	const struct timeval much = { .tv_sec = LONG_S };
	struct event *limit = event_new(base, -1, 0, give_up, NULL);

	event_add(limit, &much);
	while (ended < n)
		event_base_loop(base, EVLOOP_ONCE);
	event_free(limit);
	/* And none a second time. */
	event_base_loop(base, EVLOOP_NONBLOCK);
	ck_assert_uint_eq(ended, n);
}

/* Many at once, more than there are connections; nobody listens at the first address. */
START_TEST(each_its_own_answer)
{
	struct gw_backend *b;
	int closed = add_address(false);

	serve_requests(add_address(true));
	b = gw_backend_new(base, &url, 4, LONG_S * 1000);
	for (unsigned i = 0; i < CALLS; i++)
		start_call(b, i, i % 50 ? i * 7 : 900000);
	wait_for(CALLS);
	for (unsigned i = 0; i < CALLS; i++)
		ck_assert_msg(calls[i].times == 1 && !*calls[i].why, "%u: %s", i, calls[i].why);
	/* One after the other, on connections that are kept or not. */
	for (unsigned i = 0; i < 20; i++) {
		start_call(b, i, i);
		wait_for(CALLS + i + 1);
		ck_assert_msg(!*calls[i].why, "%u: %s", i, calls[i].why);
	}
	ck_assert_uint_eq(requests, CALLS + 20);
	gw_backend_free(b);
	close(closed);
}
END_TEST

START_TEST(nobody_there)
{
	struct gw_backend *b;
	int first = add_address(false), second = add_address(false);

	b = gw_backend_new(base, &url, 1, LONG_S * 1000);
	start_call(b, 0, 100);
	start_call(b, 1, 100);
	wait_for(2);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(calls[i].status, 503);
		ck_assert_str_eq(calls[i].why, "not reached");
	}
	gw_backend_free(b);
	close(first);
	close(second);
}
END_TEST

/* Those that are with the service, and those that wait for a connection to it: the latter may be repeated. */
START_TEST(no_answer_in_time)
{
	int fd = add_address(true), one;
	unsigned connections = 0, came = 0, unanswered = 0;
	struct gw_backend *b = gw_backend_new(base, &url, 1, 50);

	for (unsigned i = 0; i < GW_BACKEND_CONNS_MAX + 10; i++)
		start_call(b, i, 100);
	wait_for(GW_BACKEND_CONNS_MAX + 10);
	for (unsigned i = 0; i < GW_BACKEND_CONNS_MAX + 10; i++)
		if (calls[i].status == 504)
			unanswered++;
		else
			ck_assert_int_eq(calls[i].status, 503);
	/* Connections that were given up made room for others, once each. */
	while ((one = accept(fd, NULL, NULL)) >= 0) {
		char byte;

		connections++;
		came += recv(one, &byte, 1, MSG_DONTWAIT) == 1;
		close(one);
	}
	ck_assert_uint_eq(unanswered, came);
	ck_assert_uint_ge(connections, GW_BACKEND_CONNS_MAX);
	ck_assert_uint_le(connections, GW_BACKEND_CONNS_MAX + 10);
	gw_backend_free(b);
	close(fd);
}
END_TEST

static bool take_stream(void *ctx, const struct gw_reply *r)
{
	return true;
}

/* The reader stops after each piece. */
static void take_data(void *ctx, const void *bytes, size_t len)
{
	struct call *c = ctx;
	size_t wrong = 0;

	for (size_t i = 0; i < len; i++)
		wrong += ((const char *)bytes)[i] != byte_of(c, c->streamed + i);
	ck_assert_uint_eq(wrong, 0);
	c->streamed += len;
	gw_backend_pause(c->handle);
	c->paused = true;
}

static void end_stream(void *ctx, const struct gw_reply *r)
{
	struct call *c = ctx;

	ck_assert_msg(!r->why, "%s", r->why);
	ck_assert_uint_eq(r->len, 0);
	c->paused = false;
	ended++;
}

static const struct gw_call_ops stream_ops = { .done = end_stream,
					       .stream = take_stream,
					       .data = take_data };

/* Longer than what is held of an answer; and the connection is of use after each end of it. */
START_TEST(streamed)
{
	static char body[6u << 20];
	const struct gw_request r = {
		.body = body, .len = sizeof(body), .content_type = "text/xml", .soap_action = "x"
	};
	struct gw_backend *b;
	int closed = add_address(false);

	serve_requests(add_address(true));
	b = gw_backend_new(base, &url, 1, 2000);
	for (unsigned n = 0; n < 8; n++) {
		struct call *c = &calls[n];

		*c = (struct call){ .number = n };
		for (size_t i = 0; i < sizeof(body); i++)
			body[i] = byte_of(c, i);
		c->handle = gw_backend_send(b, &r, &stream_ops, c);
		while (ended == n) {
			event_base_loop(base, EVLOOP_ONCE);
			if (c->paused) {
				c->paused = false;
				gw_backend_resume(c->handle);
			}
		}
		ck_assert_uint_eq(c->streamed, sizeof(body));
	}
	calls[8] = (struct call){ .number = 7 };
	calls[8].handle = gw_backend_send(b, &r, &stream_ops, &calls[8]);
	while (!calls[8].paused)
		event_base_loop(base, EVLOOP_ONCE);
	gw_backend_cancel(calls[8].handle);
	start_call(b, 9, 1000);
	wait_for(9);
	ck_assert_msg(calls[9].times == 1 && !*calls[9].why, "%s", calls[9].why);
	gw_backend_free(b);
	close(closed);
}
END_TEST

static void run_for_ms(unsigned ms)
{
	const struct timeval t = { .tv_usec = (suseconds_t)ms * 1000 };

	event_base_loopexit(base, &t);
	event_base_dispatch(base);
}

static void end_paused(void *ctx, const struct gw_reply *r)
{
	struct call *c = ctx;

	c->status = r->status;
	snprintf(c->why, sizeof(c->why), "%s", r->why ? r->why : "");
	ended++;
}

static void count_data(void *ctx, const void *bytes, size_t len)
{
	struct call *c = ctx;

	c->streamed += len;
	gw_backend_pause(c->handle);
	c->paused = true;
}

static void wait_for_pause(struct call *c)
{
	while (!c->paused)
		event_base_loop(base, EVLOOP_ONCE);
	c->paused = false;
}

/* The time that the reader takes is not the service's: it has all of its own after each pause. */
START_TEST(paused_without_limit)
{
	static const struct gw_call_ops paused_ops = { .done = end_paused,
						       .stream = take_stream,
						       .data = count_data };
	static const char head[] =
		"HTTP/1.1 200 OK\r\nContent-Type: a\r\nContent-Length: 3\r\n\r\na";
	const struct gw_request r = {
		.body = "x", .len = 1, .content_type = "text/xml", .soap_action = "x"
	};
	int fd = add_address(true), one;
	struct gw_backend *b = gw_backend_new(base, &url, 1, 800);
	struct call *c = &calls[0];

	c->handle = gw_backend_send(b, &r, &paused_ops, c);
	run_for_ms(20);
	one = accept(fd, NULL, NULL);
	ck_assert_int_ge(one, 0);
	ck_assert_int_gt(send(one, head, sizeof(head) - 1, 0), 0);
	wait_for_pause(c);
	run_for_ms(500);
	gw_backend_resume(c->handle);
	run_for_ms(500);
	ck_assert_uint_eq(ended, 0);
	ck_assert_int_eq(send(one, "b", 1, 0), 1);
	wait_for_pause(c);
	run_for_ms(900);
	ck_assert_uint_eq(ended, 0);
	gw_backend_resume(c->handle);
	/* Now it is slow itself. */
	run_for_ms(980);
	ck_assert_uint_eq(ended, 1);
	ck_assert_int_eq(c->status, 504);
	ck_assert_str_eq(c->why, "no answer in time");
	ck_assert_uint_eq(c->streamed, 2);
	gw_backend_free(b);
	close(one);
	close(fd);
}
END_TEST

static unsigned accept_all(int fd)
{
	unsigned n = 0;

	while (accept(fd, NULL, NULL) >= 0)
		n++;
	return n;
}

/* A service that does not answer for long: a source leaves as many connections as it takes. */
START_TEST(share_of_a_source)
{
	int fd = add_address(true);
	struct gw_backend *b = gw_backend_new(base, &url, 1, LONG_S * 1000);
	unsigned n = 0;

	for (unsigned i = 0; i < GW_BACKEND_CONNS_MAX; i++)
		start_call_of(b, n++, 1, 1);
	run_for_ms(50);
	ck_assert_uint_eq(accept_all(fd), GW_BACKEND_CONNS_MAX / 2);
	/* Those that wait are not in the way of others. */
	for (unsigned i = 0; i < GW_BACKEND_CONNS_MAX; i++)
		start_call_of(b, n++, 1, 2);
	run_for_ms(50);
	ck_assert_uint_eq(accept_all(fd), GW_BACKEND_CONNS_MAX / 4);
	start_call_of(b, n++, 1, 3);
	run_for_ms(50);
	ck_assert_uint_eq(accept_all(fd), 1);
	/* Who acts for others is not limited. */
	for (unsigned i = 0; i < GW_BACKEND_CONNS_MAX; i++)
		start_call_of(b, n++, 1, 0);
	run_for_ms(50);
	ck_assert_uint_eq(accept_all(fd), GW_BACKEND_CONNS_MAX / 4 - 1);
	gw_backend_free(b);
	close(fd);
}
END_TEST

/* Those of a source that waited for its share are sent when its others are answered. */
START_TEST(share_moves_on)
{
	struct gw_backend *b;
	int closed = add_address(false);

	serve_requests(add_address(true));
	b = gw_backend_new(base, &url, 4, LONG_S * 1000);
	for (unsigned i = 0; i < CALLS; i++)
		start_call_of(b, i, i, (uint8_t)(1 + i % 2));
	while (ended < CALLS)
		event_base_loop(base, EVLOOP_ONCE);
	ck_assert_uint_eq(requests, CALLS);
	gw_backend_free(b);
	close(closed);
}
END_TEST

/* The loop goes on until it is asked for room for this one's answer. */
static void wait_for_request(const struct call *c)
{
	while (!c->asked && !c->times)
		event_base_loop(base, EVLOOP_ONCE);
	ck_assert_uint_eq(c->asked, 1);
	ck_assert_uint_eq(c->times, 0);
}

/* Nothing more of it is read before there is room; who has a short one is not asked, nor waits. */
START_TEST(waits_for_room)
{
	struct gw_backend *b;
	int closed = add_address(false);

	serve_requests(add_address(true));
	b = gw_backend_new(base, &url, 1, LONG_S * 1000);
	start_call(b, 0, 900000);
	calls[0].refused = true;
	wait_for_request(&calls[0]);
	for (unsigned i = 1; i <= 20; i++) {
		start_call(b, i, 10000);
		wait_for(i);
		ck_assert_uint_eq(calls[i].asked, 0);
	}
	ck_assert_uint_eq(calls[0].times, 0);
	gw_backend_resume(calls[0].handle);
	wait_for(21);
	ck_assert_msg(!*calls[0].why, "%s", calls[0].why);
	ck_assert_uint_eq(calls[0].asked, 1);
	/* On the same connection each is asked for anew. */
	start_call(b, 21, 800000);
	wait_for(22);
	ck_assert_uint_eq(calls[21].asked, 1);
	gw_backend_free(b);
	close(closed);
}
END_TEST

START_TEST(no_room_in_time)
{
	struct gw_backend *b;
	int closed = add_address(false);

	serve_requests(add_address(true));
	b = gw_backend_new(base, &url, 1, 2000);
	start_call(b, 0, 900000);
	calls[0].refused = true;
	wait_for(1);
	ck_assert_uint_eq(calls[0].asked, 1);
	ck_assert_int_eq(calls[0].status, 504);
	ck_assert_str_eq(calls[0].why, "no room for its answer in time");
	start_call(b, 1, 900000);
	wait_for(2);
	ck_assert_str_eq(calls[1].why, "");
	gw_backend_free(b);
	close(closed);
}
END_TEST

static int accept_conn(int fd)
{
	const struct timeval soon = { .tv_usec = 1000 };
	int one;

	while ((one = accept(fd, NULL, NULL)) < 0) {
		event_base_loopexit(base, &soon);
		event_base_dispatch(base);
	}
	return one;
}

/* The request is there with its body before it is answered. */
static void answer_on(int fd, unsigned number, size_t len)
{
	char text[4096];
	const char *end;
	size_t have = 0;
	int n;

	do {
		ssize_t got = recv(fd, text + have, sizeof(text) - 1 - have, 0);

		ck_assert_int_gt(got, 0);
		have += (size_t)got;
		text[have] = 0;
		end = strstr(text, "\r\n\r\n");
	} while (!end || have < (size_t)(end + 4 - text) + len);
	n = snprintf(text, sizeof(text),
		     "HTTP/1.1 200 OK\r\nContent-Type: \"urn:%u\"\r\nContent-Length: 0\r\n\r\n",
		     number);
	ck_assert_int_eq(send(fd, text, (size_t)n, 0), n);
	calls[number].len = 0;
}

#define PIECE 30000u

/* Give as much of the request as is taken. */
static void give_pieces(void *ctx)
{
	struct call *c = ctx;
	char piece[PIECE];

	ck_assert(gw_backend_is_ready(c->handle));
	while (c->given < c->len && gw_backend_unsent(c->handle) < PIECE) {
		size_t n = c->len - c->given < PIECE ? c->len - c->given : PIECE;

		for (size_t i = 0; i < n; i++)
			piece[i] = byte_of(c, c->given + i);
		gw_backend_feed(c->handle, piece, n);
		c->given += n;
		if (c->given == c->len)
			gw_backend_fed(c->handle);
		if (c->given > c->cancel_at && c->cancel_at) {
			gw_backend_cancel(c->handle);
			ended++;
			return;
		}
	}
}

static const struct gw_call_ops pieces_ops = { .done = check_reply, .drained = give_pieces };

/* The first 1000 bytes, then pieces. */
static void start_pieces(struct gw_backend *b, unsigned number, size_t len, bool chunked,
			 size_t cancel_at)
{
	struct call *c = &calls[number];
	char body[1000], action[32];
	const struct gw_request r = { .body = body,
				      .len = sizeof(body),
				      .pieces = true,
				      .rest = chunked ? GW_BACKEND_CHUNKED : len - sizeof(body),
				      .content_type = "text/xml",
				      .soap_action = action };

	*c = (struct call){ .number = number, .len = len, .given = 1000, .cancel_at = cancel_at };
	snprintf(action, sizeof(action), "urn:%u", number);
	for (size_t i = 0; i < sizeof(body); i++)
		body[i] = byte_of(c, i);
	c->handle = gw_backend_send(b, &r, &pieces_ops, c);
	ck_assert(c->handle);
	if (gw_backend_is_ready(c->handle))
		give_pieces(c);
}

/* By length and in chunks, on new and on kept connections, more than there are at once. */
START_TEST(in_pieces)
{
	struct gw_backend *b;
	int closed = add_address(false);

	serve_requests(add_address(true));
	b = gw_backend_new(base, &url, 4, LONG_S * 1000);
	for (unsigned i = 0; i < CALLS; i++)
		start_pieces(b, i, i % 50 ? 2000 + i * 7 : 900000, i % 2, 0);
	wait_for(CALLS);
	for (unsigned i = 0; i < CALLS; i++)
		ck_assert_msg(calls[i].times == 1 && !*calls[i].why, "%u: %s", i, calls[i].why);
	for (unsigned i = 0; i < 20; i++) {
		start_pieces(b, i, 1500000, i % 2, 0);
		wait_for(CALLS + i + 1);
		ck_assert_msg(!*calls[i].why, "%u: %s", i, calls[i].why);
	}
	/* Given up in the midst: the service has no whole request, and the next one comes through. */
	for (unsigned i = 0; i < 4; i++)
		start_pieces(b, i, 1500000, i % 2, 1 + i * 100000);
	wait_for(CALLS + 24);
	start_pieces(b, 4, 1500000, true, 0);
	wait_for(CALLS + 25);
	ck_assert_str_eq(calls[4].why, "");
	ck_assert_uint_eq(requests, CALLS + 21);
	gw_backend_free(b);
	close(closed);
}
END_TEST

/* Nobody reads, nobody listens, or the answer comes before the request has ended. */
START_TEST(pieces_not_taken)
{
	int closed = add_address(false), fd = add_address(true), one;
	struct gw_backend *b = gw_backend_new(base, &url, 1, 500);

	start_pieces(b, 0, 90000000, false, 0);
	wait_for(1);
	ck_assert_int_eq(calls[0].status, 504);
	ck_assert_str_eq(calls[0].why, "it did not read the request in time");
	ck_assert_uint_lt(calls[0].given, 90000000);
	close(accept_conn(fd));
	start_pieces(b, 1, 90000000, true, 0);
	one = accept_conn(fd);
	event_base_loop(base, EVLOOP_NONBLOCK);
	answer_on(one, 1, 0);
	wait_for(2);
	ck_assert_str_eq(calls[1].why, "");
	ck_assert_int_eq(calls[1].status, 200);
	/* Its connection is not used for another. */
	start_call(b, 2, 10);
	close(one);
	one = accept_conn(fd);
	event_base_loop(base, EVLOOP_NONBLOCK);
	answer_on(one, 2, 10);
	wait_for(3);
	ck_assert_str_eq(calls[2].why, "");
	close(one);
	gw_backend_free(b);
	close(closed);
	close(fd);
}
END_TEST

START_TEST(pieces_for_nobody)
{
	struct gw_backend *b;
	int first = add_address(false), second = add_address(false);

	b = gw_backend_new(base, &url, 1, LONG_S * 1000);
	start_pieces(b, 0, 5000, false, 0);
	wait_for(1);
	ck_assert_int_eq(calls[0].status, 503);
	ck_assert_uint_eq(calls[0].given, 1000);
	gw_backend_free(b);
	close(first);
	close(second);
}
END_TEST

/* Closed by the service, and the loop has not seen it yet: the message goes on a new one at once. */
START_TEST(kept_and_closed)
{
	int closed = add_address(false), fd = add_address(true), first, second;
	struct gw_backend *b = gw_backend_new(base, &url, 1, LONG_S * 1000);

	start_call(b, 0, 100);
	first = accept_conn(fd);
	event_base_loop(base, EVLOOP_NONBLOCK);
	answer_on(first, 0, 100);
	wait_for(1);
	ck_assert_str_eq(calls[0].why, "");
	close(first);
	start_call(b, 1, 100);
	second = accept_conn(fd);
	event_base_loop(base, EVLOOP_NONBLOCK);
	answer_on(second, 1, 100);
	wait_for(2);
	ck_assert_str_eq(calls[1].why, "");
	gw_backend_free(b);
	close(second);
	close(closed);
	close(fd);
}
END_TEST

/* NTLM logs in for the whole connection: the next message, of somebody else, goes on a new one. */
START_TEST(not_kept_with_a_login)
{
	int closed = add_address(false), fd = add_address(true), first, second;
	struct gw_backend *b = gw_backend_new(base, &url, 1, LONG_S * 1000);
	struct fmp_field_list fields = { 0 };
	const struct gw_request r = {
		.body = "", .content_type = "text/xml", .soap_action = "urn:0", .fields = &fields
	};

	ck_assert(fmp_field_list_add(&fields, "Authorization", "NTLM TlRMTVNTUAAD"));
	calls[0].handle = gw_backend_send(b, &r, &ops, &calls[0]);
	ck_assert(calls[0].handle);
	first = accept_conn(fd);
	event_base_loop(base, EVLOOP_NONBLOCK);
	answer_on(first, 0, 0);
	wait_for(1);
	ck_assert_str_eq(calls[0].why, "");
	start_call(b, 1, 100);
	second = accept_conn(fd);
	event_base_loop(base, EVLOOP_NONBLOCK);
	answer_on(second, 1, 100);
	wait_for(2);
	ck_assert_str_eq(calls[1].why, "");
	gw_backend_free(b);
	fmp_field_list_exit(&fields);
	close(first);
	close(second);
	close(closed);
	close(fd);
}
END_TEST

/* With the service, waiting, not yet begun: nothing is called, and nothing remains. */
START_TEST(freed_with_calls)
{
	int kept[CALLS];
	int fd = add_address(true), one;
	unsigned connections = 0;
	struct gw_backend *b = gw_backend_new(base, &url, 1, LONG_S * 1000);

	for (unsigned i = 0; i < GW_BACKEND_CONNS_MAX + 10; i++)
		start_call(b, i, 100);
	event_base_loop(base, EVLOOP_NONBLOCK);
	event_base_loop(base, EVLOOP_NONBLOCK);
	while ((one = accept(fd, NULL, NULL)) >= 0 && connections < CALLS)
		kept[connections++] = one;
	ck_assert_uint_eq(connections, GW_BACKEND_CONNS_MAX);
	start_call(b, CALLS - 1, 100);
	gw_backend_free(b);
	event_base_loop(base, EVLOOP_NONBLOCK);
	ck_assert_uint_eq(ended, 0);
	while (connections)
		close(kept[--connections]);
	close(fd);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("backend");

	tcase_add_checked_fixture(tc, start_server, end_server);
	tcase_set_timeout(tc, LONG_S * 2);
	tcase_add_test(tc, each_its_own_answer);
	tcase_add_test(tc, nobody_there);
	tcase_add_test(tc, no_answer_in_time);
	tcase_add_test(tc, share_of_a_source);
	tcase_add_test(tc, share_moves_on);
	tcase_add_test(tc, streamed);
	tcase_add_test(tc, paused_without_limit);
	tcase_add_test(tc, waits_for_room);
	tcase_add_test(tc, no_room_in_time);
	tcase_add_test(tc, in_pieces);
	tcase_add_test(tc, pieces_not_taken);
	tcase_add_test(tc, pieces_for_nobody);
	tcase_add_test(tc, kept_and_closed);
	tcase_add_test(tc, not_kept_with_a_login);
	tcase_add_test(tc, freed_with_calls);
	return run_tcase("backend", tc);
}
