/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPD_PRIVILEGES_H
#define FMPD_PRIVILEGES_H

#include <fmp/error.h>

/** fmpd_privileges_drop() - as root: keep only what the plane needs; else nothing to do. */
FMP_MUST_CHECK int fmpd_privileges_drop(struct fmp_error *err);

#endif
