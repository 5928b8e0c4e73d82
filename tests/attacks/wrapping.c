// SPDX-License-Identifier: GPL-2.0
/*
 * Signature wrapping: what was signed is still there and still verifies, but something
 * else stands where the service looks. The numbers are those of the literature on SAML,
 * carried over to SOAP.
 */
#include "attack.h"
#include "names.h"

#define ROW(c, v, st, k, txt)                                                                  \
	{                                                                                      \
		.class = c, .variant = v, .security = FMP_SECURITY_BCS, .step = FMP_STEP_##st, \
		.kind = FMP_EVENT_##k, .text = txt                                             \
	}
#define XSW(v, k, txt)	  ROW("signature wrapping", v, SIGNATURE, k, txt)
#define EVIL(id)	  SIGNED_BODY(id, EVIL_ORDER)
#define PLAIN_EVIL	  BODY(EVIL_ORDER)
#define WRAPPER(x)	  "<Wrapper xmlns='urn:w'>" x "</Wrapper>"
#define OTHERS(v, k, txt) ROW("Security for another role", v, SIGNATURE, k, txt)
#define WITH_OBJECT(x)                                                                           \
	SECURITY("@K@T<ds:Signature xmlns:ds=\"" DS "\">@S<ds:SignatureValue>@v"                 \
		 "</ds:SignatureValue><ds:KeyInfo><wsse:SecurityTokenReference><wsse:Reference " \
		 "ValueType=\"" X509V3 "\" URI=\"#token\"/></wsse:SecurityTokenReference>"       \
		 "</ds:KeyInfo><ds:Object>" x "</ds:Object></ds:Signature>")
#define OLD_TIME(id)                                                                           \
	"<wsu:Timestamp xmlns:wsu=\"" WSU "\" wsu:Id=\"" id "\"><wsu:Created>@N</wsu:Created>" \
	"<wsu:Expires>2099-01-01T00:00:00Z</wsu:Expires></wsu:Timestamp>"

