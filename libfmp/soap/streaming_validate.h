/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A message whose tree would be large is looked at as it is read, before there is a tree: so
 * what is not valid takes no more memory than its text, however many nodes that would make.
 */
#ifndef FMPI_SOAP_STREAMING_VALIDATE_H
#define FMPI_SOAP_STREAMING_VALIDATE_H

#include "schema/schema.h"
#include "xml/screen.h"

/** fmpi_streaming_pays() - would the tree of what was screened take more than 1.5 MiB? */
bool fmpi_streaming_pays(const struct fmpi_shape *shape, size_t len);

/**
 * fmpi_streaming_validate() - is it well-formed, with one payload, that is valid?
 * @s: NULL: nobody asks for more than well-formedness and one payload
 * @fault_passes: a Fault is no payload of the schema's
 *
 * Refuses early, and only what the steps behind it refuse: what is not refused has still to
 * pass them. Says nothing of what is no Envelope, nor of a text of over FMPI_LONG_TEXT bytes.
 * Return: 0, with *valid: fmpi_schema_check() would say nothing else; FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_streaming_validate(const struct fmpi_schema *s, bool fault_passes, const uint8_t *bytes,
			    size_t len, const struct fmpi_shape *shape, bool *valid,
			    struct fmp_inspection *v);

#endif
