/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPI_MIME_PRIVATE_H
#define FMPI_MIME_PRIVATE_H

#include <fmp/internal/mime.h>

/* fmp_mime.state */
enum {
	PREAMBLE,
	DELIMITER, /* behind the boundary */
	DASH, /* one '-' behind the boundary */
	PADDING, /* white space behind the boundary */
	LINE_END, /* CR behind the boundary */
	HEADER,
	BODY,
	EPILOGUE,
	REFUSED,
};

/** fmpi_mime_refuse() - Return: FMP_MIME_REFUSED, now and from now on. */
static inline enum fmp_mime_event fmpi_mime_refuse(struct fmp_mime *m, enum fmp_event_kind kind,
						   const char *detail)
{
	m->state = REFUSED;
	m->kind = kind;
	m->detail = detail;
	return FMP_MIME_REFUSED;
}

/** fmpi_mime_read_header() - read the fields in m->header into m->part. Return: PART or REFUSED. */
enum fmp_mime_event fmpi_mime_read_header(struct fmp_mime *m);
/** fmpi_mime_reduce_id() - one form of all Content-IDs that some receiver takes for the same. */
void fmpi_mime_reduce_id(const char *id, char out[FMP_MIME_ID]);

#endif
