// SPDX-License-Identifier: GPL-2.0
/* The gateway as fmpd sees it: started with two descriptors, told things, heard. */
#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fmp/event.h>

#define WAIT_MS 20000

static pid_t gateway;
static int events, port;
static uint8_t buffer[2 * FMP_WIRE_MAX];
static size_t filled, taken;

static int listen_anywhere(void)
{
	struct sockaddr_in sa = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(sa);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	ck_assert(!bind(fd, (struct sockaddr *)&sa, len) && !listen(fd, 16));
	getsockname(fd, (struct sockaddr *)&sa, &len);
	port = ntohs(sa.sin_port);
	return fd;
}

/* @policy: NULL: without one */
static void exec_gateway(int listen_fd, int event_fd, const char *policy)
{
	char path[PATH_MAX] = "", program[PATH_MAX + 32], l[16], e[16];

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		_exit(127);
	snprintf(program, sizeof(program), "%s/../bin/fmp-gateway", dirname(path));
	snprintf(l, sizeof(l), "%d", listen_fd);
	snprintf(e, sizeof(e), "%d", event_fd);
	execl(program, program, "--listen-fd", l, "--event-fd", e, "--backend",
	      "http://127.0.0.1:9/none", policy ? "--policy" : NULL, policy, NULL);
	_exit(127);
}

static void start_with(const char *policy)
{
	int pair[2], listen_fd = listen_anywhere();

	ck_assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	fcntl(pair[0], F_SETFD, FD_CLOEXEC);
	gateway = fork();
	if (!gateway)
		exec_gateway(listen_fd, pair[1], policy);
	close(listen_fd);
	close(pair[1]);
	events = pair[0];
	filled = taken = 0;
}

static void start_gateway(void)
{
	start_with(NULL);
}

static void end_gateway(void)
{
	close(events);
	if (gateway > 0) {
		kill(gateway, SIGKILL);
		waitpid(gateway, NULL, 0);
	}
}

/* The next message; fails the test when none comes in time. */
static struct fmp_wire_in receive_event(void)
{
	struct fmp_wire_in in;
	size_t used;
	int rc;

	memmove(buffer, buffer + taken, filled -= taken);
	while ((rc = fmp_wire_parse(buffer, filled, FMP_WIRE_MAX, &in, &used)) == FMP_ERR_AGAIN) {
		struct pollfd p = { .fd = events, .events = POLLIN };
		ssize_t n;

		ck_assert_int_eq(poll(&p, 1, WAIT_MS), 1);
		n = recv(events, buffer + filled, sizeof(buffer) - filled, 0);
		ck_assert_int_gt(n, 0);
		filled += (size_t)n;
	}
	ck_assert_int_eq(rc, 0);
	taken = used;
	return in;
}

static struct fmp_wire_in receive_message(uint16_t type)
{
	struct fmp_wire_in in;

	do
		in = receive_event();
	while (in.type != type);
	return in;
}

static uint64_t get_number(struct fmp_wire_in *in, uint16_t id)
{
	struct fmp_wire_in copy = *in;
	struct fmp_wire_field f;
	uint64_t v = UINT64_MAX;

	while (fmp_wire_next(&copy, &f) == 1)
		if (f.id == id)
			ck_assert_int_eq(fmp_wire_get_u64(&f, &v), 0);
	return v;
}

/* @alone: the port that is blocked; 0: all, or nobody asks */
static void send_address(uint16_t type, const char *address, uint64_t alone)
{
	uint8_t buf[64];
	struct fmp_wire_out w;
	struct fmp_addr a;

	fmp_wire_begin(&w, buf, sizeof(buf), type);
	if (address) {
		ck_assert_int_eq(fmp_addr_parse(address, &a, NULL), 0);
		fmp_wire_put_addr(&w, 1, &a);
	}
	if (alone)
		fmp_wire_put_u64(&w, 3, alone);
	ck_assert_int_eq(fmp_wire_end(&w), 0);
	ck_assert_int_eq(send(events, buf, w.len, MSG_NOSIGNAL), (ssize_t)w.len);
}

static void send_order(uint16_t type, const char *address)
{
	send_address(type, address, 0);
}

static int exit_status(void)
{
	struct timespec pause = { .tv_nsec = 10000000 };
	int status = -1;

	for (int i = 0; i < WAIT_MS / 10; i++) {
		if (waitpid(gateway, &status, WNOHANG) == gateway) {
			gateway = 0;
			return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
		}
		nanosleep(&pause, NULL);
	}
	ck_abort_msg("the gateway does not end");
}

