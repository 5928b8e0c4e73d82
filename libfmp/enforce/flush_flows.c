// SPDX-License-Identifier: GPL-2.0
/*
 * Ends connections that a flowtable forwards: its hook is at netdev ingress, so their frames pass by the layer ip. By
 * ctnetlink: the flow of a connection that conntrack has deleted is not used again, and leaves the hardware at the
 * flowtable's next turn.
 */
#include <fmp/enforce.h>

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/netfilter/nf_conntrack_common.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_conntrack.h>

#include <enforce/flush_flows.h>
#include <fmp/internal/netlink.h>

/* Upper bound for one call; the next one finds the rest. */
#define FLOWS_MAX	 4096u
/* A tuple of IPv6 with ports and a zone takes 84 bytes. */
#define TUPLE_MAX	 128u
/* Is there conntrack? The first request would load it. */
#define CONNTRACK	 "/proc/sys/net/netfilter/nf_conntrack_count"
#define CT_MESSAGE(type) ((uint16_t)(NFNL_SUBSYS_CTNETLINK << 8 | (type)))

/* What names a connection: its attributes as they came. */
struct flow {
	uint8_t family;
	uint8_t tuple[TUPLE_MAX];
	size_t tuple_len;
	uint32_t id;
	uint16_t zone;
	bool has_zone;
};

struct found {
	struct flow *v;
	size_t n, cap;
	fmp_flush_flows_cb wanted;
	void *ctx;
	struct fmp_flushed *out;
};

static bool parse_tuple(const struct nlattr *tuple, struct fmpi_flow_end *end)
{
	const struct nlattr *tb[CTA_TUPLE_MAX + 1], *ip[CTA_IP_MAX + 1], *proto[CTA_PROTO_MAX + 1];
	const struct nlattr *port;

	if (!tuple)
		return false;
	fmp_nl_attrs_nested(tb, CTA_TUPLE_MAX, tuple);
	if (!tb[CTA_TUPLE_IP] || !tb[CTA_TUPLE_PROTO])
		return false;
	fmp_nl_attrs_nested(ip, CTA_IP_MAX, tb[CTA_TUPLE_IP]);
	fmp_nl_attrs_nested(proto, CTA_PROTO_MAX, tb[CTA_TUPLE_PROTO]);
	end->source = fmp_nl_addr(ip[CTA_IP_V4_SRC] ? ip[CTA_IP_V4_SRC] : ip[CTA_IP_V6_SRC]);
	port = proto[CTA_PROTO_DST_PORT];
	end->dest_port = 0;
	if (port && mnl_attr_get_payload_len(port) == sizeof(end->dest_port)) {
		memcpy(&end->dest_port, mnl_attr_get_payload(port), sizeof(end->dest_port));
		end->dest_port = ntohs(end->dest_port);
	}
	return fmp_addr_is_ip(&end->source);
}

bool fmpi_flush_flows_parse(const struct nlmsghdr *nlh, const struct nlattr **tb,
			    struct fmpi_flow_end ends[2])
{
	if (nlh->nlmsg_type != CT_MESSAGE(IPCTNL_MSG_CT_NEW) ||
	    mnl_nlmsg_get_payload_len(nlh) < sizeof(struct nfgenmsg))
		return false;
	fmp_nl_attrs_msg(tb, CTA_MAX, nlh, sizeof(struct nfgenmsg));
	/* Kernels before 5.8 filter by a mark only. */
	return (ntohl(fmp_nl_u32(tb[CTA_STATUS])) & IPS_OFFLOAD) && tb[CTA_ID] &&
	       parse_tuple(tb[CTA_TUPLE_ORIG], &ends[0]) &&
	       parse_tuple(tb[CTA_TUPLE_REPLY], &ends[1]);
}

