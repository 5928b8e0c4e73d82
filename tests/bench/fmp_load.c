// SPDX-License-Identifier: GPL-2.0
/*
 * fmp_load mac|ip4|ip6 FIRST COUNT [MS]: adds block rules for the benchmark's sources
 *
 * Source number N is 02:fb:NN:NN:NN:NN, 10.0.1.0 + N and fd0b::N, as in
 * kernel/bench/frame.h. MS is the timeout of the first rule in milliseconds; each
 * further rule has a timeout one millisecond longer.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/fmp.h>

#include "channel.h"

/* Rules per message. */
#define BATCH	     256
#define MESSAGE_SIZE (64 * 1024)

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

static void load_rules(struct channel *ch, const char *kind, uint32_t first, uint32_t count,
		       uint64_t life_ms)
{
	static char buf[MESSAGE_SIZE];

	while (count) {
		struct nlmsghdr *nlh = channel_begin(ch, buf, FMP_CMD_RULE_ADD, NLM_F_ACK);
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
		errno = channel_send(ch, nlh);
		if (errno)
			channel_die("refused");
	}
}

int main(int argc, char **argv)
{
	struct channel ch;

	if (argc < 4 || argc > 5 ||
	    (strcmp(argv[1], "mac") && strcmp(argv[1], "ip4") && strcmp(argv[1], "ip6"))) {
		fprintf(stderr, "usage: fmp_load mac|ip4|ip6 FIRST COUNT [MS]\n");
		return 2;
	}
	channel_open(&ch);
	load_rules(&ch, argv[1], strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0),
		   argc > 4 ? strtoull(argv[4], NULL, 0) : 0);
	channel_close(&ch);
	return 0;
}
