// SPDX-License-Identifier: GPL-2.0
#include "token_bucket.h"

static struct fmpd_token_bucket_user *find_user(struct fmpd_token_bucket *a, unsigned uid,
						uint64_t full, uint64_t now_ms)
{
	struct fmpd_token_bucket_user *oldest = &a->users[0];

	for (unsigned i = 0; i < FMPD_TOKEN_BUCKET_USERS; i++) {
		struct fmpd_token_bucket_user *u = &a->users[i];

		if (u->used && u->uid == uid)
			return u;
		if (oldest->used && (!u->used || u->at_ms < oldest->at_ms))
			oldest = u;
	}
	*oldest = (struct fmpd_token_bucket_user){
		.uid = uid, .used = true, .milli = full, .at_ms = now_ms
	};
	return oldest;
}

bool fmpd_token_bucket_take(struct fmpd_token_bucket *a, unsigned uid, uint32_t rate,
			    uint64_t now_ms)
{
	uint64_t full = (uint64_t)rate * 1000, passed;
	struct fmpd_token_bucket_user *u = find_user(a, uid, full, now_ms);

	/* A second fills the bucket: more would only risk an overflow. */
	passed = now_ms > u->at_ms ? now_ms - u->at_ms : 0;
	u->milli += (passed < 1000 ? passed : 1000) * rate;
	if (u->milli > full)
		u->milli = full;
	if (now_ms > u->at_ms)
		u->at_ms = now_ms;
	if (u->milli < 1000)
		return false;
	u->milli -= 1000;
	return true;
}
