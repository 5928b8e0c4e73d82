/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one client said in one connection, as the gateway would have taken it: its HTTP
 * reader, its choice of a service, its ladder. Bytes in, events out; no clock of its own.
 */
#ifndef FMPCTL_HTTP_EXCHANGE_H
#define FMPCTL_HTTP_EXCHANGE_H

#include <fmp/internal/evaluate.h>
#include "tcp_reassembly.h"

/** struct offline_gateway - a policy's gateway without its sockets; set event and ctx before use */
struct offline_gateway {
	struct fmp_evaluator evaluator;
	uint32_t body_max; /**< of any service */
	uint16_t port;
	uint64_t now_ns; /**< of what is being said, since 1970 */
	size_t buffered; /**< bytes of bodies that are not whole yet */
	uint64_t encrypted; /**< connections that speak TLS */
	uint64_t proxied; /**< connections whose client a PROXY header tells */
	uint64_t uncharged; /**< messages refused that are nobody's offence: no events */
	/** Gets each event; non-zero ends the hearing. */
	int (*event)(const struct fmp_event *ev, void *ctx);
	void *ctx;
};
/** offline_gateway_init() - @policy: stays the caller's. Return: 0, or a code with the file in err. */
FMP_MUST_CHECK int offline_gateway_init(struct offline_gateway *g, const struct fmp_policy *policy,
					uint16_t port, struct fmp_error *err);
void offline_gateway_exit(struct offline_gateway *g);

/** http_exchange_feed() - what the client said next. Return: 0, FMP_ERR_NOMEM, what event() returned. */
FMP_MUST_CHECK int http_exchange_feed(struct offline_gateway *g, struct tcp_stream *s,
				      const uint8_t *p, size_t n);
void http_exchange_end(struct offline_gateway *g, struct tcp_stream *s);

#endif
