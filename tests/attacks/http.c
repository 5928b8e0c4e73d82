// SPDX-License-Identifier: GPL-2.0
/* Requests that two readers of HTTP understand in two ways, or that none should take. */
#include "attack.h"
#include "names.h"

#define ROW(c, v, k, txt)                                                                     \
	{                                                                                     \
		.class = c, .variant = v, .security = FMP_SECURITY_BC, .step = FMP_STEP_HTTP, \
		.kind = FMP_EVENT_##k, .text = txt, .raw = true                               \
	}
/* Pieces, and how many. */
#define MANY(c, v, k, txt, pc, count)                                                         \
	{                                                                                     \
		.class = c, .variant = v, .security = FMP_SECURITY_BC, .step = FMP_STEP_HTTP, \
		.kind = FMP_EVENT_##k, .text = txt, .piece = pc, .n = count, .raw = true      \
	}
#define START	 "POST /orders HTTP/1.1\r\nHost: gw\r\n"
#define XML_TYPE "Content-Type: text/xml\r\n"
#define BYTES_7	 "\r\n<a></a>"

/* A root and the header of a first part, in one chunk; its data follow in many. */
#define PARTS                                                                                         \
	START "Content-Type: multipart/related; type=\"text/xml\"; boundary=b\r\n"                    \
	      "Transfer-Encoding: chunked\r\n\r\n"                                                    \
	      "9b\r\n--b\r\nContent-Type: text/xml\r\n\r\n"                                           \
	      "<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><a/></s:Body>" \
	      "</s:Envelope>\r\n--b\r\nContent-ID: <a>\r\n\r\n\r\n"
#define PARTS_END "0\r\n\r\n"
#define LONG_PART "40\r\n0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\r\n"

