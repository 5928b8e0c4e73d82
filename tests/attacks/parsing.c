// SPDX-License-Identifier: GPL-2.0
/* What makes a parser work: many of something, long ones, and broken markup. */
#include "attack.h"
#include "names.h"

#define BC   FMP_SECURITY_BC
#define BCV  FMP_SECURITY_BCV
#define SCAN FMP_STEP_SCREEN

/* class, variant, kind, text around, piece, close, n: refused by the pre-scan */
#define MANY(c, v, k, txt, pc, cl, count)                                                      \
	{                                                                                      \
		.class = c, .variant = v, .security = BC, .step = SCAN, .kind = FMP_EVENT_##k, \
		.text = txt, .piece = pc, .close = cl, .n = count                              \
	}
#define NEVER(c, v, sec, st, k, txt)                                              \
	{                                                                         \
		.class = c, .variant = v, .security = sec, .step = FMP_STEP_##st, \
		.kind = FMP_EVENT_##k, .text = txt                                \
	}

#define LETTERS_64 "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"

#define LETTERS_500 \
	LETTERS_64 LETTERS_64 LETTERS_64 LETTERS_64 LETTERS_64 LETTERS_64 LETTERS_64 LETTERS_64
#define LETTERS_4000                                                                        \
	LETTERS_500 LETTERS_500 LETTERS_500 LETTERS_500 LETTERS_500 LETTERS_500 LETTERS_500 \
		LETTERS_64 LETTERS_64

/* variant, count, labels around, piece, n: too long for a type with patterns of its own and others' */
#define LONG(v, number, labels, pc, times)                                                        \
	{                                                                                         \
		.class = "coercive parsing: text", .variant = v, .security = BCV,                 \
		.step = FMP_STEP_SCHEMA, .kind = FMP_EVENT_SCHEMA,                                \
		.text = MESSAGE("<labels xmlns='urn:fmp:orders'><count>" number "</count>" labels \
				"</labels>"),                                                     \
		.piece = pc, .n = times                                                           \
	}

/* variant, fault, piece, n: right up to the last, under what asks no schema and takes the rest of it */
#define LATE(v, fault, pc, times)                                                    \
	{                                                                            \
		.class = "coercive parsing: elements", .variant = v, .security = BC, \
		.step = FMP_STEP_PARSE, .kind = FMP_EVENT_WELLFORMED,                \
		.text = MESSAGE("<a>@*" fault "</a>"), .piece = pc, .n = times,      \
		.twin = MESSAGE("<a>@*</a>")                                         \
	}

