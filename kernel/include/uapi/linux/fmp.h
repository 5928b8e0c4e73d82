/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * fmp generic netlink interface
 *
 * This header is the manual of the "fmp" family (version 1). It includes
 * <linux/types.h> only and is the one copy of the contract: userspace compiles
 * against this very file.
 *
 * Everything is per network namespace: a socket sees and changes the rules,
 * devices and counters of the namespace it was opened in.
 *
 * Every command that changes something, reading the rules and joining the
 * multicast group need CAP_NET_ADMIN in the user namespace that owns the network
 * namespace: blocked addresses are confidential. Every error has an extended ack with a
 * text and, if an attribute is at fault, its offset.
 *
 * Integers are in host byte order unless a comment says "network order".
 * Attributes of 64 bits may be padded with FMP_A_PAD, FMP_RULE_A_PAD or
 * FMP_DEV_A_PAD, depending on their nest.
 *
 * Commands
 * --------
 *
 * FMP_CMD_RULE_ADD (do, admin)
 *	One or more %FMP_A_RULE nests; each holds an address (%FMP_RULE_A_MAC,
 *	%FMP_RULE_A_IPV4 or %FMP_RULE_A_IPV6) or a pair (%FMP_RULE_A_MAC and one
 *	of the others) and a %FMP_RULE_A_VERDICT, and may hold a prefix length,
 *	a timeout and an id. A pair matches a frame of that MAC address with that
 *	source IP address and no other one; it has no prefix length.
 *	The message is all or nothing. If the address has a rule already, the rule
 *	is replaced (verdict, timeout, id) and keeps its counters; with NLM_F_EXCL
 *	the message is refused with EEXIST instead. A block or an observe of an
 *	address that a protect rule covers is refused with EPERM; a pair is covered
 *	by a protect of its MAC address, of its IP address or of the pair. A protect
 *	rule for a blocked address is accepted, and protect wins for every frame. In
 *	a message with both, the protect rules are in force first; FMP_CMD_RULE_DEL
 *	and FMP_CMD_RULE_FLUSH delete them last.
 *
 *	There is a table for each kind of address and of pair. When the table or
 *	the whole namespace is full, a new rule evicts the rule with the least time
 *	left, but never a protect rule, a rule without timeout, or one that the same
 *	message names. The evicted rule is counted in %FMP_A_EVICTED and reported by
 *	%FMP_EVENT_TYPE_RULE_EVICTED. If no rule can be evicted, the message is
 *	refused with ENOSPC and evicts none.
 *
 * FMP_CMD_RULE_DEL (do, admin)
 *	One or more %FMP_A_RULE nests with an address or a pair each. If one of them
 *	has no rule, the message is refused with ENOENT and deletes none.
 *
 * FMP_CMD_RULE_FLUSH (do, admin)
 *	Deletes all rules, or those with the %FMP_RULE_A_VERDICT given in one
 *	%FMP_A_RULE nest.
 *
 * FMP_CMD_RULE_GET (dump, admin)
 *	One message per rule, with one %FMP_A_RULE nest and %FMP_A_GENERATION.
 *	A dump during which the tables changed has NLM_F_DUMP_INTR set.
 *
 * FMP_CMD_DEV_ATTACH (do, admin)
 *	One %FMP_A_DEV nest with %FMP_DEV_A_IFINDEX or %FMP_DEV_A_NAME, and
 *	optionally %FMP_DEV_A_FLAGS. The rules apply to frames of attached devices
 *	only. The hook is the lowest that the device allows, see enum fmp_hook. An
 *	unknown device is refused with ENODEV, one whose frames have no Ethernet
 *	source address with EOPNOTSUPP, one that is attached with EEXIST. The
 *	attachment follows a rename and ends when the device is unregistered or
 *	moves to another namespace.
 *
 *	With %FMP_DEV_F_WAIT the command is a pending attach for %FMP_DEV_A_NAME (an
 *	index is refused with EINVAL): a device of that name is attached now or, if
 *	there is none, as soon as one is registered, renamed to that name or moved
 *	here; until then the pending attach waits (%FMP_HOOK_WAITING). When the
 *	device is unregistered, renamed or moved away, it waits again. It takes over
 *	a device that was attached without it, and sets its flags. A second pending
 *	attach for a name is refused with EEXIST, more than FMP_WISHES_MAX with
 *	ENOSPC. If a device of that name appears later and can't be attached, the
 *	kernel's log has the reason; if it exists already, the command is refused.
 *
 * FMP_CMD_DEV_DETACH (do, admin)
 *	One %FMP_A_DEV nest with %FMP_DEV_A_IFINDEX or %FMP_DEV_A_NAME. Ends the
 *	attachment and the pending attach, if there is one. A device without either
 *	is refused with ENOENT, an unknown device with ENODEV.
 *
 * FMP_CMD_DEV_GET (dump)
 *	One message per device that is attached or whose driver registered it, with
 *	one %FMP_A_DEV nest that has its counters; then one message per pending
 *	attach that waits, with %FMP_DEV_A_NAME, %FMP_DEV_A_FLAGS and
 *	%FMP_DEV_A_HOOK only. With %FMP_A_PER_CPU in the request the nest also has
 *	one %FMP_DEV_A_CPU for each processor with a counter that is not 0. A dump
 *	during which devices were registered, unregistered, attached or detached has
 *	NLM_F_DUMP_INTR set.
 *
 * FMP_CMD_STATS_GET (do)
 *	The reply has %FMP_A_RULES, %FMP_A_RULES_MAX, %FMP_A_RULES_MAX_TOTAL,
 *	%FMP_A_MEMORY, %FMP_A_EVICTED, %FMP_A_GENERATION, %FMP_A_PROTECTED_HITS and
 *	%FMP_A_EVENTS_LOST of the namespace.
 *
 * FMP_CMD_EVENT (multicast group "events", admin)
 *	One %FMP_A_EVENT and the attributes of its enum fmp_event_type. There are
 *	three kinds of events: first hits; all other events of rules; events of
 *	devices. A namespace sends FMP_EVENT_RATE events of each kind per second,
 *	and FMP_EVENT_BURST at once after a silence, so that a flood of one kind
 *	does not hide the others. Events beyond that, and events for which there is
 *	no memory, are lost: the next event that is sent has their number in
 *	%FMP_A_LOST. If none is sent within a second, %FMP_EVENT_TYPE_LOST is. If the
 *	receive buffer of a listener was full, its socket reports ENOBUFS; that is
 *	counted nowhere else. Without a listener in the namespace no event counts as
 *	lost. After a loss a listener should dump the state that it needs.
 */
