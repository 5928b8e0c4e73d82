/* SPDX-License-Identifier: GPL-2.0 */
/* Looks up a group's id. */
#ifndef FMP_GROUP_H
#define FMP_GROUP_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * fmp_group_find() - getgrnam() in a child process, which fmpd waits for
 *
 * Name services for groups that are in no file (systemd, a directory service) leave code in the
 * memory of the calling process. Return: does the group exist? Then *gid is its id.
 */
bool fmp_group_find(const char *name, gid_t *gid);

#endif
