/* SPDX-License-Identifier: GPL-2.0 */
/* A table of messages that were here before, and messages for it. */
#ifndef TEST_REPLAY_H
#define TEST_REPLAY_H

#include <check.h>
#include <openssl/sha.h>
#include <stdlib.h>

#include "wss/replay.h"

#define NOW 1795316400000ll

static struct fmpi_replay_table table;

static inline void make_table(uint32_t entries, uint32_t per_signer)
{
	free(table.memory);
	table = (struct fmpi_replay_table){
		.memory = calloc(1, fmpi_replay_table_size(entries)),
		.entries = entries,
		.per_signer = per_signer,
	};
	ck_assert_ptr_nonnull(table.memory);
}

static inline void teardown(void)
{
	free(table.memory);
	table.memory = NULL;
}

/* Message n of a signer, created at `at` ms from NOW, for a minute. */
static inline struct fmpi_replay_key make_key(unsigned signer, unsigned n, int64_t at)
{
	struct fmpi_replay_key k = { .created_ms = NOW + at, .until_ms = NOW + at + 60000 };
	unsigned both[2] = { signer, n };

	SHA256((const unsigned char *)both, sizeof(both), k.id);
	SHA256((const unsigned char *)&signer, sizeof(signer), k.signer);
	return k;
}

static inline int add_key(unsigned signer, unsigned n, int64_t at)
{
	struct fmpi_replay_key k = make_key(signer, n, at);

	return (int)fmpi_replay_table_insert(&table, &k, NOW + at, NOW + at);
}

static inline bool remove_key(unsigned signer, unsigned n)
{
	struct fmpi_replay_key k = make_key(signer, n, 0);

	return fmpi_replay_table_remove(&table, &k);
}

#endif
