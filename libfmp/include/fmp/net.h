/* SPDX-License-Identifier: GPL-2.0 */
/* The network view: what the kernel knows of links, routes and neighbours. The protected set made
 * from it. */
#ifndef FMP_NET_H
#define FMP_NET_H

#include <fmp/decision.h>
#include <fmp/error.h>
#include <fmp/event.h>
#include <fmp/source.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fmp_engine;
struct fmp_policy;

/*
 * struct fmp_net - own addresses, own MACs, gateways, neighbours and access points, as dumped from
 * the kernel in the network namespace of the calling process
 */
struct fmp_net;

FMP_API FMP_MUST_CHECK int fmp_net_new(struct fmp_net **out, struct fmp_error *err);
FMP_API void fmp_net_free(struct fmp_net *net);
/** fmp_net_fd() - becomes readable when links, addresses, routes, neighbours or access points
 * change; then call fmp_net_refresh(). */
FMP_API int fmp_net_fd(const struct fmp_net *net);
/** fmp_net_refresh() - process notifications and dump again. Return: 1 if addresses, gateways,
 * their MACs or access points changed, 0 if not, negative on error (the old state is kept). */
FMP_API FMP_MUST_CHECK int fmp_net_refresh(struct fmp_net *net, struct fmp_error *err);

/** struct fmp_mac_seen - the MAC in a source's own packets */
struct fmp_mac_seen {
	struct fmp_addr mac; /**< of its SYN; {0}: unknown */
	/** CLOCK_BOOTTIME when its connection was accepted; 0: no program of ours saw a packet */
	uint64_t accepted_ms;
};
/** fmp_mac_seen() - from an event. */
FMP_API struct fmp_mac_seen fmp_mac_seen(const struct fmp_event *ev);

/**
 * fmp_net_mac() - the MAC behind an on-link address, if it may be blocked at all
 * @ip: a full address
 * @seen: the MAC in its own packets; NULL: none was seen, as for a manual block
 * @now_ms: CLOCK_BOOTTIME
 * @innocent: is another address with the same MAC innocent (true: veto)? own: judging by all
 * 	 addresses of the MAC, it belongs to the same host. NULL: addresses that do not are innocent
 *
 * Reads the neighbour table. Any host on the link can change it, so an entry counts only if it
 * names the MAC in the source's own packets, and has named no other since ten minutes before their
 * connection was accepted; if none was seen, for an hour.
 * Return: FMP_MAC_OK and *mac, or the veto.
 */
FMP_API enum fmp_mac_veto
fmp_net_mac(struct fmp_net *net, const struct fmp_addr *ip, const struct fmp_mac_seen *seen,
	    uint64_t now_ms, bool (*innocent)(const struct fmp_addr *other, bool own, void *ctx),
	    void *ctx, struct fmp_addr *mac);
/** fmp_net_lookup_mac() - the MAC of a neighbour entry, without any check. Return: 0,
 * FMP_ERR_NOTFOUND. */
FMP_API FMP_MUST_CHECK int fmp_net_lookup_mac(struct fmp_net *net, const struct fmp_addr *ip,
					      struct fmp_addr *mac);

/** fmp_net_device() - the device of the route to an address. Return: 0, FMP_ERR_NOTFOUND: no
 * route, or the link is unknown. */
FMP_API FMP_MUST_CHECK int fmp_net_device(struct fmp_net *net, const struct fmp_addr *ip,
					  char name[16]);

/** fmp_net_contest() - a packet of this address carried another MAC than its neighbour entry: do
 * not trust the entry for an hour. */
FMP_API void fmp_net_contest(struct fmp_net *net, const struct fmp_addr *ip);

/** fmp_net_host_mac() - the MAC of an on-link host, by a query for this one entry: much cheaper
 * than fmp_net_mac(). Return: 0; FMP_ERR_NOTFOUND, also if it is the MAC of a next hop, or @seen
 * contradicts it. */
FMP_API FMP_MUST_CHECK int fmp_net_host_mac(struct fmp_net *net, const struct fmp_addr *ip,
					    const struct fmp_mac_seen *seen, uint64_t now_ms,
					    struct fmp_addr *mac);

