// SPDX-License-Identifier: GPL-2.0
/* Encrypted messages: whose key, how many, and what is inside. */
#include "attack.h"
#include "names.h"

#define ROW(c, v, st, k, ...)                                                                  \
	{                                                                                      \
		.class = c, .variant = v, .security = FMP_SECURITY_BCE, .step = FMP_STEP_##st, \
		.kind = FMP_EVENT_##k, __VA_ARGS__                                             \
	}
#define INSIDE(v, st, k, ...)                      \
	ROW("attacks inside encryption", v, st, k, \
	    .text = OPEN HEADER(SECURITY("@X")) BODY("@D") CLOSE, __VA_ARGS__)
#define WITH(key, data) .text = OPEN HEADER(SECURITY(key)) BODY(data) CLOSE
#define KEY(method, value, list)                                                           \
	"<xenc:EncryptedKey xmlns:xenc='" XENC                                             \
	"' Id='ek'><xenc:EncryptionMethod Algorithm='" method "'/><xenc:CipherData>" value \
	"</xenc:CipherData>" list "</xenc:EncryptedKey>"
#define DATA(attributes, method, info, value)                                                     \
	"<xenc:EncryptedData xmlns:xenc='" XENC "' Id='ed'" attributes "><xenc:EncryptionMethod " \
	"Algorithm='" method "'/>" info "<xenc:CipherData>" value                                 \
	"</xenc:CipherData></xenc:EncryptedData>"
#define VALUE(x) "<xenc:CipherValue>" x "</xenc:CipherValue>"
#define GCM	 XENC11 "aes128-gcm"
#define OAEP	 XENC "rsa-oaep-mgf1p"
#define LIST(x)	 "<xenc:ReferenceList>" x "</xenc:ReferenceList>"
#define TO(uri)	 "<xenc:DataReference URI='" uri "'/>"

