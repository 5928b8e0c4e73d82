// SPDX-License-Identifier: GPL-2.0
/*
 * tcp_stream: a TCP transfer that checks each byte
 *
 * serve PORT            accepts one connection (IPv4 or IPv6) and compares its bytes with
 *                       the known stream; prints "listening", then "N bytes intact"
 * send ADDR PORT N      sends N bytes of the stream; 0: until the connection breaks
 *
 * The exit code is 1 if a byte is wrong, a call fails, or no byte moves for 10 s.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define CHUNK 16384

static void check_call(int failed, const char *what)
{
	if (!failed)
		return;
	perror(what);
	exit(1);
}

/* The known stream of both sides: xorshift. */
static void fill_stream(unsigned char *buf, size_t n, uint32_t *state)
{
	for (size_t i = 0; i < n; i++) {
		*state ^= *state << 13;
		*state ^= *state >> 17;
		*state ^= *state << 5;
		buf[i] = *state;
	}
}

static void set_timeouts(int fd)
{
	struct timeval tv = { .tv_sec = 10 };

	check_call(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)), "timeout");
	check_call(setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv)), "timeout");
}

static int serve_stream(const char *port)
{
	struct sockaddr_in6 any = { .sin6_family = AF_INET6, .sin6_port = htons(atoi(port)) };
	unsigned char got[CHUNK], want[CHUNK];
	int fd = socket(AF_INET6, SOCK_STREAM, 0);
	uint32_t state = 1;
	uint64_t total = 0;
	int one = 1, conn;
	ssize_t n;

	check_call(fd < 0, "socket");
	set_timeouts(fd);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	check_call(bind(fd, (struct sockaddr *)&any, sizeof(any)), "bind");
	check_call(listen(fd, 1), "listen");
	printf("listening\n");
	fflush(stdout);
	conn = accept(fd, NULL, NULL);
	check_call(conn < 0, "accept");
	set_timeouts(conn);
	while ((n = read(conn, got, sizeof(got))) > 0) {
		fill_stream(want, n, &state);
		if (memcmp(got, want, n)) {
			printf("wrong after %llu bytes\n", (unsigned long long)total);
			return 1;
		}
		total += n;
	}
	check_call(n < 0, "read");
	printf("%llu bytes intact\n", (unsigned long long)total);
	return 0;
}

static int send_stream(const char *addr, const char *port, uint64_t left)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST };
	int endless = !left;
	unsigned char buf[CHUNK];
	struct addrinfo *ai;
	uint32_t state = 1;
	int fd;

	check_call(getaddrinfo(addr, port, &hints, &ai), "address");
	fd = socket(ai->ai_family, SOCK_STREAM, 0);
	check_call(fd < 0, "socket");
	set_timeouts(fd);
	check_call(connect(fd, ai->ai_addr, ai->ai_addrlen), "connect");
	freeaddrinfo(ai);
	while (endless || left) {
		size_t chunk = endless || left > CHUNK ? CHUNK : left;

		fill_stream(buf, chunk, &state);
		for (size_t done = 0; done < chunk;) {
			ssize_t n = write(fd, buf + done, chunk - done);

			check_call(n < 0, "write");
			done += n;
		}
		left -= endless ? 0 : chunk;
	}
	check_call(close(fd), "close");
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "serve"))
		return serve_stream(argv[2]);
	if (argc == 5 && !strcmp(argv[1], "send"))
		return send_stream(argv[2], argv[3], strtoull(argv[4], NULL, 0));
	fprintf(stderr, "tcp_stream: see the head of tcp_stream.c\n");
	return 2;
}
