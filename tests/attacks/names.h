/* SPDX-License-Identifier: GPL-2.0 */
/* Pieces of text that the tables are written in. */
#ifndef FMP_TESTS_ATTACK_NAMES_H
#define FMP_TESTS_ATTACK_NAMES_H

#define SOAP11 "http://schemas.xmlsoap.org/soap/envelope/"
#define SOAP12 "http://www.w3.org/2003/05/soap-envelope"
#define OASIS  "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-"
#define WSSE   OASIS "wssecurity-secext-1.0.xsd"
#define WSU    OASIS "wssecurity-utility-1.0.xsd"
#define X509V3 OASIS "x509-token-profile-1.0#X509v3"
#define BASE64 OASIS "soap-message-security-1.0#Base64Binary"
#define DS     "http://www.w3.org/2000/09/xmldsig#"
#define DSMORE "http://www.w3.org/2001/04/xmldsig-more#"
#define EXC    "http://www.w3.org/2001/10/xml-exc-c14n#"
#define C14N   "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
#define XENC   "http://www.w3.org/2001/04/xmlenc#"
#define XENC11 "http://www.w3.org/2009/xmlenc11#"
#define SAML2  "urn:oasis:names:tc:SAML:2.0:assertion"
#define SAMLID "http://docs.oasis-open.org/wss/oasis-wss-saml-token-profile-1.1#SAMLID"
#define XPATH  "http://www.w3.org/TR/1999/REC-xpath-19991116"
#define FILTER "http://www.w3.org/2002/06/xmldsig-filter2"
#define XSLT   "http://www.w3.org/TR/1999/REC-xslt-19991116"
#define NEXT   "http://schemas.xmlsoap.org/soap/actor/next"
#define WSA    "http://www.w3.org/2005/08/addressing"
#define WSA04  "http://schemas.xmlsoap.org/ws/2004/08/addressing"
#define XSI    "http://www.w3.org/2001/XMLSchema-instance"
#define XOP    "http://www.w3.org/2004/08/xop/include"

#define DECLARATION "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
#define OPEN	    "<soapenv:Envelope xmlns:soapenv=\"" SOAP11 "\">"
#define CLOSE	    "</soapenv:Envelope>"
#define BODY(x)	    "<soapenv:Body>" x "</soapenv:Body>"
#define HEADER(x)   "<soapenv:Header>" x "</soapenv:Header>"
#define MESSAGE(x)  OPEN BODY(x) CLOSE

#define ITEM	       "<item><sku>ABC-000001</sku><qty>1</qty><price>1.00</price></item>"
#define ORDER_HEAD     "<orderId>1</orderId>"
#define ORDER_CUSTOMER "<customer>M. Brandt</customer><date>2026-11-21T02:00:00Z</date>"
#define ORDER_REST     ORDER_CUSTOMER ITEM "</submitOrder>"
#define ORDER_OPEN     "<submitOrder xmlns=\"urn:fmp:orders\">"
#define ORDER	       ORDER_OPEN ORDER_HEAD ORDER_REST

/* What is signed is written in its canonical form. */
#define SIGNED_BODY(id, content)                                                        \
	"<soapenv:Body xmlns:soapenv=\"" SOAP11 "\" xmlns:wsu=\"" WSU "\" wsu:Id=\"" id \
	"\">" content "</soapenv:Body>"
#define EVIL_ORDER                                                                \
	ORDER_OPEN "<orderId>666</orderId><customer>M. Allory</customer>"         \
		   "<date>2026-11-21T02:00:00Z</date><item><sku>BAD-666666</sku>" \
		   "<qty>9999</qty><price>0.01</price></item></submitOrder>"
#define SECURITY(x) \
	"<wsse:Security xmlns:wsse=\"" WSSE "\" soapenv:mustUnderstand=\"1\">" x "</wsse:Security>"
#define SECURITY_FOR(role, x) \
	"<wsse:Security xmlns:wsse=\"" WSSE "\" soapenv:actor=\"" role "\">" x "</wsse:Security>"

#define REFERENCE(uri, transforms, method, value)                                            \
	"<ds:Reference" uri "><ds:Transforms>" transforms "</ds:Transforms>"                 \
	"<ds:DigestMethod Algorithm=\"" method "\"></ds:DigestMethod><ds:DigestValue>" value \
	"</ds:DigestValue></ds:Reference>"
#define TRANSFORM(alg) "<ds:Transform Algorithm=\"" alg "\"></ds:Transform>"
#define REF_TIME       REFERENCE(" URI=\"#ts\"", TRANSFORM(EXC), XENC "sha256", "@t")
#define REF_BODY       REFERENCE(" URI=\"#body\"", TRANSFORM(EXC), XENC "sha256", "@b")
#define SIGNED_INFO_WITH(c14n, method, refs)                                              \
	"<ds:SignedInfo xmlns:ds=\"" DS "\"><ds:CanonicalizationMethod Algorithm=\"" c14n \
	"\"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm=\"" method          \
	"\"></ds:SignatureMethod>" refs "</ds:SignedInfo>"
#define SIGNED_INFO(refs) SIGNED_INFO_WITH(EXC, DSMORE "rsa-sha256", refs)

/* An assertion in its canonical form; @! is where its Signature goes. */
#define ASSERTION_WITH(id, name, confirmation, conditions, statements)                       \
	"<saml2:Assertion xmlns:saml2=\"" SAML2 "\" ID=\"" id                                \
	"\" IssueInstant=\"@N\" Version=\"2.0\"><saml2:Issuer>" ATTACK_ISSUER                \
	"</saml2:Issuer>@!<saml2:Subject><saml2:NameID>" name "</saml2:NameID>" confirmation \
	"</saml2:Subject><saml2:Conditions NotBefore=\"@N\" "                                \
	"NotOnOrAfter=\"@F\">" conditions "</saml2:Conditions>" statements "</saml2:Assertion>"
#define ASSERTION(name, confirmation, conditions) \
	ASSERTION_WITH("_a", name, confirmation, conditions, "")
#define CONFIRMED(method, data)                                                                 \
	"<saml2:SubjectConfirmation Method=\"urn:oasis:names:tc:SAML:2.0:cm:" method "\">" data \
	"</saml2:SubjectConfirmation>"
#define HOLDER                                                                                \
	CONFIRMED("holder-of-key",                                                            \
		  "<saml2:SubjectConfirmationData><ds:KeyInfo xmlns:ds=\"" DS                 \
		  "\"><ds:X509Data><ds:X509Certificate>@j</ds:X509Certificate></ds:X509Data>" \
		  "</ds:KeyInfo></saml2:SubjectConfirmationData>")
#define BEARER CONFIRMED("bearer", "")
#define AUDIENCE(x)                                     \
	"<saml2:AudienceRestriction><saml2:Audience>" x \
	"</saml2:Audience></saml2:AudienceRestriction>"

#define ROWS(table)                                       \
	{                                                 \
		table, sizeof(table) / sizeof((table)[0]) \
	}

#endif
