/* SPDX-License-Identifier: GPL-2.0 */
/* Lines of `fmpctl --json watch`. Pure. */
#ifndef FMPCTL_LOG_WATCH_H
#define FMPCTL_LOG_WATCH_H

#include "log_entry.h"

/**
 * watch_parse_line() - an event, or a decision that a person took
 *
 * Return: 1 and an entry, 0 if it is another record, FMP_ERR_SYNTAX, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int watch_parse_line(const char *line, size_t len, struct log_entry *e);

#endif
