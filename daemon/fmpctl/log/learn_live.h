/* SPDX-License-Identifier: GPL-2.0 */
/* Feeds learn with the events of a running fmpd. */
#ifndef FMPCTL_LEARN_LIVE_H
#define FMPCTL_LEARN_LIVE_H

#include "../lib/fmpctl.h"
#include "learn.h"

/** learn_live() - @duration_ms: time to listen. Return: 0, FMP_ERR_IO, FMP_ERR_CLOSED, FMP_ERR_SYNTAX, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int learn_live(const struct ctl *ctl, struct learn *l, uint64_t duration_ms,
			      struct fmp_error *err);

#endif
