/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access logs: the common and the combined format of Web servers, and that of the gateway, which
 * says the kind itself. Pure.
 */
#ifndef FMPCTL_LOG_ACCESS_H
#define FMPCTL_LOG_ACCESS_H

#include "log_entry.h"

#define ACCESS_STATUS_MAX 600

/** struct access_map - status of an answer -> kind of the event, -1: it says nothing of the client */
struct access_map {
	short kind[ACCESS_STATUS_MAX];
};

/** access_map_default() - 2xx and 3xx are good, what a strict server refuses is bad, the rest says nothing. */
void access_map_default(struct access_map *m);
/** access_map_add() - "404=http", "4xx=http", "500=none". Return: 0, FMP_ERR_SYNTAX. */
FMP_MUST_CHECK int access_map_add(struct access_map *m, const char *text);

/** access_parse_line() - Return: 1 and an entry, 0 if it says nothing, FMP_ERR_SYNTAX. */
FMP_MUST_CHECK int access_parse_line(const struct access_map *m, const char *line,
				     struct log_entry *e);

#endif