static int connect_client(uint16_t *own)
{
	struct sockaddr_in sa = { .sin_family = AF_INET,
				  .sin_port = htons((uint16_t)port),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(sa);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	ck_assert(!connect(fd, (struct sockaddr *)&sa, len));
	if (own && !getsockname(fd, (struct sockaddr *)&sa, &len))
		*own = ntohs(sa.sin_port);
	return fd;
}

/* @field: of its own, with the end of its line */
static void post_with(int fd, const char *field, const char *body)
{
	char request[1024];
	int n = snprintf(request, sizeof(request),
			 "POST / HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\n"
			 "%sContent-Length: %zu\r\n\r\n%s",
			 field, strlen(body), body);

	ck_assert_int_eq(send(fd, request, (size_t)n, MSG_NOSIGNAL), n);
}

static void post_message(int fd, const char *body)
{
	post_with(fd, "", body);
}

/* Waits for bytes or the end. Return: what recv() says, -errno when it fails. */
static ssize_t read_reply(int fd, char *buf, size_t size)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t n;

	ck_assert_int_eq(poll(&p, 1, WAIT_MS), 1);
	n = recv(fd, buf, size - 1, 0);
	if (n < 0)
		return -errno;
	buf[n] = 0;
	return n;
}

static uint64_t get_boottime(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#define ENVELOPE                                                                     \
	"<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body>" \
	"<x xmlns=\"urn:x\"/></e:Body></e:Envelope>"

START_TEST(says_ready)
{
	struct fmp_wire_in in = receive_event();

	ck_assert_uint_eq(in.type, FMP_MSG_GW_READY);
	ck_assert_uint_eq(get_number(&in, 1), (uint64_t)gateway);
	ck_assert_uint_ge(get_number(&in, 2), 1);
}
END_TEST

START_TEST(reports_each_message)
{
	uint64_t before = get_boottime();
	struct fmp_event ev;
	struct fmp_wire_in in;
	uint16_t own = 0;
	char text[4096];
	int fd = connect_client(&own);

	post_message(fd, "<a></b>");
	in = receive_message(FMP_MSG_EVENT);
	ck_assert_int_eq(fmp_event_decode(&in, &ev), 0);
	ck_assert_int_eq(ev.kind, FMP_EVENT_WELLFORMED);
	ck_assert(ev.proven);
	ck_assert_str_eq(fmp_addr_format(&ev.source, text, sizeof(text)), "127.0.0.1");
	ck_assert_uint_eq(ev.source_port, own);
	ck_assert_uint_eq(ev.dest_port, (unsigned)port);
	ck_assert(ev.time_ns >= before && ev.time_ns <= get_boottime());
	ck_assert_uint_gt(ev.cpu_ns, 0);
	ck_assert_uint_gt(ev.bytes, 7);
	ck_assert_str_ne(ev.detail, "");
	ck_assert_int_gt(read_reply(fd, text, sizeof(text)), 0);
	ck_assert_ptr_nonnull(strstr(text, "SOAP-ENV:Client"));

	/* The same connection: XML that is wrong leaves it open. The service is not there. */
	post_message(fd, ENVELOPE);
	in = receive_message(FMP_MSG_EVENT);
	ck_assert_int_eq(fmp_event_decode(&in, &ev), 0);
	ck_assert_int_eq(ev.kind, FMP_EVENT_GOOD);
	ck_assert_int_gt(read_reply(fd, text, sizeof(text)), 0);
	ck_assert_ptr_nonnull(strstr(text, " 503 "));

	in = receive_message(FMP_MSG_GW_STATS);
	ck_assert_uint_eq(get_number(&in, 1), 1);
	ck_assert_uint_eq(get_number(&in, 2), 1);
	ck_assert_uint_eq(get_number(&in, 3), 1);
	ck_assert_uint_eq(get_number(&in, 4), 0);
	close(fd);
}
END_TEST

/* The worker's time is in it: 15000 elements are not parsed in less than half a millisecond. */
START_TEST(tells_the_cost)
{
	static char body[65536] = "<a>";
	struct fmp_event ev;
	struct fmp_wire_in in;
	char head[128];
	int fd = connect_client(NULL), n;

	for (int i = 0; i < 15000; i++)
		strcpy(body + 3 + 4 * i, "<b/>");
	/* Which only the parser finds, when it has read all. */
	strcat(body, "<x:y/></a>");
	n = snprintf(head, sizeof(head),
		     "POST / HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\n"
		     "Content-Length: %zu\r\n\r\n",
		     strlen(body));
	ck_assert_int_eq(send(fd, head, (size_t)n, 0), n);
	ck_assert_int_eq(send(fd, body, strlen(body), 0), (ssize_t)strlen(body));
	in = receive_message(FMP_MSG_EVENT);
	ck_assert_int_eq(fmp_event_decode(&in, &ev), 0);
	ck_assert_int_eq(ev.kind, FMP_EVENT_WELLFORMED);
	ck_assert_uint_gt(ev.cpu_ns, 500000);
	close(fd);
}
END_TEST

static void cut_by(const char *address)
{
	char text[4096];
	int fd = connect_client(NULL);

	post_message(fd, "<a></b>");
	receive_message(FMP_MSG_EVENT);
	ck_assert_int_gt(read_reply(fd, text, sizeof(text)), 0);
	send_order(FMP_MSG_GW_CUT, address);
	ck_assert_int_eq(read_reply(fd, text, sizeof(text)), -ECONNRESET);
	close(fd);
}

START_TEST(cuts)
{
	receive_message(FMP_MSG_GW_READY);
	cut_by("127.0.0.1");
	cut_by("127.0.0.0/8");
}
END_TEST

START_TEST(cuts_nobody_else)
{
	char text[4096];
	int fd = connect_client(NULL);

	receive_message(FMP_MSG_GW_READY);
	send_order(FMP_MSG_GW_CUT, "127.0.0.2");
	send_order(FMP_MSG_GW_CUT, "2001:db8::/32");
	post_message(fd, "<a></b>");
	receive_message(FMP_MSG_EVENT);
	ck_assert_int_gt(read_reply(fd, text, sizeof(text)), 0);
	close(fd);
}
END_TEST

static void start_behind_proxy(void)
{
	static const char text[] =
		"<policy xmlns=\"urn:fmp:policy:1\" name=\"test\">"
		"<gateway security=\"Bc\" workers=\"1\" user=\"nobody\"><proxies>"
		"<proxy address=\"127.0.0.1\" tells=\"x-forwarded-for\"/></proxies></gateway></policy>";
	char file[] = "/tmp/test_gateway.XXXXXX";
	int fd = mkstemp(file);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, sizeof(text) - 1), (ssize_t)sizeof(text) - 1);
	close(fd);
	start_with(file);
	receive_message(FMP_MSG_GW_READY);
	unlink(file);
}

