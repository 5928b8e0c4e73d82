/* SPDX-License-Identifier: GPL-2.0 */
/* Exponential decay of ranks, in integers. A rank here is in thousandths of a point. */
#ifndef FMPI_SUSPICION_DECAY_H
#define FMPI_SUSPICION_DECAY_H

#include <stdint.h>

/** Ranks stay at or below this: 32 bits, so that a rank times a 32-bit factor fits 64. */
#define FMPI_RANK_MAX 4000000000u

/** fmpi_decay() - what is left of rank after dt_ms; half_life_ms 0: all of it. */
uint64_t fmpi_decay(uint64_t rank, uint64_t dt_ms, uint64_t half_life_ms);

/** fmpi_decay_time() - ms until less than one thousandth is left of rank: half-life * log2(rank). */
uint64_t fmpi_decay_time(uint64_t rank, uint64_t half_life_ms);

#endif