/** fmp_net_neighbour_mac() - as fmp_net_host_mac(), without any check. */
FMP_API FMP_MUST_CHECK int fmp_net_neighbour_mac(struct fmp_net *net, const struct fmp_addr *ip,
						 struct fmp_addr *mac);

/** struct fmp_neighbour - a next hop and its MAC */
struct fmp_neighbour {
	struct fmp_addr ip, mac;
};
/** Size of the next-hop MAC cache; the oldest entries are replaced. */
#define FMP_NEXTHOP_MACS_MAX 64u
/** fmp_net_nexthop_macs() - the next-hop MAC cache, oldest first; valid until the next refresh.
 * Return: how many. */
FMP_API size_t fmp_net_nexthop_macs(const struct fmp_net *net, const struct fmp_neighbour **out);
/** fmp_net_add_nexthop_mac() - add an entry saved by an earlier process: used while the address is
 * a next hop and has no neighbour entry. Return: 0, FMP_ERR_INVALID, FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_net_add_nexthop_mac(struct fmp_net *net,
						   const struct fmp_neighbour *n);

/* ---- a static view: stated facts instead of the kernel's, for logs that are replayed ---- */

enum fmp_net_fact {
	FMP_NET_OWN, /**< an address or a MAC of this machine */
	FMP_NET_LINK, /**< a prefix that is reached without a gateway */
	FMP_NET_GATEWAY, /**< a next hop of a route, or the MAC of one */
	FMP_NET_NEIGHBOUR, /**< a neighbour entry: address and MAC */
	FMP_NET_ROUTER, /**< a neighbour whose entry has the router flag */
	FMP_NET_ACCESS_POINT, /**< MAC of an access point that this machine is connected to */
};

/** fmp_net_new_static() - an empty static view. All functions above answer from the facts added to
 * it; fmp_net_fd() is -1. Return: 0, FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_net_new_static(struct fmp_net **out, struct fmp_error *err);
/**
 * fmp_net_add_fact() - add a fact
 * @mac: of a neighbour, else NULL
 *
 * An address with a neighbour entry, or in a prefix of FMP_NET_LINK, is on-link; others are behind
 * a gateway if one of their family was added. Return: 0, FMP_ERR_INVALID, FMP_ERR_LIMIT,
 * FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_net_add_fact(struct fmp_net *net, enum fmp_net_fact fact,
					    const struct fmp_addr *addr,
					    const struct fmp_addr *mac);
/** fmp_net_set_time() - the time of the facts added from now on. */
FMP_API void fmp_net_set_time(struct fmp_net *net, uint64_t now_ms);
/** fmp_net_forget() - remove all facts about exactly this address. Return: 0, FMP_ERR_INVALID,
 * FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_net_forget(struct fmp_net *net, const struct fmp_addr *addr);

/* ---- the protected set (invariant 1) ---- */

/** The origin of a protected address; its name is shown by `fmpctl protect` and in refusals. */
enum fmp_protect_origin {
	FMP_PROTECT_OWN = 1, /**< an address or MAC of this machine */
	FMP_PROTECT_GATEWAY, /**< a next hop of a route, IP or MAC */
	FMP_PROTECT_RESOLVER, /**< a nameserver of resolv.conf */
	FMP_PROTECT_POLICY, /**< listed in the policy */
	FMP_PROTECT_MANUAL, /**< added by a person, until fmpd ends */
	FMP_PROTECT_LOOPBACK, /**< 127/8, ::1, unspecified, multicast */
	FMP_PROTECT_DHCP, /**< server of a DHCP lease in force */
	FMP_PROTECT_NTP, /**< a configured time server, if given by address */
	FMP_PROTECT_ACCESS_POINT, /**< the MAC (BSSID) of an access point that this machine is connected to */
	FMP_PROTECT_DEVICE, /**< an address that a protected MAC has now */
};
FMP_API const char *fmp_protect_origin_name(unsigned origin);

