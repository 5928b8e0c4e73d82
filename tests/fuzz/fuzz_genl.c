// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: genl [--seed N] [--messages N] [--jobs N]
 *
 * Sends random and mutated messages to the family "fmp": from two sockets in each of
 * three network namespaces, two of which are deleted and created again, with dumps
 * that are read slowly or abandoned, and a listener to the events. Rules have timeouts
 * in all namespaces but the last. Devices bb0 to bb2, if any, are in the first one.
 *
 * Invariants: each error of the family has a text; a refused message changes nothing;
 * a dump has as many rules as STATS_GET counts, and each is valid by the contract. The
 * caller checks the kernel's log.
 *
 * The same seed gives the same messages; each job has its own. The exit code is 0, or
 * 1 with the message at fault.
 */
#include "channel.h"
#include "message.h"
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fmp.h>
#include <linux/genetlink.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NETNS_COUNT 3
#define BATCH	    16
#define CHECK_EACH  4096

/**
 * struct netns - a network namespace and its sockets
 * @ch: two sockets that send
 * @dumper: a socket that reads dumps slowly
 * @dumping: seq of the dump in progress, 0 if there is none
 * @listener: a socket that reads events, now and then
 */
struct netns {
	struct channel ch[2];
	struct channel dumper;
	uint32_t dumping;
	struct channel listener;
};

/**
 * struct fuzzer - a job
 * @r: random generator of its messages
 * @home: the network namespace that it was started in
 * @netns: home, one that is recreated, and one that is recreated and has no timeouts
 * @buf: a batch of messages
 * @len: their lengths
 * @sent, @refused, @taken, @checked: numbers of messages
 */
struct fuzzer {
	struct test_random r;
	int home;
	struct netns netns[NETNS_COUNT];
	uint8_t buf[BATCH][FUZZ_MESSAGE_MAX] __attribute__((aligned(8)));
	size_t len[BATCH];
	unsigned long sent, refused, taken, checked;
};

static unsigned long long seed;

static void report_wrong(const struct fuzzer *f, const char *what)
{
	printf("wrong: %s (seed %llu, message %lu)\n", what, seed, f->sent);
	exit(1);
}

static void netns_open(struct fuzzer *f, unsigned int i)
{
	struct netns *p = &f->netns[i];
	int group;

	if (i && unshare(CLONE_NEWNET))
		channel_die("unshare");
	channel_open(&p->ch[0]);
	channel_open(&p->ch[1]);
	/* An error reply contains the whole message. */
	p->ch[0].large = p->ch[1].large = true;
	channel_open(&p->dumper);
	channel_open(&p->listener);
	p->dumping = 0;
	group = p->listener.group;
	mnl_socket_setsockopt(p->listener.nl, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group));
	if (i && setns(f->home, CLONE_NEWNET))
		channel_die("setns");
}

static void netns_close(struct netns *p)
{
	channel_close(&p->ch[0]);
	channel_close(&p->ch[1]);
	channel_close(&p->dumper);
	channel_close(&p->listener);
}

/* Reads one more part of a dump, starts a new dump, or abandons one. */
static void continue_dump(struct fuzzer *f, struct netns *p)
{
	struct channel *ch = &p->dumper;
	struct {
		struct nlmsghdr nlh;
		struct genlmsghdr genl;
	} ask = {
		{ sizeof(ask), ch->family, NLM_F_REQUEST | NLM_F_DUMP, ++ch->seq, 0 },
		{ random_once_in(&f->r, 4) ? FMP_CMD_DEV_GET : FMP_CMD_RULE_GET, 1, 0 },
	};
	char buf[65536] __attribute__((aligned(8)));
	const struct nlmsghdr *nlh = (const void *)buf;
	int left;

	if (!p->dumping) {
		if (mnl_socket_sendto(ch->nl, &ask, sizeof(ask)) < 0)
			channel_die("send a dump");
		p->dumping = ch->seq;
	} else if (random_once_in(&f->r, 8)) {
		channel_close(ch);
		channel_open(ch);
		p->dumping = 0;
		return;
	}
	left = mnl_socket_recvfrom(ch->nl, buf, sizeof(buf));
	if (left < 0)
		channel_die("read a dump");
	for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		if (nlh->nlmsg_type == NLMSG_DONE || nlh->nlmsg_type == NLMSG_ERROR)
			p->dumping = 0;
	}
}

