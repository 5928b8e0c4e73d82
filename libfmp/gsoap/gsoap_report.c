// SPDX-License-Identifier: GPL-2.0
/* Reports of refused messages to fmpd, and the TLS handshakes that are pardoned. */
#include "gsoap_private.h"

#include <pthread.h>
#include <stdio.h>

#include <fmp/internal/handshake_pardon.h>

/* Seconds before fmpd is tried again when it does not accept reports. */
#define RETRY_S 10

/* The gateway's default prefix length of an IPv6 source; a service in process cannot configure it. */
#define IPV6_PREFIX 64

uint64_t fmpi_gsoap_clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- reports ---- */

static bool open_reporter(struct fmpi_gsoap *d)
{
	time_t now = (time_t)(fmpi_gsoap_clock_ns(CLOCK_BOOTTIME) / 1000000000u);

	if (!d->reporter && now >= d->retry &&
	    fmp_reporter_open(d->cfg.report_socket, &d->reporter, NULL)) {
		d->reporter = NULL;
		d->retry = now + RETRY_S;
	}
	return d->reporter;
}

static void send_report(struct fmpi_gsoap *d, const struct fmp_event *ev)
{
	int rc;

	if (!open_reporter(d))
		return;
	rc = fmp_report(d->reporter, ev, NULL);
	if (!rc || rc == FMP_ERR_LIMIT || rc == FMP_ERR_INVALID)
		return;
	fmp_reporter_close(d->reporter);
	d->reporter = NULL;
	d->retry = (time_t)(fmpi_gsoap_clock_ns(CLOCK_BOOTTIME) / 1000000000u) + RETRY_S;
}

/* ---- pardoned TLS handshakes ---- */

/* Shared by the process: each thread has its own context and plugin, and a source may reach any of them. */
static struct {
	pthread_mutex_t lock;
	struct fmp_handshake_pardon slips;
	int index; /* of the mark on an SSL whose handshake was counted; negative: none */
} pardon = { .lock = PTHREAD_MUTEX_INITIALIZER };
static pthread_once_t pardon_once = PTHREAD_ONCE_INIT;

static void begin_pardon(void)
{
	pardon.index = SSL_get_ex_new_index(0, NULL, NULL, NULL, NULL);
}

bool fmpi_gsoap_take_handshake(struct soap *soap)
{
	pthread_once(&pardon_once, begin_pardon);
	if (!soap->ssl || pardon.index < 0 || SSL_get_ex_data(soap->ssl, pardon.index))
		return false;
	return SSL_set_ex_data(soap->ssl, pardon.index, &pardon) && !SSL_session_reused(soap->ssl);
}

static bool is_of_prefix(const struct fmp_addr *prefix, void *own)
{
	return fmp_addr_contains(prefix, own);
}

/* As at the gateway: a host that shares our prefix is a source of its own. */
static struct fmp_addr get_source_key(const struct soap *soap, const struct fmp_addr *source)
{
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);
	struct fmp_addr own;
	const struct fmp_key_rule rule = { .ipv6_prefix = IPV6_PREFIX,
					   .shared = is_of_prefix,
					   .ctx = &own };

	if (getsockname(soap->socket, (struct sockaddr *)&sa, &len) ||
	    fmp_addr_from_sockaddr((struct sockaddr *)&sa, &own, NULL))
		return *source;
	return fmp_addr_key(source, &rule);
}

/* Requests of web pages gather no rank, but the TLS handshakes for them are limited. */
static bool is_beyond_pardon(struct soap *soap, const struct fmp_addr *source)
{
	struct fmp_addr key = get_source_key(soap, source);
	bool pardoned;

	pthread_mutex_lock(&pardon.lock);
	pardoned =
		fmp_handshake_pardon_take(&pardon.slips, &key, fmpi_gsoap_clock_ns(CLOCK_BOOTTIME));
	pthread_mutex_unlock(&pardon.lock);
	return !pardoned;
}

static uint16_t get_own_port(const struct soap *soap)
{
	struct sockaddr_storage sa;
	socklen_t len = sizeof(sa);
	struct fmp_addr own;
	uint16_t port;

	if (getsockname(soap->socket, (struct sockaddr *)&sa, &len) ||
	    fmp_addr_from_sockaddr((struct sockaddr *)&sa, &own, &port))
		return 0;
	return port;
}

void fmpi_gsoap_report(struct soap *soap, struct fmpi_gsoap *d, size_t bytes, uint64_t cpu_ns)
{
	const struct fmp_inspection *v = &d->verdict;
	struct fmp_event ev = { .kind = v->kind,
				.proven = true, /* the TCP handshake was completed */
				.dest_port = get_own_port(soap),
				.time_ns = fmpi_gsoap_clock_ns(CLOCK_BOOTTIME),
				.cpu_ns = cpu_ns,
				.bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes };
	bool handshake = fmpi_gsoap_take_handshake(soap);

	if (!d->cfg.report || fmp_addr_from_sockaddr(&soap->peer.addr, &ev.source, &ev.source_port))
		return;
	if (handshake && v->kind == FMP_EVENT_BROWSER && is_beyond_pardon(soap, &ev.source))
		ev.kind = FMP_EVENT_CONNECTION;
	snprintf(ev.step, sizeof(ev.step), "%s", fmp_step_name(v->step));
	snprintf(ev.service, sizeof(ev.service), "%s", d->cfg.service ? d->cfg.service : "");
	snprintf(ev.detail, sizeof(ev.detail), "%s: %s", fmp_step_name(v->step), v->detail);
	send_report(d, &ev);
}

char *fmpi_gsoap_refuse(struct soap *soap, struct fmpi_gsoap *d, int status,
			enum fmp_event_kind kind, const char *why)
{
	d->verdict = (struct fmp_inspection){ .step = FMP_STEP_HTTP, .kind = kind };
	snprintf(d->verdict.detail, sizeof(d->verdict.detail), "%s", why);
	fmpi_gsoap_report(soap, d, 0, 0);
	soap->error = status;
	return NULL;
}
