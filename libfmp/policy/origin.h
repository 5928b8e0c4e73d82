/* SPDX-License-Identifier: GPL-2.0 */
/* The positions in the files at which a policy's settings were written. */
#ifndef FMPI_POLICY_ORIGIN_H
#define FMPI_POLICY_ORIGIN_H

#include <fmp/internal/policy_xml.h>

#define FMPI_ELEMENTS_MAX 64

struct fmpi_origin {
	struct fmp_positions where;
	struct fmp_position events[FMP_EVENT_KINDS];
	struct fmp_position elements[FMPI_ELEMENTS_MAX]; /* the last of each, by fmpi_elements */
	struct fmp_position devices[8];
	char *files[FMPI_INCLUDES_MAX]; /* names, referenced by the positions */
	bool is_base[FMPI_INCLUDES_MAX];
};

/** fmpi_origin_new() - take the positions, and ownership of the file names, from a reader that has
 * finished */
FMP_MUST_CHECK int fmpi_origin_new(struct fmpi_reader *r);
void fmpi_origin_free(struct fmpi_origin *o);

#endif
