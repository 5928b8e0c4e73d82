/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts that many have in common: each is kept once as long as they come one soon
 * after another, as those of a bulk do. Who compares only with the newest few needs no hash
 * that a sender of messages, whose words stand in reasons, could make collide.
 */
#ifndef FMP_STRING_INTERN_H
#define FMP_STRING_INTERN_H

#include <stddef.h>
#include <stdint.h>

#define FMP_INTERN_RECENT 8u

/* All zero: none yet. */
struct fmp_intern {
	const char *recent[FMP_INTERN_RECENT]; /* the newest first; each is held */
	size_t n; /* texts in memory */
	struct fmp_intern_slot *slots; /* of each text, by its number */
	uint32_t n_slots, cap_slots;
	uint32_t free_slot; /* 0: none */
};

/** fmp_intern_hold() - the text for as long as it is held; "" without memory. */
const char *fmp_intern_hold(struct fmp_intern *t, const char *text);
/** fmp_intern_number() - of one that is held: half as long as its address. */
uint32_t fmp_intern_number(const char *held);
/** fmp_intern_get() - the one of that number, that is held. */
const char *fmp_intern_get(const struct fmp_intern *t, uint32_t number);
/** fmp_intern_drop() - of one that was held; the last one frees it. */
void fmp_intern_drop(struct fmp_intern *t, const char *held);
/** fmp_intern_exit() - the newest few are no longer held; so are all once nobody else does. */
void fmp_intern_exit(struct fmp_intern *t);

#endif
