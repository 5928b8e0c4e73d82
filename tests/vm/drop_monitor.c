// SPDX-License-Identifier: GPL-2.0
/*
 * drop_monitor: where and why frames are dropped, by the kernel's own drop monitor
 *
 * drop_monitor PREFIX COUNT   says `listening`, then writes `FUNCTION REASON` for each frame that
 *                             a function whose name begins with PREFIX has dropped, until there
 *                             are COUNT and a second brings none, or a minute brings none; then
 *                             `lost N`: alerts for which there was no room
 *
 * In packet mode, for the first namespace only, as the kernel has it; of the frames of all.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/net_dropmon.h>

#include "channel.h"

/* Seconds without an alert that end it, with COUNT alerts seen and with fewer. */
#define QUIET_AT_END 1
#define QUIET_MOST   60
/* For thousands of alerts, should this program get no processor while frames come. */
#define ROOM	     (16 << 20)

struct listener {
	const char *prefix;
	unsigned long seen;
	uint64_t lost;
};

static int show_alert(const struct nlmsghdr *nlh, void *data)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	const char *symbol = "", *reason = "-";
	struct listener *l = data;
	const struct nlattr *attr;

	if (genl->cmd != NET_DM_CMD_PACKET_ALERT)
		return MNL_CB_OK;
	mnl_attr_for_each(attr, nlh, GENL_HDRLEN) {
		if (mnl_attr_get_type(attr) == NET_DM_ATTR_SYMBOL)
			symbol = mnl_attr_get_str(attr);
		else if (mnl_attr_get_type(attr) == NET_DM_ATTR_REASON)
			reason = mnl_attr_get_str(attr);
	}
	if (strncmp(symbol, l->prefix, strlen(l->prefix)) != 0)
		return MNL_CB_OK;
	printf("%.*s %s\n", (int)strcspn(symbol, "+"), symbol, reason);
	l->seen++;
	return MNL_CB_OK;
}

static int read_lost(const struct nlmsghdr *nlh, void *data)
{
	struct listener *l = data;
	const struct nlattr *attr, *stat;

	mnl_attr_for_each(attr, nlh, GENL_HDRLEN) {
		if (mnl_attr_get_type(attr) != NET_DM_ATTR_STATS)
			continue;
		mnl_attr_for_each_nested(stat, attr) {
			if (mnl_attr_get_type(stat) == NET_DM_ATTR_STATS_DROPPED)
				l->lost = mnl_attr_get_u64(stat);
		}
	}
	return MNL_CB_OK;
}

/* Starts packet alerts; those of another run that was killed end first. */
static void start_alerts(struct channel *ch)
{
	char buf[256] __attribute__((aligned(8)));
	struct nlmsghdr *nlh;

	channel_request(ch, NET_DM_CMD_STOP, NLM_F_ACK, NULL, NULL);
	nlh = channel_begin(ch, buf, NET_DM_CMD_CONFIG, NLM_F_ACK);
	mnl_attr_put_u8(nlh, NET_DM_ATTR_ALERT_MODE, NET_DM_ALERT_MODE_PACKET);
	mnl_attr_put_u32(nlh, NET_DM_ATTR_TRUNC_LEN, 64);
	errno = channel_send(ch, nlh);
	if (errno)
		channel_die("packet alerts");
	errno = channel_request(ch, NET_DM_CMD_START, NLM_F_ACK, NULL, NULL);
	if (errno)
		channel_die("start");
}

/* Reads alerts until there are count and no more. */
static void read_alerts(struct channel *ch, struct listener *l, unsigned long count)
{
	char buf[32768] __attribute__((aligned(8)));
	unsigned int quiet = 0;

	channel_patience(ch, 1);
	while (quiet < (l->seen < count ? QUIET_MOST : QUIET_AT_END)) {
		ssize_t n = mnl_socket_recvfrom(ch->nl, buf, sizeof(buf));

		if (n < 0 && errno != EAGAIN)
			channel_die("alerts");
		quiet = n < 0 ? quiet + 1 : 0;
		if (n > 0 && mnl_cb_run(buf, (size_t)n, 0, 0, show_alert, l) < 0)
			channel_die("an alert");
	}
}

int main(int argc, char **argv)
{
	struct listener l = { 0 };
	struct channel ch;
	int room = ROOM;

	if (argc != 3) {
		fprintf(stderr, "usage: drop_monitor PREFIX COUNT\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	l.prefix = argv[1];
	channel_open_family(&ch, "NET_DM");
	start_alerts(&ch);
	if (setsockopt(mnl_socket_get_fd(ch.nl), SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		channel_die("room");
	if (mnl_socket_setsockopt(ch.nl, NETLINK_ADD_MEMBERSHIP, &ch.group, sizeof(ch.group)))
		channel_die("join");
	puts("listening");
	read_alerts(&ch, &l, strtoul(argv[2], NULL, 10));
	channel_request(&ch, NET_DM_CMD_STATS_GET, NLM_F_ACK, read_lost, &l);
	channel_request(&ch, NET_DM_CMD_STOP, NLM_F_ACK, NULL, NULL);
	printf("lost %llu\n", (unsigned long long)l.lost);
	channel_close(&ch);
	return 0;
}
