// SPDX-License-Identifier: GPL-2.0
/* multipart/related: what passes, what is refused and why, however the bytes are split. */
#include <check.h>

#include "mime_cuts.h"
#include "run.h"

#define TYPE "multipart/related; type=\"text/xml\"; start=\"<r@x>\"; boundary=\"BB\""
#define ROOT "--BB\r\nContent-Type: text/xml\r\nContent-ID: <r@x>\r\n\r\n<e/>\r\n"
#define PART "--BB\r\nContent-ID: <a@x>\r\n\r\nABC\r\n"
#define END  "--BB--\r\n"

static const struct fmp_mime_limits limits = {
	.parts = 3, .header_bytes = 256, .fields = 6, .root_bytes = 64, .part_bytes = 32, .bytes = 64
};

static struct mime_outcome read_cut(const char *type, const char *bytes, size_t n)
{
	static const size_t pieces[] = { 1, 2, 3, 5, 7, 16, 61 };
	struct mime_outcome whole = mime_read(type, bytes, n, n ? n : 1, &limits);

	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		struct mime_outcome cut = mime_read(type, bytes, n, pieces[i], &limits);

		ck_assert_int_eq(cut.refused, whole.refused);
		ck_assert_int_eq(cut.kind, whole.kind);
		ck_assert_ptr_eq(cut.detail, whole.detail);
		ck_assert_uint_eq(cut.n_parts, whole.n_parts);
		if (whole.kind != FMP_EVENT_OVERSIZE)
			ck_assert_str_eq(cut.log, whole.log);
		free(cut.log);
	}
	return whole;
}

static void check_taken(const char *type, const char *bytes, const char *log)
{
	struct mime_outcome o = read_cut(type, bytes, strlen(bytes));

	ck_assert_msg(!o.refused, "%s: refused: %s", bytes, o.detail);
	ck_assert_str_eq(o.log, log);
	free(o.log);
}

static void check_refused(const char *type, const char *bytes, enum fmp_event_kind kind,
			  const char *detail)
{
	struct mime_outcome o = read_cut(type, bytes, strlen(bytes));

	ck_assert_msg(o.refused, "taken: %s\n%s", bytes, o.log);
	ck_assert_str_eq(o.detail, detail);
	ck_assert_int_eq(o.kind, kind);
	free(o.log);
}

#define LOG_ROOT \
	"[0 id=r@x type=text/xml coding=0]Content-Type: text/xml\r\nContent-ID: <r@x>\r\n\n<e/>[end 0]"
#define LOG_PART "[1 id=a@x type= coding=0]Content-ID: <a@x>\r\n\nABC[end 1]"

