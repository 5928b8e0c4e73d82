// SPDX-License-Identifier: GPL-2.0
/*
 * Requests at a given rate, and a service that answers each of them.
 *
 * paced serve ADDR:PORT
 * paced load ADDR:PORT CONNECTIONS REQUESTS RATE FILE
 *
 * serve reads each request's body and answers with a short SOAP message. load sends FILE, a whole
 * request with its header, REQUESTS times over kept-alive connections: RATE a second, each at its
 * time whether or not an earlier one was answered; 0: as soon as a connection is free. It prints
 * requests a second and, in microseconds since a request was due, the median and 99 of 100. One in
 * ten, the first ones, is not counted in these. Exit status: 1 an answer was not 200, or failed.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS_MAX 256u
#define HEADER_MAX	8192u
#define NS		1000000000ull

/* struct peer - one end of a connection; a message's header is kept, its body is only counted */
struct peer {
	uint64_t due; /* of the request that is under way; 0: none */
	size_t sent; /* bytes of it */
	size_t n_header, left;
	bool in_body;
	char header[HEADER_MAX + 1];
};

static struct pollfd polled[CONNECTIONS_MAX + 1];
static struct peer peers[CONNECTIONS_MAX + 1];
static char piece[1 << 20];

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec;
}

static struct sockaddr_in read_address(const char *text)
{
	struct sockaddr_in sa = { .sin_family = AF_INET };
	const char *colon = strchr(text, ':');
	char addr[INET_ADDRSTRLEN] = "";

	if (colon && (size_t)(colon - text) < sizeof(addr))
		memcpy(addr, text, (size_t)(colon - text));
	if (!colon || inet_pton(AF_INET, addr, &sa.sin_addr) != 1)
		error(2, 0, "'%s' is no ADDR:PORT", text);
	sa.sin_port = htons((uint16_t)atoi(colon + 1));
	return sa;
}

static void prepare_socket(int fd)
{
	int one = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	fcntl(fd, F_SETFL, O_NONBLOCK);
}

static void begin_body(struct peer *p, size_t header)
{
	const char *length = strcasestr(p->header, "\r\ncontent-length:");

	if (!length)
		error(1, 0, "a message without Content-Length:\n%s", p->header);
	p->left = strtoul(length + strlen("\r\ncontent-length:"), NULL, 10);
	if (p->left < p->n_header - header)
		error(1, 0, "more bytes than announced");
	p->left -= p->n_header - header;
	p->in_body = true;
}

/* Return: true: a message is complete; false: *closed, or more is to come. */
static bool read_message(int fd, struct peer *p, bool *closed)
{
	for (;;) {
		char *to = p->in_body ? piece : p->header + p->n_header, *end;
		size_t room = p->in_body ? sizeof(piece) : HEADER_MAX - p->n_header;
		ssize_t n = recv(fd, to, room, 0);

		*closed = !n || (n < 0 && errno != EAGAIN);
		if (n <= 0)
			return false;
		if (p->in_body) {
			p->left -= (size_t)n < p->left ? (size_t)n : p->left;
		} else {
			p->n_header += (size_t)n;
			p->header[p->n_header] = 0;
			end = strstr(p->header, "\r\n\r\n");
			if (end)
				begin_body(p, (size_t)(end + 4 - p->header));
			else if (p->n_header == HEADER_MAX)
				error(1, 0, "the header is too long");
		}
		if (p->in_body && !p->left) {
			p->in_body = false;
			p->n_header = 0;
			return true;
		}
	}
}

/* ---- serve ---- */

static void send_answer(int fd)
{
	static const char body[] =
		"<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
		"<taken xmlns=\"urn:taken\"/></s:Body></s:Envelope>";
	char text[512];
	int n = snprintf(
		text, sizeof(text),
		"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: %zu\r\n\r\n%s",
		sizeof(body) - 1, body);

	if (send(fd, text, (size_t)n, MSG_NOSIGNAL) != n)
		error(0, errno, "send");
}

static void serve_requests(const char *where)
{
	struct sockaddr_in sa = read_address(where);
	socklen_t len = sizeof(sa);
	int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
	nfds_t n = 1;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(listener, (struct sockaddr *)&sa, len) || listen(listener, 128))
		error(1, errno, "%s", where);
	getsockname(listener, (struct sockaddr *)&sa, &len);
	printf("listening on 127.0.0.1:%u\n", ntohs(sa.sin_port));
	fflush(stdout);
	polled[0] = (struct pollfd){ .fd = listener, .events = POLLIN };
	for (;;) {
		poll(polled, n, -1);
		for (nfds_t i = n - 1; i; i--) {
			bool closed;

			if (!polled[i].revents)
				continue;
			while (read_message(polled[i].fd, &peers[i], &closed))
				send_answer(polled[i].fd);
			if (!closed)
				continue;
			close(polled[i].fd);
			polled[i] = polled[--n];
			peers[i] = peers[n];
		}
		if (polled[0].revents && n <= CONNECTIONS_MAX) {
			polled[n] = (struct pollfd){ .fd = accept(listener, NULL, NULL),
						     .events = POLLIN };
			prepare_socket(polled[n].fd);
			memset(&peers[n++], 0, sizeof(*peers));
		}
	}
}

/* ---- load ---- */

