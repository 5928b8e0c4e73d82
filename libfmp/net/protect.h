/* SPDX-License-Identifier: GPL-2.0 */
/* The one function behind every question whether something may be blocked. */
#ifndef FMPI_NET_PROTECT_H
#define FMPI_NET_PROTECT_H

#include <fmp/net.h>

/*
 * fmpi_protect_find() - the entry that forbids to block addr; NULL: none does
 *
 * What may never be blocked whoever says so (loopback, multicast, no address)
 * is found without standing in the set.
 */
const struct fmp_protect_entry *fmpi_protect_find(const struct fmp_protect_entry *set, size_t n,
						  const struct fmp_addr *addr);

/*
 * fmpi_protect_in_kernel() - does this entry stand in the kernel's protected sets?
 *
 * Loopback and multicast do not: no host has such a source address, and a
 * blocked MAC could pass every filter by forging one.
 */
bool fmpi_protect_in_kernel(const struct fmp_protect_entry *e);

#endif