#ifndef _UAPI_LINUX_FMP_H
#define _UAPI_LINUX_FMP_H

#include <linux/types.h>

#define FMP_GENL_NAME	      "fmp"
#define FMP_GENL_VERSION      1
#define FMP_GENL_MCGRP_EVENTS "events"

/* Longest device name with its terminating NUL: IFNAMSIZ of <linux/if.h>. */
#define FMP_NAME_MAX 16
#define FMP_MAC_LEN  6

/* Maximum number of pending attaches (FMP_DEV_F_WAIT) of a network namespace. */
#define FMP_WISHES_MAX 64

/* Events of each kind that a network namespace sends: per second, and at once. */
#define FMP_EVENT_RATE	100
#define FMP_EVENT_BURST 200

/* Maximum number of rules in one FMP_CMD_RULE_ADD or FMP_CMD_RULE_DEL. */
#define FMP_BATCH_MAX 512

/**
 * enum fmp_cmd - commands of the family
 * @FMP_CMD_UNSPEC: not used
 * @FMP_CMD_RULE_ADD: add or replace rules
 * @FMP_CMD_RULE_DEL: delete rules
 * @FMP_CMD_RULE_FLUSH: delete all rules, or all of one verdict
 * @FMP_CMD_RULE_GET: dump rules
 * @FMP_CMD_DEV_ATTACH: apply the rules to the frames of a device
 * @FMP_CMD_DEV_DETACH: undo FMP_CMD_DEV_ATTACH
 * @FMP_CMD_DEV_GET: dump devices and their counters
 * @FMP_CMD_STATS_GET: size of the tables, generation
 * @FMP_CMD_EVENT: notification to the multicast group "events"
 */
