/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMP_ENFORCE_CUT_H
#define FMP_ENFORCE_CUT_H

#include <libmnl/libmnl.h>

#include <fmp/source.h>

/* Return: false if the message tells of no connection. */
bool fmpi_cut_parse(const struct nlmsghdr *nlh, struct fmp_addr *peer, uint16_t *local_port);

#endif
