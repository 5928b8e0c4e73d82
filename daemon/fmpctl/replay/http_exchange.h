/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Evaluates the requests of one captured connection as the gateway would: its HTTP reader, routing and
 * pipeline. Bytes in, events out; the time comes from the capture.
 */
#ifndef FMPCTL_HTTP_EXCHANGE_H
#define FMPCTL_HTTP_EXCHANGE_H

#include "../lib/offline_services.h"
#include "tcp_reassembly.h"

/** struct offline_gateway - the gateway of a policy, without sockets; set event and ctx before use, and load services */
struct offline_gateway {
	struct offline_services services; /**< of the policy: offline_services_init() */
	uint16_t port;
	uint64_t now_ns; /**< time of the current packet, since 1970 */
	size_t buffered; /**< bytes of incomplete bodies */
	uint64_t encrypted; /**< connections under TLS */
	uint64_t proxied; /**< connections with a PROXY header */
	uint64_t uncharged; /**< messages refused and not charged: no events */
	/** Called with each event; non-zero stops the evaluation. */
	int (*event)(const struct fmp_event *ev, void *ctx);
	void *ctx;
};
/** http_exchange_feed() - the next bytes of the client. Return: 0, FMP_ERR_NOMEM, the result of event(). */
FMP_MUST_CHECK int http_exchange_feed(struct offline_gateway *g, struct tcp_stream *s,
				      const uint8_t *p, size_t n);
void http_exchange_end(struct offline_gateway *g, struct tcp_stream *s);

#endif
