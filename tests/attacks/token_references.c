// SPDX-License-Identifier: GPL-2.0
/* STR-Transform: a signature over a SecurityTokenReference that stands for another thing. */
#include "attack.h"
#include "names.h"

#define STR_TRANSFORM OASIS "soap-message-security-1.0#STR-Transform"
#define METHOD(alg)                                                                     \
	"<ds:Transform Algorithm=\"" STR_TRANSFORM "\"><wsse:TransformationParameters " \
	"xmlns:wsse=\"" WSSE "\"><ds:CanonicalizationMethod Algorithm=\"" alg           \
	"\"></ds:CanonicalizationMethod></wsse:TransformationParameters></ds:Transform>"
/* The token as it is signed: the default namespace is declared. */
#define TOKEN_FORM                                                                      \
	"<wsse:BinarySecurityToken xmlns=\"\" xmlns:wsse=\"" WSSE "\" xmlns:wsu=\"" WSU \
	"\" EncodingType=\"" BASE64 "\" ValueType=\"" X509V3 "\" wsu:Id=\"token\">@k"   \
	"</wsse:BinarySecurityToken>"
#define REF_STR(id, transforms) \
	REFERENCE(" URI=\"#" id "\"", transforms, XENC "sha256", "@(" TOKEN_FORM "@)")
#define ROW(v, k, strs, ref)                                                          \
	{                                                                             \
		.class = "STR-Transform", .variant = v, .security = FMP_SECURITY_BCS, \
		.step = FMP_STEP_SIGNATURE, .kind = FMP_EVENT_##k,                    \
		.text = OPEN HEADER(SECURITY("@K@T" strs "@G")) "@B" CLOSE,           \
		.info = SIGNED_INFO(REF_TIME REF_BODY ref)                            \
	}
#define STR_OF(ns, id, x)                                                                         \
	"<w:SecurityTokenReference xmlns:w=\"" ns "\" xmlns:wsu=\"" WSU "\" wsu:Id=\"" id "\">" x \
	"</w:SecurityTokenReference>"
#define TO(id) "<wsse:Reference URI=\"#" id "\"/>"
#define STR(x) STR_OF(WSSE, "str", x)
#define SIGNED REF_STR("str", METHOD(EXC))

static const struct attack rows[] = {
	ROW("to the Timestamp", WRAPPING, STR(TO("ts")), SIGNED),
	ROW("to the Body", WRAPPING, STR(TO("body")), SIGNED),
	ROW("to nothing", WRAPPING, STR(TO("x")), SIGNED),
	ROW("to itself", WRAPPING, STR(TO("str")), SIGNED),
	ROW("to one that leads back", WRAPPING, STR(TO("other")) STR_OF(WSSE, "other", TO("str")),
	    SIGNED),
	ROW("to another document", WRAPPING, STR("<wsse:Reference URI=\"http://h/token\"/>"),
	    SIGNED),
	ROW("two of one Id", WRAPPING, STR(TO("token")) STR(TO("token")), SIGNED),
	ROW("of the Id of the token", WRAPPING, STR_OF(WSSE, "token", TO("token")),
	    REF_STR("token", METHOD(EXC))),
	ROW("of another namespace", TOKEN, STR_OF("urn:w", "str", TO("token")), SIGNED),
	ROW("the Reference of another namespace", UNSUPPORTED,
	    STR("<r:Reference xmlns:r=\"urn:r\" URI=\"#token\"/>"), SIGNED),
	ROW("two References", WRAPPING, STR(TO("ts") TO("token")), SIGNED),
	ROW("in another element", TOKEN, "<a xmlns=\"urn:a\">" STR(TO("token")) "</a>", SIGNED),
	ROW("of the Body, which is no reference", WRAPPING, "", REF_STR("body", METHOD(EXC))),
	ROW("by another canonical form", UNSUPPORTED, STR(TO("token")),
	    REF_STR("str", METHOD(C14N))),
	ROW("by XSLT", ALGORITHM, STR(TO("token")), REF_STR("str", METHOD(XSLT))),
	ROW("twice", ALGORITHM, STR(TO("token")), REF_STR("str", METHOD(EXC) METHOD(EXC))),
};

const struct attack_table attack_token_references = ROWS(rows);
