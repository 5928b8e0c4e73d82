/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Streaming validation: a message whose tree would be large is validated while it is parsed, before
 * there is a tree. So an invalid message takes no more memory than its text, however many nodes it
 * would make.
 */
#ifndef FMPI_SOAP_STREAMING_VALIDATE_H
#define FMPI_SOAP_STREAMING_VALIDATE_H

#include "schema/schema.h"
#include "xml/screen.h"

/** fmpi_streaming_pays() - would the tree of this screened message take more than 1.5 MiB? */
bool fmpi_streaming_pays(const struct fmpi_shape *shape, size_t len);

/**
 * fmpi_streaming_validate() - is the message well-formed, with one payload that is valid?
 * @s: NULL: only check well-formedness and the number of payloads
 * @fault_passes: do not validate a Fault
 *
 * Refuses only what later stages refuse too; a message that passes here must still pass them.
 * Decides nothing about a root element other than Envelope, nor about texts of more than
 * FMPI_LONG_TEXT bytes.
 * Return: 0; *valid: fmpi_schema_check() would accept it; FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_streaming_validate(const struct fmpi_schema *s, bool fault_passes, const uint8_t *bytes,
			    size_t len, const struct fmpi_shape *shape, bool *valid,
			    struct fmp_inspection *v);

#endif
