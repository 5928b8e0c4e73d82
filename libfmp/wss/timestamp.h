/* SPDX-License-Identifier: GPL-2.0 */
/* Checks of a wsu:Timestamp against the time that the caller passes in. */
#ifndef FMPI_WSS_TIMESTAMP_H
#define FMPI_WSS_TIMESTAMP_H

#include "xml/document.h"

/** Most bytes of a time, white space included: no real one is longer. */
#define FMPI_MAX_TIME 128

/**
 * fmpi_time_parse() - " 2026-11-21T03:56:47.952+02:00 " -> ms since 1970
 *
 * Reads all that xs:dateTime allows (XSD 1.0 part 2, 3.2.7): white space around it, any offset up to 14
 * hours, 24:00:00, any number of digits of a second's fraction, cut to three. Without an
 * offset it is UTC (WS-Security 1.1.1, 10). Years from 0001 to 99999; no leap seconds.
 * Return: 0, FMP_ERR_SYNTAX.
 */
int fmpi_time_parse(const char *text, int64_t *ms);

/** struct fmpi_lifetime - in ms since 1970 */
struct fmpi_lifetime {
	int64_t created_ms;
	int64_t until_ms; /**< from then on it is refused, skew and maximum age included */
};

/**
 * fmpi_timestamp_check() - check for one Created, at most one Expires, and now between them
 * @now_s: seconds since 1970
 * @skew_ms: tolerance at both ends
 * @max_age_ms: 0: no limit but Expires, which must then be there
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_timestamp_check(const xmlNode *timestamp, int64_t now_s, uint64_t skew_ms,
			 uint64_t max_age_ms, struct fmpi_lifetime *out, struct fmp_inspection *v);

/**
 * fmpi_timestamp_check_time() - check a time of creation that stands in for a Timestamp
 * @max_age_ms: it expires after that; 0: refused
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_timestamp_check_time(const xmlNode *created, int64_t now_s, uint64_t skew_ms,
			      uint64_t max_age_ms, struct fmpi_lifetime *out,
			      struct fmp_inspection *v);

#endif
