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
 * An element of a block counts what it hits, and a limit's lets its rate pass in front of that.
 *
 * So a frame that no block matches never pays for the protected sets, and no
 * frame is dropped before they were asked. A set holds the addresses of one
 * family and one prefix length, hashed by the masked key; never an interval set.
 */
#ifndef FMPI_LAYERS_NFT_H
#define FMPI_LAYERS_NFT_H

#include <layers/dump.h>
#include <layers/layer.h>
#include <fmp/internal/netlink.h>
#include <layers/nft_batch.h>

#define NFT_TABLE     "fmp"
#define NFT_BLOCKED   "blocked" /* chain, and counter of what was dropped */
#define NFT_VERDICT   "verdict" /* chain */
#define NFT_PROTECTED "protected" /* counter of what was let through */
/*
 * Type of an entry without bytes in the user data of a block's element: we put it there. nft neither shows it
 * nor puts it back, so an element out of a saved ruleset lacks it.
 */
#define NFT_UDATA_OWN 0x66u

/* What a set holds; its name begins so. */
enum nft_use {
	NFT_USE_BLOCK, /* sources */
	NFT_USE_LIMIT, /* sources, each element with a rate of its own */
	NFT_USE_PORT, /* a source and a port of ours */
	NFT_USE_PORT_LIMIT,
	NFT_USE_PAIR, /* an IP address and the MAC of its frames */
	NFT_USE_PROTECT,
	NFT_USES
};

/* Which set: its use, of a family and a prefix length. */
struct nft_set_id {
	enum nft_use use;
	uint8_t family; /* enum fmp_family */
	uint8_t prefix_len;
};

#define NFT_SET_NAMELEN 20
const char *fmpi_nft_set_name(struct nft_set_id id, char buf[NFT_SET_NAMELEN]);
/* Return: false for a name that is not of ours. */
bool fmpi_nft_set_parse(const char *name, struct nft_set_id *id);
struct nft_set_id fmpi_nft_set_of(enum nft_use use, const struct fmp_addr *a);
/* Is a port part of the key, or a MAC? Do its elements let a rate pass? */
bool fmpi_nft_has_port(enum nft_use use);
bool fmpi_nft_has_mac(enum nft_use use);
bool fmpi_nft_has_limit(enum nft_use use);
/* The set that a change is about. */
struct nft_set_id fmpi_nft_set_of_change(const struct fmpi_change *c);

/* Which sets there are. */
#define NFT_PREFIXES 129
struct nft_shape {
	bool has[NFT_USES][3][NFT_PREFIXES];
};
bool *fmpi_nft_shape_at(struct nft_shape *s, struct nft_set_id id);
/* Calls cb for every set of a use, in order: MAC, IPv4, IPv6, the longest prefix first. */
typedef int (*nft_set_cb)(struct nft_set_id id, void *ctx);
/* The uses of blocks are those in front of NFT_USE_PROTECT. */
FMP_MUST_CHECK int fmpi_nft_shape_each(const struct nft_shape *s, enum nft_use use, nft_set_cb cb,
				       void *ctx);

#define NFT_CHAIN_NAMELEN 32
/* One rule as it should be; told again in a dump by its chain and its comment. */
struct nft_rule_spec {
	enum nft_rule_kind {
		NFT_RULE_JUMP,
		NFT_RULE_MATCH,
		NFT_RULE_TCP, /* MATCH of a port's set, and so is UDP */
		NFT_RULE_UDP,
		NFT_RULE_ARP,
		NFT_RULE_DROP
	} kind;
	char chain[NFT_CHAIN_NAMELEN];
	char comment[NFT_CHAIN_NAMELEN];
	struct nft_set_id set; /* of MATCH, TCP, UDP and ARP */
	uint64_t sum; /* in a dump: of what the kernel shows of its expressions */
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
	/* What the kernel had when last asked; a wrong one is found out by ENOENT. */
	struct nft_shape shape;
	/* The rules as the kernel showed them when they were built. */
	struct nft_rule_specs built;
};