struct fmp_protect_entry {
	struct fmp_addr addr; /**< IP address, prefix or MAC */
	enum fmp_protect_origin origin;
};

struct fmp_protect;

FMP_API FMP_MUST_CHECK int fmp_protect_new(struct fmp_protect **out, struct fmp_error *err);
FMP_API void fmp_protect_free(struct fmp_protect *p);
/** fmp_protect_use_system_peers() - from the next rebuild on also protect the DHCP and NTP servers
 * in lease files and configurations below @root ("": this machine's). @root: must outlive the set */
FMP_API void fmp_protect_use_system_peers(struct fmp_protect *p, const char *root);
/**
 * fmp_protect_rebuild() - compute the set from the network view, resolv.conf, the policy's list and
 * manual entries
 * @resolv_conf: path, NULL: /etc/resolv.conf; a missing file has no nameservers
 *
 * A protected MAC also protects its current addresses: those whose neighbour entry names it, and
 * has named no other for an hour, since any host on the link can change an entry. fmp_net_refresh()
 * reports when they change.
 *
 * Return: 1 if the set changed, 0 if not, negative on error (the old set stays).
 */
FMP_API FMP_MUST_CHECK int fmp_protect_rebuild(struct fmp_protect *p, struct fmp_net *net,
					       const char *resolv_conf,
					       const struct fmp_addr *policy, size_t n_policy,
					       struct fmp_error *err);
/** fmp_protect_add() / fmp_protect_del() - manual entries. Return: 0, FMP_ERR_EXISTS /
 * FMP_ERR_NOTFOUND, FMP_ERR_LIMIT. */
FMP_API FMP_MUST_CHECK int fmp_protect_add(struct fmp_protect *p, const struct fmp_addr *addr);
FMP_API FMP_MUST_CHECK int fmp_protect_del(struct fmp_protect *p, const struct fmp_addr *addr);
/**
 * fmp_protect_check() - may this address, prefix or MAC be blocked? Every block passes this check.
 *
 * A prefix that contains a protected address is protected.
 * Return: NULL if it may be blocked; else the entry that forbids it, valid until the next rebuild,
 * add or del.
 */
FMP_API const struct fmp_protect_entry *fmp_protect_check(const struct fmp_protect *p,
							  const struct fmp_addr *addr);
/** fmp_protect_check_host() - as fmp_protect_check(), also for the IPv4 host that a translated
 * address stands for; @nat64: as for fmp_addr_ipv4_host() */
FMP_API const struct fmp_protect_entry *fmp_protect_check_host(const struct fmp_protect *p,
							       const struct fmp_addr *addr,
							       const struct fmp_translators *nat64);
/** fmp_protect_list() - all entries, sorted, valid until the next rebuild, add or del. */
FMP_API size_t fmp_protect_list(const struct fmp_protect *p,
				const struct fmp_protect_entry **entries);

/* ---- the MAC of a decision (invariant 3) ---- */

/** struct fmp_mac_facts - the sources of information; none of them is owned */
struct fmp_mac_facts {
	struct fmp_net *net;
	const struct fmp_protect *protect;
	const struct fmp_engine *engine; /**< tells which addresses are innocent */
	const struct fmp_policy *policy;
};
/** fmp_mac_decide() - fill in mac, mac_ms and pair_mac of a block, or mac_veto. @ip: the address
 * the block is about, a full one; {0}: none in particular. @seen: as for fmp_net_mac() */
FMP_API void fmp_mac_decide(const struct fmp_mac_facts *f, const struct fmp_addr *ip,
			    const struct fmp_mac_seen *seen, uint64_t now_ms,
			    struct fmp_decision *d);
/** fmp_mac_siblings() - the MAC by which an address of the own prefix is judged: see
 * fmp_engine_set_mac_siblings(). Does not use the engine. */
FMP_API bool fmp_mac_siblings(const struct fmp_mac_facts *f, const struct fmp_addr *ip,
			      const struct fmp_mac_seen *seen, uint64_t now_ms,
			      struct fmp_addr *mac);

#ifdef __cplusplus
}
#endif
#endif
