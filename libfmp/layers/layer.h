/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the enforcer and its back ends say to each other. A back end knows
 * addresses and times; what a decision is, and which address it means on which
 * layer, is the enforcer's knowledge.
 */
#ifndef FMPI_LAYERS_LAYER_H
#define FMPI_LAYERS_LAYER_H

#include <fmp/decision.h>
#include <fmp/enforce.h>
#include <fmp/internal/netlink.h>

/* One address to be blocked or to be let go on one layer. */
struct fmpi_change {
	struct fmp_addr addr;
	struct fmp_addr pair_mac; /* the IP address in frames of this MAC alone; {0}: in any */
	bool block; /* false: unblock */
	bool renews; /* block: the layer should hold it, with another id and time */
	uint64_t id; /* decision; 0: none */
	uint64_t left_ms; /* how long the block lives; 0: without end */
	uint32_t rate; /* a limit: packets a second that pass; 0: none passes */
	uint16_t dest_port; /* only what goes to this port of ours; 0: to any */
	bool kept; /* unblock: the address is itself a protected entry */
	bool done; /* the kernel has answered: result stands */
	struct fmp_kerr result;
};

/* Blocks as dumped. {0} is none. */
struct fmpi_rules {
	struct fmp_rule *v;
	size_t n, cap;
};
FMP_MUST_CHECK int fmpi_rules_push(struct fmpi_rules *r, const struct fmp_rule *rule);
void fmpi_rules_free(struct fmpi_rules *r);
/* By address, MAC of a pair, port, and limit or block: what a layer has one rule of. */
int fmpi_rule_compare(const struct fmp_rule *a, const struct fmp_rule *b);

struct fmpi_layer;
struct fmpi_dump;

/*
 * A back end. All return 0 or a negative fmp_code; what the kernel thinks of a
 * single change stands in its result.
 */
struct fmpi_layer_ops {
	/*
	 * Make what is missing (tables, chains, sets, attachments) and put the
	 * protected set in place of the one that is there; set NULL keeps that one.
	 */
	int (*build)(struct fmpi_layer *l, const struct fmp_protect_entry *set, size_t n,
		     struct fmp_error *err);
	/* Does all stand that build() makes, and does the kernel protect this set? */
	int (*intact)(struct fmpi_layer *l, const struct fmp_protect_entry *set, size_t n,
		      bool *yes, struct fmp_error *err);
	/*
	 * Unblocking what is not there is done. One transaction, less what the
	 * kernel refuses. FMP_ERR_AGAIN: something is missing, build() and call again.
	 */
	int (*apply)(struct fmpi_layer *l, struct fmpi_change *c, size_t n, struct fmp_error *err);
	/* One block, into an empty list, that stays empty if it is not there; NULL: by a dump. */
	int (*find)(struct fmpi_layer *l, const struct fmp_rule *key, struct fmpi_rules *out,
		    struct fmp_error *err);
	/* Every block in steps, see dump.h; the caller frees it. */
	int (*dump_begin)(struct fmpi_layer *l, struct fmpi_dump **out, struct fmp_error *err);
	/* Return: 1 it is complete, 0 more is to come, or negative. */
	int (*dump_step)(struct fmpi_layer *l, struct fmpi_dump *d, struct fmpi_rules *out,
			 struct fmp_error *err);
	int (*stats)(struct fmpi_layer *l, struct fmp_layer_stats *out, struct fmp_error *err);
	/* The devices that it knows; NULL: it knows none. Stops when cb returns non-zero. */
	int (*devices)(struct fmpi_layer *l, int (*cb)(const struct fmp_device *dev, void *ctx),
		       void *ctx, struct fmp_error *err);
	/* Take away all that is ours. */
	int (*teardown)(struct fmpi_layer *l, struct fmp_error *err);
	void (*free)(struct fmpi_layer *l);
};

struct fmpi_layer {
	const struct fmpi_layer_ops *ops;
	unsigned portid; /* of the socket that makes its changes */
	uint32_t told; /* changes of it that the kernel tells without saying whose they are */
	char why[256]; /* what it is made of, in one sentence */
};

/* Each: 0 and a layer that is not built yet; negative and why not. devices must outlive it. */
FMP_MUST_CHECK int fmpi_nft_open(enum fmp_layer layer, const char (*devices)[16],
				 unsigned n_devices, struct fmpi_layer **out,
				 struct fmp_error *err);
/* Behind the devices stand @n_left_out that the module is to leave. */
FMP_MUST_CHECK int fmpi_premac_open(const char (*devices)[16], unsigned n_devices,
				    unsigned n_left_out, struct fmpi_layer **out,
				    struct fmp_error *err);

/*
 * Put changes into a layer; what is missing there is made and the changes tried
 * again. After it every change is done. Return: 0, or 1 if some were refused.
 */
int fmpi_layer_apply(struct fmpi_layer *l, const struct fmp_protect_entry *set, size_t n_set,
		     struct fmpi_change *c, size_t n);

/* Every block, into an empty list. */
FMP_MUST_CHECK int fmpi_layer_dump(struct fmpi_layer *l, struct fmpi_rules *out,
				   struct fmp_error *err);

#endif
