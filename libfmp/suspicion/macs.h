/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The MACs that good messages came with, each remembered with its source: who has one of them answers for it, whatever
 * the neighbour table says of others by now.
 */
#ifndef FMPI_SUSPICION_MACS_H
#define FMPI_SUSPICION_MACS_H

#include <suspicion/table.h>

/** fmpi_macs_remember() - the MAC of a row that has good messages; another one takes its place. */
void fmpi_macs_remember(struct fmpi_table *t, struct fmpi_row *row, const struct fmp_addr *mac);
/** fmpi_macs_forget() - before what a row has of good messages is freed; NULL: it has nothing. */
void fmpi_macs_forget(struct fmpi_good *g);
/** fmpi_macs_of() - what is remembered of a row; {0}: nothing. */
struct fmp_addr fmpi_macs_of(const struct fmpi_row *row);

#endif
