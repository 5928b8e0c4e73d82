// SPDX-License-Identifier: GPL-2.0
/*
 * Detects changes by other programs: nf_tables' notifications of our tables, the module's family
 * appearing and disappearing, the module's own events.
 */
#include <fmp/enforce.h>

#include <arpa/inet.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <linux/filter.h>
#include <linux/genetlink.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>

#include <enforce/enforcer.h>
#include <net/genl.h>
#include <layers/nft.h>
#include <enforce/watch.h>

/* Datagrams processed in one call; the rest stays readable. */
#define DRAIN_MAX 256

struct fmp_watch {
	struct fmp_nl nft, genl;
	uint32_t events_group; /* the module's multicast group; 0: not loaded */
	const struct fmp_enforcer *e;
	uint32_t rules_changed; /* changes reported by the module, in this drain */
	uint32_t own_seen; /* own changes reported before */
};

/*
 * Own changes are reported too, one for each element: filter them in the kernel, for tens of
 * thousands would displace the others.
 */
static int follow_enforcer(struct fmp_watch *w, const struct fmp_enforcer *e, struct fmp_error *err)
{
	const struct fmpi_layer *ip = e->slots[FMP_LAYER_IP].l, *mac = e->slots[FMP_LAYER_MAC].l;
	/* BPF loads in network order, the field is in host order. */
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct nlmsghdr, nlmsg_pid)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(ip ? ip->portid : 0), 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htonl(mac ? mac->portid : 0), 2, 0),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	struct sock_fprog prog = { .len = sizeof(code) / sizeof(code[0]), .filter = code };

	w->e = e;
	w->own_seen = e->slots[FMP_LAYER_PREMAC].l ? e->slots[FMP_LAYER_PREMAC].l->told : 0;
	/* The kernel's own changes (a device disappears) have port 0 and count as foreign. */
	if (!ip && !mac)
		return 0;
	if (!ip)
		code[1].k = code[2].k;
	if (!mac)
		code[2].k = code[1].k;
	if (setsockopt(mnl_socket_get_fd(w->nft.sk), SOL_SOCKET, SO_ATTACH_FILTER, &prog,
		       sizeof(prog)))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "filter of notifications");
	return 0;
}

static int join_group(struct fmp_nl *nl, unsigned group, struct fmp_error *err)
{
	int g = (int)group;

	if (mnl_socket_setsockopt(nl->sk, NETLINK_ADD_MEMBERSHIP, &g, sizeof(g)) < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "netlink group %u", group);
	return 0;
}

/* ---- the module's family ---- */

/* The id of the group "events" among a family's groups. */
static uint32_t find_events_group(const struct nlattr *groups)
{
	const struct nlattr *tb[CTRL_ATTR_MCAST_GRP_ID + 1], *a;
	uint32_t id = 0;
	char name[16];

	if (!groups)
		return 0;
	mnl_attr_for_each_nested(a, groups) {
		fmp_nl_attrs_nested(tb, CTRL_ATTR_MCAST_GRP_ID, a);
		fmp_nl_str(tb[CTRL_ATTR_MCAST_GRP_NAME], name, sizeof(name));
		if (!strcmp(name, FMP_GENL_MCGRP_EVENTS))
			id = fmp_nl_u32(tb[CTRL_ATTR_MCAST_GRP_ID]);
	}
	return id;
}

bool fmpi_watch_family(const struct nlmsghdr *nlh, bool *there, uint32_t *group)
{
	const struct nlattr *tb[CTRL_ATTR_MCAST_GROUPS + 1];
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);
	char name[16];

	if (nlh->nlmsg_type != GENL_ID_CTRL || mnl_nlmsg_get_payload_len(nlh) < sizeof(*genl) ||
	    (genl->cmd != CTRL_CMD_NEWFAMILY && genl->cmd != CTRL_CMD_DELFAMILY))
		return false;
	fmp_nl_attrs_msg(tb, CTRL_ATTR_MCAST_GROUPS, nlh, sizeof(*genl));
	fmp_nl_str(tb[CTRL_ATTR_FAMILY_NAME], name, sizeof(name));
	if (strcmp(name, FMP_GENL_NAME) != 0)
		return false;
	*there = genl->cmd == CTRL_CMD_NEWFAMILY;
	*group = find_events_group(tb[CTRL_ATTR_MCAST_GROUPS]);
	return true;
}

