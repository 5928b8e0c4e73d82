/* SPDX-License-Identifier: GPL-2.0 */
/* Terminal output of a run: a progress line and a summary. */
#ifndef FLOOD_PROGRESS_H
#define FLOOD_PROGRESS_H

#include "engine.h"

/* Writes the progress line to stderr; on a terminal it overwrites the last one. */
void flood_progress_line(const struct flood_engine *e, uint64_t now_ns);
/* Clears the progress line. */
void flood_progress_end(const struct flood_engine *e);
/* Writes the summary to stdout. */
void flood_progress_summary(const struct flood_engine *e);

#endif
