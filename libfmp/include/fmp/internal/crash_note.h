/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the gateway reads right now, in memory that it shares with fmpd: should it die of that,
 * fmpd knows whose it was. One writes, in one thread; the other reads when that one is dead.
 */
#ifndef FMP_CRASH_NOTE_H
#define FMP_CRASH_NOTE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <fmp/source.h>

/** Bytes of that memory; the note is at its beginning. */
#define FMP_CRASH_NOTE_BYTES 4096

/** struct fmp_crash_note - the layout is fixed: two programs read it */
struct fmp_crash_note {
	uint32_t busy; /**< 1: with what is of the source; 0: with nobody's */
	uint16_t source_port, dest_port; /**< source_port 0: not known */
	uint8_t family; /**< of struct fmp_addr, as all behind it; no prefix */
	uint8_t bytes[16];
	uint8_t unused[3];
};
_Static_assert(sizeof(struct fmp_crash_note) == 28, "without holes");

/** fmp_crash_note_begin() - what is of that source; n NULL: nobody wants to know. */
static inline void fmp_crash_note_begin(struct fmp_crash_note *n, const struct fmp_addr *source,
					uint16_t source_port, uint16_t dest_port)
{
	if (!n)
		return;
	n->busy = 0;
	atomic_signal_fence(memory_order_seq_cst);
	n->source_port = source_port;
	n->dest_port = dest_port;
	n->family = source->family;
	memcpy(n->bytes, source->bytes, sizeof(n->bytes));
	atomic_signal_fence(memory_order_seq_cst);
	n->busy = 1;
	/* Before the first of its bytes is looked at. */
	atomic_signal_fence(memory_order_seq_cst);
}

static inline void fmp_crash_note_end(struct fmp_crash_note *n)
{
	if (!n)
		return;
	atomic_signal_fence(memory_order_seq_cst);
	n->busy = 0;
}

/**
 * fmp_crash_note_read() - what a dead one was busy with; it may have written anything
 *
 * Return: false: with nobody's, or that is no note.
 */
bool fmp_crash_note_read(const struct fmp_crash_note *n, struct fmp_addr *source,
			 uint16_t *source_port, uint16_t *dest_port);

#endif
