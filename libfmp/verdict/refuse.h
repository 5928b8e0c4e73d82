/* SPDX-License-Identifier: GPL-2.0 */
/* How a step says no: every step of the ladder fills the verdict in the same way. */
#ifndef FMPI_VERDICT_REFUSE_H
#define FMPI_VERDICT_REFUSE_H

#include <fmp/inspect.h>

/** What a step returns when it refuses a message; 0 passes, negative codes are failures of ours. */
#define FMPI_REFUSED 1

/**
 * fmpi_refuse() - fill the verdict
 *
 * Control characters in the text become '?', it is cut at a character's border:
 * much of it comes from the sender.
 * Return: FMPI_REFUSED.
 */
int fmpi_refuse(struct fmp_inspection *v, enum fmp_step step, enum fmp_event_kind kind,
		unsigned line, const char *fmt, ...) FMP_PRINTF(5, 6);

/**
 * fmpi_not_yet() - refused for a time that is still to come, which a clock that is behind would say of any
 * @refused: of fmpi_refuse()
 */
static inline int fmpi_not_yet(struct fmp_inspection *v, int refused)
{
	v->not_yet = true;
	return refused;
}

/** fmpi_step_done() - the time since the last step was done is this one's. */
void fmpi_step_done(struct fmp_inspection *v, enum fmp_step step);

#endif
