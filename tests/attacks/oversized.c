// SPDX-License-Identifier: GPL-2.0
/* Security headers that cost more to check than to send. */
#include "attack.h"
#include "names.h"

#define ROW(c, v, st, k, ...)                                                                  \
	{                                                                                      \
		.class = c, .variant = v, .security = FMP_SECURITY_BCS, .step = FMP_STEP_##st, \
		.kind = FMP_EVENT_##k, __VA_ARGS__                                             \
	}
#define WHOLE	 OPEN HEADER("@W") "@B" CLOSE
#define WITH(x)	 .text = OPEN HEADER(SECURITY(x)) "@B" CLOSE
#define VALUE(x) "<ds:Signature xmlns:ds='" DS "'>@S<ds:SignatureValue>" x "</ds:SignatureValue>"
#define BY_TOKEN                                                                      \
	"<ds:KeyInfo><wsse:SecurityTokenReference><wsse:Reference ValueType='" X509V3 \
	"' URI='#token'/></wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>"
#define TOKEN(x)                                                              \
	"<wsse:BinarySecurityToken xmlns:wsu='" WSU "' EncodingType='" BASE64 \
	"' ValueType='" X509V3 "' wsu:Id='token'>" x "</wsse:BinarySecurityToken>"
/* A namespace of 62 KB that stands once, and is declared anew by each of 3900 elements, exclusively. */
#define LONG_NAME(more)                                                           \
	.text = "<soapenv:Envelope xmlns:soapenv='" SOAP11 "' xmlns:p='urn:" more \
		"@*'>" HEADER("@W<wsa:From xmlns:wsa='" WSA "' xmlns:wsu='" WSU   \
			      "' wsu:Id='from'>@/</wsa:From>") "@B" CLOSE,        \
	.piece = "qqqqqqqqqqqqqqqq", .close = "<p:x/>", .n = 3900
#define REF_FROM  REFERENCE(" URI=\"#from\"", TRANSFORM(EXC), XENC "sha256", "@b")
#define REF_AGAIN REFERENCE(" URI='#body'", TRANSFORM(EXC), XENC "sha256", "x")

#define REF_5_TIMES REF_AGAIN REF_AGAIN REF_AGAIN REF_AGAIN REF_AGAIN

#define MANY_REFERENCES                                                                    \
	WITH("@K@T<ds:Signature xmlns:ds='" DS                                             \
	     "'><ds:SignedInfo><ds:CanonicalizationMethod Algorithm='" EXC                 \
	     "'/><ds:SignatureMethod Algorithm='" DSMORE "rsa-sha256'/>@*</ds:SignedInfo>" \
	     "<ds:SignatureValue>x</ds:SignatureValue>" BY_TOKEN),                         \
		.piece = "<ds:Reference URI='#body'/>"

