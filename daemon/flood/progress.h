/* SPDX-License-Identifier: GPL-2.0 */
/* What a person sees of a run: a line that lives, and a summary. */
#ifndef FLOOD_PROGRESS_H
#define FLOOD_PROGRESS_H

#include "engine.h"

/* One line to stderr: overwritten in place on a terminal, else one a second. */
void flood_progress_line(const struct flood_engine *e, uint64_t now_ns);
/* Ends the line that lives. */
void flood_progress_end(const struct flood_engine *e);
/* The summary, to stdout. */
void flood_progress_summary(const struct flood_engine *e);

#endif
