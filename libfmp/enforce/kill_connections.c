// SPDX-License-Identifier: GPL-2.0
/* Lists and ends TCP connections of this machine, by sock_diag. */
#include <fmp/enforce.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>

#include <linux/inet_diag.h>
#include <linux/sock_diag.h>

#include <enforce/kill_connections.h>
#include <fmp/internal/netlink.h>

/* States in which the peer may still send; TIME_WAIT ends by itself. */
#define STATES                                                                                   \
	(1u << TCP_ESTABLISHED | 1u << TCP_SYN_SENT | 1u << TCP_SYN_RECV | 1u << TCP_FIN_WAIT1 | \
	 1u << TCP_FIN_WAIT2 | 1u << TCP_CLOSE_WAIT | 1u << TCP_LAST_ACK | 1u << TCP_CLOSING)
/* Upper bound for one call; the next decision finds the rest. */
#define KILL_MAX 4096u

bool fmpi_kill_connections_parse(const struct nlmsghdr *nlh, struct fmp_addr *peer,
				 uint16_t *local_port)
{
	const struct inet_diag_msg *m = mnl_nlmsg_get_payload(nlh);
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	if ((nlh->nlmsg_type != SOCK_DIAG_BY_FAMILY && nlh->nlmsg_type != TCPDIAG_GETSOCK) ||
	    mnl_nlmsg_get_payload_len(nlh) < sizeof(*m) ||
	    (m->idiag_family != AF_INET && m->idiag_family != AF_INET6))
		return false;
	*local_port = ntohs(m->id.idiag_sport);
	if (m->idiag_family == AF_INET)
		*peer = fmp_addr_ipv4(m->id.idiag_dst);
	else if (!memcmp(m->id.idiag_dst, mapped, sizeof(mapped)))
		*peer = fmp_addr_ipv4((const uint8_t *)m->id.idiag_dst + sizeof(mapped));
	else
		*peer = fmp_addr_ipv6(m->id.idiag_dst);
	return true;
}

struct found {
	struct inet_diag_req_v2 *v;
	size_t n, cap;
	fmp_kill_connections_cb wanted;
	void *ctx;
};

static int add_connection(const struct nlmsghdr *nlh, void *ctx)
{
	const struct inet_diag_msg *m = mnl_nlmsg_get_payload(nlh);
	struct found *f = ctx;
	struct fmp_addr peer;
	uint16_t port;

	if (f->n == KILL_MAX || !fmpi_kill_connections_parse(nlh, &peer, &port) ||
	    !f->wanted(&peer, port, f->ctx))
		return 0;
	if (f->n == f->cap) {
		size_t cap = f->cap ? 2 * f->cap : 16;
		struct inet_diag_req_v2 *v = reallocarray(f->v, cap, sizeof(*v));

		if (!v)
			return FMP_ERR_NOMEM;
		f->v = v;
		f->cap = cap;
	}
	f->v[f->n++] = (struct inet_diag_req_v2){ .sdiag_family = m->idiag_family,
						  .sdiag_protocol = IPPROTO_TCP,
						  .idiag_states = ~0u,
						  .id = m->id };
	return 0;
}

static int send_request(struct fmp_nl *nl, uint16_t type, uint16_t flags, const void *req,
			size_t len, struct found *f, struct fmp_kerr *kerr, struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[256];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);

	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	memcpy(mnl_nlmsg_put_extra_header(nlh, len), req, len);
	return fmp_nl_request(nl, nlh, f ? add_connection : NULL, f, kerr, err);
}

static int list_family(struct fmp_nl *nl, uint8_t family, struct found *f, struct fmp_error *err)
{
	const struct inet_diag_req_v2 req = { .sdiag_family = family,
					      .sdiag_protocol = IPPROTO_TCP,
					      .idiag_states = STATES };

	return send_request(nl, SOCK_DIAG_BY_FAMILY, NLM_F_DUMP, &req, sizeof(req), f, NULL, err);
}

/*
 * For each request the kernel walks its whole connection table, which takes a millisecond on
 * machines with much memory: the older request covers both families in one walk.
 */
static int list_connections(struct fmp_nl *nl, struct found *f, struct fmp_error *err)
{
	const struct inet_diag_req all = { .idiag_states = STATES };
	int rc = send_request(nl, TCPDIAG_GETSOCK, NLM_F_DUMP, &all, sizeof(all), f, NULL, err);

	if (rc != FMP_ERR_KERNEL)
		return rc;
	f->n = 0;
	rc = list_family(nl, AF_INET, f, err);
	return rc ? rc : list_family(nl, AF_INET6, f, err);
}

int fmp_kill_connections(fmp_kill_connections_cb wanted, void *ctx, size_t *killed,
			 struct fmp_error *err)
{
	struct found f = { .wanted = wanted, .ctx = ctx };
	struct fmp_kerr kerr = { 0 };
	struct fmp_nl nl = { 0 };
	int rc = fmp_nl_open(&nl, NETLINK_SOCK_DIAG, err);

	*killed = 0;
	if (rc)
		return rc;
	rc = list_connections(&nl, &f, err);
	for (size_t i = 0; !rc && i < f.n; i++) {
		rc = send_request(&nl, SOCK_DESTROY, NLM_F_ACK, &f.v[i], sizeof(f.v[i]), NULL,
				  &kerr, err);
		*killed += !rc;
		/* It has ended meanwhile. */
		if (rc == FMP_ERR_KERNEL && kerr.sys_errno == ENOENT)
			rc = 0;
		if (rc == FMP_ERR_KERNEL && kerr.sys_errno == EOPNOTSUPP)
			rc = fmp_error_set(err, FMP_ERR_UNSUPPORTED,
					   "this kernel cuts no connections "
					   "(CONFIG_INET_DIAG_DESTROY)");
	}
	free(f.v);
	fmp_nl_close(&nl);
	return rc;
}
