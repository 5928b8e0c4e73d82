/* SPDX-License-Identifier: GPL-2.0 */
/*
 * String interning: equal texts are stored once if they arrive soon after one another, as in a
 * batch. A new text is compared only with the most recent ones, so no hash is needed; the texts
 * hold words of untrusted messages, which could make a hash collide.
 */
#ifndef FMP_STRING_INTERN_H
#define FMP_STRING_INTERN_H

#include <stddef.h>
#include <stdint.h>

#define FMP_INTERN_RECENT 8u

/* Starts zeroed. */
struct fmp_intern {
	const char *recent[FMP_INTERN_RECENT]; /* most recent first; each holds a reference */
	size_t n; /* interned texts */
	struct fmp_intern_slot *slots; /* indexed by a text's number */
	uint32_t n_slots, cap_slots;
	uint32_t free_slot; /* 0: none */
};

/** fmp_intern_hold() - take a reference to the interned text. Return: "" without memory. */
const char *fmp_intern_hold(struct fmp_intern *t, const char *text);
/** fmp_intern_number() - the number of an interned text: takes half the bytes of a pointer. */
uint32_t fmp_intern_number(const char *held);
/** fmp_intern_get() - the interned text of a number. */
const char *fmp_intern_get(const struct fmp_intern *t, uint32_t number);
/** fmp_intern_drop() - drop a reference; the last one frees the text. */
void fmp_intern_drop(struct fmp_intern *t, const char *held);
/**
 * fmp_intern_exit() - drop the references to recent texts; all memory is freed once callers have
 * dropped theirs.
 */
void fmp_intern_exit(struct fmp_intern *t);

#endif