START_TEST(taken)
{
	check_taken(TYPE, ROOT PART END, LOG_ROOT LOG_PART);
	check_taken(TYPE, ROOT PART "--BB--", LOG_ROOT LOG_PART);
	check_taken(TYPE, "\r\n" ROOT END, LOG_ROOT);
	check_taken(TYPE, "This is MIME.\r\n" ROOT PART END "\r\n \r\n", LOG_ROOT LOG_PART);
	/* Padding, which a gateway of mail may add. */
	check_taken(TYPE, ROOT "--BB \t\r\nContent-ID: <a@x>\r\n\r\nABC\r\n--BB-- \r\n",
		    LOG_ROOT LOG_PART);
	/* A part without data, with and without the empty line's own end; one without a header. */
	check_taken(TYPE, ROOT "--BB\r\nX: y\r\n\r\n\r\n--BB\r\nX: z\r\n\r\n--BB\r\n\r\nD\r\n" END,
		    LOG_ROOT "[1 id= type= coding=0]X: y\r\n\n[end 1]"
			     "[2 id= type= coding=0]X: z\r\n\n[end 2]"
			     "[3 id= type= coding=0]\nD[end 3]");
	/* What only looks like a delimiter. */
	check_taken(TYPE, ROOT "--BB\r\n\r\n\r\r\n-\r\n--B\r\n--A--BB\n\n--b\r\r\n\r\n" END,
		    LOG_ROOT
		    "[1 id= type= coding=0]\n\r\r\n-\r\n--B\r\n--A--BB\n\n--b\r\r\n[end 1]");
	/* Folding, as JavaMail and Python write it. */
	check_taken("multipart/related; boundary=BB; type=\"text/xml\"",
		    "--BB\r\nContent-Type: text/xml;\r\n\tcharset=utf-8\r\n"
		    "Content-Transfer-Encoding: 8BIT\r\n\r\n<e/>\r\n" END,
		    "[0 id= type=text/xml; charset=utf-8 coding=0]Content-Type: text/xml; "
		    "charset=utf-8\r\nContent-Transfer-Encoding: 8BIT\r\n\n<e/>[end 0]");
	/* Without quotes, and Content-IDs as .NET and gSOAP write them. */
	check_taken("Multipart/Related;boundary=--=_BB;type=text/xml;start=<http://t.org/0>;",
		    "----=_BB\r\nContent-Type: TEXT/XML\r\nContent-ID: <http://t.org/0>\r\n\r\n"
		    "<e/>\r\n----=_BB--",
		    "[0 id=http://t.org/0 type=TEXT/XML coding=0]Content-Type: TEXT/XML\r\n"
		    "Content-ID: <http://t.org/0>\r\n\n<e/>[end 0]");
	/* The word in its own value, and in an action. */
	check_taken("multipart/related; boundary=\"boundary=1\"; type=\"text/xml\"; "
		    "start-info=\"application/soap+xml; action=\\\"http://t.org/?start=1\\\"\"",
		    "--boundary=1\r\nContent-Type: text/xml\r\n\r\n<e/>\r\n--boundary=1--",
		    "[0 id= type=text/xml coding=0]Content-Type: text/xml\r\n\n<e/>[end 0]");
	check_taken(TYPE,
		    ROOT "--BB\r\nContent-Transfer-Encoding: base64\r\n"
			 "Content-Length: 4\r\n\r\nQUJD\r\n" END,
		    LOG_ROOT "[1 id= type= coding=1]Content-Transfer-Encoding: base64\r\n"
			     "Content-Length: 4\r\n\nQUJD[end 1]");
}
END_TEST

START_TEST(delimiters)
{
	static const char none[] = "a line begins with the boundary, but is no delimiter";
	static const char bare[] = "a boundary behind a bare CR or LF";
	static const char cut[] = "the message ends before its closing delimiter";

	check_refused(TYPE, "", FMP_EVENT_HTTP, "no delimiter in a multipart message");
	check_refused(TYPE, "--BB--\r\n", FMP_EVENT_HTTP, "a multipart message without a part");
	check_refused(TYPE, ROOT PART, FMP_EVENT_HTTP, cut);
	check_refused(TYPE, ROOT "--BB\r\n\r\nABC", FMP_EVENT_HTTP, cut);
	check_refused(TYPE, ROOT "--BB-", FMP_EVENT_HTTP, cut);
	check_refused(TYPE, ROOT "--BB--\r", FMP_EVENT_HTTP, cut);
	check_refused(TYPE, ROOT "--BBX\r\n\r\nABC\r\n" END, FMP_EVENT_HTTP, none);
	check_refused(TYPE, ROOT "--BB-X\r\n\r\nABC\r\n" END, FMP_EVENT_HTTP, none);
	check_refused(TYPE, ROOT "--BB\n\r\nABC\r\n" END, FMP_EVENT_HTTP, none);
	check_refused(TYPE, ROOT "--BB\rX\r\nABC\r\n" END, FMP_EVENT_HTTP, none);
	check_refused(TYPE, ROOT "--BB\r\n\r\nA\n--BB\r\n\r\n" END, FMP_EVENT_HTTP, bare);
	check_refused(TYPE, ROOT "--BB\r\n\r\nA\r--BB\r\n\r\n" END, FMP_EVENT_HTTP, bare);
	check_refused(TYPE, "\n" ROOT END, FMP_EVENT_HTTP, bare);
	check_refused(TYPE, ROOT END ROOT END, FMP_EVENT_HTTP,
		      "a delimiter behind the closing one");
	check_refused(TYPE, ROOT END "\r\n" PART, FMP_EVENT_HTTP,
		      "a delimiter behind the closing one");
}
END_TEST