/* The message about a new family contains its groups. */
static void follow_family(struct fmp_watch *w, bool there, uint32_t group)
{
	w->events_group = there ? group : 0;
	if (there && group && join_group(&w->genl, group, NULL))
		w->events_group = 0;
}

static int observe_family(const struct nlmsghdr *nlh, void *ctx)
{
	uint32_t group;
	bool there;

	if (fmpi_watch_family(nlh, &there, &group))
		follow_family(ctx, there, group);
	return 0;
}

/* Read its groups, if it exists already. */
static int request_family(struct fmp_watch *w)
{
	_Alignas(struct nlmsghdr) char buf[256];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct fmp_nl ask = { 0 };
	struct genlmsghdr *genl;
	int rc = fmp_nl_open(&ask, NETLINK_GENERIC, NULL);

	if (rc)
		return rc;
	/* Use a dump: a lookup by name would make the kernel load the module. */
	nlh->nlmsg_type = GENL_ID_CTRL;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	genl = mnl_nlmsg_put_extra_header(nlh, sizeof(*genl));
	genl->cmd = CTRL_CMD_GETFAMILY;
	genl->version = 1;
	rc = fmp_nl_request(&ask, nlh, observe_family, w, NULL, NULL);
	fmp_nl_close(&ask);
	return rc;
}

unsigned fmpi_watch_event(const struct nlmsghdr *nlh, uint64_t *lost)
{
	const struct nlattr *tb[FMP_A_MAX + 1];
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(nlh);

	*lost = 0;
	if (nlh->nlmsg_type == GENL_ID_CTRL || mnl_nlmsg_get_payload_len(nlh) < sizeof(*genl) ||
	    genl->cmd != FMP_CMD_EVENT)
		return FMP_EVENT_TYPE_UNSPEC;
	fmp_nl_attrs_msg(tb, FMP_A_MAX, nlh, sizeof(*genl));
	/* An older module does not count first hits by themselves. */
	*lost = fmp_nl_u64(tb[FMP_A_LOST]) - fmp_nl_u64(tb[FMP_A_LOST_HITS]);
	return fmp_nl_u8(tb[FMP_A_EVENT]);
}

/* ---- nf_tables ---- */

bool fmpi_watch_nft(const struct nlmsghdr *nlh, struct fmp_changer *who)
{
	/* In every kind of message the first attribute is the table's name. */
	const struct nlattr *tb[NFTA_GEN_PROC_NAME + 1];
	char table[8];

	if (NFNL_SUBSYS_ID(nlh->nlmsg_type) != NFNL_SUBSYS_NFTABLES)
		return false;
	fmp_nl_attrs_msg(tb, NFTA_GEN_PROC_NAME, nlh, sizeof(struct nfgenmsg));
	if (NFNL_MSG_TYPE(nlh->nlmsg_type) == NFT_MSG_NEWGEN) {
		/* The end of a transaction names its process. */
		who->pid = ntohl(fmp_nl_u32(tb[NFTA_GEN_PROC_PID]));
		fmp_nl_str(tb[NFTA_GEN_PROC_NAME], who->name, sizeof(who->name));
		return false;
	}
	if (!tb[NFTA_TABLE_NAME])
		return false;
	fmp_nl_str(tb[NFTA_TABLE_NAME], table, sizeof(table));
	return !strcmp(table, NFT_TABLE);
}

/* ---- both ---- */

int fmp_watch_new(const struct fmp_enforcer *e, struct fmp_watch **out, struct fmp_error *err)
{
	struct fmp_watch *w = calloc(1, sizeof(*w));
	int rc;

	if (!w)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	rc = fmp_nl_open(&w->nft, NETLINK_NETFILTER, err);
	if (!rc)
		rc = fmp_nl_open(&w->genl, NETLINK_GENERIC, err);
	if (!rc)
		rc = follow_enforcer(w, e, err);
	if (!rc)
		rc = join_group(&w->nft, NFNLGRP_NFTABLES, err);
	/* The controller's group "notify" has the family's number. */
	if (!rc)
		rc = join_group(&w->genl, GENL_ID_CTRL, err);
	if (rc) {
		fmp_watch_free(w);
		return rc;
	}
	/* Without a reply only the module's own events are missing. */
	if (request_family(w))
		w->events_group = 0;
	*out = w;
	return 0;
}

