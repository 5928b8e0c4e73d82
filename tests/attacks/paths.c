// SPDX-License-Identifier: GPL-2.0
/* Chains of certificates in a token or in X509Data that are no path from a CA to the signer. */
#include "attack.h"
#include "names.h"

#define ROW(c, v, k, ...)                                                              \
	{                                                                              \
		.class = c, .variant = v, .security = FMP_SECURITY_BCS,                \
		.step = FMP_STEP_SIGNATURE, .kind = FMP_EVENT_##k, .text = __VA_ARGS__ \
	}
#define TOKEN_OF(type, value)                                                               \
	"<wsse:BinarySecurityToken xmlns:wsu=\"" WSU "\" EncodingType=\"" BASE64            \
	"\" ValueType=\"" OASIS "x509-token-profile-1.0#" type "\" wsu:Id=\"token\">" value \
	"</wsse:BinarySecurityToken>"
#define BY(token)                                                                               \
	OPEN HEADER(SECURITY(                                                                   \
		token                                                                           \
		"@T<ds:Signature xmlns:ds=\"" DS "\">@S<ds:SignatureValue>@v"                   \
		"</ds:SignatureValue><ds:KeyInfo><wsse:SecurityTokenReference><wsse:Reference " \
		"URI=\"#token\"/></wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>")) "@B" CLOSE
#define PATH(letters) BY(TOKEN_OF("X509PKIPathv1", "@[" letters "@]"))
#define DATA(x)                                                                            \
	OPEN HEADER(SECURITY("@T<ds:Signature xmlns:ds=\"" DS "\">@S<ds:SignatureValue>@v" \
			     "</ds:SignatureValue><ds:KeyInfo><ds:X509Data>" x             \
			     "</ds:X509Data></ds:KeyInfo></ds:Signature>")) "@B" CLOSE
#define CERT(x) "<ds:X509Certificate>" x "</ds:X509Certificate>"
#define SERIAL(name, n)                                                        \
	"<ds:X509IssuerSerial><ds:X509IssuerName>" name "</ds:X509IssuerName>" \
	"<ds:X509SerialNumber>" n "</ds:X509SerialNumber></ds:X509IssuerSerial>"
#define EC .info = SIGNED_INFO_WITH(EXC, DSMORE "ecdsa-sha256", REF_TIME REF_BODY)

static const struct attack rows[] = {
	ROW("certificate path", "a loop", TOKEN, PATH("BdBd")),
	ROW("certificate path", "the signer twice", TOKEN, PATH("Bdd")),
	ROW("certificate path", "a CA twice", TOKEN, PATH("CCg")),
	ROW("certificate path", "in the wrong order", TOKEN, PATH("dB")),
	ROW("certificate path", "signed by itself", TOKEN, PATH("s")),
	ROW("certificate path", "by itself, below a CA", TOKEN, PATH("Cs")),
	ROW("certificate path", "a signer of nobody below a CA", TOKEN, PATH("Cr")),
	ROW("certificate path", "the last is not the signer", SIGNATURE, PATH("C2"), EC),
	ROW("certificate path", "the last is a CA", TOKEN, PATH("CB"), EC),
	ROW("certificate path", "an expired signer", TOKEN, PATH("Ce")),
	ROW("certificate path", "no CA in between", TOKEN, PATH("no")),
	ROW("certificate path", "a path that is too long", TOKEN, PATH("Sbt")),
	ROW("certificate path", "a name outside of the constraints", TOKEN, PATH("Nw")),
	ROW("certificate path", "a gap", TOKEN, PATH("Cd")),
	ROW("certificate path", "ten more in front", TOKEN, PATH("CBnSNCBnSNBd")),
	ROW("certificate path", "none", TOKEN, PATH("")),
	ROW("certificate path", "said to be one certificate", TOKEN,
	    BY(TOKEN_OF("X509v3", "@[Bd@]"))),
	ROW("certificate path", "one certificate, said to be a path", TOKEN,
	    BY(TOKEN_OF("X509PKIPathv1", "@k"))),
	ROW("certificate path", "a length behind its end", TOKEN,
	    BY(TOKEN_OF("X509PKIPathv1", "MIT/////"))),
	ROW("certificate path", "an indefinite length", TOKEN,
	    BY(TOKEN_OF("X509PKIPathv1", "MIAAAA=="))),
	{ .class = "certificate path",
	  .variant = "100 certificates",
	  .security = FMP_SECURITY_BCS,
	  .step = FMP_STEP_SIGNATURE,
	  .kind = FMP_EVENT_TOKEN,
	  .text = PATH("@*"),
	  .piece = "CBnSNbdowt",
	  .n = 10 },

	ROW("X509Data", "two certificates that are no chain", UNSUPPORTED,
	    DATA(CERT("@j") CERT("@2"))),
	ROW("X509Data", "one of another issuer beside", UNSUPPORTED, DATA(CERT("@j") CERT("@i"))),
	ROW("X509Data", "another's certificate", SIGNATURE, DATA(CERT("@2")), EC),
	ROW("X509Data", "one that nobody trusts", TOKEN, DATA(CERT("@k")), .token = ATTACK_ROGUE),
	ROW("X509Data", "by itself, and the CA", UNSUPPORTED, DATA(CERT("@k") CERT("@C")),
	    .token = ATTACK_SELF),
	ROW("X509Data", "a CA of the same name, and the CA", TOKEN, DATA(CERT("@k") CERT("@C")),
	    .token = ATTACK_ROGUE),
	ROW("X509Data", "the serial number of another", TOKEN,
	    DATA(SERIAL("CN=Attack test CA", "7"))),
	ROW("X509Data", "two serial numbers", TOKEN,
	    DATA(SERIAL("CN=Attack test CA", "7") SERIAL("CN=x", "8"))),
	ROW("X509Data", "a negative serial number", TOKEN, DATA(SERIAL("CN=Attack test CA", "-7"))),
	ROW("X509Data", "no CA in between", TOKEN, DATA(CERT("@k") CERT("@i")),
	    .token = ATTACK_OF_NO_CA, .issuer = ATTACK_NO_CA),
	{ .class = "X509Data",
	  .variant = "100 certificates",
	  .security = FMP_SECURITY_BCS,
	  .step = FMP_STEP_SIGNATURE,
	  .kind = FMP_EVENT_UNSUPPORTED,
	  .text = DATA("@*" CERT("@j")),
	  .piece = CERT("AAAA"),
	  .n = 100 },
	{ .class = "X509Data",
	  .variant = "a serial number of 100 KB",
	  .security = FMP_SECURITY_BCS,
	  .step = FMP_STEP_SIGNATURE,
	  .kind = FMP_EVENT_TOKEN,
	  .text = DATA(SERIAL("CN=Attack test CA", "@*")),
	  .piece = "7777777777",
	  .n = 10000 },
};

const struct attack_table attack_paths = ROWS(rows);
