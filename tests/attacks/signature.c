// SPDX-License-Identifier: GPL-2.0
/* Signatures that are missing, of somebody else, of something else, or made in another way. */
#include "attack.h"
#include "names.h"

#define ROW(c, v, st, k, ...)                                                                  \
	{                                                                                      \
		.class = c, .variant = v, .security = FMP_SECURITY_BCS, .step = FMP_STEP_##st, \
		.kind = FMP_EVENT_##k, __VA_ARGS__                                             \
	}
#define WHOLE			 OPEN HEADER("@W") "@B" CLOSE
#define WITH(x)			 .text = OPEN HEADER(SECURITY(x)) "@B" CLOSE
#define AS(refs)		 .text = WHOLE, .info = SIGNED_INFO(refs)
#define BODY_BY(uri, transforms) AS(REF_TIME REFERENCE(uri, transforms, XENC "sha256", "@b"))
#define VALUE(x)		 "<ds:Signature xmlns:ds='" DS "'>@S<ds:SignatureValue>" x "</ds:SignatureValue>"
#define KEY_INFO(x)		 "<ds:KeyInfo>" x "</ds:KeyInfo></ds:Signature>"
#define BY_TOKEN                                                                   \
	KEY_INFO("<wsse:SecurityTokenReference><wsse:Reference ValueType='" X509V3 \
		 "' URI='#token'/></wsse:SecurityTokenReference>")
#define METHOD(alg) .text = WHOLE, .info = SIGNED_INFO_WITH(EXC, alg, REF_TIME REF_BODY)
#define TIME(created, expires) \
	"<wsu:Timestamp xmlns:wsu='" WSU "' wsu:Id='ts'>" created expires "</wsu:Timestamp>"
#define CREATED(x) "<wsu:Created>" x "</wsu:Created>"
#define EXPIRES(x) "<wsu:Expires>" x "</wsu:Expires>"

