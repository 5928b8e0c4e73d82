/* SPDX-License-Identifier: GPL-2.0 */
/* The structure of a SOAP 1.1 or 1.2 envelope. */
#ifndef FMPI_SOAP_SOAP_H
#define FMPI_SOAP_SOAP_H

#include "xml/document.h"

/** struct fmpi_soap - parts of the envelope; points into the tree and owns nothing. */
struct fmpi_soap {
	const char *ns; /**< namespace of the envelope */
	xmlNode *header; /**< NULL: there is none */
	xmlNode *body;
	xmlNode *payload; /**< the one child element of the Body; NULL: the Body is empty */
	bool valid; /**< already validated against the schema */
};

/**
 * fmpi_soap_read() - accept exactly: Envelope (Header? Body (one element))
 *
 * Sets v->soap_version. Return: 0, FMPI_REFUSED.
 */
int fmpi_soap_read(xmlDocPtr doc, struct fmpi_soap *out, struct fmp_inspection *v);

/**
 * fmpi_soap_read_envelope() - the same, but the Body may be empty; the caller decides whether it
 * may.
 */
int fmpi_soap_read_envelope(xmlDocPtr doc, struct fmpi_soap *out, struct fmp_inspection *v);
/** fmpi_soap_refuse_empty() - refuse an empty Body. Return: FMPI_REFUSED. */
int fmpi_soap_refuse_empty(const struct fmpi_soap *soap, struct fmp_inspection *v);

#endif
