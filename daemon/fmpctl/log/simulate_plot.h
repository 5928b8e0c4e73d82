/* SPDX-License-Identifier: GPL-2.0 */
/* The rank of a simulated source over time, drawn. */
#ifndef FMPCTL_SIMULATE_PLOT_H
#define FMPCTL_SIMULATE_PLOT_H

#include "simulate.h"

/** plot_text() - in characters, on standard output; blocked times as # under the axis. */
void plot_text(const struct fmp_policy *policy, const struct simulation *s, unsigned width);
/** plot_file() - NAME.svg or NAME.png, by gnuplot. Return: 0, FMP_ERR_UNSUPPORTED if there is no
 * gnuplot, FMP_ERR_IO, FMP_ERR_INVALID for another name. */
FMP_MUST_CHECK int plot_file(const struct fmp_policy *policy, const struct simulation *s,
			     const char *file, struct fmp_error *err);

#endif
