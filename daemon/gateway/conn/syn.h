/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The MAC that the SYN of a connection carried (TCP_SAVE_SYN, tcp(7)). Unlike a neighbour entry, which any host
 * on the link can change with one forged message, it is the source's own word.
 */
#ifndef GW_SYN_H
#define GW_SYN_H

#include <stddef.h>

#include <fmp/source.h>

/** gw_syn_save() - of every connection that this socket accepts from now on; without effect before Linux 5.10. */
void gw_syn_save(int listen_fd);
/** gw_syn_mac() - of a connection just accepted; once, for the kernel forgets it then. Return: {0}: not known, as
 * under SYN cookies and on loopback. */
struct fmp_addr gw_syn_mac(int fd, const struct fmp_addr *source);
/** gw_syn_parse() - Ethernet, IP and TCP headers as the kernel saved them. Return: {0}: no MAC in them. Pure. */
struct fmp_addr gw_syn_parse(const uint8_t *bytes, size_t len, const struct fmp_addr *source);

#endif
