/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts that many have in common: each is kept once as long as they come one soon
 * after another, as those of a bulk do. Who compares only with the newest few needs no hash
 * that a sender of messages, whose words stand in reasons, could make collide.
 */
#ifndef FMPI_TEXTS_H
#define FMPI_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#define FMPI_TEXTS_RECENT 8u

/* All zero: none yet. */
struct fmpi_texts {
	const char *recent[FMPI_TEXTS_RECENT]; /* the newest first; each is held */
	size_t n; /* texts in memory */
	struct fmpi_texts_slot *slots; /* of each text, by its number */
	uint32_t n_slots, cap_slots;
	uint32_t free_slot; /* 0: none */
};

/** fmpi_texts_hold() - the text for as long as it is held; "" without memory. */
const char *fmpi_texts_hold(struct fmpi_texts *t, const char *text);
/** fmpi_texts_number() - of one that is held: half as long as its address. */
uint32_t fmpi_texts_number(const char *held);
/** fmpi_texts_get() - the one of that number, that is held. */
const char *fmpi_texts_get(const struct fmpi_texts *t, uint32_t number);
/** fmpi_texts_drop() - of one that was held; the last one frees it. */
void fmpi_texts_drop(struct fmpi_texts *t, const char *held);
/** fmpi_texts_exit() - the newest few are no longer held; so are all once nobody else does. */
void fmpi_texts_exit(struct fmpi_texts *t);

#endif
