/* SPDX-License-Identifier: GPL-2.0 */
/* Which system calls the gateway's processes may make: an allow-list for each role. */
#ifndef GW_SECCOMP_FILTER_H
#define GW_SECCOMP_FILTER_H

#include <seccomp.h>
#include <stdint.h>

enum gw_role {
	GW_ROLE_LISTENER, /* the sockets */
	GW_ROLE_FORK_SERVER, /* forks workers, or their keepers */
	GW_ROLE_WORKER, /* talks to the listener and its keeper only; keepers to it */
	GW_ROLE_DNS_HELPER, /* resolves names by whatever the C library is told to: reads files, asks servers */
};

/**
 * gw_seccomp_filter_new() - the filter of a role
 * @arch: SCMP_ARCH_NATIVE; another than this machine's where the filter is only looked at
 *
 * Return: for seccomp_release(); NULL: no memory, or an architecture that this libseccomp
 * does not know.
 */
scmp_filter_ctx gw_seccomp_filter_new(enum gw_role role, uint32_t arch);

#endif
