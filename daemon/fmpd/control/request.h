/* SPDX-License-Identifier: GPL-2.0 */
/* Decode one request of a control client, and check its bounds; without I/O. */
#ifndef FMPD_REQUEST_H
#define FMPD_REQUEST_H

#include <stdbool.h>

#include <fmp/control.h>
#include <fmp/decision.h>
#include <fmp/event.h>

/** FMPD_NO_EVENT - reply to an event that decodes, but has an invalid value. */
#define FMPD_NO_EVENT "the report has a value that no event may have, or names no source's address"

/** FMPD_DURATION_MAX_MS - a hundred years: longer ones are mistakes, and could overflow sums of times. */
#define FMPD_DURATION_MAX_MS (100ull * 365 * 24 * 3600 * 1000)

struct fmpd_request {
	uint16_t type; /**< enum fmp_ctl_type, or FMP_MSG_EVENT */
	struct fmp_addr addr; /**< {0}: not given */
	bool has_duration, has_layers, has_manual;
	bool manual, verify, except_kept;
	uint64_t duration_ms;
	unsigned layers;
	char reason[160];
	char set[FMP_SET_NAME_MAX]; /**< "": not given */
	char file[256];
	struct fmp_event event; /**< of FMP_MSG_EVENT */
	struct fmp_wire_in
		many; /**< of FMP_CTL_BLOCK_MANY and FMP_CTL_SET_KEEP: all fields; points into the message */
};

/**
 * fmpd_request_decode() - the rest of a parsed message
 *
 * Return: 0; FMP_ERR_SYNTAX: it does not decode: close the client;
 * FMP_ERR_UNSUPPORTED, FMP_ERR_INVALID with a text: refused; the client may send more.
 */
FMP_MUST_CHECK int fmpd_request_decode(struct fmp_wire_in *in, struct fmpd_request *out,
				       struct fmp_error *err);

#endif
