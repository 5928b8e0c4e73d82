/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The nftables back end: one table a layer, `inet fmp` for "ip", `netdev fmp`
 * for "mac", of the same make:
 *
 *	base chains	-> jump blocked
 *	chain blocked	   one rule a set of blocks; a hit goes to verdict
 *	chain verdict	   one rule a set of protected addresses: count, accept;
 *			   last: count, drop
 *
 * So a frame that no block matches never pays for the protected sets, and no
 * frame is dropped before they were asked. A set holds the addresses of one
 * family and one prefix length, hashed by the masked key; never an interval set.
 */
#ifndef FMP_ENFORCE_NFT_H
#define FMP_ENFORCE_NFT_H

#include <enforce/layer.h>
#include <enforce/netlink.h>
#include <enforce/nft_batch.h>

#define NFT_TABLE     "fmp"
#define NFT_BLOCKED   "blocked" /* chain, and counter of what was dropped */
#define NFT_VERDICT   "verdict" /* chain */
#define NFT_PROTECTED "protected" /* counter of what was let through */

/* Which set: blocks or protected addresses, of a family and a prefix length. */
struct nft_set_id {
	bool protect;
	uint8_t family; /* enum fmp_family */
	uint8_t prefix_len;
};

#define NFT_SET_NAMELEN 16
const char *fmpi_nft_set_name(struct nft_set_id id, char buf[NFT_SET_NAMELEN]);
/* Return: false for a name that is not of ours. */
bool fmpi_nft_set_parse(const char *name, struct nft_set_id *id);
struct nft_set_id fmpi_nft_set_of(bool protect, const struct fmp_addr *a);

/* Which sets there are. */
#define NFT_PREFIXES 129
struct nft_shape {
	bool has[2][3][NFT_PREFIXES];
};
bool *fmpi_nft_shape_at(struct nft_shape *s, struct nft_set_id id);
/* Calls cb for every set, in order: MAC, IPv4, IPv6, the longest prefix first. */
typedef int (*nft_set_cb)(struct nft_set_id id, void *ctx);
FMP_MUST_CHECK int fmpi_nft_shape_each(const struct nft_shape *s, bool protect, nft_set_cb cb,
				       void *ctx);

struct nft_layer {
	struct fmpi_layer base;
	struct fmpi_nl nl;
	uint8_t family; /* NFPROTO_INET or NFPROTO_NETDEV */
	const char (*devices)[16];
	unsigned n_devices;
	/* What the kernel had when last asked; a wrong one is found out by ENOENT. */
	struct nft_shape shape;
};

#define NFT_CHAIN_NAMELEN 32
/* The base chain of a device; of the family inet there is one, device is not asked. */
const char *fmpi_nft_base_name(const struct nft_layer *l, const char *device,
			       char buf[NFT_CHAIN_NAMELEN]);

/* A base chain of our table, by its name. */
struct nft_base {
	char name[NFT_CHAIN_NAMELEN];
};
struct nft_bases {
	struct nft_base *v;
	size_t n, cap;
};
bool fmpi_nft_has_base(const struct nft_bases *bases, const char *name);

/* ---- nft_rule.c: rules ---- */

/* One rule as it should be; told again in a dump by its chain and its comment. */
struct nft_rule_spec {
	enum nft_rule_kind {
		NFT_RULE_JUMP,
		NFT_RULE_MATCH,
		NFT_RULE_ARP,
		NFT_RULE_DROP
	} kind;
	char chain[NFT_CHAIN_NAMELEN];
	char comment[NFT_CHAIN_NAMELEN];
	struct nft_set_id set; /* of MATCH and ARP */
};
struct nft_rule_specs {
	struct nft_rule_spec *v;
	size_t n, cap;
};
/*
 * All rules of a shape. A device has a base chain if it exists, and on kernels
 * that keep the chain of a device that is gone (from 6.16 on) also then.
 * Return: 0, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_nft_rules(const struct nft_layer *l, const struct nft_shape *shape,
				  const struct nft_bases *there, struct nft_rule_specs *out);
FMP_MUST_CHECK int fmpi_nft_rule_put(const struct nft_layer *l, struct nft_batch *b,
				     const struct nft_rule_spec *r);

/* ---- nft_set.c: sets and elements ---- */

FMP_MUST_CHECK int fmpi_nft_set_put(const struct nft_layer *l, struct nft_batch *b,
				    struct nft_set_id id);
/* type: NFT_MSG_NEWSETELEM or NFT_MSG_DELSETELEM; a NULL address means all elements of the set. */
FMP_MUST_CHECK int fmpi_nft_elem_put(const struct nft_layer *l, struct nft_batch *b, uint16_t type,
				     struct nft_set_id set, const struct fmp_addr *a, uint64_t id,
				     uint64_t left_ms, size_t owner);

/* ---- nft_dump.c: what the kernel has; a table that is not there is empty ---- */

FMP_MUST_CHECK int fmpi_nft_dump_sets(struct nft_layer *l, struct nft_shape *out,
				      struct fmp_error *err);
FMP_MUST_CHECK int fmpi_nft_dump_elems(struct nft_layer *l, struct nft_set_id id,
				       struct fmpi_rules *out, struct fmp_error *err);
/* Rules in their order; kind and set are not read back. */
FMP_MUST_CHECK int fmpi_nft_dump_rules(struct nft_layer *l, struct nft_rule_specs *out,
				       struct fmp_error *err);

/* Base chains of our table that hang on a hook. */
FMP_MUST_CHECK int fmpi_nft_dump_bases(struct nft_layer *l, struct nft_bases *out,
				       struct fmp_error *err);
FMP_MUST_CHECK int fmpi_nft_dump_counter(struct nft_layer *l, const char *name, uint64_t *packets,
					 uint64_t *bytes, struct fmp_error *err);

/* ---- nft_table.c: the table as a whole ---- */

FMP_MUST_CHECK int fmpi_nft_table_build(struct nft_layer *l, const struct fmp_protect_entry *set,
					size_t n, struct fmp_error *err);
FMP_MUST_CHECK int fmpi_nft_table_intact(struct nft_layer *l, const struct fmp_protect_entry *set,
					 size_t n, bool *yes, struct fmp_error *err);
FMP_MUST_CHECK int fmpi_nft_table_delete(struct nft_layer *l, struct fmp_error *err);

#endif
