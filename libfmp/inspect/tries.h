/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many messages may be refused behind decryption under CBC, of a source and of all.
 *
 * CBC does not notice changed bytes, so how a changed copy of a captured message is refused, and
 * how long that takes, tells something of its text. Each refusal gives an attacker a bit or so,
 * and a block of 16 letters takes more than a hundred: two token buckets make days of that. When
 * one is empty no message under CBC is decrypted, of this source or of anybody, good or not. For
 * who takes tries can't be told from who is tried.
 */
#ifndef FMPI_INSPECT_TRIES_H
#define FMPI_INSPECT_TRIES_H

#include <fmp/source.h>
#include <stdbool.h>
#include <stdint.h>

/** Of all sources: so many at once, and one more each hour. */
#define FMPI_TRIES	     24u
#define FMPI_TRIES_NS	     (3600ull * 1000000000u)
/** Of one source: so many at once, and one more each four hours. */
#define FMPI_TRIES_SOURCE    6u
#define FMPI_TRIES_SOURCE_NS (4 * FMPI_TRIES_NS)
/** Sources whose bucket can be other than full at once. */
#define FMPI_TRIES_SOURCES   64u

/** struct fmpi_bucket - what has been taken out, as the time at which it is full again */
struct fmpi_bucket {
	uint64_t full_ns;
};

/** struct fmpi_tries - starts as all 0; who shares it locks it */
struct fmpi_tries {
	struct fmpi_bucket all;
	struct {
		struct fmp_addr addr;
		struct fmpi_bucket left;
	} source[FMPI_TRIES_SOURCES];
};

/**
 * fmpi_tries_spent() - may nothing more of this source be decrypted under CBC now?
 * @now_ns: of a clock that nobody sets (CLOCK_BOOTTIME)
 */
bool fmpi_tries_spent(const struct fmpi_tries *t, const struct fmp_addr *source, uint64_t now_ns);
/** fmpi_tries_take() - a message was refused behind decryption. */
void fmpi_tries_take(struct fmpi_tries *t, const struct fmp_addr *source, uint64_t now_ns);

#endif
