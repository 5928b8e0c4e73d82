/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hash map by address. Entries are structs of the caller, with a link and the address in them, so an entry costs one
 * pointer, and one more for its chain. Attackers choose addresses, so the hash has a seed that they do not know.
 */
#ifndef FMP_HMAP_H
#define FMP_HMAP_H

#include <stddef.h>

#include <fmp/source.h>

/** struct fmp_hmap_link - a member of each entry; private */
struct fmp_hmap_link {
	void *next;
};

/** struct fmp_hmap_entry - where an entry has its link and its key, see FMP_HMAP_ENTRY() */
struct fmp_hmap_entry {
	size_t link_at, key_at;
};

/** FMP_HMAP_ENTRY() - of a struct, with the names of its struct fmp_hmap_link and its struct fmp_addr. */
#define FMP_HMAP_ENTRY(type, link, key) \
	((struct fmp_hmap_entry){ offsetof(type, link), offsetof(type, key) })

/** struct fmp_hmap - @n is public; zeroed: only for fmp_hmap_next() and fmp_hmap_exit(). */
struct fmp_hmap {
	size_t n; /**< entries */
	uint64_t seed;
	struct fmp_hmap_entry entry;
	void **chains;
	size_t n_chains, base,
		cap; /* base: a power of two; base <= n_chains <= 2 * base, cap of them */
};

/** struct fmp_hmap_cursor - of a loop over all entries; starts zeroed */
struct fmp_hmap_cursor {
	size_t chain;
	void *next;
};

/**
 * fmp_hmap_init() - @expected: up to so many entries the map does not grow. Return: 0, FMP_ERR_NOMEM: the map is
 * zeroed.
 */
FMP_MUST_CHECK int fmp_hmap_init(struct fmp_hmap *m, struct fmp_hmap_entry entry, uint64_t seed,
				 size_t expected);
/** fmp_hmap_exit() - free what the map allocated; the entries remain the caller's. */
void fmp_hmap_exit(struct fmp_hmap *m);

/** fmp_hmap_find() - the entry of an address, the newest if there are several; NULL: none. */
void *fmp_hmap_find(const struct fmp_hmap *m, const struct fmp_addr *key);
/** fmp_hmap_find_next() - the next older entry of the same address; NULL: none. */
void *fmp_hmap_find_next(const struct fmp_hmap *m, const void *entry);

/**
 * fmp_hmap_add() - add an entry, whose key must not change from now on
 *
 * It can't fail: without memory to grow, chains get longer. One call moves the entries of one chain at most, because a
 * rehash of tens of thousands would stall an event loop.
 */
void fmp_hmap_add(struct fmp_hmap *m, void *entry);
/** fmp_hmap_remove() - remove an entry of this map. */
void fmp_hmap_remove(struct fmp_hmap *m, void *entry);

/**
 * fmp_hmap_next() - the next entry of a loop over all, in no order; NULL: the end
 *
 * The loop may remove the entry that it was given last, and change the map in no other way.
 */
void *fmp_hmap_next(const struct fmp_hmap *m, struct fmp_hmap_cursor *at);

#endif
