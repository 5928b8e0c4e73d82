/* SPDX-License-Identifier: GPL-2.0 */
/* A connection as its two halves see it: what comes in (connection.c), what goes out (respond.c). */
#ifndef GW_CONNECTION_PRIVATE_H
#define GW_CONNECTION_PRIVATE_H

#include "connection.h"
#include "../common/stream.h"
#include "tls.h"

enum state {
	HANDSHAKE, /* of TLS */
	IDLE, /* no byte of the next request yet */
	READING,
	WORKING, /* with the pool */
	FORWARDED, /* with the service */
	ANSWERING, /* the answer is on its way */
	LINGERING, /* refused: drains what still comes, so that the answer is not reset away */
	ORPHAN, /* the client is gone; worker or service has not ended yet */
};

struct gw_connection {
	TAILQ_ENTRY(gw_connection) list;
	struct gw_shared *shared;
	struct gw_peer peer;
	struct gw_source_usage *of; /* that the connection is counted with */
	struct gw_evict_entry place; /* there */
	enum state state; /* set by gw_connection_enter() alone */
	uint64_t since_ns; /* it was accepted, CLOCK_BOOTTIME */
	struct gw_stream *stream; /* NULL: ORPHAN */
	struct gw_handshake handshake; /* its cpu_ns: until it is charged */
	struct event *timer;
	uint64_t lost_ns; /* shared->delay.lost_ns when the timer was set */
	bool timed; /* counted in shared->n_timed */
	struct fmp_http http;
	struct fmp_addr client; /* of this request, where a proxy tells; else {0} */
	struct gw_task task;
	struct {
		enum fmp_event_kind kind;
		enum fmp_step step; /* FMP_STEP_CONNECTION: no byte of a request came */
		uint64_t cpu_ns;
		uint64_t step_ns[FMP_STEPS]; /* of a worker's; until it is reported */
		char *reason; /* in words, why it was refused; NULL: was not, or there is no log */
	} verdict; /* of this request, for the access log */
	struct fmp_replay_keys replay_keys; /* of an accepted message, until the service has it */
	const char *why; /* the service's answer is not handed on, for the same; NULL */
	unsigned served;
	unsigned service; /* that the request is for */
	bool routed; /* and that this is known */
	struct {
		struct fmp_addr source; /* that it came from; {0}: there is none */
		uint16_t port;
		int status;
		uint8_t *body;
		size_t len;
	} remote; /* a service's answer, while it is inspected or signed */
	struct {
		struct gw_call *call; /* NULL: nothing is with the service */
		size_t request; /* bytes of it there */
		size_t answer; /* bytes of that: those that came, or all that may come; until it is handed on */
		size_t wanted; /* so many may not come yet; 0: it waits for no room */
		bool allowed; /* to come */
	} away;
	struct {
		size_t least; /* bytes of it that are to be read from one look to the next */
		uint64_t acked; /* at the last look, of all that was sent */
		unsigned looks;
	} reading; /* of the answer by its client, while it is on its way */
	struct fmp_reply_context *reply_context; /* who gets a signed one, in one piece; NULL */
	int soap_version; /* of the message that is with the service */
	bool keep_alive, continued;
	uint64_t arrived_ns; /* last byte of the request, CLOCK_BOOTTIME */
	uint64_t cpu_ns; /* spent here on reading the request */
	uint64_t cpu_since; /* CPU clock when reading it went on; 0: not now */
	size_t drained; /* while lingering */
	size_t held; /* bytes of it in shared->buffered */
};

void gw_connection_enter(struct gw_connection *c, enum state state);
void gw_connection_arm(struct gw_connection *c, uint64_t ms);
/** gw_connection_response_sent() - the answer is out: the next request, or the end. */
void gw_connection_response_sent(struct gw_connection *c);
void gw_connection_destroy(struct gw_connection *c);
void gw_connection_drop_body(struct gw_connection *c);
/** gw_connection_cpu_ns() - CPU time spent here on reading the request. */
uint64_t gw_connection_cpu_ns(const struct gw_connection *c);
/** gw_connection_charge() - an event about the client. @cpu_ns: spent elsewhere */
void gw_connection_charge(struct gw_connection *c, enum fmp_event_kind kind, uint64_t cpu_ns,
			  const char *detail);
/** gw_connection_set_reason() - why it is refused, in words, for the access log; NULL: it is not */
void gw_connection_set_reason(struct gw_connection *c, const char *detail);

/** gw_respond_from_backend() - what a service says. */
void gw_respond_from_backend(struct gw_connection *c, int status, const char *type,
			     const void *body, size_t len);
/** gw_respond() - what we say: with 503, when to come again. */
void gw_respond(struct gw_connection *c, int status, const char *type, const void *body,
		size_t len);
/** gw_respond_fault() - 503: not delivered, so it may be repeated. */
void gw_respond_fault(struct gw_connection *c, int soap_version, int status, bool sender,
		      const char *reason);
/** gw_respond_refusal() - what HTTP refuses ends the connection: where the next request begins
 * is not known. */
void gw_respond_refusal(struct gw_connection *c, enum fmp_event_kind kind, int status, bool charged,
			const char *detail);
/** gw_respond_is_too_slow() - looks whether the client reads its answer. Return: true: too slowly, or not. */
bool gw_respond_is_too_slow(struct gw_connection *c);
/** gw_respond_blocked() - to a proxy, about a client that is blocked: no more charged than a frame that is
 * dropped. */
void gw_respond_blocked(struct gw_connection *c);

#endif
