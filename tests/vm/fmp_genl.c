// SPDX-License-Identifier: GPL-2.0
/*
 * fmp_genl: sends valid and invalid netlink commands to the kernel module, for tests
 *
 * add|addx RULE...   RULE_ADD of all in one message; addx with NLM_F_EXCL
 * addflags FLAGS RESERVED RULE...   with these flags and this value of the reserved field
 * del RULE...        RULE_DEL
 * flush [RULE]       RULE_FLUSH
 * dump [RULE] | devs | stats   RULE is added while the dump is in progress
 * devs cpu           with the counters of each processor
 * devs during COMMAND   the command is run while the dump is in progress
 * attach|detach DEV [FLAGS]   DEV by name, or by index: #N
 * events N [BYTES [errors]]   prints N events; says "listening" first; with a receive
 *                    buffer of BYTES it does not read before it gets a line on its standard
 *                    input; `errors`: the sender gets an error when that buffer is full
 *
 * RULE is a comma-separated list of attributes in any combination, also an invalid
 * one: MAC, IPv4[/LEN], IPv6[/LEN], block, protect, observe, verdict=N, timeout=MS,
 * id=N, len=N, hits=N.
 *
 * An error is printed as "refused ERRNO: TEXT" and the exit code is 1; the text of an
 * extended ack without an error is printed as "done: TEXT".
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#include <linux/fmp.h>

#include "channel.h"

#define MESSAGE_SIZE   (256 * 1024)
#define NLA_KIND(attr) mnl_attr_get_type(attr)

static struct channel ch;
static char buf[MESSAGE_SIZE];
/* Shell command to run after the first part of a reply was received. */
static char meanwhile[512];

/* Prints an error or a warning with the text of its extended ack. */
static void print_reply(const struct nlmsghdr *nlh)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	long at;
	const char *text = channel_text(nlh, &at);

	if (!err->error && !text)
		return;
	if (err->error)
		printf("refused %s: ", strerrorname_np(-err->error));
	else
		printf("done: ");
	printf("%s", text ?: "");
	if (at >= 0)
		printf(" (at %ld)", at);
	printf("\n");
}

static void run_meanwhile(void)
{
	if (*meanwhile && system(meanwhile))
		exit(1);
	*meanwhile = '\0';
}

static uint64_t parse_number(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 0);

	if (!*text || *end) {
		fprintf(stderr, "fmp_genl: not a number: %s\n", text);
		exit(2);
	}
	return n;
}

static bool put_address(struct nlmsghdr *nlh, char *word)
{
	char *len = strchr(word, '/');
	unsigned char a[16];
	unsigned int m[6];

	if (len)
		*len++ = '\0';
	if (sscanf(word, "%x:%x:%x:%x:%x:%x", &m[0], &m[1], &m[2], &m[3], &m[4], &m[5]) == 6 &&
	    strlen(word) == 17) {
		for (int i = 0; i < 6; i++)
			a[i] = m[i];
		mnl_attr_put(nlh, FMP_RULE_A_MAC, 6, a);
	} else if (inet_pton(AF_INET, word, a) == 1) {
		mnl_attr_put(nlh, FMP_RULE_A_IPV4, 4, a);
	} else if (inet_pton(AF_INET6, word, a) == 1) {
		mnl_attr_put(nlh, FMP_RULE_A_IPV6, 16, a);
	} else {
		return false;
	}
	if (len)
		mnl_attr_put_u8(nlh, FMP_RULE_A_PREFIX_LEN, parse_number(len));
	return true;
}

static void put_rule(struct nlmsghdr *nlh, char *text)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, FMP_A_RULE);
	char *save, *word;

	for (word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		if (!strcmp(word, "block"))
			mnl_attr_put_u8(nlh, FMP_RULE_A_VERDICT, FMP_VERDICT_BLOCK);
		else if (!strcmp(word, "protect"))
			mnl_attr_put_u8(nlh, FMP_RULE_A_VERDICT, FMP_VERDICT_PROTECT);
		else if (!strcmp(word, "observe"))
			mnl_attr_put_u8(nlh, FMP_RULE_A_VERDICT, FMP_VERDICT_OBSERVE);
		else if (!strncmp(word, "verdict=", 8))
			mnl_attr_put_u8(nlh, FMP_RULE_A_VERDICT, parse_number(word + 8));
		else if (!strncmp(word, "timeout=", 8))
			mnl_attr_put_u64(nlh, FMP_RULE_A_TIMEOUT_MS, parse_number(word + 8));
		else if (!strncmp(word, "id=", 3))
			mnl_attr_put_u64(nlh, FMP_RULE_A_ID, parse_number(word + 3));
		else if (!strncmp(word, "len=", 4))
			mnl_attr_put_u8(nlh, FMP_RULE_A_PREFIX_LEN, parse_number(word + 4));
		else if (!strncmp(word, "hits=", 5))
			mnl_attr_put_u64(nlh, FMP_RULE_A_HITS, parse_number(word + 5));
		else if (!put_address(nlh, word)) {
			fprintf(stderr, "fmp_genl: what is %s?\n", word);
			exit(2);
		}
	}
	mnl_attr_nest_end(nlh, nest);
}

