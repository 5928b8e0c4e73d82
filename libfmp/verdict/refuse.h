/* SPDX-License-Identifier: GPL-2.0 */
/* Refusing a message: every stage of the pipeline fills the verdict in the same way. */
#ifndef FMPI_VERDICT_REFUSE_H
#define FMPI_VERDICT_REFUSE_H

#include <fmp/inspect.h>

/**
 * A step returns this when it refuses a message, 0 when the message passes, and a negative code
 * when it fails itself.
 */
#define FMPI_REFUSED 1

/**
 * fmpi_refuse() - fill the verdict
 *
 * Much of the text comes from the sender: control characters become '?', and a text that is too
 * long is cut between characters.
 * Return: FMPI_REFUSED.
 */
int fmpi_refuse(struct fmp_inspection *v, enum fmp_step step, enum fmp_event_kind kind,
		unsigned line, const char *fmt, ...) FMP_PRINTF(5, 6);

/**
 * fmpi_not_yet() - mark a refusal as caused by a time in the future, which a clock that is behind
 * would find in any message
 * @refused: result of fmpi_refuse()
 */
static inline int fmpi_not_yet(struct fmp_inspection *v, int refused)
{
	v->not_yet = true;
	return refused;
}

/** fmpi_step_done() - charge the time since the last call to this step. */
void fmpi_step_done(struct fmp_inspection *v, enum fmp_step step);

#endif
