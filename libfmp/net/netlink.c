// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/netlink.h>
#include <fmp/internal/errno_text.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <linux/netlink.h>

/* The kernel replies at once; the timeout bounds the wait for a lost reply. */
#define ANSWER_TIMEOUT_S 5
#define ERRNO_MAX	 4095 /* the kernel's MAX_ERRNO */
/* Most refusals of the right have no text; what the module's lacks is what to do. */
#define NEEDED_RIGHT	 "CAP_NET_ADMIN"
#define ADVICE		 ": start as root, or grant it"

int fmp_nl_open(struct fmp_nl *nl, int bus, struct fmp_error *err)
{
	const struct timeval limit = { .tv_sec = ANSWER_TIMEOUT_S };
	int on = 1, big = 4 << 20;

	nl->sk = mnl_socket_open2(bus, SOCK_CLOEXEC);
	if (!nl->sk)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "netlink socket");
	if (mnl_socket_bind(nl->sk, 0, MNL_SOCKET_AUTOPID) < 0) {
		int e = errno;

		fmp_nl_close(nl);
		return fmp_error_sys(err, FMP_ERR_IO, e, "bind of a netlink socket");
	}
	/* All of these are optional: they improve error texts and buffer sizes. */
	mnl_socket_setsockopt(nl->sk, NETLINK_EXT_ACK, &on, sizeof(on));
	mnl_socket_setsockopt(nl->sk, NETLINK_CAP_ACK, &on, sizeof(on));
	setsockopt(mnl_socket_get_fd(nl->sk), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(mnl_socket_get_fd(nl->sk), SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof(big));
	nl->portid = mnl_socket_get_portid(nl->sk);
	nl->seq = (uint32_t)time(NULL);
	return 0;
}

void fmp_nl_close(struct fmp_nl *nl)
{
	if (nl->sk)
		mnl_socket_close(nl->sk);
	nl->sk = NULL;
}

uint32_t fmp_nl_seq(struct fmp_nl *nl)
{
	if (!++nl->seq)
		++nl->seq;
	return nl->seq;
}

void fmp_kerr_set(struct fmp_kerr *kerr, int sys_errno)
{
	char buf[96];

	kerr->sys_errno = sys_errno;
	kerr->text[0] = '\0';
	if (sys_errno)
		snprintf(kerr->text, sizeof(kerr->text), "%s%s",
			 fmp_errno_text(sys_errno, buf, sizeof(buf)),
			 sys_errno == EPERM ? ": it needs " NEEDED_RIGHT ADVICE : "");
}

int fmp_kerr_error(const struct fmp_kerr *kerr, struct fmp_error *err, const char *what)
{
	enum fmp_code code = kerr->sys_errno == EPERM ? FMP_ERR_DENIED : FMP_ERR_KERNEL;

	fmp_error_set(err, code, "%s: %s", what, kerr->text);
	if (err)
		err->sys_errno = kerr->sys_errno;
	return code;
}

bool fmp_nl_ok(const struct nlmsghdr *nlh, int left)
{
	return left >= (int)sizeof(*nlh) && nlh->nlmsg_len >= sizeof(*nlh) &&
	       nlh->nlmsg_len <= (unsigned)left;
}

/* The offset of an extended ack's attributes: behind the echoed request. */
static size_t ack_header_len(const struct nlmsghdr *nlh, const struct nlmsgerr *e)
{
	size_t len = sizeof(*e);

	if (!(nlh->nlmsg_flags & NLM_F_CAPPED) && e->msg.nlmsg_len > sizeof(e->msg))
		len += MNL_ALIGN(e->msg.nlmsg_len - sizeof(e->msg));
	return len;
}

/* Convert a status of the kernel: 0 or a negative errno. */
static int to_errno(int status)
{
	return status >= 0 ? 0 : status >= -ERRNO_MAX ? -status : EBADMSG;
}

void fmp_nl_kerr(const struct nlmsghdr *nlh, struct fmp_kerr *kerr)
{
	const struct nlattr *tb[NLMSGERR_ATTR_MAX + 1];
	const struct nlmsgerr *e = mnl_nlmsg_get_payload(nlh);
	size_t header;

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(*e)) {
		fmp_kerr_set(kerr, EBADMSG);
		return;
	}
	fmp_kerr_set(kerr, to_errno(e->error));
	header = ack_header_len(nlh, e);
	if (!kerr->sys_errno || !(nlh->nlmsg_flags & NLM_F_ACK_TLVS) ||
	    header > mnl_nlmsg_get_payload_len(nlh))
		return;
	fmp_nl_attrs_msg(tb, NLMSGERR_ATTR_MAX, nlh, header);
	if (!tb[NLMSGERR_ATTR_MSG])
		return;
	fmp_nl_str(tb[NLMSGERR_ATTR_MSG], kerr->text, sizeof(kerr->text) - strlen(ADVICE));
	if (kerr->sys_errno == EPERM && !strncmp(kerr->text, NEEDED_RIGHT, strlen(NEEDED_RIGHT)))
		strcat(kerr->text, ADVICE);
}

/*
 * Parse one datagram of a reply.
 * Return: 1 the reply is complete, 0 more follows, or a negative code.
 */
static int parse_datagram(const void *buf, size_t len, uint32_t seq, fmp_nl_cb cb, void *ctx,
			  struct fmp_kerr *kerr, bool *interrupted)
{
	const struct nlmsghdr *nlh = buf;
	int left = (int)len;