struct load {
	const char *request;
	size_t len;
	unsigned connections;
	size_t requests, begun, done;
	uint64_t start, interval; /* ns; 0: as soon as a connection is free */
	uint64_t *took;
};

static char *read_request(const char *path, size_t *len)
{
	FILE *f = fopen(path, "re");
	struct stat st;
	char *p;

	if (!f || fstat(fileno(f), &st))
		error(1, errno, "%s", path);
	p = malloc((size_t)st.st_size);
	if (!p || fread(p, 1, (size_t)st.st_size, f) != (size_t)st.st_size)
		error(1, errno, "%s", path);
	fclose(f);
	*len = (size_t)st.st_size;
	return p;
}

static uint64_t due_at(const struct load *l)
{
	return l->start + l->begun * l->interval;
}

static void send_on(const struct load *l, unsigned i)
{
	struct peer *p = &peers[i];
	ssize_t n = send(polled[i].fd, l->request + p->sent, l->len - p->sent, MSG_NOSIGNAL);

	if (n < 0 && errno != EAGAIN)
		error(1, errno, "send");
	p->sent += n > 0 ? (size_t)n : 0;
	polled[i].events = (short)(p->sent < l->len ? POLLIN | POLLOUT : POLLIN);
}

/* Give what is due to free connections. */
static void begin_due(struct load *l, uint64_t now)
{
	for (unsigned i = 0; i < l->connections && l->begun < l->requests; i++) {
		if (peers[i].due)
			continue;
		if (l->interval && due_at(l) > now)
			return;
		peers[i].due = l->interval ? due_at(l) : now;
		peers[i].sent = 0;
		l->begun++;
		send_on(l, i);
	}
}

static void receive_answer(struct load *l, unsigned i)
{
	struct peer *p = &peers[i];
	bool closed;

	if (read_message(polled[i].fd, p, &closed)) {
		if (strncmp(p->header, "HTTP/1.1 200 ", 13) != 0)
			error(1, 0, "the answer was:\n%s", p->header);
		l->took[l->done++] = now_ns() - p->due;
		p->due = 0;
	} else if (closed) {
		error(1, 0, "the connection was closed:\n%s", p->header);
	}
}

static void wait_for_next(const struct load *l)
{
	struct timespec t = { .tv_sec = 60 };
	bool room = false;
	uint64_t now = now_ns();

	for (unsigned i = 0; i < l->connections; i++)
		room |= !peers[i].due;
	if (room && l->begun < l->requests && l->interval) {
		uint64_t left = due_at(l) > now ? due_at(l) - now : 0;

		t = (struct timespec){ .tv_sec = (time_t)(left / NS),
				       .tv_nsec = (long)(left % NS) };
	} else if (room && l->begun < l->requests) {
		t.tv_sec = 0;
	}
	if (!ppoll(polled, l->connections, &t, NULL) && t.tv_sec == 60)
		error(1, 0, "no answer in 60 s");
}

static int compare_ns(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void send_requests(const char *where, char **arg)
{
	struct sockaddr_in sa = read_address(where);
	struct load l = { .connections = (unsigned)atoi(arg[0]), .requests = (size_t)atol(arg[1]) };
	double rate = atof(arg[2]);
	size_t skipped, n;
	uint64_t used;

	if (!l.connections || l.connections > CONNECTIONS_MAX || l.requests < 10)
		error(2, 0, "1 to %u connections, 10 requests at least", CONNECTIONS_MAX);
	l.request = read_request(arg[3], &l.len);
	l.interval = rate > 0 ? (uint64_t)(NS / rate) : 0;
	l.took = calloc(l.requests, sizeof(*l.took));
	for (unsigned i = 0; i < l.connections; i++) {
		polled[i] =
			(struct pollfd){ .fd = socket(AF_INET, SOCK_STREAM, 0), .events = POLLIN };
		if (connect(polled[i].fd, (struct sockaddr *)&sa, sizeof(sa)))
			error(1, errno, "%s", where);
		prepare_socket(polled[i].fd);
	}
	l.start = now_ns();
	while (l.done < l.requests) {
		begin_due(&l, now_ns());
		wait_for_next(&l);
		for (unsigned i = 0; i < l.connections; i++) {
			if (polled[i].revents & POLLOUT && peers[i].due && peers[i].sent < l.len)
				send_on(&l, i);
			if (polled[i].revents & (POLLIN | POLLHUP | POLLERR))
				receive_answer(&l, i);
		}
	}
	used = now_ns() - l.start;
	skipped = l.requests / 10;
	n = l.requests - skipped;
	qsort(l.took + skipped, n, sizeof(*l.took), compare_ns);
	printf("rate %.1f median %.1f p99 %.1f\n", (double)l.requests * 1e9 / (double)used,
	       (double)l.took[skipped + n / 2] / 1e3, (double)l.took[skipped + n * 99 / 100] / 1e3);
	free(l.took);
	free((char *)(uintptr_t)l.request);
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "serve") == 0)
		serve_requests(argv[2]);
	else if (argc == 7 && strcmp(argv[1], "load") == 0)
		send_requests(argv[2], argv + 3);
	else
		error(2, 0,
		      "usage: paced serve ADDR:PORT | paced load ADDR:PORT CONNECTIONS REQUESTS RATE FILE");
	return 0;
}
