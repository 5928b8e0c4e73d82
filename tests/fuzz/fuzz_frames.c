// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: frames [--seed N] [--frames N] RECEIVER SENDER
 *
 * Sends random and bent frames from station SENDER, in the network namespace of
 * process 1, to station RECEIVER of our own, in rounds; every few rounds there are
 * other rules. After each round the counters must have grown by what the model
 * (model.c) makes of its frames: as many passed, stopped and observed, no byte
 * missing; and the radio must have delivered what the filter passed. So no
 * protected frame was stopped and no blocked one passed.
 *
 * A round that does not add up is sent again frame by frame, to name the culprit.
 * Nothing but SENDER may send on the medium to RECEIVER meanwhile, and the medium
 * must hold all frames of a round.
 *
 * The same seed gives the same frames and rules. Ends with 0, or 1.
 */
#include "counters.h"
#include "frame.h"
#include "ruleset.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROUND	    256
#define RULES_EACH  16
#define DRAIN_TRIES 60000 /* of 1 ms */

struct bench {
	struct fuzz_random r;
	struct channel ch;
	struct model model;
	const char *dev;
	int sock;
	uint8_t frame[ROUND][2048];
	size_t len[ROUND];
	unsigned long sent, fate[MODEL_FOREIGN + 1];
};

static unsigned long long seed;

static void learn_mac(struct bench *b)
{
	struct ifreq ifr = { 0 };
	int sock = socket(AF_INET, SOCK_DGRAM, 0);

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", b->dev);
	if (ioctl(sock, SIOCGIFHWADDR, &ifr))
		channel_die(b->dev);
	memcpy(b->model.mac, ifr.ifr_hwaddr.sa_data, 6);
	close(sock);
}

/* A socket keeps the network namespace that it was made in. */
static void open_sender(struct bench *b, const char *sender)
{
	int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	int theirs = open("/proc/1/ns/net", O_RDONLY | O_CLOEXEC);
	struct sockaddr_ll to = { .sll_family = AF_PACKET };
	int one = 1;

	if (home < 0 || theirs < 0 || setns(theirs, CLONE_NEWNET))
		channel_die("network namespace of process 1");
	b->sock = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	to.sll_ifindex = if_nametoindex(sender);
	if (b->sock < 0 || !to.sll_ifindex || bind(b->sock, (struct sockaddr *)&to, sizeof(to)))
		channel_die(sender);
	setsockopt(b->sock, SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof(one));
	if (setns(home, CLONE_NEWNET))
		channel_die("own network namespace");
	close(home);
	close(theirs);
}

static void send_frames(struct bench *b, unsigned int from, unsigned int n)
{
	struct mmsghdr msg[ROUND] = { 0 };
	struct iovec iov[ROUND];
	unsigned int i;

	for (i = 0; i < n; i++) {
		iov[i].iov_base = b->frame[from + i];
		iov[i].iov_len = b->len[from + i];
		msg[i].msg_hdr.msg_iov = &iov[i];
		msg[i].msg_hdr.msg_iovlen = 1;
	}
	for (i = 0; i < n;) {
		int sent = sendmmsg(b->sock, msg + i, n - i, 0);

		if (sent < 0 && errno != ENOBUFS && errno != EINTR)
			channel_die("send frames");
		i += sent > 0 ? sent : 0;
	}
}

static void drain(struct bench *b, uint64_t done)
{
	int tries;

	for (tries = 0; tries < DRAIN_TRIES; tries++) {
		if (counters_radio_done(b->dev) >= done)
			return;
		if (tries < 16)
			sched_yield();
		else
			usleep(1000);
	}
	errno = ETIMEDOUT;
	channel_die("the receiver does not receive");
}