static void drain_events(struct netns *p)
{
	char buf[8192];

	while (recv(mnl_socket_get_fd(p->listener.nl), buf, sizeof(buf), MSG_DONTWAIT) > 0 ||
	       errno == ENOBUFS)
		errno = 0;
}

static bool is_dump(const uint8_t *message)
{
	const struct nlmsghdr *nlh = (const void *)message;
	uint8_t cmd = message[NLMSG_HDRLEN];

	return (nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP &&
	       (cmd == FMP_CMD_RULE_GET || cmd == FMP_CMD_DEV_GET);
}

static void check_reply(struct fuzzer *f, const struct channel *ch, const struct nlmsghdr *nlh,
			uint32_t first, unsigned int n)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	unsigned int i = nlh->nlmsg_seq - first;
	const char *text;

	if (i >= n)
		return;
	if (!err->error) {
		f->taken++;
		return;
	}
	f->refused++;
	/* Errors of netlink itself have no text: another dump is in progress, or no buffer space. */
	if (fuzz_message_is_foreign(f->buf[i], f->len[i], ch->family) || err->error == -EBUSY ||
	    (err->error == -ENOBUFS && is_dump(f->buf[i])))
		return;
	text = channel_text(nlh, NULL);
	if (!text || !*text) {
		printf("command %u, errno %d: ", f->buf[i][NLMSG_HDRLEN], -err->error);
		report_wrong(f, "a refusal without a text");
	}
}

/* Sends n messages and one that always gets a reply; reads up to that reply. */
static void exchange_batch(struct fuzzer *f, struct channel *ch, uint32_t first, unsigned int n)
{
	char answer[65536] __attribute__((aligned(8)));
	struct nlmsghdr sync = { sizeof(sync), NLMSG_NOOP, NLM_F_REQUEST | NLM_F_ACK, ++ch->seq,
				 0 };
	struct iovec iov[BATCH + 1];
	struct mmsghdr msg[BATCH + 1];
	unsigned int i;

	memset(msg, 0, sizeof(msg));
	for (i = 0; i <= n; i++) {
		iov[i].iov_base = i < n ? (void *)f->buf[i] : &sync;
		iov[i].iov_len = i < n ? f->len[i] : sizeof(sync);
		msg[i].msg_hdr.msg_iov = &iov[i];
		msg[i].msg_hdr.msg_iovlen = 1;
	}
	if (sendmmsg(mnl_socket_get_fd(ch->nl), msg, n + 1, 0) != (int)n + 1)
		channel_die("send");
	for (;;) {
		int left = mnl_socket_recvfrom(ch->nl, answer, sizeof(answer));
		const struct nlmsghdr *nlh = (const void *)answer;

		if (left < 0)
			channel_die("no answer");
		for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
			if (nlh->nlmsg_type != NLMSG_ERROR)
				continue;
			if (nlh->nlmsg_seq == sync.nlmsg_seq)
				return;
			check_reply(f, ch, nlh, first, n);
		}
	}
}

static void send_batch(struct fuzzer *f, struct channel *ch, unsigned int n, bool no_timeouts)
{
	uint32_t first = ch->seq + 1;
	unsigned int i;

	for (i = 0; i < n; i++)
		f->len[i] = fuzz_message_make(&f->r, f->buf[i], ch->family, ++ch->seq, no_timeouts);
	exchange_batch(f, ch, first, n);
	f->sent += n;
}

