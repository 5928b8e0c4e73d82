/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of the family "fmp" (kernel/include/uapi/linux/fmp.h), written and read. */
#ifndef FMPI_NET_GENL_H
#define FMPI_NET_GENL_H

#include <linux/fmp.h>

#include <fmp/enforce.h>
#include <fmp/internal/netlink.h>

/*
 * fmpi_genl_family() - the family's number now
 *
 * It changes when the module is loaded anew, so it is asked before each use; the
 * question also has the kernel load the module.
 * Return: 0; FMP_ERR_UNSUPPORTED without the module.
 */
FMP_MUST_CHECK int fmpi_genl_family(struct fmp_nl *nl, uint16_t *id, struct fmp_error *err);

/* A message of the family in buf, which must have room for what follows. */
struct nlmsghdr *fmpi_genl_begin(void *buf, uint16_t family, enum fmp_cmd cmd, uint16_t flags);

/* One FMP_A_RULE nest. left_ms and id are left out where they are 0. */
#define FMPI_GENL_RULE_MAX 128u /* bytes that it takes at most */
/* pair_mac: {0}, or the MAC of a pair with the IP address a. */
void fmpi_genl_put_rule(struct nlmsghdr *nlh, const struct fmp_addr *a,
			const struct fmp_addr *pair_mac, enum fmp_verdict verdict, uint64_t left_ms,
			uint64_t id);
void fmpi_genl_put_dev(struct nlmsghdr *nlh, const char *name, uint32_t flags);

/*
 * A whole dump; one that a change tore is asked again. *n, what cb counts, is 0
 * before each try.
 */
FMP_MUST_CHECK int fmpi_genl_dump(struct fmp_nl *nl, enum fmp_cmd cmd, fmp_nl_cb cb, void *ctx,
				  size_t *n, struct fmp_error *err);

/* Return: false if the message holds no whole rule. */
bool fmpi_genl_get_rule(const struct nlmsghdr *nlh, struct fmp_rule *out,
			enum fmp_verdict *verdict);

struct fmpi_genl_dev {
	char name[FMP_NAME_MAX];
	enum fmp_hook hook;
	uint32_t flags; /* FMP_DEV_F_* */
	uint64_t frames, stopped, stopped_bytes, foreign, late, observed;
};
bool fmpi_genl_get_dev(const struct nlmsghdr *nlh, struct fmpi_genl_dev *out);

#endif
