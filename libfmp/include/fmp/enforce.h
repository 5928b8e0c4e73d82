/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The enforcer: applies one decision to every layer, and compares the kernel with what should be in
 * force. Our nft tables (`inet fmp`, `netdev fmp`) belong to us alone; nothing else in the ruleset
 * is touched (invariant 10).
 */
#ifndef FMP_ENFORCE_H
#define FMP_ENFORCE_H

#include <fmp/decision.h>
#include <fmp/error.h>
#include <fmp/net.h>
#include <fmp/source.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fmp_enforcer_config {
	unsigned layers; /**< wanted layers, as bits; 0: enforce nothing, every result is "observed" */
	const char (*devices)[16]; /**< devices of the layers mac and premac */
	const unsigned *device_layers; /**< layers used on each device, as bits; NULL: both on all */
	unsigned n_devices;
	uint64_t seed; /**< for hash tables of addresses, which attackers choose */
};

struct fmp_enforcer;

/**
 * fmp_enforcer_new() - probe the layers and create what is missing (tables, sets, chains, rules,
 * attachments); existing ones are adopted with their elements
 *
 * A layer that is not available is left out; fmp_enforcer_why() gives the reason. Return: 0;
 * FMP_ERR_NOMEM, FMP_ERR_IO.
 */
FMP_API FMP_MUST_CHECK int fmp_enforcer_new(const struct fmp_enforcer_config *cfg,
					    struct fmp_enforcer **out, struct fmp_error *err);
/** fmp_enforcer_free() - close; the rules in force stay. */
FMP_API void fmp_enforcer_free(struct fmp_enforcer *e);
/** fmp_enforcer_teardown() - remove everything of ours: tables, module rules, attachments. */
FMP_API FMP_MUST_CHECK int fmp_enforcer_teardown(struct fmp_enforcer *e, struct fmp_error *err);

/** fmp_enforcer_retry_layers() - try again to set up the wanted layers that were not available. */
FMP_API void fmp_enforcer_retry_layers(struct fmp_enforcer *e);
/** fmp_enforcer_layers() - the available layers, as bits. */
FMP_API unsigned fmp_enforcer_layers(const struct fmp_enforcer *e);
/** fmp_enforcer_why() - one sentence on a layer: how it is implemented, or why it is not
 * available. */
FMP_API const char *fmp_enforcer_why(const struct fmp_enforcer *e, unsigned layer);

/**
 * fmp_enforcer_apply() - apply n decisions to all layers they name
 * @answers: n * FMP_LAYERS results, row by row
 *
 * A block that is already in force is renewed (new id, new duration). Unblocking an absent block
 * counts as "enforced". An address in the protected set of the last fmp_enforcer_protect() is never
 * blocked: the result is "failed" with EPERM on every layer.
 * Return: 0 if every named layer enforced all; 1 if some did not; negative on an internal failure.
 */
FMP_API FMP_MUST_CHECK int fmp_enforcer_apply(struct fmp_enforcer *e, const struct fmp_decision *d,
					      size_t n, struct fmp_layer_result *answers,
					      struct fmp_error *err);

/** fmp_enforcer_protect() - replace the protected set on all layers. */
FMP_API FMP_MUST_CHECK int fmp_enforcer_protect(struct fmp_enforcer *e,
						const struct fmp_protect_entry *set, size_t n,
						struct fmp_error *err);

/** struct fmp_rule - one block as a layer has it. */
struct fmp_rule {
	struct fmp_addr addr; /**< IP address, prefix or MAC */
	struct fmp_addr pair_mac; /**< of a pair: only frames of this MAC; {0}: no pair */
	uint16_t dest_port; /**< only traffic to this local port; 0: any */
	/** It was added by an enforcer since the boot; false: possibly by another program, from a
	 * saved ruleset. */
	bool is_own;
	uint32_t rate; /**< of a limit: packets a second that pass; 0: no limit */
	uint64_t id; /**< decision id; 0 if the layer does not store it */
	uint64_t left_ms; /**< remaining time; 0: without end */
	uint64_t frames, bytes; /**< dropped by it, if the layer counts by element */
	uint64_t first_hit_ns; /**< CLOCK_BOOTTIME; 0: none, or not recorded by the layer */
};

/** fmp_enforcer_dump() - call @cb for each block of a layer; stops when it returns non-zero.
 * Return: 0, cb's value, FMP_ERR_UNSUPPORTED if the layer is not available, FMP_ERR_KERNEL. */
FMP_API FMP_MUST_CHECK int fmp_enforcer_dump(struct fmp_enforcer *e, unsigned layer,
					     int (*cb)(const struct fmp_rule *rule, void *ctx),
					     void *ctx, struct fmp_error *err);

/** fmp_enforcer_find() - the block of a layer with the address, MAC and port of @key, and with or
 * without a rate as @key; for nftables without a dump. Return: 0, FMP_ERR_NOTFOUND, else as
 * fmp_enforcer_dump(). */
