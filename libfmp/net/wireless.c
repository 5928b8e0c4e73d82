// SPDX-License-Identifier: GPL-2.0
#include <net/wireless.h>

#include <string.h>

#include <linux/genetlink.h>
#include <linux/nl80211.h>

#define CLIENTS_MAX 64u /* upper bound on interfaces */

bool fmpi_wireless_family(const struct nlmsghdr *nlh, struct fmpi_wireless *out)
{
	const struct nlattr *tb[CTRL_ATTR_MCAST_GROUPS + 1], *a, *group[CTRL_ATTR_MCAST_GRP_ID + 1];
	char name[16];

	fmp_nl_attrs_msg(tb, CTRL_ATTR_MCAST_GROUPS, nlh, sizeof(struct genlmsghdr));
	fmp_nl_str(tb[CTRL_ATTR_FAMILY_NAME], name, sizeof(name));
	if (nlh->nlmsg_type != GENL_ID_CTRL || strcmp(name, NL80211_GENL_NAME) != 0 ||
	    !tb[CTRL_ATTR_FAMILY_ID] || mnl_attr_get_payload_len(tb[CTRL_ATTR_FAMILY_ID]) < 2)
		return false;
	*out = (struct fmpi_wireless){ .family = mnl_attr_get_u16(tb[CTRL_ATTR_FAMILY_ID]) };
	if (!tb[CTRL_ATTR_MCAST_GROUPS])
		return true;
	mnl_attr_for_each_nested(a, tb[CTRL_ATTR_MCAST_GROUPS]) {
		fmp_nl_attrs_nested(group, CTRL_ATTR_MCAST_GRP_ID, a);
		fmp_nl_str(group[CTRL_ATTR_MCAST_GRP_NAME], name, sizeof(name));
		if (!strcmp(name, NL80211_MULTICAST_GROUP_MLME))
			out->mlme = fmp_nl_u32(group[CTRL_ATTR_MCAST_GRP_ID]);
	}
	return true;
}

static bool is_command(const struct nlmsghdr *nlh, uint8_t cmd)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);

	return mnl_nlmsg_get_payload_len(nlh) >= sizeof(*genl) && genl->cmd == cmd;
}

bool fmpi_wireless_changed(const struct nlmsghdr *nlh)
{
	return is_command(nlh, NL80211_CMD_CONNECT) || is_command(nlh, NL80211_CMD_ROAM) ||
	       is_command(nlh, NL80211_CMD_DISCONNECT);
}

uint32_t fmpi_wireless_client(const struct nlmsghdr *nlh)
{
	const struct nlattr *tb[NL80211_ATTR_IFTYPE + 1];
	uint32_t type;

	if (!is_command(nlh, NL80211_CMD_NEW_INTERFACE))
		return 0;
	fmp_nl_attrs_msg(tb, NL80211_ATTR_IFTYPE, nlh, sizeof(struct genlmsghdr));
	type = fmp_nl_u32(tb[NL80211_ATTR_IFTYPE]);
	return type == NL80211_IFTYPE_STATION || type == NL80211_IFTYPE_P2P_CLIENT
		       ? fmp_nl_u32(tb[NL80211_ATTR_IFINDEX])
		       : 0;
}

bool fmpi_wireless_parse_access_point(const struct nlmsghdr *nlh, struct fmp_addr *mac)
{
	const struct nlattr *tb[NL80211_ATTR_STA_INFO + 1], *info[NL80211_STA_INFO_STA_FLAGS + 1];
	struct nl80211_sta_flag_update flags = { 0 };

	if (!is_command(nlh, NL80211_CMD_NEW_STATION))
		return false;
	fmp_nl_attrs_msg(tb, NL80211_ATTR_STA_INFO, nlh, sizeof(struct genlmsghdr));
	*mac = fmp_nl_addr(tb[NL80211_ATTR_MAC]);
	if (mac->family != FMP_FAMILY_MAC || (mac->bytes[0] & 1))
		return false;
	if (tb[NL80211_ATTR_STA_INFO]) {
		fmp_nl_attrs_nested(info, NL80211_STA_INFO_STA_FLAGS, tb[NL80211_ATTR_STA_INFO]);
		if (info[NL80211_STA_INFO_STA_FLAGS] &&
		    mnl_attr_get_payload_len(info[NL80211_STA_INFO_STA_FLAGS]) >= sizeof(flags))
			memcpy(&flags, mnl_attr_get_payload(info[NL80211_STA_INFO_STA_FLAGS]),
			       sizeof(flags));
	}
	return !(flags.mask & flags.set & 1u << NL80211_STA_FLAG_TDLS_PEER);
}

/* ---- requests ---- */

static struct nlmsghdr *build_request(void *buf, uint16_t family, uint8_t cmd)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = family;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = 1;
	return nlh;
}

static int store_family(const struct nlmsghdr *nlh, void *ctx)
{
	struct fmpi_wireless found;

	if (fmpi_wireless_family(nlh, &found))
		*(struct fmpi_wireless *)ctx = found;
	return 0;
}

int fmpi_wireless_find(struct fmp_nl *nl, struct fmpi_wireless *out, struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[64];

	*out = (struct fmpi_wireless){ 0 };
	/* Use a dump: a lookup by name would make the kernel load the module. */
	return fmp_nl_request(nl, build_request(buf, GENL_ID_CTRL, CTRL_CMD_GETFAMILY),
			      store_family, out, NULL, err);
}

struct clients {
	uint32_t index[CLIENTS_MAX];
	unsigned n;
};

static int add_client(const struct nlmsghdr *nlh, void *ctx)
{
	struct clients *c = ctx;
	uint32_t index = fmpi_wireless_client(nlh);

	if (index && c->n < CLIENTS_MAX)
		c->index[c->n++] = index;
	return 0;
}

static int add_access_point(const struct nlmsghdr *nlh, void *ctx)
{
	struct fmp_addr mac;

	return fmpi_wireless_parse_access_point(nlh, &mac) ? fmpi_addrset_push(ctx, &mac) : 0;
}

int fmpi_wireless_access_points(struct fmp_nl *nl, const struct fmpi_wireless *w,
				struct fmpi_addrset *out, struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[64];
	struct clients clients = { 0 };
	struct nlmsghdr *nlh;
	int rc;

	if (!w->family)
		return 0;
	rc = fmp_nl_request(nl, build_request(buf, w->family, NL80211_CMD_GET_INTERFACE),
			    add_client, &clients, NULL, err);
	for (unsigned i = 0; !rc && i < clients.n; i++) {
		nlh = build_request(buf, w->family, NL80211_CMD_GET_STATION);
		mnl_attr_put_u32(nlh, NL80211_ATTR_IFINDEX, clients.index[i]);
		rc = fmp_nl_request(nl, nlh, add_access_point, out, NULL, err);
	}
	return rc;
}
