/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBENCH_VETH_H
#define _FMPBENCH_VETH_H

struct fmpbench_source;
struct fmpbench_nic;

struct fmpbench_nic *fmpbench_veth_get(void);
void fmpbench_veth_put(struct fmpbench_nic *nic);
void fmpbench_veth_receive(struct fmpbench_nic *nic, struct fmpbench_source *src, unsigned int n);

#endif /* _FMPBENCH_VETH_H */
