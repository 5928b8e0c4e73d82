/* SPDX-License-Identifier: GPL-2.0 */
/* A DHCP server's reply (RFC 2131), as clients store it on disk. */
#ifndef FMPI_NET_LEASE_H
#define FMPI_NET_LEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/source.h>

/** Upper bound on its size: an Ethernet frame. */
#define FMPI_LEASE_MAX 1500u

/**
 * fmpi_lease_server() - the server of a lease that is in force
 * @age_s: age of the reply
 * @yours: the leased address
 *
 * Return: false if it is not a complete acknowledgement, or has expired.
 */
bool fmpi_lease_server(const uint8_t *bytes, size_t len, uint64_t age_s, struct fmp_addr *yours,
		       struct fmp_addr *out);

#endif
