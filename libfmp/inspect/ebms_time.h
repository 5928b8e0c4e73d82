/* SPDX-License-Identifier: GPL-2.0 */
/* The time of an AS4 message (ebMS 3.0), which has no wsu:Timestamp. */
#ifndef FMPI_INSPECT_EBMS_TIME_H
#define FMPI_INSPECT_EBMS_TIME_H

#include "inspector.h"
#include "wss/timestamp.h"

/**
 * fmpi_ebms_messaging() - the one eb:Messaging of this message whose time may stand in for a Timestamp
 *
 * The policy must name the block, and not as one that may be unsigned: fmpi_named_headers_check()
 * then refuses it unless the signature covers it.
 * Return: NULL: there is none, or two.
 */
const xmlNode *fmpi_ebms_messaging(const struct fmp_inspector *i, const struct fmpi_soap *soap);

/**
 * fmpi_ebms_check_time() - check eb:MessageInfo/eb:Timestamp of each message unit; max-age must be set
 * @out: of the oldest
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_ebms_check_time(const struct fmp_inspector *i, const xmlNode *messaging, int64_t now_s,
			 struct fmpi_lifetime *out, struct fmp_inspection *v);

#endif