static void show_rule(const struct nlattr *nest)
{
	static const char *const verdict[] = { "?", "block", "protect", "observe" };
	const char *between = "";
	const struct nlattr *a;
	char text[64] = "?";
	const unsigned char *m;

	/* The address comes first, followed by its prefix length; in a pair the MAC address. */
	mnl_attr_for_each_nested(a, nest) {
		switch (NLA_KIND(a)) {
		case FMP_RULE_A_MAC:
			m = mnl_attr_get_payload(a);
			snprintf(text, sizeof(text), "%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1],
				 m[2], m[3], m[4], m[5]);
			printf("%s", text);
			between = ",";
			break;
		case FMP_RULE_A_IPV4:
			printf("%s%s", between,
			       inet_ntop(AF_INET, mnl_attr_get_payload(a), text, 64));
			break;
		case FMP_RULE_A_IPV6:
			printf("%s%s", between,
			       inet_ntop(AF_INET6, mnl_attr_get_payload(a), text, 64));
			break;
		case FMP_RULE_A_PREFIX_LEN:
			printf("/%u", mnl_attr_get_u8(a));
			break;
		case FMP_RULE_A_VERDICT:
			printf(" %s", verdict[mnl_attr_get_u8(a) % 4]);
			break;
		case FMP_RULE_A_TIMEOUT_MS:
			printf(" timeout=%" PRIu64, mnl_attr_get_u64(a));
			break;
		case FMP_RULE_A_ID:
			printf(" id=%" PRIu64, mnl_attr_get_u64(a));
			break;
		case FMP_RULE_A_HITS:
			printf(" hits=%" PRIu64, mnl_attr_get_u64(a));
			break;
		case FMP_RULE_A_BYTES:
			printf(" bytes=%" PRIu64, mnl_attr_get_u64(a));
			break;
		case FMP_RULE_A_FIRST_HIT_NS:
			printf(" first_hit=%" PRIu64, mnl_attr_get_u64(a));
			break;
		}
	}
}

static void show_dev(const struct nlattr *nest)
{
	static const char *const counter[FMP_DEV_A_MAX + 1] = {
		[FMP_DEV_A_RX_FRAMES] = "rx_frames",
		[FMP_DEV_A_RX_BYTES] = "rx_bytes",
		[FMP_DEV_A_PASSED] = "passed",
		[FMP_DEV_A_STOPPED_MAC] = "stopped_mac",
		[FMP_DEV_A_STOPPED_IP] = "stopped_ip",
		[FMP_DEV_A_STOPPED_FOREIGN] = "stopped_foreign",
		[FMP_DEV_A_STOPPED_BYTES] = "stopped_bytes",
		[FMP_DEV_A_DROPPED_LATE] = "dropped_late",
		[FMP_DEV_A_OBSERVED] = "observed",
		[FMP_DEV_A_RECORD_USED] = "record_used",
		[FMP_DEV_A_RECORD_STALE] = "record_stale",
	};
	static const char *const hook[FMP_HOOK_MAX + 1] = {
		[FMP_HOOK_NONE] = "none",	[FMP_HOOK_DRIVER] = "driver",
		[FMP_HOOK_INGRESS] = "ingress", [FMP_HOOK_MAC80211] = "mac80211",
		[FMP_HOOK_WAITING] = "waiting", [FMP_HOOK_MAC80211_PATCHED] = "mac80211-patched",
	};
	const struct nlattr *a;

	mnl_attr_for_each_nested(a, nest) {
		uint16_t kind = NLA_KIND(a);

		if (kind == FMP_DEV_A_NAME)
			printf("%s", mnl_attr_get_str(a));
		else if (kind == FMP_DEV_A_CPU)
			show_dev(a);
		else if (kind == FMP_DEV_A_CPU_ID)
			printf(" cpu=%u", mnl_attr_get_u32(a));
		else if (kind == FMP_DEV_A_FLAGS)
			printf(" flags=%u", mnl_attr_get_u32(a));
		else if (kind == FMP_DEV_A_HOOK)
			printf(" hook=%s", hook[mnl_attr_get_u8(a) % (FMP_HOOK_MAX + 1)]);
		else if (kind <= FMP_DEV_A_MAX && counter[kind])
			printf(" %s=%" PRIu64, counter[kind], mnl_attr_get_u64(a));
	}
}