static int add_flow(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nfgenmsg *head = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *tb[CTA_MAX + 1];
	struct found *f = ctx;
	struct fmpi_flow_end ends[2];
	struct flow *flow;
	size_t len;

	if (!fmpi_flush_flows_parse(nlh, tb, ends))
		return 0;
	f->out->offloaded++;
	len = mnl_attr_get_payload_len(tb[CTA_TUPLE_ORIG]);
	if (f->n == FLOWS_MAX || len > TUPLE_MAX ||
	    (!f->wanted(&ends[0].source, ends[0].dest_port, f->ctx) &&
	     !f->wanted(&ends[1].source, ends[1].dest_port, f->ctx)))
		return 0;
	if (f->n == f->cap) {
		size_t cap = f->cap ? 2 * f->cap : 16;
		struct flow *v = reallocarray(f->v, cap, sizeof(*v));

		if (!v)
			return FMP_ERR_NOMEM;
		f->v = v;
		f->cap = cap;
	}
	flow = &f->v[f->n++];
	*flow = (struct flow){ .family = head->nfgen_family, .tuple_len = len };
	memcpy(flow->tuple, mnl_attr_get_payload(tb[CTA_TUPLE_ORIG]), len);
	/* Kept as it came, in network order. */
	flow->id = fmp_nl_u32(tb[CTA_ID]);
	flow->has_zone = tb[CTA_ZONE] && mnl_attr_get_payload_len(tb[CTA_ZONE]) == 2;
	if (flow->has_zone)
		memcpy(&flow->zone, mnl_attr_get_payload(tb[CTA_ZONE]), sizeof(flow->zone));
	return 0;
}

static struct nlmsghdr *put_head(char *buf, uint16_t type, uint16_t flags, uint8_t family)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct nfgenmsg *head;

	nlh->nlmsg_type = CT_MESSAGE(type);
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	head = mnl_nlmsg_put_extra_header(nlh, sizeof(*head));
	*head = (struct nfgenmsg){ .nfgen_family = family, .version = NFNETLINK_V0 };
	return nlh;
}

/* The kernel leaves out what no flowtable has: nearly all, on most machines. */
static int list_flows(struct fmp_nl *nl, struct found *f, struct fmp_kerr *kerr,
		      struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[256];
	struct nlmsghdr *nlh = put_head(buf, IPCTNL_MSG_CT_GET, NLM_F_DUMP, AF_UNSPEC);

	mnl_attr_put_u32(nlh, CTA_STATUS, htonl(IPS_OFFLOAD));
	mnl_attr_put_u32(nlh, CTA_STATUS_MASK, htonl(IPS_OFFLOAD));
	return fmp_nl_request(nl, nlh, add_flow, f, kerr, err);
}

static int delete_flow(struct fmp_nl *nl, const struct flow *flow, struct fmp_kerr *kerr,
		       struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[512];
	struct nlmsghdr *nlh = put_head(buf, IPCTNL_MSG_CT_DELETE, NLM_F_ACK, flow->family);

	mnl_attr_put(nlh, CTA_TUPLE_ORIG | NLA_F_NESTED, flow->tuple_len, flow->tuple);
	if (flow->has_zone)
		mnl_attr_put(nlh, CTA_ZONE, sizeof(flow->zone), &flow->zone);
	/* Not another connection that has the same addresses meanwhile. */
	mnl_attr_put_u32(nlh, CTA_ID, flow->id);
	return fmp_nl_request(nl, nlh, NULL, NULL, kerr, err);
}

int fmp_flush_flows(fmp_flush_flows_cb wanted, void *ctx, struct fmp_flushed *out,
		    struct fmp_error *err)
{
	struct found f = { .wanted = wanted, .ctx = ctx, .out = out };
	struct fmp_kerr kerr = { 0 };
	struct fmp_nl nl = { 0 };
	int rc;

	*out = (struct fmp_flushed){ 0 };
	if (access(CONNTRACK, F_OK))
		return 0;
	rc = fmp_nl_open(&nl, NETLINK_NETFILTER, err);
	if (rc)
		return rc;
	rc = list_flows(&nl, &f, &kerr, err);
	/* Connections that came or went meanwhile; what is missing is found the next time. */
	if (rc == FMP_ERR_AGAIN)
		rc = 0;
	/* Without CONFIG_NF_CT_NETLINK. */
	if (rc == FMP_ERR_KERNEL && (kerr.sys_errno == EINVAL || kerr.sys_errno == EOPNOTSUPP))
		rc = fmp_error_set(err, FMP_ERR_UNSUPPORTED,
				   "this kernel ends no connections of conntrack "
				   "(CONFIG_NF_CT_NETLINK)");
	for (size_t i = 0; !rc && i < f.n; i++) {
		rc = delete_flow(&nl, &f.v[i], &kerr, err);
		out->flushed += !rc;
		/* Before 6.4 it is for all connections of flowtables. */
		if (rc == FMP_ERR_KERNEL && kerr.sys_errno == EBUSY)
			rc = fmp_error_set(err, FMP_ERR_UNSUPPORTED,
					   "this kernel ends no connections of flowtables");
		if (rc == FMP_ERR_KERNEL && kerr.sys_errno == ENOENT)
			rc = 0;
	}
	free(f.v);
	fmp_nl_close(&nl);
	return rc;
}
