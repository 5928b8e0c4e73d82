// SPDX-License-Identifier: GPL-2.0
/*
 * fmp_load mac|ip4|ip6 FIRST COUNT [MS]: blocks the benchmark's sources, by the module
 *
 * Source number N is 02:fb:NN:NN:NN:NN, 10.0.1.0 + N and fd0b::N, as in
 * kernel/bench/frame.h. With MS the first of them lives that many milliseconds, each
 * other one a millisecond longer than the one before.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#include <linux/fmp.h>

/* Rules of a message. */
#define BATCH	     256
#define MESSAGE_SIZE (64 * 1024)

static struct mnl_socket *nl;
static char buf[MESSAGE_SIZE];
static uint16_t family;
static uint32_t seq;

static void die(const char *what)
{
	fprintf(stderr, "fmp_load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct nlmsghdr *begin(uint16_t type, uint8_t cmd)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	nlh->nlmsg_seq = ++seq;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = FMP_GENL_VERSION;
	return nlh;
}

/* Sends a message and waits until the kernel has said yes or no to it. */
static void talk(const struct nlmsghdr *nlh, mnl_cb_t answer)
{
	ssize_t n;

	if (mnl_socket_sendto(nl, nlh, nlh->nlmsg_len) < 0)
		die("send");
	do {
		n = mnl_socket_recvfrom(nl, buf, sizeof(buf));
		if (n < 0)
			die("receive");
		n = mnl_cb_run(buf, n, seq, mnl_socket_get_portid(nl), answer, NULL);
		if (n < 0)
			die("refused");
	} while (n > 0);
}

static int learn_family(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *a;

	mnl_attr_for_each(a, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(a) == CTRL_ATTR_FAMILY_ID)
			family = mnl_attr_get_u16(a);
	}
	return MNL_CB_OK;
}

static void put_address(struct nlmsghdr *nlh, const char *kind, uint32_t n)
{
	uint8_t mac[6] = { 0x02, 0xfb, n >> 24, n >> 16, n >> 8, n };
	uint8_t ip6[16] = { 0xfd, 0x0b };

	if (!strcmp(kind, "mac")) {
		mnl_attr_put(nlh, FMP_RULE_A_MAC, sizeof(mac), mac);
	} else if (!strcmp(kind, "ip4")) {
		mnl_attr_put_u32(nlh, FMP_RULE_A_IPV4, htonl(0x0a000100 + n));
	} else {
		memcpy(ip6 + 12, mac + 2, 4);
		mnl_attr_put(nlh, FMP_RULE_A_IPV6, sizeof(ip6), ip6);
	}
}

static void load(const char *kind, uint32_t first, uint32_t count, uint64_t life_ms)
{
	while (count) {
		struct nlmsghdr *nlh = begin(family, FMP_CMD_RULE_ADD);
		uint32_t n = count < BATCH ? count : BATCH;

		count -= n;
		while (n--) {
			struct nlattr *nest = mnl_attr_nest_start(nlh, FMP_A_RULE);

			put_address(nlh, kind, first++);
			mnl_attr_put_u8(nlh, FMP_RULE_A_VERDICT, FMP_VERDICT_BLOCK);
			if (life_ms)
				mnl_attr_put_u64(nlh, FMP_RULE_A_TIMEOUT_MS, life_ms++);
			mnl_attr_nest_end(nlh, nest);
		}
		talk(nlh, NULL);
	}
}

int main(int argc, char **argv)
{
	struct nlmsghdr *nlh;

	if (argc < 4 || argc > 5 ||
	    (strcmp(argv[1], "mac") && strcmp(argv[1], "ip4") && strcmp(argv[1], "ip6"))) {
		fprintf(stderr, "usage: fmp_load mac|ip4|ip6 FIRST COUNT [MS]\n");
		return 2;
	}
	nl = mnl_socket_open(NETLINK_GENERIC);
	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0)
		die("netlink");
	nlh = begin(GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, FMP_GENL_NAME);
	talk(nlh, learn_family);
	load(argv[1], strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0),
	     argc > 4 ? strtoull(argv[4], NULL, 0) : 0);
	mnl_socket_close(nl);
	return 0;
}
