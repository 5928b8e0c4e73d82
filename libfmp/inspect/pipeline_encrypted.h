/* SPDX-License-Identifier: GPL-2.0 */
/* The part of the pipeline for security BcE and BcES. */
#ifndef FMPI_INSPECT_PIPELINE_ENCRYPTED_H
#define FMPI_INSPECT_PIPELINE_ENCRYPTED_H

#include "view.h"

/**
 * fmpi_pipeline_encrypted() - decrypt a message, check it as a clear one, forward it
 *
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM, FMP_ERR_IO.
 */
int fmpi_pipeline_encrypted(struct fmp_inspector *i, const struct fmp_message *m,
			    struct fmpi_view *w, struct fmp_inspection *v);

#endif
