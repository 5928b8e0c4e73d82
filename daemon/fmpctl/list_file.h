/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a list of addresses as blocklists are published. */
#ifndef FMPCTL_LIST_FILE_H
#define FMPCTL_LIST_FILE_H

#include <stddef.h>

#include <fmp/source.h>

/** LIST_FILE_NO_TIME - the line names no duration. */
#define LIST_FILE_NO_TIME UINT64_MAX

struct list_file {
	struct fmp_addr *addr;
	uint64_t *ms; /**< its own duration, 0: without end; LIST_FILE_NO_TIME */
	size_t n, cap;
};

/**
 * list_file_load() - read a list; list_file_free() it, also after an error
 * @file: "-": standard input
 *
 * Each line holds an address, a prefix, a MAC or a range FIRST-LAST, and its duration if "for 2h" stands
 * behind it, as of `fmpctl blocks --export`; "#" and ";" begin a comment
 * anywhere in a line. A UTF-8 byte order mark and CRLF line ends are skipped. A prefix with bits
 * behind its length is cut to its network, and a warning on stderr says so. A range becomes the
 * fewest prefixes that hold exactly its addresses.
 *
 * Return: 0; FMP_ERR_SYNTAX with file and line; FMP_ERR_IO; FMP_ERR_NOMEM.
 */
int list_file_load(struct list_file *l, const char *file, struct fmp_error *err);
void list_file_free(struct list_file *l);

#endif