START_TEST(headers)
{
	static const char bare[] = "a bare CR or LF in the header of a part";
	static const char twice[] = "a field of a part stands twice";

	check_refused(TYPE, "--BB\nContent-Type: text/xml\n\n<e/>\n--BB--\n", FMP_EVENT_HTTP,
		      "a line begins with the boundary, but is no delimiter");
	check_refused(TYPE, ROOT "--BB\r\nA: b\nC: d\r\n\r\n" END, FMP_EVENT_HTTP, bare);
	check_refused(TYPE, ROOT "--BB\r\nA: b\rC: d\r\n\r\n" END, FMP_EVENT_HTTP, bare);
	check_refused(TYPE, ROOT "--BB\r\nA: \1\r\n\r\n" END, FMP_EVENT_HTTP,
		      "a control character in the header of a part");
	check_refused(TYPE, ROOT "--BB\r\n A: b\r\n\r\n" END, FMP_EVENT_HTTP,
		      "the header of a part begins with a folded line");
	check_refused(TYPE, ROOT "--BB\r\nA: b\r\n \t\r\nC: d\r\n\r\n" END, FMP_EVENT_HTTP,
		      "a folded line of a part's header is empty");
	check_refused(TYPE, ROOT "--BB\r\nA : b\r\n\r\n" END, FMP_EVENT_HTTP,
		      "a line of a part's header is no field");
	check_refused(TYPE, ROOT "--BB\r\nA: b\r\n--BB\r\n\r\n" END, FMP_EVENT_HTTP,
		      "a boundary in the header of a part");
	check_refused(TYPE, ROOT "--BB\r\nContent-ID: <b>\r\nCONTENT-ID: <b>\r\n\r\n" END,
		      FMP_EVENT_HTTP, twice);
	check_refused(TYPE, ROOT "--BB\r\nContent-Type: a/b\r\nContent-type: c/d\r\n\r\n" END,
		      FMP_EVENT_HTTP, twice);
	check_refused(TYPE, ROOT "--BB\r\nContent-ID: <r@x>\r\n\r\n\r\n" END, FMP_EVENT_HTTP,
		      "two parts have one Content-ID");
	check_refused(TYPE, ROOT "--BB\r\nContent-ID: r%40x\r\n\r\n\r\n" END, FMP_EVENT_HTTP,
		      "two parts have one Content-ID");
	/* Decoded twice; '+' as a form has it; with the scheme of a URL. */
	check_refused(TYPE, ROOT "--BB\r\nContent-ID: <r%2540x>\r\n\r\n\r\n" END, FMP_EVENT_HTTP,
		      "two parts have one Content-ID");
	check_refused(TYPE,
		      ROOT "--BB\r\nContent-ID: <a+b>\r\n\r\n\r\n"
			   "--BB\r\nContent-ID: <a%20b>\r\n\r\n\r\n" END,
		      FMP_EVENT_HTTP, "two parts have one Content-ID");
	/* Spaces dropped, as those of RFC 5322 are. */
	check_refused(TYPE,
		      ROOT "--BB\r\nContent-ID: <a b>\r\n\r\n\r\n"
			   "--BB\r\nContent-ID: <ab>\r\n\r\n\r\n" END,
		      FMP_EVENT_HTTP, "two parts have one Content-ID");
	check_refused(TYPE, ROOT "--BB\r\nContent-ID: <cid:r@x>\r\n\r\n\r\n" END, FMP_EVENT_HTTP,
		      "two parts have one Content-ID");
	check_refused(TYPE, ROOT "--BB\r\nContent-ID: <a> (b)\r\n\r\n\r\n" END, FMP_EVENT_HTTP,
		      "a Content-ID is malformed");
	check_refused(TYPE, ROOT "--BB\r\nContent-Transfer-Encoding: x-uu\r\n\r\n\r\n" END,
		      FMP_EVENT_UNSUPPORTED,
		      "the Content-Transfer-Encoding of a part is not supported");
	check_refused(TYPE, ROOT "--BB\r\nContent-Length: 2\r\n\r\nABC\r\n" END, FMP_EVENT_HTTP,
		      "a part has another length than its Content-Length");
	check_refused(TYPE,
		      ROOT "--BB\r\nContent-Type: multipart/mixed; boundary=BBC\r\n\r\n\r\n" END,
		      FMP_EVENT_HTTP, "the boundary of a nested multipart begins with the outer");
}
END_TEST