void fmp_watch_free(struct fmp_watch *w)
{
	if (!w)
		return;
	fmp_nl_close(&w->nft);
	fmp_nl_close(&w->genl);
	free(w);
}

int fmp_watch_fd(const struct fmp_watch *w, unsigned i)
{
	return mnl_socket_get_fd(i ? w->genl.sk : w->nft.sk);
}

int fmp_watch_enforcer(struct fmp_watch *w, const struct fmp_enforcer *e, struct fmp_error *err)
{
	return follow_enforcer(w, e, err);
}

/* The socket filter knows an enforcer only from now on: its earlier changes may be queued. */
static bool is_own(const struct fmp_watch *w, const struct nlmsghdr *nlh)
{
	const struct fmpi_layer *ip = w->e->slots[FMP_LAYER_IP].l;
	const struct fmpi_layer *mac = w->e->slots[FMP_LAYER_MAC].l;

	return (ip && nlh->nlmsg_pid == ip->portid) || (mac && nlh->nlmsg_pid == mac->portid);
}

/*
 * The module limits the rate of its events: the next one has the number of those it did not send. First
 * hits are not among them: the network causes them, and may not make fmpd compare again and again.
 */
static unsigned process_event(struct fmp_watch *w, const struct nlmsghdr *nlh)
{
	uint64_t lost;
	unsigned type = fmpi_watch_event(nlh, &lost), what = lost ? FMP_CHANGED_LOST : 0;

	switch (type) {
	case FMP_EVENT_TYPE_RULES_CHANGED:
		w->rules_changed++;
		return what;
	case FMP_EVENT_TYPE_RULE_EVICTED:
	case FMP_EVENT_TYPE_DEV_DETACHED:
		return what | FMP_CHANGED_MODULE;
	default:
		return what;
	}
}

static unsigned process_notification(struct fmp_watch *w, const struct nlmsghdr *nlh, bool nft,
				     struct fmp_changer *who)
{
	uint32_t group;
	bool there;

	if (nft)
		return !is_own(w, nlh) && fmpi_watch_nft(nlh, who) ? FMP_CHANGED_NFT : 0;
	if (fmpi_watch_family(nlh, &there, &group)) {
		follow_family(w, there, group);
		return there ? FMP_CHANGED_MODULE_CAME : FMP_CHANGED_MODULE_WENT;
	}
	return process_event(w, nlh);
}

static unsigned drain_socket(struct fmp_watch *w, bool nft, struct fmp_changer *who)
{
	_Alignas(struct nlmsghdr) char buf[2 * FMP_NL_BUF];
	unsigned what = 0;

	for (int i = 0; i < DRAIN_MAX; i++) {
		ssize_t got = recv(fmp_watch_fd(w, !nft), buf, sizeof(buf), MSG_DONTWAIT);
		const struct nlmsghdr *nlh = (const void *)buf;
		int left = (int)got;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == ENOBUFS) {
			what |= FMP_CHANGED_LOST;
			continue;
		}
		if (got <= 0)
			break;
		for (; fmp_nl_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
			what |= process_notification(w, nlh, nft, who);
	}
	return what;
}

/*
 * The module reports rule changes without naming the process, before it replies. More reports than
 * own changes mean changes by other programs.
 */
static bool others_changed_rules(struct fmp_watch *w)
{
	const struct fmpi_layer *l = w->e->slots[FMP_LAYER_PREMAC].l;
	uint32_t own = l ? l->told : 0;
	bool others = w->rules_changed > own - w->own_seen;

	w->rules_changed = 0;
	w->own_seen = own;
	return others;
}

unsigned fmp_watch_drain(struct fmp_watch *w, struct fmp_changer *who)
{
	unsigned what;

	*who = (struct fmp_changer){ 0 };
	what = drain_socket(w, true, who);
	what |= drain_socket(w, false, who);
	return others_changed_rules(w) ? what | FMP_CHANGED_MODULE : what;
}
