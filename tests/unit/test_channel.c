// SPDX-License-Identifier: GPL-2.0
/* daemon/fmpd/supervisor/channel.c: messages to a gateway that does not read for a while. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include <fmp/wire.h>

#include "../../daemon/fmpd/common/log.h"
#include "../../daemon/fmpd/supervisor/supervisor_private.h"
#include "addr.h"
#include "run.h"

static struct fmp_policy *policy;
static struct fmp_protect *protect;
static struct fmp_net *net;
static struct fmpd_supervisor supervisor;
static struct gateway_process process;
static int gateway; /* its end of the channel */
static unsigned killed;

/* ---- stubs for the plane and for supervisor.c ---- */

void fmpd_plane_view(const struct fmpd_plane *p, struct fmpd_plane_view *v)
{
	static const struct fmp_translators none;

	*v = (struct fmpd_plane_view){ .policy = policy, .protect = protect, .translators = &none };
}

void fmpd_plane_event(struct fmpd_plane *p, const struct fmp_event *ev)
{
}

void fmpd_plane_flush(struct fmpd_plane *p)
{
}

static void count_killed(struct gateway_process *g)
{
	killed++;
}

static const struct channel_hooks hooks = { .on_broken = count_killed };

void fmpd_log(enum fmpd_level level, const char *event, const char *format, ...)
{
}

/* ---- */

static void setup(void)
{
	struct fmp_gateway_process ends = { .log_fd = -1 };
	int events[2], logs[2];

	policy = fmp_policy_default();
	ck_assert_int_eq(fmp_protect_new(&protect, NULL), 0);
	ck_assert_int_eq(fmp_net_new_static(&net, NULL), 0);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, events), 0);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, logs), 0);
	supervisor = (struct fmpd_supervisor){ .base = event_base_new(), .channel_hooks = &hooks };
	LIST_INIT(&supervisor.gateways);
	process = (struct gateway_process){ .s = &supervisor, .ready = true };
	LIST_INSERT_HEAD(&supervisor.gateways, &process, list);
	ends.event_fd = events[0];
	ends.log_fd = logs[0];
	gateway = events[1];
	close(logs[1]);
	ck_assert_int_eq(supervisor_open_channel(&process, &ends), 0);
	killed = 0;
}

static void teardown(void)
{
	bufferevent_free(process.events);
	bufferevent_free(process.logs);
	event_base_free(supervisor.base);
	close(gateway);
	fmp_protect_free(protect);
	fmp_net_free(net);
	fmp_policy_free(policy);
}

static void protect_address(const char *address)
{
	struct fmp_addr a = addr(address);

	ck_assert_int_eq(fmp_protect_add(protect, &a), 0);
	ck_assert_int_ge(fmp_protect_rebuild(protect, net, "/dev/null", NULL, 0, NULL), 0);
	fmpd_supervisor_send_shared_prefixes(&supervisor);
}

/* Read all that the gateway gets in the next turns of the loop; the caller frees it. */
static struct evbuffer *read_all(void)
{
	struct evbuffer *all = evbuffer_new();
	unsigned idle = 0;

	while (idle < 3) {
		event_base_loop(supervisor.base, EVLOOP_NONBLOCK);
		idle = evbuffer_read(all, gateway, 65536) > 0 ? 0 : idle + 1;
	}
	return all;
}

/* Skip the filler, and count the documentation prefixes in the last message. */
static unsigned last_prefixes(struct evbuffer *in, size_t filler)
{
	struct fmp_addr ours = addr("2001:db8::/32"), a;
	struct fmp_wire_field f;
	struct fmp_wire_in msg;
	unsigned n = 0;
	size_t used;

	evbuffer_drain(in, filler);
	while (evbuffer_get_length(in)) {
		ck_assert_int_eq(fmp_wire_parse(evbuffer_pullup(in, -1), evbuffer_get_length(in),
						FMP_WIRE_MAX, &msg, &used),
				 0);
		ck_assert_int_eq(msg.type, FMP_MSG_GW_SHARED);
		for (n = 0; fmp_wire_next(&msg, &f) > 0;) {
			ck_assert_int_eq(fmp_wire_get_addr(&f, &a), 0);
			n += fmp_addr_contains(&ours, &a);
		}
		evbuffer_drain(in, used);
	}
	return n;
}

START_TEST(prefixes_at_once)
{
	struct evbuffer *in;

	protect_address("2001:db8:1::1");
	protect_address("2001:db8:2::1");
	in = read_all();
	ck_assert_uint_eq(last_prefixes(in, 0), 2);
	evbuffer_free(in);
}
END_TEST

/* A megabyte is buffered: the prefixes are sent once, when the gateway has read that, with all that there are then. */
START_TEST(prefixes_of_one_that_did_not_read)
{
	static char filler[1 << 20];
	struct evbuffer *in;

	bufferevent_write(process.events, filler, sizeof(filler));
	event_base_loop(supervisor.base, EVLOOP_NONBLOCK);
	protect_address("2001:db8:1::1");
	protect_address("2001:db8:2::1");
	in = read_all();
	ck_assert_uint_gt(evbuffer_get_length(in), sizeof(filler));
	ck_assert_uint_eq(last_prefixes(in, sizeof(filler)), 2);
	evbuffer_free(in);
	/* They are not sent again. */
	in = read_all();
	ck_assert_uint_eq(evbuffer_get_length(in), 0);
	evbuffer_free(in);
	ck_assert_uint_eq(killed, 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("channel");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, prefixes_at_once);
	tcase_add_test(tc, prefixes_of_one_that_did_not_read);
	return run_tcase("channel", tc);
}
