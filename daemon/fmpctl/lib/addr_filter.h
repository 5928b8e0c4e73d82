/* SPDX-License-Identifier: GPL-2.0 */
/* Selects records by the addresses, prefixes and MACs of the command line. */
#ifndef FMPCTL_ADDR_FILTER_H
#define FMPCTL_ADDR_FILTER_H

#include "control_client.h"

struct addr_filter {
	struct fmp_addr *addr;
	size_t n;
};

/** addr_filter_parse() - Return: 0; EXIT_USAGE with the reason printed. */
int addr_filter_parse(struct addr_filter *f, const char *command, int argc, char **argv);
void addr_filter_free(struct addr_filter *f);

/**
 * addr_filter_apply() - keep the records that match one of the addresses
 * @kind: of the records that have an address; the records after one belong to it
 *
 * A record matches if it has the address, its MAC, a prefix inside it or a prefix around it. Without
 * addresses all records stay.
 */
void addr_filter_apply(const struct addr_filter *f, const char *kind, struct records *l);

#endif
