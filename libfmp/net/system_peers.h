/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whom this machine relies on, as files of other programs say it: resolvers, DHCP servers,
 * NTP servers. Addresses only: a name would have to be asked of the network.
 */
#ifndef FMPI_NET_SYSTEM_PEERS_H
#define FMPI_NET_SYSTEM_PEERS_H

#include <fmp/net.h>

#include <net/addrset.h>

/** Called for each address. Return: 0, or a code that ends the reading. */
typedef int fmpi_system_peer_cb(const struct fmp_addr *addr, enum fmp_protect_origin origin,
				void *ctx);

/** fmpi_system_peers_resolvers() - the nameserver lines of a resolv.conf; one that is not there has none.
 * Return: 0, FMP_ERR_IO, cb's code. */
int fmpi_system_peers_resolvers(const char *path, fmpi_system_peer_cb *cb, void *ctx,
				struct fmp_error *err);

/** fmpi_system_peers_servers() - DHCP and NTP servers of the files below root ("": those of this
 * machine); what can't be read says nothing. @own: addresses of this machine, NULL: not known; a lease of
 * another one is of a network that it has left. Return: 0, cb's code. */
int fmpi_system_peers_servers(const char *root, const struct fmpi_addrset *own,
			      fmpi_system_peer_cb *cb, void *ctx);

#endif
