// SPDX-License-Identifier: GPL-2.0
/* Answers with an empty Body, where the WSDL has such: signed, taken, looked into, not encrypted. */
#include <unistd.h>

#include "secured.h"

/* Of an operation whose messages have no part. */
static void write_pings(char path[32])
{
	static const char wsdl[] =
		"<definitions xmlns='http://schemas.xmlsoap.org/wsdl/' xmlns:t='urn:t' "
		"xmlns:s='http://schemas.xmlsoap.org/wsdl/soap/' targetNamespace='urn:t'>"
		"<message name='None'/><portType name='P'><operation name='ping'>"
		"<input message='t:None'/><output message='t:None'/></operation></portType>"
		"<binding name='B' type='t:P'><s:binding/><operation name='ping'>"
		"<s:operation soapAction='urn:ping'/><input><s:body use='literal'/></input>"
		"<output><s:body use='literal'/></output></operation></binding></definitions>";
	int fd;

	strcpy(path, "/tmp/fmp-pings.XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, wsdl, strlen(wsdl)), (int)strlen(wsdl));
	close(fd);
}

static struct fmp_secured secure_empty(const struct fmp_policy_answers *a, const char *text)
{
	struct fmp_securer *s = new_securer(a);
	struct fmp_reply_context r = make_reply_context();
	struct fmp_reply reply = { .bytes = text,
				   .len = strlen(text),
				   .now_s = VECTORS_NOW,
				   .reply_context = &r,
				   .may_be_empty = true };
	struct fmp_secured out;

	ck_assert_int_eq(fmp_secure(s, &reply, &out), 0);
	fmp_securer_free(s);
	return out;
}

/* answer: its own, of a request. */
static void look_at_empty(struct fmp_inspector *i, const struct bytes *b, bool answer,
			  const char *action, const char *fault)
{
	struct fmp_message m = { .bytes = b->p,
				 .len = b->len,
				 .now_s = VECTORS_NOW,
				 .answer = answer,
				 .soap_action = action };
	struct fmp_inspection v;

	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	if (fault)
		ck_assert_msg(!v.accepted && strstr(v.detail, fault), "%s", v.detail);
	else
		ck_assert_msg(v.accepted && memmem(v.forward, v.forward_len, "Body", 4), "%s",
			      v.detail);
	fmp_inspection_clear(&v);
}

/* Where the WSDL says so an empty Body is signed, and taken by what it is signed with. */
START_TEST(an_empty_body_is_signed)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, FMP_SEAL_NONE);
	struct fmp_secured out = secure_empty(&a, ENVELOPE(S11, "", " <!-- --> "));
	struct bytes b = { strndup(out.bytes ? out.bytes : "", out.len), out.len };
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCS);
	struct fmp_message m = { .now_s = VECTORS_NOW };
	struct fmp_inspection v;
	struct fmp_inspector *i;
	char path[32];

	ck_assert_msg(out.bytes, "%s", out.detail);
	write_pings(path);
	i = make_inspector(&cfg);
	ck_assert(!fmp_inspector_accepts_empty(i, true));
	look_at_empty(i, &b, true, NULL, "the Body is empty");
	fmp_inspector_free(i);
	cfg.schema = path;
	i = make_inspector(&cfg);
	ck_assert(fmp_inspector_accepts_empty(i, true));
	look_at_empty(i, &b, true, NULL, NULL);
	look_at_empty(i, &b, false, "urn:ping", NULL);
	fmp_inspector_free(i);

	/* As a tree. */
	cfg.tree = true;
	i = make_inspector(&cfg);
	m.bytes = b.p;
	m.len = b.len;
	ck_assert_int_eq(fmp_inspect(i, &m, &v), 0);
	ck_assert_msg(v.accepted && v.tree.body && !v.tree.payload, "%s", v.detail);
	fmp_inspection_clear(&v);

	b = edit_bytes(b, " <!-- --> ", "           ");
	look_at_empty(i, &b, true, NULL, "digest of Body");
	fmp_inspector_free(i);
	/* A signature of nothing vouches for nothing else. */
	b = edit_bytes(b, "           ", "<e:a/>");
	i = make_inspector(&cfg);
	look_at_empty(i, &b, true, NULL, "No matching global declaration");
	fmp_inspector_free(i);
	unlink(path);
	free(b.p);
	fmp_secured_clear(&out);
}
END_TEST

/* What goes on of an empty Body is its attributes. */
START_TEST(an_empty_body_has_a_content)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, FMP_SEAL_NONE);
	struct fmp_secured out = secure_empty(&a, ENVELOPE(S11, "", ""));
	struct bytes b = { strndup(out.bytes ? out.bytes : "", out.len), out.len };
	struct fmp_policy_rule rules[] = { { .name = "all", .regex = (char *)"poison" },
					   { .name = "some", .xpath = (char *)"@*" } };
	struct fmp_policy_content content = { .rules = rules };
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCS);
	char path[32];

	write_pings(path);
	cfg.schema = path;
	cfg.content = &content;
	for (content.n_rules = 1; content.n_rules <= 2; content.n_rules++) {
		struct fmp_inspector *i = make_inspector(&cfg);

		look_at_empty(i, &b, true, NULL,
			      content.n_rules == 2 ? "of the rule \"some\" in Body" : NULL);
		fmp_inspector_free(i);
	}
	unlink(path);
	free(b.p);
	fmp_secured_clear(&out);
}
END_TEST

/* Nothing that our own inspection would not take. */
START_TEST(an_empty_body_is_not_encrypted)
{
	struct fmp_policy_answers a = make_answers(FMP_SIGN_RSA_SHA256, FMP_SEAL_AES256_GCM);
	struct fmp_secured out = secure_empty(&a, ENVELOPE(S11, "", ""));

	ck_assert(!out.bytes && strstr(out.detail, "is to be encrypted"));
	fmp_secured_clear(&out);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("secure_empty");

	tcase_add_checked_fixture(t, vectors_setup, vectors_teardown);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, an_empty_body_is_signed);
	tcase_add_test(t, an_empty_body_has_a_content);
	tcase_add_test(t, an_empty_body_is_not_encrypted);
	return run_tcase("secure_empty", t);
}
