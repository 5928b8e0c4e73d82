// SPDX-License-Identifier: GPL-2.0
/*
 * The access points that this machine is connected to: single messages of nl80211 as the kernel
 * makes them, and the whole conversation with a kernel that has some interfaces.
 */
#include <errno.h>
#include <string.h>

#include <linux/genetlink.h>
#include <linux/nl80211.h>

#include <net/wireless.h>

#include "run.h"

#define FAMILY 0x1c
#define GROUP  9

static _Alignas(struct nlmsghdr) char room[4096];

static struct nlmsghdr *begin_message(void *buf, uint16_t type, uint8_t cmd)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_MULTI;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	return nlh;
}

static struct nlmsghdr *put_family(void *buf, const char *name, uint16_t id)
{
	static const struct {
		const char *name;
		uint32_t id;
	} groups[] = { { "config", 5 }, { "scan", 6 }, { "mlme", GROUP }, { "vendor", 11 } };
	struct nlmsghdr *nlh = begin_message(buf, GENL_ID_CTRL, CTRL_CMD_NEWFAMILY);
	struct nlattr *list, *group;

	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, name);
	mnl_attr_put_u16(nlh, CTRL_ATTR_FAMILY_ID, id);
	list = mnl_attr_nest_start(nlh, CTRL_ATTR_MCAST_GROUPS);
	for (unsigned i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		group = mnl_attr_nest_start(nlh, (uint16_t)(i + 1));
		mnl_attr_put_u32(nlh, CTRL_ATTR_MCAST_GRP_ID, groups[i].id);
		mnl_attr_put_strz(nlh, CTRL_ATTR_MCAST_GRP_NAME, groups[i].name);
		mnl_attr_nest_end(nlh, group);
	}
	mnl_attr_nest_end(nlh, list);
	return nlh;
}

static struct nlmsghdr *put_interface(void *buf, uint32_t index, uint32_t type)
{
	struct nlmsghdr *nlh = begin_message(buf, FAMILY, NL80211_CMD_NEW_INTERFACE);

	mnl_attr_put_u32(nlh, NL80211_ATTR_IFINDEX, index);
	mnl_attr_put_strz(nlh, NL80211_ATTR_IFNAME, "wlan0");
	mnl_attr_put_u32(nlh, NL80211_ATTR_IFTYPE, type);
	mnl_attr_put(nlh, NL80211_ATTR_MAC, 6, "\2\0\0\0\1\0");
	return nlh;
}

static struct nlmsghdr *put_station(void *buf, const char *mac, uint32_t set)
{
	const struct nl80211_sta_flag_update flags = { .mask = ~0u, .set = set };
	struct nlmsghdr *nlh = begin_message(buf, FAMILY, NL80211_CMD_NEW_STATION);
	struct nlattr *info;

	mnl_attr_put(nlh, NL80211_ATTR_MAC, 6, mac);
	info = mnl_attr_nest_start(nlh, NL80211_ATTR_STA_INFO);
	mnl_attr_put_u32(nlh, NL80211_STA_INFO_INACTIVE_TIME, 8);
	mnl_attr_put(nlh, NL80211_STA_INFO_STA_FLAGS, sizeof(flags), &flags);
	mnl_attr_nest_end(nlh, info);
	return nlh;
}

#define CONNECTED (1u << NL80211_STA_FLAG_AUTHORIZED | 1u << NL80211_STA_FLAG_ASSOCIATED)
#define DIRECT	  (CONNECTED | 1u << NL80211_STA_FLAG_TDLS_PEER)

START_TEST(families)
{
	struct fmpi_wireless w = { 0 };

	ck_assert(fmpi_wireless_family(put_family(room, "nl80211", FAMILY), &w));
	ck_assert_uint_eq(w.family, FAMILY);
	ck_assert_uint_eq(w.mlme, GROUP);
	ck_assert(!fmpi_wireless_family(put_family(room, "nl80212", FAMILY), &w));
	ck_assert(!fmpi_wireless_family(put_interface(room, 1, 2), &w));
}
END_TEST

START_TEST(interfaces)
{
	for (uint32_t type = 0; type < NUM_NL80211_IFTYPES; type++) {
		bool client = type == NL80211_IFTYPE_STATION || type == NL80211_IFTYPE_P2P_CLIENT;

		ck_assert_uint_eq(fmpi_wireless_client(put_interface(room, 7, type)),
				  client ? 7 : 0);
	}
	ck_assert_uint_eq(fmpi_wireless_client(put_station(room, "\2\0\0\0\0\1", CONNECTED)), 0);
	ck_assert_uint_eq(
		fmpi_wireless_client(begin_message(room, FAMILY, NL80211_CMD_NEW_INTERFACE)), 0);
}
END_TEST

START_TEST(stations)
{
	struct nlmsghdr *nlh;
	struct fmp_addr mac;

	ck_assert(fmpi_wireless_parse_access_point(put_station(room, "\2\0\0\0\0\1", CONNECTED),
						   &mac));
	ck_assert(!memcmp(mac.bytes, "\2\0\0\0\0\1", 6));
	/* Another client, spoken to past the access point. */
	ck_assert(
		!fmpi_wireless_parse_access_point(put_station(room, "\2\0\0\0\0\1", DIRECT), &mac));
	ck_assert(!fmpi_wireless_parse_access_point(put_station(room, "\3\0\0\0\0\1", CONNECTED),
						    &mac));
	ck_assert(!fmpi_wireless_parse_access_point(put_interface(room, 1, NL80211_IFTYPE_STATION),
						    &mac));
	nlh = begin_message(room, FAMILY, NL80211_CMD_NEW_STATION);
	ck_assert(!fmpi_wireless_parse_access_point(nlh, &mac));
	mnl_attr_put(nlh, NL80211_ATTR_MAC, 6, "\2\0\0\0\0\1");
	ck_assert(fmpi_wireless_parse_access_point(nlh, &mac));
}
END_TEST