enum fmp_cmd {
	FMP_CMD_UNSPEC,
	FMP_CMD_RULE_ADD,
	FMP_CMD_RULE_DEL,
	FMP_CMD_RULE_FLUSH,
	FMP_CMD_RULE_GET,
	FMP_CMD_DEV_ATTACH,
	FMP_CMD_DEV_DETACH,
	FMP_CMD_DEV_GET,
	FMP_CMD_STATS_GET,
	FMP_CMD_EVENT,

	/* private: */
	__FMP_CMD_MAX,
	FMP_CMD_MAX = __FMP_CMD_MAX - 1
};

/**
 * enum fmp_attr - top-level attributes of every command
 * @FMP_A_UNSPEC: not used
 * @FMP_A_PAD: padding
 * @FMP_A_RULE: nest of enum fmp_rule_attr; up to FMP_BATCH_MAX times
 * @FMP_A_DEV: nest of enum fmp_dev_attr
 * @FMP_A_RULES: u32, rules in force in this namespace
 * @FMP_A_RULES_MAX: u32, maximum number of rules in a table of this namespace
 * @FMP_A_GENERATION: u32, changes with every change of the tables
 * @FMP_A_PROTECTED_HITS: u64, frames that matched a block and passed by a
 *	protect rule
 * @FMP_A_EVENT: u8, enum fmp_event_type; in FMP_CMD_EVENT only
 * @FMP_A_RULES_MAX_TOTAL: u32, maximum number of rules in this namespace
 * @FMP_A_MEMORY: u64, bytes of the rules of this namespace and of their hash
 *	arrays
 * @FMP_A_EVICTED: u64, rules of this namespace that were evicted
 * @FMP_A_LOST: u64, events of this namespace that were not sent since the last
 *	one that was, absent if none; in FMP_CMD_EVENT only
 * @FMP_A_EVENTS_LOST: u64, events of this namespace that were lost: not sent
 *	although it has a listener
 * @FMP_A_PER_CPU: flag, in a request of FMP_CMD_DEV_GET: counters of each
 *	processor too
 * @FMP_A_LOST_HITS: u64, how many of FMP_A_LOST were first hits, absent if none; in
 *	FMP_CMD_EVENT only. A first hit changes no rule: who keeps a copy of the
 *	rules need not dump them again if nothing else was lost
 */
enum fmp_attr {
	FMP_A_UNSPEC,
	FMP_A_PAD,
	FMP_A_RULE,
	FMP_A_DEV,
	FMP_A_RULES,
	FMP_A_RULES_MAX,
	FMP_A_GENERATION,
	FMP_A_PROTECTED_HITS,
	FMP_A_EVENT,
	FMP_A_RULES_MAX_TOTAL,
	FMP_A_MEMORY,
	FMP_A_EVICTED,
	FMP_A_LOST,
	FMP_A_EVENTS_LOST,
	FMP_A_PER_CPU,
	FMP_A_LOST_HITS,

	/* private: */
	__FMP_A_MAX,
	FMP_A_MAX = __FMP_A_MAX - 1
};

/**
 * enum fmp_rule_attr - inside FMP_A_RULE
 * @FMP_RULE_A_UNSPEC: not used
 * @FMP_RULE_A_PAD: padding
 * @FMP_RULE_A_MAC: 6 bytes, a unicast source address of the MAC header
 * @FMP_RULE_A_IPV4: 4 bytes, network order, a source address of the IP header, or
 *	of the sender of an ARP message
 * @FMP_RULE_A_IPV6: 16 bytes, network order, a source address
 * @FMP_RULE_A_PREFIX_LEN: u8, significant bits of an IP address: 1..32 or
 *	1..128; all of them if absent; the bits after them must be zero
 * @FMP_RULE_A_VERDICT: u8, enum fmp_verdict
 * @FMP_RULE_A_TIMEOUT_MS: u64; in RULE_ADD the lifetime of the rule, 0 or absent
 *	for no timeout, at most FMP_TIMEOUT_MAX_MS; in a dump the time left, absent
 *	for a rule without timeout
 * @FMP_RULE_A_ID: u64, opaque number of the caller, for the decision that the
 *	rule belongs to
 * @FMP_RULE_A_HITS: u64, frames that matched; dump only
 * @FMP_RULE_A_BYTES: u64, bytes of those frames by the length that the device
 *	announced, received or not; dump only
 * @FMP_RULE_A_FIRST_HIT_NS: u64, CLOCK_BOOTTIME of the first match, absent if
 *	there was none; dump and events only
 */
