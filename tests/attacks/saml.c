// SPDX-License-Identifier: GPL-2.0
/* Assertions that were wrapped, forged, stolen, are for others or of another time. */
#include "attack.h"
#include "names.h"

#define ROW(c, v, sec, st, k, ...)                                                               \
	{                                                                                        \
		.class = c, .variant = v, .security = FMP_SECURITY_##sec, .step = FMP_STEP_##st, \
		.kind = FMP_EVENT_##k, .saml = true, __VA_ARGS__                                 \
	}
#define BY_BEARER(x) .text = OPEN HEADER(SECURITY(x)) BODY(ORDER) CLOSE
#define BY_HOLDER(x) .text = OPEN HEADER(SECURITY(x)) "@B" CLOSE
#define WRAPPER(x)   "<Wrapper xmlns='urn:w'>" x "</Wrapper>"
#define FOR_US	     AUDIENCE(ATTACK_AUDIENCE)
#define SAYS(...)    .assertion = __VA_ARGS__
#define GOOD_BEARER  ASSERTION("jane", BEARER, FOR_US)
#define EVIL(id, sig)                                                                    \
	"<saml2:Assertion xmlns:saml2=\"" SAML2 "\" ID=\"" id                            \
	"\" IssueInstant=\"@N\" Version=\"2.0\"><saml2:Issuer>" ATTACK_ISSUER            \
	"</saml2:Issuer>" sig "<saml2:Subject><saml2:NameID>admin</saml2:NameID>" BEARER \
	"</saml2:Subject><saml2:Conditions NotOnOrAfter=\"@F\">" FOR_US                  \
	"</saml2:Conditions></saml2:Assertion>"
#define WITH_OBJECT(x)                                                                        \
	"<ds:Signature xmlns:ds=\"" DS                                                        \
	"\">@I<ds:SignatureValue>@s</ds:SignatureValue><ds:KeyInfo>"                          \
	"<ds:X509Data><ds:X509Certificate>@i</ds:X509Certificate></ds:X509Data></ds:KeyInfo>" \
	"<ds:Object>" x "</ds:Object></ds:Signature>"
#define ECDSA .info = SIGNED_INFO_WITH(EXC, DSMORE "ecdsa-sha256", REF_TIME REF_BODY)
#define DATA(x) \
	CONFIRMED("bearer", "<saml2:SubjectConfirmationData " x "></saml2:SubjectConfirmationData>")
#define TIMES(x)                                                                        \
	"<saml2:Assertion xmlns:saml2=\"" SAML2                                         \
	"\" ID=\"_a\" IssueInstant=\"@N\" Version=\"2.0\"><saml2:Issuer>" ATTACK_ISSUER \
	"</saml2:Issuer>@!<saml2:Subject><saml2:NameID>jane</saml2:NameID>" BEARER      \
	"</saml2:Subject><saml2:Conditions" x ">" FOR_US "</saml2:Conditions></saml2:Assertion>"

#define WRAPPED(v, k, ...) \
	ROW("assertion wrapping", v, BCV, SIGNATURE, k, SAYS(GOOD_BEARER), __VA_ARGS__)
#define UNSIGNED(v, k, ...) ROW("assertion of nobody", v, BCV, SIGNATURE, k, __VA_ARGS__)
#define FORGED(v, k, ...) \
	ROW("assertion of another issuer", v, BCV, SIGNATURE, k, BY_BEARER("@A"), __VA_ARGS__)
#define LATE(v, ...)                                                                    \
	ROW("assertion of another time", v, BCV, TIMESTAMP, TIMESTAMP, BY_BEARER("@A"), \
	    SAYS(__VA_ARGS__))
#define OTHERS(v, ...)                                                                   \
	ROW("assertion for another audience", v, BCV, SIGNATURE, TOKEN, BY_BEARER("@A"), \
	    SAYS(__VA_ARGS__))
#define CUT(v, ...) \
	ROW("assertion with comments", v, BCV, SIGNATURE, TOKEN, BY_BEARER("@A"), SAYS(__VA_ARGS__))
#define STOLEN(v, sec, k, ...) ROW("stolen assertion", v, sec, SIGNATURE, k, __VA_ARGS__)

