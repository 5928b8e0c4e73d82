// SPDX-License-Identifier: GPL-2.0
/*
 * A message is first made valid or nearly so, from few addresses and devices, so that
 * rules collide; half of them are then mutated: bits, lengths, types, nests, ends.
 */
#include "message.h"

#include <linux/fmp.h>
#include <linux/genetlink.h>
#include <string.h>

#define HDR_LEN	  (NLMSG_HDRLEN + GENL_HDRLEN)
#define DEPTH_MAX 40

struct writer {
	uint8_t *buf;
	size_t len;
	bool no_timeouts;
};

static void put_attr(struct writer *w, uint16_t type, const void *data, uint16_t len)
{
	struct nlattr attr = { .nla_len = NLA_HDRLEN + len, .nla_type = type };

	if (w->len + NLA_HDRLEN + NLA_ALIGN(len) > FUZZ_MESSAGE_MAX - 64)
		return;
	memcpy(w->buf + w->len, &attr, sizeof(attr));
	memset(w->buf + w->len + NLA_HDRLEN, 0, NLA_ALIGN(len));
	memcpy(w->buf + w->len + NLA_HDRLEN, data, len);
	w->len += NLA_HDRLEN + NLA_ALIGN(len);
}

static size_t nest_begin(struct writer *w, uint16_t type)
{
	size_t at = w->len;

	put_attr(w, type | NLA_F_NESTED, NULL, 0);
	return at;
}

static void nest_end(struct writer *w, size_t at)
{
	uint16_t len = w->len - at;

	memcpy(w->buf + at, &len, sizeof(len));
}

static void put_address(struct test_random *r, struct writer *w, unsigned int kind)
{
	uint8_t mac[6] = { 2, 'f', 'u', 'z', 0, random_below(r, 24) };
	uint8_t v4[4] = { 10, random_below(r, 2), 0, random_below(r, 16) };
	uint8_t v6[16] = { 0xfd, random_below(r, 2), [15] = random_below(r, 16) };
	uint8_t plen = random_below(r, 34);

	if (random_once_in(r, 50))
		mac[0] = random_u64(r);
	if (kind == 0 || kind >= 3)
		put_attr(w, FMP_RULE_A_MAC, mac, sizeof(mac));
	if (random_once_in(r, 4) && (kind == 1 || kind == 2)) {
		/* A prefix, usually with zero bits after it. */
		v4[2] = v4[3] = v6[15] = 0;
		if (!random_once_in(r, 4))
			plen = 16 + random_below(r, 17);
		put_attr(w, FMP_RULE_A_PREFIX_LEN, &plen, sizeof(plen));
	}
	if (kind == 1 || kind == 3)
		put_attr(w, FMP_RULE_A_IPV4, v4, sizeof(v4));
	if (kind == 2 || kind == 4)
		put_attr(w, FMP_RULE_A_IPV6, v6, sizeof(v6));
}

static void put_rule(struct test_random *r, struct writer *w, bool whole)
{
	static const uint64_t timeouts[] = { 0,		1,    2,     50,
					     1000,	5000, 60000, FMP_TIMEOUT_MAX_MS,
					     UINT64_MAX };
	size_t nest = nest_begin(w, FMP_A_RULE);
	/* Few protect rules: they make later blocks be refused. */
	uint8_t verdict = random_once_in(r, 4) ? 1 + random_below(r, FMP_VERDICT_MAX)
					       : FMP_VERDICT_BLOCK;
	uint64_t n;

	put_address(r, w, random_below(r, 5));
	if (!whole)
		goto out;
	if (random_once_in(r, 40))
		verdict = random_u64(r);
	if (!random_once_in(r, 40))
		put_attr(w, FMP_RULE_A_VERDICT, &verdict, sizeof(verdict));
	if (!w->no_timeouts && random_once_in(r, 2)) {
		n = timeouts[random_below(r, random_once_in(r, 30) ? 9 : 8)];
		put_attr(w, FMP_RULE_A_TIMEOUT_MS, &n, sizeof(n));
	}
	if (random_once_in(r, 3)) {
		n = random_u64(r);
		put_attr(w, FMP_RULE_A_ID, &n, sizeof(n));
	}
	/* An attribute that is not allowed, or a duplicate. */
	if (random_once_in(r, 60)) {
		n = random_u64(r);
		put_attr(w, random_below(r, FMP_RULE_A_MAX + 4), &n, 1 << random_below(r, 4));
	}
out:
	nest_end(w, nest);
}

