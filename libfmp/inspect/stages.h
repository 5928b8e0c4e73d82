/* SPDX-License-Identifier: GPL-2.0 */
/* Stages that both pipelines call: that of clear messages and that of encrypted ones. */
#ifndef FMPI_INSPECT_STAGES_H
#define FMPI_INSPECT_STAGES_H

#include "verified_signature.h"
#include "view.h"

/**
 * fmpi_stage_includes() - refuse an xop:Include that was not resolved; fmpi_stage_payload() calls it,
 * and whoever has no schema
 */
int fmpi_stage_includes(const struct fmp_message *m, const struct fmpi_soap *soap,
			struct fmp_inspection *v);

/** fmpi_stage_payload() - validate the payload, and compare it with the action that is named */
int fmpi_stage_payload(struct fmp_inspector *i, const struct fmp_message *m,
		       const struct fmpi_soap *soap, struct fmp_inspection *v);

/**
 * fmpi_stage_signature() - read the Security header and verify its signature
 * @encrypted: FMP_ENCRYPTED_BIT()s of what is encrypted in this view
 */
int fmpi_stage_signature(struct fmp_inspector *i, const struct fmp_message *m,
			 const struct fmpi_view *w, unsigned encrypted,
			 struct fmpi_verified_signature *p, struct fmp_inspection *v);

/** fmpi_stage_output_signed() - verify the signature and forward what it covers */
int fmpi_stage_output_signed(struct fmp_inspector *i, const struct fmp_message *m,
			     struct fmpi_view *w, struct fmp_inspection *v);

#endif
