/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Looking up an address of the frame among many, as APF code.
 *
 * A table becomes a tree. A node loads 1, 2 or 4 bytes of the address and finds what they lead to by
 * binary search: an action, or a node for the bytes behind them. A node of few entries compares their
 * remaining bytes as strings instead. Of these the one that makes the smallest program is chosen, node
 * by node.
 */
#ifndef FMPI_APF_SEARCH_H
#define FMPI_APF_SEARCH_H

#include <apf/assembler.h>

/*
 * What is done with a frame of an address. If prefixes lie in each other the greatest counts; between
 * the first two are seconds until a block ends.
 */
#define FMPI_APF_NONE	 0u
#define FMPI_APF_FOREVER (UINT32_MAX - 1)
#define FMPI_APF_PROTECT UINT32_MAX

#define FMPI_APF_KEY_MAX 22u /* a MAC and an IPv6 address */

struct fmpi_apf_entry {
	uint8_t key[FMPI_APF_KEY_MAX];
	uint8_t bits; /* significant ones of the key; the others are 0 */
	uint32_t action;
};

struct fmpi_apf_table {
	uint8_t key_len; /* bytes */
	uint8_t fixed; /* so many of them are in the MAC header, at offset 6; R1 is added for the others */
	uint8_t l3_at; /* offset of the others, for R1 = 0 */
	struct fmpi_apf_entry *v;
	size_t n, cap;
};

/* fmpi_apf_table_add() - the bits beyond @bits are cleared. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpi_apf_table_add(struct fmpi_apf_table *t, const uint8_t *key, unsigned bits,
				      uint32_t action);
void fmpi_apf_table_free(struct fmpi_apf_table *t);

/*
 * fmpi_apf_table_reduce() - sort, and remove what makes no difference
 * @keep_protect: a protected address differs from one that is not in the table
 */
void fmpi_apf_table_reduce(struct fmpi_apf_table *t, bool keep_protect);

/* Where an action leads. */
struct fmpi_apf_targets {
	unsigned (*label)(void *ctx, uint32_t action);
	void (*go)(void *ctx, uint32_t action); /* emits a jump there, or what is there */
	void *ctx;
};

/*
 * fmpi_apf_search() - emit the search of a reduced table
 *
 * It uses R0, and reads R1. An address that is not in the table leads where FMPI_APF_NONE does.
 * Return: 0, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_apf_search(struct fmpi_apf_code *c, const struct fmpi_apf_table *t,
				   const struct fmpi_apf_targets *to);

#endif
