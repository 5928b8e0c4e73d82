/* SPDX-License-Identifier: GPL-2.0 */
/* Parsing of single notifications. */
#ifndef FMP_ENFORCE_WATCH_H
#define FMP_ENFORCE_WATCH_H

#include <libmnl/libmnl.h>

#include <fmp/enforce.h>

/* Is it about a table of our name? Fills in @who at the end of each transaction. */
bool fmpi_watch_nft(const struct nlmsghdr *nlh, struct fmp_changer *who);
/* Does the module's family appear or disappear? group: of its events, 0 if there is none. */
bool fmpi_watch_family(const struct nlmsghdr *nlh, bool *there, uint32_t *group);
/*
 * The type of an event of the module; 0 if it is none. lost: events not sent since the one before,
 * without first hits, which change nothing.
 */
unsigned fmpi_watch_event(const struct nlmsghdr *nlh, uint64_t *lost);

#endif
