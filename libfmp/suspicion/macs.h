/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The MACs of good messages, each with its source, which vouches for the MAC whatever the neighbour
 * table says by now.
 */
#ifndef FMPI_SUSPICION_MACS_H
#define FMPI_SUSPICION_MACS_H

#include <suspicion/table.h>

/** fmpi_macs_remember() - store the MAC of a row that has good messages, in place of the previous
 * one. */
void fmpi_macs_remember(struct fmpi_table *t, struct fmpi_row *row, const struct fmp_addr *mac);
/** fmpi_macs_forget() - remove it, before the row's good messages are freed. @g may be NULL. */
void fmpi_macs_forget(struct fmpi_good *g);
/** fmpi_macs_get() - the stored MAC of a row; {0}: none. */
struct fmp_addr fmpi_macs_get(const struct fmpi_row *row);

/** fmpi_macs_list() - the hash chain that holds a MAC; only if macs of the table is not NULL. */
struct fmpi_goods *fmpi_macs_list(const struct fmpi_table *t, const struct fmp_addr *mac);

#endif
