/* SPDX-License-Identifier: GPL-2.0 */
/* Where a message says it is to be taken, and where the answer is to go: SOAPAction, WS-Addressing. */
#ifndef FMPI_SOAP_ADDRESSING_H
#define FMPI_SOAP_ADDRESSING_H

#include "schema/schema.h"
#include "soap.h"

/**
 * fmpi_addressing_check() - answers go back over the connection, and there is one action
 *
 * ReplyTo, FaultTo and AcksTo may name no address but the anonymous one and none: a
 * service would send to whoever stands there, or read it. wsa:Action and SOAPAction,
 * where both are there, are the same.
 * @soap_action: of HTTP; NULL or "": none
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_addressing_check(const struct fmpi_soap *soap, const char *soap_action,
			  struct fmp_inspection *v);

/** fmpi_addressing_action() - the wsa:Action; "": none, or not one that can be told. */
const char *fmpi_addressing_action(const struct fmpi_soap *soap);

/**
 * fmpi_action_check() - is what the message says it is for what the Body holds?
 *
 * A service that goes by the action would run another operation than the one that
 * was inspected. Actions are free text; one is refused whose last word is another
 * element of the schema than the payload, with or without a "Request" behind it. With
 * a WSDL the payload is that of an operation, and the action, if there is one, is its; for
 * an empty Body there must be one, if several operations take that.
 * @answer: of the service
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_action_check(const struct fmpi_soap *soap, const char *soap_action, bool answer,
		      const struct fmpi_schema *s, struct fmp_inspection *v);

#endif