FMP_API FMP_MUST_CHECK int fmp_enforcer_find(struct fmp_enforcer *e, unsigned layer,
					     const struct fmp_rule *key, struct fmp_rule *out,
					     struct fmp_error *err);

/** struct fmp_layer_stats - totals of a layer */
struct fmp_layer_stats {
	/** frames or packets dropped by blocks; premac: those stopped before they were complete */
	uint64_t dropped;
	uint64_t dropped_late; /**< premac: dropped when already complete */
	uint64_t stopped_bytes; /**< premac: bytes whose reception was aborted */
	uint64_t foreign; /**< premac: frames stopped for a foreign destination */
	uint64_t evicted; /**< premac: rules evicted to make room for others */
	uint64_t protected_hits; /**< matched a block, but let through as protected */
};
FMP_API FMP_MUST_CHECK int fmp_enforcer_stats(struct fmp_enforcer *e, unsigned layer,
					      struct fmp_layer_stats *out, struct fmp_error *err);

/** struct fmp_device - a device known to the module */
struct fmp_device {
	char name[16];
	/** place of the filter: "driver" (before the MAC layer), "mac80211" (before it, by
	 * ftrace), "mac80211-patched", "ingress"; "waiting": pending, attached when the device
	 * appears; "none": supported by the driver, but not requested */
	const char *hook;
	bool observe; /**< counts, drops nothing */
	uint64_t frames; /**< frames that the filter has seen */
	uint64_t dropped, dropped_late, stopped_bytes, foreign; /**< as in struct fmp_layer_stats */
	uint64_t observed; /**< would have been dropped */
};

/** fmp_enforcer_devices() - call @cb for each device of the layer premac; stops when it returns
 * non-zero. Return: 0, cb's value, FMP_ERR_UNSUPPORTED if the layer is not available,
 * FMP_ERR_KERNEL. */
FMP_API FMP_MUST_CHECK int fmp_enforcer_devices(struct fmp_enforcer *e,
						int (*cb)(const struct fmp_device *dev, void *ctx),
						void *ctx, struct fmp_error *err);

/** fmp_enforcer_hooked() - do frames of this device pass the layer? False if the layer is not
 * available or unknown. */
FMP_API bool fmp_enforcer_hooked(struct fmp_enforcer *e, unsigned layer, const char *device);

/** struct fmp_reconciled - the result of a comparison; a rule counts once for each layer. */
struct fmp_reconciled {
	uint32_t wanted[FMP_LAYERS]; /**< rules that should be there */
	/** of those, present before any repair: with the right end, and looked up by the layer's
	 * rules */
	uint32_t enforced[FMP_LAYERS];
	uint32_t foreign[FMP_LAYERS]; /**< present rules that should not be */
	/** added or removed by this call; a rule that ends by itself about now counts nowhere */
	uint32_t repaired[FMP_LAYERS];
	/** of those enforced, changed since the snapshot: it can't tell, the result of the change
	 * counts */
	uint32_t unverified[FMP_LAYERS];
	uint32_t missing[FMP_LAYERS]; /**< of those wanted, not in force afterwards */
	uint32_t stray[FMP_LAYERS]; /**< of the foreign ones, still present afterwards */
	bool reachable[FMP_LAYERS]; /**< the layer could be dumped */
};

/**
 * fmp_enforcer_reconcile() - compare the kernel with the wanted blocks, and repair if requested
 * @desired: every block that should be in force now; duration_ms = remaining time
 * @repair: restore what is missing (tables, chains, attachments and protected entries too), remove
 * 	 foreign blocks
 *
 * All in one call; replaces a snapshot that was started before. Return: 0; negative on an internal
 * failure.
 */
FMP_API FMP_MUST_CHECK int fmp_enforcer_reconcile(struct fmp_enforcer *e,
						  const struct fmp_decision *desired, size_t n,
						  bool repair, struct fmp_reconciled *out,
						  struct fmp_error *err);

/** struct fmp_snapshot - the rules of every layer at one time. */
struct fmp_snapshot;
/**
 * fmp_enforcer_snapshot() - start a comparison in steps of some hundred rules
 * @now_ms: remaining times are as of this time
 *
 * Call fmp_snapshot_step() until everything is read, fmp_snapshot_want() for each block, then
 * fmp_snapshot_compare() until it is done; other work may be done in between. Changes by
 * fmp_enforcer_apply() from here on are left out of the comparison: their results count. So are
 * changes by other programs, partly: a caller that is notified of those compares again. An enforcer
 * updates only its newest snapshot; free it before the enforcer. Return: 0, FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_enforcer_snapshot(struct fmp_enforcer *e, uint64_t now_ms,
						 struct fmp_snapshot **out, struct fmp_error *err);
/** fmp_snapshot_step() - read some hundred more rules. Return: 1 everything is read, except layers
 * that can't be, 0 more follows, FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_snapshot_step(struct fmp_snapshot *s, uint64_t now_ms,
					     struct fmp_error *err);
/** fmp_snapshot_rules() - the rules read from a layer. Return: 0; FMP_ERR_UNSUPPORTED if the layer
 * was not available, FMP_ERR_AGAIN: not completely read yet, FMP_ERR_KERNEL: it could not be
 * read. */
