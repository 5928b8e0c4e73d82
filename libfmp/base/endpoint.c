// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/endpoint.h>

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Defined in <linux/in6.h>, which conflicts with <netinet/in.h>. */
#ifndef IPV6_FREEBIND
#define IPV6_FREEBIND 78
#endif

#define MAX_PORT 65535

static bool is_port(const char *text)
{
	size_t n = strspn(text, "0123456789");

	/* glibc truncates: it reads 99999 as 34463. */
	return n && n <= 5 && !text[n] && strtoul(text, NULL, 10) <= MAX_PORT;
}

int fmp_endpoint_parse(const char *text, struct fmp_endpoint *out, struct fmp_error *err)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
				  .ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV };
	const char *colon = strrchr(text, ':'), *begin = text;
	size_t n = colon ? (size_t)(colon - text) : 0;
	struct addrinfo *a;
	char host[64];

	if (n >= 2 && text[0] == '[' && text[n - 1] == ']') {
		begin++;
		n -= 2;
	}
	if (!n || n >= sizeof(host))
		return fmp_error_set(err, FMP_ERR_INVALID, "not ADDR:PORT: \"%.100s\"", text);
	memcpy(host, begin, n);
	host[n] = '\0';
	if (!is_port(colon + 1) || getaddrinfo(host, colon + 1, &hints, &a))
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "not a numeric address with a port: \"%.100s\"", text);
	memcpy(&out->address, a->ai_addr, a->ai_addrlen);
	out->len = a->ai_addrlen;
	freeaddrinfo(a);
	return 0;
}

/* At boot the address may be configured after this program starts: bind to it before it exists. */
static int bind_ahead(int fd, const struct fmp_endpoint *e)
{
	bool v6 = e->address.ss_family == AF_INET6;
	int one = 1;

	if (setsockopt(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_FREEBIND : IP_FREEBIND, &one,
		       sizeof(one)))
		return -1;
	return bind(fd, (const struct sockaddr *)&e->address, e->len);
}

int fmp_endpoint_listen(const struct fmp_endpoint *e, int flags, bool *waits, struct fmp_error *err)
{
	int fd = socket(e->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | flags, 0), one = 1, rc;

	*waits = false;
	if (fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no socket to listen on");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	rc = bind(fd, (const struct sockaddr *)&e->address, e->len);
	if (rc && errno == EADDRNOTAVAIL) {
		*waits = true;
		rc = bind_ahead(fd, e);
	}
	if (!rc)
		rc = listen(fd, SOMAXCONN);
	if (!rc)
		return fd;
	rc = fmp_error_sys(err, FMP_ERR_IO, errno, "can't listen");
	close(fd);
	return rc;
}

bool fmp_endpoint_format(int fd, char *text, size_t size)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);
	char host[64], port[8];

	if (getsockname(fd, (struct sockaddr *)&ss, &len) ||
	    getnameinfo((struct sockaddr *)&ss, len, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV))
		return false;
	snprintf(text, size, ss.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
	return true;
}
