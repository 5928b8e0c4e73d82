// SPDX-License-Identifier: GPL-2.0
/* What a SOAP message says of itself. */
#include "attack.h"
#include "names.h"

#define ROW(c, v, sec, st, k, txt)                                                               \
	{                                                                                        \
		.class = c, .variant = v, .security = FMP_SECURITY_##sec, .step = FMP_STEP_##st, \
		.kind = FMP_EVENT_##k, .text = txt                                               \
	}
#define SOAP_ROW(c, v, txt) ROW(c, v, BC, SOAP, SOAP, txt)
#define ACTION(v, sec, act, txt)                                                              \
	{                                                                                     \
		.class = "SOAPAction spoofing", .variant = v, .security = FMP_SECURITY_##sec, \
		.step = FMP_STEP_SOAP, .kind = FMP_EVENT_SOAP, .action = act, .text = txt     \
	}
#define WSA_HEADER(x) OPEN HEADER(x) BODY(ORDER) CLOSE
#define ADDRESS(ns, name, uri) \
	"<wsa:" name " xmlns:wsa='" ns "'><wsa:Address>" uri "</wsa:Address></wsa:" name ">"
#define WSA_ACTION(ns, uri) "<wsa:Action xmlns:wsa='" ns "'>" uri "</wsa:Action>"

