// SPDX-License-Identifier: GPL-2.0
/* WS-ReliableMessaging beside a service: a WSDL imports its operations, which are built in. */
#include <unistd.h>

#include "run.h"
#include "vectors.h"

#define RM10  "http://schemas.xmlsoap.org/ws/2005/02/rm"
#define RM11  "http://docs.oasis-open.org/ws-rx/wsrm/200702"
#define WSA03 "http://schemas.xmlsoap.org/ws/2004/03/addressing"
#define WSA04 "http://schemas.xmlsoap.org/ws/2004/08/addressing"
#define WSA05 "http://www.w3.org/2005/08/addressing"

static char dir[] = "/tmp/fmp-reliable-XXXXXX", path[64];

/* Of a service, the one operation, and what the protocols import. */
static void write_wsdl(const char *imports)
{
	FILE *f = fopen(path, "we");

	ck_assert_ptr_nonnull(f);
	ck_assert_int_gt(
		fprintf(f,
			"<w:definitions xmlns:w='http://schemas.xmlsoap.org/wsdl/' "
			"xmlns:s='http://schemas.xmlsoap.org/wsdl/soap/' xmlns='urn:w' "
			"xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:w'>%s"
			"<w:types><xs:schema targetNamespace='urn:w'><xs:element name='order' "
			"type='xs:int'/></xs:schema></w:types><w:message name='O'><w:part "
			"name='p' element='order'/></w:message><w:portType name='P'>"
			"<w:operation name='order'><w:input message='O'/></w:operation>"
			"</w:portType><w:binding name='B' type='P'><s:binding/><w:operation "
			"name='order'><s:operation soapAction='urn:order'/><w:input><s:body "
			"use='literal'/></w:input></w:operation></w:binding></w:definitions>",
			imports),
		0);
	ck_assert_int_eq(fclose(f), 0);
}

static void setup(void)
{
	vectors_setup();
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/main.wsdl", dir);
}

static void teardown(void)
{
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(rmdir(dir), 0);
	vectors_teardown();
}

struct row {
	const char *body, *action, *fault; /* NULL: accepted */
};

static void check_rows(const struct row *rows, size_t n)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCV);
	struct fmp_inspector *i;

	cfg.schema = path;
	i = make_inspector(&cfg);
	for (size_t k = 0; k < n; k++) {
		const struct row *r = &rows[k];
		struct fmp_inspection v;
		char text[2048];
		struct fmp_message m = { .now_s = VECTORS_NOW,
					 .bytes = text,
					 .soap_action = r->action };

		m.len = (size_t)snprintf(
			text, sizeof(text),
			"<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'>"
			"<e:Body>%s</e:Body></e:Envelope>",
			r->body);
		ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
		ck_assert_msg(v.accepted == !r->fault, "%s, %s: %s", r->body, r->action, v.detail);
		ck_assert_msg(!r->fault || strstr(v.detail, r->fault), "%s, %s: %s", r->body,
			      r->action, v.detail);
		fmp_inspection_clear(&v);
	}
	fmp_inspector_free(i);
}
#define CHECK(rows) check_rows(rows, sizeof(rows) / sizeof(*(rows)))

#define IMPORT(ns)   "<w:import namespace='" ns "/wsdl' location='" ns "/wsdl'/>"
#define ORDER	     "<order xmlns='urn:w'>7</order>"
#define ACKS_TO(wsa) "<AcksTo><a:Address xmlns:a='" wsa "'>urn:me</a:Address></AcksTo>"
#define TWO(one, other)                                                                     \
	"<AcksTo><a:Address xmlns:a='" one "'>urn:me</a:Address><a:Address xmlns:a='" other \
	"'>urn:me</a:Address></AcksTo>"
#define EXTENDED(wsa, name) \
	"<AcksTo xmlns:a='" wsa "'><a:Address>urn:me</a:Address><a:" name "/></AcksTo>"
#define IN(ns, name, content) "<" name " xmlns='" ns "'>" content "</" name ">"
#define ID		      "<Identifier>urn:uuid:1</Identifier>"

