/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The decrypt budget: how many messages under CBC may fail after decryption, per source and in all.
 *
 * CBC does not detect changed bytes, so the way in which a changed copy of a captured message is
 * refused, and the time that takes, tell something of its text. Each refusal gives an attacker
 * about one bit; a block of 16 letters takes more than a hundred. Two token buckets stretch that
 * to days. While one is empty, no message under CBC is decrypted, from this source or from any
 * source, good or not: good messages cannot be told from attempts before they are decrypted.
 */
#ifndef FMP_DECRYPT_BUDGET_H
#define FMP_DECRYPT_BUDGET_H

#include <fmp/source.h>
#include <stdbool.h>
#include <stdint.h>

/** All sources together: burst, and time for one more. */
#define FMP_DECRYPT_BUDGET	     24u
#define FMP_DECRYPT_BUDGET_NS	     (3600ull * 1000000000u)
/** One source: burst, and time for one more. */
#define FMP_DECRYPT_BUDGET_SOURCE    6u
#define FMP_DECRYPT_BUDGET_SOURCE_NS (4 * FMP_DECRYPT_BUDGET_NS)
/** Sources that are tracked at once. */
#define FMP_DECRYPT_BUDGET_SOURCES   64u

/** struct fmpi_bucket - a token bucket, stored as the time at which it is full again */
struct fmpi_bucket {
	uint64_t full_ns;
};

/** struct fmp_decrypt_budget - starts as all 0; its users lock it */
struct fmp_decrypt_budget {
	struct fmpi_bucket all;
	struct {
		struct fmp_addr addr;
		struct fmpi_bucket left;
	} source[FMP_DECRYPT_BUDGET_SOURCES];
};

/**
 * fmp_decrypt_budget_spent() - is decryption under CBC suspended for this source?
 * @now_ns: CLOCK_BOOTTIME
 */
bool fmp_decrypt_budget_spent(const struct fmp_decrypt_budget *t, const struct fmp_addr *source,
			      uint64_t now_ns);
/** fmp_decrypt_budget_take() - charge a message that failed after decryption */
void fmp_decrypt_budget_take(struct fmp_decrypt_budget *t, const struct fmp_addr *source,
			     uint64_t now_ns);

#endif
