/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a list of addresses from a file. */
#ifndef FMPCTL_LIST_FILE_H
#define FMPCTL_LIST_FILE_H

#include <fmp/blocklist.h>

/**
 * list_file_load() - read a list as fmp_blocklist_parse() does; warnings go to stderr
 * @l: fmp_blocklist_free() it, also after an error
 * @file: "-": standard input
 *
 * Return: 0; FMP_ERR_SYNTAX with file and line; FMP_ERR_IO; FMP_ERR_NOMEM.
 */
int list_file_load(struct fmp_blocklist *l, const char *file, struct fmp_error *err);

#endif