static void put_dev(struct test_random *r, struct writer *w, bool flags)
{
	static const char *const name[] = { "bb0",
					    "bb1",
					    "bb2",
					    "lo",
					    "",
					    "no-such-device",
					    "a-name-that-is-longer-than-a-name",
					    "bb0/../x" };
	size_t nest = nest_begin(w, FMP_A_DEV);
	uint32_t index = random_below(r, 8);
	uint32_t value = random_below(r, 2);
	const char *which = name[random_below(r, 8)];

	if (!random_once_in(r, 20))
		put_attr(w, FMP_DEV_A_NAME, which, strlen(which) + !random_once_in(r, 20));
	else
		put_attr(w, FMP_DEV_A_IFINDEX, &index, sizeof(index));
	if (random_once_in(r, 20))
		value = random_u64(r);
	if (flags && random_once_in(r, 2))
		put_attr(w, FMP_DEV_A_FLAGS, &value, sizeof(value));
	nest_end(w, nest);
}

static void put_command(struct test_random *r, struct writer *w, uint8_t cmd)
{
	unsigned int n = random_once_in(r, 2) ? 1 : 1 + random_below(r, 6);
	uint8_t verdict = random_below(r, FMP_VERDICT_MAX + 2);
	size_t nest;

	if (random_once_in(r, 2000))
		n = FMP_BATCH_MAX - 2 + random_below(r, 5);
	switch (cmd) {
	case FMP_CMD_RULE_ADD:
	case FMP_CMD_RULE_DEL:
		while (n--)
			put_rule(r, w, cmd == FMP_CMD_RULE_ADD);
		break;
	case FMP_CMD_RULE_FLUSH:
		if (random_once_in(r, 3))
			break;
		nest = nest_begin(w, FMP_A_RULE);
		put_attr(w, FMP_RULE_A_VERDICT, &verdict, sizeof(verdict));
		nest_end(w, nest);
		break;
	case FMP_CMD_DEV_ATTACH:
	case FMP_CMD_DEV_DETACH:
		put_dev(r, w, cmd == FMP_CMD_DEV_ATTACH);
		break;
	}
}

/* Any command; mostly RULE_ADD, rarely RULE_FLUSH. */
static uint8_t pick_command(struct test_random *r)
{
	unsigned int n = random_below(r, 100);

	if (n < 50)
		return FMP_CMD_RULE_ADD;
	if (n < 68)
		return FMP_CMD_RULE_DEL;
	if (n < 70)
		return FMP_CMD_RULE_FLUSH;
	if (n < 72)
		return FMP_CMD_RULE_GET;
	if (n < 76)
		return FMP_CMD_DEV_GET;
	if (n < 80)
		return FMP_CMD_STATS_GET;
	if (n < 99)
		return n & 1 ? FMP_CMD_DEV_ATTACH : FMP_CMD_DEV_DETACH;
	return random_u64(r);
}

/* Wraps all attributes in several levels of nests. */
static void wrap_in_nests(struct test_random *r, struct writer *w)
{
	unsigned int depth = 1 + random_below(r, DEPTH_MAX);

	while (depth-- && w->len + NLA_HDRLEN < FUZZ_MESSAGE_MAX && w->len - HDR_LEN < 60000) {
		struct nlattr attr = {
			.nla_len = w->len - HDR_LEN + NLA_HDRLEN,
			.nla_type = (random_once_in(r, 3) ? FMP_A_DEV : FMP_A_RULE) | NLA_F_NESTED,
		};

		memmove(w->buf + HDR_LEN + NLA_HDRLEN, w->buf + HDR_LEN, w->len - HDR_LEN);
		memcpy(w->buf + HDR_LEN, &attr, sizeof(attr));
		w->len += NLA_HDRLEN;
	}
}

/* Duplicates or removes a part of the message. */
static void splice_part(struct test_random *r, struct writer *w)
{
	size_t all = w->len - HDR_LEN;
	size_t from, part;

	if (all < 4)
		return;
	from = HDR_LEN + random_below(r, all / 4) * 4;
	part = (1 + random_below(r, 8)) * 4;
	if (from + part > w->len || w->len + part > FUZZ_MESSAGE_MAX)
		return;
	if (random_once_in(r, 2)) {
		memmove(w->buf + from + part, w->buf + from, w->len - from);
		w->len += part;
	} else {
		memmove(w->buf + from, w->buf + from + part, w->len - from - part);
		w->len -= part;
	}
}

