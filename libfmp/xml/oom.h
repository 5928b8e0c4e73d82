/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Out-of-memory tracker: did libxml2 run out of memory while it read a message? Its result is then
 * no verdict.
 */
#ifndef FMPI_XML_OOM_H
#define FMPI_XML_OOM_H

#include <stdbool.h>

/**
 * fmpi_oom_install() - wrap libxml2's allocators for the whole process; calling it again is
 * harmless.
 */
void fmpi_oom_install(void);

/** fmpi_oom_begin() - for this thread: forget earlier failures. */
void fmpi_oom_begin(void);

/** fmpi_oom_happened() - for this thread: has an allocation failed since? */
bool fmpi_oom_happened(void);

#endif
