/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The format of the state file: encodes and decodes, without I/O.
 *
 *	"fmpstate" | u32 version | HEAD | any number of ROW | END
 *
 * HEAD, ROW and END are messages of <fmp/wire.h>; a field that is 0 is left out. END holds the number
 * of rows and the CRC-32 of all bytes before it. The CRC finds damage by power failures and worn
 * flash. It need not stop forgers: only root can write the file.
 * A reader takes all of a file or nothing: an unknown or repeated field is an error.
 */
#ifndef FMPD_STATE_FORMAT_H
#define FMPD_STATE_FORMAT_H

#include <fmp/net.h>
#include <fmp/suspicion.h>

#define FMPD_STATE_VERSION \
	3u /**< versions 1 (no neighbours) and 2 (no counts, no sets) are read, too */
#define FMPD_STATE_ROW_MAX  8192u /**< most bytes of a row, and of the head */
#define FMPD_STATE_FILE_MAX (1u << 30)

/** struct fmpd_sets - names of sets: of the policy's lists, and of removed lists whose blocks are still ending. */
#define FMPD_SETS_MAX (2u * FMP_BLOCKLISTS_MAX)
struct fmpd_sets {
	char name[FMPD_SETS_MAX][FMP_SET_NAME_MAX];
	size_t n;
};

/** struct fmpd_state_time - the head: when the file was written, by each clock, and what was known of
 * the network. */
struct fmpd_state_time {
	uint64_t wall_ms; /**< CLOCK_REALTIME */
	uint64_t boot_ms; /**< CLOCK_BOOTTIME */
	uint8_t boot_id[16]; /**< of this boot; zeros: not known */
	uint64_t newest_id; /**< of all decisions so far; 0: not known */
	struct fmp_neighbour nexthop_macs[FMP_NEXTHOP_MACS_MAX]; /**< next hops and their MACs */
	size_t n_nexthop_macs;
	struct fmpd_sets lists; /**< sets that belong to lists of the policy */
};

/** struct fmpd_state_row - a row of the engine, with its block from the decision table. */
struct fmpd_state_row {
	struct fmp_saved_source source; /**< times are ages of struct fmpd_state_time */
	bool decided; /**< the fields below are set */
	uint64_t age_ms, duration_ms; /**< of the decision; duration 0: without end */
	enum fmp_mac_veto mac_veto;
	struct fmp_addr pair_mac; /**< of a pair; {0}: the address is blocked by itself */
	uint64_t mac_left_ms; /**< of the MAC's own time; 0: it has none */
	bool manual;
	char reason[160];
	char set[FMP_SET_NAME_MAX]; /**< "": of none */
};

/** struct fmpd_state_sum - the contents of END. */
struct fmpd_state_sum {
	uint32_t crc;
	uint64_t rows;
};

/** fmpd_state_put_head() / _row() / _end() - encode the next bytes of the file. @buf: FMPD_STATE_ROW_MAX
 * bytes. Return: how many were used. */
size_t fmpd_state_put_head(struct fmpd_state_sum *sum, const struct fmpd_state_time *t,
			   uint8_t *buf);
size_t fmpd_state_put_row(struct fmpd_state_sum *sum, const struct fmpd_state_row *row,
			  uint8_t *buf);
size_t fmpd_state_put_end(struct fmpd_state_sum *sum, uint8_t *buf);

/**
 * fmpd_state_read() - decode a whole file
 * @t: set before @cb is called
 * @cb: called for each row, after all rows were checked; stops at an error of @cb; NULL: only check
 *
 * Return: 0; FMP_ERR_SYNTAX, FMP_ERR_UNSUPPORTED (a version that this fmpd does not read) with the byte in err.
 */
FMP_MUST_CHECK int fmpd_state_read(const void *bytes, size_t len, struct fmpd_state_time *t,
				   int (*cb)(const struct fmpd_state_row *row, void *ctx),
				   void *ctx, struct fmp_error *err);

/** struct fmpd_state_reader - a file whose rows are read one at a time. */
struct fmpd_state_reader {
	const uint8_t *bytes;
	size_t len;
	size_t at; /**< the byte where the next row begins */
};

/**
 * fmpd_state_open() - check the whole file, as fmpd_state_read() does
 * @seen: called for each row with its offset, before the rows behind it are checked; may be NULL
 */
FMP_MUST_CHECK int fmpd_state_open(struct fmpd_state_reader *r, const void *bytes, size_t len,
				   struct fmpd_state_time *t,
				   void (*seen)(const struct fmpd_state_row *row, size_t at,
						void *ctx),
				   void *ctx, struct fmp_error *err);
/** fmpd_state_next() - Return: 1 and a row, 0 at the end. */
int fmpd_state_next(struct fmpd_state_reader *r, struct fmpd_state_row *row);
/** fmpd_state_row() - the row at an offset. Return: 0, FMP_ERR_SYNTAX. */
FMP_MUST_CHECK int fmpd_state_row(const struct fmpd_state_reader *r, size_t at,
				  struct fmpd_state_row *row);

#endif
