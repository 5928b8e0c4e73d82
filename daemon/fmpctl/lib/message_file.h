/* SPDX-License-Identifier: GPL-2.0 */
/* The arguments of fmpctl inspect: a message from a file, a time from text. */
#ifndef FMPCTL_MESSAGE_FILE_H
#define FMPCTL_MESSAGE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <fmp/error.h>

/** message_file_read() - whole file, "-" is standard input. Return: 0 and bytes to free(). */
FMP_MUST_CHECK int message_file_read(const char *path, unsigned char **bytes, size_t *len,
				     struct fmp_error *err);
/** timestamp_parse() - "2026-11-21T04:00:00Z", with fraction or offset, or "@EPOCH" -> seconds since
 * 1970. Return: 0, FMP_ERR_SYNTAX, also for one that this machine's time_t does not hold. */
FMP_MUST_CHECK int timestamp_parse(const char *text, int64_t *seconds);

#endif