static const struct attack rows[] = {
	XSW("XSW1: the signed Body in the Header, the same Id outside", WRAPPING,
	    OPEN HEADER("@W" WRAPPER("@B")) EVIL("body") CLOSE),
	XSW("XSW2: the signed Body in the Header, another Id outside", WRAPPING,
	    OPEN HEADER("@W" WRAPPER("@B")) EVIL("evil") CLOSE),
	XSW("XSW3: no Id outside", WRAPPING, OPEN HEADER("@W" WRAPPER("@B")) PLAIN_EVIL CLOSE),
	XSW("XSW4: the signed Body inside the Security header", TOKEN,
	    OPEN HEADER(SECURITY("@K@T@G" WRAPPER("@B"))) EVIL("evil") CLOSE),
	XSW("XSW5: the signed Body in an Object", WRAPPING,
	    OPEN HEADER(WITH_OBJECT("@B")) EVIL("evil") CLOSE),
	XSW("XSW6: the whole message in an Object", WRAPPING,
	    OPEN HEADER(WITH_OBJECT(OPEN "@B" CLOSE)) EVIL("body") CLOSE),
	ROW("signature wrapping", "XSW7: the signed Body inside the false one", SCHEMA, SCHEMA,
	    OPEN HEADER("@W") SIGNED_BODY("evil", ORDER_OPEN ORDER_HEAD "@B</submitOrder>") CLOSE),
	ROW("signature wrapping", "XSW8: a second Body behind the signed one", SOAP, SOAP,
	    OPEN HEADER("@W") "@B" EVIL("evil") CLOSE),
	ROW("signature wrapping", "a second Body before the signed one", SOAP, SOAP,
	    OPEN HEADER("@W") EVIL("evil") "@B" CLOSE),
	XSW("the signed Body in a block for another actor", WRAPPING,
	    OPEN HEADER("@W<a xmlns='urn:a' soapenv:actor='urn:b'>@B</a>") EVIL("evil") CLOSE),
	XSW("the order alone is changed", SIGNATURE, OPEN HEADER("@W") EVIL("body") CLOSE),

	ROW("Timestamp wrapping", "a second one before", SIGNATURE, WRAPPING,
	    OPEN HEADER(SECURITY("@K" OLD_TIME("old") "@T@G")) "@B" CLOSE),
	ROW("Timestamp wrapping", "the signed one in a block", SIGNATURE, WRAPPING,
	    OPEN HEADER(SECURITY("@K" OLD_TIME("new") "@G") WRAPPER("@T")) "@B" CLOSE),
	ROW("Timestamp wrapping", "the same Id", SIGNATURE, WRAPPING,
	    OPEN HEADER(SECURITY("@K" OLD_TIME("ts") "@G") WRAPPER("@T")) "@B" CLOSE),
	ROW("Timestamp wrapping", "other times under the signed Id", SIGNATURE, SIGNATURE,
	    OPEN HEADER(SECURITY("@K" OLD_TIME("ts") "@G")) "@B" CLOSE),
	ROW("Timestamp wrapping", "in a second Security header", SIGNATURE, WRAPPING,
	    OPEN HEADER("@W<s:Security xmlns:s='" WSSE
			"'>" OLD_TIME("new") "</s:Security>") "@B" CLOSE),
	ROW("Timestamp wrapping", "beside the Security header", SIGNATURE, WRAPPING,
	    OPEN HEADER("@T" SECURITY("@K" OLD_TIME("new") "@G")) "@B" CLOSE),

	OTHERS("ours is for somebody else", UNSIGNED,
	       OPEN HEADER(SECURITY_FOR("urn:b", "@K@T@G")) "@B" CLOSE),
	OTHERS("the Signature in it", UNSIGNED,
	       OPEN HEADER(SECURITY_FOR("urn:b", "@G") SECURITY("@K@T")) "@B" CLOSE),
	OTHERS("the signed Timestamp in it, another in ours", WRAPPING,
	       OPEN HEADER(SECURITY_FOR("urn:b", "@T")
				   SECURITY("@K" OLD_TIME("new") "@G")) "@B" CLOSE),
	OTHERS("the signed Timestamp in it, its Id in ours", WRAPPING,
	       OPEN HEADER(SECURITY("@K" OLD_TIME("ts") "@G")
				   SECURITY_FOR("urn:b", "@T")) "@B" CLOSE),
	OTHERS("the token in it", TOKEN,
	       OPEN HEADER(SECURITY_FOR("urn:b", "@K") SECURITY("@T@G")) "@B" CLOSE),
	OTHERS("the signed Body in it", WRAPPING,
	       OPEN HEADER("@W" SECURITY_FOR("urn:b", WRAPPER("@B"))) EVIL("evil") CLOSE),
	OTHERS("the signed Body in it, its Id outside", WRAPPING,
	       OPEN HEADER("@W" SECURITY_FOR("urn:b", "@B")) EVIL("body") CLOSE),
	OTHERS("the same as in ours", WRAPPING,
	       OPEN HEADER(SECURITY_FOR("urn:b", "@K@T@G") "@W") "@B" CLOSE),
	OTHERS("ours behind one for the next", WRAPPING,
	       OPEN HEADER(SECURITY_FOR(NEXT, OLD_TIME("new")) "@W") "@B" CLOSE),
	OTHERS("ours behind one for nobody named", WRAPPING,
	       OPEN HEADER(SECURITY_FOR(" ", OLD_TIME("new")) "@W") "@B" CLOSE),
	OTHERS("two for one role", WRAPPING,
	       OPEN HEADER(SECURITY_FOR("urn:b", "") "@W" SECURITY_FOR(" urn:b", "")) "@B" CLOSE),
	OTHERS("for more roles than there are", WRAPPING,
	       OPEN HEADER("@W" SECURITY_FOR("urn:1", "") SECURITY_FOR("urn:2", "")
				   SECURITY_FOR("urn:3", "") SECURITY_FOR("urn:4", "")
					   SECURITY_FOR("urn:5", "")) "@B" CLOSE),

	ROW("duplicate Ids", "xml:id in the Header", SIGNATURE, WRAPPING,
	    OPEN HEADER("@W<a xmlns='urn:a' xml:id='body'/>") "@B" CLOSE),
	ROW("duplicate Ids", "Id without a namespace", SIGNATURE, WRAPPING,
	    OPEN HEADER("@W<a xmlns='urn:a' Id='body'/>") "@B" CLOSE),
	ROW("duplicate Ids", "ID of the Timestamp", SIGNATURE, WRAPPING,
	    OPEN HEADER("@W<a xmlns='urn:a' ID='ts'/>") "@B" CLOSE),
	ROW("duplicate Ids", "wsu:Id of the token", SIGNATURE, WRAPPING,
	    OPEN HEADER("@W<a xmlns='urn:a' xmlns:wsu='" WSU "' wsu:Id='token'/>") "@B" CLOSE),
	ROW("duplicate Ids", "AssertionID", SIGNATURE, WRAPPING,
	    OPEN HEADER("@W<a xmlns='urn:a' AssertionID='body'/>") "@B" CLOSE),
	ROW("duplicate Ids", "two Ids at the Envelope", SIGNATURE, WRAPPING,
	    "<soapenv:Envelope xmlns:soapenv='" SOAP11 "' xmlns:wsu='" WSU
	    "' wsu:Id='body'>" HEADER("@W") "@B" CLOSE),
	ROW("duplicate Ids", "spelled by a reference", SIGNATURE, WRAPPING,
	    OPEN HEADER("@W<a xmlns='urn:a' Id='b&#111;dy'/>") "@B" CLOSE),

	ROW("namespace injection", "another soapenv in between", SOAP, SOAP,
	    OPEN HEADER("@W") "<soapenv:Body xmlns:soapenv='urn:evil'>" ORDER
			      "</soapenv:Body>" CLOSE),
	ROW("namespace injection", "another wsu at the Body", SIGNATURE, WRAPPING,
	    OPEN HEADER("@W") "<soapenv:Body xmlns:wsu='urn:evil' wsu:Id='body'>" ORDER
			      "</soapenv:Body>" CLOSE),
	ROW("namespace injection", "ds is another", SIGNATURE, TOKEN,
	    OPEN HEADER(SECURITY("@K@T<ds:Signature xmlns:ds='urn:evil'/>")) "@B" CLOSE),
	ROW("namespace injection", "a prefix of the signed name's own", SIGNATURE, SIGNATURE,
	    OPEN HEADER("@W") "<e:Body xmlns:e='" SOAP11 "' xmlns:wsu='" WSU
			      "' wsu:Id='body'>" ORDER "</e:Body>" CLOSE),
	ROW("namespace injection", "another default inside the signed Body", SCHEMA, SCHEMA,
	    OPEN HEADER("@W") SIGNED_BODY(
		    "body", "<submitOrder xmlns='urn:evil'>" ORDER_HEAD ORDER_REST) CLOSE),
};

const struct attack_table attack_wrapping = ROWS(rows);
