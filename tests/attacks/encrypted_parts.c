// SPDX-License-Identifier: GPL-2.0
/* Attacks where a UsernameToken and a To must be encrypted, and something else takes their place. */
#include "attack.h"
#include "encrypted_parts.h"

#define ROW(c, v, st, k, ...)                                                                  \
	{                                                                                      \
		.class = c, .variant = v, .security = FMP_SECURITY_BCE, .step = FMP_STEP_##st, \
		.kind = FMP_EVENT_##k, .encrypted_parts = true, __VA_ARGS__                    \
	}
#define REFS		    TO_BE("eu") TO_BE("et") TO_BE("ed")
#define WITH(parts, blocks) .text = SECRET(KEY(REFS), parts, blocks, G("ed", ORDER))
#define INSIDE(user, to)    WITH(G("eu", user), BLOCK(G("et", to)))
#define FOR(refs)	    .text = SECRET(KEY(refs), G("eu", USER), BLOCK(G("et", TO)), G("ed", ORDER))
#define UNDER_CBC(user, to) \
	.text = SECRET(KEY(REFS), C("eu", user), BLOCK(C("et", to)), C("ed", ORDER))
#define BESIDE(lists) \
	.text = SECRET(KEY_WITH("") lists, GK("eu", USER), BLOCK(GK("et", TO)), GK("ed", ORDER))
#define REOPEN	"<wsse:Security xmlns:wsse='" WSSE "'>"
#define DAMAGED DATUM_OF("Element", GCM, "eu", "AAAA@{" USER "@}")

/* BcS with a key: the Body is in the clear, and signed. */
#define BESIDE_BODY(parts, blocks) OPEN HEADER(SECURITY(parts "@K@T@G") blocks) "@B" CLOSE
#define CLEAR_ROW(v, st, k, parts, blocks, ...)                                             \
	{                                                                                   \
		.class = "encrypted beside a clear Body", .variant = v,                     \
		.security = FMP_SECURITY_BCS, .step = FMP_STEP_##st, .kind = FMP_EVENT_##k, \
		.symmetric = true, .text = BESIDE_BODY(parts, blocks), __VA_ARGS__          \
	}
#define IN_BLOCK(v, k, x) CLEAR_ROW(v, DECRYPT, k, KEY(TO_BE("et")), BLOCK(G("et", x)), .n = 0)

