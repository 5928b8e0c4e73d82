/* SPDX-License-Identifier: GPL-2.0 */
/* What the protected set needs of the net view. Valid until the next refresh. */
#ifndef FMP_ENFORCE_NEIGHBOUR_H
#define FMP_ENFORCE_NEIGHBOUR_H

#include <enforce/addrset.h>
#include <fmp/net.h>

const struct fmpi_addrset *fmpi_net_own(const struct fmp_net *net);
const struct fmpi_addrset *fmpi_net_own_macs(const struct fmp_net *net);
const struct fmpi_addrset *fmpi_net_gateways(const struct fmp_net *net);
const struct fmpi_addrset *fmpi_net_gateway_macs(const struct fmp_net *net);
const struct fmpi_addrset *fmpi_net_points(const struct fmp_net *net);

#endif
