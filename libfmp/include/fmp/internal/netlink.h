/* SPDX-License-Identifier: GPL-2.0 */
/* One netlink conversation: ask, and take the kernel's answer with its own words. */
#ifndef FMP_NETLINK_H
#define FMP_NETLINK_H

#include <stdbool.h>
#include <stdint.h>

#include <libmnl/libmnl.h>

#include <fmp/error.h>
#include <fmp/source.h>

/* Room for one request that is not a batch, and for one datagram of answers. */
#define FMP_NL_BUF 16384u

/* What the kernel said to one request or one change. */
struct fmp_kerr {
	int sys_errno; /* 0: done */
	char text[96]; /* the kernel's own words, else strerror() */
};

/* How often a dump that a change interrupted is asked again. */
#define FMP_DUMP_TRIES 4

struct fmp_nl {
	struct mnl_socket *sk; /* NULL: not open */
	unsigned portid;
	uint32_t seq;
};

FMP_MUST_CHECK int fmp_nl_open(struct fmp_nl *nl, int bus, struct fmp_error *err);
void fmp_nl_close(struct fmp_nl *nl);
/* A number for the next message; never 0, which is the kernel's own. */
uint32_t fmp_nl_seq(struct fmp_nl *nl);

/* Is called for each message of an answer. Return: 0 to go on; a negative fmp_code ends it. */
typedef int (*fmp_nl_cb)(const struct nlmsghdr *nlh, void *ctx);

/*
 * fmp_nl_request() - send one request with a fresh sequence number and take all of its answer
 *
 * A request with NLM_F_DUMP is taken to the end of the dump, any other must have
 * NLM_F_ACK set. A dump that was interrupted by a change is FMP_ERR_AGAIN: ask again.
 * Return: 0; FMP_ERR_KERNEL or, for EPERM, FMP_ERR_DENIED with kerr filled in; FMP_ERR_AGAIN; FMP_ERR_IO; cb's negative.
 */
FMP_MUST_CHECK int fmp_nl_request(struct fmp_nl *nl, struct nlmsghdr *nlh, fmp_nl_cb cb, void *ctx,
				  struct fmp_kerr *kerr, struct fmp_error *err);

/* An answer that is being taken. */
struct fmp_nl_reply {
	uint32_t seq;
	bool interrupted; /* by a change: the answer may be incomplete */
	struct fmp_kerr kerr;
};

/* The same in steps: send, then take a datagram at a time, each of which blocks for no longer than
 * the kernel needs to fill it. Return: 0; of the latter 1 once the answer is complete. */
FMP_MUST_CHECK int fmp_nl_send(struct fmp_nl *nl, struct nlmsghdr *nlh, struct fmp_nl_reply *a,
			       struct fmp_error *err);
FMP_MUST_CHECK int fmp_nl_receive(struct fmp_nl *nl, struct fmp_nl_reply *a, fmp_nl_cb cb,
				  void *ctx, struct fmp_error *err);

/*
 * Is there a whole message in what is left of a datagram? For mnl_nlmsg_ok(), which until
 * libmnl 1.0.5 takes lengths above 2 GiB for negative ones and may then walk for ever.
 */
bool fmp_nl_ok(const struct nlmsghdr *nlh, int left);

/* What an NLMSG_ERROR says; sys_errno 0 is an acknowledgement. */
void fmp_nl_kerr(const struct nlmsghdr *nlh, struct fmp_kerr *kerr);
/* The same from an errno alone. */
void fmp_kerr_set(struct fmp_kerr *kerr, int sys_errno);
/* fmp_error from what the kernel said: DENIED for EPERM, else KERNEL. */
int fmp_kerr_error(const struct fmp_kerr *kerr, struct fmp_error *err, const char *what);

/*
 * fmp_nl_attrs() - index attributes by type, bounded by what was received
 * @tb: max + 1 entries; of doubles the last one stands
 */
void fmp_nl_attrs(const struct nlattr **tb, uint16_t max, const void *payload, size_t len);
/* The same for what stands in a nest, and behind a message's fixed header. */
void fmp_nl_attrs_nested(const struct nlattr **tb, uint16_t max, const struct nlattr *nest);
void fmp_nl_attrs_msg(const struct nlattr **tb, uint16_t max, const struct nlmsghdr *nlh,
		      size_t header);

/* Payloads of which the kernel's length is checked, not believed; a short one reads as 0. */
uint8_t fmp_nl_u8(const struct nlattr *a);
uint32_t fmp_nl_u32(const struct nlattr *a);
uint64_t fmp_nl_u64(const struct nlattr *a);
/* An address of the right length, else {0}: 4 bytes, 16 bytes, 6 bytes. */
struct fmp_addr fmp_nl_addr(const struct nlattr *a);
/* Copies a string, with or without its NUL in the payload. */
void fmp_nl_str(const struct nlattr *a, char *buf, size_t size);

#endif
