// SPDX-License-Identifier: GPL-2.0
/* An empty Body is no operation's own: of several, one that was signed must say which it is for. */
#include "encrypted_messages.h"
#include "run.h"

#define ACTION(x)     ADDRESS("Action", "act", x)
#define PING	      ACTION("urn:ping")
#define BLANK	      ACTION(" ")
/* BcS. */
#define EMPTY(blocks) OPEN HEADER(SECURITY("@K@T@G") blocks) SIGNED_BODY("body", "") CLOSE
#define OF(more)      INFO_SIGNED("", more)

#define HAS(name)                                                      \
	"<operation name='" name "'><input message='t:None'/><output " \
	"message='t:None'/></operation>"
#define BOUND(name, action)                                                                \
	"<operation name='" name "'><s:operation soapAction='" action "'/><input><s:body " \
	"use='literal'/></input><output><s:body use='literal'/></output></operation>"
#define WSDL(has, bound)                                                                \
	"<definitions xmlns='http://schemas.xmlsoap.org/wsdl/' xmlns:t='urn:t' "        \
	"xmlns:s='http://schemas.xmlsoap.org/wsdl/soap/' targetNamespace='urn:t'>"      \
	"<message name='None'/><portType name='P'>" has "</portType><binding name='B' " \
	"type='t:P'><s:binding/>" bound "</binding></definitions>"

static const char one[] = WSDL(HAS("ping"), BOUND("ping", "urn:ping"));
static const char several[] =
	WSDL(HAS("ping") HAS("reset"), BOUND("ping", "urn:ping") BOUND("reset", "urn:reset"));

static const struct row {
	const char *name, *text, *info, *wsdl, *soap_action;
	bool answer;
	enum fmp_event_kind kind;
	const char *words;
} rows[] = {
	{ "one operation", EMPTY(""), OF(""), one, "urn:ping", false, 0, "" },
	{ "no action that is signed", EMPTY(""), OF(""), several, "urn:ping", false,
	  FMP_EVENT_UNSIGNED, "no Action that is signed says for which operation of several" },
	{ "the same with another", EMPTY(""), OF(""), several, "urn:reset", false,
	  FMP_EVENT_UNSIGNED, "no Action that is signed" },
	{ "an action beside it", EMPTY(PING), OF(""), several, NULL, false, FMP_EVENT_UNSIGNED,
	  "no Action that is signed" },
	{ "one that is signed", EMPTY(PING), OF(REF("act", PING)), several, NULL, false, 0, "" },
	{ "and HTTP's", EMPTY(PING), OF(REF("act", PING)), several, "urn:ping", false, 0, "" },
	{ "another of HTTP's", EMPTY(PING), OF(REF("act", PING)), several, "urn:reset", false,
	  FMP_EVENT_SOAP, "differ" },
	{ "one that says nothing", EMPTY(BLANK), OF(REF("act", BLANK)), several, "urn:reset", false,
	  FMP_EVENT_SOAP, "differ" },
	{ "an answer", EMPTY(""), OF(""), several, NULL, true, 0, "" },
};

START_TEST(a_signed_action_says_which)
{
	const struct row *r = &rows[_i];
	struct encrypted_row message = {
		.name = r->name, .security = FMP_SECURITY_BCS, .text = r->text, .info = r->info
	};
	struct fmp_inspect_config cfg = encrypted_config(&message);
	struct attack_bytes b = make_encrypted(&message);
	struct fmp_message m = { .bytes = b.p,
				 .len = b.len,
				 .now_s = VECTORS_NOW,
				 .soap_action = r->soap_action,
				 .answer = r->answer };
	char wsdl[] = "/tmp/fmp-empty.XXXXXX";
	struct fmp_inspector *i;
	struct fmp_inspection v;

	write_temporary_file(wsdl, r->wsdl);
	cfg.schema = wsdl;
	i = make_inspector(&cfg);
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(r->kind ? !v.accepted && v.kind == r->kind && strstr(v.detail, r->words)
			      : v.accepted,
		      "%s: %s: %s", r->name, fmp_event_kind_name(v.kind), v.detail);
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
	unlink(wsdl);
	free(b.p);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("empty");

	tcase_add_unchecked_fixture(tc, encrypted_setup, encrypted_teardown);
	tcase_add_loop_test(tc, a_signed_action_says_which, 0, COUNT(rows));
	return run_tcase("empty", tc);
}
