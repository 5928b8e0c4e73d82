/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBENCH_WIFI_H
#define _FMPBENCH_WIFI_H

struct fmpbench_source;
struct fmpbench_nic;

struct fmpbench_nic *fmpbench_wifi_get(void);
void fmpbench_wifi_put(struct fmpbench_nic *nic);
void fmpbench_wifi_receive(struct fmpbench_nic *nic, struct fmpbench_source *src, unsigned int n);

#endif /* _FMPBENCH_WIFI_H */