enum fmp_rule_attr {
	FMP_RULE_A_UNSPEC,
	FMP_RULE_A_PAD,
	FMP_RULE_A_MAC,
	FMP_RULE_A_IPV4,
	FMP_RULE_A_IPV6,
	FMP_RULE_A_PREFIX_LEN,
	FMP_RULE_A_VERDICT,
	FMP_RULE_A_TIMEOUT_MS,
	FMP_RULE_A_ID,
	FMP_RULE_A_HITS,
	FMP_RULE_A_BYTES,
	FMP_RULE_A_FIRST_HIT_NS,

	/* private: */
	__FMP_RULE_A_MAX,
	FMP_RULE_A_MAX = __FMP_RULE_A_MAX - 1
};

/* Longest timeout of a rule: 365 days. */
#define FMP_TIMEOUT_MAX_MS 31536000000ULL

/**
 * enum fmp_verdict - effect of a rule
 * @FMP_VERDICT_UNSPEC: not a verdict
 * @FMP_VERDICT_BLOCK: a frame from the address is stopped
 * @FMP_VERDICT_PROTECT: a frame from the address is never stopped, even if a
 *	block for its MAC, its IP or the pair matches
 * @FMP_VERDICT_OBSERVE: a frame that a block instead of this rule would stop is
 *	counted in FMP_DEV_A_OBSERVED and passes
 */
enum fmp_verdict {
	FMP_VERDICT_UNSPEC,
	FMP_VERDICT_BLOCK,
	FMP_VERDICT_PROTECT,
	FMP_VERDICT_OBSERVE,

	/* private: */
	__FMP_VERDICT_MAX,
	FMP_VERDICT_MAX = __FMP_VERDICT_MAX - 1
};

/**
 * enum fmp_dev_attr - inside FMP_A_DEV
 * @FMP_DEV_A_UNSPEC: not used
 * @FMP_DEV_A_PAD: padding
 * @FMP_DEV_A_IFINDEX: u32
 * @FMP_DEV_A_NAME: string, at most FMP_NAME_MAX - 1 characters
 * @FMP_DEV_A_FLAGS: u32, FMP_DEV_F_*
 * @FMP_DEV_A_HOOK: u8, enum fmp_hook
 * @FMP_DEV_A_RX_FRAMES: u64, frames whose header the filter saw
 * @FMP_DEV_A_RX_BYTES: u64, bytes received from the medium, header and payload
 * @FMP_DEV_A_PASSED: u64, frames passed to the MAC layer
 * @FMP_DEV_A_STOPPED_MAC: u64, frames stopped after the MAC header: blocked MAC
 * @FMP_DEV_A_STOPPED_IP: u64, frames stopped after the IP header: blocked IP
 *	or pair
 * @FMP_DEV_A_STOPPED_FOREIGN: u64, frames stopped for a foreign destination MAC
 * @FMP_DEV_A_STOPPED_BYTES: u64, bytes of stopped frames that were never received
 * @FMP_DEV_A_DROPPED_LATE: u64, frames blocked when they were complete already:
 *	dropped before a socket buffer was allocated, before mac80211, which gets
 *	complete frames only, or at netdev ingress
 * @FMP_DEV_A_OBSERVED: u64, frames that a block would have stopped without
 *	FMP_DEV_F_OBSERVE, or instead of an FMP_VERDICT_OBSERVE rule
 * @FMP_DEV_A_RECORD_USED: u64, frames passed by their valid header record
 *	(struct fmp_record), neither parsed nor looked up again; netdev ingress
 * @FMP_DEV_A_RECORD_STALE: u64, frames whose header record was stale; they were
 *	parsed and looked up; netdev ingress
 * @FMP_DEV_A_CPU: nest of enum fmp_dev_attr with FMP_DEV_A_CPU_ID and all the
 *	counters above of this processor; one for each processor with a counter
 *	that is not 0
 * @FMP_DEV_A_CPU_ID: u32, number of the processor; in FMP_DEV_A_CPU only
 */
