/* SPDX-License-Identifier: GPL-2.0 */
/* A DHCP server's answer (RFC 2131), as clients keep it on disk. */
#ifndef FMPI_NET_LEASE_H
#define FMPI_NET_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/source.h>

/** Bytes of the longest: what fits an Ethernet frame. */
#define FMPI_LEASE_MAX 1500u

/**
 * fmpi_lease_server() - who gave a lease that is in force
 * @age_s: since the answer came
 * @yours: the address that it gave
 *
 * Return: false if it is no whole acknowledgement, or its time is over.
 */
bool fmpi_lease_server(const uint8_t *bytes, size_t len, uint64_t age_s, struct fmp_addr *yours,
		       struct fmp_addr *out);

#endif
