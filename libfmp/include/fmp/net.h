/* SPDX-License-Identifier: GPL-2.0 */
/* What rtnetlink knows, and the protected set made from it. */
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
 * struct fmp_net - own addresses, own MACs, gateways, neighbours, access points, as dumped
 * from the kernel of the calling process's network namespace
 */
struct fmp_net;

FMP_API FMP_MUST_CHECK int fmp_net_new(struct fmp_net **out, struct fmp_error *err);
FMP_API void fmp_net_free(struct fmp_net *net);
/** fmp_net_fd() - readable when links, addresses, routes, neighbours or access points changed; then
 * refresh. */
FMP_API int fmp_net_fd(const struct fmp_net *net);
/** fmp_net_refresh() - drain notifications, dump again. Return: 1 if addresses, gateways, their
 * MACs or access points changed, 0 if not, negative on error (the old state then stays). */
FMP_API FMP_MUST_CHECK int fmp_net_refresh(struct fmp_net *net, struct fmp_error *err);

/** struct fmp_mac_seen - what a source's own packets say of its MAC */
struct fmp_mac_seen {
	struct fmp_addr mac; /**< of its SYN; {0}: not known */
	uint64_t accepted_ms; /**< CLOCK_BOOTTIME when its connection was accepted; 0: nobody of us saw a packet */
};
/** fmp_mac_seen() - by an event. */
FMP_API struct fmp_mac_seen fmp_mac_seen(const struct fmp_event *ev);

/**
 * fmp_net_mac() - the MAC behind an on-link address, if it may be blocked at all
 * @ip: a full address
 * @seen: what its own packets carried; NULL: nobody of us saw one, as of a block by hand
 * @now_ms: CLOCK_BOOTTIME
 * @innocent: tells for another address with the same MAC whether it is innocent (true: veto);
 *	      own: by all that the MAC has, it is the same host's; NULL: those that are not are
 *
 * The neighbour table is asked afresh. Any host of the link can change it, so its entry counts only if it
 * names what the source's own packets carried, and named nothing else since ten minutes before their
 * connection was accepted; where none was seen, for an hour.
 * Return: FMP_MAC_OK and *mac, or the veto.
 */
FMP_API enum fmp_mac_veto
fmp_net_mac(struct fmp_net *net, const struct fmp_addr *ip, const struct fmp_mac_seen *seen,
	    uint64_t now_ms, bool (*innocent)(const struct fmp_addr *other, bool own, void *ctx),
	    void *ctx, struct fmp_addr *mac);
/** fmp_net_lookup_mac() - just the MAC of a neighbour entry, whatever it is good for.
 * Return: 0, FMP_ERR_NOTFOUND. */
FMP_API FMP_MUST_CHECK int fmp_net_lookup_mac(struct fmp_net *net, const struct fmp_addr *ip,
					      struct fmp_addr *mac);

/** fmp_net_device() - the device behind which an address is: the route's to it.
 * Return: 0, FMP_ERR_NOTFOUND: none, or nobody says on which link it is. */
FMP_API FMP_MUST_CHECK int fmp_net_device(struct fmp_net *net, const struct fmp_addr *ip,
					  char name[16]);

/** fmp_net_contest() - a packet of this address carried another MAC than its neighbour entry names: for an hour the entry
 * is no proof of who has the address. */
FMP_API void fmp_net_contest(struct fmp_net *net, const struct fmp_addr *ip);

/** fmp_net_host_mac() - the MAC of an on-link host, for it alone is asked: much cheaper than fmp_net_mac().
 * Return: 0; FMP_ERR_NOTFOUND, also if the MAC is a next hop's, or not what @seen allows. */
FMP_API FMP_MUST_CHECK int fmp_net_host_mac(struct fmp_net *net, const struct fmp_addr *ip,
					    const struct fmp_mac_seen *seen, uint64_t now_ms,
					    struct fmp_addr *mac);