/* Sends and judges; NULL, or what does not add up. */
static const char *try(struct bench *b, unsigned int from, unsigned int n, bool speak)
{
	uint64_t before[COUNTERS], after[COUNTERS];
	unsigned long fate[MODEL_FOREIGN + 1] = { 0 }, bytes = 0;
	const char *fault = NULL;
	unsigned int i;

	for (i = from; i < from + n; i++) {
		fate[model_judge(&b->model, b->frame[i], b->len[i])]++;
		bytes += b->len[i];
	}
	counters_read(&b->ch, b->dev, before);
	send_frames(b, from, n);
	drain(b, before[RADIO_FRAMES] + before[RADIO_OVERRUNS] + n);
	counters_read(&b->ch, b->dev, after);
	for (i = 0; i < COUNTERS; i++)
		after[i] -= before[i];

	if (after[RADIO_OVERRUNS])
		fault = "the receiver was overrun";
	else if (after[FILTER_FRAMES] != n)
		fault = "frames that the filter did not see";
	else if (after[FILTER_PASSED] != fate[MODEL_PASS] + fate[MODEL_OBSERVED])
		fault = "frames passed";
	else if (after[RADIO_DELIVERED] != after[FILTER_PASSED])
		fault = "frames delivered";
	else if (after[FILTER_OBSERVED] != fate[MODEL_OBSERVED])
		fault = "frames observed";
	else if (after[FILTER_STOPPED_MAC] + after[FILTER_STOPPED_IP] +
			 after[FILTER_STOPPED_FOREIGN] + after[FILTER_LATE] !=
		 fate[MODEL_STOP] + fate[MODEL_FOREIGN])
		fault = "frames stopped";
	else if (after[FILTER_STOPPED_FOREIGN] > fate[MODEL_FOREIGN] ||
		 after[FILTER_STOPPED_FOREIGN] + after[FILTER_LATE] < fate[MODEL_FOREIGN])
		fault = "foreign frames";
	else if (after[FILTER_BYTES] + after[FILTER_STOPPED_BYTES] != bytes)
		fault = "bytes";
	for (i = 0; i <= MODEL_FOREIGN; i++)
		b->fate[i] += fate[i];
	for (i = 0; fault && speak && i < COUNTERS; i++)
		printf("    %s %llu\n", counter_name[i], (unsigned long long)after[i]);
	if (fault && speak)
		printf("    expected: passed %lu observed %lu stopped %lu foreign %lu\n",
		       fate[MODEL_PASS], fate[MODEL_OBSERVED], fate[MODEL_STOP],
		       fate[MODEL_FOREIGN]);
	return fault;
}

static void name_culprit(struct bench *b, const char *fault)
{
	unsigned int i, k;

	printf("wrong: %s (seed %llu, near frame %lu)\n", fault, seed, b->sent);
	ruleset_print(&b->model);
	for (i = 0; i < ROUND; i++) {
		fault = try(b, i, 1, false);
		if (!fault)
			continue;
		printf("    alone: %s:", fault);
		for (k = 0; k < b->len[i] && k < 128; k++)
			printf(" %02x", b->frame[i][k]);
		printf(" (%zu bytes)\n", b->len[i]);
		try(b, i, 1, true);
		exit(1);
	}
	printf("    no frame of the round alone\n");
	exit(1);
}

static void round_of(struct bench *b)
{
	const char *fault;
	unsigned int i;

	for (i = 0; i < ROUND; i++)
		b->len[i] = frame_make(&b->r, b->frame[i], b->model.mac);
	fault = try(b, 0, ROUND, true);
	if (fault)
		name_culprit(b, fault);
	b->sent += ROUND;
}

static void run(struct bench *b, unsigned long frames)
{
	time_t start = time(NULL), said = start;
	unsigned long rounds = 0;

	while (b->sent < frames) {
		if (rounds++ % RULES_EACH == 0)
			ruleset_change(&b->ch, &b->r, &b->model, b->dev);
		round_of(b);
		if (time(NULL) < said + 15)
			continue;
		said = time(NULL);
		printf("   %lu of %lu frames\n", b->sent, frames);
	}
	ruleset_clear(&b->ch, b->dev);
	printf("   seed %llu: frames %lu passed %lu observed %lu stopped %lu foreign %lu "
	       "seconds %ld\n",
	       seed, b->sent, b->fate[MODEL_PASS], b->fate[MODEL_OBSERVED], b->fate[MODEL_STOP],
	       b->fate[MODEL_FOREIGN], (long)(time(NULL) - start));
}

static unsigned long long number(const char *text)
{
	char *end;
	unsigned long long n = text ? strtoull(text, &end, 0) : 0;

	if (!text || !*text || *end) {
		fprintf(stderr, "frames: not a number: %s\n", text ?: "");
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	struct bench *b = calloc(1, sizeof(*b));
	unsigned long frames = 50000;
	int i = 1;

	seed = time(NULL);
	for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
		if (!strcmp(argv[i], "--seed"))
			seed = number(argv[i + 1]);
		else if (!strcmp(argv[i], "--frames"))
			frames = number(argv[i + 1]);
		else
			break;
	}
	if (!b || argc != i + 2) {
		fprintf(stderr, "frames: RECEIVER and SENDER are expected\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("   seed %llu, %lu frames\n", seed, frames);
	b->r.state = seed;
	b->dev = argv[i];
	learn_mac(b);
	channel_open(&b->ch);
	open_sender(b, argv[i + 1]);
	run(b, frames);
	return 0;
}
