/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The MAC address in the SYN of a connection (TCP_SAVE_SYN, tcp(7)). Any host on the link can
 * change a neighbour entry with one forged message; the SYN comes from the source itself.
 */
#ifndef GW_SYN_H
#define GW_SYN_H

#include <stddef.h>

#include <fmp/source.h>

/**
 * gw_syn_save() - save the SYN of each connection accepted from now on; no effect before Linux
 * 5.10.
 */
void gw_syn_save(int listen_fd);
/**
 * gw_syn_mac() - MAC of a connection just accepted; once, the kernel drops the SYN then. Return:
 * {0}: unknown, as with SYN cookies and on loopback.
 */
struct fmp_addr gw_syn_mac(int fd, const struct fmp_addr *source);
/**
 * gw_syn_parse() - parse the saved Ethernet, IP and TCP headers. Return: {0}: no MAC in them. Pure.
 */
struct fmp_addr gw_syn_parse(const uint8_t *bytes, size_t len, const struct fmp_addr *source);

#endif
