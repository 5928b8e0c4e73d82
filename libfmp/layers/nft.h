/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The nftables back end: one table for each layer, `inet fmp` for "ip" and `netdev fmp` for "mac",
 * with the same structure:
 *
 *	base chains	-> jump blocked
 *	chain blocked	   one rule for each set of blocks; a match goes to verdict
 *	chain verdict	   one rule for each set of protected addresses: count, accept;
 *			   last: count, drop
 *
 * An element of a block counts its hits; that of a limit first lets its rate pass.
 *
 * A frame that no block matches never costs a lookup in the protected sets, and no frame is dropped
 * before they were checked. A set holds the addresses of one family and one prefix length, hashed
 * by the masked key; never an interval set.
 */
#ifndef FMPI_LAYERS_NFT_H
#define FMPI_LAYERS_NFT_H

#include <layers/dump.h>
#include <layers/layer.h>
#include <fmp/internal/netlink.h>
#include <layers/nft_batch.h>

#define NFT_TABLE     "fmp"
#define NFT_BLOCKED   "blocked" /* chain, and counter of dropped packets */
#define NFT_VERDICT   "verdict" /* chain */
#define NFT_PROTECTED "protected" /* counter of packets that were let through */
/*
 * Type of an empty entry in the user data of a block's element, which marks it as ours. nft neither
 * shows nor restores it, so an element from a saved ruleset lacks it.
 */
#define NFT_UDATA_OWN 0x66u

/* The use of a set; its name starts with it. */
enum nft_use {
	NFT_USE_BLOCK, /* sources */
	NFT_USE_LIMIT, /* sources, each element with a rate of its own */
	NFT_USE_PORT, /* a source and a local port */
	NFT_USE_PORT_LIMIT,
	NFT_USE_PAIR, /* an IP address and the MAC of its frames */
	NFT_USE_PROTECT,
	NFT_USES
};

/* Identifies a set: use, family and prefix length. */
struct nft_set_id {
	enum nft_use use;
	uint8_t family; /* enum fmp_family */
	uint8_t prefix_len;
};

#define NFT_SET_NAMELEN 20
const char *fmpi_nft_set_name(struct nft_set_id id, char buf[NFT_SET_NAMELEN]);
/* Return: false for a name that is not one of ours. */
bool fmpi_nft_set_parse(const char *name, struct nft_set_id *id);
struct nft_set_id fmpi_nft_set_of(enum nft_use use, const struct fmp_addr *a);
/* Does the key include a port, or a MAC? Do its elements let a rate pass? */
bool fmpi_nft_has_port(enum nft_use use);
bool fmpi_nft_has_mac(enum nft_use use);
bool fmpi_nft_has_limit(enum nft_use use);
/* The set of a change. */
struct nft_set_id fmpi_nft_set_of_change(const struct fmpi_change *c);

/* The sets that exist. */
#define NFT_PREFIXES 129
struct nft_shape {
	bool has[NFT_USES][3][NFT_PREFIXES];
};
bool *fmpi_nft_shape_at(struct nft_shape *s, struct nft_set_id id);
/* Call @cb for every set of a use, ordered by MAC, IPv4, IPv6, the longest prefix first. */
typedef int (*nft_set_cb)(struct nft_set_id id, void *ctx);
/* Uses below NFT_USE_PROTECT are for blocks. */
FMP_MUST_CHECK int fmpi_nft_shape_each(const struct nft_shape *s, enum nft_use use, nft_set_cb cb,
				       void *ctx);

#define NFT_CHAIN_NAMELEN 32
/* One rule as it should be; in a dump it is identified by chain and comment. */
struct nft_rule_spec {
	enum nft_rule_kind {
		NFT_RULE_JUMP,
		NFT_RULE_MATCH,
		NFT_RULE_TCP, /* MATCH for a set with ports; so is UDP */
		NFT_RULE_UDP,
		NFT_RULE_ARP,
		NFT_RULE_DROP
	} kind;
	char chain[NFT_CHAIN_NAMELEN];
	char comment[NFT_CHAIN_NAMELEN];
	struct nft_set_id set; /* for MATCH, TCP, UDP and ARP */
	uint64_t sum; /* in a dump: hash of its expressions */
};
struct nft_rule_specs {
	struct nft_rule_spec *v;
	size_t n, cap;
};

struct nft_layer {
	struct fmpi_layer base;
	struct fmp_nl nl;
	uint8_t family; /* NFPROTO_INET or NFPROTO_NETDEV */
	const char (*devices)[16];
	unsigned n_devices;
	/* The kernel's sets when last read; ENOENT reveals a stale copy. */
	struct nft_shape shape;
	/* The rules as dumped right after they were built. */
	struct nft_rule_specs built;
};