static int print_message(const struct nlmsghdr *nlh, void *data)
{
	static const char *const event[FMP_EVENT_TYPE_MAX + 1] = {
		[FMP_EVENT_TYPE_UNSPEC] = "?",
		[FMP_EVENT_TYPE_RULE_EXPIRED] = "expired",
		[FMP_EVENT_TYPE_DEV_ATTACHED] = "attached",
		[FMP_EVENT_TYPE_DEV_DETACHED] = "detached",
		[FMP_EVENT_TYPE_RULES_CHANGED] = "changed",
		[FMP_EVENT_TYPE_RULE_HIT] = "hit",
		[FMP_EVENT_TYPE_RULE_EVICTED] = "evicted",
		[FMP_EVENT_TYPE_DEV_WAITING] = "waiting",
		[FMP_EVENT_TYPE_LOST] = "lost",
	};
	const struct nlattr *a;

	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		printf("interrupted\n");
	mnl_attr_for_each(a, nlh, sizeof(struct genlmsghdr)) {
		switch (NLA_KIND(a)) {
		case FMP_A_EVENT:
			printf("%s ", event[mnl_attr_get_u8(a) % (FMP_EVENT_TYPE_MAX + 1)]);
			break;
		case FMP_A_LOST:
			printf("lost=%" PRIu64 " ", mnl_attr_get_u64(a));
			break;
		case FMP_A_LOST_HITS:
			printf("lost_hits=%" PRIu64 " ", mnl_attr_get_u64(a));
			break;
		case FMP_A_EVENTS_LOST:
			printf(" events_lost=%" PRIu64, mnl_attr_get_u64(a));
			break;
		case FMP_A_RULE:
			show_rule(a);
			break;
		case FMP_A_DEV:
			show_dev(a);
			break;
		case FMP_A_RULES:
			printf("rules=%u", mnl_attr_get_u32(a));
			break;
		case FMP_A_RULES_MAX:
			printf(" rules_max=%u", mnl_attr_get_u32(a));
			break;
		case FMP_A_GENERATION:
			if (((struct genlmsghdr *)mnl_nlmsg_get_payload(nlh))->cmd ==
			    FMP_CMD_STATS_GET)
				printf(" generation=%u", mnl_attr_get_u32(a));
			break;
		case FMP_A_RULES_MAX_TOTAL:
			printf(" rules_max_total=%u", mnl_attr_get_u32(a));
			break;
		case FMP_A_MEMORY:
			printf(" memory=%" PRIu64, mnl_attr_get_u64(a));
			break;
		case FMP_A_EVICTED:
			printf(" evicted=%" PRIu64, mnl_attr_get_u64(a));
			break;
		case FMP_A_PROTECTED_HITS:
			printf(" protected_hits=%" PRIu64, mnl_attr_get_u64(a));
			break;
		}
	}
	printf("\n");
	fflush(stdout);
	return MNL_CB_OK;
}

/* receive_buffer 0: the default size, and no wait for standard input. */
static int print_events(unsigned int n, int receive_buffer, int errors)
{
	if (receive_buffer && setsockopt(mnl_socket_get_fd(ch.nl), SOL_SOCKET, SO_RCVBUFFORCE,
					 &receive_buffer, sizeof(receive_buffer)))
		channel_die("receive buffer");
	if (errors &&
	    mnl_socket_setsockopt(ch.nl, NETLINK_BROADCAST_ERROR, &errors, sizeof(errors)))
		channel_die("broadcast errors");
	if (mnl_socket_setsockopt(ch.nl, NETLINK_ADD_MEMBERSHIP, &ch.group, sizeof(ch.group)))
		channel_die("join events");
	channel_patience(&ch, 0);
	printf("listening\n");
	fflush(stdout);
	if (receive_buffer && getchar() == EOF)
		channel_die("standard input");
	while (n) {
		ssize_t len = mnl_socket_recvfrom(ch.nl, buf, sizeof(buf));

		if (len < 0 && errno == ENOBUFS) {
			printf("overrun\n");
			continue;
		}
		if (len < 0)
			channel_die("receive");
		if (mnl_cb_run(buf, len, 0, 0, print_message, NULL) < 0)
			channel_die("event");
		n--;
	}
	return 0;
}

