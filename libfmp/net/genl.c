// SPDX-License-Identifier: GPL-2.0
#include <net/genl.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/genetlink.h>

/* Read the family id in the controller's reply. */
static int parse_family_id(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nlattr *tb[CTRL_ATTR_FAMILY_ID + 1];
	uint16_t *id = ctx;

	fmp_nl_attrs_msg(tb, CTRL_ATTR_FAMILY_ID, nlh, sizeof(struct genlmsghdr));
	if (tb[CTRL_ATTR_FAMILY_ID] &&
	    mnl_attr_get_payload_len(tb[CTRL_ATTR_FAMILY_ID]) >= sizeof(*id))
		*id = mnl_attr_get_u16(tb[CTRL_ATTR_FAMILY_ID]);
	return 0;
}

int fmpi_genl_family(struct fmp_nl *nl, uint16_t *id, struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[256];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;
	struct fmp_kerr kerr;
	int rc;

	nlh->nlmsg_type = GENL_ID_CTRL;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = CTRL_CMD_GETFAMILY;
	genl->version = 1;
	mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, FMP_GENL_NAME);
	*id = 0;
	rc = fmp_nl_request(nl, nlh, parse_family_id, id, &kerr, err);
	if ((rc == FMP_ERR_KERNEL && kerr.sys_errno == ENOENT) || (!rc && !*id)) {
		rc = fmp_error_set(err, FMP_ERR_UNSUPPORTED, "the module fmp is not loaded");
		if (err)
			err->sys_errno = ENOENT;
	}
	return rc;
}

struct nlmsghdr *fmpi_genl_begin(void *buf, uint16_t family, enum fmp_cmd cmd, uint16_t flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct genlmsghdr *genl;

	nlh->nlmsg_type = family;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = (uint8_t)cmd;
	genl->version = FMP_GENL_VERSION;
	return nlh;
}

int fmpi_genl_dump(struct fmp_nl *nl, enum fmp_cmd cmd, fmp_nl_cb cb, void *ctx, size_t *n,
		   struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[64];
	uint16_t family;
	int rc = fmpi_genl_family(nl, &family, err);

	if (rc)
		return rc;
	rc = FMP_ERR_AGAIN;
	for (int i = 0; i < FMP_DUMP_TRIES && rc == FMP_ERR_AGAIN; i++) {
		*n = 0;
		rc = fmp_nl_request(nl, fmpi_genl_begin(buf, family, cmd, NLM_F_DUMP), cb, ctx,
				    NULL, err);
	}
	return rc;
}

void fmpi_genl_put_rule(struct nlmsghdr *nlh, const struct fmp_addr *a,
			const struct fmp_addr *pair_mac, enum fmp_verdict verdict, uint64_t left_ms,
			uint64_t id)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, FMP_A_RULE);
	bool pair = pair_mac->family == FMP_FAMILY_MAC;

	if (pair)
		mnl_attr_put(nlh, FMP_RULE_A_MAC, FMP_MAC_LEN, pair_mac->bytes);
	switch (a->family) {
	case FMP_FAMILY_MAC:
		mnl_attr_put(nlh, FMP_RULE_A_MAC, FMP_MAC_LEN, a->bytes);
		break;
	case FMP_FAMILY_IPV4:
		mnl_attr_put(nlh, FMP_RULE_A_IPV4, 4, a->bytes);
		break;
	case FMP_FAMILY_IPV6:
		mnl_attr_put(nlh, FMP_RULE_A_IPV6, 16, a->bytes);
		break;
	}
	if (fmp_addr_is_ip(a) && !pair)
		mnl_attr_put_u8(nlh, FMP_RULE_A_PREFIX_LEN, a->prefix_len);
	if (verdict != FMP_VERDICT_UNSPEC)
		mnl_attr_put_u8(nlh, FMP_RULE_A_VERDICT, (uint8_t)verdict);
	if (left_ms)
		mnl_attr_put_u64(nlh, FMP_RULE_A_TIMEOUT_MS, left_ms);
	if (id)
		mnl_attr_put_u64(nlh, FMP_RULE_A_ID, id);
	mnl_attr_nest_end(nlh, nest);
}