/* Checks that a refused message changes nothing, in the namespace without timeouts. */
static void send_watched(struct fuzzer *f, struct channel *ch)
{
	unsigned long refused = f->refused;
	struct state before, after;
	unsigned int timed;
	const char *fault = state_check(ch, &timed);

	if (fault)
		report_wrong(f, fault);
	state_get(ch, &before);
	send_batch(f, ch, 1, true);
	state_get(ch, &after);
	f->checked++;
	if (f->refused > refused && !timed && before.generation != after.generation)
		report_wrong(f, "a refused message changed the rules");
}

static void run_step(struct fuzzer *f)
{
	unsigned int i = random_below(&f->r, NETNS_COUNT);
	struct netns *p = &f->netns[i];
	struct channel *ch = &p->ch[random_below(&f->r, 2)];

	if (random_once_in(&f->r, 8))
		continue_dump(f, p);
	if (random_once_in(&f->r, 16))
		drain_events(p);
	if (i == NETNS_COUNT - 1 && random_once_in(&f->r, 4))
		send_watched(f, ch);
	else
		send_batch(f, ch, BATCH, i == NETNS_COUNT - 1);
	if (i && random_once_in(&f->r, 500)) {
		netns_close(p);
		netns_open(f, i);
	}
}

static void check_all(struct fuzzer *f)
{
	const char *fault;
	unsigned int timed;
	int i;

	for (i = 0; i < NETNS_COUNT; i++) {
		fault = state_check(&f->netns[i].ch[0], &timed);
		if (fault)
			report_wrong(f, fault);
	}
}

static void run_job(unsigned long messages, unsigned int number)
{
	struct fuzzer *f = calloc(1, sizeof(*f));
	unsigned long next = CHECK_EACH;
	time_t start = time(NULL), reported = start;
	int i;

	if (!f)
		channel_die("no memory");
	f->r.state = seed + number;
	f->home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	for (i = 0; i < NETNS_COUNT; i++)
		netns_open(f, i);
	while (f->sent < messages) {
		run_step(f);
		if (f->sent >= next) {
			check_all(f);
			next += CHECK_EACH;
		}
		if (time(NULL) >= reported + 15) {
			reported = time(NULL);
			printf("   job %u: %lu of %lu messages\n", number, f->sent, messages);
			fflush(stdout);
		}
	}
	check_all(f);
	printf("   seed %llu job %u: messages %lu taken %lu refused %lu watched %lu seconds %ld\n",
	       seed, number, f->sent, f->taken, f->refused, f->checked, (long)(time(NULL) - start));
	exit(0);
}

static unsigned long long parse_number(const char *text)
{
	char *end;
	unsigned long long n = text ? strtoull(text, &end, 0) : 0;

	if (!text || !*text || *end) {
		fprintf(stderr, "genl: not a number: %s\n", text ?: "");
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	unsigned long messages = 20000;
	unsigned int jobs = 1, i;
	int status, rc = 0;

	seed = time(NULL);
	for (i = 1; i < (unsigned int)argc; i += 2) {
		if (!strcmp(argv[i], "--seed"))
			seed = parse_number(argv[i + 1]);
		else if (!strcmp(argv[i], "--messages"))
			messages = parse_number(argv[i + 1]);
		else if (!strcmp(argv[i], "--jobs"))
			jobs = parse_number(argv[i + 1]);
		else
			return fprintf(stderr, "genl: what is %s?\n", argv[i]), 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("   seed %llu, %lu messages\n", seed, messages);
	fflush(stdout);
	for (i = 0; i < jobs; i++) {
		pid_t pid = fork();

		if (pid < 0)
			channel_die("fork");
		if (!pid)
			run_job(messages / jobs, i);
	}
	while (wait(&status) > 0)
		rc |= !WIFEXITED(status) || WEXITSTATUS(status);
	return rc;
}