static const struct attack rows[] = {
	ROW("encryption exclusion", "nothing is encrypted", DECRYPT, UNENCRYPTED,
	    .text = MESSAGE(ORDER)),
	ROW("encryption exclusion", "a key for nothing", DECRYPT, UNENCRYPTED, WITH("@X", ORDER)),
	ROW("encryption exclusion", "no key", DECRYPT, UNENCRYPTED, .text = MESSAGE("@D")),
	ROW("encryption exclusion", "a part of the order alone", DECRYPT, UNENCRYPTED,
	    WITH("@X", ORDER_OPEN "@D" ORDER_REST)),

	ROW("EncryptedKey", "1000 of them", SIGNATURE, WRAPPING, WITH("@X@*", "@D"),
	    .piece = "<xenc:EncryptedKey xmlns:xenc='" XENC "'/>", .n = 1000),
	ROW("EncryptedKey", "for 1000 parts", DECRYPT, WRAPPING,
	    WITH("<xenc:EncryptedKey xmlns:xenc='" XENC
		 "' Id='ek'><xenc:EncryptionMethod Algorithm='" OAEP
		 "'/><xenc:CipherData>" VALUE("@x") "</xenc:CipherData><xenc:ReferenceList>@*"
						    "</xenc:ReferenceList></xenc:EncryptedKey>",
		 "@D"),
	    .piece = "<xenc:DataReference URI='#ed'/>", .n = 1000),
	ROW("encryption exclusion", "beside 15000 elements", DECRYPT, STRUCTURE,
	    WITH("@X", "<a>@*</a>"), .piece = "<a/>", .n = 15000),
	ROW("EncryptedKey", "for a part that is not there", DECRYPT, WRAPPING,
	    WITH(KEY(OAEP, VALUE("@x"), LIST(TO("#other"))), "@D")),
	ROW("EncryptedKey", "of another host", DECRYPT, ALGORITHM,
	    WITH(KEY(OAEP, "<xenc:CipherReference URI='http://192.0.2.1/k'/>", ""), "@D")),
	ROW("EncryptedKey", "a value of 500 KB", DECRYPT, DECRYPT,
	    WITH(KEY(OAEP, VALUE("@*"), ""), "@D"), .piece = "QUJDREVGR0hJSktM", .n = 32000),
	ROW("EncryptedKey", "a value of nothing", DECRYPT, DECRYPT,
	    WITH(KEY(OAEP, VALUE(""), ""), "@D")),
	ROW("EncryptedKey", "a key that was not wrapped for us", DECRYPT, DECRYPT,
	    WITH(KEY(OAEP, VALUE("QUJDREVGR0hJSktM"), ""), "@D")),
	ROW("EncryptedKey", "a key that names itself", DECRYPT, WRAPPING,
	    WITH("@X", DATA("", GCM,
			    "<ds:KeyInfo xmlns:ds='" DS "'><s:SecurityTokenReference xmlns:s='" WSSE
			    "'><s:Reference URI='#ed'/></s:SecurityTokenReference></ds:KeyInfo>",
			    VALUE("@d")))),

	ROW("weak encryption", "RSA PKCS 1 version 1.5", DECRYPT, ALGORITHM,
	    WITH(KEY(XENC "rsa-1_5", VALUE("@x"), ""), "@D")),
	ROW("weak encryption", "triple DES", DECRYPT, ALGORITHM,
	    WITH("@X", DATA("", XENC "tripledes-cbc", "", VALUE("@d")))),
	ROW("weak encryption", "a cipher that nobody knows", DECRYPT, ALGORITHM,
	    WITH("@X", DATA("", "urn:x", "", VALUE("@d")))),
	ROW("weak encryption", "a key wrapped by a key", DECRYPT, UNSUPPORTED,
	    WITH(KEY(XENC "kw-aes128", VALUE("@x"), ""), "@D")),
	ROW("weak encryption", "GCM said to be CBC", DECRYPT, ALGORITHM,
	    WITH("@X", DATA("", XENC "aes128-cbc", "", VALUE("@d")))),

	ROW("cipher text", "of another host", DECRYPT, ALGORITHM,
	    WITH("@X", DATA("", GCM, "", "<xenc:CipherReference URI='http://192.0.2.1/d'/>"))),
	ROW("cipher text", "with a transform", DECRYPT, ALGORITHM,
	    WITH("@X", DATA("", GCM, "",
			    "<xenc:CipherReference URI='#ed'><xenc:Transforms>"
			    "<ds:Transform xmlns:ds='" DS "' Algorithm='" XSLT
			    "'/></xenc:Transforms></xenc:CipherReference>"))),
	ROW("cipher text", "a bit changed", DECRYPT, DECRYPT,
	    WITH("@X", DATA("", GCM, "", VALUE("AAAA@d")))),
	ROW("cipher text", "shorter than its tag", DECRYPT, DECRYPT,
	    WITH("@X", DATA("", GCM, "", VALUE("AAAA")))),
	ROW("cipher text", "CBC cut in a block", DECRYPT, ALGORITHM,
	    WITH("@X", DATA("", XENC "aes128-cbc", "", VALUE("AAAA")))),
	ROW("cipher text", "of a type that nobody knows", DECRYPT, ALGORITHM,
	    WITH("@X", DATA(" Type='urn:gzip'", GCM, "", VALUE("@d")))),
	ROW("cipher text", "not Base64", DECRYPT, DECRYPT,
	    WITH("@X", DATA("", GCM, "", VALUE("!!!!")))),

	INSIDE("a document type", DECRYPT, DTD, .plain = "<!DOCTYPE a [<!ENTITY b 'c'>]>" ORDER),
	INSIDE("depth", DECRYPT, NESTING,
	       .plain =
		       "<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>"
		       "<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>"
		       "<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>"),
	INSIDE("the Body's end", DECRYPT, SOAP,
	       .plain = ORDER "</soapenv:Body><soapenv:Body>" EVIL_ORDER),
	INSIDE("the Envelope's end", DECRYPT, WELLFORMED,
	       .plain = ORDER "</soapenv:Body></soapenv:Envelope>"),
	INSIDE("two orders", DECRYPT, SOAP, .plain = ORDER EVIL_ORDER),
	INSIDE("encryption again", DECRYPT, SCHEMA,
	       .plain = "<xenc:EncryptedData xmlns:xenc='" XENC "' Id='ed'/>"),
	INSIDE("no order", DECRYPT, SCHEMA, .plain = "<evil/>"),
	INSIDE("bytes that are not UTF-8", DECRYPT, ENCODING, .plain = "<a>\xc0\xbc</a>"),
	INSIDE("text alone", DECRYPT, SOAP, .plain = "hello"),
	INSIDE("nothing", DECRYPT, SOAP, .plain = ""),
	ROW("padding oracle", "a document type under CBC", DECRYPT, ALGORITHM,
	    WITH("@X", DATA("", XENC "aes128-cbc", "", VALUE("@c"))), .plain = "<!DOCTYPE a>"),
	ROW("padding oracle", "no order under CBC", DECRYPT, ALGORITHM,
	    WITH("@X", DATA("", XENC "aes128-cbc", "", VALUE("@c"))), .plain = "<evil/>"),
	ROW("padding oracle", "broken markup under CBC", DECRYPT, ALGORITHM,
	    WITH("@X", DATA("", XENC "aes128-cbc", "", VALUE("@c"))), .plain = "<a>&lt;</b>"),
};

const struct attack_table attack_encryption = ROWS(rows);
