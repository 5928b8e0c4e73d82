/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The source whose data the gateway is reading, in memory shared with fmpd: if the gateway dies,
 * fmpd knows which source to charge. One thread writes; fmpd reads after the gateway's death.
 */
#ifndef FMP_CRASH_NOTE_H
#define FMP_CRASH_NOTE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <fmp/source.h>

/** Size of that memory; the note is at its start. */
#define FMP_CRASH_NOTE_BYTES 4096

/** struct fmp_crash_note - the layout is fixed: two programs read it */
struct fmp_crash_note {
	uint32_t busy; /**< 1: reading data of the source; 0: of none */
	uint16_t source_port, dest_port; /**< source_port 0: unknown */
	uint8_t family; /**< as in struct fmp_addr, like the rest; no prefix */
	uint8_t bytes[16];
	uint8_t unused[3];
};
_Static_assert(sizeof(struct fmp_crash_note) == 28, "without holes");

/** fmp_crash_note_begin() - start reading data of a source. @n: NULL: no attribution */
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
	/* Visible before the first byte is read. */
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
 * fmp_crash_note_read() - the source of a dead gateway's note, which may contain anything
 *
 * Return: false: of none, or the note is invalid.
 */
bool fmp_crash_note_read(const struct fmp_crash_note *n, struct fmp_addr *source,
			 uint16_t *source_port, uint16_t *dest_port);

#endif
