/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMP_PRIVILEGES_H
#define FMP_PRIVILEGES_H

#include <fmp/error.h>

/** fmp_privileges_drop() - as root: drop all capabilities that fmpd does not need; otherwise do
 * nothing. */
FMP_MUST_CHECK int fmp_privileges_drop(struct fmp_error *err);

#endif
