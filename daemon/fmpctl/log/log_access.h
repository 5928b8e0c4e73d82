/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads access logs: the common and the combined format of Web servers, and the gateway's format, which
 * includes the event kind. Pure.
 */
#ifndef FMPCTL_LOG_ACCESS_H
#define FMPCTL_LOG_ACCESS_H

#include "log_entry.h"

#define ACCESS_STATUS_MAX 600

/** struct access_map - HTTP status -> event kind; -1: the status says nothing about the client */
struct access_map {
	short kind[ACCESS_STATUS_MAX];
};

/** access_map_default() - 2xx and 3xx are good; the refusals of a strict server are bad; the rest is -1. */
void access_map_default(struct access_map *m);
/** access_map_add() - "404=http", "4xx=http", "500=none". Return: 0, FMP_ERR_SYNTAX. */
FMP_MUST_CHECK int access_map_add(struct access_map *m, const char *text);

/** access_parse_line() - Return: 1 and an entry; 0: the line says nothing about the client; FMP_ERR_SYNTAX. */
FMP_MUST_CHECK int access_parse_line(const struct access_map *m, const char *line,
				     struct log_entry *e);

#endif
