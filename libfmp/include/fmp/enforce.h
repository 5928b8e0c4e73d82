/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The enforcer: one decision to every layer at once, and the comparison of what
 * should be with what the kernel has. Our nft tables (`inet fmp`, `netdev fmp`)
 * are ours alone; nothing else in the ruleset is touched (DESIGN: invariant 10).
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
	unsigned layers; /**< bits wanted; 0: enforce nothing, every answer is "observed" */
	const char (*devices)[16]; /**< devices of the layers mac and premac */
	const unsigned *device_layers; /**< bits of the layers used on each; NULL: both on all */
	unsigned n_devices;
	uint64_t seed; /**< of tables by address, which others choose */
};

struct fmp_enforcer;

/**
 * fmp_enforcer_new() - probe the layers, make what is missing (tables, sets,
 * chains, rules, attachments); what stands already is adopted with its elements
 *
 * A layer that can't be had is left out and says why in fmp_enforcer_why().
 * Return: 0; FMP_ERR_NOMEM, FMP_ERR_IO.
 */
FMP_API FMP_MUST_CHECK int fmp_enforcer_new(const struct fmp_enforcer_config *cfg,
					    struct fmp_enforcer **out, struct fmp_error *err);
/** fmp_enforcer_free() - closes; the rules in force stay in force. */
FMP_API void fmp_enforcer_free(struct fmp_enforcer *e);
/** fmp_enforcer_teardown() - takes away all that is ours: tables, module rules, attachments. */
FMP_API FMP_MUST_CHECK int fmp_enforcer_teardown(struct fmp_enforcer *e, struct fmp_error *err);

/** fmp_enforcer_retry_layers() - once more the wanted layers that could not be had before. */
FMP_API void fmp_enforcer_retry_layers(struct fmp_enforcer *e);
/** fmp_enforcer_layers() - bits of the layers that are there. */
FMP_API unsigned fmp_enforcer_layers(const struct fmp_enforcer *e);
/** fmp_enforcer_why() - one sentence on a layer: what it is made of, or why it is not there. */
FMP_API const char *fmp_enforcer_why(const struct fmp_enforcer *e, unsigned layer);

/**
 * fmp_enforcer_apply() - n decisions to all layers they want
 * @answers: n * FMP_LAYERS, row by row
 *
 * A block that is in force already is renewed (new id, new duration). An unblock of
 * what is not there is "enforced". Never blocks an address that the protected
 * set of the last fmp_enforcer_protect() forbids: such a block is answered
 * "failed" with EPERM on every layer.
 * Return: 0 if every asked layer enforced all; 1 if some did not; negative on a failure of our own.
 */
FMP_API FMP_MUST_CHECK int fmp_enforcer_apply(struct fmp_enforcer *e, const struct fmp_decision *d,
					      size_t n, struct fmp_layer_result *answers,
					      struct fmp_error *err);

/** fmp_enforcer_protect() - replaces the protected set on all layers. */
FMP_API FMP_MUST_CHECK int fmp_enforcer_protect(struct fmp_enforcer *e,
						const struct fmp_protect_entry *set, size_t n,
						struct fmp_error *err);

/** struct fmp_rule - one block as a layer has it. */
struct fmp_rule {
	struct fmp_addr addr; /**< IP address, prefix or MAC */
	struct fmp_addr
		pair_mac; /**< of a pair: the IP address in frames of this MAC; {0}: it is none */
	uint16_t dest_port; /**< only what goes to this port of ours; 0: to any */
	/** An enforcer put it there since the boot; false: perhaps another program did, out of a saved ruleset. */
	bool is_own;
	uint32_t rate; /**< a limit: packets a second that it lets through; 0: none */
	uint64_t id; /**< decision id, 0 if the layer does not know it */
	uint64_t left_ms; /**< what is left of its time; 0: without end */
	uint64_t frames, bytes; /**< dropped by it, as far as the layer counts by element */
	uint64_t first_hit_ns; /**< CLOCK_BOOTTIME; 0: none, or the layer does not know */
};

/** fmp_enforcer_dump() - the blocks of a layer; stops when cb returns non-zero.
 * Return: 0, cb's value, FMP_ERR_UNSUPPORTED if the layer is not there, FMP_ERR_KERNEL. */
FMP_API FMP_MUST_CHECK int fmp_enforcer_dump(struct fmp_enforcer *e, unsigned layer,
					     int (*cb)(const struct fmp_rule *rule, void *ctx),
					     void *ctx, struct fmp_error *err);

