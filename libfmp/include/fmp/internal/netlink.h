/* SPDX-License-Identifier: GPL-2.0 */
/* Netlink requests and replies, with the kernel's own error texts. */
#ifndef FMP_NETLINK_H
#define FMP_NETLINK_H

#include <stdbool.h>
#include <stdint.h>

#include <libmnl/libmnl.h>

#include <fmp/error.h>
#include <fmp/source.h>

/* Size of a request that is not a batch, and of one datagram of replies. */
#define FMP_NL_BUF 16384u

/* The kernel's reply to a request or to a change. */
struct fmp_kerr {
	int sys_errno; /* 0: success */
	char text[128]; /* the kernel's own text, else strerror(); of EPERM, what is missing */
};

/* How often to retry a dump that a change interrupted. */
#define FMP_DUMP_TRIES 4

struct fmp_nl {
	struct mnl_socket *sk; /* NULL: not open */
	unsigned portid;
	uint32_t seq;
};

FMP_MUST_CHECK int fmp_nl_open(struct fmp_nl *nl, int bus, struct fmp_error *err);
void fmp_nl_close(struct fmp_nl *nl);
/* The sequence number for the next message; never 0, which is the kernel's own. */
uint32_t fmp_nl_seq(struct fmp_nl *nl);

/* Called for each message of a reply. Return: 0 to continue; a negative fmp_code to stop. */
typedef int (*fmp_nl_cb)(const struct nlmsghdr *nlh, void *ctx);

/*
 * fmp_nl_request() - send a request with a fresh sequence number and process its whole reply
 *
 * A request with NLM_F_DUMP is read to the end of the dump, any other must have NLM_F_ACK set.
 * FMP_ERR_AGAIN: a change interrupted the dump, retry it.
 * Return: 0; FMP_ERR_KERNEL or, for EPERM, FMP_ERR_DENIED with kerr filled in; FMP_ERR_AGAIN;
 * FMP_ERR_IO; cb's negative.
 */
FMP_MUST_CHECK int fmp_nl_request(struct fmp_nl *nl, struct nlmsghdr *nlh, fmp_nl_cb cb, void *ctx,
				  struct fmp_kerr *kerr, struct fmp_error *err);

/* A reply that is being received. */
struct fmp_nl_reply {
	uint32_t seq;
	bool interrupted; /* a change interrupted the dump: it may be incomplete */
	struct fmp_kerr kerr;
};

/* fmp_nl_request() in steps: send, then process one datagram at a time, each of which blocks only
 * while the kernel fills it. Return: 0; fmp_nl_receive(): 1 once the reply is complete. */
FMP_MUST_CHECK int fmp_nl_send(struct fmp_nl *nl, struct nlmsghdr *nlh, struct fmp_nl_reply *a,
			       struct fmp_error *err);
FMP_MUST_CHECK int fmp_nl_receive(struct fmp_nl *nl, struct fmp_nl_reply *a, fmp_nl_cb cb,
				  void *ctx, struct fmp_error *err);

/*
 * Is there a complete message in the rest of a datagram? Use it instead of mnl_nlmsg_ok(), which
 * until libmnl 1.0.5 takes lengths above 2 GiB for negative ones and may then loop for ever.
 */
bool fmp_nl_ok(const struct nlmsghdr *nlh, int left);

/* Parse an NLMSG_ERROR; sys_errno 0 is an acknowledgement. */
void fmp_nl_kerr(const struct nlmsghdr *nlh, struct fmp_kerr *kerr);
/* Fill in from an errno. */
void fmp_kerr_set(struct fmp_kerr *kerr, int sys_errno);
/* An fmp_error from the kernel's reply: DENIED for EPERM, else KERNEL. */
int fmp_kerr_error(const struct fmp_kerr *kerr, struct fmp_error *err, const char *what);

/*
 * fmp_nl_attrs() - index attributes by type, within the received length
 * @tb: max + 1 entries; of duplicates the last one is kept
 */
void fmp_nl_attrs(const struct nlattr **tb, uint16_t max, const void *payload, size_t len);
/* The same for the attributes in a nest, and for those behind a message's fixed header. */
void fmp_nl_attrs_nested(const struct nlattr **tb, uint16_t max, const struct nlattr *nest);
void fmp_nl_attrs_msg(const struct nlattr **tb, uint16_t max, const struct nlmsghdr *nlh,
		      size_t header);

/* Payloads; the length is checked, a short one reads as 0. */
uint8_t fmp_nl_u8(const struct nlattr *a);
uint32_t fmp_nl_u32(const struct nlattr *a);
uint64_t fmp_nl_u64(const struct nlattr *a);
/* An address of the right length, else {0}: 4 bytes, 16 bytes, 6 bytes. */
struct fmp_addr fmp_nl_addr(const struct nlattr *a);
/* Copies a string, with or without its NUL in the payload. */
void fmp_nl_str(const struct nlattr *a, char *buf, size_t size);

#endif