static const struct attack rows[] = {
	MANY("coercive parsing: depth", "10000 elements", NESTING, MESSAGE("@*@/"), "<a>", "</a>",
	     10000),
	MANY("coercive parsing: depth", "100000 elements never closed", NESTING, OPEN "@*", "<a>",
	     "", 100000),
	MANY("coercive parsing: depth", "in the Header", NESTING,
	     OPEN HEADER("@*@/") BODY(ORDER) CLOSE, "<a>", "</a>", 100),
	MANY("coercive parsing: depth", "with attributes and namespaces", NESTING, MESSAGE("@*@/"),
	     "<a:a xmlns:a='urn:a' b='1'>", "</a:a>", 63),
	MANY("coercive parsing: attributes", "90000 in one tag", STRUCTURE, MESSAGE("<a@*/>"),
	     " a@#='1'", "", 90000),
	MANY("coercive parsing: attributes", "the same again and again", STRUCTURE,
	     MESSAGE("<a@*/>"), " a='1'", "", 10000),
	MANY("coercive parsing: attributes", "on the Envelope", STRUCTURE,
	     "<soapenv:Envelope xmlns:soapenv='" SOAP11 "'@*>" BODY(ORDER) CLOSE, " a@#=''", "",
	     65),
	MANY("coercive parsing: attributes", "64 in each of 1000 tags", STRUCTURE,
	     MESSAGE("<a>@*</a>"),
	     "<a a='' b='' c='' d='' e='' f='' g='' h='' i='' j='' k='' l='' m='' n='' o='' p='' "
	     "q='' r='' s='' t='' u='' v='' w='' x='' y='' z='' aa='' ab='' ac='' ad='' ae='' af='' "
	     "ba='' bb='' bc='' bd='' be='' bf='' bg='' bh='' bi='' bj='' bk='' bl='' bm='' bn='' "
	     "ca='' cb='' cc='' cd='' ce='' cf='' cg='' ch='' ci='' cj='' ck='' cl='' cm='' cn='' "
	     "da='' db='' dc='' dd=''/>",
	     "", 1000),
	MANY("coercive parsing: namespaces", "10000 in one tag", STRUCTURE, MESSAGE("<a@*/>"),
	     " xmlns:n@#='urn:@#'", "", 10000),
	MANY("coercive parsing: namespaces", "129 in scope, 2 a tag", STRUCTURE,
	     OPEN "<soapenv:Body><a@*>" ORDER "</a></soapenv:Body>" CLOSE,
	     "><a xmlns:n@#='urn:@#' xmlns:m@#='urn:@#' xmlns:o@#='urn:@#'", "", 45),
	MANY("coercive parsing: namespaces", "long names", STRUCTURE, MESSAGE("<a@*/>"),
	     " xmlns:n@#='urn:" LETTERS_64 LETTERS_64 LETTERS_64 LETTERS_64 "'", "", 200),
	MANY("coercive parsing: names", "an element of 100 KB", STRUCTURE, MESSAGE("<@*/>"),
	     LETTERS_64, "", 1600),
	MANY("coercive parsing: names", "an attribute of 1 KB", STRUCTURE, MESSAGE("<a @*='1'/>"),
	     LETTERS_64, "", 16),
	MANY("coercive parsing: names", "a prefix of 1 KB", STRUCTURE, MESSAGE("<@*:a/>"),
	     LETTERS_64, "", 16),
	MANY("coercive parsing: names", "an end tag of 1 KB", STRUCTURE, MESSAGE("<a></@*>"),
	     LETTERS_64, "", 16),
	MANY("coercive parsing: text", "before the limit, but no end", WELLFORMED,
	     OPEN "<soapenv:Body>@*", LETTERS_64, "", 16000),
	MANY("coercive parsing: text", "an attribute without an end", WELLFORMED,
	     MESSAGE("<a b='@*"), LETTERS_64, "", 16000),
	{ .class = "coercive parsing: text",
	  .variant = "a megabyte for a number",
	  .security = BCV,
	  .step = FMP_STEP_SCHEMA,
	  .kind = FMP_EVENT_STRUCTURE,
	  .text = MESSAGE(ORDER_OPEN "<orderId>@*</orderId>" ORDER_REST),
	  .piece = "1111111111",
	  .n = 100000 },
	{ .class = "coercive parsing: text",
	  .variant = "a megabyte for a pattern",
	  .security = BCV,
	  .step = FMP_STEP_SCHEMA,
	  .kind = FMP_EVENT_SCHEMA,
	  .text = MESSAGE(ORDER_OPEN ORDER_HEAD "<customer>@*!</customer></submitOrder>"),
	  .piece = "Aa '.-0123",
	  .n = 100000 },
	LONG("a megabyte for patterns of three types", "1", "<label>@*</label>", "Abcd efghi",
	     100000),
	LONG("the same behind a fault", "none", "<label>@*</label>", "Abcd efghi", 100000),
	LONG("the same behind an element of nowhere", "1", "<nowhere/><label>@*</label>",
	     "Abcd efghi", 100000),
	LONG("4000 bytes again and again", "1", "@*", "<label>" LETTERS_4000 "</label>", 200),
	{ .class = "coercive parsing: text",
	  .variant = "a fault in each item",
	  .security = BCV,
	  .step = FMP_STEP_SCHEMA,
	  .kind = FMP_EVENT_SCHEMA,
	  .text = MESSAGE(ORDER_OPEN ORDER_HEAD ORDER_CUSTOMER "@*</submitOrder>"),
	  .piece = "<item><sku>none</sku><qty>none</qty><price>none</price></item>",
	  .n = 4000 },
	MANY("coercive parsing: elements", "100000 empty ones", STRUCTURE, MESSAGE("<a>@*</a>"),
	     "<a/>", "", 100000),
	MANY("coercive parsing: elements", "50000 comments", STRUCTURE, MESSAGE("<a>@*</a>"),
	     "<!---->", "", 50000),
	MANY("coercive parsing: elements", "50000 CDATA sections", STRUCTURE, MESSAGE("<a>@*</a>"),
	     "<![CDATA[]]>", "", 50000),
	{ .class = "coercive parsing: elements",
	  .variant = "19990 in the Body",
	  .security = BCV,
	  .step = SCAN,
	  .kind = FMP_EVENT_STRUCTURE,
	  .text = MESSAGE("@*"),
	  .piece = "<a/>",
	  .n = 19990 },
	{ .class = "coercive parsing: elements",
	  .variant = "4000 in the Body",
	  .security = BCV,
	  .step = FMP_STEP_SOAP,
	  .kind = FMP_EVENT_SOAP,
	  .text = MESSAGE("@*"),
	  .piece = "<a/>",
	  .n = 4000 },
	{ .class = "coercive parsing: elements",
	  .variant = "two in the Body, 19980 in the second",
	  .security = BC,
	  .step = FMP_STEP_SOAP,
	  .kind = FMP_EVENT_SOAP,
	  .text = MESSAGE("<a/><a>@*</a>"),
	  .piece = "<a/>",
	  .n = 19980 },
	MANY("coercive parsing: elements", "19980, and one that is not closed", WELLFORMED,
	     MESSAGE("<a>@*<b></c></a>"), "<a/>", "", 19980),
	MANY("coercive parsing: elements", "19980, and what nobody declared", WELLFORMED,
	     MESSAGE("<a>@*&b;</a>"), "<a/>", "", 19980),
	LATE("19980, and a prefix of nobody", "<x:b/>", "<a/>", 19980),
	LATE("9990 with an attribute, and no character", "&#0;", "<a b='1'/>", 9990),
	LATE("9990 with a text, and the end of no section", "]]>", "<a>1</a>", 9990),
	LATE("12000 in lines, and a name of digits", "<1/>", "<a/>\n", 12000),
	{ .class = "coercive parsing: elements",
	  .variant = "2000 with 60 attributes each",
	  .security = BCV,
	  .step = SCAN,
	  .kind = FMP_EVENT_STRUCTURE,
	  .text = MESSAGE("<a>@*</a>"),
	  .piece =
		  "<a a='' b='' c='' d='' e='' f='' g='' h='' i='' j='' k='' l='' m='' n='' o='' "
		  "p='' q='' r='' s='' t='' u='' v='' w='' x='' y='' z='' aa='' ab='' ac='' ad='' "
		  "ae='' af='' ba='' bb='' bc='' bd='' be='' bf='' bg='' bh='' bi='' bj='' bk='' "
		  "bl='' bm='' bn='' ca='' cb='' cc='' cd='' ce='' cf='' cg='' ch='' ci='' cj=''/>",
	  .n = 2000 },
	MANY("oversized payload", "a byte more than allowed", OVERSIZE, "@*", "x", "",
	     (1 << 20) + 1),
	MANY("oversized payload", "8 MB of items", OVERSIZE,
	     MESSAGE(ORDER_OPEN ORDER_HEAD "@*</submitOrder>"), ITEM, "", 110000),
	MANY("oversized payload", "4 MB of white space", OVERSIZE, OPEN "@*" BODY(ORDER) CLOSE,
	     "                                ", "", 131072),
	MANY("hash collision", "64 attribute names of one sum", STRUCTURE, MESSAGE("<a@*/>"),
	     " @h='1'", "", 65),
	{ .class = "hash collision",
	  .variant = "10000 element names of one sum",
	  .security = BCV,
	  .step = FMP_STEP_SCHEMA,
	  .kind = FMP_EVENT_SCHEMA,
	  .text = MESSAGE("<a>@*</a>"),
	  .piece = "<@h/>",
	  .n = 10000 },
	{ .class = "hash collision",
	  .variant = "9000 Ids of one sum",
	  .security = BCV,
	  .step = FMP_STEP_SCHEMA,
	  .kind = FMP_EVENT_SCHEMA,
	  .text = MESSAGE("<a>@*</a>"),
	  .piece = "<a xml:id='@h'/>",
	  .n = 9000 },
	{ .class = "hash collision",
	  .variant = "60 attributes in each of 100 tags",
	  .security = BCV,
	  .step = FMP_STEP_SCHEMA,
	  .kind = FMP_EVENT_SCHEMA,
	  .text = MESSAGE("<a>@*</a>"),
	  .piece = "<a @h='' b@h='' c@h='' d@h='' e@h='' f@h='' g@h='' h@h='' i@h='' j@h='' k@h='' "
		   "l@h='' m@h='' n@h='' o@h='' p@h='' q@h='' r@h='' s@h='' t@h=''/>",
	  .n = 100 },

	NEVER("markup cut short", "inside a tag", BC, SCREEN, WELLFORMED,
	      OPEN "<soapenv:Body><a b"),
	NEVER("markup cut short", "inside a comment", BC, SCREEN, WELLFORMED,
	      OPEN "<soapenv:Body><!-- "),
	NEVER("markup cut short", "inside CDATA", BC, SCREEN, WELLFORMED,
	      OPEN "<soapenv:Body><![CDATA[ ]>"),
	NEVER("markup cut short", "a second root", BC, SCREEN, WELLFORMED,
	      MESSAGE(ORDER) MESSAGE(ORDER)),
	NEVER("markup cut short", "text behind the root", BC, SCREEN, WELLFORMED,
	      MESSAGE(ORDER) "&amp;"),
	NEVER("markup cut short", "tags crossed", BC, SCREEN, WELLFORMED,
	      OPEN "<soapenv:Body><a></soapenv:Body></a>" CLOSE),
	NEVER("markup cut short", "nothing at all", BC, SCREEN, WELLFORMED, ""),

	NEVER("namespace prefixes", "unbound", BC, PARSE, WELLFORMED, MESSAGE("<x:a/>")),
	NEVER("namespace prefixes", "bound twice", BC, PARSE, WELLFORMED,
	      MESSAGE("<a xmlns:x='urn:a' xmlns:x='urn:b'/>")),
	NEVER("namespace prefixes", "one attribute by two prefixes", BC, PARSE, WELLFORMED,
	      MESSAGE("<a xmlns:x='urn:a' xmlns:y='urn:a' x:b='1' y:b='2'/>")),
	NEVER("namespace prefixes", "xml for another", BC, PARSE, WELLFORMED,
	      MESSAGE("<a xmlns:xml='urn:a'/>")),
	NEVER("namespace prefixes", "xmlns declared", BC, PARSE, WELLFORMED,
	      MESSAGE("<a xmlns:xmlns='urn:a'/>")),
	NEVER("namespace prefixes", "undeclared again", BC, PARSE, WELLFORMED,
	      MESSAGE("<a xmlns:x='urn:a'><b xmlns:x=''/></a>")),
	NEVER("namespace prefixes", "two colons", BC, PARSE, WELLFORMED,
	      MESSAGE("<a xmlns:x='urn:a'><x:y:z/></a>")),
	NEVER("namespace prefixes", "another namespace under the name", BCV, SCHEMA, SCHEMA,
	      MESSAGE("<submitOrder xmlns='urn:fmp:order&#115;2'>" ORDER_HEAD ORDER_REST)),

	NEVER("processing instructions", "a style sheet", BC, SCREEN, STRUCTURE,
	      DECLARATION "<?xml-stylesheet href='http://192.0.2.1/x'?>" MESSAGE(ORDER)),
	NEVER("processing instructions", "inside the Body", BC, SCREEN, STRUCTURE,
	      MESSAGE(ORDER_OPEN "<?php system('id') ?>" ORDER_HEAD ORDER_REST)),
	NEVER("processing instructions", "behind the Envelope", BC, SCREEN, STRUCTURE,
	      MESSAGE(ORDER) "<?x?>"),
	NEVER("processing instructions", "a second declaration", BC, SCREEN, STRUCTURE,
	      DECLARATION DECLARATION MESSAGE(ORDER)),

	NEVER("CDATA and comments", "a number in two pieces", BCV, SCHEMA, SCHEMA,
	      MESSAGE(ORDER_OPEN "<orderId>1<![CDATA[ ]]>2</orderId>" ORDER_REST)),
	NEVER("CDATA and comments", "markup in CDATA", BCV, SCHEMA, SCHEMA,
	      MESSAGE(ORDER_OPEN "<![CDATA[" ORDER_HEAD "]]>" ORDER_REST)),
	NEVER("CDATA and comments", "CDATA in the Envelope", BC, SOAP, SOAP,
	      OPEN "<![CDATA[x]]>" BODY(ORDER) CLOSE),
	NEVER("CDATA and comments", "its end without a beginning", BC, PARSE, WELLFORMED,
	      MESSAGE("<a>]]></a>")),
	NEVER("CDATA and comments", "two hyphens", BC, SCREEN, WELLFORMED,
	      MESSAGE("<a><!-- -- --></a>")),
	{ .class = "CDATA and comments",
	  .variant = "100000 hyphens",
	  .security = BC,
	  .step = FMP_STEP_SCREEN,
	  .kind = FMP_EVENT_WELLFORMED,
	  .text = MESSAGE("<a><!-- @* --></a>"),
	  .piece = "-",
	  .n = 100000 },
	NEVER("CDATA and comments", "the Body's end in a comment", BC, SCREEN, WELLFORMED,
	      OPEN "<soapenv:Body><!--</soapenv:Body>" CLOSE),

	NEVER("XInclude", "a file as text", BCV, SCHEMA, SCHEMA,
	      MESSAGE(ORDER_OPEN "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' "
				 "parse='text' href='file:///etc/passwd'/>" ORDER_REST)),
	NEVER("XInclude", "another host", BCV, SCHEMA, SCHEMA,
	      MESSAGE("<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' "
		      "href='http://192.0.2.1/'/>")),
	NEVER("XInclude", "for a number", BCV, SCHEMA, SCHEMA,
	      MESSAGE(ORDER_OPEN "<orderId><xi:include xmlns:xi='http://www.w3.org/2001/XInclude' "
				 "href='x'/></orderId>" ORDER_REST)),

	/* Hints, which may be there: they are not followed, so nothing becomes valid by them. */
	NEVER("schema poisoning", "schemaLocation of a file", BCV, SCHEMA, SCHEMA,
	      MESSAGE("<x xmlns='urn:x' xmlns:xsi='" XSI
		      "' xsi:schemaLocation='urn:x policies/fmp-policy.xsd'/>")),
	NEVER("schema poisoning", "of another host, deep inside", BCV, SCHEMA, SCHEMA,
	      MESSAGE(ORDER_OPEN
		      "<orderId xmlns:xsi='" XSI
		      "' xsi:schemaLocation='urn:x http://192.0.2.1/x.xsd'>one</orderId>" ORDER_REST)),
	NEVER("schema poisoning", "noNamespaceSchemaLocation", BCV, SCHEMA, SCHEMA,
	      MESSAGE("<submitOrder xmlns='urn:fmp:orders' xmlns:x='" XSI
		      "' x:noNamespaceSchemaLocation='http://192.0.2.1/x.xsd'><y xmlns=''/>" ORDER_HEAD
			      ORDER_REST)),
	NEVER("schema poisoning", "a type of its own", BCV, SCHEMA, SCHEMA,
	      MESSAGE("<submitOrder xmlns='urn:fmp:orders' xmlns:xsi='" XSI
		      "' xmlns:xs='http://www.w3.org/2001/XMLSchema' xsi:type='xs:anyType'><x/>"
		      "</submitOrder>")),
	NEVER("schema poisoning", "nil", BCV, SCHEMA, SCHEMA,
	      MESSAGE("<submitOrder xmlns='urn:fmp:orders' xmlns:xsi='" XSI "' xsi:nil='true'/>")),
	NEVER("schema poisoning", "the answer's element", BCV, SCHEMA, SCHEMA,
	      MESSAGE("<submitOrderRequest xmlns='urn:fmp:orders'/>")),
};

const struct attack_table attack_parsing = ROWS(rows);
