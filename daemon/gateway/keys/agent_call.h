/* SPDX-License-Identifier: GPL-2.0 */
/* Requests to a key agent: by a worker, which has nothing else to do, and by the listener. */
#ifndef GW_AGENT_CALL_H
#define GW_AGENT_CALL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct gw_key_agent_reply;
struct gw_key_agent_request;

/**
 * The listener serves all clients, and waits for a signature: an agent that does not reply within
 * this time is given up, and none is asked for GW_CLIENT_AGENT_PAUSE_MS. On a PC a signature by
 * RSA takes 0.3 ms with 2048 bits, 4 ms with 4096, 30 ms with 8192; the way to the agent and back adds
 * 0.02 ms.
 */
#define GW_CLIENT_AGENT_WAIT_MS	 1000
#define GW_CLIENT_AGENT_PAUSE_MS 10000

/**
 * gw_agent_call() - send a request and wait for the reply
 * @bytes: @n bytes behind the request's head
 *
 * Return: number of bytes in the reply; negative: the agent is gone, or the socket's time is over.
 */
ssize_t gw_agent_call(int fd, struct gw_key_agent_request *r, const void *bytes, size_t n,
		      struct gw_key_agent_reply *a);

/** gw_client_agent_set() - @first: socket of the agent that loaded the client keys; -1: none. */
void gw_client_agent_set(int first);
/**
 * gw_client_agent_call() - gw_agent_call() for the listener, to an agent process that it starts
 * when it needs one. Return: negative also if there was none in time; standard error tells why.
 */
ssize_t gw_client_agent_call(struct gw_key_agent_request *r, const void *bytes, size_t n,
			     struct gw_key_agent_reply *a);

#endif