static const struct attack rows[] = {
	ROW("oversized crypto: References", "5000 to the Body", SCREEN, STRUCTURE, MANY_REFERENCES,
	    .n = 5000),
	ROW("oversized crypto: References", "1900 to the Body", SIGNATURE, STRUCTURE,
	    MANY_REFERENCES, .n = 1900),
	ROW("oversized crypto: References", "17, one more than allowed", SIGNATURE, STRUCTURE,
	    .text = WHOLE,
	    .info = SIGNED_INFO(REF_TIME REF_BODY REF_5_TIMES REF_5_TIMES REF_5_TIMES)),
	ROW("oversized crypto: References", "the Body twice", SIGNATURE, WRAPPING, .text = WHOLE,
	    .info = SIGNED_INFO(REF_TIME REF_BODY REF_BODY)),
	ROW("oversized crypto: References", "a Manifest of 1000", SIGNATURE, WRAPPING,
	    WITH("@K@T" VALUE(
		    "@v") "<ds:KeyInfo/><ds:Object><ds:Manifest>@*</ds:Manifest></ds:Object>"
			  "</ds:Signature>"),
	    .piece = "<ds:Reference URI='#body'/>", .n = 1000),
	ROW("oversized crypto: Signatures", "1000 in one header", SIGNATURE, WRAPPING,
	    WITH("@K@T@G@*"), .piece = "<ds:Signature xmlns:ds='" DS "'/>", .n = 1000),
	ROW("oversized crypto: Signatures", "two that are both right", SIGNATURE, WRAPPING,
	    WITH("@K@T@G@G")),
	ROW("oversized crypto: Signatures", "1000 Security headers", SIGNATURE, WRAPPING,
	    .text = OPEN HEADER("@W@*") "@B" CLOSE,
	    .piece = "<wsse:Security xmlns:wsse='" WSSE "'/>", .n = 1000),
	ROW("oversized crypto: Signatures", "a value of 500 KB", SIGNATURE, SIGNATURE,
	    WITH("@K@T" VALUE("@*") BY_TOKEN), .piece = "QUJDREVGR0hJSktM", .n = 32000),
	ROW("oversized crypto: keys", "RSA of 16384 bits", SIGNATURE, TOKEN, .text = WHOLE,
	    .token = ATTACK_HUGE, .key = ATTACK_HUGE),
	ROW("oversized crypto: keys", "a token of 500 KB", SIGNATURE, TOKEN,
	    WITH(TOKEN("@*") "@T@G"), .piece = "QUJDREVGR0hJSktM", .n = 32000),
	ROW("oversized crypto: keys", "1000 tokens", SIGNATURE, WRAPPING, WITH("@*@K@T@G"),
	    .piece = "<wsse:BinarySecurityToken/>", .n = 1000),
	ROW("oversized crypto: keys", "a token of white space", SIGNATURE, TOKEN,
	    WITH(TOKEN("@*") "@T@G"), .piece = "                ", .n = 32000),
	ROW("oversized crypto: transforms", "1000 of the canonical form", SIGNATURE, ALGORITHM,
	    WITH("@K@T<ds:Signature xmlns:ds='" DS
		 "'><ds:SignedInfo><ds:CanonicalizationMethod Algorithm='" EXC
		 "'/><ds:SignatureMethod Algorithm='" DSMORE "rsa-sha256'/><ds:Reference "
		 "URI='#body'><ds:Transforms>@*</ds:Transforms><ds:DigestMethod Algorithm='" XENC
		 "sha256'/><ds:DigestValue/></ds:Reference></ds:SignedInfo>"
		 "<ds:SignatureValue>x</ds:SignatureValue>" BY_TOKEN),
	    .piece = "<ds:Transform Algorithm='" EXC "'/>", .n = 1000),
	ROW("oversized crypto: transforms", "two", SIGNATURE, ALGORITHM, .text = WHOLE,
	    .info = SIGNED_INFO(REF_TIME REFERENCE(" URI=\"#body\"", TRANSFORM(EXC) TRANSFORM(EXC),
						   XENC "sha256", "@b"))),
	ROW("oversized crypto: transforms", "10000 prefixes", SIGNATURE, STRUCTURE,
	    WITH("@K@T<ds:Signature xmlns:ds='" DS
		 "'><ds:SignedInfo><ds:CanonicalizationMethod Algorithm='" EXC
		 "'><e:InclusiveNamespaces xmlns:e='" EXC "' PrefixList='@*'/>"
		 "</ds:CanonicalizationMethod><ds:SignatureMethod Algorithm='" DSMORE
		 "rsa-sha256'/></ds:SignedInfo><ds:SignatureValue>x</ds:SignatureValue>" BY_TOKEN),
	    .piece = "p@# ", .n = 10000),
	ROW("canonical form", "60 namespaces in scope of 600 items", SIGNATURE, SIGNATURE,
	    .text = "<soapenv:Envelope xmlns:soapenv='" SOAP11 "'@*>" HEADER("@W")
		    SIGNED_BODY("body", ORDER_OPEN ORDER_HEAD ORDER_CUSTOMER
				"@/@/@/@/@/@/@/@/@/@/</submitOrder>") CLOSE,
	    .piece = " xmlns:p@#='urn:@#'", .close = ITEM, .n = 60),
	ROW("canonical form", "52 attributes to sort in each of 300 tags", SCHEMA, SCHEMA,
	    .text = OPEN HEADER("@W") SIGNED_BODY("body", "<a>@*</a>") CLOSE,
	    .piece =
		    "<a zz='' zy='' zx='' zw='' zv='' zu='' zt='' zs='' zr='' zq='' zp='' zo='' zn='' "
		    "zm='' zl='' zk='' zj='' zi='' zh='' zg='' zf='' ze='' zd='' zc='' zb='' za='' "
		    "yz='' yy='' yx='' yw='' yv='' yu='' yt='' ys='' yr='' yq='' yp='' yo='' yn='' "
		    "ym='' yl='' yk='' yj='' yi='' yh='' yg='' yf='' ye='' yd='' yc='' yb='' ya=''/>",
	    .n = 300),
	ROW("canonical form", "a text that grows fivefold", SCHEMA, SCHEMA,
	    .text = OPEN HEADER("@W") SIGNED_BODY("body", "<a>@*</a>") CLOSE,
	    .piece = ">\r>\r>\r>\r", .n = 50000),
	ROW("namespaces declared again", "a signature that is wrong", SIGNATURE, SIGNATURE,
	    /* In quotes that its canonical form has not. */
	    LONG_NAME(""),
	    .info = SIGNED_INFO(REF_TIME REF_BODY REFERENCE(" URI='#from'", TRANSFORM(EXC),
							    XENC "sha256", "@b"))),
	ROW("namespaces declared again", "one that is right", SIGNATURE, STRUCTURE, LONG_NAME(""),
	    .info = SIGNED_INFO(REF_TIME REF_BODY REF_FROM)),
	ROW("namespaces declared again", "one with RSA-PSS that is wrong", SIGNATURE, STRUCTURE,
	    LONG_NAME(""),
	    .info = SIGNED_INFO_WITH(EXC, "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1",
				     REF_TIME REF_BODY REF_FROM)),
	ROW("namespaces declared again", "a name that is left to libxml2", SIGNATURE, STRUCTURE,
	    LONG_NAME("&amp;"), .info = SIGNED_INFO(REF_TIME REF_BODY REF_FROM)),
	ROW("namespaces declared again", "in an Assertion", SIGNATURE, STRUCTURE, .saml = true,
	    .text = "<soapenv:Envelope xmlns:soapenv='" SOAP11
		    "' xmlns:p='urn:@*'>" HEADER(SECURITY("@A@T@H")) "@B" CLOSE,
	    .assertion = ASSERTION_WITH(
		    "_a", "M. Brandt", HOLDER, AUDIENCE(ATTACK_AUDIENCE),
		    "<saml2:AttributeStatement><saml2:Attribute Name='a'>@/</saml2:Attribute>"
		    "</saml2:AttributeStatement>"),
	    .piece = "qqqqqqqqqqqqqqqq", .close = "<p:x/>", .n = 3900),
	ROW("flooding", "1000 header blocks", SIGNATURE, UNSIGNED,
	    .text = OPEN HEADER("@*") "@B" CLOSE, .piece = "<a xmlns='urn:a' b='1'/>", .n = 1000),
	ROW("flooding", "1000 EncryptedKeys", SIGNATURE, WRAPPING, WITH("@*@K@T@G"),
	    .piece = "<xenc:EncryptedKey xmlns:xenc='" XENC "'/>", .n = 1000),
	ROW("flooding", "10000 words in a time", TIMESTAMP, TIMESTAMP,
	    WITH("@K<wsu:Timestamp xmlns:wsu='" WSU "' wsu:Id='ts'><wsu:Created>@*</wsu:Created>"
		 "</wsu:Timestamp>@G"),
	    .piece = "2026-11-21T02:00:00Z ", .n = 10000),
};

const struct attack_table attack_oversized = ROWS(rows);
