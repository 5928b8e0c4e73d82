/* SPDX-License-Identifier: GPL-2.0 */
/* Rate limit: one token bucket for each user, for a bounded number of users. */
#ifndef FMPD_TOKEN_BUCKET_H
#define FMPD_TOKEN_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#define FMPD_TOKEN_BUCKET_USERS 64u

/** struct fmpd_token_bucket - {0}: all buckets are full. */
struct fmpd_token_bucket {
	struct fmpd_token_bucket_user {
		unsigned uid;
		bool used;
		uint64_t milli; /**< tokens, in thousandths */
		uint64_t at_ms;
	} users[FMPD_TOKEN_BUCKET_USERS];
};

/**
 * fmpd_token_bucket_take() - take a token; the bucket holds the tokens of one second
 * @rate: tokens a second; 0: never any
 *
 * With more users than places, the user that asked least recently loses its bucket, and starts with a full one.
 * Return: there was a token.
 */
bool fmpd_token_bucket_take(struct fmpd_token_bucket *a, unsigned uid, uint32_t rate,
			    uint64_t now_ms);

#endif