/** fmp_net_neighbour_mac() - the same, whosever it is and whoever says so. */
FMP_API FMP_MUST_CHECK int fmp_net_neighbour_mac(struct fmp_net *net, const struct fmp_addr *ip,
						 struct fmp_addr *mac);

/** struct fmp_neighbour - a next hop and its MAC */
struct fmp_neighbour {
	struct fmp_addr ip, mac;
};
/** Next hops that are kept; the oldest go first. */
#define FMP_NEXTHOP_MACS_MAX 64u
/** fmp_net_nexthop_macs() - the next hops whose MACs were seen, oldest first; valid until the next refresh.
 * Return: how many. */
FMP_API size_t fmp_net_nexthop_macs(const struct fmp_net *net, const struct fmp_neighbour **out);
/** fmp_net_add_nexthop_mac() - what an earlier process saw: while the address is a next hop's, and the
 * neighbour table has no entry of it, this is taken for its MAC. Return: 0, FMP_ERR_INVALID,
 * FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_net_add_nexthop_mac(struct fmp_net *net,
						   const struct fmp_neighbour *n);

/* ---- a view that the caller fills, not the kernel: of a log that is replayed ---- */

enum fmp_net_fact {
	FMP_NET_OWN, /**< an address or a MAC of this machine */
	FMP_NET_LINK, /**< a prefix that is reached without a gateway */
	FMP_NET_GATEWAY, /**< a next hop of a route, or the MAC of one */
	FMP_NET_NEIGHBOUR, /**< a neighbour entry: address and MAC */
	FMP_NET_ROUTER, /**< one that says of itself that it is a router */
	FMP_NET_ACCESS_POINT, /**< the MAC of an access point that this machine is connected to */
};

/** fmp_net_new_static() - an empty view; all functions above answer by the facts added, fmp_net_fd() is -1.
 * Return: 0, FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_net_new_static(struct fmp_net **out, struct fmp_error *err);
/**
 * fmp_net_add_fact() - one fact more
 * @mac: of a neighbour, else NULL
 *
 * Who has a neighbour entry, or is in a prefix of FMP_NET_LINK, is on the link; others are behind a gateway
 * if one of their family was added. Return: 0, FMP_ERR_INVALID, FMP_ERR_LIMIT, FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_net_add_fact(struct fmp_net *net, enum fmp_net_fact fact,
					    const struct fmp_addr *addr,
					    const struct fmp_addr *mac);
/** fmp_net_set_time() - facts added from now on are as of that time. */
FMP_API void fmp_net_set_time(struct fmp_net *net, uint64_t now_ms);
/** fmp_net_forget() - remove the facts of just this address. Return: 0, FMP_ERR_INVALID, FMP_ERR_NOMEM. */
FMP_API FMP_MUST_CHECK int fmp_net_forget(struct fmp_net *net, const struct fmp_addr *addr);

/* ---- the protected set (DESIGN: invariant 1) ---- */

/** Where a protected address comes from; the text is for `fmpctl protect` and for refusals. */
enum fmp_protect_origin {
	FMP_PROTECT_OWN = 1, /**< an address or MAC of this machine */
	FMP_PROTECT_GATEWAY, /**< a next hop of a route, IP or MAC */
	FMP_PROTECT_RESOLVER, /**< a nameserver of resolv.conf */
	FMP_PROTECT_POLICY, /**< listed in the policy */
	FMP_PROTECT_MANUAL, /**< said by a person, until fmpd ends */
	FMP_PROTECT_LOOPBACK, /**< 127/8, ::1, unspecified, multicast */
	FMP_PROTECT_DHCP, /**< the server of a lease in force */
	FMP_PROTECT_NTP, /**< a time server that is listed by its address */
	FMP_PROTECT_ACCESS_POINT, /**< the MAC (BSSID) of an access point that this machine is connected to */
	FMP_PROTECT_DEVICE, /**< an address that a listed MAC has now */
};
FMP_API const char *fmp_protect_origin_name(unsigned origin);

struct fmp_protect_entry {
	struct fmp_addr addr; /**< IP address, prefix or MAC */
	enum fmp_protect_origin origin;
};

