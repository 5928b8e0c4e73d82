/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The history of neighbour entries: the MAC of each, and when it changed. Any host on the link can
 * change an entry with one forged message (ARP, neighbour discovery), so an entry that changed
 * recently proves nothing.
 */
#ifndef FMPI_NET_BINDINGS_H
#define FMPI_NET_BINDINGS_H

#include <net/rtnl.h>

struct fmpi_binding {
	struct fmp_addr ip; /* family 0: free */
	uint8_t mac[6], previous_mac[6]; /* previous_mac: before the latest change */
	int ifindex;
	uint64_t first_ms, seen_ms;
	uint64_t changed_ms; /* 0: never */
};

/* Bounded: a bucket replaces its least recently seen entry. {0} is empty. */
struct fmpi_bindings {
	struct fmpi_binding *v; /* NULL: empty */
	uint64_t seed;
	uint64_t newest_ms; /* time of the latest change; 0: none */
	uint64_t lost_ms; /* the history before is incomplete; 0: complete */
};

/* fmpi_bindings_observe() - record an entry as it is now. The first observation of an entry is no
 * change. */
void fmpi_bindings_observe(struct fmpi_bindings *b, const struct fmpi_neigh *e, uint64_t now_ms);
/* fmpi_bindings_contest() - treat the entries of this address as changed now. */
void fmpi_bindings_contest(struct fmpi_bindings *b, const struct fmp_addr *ip, uint64_t now_ms);
/* fmpi_bindings_mark_lost() - observations before now were missed. */
void fmpi_bindings_mark_lost(struct fmpi_bindings *b, uint64_t now_ms);
/* fmpi_bindings_lost() - is the history since then incomplete? */
bool fmpi_bindings_lost(const struct fmpi_bindings *b, uint64_t since_ms);
/* fmpi_bindings_is_stable() - has the entry named this MAC ever since then, as far as known? */
bool fmpi_bindings_is_stable(const struct fmpi_bindings *b, const struct fmpi_neigh *e,
			     uint64_t since_ms);
/* fmpi_bindings_each_moved() - call @cb for each entry that changed away from this MAC since
 * then, until it returns true. Return: did it? Missed changes are not included: see
 * fmpi_bindings_lost(). */
bool fmpi_bindings_each_moved(const struct fmpi_bindings *b, const struct fmp_addr *mac,
			      uint64_t since_ms, bool (*cb)(const struct fmp_addr *ip, void *ctx),
			      void *ctx);
void fmpi_bindings_free(struct fmpi_bindings *b);

#endif
