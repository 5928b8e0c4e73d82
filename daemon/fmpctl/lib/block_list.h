/* SPDX-License-Identifier: GPL-2.0 */
/* Many blocks by hand: a file of addresses. */
#ifndef FMPCTL_BLOCK_LIST_H
#define FMPCTL_BLOCK_LIST_H

#include "fmpctl.h"

#include <fmp/wire.h>

/**
 * block_list() - block every address of a file
 * @file: as list_file_load() reads it; "-": standard input
 * @set: NULL, or the named set whose blocks it replaces
 * @yes: one's own SSH session is not asked about, see own_session_confirm()
 * @common: writes the fields that all of them share into a request
 *
 * A line that is no address is said with its number, and then nothing is blocked.
 * Return: an exit code; EXIT_PARTLY if a layer did not enforce all of them.
 */
int block_list(const struct ctl *ctl, const char *file, const char *set, bool yes,
	       void (*common)(struct fmp_wire_out *w));

#endif
