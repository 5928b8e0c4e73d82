// SPDX-License-Identifier: GPL-2.0
/* fmp-orders: serves the sample Web service with a pool of threads, one connection each. */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/text.h>
#include <unistd.h>

#include "in_process.h"

#define MAX_THREADS	     256
#define MAX_REQUEST_BYTES    (4 << 20)
#define REQUESTS_PER_CONNECT 1000000

struct server {
	SOAP_SOCKET listener;
	int idle_s;
	struct fmp_inspector **inspector; /* one for each thread; NULL: behind a gateway */
	bool bytes; /* their output is bytes, for soap_serve() */
	const char *report; /* socket of fmpd; NULL: no reports */
	const char *tls; /* PEM file of a key and its certificate; NULL: plain HTTP */
	atomic_bool stop;
	pthread_mutex_t lock; /* guards connection[] */
	SOAP_SOCKET connection[MAX_THREADS];
};

struct thread {
	struct server *server;
	unsigned slot;
	struct soap soap;
	pthread_t id;
};

static void usage(FILE *to)
{
	fputs("Usage: fmp-orders [--listen ADDR:PORT] [--threads N] [--idle SECONDS] [--tls FILE]\n"
	      "       [--in-process POLICY [--bytes] [--report[=SOCKET]]]\n"
	      "Serves the sample order service (SOAP 1.1 and 1.2 over HTTP) until SIGTERM.\n\n"
	      "  --listen ADDR:PORT  where to listen (127.0.0.1:9000); port 0 takes a free one;\n"
	      "                      the address is printed on standard output\n"
	      "  --threads N         connections served at once, 1..256 (16)\n"
	      "  --idle SECONDS      end a connection without a request for so long (60)\n"
	      "  --tls FILE          HTTPS, with the private key and the certificates of a PEM file\n"
	      "  --in-process POLICY without a gateway: inspect each message here, by <gateway> of\n"
	      "                      the policy, with security=\"Bc\" or above\n"
	      "  --bytes             parse accepted messages once more, by soap_serve(), like any\n"
	      "                      service that uses fmp's plugin and changes nothing else\n"
	      "  --report[=SOCKET]   report the senders of bad messages to fmpd\n"
	      "  --help, --version\n",
	      to);
}

/* The gateway has checked the Security header: ignore it even with mustUnderstand. */
static int ignore_security_header(struct soap *soap, const char *tag)
{
	const char *colon = strchr(tag, ':');

	if (soap->mustUnderstand && strcmp(colon ? colon + 1 : tag, "Security"))
		return SOAP_MUSTUNDERSTAND;
	return SOAP_OK;
}

static void record_connection(struct thread *t, SOAP_SOCKET fd)
{
	pthread_mutex_lock(&t->server->lock);
	t->server->connection[t->slot] = fd;
	/* Stopped since the accept: nothing else would wake this thread. */
	if (fd != SOAP_INVALID_SOCKET && t->server->stop)
		shutdown(fd, SHUT_RD);
	pthread_mutex_unlock(&t->server->lock);
}

static int close_recorded(struct soap *soap, SOAP_SOCKET fd)
{
	struct thread *t = soap->user;

	record_connection(t, SOAP_INVALID_SOCKET);
	return close(fd);
}

/*
 * With its own timeouts gSOAP calls select() before each recv() and send(). The timeouts of the socket, set by
 * set_timeouts(), cost nothing.
 */
static size_t receive_bytes(struct soap *soap, char *buf, size_t n)
{
	ssize_t got;

	do
		got = recv(soap->socket, buf, n, 0);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		soap->errnum = errno;
	return got > 0 ? (size_t)got : 0;
}

static int send_bytes(struct soap *soap, const char *buf, size_t n)
{
	while (n) {
		ssize_t sent = send(soap->socket, buf, n, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0) {
			soap->errnum = errno;
			return SOAP_EOF;
		}
		buf += sent;
		n -= (size_t)sent;
	}
	return SOAP_OK;
}

static bool set_timeouts(SOAP_SOCKET fd, int idle_s)
{
	struct timeval idle = { .tv_sec = idle_s };

	return !setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &idle, sizeof(idle)) &&
	       !setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &idle, sizeof(idle));
}

static void *serve_connections(void *arg)
{
	struct thread *t = arg;
	struct soap *soap = &t->soap;

	while (!t->server->stop) {
		soap->master = t->server->listener;
		SOAP_SOCKET fd = soap_accept(soap);

		soap->master = SOAP_INVALID_SOCKET;
		if (!soap_valid_socket(fd)) {
			if (!t->server->stop && soap->errnum == EMFILE)
				usleep(10000);
			continue;
		}
		record_connection(t, fd);
		if (!set_timeouts(fd, t->server->idle_s) ||
		    (t->server->tls && soap_ssl_accept(soap))) {
			soap_closesock(soap);
			continue;
		}
		if (t->server->inspector && !t->server->bytes)
			in_process_serve(soap);
		else
			soap_serve(soap);
		soap_destroy(soap);
		soap_end(soap);
		soap_closesock(soap);
	}
	return NULL;
}

static bool split_address(char *text, char **host, int *port)
{
	char *colon = strrchr(text, ':'), *end;
	long n;

	if (!colon || colon == text || !colon[1])
		return false;
	n = strtol(colon + 1, &end, 10);
	if (*end || n < 0 || n > 65535)
		return false;
	*colon = 0;
	*host = text;
	if (*text == '[' && colon[-1] == ']') {
		colon[-1] = 0;
		*host = text + 1;
	}
	*port = (int)n;
	return true;
}