START_TEST(roots)
{
	check_refused(TYPE, PART ROOT END, FMP_EVENT_HTTP, "start does not name the first part");
	check_refused("multipart/related; boundary=BB; start=none", ROOT END, FMP_EVENT_HTTP,
		      "start does not name the first part");
	check_refused("multipart/related; boundary=BB", PART END, FMP_EVENT_HTTP,
		      "the root part has no Content-Type");
	check_refused("multipart/related; boundary=BB; type=\"application/xop+xml\"", ROOT END,
		      FMP_EVENT_HTTP,
		      "the root part is not of the type that the message announces");
	check_refused("multipart/related; boundary=BB; type=\"application/xop+xml\"; "
		      "start-info=\"text/xml\"",
		      "--BB\r\nContent-Type: application/xop+xml; "
		      "type=\"application/soap+xml\"\r\n\r\n<e/>\r\n" END,
		      FMP_EVENT_HTTP, "start-info is not the type of the root part");
	check_refused("multipart/related; boundary=BB",
		      "--BB\r\nContent-Type: text/xml\r\n"
		      "Content-Transfer-Encoding: base64\r\n\r\nPGUvPg==\r\n" END,
		      FMP_EVENT_UNSUPPORTED,
		      "the root part has a Content-Transfer-Encoding that is not supported");
}
END_TEST

START_TEST(types)
{
	static const char twice[] = "a parameter of the Content-Type stands twice";
	static const char boundary[] = "the boundary is not one of RFC 2046";
	static const char malformed[] = "a parameter of the Content-Type is malformed";
	static const char readings[] = "a parameter of the Content-Type has two readings";
	char longest[200] = "multipart/related; boundary=";

	check_refused("multipart/mixed; boundary=BB", ROOT END, FMP_EVENT_HTTP,
		      "the Content-Type is not multipart/related");
	check_refused("multipart/related", ROOT END, FMP_EVENT_HTTP,
		      "the Content-Type has no boundary");
	check_refused(TYPE "; boundary=CC", ROOT END, FMP_EVENT_HTTP, twice);
	check_refused(TYPE "; Start=\"<a@x>\"", ROOT END, FMP_EVENT_HTTP, twice);
	check_refused("multipart/related; boundary*0=B; boundary*1=B", ROOT END, FMP_EVENT_HTTP,
		      "a parameter of the Content-Type is in the form of RFC 2231");
	check_refused("multipart/related; boundary=\"B\\\"B\"", ROOT END, FMP_EVENT_HTTP, readings);
	check_refused("multipart/related; boundary=\"BB \"", ROOT END, FMP_EVENT_HTTP, boundary);
	check_refused("multipart/related; boundary=\"\"", ROOT END, FMP_EVENT_HTTP, boundary);
	check_refused("multipart/related; boundary=", ROOT END, FMP_EVENT_HTTP, malformed);
	check_refused("multipart/related; boundary=BB (comment)", ROOT END, FMP_EVENT_HTTP,
		      "the Content-Type is malformed");
	check_refused("multipart/related; boundary=BB,CC", ROOT END, FMP_EVENT_HTTP,
		      "the Content-Type is malformed");
	check_refused("multipart/related; boundary=\"BB", ROOT END, FMP_EVENT_HTTP, malformed);
	/* Where receivers would find another boundary or root. */
	check_refused("multipart/related; boundary=\"B\\B\"", ROOT END, FMP_EVENT_HTTP, readings);
	check_refused("multipart/related; xboundary=CC; boundary=BB", ROOT END, FMP_EVENT_HTTP,
		      readings);
	check_refused("multipart/related; x=\"Boundary = CC\"; boundary=BB", ROOT END,
		      FMP_EVENT_HTTP, readings);
	check_refused("multipart/related; x=boundary=CC; boundary=BB", ROOT END, FMP_EVENT_HTTP,
		      readings);
	check_refused("multipart/related; x=\"\\\"; boundary=CC; y=\\\"\"; boundary=BB", ROOT END,
		      FMP_EVENT_HTTP, readings);
	check_refused("multipart/related; x=\"\\\";start=<b@x>; y=\\\"\"; boundary=BB", ROOT END,
		      FMP_EVENT_HTTP, readings);
	check_refused("multipart/related; start=\"<r@\\x>\"; boundary=BB", ROOT END, FMP_EVENT_HTTP,
		      readings);
	memset(longest + strlen(longest), 'B', FMP_MIME_BOUNDARY + 1);
	check_refused(longest, ROOT END, FMP_EVENT_HTTP,
		      "a parameter of the Content-Type is too long");
}
END_TEST

