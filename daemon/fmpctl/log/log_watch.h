/* SPDX-License-Identifier: GPL-2.0 */
/* Reads lines of `fmpctl --json watch`. Pure. */
#ifndef FMPCTL_LOG_WATCH_H
#define FMPCTL_LOG_WATCH_H

#include "log_entry.h"

/**
 * watch_parse_line() - read an event, a manual decision, or a fact about link and protection
 *
 * Return: 1 and an entry; 0: another record; FMP_ERR_SYNTAX; FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int watch_parse_line(const char *line, size_t len, struct log_entry *e);

#endif
