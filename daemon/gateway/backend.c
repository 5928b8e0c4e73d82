// SPDX-License-Identifier: GPL-2.0
#include "backend.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "soapH.h"

#define MAX_ADDRESSES 4

struct gw_backend_url {
	char url[512];
	unsigned n;
	struct {
		struct sockaddr_storage sa;
		socklen_t len;
	} address[MAX_ADDRESSES];
};

struct gw_backend {
	const struct gw_backend_url *url;
	struct soap soap;
	size_t max; /* of the answer being read */
};

/* "http://host[:port]/path" -> host, port. Return: false if it is none. */
static bool split(const char *url, char *host, size_t size, char *port, size_t port_size)
{
	const char *p = url + strlen("http://"), *end;
	size_t n;

	if (strncasecmp(url, "http://", strlen("http://")) || strpbrk(url, " \t\r\n@"))
		return false;
	if (*p == '[') {
		end = strchr(++p, ']');
		if (!end)
			return false;
		n = (size_t)(end++ - p);
	} else {
		n = strcspn(p, ":/");
		end = p + n;
	}
	if (!n || n >= size)
		return false;
	memcpy(host, p, n);
	host[n] = 0;
	snprintf(port, port_size, "80");
	if (*end == ':') {
		n = strspn(++end, "0123456789");
		if (!n || n >= port_size)
			return false;
		memcpy(port, end, n);
		port[n] = 0;
		end += n;
	}
	return !*end || *end == '/';
}

int gw_backend_url_new(const char *url, struct gw_backend_url **out, struct fmp_error *err)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *list = NULL;
	struct gw_backend_url *u;
	char host[256], port[8];
	int rc;

	if (strlen(url) >= sizeof(u->url) || !split(url, host, sizeof(host), port, sizeof(port)))
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "backend \"%.100s\" is not http://HOST[:PORT]/PATH", url);
	rc = getaddrinfo(host, port, &hints, &list);
	if (rc)
		return fmp_error_set(err, FMP_ERR_NOTFOUND, "backend %.100s: %s", host,
				     gai_strerror(rc));
	u = calloc(1, sizeof(*u));
	if (u) {
		strcpy(u->url, url);
		for (struct addrinfo *a = list; a && u->n < MAX_ADDRESSES; a = a->ai_next) {
			memcpy(&u->address[u->n].sa, a->ai_addr, a->ai_addrlen);
			u->address[u->n++].len = a->ai_addrlen;
		}
	}
	freeaddrinfo(list);
	*out = u;
	return u ? 0 : fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
}

void gw_backend_url_free(struct gw_backend_url *url)
{
	free(url);
}

static int connect_one(const struct sockaddr *sa, socklen_t len)
{
	int fd = socket(sa->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	socklen_t size = sizeof(int);
	int error = 0;

	if (fd < 0)
		return -1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(fd, sa, len)) {
		if (errno != EINPROGRESS)
			error = errno;
		else if (poll(&p, 1, GW_BACKEND_CONNECT_S * 1000) != 1)
			error = ETIMEDOUT;
		else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size))
			error = errno;
	}
	if (error) {
		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

/*
 * In place of gSOAP's own: that one asks the resolver, which the sandbox does not let it.
 * The socket stays non-blocking; gSOAP polls with its timeouts.
 */
static SOAP_SOCKET open_connection(struct soap *soap, const char *endpoint, const char *host,
				   int port)
{
	const struct gw_backend *b = soap->user;

	for (unsigned i = 0; i < b->url->n; i++) {
		int fd = connect_one((const struct sockaddr *)&b->url->address[i].sa,
				     b->url->address[i].len);

		if (fd >= 0)
			return fd;
	}
	soap->errnum = errno;
	soap->error = SOAP_TCP_ERROR;
	return SOAP_INVALID_SOCKET;
}

/* gSOAP would offer gzip and tell its version; a length too long is refused before memory is got. */
static int (*send_field)(struct soap *, const char *, const char *);
static int (*take_field)(struct soap *, const char *, const char *);

static int send_own_field(struct soap *soap, const char *name, const char *value)
{
	if (name && (!strcmp(name, "Accept-Encoding") || !strcmp(name, "User-Agent")))
		return SOAP_OK;
	return send_field(soap, name, value);
}

static int take_own_field(struct soap *soap, const char *name, const char *value)
{
	const struct gw_backend *b = soap->user;

	if (!strcasecmp(name, "Content-Length") && strtoull(value, NULL, 10) > b->max)
		return SOAP_EOM;
	return take_field(soap, name, value);
}

struct gw_backend *gw_backend_new(const struct gw_backend_url *url)
{
	struct gw_backend *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->url = url;
	soap_init2(&b->soap, SOAP_IO_KEEPALIVE, SOAP_IO_KEEPALIVE);
	b->soap.user = b;
	b->soap.fopen = open_connection;
	send_field = b->soap.fposthdr;
	b->soap.fposthdr = send_own_field;
	take_field = b->soap.fparsehdr;
	b->soap.fparsehdr = take_own_field;
	b->soap.recv_timeout = b->soap.send_timeout = GW_BACKEND_ANSWER_S;
	b->soap.transfer_timeout = 2 * GW_BACKEND_ANSWER_S;
	b->soap.socket_flags = MSG_NOSIGNAL;
	return b;
}

void gw_backend_free(struct gw_backend *b)
{
	if (!b)
		return;
	b->soap.keep_alive = 0;
	soap_closesock(&b->soap);
	soap_destroy(&b->soap);
	soap_end(&b->soap);
	soap_done(&b->soap);
	free(b);
}

/* After any failure the connection is in no known state: the next message gets a new one. */
static int broken(struct gw_backend *b, int code, struct fmp_error *err, const char *what)
{
	struct soap *soap = &b->soap;
	int error = soap->error, number = soap->errnum;

	soap->keep_alive = 0;
	soap_closesock(soap);
	if (number)
		return fmp_error_sys(err, code, number, "backend: %s", what);
	return fmp_error_set(err, code, "backend: %s (gSOAP error %d)", what, error);
}

int gw_backend_forward(struct gw_backend *b, const void *body, size_t len, const char *content_type,
		       const char *soap_action, size_t max, struct gw_reply *reply,
		       struct fmp_error *err)
{
	struct soap *soap = &b->soap;
	size_t got = 0;
	ULONG64 expected;

	soap_destroy(soap);
	soap_end(soap);
	b->max = max;
	soap->recv_maxlength = (LONG64)max;
	soap->http_content = content_type;
	soap->count = len;
	if (soap_connect_command(soap, SOAP_POST_FILE, b->url->url, soap_action))
		return broken(b, FMP_ERR_IO, err, "not reached");
	if (soap_send_raw(soap, body, len) || soap_end_send(soap))
		return broken(b, FMP_ERR_IO, err, "message not sent");
	if (soap_begin_recv(soap) && soap->error != soap->status)
		return broken(b, soap->error == SOAP_EOM ? FMP_ERR_LIMIT : FMP_ERR_IO, err,
			      "no answer");
	expected = soap->length;
	reply->status = soap->status;
	reply->content_type = soap->http_content ? soap->http_content : "";
	reply->body = soap_http_get_body(soap, &got);
	reply->len = got;
	if (!reply->body || got > max || (expected && got != expected))
		return broken(b, got > max ? FMP_ERR_LIMIT : FMP_ERR_IO, err, "answer broken off");
	if (soap_end_recv(soap))
		return broken(b, FMP_ERR_IO, err, "answer broken off");
	soap_closesock(soap); /* keeps it, if both sides want to */
	return 0;
}
