/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The replay cache: which messages were accepted before. A key is kept from the acceptance of its
 * message until the Timestamp alone would refuse a copy, and a little longer, because clocks are not
 * read at the same moment. The key of a message that then reached no service is removed again by
 * whoever inserted it: the sender was asked to repeat the message.
 *
 * A key consists of the signer's key and the signed digests, not of the SignatureValue: anybody can
 * make another valid value of an ECDSA signature.
 *
 * Capacity (invariant 6 of libfmp/README.md): `entries` messages, `per_signer` of one signer. Beyond
 * that the oldest entry of the signer is evicted, beyond `entries` the oldest of the signer with
 * the most; from then on every message that this signer created no later than the evicted one is
 * refused. So no replay is ever accepted, and a flood harms only the signer that causes it and those
 * that share its bucket by chance, one in a thousand. Entries are counted by signer, not by
 * address: a replay carries the signer's name but may come from anywhere, and many signers may
 * share an address.
 *
 * A message that is signed by an EncryptedKey is known without its endorsing signature, which
 * another sender may replace by its own. It has no signer here: such messages are spread by their id
 * over buckets of their own, and who floods with them harms only messages of this kind: where the
 * table is full, they count together as one signer's.
 *
 * Sharing: the gateway's workers are processes that come and go, and any of them may receive the
 * second of two copies. The cache lies in memory that they share; a request to the listener would
 * cost each message a round trip. The lock is a record lock on the memory's file: the kernel
 * releases it when its owner dies, and reports the owner of a lock that is held too long, which
 * the gateway then ends. The memory holds no pointers and every index is checked before use: a
 * compromised worker can make the others lose entries, but cannot direct their writes.
 *
 * An entry expires only when two clocks agree: the wall clock, which may be set, and CLOCK_BOOTTIME,
 * which may not. The validity periods of expired entries are kept, merged into a few windows: if
 * the wall clock goes back into a window, whether a message is a replay cannot be decided, and it
 * is refused without blame. A clock that is never set back never enters a window.
 *
 * The cache may lie in a file on a memory file system, where it outlives the gateway, which each
 * change of policy restarts. When the number of entries changes, what fits is copied.
 */
#ifndef FMPI_WSS_REPLAY_H
#define FMPI_WSS_REPLAY_H

#include <fmp/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FMPI_REPLAY_ID	    32
#define FMPI_REPLAY_COPY    16
/** So often a message may be repeated before it is a replay again. */
#define FMPI_REPLAY_REPEATS 16

/** struct fmpi_replay_key - one message */
struct fmpi_replay_key {
	uint8_t id[FMPI_REPLAY_ID]; /**< SHA-256 of what identifies the message */
	uint8_t signer
		[FMPI_REPLAY_ID]; /**< SHA-256 of the signer's identity; equal to id: it has none */
	uint8_t copy[FMPI_REPLAY_COPY]; /**< hash of all of it and its source; all 0: unknown */
	int64_t created_ms; /**< since 1970, as signed */
	int64_t until_ms; /**< from then on a copy is refused for its age */
};

enum fmpi_replay_result {
	FMPI_REPLAY_NEW = 0,
	FMPI_REPLAY_SEEN,
	FMPI_REPLAY_TOO_OLD, /**< not newer than an evicted entry of its signer */
	FMPI_REPLAY_UNKNOWN, /**< the wall clock went back into a window of expired entries */
	FMPI_REPLAY_REPEAT, /**< the same bytes from the same source: of fmpi_replay_repeat() alone */
};

/** struct fmpi_replay_table - the table alone: the caller owns and locks the memory */
struct fmpi_replay_table {
	void *memory;
	uint32_t entries, per_signer;
	int64_t message_ms; /**< longest time between a worker's reading of the clock and its insert */
};

/** fmpi_replay_table_size() - bytes of memory for so many entries; all 0 is an empty table */
size_t fmpi_replay_table_size(uint32_t entries);
/** fmpi_replay_table_lookup() - look a key up, without any change */
enum fmpi_replay_result fmpi_replay_table_lookup(const struct fmpi_replay_table *t,
						 const struct fmpi_replay_key *key);
/**
 * fmpi_replay_table_insert() - look a key up and insert it if it is new
 * @now_ms: of the wall clock
 * @boot_ms: CLOCK_BOOTTIME
 */
