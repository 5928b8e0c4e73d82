// SPDX-License-Identifier: GPL-2.0
/*
 * Load on the module for tests of races
 *
 * churn rules N    N times: adds rules of all kinds, some with a short timeout, and
 *                  deletes or flushes some of them
 * churn expire N   N times: adds rules with a timeout of 1 to 3 ms, and deletes them then
 * churn fresh N    N times: adds blocks of new addresses, with a timeout
 * churn dump N     N times: dumps the rules and checks the dump
 * churn attach N DEV   N times: attaches and detaches a device, with observe or without
 * churn air DEV    sends frames from a station, from few addresses, until it is killed
 *                  or the station is deleted
 *
 * Errors of the kernel are expected, because other programs change rules too. The exit
 * code is 0; 1 if a dump is wrong; 3 if it can't continue.
 */
#include "frame.h"
#include "ruleset.h"
#include "state.h"

#include <errno.h>
#include <linux/fmp.h>
#include <linux/genetlink.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BATCH 16
#define BURST 32

static struct test_random r = { 1 };

static void sleep_ms(unsigned int ms)
{
	struct timespec t = { .tv_nsec = ms * 1000000L };

	nanosleep(&t, NULL);
}

static int churn_rules(struct channel *ch, unsigned long n)
{
	struct model_rule rule[BATCH];
	unsigned int i;

	while (n--) {
		for (i = 0; i < BATCH; i++) {
			frame_rule(&r, &rule[i]);
			ruleset_add(ch, &rule[i],
				    random_once_in(&r, 2) ? 0 : 1 + random_below(&r, 20));
		}
		for (i = 0; i < BATCH; i++) {
			if (random_once_in(&r, 2))
				ruleset_del(ch, &rule[i]);
		}
		if (random_once_in(&r, 16))
			ruleset_flush(ch);
	}
	return 0;
}

static int churn_expire(struct channel *ch, unsigned long n)
{
	struct model_rule rule[BATCH];
	unsigned int i;

	while (n--) {
		for (i = 0; i < BATCH; i++) {
			frame_rule(&r, &rule[i]);
			ruleset_add(ch, &rule[i], 1 + random_below(&r, 3));
		}
		sleep_ms(random_below(&r, 3));
		for (i = 0; i < BATCH; i++)
			ruleset_del(ch, &rule[i]);
	}
	return 0;
}

static int churn_fresh(struct channel *ch, unsigned long n)
{
	struct model_rule rule = { .verdict = FMP_VERDICT_BLOCK };
	unsigned int i;
	uint64_t bits;

	for (; n; n--) {
		for (i = 0; i < BATCH; i++) {
			bits = random_u64(&r);
			rule.by_mac = random_once_in(&r, 2);
			rule.ip = rule.by_mac ? 0 : 4;
			rule.plen = rule.by_mac ? 0 : 32;
			memcpy(rule.mac, &bits, sizeof(rule.mac));
			rule.mac[0] = 2;
			memcpy(rule.addr, &bits, sizeof(bits));
			ruleset_add(ch, &rule, 60000 + random_below(&r, 1000));
		}
	}
	return 0;
}

static int churn_dump(struct channel *ch, unsigned long n)
{
	const char *wrong = NULL;
	unsigned int timed;

	while (n-- && !wrong)
		wrong = state_check(ch, &timed);
	if (wrong)
		printf("churn: %s\n", wrong);
	return !!wrong;
}

static int churn_attach(struct channel *ch, unsigned long n, const char *dev)
{
	while (n--) {
		ruleset_attach(ch, dev, random_once_in(&r, 2));
		ruleset_detach(ch, dev);
	}
	return 0;
}

static int churn_air(const char *dev)
{
	static const uint8_t broadcast[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = if_nametoindex(dev) };
	int sock = socket(AF_PACKET, SOCK_RAW, 0);
	static uint8_t frame[BURST][2048];
	struct mmsghdr msg[BURST] = { 0 };
	struct iovec iov[BURST];
	unsigned int i;

	if (sock < 0 || !to.sll_ifindex || bind(sock, (struct sockaddr *)&to, sizeof(to)))
		channel_die(dev);
	/*
	 * No PACKET_QDISC_BYPASS: packet_direct_xmit() of 6.1 divides by the number of queues,
	 * which is 0 for a device that was just deleted.
	 */
	for (i = 0; i < BURST; i++) {
		iov[i].iov_base = frame[i];
		msg[i].msg_hdr.msg_iov = &iov[i];
		msg[i].msg_hdr.msg_iovlen = 1;
	}
	for (;;) {
		for (i = 0; i < BURST; i++)
			iov[i].iov_len = frame_make(&r, frame[i], broadcast);
		if (sendmmsg(sock, msg, BURST, 0) >= 0)
			continue;
		/* The device is down for a moment, or deleted. */
		if (errno == ENXIO || errno == ENODEV)
			return 0;
		sleep_ms(1);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[1] : "";
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
	struct channel ch;

	r.state = getpid();
	if (!strcmp(mode, "air"))
		return churn_air(argv[2]);
	if (!n) {
		fprintf(stderr, "churn: see the head of churn.c\n");
		return 2;
	}
	channel_open(&ch);
	if (!strcmp(mode, "rules"))
		return churn_rules(&ch, n);
	if (!strcmp(mode, "expire"))
		return churn_expire(&ch, n);
	if (!strcmp(mode, "fresh"))
		return churn_fresh(&ch, n);
	if (!strcmp(mode, "dump"))
		return churn_dump(&ch, n);
	if (!strcmp(mode, "attach") && argc > 3)
		return churn_attach(&ch, n, argv[3]);
	fprintf(stderr, "churn: see the head of churn.c\n");
	return 2;
}