enum fmp_dev_attr {
	FMP_DEV_A_UNSPEC,
	FMP_DEV_A_PAD,
	FMP_DEV_A_IFINDEX,
	FMP_DEV_A_NAME,
	FMP_DEV_A_FLAGS,
	FMP_DEV_A_HOOK,
	FMP_DEV_A_RX_FRAMES,
	FMP_DEV_A_RX_BYTES,
	FMP_DEV_A_PASSED,
	FMP_DEV_A_STOPPED_MAC,
	FMP_DEV_A_STOPPED_IP,
	FMP_DEV_A_STOPPED_FOREIGN,
	FMP_DEV_A_STOPPED_BYTES,
	FMP_DEV_A_DROPPED_LATE,
	FMP_DEV_A_OBSERVED,
	FMP_DEV_A_RECORD_USED,
	FMP_DEV_A_RECORD_STALE,
	FMP_DEV_A_CPU,
	FMP_DEV_A_CPU_ID,

	/* private: */
	__FMP_DEV_A_MAX,
	FMP_DEV_A_MAX = __FMP_DEV_A_MAX - 1
};

/* FMP_DEV_A_FLAGS: count the frames that rules would stop, and stop none. */
#define FMP_DEV_F_OBSERVE 0x00000001U
/* FMP_DEV_A_FLAGS: a pending attach, see FMP_CMD_DEV_ATTACH. */
#define FMP_DEV_F_WAIT	  0x00000002U
#define FMP_DEV_F_MASK	  (FMP_DEV_F_OBSERVE | FMP_DEV_F_WAIT)

/**
 * enum fmp_hook - the filter's hook on a device
 * @FMP_HOOK_NONE: the driver registered the device, it is not attached
 * @FMP_HOOK_DRIVER: before the MAC layer, called by the driver; with 802.11
 *	headers as %FMP_HOOK_MAC80211
 * @FMP_HOOK_INGRESS: netdev ingress
 * @FMP_HOOK_MAC80211: a wireless device, before the MAC layer of mac80211, by
 *	ftrace; only if the module was loaded with mac80211=1 and the kernel is a
 *	tested version. Otherwise the device is hooked at ingress, and the extended ack
 *	of FMP_CMD_DEV_ATTACH has the reason. Data frames are evaluated there, by
 *	source and by transmitter address; management, control and null frames
 *	pass uncounted, so that a block does not break the cell. Frames that can't
 *	be evaluated or dropped there (encrypted, with several sources, fragments,
 *	QoS frames to one receiver) are left to ingress, where such a device is
 *	hooked as well, unless the MAC table alone decides; so are frames that may
 *	be for another device of the radio. A frame is
 *	counted once, by the hook that evaluated it; a few may be counted twice
 *	when a device receives the first frame of that kind
 * @FMP_HOOK_WAITING: none yet, a pending attach waits for a device of this name
 * @FMP_HOOK_MAC80211_PATCHED: as FMP_HOOK_MAC80211, but called by a mac80211 that
 *	was patched to ask; any kernel and architecture
 */
enum fmp_hook {
	FMP_HOOK_NONE,
	FMP_HOOK_DRIVER,
	FMP_HOOK_INGRESS,
	FMP_HOOK_MAC80211,
	FMP_HOOK_WAITING,
	FMP_HOOK_MAC80211_PATCHED,

	/* private: */
	__FMP_HOOK_MAX,
	FMP_HOOK_MAX = __FMP_HOOK_MAX - 1
};

/**
 * enum fmp_event_type - FMP_A_EVENT
 * @FMP_EVENT_TYPE_UNSPEC: not used
 * @FMP_EVENT_TYPE_RULE_EXPIRED: a rule expired; FMP_A_RULE has it with its
 *	counters
 * @FMP_EVENT_TYPE_DEV_ATTACHED: FMP_A_DEV names the device
 * @FMP_EVENT_TYPE_DEV_DETACHED: FMP_A_DEV names the device, with its last
 *	counters; or the pending attach that was cancelled while it waited
 * @FMP_EVENT_TYPE_RULES_CHANGED: a command added, deleted or flushed rules;
 *	FMP_A_GENERATION
 * @FMP_EVENT_TYPE_RULE_HIT: a rule matched its first frame; FMP_A_RULE has it
 *	with its counters, which may have increased meanwhile
 * @FMP_EVENT_TYPE_RULE_EVICTED: a rule was evicted; FMP_A_RULE has it with its
 *	counters
 * @FMP_EVENT_TYPE_DEV_WAITING: FMP_A_DEV names a pending attach that waits from
 *	now on
 * @FMP_EVENT_TYPE_LOST: events were lost, and no other event followed; FMP_A_LOST
 */
