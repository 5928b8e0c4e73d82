/* SPDX-License-Identifier: GPL-2.0 */
/* Whether libxml2 went short of memory over a message: what it says of that one is then no verdict. */
#ifndef FMPI_XML_OOM_H
#define FMPI_XML_OOM_H

#include <stdbool.h>

/** fmpi_oom_install() - the process's watch over what libxml2 allocates; once is enough. */
void fmpi_oom_install(void);

/** fmpi_oom_begin() - of this thread: nothing was refused it yet. */
void fmpi_oom_begin(void);

/** fmpi_oom_happened() - of this thread: was there something since? */
bool fmpi_oom_happened(void);

#endif
