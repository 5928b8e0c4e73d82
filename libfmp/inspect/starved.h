/* SPDX-License-Identifier: GPL-2.0 */
/* Whether libxml2 went short of memory over a message: what it says of that one is then no verdict. */
#ifndef FMPI_INSPECT_STARVED_H
#define FMPI_INSPECT_STARVED_H

#include <stdbool.h>

/** fmpi_starved_install() - the process's watch over what libxml2 allocates; once is enough. */
void fmpi_starved_install(void);

/** fmpi_starved_begin() - of this thread: nothing was refused it yet. */
void fmpi_starved_begin(void);

/** fmpi_starved() - of this thread: was there something since? */
bool fmpi_starved(void);

#endif
