/* SPDX-License-Identifier: GPL-2.0 */
/* Headers whose parts are encrypted as they must be, and headers whose are not. */
#ifndef FMP_TESTS_ENCRYPTED_ROWS_H
#define FMP_TESTS_ENCRYPTED_ROWS_H

#include "encrypted_messages.h"

/* Blocks and a Security header for another role. */
#define OF_OTHERS                                                                           \
	BLOCK_WITH(" soapenv:actor='urn:b' soapenv:mustUnderstand='1'", "<et/>")            \
	"<wsse:Security xmlns:wsse='" WSSE "' soapenv:actor='urn:b'><EncryptedData Id='e'"  \
	"/><xenc:EncryptedKey xmlns:xenc='" XENC "'/><xenc:EncryptedData xmlns:xenc='" XENC \
	"'/></wsse:Security>"

/* Accepted messages, by the cipher. */
#define ACCEPTED(E)                                                                              \
	{ "username", BCE,                                                                       \
	  USERNAME,   SECRET(KEY(TO_BE("eu") TO_BE("ed")), E("eu", USER), "", E("ed", ORDER)),   \
	  NULL,	      0,                                                                         \
	  "",	      0 },                                                                       \
		{ "a block",                                                                     \
		  BCE,                                                                           \
		  PART(TO),                                                                      \
		  SECRET(KEY(TO_BE("ed") TO_BE("et")), "", BLOCK(E("et", TO)), E("ed", ORDER)),  \
		  NULL,                                                                          \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
		{ "a block that must be understood",                                             \
		  BCE,                                                                           \
		  PART(TO),                                                                      \
		  SECRET(KEY(TO_BE("ed") TO_BE("et")), "",                                       \
			 BLOCK_WITH(" soapenv:mustUnderstand='1'",                               \
				    " " E("et", " " TO "\n") "<!-- -->"),                        \
			 E("ed", ORDER)),                                                        \
		  NULL,                                                                          \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
		{ "a block in front of the Security header",                                     \
		  BCE,                                                                           \
		  USERNAME | PART(TO),                                                           \
		  OPEN HEADER("<!-- <a> -->" BLOCK(E("et", TO)) "<o a='>' b=\"'/>\"/>" SECURITY( \
			  KEY(TO_BE("eu") TO_BE("ed") TO_BE("et")) E("eu", USER)))               \
			  BODY(E("ed", ORDER)) CLOSE,                                            \
		  NULL,                                                                          \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
		{ "beside what is for others",                                                   \
		  BCE,                                                                           \
		  USERNAME | PART(TO),                                                           \
		  OPEN HEADER(OF_OTHERS BLOCK(E("et", TO)) SECURITY(KEY(TO_BE("eu") TO_BE(       \
			  "ed") TO_BE("et")) E("eu", USER))) BODY(E("ed", ORDER)) CLOSE,         \
		  NULL,                                                                          \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
		{ "signature beside what is for others",                                         \
		  BCES,                                                                          \
		  SIGNATURE,                                                                     \
		  SIGNED_SECRET(KEY(TO_BE("es") TO_BE("ed")), E("es", "@G"), OF_OTHERS,          \
				E("ed", "@O")),                                                  \
		  NULL,                                                                          \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
		{ "signature",                                                                   \
		  BCES,                                                                          \
		  SIGNATURE,                                                                     \
		  SIGNED_SECRET(KEY(TO_BE("es") TO_BE("ed")), E("es", "@G"), "", E("ed", "@O")), \
		  NULL,                                                                          \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
		{ "username, signed",                                                            \
		  BCES,                                                                          \
		  USERNAME,                                                                      \
		  SIGNED_SECRET(KEY(TO_BE("eu") TO_BE("ed")), E("eu", USER) "@G", "",            \
				E("ed", "@O")),                                                  \
		  INFO(REF("user", USER)),                                                       \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
		{ "all",                                                                         \
		  BCES,                                                                          \
		  ALL,                                                                           \
		  SIGNED_SECRET(KEY(ALL_REFS), E("es", "@G") E("eu", USER),                      \
				BLOCK(E("et", TO)) BLOCK(E("em", MESSAGE_ID)), E("ed", "@O")),   \
		  ALL_INFO,                                                                      \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
	{                                                                                        \
		"all in another order", BCES, ALL,                                               \
			SIGNED_SECRET(KEY(ALL_REFS), E("eu", USER) E("es", "@G"),                \
				      BLOCK(E("em", MESSAGE_ID)) BLOCK(E("et", TO)),             \
				      E("ed", "@O")),                                            \
			ALL_INFO, 0, "", 0                                                       \
	}

#define LATER	 FMP_ORDER_ENCRYPT_SIGN
#define SECRETLY (USERNAME | PART(TO) | PART(MESSAGE_ID))
/* A sender that omits namespaces declared around the token writes it so. */
#define BARE_USER                                                                                \
	"<wsse:UsernameToken><wsse:Username>jane</wsse:Username><wsse:Password>secret"           \
	"</wsse:Password><wsse:Nonce>c2l4dGVlbiBsZXR0ZXJz</wsse:Nonce><q:Created>@N</q:Created>" \
	"</wsse:UsernameToken>"
#define SIGNED_ACCEPTED(E)                                                                              \
	{ "username, encrypted, then signed",                                                           \
	  BCES,                                                                                         \
	  USERNAME,                                                                                     \
	  SECRET_SIGNED(KEY(TO_BE("eu") TO_BE("ed")), E("eu", USER), "", E("ed", ORDER)),               \
	  INFO_SIGNED(E("ed", ORDER), REF("eu", E("eu", USER))),                                        \
	  0,                                                                                            \
	  "",                                                                                           \
	  LATER },                                                                                      \
		{ "all, encrypted, then signed",                                                        \
		  BCES,                                                                                 \
		  SECRETLY,                                                                             \
		  SECRET_SIGNED(                                                                        \
			  KEY(TO_BE("eu") TO_BE("ed") TO_BE("et") TO_BE("em")), E("eu", USER),          \
			  BLOCK_ID("bt", E("et", TO)) BLOCK(E("em", MESSAGE_ID)), E("ed", ORDER)),      \
		  INFO_SIGNED(E("ed", ORDER),                                                           \
			      REF("eu", E("eu", USER)) REF("em", E("em", MESSAGE_ID))                   \
				      REF("bt", BLOCK_ID("bt", E("et", TO)))),                          \
		  0,                                                                                    \
		  "",                                                                                   \
		  LATER },                                                                              \
		{ "a block in front, encrypted, then signed",                                           \
		  BCES,                                                                                 \
		  SECRETLY & ~PART(MESSAGE_ID),                                                         \
		  OPEN HEADER(BLOCK(E("et", TO)) SECURITY(                                              \
			  "@K@T@G" KEY(TO_BE("eu") TO_BE("ed") TO_BE("et")) E("eu", USER)))             \
			  SIGNED_BODY("body", E("ed", ORDER)) CLOSE,                                    \
		  INFO_SIGNED(E("ed", ORDER), REF("et", E("et", TO)) REF("eu", E("eu", USER))),         \
		  0,                                                                                    \
		  "",                                                                                   \
		  LATER },                                                                              \
	{                                                                                               \
		"in the namespaces of the message", BCES, USERNAME,                                     \
			"<soapenv:Envelope xmlns:q='urn:x' xmlns:env='urn:x' xmlns:r='urn:x?&amp;lt;' " \
			"xmlns='urn:y' xmlns:soapenv=\"" SOAP11 "\"><soapenv:Header xmlns:q='" WSU      \
			"'>" SECURITY("@K@T@G" KEY(TO_BE("eu") TO_BE("ed")) E(                          \
				"eu", BARE_USER)) "</soapenv:Header>" SIGNED_BODY("body",               \
										  E("ed", ORDER))       \
				CLOSE,                                                                  \
			INFO_SIGNED(E("ed", ORDER), REF("eu", E("eu", BARE_USER))), 0, "", LATER        \
	}

/* What the key is for stands beside it, where it is to be used. */
#define BESIDE_ACCEPTED(E)                                                                       \
	{ "a list beside the key",                                                               \
	  BCE,                                                                                   \
	  USERNAME,                                                                              \
	  SECRET(KEY_WITH("") LIST(TO_BE("eu") TO_BE("ed")), E("eu", USER), "", E("ed", ORDER)), \
	  NULL,                                                                                  \
	  0,                                                                                     \
	  "",                                                                                    \
	  0 },                                                                                   \
		{ "a list in front of the signature",                                            \
		  BCES,                                                                          \
		  0,                                                                             \
		  SIGNED_SECRET(KEY_WITH("") LIST(TO_BE("ed")), "@G", "", E("ed", "@O")),        \
		  INFO(""),                                                                      \
		  0,                                                                             \
		  "",                                                                            \
		  0 },                                                                           \
	{                                                                                        \
		"a list behind the signature, the key in front of it", BCES, USERNAME,           \
			OPEN HEADER(SECURITY(KEY_WITH("") "@K@T@G" LIST(TO_BE("eu") TO_BE("ed")) \
						     E("eu", USER)))                             \
				SIGNED_BODY("body", E("ed", ORDER)) CLOSE,                       \
			INFO_SIGNED(E("ed", ORDER), REF("eu", E("eu", USER))), 0, "", LATER      \
	}

static const struct encrypted_row accepted[] = {
	ACCEPTED(G),
	ACCEPTED(C),
	SIGNED_ACCEPTED(G),
	SIGNED_ACCEPTED(C),
	BESIDE_ACCEPTED(GK),
	BESIDE_ACCEPTED(CK),
	{ "To that must be understood", BCE, PART(TO),
	  SECRET(KEY(TO_BE("et") TO_BE("ed")), "",
		 BLOCK(G("et",
			 "<wsa:To xmlns:wsa='" WSA "' soapenv:mustUnderstand='1'>urn:x</wsa:To>")),
		 G("ed", ORDER)),
	  NULL, 0, "", 0 },
	{ "what looks like a tag's end in a value", BCE, USERNAME,
	  SECRET(KEY(TO_BE("eu") TO_BE("ed")),
		 DATUM_OF("Element", GCM "\" x=\"/>", "eu", "@{" USER "@}"), "", G("ed", ORDER)),
	  NULL, 0, "", 0 },
};

#define PARTS(parts, body) SECRET(KEY(TO_BE("eu") TO_BE("ed")), parts, "", body)
#define BOTH(user, to)                                                                      \
	SECRET(KEY(TO_BE("eu") TO_BE("et") TO_BE("ed")), G("eu", user), BLOCK(G("et", to)), \
	       G("ed", ORDER))
#define BESIDE(name, list, kind, words)                                                       \
	{                                                                                     \
		name " beside the key", BCE, USERNAME,                                        \
			SECRET(KEY_WITH("") list, GK("eu", USER), "", GK("ed", ORDER)), NULL, \
			kind, words, 0                                                        \
	}
#define IN_USERNAME(name, plain, kind, words)                                                    \
	{                                                                                        \
		name, BCE, USERNAME, PARTS(G("eu", plain), G("ed", ORDER)), NULL, kind, words, 0 \
	}
#define IN_TO(name, plain, kind, words)                                                  \
	{                                                                                \
		name, BCE, PART(TO), BLOCKS(BLOCK(G("et", plain))), NULL, kind, words, 0 \
	}
#define IN_SIGNATURE(name, plain, kind, words)                                          \
	{                                                                               \
		name, BCES, SIGNATURE,                                                  \
			SIGNED_SECRET(KEY(TO_BE("es") TO_BE("ed")), G("es", plain), "", \
				      G("ed", "@O")),                                   \
			NULL, kind, words, 0                                            \
	}
#define CLEAR(name, security, encrypted, text, info, words)                            \
	{                                                                              \
		name, security, encrypted, text, info, FMP_EVENT_UNENCRYPTED, words, 0 \
	}
#define REFERRED(name, key, words)                                                         \
	{                                                                                  \
		name, BCE, USERNAME, SECRET(key, G("eu", USER), "", G("ed", ORDER)), NULL, \
			FMP_EVENT_WRAPPING, words, 0                                       \
	}

#define LATER_ROW(name, part, ref, kind, words)                                                \
	{                                                                                      \
		name, BCES, USERNAME,                                                          \
			SECRET_SIGNED(KEY(TO_BE("eu") TO_BE("ed")), part, "", G("ed", ORDER)), \
			INFO_SIGNED(G("ed", ORDER), ref), kind, words, LATER                   \
	}
#define OUT                                                   \
	"</env-s:Security></env:Header><env:Body>" EVIL_ORDER \
	"</env:Body><env:Header><env-s:Security xmlns:env-s='urn:x'>"

static const struct encrypted_row refused_once[] = {
	CLEAR("username in the clear", BCE, USERNAME, PARTS(USER, G("ed", ORDER)), NULL,
	      "the UsernameToken is not encrypted"),
	CLEAR("username in the clear and encrypted", BCE, USERNAME,
	      PARTS(G("eu", USER) USER, G("ed", ORDER)), NULL,
	      "the UsernameToken is not encrypted"),
	CLEAR("no username", BCE, USERNAME, PARTS("", G("ed", ORDER)), NULL,
	      "0 EncryptedData in the Security header, not the 1 that"),
	CLEAR("signature in the clear", BCES, SIGNATURE,
	      SIGNED_SECRET(KEY(TO_BE("ed")), "@G", "", G("ed", "@O")), NULL,
	      "the Signature is not encrypted"),
	CLEAR("no signature", BCES, SIGNATURE,
	      SIGNED_SECRET(KEY(TO_BE("ed")), "", "", G("ed", "@O")), NULL,
	      "0 EncryptedData in the Security header"),
	CLEAR("one of two", BCES, SIGNATURE | USERNAME,
	      SIGNED_SECRET(KEY(TO_BE("es") TO_BE("ed")), G("es", "@G"), "", G("ed", "@O")), NULL,
	      "1 EncryptedData in the Security header, not the 2 that"),
	CLEAR("To in the clear", BCE, PART(TO), BLOCKS(TO), NULL, "the To is not encrypted"),
	CLEAR("no To", BCE, PART(TO), BLOCKS(""), NULL,
	      "0 EncryptedHeader, not the 1 that must be there"),
	CLEAR("To as WS-Security 1.0 has it", BCE, PART(TO), BLOCKS(G("et", TO)), NULL,
	      "EncryptedData as a header block, not in an EncryptedHeader"),
	CLEAR("the Body in the clear", BCE, USERNAME,
	      SECRET(KEY(TO_BE("eu")), G("eu", USER), "", ORDER), NULL,
	      "the Body is not encrypted"),

	/* What is encrypted is something else. */
	IN_USERNAME("nothing as username", "", FMP_EVENT_UNENCRYPTED, "not its username"),
	IN_USERNAME("text as username", "jane", FMP_EVENT_SOAP, "text inside the Security"),
	IN_USERNAME("a comment as username", "<!-- -->", FMP_EVENT_UNENCRYPTED, "not its username"),
	IN_USERNAME("another element as username", "<a/>", FMP_EVENT_TOKEN, "a is not supported"),
	IN_USERNAME("a Timestamp as username", "@T", FMP_EVENT_UNENCRYPTED, "not its username"),
	IN_USERNAME("a Signature as username", "@G", FMP_EVENT_UNENCRYPTED, "not its username"),
	IN_USERNAME("two as username", USER USER, FMP_EVENT_WRAPPING,
		    "more than one UsernameToken"),
	IN_USERNAME("username and a Timestamp", USER "@T", FMP_EVENT_WRAPPING,
		    "more than one element is encrypted as UsernameToken"),
	IN_USERNAME("a Timestamp and username", "@T" USER, FMP_EVENT_WRAPPING,
		    "more than one element is encrypted as UsernameToken"),
	IN_USERNAME("username and a comment", USER "<!-- -->", FMP_EVENT_WRAPPING,
		    "more than one element"),
	IN_USERNAME("encrypted twice", G("ex", USER), FMP_EVENT_UNSUPPORTED,
		    "EncryptedData is not sup"),
	IN_USERNAME("out of the Security header",
		    "</wsse:Security><wsse:Security xmlns:wsse='" WSSE "'>" USER,
		    FMP_EVENT_WRAPPING, "more than one Security"),
	IN_USERNAME("out of the Header",
		    USER "</wsse:Security></soapenv:Header><soapenv:Header><wsse:Security "
			 "xmlns:wsse='" WSSE "'>",
		    FMP_EVENT_SOAP, "Header where the Body should be"),
	IN_USERNAME("a Body of its own",
		    USER "</wsse:Security></soapenv:Header><soapenv:Body>" EVIL_ORDER
			 "</soapenv:Body></soapenv:Envelope><!--",
		    FMP_EVENT_WELLFORMED, ""),
	IN_USERNAME("a document type", "<!DOCTYPE a>" USER, FMP_EVENT_DTD, ""),
	IN_USERNAME("not well-formed", "<a>", FMP_EVENT_WELLFORMED, ""),
	IN_USERNAME("nobody's", USER_OF("joe", ""), FMP_EVENT_TOKEN, "user or password is wrong"),
	IN_TO("Action as To", ADDRESS("Action", "a", "urn:x"), FMP_EVENT_UNENCRYPTED, "not its To"),
	IN_TO("a header block as To", "<a/>", FMP_EVENT_UNENCRYPTED, "not its To"),
	IN_TO("text as To", "urn:here", FMP_EVENT_SOAP, "text inside the Header"),
	IN_TO("two as To", TO TO, FMP_EVENT_WRAPPING, "more than one To"),
	IN_TO("To and a block", TO "<a/>", FMP_EVENT_WRAPPING, "more than one element"),
	IN_TO("a Security header as To", SECURITY("@T") TO, FMP_EVENT_WRAPPING,
	      "more than one Security"),
	IN_TO("To and what must be understood", TO "<a xmlns='urn:a' soapenv:mustUnderstand='1'/>",
	      FMP_EVENT_WRAPPING, "more than one element is encrypted as To"),
	IN_TO("out of the Header", TO "</soapenv:Header><soapenv:Body>", FMP_EVENT_WELLFORMED, ""),
	IN_SIGNATURE("UsernameToken as signature", USER, FMP_EVENT_UNENCRYPTED,
		     "not its signature"),
	IN_SIGNATURE("two signatures", "@G@G", FMP_EVENT_WRAPPING, "more than one Signature"),
	IN_SIGNATURE("signature and token", "@G@K", FMP_EVENT_WRAPPING, "more than one element"),
	{ "two in each other's place", BCE, USERNAME | PART(TO), BOTH(TO, USER), NULL,
	  FMP_EVENT_TOKEN, "To is not supported", 0 },
	{ "a comment from one to the next", BCE, USERNAME | PART(TO),
	  BOTH(USER "<!--", "--></wsse:Security>" TO "<h:EncryptedHeader xmlns:h='urn:x'>"), NULL,
	  FMP_EVENT_WELLFORMED, "", 0 },
	{ "a comment over what stands between", BCES, USERNAME | SIGNATURE,
	  OPEN HEADER(SECURITY(KEY(TO_BE("eu") TO_BE("es") TO_BE("ed")) "@K" G(
		  "eu", USER "@T<!--") "@T" G("es", "-->@G"))) SIGNED_BODY("body", G("ed", "@O"))
		  CLOSE,
	  INFO(REF("user", USER)), FMP_EVENT_WRAPPING, "more than one element", 0 },
	{ "an attribute over what stands between", BCES, USERNAME | SIGNATURE,
	  OPEN HEADER(SECURITY(KEY(TO_BE("eu") TO_BE("es") TO_BE("ed")) "@K@T" G(
		  "eu", "<wsse:UsernameToken a='") "<wsse:BinarySecurityToken/>" G("es", "'/>@G")))
		  SIGNED_BODY("body", G("ed", "@O")) CLOSE,
	  INFO(""), FMP_EVENT_WELLFORMED, "", 0 },
	{ "username, not signed", BCES, USERNAME,
	  SIGNED_SECRET(KEY(TO_BE("eu") TO_BE("ed")), G("eu", USER) "@G", "", G("ed", "@O")),
	  INFO(""), FMP_EVENT_UNSIGNED, "the UsernameToken is not signed", 0 },
	{ "username, another one signed", BCES, USERNAME,
	  SIGNED_SECRET(KEY(TO_BE("eu") TO_BE("ed")), G("eu", USER) "@G", "", G("ed", "@O")),
	  INFO(REF("user", USER_OF("joe", ""))), FMP_EVENT_SIGNATURE, "does not match", 0 },

	/* What was encrypted, then signed. */
	LATER_ROW("what is encrypted is not signed", G("eu", USER), "", FMP_EVENT_UNSIGNED,
		  "what is encrypted in the header is not signed"),
	LATER_ROW("another is signed", G("eu", USER), REF("eu", G("eu", USER_OF("joe", ""))),
		  FMP_EVENT_SIGNATURE, "does not match"),
	LATER_ROW("its Id stands twice",
		  G("eu", USER) "<!-- --><wsse:BinarySecurityToken Id='eu'/>",
		  REF("eu", G("eu", USER)), FMP_EVENT_WRAPPING, "stands twice"),
	LATER_ROW("nobody's, signed", G("eu", USER_OF("joe", "")),
		  REF("eu", G("eu", USER_OF("joe", ""))), FMP_EVENT_TOKEN,
		  "user or password is wrong"),
	LATER_ROW("two elements, signed", G("eu", USER "@T"), REF("eu", G("eu", USER "@T")),
		  FMP_EVENT_WRAPPING, "more than one element"),
	LATER_ROW("another element, signed", G("eu", "@T"), REF("eu", G("eu", "@T")),
		  FMP_EVENT_UNENCRYPTED, "not its username"),
	LATER_ROW("out of our Header", G("eu", USER OUT), REF("eu", G("eu", USER OUT)),
		  FMP_EVENT_SOAP, "behind the Body"),
	LATER_ROW("in the clear, signed", USER, REF("user", USER), FMP_EVENT_UNENCRYPTED,
		  "the UsernameToken is not encrypted"),
	{ "a block is not signed", BCES, PART(TO),
	  SECRET_SIGNED(KEY(TO_BE("et") TO_BE("ed")), "", BLOCK_ID("bt", G("et", TO)),
			G("ed", ORDER)),
	  INFO_SIGNED(G("ed", ORDER), ""), FMP_EVENT_UNSIGNED, "in the header is not signed",
	  LATER },
	{ "signed, then encrypted, where it is to be signed later", BCES, USERNAME,
	  SIGNED_SECRET(KEY(TO_BE("eu") TO_BE("ed")), G("eu", USER) "@G", "", G("ed", "@O")),
	  INFO(REF("user", USER)), FMP_EVENT_UNSIGNED, "the signature is of the Body", LATER },
	/* As CXF 4.0 has it, and WSS4J refuses: by an Id that only the decrypted block has. */
	{ "a block is signed as it was before it was encrypted", BCES, PART(TO),
	  SECRET_SIGNED(KEY(TO_BE("et") TO_BE("ed")), "", BLOCK_ID("bt", G("et", TO)),
			G("ed", ORDER)),
	  INFO_SIGNED(G("ed", ORDER), REF("to", TO)), FMP_EVENT_WRAPPING,
	  "nor to what is encrypted, as it is", LATER },

	/* What the key is for. */
	REFERRED("no list", KEY_WITH(""), "does not say what it is for"),
	REFERRED("not of username", KEY(TO_BE("ed")), "not for this EncryptedData"),
	REFERRED("not of the Body", KEY(TO_BE("eu")), "not for this EncryptedData"),
	REFERRED("one twice", KEY(TO_BE("eu") TO_BE("eu") TO_BE("ed")), "alone"),
	REFERRED("something that is not there", KEY(TO_BE("eu") TO_BE("ed") TO_BE("ex")), "alone"),
	REFERRED("a key", KEY(TO_BE("eu") TO_BE("ed") "<xenc:KeyReference URI='#ek'/>"), "alone"),
	BESIDE("two lists", LIST(TO_BE("ed")) LIST(TO_BE("eu")), FMP_EVENT_WRAPPING,
	       "more than one ReferenceList"),
	BESIDE("an empty list", LIST(""), FMP_EVENT_DECRYPT, "malformed ReferenceList"),
	BESIDE("a list of another kind", LIST("<a/>"), FMP_EVENT_DECRYPT,
	       "malformed ReferenceList"),
	BESIDE("one twice", LIST(TO_BE("eu") TO_BE("eu") TO_BE("ed")), FMP_EVENT_WRAPPING, "alone"),
	BESIDE("not of username", LIST(TO_BE("ed")), FMP_EVENT_WRAPPING,
	       "not for this EncryptedData"),
	BESIDE("what is not there", LIST(TO_BE("eu") TO_BE("ed") TO_BE("ex")), FMP_EVENT_WRAPPING,
	       "alone"),
	{ "a list in the key and one beside it", BCE, 0,
	  SECRET(KEY(TO_BE("ed")) LIST(TO_BE("ed")), "", "", GK("ed", ORDER)), NULL,
	  FMP_EVENT_WRAPPING, "in the EncryptedKey and one beside it", 0 },
	{ "a list in front of the key", BCE, 0,
	  SECRET(LIST(TO_BE("ed")) KEY_WITH(""), "", "", GK("ed", ORDER)), NULL, FMP_EVENT_WRAPPING,
	  "in front of its key", 0 },
	{ "a list and no key", BCE, 0, SECRET(LIST(TO_BE("ed")), "", "", GK("ed", ORDER)), NULL,
	  FMP_EVENT_WRAPPING, "in front of its key", 0 },
	{ "a list beside the key, and no word of it", BCE, 0,
	  SECRET(KEY_WITH("") LIST(TO_BE("ed")), "", "", G("ed", ORDER)), NULL, FMP_EVENT_WRAPPING,
	  "does not name the header's EncryptedKey", 0 },
	{ "a list behind the signature, where it is to be in front", BCES, 0,
	  OPEN HEADER(SECURITY(KEY_WITH("") "@K@T@G" LIST(TO_BE("ed"))))
		  SIGNED_BODY("body", GK("ed", "@O")) CLOSE,
	  INFO(""), FMP_EVENT_UNSIGNED, "the signature is of the encrypted Body", 0 },
	{ "a list in front of the signature, where it is to be behind", BCES, 0,
	  SIGNED_SECRET(KEY_WITH("") LIST(TO_BE("ed")), "@G", "", GK("ed", ORDER)),
	  INFO_SIGNED(GK("ed", ORDER), ""), FMP_EVENT_UNSIGNED, "the signature is of the Body",
	  LATER },
	{ "one Id for both", BCE, USERNAME,
	  SECRET(KEY(TO_BE("ed") TO_BE("ed")), G("ed", USER), "", G("ed", ORDER)), NULL,
	  FMP_EVENT_WRAPPING, "alone", 0 },
	{ "what is elsewhere", BCE, USERNAME,
	  SECRET(KEY(TO_BE("eu") TO_BE("ed") TO_BE("ex")), G("eu", USER), G("ex", TO),
		 G("ed", ORDER)),
	  NULL, FMP_EVENT_WRAPPING, "alone", 0 },

	/* More than is demanded, and what is none. */
	{ "username, not demanded", BCE, 0, PARTS(G("eu", USER), G("ed", ORDER)), NULL,
	  FMP_EVENT_UNSUPPORTED, "EncryptedData is not supported", 0 },
	{ "To, not demanded", BCE, 0, BLOCKS(BLOCK(G("et", TO))), NULL, FMP_EVENT_WRAPPING,
	  "not for this Body alone", 0 },
	{ "two for one", BCE, USERNAME, PARTS(G("eu", USER) G("ex", USER), G("ed", ORDER)), NULL,
	  FMP_EVENT_WRAPPING, "more than 1 EncryptedData", 0 },
	{ "two blocks for one", BCE, PART(TO), BLOCKS(BLOCK(G("et", TO)) BLOCK(G("ex", TO))), NULL,
	  FMP_EVENT_WRAPPING, "more than 1 EncryptedHeader", 0 },
	{ "an EncryptedHeader for another role in the place of ours", BCE, PART(TO),
	  BLOCKS(BLOCK_WITH(" soapenv:actor='urn:b'", G("et", TO))), NULL, FMP_EVENT_UNENCRYPTED,
	  "0 EncryptedHeader, not the 1 that must be there", 0 },
	{ "an empty EncryptedHeader", BCE, PART(TO), BLOCKS(BLOCK("")), NULL, FMP_EVENT_DECRYPT,
	  "malformed EncryptedHeader", 0 },
	{ "two in an EncryptedHeader", BCE, PART(TO), BLOCKS(BLOCK(G("et", TO) G("ex", TO))), NULL,
	  FMP_EVENT_DECRYPT, "malformed EncryptedHeader", 0 },
	{ "text in an EncryptedHeader", BCE, PART(TO), BLOCKS(BLOCK("x" G("et", TO))), NULL,
	  FMP_EVENT_DECRYPT, "malformed EncryptedHeader", 0 },
	{ "the content of an element", BCE, USERNAME,
	  PARTS(DATUM_OF("Content", GCM, "eu", "@{" USER "@}"), G("ed", ORDER)), NULL,
	  FMP_EVENT_ALGORITHM, "of type", 0 },
	{ "two ciphers", BCE, USERNAME,
	  PARTS(DATUM_OF("Element", XENC11 "aes256-gcm", "eu", "@{" USER "@}"), G("ed", ORDER)),
	  NULL, FMP_EVENT_ALGORITHM, "two kinds under one key", 0 },
	{ "a tag that does not fit", BCE, USERNAME,
	  PARTS(DATUM_OF("Element", GCM, "eu", "AAAA@{" USER "@}"), G("ed", ORDER)), NULL,
	  FMP_EVENT_DECRYPT, "the message does not decrypt", 0 },
};

#endif
