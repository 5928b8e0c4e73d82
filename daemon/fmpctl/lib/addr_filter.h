/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses and prefixes on the command line, by which records are chosen. */
#ifndef FMPCTL_ADDR_FILTER_H
#define FMPCTL_ADDR_FILTER_H

#include "control_client.h"

struct addr_filter {
	struct fmp_addr *addr;
	size_t n;
};

/** addr_filter_parse() - Return: 0, or EXIT_USAGE with the reason said. */
int addr_filter_parse(struct addr_filter *f, const char *command, int argc, char **argv);
void addr_filter_free(struct addr_filter *f);

/**
 * addr_filter_apply() - keep what touches one of the addresses
 * @kind: of the records that have an address; those that follow one belong to it
 *
 * An address touches a record of itself, of its MAC, of a prefix in it, or of one around it.
 * Without addresses all stay.
 */
void addr_filter_apply(const struct addr_filter *f, const char *kind, struct records *l);

#endif