/* A base chain of our table, as attached to its hook. */
struct nft_base {
	char name[NFT_CHAIN_NAMELEN];
	char type[NFT_CHAIN_NAMELEN];
	char device[16]; /* the first one; "": none */
	unsigned n_devices;
	uint32_t hook, policy;
	int32_t priority;
};
struct nft_bases {
	struct nft_base *v;
	size_t n, cap;
};

/* ---- nft_chain.c: chains ---- */

/* The name of the base chain of a device; the family inet has one only, and device is ignored. */
const char *fmpi_nft_base_name(const struct nft_layer *l, const char *device,
			       char buf[NFT_CHAIN_NAMELEN]);
/* Is there a base chain of this name, as we build it? */
bool fmpi_nft_has_base(const struct nft_layer *l, const struct nft_bases *bases, const char *name);
/* Are all base chains as we build them? Some may be missing. */
bool fmpi_nft_bases_as_built(const struct nft_layer *l, const struct nft_bases *bases);
/* Add missing chains; recreate base chains that were changed, and delete those of devices no
 * longer used. They must contain no rules. */
FMP_MUST_CHECK int fmpi_nft_chains_put(const struct nft_layer *l, struct nft_batch *b,
				       const struct nft_bases *there);

/* ---- nft_rule.c: rules ---- */

/*
 * All rules for these sets. A device has a base chain if it exists; kernels from 6.16 on keep the
 * chain of an absent device too.
 */
FMP_MUST_CHECK int fmpi_nft_rules(const struct nft_layer *l, const struct nft_shape *shape,
				  const struct nft_bases *there, struct nft_rule_specs *out);
FMP_MUST_CHECK int fmpi_nft_rule_put(const struct nft_layer *l, struct nft_batch *b,
				     const struct nft_rule_spec *r);

/* ---- nft_set.c: sets ---- */

uint32_t fmpi_nft_key_len(struct nft_set_id id);

FMP_MUST_CHECK int fmpi_nft_set_put(const struct nft_layer *l, struct nft_batch *b,
				    struct nft_set_id id);

/* ---- nft_elem.c: elements ---- */

/* Append the key of an element. */
void fmpi_nft_key_put(struct nlmsghdr *nlh, struct nft_set_id set, const struct fmp_addr *a,
		      const struct fmp_addr *pair_mac, uint16_t dest_port);
/* The form of an element in a message: its key only, or a complete block. */
enum nft_elem_form {
	NFT_ELEM_KEY,
	NFT_ELEM_BLOCK
};
/*
 * Append as many elements of one set as fit a message, all of the same owner.
 * @type: NFT_MSG_NEWSETELEM or NFT_MSG_DELSETELEM
 * @flags: NLM_F_EXCL refuses an existing element
 * Return: how many, at least 1; 0 without memory.
 */
size_t fmpi_nft_elems_put(const struct nft_layer *l, struct nft_batch *b, uint16_t type,
			  uint16_t flags, enum nft_elem_form form,
			  const struct fmpi_change *const *c, size_t n, size_t owner);
FMP_MUST_CHECK int fmpi_nft_protect_put(const struct nft_layer *l, struct nft_batch *b,
					const struct fmp_addr *a);
/* Delete all elements of a set. */
FMP_MUST_CHECK int fmpi_nft_elems_flush(const struct nft_layer *l, struct nft_batch *b,
					struct nft_set_id set);

/* ---- nft_apply.c: adding and deleting blocks ---- */

FMP_MUST_CHECK int fmpi_nft_apply(struct nft_layer *l, struct fmpi_change *c, size_t n,
				  struct fmp_error *err);

/* ---- nft_dump.c: reading the kernel's state; a missing table is empty ---- */

FMP_MUST_CHECK int fmpi_nft_dump_sets(struct nft_layer *l, struct nft_shape *out,
				      struct fmp_error *err);
FMP_MUST_CHECK int fmpi_nft_dump_elems(struct nft_layer *l, struct nft_set_id id,
				       struct fmpi_rules *out, struct fmp_error *err);
/* Read one element, if it exists. */
FMP_MUST_CHECK int fmpi_nft_find_elem(struct nft_layer *l, const struct fmp_rule *key,
				      struct fmpi_rules *out, struct fmp_error *err);
/* fmpi_dump_part() for one set. */
FMP_MUST_CHECK int fmpi_nft_dump_step(struct nft_layer *l, struct fmpi_dump *d,
				      struct nft_set_id id, struct fmpi_rules *out,
				      struct fmp_error *err);
/* Rules in order; kind and set are not filled in. */
FMP_MUST_CHECK int fmpi_nft_dump_rules(struct nft_layer *l, struct nft_rule_specs *out,
				       struct fmp_error *err);

/* Is the table dormant? A missing one is not. */
FMP_MUST_CHECK int fmpi_nft_dump_dormant(struct nft_layer *l, bool *out, struct fmp_error *err);

/* The base chains of our table that are attached to a hook. */
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
