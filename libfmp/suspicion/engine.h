/* SPDX-License-Identifier: GPL-2.0 */
/* The engine's inside, shared by engine.c (events), manual.c (people) and view.c (reading). */
#ifndef FMPI_SUSPICION_ENGINE_H
#define FMPI_SUSPICION_ENGINE_H

#include <fmp/suspicion.h>

#include <suspicion/table.h>

struct fmp_engine {
	const struct fmp_policy *policy;
	struct fmpi_table table;
	uint64_t now_ms; /* the latest time seen: time never goes back */
	uint64_t next_id; /* of decisions */
	struct fmp_engine_stats stats; /* the counters; the numbers of rows are made when asked for */
};

/** fmpi_engine_now() - takes note of the time. Return: it, or the latest seen if that is later. */
uint64_t fmpi_engine_now(struct fmp_engine *e, uint64_t now_ms);
/** fmpi_engine_key() - the key under which an address is watched. */
struct fmp_addr fmpi_engine_key(const struct fmp_engine *e, const struct fmp_addr *source);
/** fmpi_engine_valid() - may addr be a key: canonical, and never IPv4 in IPv6's clothes? */
bool fmpi_engine_valid(const struct fmp_addr *addr);
/** fmpi_engine_rank() - thousandths of a point of a row at a time. */
uint64_t fmpi_engine_rank(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms);
/** fmpi_engine_strikes() - of a row at a time: 0 when they are forgotten. */
uint32_t fmpi_engine_strikes(const struct fmp_engine *e, const struct fmpi_row *row,
			     uint64_t now_ms);
/** fmpi_engine_place() - the place in the order of eviction of a rank at a time. */
uint64_t fmpi_engine_place(const struct fmp_engine *e, uint64_t rank, uint64_t now_ms);
/** fmpi_engine_end() - the block of a row ends, its rank is 0; *out says so. */
void fmpi_engine_end(struct fmp_engine *e, struct fmpi_row *row, const char *reason,
		     uint64_t now_ms, struct fmp_decision *out);
/** fmpi_copy_text() - as much of src as fits, cut between two UTF-8 characters. */
void fmpi_copy_text(char *dst, size_t size, const char *src);

#endif
