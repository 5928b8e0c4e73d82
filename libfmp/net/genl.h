/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of the module's generic netlink family (kernel/include/uapi/linux/fmp.h). */
#ifndef FMPI_NET_GENL_H
#define FMPI_NET_GENL_H

#include <linux/fmp.h>

#include <fmp/enforce.h>
#include <fmp/internal/netlink.h>

/*
 * fmpi_genl_family() - the current number of the family
 *
 * It changes when the module is reloaded, so it is looked up before each use; the lookup also makes
 * the kernel load the module.
 * Return: 0; FMP_ERR_UNSUPPORTED without the module.
 */
FMP_MUST_CHECK int fmpi_genl_family(struct fmp_nl *nl, uint16_t *id, struct fmp_error *err);

/* Start a message of the family in @buf, which must have room for its attributes. */
struct nlmsghdr *fmpi_genl_begin(void *buf, uint16_t family, enum fmp_cmd cmd, uint16_t flags);

/* Append one FMP_A_RULE nest. left_ms and id are omitted if 0. */
#define FMPI_GENL_RULE_MAX 128u /* upper bound on its size in bytes */
/* pair_mac: {0}, or the MAC of a pair with the IP address @a. */
void fmpi_genl_put_rule(struct nlmsghdr *nlh, const struct fmp_addr *a,
			const struct fmp_addr *pair_mac, enum fmp_verdict verdict, uint64_t left_ms,
			uint64_t id);
void fmpi_genl_put_dev(struct nlmsghdr *nlh, const char *name, uint32_t flags);

/*
 * A complete dump, retried if a change interrupts it. *n, which cb increments, is 0 before each
 * try.
 */
FMP_MUST_CHECK int fmpi_genl_dump(struct fmp_nl *nl, enum fmp_cmd cmd, fmp_nl_cb cb, void *ctx,
				  size_t *n, struct fmp_error *err);

/* Return: false if the message contains no complete rule. */
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
