/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts that many records have in common: each is kept once as long as they come one soon
 * after another, as those of a bulk do. Who compares only with the newest few needs no hash
 * that a sender of messages, whose words stand in reasons, could make collide.
 */
#ifndef FMPD_TEXTS_H
#define FMPD_TEXTS_H

#include <stddef.h>

#define FMPD_TEXTS_RECENT 8u

/* All zero: none yet. */
struct fmpd_texts {
	const char *recent[FMPD_TEXTS_RECENT]; /* the newest first; each is held */
	size_t n; /* texts in memory */
};

/** fmpd_texts_hold() - the text for as long as it is held; "" without memory. */
const char *fmpd_texts_hold(struct fmpd_texts *t, const char *text);
/** fmpd_texts_drop() - of one that was held; the last one frees it. */
void fmpd_texts_drop(struct fmpd_texts *t, const char *held);
/** fmpd_texts_exit() - the newest few are no longer held; so are all once nobody else does. */
void fmpd_texts_exit(struct fmpd_texts *t);

#endif
