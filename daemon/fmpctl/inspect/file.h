/* SPDX-License-Identifier: GPL-2.0 */
/* One file of `fmpctl inspect`: a SOAP message, or raw HTTP, which its first line tells. */
#ifndef FMPCTL_INSPECT_FILE_H
#define FMPCTL_INSPECT_FILE_H

#include "run.h"

/** inspect_file() - "-" is standard input. Return: 0; EXIT_USAGE: it can't be read, or run->failed. */
int inspect_file(struct inspect_run *r, const char *file);

#endif