/* A proxy forwards a message of this client's. */
static bool is_blocked(const char *client)
{
	char field[64], text[4096];
	int fd = connect_client(NULL);

	snprintf(field, sizeof(field), "X-Forwarded-For: %s\r\n", client);
	post_with(fd, field, "<a></b>");
	ck_assert_int_gt(read_reply(fd, text, sizeof(text)), 0);
	close(fd);
	if (strncmp(text, "HTTP/1.1 403 ", 13) == 0)
		return true;
	ck_assert_msg(strncmp(text, "HTTP/1.1 500 ", 13) == 0, "%s", text);
	return false;
}

/* What it was told before this one it knows, too. */
static void knows_all_until(const char *client)
{
	struct timespec pause = { .tv_nsec = 10000000 };

	send_order(FMP_MSG_GW_CUT, client);
	for (int i = 0; i < WAIT_MS / 10 && !is_blocked(client); i++)
		nanosleep(&pause, NULL);
	ck_assert(is_blocked(client));
}

START_TEST(block_of_another_port_bars_nobody)
{
	uint64_t other = (uint64_t)port ^ 1;

	send_order(FMP_MSG_GW_TOLD, NULL);
	send_address(FMP_MSG_GW_CUT, "192.0.2.1", other);
	send_address(FMP_MSG_GW_CUT, "192.0.2.2", (uint64_t)port);
	knows_all_until("192.0.2.3");
	ck_assert(!is_blocked("192.0.2.1"));
	ck_assert(is_blocked("192.0.2.2"));
	/* One that is in force is narrowed. */
	send_address(FMP_MSG_GW_CUT, "192.0.2.2", other);
	send_address(FMP_MSG_GW_CUT, "192.0.2.3", other);
	knows_all_until("192.0.2.4");
	ck_assert(!is_blocked("192.0.2.2"));
	ck_assert(!is_blocked("192.0.2.3"));
}
END_TEST

