// SPDX-License-Identifier: GPL-2.0
/* Signatures by the key of an EncryptedKey, by keys derived from it, and signatures that endorse them. */
#include "symmetric.h"

#include "attack.h"

#define ROW_AS(c, v, st, k, ...)                                                               \
	{                                                                                      \
		.class = c, .variant = v, .security = FMP_SECURITY_BCS, .step = FMP_STEP_##st, \
		.kind = FMP_EVENT_##k, .symmetric = true, .text = __VA_ARGS__                  \
	}
#define ROW(c, v, st, k, ...) ROW_AS(c, v, st, k, __VA_ARGS__, .info = HMAC_INFO)

/* ---- derived keys ---- */

#define NONCE	"<wsc:Nonce>c2l4dGVlbiBsZXR0ZXJz</wsc:Nonce>"
#define STR(id) "<wsse:SecurityTokenReference>" BY_ID(id) "</wsse:SecurityTokenReference>"
#define DERIVED_AS(id, from, parts)                                                      \
	"<wsc:DerivedKeyToken xmlns:wsc=\"" SC13 "\" xmlns:wsu=\"" WSU "\" wsu:Id=\"" id \
	"\">" from parts "</wsc:DerivedKeyToken>"
#define DERIVED(parts)	  DERIVED_AS("dk", STR("ek"), parts)
#define BY_DERIVED(parts) BY_SECRET(WRAPPED DERIVED(parts), HMAC_BY("dk", "@M"))
#define LENGTH(n)	  "<wsc:Length>" n "</wsc:Length>"
#define OFFSET(n)	  "<wsc:Offset>" n "</wsc:Offset>"
#define GENERATION(n)	  "<wsc:Generation>" n "</wsc:Generation>"
#define LABEL(x)	  "<wsc:Label>" x "</wsc:Label>"
#define K		  .secret = ATTACK_DERIVED

/* ---- HMAC ---- */

#define CUT(bits)                                                                        \
	"<ds:SignedInfo xmlns:ds=\"" DS "\"><ds:CanonicalizationMethod Algorithm=\"" EXC \
	"\"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm=\"" DSMORE         \
	"hmac-sha256\"><ds:HMACOutputLength>" bits                                       \
	"</ds:HMACOutputLength></ds:SignatureMethod>" REF_TIME REF_BODY "</ds:SignedInfo>"
#define SHA1_NAME(x)                                                                     \
	"<wsse:KeyIdentifier ValueType=\"http://docs.oasis-open.org/wss/oasis-wss-soap-" \
	"message-security-1.1#EncryptedKeySHA1\">" x "</wsse:KeyIdentifier>"

/* ---- endorsing signatures ---- */

#define INFO_INSIDE                                                              \
	"<ds:SignedInfo><ds:CanonicalizationMethod Algorithm=\"" EXC             \
	"\"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm=\"" DSMORE \
	"hmac-sha256\"></ds:SignatureMethod>" REF_TIME REF_BODY "</ds:SignedInfo>"
#define REF_SIG                                                   \
	REFERENCE(" URI=\"#sig\"", TRANSFORM(EXC), XENC "sha256", \
		  "@(" HMAC_WITH(INFO_INSIDE, BY_ID("ek"), "@M") "@)")
#define ENDORSES(refs) .endorsing = SIGNED_INFO(refs)
#define ENDORSEMENT(value)                                              \
	"<ds:Signature xmlns:ds=\"" DS "\">@E<ds:SignatureValue>" value \
	"</ds:SignatureValue><ds:KeyInfo>" STR("token") "</ds:KeyInfo></ds:Signature>"
#define ENDORSED(sigs) BY_SECRET("@K" WRAPPED, HMAC_BY("ek", "@M") sigs)