/* A base chain of our table, as it hangs on its hook. */
struct nft_base {
	char name[NFT_CHAIN_NAMELEN];
	char type[NFT_CHAIN_NAMELEN];
	char device[16]; /* the first one; "": of no device */
	unsigned n_devices;
	uint32_t hook, policy;
	int32_t priority;
};
struct nft_bases {
	struct nft_base *v;
	size_t n, cap;
};

/* ---- nft_chain.c: chains ---- */

/* The base chain of a device; of the family inet there is one, device is not asked. */
const char *fmpi_nft_base_name(const struct nft_layer *l, const char *device,
			       char buf[NFT_CHAIN_NAMELEN]);
/* Is there one of this name, and is it as we make it? */
bool fmpi_nft_has_base(const struct nft_layer *l, const struct nft_bases *bases, const char *name);
/* Are all of them ours, as we make them? One may be missing. */
bool fmpi_nft_bases_as_built(const struct nft_layer *l, const struct nft_bases *bases);
/* Adds chains that are missing; makes base chains anew that somebody changed, and takes away those of
 * devices that are no longer ours. No rule is in them. */
FMP_MUST_CHECK int fmpi_nft_chains_put(const struct nft_layer *l, struct nft_batch *b,
				       const struct nft_bases *there);

/* ---- nft_rule.c: rules ---- */

/*
 * All rules of a shape. A device has a base chain if it exists, and on kernels
 * that keep the chain of a device that is gone (from 6.16 on) also then.
 * Return: 0, FMP_ERR_NOMEM.
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

/* The nest that names an element. */
void fmpi_nft_key_put(struct nlmsghdr *nlh, struct nft_set_id set, const struct fmp_addr *a,
		      const struct fmp_addr *pair_mac, uint16_t dest_port);
/* What a message says of an element: which it is, or all that a block has. */
enum nft_elem_form {
	NFT_ELEM_KEY,
	NFT_ELEM_BLOCK
};
/*
 * As many elements of one set as fit a message, all of its owner.
 * @type: NFT_MSG_NEWSETELEM or NFT_MSG_DELSETELEM
 * @flags: NLM_F_EXCL refuses what is there already
 * Return: how many, at least 1; 0 without memory.
 */
size_t fmpi_nft_elems_put(const struct nft_layer *l, struct nft_batch *b, uint16_t type,
			  uint16_t flags, enum nft_elem_form form,
			  const struct fmpi_change *const *c, size_t n, size_t owner);
FMP_MUST_CHECK int fmpi_nft_protect_put(const struct nft_layer *l, struct nft_batch *b,
					const struct fmp_addr *a);
/* All elements of a set go. */
FMP_MUST_CHECK int fmpi_nft_elems_flush(const struct nft_layer *l, struct nft_batch *b,
					struct nft_set_id set);

/* ---- nft_apply.c: blocks put in and taken out ---- */

FMP_MUST_CHECK int fmpi_nft_apply(struct nft_layer *l, struct fmpi_change *c, size_t n,
				  struct fmp_error *err);

/* ---- nft_dump.c: what the kernel has; a table that is not there is empty ---- */

FMP_MUST_CHECK int fmpi_nft_dump_sets(struct nft_layer *l, struct nft_shape *out,
				      struct fmp_error *err);
FMP_MUST_CHECK int fmpi_nft_dump_elems(struct nft_layer *l, struct nft_set_id id,
				       struct fmpi_rules *out, struct fmp_error *err);
/* One element, if it is there. */
FMP_MUST_CHECK int fmpi_nft_find_elem(struct nft_layer *l, const struct fmp_rule *key,
				      struct fmpi_rules *out, struct fmp_error *err);
/* fmpi_dump_part() of one set. */
FMP_MUST_CHECK int fmpi_nft_dump_step(struct nft_layer *l, struct fmpi_dump *d,
				      struct nft_set_id id, struct fmpi_rules *out,
				      struct fmp_error *err);
/* Rules in their order; kind and set are not read back. */
FMP_MUST_CHECK int fmpi_nft_dump_rules(struct nft_layer *l, struct nft_rule_specs *out,
				       struct fmp_error *err);

/* Are the table's chains off their hooks? Not if there is none. */
FMP_MUST_CHECK int fmpi_nft_dump_dormant(struct nft_layer *l, bool *out, struct fmp_error *err);

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