	for (; fmp_nl_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		int rc;

		if (nlh->nlmsg_seq != seq)
			continue; /* late reply to an abandoned request */
		if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
			*interrupted = true;
		if (nlh->nlmsg_type == NLMSG_DONE) {
			int status = mnl_nlmsg_get_payload_len(nlh) >= sizeof(status)
					     ? *(const int *)mnl_nlmsg_get_payload(nlh)
					     : 0;

			fmp_kerr_set(kerr, to_errno(status));
			return status < 0 ? FMP_ERR_KERNEL : 1;
		}
		if (nlh->nlmsg_type == NLMSG_ERROR) {
			fmp_nl_kerr(nlh, kerr);
			return kerr->sys_errno ? FMP_ERR_KERNEL : 1;
		}
		if (nlh->nlmsg_type < NLMSG_MIN_TYPE || !cb)
			continue;
		rc = cb(nlh, ctx);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int fmp_nl_send(struct fmp_nl *nl, struct nlmsghdr *nlh, struct fmp_nl_reply *a,
		struct fmp_error *err)
{
	*a = (struct fmp_nl_reply){ .seq = fmp_nl_seq(nl) };
	nlh->nlmsg_seq = a->seq;
	if (mnl_socket_sendto(nl->sk, nlh, nlh->nlmsg_len) < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "netlink send");
	return 0;
}

int fmp_nl_receive(struct fmp_nl *nl, struct fmp_nl_reply *a, fmp_nl_cb cb, void *ctx,
		   struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[2 * FMP_NL_BUF];
	ssize_t got;
	int rc;

	do
		got = mnl_socket_recvfrom(nl->sk, buf, sizeof(buf));
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "netlink receive");
	rc = parse_datagram(buf, (size_t)got, a->seq, cb, ctx, &a->kerr, &a->interrupted);
	if (rc == FMP_ERR_KERNEL)
		return fmp_kerr_error(&a->kerr, err, "the kernel refused");
	if (rc < 0)
		return fmp_error_set(err, rc, "an answer of the kernel could not be taken");
	return rc;
}

int fmp_nl_request(struct fmp_nl *nl, struct nlmsghdr *nlh, fmp_nl_cb cb, void *ctx,
		   struct fmp_kerr *kerr, struct fmp_error *err)
{
	struct fmp_nl_reply a;
	int rc = fmp_nl_send(nl, nlh, &a, err);

	while (!rc)
		rc = fmp_nl_receive(nl, &a, cb, ctx, err);
	if (kerr)
		*kerr = a.kerr;
	if (rc < 0)
		return rc;
	if (a.interrupted)
		return fmp_error_set(err, FMP_ERR_AGAIN, "the dump was interrupted by a change");
	return 0;
}

void fmp_nl_attrs(const struct nlattr **tb, uint16_t max, const void *payload, size_t len)
{
	const struct nlattr *a = payload;
	const char *end = (const char *)payload + len;

	memset(tb, 0, (max + 1u) * sizeof(*tb));
	while (mnl_attr_ok(a, (int)(end - (const char *)a))) {
		uint16_t type = mnl_attr_get_type(a);

		if (type <= max)
			tb[type] = a;
		a = mnl_attr_next(a);
		if ((const char *)a >= end)
			break;
	}
}

void fmp_nl_attrs_nested(const struct nlattr **tb, uint16_t max, const struct nlattr *nest)
{
	fmp_nl_attrs(tb, max, mnl_attr_get_payload(nest), mnl_attr_get_payload_len(nest));
}

void fmp_nl_attrs_msg(const struct nlattr **tb, uint16_t max, const struct nlmsghdr *nlh,
		      size_t header)
{
	size_t len = mnl_nlmsg_get_payload_len(nlh), skip = MNL_ALIGN(header);

	fmp_nl_attrs(tb, max, mnl_nlmsg_get_payload_offset(nlh, header),
		     len > skip ? len - skip : 0);
}

uint8_t fmp_nl_u8(const struct nlattr *a)
{
	return a && mnl_attr_get_payload_len(a) >= 1 ? mnl_attr_get_u8(a) : 0;
}

uint32_t fmp_nl_u32(const struct nlattr *a)
{
	return a && mnl_attr_get_payload_len(a) >= 4 ? mnl_attr_get_u32(a) : 0;
}

uint64_t fmp_nl_u64(const struct nlattr *a)
{
	return a && mnl_attr_get_payload_len(a) >= 8 ? mnl_attr_get_u64(a) : 0;
}

struct fmp_addr fmp_nl_addr(const struct nlattr *a)
{
	if (a) {
		switch (mnl_attr_get_payload_len(a)) {
		case 4:
			return fmp_addr_ipv4(mnl_attr_get_payload(a));
		case 6:
			return fmp_addr_mac(mnl_attr_get_payload(a));
		case 16:
			return fmp_addr_ipv6(mnl_attr_get_payload(a));
		}
	}
	return (struct fmp_addr){ 0 };
}

void fmp_nl_str(const struct nlattr *a, char *buf, size_t size)
{
	size_t len = 0;

	if (a) {
		len = strnlen(mnl_attr_get_payload(a), mnl_attr_get_payload_len(a));
		if (len >= size)
			len = size - 1;
		memcpy(buf, mnl_attr_get_payload(a), len);
	}
	buf[len] = '\0';
}
