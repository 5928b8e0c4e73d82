/* SPDX-License-Identifier: GPL-2.0 */
/* Draws the rank of a simulated source over time. */
#ifndef FMPCTL_SIMULATE_PLOT_H
#define FMPCTL_SIMULATE_PLOT_H

#include "simulate.h"

/** plot_text() - draw in characters on standard output; blocked times as # under the axis. */
void plot_text(const struct fmp_policy *policy, const struct simulation *s, unsigned width);
/** plot_file() - draw NAME.svg or NAME.png by gnuplot. Return: 0; FMP_ERR_UNSUPPORTED: gnuplot is not
 * installed; FMP_ERR_IO; FMP_ERR_INVALID: another suffix. */
FMP_MUST_CHECK int plot_file(const struct fmp_policy *policy, const struct simulation *s,
			     const char *file, struct fmp_error *err);

#endif
