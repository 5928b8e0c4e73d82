/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Publish the counters: in a file that is replaced at an interval, and by HTTP on a unix or loopback socket. A child
 * without rights reads HTTP, and asks for the text by one byte: fmpd never sees what a client sends.
 */
#ifndef FMPD_METRICS_H
#define FMPD_METRICS_H

#include <event2/event.h>

#include "exposition.h"

struct fmpd_metrics;

FMP_MUST_CHECK int fmpd_metrics_new(struct event_base *base, const struct fmpd_show *show,
				    const struct fmpd_state_writer *state,
				    struct fmpd_metrics **out, struct fmp_error *err);
/** fmpd_metrics_decision() - count the time that a decision took. */
void fmpd_metrics_decision(struct fmpd_metrics *m, const struct fmpd_record *r);
/** fmpd_metrics_check() - can a policy's metrics be served? If so, fmpd_metrics_policy() must be next. */
FMP_MUST_CHECK int fmpd_metrics_check(struct fmpd_metrics *m, const struct fmp_policy *policy,
				      struct fmp_error *err);
/** fmpd_metrics_policy() - another policy is in force. */
void fmpd_metrics_policy(struct fmpd_metrics *m);
void fmpd_metrics_free(struct fmpd_metrics *m);

#endif
