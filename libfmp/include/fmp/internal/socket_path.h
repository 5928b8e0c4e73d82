/* SPDX-License-Identifier: GPL-2.0 */
/* The paths of fmpd's sockets. */
#ifndef FMP_SOCKET_PATH_H
#define FMP_SOCKET_PATH_H

#include <stddef.h>

/** fmp_control_user_path() - the control socket of an fmpd that the user runs:
 * $XDG_RUNTIME_DIR/fmp-control, else /tmp/fmp-UID/control. Return: buf; NULL for root, whose fmpd
 * is the system-wide one: anybody could create the folder. */
const char *fmp_control_user_path(char *buf, size_t size);
/** fmp_beside_path() - the path of a file beside the control socket: /run/fmp/NAME. Return: buf. */
const char *fmp_beside_path(const char *control, const char *name, char *buf, size_t size);
/** fmp_report_path() - the report socket beside the control socket: /run/fmp/report. Return: buf. */
const char *fmp_report_path(const char *control, char *buf, size_t size);

#endif
