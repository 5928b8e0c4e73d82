// SPDX-License-Identifier: GPL-2.0
/* A header block that the policy names: smuggled in beside the signed one, or made to look like it. */
#include "headers.h"

#include "attack.h"

#define ROW(c, v, st, k, ...)                                                                  \
	{                                                                                      \
		.class = c, .variant = v, .security = FMP_SECURITY_BCS, .step = FMP_STEP_##st, \
		.kind = FMP_EVENT_##k, .headers = true, .text = __VA_ARGS__                    \
	}
#define SIGNED_TOO    .info = SIGNED_INFO(REF_TIME REF_BODY REF_ROUTE)
#define UNSIGNED_INFO .info = SIGNED_INFO(REF_TIME REF_BODY)
#define MUST	      " soapenv:mustUnderstand=\"1\""
#define ALIKE(ns, more) \
	"<r:route xmlns:r=\"" ns "\" xmlns:e=\"" SOAP12 "\"" more ">elsewhere</r:route>"

static const struct attack rows[] = {
	ROW("header smuggling", "an unsigned one behind", SIGNATURE, UNSIGNED,
	    ROUTED(ROUTE OTHER_ROUTE("")), SIGNED_TOO),
	ROW("header smuggling", "an unsigned one in front", SIGNATURE, UNSIGNED,
	    OPEN HEADER(OTHER_ROUTE("") "@W" ROUTE) "@B" CLOSE, SIGNED_TOO),
	ROW("header smuggling", "one for the next", SIGNATURE, UNSIGNED,
	    ROUTED(ROUTE OTHER_ROUTE(" soapenv:actor=\"" NEXT "\"")), SIGNED_TOO),
	ROW("header smuggling", "one for an empty role", SIGNATURE, UNSIGNED,
	    ROUTED(ROUTE OTHER_ROUTE(" soapenv:actor=\"\"")), SIGNED_TOO),
	ROW("header smuggling", "the signed one twice", SIGNATURE, WRAPPING, ROUTED(ROUTE ROUTE),
	    SIGNED_TOO),
	ROW("header smuggling", "not signed", SIGNATURE, UNSIGNED, ROUTED(ROUTE), UNSIGNED_INFO),
	ROW("header smuggling", "changed", SIGNATURE, SIGNATURE,
	    ROUTED(ROUTE_WITH("", "elsewhere")), SIGNED_TOO),
	ROW("header smuggling", "none", SIGNATURE, UNSIGNED, ROUTED(""), UNSIGNED_INFO),
	ROW("header moved", "for another role", SIGNATURE, UNSIGNED,
	    ROUTED(ROUTE_WITH(" soapenv:actor=\"urn:b\"", "here")), SIGNED_TOO),
	ROW("header moved", "into another block", SIGNATURE, WRAPPING,
	    ROUTED("<a xmlns=\"urn:a\">" ROUTE "</a>" OTHER_ROUTE("")), SIGNED_TOO),
	ROW("header moved", "into a block alone", SIGNATURE, UNSUPPORTED,
	    ROUTED("<a xmlns=\"urn:a\">" ROUTE "</a>"), SIGNED_TOO),
	ROW("header moved", "into the Security header", SIGNATURE, TOKEN,
	    OPEN HEADER(SECURITY("@K@T@G" ROUTE)) "@B" CLOSE, SIGNED_TOO),
	ROW("header moved", "into the Body", SOAP, SOAP,
	    OPEN HEADER("@W") "<soapenv:Body>" ROUTE ORDER "</soapenv:Body>" CLOSE, UNSIGNED_INFO),
	ROW("header moved", "behind the Body", SOAP, SOAP, OPEN HEADER("@W") "@B" ROUTE CLOSE,
	    SIGNED_TOO),
	ROW("header of another name", "another namespace", SIGNATURE, UNSIGNED,
	    ROUTED(ALIKE(ATTACK_ROUTE "/", "")), UNSIGNED_INFO),
	ROW("header of another name", "the namespace in capitals", SIGNATURE, UNSIGNED,
	    ROUTED(ALIKE("URN:FMP:ATTACKS", "")), UNSIGNED_INFO),
	ROW("header of another name", "the namespace with a blank", PARSE, WELLFORMED,
	    ROUTED(ALIKE(ATTACK_ROUTE " ", "")), UNSIGNED_INFO),
	ROW("header of another name", "must be understood, in another namespace", SIGNATURE,
	    UNSUPPORTED, ROUTED(ROUTE ALIKE("urn:fmp:attack", MUST)), SIGNED_TOO),
};

const struct attack_table attack_headers = ROWS(rows);
