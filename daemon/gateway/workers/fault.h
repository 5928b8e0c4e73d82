/* SPDX-License-Identifier: GPL-2.0 */
/* SOAP Faults, serialised by gSOAP. They say the step that refused, nothing of our insides. */
#ifndef GW_FAULT_H
#define GW_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/inspect.h>

/** struct gw_fault - the bytes live until the next gw_fault_make() of the process */
struct gw_fault {
	int status; /**< HTTP status that the binding wants */
	const char *content_type;
	const char *body;
	size_t len;
};

/** Reasons that are no step of the ladder. */
#define GW_REASON_BACKEND "The service is not available"
#define GW_REASON_FAILED  "The message could not be processed"
#define GW_REASON_CLOCK	  "The clock of this device is not set"
#define GW_REASON_TRIES	  "Messages under CBC are not decrypted now"
#define GW_REASON_LISTS	  "The revocation lists of this device are out of date"

/** gw_fault_reason() - the sentence that a client is told of a step. */
const char *gw_fault_reason(enum fmp_step step);

/**
 * gw_fault_make()
 * @soap_version: 11, 12; anything else: 11
 * @sender: the client's fault, else ours
 */
struct gw_fault gw_fault_make(int soap_version, bool sender, const char *reason);

#endif
