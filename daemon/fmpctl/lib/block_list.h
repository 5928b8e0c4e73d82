/* SPDX-License-Identifier: GPL-2.0 */
/* fmpctl block --file: blocks a file of addresses in a few requests, optionally as a named set. */
#ifndef FMPCTL_BLOCK_LIST_H
#define FMPCTL_BLOCK_LIST_H

#include "fmpctl.h"

#include <fmp/wire.h>

/**
 * block_list() - block every address in a file
 * @file: as list_file_load() reads it; "-": standard input
 * @set: NULL, or the named set whose blocks it replaces
 * @yes: do not ask about the own SSH session, see own_session_confirm()
 * @common: puts the fields that all blocks share into a request
 *
 * A line that is no address is printed with its number, and nothing is blocked.
 * Return: an exit code; EXIT_PARTLY if a layer did not enforce all of them.
 */
int block_list(const struct ctl *ctl, const char *file, const char *set, bool yes,
	       void (*common)(struct fmp_wire_out *w));

#endif
