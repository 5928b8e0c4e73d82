/* SPDX-License-Identifier: GPL-2.0 */
/* The protect check that every block passes. */
#ifndef FMPI_NET_PROTECT_H
#define FMPI_NET_PROTECT_H

#include <fmp/net.h>

/*
 * fmpi_protect_find() - the entry that forbids blocking an address; NULL: none
 *
 * Addresses that may never be blocked (loopback, multicast, unspecified) need not be in the set.
 */
const struct fmp_protect_entry *fmpi_protect_find(const struct fmp_protect_entry *set, size_t n,
						  const struct fmp_addr *addr);

/*
 * fmpi_protect_in_kernel() - is this entry part of the kernel's protected sets?
 *
 * Loopback and multicast are not: no host has such a source address, and a blocked MAC could pass
 * every filter by forging one.
 */
bool fmpi_protect_in_kernel(const struct fmp_protect_entry *e);

#endif
