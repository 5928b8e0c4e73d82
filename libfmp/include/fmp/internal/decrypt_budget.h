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
#ifndef FMP_DECRYPT_BUDGET_H
#define FMP_DECRYPT_BUDGET_H

#include <fmp/source.h>
#include <stdbool.h>
#include <stdint.h>

/** Of all sources: so many at once, and one more each hour. */
#define FMP_DECRYPT_BUDGET	     24u
#define FMP_DECRYPT_BUDGET_NS	     (3600ull * 1000000000u)
/** Of one source: so many at once, and one more each four hours. */
#define FMP_DECRYPT_BUDGET_SOURCE    6u
#define FMP_DECRYPT_BUDGET_SOURCE_NS (4 * FMP_DECRYPT_BUDGET_NS)
/** Sources whose bucket can be other than full at once. */
#define FMP_DECRYPT_BUDGET_SOURCES   64u

/** struct fmpi_bucket - what has been taken out, as the time at which it is full again */
struct fmpi_bucket {
	uint64_t full_ns;
};

/** struct fmp_decrypt_budget - starts as all 0; who shares it locks it */
struct fmp_decrypt_budget {
	struct fmpi_bucket all;
	struct {
		struct fmp_addr addr;
		struct fmpi_bucket left;
	} source[FMP_DECRYPT_BUDGET_SOURCES];
};

/**
 * fmp_decrypt_budget_spent() - may nothing more of this source be decrypted under CBC now?
 * @now_ns: of a clock that nobody sets (CLOCK_BOOTTIME)
 */
bool fmp_decrypt_budget_spent(const struct fmp_decrypt_budget *t, const struct fmp_addr *source,
			      uint64_t now_ns);
/** fmp_decrypt_budget_take() - a message was refused behind decryption. */
void fmp_decrypt_budget_take(struct fmp_decrypt_budget *t, const struct fmp_addr *source,
			     uint64_t now_ns);

#endif
