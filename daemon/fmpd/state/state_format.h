/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state file, pure: bytes out of rows and rows out of bytes.
 *
 *	"fmpstate" | u32 version | HEAD | any number of ROW | END
 *
 * HEAD, ROW and END are messages of <fmp/wire.h>; a field that is 0 is left out. END holds the number
 * of rows and the CRC-32 of all bytes before it. The sum is against what power failures and worn
 * flash make of a file, not against forgers: who can write it is root, and could make any sum.
 * A reader takes all of a file or nothing: what it does not know, or finds twice, is an error.
 */
#ifndef FMPD_STATE_FORMAT_H
#define FMPD_STATE_FORMAT_H

#include <fmp/net.h>
#include <fmp/suspicion.h>

#define FMPD_STATE_VERSION  3u /**< 1, without neighbours, 2, without counts and sets, are read */
#define FMPD_STATE_ROW_MAX  8192u /**< most bytes of a row, and of the head */
#define FMPD_STATE_FILE_MAX (1u << 30)

/** struct fmpd_sets - names of sets: of the policy's lists, and of those before that are not ended yet. */
#define FMPD_SETS_MAX (2u * FMP_BLOCKLISTS_MAX)
struct fmpd_sets {
	char name[FMPD_SETS_MAX][FMP_SET_NAME_MAX];
	size_t n;
};

/** struct fmpd_state_time - when it was written, by every clock that may help later, and what
 * was known of the net. */
struct fmpd_state_time {
	uint64_t wall_ms; /**< CLOCK_REALTIME */
	uint64_t boot_ms; /**< CLOCK_BOOTTIME */
	uint8_t boot_id[16]; /**< of this boot; zeros: not known */
	uint64_t newest_id; /**< of all decisions so far; 0: not known */
	struct fmp_neighbour learned[FMP_LEARNED_MAX]; /**< next hops and their MACs */
	size_t n_learned;
	struct fmpd_sets lists; /**< blocks of these sets come of lists of the policy */
};

/** struct fmpd_state_row - a row of the engine, and what the book knows of its block. */
struct fmpd_state_row {
	struct fmp_saved_source source; /**< times are ages of struct fmpd_state_time */
	bool decided; /**< the rest is known */
	uint64_t age_ms, duration_ms; /**< of the decision; duration 0: without end */
	enum fmp_mac_veto mac_veto;
	struct fmp_addr pair_mac; /**< of a pair; {0}: the address is blocked by itself */
	uint64_t mac_left_ms; /**< of the MAC's own time; 0: it has none */
	bool manual;
	char reason[160];
	char set[FMP_SET_NAME_MAX]; /**< "": of none */
};

/** struct fmpd_state_sum - what END says. */
struct fmpd_state_sum {
	uint32_t crc;
	uint64_t rows;
};

/** fmpd_state_put_head() / _row() / _end() - the next bytes of the file, of FMPD_STATE_ROW_MAX at most.
 * Return: how many. */
size_t fmpd_state_put_head(struct fmpd_state_sum *sum, const struct fmpd_state_time *t,
			   uint8_t *buf);
size_t fmpd_state_put_row(struct fmpd_state_sum *sum, const struct fmpd_state_row *row,
			  uint8_t *buf);
size_t fmpd_state_put_end(struct fmpd_state_sum *sum, uint8_t *buf);

/**
 * fmpd_state_read() - all of a file
 * @t: known before the first row is
 * @cb: called for each row, only once all of them are known to be good; an error of its own stops;
 *	NULL: only look
 *
 * Return: 0; FMP_ERR_SYNTAX, FMP_ERR_UNSUPPORTED (a version that is not ours) with the byte in err.
 */
FMP_MUST_CHECK int fmpd_state_read(const void *bytes, size_t len, struct fmpd_state_time *t,
				   int (*cb)(const struct fmpd_state_row *row, void *ctx),
				   void *ctx, struct fmp_error *err);

/** struct fmpd_state_reader - a file whose rows are taken one at a time. */
struct fmpd_state_reader {
	const uint8_t *bytes;
	size_t len;
	size_t at; /**< the byte where the next row begins */
};

/**
 * fmpd_state_open() - all of it is looked at, as by fmpd_state_read()
 * @seen: called for each row with the byte where it begins, before it is known that all are good; NULL
 */
FMP_MUST_CHECK int fmpd_state_open(struct fmpd_state_reader *r, const void *bytes, size_t len,
				   struct fmpd_state_time *t,
				   void (*seen)(const struct fmpd_state_row *row, size_t at,
						void *ctx),
				   void *ctx, struct fmp_error *err);
/** fmpd_state_next() - Return: 1 and a row, 0 at the end. */
int fmpd_state_next(struct fmpd_state_reader *r, struct fmpd_state_row *row);
/** fmpd_state_row() - the one that begins there. Return: 0, FMP_ERR_SYNTAX. */
FMP_MUST_CHECK int fmpd_state_row(const struct fmpd_state_reader *r, size_t at,
				  struct fmpd_state_row *row);

#endif
