/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which MAC each neighbour entry named, and when it came to name another one. Any host on the link can change an
 * entry with one forged message (ARP, neighbour discovery): what was changed says nothing of who has the address.
 */
#ifndef FMPI_NET_BINDINGS_H
#define FMPI_NET_BINDINGS_H

#include <net/rtnl.h>

struct fmpi_binding {
	struct fmp_addr ip; /* family 0: free */
	uint8_t mac[6], previous_mac[6]; /* previous_mac: before the newest change */
	int ifindex;
	uint64_t first_ms, seen_ms;
	uint64_t changed_ms; /* 0: never */
};

/* Bounded: the one of a bucket that was heard of longest ago goes. {0} is empty. */
struct fmpi_bindings {
	struct fmpi_binding *v; /* NULL: nothing was heard yet */
	uint64_t seed;
	uint64_t newest_ms; /* change of them all; 0: none */
	uint64_t lost_ms; /* what was before is not known of all of them; 0: it is */
};

/* fmpi_bindings_observe() - an entry as it is now. Entries before the first one that is heard of have no change. */
void fmpi_bindings_observe(struct fmpi_bindings *b, const struct fmpi_neigh *e, uint64_t now_ms);
/* fmpi_bindings_contest() - as if the entries of this address had just changed. */
void fmpi_bindings_contest(struct fmpi_bindings *b, const struct fmp_addr *ip, uint64_t now_ms);
/* fmpi_bindings_mark_lost() - some was missed until now. */
void fmpi_bindings_mark_lost(struct fmpi_bindings *b, uint64_t now_ms);
/* fmpi_bindings_lost() - is something since then not known of all? */
bool fmpi_bindings_lost(const struct fmpi_bindings *b, uint64_t since_ms);
/* fmpi_bindings_is_stable() - has the entry named this MAC all the time since then, as far as anybody knows? */
bool fmpi_bindings_is_stable(const struct fmpi_bindings *b, const struct fmpi_neigh *e,
			     uint64_t since_ms);
/* fmpi_bindings_each_moved() - each entry that named this MAC until a change since then, and names another now; until cb
 * returns true. Return: did it? What was lost is not among them: fmpi_bindings_lost() is asked for the same time. */
bool fmpi_bindings_each_moved(const struct fmpi_bindings *b, const struct fmp_addr *mac,
			      uint64_t since_ms, bool (*cb)(const struct fmp_addr *ip, void *ctx),
			      void *ctx);
void fmpi_bindings_free(struct fmpi_bindings *b);

#endif