START_TEST(bounds)
{
	char text[2 * FMP_MIME_AROUND];

	check_refused(TYPE,
		      ROOT "--BB\r\n\r\n\r\n--BB\r\n\r\n\r\n--BB\r\n\r\n\r\n--BB\r\n\r\n\r\n" END,
		      FMP_EVENT_STRUCTURE, "more attachments than allowed");
	check_refused(TYPE, ROOT "--BB\r\n\r\n123456789012345678901234567890123\r\n" END,
		      FMP_EVENT_OVERSIZE, "a part is larger than allowed");
	check_refused(TYPE,
		      ROOT "--BB\r\n\r\n12345678901234567890123456789012\r\n"
			   "--BB\r\n\r\n12345678901234567890123456789012\r\n--BB\r\n\r\n1\r\n" END,
		      FMP_EVENT_OVERSIZE, "the attachments are larger than allowed");
	check_refused(TYPE, ROOT "--BB\r\nA:\r\nA:\r\nA:\r\nA:\r\nA:\r\nA:\r\nA:\r\n\r\n\r\n" END,
		      FMP_EVENT_STRUCTURE, "a part has more fields than allowed");
	memset(text, 'x', sizeof(text));
	memcpy(text, "--BB\r\nA: ", 9);
	strcpy(text + 300, "\r\n\r\n" END);
	check_refused(TYPE, text, FMP_EVENT_STRUCTURE,
		      "the header of a part is longer than allowed");
	memset(text, 'x', sizeof(text));
	strcpy(text + FMP_MIME_AROUND + 1, "\r\n" ROOT END);
	check_refused(TYPE, text, FMP_EVENT_STRUCTURE,
		      "more bytes before or behind the parts than allowed");
}
END_TEST

START_TEST(ids)
{
	char id[FMP_MIME_ID];

	ck_assert(fmp_mime_cid("cid:a%40x", id));
	ck_assert_str_eq(id, "a@x");
	ck_assert(fmp_mime_cid("CID:a@x", id));
	ck_assert(fmp_mime_cid("cid:100%", id));
	ck_assert_str_eq(id, "100%");
	ck_assert(!fmp_mime_cid("cid:", id));
	ck_assert(!fmp_mime_cid("cid:a%00b", id));
	ck_assert(!fmp_mime_cid("http://a", id));
	ck_assert(fmp_mime_id(" <a@x> ", id));
	ck_assert_str_eq(id, "a@x");
	/* RFC 2392: the '%' of a Content-ID is encoded in its URL. */
	ck_assert(fmp_mime_cid("cid:a%2540x", id));
	ck_assert_str_eq(id, "a@x");
	ck_assert(fmp_mime_id("<a%40x>", id));
	ck_assert_str_eq(id, "a@x");
	ck_assert(!fmp_mime_cid("cid:a%2500%00", id));
	/* xs:anyURI collapses white space. */
	ck_assert(fmp_mime_cid(" \n\tcid:a@x\r\n ", id));
	ck_assert_str_eq(id, "a@x");
	ck_assert(!fmp_mime_cid("\tcid: \n", id));
	ck_assert(!fmp_mime_cid("cid:a\nb", id));
	/* Spaces inside. */
	ck_assert(fmp_mime_id("<my file.pdf>", id));
	ck_assert_str_eq(id, "my file.pdf");
	ck_assert(fmp_mime_cid("cid:my%20file.pdf", id));
	ck_assert_str_eq(id, "my file.pdf");
	ck_assert(!fmp_mime_id("<my (file).pdf>", id));
	ck_assert(!fmp_mime_id("my file.pdf", id));
	ck_assert(!fmp_mime_id("< a@x>", id));
	ck_assert(!fmp_mime_id("<a@x >", id));
	ck_assert(!fmp_mime_id("<a\tb>", id));
	ck_assert(!fmp_mime_id("<a@x", id));
	ck_assert(!fmp_mime_id("<>", id));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("mime");

	tcase_add_test(tc, taken);
	tcase_add_test(tc, delimiters);
	tcase_add_test(tc, headers);
	tcase_add_test(tc, roots);
	tcase_add_test(tc, types);
	tcase_add_test(tc, bounds);
	tcase_add_test(tc, ids);
	return run_tcase("mime", tc);
}