static void print_address(SOAP_SOCKET fd, const char *host)
{
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);
	unsigned port = 0;

	if (!getsockname(fd, (struct sockaddr *)&sa, &len))
		port = ntohs(sa.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&sa)->sin6_port
						      : ((struct sockaddr_in *)&sa)->sin_port);
	printf(strchr(host, ':') ? "listening on [%s]:%u\n" : "listening on %s:%u\n", host, port);
	fflush(stdout);
}

/* Return: false: no memory, or the TLS file can't be used. */
static bool start_soap(struct thread *t, struct server *server, unsigned slot)
{
	t->server = server;
	t->slot = slot;
	soap_init2(&t->soap, SOAP_IO_KEEPALIVE | SOAP_C_UTFSTRING,
		   SOAP_IO_KEEPALIVE | SOAP_C_UTFSTRING);
	t->soap.user = t;
	t->soap.fignore = ignore_security_header;
	t->soap.fclosesocket = close_recorded;
	t->soap.max_keep_alive = REQUESTS_PER_CONNECT;
	if (!server->tls) {
		t->soap.frecv = receive_bytes;
		t->soap.fsend = send_bytes;
	} else if (soap_ssl_server_context(&t->soap, SOAP_SSL_NO_AUTHENTICATION, server->tls, NULL,
					   NULL, NULL, NULL, NULL, "fmp-orders")) {
		soap_print_fault(&t->soap, stderr);
		return false;
	}
	t->soap.recv_maxlength = MAX_REQUEST_BYTES;
	return !server->inspector ||
	       in_process_begin(&t->soap, server->inspector[slot], server->report);
}

/* Wait for a signal, then end idle connections; requests in progress are answered. */
static void wait_for_end(struct server *server, const sigset_t *ends)
{
	int sig;

	sigwait(ends, &sig);
	server->stop = true;
	shutdown(server->listener, SHUT_RDWR);
	pthread_mutex_lock(&server->lock);
	for (unsigned i = 0; i < MAX_THREADS; i++)
		if (server->connection[i] != SOAP_INVALID_SOCKET)
			shutdown(server->connection[i], SHUT_RD);
	pthread_mutex_unlock(&server->lock);
}

static struct server server = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int run_server(char *listen_on, unsigned threads, const char *policy)
{
	struct thread *pool = calloc(threads, sizeof(*pool));
	pthread_attr_t attr;
	sigset_t ends;
	struct soap soap;
	char *host;
	int port, rc = 1;
	unsigned n = 0;

	if (!pool || !split_address(listen_on, &host, &port)) {
		fprintf(stderr, "fmp-orders: --listen wants ADDR:PORT\n");
		free(pool);
		return 2;
	}
	if (policy && !(server.inspector = in_process_load(policy, !server.bytes, threads))) {
		free(pool);
		return 1;
	}
	memset(server.connection, 0xff, sizeof(server.connection));
	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGINT);
	pthread_sigmask(SIG_BLOCK, &ends, NULL);
	/* OpenSSL sends without MSG_NOSIGNAL. */
	signal(SIGPIPE, SIG_IGN);

	soap_init(&soap);
	soap.bind_flags = SO_REUSEADDR;
	server.listener = soap_bind(&soap, host, port, 128);
	if (!soap_valid_socket(server.listener)) {
		fmp_text_print(stderr, "fmp-orders: can't listen on %s port %d: %s\n", host, port,
			       strerror(soap.errnum));
		goto out;
	}
	print_address(server.listener, host);
	pthread_attr_init(&attr);
	/* An inspection recurses over the depth of a message and a certificate chain. */
	pthread_attr_setstacksize(&attr, policy ? 1024 * 1024 : 256 * 1024);
	for (; n < threads; n++) {
		if (!start_soap(&pool[n], &server, n) ||
		    pthread_create(&pool[n].id, &attr, serve_connections, &pool[n])) {
			soap_done(&pool[n].soap);
			break;
		}
	}
	pthread_attr_destroy(&attr);
	if (n)
		wait_for_end(&server, &ends);
	rc = n ? 0 : 1;
	for (unsigned i = 0; i < n; i++) {
		pthread_join(pool[i].id, NULL);
		soap_end(&pool[i].soap);
		soap_done(&pool[i].soap);
	}
out:
	soap_done(&soap);
	in_process_free(server.inspector, threads);
	free(pool);
	return rc;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "listen", required_argument, NULL, 'l' },
						 { "threads", required_argument, NULL, 't' },
						 { "idle", required_argument, NULL, 'i' },
						 { "tls", required_argument, NULL, 's' },
						 { "in-process", required_argument, NULL, 'p' },
						 { "bytes", no_argument, NULL, 'b' },
						 { "report", optional_argument, NULL, 'r' },
						 { "help", no_argument, NULL, 'h' },
						 { "version", no_argument, NULL, 'V' },
						 { NULL, 0, NULL, 0 } };
	char standard[] = "127.0.0.1:9000", *listen_on = standard;
	const char *policy = NULL;
	long threads = 16, idle_s = 60;
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'l':
			listen_on = optarg;
			break;
		case 't':
			threads = strtol(optarg, NULL, 10);
			break;
		case 'i':
			idle_s = strtol(optarg, NULL, 10);
			break;
		case 's':
			server.tls = optarg;
			break;
		case 'p':
			policy = optarg;
			break;
		case 'b':
			server.bytes = true;
			break;
		case 'r':
			server.report = optarg ? optarg : "";
			break;
		case 'h':
			usage(stdout);
			return 0;
		case 'V':
			puts("fmp-orders " FMP_VERSION);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (optind < argc || threads < 1 || threads > MAX_THREADS || idle_s < 1 || idle_s > 86400 ||
	    (!policy && (server.bytes || server.report))) {
		usage(stderr);
		return 2;
	}
	server.idle_s = (int)idle_s;
	return run_server(listen_on, (unsigned)threads, policy);
}