static const struct attack rows[] = {
	ROW("HTTP smuggling", "Content-Length and chunked", HTTP,
	    START XML_TYPE "Content-Length: 7\r\nTransfer-Encoding: chunked\r\n" BYTES_7),
	ROW("HTTP smuggling", "chunked and Content-Length", HTTP,
	    START XML_TYPE "Transfer-Encoding: chunked\r\nContent-Length: 7\r\n\r\n0\r\n\r\n"),
	ROW("HTTP smuggling", "two Content-Lengths", HTTP,
	    START XML_TYPE "Content-Length: 7\r\nContent-Length: 6\r\n" BYTES_7),
	ROW("HTTP smuggling", "Content-Length as a list", HTTP,
	    START XML_TYPE "Content-Length: 7, 7\r\n" BYTES_7),
	ROW("HTTP smuggling", "Content-Length +7", HTTP,
	    START XML_TYPE "Content-Length: +7\r\n" BYTES_7),
	ROW("HTTP smuggling", "Content-Length -1", HTTP,
	    START XML_TYPE "Content-Length: -1\r\n" BYTES_7),
	ROW("HTTP smuggling", "Content-Length 0x7", HTTP,
	    START XML_TYPE "Content-Length: 0x7\r\n" BYTES_7),
	ROW("HTTP smuggling", "space before the colon", HTTP,
	    START XML_TYPE "Content-Length : 7\r\n" BYTES_7),
	ROW("HTTP smuggling", "a folded line", HTTP,
	    START XML_TYPE "X: a\r\n Content-Length: 6\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP smuggling", "a bare line feed", HTTP,
	    START XML_TYPE "Content-Length: 7\nX: y\r\n" BYTES_7),
	ROW("HTTP smuggling", "a bare carriage return", HTTP,
	    START XML_TYPE "X: a\rContent-Length: 6\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP smuggling", "chunked twice", HTTP,
	    START XML_TYPE "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"),
	ROW("HTTP smuggling", "xchunked", HTTP,
	    START XML_TYPE "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
	ROW("HTTP smuggling", "a tab before chunked's end", HTTP,
	    START XML_TYPE "Transfer-Encoding: \x0b"
			   "chunked\r\n\r\n0\r\n\r\n"),
	ROW("HTTP smuggling", "a chunk of negative size", HTTP,
	    START XML_TYPE "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n0\r\n\r\n"),
	ROW("HTTP smuggling", "a chunk longer than memory", OVERSIZE,
	    START XML_TYPE "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n<a/>"),
	ROW("HTTP smuggling", "a chunk without its end", HTTP,
	    START XML_TYPE "Transfer-Encoding: chunked\r\n\r\n4\r\n<a/>0\r\n\r\n"),
	ROW("HTTP smuggling", "NUL in a field", HTTP,
	    START XML_TYPE "X: a@0b\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP smuggling", "two Hosts", HTTP,
	    START "Host: other\r\n" XML_TYPE "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP smuggling", "no Host", HTTP,
	    "POST / HTTP/1.1\r\n" XML_TYPE "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP requests", "a space in the target", HTTP,
	    "POST /orders /x HTTP/1.1\r\nHost: gw\r\n" XML_TYPE "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP requests", "version 9.9", HTTP,
	    "POST /orders HTTP/9.9\r\nHost: gw\r\n" XML_TYPE "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP requests", "no version", HTTP, "POST /orders\r\nHost: gw\r\n\r\n"),
	ROW("HTTP requests", "a method with a NUL", HTTP, "PO@0ST / HTTP/1.1\r\nHost: gw\r\n\r\n"),
	ROW("HTTP requests", "another protocol", BROWSER, "\x16\x03\x01\x02\x01\x01\r\n\r\n"),
	ROW("HTTP requests", "TRACE", HTTP, "TRACE / HTTP/1.1\r\nHost: gw\r\n\r\n"),
	MANY("HTTP requests", "1000 fields", HTTP,
	     START "@*" XML_TYPE "Content-Length: 7\r\n" BYTES_7, "X@#: y\r\n", 1000),
	MANY("HTTP requests", "a field of 100 KB", HTTP,
	     START "X: @*\r\n" XML_TYPE "Content-Length: 7\r\n" BYTES_7, "0123456789", 10000),
	MANY("HTTP requests", "a target of 100 KB", BROWSER,
	     "POST /@* HTTP/1.1\r\nHost: gw\r\n" XML_TYPE "Content-Length: 7\r\n" BYTES_7,
	     "0123456789", 10000),
	MANY("HTTP requests", "8 KB of odd names", HTTP, START "@*bad\r\n\r\n",
	     "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~:~~~~~~~~~~~~~~~~"
	     "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\r\n",
	     61),
	MANY("HTTP requests", "8 KB of fields and a fault", HTTP, START "@*bad\r\n\r\n",
	     "X: 01234567890123456789012345678901234567890123456789012345678901234567890123456789"
	     "0123456789012345678901234567890123456789\r\n",
	     60),
	ROW("HTTP paths", "..", HTTP,
	    "POST /orders/../admin HTTP/1.1\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP paths", "an encoded ..", HTTP,
	    "POST /orders/%2e%2e/admin HTTP/1.1\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP paths", "half encoded ..", HTTP,
	    "POST /orders/.%2E/admin HTTP/1.1\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP paths", ".. with a parameter", HTTP,
	    "POST /orders/..;/admin HTTP/1.1\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP paths", "an encoded slash", HTTP,
	    "POST /orders%2f..%2fadmin HTTP/1.1\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP paths", "an encoded backslash", HTTP,
	    "POST /orders%5c..%5cadmin HTTP/1.1\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP paths", "a backslash", HTTP,
	    "POST /orders\\..\\admin HTTP/1.1\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP paths", "an encoded NUL", HTTP,
	    "POST /orders%00.xml HTTP/1.1\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP paths", "encoded line ends", HTTP,
	    "POST /orders%0d%0aX-Forwarded-For:%20127.0.0.1 HTTP/1.1\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP paths", ".. encoded twice", HTTP,
	    "POST /%252e%252e/admin HTTP/1.1\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP paths", "a slash encoded twice", HTTP,
	    "POST /orders%252fadmin HTTP/1.1\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP paths", "a fragment", HTTP,
	    "POST /orders#/admin HTTP/1.1\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP paths", "a broken code", HTTP,
	    "POST /orders%2 HTTP/1.1\r\nHost: gw\r\n" XML_TYPE "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP hops", "Connection names Host", HTTP,
	    START XML_TYPE "Connection: close, Host\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP hops", "Connection names Content-Length", HTTP,
	    START XML_TYPE "Connection: close, Content-Length\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP hops", "Connection names Authorization", HTTP,
	    START XML_TYPE "Connection: close, Authorization\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP hops", "Connection names Cookie", HTTP,
	    START XML_TYPE "Connection: close, Cookie\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP hops", "Connection names X-Forwarded-For", HTTP,
	    START XML_TYPE "Connection: close, X-Forwarded-For\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP hops", "Connection names X_Forwarded_For", HTTP,
	    START XML_TYPE "Connection: close, X_Forwarded_For\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP hops", "Connection names SOAPAction", HTTP,
	    START XML_TYPE "Connection: close, SOAPAction\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP hops", "a field behind a line feed", HTTP,
	    START XML_TYPE "X: a\nX-Forwarded-For: 127.0.0.1\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP hops", "a field behind a carriage return", HTTP,
	    START XML_TYPE "X: a\rX-Forwarded-For: 127.0.0.1\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP hops", "a folded X-Forwarded-For", HTTP,
	    START XML_TYPE "X: a\r\n\tX-Forwarded-For: 127.0.0.1\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP identity fields", "folded", HTTP,
	    START XML_TYPE "X: a\r\n X-Fmp-User: jane\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP identity fields", "behind a line feed", HTTP,
	    START XML_TYPE "X: a\nX-Fmp-User: jane\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP identity fields", "behind a carriage return", HTTP,
	    START XML_TYPE "X: a\rX-Fmp-User: jane\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP identity fields", "a space before the colon", HTTP,
	    START XML_TYPE "X-Fmp-User : jane\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP identity fields", "a NUL in the name", HTTP,
	    START XML_TYPE "X-Fmp-User@0: jane\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP identity fields", "a letter of two bytes in the name", HTTP,
	    START XML_TYPE "X-Fmp\xe2\x80\x90User: jane\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP field injection", "a line feed in a Cookie", HTTP,
	    START XML_TYPE "Cookie: a=b\nX-Admin: 1\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP field injection", "a carriage return in a Cookie", HTTP,
	    START XML_TYPE "Cookie: a=b\rX-Admin: 1\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP field injection", "a NUL in a Cookie", HTTP,
	    START XML_TYPE "Cookie: a=b@0; c=d\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP field injection", "a folded Authorization", HTTP,
	    START XML_TYPE "Authorization: Basic\r\n\tYTpi\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP field injection", "a line feed in the SOAPAction", HTTP,
	    START XML_TYPE "SOAPAction: \"a\nX-Admin: 1\"\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP field injection", "DEL in a value", HTTP,
	    START XML_TYPE "X: a\x7f\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP field injection", "the begin of a value on its own line", HTTP,
	    START XML_TYPE "X:\r\n a\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP field injection", "a field in front of the request", HTTP,
	    " X-Admin: 1\r\n" START XML_TYPE "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP field injection", "a folded first field", HTTP,
	    "POST /orders HTTP/1.1\r\n Host: gw\r\nHost: gw\r\n" XML_TYPE
	    "Content-Length: 7\r\n" BYTES_7),
	ROW("HTTP trailers", "a bare line feed", HTTP,
	    START XML_TYPE
	    "Transfer-Encoding: chunked\r\n\r\n4\r\n<a/>\r\n0\r\nX: a\nY: b\r\n\r\n"),
	ROW("HTTP trailers", "folded", HTTP,
	    START XML_TYPE
	    "Transfer-Encoding: chunked\r\n\r\n4\r\n<a/>\r\n0\r\nX: a\r\n b\r\n\r\n"),
	ROW("HTTP trailers", "a NUL", HTTP,
	    START XML_TYPE "Transfer-Encoding: chunked\r\n\r\n4\r\n<a/>\r\n0\r\nX: a@0\r\n\r\n"),
	ROW("HTTP trailers", "no field", HTTP,
	    START XML_TYPE
	    "Transfer-Encoding: chunked\r\n\r\n4\r\n<a/>\r\n0\r\nGET / HTTP/1.1\r\n\r\n"),
	ROW("HTTP bodies", "a MIME multipart without a part", HTTP,
	    START "Content-Type: multipart/related; type=\"application/xop+xml\"; boundary=b\r\n"
		  "Content-Length: 7\r\n" BYTES_7),
	MANY("MIME parts", "one Content-ID twice", HTTP,
	     PARTS "@*"
		   "26\r\n\r\n--b\r\nContent-ID: <%61>\r\n\r\nx\r\n--b--\r\n\r\n" PARTS_END,
	     LONG_PART, 1200),
	MANY("MIME parts", "one Content-ID but for a space", HTTP,
	     PARTS "@*"
		   "42\r\n\r\n--b\r\nContent-ID: <q r>\r\n\r\nx\r\n--b\r\nContent-ID: <qr>\r\n"
		   "\r\nx\r\n--b--\r\n\r\n" PARTS_END,
	     LONG_PART, 1200),
	MANY("MIME parts", "the boundary within a line", HTTP,
	     PARTS "@*"
		   "23\r\nx--b\r\nContent-ID: <c>\r\n\r\nx\r\n--b--\r\n\r\n" PARTS_END,
	     LONG_PART, 1200),
	MANY("MIME parts", "a bare line feed before the boundary", HTTP,
	     PARTS "@*"
		   "23\r\n\n--b\r\nContent-ID: <c>\r\n\r\nx\r\n--b--\r\n\r\n" PARTS_END,
	     LONG_PART, 1200),
	MANY("MIME parts", "no closing delimiter", HTTP,
	     PARTS "@*"
		   "1d\r\n\r\n--b\r\nContent-ID: <c>\r\n\r\nx\r\n\r\n" PARTS_END,
	     LONG_PART, 1200),
	MANY("MIME parts", "parts behind the closing delimiter", HTTP,
	     PARTS "@*"
		   "2b\r\n\r\n--b--\r\n--b\r\nContent-ID: <c>\r\n\r\nx\r\n--b--\r\n\r\n" PARTS_END,
	     LONG_PART, 1200),
	MANY("MIME parts", "two Content-Types of a part", HTTP,
	     PARTS
	     "@*"
	     "45\r\n\r\n--b\r\nContent-Type: text/plain\r\ncontent-type: text/xml\r\n\r\nx\r\n"
	     "--b--\r\n\r\n" PARTS_END,
	     LONG_PART, 1200),
	MANY("MIME parts", "a space before the colon of a part's field", HTTP,
	     PARTS "@*"
		   "25\r\n\r\n--b\r\nContent-ID : <c>\r\n\r\nx\r\n--b--\r\n\r\n" PARTS_END,
	     LONG_PART, 1200),
	MANY("MIME parts", "a nested multipart with the beginning of its boundary", HTTP,
	     PARTS
	     "@*"
	     "44\r\n\r\n--b\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n--bb--\r\n--b--"
	     "\r\n\r\n" PARTS_END,
	     LONG_PART, 1200),
	ROW("HTTP bodies", "a form", BROWSER,
	    START
	    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n" BYTES_7),
	ROW("HTTP bodies", "JSON", UNSUPPORTED,
	    START "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"),
	ROW("HTTP bodies", "4 GB announced", OVERSIZE,
	    START XML_TYPE "Content-Length: 4294967296\r\n\r\n"),
	ROW("HTTP bodies", "2 MB announced", OVERSIZE,
	    START XML_TYPE "Content-Length: 2097152\r\n\r\n"),
	ROW("HTTP bodies", "chunks of more than is allowed", OVERSIZE,
	    START XML_TYPE "Transfer-Encoding: chunked\r\n\r\n200000\r\n"),
	MANY("HTTP bodies", "chunks of one byte", HTTP,
	     START XML_TYPE "Transfer-Encoding: chunked\r\n\r\n@*0\r\n\r\n", "1\r\na\r\n", 10000),
	MANY("HTTP bodies", "chunks with long extensions", HTTP,
	     START XML_TYPE "Transfer-Encoding: chunked\r\n\r\n@*0\r\n\r\n",
	     "1;a=0123456789012345678901234567890123456789\r\na\r\n", 2000),
	MANY("HTTP bodies", "a megabyte in chunks, the last without its end", HTTP,
	     START XML_TYPE "Transfer-Encoding: chunked\r\n\r\n@*1\r\nab\r\n",
	     "40\r\n0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\r\n", 14000),
	ROW("HTTP bodies", "a gzip bomb", HTTP,
	    START XML_TYPE
	    "Content-Encoding: gzip\r\nContent-Length: 7\r\n\r\n\x1f\x8b\x08@0@0@0@0"),
};

const struct attack_table attack_http = ROWS(rows);