/** fmp_enforcer_find() - the block of a layer with the address, its MAC, the port, and a rate or none, of @key;
 * of nftables' layers without a dump. Return: 0, FMP_ERR_NOTFOUND, else as fmp_enforcer_dump(). */
FMP_API FMP_MUST_CHECK int fmp_enforcer_find(struct fmp_enforcer *e, unsigned layer,
					     const struct fmp_rule *key, struct fmp_rule *out,
					     struct fmp_error *err);

/** struct fmp_layer_stats - totals of a layer */
struct fmp_layer_stats {
	uint64_t dropped; /**< frames or packets dropped for a block of ours; of premac those
				   stopped before they were complete */
	uint64_t dropped_late; /**< premac: blocked when complete already */
	uint64_t stopped_bytes; /**< premac: bytes whose reception was aborted */
	uint64_t foreign; /**< premac: frames stopped for a foreign destination */
	uint64_t evicted; /**< premac: rules that had to make room for others */
	uint64_t protected_hits; /**< matched a block, let through as protected */
};
FMP_API FMP_MUST_CHECK int fmp_enforcer_stats(struct fmp_enforcer *e, unsigned layer,
					      struct fmp_layer_stats *out, struct fmp_error *err);

/** struct fmp_device - a device as the module has it */
struct fmp_device {
	char name[16];
	const char *hook; /**< where the filter sits: "driver" (before the MAC layer), "mac80211",
			       "ingress"; "waiting": nowhere, it is attached when it comes;
			       "none": the driver could, nobody asks it to */
	bool observe; /**< counts, stops nothing */
	uint64_t frames; /**< whose header the filter saw */
	uint64_t dropped, dropped_late, stopped_bytes, foreign; /**< as in struct fmp_layer_stats */
	uint64_t observed; /**< would have been dropped */
};

/** fmp_enforcer_devices() - the devices of the layer premac; stops when cb returns non-zero.
 * Return: 0, cb's value, FMP_ERR_UNSUPPORTED if the layer is not there, FMP_ERR_KERNEL. */
FMP_API FMP_MUST_CHECK int fmp_enforcer_devices(struct fmp_enforcer *e,
						int (*cb)(const struct fmp_device *dev, void *ctx),
						void *ctx, struct fmp_error *err);

/** fmp_enforcer_hooked() - do frames of this device meet the layer? Without a layer, or if it does not say: no. */
FMP_API bool fmp_enforcer_hooked(struct fmp_enforcer *e, unsigned layer, const char *device);

/** struct fmp_reconciled - a comparison of what should be with what is, rules counted one a layer. */
struct fmp_reconciled {
	uint32_t wanted[FMP_LAYERS]; /**< rules that should be there */
	uint32_t enforced[FMP_LAYERS]; /**< of those, that were there before any repair: with the
					  right end, and asked by the layer's rules */
	uint32_t foreign[FMP_LAYERS]; /**< rules there that should not be */
	uint32_t repaired[FMP_LAYERS]; /**< put back, or taken away, by this call; none that ends by
					  its own time about now, which counts nowhere here */
	uint32_t unverified[FMP_LAYERS]; /**< of those enforced, changed since the snapshot: it is not
					  known there, the layer's own answer stands */
	uint32_t missing[FMP_LAYERS]; /**< of those wanted, not in force behind it all the same */
	uint32_t stray[FMP_LAYERS]; /**< of the foreign ones, there behind it all the same */
	bool reachable[FMP_LAYERS]; /**< the layer could be dumped */
};

/**
 * fmp_enforcer_reconcile() - measure (dump and compare), and repair if asked
 * @desired: every block that should be in force now; duration_ms = what is left of it
 * @repair: put back what is missing (tables, chains, attachments and protected
 *	    entries too), take away blocks that should not be there
 *
 * All at once: it replaces a snapshot that was begun before. Return: 0; negative on a failure of our own.
 */
FMP_API FMP_MUST_CHECK int fmp_enforcer_reconcile(struct fmp_enforcer *e,
						  const struct fmp_decision *desired, size_t n,
						  bool repair, struct fmp_reconciled *out,
						  struct fmp_error *err);

