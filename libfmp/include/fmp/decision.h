/* SPDX-License-Identifier: GPL-2.0 */
/* A decision: block or unblock one source on a set of layers, under one id. */
#ifndef FMP_DECISION_H
#define FMP_DECISION_H

#include <fmp/error.h>
#include <fmp/source.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The layers, from the top of the stack down. Names: "ip", "mac", "premac". */
enum fmp_layer {
	FMP_LAYER_IP = 0, /**< nftables inet: IP addresses, prerouting */
	FMP_LAYER_MAC = 1, /**< nftables netdev ingress: MAC and IP addresses */
	FMP_LAYER_PREMAC = 2, /**< the module's pre-MAC filter: MAC and IP addresses */
	FMP_LAYERS
};

#define FMP_LAYER_BIT(l) (1u << (l))
#define FMP_LAYERS_ALL	 (FMP_LAYER_BIT(FMP_LAYERS) - 1u)

FMP_API const char *fmp_layer_name(unsigned layer);
/** fmp_layers_parse() - "ip mac premac", "all", "none" -> bits. Return: 0, FMP_ERR_SYNTAX. */
FMP_API FMP_MUST_CHECK int fmp_layers_parse(const char *text, unsigned *bits);
/** fmp_layers_format() - "ip mac premac"; "none". Return: buf. */
FMP_API const char *fmp_layers_format(unsigned bits, char *buf, size_t size);

enum fmp_action {
	FMP_ACTION_BLOCK = 1,
	FMP_ACTION_UNBLOCK = 2,
};

/** enum fmp_action_kind - what a block does to the packets of its source */
enum fmp_action_kind {
	FMP_ACTION_KIND_BLOCK = 0, /**< all are dropped */
	FMP_ACTION_KIND_LIMIT, /**< up to `rate` a second pass, the others are dropped */
	FMP_ACTION_KINDS
};
/** fmp_action_kind_name() - "block", "limit"; "unknown". */
FMP_API const char *fmp_action_kind_name(unsigned kind);

/**
 * enum fmp_mac_veto - why a decision has no MAC (DESIGN: invariant 3)
 *
 * fmp_mac_veto_text() gives the sentence that `fmpctl why` prints.
 */
enum fmp_mac_veto {
	FMP_MAC_OK = 0, /**< the MAC may be blocked */
	FMP_MAC_UNKNOWN, /**< no valid neighbour entry */
	FMP_MAC_OFFLINK, /**< reached through a gateway */
	FMP_MAC_ROUTER, /**< the MAC is a router's */
	FMP_MAC_SHARED, /**< an innocent address has the same MAC */
	FMP_MAC_PROTECTED, /**< the MAC is protected */
	FMP_MAC_OWN, /**< one of our own */
	FMP_MAC_POLICY, /**< the policy does not block MACs */
	FMP_MAC_NARROWED, /**< a limit or a block of one port applies to the IP address only */
	FMP_MAC_RANDOM, /**< locally administered, and not, or no longer, blocked by the policy */
	FMP_MAC_DIFFERS, /**< the source's own packets carried another one */
	FMP_MAC_CHANGED, /**< the neighbour entry named another one a short while ago */
	FMP_MAC_UNSEEN, /**< none of the source's own packets carried its MAC */
	FMP_MAC_VETOES
};
FMP_API const char *fmp_mac_veto_text(unsigned veto);

/** FMP_SET_NAME_MAX - bytes of the name of a set of blocks, with its end. */
#define FMP_SET_NAME_MAX 32u
/** fmp_set_name_valid() - letters, digits, "-", "_" and "."; not empty, not too long. */
FMP_API bool fmp_set_name_valid(const char *name);

/** struct fmp_decision - plain value. */
struct fmp_decision {
	uint64_t id; /**< unique, rising; the same on all layers; never 0 */
	enum fmp_action action;
	struct fmp_addr source; /**< IP address or prefix, or a MAC for a manual block of one */
	struct fmp_addr mac; /**< the source's MAC if it is to be blocked too, else {0} */
	/* A pair block: stays until its end, whatever happens to the MAC. */
	struct fmp_addr pair_mac; /**< block the IP address only in frames of this MAC; {0}: in any */
	bool was_pair; /**< its address was under a pair block until now */
	/* A hint that makes a renewal cheaper; harmless if wrong. */
	bool renews; /**< the layers should have the same block with another id and time */
	enum fmp_mac_veto mac_veto; /**< why mac is {0} */
	unsigned layers; /**< wanted layers, as bits */
	uint64_t time_ms; /**< CLOCK_BOOTTIME of the decision */
	uint64_t duration_ms; /**< 0: without end; unused for an unblock */
	uint64_t mac_ms; /**< upper bound for the MAC beside an IP address; 0: none */
	/*
	 * A limit, and a block of one port, bind the IP address alone and are held by the
	 * layers ip and mac; premac has no rule of them and answers FMP_LAYER_RESULT_NONE.
	 */
	enum fmp_action_kind action_kind;
	uint32_t rate; /**< packets a second that pass a limit; never 0 for one */
	uint16_t dest_port; /**< only traffic to this local TCP or UDP port; 0: any */
	bool manual; /**< made by a person */
	char reason[160];
	char set[FMP_SET_NAME_MAX]; /**< the set that it belongs to; "": none */
};

/** fmp_mac_is_local() - is it locally administered, like a random MAC? */
FMP_API bool fmp_mac_is_local(const struct fmp_addr *mac);
/** fmp_decision_may_pair() - may the block be a pair block? Only if the MAC may be blocked and is
 * random, so that the device will change it, and no person chose the address. */
FMP_API bool fmp_decision_may_pair(const struct fmp_decision *d);
/** fmp_decision_narrowed() - is it a limit, or a block of one port? */
FMP_API bool fmp_decision_narrowed(const struct fmp_decision *d);
/** fmp_decision_targets() - the addresses that a decision means on a layer. Return: how many, 0..2. */
FMP_API unsigned fmp_decision_targets(const struct fmp_decision *d, enum fmp_layer layer,
				      struct fmp_addr targets[2]);

/** enum fmp_layer_result_state - the outcome of a decision on a layer */
enum fmp_layer_result_state {
	FMP_LAYER_RESULT_NONE = 0, /**< not applied: layer not wanted or not available */
	FMP_LAYER_RESULT_ENFORCED, /**< the kernel acknowledged it */
	FMP_LAYER_RESULT_FAILED, /**< the kernel refused it: sys_errno and text */
	FMP_LAYER_RESULT_OBSERVED, /**< only recorded (--enforce none, observe) */
};

/** struct fmp_layer_result - the result of one decision on one layer. */
struct fmp_layer_result {
	enum fmp_layer_result_state state;
	int sys_errno;
	char text[96]; /**< the kernel's own text (extack), if any */
};

#ifdef __cplusplus
}
#endif
#endif
