/* SPDX-License-Identifier: GPL-2.0 */
/* The shape of a SOAP 1.1 or 1.2 envelope. */
#ifndef FMPI_SOAP_SOAP_H
#define FMPI_SOAP_SOAP_H

#include "xml/document.h"

/** struct fmpi_soap - where things are in the tree; nothing owned. */
struct fmpi_soap {
	const char *ns; /**< of the envelope */
	xmlNode *header; /**< NULL if there is none */
	xmlNode *body;
	xmlNode *payload; /**< the one child element of the Body; NULL: it is empty */
	bool valid; /**< the schema has been asked already */
};

/**
 * fmpi_soap_read() - exactly: Envelope (Header? Body (one element)), and nothing else
 *
 * Sets v->soap_version. Return: 0, FMPI_REFUSED.
 */
int fmpi_soap_read(xmlDocPtr doc, struct fmpi_soap *out, struct fmp_inspection *v);

/** fmpi_soap_read_envelope() - the same, but that the Body may be empty: for who knows whether this one may. */
int fmpi_soap_read_envelope(xmlDocPtr doc, struct fmpi_soap *out, struct fmp_inspection *v);
/** fmpi_soap_refuse_empty() - Return: FMPI_REFUSED. */
int fmpi_soap_refuse_empty(const struct fmpi_soap *soap, struct fmp_inspection *v);

#endif
