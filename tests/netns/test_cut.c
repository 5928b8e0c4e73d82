// SPDX-License-Identifier: GPL-2.0
/* Open connections of a source end, the others do not. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness.h"
#include "suites.h"

#define PORT 9100u

struct filter {
	struct fmp_addr peer;
	uint16_t port;
};

static bool is_wanted(const struct fmp_addr *peer, uint16_t local_port, void *ctx)
{
	const struct filter *w = ctx;

	return fmp_addr_equal(peer, &w->peer) && (!w->port || w->port == local_port);
}

/* A connection from an address of this machine to the port. Return: its accepted end. */
static int open_connection(int family, const char *from, uint16_t port)
{
	struct sockaddr_in6 any = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
	struct sockaddr_in v4 = { .sin_family = AF_INET };
	struct sockaddr *sa = family == AF_INET ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
	socklen_t len = family == AF_INET ? sizeof(v4) : sizeof(v6);
	int server = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1, accepted;
	int client = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(server >= 0 && client >= 0);
	setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	CHECK_EQ(bind(server, (struct sockaddr *)&any, sizeof(any)), 0);
	CHECK_EQ(listen(server, 1), 0);
	CHECK_EQ(inet_pton(family, from,
			   family == AF_INET ? (void *)&v4.sin_addr : (void *)&v6.sin6_addr),
		 1);
	CHECK_EQ(bind(client, sa, len), 0);
	v4.sin_port = v6.sin6_port = htons(port);
	if (family == AF_INET)
		CHECK_EQ(inet_pton(AF_INET, "127.0.0.1", &v4.sin_addr), 1);
	CHECK_EQ(connect(client, sa, len), 0);
	accepted = accept(server, NULL, NULL);
	CHECK(accepted >= 0);
	close(server);
	return accepted;
}

static bool is_alive(int fd)
{
	char byte;

	return recv(fd, &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

static void connections_of_a_source_are_cut(unsigned layer)
{
	struct filter w = { .peer = addr("127.0.0.2") };
	struct fmp_error err = { 0 };
	size_t cut;
	int fd[4], rc;

	/* The accepted end of an IPv4 connection is an IPv6 socket with a mapped peer. */
	fd[0] = open_connection(AF_INET, "127.0.0.2", PORT);
	fd[1] = open_connection(AF_INET, "127.0.0.2", PORT + 1);
	fd[2] = open_connection(AF_INET, "127.0.0.3", PORT + 2);
	fd[3] = open_connection(AF_INET6, "::1", PORT + 3);
	w.port = PORT;
	rc = fmp_kill_connections(is_wanted, &w, &cut, &err);
	if (rc)
		fail_at(__FILE__, __LINE__, "%s", err.message);
	CHECK_EQ(cut, 1);
	CHECK(!is_alive(fd[0]) && errno == ECONNABORTED);
	CHECK(is_alive(fd[1]) && is_alive(fd[2]) && is_alive(fd[3]));
	w.port = 0;
	CHECK_EQ(fmp_kill_connections(is_wanted, &w, &cut, &err), 0);
	CHECK_EQ(cut, 1);
	CHECK(!is_alive(fd[1]) && is_alive(fd[2]) && is_alive(fd[3]));
	/* Both ends of it are here, and both have this peer. */
	w.peer = addr("::1");
	CHECK_EQ(fmp_kill_connections(is_wanted, &w, &cut, &err), 0);
	CHECK(cut >= 1 && !is_alive(fd[3]) && is_alive(fd[2]));
	CHECK_EQ(fmp_kill_connections(is_wanted, &w, &cut, &err), 0);
	CHECK_EQ(cut, 0);
}

const struct test cut_tests[] = {
	{ "connections_of_a_source_are_cut", connections_of_a_source_are_cut, FMP_LAYERS },
};
const size_t n_cut_tests = sizeof(cut_tests) / sizeof(cut_tests[0]);