START_TEST(changes)
{
	static const uint8_t said[] = { NL80211_CMD_CONNECT, NL80211_CMD_ROAM,
					NL80211_CMD_DISCONNECT };

	for (size_t i = 0; i < sizeof(said); i++)
		ck_assert(fmpi_wireless_changed(begin_message(room, FAMILY, said[i])));
	ck_assert(!fmpi_wireless_changed(begin_message(room, FAMILY, NL80211_CMD_NEW_STATION)));
	ck_assert(!fmpi_wireless_changed(begin_message(room, FAMILY, NL80211_CMD_FRAME)));
}
END_TEST

/* ---- a kernel ---- */

static struct {
	struct nlmsghdr asked; /* the last question */
	uint8_t cmd;
	uint32_t index;
	bool fails; /* of stations */
	unsigned questions;
} kernel;

ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *nl, const void *req, size_t size);
ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *nl, const void *req, size_t size)
{
	const struct nlmsghdr *nlh = req;
	const struct nlattr *tb[NL80211_ATTR_IFINDEX + 1];

	kernel.asked = *nlh;
	kernel.cmd = ((const struct genlmsghdr *)mnl_nlmsg_get_payload(nlh))->cmd;
	fmp_nl_attrs_msg(tb, NL80211_ATTR_IFINDEX, nlh, sizeof(struct genlmsghdr));
	kernel.index = fmp_nl_u32(tb[NL80211_ATTR_IFINDEX]);
	kernel.questions++;
	ck_assert_uint_eq(nlh->nlmsg_flags, NLM_F_REQUEST | NLM_F_DUMP);
	return (ssize_t)size;
}

/* Numbers a message and takes its place in the answer. Return: what is behind it. */
static char *put_numbered(char *at, struct nlmsghdr *nlh)
{
	nlh->nlmsg_seq = kernel.asked.nlmsg_seq;
	return at + MNL_ALIGN(nlh->nlmsg_len);
}

static char *put_stations(char *at)
{
	if (kernel.index == 3) {
		at = put_numbered(at, put_station(at, "\2\0\0\0\0\3", CONNECTED));
		at = put_numbered(at, put_station(at, "\2\0\0\0\0\4", DIRECT));
	} else if (kernel.index == 8) {
		at = put_numbered(at, put_station(at, "\2\0\0\0\0\x8", CONNECTED));
	}
	return at;
}

ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *nl, void *buf, size_t size);
ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *nl, void *buf, size_t size)
{
	struct nlmsghdr *done;
	char *at = buf;

	if (kernel.asked.nlmsg_type == GENL_ID_CTRL) {
		at = put_numbered(at, put_family(at, "nlctrl", GENL_ID_CTRL));
		at = put_numbered(at, put_family(at, "nl80211", FAMILY));
		at = put_numbered(at, put_family(at, "fmp", FAMILY + 1));
	} else if (kernel.cmd == NL80211_CMD_GET_INTERFACE) {
		at = put_numbered(at, put_interface(at, 3, NL80211_IFTYPE_STATION));
		at = put_numbered(at, put_interface(at, 4, NL80211_IFTYPE_AP));
		at = put_numbered(at, put_interface(at, 8, NL80211_IFTYPE_P2P_CLIENT));
		at = put_numbered(at, put_interface(at, 9, NL80211_IFTYPE_STATION));
	} else if (kernel.cmd == NL80211_CMD_GET_STATION) {
		at = put_stations(at);
	}
	done = mnl_nlmsg_put_header(at);
	done->nlmsg_type = NLMSG_DONE;
	*(int *)mnl_nlmsg_put_extra_header(done, sizeof(int)) = kernel.fails && kernel.index ? -EIO
											     : 0;
	at = put_numbered(at, done);
	ck_assert_uint_le((size_t)(at - (char *)buf), size);
	return at - (char *)buf;
}

START_TEST(conversation)
{
	struct fmp_nl nl = { .seq = 1 };
	struct fmpi_addrset points = { 0 };
	struct fmpi_wireless w;

	ck_assert_int_eq(fmpi_wireless_find(&nl, &w, NULL), 0);
	ck_assert_uint_eq(w.family, FAMILY);
	ck_assert_uint_eq(w.mlme, GROUP);
	ck_assert_int_eq(fmpi_wireless_access_points(&nl, &w, &points, NULL), 0);
	/* The family, the interfaces, and three that could be connected. */
	ck_assert_uint_eq(kernel.questions, 5);
	ck_assert_uint_eq(points.n, 2);
	ck_assert_uint_eq(points.v[0].bytes[5], 3);
	ck_assert_uint_eq(points.v[1].bytes[5], 8);
	fmpi_addrset_free(&points);
	kernel.fails = true;
	ck_assert_int_eq(fmpi_wireless_access_points(&nl, &w, &points, NULL), FMP_ERR_KERNEL);
	fmpi_addrset_free(&points);
	/* Without wireless devices nothing is asked. */
	kernel.questions = 0;
	w = (struct fmpi_wireless){ 0 };
	ck_assert_int_eq(fmpi_wireless_access_points(&nl, &w, &points, NULL), 0);
	ck_assert_uint_eq(kernel.questions, 0);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("wireless");

	tcase_add_test(tc, families);
	tcase_add_test(tc, interfaces);
	tcase_add_test(tc, stations);
	tcase_add_test(tc, changes);
	tcase_add_test(tc, conversation);
	return run_tcase("wireless", tc);
}