struct fmp_protect;

FMP_API FMP_MUST_CHECK int fmp_protect_new(struct fmp_protect **out, struct fmp_error *err);
FMP_API void fmp_protect_free(struct fmp_protect *p);
/** fmp_protect_use_system_peers() - from the next rebuild on protect DHCP and NTP servers too, as lease files
 * and configurations below root say ("": those of this machine). @root: must outlive the set. */
FMP_API void fmp_protect_use_system_peers(struct fmp_protect *p, const char *root);
/**
 * fmp_protect_rebuild() - from the net view, resolv.conf, the policy's list and what was said by hand
 * @resolv_conf: path, NULL: /etc/resolv.conf; a file that is not there has no nameservers
 *
 * With a MAC of the policy's list or by hand the addresses go that it has now: those whose neighbour entry names it,
 * and has named no other for an hour, for any host of the link can change one. fmp_net_refresh() tells when there
 * are others.
 *
 * Return: 1 if the set changed, 0 if not, negative on error (the old set stays).
 */
FMP_API FMP_MUST_CHECK int fmp_protect_rebuild(struct fmp_protect *p, struct fmp_net *net,
					       const char *resolv_conf,
					       const struct fmp_addr *policy, size_t n_policy,
					       struct fmp_error *err);
/** fmp_protect_add() / fmp_protect_del() - by hand. Return: 0, FMP_ERR_EXISTS / FMP_ERR_NOTFOUND,
 * FMP_ERR_LIMIT. */
FMP_API FMP_MUST_CHECK int fmp_protect_add(struct fmp_protect *p, const struct fmp_addr *addr);
FMP_API FMP_MUST_CHECK int fmp_protect_del(struct fmp_protect *p, const struct fmp_addr *addr);
/**
 * fmp_protect_check() - the one choke point: may this address, prefix or MAC be blocked?
 *
 * A prefix that holds a protected address is protected.
 * Return: NULL if it may; else the entry that forbids it, valid until the next rebuild, add or del.
 */
FMP_API const struct fmp_protect_entry *fmp_protect_check(const struct fmp_protect *p,
							  const struct fmp_addr *addr);
/** fmp_protect_check_host() - the same, also of the IPv4 host that a translated address is; @nat64: as of
 * fmp_addr_ipv4_host() */
FMP_API const struct fmp_protect_entry *fmp_protect_check_host(const struct fmp_protect *p,
							       const struct fmp_addr *addr,
							       const struct fmp_translators *nat64);
/** fmp_protect_list() - all entries, sorted, valid until the next rebuild, add or del. */
FMP_API size_t fmp_protect_list(const struct fmp_protect *p,
				const struct fmp_protect_entry **entries);

/* ---- the MAC of a decision (DESIGN: invariant 3) ---- */

/** struct fmp_mac_facts - what is asked for it; none of it is owned */
struct fmp_mac_facts {
	struct fmp_net *net;
	const struct fmp_protect *protect;
	const struct fmp_engine *engine; /**< says who is innocent */
	const struct fmp_policy *policy;
};
/** fmp_mac_decide() - fills mac, mac_ms and pair_mac of a block, or mac_veto. @ip: whom it is about, a full address;
 * {0}: nobody's alone. @seen: as of fmp_net_mac() */
FMP_API void fmp_mac_decide(const struct fmp_mac_facts *f, const struct fmp_addr *ip,
			    const struct fmp_mac_seen *seen, uint64_t now_ms,
			    struct fmp_decision *d);
/** fmp_mac_siblings() - the MAC that an address of the own prefix is judged with: see fmp_engine_set_mac_siblings().
 * The engine is not asked. */
FMP_API bool fmp_mac_siblings(const struct fmp_mac_facts *f, const struct fmp_addr *ip,
			      const struct fmp_mac_seen *seen, uint64_t now_ms,
			      struct fmp_addr *mac);

#ifdef __cplusplus
}
#endif
#endif
