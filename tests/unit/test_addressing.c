// SPDX-License-Identifier: GPL-2.0
/*
 * SOAPAction, WS-Addressing, mustUnderstand: what good clients send passes. What must be
 * refused is in tests/attacks/envelope.c.
 */
#include "run.h"
#include "vectors.h"

#define WSA   "http://www.w3.org/2005/08/addressing"
#define WSA04 "http://schemas.xmlsoap.org/ws/2004/08/addressing"
#define ORDER                                                                                 \
	"<submitOrder xmlns='urn:fmp:orders'><orderId>1</orderId><customer>A</customer>"      \
	"<date>2026-11-21T02:00:00Z</date><item><sku>ABC-000001</sku><qty>1</qty><price>1.00" \
	"</price></item></submitOrder>"

static struct fmp_inspection look_at(enum fmp_security security, const char *action,
				     const char *header)
{
	struct fmp_inspector *i = vector_inspector(security);
	struct fmp_message m = { .now_s = VECTORS_NOW, .soap_action = action };
	struct fmp_inspection v;
	char text[4096];

	m.len = (size_t)snprintf(text, sizeof(text),
				 "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'>"
				 "<e:Header>%s</e:Header><e:Body>" ORDER "</e:Body></e:Envelope>",
				 header);
	m.bytes = text;
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
	return v;
}

static void expect_accepted(enum fmp_security security, const char *action, const char *header)
{
	struct fmp_inspection v = look_at(security, action, header);

	ck_assert_msg(v.accepted, "%s, %s: %s", action ? action : "no action", header, v.detail);
}

static void expect_refused(enum fmp_security security, const char *action, const char *header)
{
	struct fmp_inspection v = look_at(security, action, header);

	ck_assert_msg(!v.accepted, "%s, %s", action ? action : "no action", header);
	ck_assert_msg(v.step == FMP_STEP_SOAP && v.kind == FMP_EVENT_SOAP, "%s", v.detail);
}

START_TEST(actions_of_the_operation_pass)
{
	static const char *const actions[] = {
		NULL,
		"",
		"submitOrder",
		"urn:fmp:orders#submitOrder",
		"urn:fmp:orders/submitOrderRequest",
		"http://example.org/Orders/submitOrder",
		"http://example.org/Orders/",
		"urn:whatever",
		" urn:fmp:orders:submitOrder ",
	};

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		expect_accepted(FMP_SECURITY_BCV, actions[i], "");
}
END_TEST

START_TEST(actions_of_another_element_are_refused)
{
	expect_refused(FMP_SECURITY_BCV, "submitOrderResponse", "");
	expect_refused(FMP_SECURITY_BCV, "urn:fmp:orders?op=submitOrderResponse", "");
	expect_refused(FMP_SECURITY_BCV, "urn:fmp:orders/submitOrderResponseRequest", "");
	/* Without a schema the elements are unknown. */
	expect_accepted(FMP_SECURITY_BC, "submitOrderResponse", "");
}
END_TEST

START_TEST(two_actions_agree)
{
	const char *wsa = "<a:Action xmlns:a='" WSA "'> urn:x:submitOrder\n</a:Action>";

	expect_accepted(FMP_SECURITY_BCV, NULL, wsa);
	expect_accepted(FMP_SECURITY_BCV, "", wsa);
	expect_accepted(FMP_SECURITY_BCV, "urn:x:submitOrder", wsa);
	expect_refused(FMP_SECURITY_BCV, "urn:y:submitOrder", wsa);
	expect_refused(FMP_SECURITY_BCV, "urn:x:submitOrde", wsa);
	/* The Action of another vocabulary does not count. */
	expect_accepted(FMP_SECURITY_BCV, "urn:x:submitOrder",
			"<a:Action xmlns:a='urn:a'>z</a:Action>");
}
END_TEST

START_TEST(answers_come_back_over_the_connection)
{
	expect_accepted(
		FMP_SECURITY_BC, NULL,
		"<a:ReplyTo xmlns:a='" WSA "'><a:Address>" WSA "/anonymous</a:Address></a:ReplyTo>"
		"<a:FaultTo xmlns:a='" WSA "'><a:Address> " WSA "/none </a:Address></a:FaultTo>"
		"<a:To xmlns:a='" WSA "'>http://192.0.2.1/orders</a:To>");
	expect_accepted(FMP_SECURITY_BC, NULL,
			"<a:ReplyTo xmlns:a='" WSA04 "'><a:Address>" WSA04
			"/role/anonymous</a:Address>"
			"<a:ReferenceProperties/></a:ReplyTo>");
	expect_refused(FMP_SECURITY_BC, NULL,
		       "<a:ReplyTo xmlns:a='" WSA "'><a:Address>" WSA
		       "/anonymous/x</a:Address></a:ReplyTo>");
	expect_refused(FMP_SECURITY_BC, NULL,
		       "<a:AcksTo xmlns:a='" WSA
		       "'><a:Address>http://192.0.2.1/</a:Address></a:AcksTo>");
}
END_TEST

/* Submissions and drafts count too: a service that supports one of them obeys it. */
START_TEST(every_version_of_addressing_counts)
{
	static const char *const versions[] = {
		"http://schemas.xmlsoap.org/ws/2003/03/addressing",
		"http://schemas.xmlsoap.org/ws/2004/03/addressing",
		"http://schemas.xmlsoap.org/ws/2004/08/addressing",
		"http://www.w3.org/2005/08/addressing",
		"http://www.w3.org/2006/02/addressing",
	};
	static const char form[] = "<a:%s xmlns:a='%s'><a:Address>%s</a:Address></a:%s>";
	static const char *const names[] = { "ReplyTo", "FaultTo" };
	char header[512], address[128];

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		for (size_t j = 0; j < 2; j++) {
			snprintf(header, sizeof(header), form, names[j], versions[i],
				 "http://192.0.2.1/", names[j]);
			expect_refused(FMP_SECURITY_BC, NULL, header);
			snprintf(address, sizeof(address), "%s/role/anonymous", versions[i]);
			snprintf(header, sizeof(header), form, names[j], versions[i], address,
				 names[j]);
			expect_accepted(FMP_SECURITY_BC, NULL, header);
		}
	}
}
END_TEST

START_TEST(must_understand_is_a_boolean)
{
	expect_accepted(FMP_SECURITY_BC, NULL, "<a xmlns='urn:a' e:mustUnderstand='1'/>");
	expect_accepted(FMP_SECURITY_BC, NULL, "<a xmlns='urn:a' e:mustUnderstand='0'/>");
	expect_accepted(FMP_SECURITY_BC, NULL, "<a xmlns='urn:a' e:mustUnderstand='true'/>");
	expect_accepted(FMP_SECURITY_BC, NULL, "<a xmlns='urn:a' mustUnderstand='as you like'/>");
	expect_refused(FMP_SECURITY_BC, NULL, "<a xmlns='urn:a' e:mustUnderstand='yes'/>");
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("addressing");

	tcase_add_unchecked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_add_test(tc, actions_of_the_operation_pass);
	tcase_add_test(tc, actions_of_another_element_are_refused);
	tcase_add_test(tc, two_actions_agree);
	tcase_add_test(tc, answers_come_back_over_the_connection);
	tcase_add_test(tc, every_version_of_addressing_counts);
	tcase_add_test(tc, must_understand_is_a_boolean);
	return run_tcase("addressing", tc);
}
