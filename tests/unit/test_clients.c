// SPDX-License-Identifier: GPL-2.0
/* Peers that keep connecting to a socket of fmpd must not keep it from other work. */
#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../daemon/fmpd/control/clients.h"
#include "run.h"

#define KNOCKS 1000

static struct fmpd_clients all;
static struct event_base *base;
static unsigned knocks, knocks_before_turn;

static void connect_once(void)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	ck_assert_int_ge(fd, 0);
	snprintf(sun.sun_path, sizeof(sun.sun_path), "%s", all.path);
	ck_assert_int_eq(connect(fd, (const struct sockaddr *)&sun, sizeof(sun)), 0);
	close(fd);
}

/* Refuse the peer, but connect again first, so that the queue is never empty. */
static bool refuse_client(void *ctx, int fd, unsigned uid)
{
	if (++knocks < KNOCKS)
		connect_once();
	return false;
}

static bool close_client(void *ctx, struct fmpd_client *c, struct fmp_wire_in *in)
{
	return false;
}

static const struct fmpd_clients_kind kind = {
	.log = "test",
	.close_reason = "",
	.max_clients = 4,
	.message_max = 64,
	.is_allowed = refuse_client,
	.handle = close_client,
};

static void on_turn(evutil_socket_t fd, short what, void *ctx)
{
	knocks_before_turn = knocks;
	if (knocks)
		event_base_loopbreak(base);
}

/* A refused peer that connects without pause does not stop other events. */
START_TEST(others_have_their_turn)
{
	char folder[] = "/tmp/clients.XXXXXX";
	struct fmp_error err = { 0 };
	struct event *other;
	int ends[2];

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(all.path, sizeof(all.path), "%s/socket", folder);
	base = event_base_new();
	ck_assert_int_eq(fmpd_clients_bind(&all, &kind, 0600, NULL, &err), 0);
	ck_assert_int_eq(fmpd_clients_run(&all, base, &err), 0);
	connect_once();
	/* Another event is ready all the time. */
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], "", 1), 1);
	other = event_new(base, ends[0], EV_READ | EV_PERSIST, on_turn, NULL);
	ck_assert_int_eq(event_add(other, NULL), 0);
	event_base_dispatch(base);
	ck_assert_uint_lt(knocks_before_turn, KNOCKS);
	event_free(other);
	close(ends[0]);
	close(ends[1]);
	fmpd_clients_close(&all);
	event_base_free(base);
	rmdir(folder);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("clients");

	tcase_add_test(tc, others_have_their_turn);
	return run_tcase("clients", tc);
}