enum fmp_event_type {
	FMP_EVENT_TYPE_UNSPEC,
	FMP_EVENT_TYPE_RULE_EXPIRED,
	FMP_EVENT_TYPE_DEV_ATTACHED,
	FMP_EVENT_TYPE_DEV_DETACHED,
	FMP_EVENT_TYPE_RULES_CHANGED,
	FMP_EVENT_TYPE_RULE_HIT,
	FMP_EVENT_TYPE_RULE_EVICTED,
	FMP_EVENT_TYPE_DEV_WAITING,
	FMP_EVENT_TYPE_LOST,

	/* private: */
	__FMP_EVENT_TYPE_MAX,
	FMP_EVENT_TYPE_MAX = __FMP_EVENT_TYPE_MAX - 1
};

/**
 * enum fmp_l3 - network header after the MAC header
 * @FMP_L3_NONE: none that is known, or not read
 * @FMP_L3_ARP: ARP for IPv4 over Ethernet; the source is its sender
 * @FMP_L3_IPV4: IPv4
 * @FMP_L3_IPV6: IPv6
 */
enum fmp_l3 {
	FMP_L3_NONE,
	FMP_L3_ARP,
	FMP_L3_IPV4,
	FMP_L3_IPV6,
};

/* struct fmp_record.magic: "fmp1" */
#define FMP_RECORD_MAGIC 0x666d7031U

/**
 * enum fmp_record_verdict - struct fmp_record.verdict
 * @FMP_RECORD_UNSPEC: not a verdict; no header record has it
 * @FMP_RECORD_PASS: no rule blocks the frame
 * @FMP_RECORD_OBSERVED: it passed only because of observe mode
 */
enum fmp_record_verdict {
	FMP_RECORD_UNSPEC,
	FMP_RECORD_PASS,
	FMP_RECORD_OBSERVED,
};

/**
 * struct fmp_record - the header record: the filter's result before the MAC
 * layer, carried with the frame
 *
 * It is in the frame's metadata area, the 16 bytes in front of the MAC header. A tc
 * BPF program at ingress reads it between __sk_buff.data_meta and __sk_buff.data;
 * other programs may write to that area too, so check the length and the magic
 * number first. All fields are in host byte order and the same for all frames of a
 * flow, so that frames with a record still merge in GRO. The area is aligned to 2
 * bytes only: if the architecture or %BPF_F_STRICT_ALIGNMENT requires alignment,
 * the verifier refuses a load of 4 bytes; load half words or bytes.
 *
 * A record describes the frame as it was received. If a VLAN tag was removed since,
 * the offsets are too large by its 4 bytes. The kernel's own hooks use a record
 * only if @generation is that of their rules and @check matches the addresses that
 * the frame has now: a NAT, a rewrite, a tunnel, another network namespace or a
 * change of the rules make it stale, and the frame is evaluated again. @check is
 * keyed: it protects against accidents and against writers that can't read
 * records, not against a program of the administrator.
 *
 * @magic: %FMP_RECORD_MAGIC
 * @generation: generation of the rules that evaluated the frame, see
 *	FMP_A_GENERATION
 * @check: keyed hash of the four fields after it and the source addresses
 * @l3_off: offset of the network header from the MAC header, 0 if the verdict
 *	needed none
 * @l4_off: offset of the transport header from the MAC header, 0 if unknown
 * @l3: enum fmp_l3
 * @verdict: enum fmp_record_verdict
 */
struct fmp_record {
	__u32 magic;
	__u32 generation;
	__u32 check;
	__u8 l3_off;
	__u8 l4_off;
	__u8 l3;
	__u8 verdict;
};

#endif /* _UAPI_LINUX_FMP_H */
