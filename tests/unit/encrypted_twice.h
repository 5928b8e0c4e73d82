/* SPDX-License-Identifier: GPL-2.0 */
/* What is encrypted before the signature and behind it, as it must be, and what is not. */
#ifndef FMP_TESTS_ENCRYPTED_TWICE_H
#define FMP_TESTS_ENCRYPTED_TWICE_H

#include "encrypted_messages.h"

/* As EncryptBeforeSigning of WS-SecurityPolicy has it: the signature is of an encrypted Body, and encrypted. */
#define TWICE FMP_ORDER_ENCRYPT_SIGN_ENCRYPT
#define SECRET_TWICE(first, parts, second, blocks, body)                                 \
	OPEN HEADER(SECURITY(KEY_WITH("") LIST(first) "@K@T" parts LIST(second)) blocks) \
		SIGNED_BODY("body", body) CLOSE
#define TWICE_ALL(E)                                                                         \
	{                                                                                    \
		"all, in two lists", BCES, ALL,                                              \
			SECRET_TWICE(TO_BE("es") TO_BE("eu"), E("eu", USER) E("es", "@G"),   \
				     TO_BE("ed") TO_BE("et") TO_BE("em"),                    \
				     BLOCK_WITH(" soapenv:mustUnderstand='1'", E("et", TO))  \
					     BLOCK_ID("bm", E("em", MESSAGE_ID)),            \
				     E("ed", ORDER)),                                        \
			INFO_SIGNED(E("ed", ORDER),                                          \
				    REF("user", USER) REF("et", E("et", TO))                 \
					    REF("bm", BLOCK_ID("bm", E("em", MESSAGE_ID)))), \
			0, "", TWICE                                                         \
	}
#define TWICE_ACCEPTED(E)                                                                        \
	{ "username, encrypted behind the signature",                                            \
	  BCES,                                                                                  \
	  USERNAME,                                                                              \
	  SECRET_TWICE(TO_BE("eu"), E("eu", USER) "@G", TO_BE("ed"), "", E("ed", ORDER)),        \
	  INFO_SIGNED(E("ed", ORDER), REF("user", USER)),                                        \
	  0,                                                                                     \
	  "",                                                                                    \
	  TWICE },                                                                               \
		{ "the signature of an encrypted Body, encrypted",                               \
		  BCES,                                                                          \
		  SIGNATURE,                                                                     \
		  SECRET_TWICE(TO_BE("es"), E("es", "@G"), TO_BE("ed"), "", E("ed", ORDER)),     \
		  INFO_SIGNED(E("ed", ORDER), ""),                                               \
		  0,                                                                             \
		  "",                                                                            \
		  TWICE },                                                                       \
		{ "a block in front of the Security header, in two lists",                       \
		  BCES,                                                                          \
		  USERNAME | PART(TO),                                                           \
		  OPEN HEADER(BLOCK(E("et", TO)) SECURITY(KEY_WITH("") LIST(                     \
			  TO_BE("eu")) "@K@T" E("eu", USER) "@G" LIST(TO_BE("ed") TO_BE("et")))) \
			  SIGNED_BODY("body", E("ed", ORDER)) CLOSE,                             \
		  INFO_SIGNED(E("ed", ORDER), REF("user", USER) REF("et", E("et", TO))),         \
		  0,                                                                             \
		  "",                                                                            \
		  TWICE },                                                                       \
		TWICE_ALL(E)

static const struct encrypted_row accepted_twice[] = { TWICE_ACCEPTED(GK), TWICE_ACCEPTED(CK) };

#define TWICE_ROW(name, part, ref, kind, words)                                            \
	{                                                                                  \
		name, BCES, USERNAME,                                                      \
			SECRET_TWICE(TO_BE("eu"), part, TO_BE("ed"), "", GK("ed", ORDER)), \
			INFO_SIGNED(GK("ed", ORDER), ref), kind, words, TWICE              \
	}
/* The Security header of one that is accepted, but for where its lists are and what they say. */
#define LISTS(name, security, kind, words)                                                   \
	{                                                                                    \
		name, BCES, USERNAME,                                                        \
			OPEN HEADER(SECURITY(security)) SIGNED_BODY("body", GK("ed", ORDER)) \
				CLOSE,                                                       \
			INFO_SIGNED(GK("ed", ORDER), REF("user", USER)), kind, words, TWICE  \
	}
#define SIGNED_USER "@K@T" GK("eu", USER) "@G"

