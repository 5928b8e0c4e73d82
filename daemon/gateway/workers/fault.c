// SPDX-License-Identifier: GPL-2.0
#include "fault.h"

#include <string.h>

#include "soapH.h"

/* gSOAP's shared library looks this up by name; each fault sets its own. */
#pragma GCC visibility push(default)
struct Namespace namespaces[] = {
	{ "SOAP-ENV", "http://schemas.xmlsoap.org/soap/envelope/", NULL, NULL },
	{ NULL, NULL, NULL, NULL },
};
#pragma GCC visibility pop

static const struct Namespace soap12[] = {
	{ "SOAP-ENV", "http://www.w3.org/2003/05/soap-envelope", NULL, NULL },
	{ NULL, NULL, NULL, NULL },
};

/* Sent if memory runs out while serialising. */
static const char last_resort[] =
	"<SOAP-ENV:Envelope xmlns:SOAP-ENV=\"http://schemas.xmlsoap.org/soap/envelope/\">"
	"<SOAP-ENV:Body><SOAP-ENV:Fault><faultcode>SOAP-ENV:Server</faultcode>"
	"<faultstring>Out of memory</faultstring></SOAP-ENV:Fault></SOAP-ENV:Body>"
	"</SOAP-ENV:Envelope>";

const char *gw_fault_reason(enum fmp_step step)
{
	switch (step) {
	case FMP_STEP_HTTP:
		return "The request is not acceptable HTTP";
	case FMP_STEP_SCREEN:
	case FMP_STEP_PARSE:
		return "The message is not acceptable XML";
	case FMP_STEP_SOAP:
		return "The message is not a proper SOAP envelope";
	case FMP_STEP_SCHEMA:
		return "The message does not follow the schema of the service";
	case FMP_STEP_TIMESTAMP:
	case FMP_STEP_SIGNATURE:
	case FMP_STEP_DECRYPT:
		/* One sentence for all three: naming the failed one would help only an attacker. */
		return "The security of the message could not be verified";
	case FMP_STEP_CONTENT:
		return "The content of the message is not acceptable";
	default:
		return GW_REASON_FAILED;
	}
}

static bool serialise_fault(struct soap *soap, const char **text)
{
	soap->os = text;
	soap_serializeheader(soap);
	soap_serializefault(soap);
	return !soap_begin_send(soap) && !soap_envelope_begin_out(soap) &&
	       !soap_body_begin_out(soap) && !soap_putfault(soap) && !soap_body_end_out(soap) &&
	       !soap_envelope_end_out(soap) && !soap_end_send(soap);
}

struct gw_fault gw_fault_make(int soap_version, bool sender, const char *reason)
{
	static struct soap *soap;
	bool v12 = soap_version == 12;
	struct gw_fault fault = {
		.status = v12 && sender ? 400 : 500,
		.content_type = v12 ? "application/soap+xml; charset=utf-8"
				    : "text/xml; charset=utf-8",
	};

	if (soap) {
		soap_destroy(soap);
		soap_end(soap);
	} else {
		soap = soap_new1(SOAP_ENC_PLAIN | SOAP_C_UTFSTRING);
	}
	if (soap) {
		soap_set_namespaces(soap, v12 ? soap12 : namespaces);
		soap->version = v12 ? 2 : 1;
		if (sender)
			soap_sender_fault(soap, reason, NULL);
		else
			soap_receiver_fault(soap, reason, NULL);
		if (serialise_fault(soap, &fault.body) && fault.body) {
			fault.len = strlen(fault.body);
			return fault;
		}
	}
	fault.status = 500;
	fault.content_type = "text/xml; charset=utf-8";
	fault.body = last_resort;
	fault.len = sizeof(last_resort) - 1;
	return fault;
}
