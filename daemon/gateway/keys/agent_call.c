// SPDX-License-Identifier: GPL-2.0
#include "agent_call.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "../common/clock.h"
#include "../common/helper.h"
#include "key_agent.h"

#define REPLY_HEAD offsetof(struct gw_key_agent_reply, bytes)

ssize_t gw_agent_call(int fd, struct gw_key_agent_request *r, const void *bytes, size_t n,
		      struct gw_key_agent_reply *a)
{
	ssize_t got;

	if (n > sizeof(r->bytes))
		return -1;
	memcpy(r->bytes, bytes, n);
	if (send(fd, r, offsetof(struct gw_key_agent_request, bytes) + n, MSG_NOSIGNAL) < 0)
		return -1;
	do
		got = recv(fd, a, sizeof(*a), 0);
	while (got < 0 && errno == EINTR);
	return got < (ssize_t)REPLY_HEAD ? -1 : got - (ssize_t)REPLY_HEAD;
}

/* ---- the listener's ---- */

static int first_fd = -1, own_fd = -1;
static uint64_t paused_until_ms;

static uint64_t get_ms(void)
{
	return gw_clock_ns(CLOCK_BOOTTIME) / 1000000u;
}

static void limit_wait(int fd)
{
	const struct timeval limit = { .tv_sec = GW_CLIENT_AGENT_WAIT_MS / 1000,
				       .tv_usec = GW_CLIENT_AGENT_WAIT_MS % 1000 * 1000 };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

static void stop_agent(void)
{
	if (own_fd >= 0)
		close(own_fd);
	own_fd = -1;
}

void gw_client_agent_set(int first)
{
	stop_agent();
	first_fd = first;
	paused_until_ms = 0;
	if (first >= 0)
		limit_wait(first);
}

/* Without the first agent no other can be had: exit, and fmpd starts all anew. */
static bool start_agent(void)
{
	int pair[2];
	bool passed;

	if (first_fd < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return false;
	passed = gw_helper_send_fd(first_fd, pair[1]);
	if (!passed && errno == EPIPE) {
		fputs("fmp-gateway: the key agent of client certificates has ended\n", stderr);
		_exit(EXIT_FAILURE);
	}
	close(pair[1]);
	own_fd = pair[0];
	limit_wait(own_fd);
	if (!passed)
		stop_agent();
	return passed;
}

/* An agent that has ended is replaced once; one that is late is not asked again. */
static ssize_t call_agent(struct gw_key_agent_request *r, const void *bytes, size_t n,
			  struct gw_key_agent_reply *a)
{
	ssize_t got = -1;
	bool late = false;

	for (int tries = 0; tries < 2 && got < 0 && !late; tries++) {
		if (own_fd < 0 && !start_agent())
			return -1;
		errno = 0;
		got = gw_agent_call(own_fd, r, bytes, n, a);
		late = errno == EAGAIN;
		/* A late reply would be that to another request. */
		if (got < 0)
			stop_agent();
	}
	return got;
}

ssize_t gw_client_agent_call(struct gw_key_agent_request *r, const void *bytes, size_t n,
			     struct gw_key_agent_reply *a)
{
	uint64_t start = get_ms();
	ssize_t got;

	if (start < paused_until_ms)
		return -1;
	got = call_agent(r, bytes, n, a);
	if (got >= 0)
		return got;
	paused_until_ms = get_ms() + GW_CLIENT_AGENT_PAUSE_MS;
	fprintf(stderr,
		"fmp-gateway: no signature for a TLS client certificate: no reply of the key agent "
		"after %u ms; it is asked again in %u s\n",
		(unsigned)(get_ms() - start), GW_CLIENT_AGENT_PAUSE_MS / 1000);
	return -1;
}
