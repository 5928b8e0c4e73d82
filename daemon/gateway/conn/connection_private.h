/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A connection as its parts see it: connection.c owns the state, receive.c reads requests, exchange.c
 * runs one, respond.c sends and reports, buffer_budget.c limits buffers, evict.c makes room.
 */
#ifndef GW_CONNECTION_PRIVATE_H
#define GW_CONNECTION_PRIVATE_H

#include "connection.h"
#include "../common/stream.h"
#include "tls.h"

struct fmp_observation;
struct gw_upload;

enum gw_connection_state {
	CONN_HANDSHAKE, /* TLS handshake */
	CONN_IDLE, /* no byte of the next request yet */
	CONN_READING,
	CONN_WORKING, /* at the pool */
	CONN_UPLOADING, /* the service gets the request while it comes */
	CONN_FORWARDED, /* at the service */
	CONN_RESPONDING, /* the reply is being sent */
	CONN_LINGERING, /* refused: discard input, so that an RST does not destroy the reply */
	CONN_DETACHED, /* the client is gone, but not yet the worker or the service */
};

struct gw_connection {
	TAILQ_ENTRY(gw_connection) list;
	struct gw_shared *shared;
	struct gw_peer peer;
	struct gw_source_usage *usage; /* that the connection is counted with */
	struct gw_evict_entry evict; /* its place there */
	enum gw_connection_state state; /* set by gw_connection_enter() only */
	uint64_t accepted_ns; /* CLOCK_BOOTTIME */
	struct gw_stream *stream; /* NULL: CONN_DETACHED */
	struct gw_handshake handshake; /* its cpu_ns until it is charged */
	struct event *timer;
	uint64_t lost_ns; /* shared->loop_delay.lost_ns when the timer was set */
	bool timed; /* counted in shared->n_timed */
	struct fmp_http http;
	struct fmp_addr client; /* client of this request, if a proxy names it; else {0} */
	struct fmp_addr client_key; /* source key of the client */
	struct gw_task task;
	struct {
		enum fmp_event_kind kind;
		enum fmp_step step; /* FMP_STEP_CONNECTION: no byte of a request came */
		uint64_t cpu_ns;
		uint64_t step_ns[FMP_STEPS]; /* of the worker, until they are reported */
		char *reason; /* why it was refused; NULL: it was not, or there is no log */
	} verdict; /* of this request, for the access log */
	struct fmp_observation *observation; /* of this request, if it is one of those observed */
	struct fmp_replay_keys replay_keys; /* of an accepted message, until the service has it */
	const char *why; /* why the service's reply was not forwarded, for the log; NULL */
	unsigned served;
	unsigned described; /* descriptions sent in this turn of the loop */
	unsigned service; /* index of the service */
	bool routed; /* the service is known */
	struct {
		struct fmp_addr source; /* where it came from; {0}: none */
		struct fmp_addr key; /* source key of a remote service */
		uint16_t port;
		int status;
		uint8_t *body;
		size_t len;
		struct fmp_field_list fields; /* that are forwarded */
		char *origin; /* of a description to be passed: by which the client sees us */
	} reply; /* a service's reply, while it is inspected or secured */
	struct {
		struct gw_call *handle; /* NULL: none */
		size_t request_bytes; /* bytes of the request in the call */
		size_t reply_bytes; /* bytes of the reply: received or reserved; until it is forwarded */
		size_t reply_wanted; /* bytes to reserve; 0: it does not wait for a reservation */
		bool reserved; /* it has a reservation */
	} call;
	struct {
		size_t least; /* bytes that the client has to read from one check to the next */
		uint64_t acked; /* acknowledged at the last check, of all sent */
		unsigned checks;
	} progress; /* progress of the client in reading its reply */
	struct {
		bool open; /* a service's reply is being passed to the client as it comes */
		bool chunked;
		bool paused; /* until the client has read what is buffered */
		bool stalled; /* it was paused at the last check, and has been since */
	} relay;
	struct gw_upload *upload; /* the rest of the request is still to come or to be read; NULL */
	struct fmp_reply_context *reply_context; /* for securing the reply, one allocation; NULL */
	int soap_version; /* of the message at the service */
	bool keep_alive, continued;
	uint64_t arrived_ns; /* last byte of the request, CLOCK_BOOTTIME */
	uint64_t cpu_ns; /* spent on reading the request */
	uint64_t cpu_start; /* CPU clock when reading continued; 0: not reading */
	size_t drained; /* while lingering */
	size_t buffered; /* its part of shared->buffered */
};

void gw_connection_enter(struct gw_connection *c, enum gw_connection_state state);
void gw_connection_arm(struct gw_connection *c, uint64_t ms);
/** gw_connection_evict_class() - how a connection in this state gives way to a new one */
enum gw_evict_class gw_connection_evict_class(const struct gw_connection *c,
					      enum gw_connection_state state);
/** gw_connection_response_started() - the reply was passed to the stream: free all it was made of. */
void gw_connection_response_started(struct gw_connection *c);
/** gw_connection_response_sent() - the reply is sent: read the next request, or close. */
void gw_connection_response_sent(struct gw_connection *c);
/** gw_connection_can_abort() - not if a worker or the service works for it: it ends soon by itself. */
bool gw_connection_can_abort(const struct gw_connection *c);
/** gw_connection_abort() - end it to free its buffers. Not charged: a source may be many clients. */
void gw_connection_abort(struct gw_connection *c);
void gw_connection_destroy(struct gw_connection *c);
/** gw_connection_cpu_ns() - CPU time spent on reading the request. */
uint64_t gw_connection_cpu_ns(const struct gw_connection *c);
/** gw_connection_charge() - report an event about the client. @cpu_ns: spent elsewhere */
void gw_connection_charge(struct gw_connection *c, enum fmp_event_kind kind, uint64_t cpu_ns,
			  const char *detail);
/** gw_connection_set_reason() - why it is refused, for the access log; NULL: it is not */
void gw_connection_set_reason(struct gw_connection *c, const char *detail);

/** gw_respond_from_backend() - send a service's reply, with the fields of c->reply. */
void gw_respond_from_backend(struct gw_connection *c, int status, const char *type,
			     const void *body, size_t len);
/**
 * gw_respond_begin_relay() - send the head of a service's reply whose body follows, with the fields
 * of c->reply. @len: of the body; NULL: not known
 */
void gw_respond_begin_relay(struct gw_connection *c, int status, const char *type,
			    const uint64_t *len);
/** gw_respond() - send a reply of the gateway; a 503 has Retry-After. */
void gw_respond(struct gw_connection *c, int status, const char *type, const void *body,
		size_t len);
/** gw_respond_fault() - send a Fault. 503: the message was not delivered and may be repeated. */
void gw_respond_fault(struct gw_connection *c, int soap_version, int status, bool sender,
		      const char *reason);
/**
 * gw_respond_refusal() - refuse a request. Closes the connection: the start of the next request is
 * not known.
 */
void gw_respond_refusal(struct gw_connection *c, enum fmp_event_kind kind, int status, bool charged,
			const char *detail);
/** gw_respond_is_too_slow() - check the client's progress in reading. Return: true: too slow. */
bool gw_respond_is_too_slow(struct gw_connection *c);
/**
 * gw_respond_blocked() - refuse a blocked client behind a proxy; like a dropped frame it is not
 * charged.
 */
void gw_respond_blocked(struct gw_connection *c);

#endif