static const struct attack rows[] = {
	ROW("signature exclusion", "no Header", SIGNATURE, UNSIGNED, .text = MESSAGE(ORDER)),
	ROW("signature exclusion", "no Security header", SIGNATURE, UNSIGNED,
	    .text = OPEN HEADER("") "@B" CLOSE),
	ROW("signature exclusion", "no Signature", SIGNATURE, UNSIGNED, WITH("@K@T")),
	ROW("signature exclusion", "an empty Signature", SIGNATURE, SIGNATURE,
	    WITH("@K@T<ds:Signature xmlns:ds='" DS "'/>")),
	ROW("signature exclusion", "no References", SIGNATURE, UNSIGNED, AS("")),
	ROW("signature exclusion", "the Timestamp alone is signed", SIGNATURE, UNSIGNED,
	    AS(REF_TIME)),
	ROW("signature exclusion", "the Body alone is signed", SIGNATURE, UNSIGNED, AS(REF_BODY)),
	ROW("signature exclusion", "an empty value", SIGNATURE, SIGNATURE,
	    WITH("@K@T" VALUE("") BY_TOKEN)),
	ROW("signature exclusion", "a value of zeros", SIGNATURE, SIGNATURE,
	    WITH("@K@T" VALUE("AAAAAAAAAAAAAAAA") BY_TOKEN)),
	ROW("signature exclusion", "the Signature outside Security", SIGNATURE, UNSIGNED,
	    .text = "<soapenv:Envelope xmlns:soapenv='" SOAP11 "' xmlns:wsse='" WSSE
		    "'>" HEADER(SECURITY("@K@T") "@G") "@B" CLOSE),

	ROW("key substitution", "a CA of the same name", SIGNATURE, TOKEN, .text = WHOLE,
	    .token = ATTACK_ROGUE),
	ROW("key substitution", "signed by itself", SIGNATURE, TOKEN, .text = WHOLE,
	    .token = ATTACK_SELF),
	ROW("key substitution", "expired", SIGNATURE, TOKEN, .text = WHOLE,
	    .token = ATTACK_EXPIRED),
	ROW("key substitution", "the CA itself", SIGNATURE, TOKEN, .text = WHOLE,
	    .token = ATTACK_CA, .key = ATTACK_CA,
	    .info = SIGNED_INFO_WITH(EXC, DSMORE "ecdsa-sha256", REF_TIME REF_BODY)),
	ROW("key substitution", "another's certificate", SIGNATURE, SIGNATURE, .text = WHOLE,
	    .token = ATTACK_SECOND,
	    .info = SIGNED_INFO_WITH(EXC, DSMORE "ecdsa-sha256", REF_TIME REF_BODY)),
	ROW("key substitution", "the key itself in KeyInfo", SIGNATURE, UNSUPPORTED,
	    WITH("@K@T" VALUE("@v") KEY_INFO("<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>AQAB"
					     "</ds:Modulus><ds:Exponent>AQAB</ds:Exponent>"
					     "</ds:RSAKeyValue></ds:KeyValue>"))),
	ROW("key substitution", "a stranger's certificate in KeyInfo", SIGNATURE, TOKEN,
	    WITH("@T" VALUE("@v") KEY_INFO("<ds:X509Data><ds:X509Certificate>@k"
					   "</ds:X509Certificate></ds:X509Data>")),
	    .key = ATTACK_ROGUE, .token = ATTACK_ROGUE),
	ROW("key substitution", "no KeyInfo", SIGNATURE, TOKEN,
	    WITH("@K@T" VALUE("@v") "</ds:Signature>")),
	ROW("key substitution", "a token of another host", SIGNATURE, TOKEN,
	    WITH("@K@T" VALUE("@v") KEY_INFO("<wsse:SecurityTokenReference><wsse:Reference "
					     "URI='http://192.0.2.1/k'/>"
					     "</wsse:SecurityTokenReference>"))),
	ROW("key substitution", "by RetrievalMethod", SIGNATURE, UNSUPPORTED,
	    WITH("@K@T" VALUE("@v") KEY_INFO("<ds:RetrievalMethod URI='file:///etc/passwd'/>"))),

	ROW("reference redirect", "a file", SIGNATURE, WRAPPING,
	    BODY_BY(" URI=\"file:///etc/passwd\"", TRANSFORM(EXC))),
	ROW("reference redirect", "another host", SIGNATURE, WRAPPING,
	    BODY_BY(" URI=\"http://192.0.2.1/x\"", TRANSFORM(EXC))),
	ROW("reference redirect", "a device without an end", SIGNATURE, WRAPPING,
	    BODY_BY(" URI=\"/dev/zero\"", TRANSFORM(EXC))),
	ROW("reference redirect", "the whole message", SIGNATURE, WRAPPING,
	    BODY_BY(" URI=\"\"", TRANSFORM(EXC))),
	ROW("reference redirect", "no URI", SIGNATURE, WRAPPING, BODY_BY("", TRANSFORM(EXC))),
	ROW("reference redirect", "an XPointer", SIGNATURE, WRAPPING,
	    BODY_BY(" URI=\"#xpointer(id('body'))\"", TRANSFORM(EXC))),
	ROW("reference redirect", "an attachment", SIGNATURE, WRAPPING,
	    BODY_BY(" URI=\"cid:1\"", TRANSFORM(EXC))),
	ROW("reference redirect", "the signature itself", SIGNATURE, WRAPPING,
	    AS(REF_TIME REF_BODY REFERENCE(" URI=\"#sig\"", TRANSFORM(EXC), XENC "sha256", "@b"))),

	ROW("transforms", "XSLT", SIGNATURE, ALGORITHM,
	    BODY_BY(" URI=\"#body\"",
		    "<ds:Transform Algorithm=\"" XSLT
		    "\"><xsl:stylesheet xmlns:xsl=\"http://www.w3.org/"
		    "1999/XSL/Transform\" version=\"1.0\"><xsl:template match=\"/\"><xsl:for-each "
		    "select=\"//. | //@@*\"><xsl:for-each select=\"//. | //@@*\"><x></x></xsl:for-each>"
		    "</xsl:for-each></xsl:template></xsl:stylesheet></ds:Transform>")),
	ROW("transforms", "XPath", SIGNATURE, ALGORITHM,
	    BODY_BY(" URI=\"#body\"",
		    "<ds:Transform Algorithm=\"" XPATH
		    "\"><ds:XPath>count(//. | //@@*) = 1</ds:XPath></ds:Transform>")),
	ROW("transforms", "XPath filter 2", SIGNATURE, ALGORITHM,
	    BODY_BY(" URI=\"#body\"",
		    "<ds:Transform Algorithm=\"" FILTER "\"><f:XPath xmlns:f=\"" FILTER
		    "\" Filter=\"subtract\">//item</f:XPath></ds:Transform>")),
	ROW("transforms", "enveloped signature", SIGNATURE, ALGORITHM,
	    BODY_BY(" URI=\"#body\"", TRANSFORM(DS "enveloped-signature"))),
	ROW("transforms", "Base64", SIGNATURE, ALGORITHM,
	    BODY_BY(" URI=\"#body\"", TRANSFORM(DS "base64"))),
	ROW("transforms", "inclusive canonical form", SIGNATURE, UNSUPPORTED,
	    BODY_BY(" URI=\"#body\"", TRANSFORM(C14N))),
	ROW("transforms", "with comments", SIGNATURE, UNSUPPORTED,
	    BODY_BY(" URI=\"#body\"", TRANSFORM(EXC "WithComments"))),
	ROW("transforms", "none", SIGNATURE, SIGNATURE, BODY_BY(" URI=\"#body\"", "")),
	ROW("transforms", "one that nobody knows", SIGNATURE, ALGORITHM,
	    BODY_BY(" URI=\"#body\"", TRANSFORM("urn:x"))),
	ROW("transforms", "canonicalization with comments", SIGNATURE, UNSUPPORTED, .text = WHOLE,
	    .info = SIGNED_INFO_WITH(EXC "WithComments", DSMORE "rsa-sha256", REF_TIME REF_BODY)),

	ROW("weak algorithms", "RSA with SHA-1", SIGNATURE, ALGORITHM, METHOD(DS "rsa-sha1")),
	ROW("weak algorithms", "RSA with MD5", SIGNATURE, ALGORITHM, METHOD(DSMORE "rsa-md5")),
	ROW("weak algorithms", "DSA", SIGNATURE, ALGORITHM, METHOD(DS "dsa-sha1")),
	ROW("weak algorithms", "HMAC with the certificate for a key", SIGNATURE, ALGORITHM,
	    METHOD(DSMORE "hmac-sha256")),
	ROW("weak algorithms", "HMAC cut to one bit", SIGNATURE, SIGNATURE, .text = WHOLE,
	    .info = "<ds:SignedInfo xmlns:ds=\"" DS "\"><ds:CanonicalizationMethod Algorithm=\"" EXC
		    "\"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm=\"" DS
		    "hmac-sha1\"><ds:HMACOutputLength>1</ds:HMACOutputLength></ds:SignatureMethod>" REF_TIME
			    REF_BODY "</ds:SignedInfo>"),
	ROW("weak algorithms", "digest SHA-1", SIGNATURE, ALGORITHM,
	    AS(REF_TIME REFERENCE(" URI=\"#body\"", TRANSFORM(EXC), DS "sha1", "@1"))),
	ROW("weak algorithms", "the other kind of key", SIGNATURE, ALGORITHM,
	    METHOD(DSMORE "ecdsa-sha256")),

	ROW("replay", "the same again", TIMESTAMP, REPLAY, .text = WHOLE, .again = true),
	ROW("replay", "with another header block", TIMESTAMP, REPLAY, .again = true,
	    .text = OPEN HEADER("<a xmlns='urn:a'/>@W") "@B" CLOSE),
	ROW("replay", "written in another way", TIMESTAMP, REPLAY, .again = true,
	    .text = DECLARATION "\n<soapenv:Envelope  xmlns:soapenv='" SOAP11
				"' ><!-- -->" HEADER("@W") "\n@B\n" CLOSE),

	ROW("Timestamp", "none", TIMESTAMP, TIMESTAMP, WITH("@K@G")),
	ROW("Timestamp", "of an hour ago", TIMESTAMP, TIMESTAMP,
	    WITH("@K" TIME(CREATED("2001-01-01T00:00:00Z"), EXPIRES("@P")) "@G")),
	ROW("Timestamp", "of tomorrow", TIMESTAMP, TIMESTAMP,
	    WITH("@K" TIME(CREATED("2099-01-01T00:00:00Z"), EXPIRES("2099-01-01T00:05:00Z")) "@G")),
	ROW("Timestamp", "Expires before Created", TIMESTAMP, TIMESTAMP,
	    WITH("@K" TIME(CREATED("@N"), EXPIRES("@P")) "@G")),
	ROW("Timestamp", "two Created", TIMESTAMP, TIMESTAMP,
	    WITH("@K" TIME(CREATED("2001-01-01T00:00:00Z") CREATED("@N"), EXPIRES("@F")) "@G")),
	ROW("Timestamp", "the thirteenth month", TIMESTAMP, TIMESTAMP,
	    WITH("@K" TIME(CREATED("2026-13-01T00:00:00Z"), EXPIRES("@F")) "@G")),
	ROW("Timestamp", "a year of 20 digits", TIMESTAMP, TIMESTAMP,
	    WITH("@K" TIME(CREATED("@N"), EXPIRES("99999999999999999999-01-01T00:00:00Z")) "@G")),
	ROW("Timestamp", "a comment in the time", TIMESTAMP, TIMESTAMP,
	    WITH("@K" TIME(CREATED("@N"), EXPIRES("2099<!-- -->-01-01T00:00:00Z")) "@G")),
};

const struct attack_table attack_signature = ROWS(rows);