enum fmpi_replay_result fmpi_replay_table_insert(const struct fmpi_replay_table *t,
						 const struct fmpi_replay_key *key, int64_t now_ms,
						 int64_t boot_ms);
/**
 * fmpi_replay_table_repeat() - is a key that was seen that of the same bytes from the same source? Counts it.
 *
 * Return: FMPI_REPLAY_REPEAT, at most FMPI_REPLAY_REPEATS times; else as fmpi_replay_table_lookup().
 */
enum fmpi_replay_result fmpi_replay_table_repeat(const struct fmpi_replay_table *t,
						 const struct fmpi_replay_key *key);
/**
 * fmpi_replay_table_remove() - remove the key of a message that reached no service
 * @key: only id and signer are used
 *
 * Return: false: not found. It may have been evicted; a copy is then FMPI_REPLAY_TOO_OLD.
 */
bool fmpi_replay_table_remove(const struct fmpi_replay_table *t, const struct fmpi_replay_key *key);
/**
 * fmpi_replay_table_init() - set layout and random salt of an empty table
 * @from: a current table of another size, whose entries are copied as far as they fit; NULL: none
 */
void fmpi_replay_table_init(const struct fmpi_replay_table *t,
			    const struct fmpi_replay_table *from);
/** fmpi_replay_table_is_current() - does it have this version's layout and this size? */
bool fmpi_replay_table_is_current(const struct fmpi_replay_table *t);
/** fmpi_replay_table_entries() - entries of a table of so many bytes. Return: 0: no table has this size. */
uint32_t fmpi_replay_table_entries(size_t size);
/** fmpi_replay_table_evicted() - number of entries evicted before they expired */
uint64_t fmpi_replay_table_evicted(const struct fmpi_replay_table *t);

/** struct fmpi_replay - a table in shared memory, with its lock */
struct fmpi_replay;

/**
 * fmpi_replay_new() - create or open the cache, before processes are forked
 * @file: replay_file of <fmp/inspect.h>; NULL: anonymous memory
 * @message_ms: see struct fmpi_replay_table
 *
 * Return: 0, FMP_ERR_NOMEM, FMP_ERR_IO; FMP_ERR_DENIED: others may write the file.
 */
int fmpi_replay_new(const char *file, uint32_t entries, uint32_t per_signer, uint64_t message_ms,
		    struct fmpi_replay **out, struct fmp_error *err);
/** fmpi_replay_check_file() - could the cache be created with this file? Creates none. Return: as fmpi_replay_new(). */
int fmpi_replay_check_file(const char *file, uint32_t entries, struct fmp_error *err);
/** fmpi_replay_ref() - share the cache with another thread. Return: r, to be freed once more. */
struct fmpi_replay *fmpi_replay_ref(struct fmpi_replay *r);
void fmpi_replay_free(struct fmpi_replay *r);
/** fmpi_replay_fd() - the descriptor, 10 or higher, that a child must keep open */
int fmpi_replay_fd(const struct fmpi_replay *r);
/** fmpi_replay_lock_owner() - another process that holds the lock; 0: none */
int fmpi_replay_lock_owner(const struct fmpi_replay *r);

/**
 * fmpi_replay_lookup() / _take() - an enum fmpi_replay_result, or FMP_ERR_IO
 *
 * Take the locks of threads and of processes. FMPI_REPLAY_NEW of a lookup is provisional: only the
 * insert decides.
 */
int fmpi_replay_lookup(struct fmpi_replay *r, const struct fmpi_replay_key *key);
int fmpi_replay_insert(struct fmpi_replay *r, const struct fmpi_replay_key *key, int64_t now_ms);
/** fmpi_replay_repeat() - fmpi_replay_table_repeat() under the lock. Return: also FMP_ERR_IO. */
int fmpi_replay_repeat(struct fmpi_replay *r, const struct fmpi_replay_key *key);
/**
 * fmpi_replay_remove() - remove all keys of a message at once
 *
 * Only for the process that inserted them, and once: later another process may have inserted a copy.
 * Return: 0, FMP_ERR_NOTFOUND: not all of them were there; FMP_ERR_IO.
 */
int fmpi_replay_remove(struct fmpi_replay *r, const struct fmpi_replay_key *keys, unsigned n);

#endif
