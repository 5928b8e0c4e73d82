// SPDX-License-Identifier: GPL-2.0
/*
 * A socket to the module's family
 */
#include "channel.h"

#include <errno.h>
#include <linux/fmp.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* The kernel cuts a dump into parts of the most that was read with before; of this at most. */
#define PART_MAX   32768
/* With this, unless somebody reads with more: a dump of a few hundred devices has two parts. */
#define PART_USUAL 16384
/* A dump may wait for the RTNL, but not for ever. */
#define PATIENCE   60

void channel_die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(3);
}

static void learn_group(const struct nlattr *group, struct channel *ch)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, group) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_ID)
			ch->group = mnl_attr_get_u32(attr);
	}
}

static int read_family(const struct nlmsghdr *nlh, void *data)
{
	struct channel *ch = data;
	const struct nlattr *attr, *group;

	mnl_attr_for_each(attr, nlh, GENL_HDRLEN) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			ch->family = mnl_attr_get_u16(attr);
		if (mnl_attr_get_type(attr) != CTRL_ATTR_MCAST_GROUPS)
			continue;
		mnl_attr_for_each_nested(group, attr)
			learn_group(group, ch);
	}
	return MNL_CB_OK;
}

/* Reads until the answer to message seq is complete. */
static int collect_answer(struct channel *ch, uint32_t seq, mnl_cb_t show, void *data)
{
	char buf[PART_MAX] __attribute__((aligned(8)));

	for (;;) {
		ssize_t n = mnl_socket_recvfrom(ch->nl, buf, ch->large ? PART_MAX : PART_USUAL);
		const struct nlmsghdr *nlh = (const void *)buf;
		int left = n;

		if (n < 0)
			channel_die("no answer");
		if (ch->received)
			ch->received();
		for (; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
			if (nlh->nlmsg_seq != seq)
				continue;
			if (nlh->nlmsg_type == NLMSG_DONE)
				return 0;
			if (nlh->nlmsg_type == NLMSG_ERROR) {
				if (ch->answered)
					ch->answered(nlh);
				return -((const struct nlmsgerr *)mnl_nlmsg_get_payload(nlh))->error;
			}
			if (show)
				show(nlh, data);
		}
	}
}

int channel_talk(struct channel *ch, struct nlmsghdr *nlh, mnl_cb_t show, void *data)
{
	nlh->nlmsg_seq = ++ch->seq;
	if (mnl_socket_sendto(ch->nl, nlh, nlh->nlmsg_len) < 0)
		channel_die("send");
	return collect_answer(ch, nlh->nlmsg_seq, show, data);
}

static struct nlmsghdr *begin_message(void *buf, uint16_t type, uint8_t cmd, uint16_t flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = FMP_GENL_VERSION;
	return nlh;
}

struct nlmsghdr *channel_begin(const struct channel *ch, void *buf, uint8_t cmd, uint16_t flags)
{
	return begin_message(buf, ch->family, cmd, flags);
}

void channel_patience(struct channel *ch, unsigned int seconds)
{
	struct timeval patience = { .tv_sec = seconds };

	if (setsockopt(mnl_socket_get_fd(ch->nl), SOL_SOCKET, SO_RCVTIMEO, &patience,
		       sizeof(patience)))
		channel_die("patience");
}

void channel_open_family(struct channel *ch, const char *family)
{
	char buf[256] __attribute__((aligned(8)));
	struct nlmsghdr *nlh;
	int one = 1;

	memset(ch, 0, sizeof(*ch));
	ch->nl = mnl_socket_open(NETLINK_GENERIC);
	if (!ch->nl || mnl_socket_bind(ch->nl, 0, MNL_SOCKET_AUTOPID))
		channel_die("netlink");
	mnl_socket_setsockopt(ch->nl, NETLINK_EXT_ACK, &one, sizeof(one));
	mnl_socket_setsockopt(ch->nl, NETLINK_CAP_ACK, &one, sizeof(one));
	channel_patience(ch, PATIENCE);

	nlh = begin_message(buf, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, NLM_F_ACK);
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, family);
	errno = channel_talk(ch, nlh, read_family, ch);
	if (!errno && ch->family)
		return;
	fprintf(stderr, "%s: no family \"%s\": is its module loaded?\n",
		program_invocation_short_name, family);
	exit(3);
}

void channel_open(struct channel *ch)
{
	channel_open_family(ch, FMP_GENL_NAME);
}

void channel_close(struct channel *ch)
{
	mnl_socket_close(ch->nl);
	ch->nl = NULL;
}

int channel_request(struct channel *ch, uint8_t cmd, uint16_t flags, mnl_cb_t show, void *data)
{
	char buf[256] __attribute__((aligned(8)));

	return channel_talk(ch, channel_begin(ch, buf, cmd, flags), show, data);
}

int channel_send(struct channel *ch, struct nlmsghdr *nlh)
{
	return channel_talk(ch, nlh, NULL, NULL);
}

const char *channel_text(const struct nlmsghdr *nlh, long *at)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	size_t skip = sizeof(*err);
	const struct nlattr *attr;
	const char *text = NULL;

	if (at)
		*at = -1;
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return NULL;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		skip += err->msg.nlmsg_len - sizeof(err->msg);
	mnl_attr_for_each(attr, nlh, skip) {
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
			text = mnl_attr_get_str(attr);
		else if (at && mnl_attr_get_type(attr) == NLMSGERR_ATTR_OFFS)
			*at = mnl_attr_get_u32(attr);
	}
	return text;
}
