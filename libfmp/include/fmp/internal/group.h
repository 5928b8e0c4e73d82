/* SPDX-License-Identifier: GPL-2.0 */
/* A group's number. */
#ifndef FMP_GROUP_H
#define FMP_GROUP_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * fmp_group_find() - getgrnam() in another process, which fmpd waits for
 *
 * What answers for a group that is in no file (systemd, a directory service) stays in the memory
 * of who asked it. Return: is there one? Then *gid is its number.
 */
bool fmp_group_find(const char *name, gid_t *gid);

#endif