/* Good ones may wait, for each other or for a bad one; none is lost, and their order stays. */
START_TEST(good_ones_in_order)
{
	static const enum fmp_event_kind kinds[] = { FMP_EVENT_GOOD, FMP_EVENT_GOOD,
						     FMP_EVENT_WELLFORMED, FMP_EVENT_GOOD };
	const unsigned n = sizeof(kinds) / sizeof(*kinds);
	struct fmp_event ev;
	struct fmp_wire_in in;
	char text[4096];
	int fd = connect_client(NULL);

	for (unsigned i = 0; i < n; i++) {
		post_message(fd, kinds[i] == FMP_EVENT_GOOD ? ENVELOPE : "<a></b>");
		ck_assert_int_gt(read_reply(fd, text, sizeof(text)), 0);
	}
	/* The last one has no other behind it but the end. */
	send_order(FMP_MSG_GW_STOP, NULL);
	for (unsigned i = 0; i < n; i++) {
		in = receive_message(FMP_MSG_EVENT);
		ck_assert_int_eq(fmp_event_decode(&in, &ev), 0);
		ck_assert_int_eq(ev.kind, kinds[i]);
	}
	close(fd);
	ck_assert_int_eq(exit_status(), 0);
}
END_TEST

START_TEST(stops)
{
	receive_message(FMP_MSG_GW_READY);
	send_order(FMP_MSG_GW_STOP, NULL);
	ck_assert_int_eq(exit_status(), 0);
}
END_TEST

START_TEST(ends_with_fmpd)
{
	receive_message(FMP_MSG_GW_READY);
	shutdown(events, SHUT_RDWR);
	ck_assert_int_eq(exit_status(), 0);
}
END_TEST

START_TEST(ends_on_nonsense)
{
	receive_message(FMP_MSG_GW_READY);
	ck_assert_int_eq(send(events, "\377\377\377\377nonsense", 12, MSG_NOSIGNAL), 12);
	ck_assert_int_eq(exit_status(), 0);
}
END_TEST

/* fmpd does not listen: what does not fit the queue is lost, counted, and nothing stops. */
START_TEST(events_lost_are_counted)
{
	const unsigned n = 8000;
	uint64_t heard = 0, counted, lost;
	struct fmp_wire_in in;
	const time_t start = time(NULL);
	char text[4096];
	int fd = connect_client(NULL);

	for (unsigned i = 0; i < n; i++) {
		/* A connection has so many requests and no more. */
		if (i && i % 500 == 0) {
			close(fd);
			fd = connect_client(NULL);
		}
		post_message(fd, "<a></b>");
		ck_assert_int_gt(read_reply(fd, text, sizeof(text)), 0);
	}
	do {
		in = receive_event();
		if (in.type == FMP_MSG_EVENT && ++heard == 1) {
			/* There is room again: the next event brings the totals. */
			post_message(fd, "<a></b>");
			ck_assert_int_gt(read_reply(fd, text, sizeof(text)), 0);
		}
		counted = in.type == FMP_MSG_GW_STATS ? get_number(&in, 2) : 0;
		lost = in.type == FMP_MSG_GW_STATS ? get_number(&in, 4) : 0;
	} while (counted != n + 1);
	ck_assert_uint_gt(lost, 0);
	ck_assert_uint_gt(heard, 1000);
	/* The totals themselves, one a second, may have been among the lost. */
	ck_assert_uint_ge(heard + lost, n + 1);
	ck_assert_uint_le(heard + lost, n + 10 + (uint64_t)(time(NULL) - start));
	close(fd);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gateway");
	TCase *tc = tcase_create("as fmpd sees it"), *behind = tcase_create("behind a proxy");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, start_gateway, end_gateway);
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, says_ready);
	tcase_add_test(tc, reports_each_message);
	tcase_add_test(tc, tells_the_cost);
	tcase_add_test(tc, cuts);
	tcase_add_test(tc, cuts_nobody_else);
	tcase_add_test(tc, events_lost_are_counted);
	tcase_add_test(tc, good_ones_in_order);
	tcase_add_test(tc, stops);
	tcase_add_test(tc, ends_with_fmpd);
	tcase_add_test(tc, ends_on_nonsense);
	tcase_add_checked_fixture(behind, start_behind_proxy, end_gateway);
	tcase_set_timeout(behind, 120);
	tcase_add_test(behind, block_of_another_port_bars_nobody);
	suite_add_tcase(suite, tc);
	suite_add_tcase(suite, behind);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