static void mutate_message(struct test_random *r, struct writer *w)
{
	size_t all = w->len - HDR_LEN;
	uint8_t *at = w->buf + HDR_LEN + (all ? random_below(r, all) : 0);
	uint8_t *attr = w->buf + HDR_LEN + (all >= 4 ? random_below(r, all / 4) * 4 : 0);

	switch (random_below(r, 10)) {
	case 0:
		if (all)
			*at ^= 1 << random_below(r, 8);
		break;
	case 1:
		if (all)
			*at = random_u64(r);
		break;
	case 2: /* nla_len, if it is one */
		if (all >= 4)
			attr[0] += random_below(r, 9) - 4;
		break;
	case 3: /* nla_type */
		if (all >= 4)
			attr[2] = random_below(r, 20);
		break;
	case 4: /* NLA_F_NESTED, NLA_F_NET_BYTEORDER */
		if (all >= 4)
			attr[3] ^= 0x40 << random_below(r, 2);
		break;
	case 5:
		w->len -= random_below(r, (all < 16 ? all : 16) + 1);
		break;
	case 6:
		for (unsigned int n = random_below(r, 12); n && w->len < FUZZ_MESSAGE_MAX; n--)
			w->buf[w->len++] = random_u64(r);
		break;
	case 7:
		wrap_in_nests(r, w);
		break;
	default:
		splice_part(r, w);
	}
}

/* Writes the headers of netlink and generic netlink, sometimes with wrong values. */
static void put_headers(struct test_random *r, struct writer *w, uint16_t family, uint32_t seq,
			uint8_t cmd)
{
	struct nlmsghdr nlh = { .nlmsg_type = family, .nlmsg_seq = seq };
	struct genlmsghdr genl = { .cmd = cmd, .version = FMP_GENL_VERSION };

	nlh.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	if (cmd == FMP_CMD_RULE_GET || cmd == FMP_CMD_DEV_GET)
		nlh.nlmsg_flags |= NLM_F_DUMP;
	if (random_once_in(r, 16))
		nlh.nlmsg_flags |= NLM_F_EXCL;
	if (random_once_in(r, 64))
		nlh.nlmsg_flags = NLM_F_REQUEST | random_u64(r);
	if (random_once_in(r, 200))
		genl.version = random_u64(r);
	if (random_once_in(r, 200))
		genl.reserved = random_u64(r);
	nlh.nlmsg_len = w->len;
	if (random_once_in(r, 200))
		nlh.nlmsg_len = random_below(r, w->len + 8);
	memcpy(w->buf, &nlh, sizeof(nlh));
	memcpy(w->buf + NLMSG_HDRLEN, &genl, sizeof(genl));
}

size_t fuzz_message_make(struct test_random *r, void *buf, uint16_t family, uint32_t seq,
			 bool no_timeouts)
{
	struct writer w = { buf, HDR_LEN, no_timeouts };
	uint8_t cmd = pick_command(r);
	unsigned int mutations = 0;

	if (random_once_in(r, 25)) {
		for (unsigned int n = random_below(r, 200); n; n--)
			w.buf[w.len++] = random_u64(r);
	} else {
		put_command(r, &w, random_once_in(r, 50) ? pick_command(r) : cmd);
		if (random_once_in(r, 2))
			mutations = 1 + random_below(r, 3);
	}
	while (mutations--)
		mutate_message(r, &w);
	put_headers(r, &w, family, seq, cmd);
	return w.len;
}

bool fuzz_message_is_foreign(const void *buf, size_t len, uint16_t family)
{
	const struct nlmsghdr *nlh = buf;
	const struct genlmsghdr *genl = (const void *)((const char *)buf + NLMSG_HDRLEN);
	bool dumps, dump = (nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;

	if (nlh->nlmsg_type != family || nlh->nlmsg_len < HDR_LEN || nlh->nlmsg_len > len)
		return true;
	if (!genl->cmd || genl->cmd > FMP_CMD_STATS_GET)
		return true;
	/* A dump of a command that has none, or no dump of a command that only dumps. */
	dumps = genl->cmd == FMP_CMD_RULE_GET || genl->cmd == FMP_CMD_DEV_GET;
	return dump != dumps;
}
