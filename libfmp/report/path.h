/* SPDX-License-Identifier: GPL-2.0 */
/* Where the control socket of an fmpd without root stands. */
#ifndef FMPI_REPORT_PATH_H
#define FMPI_REPORT_PATH_H

#include <stddef.h>

/** fmpi_control_user_path() - $XDG_RUNTIME_DIR/fmp-control, else /tmp/fmp-UID/control. Return: buf. */
const char *fmpi_control_user_path(char *buf, size_t size);

#endif
