/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPI_WSS_PASSWORDS_H
#define FMPI_WSS_PASSWORDS_H

#include "username.h"

#define FMPI_MAX_USER	  64u
#define FMPI_MAX_PASSWORD 128u
#define FMPI_MAX_USERS	  4096u

/** fmpi_passwords_find() - all are looked at, whichever it is; NULL: no such user. */
const char *fmpi_passwords_find(const struct fmpi_passwords *p, const char *user);

#endif
