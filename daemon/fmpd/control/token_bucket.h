/* SPDX-License-Identifier: GPL-2.0 */
/* How much each user may ask for: a token bucket a user, a bounded number of users. */
#ifndef FMPD_TOKEN_BUCKET_H
#define FMPD_TOKEN_BUCKET_H

#include <stdbool.h>
#include <stdint.h>

#define FMPD_ALLOWANCE_USERS 64u

/** struct fmpd_allowance - {0}: everybody has all of his. */
struct fmpd_allowance {
	struct fmpd_allowance_user {
		unsigned uid;
		bool used;
		uint64_t milli; /**< tokens, in thousandths */
		uint64_t at_ms;
	} users[FMPD_ALLOWANCE_USERS];
};

/**
 * fmpd_allowance_take() - one token, of a bucket that holds what a second brings
 * @rate: tokens a second; 0: none ever
 *
 * When there are more users than places, the one who asked least recently has a full bucket again.
 * Return: was there one?
 */
bool fmpd_allowance_take(struct fmpd_allowance *a, unsigned uid, uint32_t rate, uint64_t now_ms);

#endif
