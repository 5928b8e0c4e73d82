/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of fmpd. */
#ifndef FMPD_OPTIONS_H
#define FMPD_OPTIONS_H

#include <stdbool.h>

#include <fmp/internal/endpoint.h>
#include "log.h"

struct fmpd_options {
	const char *policy;
	const char *listen, *backend; /**< both NULL: no gateway, only reports of other programs */
	const char *gateway; /**< program; NULL: beside fmpd, else the installed one */
	const char *control; /**< NULL: the default */
	const char *resolv_conf; /**< NULL: the system's */
	enum fmpd_log_format log_format;
	const char *state; /**< file, or "none"; NULL: as the policy says */
	unsigned layers; /**< bits of --enforce */
	bool required; /**< --enforce named the layers: one that is not available is an error */
	char devices[8][16];
	unsigned n_devices; /**< 0: as the policy says */
	bool foreground, teardown;
	struct fmp_endpoint endpoint; /**< of listen */
};

/** fmpd_options_parse() - Return: 0 go on, 1 done (--help, --version), 2 usage error, printed already. */
int fmpd_options_parse(struct fmpd_options *o, int argc, char **argv);

#endif
