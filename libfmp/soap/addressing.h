/* SPDX-License-Identifier: GPL-2.0 */
/* Actions and endpoints of a message: SOAPAction, WS-Addressing. */
#ifndef FMPI_SOAP_ADDRESSING_H
#define FMPI_SOAP_ADDRESSING_H

#include "schema/schema.h"
#include "soap.h"

/**
 * fmpi_addressing_check() - check that answers go back over the connection, and that there is one
 * action
 * @soap_action: of HTTP; NULL or "": none
 *
 * ReplyTo, FaultTo and AcksTo may name no address but anonymous and none: a service would send to
 * any other, or read from it. If wsa:Action and SOAPAction are both present, they must be equal.
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_addressing_check(const struct fmpi_soap *soap, const char *soap_action,
			  struct fmp_inspection *v);

/** fmpi_addressing_action() - the wsa:Action; "": none, or not valid. */
const char *fmpi_addressing_action(const struct fmpi_soap *soap);

/**
 * fmpi_action_check() - does the action match the content of the Body?
 * @answer: it is an answer of the service
 *
 * A service that dispatches by action would run another operation than the one inspected. With a
 * WSDL the payload must belong to an operation, and the action, if present, to the same one; for an
 * empty Body an action is required if several operations take one. With an XSD, where actions are
 * free text, an action is refused whose last word names another element of the schema than the
 * payload, with or without "Request" at its end.
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_action_check(const struct fmpi_soap *soap, const char *soap_action, bool answer,
		      const struct fmpi_schema *s, struct fmp_inspection *v);

#endif
