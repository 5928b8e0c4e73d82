/* SPDX-License-Identifier: GPL-2.0 */
/* SOAP Faults, serialised by gSOAP. They name the step that refused, and no internals. */
#ifndef GW_FAULT_H
#define GW_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/inspect.h>

/** struct gw_fault - the bytes stay valid until the next gw_fault_make() in the process */
struct gw_fault {
	int status; /**< HTTP status according to the SOAP binding */
	const char *content_type;
	const char *body;
	size_t len;
};

/** Reasons that belong to no step of the pipeline. */
#define GW_REASON_BACKEND	 "The service is not available"
#define GW_REASON_FAILED	 "The message could not be processed"
#define GW_REASON_CLOCK		 "The clock of this device is not set"
#define GW_REASON_DECRYPT_BUDGET "Messages under CBC are not decrypted now"
#define GW_REASON_CRL		 "The revocation lists of this device are out of date"

/** gw_fault_reason() - the sentence that the client gets for a step. */
const char *gw_fault_reason(enum fmp_step step);

/**
 * gw_fault_make() - serialise a Fault
 * @soap_version: 12; anything else: 11
 * @sender: the client's fault, otherwise ours
 */
struct gw_fault gw_fault_make(int soap_version, bool sender, const char *reason);

#endif