static const struct attack rows[] = {
	ROW("encrypted wrapping", "a UsernameToken beside the encrypted one", DECRYPT, UNENCRYPTED,
	    WITH(G("eu", USER) USER_OF("joe", ""), BLOCK(G("et", TO)))),
	ROW("encrypted wrapping", "two in one place", DECRYPT, WRAPPING,
	    INSIDE(USER USER_OF("joe", ""), TO)),
	ROW("encrypted wrapping", "a Timestamp with it", DECRYPT, WRAPPING, INSIDE(USER "@T", TO)),
	ROW("encrypted wrapping", "a header block with it", DECRYPT, WRAPPING,
	    INSIDE(USER, TO "<evil/>")),
	ROW("encrypted wrapping", "a Security header with it", DECRYPT, WRAPPING,
	    INSIDE(USER, TO REOPEN "</wsse:Security>")),
	ROW("encrypted wrapping", "the end of the Security header", DECRYPT, WRAPPING,
	    INSIDE("</wsse:Security>" REOPEN USER, TO)),
	ROW("encrypted wrapping", "the end of the Header", DECRYPT, SOAP,
	    INSIDE(USER, TO "</soapenv:Header><soapenv:Header>")),
	ROW("encrypted wrapping", "a Body of its own", DECRYPT, WELLFORMED,
	    INSIDE(USER, TO "</soapenv:Header>" BODY(EVIL_ORDER) CLOSE "<!--")),
	ROW("encrypted wrapping", "a comment from one to the next", DECRYPT, WRAPPING,
	    INSIDE(USER "<!--", "--></wsse:Security>" TO)),
	ROW("encrypted wrapping", "each in the other's place", DECRYPT, TOKEN, INSIDE(TO, USER)),
	ROW("encrypted wrapping", "encrypted twice", DECRYPT, UNSUPPORTED,
	    INSIDE(G("ex", USER), TO)),
	ROW("encrypted wrapping", "4000 elements", DECRYPT, TOKEN, INSIDE(USER "@*", TO),
	    .piece = "<a/>", .n = 4000),
	ROW("encrypted wrapping", "10000 elements", DECRYPT, STRUCTURE, INSIDE(USER "@*", TO),
	    .piece = "<a/>", .n = 10000),

	ROW("encrypted references", "one twice", DECRYPT, WRAPPING, FOR(REFS TO_BE("eu"))),
	ROW("encrypted references", "one too few", DECRYPT, WRAPPING, FOR(TO_BE("eu") TO_BE("ed"))),
	ROW("encrypted references", "to what is not there", DECRYPT, WRAPPING,
	    FOR(REFS TO_BE("ex"))),
	ROW("encrypted references", "1000", DECRYPT, WRAPPING, FOR("@*"), .piece = TO_BE("eu"),
	    .n = 1000),
	ROW("encrypted references", "beside the key, one twice", DECRYPT, WRAPPING,
	    BESIDE(LIST(REFS TO_BE("eu")))),
	ROW("encrypted references", "beside the key, 1000", DECRYPT, WRAPPING, BESIDE(LIST("@*")),
	    .piece = TO_BE("eu"), .n = 1000),
	ROW("encrypted references", "1000 lists", SIGNATURE, WRAPPING, BESIDE("@*"),
	    .piece = LIST(TO_BE("eu")), .n = 1000),
	ROW("encrypted references", "in the key and beside it", DECRYPT, WRAPPING,
	    .text = SECRET(KEY(REFS) LIST(REFS), GK("eu", USER), BLOCK(GK("et", TO)),
			   GK("ed", ORDER))),
	ROW("encrypted references", "in front of the key", SIGNATURE, WRAPPING,
	    .text = SECRET(LIST(REFS) KEY_WITH(""), GK("eu", USER), BLOCK(GK("et", TO)),
			   GK("ed", ORDER))),
	ROW("encrypted references", "beside a key that nothing names", DECRYPT, WRAPPING,
	    .text = SECRET(KEY_WITH("") LIST(REFS), G("eu", USER), BLOCK(G("et", TO)),
			   G("ed", ORDER))),

	ROW("encrypted parts", "none", DECRYPT, UNENCRYPTED, WITH("", "")),
	ROW("encrypted parts", "as WS-Security 1.0 has a block", DECRYPT, UNENCRYPTED,
	    WITH(G("eu", USER), G("et", TO))),
	ROW("encrypted parts", "in the clear", DECRYPT, UNENCRYPTED, WITH(USER, TO)),
	ROW("encrypted parts", "1000 EncryptedData", SIGNATURE, WRAPPING,
	    WITH("@*", BLOCK(G("et", TO))), .piece = "<xenc:EncryptedData xmlns:xenc='" XENC "'/>",
	    .n = 1000),
	ROW("encrypted parts", "1000 EncryptedHeaders", SIGNATURE, WRAPPING,
	    WITH(G("eu", USER), "@*"), .piece = BLOCK(""), .n = 1000),
	ROW("encrypted parts", "behind 9000 others", SCREEN, STRUCTURE,
	    WITH(DAMAGED, "@*" BLOCK(G("et", TO))), .piece = "<o/>", .n = 9000),
	ROW("encrypted parts", "behind 4000 others", DECRYPT, DECRYPT,
	    WITH(DAMAGED, "@*" BLOCK(G("et", TO))), .piece = "<o/>", .n = 4000),
	ROW("encrypted parts", "a bit changed", DECRYPT, DECRYPT,
	    WITH(DAMAGED, BLOCK(G("et", TO)))),
	ROW("encrypted parts", "another user", DECRYPT, TOKEN, INSIDE(USER_OF("joe", ""), TO)),

	ROW("padding oracle", "another element under CBC", DECRYPT, ALGORITHM,
	    UNDER_CBC("<evil/>", TO)),
	ROW("padding oracle", "another user under CBC", DECRYPT, ALGORITHM,
	    UNDER_CBC(USER_OF("joe", ""), TO)),

	IN_BLOCK("two elements in one place", WRAPPING, TO "<evil/>"),
	IN_BLOCK("no element", SOAP, "evil"),
	IN_BLOCK("a Body of its own", WELLFORMED,
		 TO "</soapenv:Header>" BODY(EVIL_ORDER) CLOSE "<!--"),
	IN_BLOCK("a second Security header", WRAPPING, REOPEN "@T@G</wsse:Security>"),
	CLEAR_ROW("half of an element in each of two", DECRYPT, WRAPPING,
		  KEY(TO_BE("et") TO_BE("eu")), BLOCK(G("et", "<a>")) BLOCK(G("eu", "</a>")),
		  .n = 0),
	CLEAR_ROW("a second Timestamp", DECRYPT, WRAPPING, KEY(TO_BE("et")) G("et", "@T"), "",
		  .n = 0),
	CLEAR_ROW("a second Signature", DECRYPT, WRAPPING, KEY(TO_BE("et")) G("et", "@G"), "",
		  .n = 0),
	CLEAR_ROW("1000 EncryptedData", SIGNATURE, UNSUPPORTED, KEY(TO_BE("et")) "@*", "",
		  .piece = "<xenc:EncryptedData xmlns:xenc='" XENC "'/>", .n = 1000),
	CLEAR_ROW("4000 elements", DECRYPT, TOKEN, KEY(TO_BE("et")) G("et", "<a>@*</a>"), "",
		  .piece = "<b/>", .n = 4000),
};

const struct attack_table attack_encrypted_parts = ROWS(rows);
