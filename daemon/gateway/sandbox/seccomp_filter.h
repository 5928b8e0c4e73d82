/* SPDX-License-Identifier: GPL-2.0 */
/* Allow-lists of system calls, one for each role of the gateway's processes. */
#ifndef GW_SECCOMP_FILTER_H
#define GW_SECCOMP_FILTER_H

#include <seccomp.h>
#include <stdint.h>

enum gw_role {
	GW_ROLE_LISTENER, /* serves the sockets */
	GW_ROLE_FORK_SERVER, /* fork server and key agent: fork processes for workers */
	GW_ROLE_WORKER, /* worker, or the key agent's process for one: only uses its open sockets */
	GW_ROLE_DNS_HELPER, /* resolves names: reads files of the C library, asks servers */
};

/**
 * gw_seccomp_filter_new() - the filter of a role
 * @arch: SCMP_ARCH_NATIVE; another one only for tests
 *
 * Return: for seccomp_release(); NULL: no memory, or libseccomp does not know the architecture.
 */
scmp_filter_ctx gw_seccomp_filter_new(enum gw_role role, uint32_t arch);

#endif