static const struct encrypted_row refused_twice[] = {
	TWICE_ROW("username behind the signature, not signed", GK("eu", USER) "@G", "",
		  FMP_EVENT_UNSIGNED, "the UsernameToken is not signed"),
	TWICE_ROW("username behind the signature, another signed", GK("eu", USER) "@G",
		  REF("user", USER_OF("joe", "")), FMP_EVENT_SIGNATURE, "does not match"),
	TWICE_ROW("username in front of the signature, where it is to be behind",
		  GK("eu", USER) "@G", REF("eu", GK("eu", USER)), FMP_EVENT_WRAPPING,
		  "a Reference is not to"),
	TWICE_ROW("nobody's behind the signature", GK("eu", USER_OF("joe", "")) "@G",
		  REF("user", USER_OF("joe", "")), FMP_EVENT_TOKEN, "user or password is wrong"),
	TWICE_ROW("two elements behind the signature", GK("eu", USER "<!-- -->") "@G",
		  REF("user", USER), FMP_EVENT_WRAPPING, "more than one element"),
	TWICE_ROW("another element behind the signature", GK("eu", "@T") "@G", "",
		  FMP_EVENT_WRAPPING, "more than one Timestamp"),
	TWICE_ROW("a Body of its own behind the signature",
		  GK("eu", USER "</wsse:Security></soapenv:Header><soapenv:Body>" EVIL_ORDER
				"</soapenv:Body></soapenv:Envelope><!--") "@G",
		  REF("user", USER), FMP_EVENT_WELLFORMED, ""),
	TWICE_ROW("a key of its own behind the signature", GK("eu", USER KEY_WITH("")) "@G",
		  REF("user", USER), FMP_EVENT_WRAPPING, "more than one EncryptedKey"),
	TWICE_ROW("in the clear, to be encrypted behind the signature", USER "@G",
		  REF("user", USER), FMP_EVENT_UNENCRYPTED, "the UsernameToken is not encrypted"),
	{ "a block is not signed, in two lists", BCES, USERNAME | PART(TO),
	  SECRET_TWICE(TO_BE("eu"), GK("eu", USER) "@G", TO_BE("ed") TO_BE("et"),
		       BLOCK(GK("et", TO)), GK("ed", ORDER)),
	  INFO_SIGNED(GK("ed", ORDER), REF("user", USER)), FMP_EVENT_UNSIGNED,
	  "in the header is not signed", TWICE },
	{ "the Body is signed as it was before it was encrypted", BCES, USERNAME,
	  SECRET_TWICE(TO_BE("eu"), GK("eu", USER) "@G", TO_BE("ed"), "", GK("ed", "@O")),
	  INFO(REF("user", USER)), FMP_EVENT_SIGNATURE, "does not match", TWICE },
	LISTS("one list for both", KEY_WITH("") LIST(TO_BE("eu") TO_BE("ed")) SIGNED_USER,
	      FMP_EVENT_WRAPPING, "not two ReferenceLists"),
	LISTS("a list in the key for both", KEY(TO_BE("eu") TO_BE("ed")) SIGNED_USER,
	      FMP_EVENT_WRAPPING, "not two ReferenceLists"),
	LISTS("the lists in each other's place",
	      KEY_WITH("") LIST(TO_BE("ed")) SIGNED_USER LIST(TO_BE("eu")), FMP_EVENT_WRAPPING,
	      "on the other side of the signature"),
	LISTS("the Body in both lists",
	      KEY_WITH("") LIST(TO_BE("eu") TO_BE("ed")) SIGNED_USER LIST(TO_BE("ed")),
	      FMP_EVENT_WRAPPING, "on the other side of the signature"),
	LISTS("username in neither list", KEY_WITH("") LIST("") SIGNED_USER LIST(TO_BE("ed")),
	      FMP_EVENT_DECRYPT, "malformed ReferenceList"),
	LISTS("three lists",
	      KEY_WITH("") LIST(TO_BE("eu")) LIST(TO_BE("eu")) SIGNED_USER LIST(TO_BE("ed")),
	      FMP_EVENT_WRAPPING, "more than 2 ReferenceLists"),
	LISTS("both lists in front of the signature",
	      KEY_WITH("") LIST(TO_BE("eu")) LIST(TO_BE("ed")) SIGNED_USER, FMP_EVENT_UNSIGNED,
	      "the signature is of the Body"),
	{ "both lists in front of an encrypted signature", BCES, SIGNATURE,
	  OPEN HEADER(SECURITY(KEY_WITH("") LIST(TO_BE("es")) LIST(
		  TO_BE("ed")) "@K@T" GK("es", "@G"))) SIGNED_BODY("body", GK("ed", ORDER)) CLOSE,
	  INFO_SIGNED(GK("ed", ORDER), ""), FMP_EVENT_UNSIGNED, "the signature is of the Body",
	  TWICE },
	{ "username behind the signature, where it is to be in front", BCES, USERNAME,
	  SECRET_TWICE(TO_BE("eu"), GK("eu", USER) "@G", TO_BE("ed"), "", GK("ed", ORDER)),
	  INFO_SIGNED(GK("ed", ORDER), REF("user", USER)), FMP_EVENT_WRAPPING,
	  "that is of order encrypt-sign-encrypt", FMP_ORDER_ENCRYPT_SIGN },
};

/* Signed well, so it is the sender who is wrong, and what was signed is decrypted and read, too. */
static const struct encrypted_row signed_well[] = {
	{ "another block, encrypted, signed, encrypted", BCES, USERNAME | PART(TO),
	  SECRET_TWICE(TO_BE("eu"), GK("eu", USER) "@G", TO_BE("ed") TO_BE("et"),
		       BLOCK(GK("et", MESSAGE_ID)), GK("ed", ORDER)),
	  INFO_SIGNED(GK("ed", ORDER), REF("user", USER) REF("et", GK("et", MESSAGE_ID))),
	  FMP_EVENT_UNENCRYPTED, "not its To", TWICE },
	{ "a Body of no service, encrypted, signed, encrypted", BCES, SIGNATURE,
	  SECRET_TWICE(TO_BE("es"), GK("es", "@G"), TO_BE("ed"), "", GK("ed", "<a/>")),
	  INFO_SIGNED(GK("ed", "<a/>"), ""), FMP_EVENT_SCHEMA, "", TWICE },
};

#endif