static const struct attack rows[] = {
	ROW("derived key", "of no byte", SIGNATURE, STRUCTURE, BY_DERIVED(LENGTH("0") NONCE),
	    .secret = ATTACK_NOTHING),
	ROW("derived key", "of a negative length", SIGNATURE, TOKEN,
	    BY_DERIVED(LENGTH("-32") NONCE), K),
	ROW("derived key", "of one byte", SIGNATURE, STRUCTURE, BY_DERIVED(LENGTH("1") NONCE), K),
	ROW("derived key", "of 999999 bytes", SIGNATURE, STRUCTURE,
	    BY_DERIVED(LENGTH("999999") NONCE), K),
	ROW("derived key", "of 2^32 and 32 bytes", SIGNATURE, TOKEN,
	    BY_DERIVED(LENGTH("4294967328") NONCE), K),
	ROW("derived key", "of an empty length", SIGNATURE, TOKEN, BY_DERIVED(LENGTH("") NONCE), K),
	ROW("derived key", "at 2^32", SIGNATURE, TOKEN,
	    BY_DERIVED(OFFSET("4294967296") LENGTH("32") NONCE), K),
	ROW("derived key", "at a negative offset", SIGNATURE, TOKEN,
	    BY_DERIVED(OFFSET("-32") LENGTH("32") NONCE), K),
	ROW("derived key", "at an offset that overflows with the length", SIGNATURE, TOKEN,
	    BY_DERIVED(OFFSET("18446744073709551600") LENGTH("32") NONCE), K),
	ROW("derived key", "of generation 999999", SIGNATURE, STRUCTURE,
	    BY_DERIVED(GENERATION("999999") LENGTH("32") NONCE), K),
	ROW("derived key", "of generation 2^59", SIGNATURE, TOKEN,
	    BY_DERIVED(GENERATION("576460752303423488") LENGTH("32") NONCE), K),
	ROW("derived key", "with two labels", SIGNATURE, TOKEN,
	    BY_DERIVED(LABEL("a") LABEL("b") NONCE), K),
	ROW("derived key", "with another label", SIGNATURE, SIGNATURE, BY_DERIVED(LABEL("a") NONCE),
	    K),
	ROW("derived key", "with two nonces", SIGNATURE, TOKEN, BY_DERIVED(NONCE NONCE), K),
	ROW("derived key", "with another nonce", SIGNATURE, SIGNATURE,
	    BY_DERIVED("<wsc:Nonce>AAAA</wsc:Nonce>"), K),
	ROW("derived key", "without a nonce", SIGNATURE, SIGNATURE, BY_DERIVED(""), K),
	{ .class = "derived key",
	  .variant = "with a nonce of 100 KB",
	  .security = FMP_SECURITY_BCS,
	  .step = FMP_STEP_SIGNATURE,
	  .kind = FMP_EVENT_STRUCTURE,
	  .symmetric = true,
	  .info = HMAC_INFO,
	  .text = BY_DERIVED("<wsc:Nonce>@*</wsc:Nonce>"),
	  .piece = "AAAAAAAA",
	  .n = 12800,
	  K },
	ROW("derived key", "of itself", SIGNATURE, TOKEN,
	    BY_SECRET(WRAPPED DERIVED_AS("dk", STR("dk"), NONCE), HMAC_BY("dk", "@M")), K),
	ROW("derived key", "of one that is derived from it", SIGNATURE, UNSUPPORTED,
	    BY_SECRET(WRAPPED DERIVED_AS("dk", STR("d2"), NONCE) DERIVED_AS("d2", STR("dk"), NONCE),
		      HMAC_BY("dk", "@M")),
	    K),
	ROW("derived key", "of a derived one", SIGNATURE, UNSUPPORTED,
	    BY_SECRET(WRAPPED DERIVED(NONCE) DERIVED_AS("d2", STR("dk"), NONCE),
		      HMAC_BY("d2", "@M")),
	    K),
	ROW("derived key", "of the certificate", SIGNATURE, UNSUPPORTED,
	    BY_SECRET("@K" WRAPPED DERIVED_AS("dk", STR("token"), NONCE), HMAC_BY("dk", "@M")),
	    .secret = ATTACK_PUBLIC),
	ROW("derived key", "two of one Id", SIGNATURE, WRAPPING,
	    BY_SECRET(WRAPPED DERIVED(NONCE) DERIVED(NONCE), HMAC_BY("dk", "@M")), K),
	ROW("derived key", "one hundred", SIGNATURE, STRUCTURE,
	    BY_SECRET(WRAPPED DERIVED(NONCE) "@*", HMAC_BY("dk", "@M")),
	    .piece = DERIVED_AS("d@#", "", ""), .n = 100, K),

	ROW_AS("HMAC", "cut to 0 bits", SIGNATURE, SIGNATURE, BY_SECRET(WRAPPED, HMAC_BY("ek", "")),
	       .info = CUT("0")),
	ROW_AS("HMAC", "cut to 8 bits", SIGNATURE, SIGNATURE,
	       BY_SECRET(WRAPPED, HMAC_BY("ek", "AA==")), .info = CUT("8")),
	ROW_AS("HMAC", "cut to -1 bits", SIGNATURE, SIGNATURE,
	       BY_SECRET(WRAPPED, HMAC_BY("ek", "@M")), .info = CUT("-1")),
	ROW("HMAC", "an empty value", SIGNATURE, SIGNATURE, BY_SECRET(WRAPPED, HMAC_BY("ek", ""))),
	ROW("HMAC", "the beginning of the value", SIGNATURE, SIGNATURE,
	    BY_SECRET(WRAPPED, HMAC_BY("ek", "AAAA"))),
	ROW("HMAC", "by the key of another message", SIGNATURE, SIGNATURE,
	    BY_SECRET(WRAPPED, HMAC_BY("ek", "@M")), .secret = ATTACK_OTHER),
	ROW("HMAC", "by no secret", SIGNATURE, SIGNATURE, BY_SECRET(WRAPPED, HMAC_BY("ek", "@M")),
	    .secret = ATTACK_NOTHING),
	ROW("HMAC", "by a certificate as the secret", SIGNATURE, ALGORITHM,
	    BY_SECRET("@K", HMAC_BY("token", "@M")), .secret = ATTACK_PUBLIC),
	ROW("HMAC", "by a certificate, beside a key", SIGNATURE, ALGORITHM,
	    BY_SECRET("@K" WRAPPED, HMAC_BY("token", "@M")), .secret = ATTACK_PUBLIC),
	ROW("HMAC", "a forged name of the key", SIGNATURE, UNSUPPORTED,
	    BY_SECRET(WRAPPED, HMAC_WITH("@S", SHA1_NAME("AAAAAAAAAAAAAAAAAAAAAAAAAAA="), "@M"))),
	ROW("HMAC", "an empty name of the key", SIGNATURE, UNSUPPORTED,
	    BY_SECRET(WRAPPED, HMAC_WITH("@S", SHA1_NAME(""), "@M"))),
	ROW("HMAC", "two EncryptedKeys", SIGNATURE, WRAPPING,
	    BY_SECRET(WRAPPED WRAPPED, HMAC_BY("ek", "@M"))),
	ROW("HMAC", "no EncryptedKey", SIGNATURE, TOKEN, BY_SECRET("", HMAC_BY("ek", "@M"))),
	ROW_AS("HMAC", "RSA by the name of a secret", SIGNATURE, ALGORITHM,
	       BY_SECRET(WRAPPED, HMAC_BY("ek", "@v")), .info = SIGNED_INFO(REF_TIME REF_BODY)),
	ROW_AS("HMAC", "the Body is not signed", SIGNATURE, UNSIGNED,
	       BY_SECRET(WRAPPED, HMAC_BY("ek", "@M")),
	       .info = SIGNED_INFO_WITH(EXC, DSMORE "hmac-sha256", REF_TIME)),

	ROW("endorsing signature", "of nothing", SIGNATURE, WRAPPING, ENDORSED(ENDORSEMENT("@e")),
	    ENDORSES("")),
	ROW("endorsing signature", "of the Body alone", SIGNATURE, WRAPPING,
	    ENDORSED(ENDORSEMENT("@e")), ENDORSES(REF_BODY)),
	ROW("endorsing signature", "of another signature", SIGNATURE, WRAPPING,
	    ENDORSED(ENDORSEMENT("@e")),
	    ENDORSES(REFERENCE(" URI=\"#sig2\"", TRANSFORM(EXC), XENC "sha256", "@b"))),
	ROW("endorsing signature", "of another digest", SIGNATURE, SIGNATURE,
	    ENDORSED(ENDORSEMENT("@e")),
	    ENDORSES(REFERENCE(" URI=\"#sig\"", TRANSFORM(EXC), XENC "sha256", "@b"))),
	ROW("endorsing signature", "of another value", SIGNATURE, SIGNATURE,
	    ENDORSED(ENDORSEMENT("AAAA")), ENDORSES(REF_SIG)),
	ROW("endorsing signature", "by one that nobody trusts", SIGNATURE, TOKEN,
	    ENDORSED(ENDORSEMENT("@e")), ENDORSES(REF_SIG), .token = ATTACK_ROGUE),
	ROW("endorsing signature", "two", SIGNATURE, UNSUPPORTED,
	    ENDORSED(ENDORSEMENT("@e") ENDORSEMENT("@e")), ENDORSES(REF_SIG)),
	ROW("endorsing signature", "alone", SIGNATURE, WRAPPING,
	    BY_SECRET("@K" WRAPPED, ENDORSEMENT("@e")), ENDORSES(REF_SIG)),
	ROW("endorsing signature", "in front of a forged one", SIGNATURE, SIGNATURE,
	    BY_SECRET("@K" WRAPPED, ENDORSEMENT("@e") HMAC_BY("ek", "AAAA")), ENDORSES(REF_SIG)),
};

const struct attack_table attack_symmetric = ROWS(rows);
