// SPDX-License-Identifier: GPL-2.0
/* Bytes that one reader takes for other characters than the next. */
#include "attack.h"
#include "names.h"

#define BYTES(v, txt)                                                            \
	{                                                                        \
		.class = "encoding", .variant = v, .security = FMP_SECURITY_BC,  \
		.step = FMP_STEP_SCREEN, .kind = FMP_EVENT_ENCODING, .text = txt \
	}
#define WIDE(v, f, txt)                                                                     \
	{                                                                                   \
		.class = "encoding", .variant = v, .security = FMP_SECURITY_BC,             \
		.step = FMP_STEP_SCREEN, .kind = FMP_EVENT_ENCODING, .text = txt, .form = f \
	}
#define DECLARED(e) "<?xml version=\"1.0\" encoding=\"" e "\"?>"
#define CUSTOMER(x)                                                                       \
	MESSAGE(ORDER_OPEN ORDER_HEAD "<customer>" x                                      \
				      "</customer><date>2026-11-21T02:00:00Z</date>" ITEM \
				      "</submitOrder>")

static const struct attack rows[] = {
	BYTES("UTF-7", DECLARED("UTF-7") "+ADwAcwBvAGEAcABlAG4AdgA6AEUAbgB2AGUAbABvAHAAZQA+-"),
	BYTES("UTF-7 in the text", DECLARED("UTF-7") CUSTOMER("+ADw-x+AD4-")),
	/* Old clients, no attack. */
	{ .class = "encoding",
	  .variant = "Latin 1",
	  .security = FMP_SECURITY_BC,
	  .step = FMP_STEP_SCREEN,
	  .kind = FMP_EVENT_UNSUPPORTED,
	  .text = DECLARED("ISO-8859-1") CUSTOMER("\xe4") },
	BYTES("Shift JIS", DECLARED("Shift_JIS") MESSAGE(ORDER)),
	BYTES("HZ", DECLARED("HZ-GB-2312") MESSAGE(ORDER)),
	BYTES("EBCDIC",
	      "\x4c\x6f\xa7\x94\x93@@\xa5\x85\x99\xa2\x89\x96\x95\x7e\x7f\xf1\x4b\xf0\x7f\x6f\x6e"),
	BYTES("said to be UTF-16", DECLARED("UTF-16") MESSAGE(ORDER)),
	BYTES("XML 1.1", "<?xml version=\"1.1\"?>" CUSTOMER("&#1;")),
	WIDE("UTF-16 little end first, no mark", ATTACK_UTF16LE, MESSAGE(ORDER)),
	WIDE("UTF-16 big end first, no mark", ATTACK_UTF16BE, MESSAGE(ORDER)),
	WIDE("UTF-16 said to be UTF-8", ATTACK_UTF16LE_MARK, DECLARATION MESSAGE(ORDER)),
	WIDE("UTF-32", ATTACK_UTF32LE, MESSAGE(ORDER)),
	BYTES("UTF-16 cut in a character", "\xff\xfe<@0a@0/@0>"),
	BYTES("half a surrogate pair in UTF-16", "\xff\xfe<@0a@0>@0\x3d\xd8<@0/@0a@0>@0"),
	BYTES("overlong '<' in two bytes", CUSTOMER("\xc0\xbcx>")),
	BYTES("overlong '<' in three", CUSTOMER("\xe0\x80\xbcx>")),
	BYTES("overlong '<' in four", CUSTOMER("\xf0\x80\x80\xbcx>")),
	BYTES("five bytes", CUSTOMER("\xf8\x88\x80\x80\x80")),
	BYTES("a surrogate", CUSTOMER("\xed\xa0\x80")),
	BYTES("no character", CUSTOMER("\xef\xbf\xbf")),
	BYTES("behind Unicode", CUSTOMER("\xf4\x90\x80\x80")),
	BYTES("cut in a character", MESSAGE("<a>\xe2\x82</a>")),
	BYTES("a byte that swallows the quote", MESSAGE("<a b='\xe2' c='x'/>")),
	BYTES("a mark in the middle of a name", MESSAGE("<a\xff/>")),
	BYTES("NUL in the text", CUSTOMER("a@0b")),
	BYTES("NUL in a name", MESSAGE("<a@0b/>")),
	BYTES("NUL in a value", MESSAGE("<a b='@0'/>")),
	{ .class = "encoding",
	  .variant = "NUL behind the root",
	  .security = FMP_SECURITY_BC,
	  .step = FMP_STEP_SCREEN,
	  .kind = FMP_EVENT_WELLFORMED,
	  .text = MESSAGE(ORDER) "@0<!DOCTYPE a>" },
	{ .class = "encoding",
	  .variant = "a control character",
	  .security = FMP_SECURITY_BC,
	  .step = FMP_STEP_SCREEN,
	  .kind = FMP_EVENT_WELLFORMED,
	  .text = CUSTOMER("\x1b[2J") },
};

const struct attack_table attack_encoding = ROWS(rows);
