/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of fmp-flood. */
#ifndef FLOOD_OPTIONS_H
#define FLOOD_OPTIONS_H

#include "engine.h"

enum flood_exit {
	FLOOD_EXIT_OK = 0,
	FLOOD_EXIT_FAILED = 1, /* refused by the system or by flood_target_allowed() */
	FLOOD_EXIT_USAGE = 2,
};

struct flood_options {
	struct flood_config run;
	const char *url, *key, *cert, *ca;
	bool own_target; /* --i-own-the-target */
	bool help, version;
};

/*
 * Fills o, including defaults; strings point into argv. Return: 0; FMP_ERR_SYNTAX, FMP_ERR_INVALID with a sentence
 * about the option.
 */
int flood_options_parse(struct flood_options *o, int argc, char **argv, struct fmp_error *err);
void flood_options_free(struct flood_options *o);

/* A decimal number within limits. Return: 0, FMP_ERR_SYNTAX. */
int flood_number(const char *option, const char *text, double min, double max, double *out,
		 struct fmp_error *err);

#endif
