/* SPDX-License-Identifier: GPL-2.0 */
/* The figures of a run, as JSON. */
#ifndef FLOOD_REPORT_H
#define FLOOD_REPORT_H

#include "engine.h"

/* file: "-" is stdout. Return: 0, FMP_ERR_IO, FMP_ERR_NOMEM. */
int flood_report_json(const struct flood_engine *e, const char *file, struct fmp_error *err);

/* Time to block in ms: from the sending of the last request answered to that of the first one
 * that was not; negative if the source isn't blocked or never was answered. */
double flood_report_block_ms(const struct flood_block *b);
/* Good answers a second in the window after the warm-up. */
double flood_report_good_per_s(const struct flood_engine *e);
/* Frames that the device sent while requests were being sent. */
uint64_t flood_report_frames(const struct flood_engine *e);

#endif