static const struct attack rows[] = {
	WRAPPED("the signed one in the Header, the same Id in Security", WRAPPING,
		.text = OPEN HEADER(SECURITY(EVIL("_a", "@!")) WRAPPER("@A")) BODY(ORDER) CLOSE),
	WRAPPED("another Id in Security, with the signature", WRAPPING,
		.text = OPEN HEADER(SECURITY(EVIL("_e", "@!")) WRAPPER("@A")) BODY(ORDER) CLOSE),
	WRAPPED("the signed one in the Security of another role", WRAPPING,
		.text = OPEN HEADER(SECURITY_FOR("urn:b", "@A") SECURITY(EVIL("_e", "@!")))
			BODY(ORDER) CLOSE),
	WRAPPED("the signed one in the Security of another role, its Id in ours", WRAPPING,
		.text = OPEN HEADER(SECURITY(EVIL("_a", "@!")) SECURITY_FOR("urn:b", "@A"))
			BODY(ORDER) CLOSE),
	WRAPPED("two in Security, the signed one first", WRAPPING, BY_BEARER("@A" EVIL("_e", ""))),
	WRAPPED("two in Security, the signed one last", WRAPPING, BY_BEARER(EVIL("_e", "") "@A")),
	WRAPPED("the signed one in an Object of the signature", WRAPPING,
		BY_BEARER(EVIL("_e", WITH_OBJECT("@A")))),
	WRAPPED("the signed one inside the false one", WRAPPING,
		BY_BEARER("<saml2:Assertion xmlns:saml2=\"" SAML2
			  "\" ID=\"_e\" IssueInstant=\"@N\" Version=\"2.0\"><saml2:Advice>@A"
			  "</saml2:Advice></saml2:Assertion>")),
	WRAPPED("the false one inside a block of the Header", WRAPPING,
		.text = OPEN HEADER(WRAPPER(EVIL("_e", "")) SECURITY("@A")) BODY(ORDER) CLOSE),
	WRAPPED("the Id of the signed one at the Envelope", WRAPPING,
		.text = "<soapenv:Envelope xmlns:soapenv='" SOAP11
			"' ID='_a'>" HEADER(SECURITY("@A")) BODY(ORDER) CLOSE),
	WRAPPED("its parts are changed", SIGNATURE, BY_BEARER(EVIL("_a", "@!"))),

	UNSIGNED("without a Signature", UNSIGNED, BY_BEARER(EVIL("_e", ""))),
	UNSIGNED("an empty Signature", SIGNATURE,
		 BY_BEARER(EVIL("_e", "<ds:Signature xmlns:ds='" DS "'/>"))),
	UNSIGNED("the Signature behind it", UNSIGNED, BY_BEARER(EVIL("_a", "") "@!"),
		 SAYS(GOOD_BEARER)),
	UNSIGNED("the Signature is the message's", UNSIGNED, BY_BEARER("@K@T" EVIL("_a", "") "@G")),
	ROW("assertion of nobody", "none, but a signature by one", BCS, SIGNATURE, TOKEN,
	    BY_HOLDER("@T@H")),

	FORGED("a certificate of its own", TOKEN, SAYS(GOOD_BEARER), .issuer = ATTACK_SELF),
	FORGED("of a CA that nobody trusts", TOKEN, SAYS(GOOD_BEARER), .issuer = ATTACK_ROGUE),
	FORGED("who may sign messages, but issues nothing", TOKEN, SAYS(GOOD_BEARER),
	       .issuer = ATTACK_EXPIRED),
	FORGED("in the name of another", TOKEN,
	       SAYS("<saml2:Assertion xmlns:saml2=\"" SAML2
		    "\" ID=\"_a\" IssueInstant=\"@N\" Version=\"2.0\"><saml2:Issuer>urn:other"
		    "</saml2:Issuer>@!<saml2:Subject><saml2:NameID>jane</saml2:NameID>" BEARER
		    "</saml2:Subject><saml2:Conditions NotOnOrAfter=\"@F\">" FOR_US
		    "</saml2:Conditions></saml2:Assertion>")),

	LATE("expired", TIMES(" NotOnOrAfter=\"@P\"")),
	LATE("not valid yet", TIMES(" NotBefore=\"@F\"")),
	LATE("without an end", TIMES("")),
	LATE("the confirmation has expired",
	     ASSERTION("jane", DATA("NotOnOrAfter=\"@P\""), FOR_US)),
	LATE("a session that has ended",
	     ASSERTION_WITH("_a", "jane", BEARER, FOR_US,
			    "<saml2:AuthnStatement AuthnInstant=\"@P\" "
			    "SessionNotOnOrAfter=\"@P\"></saml2:AuthnStatement>")),
	LATE("an end that is no time", TIMES(" NotOnOrAfter=\"never\"")),

	OTHERS("of another service", ASSERTION("jane", BEARER, AUDIENCE("urn:fmp:other"))),
	OTHERS("without an audience", ASSERTION("jane", BEARER, "")),
	OTHERS("a longer name", ASSERTION("jane", BEARER, AUDIENCE(ATTACK_AUDIENCE ".evil"))),
	OTHERS("for us and only for others",
	       ASSERTION("jane", BEARER, FOR_US AUDIENCE("urn:fmp:other"))),
	OTHERS("for another recipient",
	       ASSERTION("jane", DATA("Recipient=\"http://other.example.org/\""), FOR_US)),
	OTHERS("a condition that nobody knows",
	       ASSERTION("jane", BEARER, FOR_US "<saml2:Condition></saml2:Condition>")),

	CUT("in the NameID", ASSERTION("admin@~.evil.example.org", BEARER, FOR_US)),
	CUT("before the NameID", ASSERTION("@~admin", BEARER, FOR_US)),
	CUT("in the Audience", ASSERTION("jane", BEARER, AUDIENCE(ATTACK_AUDIENCE "@~.evil"))),

	STOLEN("signed with a certificate of the thief's own", BCS, TOKEN, BY_HOLDER("@K@T@A@G"),
	       .key = ATTACK_SECOND, .token = ATTACK_SECOND, ECDSA),
	STOLEN("signed in the holder's name by another key", BCS, SIGNATURE, BY_HOLDER("@T@A@H"),
	       .key = ATTACK_IDP),
	STOLEN("signed in the holder's name by another kind of key", BCS, ALGORITHM,
	       BY_HOLDER("@T@A@H"), .key = ATTACK_SECOND, ECDSA),
	STOLEN("not signed", BCS, UNSIGNED, BY_HOLDER("@T@A")),
	STOLEN("where no message is signed", BCV, UNSIGNED, BY_BEARER("@A")),
	STOLEN("a bearer's, where that is not enough", BCS, TOKEN, BY_HOLDER("@K@T@A@G"),
	       SAYS(GOOD_BEARER)),
};

const struct attack_table attack_saml = ROWS(rows);
