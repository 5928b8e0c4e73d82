/* SPDX-License-Identifier: GPL-2.0 */
/* Reports the figures of a run as JSON. */
#ifndef FLOOD_REPORT_H
#define FLOOD_REPORT_H

#include "engine.h"

/* file: "-": stdout. Return: 0, FMP_ERR_IO, FMP_ERR_NOMEM. */
int flood_report_json(const struct flood_engine *e, const char *file, struct fmp_error *err);

/* Return: time to block in ms, from sending the last answered request to sending the first unanswered one; negative:
 * the source is not blocked or was never answered. */
double flood_report_block_ms(const struct flood_block *b);
/* Return: good responses per second after the warm-up. */
double flood_report_good_per_s(const struct flood_engine *e);
/* Return: frames sent by the device while requests were sent. */
uint64_t flood_report_frames(const struct flood_engine *e);

#endif