void fmpi_genl_put_dev(struct nlmsghdr *nlh, const char *name, uint32_t flags)
{
	struct nlattr *nest = mnl_attr_nest_start(nlh, FMP_A_DEV);

	mnl_attr_put_strz(nlh, FMP_DEV_A_NAME, name);
	if (flags)
		mnl_attr_put_u32(nlh, FMP_DEV_A_FLAGS, flags);
	mnl_attr_nest_end(nlh, nest);
}

bool fmpi_genl_get_rule(const struct nlmsghdr *nlh, struct fmp_rule *out, enum fmp_verdict *verdict)
{
	const struct nlattr *top[FMP_A_MAX + 1], *tb[FMP_RULE_A_MAX + 1], *ip;

	fmp_nl_attrs_msg(top, FMP_A_MAX, nlh, sizeof(struct genlmsghdr));
	if (!top[FMP_A_RULE])
		return false;
	fmp_nl_attrs_nested(tb, FMP_RULE_A_MAX, top[FMP_A_RULE]);
	ip = tb[FMP_RULE_A_IPV4] ? tb[FMP_RULE_A_IPV4] : tb[FMP_RULE_A_IPV6];
	*out = (struct fmp_rule){
		.addr = fmp_nl_addr(ip ? ip : tb[FMP_RULE_A_MAC]),
		.id = fmp_nl_u64(tb[FMP_RULE_A_ID]),
		.left_ms = fmp_nl_u64(tb[FMP_RULE_A_TIMEOUT_MS]),
		.frames = fmp_nl_u64(tb[FMP_RULE_A_HITS]),
		.bytes = fmp_nl_u64(tb[FMP_RULE_A_BYTES]),
		.first_hit_ns = fmp_nl_u64(tb[FMP_RULE_A_FIRST_HIT_NS]),
	};
	if (ip && tb[FMP_RULE_A_MAC])
		out->pair_mac = fmp_nl_addr(tb[FMP_RULE_A_MAC]);
	if (tb[FMP_RULE_A_PREFIX_LEN])
		out->addr = fmp_addr_mask(out->addr, fmp_nl_u8(tb[FMP_RULE_A_PREFIX_LEN]));
	*verdict = fmp_nl_u8(tb[FMP_RULE_A_VERDICT]);
	return out->addr.family != FMP_FAMILY_NONE;
}

bool fmpi_genl_get_dev(const struct nlmsghdr *nlh, struct fmpi_genl_dev *out)
{
	const struct nlattr *top[FMP_A_MAX + 1], *tb[FMP_DEV_A_MAX + 1];

	fmp_nl_attrs_msg(top, FMP_A_MAX, nlh, sizeof(struct genlmsghdr));
	if (!top[FMP_A_DEV])
		return false;
	fmp_nl_attrs_nested(tb, FMP_DEV_A_MAX, top[FMP_A_DEV]);
	*out = (struct fmpi_genl_dev){
		.hook = fmp_nl_u8(tb[FMP_DEV_A_HOOK]),
		.flags = fmp_nl_u32(tb[FMP_DEV_A_FLAGS]),
		.frames = fmp_nl_u64(tb[FMP_DEV_A_RX_FRAMES]),
		.observed = fmp_nl_u64(tb[FMP_DEV_A_OBSERVED]),
		.stopped = fmp_nl_u64(tb[FMP_DEV_A_STOPPED_MAC]) +
			   fmp_nl_u64(tb[FMP_DEV_A_STOPPED_IP]),
		.stopped_bytes = fmp_nl_u64(tb[FMP_DEV_A_STOPPED_BYTES]),
		.foreign = fmp_nl_u64(tb[FMP_DEV_A_STOPPED_FOREIGN]),
		.late = fmp_nl_u64(tb[FMP_DEV_A_DROPPED_LATE]),
	};
	fmp_nl_str(tb[FMP_DEV_A_NAME], out->name, sizeof(out->name));
	return out->name[0] != '\0';
}
