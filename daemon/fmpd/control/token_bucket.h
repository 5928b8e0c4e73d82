/* SPDX-License-Identifier: GPL-2.0 */
/* How much each user may ask for: a token bucket a user, a bounded number of users. */
#ifndef FMPD_TOKEN_BUCKET_H
#define FMPD_TOKEN_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#define FMPD_TOKEN_BUCKET_USERS 64u

/** struct fmpd_token_bucket - {0}: everybody has all of his. */
struct fmpd_token_bucket {
	struct fmpd_token_bucket_user {
		unsigned uid;
		bool used;
		uint64_t milli; /**< tokens, in thousandths */
		uint64_t at_ms;
	} users[FMPD_TOKEN_BUCKET_USERS];
};

/**
 * fmpd_token_bucket_take() - one token, of a bucket that holds what a second brings
 * @rate: tokens a second; 0: none ever
 *
 * When there are more users than places, the one who asked least recently has a full bucket again.
 * Return: was there one?
 */
bool fmpd_token_bucket_take(struct fmpd_token_bucket *a, unsigned uid, uint32_t rate,
			    uint64_t now_ms);

#endif
