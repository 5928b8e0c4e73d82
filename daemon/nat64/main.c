// SPDX-License-Identifier: GPL-2.0
/*
 * fmp-nat64: finds the network's NAT64 prefix for fmpd, which reads nothing from the network. It
 * runs without privileges, and sends nothing but struct fmp_nat64_found.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "confine.h"
#include "finder.h"
#include "resolve.h"
#include "router.h"

#define CHANNEL_FD 3

static uint64_t get_now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec;
}

static void on_prefix(void *ctx, const struct fmp_nat64_found *f, const struct nat64_router *from)
{
	/* Any host on the link can send an advertisement. */
	if (nat64_router_is_default(from, false))
		nat64_finder_advertised(ctx, f, from, get_now_s());
}

/* Withdraw a prefix only if the router is known to be no default router any more. */
static bool is_still_default(const struct nat64_router *r)
{
	return nat64_router_is_default(r, true);
}

static void on_change(void *ctx)
{
	nat64_finder_changed(ctx, get_now_s());
}

/* fmpd reads at once; if sending fails, fmpd is gone. */
static void report_prefix(void *ctx, const struct fmp_nat64_found *f)
{
	if (send(CHANNEL_FD, f, sizeof(*f), MSG_NOSIGNAL) != sizeof(*f))
		_exit(0);
}

static void query_dns(struct nat64_finder *finder)
{
	struct fmp_nat64_found found[FMP_NAT64_FOUND_MAX];
	int n = nat64_router_is_default(NULL, true) ? nat64_resolve(found) : NAT64_NO_ROUTE;

	nat64_finder_resolved(finder, found, n, get_now_s());
}

static void run_finder(int router_fd)
{
	struct nat64_finder finder;
	const struct nat64_events events = { &finder, on_prefix, on_change };

	nat64_finder_init(&finder, is_still_default, report_prefix, NULL, get_now_s());
	for (;;) {
		struct pollfd fds[2] = { { .fd = CHANNEL_FD, .events = POLLIN },
					 { .fd = router_fd, .events = POLLIN } };
		uint64_t now = get_now_s(), due = nat64_finder_due(&finder);

		/* fmpd sends nothing: any event is its end. */
		if (poll(fds, 2, due > now ? (int)(due - now) * 1000 : 0) < 0 && errno != EINTR)
			return;
		if (fds[0].revents)
			return;
		if (fds[1].revents)
			nat64_router_read(router_fd, &events);
		if (nat64_finder_run(&finder, get_now_s()))
			query_dns(&finder);
	}
}

static int usage(FILE *to)
{
	fputs("usage: fmp-nat64 USER\n"
	      "\n"
	      "Looks for the network's own NAT64 prefix (RFC 7050, RFC 8781) as USER and tells fmpd, which\n"
	      "starts it, over descriptor 3.\n",
	      to);
	return to == stdout ? 0 : 2;
}

int main(int argc, char **argv)
{
	const char *why;
	int router_fd;

	if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return usage(stdout);
	if (argc == 2 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")))
		return printf("fmp-nat64 %s\n", FMP_VERSION) < 0;
	if (argc != 2 || fcntl(CHANNEL_FD, F_GETFD) < 0)
		return usage(stderr);
	signal(SIGINT, SIG_IGN); /* from a terminal: fmpd ends first */
	signal(SIGHUP, SIG_IGN);
	why = nat64_confine(argv[1]);
	if (why) {
		fprintf(stderr, "fmp-nat64: %s: %s\n", argv[1], why);
		return 1;
	}
	router_fd = nat64_router_open();
	if (router_fd < 0) {
		fprintf(stderr, "fmp-nat64: the kernel's notifications can't be had: %s\n",
			strerror(errno));
		return 1;
	}
	run_finder(router_fd);
	return 0;
}
