// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: frames [--seed N] [--frames N] SENDER NETNS/RECEIVER...
 *
 * Sends random and mutated frames from station SENDER in rounds. Each RECEIVER receives
 * them all, in its own network namespace with its own rules, which change every few
 * rounds; so each frame is evaluated once per receiver. N counts distinct frames. After
 * each round the counters of each receiver must have grown as the model (model.c)
 * predicts: the same numbers of frames passed, stopped and observed, and all bytes; and
 * the radio must have delivered the frames that the filter passed. So no protected frame
 * was stopped and no blocked frame passed.
 *
 * After a mismatch the round is sent again frame by frame, to find the frame at fault.
 * All receivers have the same MAC address. Only SENDER may send to them on the medium
 * meanwhile, and the medium must hold all frames of a round.
 *
 * The same seed gives the same frames and rules. The exit code is 0, or 1.
 */
#include "counters.h"
#include "distinct.h"
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
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROUND	      256
#define RECEIVERS_MAX 16
#define RULES_EACH    16
#define DRAIN_TRIES   60000 /* of 1 ms */

/**
 * struct checked - a receiver and the model of its rules
 * @rx: the receiver
 * @model: its rules
 * @last: its counters after the previous round
 */
struct checked {
	struct receiver rx;
	struct model model;
	uint64_t last[COUNTERS];
};

/**
 * struct bench - the run
 * @r: random generator of frames and rules
 * @rx: the receivers
 * @receivers: their number
 * @sock: socket of the sender
 * @frame: a round of frames
 * @len: their lengths
 * @seen: set of distinct frames sent so far
 * @sent: frames sent so far
 * @received: receptions so far
 * @result: receptions by result
 */
struct bench {
	struct test_random r;
	struct checked rx[RECEIVERS_MAX];
	unsigned int receivers;
	int sock;
	uint8_t frame[ROUND][2048];
	size_t len[ROUND];
	struct distinct seen;
	unsigned long sent, received, result[MODEL_FOREIGN + 1];
};

static unsigned long long seed;

static void open_sender(struct bench *b, const char *sender)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET };
	int one = 1;

	b->sock = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	to.sll_ifindex = if_nametoindex(sender);
	if (b->sock < 0 || !to.sll_ifindex || bind(b->sock, (struct sockaddr *)&to, sizeof(to)))
		channel_die(sender);
	setsockopt(b->sock, SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof(one));
}

/* Sockets stay in the network namespace that they were created in. */
static void open_receiver(struct bench *b, char *where)
{
	struct checked *j = &b->rx[b->receivers++];
	char *dev = strchr(where, '/');
	int home, theirs;
	char path[128];

	if (!dev) {
		fprintf(stderr, "frames: not NETNS/RECEIVER: %s\n", where);
		exit(2);
	}
	*dev++ = '\0';
	snprintf(path, sizeof(path), "/run/netns/%s", where);
	home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	theirs = open(path, O_RDONLY | O_CLOEXEC);
	if (home < 0 || theirs < 0 || setns(theirs, CLONE_NEWNET))
		channel_die(path);
	receiver_open(&j->rx, dev);
	memcpy(j->model.mac, j->rx.mac, sizeof(j->model.mac));
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

static void wait_received(const struct checked *j, unsigned int n)
{
	uint64_t done = j->last[RADIO_FRAMES] + j->last[RADIO_OVERRUNS] + n;
	int tries;

	for (tries = 0; tries < DRAIN_TRIES; tries++) {
		if (counters_radio_done(&j->rx) >= done)
			return;
		if (tries < 16)
			sched_yield();
		else
			usleep(1000);
	}
	errno = ETIMEDOUT;
	channel_die("the receiver does not receive");
}

/* Compares the counters with the model. Return: NULL, or the mismatch. */
static const char *compare_counters(const uint64_t n[COUNTERS], const unsigned long result[],
				    unsigned int frames, unsigned long bytes)
{
	if (n[RADIO_OVERRUNS])
		return "the receiver was overrun";
	if (n[FILTER_FRAMES] != frames)
		return "frames that the filter did not see";
	if (n[FILTER_PASSED] != result[MODEL_PASS] + result[MODEL_OBSERVED])
		return "frames passed";
	if (n[RADIO_DELIVERED] != n[FILTER_PASSED])
		return "frames delivered";
	if (n[FILTER_OBSERVED] != result[MODEL_OBSERVED])
		return "frames observed";
	if (n[FILTER_STOPPED_MAC] + n[FILTER_STOPPED_IP] + n[FILTER_STOPPED_FOREIGN] +
		    n[FILTER_LATE] !=
	    result[MODEL_STOP] + result[MODEL_FOREIGN])
		return "frames stopped";
	if (n[FILTER_STOPPED_FOREIGN] > result[MODEL_FOREIGN] ||
	    n[FILTER_STOPPED_FOREIGN] + n[FILTER_LATE] < result[MODEL_FOREIGN])
		return "foreign frames";
	if (n[FILTER_BYTES] + n[FILTER_STOPPED_BYTES] != bytes)
		return "bytes";
	return NULL;
}

static void print_counters(const uint64_t n[COUNTERS], const unsigned long result[])
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++)
		printf("    %s %llu\n", counter_name[i], (unsigned long long)n[i]);
	printf("    expected: passed %lu observed %lu stopped %lu foreign %lu\n",
	       result[MODEL_PASS], result[MODEL_OBSERVED], result[MODEL_STOP],
	       result[MODEL_FOREIGN]);
}

