/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface between the enforcer and its back ends. A back end knows addresses and times; only
 * the enforcer knows decisions, and which address they mean on which layer.
 */
#ifndef FMPI_LAYERS_LAYER_H
#define FMPI_LAYERS_LAYER_H

#include <fmp/decision.h>
#include <fmp/enforce.h>
#include <fmp/internal/netlink.h>

/* A change: one address to block or unblock on one layer. */
struct fmpi_change {
	struct fmp_addr addr;
	struct fmp_addr pair_mac; /* the IP address in frames of this MAC alone; {0}: in any */
	bool block; /* false: unblock */
	bool renews; /* block: the layer should have it, with another id and time */
	uint64_t id; /* decision; 0: none */
	uint64_t left_ms; /* remaining time of the block; 0: without end */
	uint32_t rate; /* a limit: packets a second that pass; 0: none passes */
	uint16_t dest_port; /* only traffic to this local port; 0: any */
	bool kept; /* unblock: the address itself is a protected entry */
	bool done; /* the kernel has replied: result is valid */
	struct fmp_kerr result;
};

/* Dumped blocks. {0} is empty. */
struct fmpi_rules {
	struct fmp_rule *v;
	size_t n, cap;
};
FMP_MUST_CHECK int fmpi_rules_push(struct fmpi_rules *r, const struct fmp_rule *rule);
void fmpi_rules_free(struct fmpi_rules *r);
/* Order by address, MAC of a pair, port, and limit or block: a layer has at most one rule for
 * each. */
int fmpi_rule_compare(const struct fmp_rule *a, const struct fmp_rule *b);

struct fmpi_layer;
struct fmpi_dump;

/*
 * A back end. All functions return 0 or a negative fmp_code; the kernel's verdict on a single
 * change is in its result.
 */
struct fmpi_layer_ops {
	/*
	 * Create what is missing (tables, chains, sets, attachments) and replace the protected set;
	 * set NULL keeps the existing one.
	 */
	int (*build)(struct fmpi_layer *l, const struct fmp_protect_entry *set, size_t n,
		     struct fmp_error *err);
	/* Is everything that build() creates present, and does the kernel protect this set? */
	int (*intact)(struct fmpi_layer *l, const struct fmp_protect_entry *set, size_t n,
		      bool *yes, struct fmp_error *err);
	/*
	 * Unblocking an absent block succeeds. One transaction, without what the kernel refuses.
	 * FMP_ERR_AGAIN: something is missing, call build() and try again.
	 */
	int (*apply)(struct fmpi_layer *l, struct fmpi_change *c, size_t n, struct fmp_error *err);
	/* Find one block; the list stays empty if there is none. NULL: use a dump. */
	int (*find)(struct fmpi_layer *l, const struct fmp_rule *key, struct fmpi_rules *out,
		    struct fmp_error *err);
	/* Start a dump of every block, see dump.h; the caller frees it. */
	int (*dump_begin)(struct fmpi_layer *l, struct fmpi_dump **out, struct fmp_error *err);
	/* Return: 1 it is complete, 0 more follows, or negative. */
	int (*dump_step)(struct fmpi_layer *l, struct fmpi_dump *d, struct fmpi_rules *out,
			 struct fmp_error *err);
	int (*stats)(struct fmpi_layer *l, struct fmp_layer_stats *out, struct fmp_error *err);
	/* Call @cb for each known device, until it returns non-zero. NULL: the layer knows none. */
	int (*devices)(struct fmpi_layer *l, int (*cb)(const struct fmp_device *dev, void *ctx),
		       void *ctx, struct fmp_error *err);
	/* Remove everything of ours. */
	int (*teardown)(struct fmpi_layer *l, struct fmp_error *err);
	void (*free)(struct fmpi_layer *l);
};

struct fmpi_layer {
	const struct fmpi_layer_ops *ops;
	unsigned portid; /* netlink port of the socket that makes its changes */
	uint32_t told; /* own changes that the kernel reports without naming the originator */
	char why[256]; /* how it is implemented, in one sentence */
};

/* Open a layer, which is not built yet. devices must outlive it. */
FMP_MUST_CHECK int fmpi_nft_open(enum fmp_layer layer, const char (*devices)[16],
				 unsigned n_devices, struct fmpi_layer **out,
				 struct fmp_error *err);
/* The devices are followed by @n_left_out devices that the module must not use. */
FMP_MUST_CHECK int fmpi_premac_open(const char (*devices)[16], unsigned n_devices,
				    unsigned n_left_out, struct fmpi_layer **out,
				    struct fmp_error *err);

/*
 * Apply changes to a layer; if something is missing, build it and try again. Afterwards every
 * change is done. Return: 0, or 1 if some were refused.
 */
int fmpi_layer_apply(struct fmpi_layer *l, const struct fmp_protect_entry *set, size_t n_set,
		     struct fmpi_change *c, size_t n);

/* Dump every block into an empty list. */
FMP_MUST_CHECK int fmpi_layer_dump(struct fmpi_layer *l, struct fmpi_rules *out,
				   struct fmp_error *err);

#endif
