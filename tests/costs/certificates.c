// SPDX-License-Identifier: GPL-2.0
/*
 * costs DIRECTORY ENTRIES
 *
 * Takes a forged certificate through fmpi_trust_check() and through a TLS handshake of the gateway, each without
 * revocation lists, then with a list of so many entries: four calls of counted(), under callgrind
 * --instr-atstart=no. What is made goes into the directory.
 */
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include <fmp/policy.h>

#include "../../daemon/gateway/conn/connection.h"
#include "../../daemon/gateway/conn/tls.h"
#include "x509/trust.h"

static char ca_file[256], key_file[256], list_file[256];
static EVP_PKEY *ca_key, *leaf_key;
static X509 *ca;

static void exit_with_message(const char *what)
{
	fprintf(stderr, "costs: %s\n", what);
	exit(EXIT_FAILURE);
}

static FILE *open_file(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		exit_with_message(path);
	return f;
}

static X509 *make_certificate(const char *name, long serial, EVP_PKEY *key, X509 *issuer)
{
	X509 *c = X509_new();
	X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, NULL, NID_basic_constraints,
						issuer ? "CA:FALSE" : "critical,CA:TRUE");

	X509_set_version(c, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(c), serial);
	X509_NAME_add_entry_by_txt(X509_get_subject_name(c), "CN", MBSTRING_ASC,
				   (const unsigned char *)name, -1, -1, 0);
	X509_set_issuer_name(c, X509_get_subject_name(issuer ? issuer : c));
	X509_gmtime_adj(X509_getm_notBefore(c), -3600);
	X509_gmtime_adj(X509_getm_notAfter(c), 3600);
	X509_set_pubkey(c, key);
	if (!e || !X509_add_ext(c, e, -1) || !X509_sign(c, ca_key, EVP_sha256()))
		exit_with_message("no certificate");
	X509_EXTENSION_free(e);
	return c;
}

/* Of this CA, as far as anybody can see before its signature is verified. Return: DER, to be freed. */
static unsigned char *forge_certificate(long serial, int *len)
{
	X509 *c = make_certificate("forged", serial, leaf_key, ca);
	unsigned char *der = NULL;

	*len = i2d_X509(c, &der);
	if (*len <= 0)
		exit_with_message("no certificate");
	der[*len - 1] ^= 1;
	X509_free(c);
	return der;
}

static void write_list(long entries)
{
	X509_CRL *crl = X509_CRL_new();
	ASN1_TIME *now = X509_gmtime_adj(NULL, -60), *later = X509_gmtime_adj(NULL, 3600);
	ASN1_INTEGER *serial = ASN1_INTEGER_new();
	FILE *f = open_file(list_file);

	X509_CRL_set_version(crl, 1);
	X509_CRL_set_issuer_name(crl, X509_get_subject_name(ca));
	X509_CRL_set1_lastUpdate(crl, now);
	X509_CRL_set1_nextUpdate(crl, later);
	for (long i = 0; i < entries; i++) {
		X509_REVOKED *entry = X509_REVOKED_new();

		ASN1_INTEGER_set_int64(serial, 10000000000000000 + i);
		if (!X509_REVOKED_set_serialNumber(entry, serial) ||
		    !X509_REVOKED_set_revocationDate(entry, now) ||
		    !X509_CRL_add0_revoked(crl, entry))
			exit_with_message("no entry");
	}
	if (!X509_CRL_sign(crl, ca_key, EVP_sha256()) || !PEM_write_X509_CRL(f, crl))
		exit_with_message("no list");
	fclose(f);
	X509_CRL_free(crl);
	ASN1_INTEGER_free(serial);
	ASN1_TIME_free(now);
	ASN1_TIME_free(later);
}

static void write_files(const char *directory, long entries)
{
	FILE *f;

	snprintf(ca_file, sizeof(ca_file), "%s/ca.crt", directory);
	snprintf(key_file, sizeof(key_file), "%s/ca.key", directory);
	snprintf(list_file, sizeof(list_file), "%s/ca.crl", directory);
	ca_key = EVP_RSA_gen(2048);
	leaf_key = EVP_EC_gen("P-256");
	ca = make_certificate("CA", 1, ca_key, NULL);
	f = open_file(ca_file);
	PEM_write_X509(f, ca);
	fclose(f);
	f = open_file(key_file);
	PEM_write_PrivateKey(f, ca_key, NULL, NULL, 0, NULL, NULL);
	fclose(f);
	write_list(entries);
}

