/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The servers that this machine depends on, from the files of other programs: resolvers, DHCP
 * servers, NTP servers. Addresses only; a name would require a lookup.
 */
#ifndef FMPI_NET_SYSTEM_PEERS_H
#define FMPI_NET_SYSTEM_PEERS_H

#include <fmp/net.h>

#include <net/addrset.h>

/** Called for each address. Return: 0, or a code that stops. */
typedef int fmpi_system_peer_cb(const struct fmp_addr *addr, enum fmp_protect_origin origin,
				void *ctx);

/** fmpi_system_peers_resolvers() - the nameservers of a resolv.conf; a missing file has none.
 * Return: 0, FMP_ERR_IO, cb's code. */
int fmpi_system_peers_resolvers(const char *path, fmpi_system_peer_cb *cb, void *ctx,
				struct fmp_error *err);

/** fmpi_system_peers_servers() - the DHCP and NTP servers in files below @root ("": this
 * machine's); unreadable files are skipped. @own: addresses of this machine, NULL: unknown; a
 * lease for another address belongs to a network that it has left. Return: 0, cb's code. */
int fmpi_system_peers_servers(const char *root, const struct fmpi_addrset *own,
			      fmpi_system_peer_cb *cb, void *ctx);

#endif
