// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps the module busy while something else happens to it
 *
 * churn rules N    N times: adds rules of all kinds, some with little time left, and
 *                  deletes or flushes some of them
 * churn expire N   N times: adds rules that end in 1 to 3 ms, and deletes them then
 * churn fresh N    N times: adds blocks of addresses that were never there, with an end
 * churn dump N     N times: dumps the rules and judges the dump
 * churn attach N DEV   N times: attaches and detaches a device, observing or not
 * churn air DEV    sends frames from a station, from few addresses, until it is killed
 *                  or the station is gone
 *
 * A refusal is no fault here: others are at work, too. Ends with 0; with 1 if a dump
 * is wrong; with 3 if it can't go on.
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

static void nap_ms(unsigned int ms)
{
	struct timespec t = { .tv_nsec = ms * 1000000L };

	nanosleep(&t, NULL);
}

static int rules(struct channel *ch, unsigned long n)
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

static int expire(struct channel *ch, unsigned long n)
{
	struct model_rule rule[BATCH];
	unsigned int i;

	while (n--) {
		for (i = 0; i < BATCH; i++) {
			frame_rule(&r, &rule[i]);
			ruleset_add(ch, &rule[i], 1 + random_below(&r, 3));
		}
		nap_ms(random_below(&r, 3));
		for (i = 0; i < BATCH; i++)
			ruleset_del(ch, &rule[i]);
	}
	return 0;
}

static int fresh(struct channel *ch, unsigned long n)
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

static int dump(struct channel *ch, unsigned long n)
{
	const char *wrong = NULL;
	unsigned int timed;

	while (n-- && !wrong)
		wrong = state_check(ch, &timed);
	if (wrong)
		printf("churn: %s\n", wrong);
	return !!wrong;
}

static int attach(struct channel *ch, unsigned long n, const char *dev)
{
	while (n--) {
		ruleset_attach(ch, dev, random_once_in(&r, 2));
		ruleset_detach(ch, dev);
	}
	return 0;
}

static int air(const char *dev)
{
	static const uint8_t everybody[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = if_nametoindex(dev) };
	int sock = socket(AF_PACKET, SOCK_RAW, 0);
	static uint8_t frame[BURST][2048];
	struct mmsghdr msg[BURST] = { 0 };
	struct iovec iov[BURST];
	unsigned int i;

	if (sock < 0 || !to.sll_ifindex || bind(sock, (struct sockaddr *)&to, sizeof(to)))
		channel_die(dev);
	/*
	 * Not past the queues: packet_direct_xmit() of 6.1 divides by the number of those of a
	 * device that has just gone.
	 */
	for (i = 0; i < BURST; i++) {
		iov[i].iov_base = frame[i];
		msg[i].msg_hdr.msg_iov = &iov[i];
		msg[i].msg_hdr.msg_iovlen = 1;
	}
	for (;;) {
		for (i = 0; i < BURST; i++)
			iov[i].iov_len = frame_make(&r, frame[i], everybody);
		if (sendmmsg(sock, msg, BURST, 0) >= 0)
			continue;
		/* Down for a moment, or gone for good. */
		if (errno == ENXIO || errno == ENODEV)
			return 0;
		nap_ms(1);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
	struct channel ch;

	r.state = getpid();
	if (!strcmp(what, "air"))
		return air(argv[2]);
	if (!n) {
		fprintf(stderr, "churn: see the head of churn.c\n");
		return 2;
	}
	channel_open(&ch);
	if (!strcmp(what, "rules"))
		return rules(&ch, n);
	if (!strcmp(what, "expire"))
		return expire(&ch, n);
	if (!strcmp(what, "fresh"))
		return fresh(&ch, n);
	if (!strcmp(what, "dump"))
		return dump(&ch, n);
	if (!strcmp(what, "attach") && argc > 3)
		return attach(&ch, n, argv[3]);
	fprintf(stderr, "churn: see the head of churn.c\n");
	return 2;
}