static int change_rules(uint8_t cmd, uint16_t flags, int n, char **rule)
{
	struct nlmsghdr *nlh = channel_begin(&ch, buf, cmd, NLM_F_ACK | flags);

	for (int i = 0; i < n; i++)
		put_rule(nlh, rule[i]);
	return channel_send(&ch, nlh);
}

static int add_flags(uint16_t flags, uint16_t reserved, int n, char **rule)
{
	struct nlmsghdr *nlh = channel_begin(&ch, buf, FMP_CMD_RULE_ADD, NLM_F_ACK | flags);
	struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);

	genl->reserved = reserved;
	for (int i = 0; i < n; i++)
		put_rule(nlh, rule[i]);
	return channel_send(&ch, nlh);
}

static int show_devs(bool per_cpu)
{
	struct nlmsghdr *nlh = channel_begin(&ch, buf, FMP_CMD_DEV_GET, NLM_F_DUMP);

	if (per_cpu)
		mnl_attr_put(nlh, FMP_A_PER_CPU, 0, NULL);
	return channel_talk(&ch, nlh, print_message, NULL);
}

static int change_dev(uint8_t cmd, const char *dev, const char *flags)
{
	struct nlmsghdr *nlh = channel_begin(&ch, buf, cmd, NLM_F_ACK);
	struct nlattr *nest = mnl_attr_nest_start(nlh, FMP_A_DEV);

	if (*dev == '#')
		mnl_attr_put_u32(nlh, FMP_DEV_A_IFINDEX, parse_number(dev + 1));
	else if (*dev)
		mnl_attr_put_strz(nlh, FMP_DEV_A_NAME, dev);
	if (flags)
		mnl_attr_put_u32(nlh, FMP_DEV_A_FLAGS, parse_number(flags));
	mnl_attr_nest_end(nlh, nest);
	return channel_send(&ch, nlh);
}

/* Return: 0, or the errno of the kernel's reply. */
static int run_command(int argc, char **argv)
{
	const char *cmd = argc > 1 ? argv[1] : "";

	if (!strcmp(cmd, "add"))
		return change_rules(FMP_CMD_RULE_ADD, 0, argc - 2, argv + 2);
	if (!strcmp(cmd, "addx"))
		return change_rules(FMP_CMD_RULE_ADD, NLM_F_EXCL, argc - 2, argv + 2);
	if (!strcmp(cmd, "addflags") && argc > 3)
		return add_flags(parse_number(argv[2]), parse_number(argv[3]), argc - 4, argv + 4);
	if (!strcmp(cmd, "del"))
		return change_rules(FMP_CMD_RULE_DEL, 0, argc - 2, argv + 2);
	if (!strcmp(cmd, "flush"))
		return change_rules(FMP_CMD_RULE_FLUSH, 0, argc - 2, argv + 2);
	if (!strcmp(cmd, "dump") && argc > 2)
		snprintf(meanwhile, sizeof(meanwhile), "%s add %s", argv[0], argv[2]);
	if (!strcmp(cmd, "dump"))
		return channel_request(&ch, FMP_CMD_RULE_GET, NLM_F_DUMP, print_message, NULL);
	if (!strcmp(cmd, "devs") && argc > 3)
		snprintf(meanwhile, sizeof(meanwhile), "%s", argv[3]);
	if (!strcmp(cmd, "devs"))
		return show_devs(argc == 3);
	if (!strcmp(cmd, "stats"))
		return channel_request(&ch, FMP_CMD_STATS_GET, NLM_F_ACK, print_message, NULL);
	if (!strcmp(cmd, "attach") && argc > 2)
		return change_dev(FMP_CMD_DEV_ATTACH, argv[2], argv[3]);
	if (!strcmp(cmd, "detach") && argc > 2)
		return change_dev(FMP_CMD_DEV_DETACH, argv[2], argv[3]);
	if (!strcmp(cmd, "events") && argc > 2)
		return print_events(parse_number(argv[2]), argc > 3 ? parse_number(argv[3]) : 0,
				    argc > 4);
	fprintf(stderr, "fmp_genl: see the head of fmp_genl.c\n");
	exit(2);
}

int main(int argc, char **argv)
{
	channel_open(&ch);
	ch.answered = print_reply;
	ch.received = run_meanwhile;
	return run_command(argc, argv) ? 1 : 0;
}