struct task {
	struct fmpi_trust *trust;
	const unsigned char *der;
	int len;
	struct event_base *base;
	struct gw_tls *tls;
	int fd; /* the server's end; -1: it is a message */
};

static void on_event(struct bufferevent *bev, short what, void *ctx)
{
	if (what & BEV_EVENT_CONNECTED)
		exit_with_message("a forged certificate is good enough for TLS");
	event_base_loopbreak(ctx);
}

static void shake_hands(const struct task *t)
{
	struct gw_peer peer = { 0 };
	struct gw_handshake h = { .peer = &peer };
	struct bufferevent *bev = gw_tls_accept(t->tls, t->base, t->fd, &h);

	bufferevent_setcb(bev, NULL, NULL, on_event, t->base);
	bufferevent_enable(bev, EV_READ | EV_WRITE);
	event_base_dispatch(t->base);
	bufferevent_free(bev);
}

/* What is counted: by this name. */
static __attribute__((noinline)) void counted(const struct task *t)
{
	struct fmpi_signer who;
	struct fmp_inspection v = { 0 };

	if (t->fd >= 0)
		shake_hands(t);
	else if (fmpi_trust_check(t->trust, t->der, (size_t)t->len, time(NULL), 1, &who, &v) !=
		 FMPI_REFUSED)
		exit_with_message("a forged certificate is good enough for a message");
}

static void measure_message(const char *crl)
{
	struct task t = { .fd = -1 };
	struct fmp_error err;
	unsigned char *der;

	if (fmpi_trust_load(ca_file, crl, &t.trust, &err))
		exit_with_message(err.message);
	/* The first one fills the caches of the CAs; it is not counted. */
	for (long n = 10; n < 12; n++) {
		der = forge_certificate(n, &t.len);
		t.der = der;
		if (n == 11)
			CALLGRIND_START_INSTRUMENTATION;
		counted(&t);
		OPENSSL_free(der);
	}
	CALLGRIND_STOP_INSTRUMENTATION;
	fmpi_trust_free(t.trust);
}

static void be_the_client(int fd)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
	int len;
	unsigned char *der = forge_certificate(30, &len);
	SSL *ssl;
	char c;

	if (SSL_CTX_use_certificate_ASN1(ctx, len, der) != 1 ||
	    SSL_CTX_use_PrivateKey(ctx, leaf_key) != 1)
		exit_with_message("no client");
	ssl = SSL_new(ctx);
	SSL_set_fd(ssl, fd);
	if (SSL_connect(ssl) == 1)
		SSL_read(ssl, &c, 1);
	_exit(EXIT_SUCCESS);
}

static void measure_handshake(const char *crl)
{
	struct fmp_policy_tls policy = { 0 };
	struct task t = { .base = event_base_new() };
	struct fmp_error err;
	int pair[2];
	pid_t client;

	snprintf(policy.certificate, sizeof(policy.certificate), "%s", ca_file);
	snprintf(policy.key, sizeof(policy.key), "%s", key_file);
	snprintf(policy.client_ca, sizeof(policy.client_ca), "%s", ca_file);
	snprintf(policy.client_crl, sizeof(policy.client_crl), "%s", crl ? crl : "");
	if (gw_tls_new(&policy, &t.tls, &err))
		exit_with_message(err.message);
	if (!t.base || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		exit_with_message("no sockets");
	client = fork();
	if (!client) {
		close(pair[0]);
		be_the_client(pair[1]);
	}
	close(pair[1]);
	evutil_make_socket_nonblocking(pair[0]);
	t.fd = pair[0];
	CALLGRIND_START_INSTRUMENTATION;
	counted(&t);
	CALLGRIND_STOP_INSTRUMENTATION;
	waitpid(client, NULL, 0);
	gw_tls_free(t.tls);
	event_base_free(t.base);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		exit_with_message("usage: costs DIRECTORY ENTRIES");
	write_files(argv[1], atol(argv[2]));
	measure_message(NULL);
	measure_message(list_file);
	measure_handshake(NULL);
	measure_handshake(list_file);
	X509_free(ca);
	EVP_PKEY_free(ca_key);
	EVP_PKEY_free(leaf_key);
	return EXIT_SUCCESS;
}