/* Checks a receiver's counters after frames were sent. Return: NULL, or the mismatch. */
static const char *check_receiver(struct bench *b, struct checked *j, unsigned int from,
				  unsigned int n, bool verbose)
{
	unsigned long result[MODEL_FOREIGN + 1] = { 0 }, bytes = 0;
	uint64_t now[COUNTERS], grown[COUNTERS];
	const char *fault;
	unsigned int i;

	for (i = from; i < from + n; i++) {
		result[model_evaluate(&j->model, b->frame[i], b->len[i])]++;
		bytes += b->len[i];
	}
	wait_received(j, n);
	counters_read(&j->rx, now);
	for (i = 0; i < COUNTERS; i++)
		grown[i] = now[i] - j->last[i];
	memcpy(j->last, now, sizeof(now));
	fault = compare_counters(grown, result, n, bytes);
	if (fault && verbose)
		print_counters(grown, result);
	for (i = 0; i <= MODEL_FOREIGN; i++)
		b->result[i] += result[i];
	return fault;
}

static void name_culprit(struct bench *b, struct checked *j, const char *fault)
{
	unsigned int i, k;

	printf("wrong: %s: %s (seed %llu, near %lu)\n", j->rx.dev, fault, seed, b->received);
	ruleset_print(&j->model);
	for (i = 0; i < ROUND; i++) {
		send_frames(b, i, 1);
		fault = check_receiver(b, j, i, 1, true);
		if (!fault)
			continue;
		printf("    alone: %s:", fault);
		for (k = 0; k < b->len[i] && k < 128; k++)
			printf(" %02x", b->frame[i][k]);
		printf(" (%zu bytes)\n", b->len[i]);
		exit(1);
	}
	printf("    no frame of the round alone\n");
	exit(1);
}

static void run_round(struct bench *b)
{
	const char *fault;
	unsigned int i;

	for (i = 0; i < ROUND; i++) {
		b->len[i] = frame_make(&b->r, b->frame[i], b->rx[0].rx.mac);
		distinct_add(&b->seen, b->frame[i], b->len[i]);
	}
	send_frames(b, 0, ROUND);
	b->sent += ROUND;
	for (i = 0; i < b->receivers; i++) {
		fault = check_receiver(b, &b->rx[i], 0, ROUND, true);
		if (fault)
			name_culprit(b, &b->rx[i], fault);
		b->received += ROUND;
	}
}

static void change_rules(struct bench *b)
{
	unsigned int i;

	for (i = 0; i < b->receivers; i++) {
		struct checked *j = &b->rx[i];

		ruleset_change(&j->rx.ch, &b->r, &j->model, j->rx.dev);
		counters_read(&j->rx, j->last);
	}
}

static void run_rounds(struct bench *b, unsigned long frames)
{
	time_t start = time(NULL), reported = start;
	unsigned long rounds = 0;
	unsigned int i;

	while (b->seen.seen < frames) {
		if (rounds++ % RULES_EACH == 0)
			change_rules(b);
		run_round(b);
		if (time(NULL) < reported + 15)
			continue;
		reported = time(NULL);
		printf("   %lu of %lu frames, %ld s\n", b->seen.seen, frames,
		       (long)(reported - start));
	}
	for (i = 0; i < b->receivers; i++)
		ruleset_clear(&b->rx[i].rx.ch, b->rx[i].rx.dev);
	printf("   seed %llu: distinct %lu sent %lu received %lu: passed %lu observed %lu "
	       "stopped %lu foreign %lu seconds %ld\n",
	       seed, b->seen.seen, b->sent, b->received, b->result[MODEL_PASS],
	       b->result[MODEL_OBSERVED], b->result[MODEL_STOP], b->result[MODEL_FOREIGN],
	       (long)(time(NULL) - start));
}

static unsigned long long parse_number(const char *text)
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
			seed = parse_number(argv[i + 1]);
		else if (!strcmp(argv[i], "--frames"))
			frames = parse_number(argv[i + 1]);
		else
			break;
	}
	if (!b || argc < i + 2 || argc > i + 1 + RECEIVERS_MAX) {
		fprintf(stderr, "frames: SENDER and NETNS/RECEIVER are expected\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("   seed %llu, %lu frames\n", seed, frames);
	b->r.state = seed;
	if (!distinct_init(&b->seen, frames + ROUND))
		channel_die("memory for all frames");
	open_sender(b, argv[i]);
	while (++i < argc)
		open_receiver(b, argv[i]);
	run_rounds(b, frames);
	return 0;
}
