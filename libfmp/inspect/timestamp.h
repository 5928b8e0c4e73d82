/* SPDX-License-Identifier: GPL-2.0 */
/* wsu:Timestamp against the clock that the caller passes in. */
#ifndef FMPI_INSPECT_TIMESTAMP_H
#define FMPI_INSPECT_TIMESTAMP_H

#include "inspect/document.h"

/**
 * fmpi_time_parse() - "2026-11-21T01:56:47.952Z" -> ms since 1970
 *
 * UTC only, years 1970 to 9999, up to nine digits of a second's fraction, of which
 * three count. Return: 0, FMP_ERR_SYNTAX.
 */
int fmpi_time_parse(const char *text, int64_t *ms);

/** struct fmpi_lifetime - in ms since 1970 */
struct fmpi_lifetime {
	int64_t created_ms;
	int64_t until_ms; /**< from then on it is refused, skew and largest age counted in */
};

/**
 * fmpi_timestamp_check() - one Created, at most one Expires, and now between them
 * @now_s: seconds since 1970
 * @skew_ms: tolerance at both ends
 * @max_age_ms: 0: no limit but Expires, which must then be there
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_timestamp_check(const xmlNode *timestamp, int64_t now_s, uint64_t skew_ms,
			 uint64_t max_age_ms, struct fmpi_lifetime *out, struct fmp_inspection *v);

#endif
