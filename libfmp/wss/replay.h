/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which messages were here before. A message is remembered from when it is accepted
 * until its Timestamp refuses it anyway, and a little longer: clocks are not looked at at once.
 * One that then reached nobody is forgotten again, by who took it: its sender was asked to repeat it.
 *
 * What it goes by: the signer's key and the digests that were signed, not the
 * SignatureValue, of which anybody can make another valid one where it is ECDSA's.
 *
 * When it is full (DESIGN: invariant 6): it holds `entries` messages, `per_signer` of one
 * signer. Beyond that the signer's own first message goes, beyond `entries` the first one
 * of the signer who has most; and from then on whatever that signer created no later than
 * what was forgotten is refused. So a replay is never taken, however many messages come,
 * and nobody but the one who floods loses anything, except for whom chance has put beside him:
 * one of a thousand. Entries are counted by signer, not by address: a replay bears the signer's
 * name, but may come from anywhere, and behind one address there may be many.
 *
 * Where it is: the gateway's workers are processes that come and go, and any of them may
 * be given the second of two copies. It lies in memory that they share; asking the
 * listener instead would cost each message a round trip. The lock is a record lock on
 * that memory's file, which the kernel takes from a process that dies; one that lives and keeps
 * it is told by the kernel, too, and the gateway ends it. Nothing in the
 * memory is a pointer and every index is checked before use: a worker that was taken over
 * can make the others forget, but not write where it wants.
 *
 * What is out of date is forgotten when both clocks say so: the wall clock, which may be set, and one that runs
 * since the system was started, which may not. And from when to when the forgotten were valid is kept, in a
 * few windows: where the wall clock goes back into one, whether a message of it was here before can't be
 * told, and it is refused, as nobody's offence. On a clock that is not set back no message is ever in one.
 *
 * It may lie in a file, of a file system that is memory: there it outlives the gateway, which
 * every change of the policy replaces by a new one. With another number of entries what fits is taken along.
 */
#ifndef FMPI_WSS_REPLAY_H
#define FMPI_WSS_REPLAY_H

#include <fmp/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FMPI_REPLAY_ID 32

/** struct fmpi_replay_key - one message */
struct fmpi_replay_key {
	uint8_t id[FMPI_REPLAY_ID]; /**< SHA-256 of what makes it that message */
	uint8_t signer[FMPI_REPLAY_ID]; /**< SHA-256 of whose it is */
	int64_t created_ms; /**< since 1970; as the signer says */
	int64_t until_ms; /**< from then on it is refused for its age */
};

enum fmpi_replay_result {
	FMPI_REPLAY_NEW = 0,
	FMPI_REPLAY_SEEN,
	FMPI_REPLAY_TOO_OLD, /**< as old as what had to be forgotten of its signer */
	FMPI_REPLAY_UNKNOWN, /**< the wall clock went back to where messages were forgotten */
};

/** struct fmpi_replay_table - pure: memory that somebody else owns and locks */
struct fmpi_replay_table {
	void *memory;
	uint32_t entries, per_signer;
	int64_t message_ms; /**< so long after a look at the clock somebody may still come with it */
};

/** fmpi_replay_table_size() - bytes of memory; all 0 is an empty table. */
size_t fmpi_replay_table_size(uint32_t entries);
/** fmpi_replay_table_lookup() - changes nothing. */
enum fmpi_replay_result fmpi_replay_table_lookup(const struct fmpi_replay_table *t,
						 const struct fmpi_replay_key *key);
/**
 * fmpi_replay_table_insert() - and remember it if it is new
 * @now_ms: of the wall clock
 * @boot_ms: of a clock that nobody sets (CLOCK_BOOTTIME)
 */
enum fmpi_replay_result fmpi_replay_table_insert(const struct fmpi_replay_table *t,
						 const struct fmpi_replay_key *key, int64_t now_ms,
						 int64_t boot_ms);
/**
 * fmpi_replay_table_remove() - of a message that reached nobody: its copy is new
 * @key: id and signer count
 *
 * Return: false if it is not remembered: perhaps it had to be forgotten, and then its copy is
 * FMPI_REPLAY_TOO_OLD.
 */
bool fmpi_replay_table_remove(const struct fmpi_replay_table *t, const struct fmpi_replay_key *key);
/**
 * fmpi_replay_table_init() - an empty one is of this layout, its signers spread by chance
 * @from: marked, of another size: what it remembers is taken along as far as it fits; NULL: none
 */
void fmpi_replay_table_init(const struct fmpi_replay_table *t,
			    const struct fmpi_replay_table *from);
/** fmpi_replay_table_is_current() - or that of another version? */
bool fmpi_replay_table_is_current(const struct fmpi_replay_table *t);
/** fmpi_replay_table_entries() - of a table of so many bytes. Return: 0: none is so long. */
uint32_t fmpi_replay_table_entries(size_t size);
/** fmpi_replay_table_evicted() - messages forgotten before their time. */
uint64_t fmpi_replay_table_evicted(const struct fmpi_replay_table *t);

/** struct fmpi_replay - a table in shared memory, with its lock */
struct fmpi_replay;

/**
 * fmpi_replay_new() - to be called before processes are forked
 * @file: see fmp/inspect.h; NULL: none
 * @message_ms: as of the table
 *
 * Return: 0, FMP_ERR_NOMEM, FMP_ERR_IO; FMP_ERR_DENIED: the file is not ours alone.
 */
int fmpi_replay_new(const char *file, uint32_t entries, uint32_t per_signer, uint64_t message_ms,
		    struct fmpi_replay **out, struct fmp_error *err);
/** fmpi_replay_check_file() - could it be made with this file? Leaves none behind. Return: as fmpi_replay_new(). */
int fmpi_replay_check_file(const char *file, uint32_t entries, struct fmp_error *err);
/** fmpi_replay_ref() - the same table, for another thread. Return: r, to be freed once more. */
struct fmpi_replay *fmpi_replay_ref(struct fmpi_replay *r);
void fmpi_replay_free(struct fmpi_replay *r);
/** fmpi_replay_fd() - that a child must keep open; 10 or higher. */
int fmpi_replay_fd(const struct fmpi_replay *r);
/** fmpi_replay_lock_owner() - a process that has the lock, other than this one; 0: none has. */
int fmpi_replay_lock_owner(const struct fmpi_replay *r);

/**
 * fmpi_replay_lookup() / _take() - an answer, or FMP_ERR_IO
 *
 * Under the locks, of threads and of processes; but FMPI_REPLAY_NEW of a look is a guess, good for
 * what is done until the message is taken.
 */
int fmpi_replay_lookup(struct fmpi_replay *r, const struct fmpi_replay_key *key);
int fmpi_replay_insert(struct fmpi_replay *r, const struct fmpi_replay_key *key, int64_t now_ms);
/**
 * fmpi_replay_remove() - all keys of a message at once
 *
 * Only who took it may, and once: between two calls another one may have taken its copy.
 * Return: 0, FMP_ERR_NOTFOUND: not all of them were there; FMP_ERR_IO.
 */
int fmpi_replay_remove(struct fmpi_replay *r, const struct fmpi_replay_key *keys, unsigned n);

#endif