START_TEST(version_1_0)
{
	static const struct row rows[] = {
		{ ORDER, "urn:order", NULL },
		{ IN(RM10, "CreateSequence", ACKS_TO(WSA04)), RM10 "/CreateSequence", NULL },
		{ IN(RM10, "CreateSequence",
		     ACKS_TO(WSA04) "<Expires>PT1M</Expires><Offer>" ID "</Offer>"),
		  RM10 "/CreateSequence", NULL },
		{ IN(RM10, "CreateSequence", ""), RM10 "/CreateSequence", "AcksTo" },
		{ IN(RM10, "CreateSequence", ACKS_TO(WSA05)), RM10 "/CreateSequence", NULL },
		{ IN(RM10, "CreateSequence", ACKS_TO(WSA03)), RM10 "/CreateSequence", "Address" },
		{ IN(RM10, "CreateSequence", "<AcksTo/>"), RM10 "/CreateSequence", "AcksTo" },
		{ IN(RM10, "CreateSequence", TWO(WSA05, WSA05)), RM10 "/CreateSequence",
		  "Address" },
		{ IN(RM10, "CreateSequence", EXTENDED(WSA05, "Metadata")), RM10 "/CreateSequence",
		  NULL },
		{ IN(RM10, "CreateSequence", EXTENDED(WSA04, "Metadata")), RM10 "/CreateSequence",
		  "Metadata" },
		{ IN(RM10, "CreateSequence", EXTENDED(WSA05, "ReferenceProperties")),
		  RM10 "/CreateSequence", "ReferenceProperties" },
		{ IN(RM10, "CreateSequence", EXTENDED(WSA04, "ReferenceProperties")),
		  RM10 "/CreateSequence", NULL },
		{ IN(RM10, "CreateSequence", ACKS_TO(WSA04)), RM10 "/TerminateSequence",
		  "another element" },
		{ IN(RM10, "TerminateSequence", ID), RM10 "/TerminateSequence", NULL },
		{ IN(RM10, "TerminateSequence", ID ID), RM10 "/TerminateSequence", "Identifier" },
		{ IN(RM10, "CreateSequenceResponse", ID), NULL, "no operation" },
		{ IN(RM10, "Sequence", ID "<MessageNumber>1</MessageNumber>"), NULL,
		  "no operation" },
		{ "", RM10 "/SequenceAcknowledgement", NULL },
		{ "", RM10 "/AckRequested", NULL },
		{ "", RM10 "/LastMessage", NULL },
		{ ORDER, RM10 "/LastMessage", "another element" },
		{ "", "urn:order", "another element than an empty Body" },
		{ "", RM11 "/CloseSequence", "empty" },
	};

	write_wsdl(IMPORT(RM10));
	CHECK(rows);
}
END_TEST

START_TEST(version_1_1)
{
#define ENDPOINT "<Endpoint><a:Address xmlns:a='" WSA05 "'>urn:me</a:Address></Endpoint>"
	static const struct row rows[] = {
		{ ORDER, "urn:order", NULL },
		{ IN(RM11, "CreateSequence", ACKS_TO(WSA05)), RM11 "/CreateSequence", NULL },
		{ IN(RM11, "CreateSequence",
		     ACKS_TO(WSA05) "<Offer>" ID ENDPOINT "<IncompleteSequenceBehavior>NoDiscard"
				    "</IncompleteSequenceBehavior></Offer>"),
		  RM11 "/CreateSequence", NULL },
		{ IN(RM11, "CreateSequence", ACKS_TO(WSA05) "<Offer>" ID "</Offer>"),
		  RM11 "/CreateSequence", "Offer" },
		{ IN(RM11, "CloseSequence", ID "<LastMsgNumber>3</LastMsgNumber>"),
		  RM11 "/CloseSequence", NULL },
		{ IN(RM11, "CloseSequence", ID "<LastMsgNumber>0</LastMsgNumber>"),
		  RM11 "/CloseSequence", "LastMsgNumber" },
		{ IN(RM11, "TerminateSequence", ID "<LastMsgNumber>3</LastMsgNumber>"),
		  RM11 "/TerminateSequence", NULL },
		{ IN(RM11, "TerminateSequenceResponse", ID), NULL, "no operation" },
		{ IN(RM10, "TerminateSequence", ID), RM10 "/TerminateSequence", "No matching" },
		{ "", RM11 "/SequenceAcknowledgement", NULL },
		{ "", RM11 "/AckRequested", NULL },
		{ "", "urn:order", "another element than an empty Body" },
	};

	write_wsdl(IMPORT(RM11));
	CHECK(rows);
}
END_TEST

START_TEST(both_or_neither)
{
	static const struct row both[] = {
		{ IN(RM10, "TerminateSequence", ID), RM10 "/TerminateSequence", NULL },
		{ IN(RM11, "TerminateSequence", ID), RM11 "/TerminateSequence", NULL },
		{ ORDER, "urn:order", NULL },
	};
	static const struct row neither[] = {
		{ IN(RM10, "TerminateSequence", ID), RM10 "/TerminateSequence", "No matching" },
		{ IN(RM11, "TerminateSequence", ID), RM11 "/TerminateSequence", "No matching" },
		{ "", RM11 "/SequenceAcknowledgement", "empty" },
	};

	write_wsdl(IMPORT(RM10) IMPORT(RM11));
	CHECK(both);
	write_wsdl("");
	CHECK(neither);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("reliable");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, version_1_0);
	tcase_add_test(tc, version_1_1);
	tcase_add_test(tc, both_or_neither);
	return run_tcase("reliable", tc);
}