static const struct attack rows[] = {
	SOAP_ROW("parts of the Envelope", "two Bodies", OPEN BODY(ORDER) BODY(ORDER) CLOSE),
	SOAP_ROW("parts of the Envelope", "two Headers",
		 OPEN HEADER("") HEADER("") BODY(ORDER) CLOSE),
	SOAP_ROW("parts of the Envelope", "the Header behind the Body",
		 OPEN BODY(ORDER) HEADER("") CLOSE),
	SOAP_ROW("parts of the Envelope", "an element behind the Body",
		 OPEN BODY(ORDER) ORDER CLOSE),
	SOAP_ROW("parts of the Envelope", "an element before the Header",
		 OPEN "<a/>" HEADER("") BODY(ORDER) CLOSE),
	SOAP_ROW("parts of the Envelope", "no Body", OPEN HEADER("") CLOSE),
	ROW("parts of the Envelope", "an empty Body", BCV, SOAP, SOAP, MESSAGE("")),
	SOAP_ROW("parts of the Envelope", "two operations", MESSAGE(ORDER ORDER)),
	SOAP_ROW("parts of the Envelope", "an Envelope in the Envelope", OPEN MESSAGE(ORDER) CLOSE),
	SOAP_ROW("parts of the Envelope", "an Envelope for the Body",
		 OPEN BODY(ORDER) MESSAGE(ORDER) CLOSE),
	SOAP_ROW("parts of the Envelope", "the Body of the other version",
		 OPEN "<b:Body xmlns:b='" SOAP12 "'>" ORDER "</b:Body>" CLOSE),
	SOAP_ROW("parts of the Envelope", "a namespace that nobody knows",
		 "<e:Envelope xmlns:e='" SOAP11 "x'><e:Body>" ORDER "</e:Body></e:Envelope>"),
	SOAP_ROW("parts of the Envelope", "text beside the Body", OPEN "x" BODY(ORDER) CLOSE),
	SOAP_ROW("parts of the Envelope", "text beside the operation", MESSAGE("x" ORDER)),
	SOAP_ROW("parts of the Envelope", "no Envelope", ORDER),
	ROW("parts of the Envelope", "a Fault for a request", BCV, SCHEMA, SCHEMA,
	    MESSAGE("<soapenv:Fault><faultcode>soapenv:Server</faultcode><faultstring/>"
		    "</soapenv:Fault>")),

	ACTION("an operation that is not in the Body", BCV, "urn:fmp:orders#submitOrderResponse",
	       MESSAGE(ORDER)),
	ACTION("the same as a path", BCV, "http://example.org/orders/submitOrderResponse",
	       MESSAGE(ORDER)),
	ACTION("the same by wsa:Action", BCV, NULL,
	       WSA_HEADER(WSA_ACTION(WSA, "urn:fmp:orders/submitOrderResponse"))),
	ACTION("HTTP and wsa:Action differ", BC, "urn:fmp:orders/submitOrder",
	       WSA_HEADER(WSA_ACTION(WSA, "urn:fmp:orders/cancelOrder"))),
	ACTION("HTTP and the older wsa:Action differ", BC, "urn:fmp:orders/submitOrder",
	       WSA_HEADER(WSA_ACTION(WSA04, "urn:fmp:orders/cancelOrder"))),
	ACTION("two wsa:Actions", BC, "urn:fmp:orders/submitOrder",
	       WSA_HEADER(WSA_ACTION(WSA, "urn:fmp:orders/submitOrder")
				  WSA_ACTION(WSA, "urn:fmp:orders/cancelOrder"))),
	ACTION("a wsa:Action with elements", BC, NULL,
	       WSA_HEADER(WSA_ACTION(WSA, "urn:fmp:orders/<a/>submitOrder"))),

	SOAP_ROW("WS-Addressing spoofing", "ReplyTo another host",
		 WSA_HEADER(ADDRESS(WSA, "ReplyTo", "http://192.0.2.1/flood"))),
	SOAP_ROW("WS-Addressing spoofing", "FaultTo another host",
		 WSA_HEADER(ADDRESS(WSA, "FaultTo", "http://192.0.2.1/flood"))),
	SOAP_ROW("WS-Addressing spoofing", "ReplyTo of the older version",
		 WSA_HEADER(ADDRESS(WSA04, "ReplyTo", "http://192.0.2.1/flood"))),
	SOAP_ROW("WS-Addressing spoofing", "ReplyTo a file",
		 WSA_HEADER(ADDRESS(WSA, "ReplyTo", "file:///etc/passwd"))),
	SOAP_ROW("WS-Addressing spoofing", "two ReplyTo",
		 WSA_HEADER(ADDRESS(WSA, "ReplyTo", WSA "/anonymous")
				    ADDRESS(WSA, "ReplyTo", WSA "/none"))),
	SOAP_ROW("WS-Addressing spoofing", "ReplyTo without an Address",
		 WSA_HEADER("<wsa:ReplyTo xmlns:wsa='" WSA "'>http://192.0.2.1/</wsa:ReplyTo>")),
	SOAP_ROW("WS-Addressing spoofing", "two Addresses",
		 WSA_HEADER("<wsa:ReplyTo xmlns:wsa='" WSA "'><wsa:Address>" WSA
			    "/anonymous</wsa:Address><wsa:Address>http://192.0.2.1/</wsa:Address>"
			    "</wsa:ReplyTo>")),
	SOAP_ROW("WS-Addressing spoofing", "a comment in the Address",
		 WSA_HEADER(ADDRESS(WSA, "ReplyTo", WSA "/anonymous<!-- -->.example.org"))),

	ROW("SOAP array", "a size that nobody sent", BCV, SCHEMA, SCHEMA,
	    MESSAGE("<submitOrder xmlns='urn:fmp:orders' xmlns:enc='http://schemas.xmlsoap.org/soap/"
		    "encoding/' xmlns:xs='http://www.w3.org/2001/XMLSchema' "
		    "enc:arrayType='xs:string[1000000000]'>" ORDER_HEAD ORDER_REST)),
	ROW("SOAP array", "of SOAP 1.2", BCV, SCHEMA, SCHEMA,
	    "<e:Envelope xmlns:e='" SOAP12 "'><e:Body><submitOrder xmlns='urn:fmp:orders' "
	    "xmlns:enc='http://www.w3.org/2003/05/soap-encoding' enc:itemType='x' "
	    "enc:arraySize='2147483647'>" ORDER_HEAD ORDER_REST "</e:Body></e:Envelope>"),
	ROW("SOAP array", "many dimensions", BCV, SCHEMA, SCHEMA,
	    MESSAGE("<submitOrder xmlns='urn:fmp:orders' xmlns:enc='http://schemas.xmlsoap.org/soap/"
		    "encoding/' enc:arrayType='x[9999,9999,9999][]' enc:offset='[9]'>" ORDER_HEAD
			    ORDER_REST)),
	ROW("SOAP array", "references to other elements", BCV, SCHEMA, SCHEMA,
	    MESSAGE(ORDER_OPEN "<orderId href='#a'/>" ORDER_REST)),

	ROW("mustUnderstand and actor", "a block that nobody understands", BCS, SIGNATURE,
	    UNSUPPORTED, OPEN HEADER("<a xmlns='urn:a' soapenv:mustUnderstand='1'/>@W") "@B" CLOSE),
	ROW("mustUnderstand and actor", "for the next one", BCS, SIGNATURE, UNSUPPORTED,
	    OPEN HEADER("<a xmlns='urn:a' soapenv:actor='" NEXT
			"' soapenv:mustUnderstand='1'/>@W") "@B" CLOSE),
	ROW("mustUnderstand and actor", "for another role, by the other SOAP", BCS, SIGNATURE,
	    UNSUPPORTED,
	    OPEN HEADER("<a xmlns='urn:a' xmlns:e='" SOAP12 "' e:role='urn:b' actor='urn:b' "
			"soapenv:mustUnderstand='1'/>@W") "@B" CLOSE),
	ROW("mustUnderstand and actor", "what sounds like an address", BCS, SIGNATURE, UNSUPPORTED,
	    OPEN HEADER("<a:Forward xmlns:a='" WSA
			"' soapenv:mustUnderstand='1'>urn:b</a:Forward>@W") "@B" CLOSE),
	ROW("mustUnderstand and actor", "an address twice", BCS, SIGNATURE, WRAPPING,
	    OPEN HEADER("<a:To xmlns:a='" WSA "' soapenv:mustUnderstand='1'>urn:b</a:To><a:To "
			"xmlns:a='" WSA04
			"' soapenv:mustUnderstand='1'>urn:c</a:To>@W") "@B" CLOSE),
	ROW("mustUnderstand and actor", "an answer to somebody else", BCS, SOAP, SOAP,
	    OPEN HEADER("<a:FaultTo xmlns:a='" WSA "' soapenv:mustUnderstand='1'><a:Address>"
			"http://192.0.2.1/</a:Address></a:FaultTo>@W") "@B" CLOSE),
	SOAP_ROW("mustUnderstand and actor", "neither 0 nor 1",
		 OPEN HEADER("<a xmlns='urn:a' soapenv:mustUnderstand='maybe'/>") BODY(ORDER)
			 CLOSE),
	SOAP_ROW("mustUnderstand and actor", "nothing",
		 OPEN HEADER("<a xmlns='urn:a' soapenv:mustUnderstand=''/>") BODY(ORDER) CLOSE),
	SOAP_ROW("mustUnderstand and actor", "two words",
		 OPEN HEADER("<a xmlns='urn:a' soapenv:mustUnderstand='1 0'/>") BODY(ORDER) CLOSE),
	ROW("mustUnderstand and actor", "Security for the next one beside ours", BCS, SIGNATURE,
	    WRAPPING,
	    OPEN HEADER("<wsse:Security xmlns:wsse='" WSSE "' soapenv:actor='" NEXT
			"'/>@W") "@B" CLOSE),

	ROW("attachments", "a MIME multipart for a message", BC, SCREEN, WELLFORMED,
	    "--b\r\nContent-Type: application/xop+xml\r\n\r\n" MESSAGE(ORDER) "\r\n--b--\r\n"),
	ROW("attachments", "xop:Include of another host", BCV, SCHEMA, SCHEMA,
	    MESSAGE(ORDER_OPEN "<orderId><xop:Include xmlns:xop='" XOP
			       "' href='http://192.0.2.1/x'/></orderId>" ORDER_REST)),
	ROW("attachments", "xop:Include of a file", BCV, SCHEMA, SCHEMA,
	    MESSAGE(ORDER_OPEN ORDER_HEAD
		    "<customer><xop:Include xmlns:xop='" XOP
		    "' href='file:///etc/passwd'/></customer></submitOrder>")),
	ROW("attachments", "a part by href", BCV, SCHEMA, SCHEMA,
	    MESSAGE(ORDER_OPEN "<orderId href='cid:1@@x'>1</orderId>" ORDER_REST)),
	ROW("attachments", "xop:Include without a schema", BC, SOAP, SOAP,
	    MESSAGE("<q><xop:Include xmlns:xop='" XOP "' href='http://192.0.2.1/x'/></q>")),
	ROW("attachments", "xop:Include by a character reference", BC, SOAP, SOAP,
	    MESSAGE("<q><i:Include xmlns:i='http://www.w3.org/2004/08/xop/incl&#117;de' "
		    "href='file:///etc/passwd'/></q>")),
	ROW("attachments", "xop:Include as the Body", BCV, SCHEMA, SCHEMA,
	    MESSAGE("<xop:Include xmlns:xop='" XOP "' href='cid:1'/>")),
};

const struct attack_table attack_envelope = ROWS(rows);