/** struct fmp_snapshot - the rules of every layer as they were at one time. */
struct fmp_snapshot;
/**
 * fmp_enforcer_snapshot() - begin a comparison in steps, each of some hundred rules
 * @now_ms: the time left of a rule is given as of this time
 *
 * First fmp_snapshot_step() until all is read, then fmp_snapshot_want() of each block, then
 * fmp_snapshot_compare() until it is done; other things are done in between. What fmp_enforcer_apply()
 * changes from here on is left out of it: the layer's answer to that stands. So is what others
 * change, in part: only for a caller that learns of it by fmp_watch and compares again. An enforcer keeps up one of
 * them, the newest; free it before the enforcer. Return: 0, FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_enforcer_snapshot(struct fmp_enforcer *e, uint64_t now_ms,
						 struct fmp_snapshot **out, struct fmp_error *err);
/** fmp_snapshot_step() - some hundred rules more. Return: 1 all is read, but for layers that can't be,
 * 0 more is to come, FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_snapshot_step(struct fmp_snapshot *s, uint64_t now_ms,
					     struct fmp_error *err);
/** fmp_snapshot_rules() - what was read of a layer. Return: 0; FMP_ERR_UNSUPPORTED if the layer was not
 * there, FMP_ERR_AGAIN: not all is read yet, FMP_ERR_KERNEL: it could not be read. */
FMP_API FMP_MUST_CHECK int fmp_snapshot_rules(const struct fmp_snapshot *s, unsigned layer,
					      const struct fmp_rule **rules, size_t *n,
					      struct fmp_error *err);
/** fmp_snapshot_want() - a block that should be in force; duration_ms: what was left of it at the time
 * of the snapshot. Return: 0, FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_snapshot_want(struct fmp_snapshot *s, const struct fmp_decision *d,
					     struct fmp_error *err);
/**
 * fmp_snapshot_compare() - some hundred rules more against what is wanted; the layers that were there
 * when the snapshot was begun
 * @repair: as of fmp_enforcer_reconcile(), and the same from the first to the last
 * @out: set by the last
 *
 * Return: 1 all is compared, 0 more is to come; FMP_ERR_AGAIN if more was changed meanwhile than it
 * takes note of: it is to be begun anew; FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_snapshot_compare(struct fmp_snapshot *s, bool repair,
						uint64_t now_ms, struct fmp_reconciled *out,
						struct fmp_error *err);
FMP_API void fmp_snapshot_free(struct fmp_snapshot *s);

/* ---- open connections ---- */

/** fmp_kill_connections_cb - is a TCP connection with this peer, on this port of ours, to end? */
typedef bool (*fmp_kill_connections_cb)(const struct fmp_addr *peer, uint16_t local_port,
					void *ctx);

/**
 * fmp_kill_connections() - end TCP connections of this machine, whosever they are
 * @cut: how many were
 *
 * Both ends learn of it: the program here reads ECONNABORTED, the peer gets a RST.
 * Return: 0; FMP_ERR_UNSUPPORTED if the kernel can't; FMP_ERR_DENIED, FMP_ERR_IO, FMP_ERR_KERNEL.
 */
FMP_API FMP_MUST_CHECK int fmp_kill_connections(fmp_kill_connections_cb wanted, void *ctx,
						size_t *killed, struct fmp_error *err);

/* ---- changes by others ---- */

/** What others changed; bits. */
enum fmp_changed {
	FMP_CHANGED_NFT = 1, /**< a table of ours in nf_tables */
	FMP_CHANGED_MODULE = 2, /**< the module's rules or attachments */
	FMP_CHANGED_MODULE_CAME = 4,
	FMP_CHANGED_MODULE_WENT = 8,
	FMP_CHANGED_LOST = 16, /**< notifications were lost: anything may have changed */
};

/** struct fmp_changer - who made the last change that was reported; pid 0: not named */
struct fmp_changer {
	uint32_t pid;
	char name[16];
};

/** struct fmp_watch - the kernel's notifications, less those of the enforcer's own changes */
struct fmp_watch;
#define FMP_WATCH_FDS 2u

/** fmp_watch_new() - begin to listen. Return: 0; FMP_ERR_NOMEM, FMP_ERR_IO. */
FMP_API FMP_MUST_CHECK int fmp_watch_new(const struct fmp_enforcer *e, struct fmp_watch **out,
					 struct fmp_error *err);
FMP_API void fmp_watch_free(struct fmp_watch *w);
/** fmp_watch_enforcer() - there is another enforcer: its changes are ours now. */
FMP_API FMP_MUST_CHECK int fmp_watch_enforcer(struct fmp_watch *w, const struct fmp_enforcer *e,
					      struct fmp_error *err);
/** fmp_watch_fd() - i < FMP_WATCH_FDS; readable when fmp_watch_drain() has something to take. */
FMP_API int fmp_watch_fd(const struct fmp_watch *w, unsigned i);
/** fmp_watch_drain() - takes the notifications. Return: bits of enum fmp_changed; then compare. */
FMP_API unsigned fmp_watch_drain(struct fmp_watch *w, struct fmp_changer *who);

#ifdef __cplusplus
}
#endif
#endif
