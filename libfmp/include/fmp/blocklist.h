/* SPDX-License-Identifier: GPL-2.0 */
/* A list of addresses to block, in the usual formats of published blocklists. */
#ifndef FMP_BLOCKLIST_H
#define FMP_BLOCKLIST_H

#include <fmp/error.h>
#include <fmp/source.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The line has no duration. */
#define FMP_BLOCKLIST_NO_TIME UINT64_MAX

struct fmp_blocklist {
	struct fmp_addr *addr;
	uint64_t *ms; /**< duration of each entry, 0: without end; FMP_BLOCKLIST_NO_TIME */
	size_t n, cap;
};

/**
 * fmp_blocklist_parse() - append the entries of a list to @l
 * @l: to be released by fmp_blocklist_free(), also after an error
 * @file: name for errors
 * @warn: called for a prefix with host bits set, which is cut to its network; may be NULL
 *
 * Each line holds an address, a prefix, a MAC or a range FIRST-LAST, optionally followed by a
 * duration, "for 2h"; "#" and ";" start a comment anywhere in a line. A UTF-8 byte order mark is
 * skipped; a line ends with LF, CR LF or CR. A range becomes the smallest set of prefixes that
 * covers exactly its addresses.
 *
 * Return: 0; FMP_ERR_SYNTAX with file and line; FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int
fmp_blocklist_parse(struct fmp_blocklist *l, const void *bytes, size_t len, const char *file,
		    void (*warn)(const struct fmp_error *warning, void *ctx), void *ctx,
		    struct fmp_error *err);
FMP_API void fmp_blocklist_free(struct fmp_blocklist *l);

#ifdef __cplusplus
}
#endif
#endif
