/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one client said in one connection, as the gateway would have taken it: its HTTP
 * reader, its choice of a service, its ladder. Bytes in, events out; no clock of its own.
 */
#ifndef FMPCTL_CONVERSATION_H
#define FMPCTL_CONVERSATION_H

#include <fmp/internal/gateway_settings.h>
#include "tcp_reassembly.h"

/** struct gateway_of - a policy's gateway without its sockets; set event and ctx before use */
struct gateway_of {
	struct fmp_gateway_settings settings;
	uint32_t body_max; /**< of any service */
	uint16_t port;
	uint64_t now_ns; /**< of what is being said, since 1970 */
	size_t buffered; /**< bytes of bodies that are not whole yet */
	uint64_t encrypted; /**< connections that speak TLS */
	uint64_t proxied; /**< connections whose client a PROXY header tells */
	uint64_t nobodys; /**< messages refused that are nobody's offence: no events */
	/** Gets each event; non-zero ends the hearing. */
	int (*event)(const struct fmp_event *ev, void *ctx);
	void *ctx;
};
/** gateway_of_init() - @policy: stays the caller's. Return: 0, or a code with the file in err. */
FMP_MUST_CHECK int gateway_of_init(struct gateway_of *g, const struct fmp_policy *policy,
				   uint16_t port, struct fmp_error *err);
void gateway_of_exit(struct gateway_of *g);

/** conversation_bytes() - what the client said next. Return: 0, FMP_ERR_NOMEM, what event() returned. */
FMP_MUST_CHECK int conversation_bytes(struct gateway_of *g, struct stream *s, const uint8_t *p,
				      size_t n);
void conversation_end(struct gateway_of *g, struct stream *s);

#endif