FMP_API FMP_MUST_CHECK int fmp_snapshot_rules(const struct fmp_snapshot *s, unsigned layer,
					      const struct fmp_rule **rules, size_t *n,
					      struct fmp_error *err);
/** fmp_snapshot_want() - add a block that should be in force; duration_ms: remaining time as of
 * the snapshot. Return: 0, FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_snapshot_want(struct fmp_snapshot *s, const struct fmp_decision *d,
					     struct fmp_error *err);
/**
 * fmp_snapshot_compare() - compare some hundred more rules, for the layers that were available at
 * the start
 * @repair: as in fmp_enforcer_reconcile(), the same in all calls
 * @out: filled in by the last call
 *
 * Return: 1 everything is compared, 0 more follows; FMP_ERR_AGAIN if more changed meanwhile than
 * can be recorded: start again; FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_snapshot_compare(struct fmp_snapshot *s, bool repair,
						uint64_t now_ms, struct fmp_reconciled *out,
						struct fmp_error *err);
FMP_API void fmp_snapshot_free(struct fmp_snapshot *s);

/* ---- open connections ---- */

/** fmp_kill_connections_cb - end the TCP connection with this peer on this local port? */
typedef bool (*fmp_kill_connections_cb)(const struct fmp_addr *peer, uint16_t local_port,
					void *ctx);

/**
 * fmp_kill_connections() - end TCP connections of this machine, of any program
 * @killed: how many were ended
 *
 * Both ends notice: the local program reads ECONNABORTED, the peer gets a RST. Return: 0;
 * FMP_ERR_UNSUPPORTED if the kernel can't; FMP_ERR_DENIED, FMP_ERR_IO, FMP_ERR_KERNEL.
 */
FMP_API FMP_MUST_CHECK int fmp_kill_connections(fmp_kill_connections_cb wanted, void *ctx,
						size_t *killed, struct fmp_error *err);

/* ---- flowtables ---- */

/** fmp_flush_flows_cb - end the connection whose frames come from @source and go to @dest_port (0:
 * it has no ports)? */
typedef bool (*fmp_flush_flows_cb)(const struct fmp_addr *source, uint16_t dest_port, void *ctx);

/** struct fmp_flushed - what fmp_flush_flows() found */
struct fmp_flushed {
	size_t offloaded; /**< connections that a flowtable forwards */
	size_t flushed; /**< of these, how many were ended */
};

/**
 * fmp_flush_flows() - end connections that a flowtable (software or hardware) forwards past the
 * layer ip
 * @wanted: asked for each direction; one that is wanted is enough
 *
 * The next frame of such a connection goes through all of netfilter again. Traffic in the other
 * direction may bring it back to the flowtable. Return: 0, also if there is no conntrack;
 * FMP_ERR_UNSUPPORTED if the kernel can't; FMP_ERR_DENIED, FMP_ERR_IO, FMP_ERR_KERNEL,
 * FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_flush_flows(fmp_flush_flows_cb wanted, void *ctx,
					   struct fmp_flushed *out, struct fmp_error *err);

/* ---- changes by other programs ---- */

/** What other programs changed; bits. */
enum fmp_changed {
	FMP_CHANGED_NFT = 1, /**< a table of ours in nf_tables */
	FMP_CHANGED_MODULE = 2, /**< the module's rules or attachments */
	FMP_CHANGED_MODULE_CAME = 4,
	FMP_CHANGED_MODULE_WENT = 8,
	FMP_CHANGED_LOST = 16, /**< notifications were lost: anything may have changed */
};

/** struct fmp_changer - the process that made the last reported change; pid 0: unknown */
struct fmp_changer {
	uint32_t pid;
	char name[16];
};

/** struct fmp_watch - the kernel's notifications, without those of the enforcer's own changes */
struct fmp_watch;
#define FMP_WATCH_FDS 2u

/** fmp_watch_new() - start listening. Return: 0; FMP_ERR_NOMEM, FMP_ERR_IO. */
FMP_API FMP_MUST_CHECK int fmp_watch_new(const struct fmp_enforcer *e, struct fmp_watch **out,
					 struct fmp_error *err);
FMP_API void fmp_watch_free(struct fmp_watch *w);
/** fmp_watch_enforcer() - replace the enforcer whose changes are own ones. */
FMP_API FMP_MUST_CHECK int fmp_watch_enforcer(struct fmp_watch *w, const struct fmp_enforcer *e,
					      struct fmp_error *err);
/** fmp_watch_fd() - i < FMP_WATCH_FDS; readable when fmp_watch_drain() has something to process. */
FMP_API int fmp_watch_fd(const struct fmp_watch *w, unsigned i);
/** fmp_watch_drain() - process notifications. Return: bits of enum fmp_changed; then compare. */
FMP_API unsigned fmp_watch_drain(struct fmp_watch *w, struct fmp_changer *who);

#ifdef __cplusplus
}
#endif
#endif
