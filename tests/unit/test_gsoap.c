// SPDX-License-Identifier: GPL-2.0
/* Messages with attachments through the plugin of gSOAP: MTOM, and what must not be taken for it. */
#include <unistd.h>

#include <fmp/gsoap.h>

#include "run.h"
#include "soapH.h"
#include "tokens.h"

#pragma GCC visibility push(default)
#include "soap.nsmap"
#pragma GCC visibility pop

#define S11 "http://schemas.xmlsoap.org/soap/envelope/"
#define XOP "http://www.w3.org/2004/08/xop/include"
#define RELATED \
	"multipart/related; type=\"application/xop+xml\"; start-info=\"text/xml\"; boundary=\"BB\""
#define ROOT(type)                                                                             \
	"--BB\r\nContent-Type: " type "\r\nContent-ID: <r@x>\r\n\r\n<s:Envelope xmlns:s='" S11 \
	"'><s:Body><f:file xmlns:f='urn:f'><f:data><xop:Include xmlns:xop='" XOP               \
	"' href='cid:a@x'/></f:data></f:file></s:Body></s:Envelope>\r\n"
#define XOP_TYPE       "application/xop+xml; charset=UTF-8; type=\"text/xml\""
#define PART(id, data) "--BB\r\nContent-ID: <" id ">\r\n\r\n" data "\r\n"
#define END	       "--BB--\r\n"

static const char schema_text[] =
	"<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:f' "
	"elementFormDefault='qualified'><xs:element name='file'><xs:complexType><xs:sequence>"
	"<xs:element name='data' type='xs:base64Binary'/>"
	"</xs:sequence></xs:complexType></xs:element></xs:schema>";
static char schema[] = "/tmp/fmp-gsoap-XXXXXX";

static const char *left; /* of the message */
static char answer[8192];
static size_t answer_len;

static size_t receive_text(struct soap *soap, char *buf, size_t n)
{
	size_t len = strlen(left);

	(void)soap;
	n = n < len ? n : len;
	memcpy(buf, left, n);
	left += n;
	return n;
}

static int send_text(struct soap *soap, const char *buf, size_t n)
{
	(void)soap;
	if (n > sizeof(answer) - answer_len)
		n = sizeof(answer) - answer_len;
	memcpy(answer + answer_len, buf, n);
	answer_len += n;
	return SOAP_OK;
}

/* The context reads the message up to the verdict. */
static struct soap *begin_message(struct fmp_inspector **inspector, bool tree, const char *type,
				  const char *body)
{
	static const struct fmp_policy_attachments allowed = { true, true, 10, 10000, 10000 };
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCV);
	struct soap *soap = soap_new();
	struct fmp_gsoap_config own = { FMP_GSOAP_CONFIG };
	static char text[8192];

	cfg.schema = schema;
	cfg.tree = tree;
	cfg.attachments = &allowed;
	*inspector = make_inspector(&cfg);
	own.inspector = *inspector;
	soap->frecv = receive_text;
	soap->fsend = send_text;
	ck_assert_int_eq(soap_register_plugin_arg(soap, fmp_gsoap, &own), SOAP_OK);
	snprintf(text, sizeof(text),
		 "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n%s",
		 type, strlen(body), body);
	left = text;
	soap_begin_recv(soap);
	return soap;
}

static void end_message(struct soap *soap, struct fmp_inspector *inspector)
{
	soap_destroy(soap);
	soap_end(soap);
	soap_free(soap);
	fmp_inspector_free(inspector);
}

START_TEST(tree_has_attachments)
{
	struct fmp_inspector *inspector;
	struct soap *soap =
		begin_message(&inspector, true, RELATED, ROOT(XOP_TYPE) PART("a@x", "hello") END);
	const struct fmp_attachments *a = fmp_gsoap_attachments(soap);

	ck_assert_int_eq(soap->error, SOAP_OK);
	ck_assert_ptr_nonnull(a);
	ck_assert_uint_eq(a->n, 1);
	ck_assert(a->xop);
	ck_assert_uint_eq(a->part[0].len, 5);
	ck_assert_mem_eq(a->part[0].bytes, "hello", 5);
	end_message(soap, inspector);
}
END_TEST

START_TEST(bytes_have_parts)
{
	struct fmp_inspector *inspector;
	struct soap *soap =
		begin_message(&inspector, false, RELATED, ROOT(XOP_TYPE) PART("a@x", "hello") END);
	struct soap_multipart *part;

	ck_assert_int_eq(soap->error, SOAP_OK);
	/* What gSOAP reads is its own; ours is for trees. */
	ck_assert_ptr_null(fmp_gsoap_attachments(soap));
	ck_assert(!soap_envelope_begin_in(soap) && !soap_recv_header(soap) &&
		  !soap_body_begin_in(soap) && !soap_ignore_element(soap) &&
		  !soap_body_end_in(soap) && !soap_envelope_end_in(soap) && !soap_end_recv(soap));
	part = soap->mime.list ? soap->mime.list->next : NULL;
	ck_assert_ptr_nonnull(part);
	ck_assert_uint_eq(part->size, 5);
	ck_assert_mem_eq(part->ptr, "hello", 5);
	end_message(soap, inspector);
}
END_TEST

static const struct {
	const char *type, *body;
	int status;
} attacks[] = {
	/* gSOAP would read DIME behind it. */
	{ RELATED, ROOT("application/dime") PART("a@x", "hello") END, 400 },
	{ RELATED, ROOT("application/xop+xml; type=\"application/dime\"") PART("a@x", "hello") END,
	  400 },
	{ "application/dime", ROOT(XOP_TYPE) PART("a@x", "hello") END, 415 },
	{ RELATED "; start=\"<a@x>\"", ROOT(XOP_TYPE) PART("a@x", "hello") END, 400 },
	{ RELATED, ROOT("text/plain") PART("a@x", "hello") END, 400 },
	{ RELATED, ROOT(XOP_TYPE) PART("a@x", "hello") PART("a@x", "other") END, 400 },
	{ RELATED, ROOT(XOP_TYPE) PART("r@x", "hello") END, 400 },
};

START_TEST(attacks_are_refused)
{
	for (int tree = 0; tree < 2; tree++) {
		struct fmp_inspector *inspector;
		struct soap *soap =
			begin_message(&inspector, tree, attacks[_i].type, attacks[_i].body);

		ck_assert_msg(soap->error == attacks[_i].status, "%d: %d", _i, soap->error);
		ck_assert_ptr_null(fmp_gsoap_attachments(soap));
		end_message(soap, inspector);
	}
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("gsoap");
	struct fmp_error err;
	int fd = mkstemp(schema), failed;

	if (fd < 0 || write(fd, schema_text, strlen(schema_text)) < 0 ||
	    fmp_inspect_global_init(&err))
		return EXIT_FAILURE;
	close(fd);
	tcase_add_test(tc, tree_has_attachments);
	tcase_add_test(tc, bytes_have_parts);
	tcase_add_loop_test(tc, attacks_are_refused, 0, sizeof(attacks) / sizeof(attacks[0]));
	failed = run_tcase("gsoap", tc);
	unlink(schema);
	fmp_inspect_global_exit();
	return failed;
}
