// SPDX-License-Identifier: GPL-2.0
/*
 * The service of store.wsdl and its client, by code that wsdl2h and soapcpp2 make of it.
 *
 *	store server PORT WSDL
 *	store client URL-OF-BASE
 *
 * /store is open, /basic/store asks for jane's password. The code knows nothing of fmp.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soapH.h"
#include "StoreBinding.nsmap"

#define OCTETS "application/octet-stream"

static unsigned char *make_bytes(struct soap *soap, int size)
{
	unsigned char *out = soap_malloc(soap, (size_t)size + 1);

	for (int i = 0; out && i < size; i++)
		out[i] = (unsigned char)(i * 31 + i / 251);
	return out;
}

static LONG64 sum_bytes(const unsigned char *bytes, int size)
{
	LONG64 sum = 0;

	for (int i = 0; i < size; i++)
		sum += bytes[i];
	return sum;
}

/* Its type makes it a part of MTOM, with an id of gSOAP's making. */
static void set_attachment(struct soap *soap, struct xsd__base64Binary *data, int size)
{
	data->__ptr = make_bytes(soap, size);
	data->__size = size;
	data->id = NULL;
	data->type = soap_strdup(soap, OCTETS);
}

/* ---- the service ---- */

int __ns1__echo(struct soap *soap, struct _ns1__echo *in, struct _ns1__echoResponse *out)
{
	out->text = in->text;
	return SOAP_OK;
}

int __ns1__fail(struct soap *soap, struct _ns1__fail *in, struct _ns1__failResponse *out)
{
	struct _ns1__storeFault *fault = soap_malloc(soap, sizeof(*fault));
	struct SOAP_ENV__Detail *detail = soap_malloc(soap, sizeof(*detail));

	(void)out;
	if (!fault || !detail)
		return soap->error = SOAP_EOM;
	soap_default_SOAP_ENV__Detail(soap, detail);
	fault->reason = in->reason;
	detail->ns1__storeFault = fault;
	soap_sender_fault(soap, in->reason, NULL);
	soap->fault->detail = detail;
	return SOAP_FAULT;
}

int __ns1__who(struct soap *soap, struct _ns1__who *in, struct _ns1__whoResponse *out)
{
	const char *had = soap_cookie_value(soap, "visits", NULL, NULL);
	bool asks = !strcmp(soap->path, "/basic/store");
	char next[16];

	(void)in;
	if (asks && !(soap->userid && soap->passwd && !strcmp(soap->userid, "jane") &&
		      !strcmp(soap->passwd, "correct horse"))) {
		soap->authrealm = "store";
		return 401;
	}
	out->user = asks ? soap->userid : "nobody";
	out->visits = had ? atoi(had) : 0;
	snprintf(next, sizeof(next), "%d", out->visits + 1);
	soap_set_cookie(soap, "visits", next, NULL, NULL);
	soap_set_cookie_session(soap, "visits", NULL, NULL);
	return SOAP_OK;
}

int __ns1__put(struct soap *soap, struct _ns1__put *in, struct _ns1__putResponse *out)
{
	(void)soap;
	out->size = in->data.__size;
	out->sum = sum_bytes(in->data.__ptr, in->data.__size);
	return SOAP_OK;
}

int __ns1__get(struct soap *soap, struct _ns1__get *in, struct _ns1__getResponse *out)
{
	soap_set_omode(soap, SOAP_ENC_MTOM);
	set_attachment(soap, &out->data, in->size);
	return out->data.__ptr ? SOAP_OK : (soap->error = SOAP_EOM);
}

static const char *wsdl;

static int get_wsdl(struct soap *soap)
{
	FILE *f = fopen(wsdl, "rb");
	char part[4096];
	size_t n;

	if (!f)
		return 404;
	soap->http_content = "text/xml; charset=utf-8";
	if (!soap_response(soap, SOAP_FILE)) {
		while ((n = fread(part, 1, sizeof(part), f)) && !soap_send_raw(soap, part, n))
			;
	}
	fclose(f);
	return soap->error ? soap->error : soap_end_send(soap);
}

static int serve_store(int port)
{
	struct soap *soap = soap_new1(SOAP_IO_KEEPALIVE);

	soap->fget = get_wsdl;
	/* It serves one connection at a time: none may hold it for long. */
	soap->max_keep_alive = 1;
	soap->recv_timeout = soap->send_timeout = 20;
	soap->bind_flags = SO_REUSEADDR;
	if (!soap_valid_socket(soap_bind(soap, "127.0.0.1", port, 100))) {
		soap_print_fault(soap, stderr);
		return 1;
	}
	while (soap_valid_socket(soap_accept(soap))) {
		soap_clr_omode(soap, SOAP_ENC_MTOM);
		soap_serve(soap);
		soap_destroy(soap);
		soap_end(soap);
		soap_free_cookies(soap);
	}
	return 1;
}

/* ---- the client ---- */

static char url[256], basic[256];

static bool read_wsdl(struct soap *soap)
{
	static char text[32 << 10];
	size_t had = 0, n = 0;
	char from[300];
	char *body;

	snprintf(from, sizeof(from), "%s?wsdl", url);
	if (soap_GET(soap, from, NULL) || soap_begin_recv(soap))
		return false;
	body = soap_http_get_body(soap, &n);
	for (; body && had < n && had < sizeof(text) - 1; had++)
		text[had] = body[had];
	soap_end_recv(soap);
	/* Its place is the gateway's. */
	return strstr(text, "StoreBinding") && strstr(text, url);
}

static bool call_echo(struct soap *soap)
{
	struct _ns1__echo in = { .text = "Gr\xc3\xbc\xc3\x9f"
					 "e & <Tags>" };
	struct _ns1__echoResponse out;

	return !soap_call___ns1__echo(soap, url, NULL, &in, &out) && !strcmp(out.text, in.text);
}

static bool get_fault(struct soap *soap)
{
	struct _ns1__fail in = { .reason = "sold out" };
	struct _ns1__failResponse out;
	struct SOAP_ENV__Detail *d;

	if (soap_call___ns1__fail(soap, url, NULL, &in, &out) != SOAP_CLI_FAULT || !soap->fault)
		return false;
	d = soap->fault->detail;
	return d && d->ns1__storeFault && !strcmp(d->ns1__storeFault->reason, "sold out") &&
	       strstr(*soap_faultcode(soap), "Client");
}

static bool keep_cookies(struct soap *soap)
{
	struct _ns1__who in;
	struct _ns1__whoResponse out;

	for (int i = 0; i < 3; i++)
		if (soap_call___ns1__who(soap, url, NULL, &in, &out) || out.visits != i)
			return false;
	return true;
}

static bool is_unauthorized(struct soap *soap)
{
	struct _ns1__who in;
	struct _ns1__whoResponse out;

	return soap_call___ns1__who(soap, basic, NULL, &in, &out) == 401 && soap->authrealm &&
	       !strcmp(soap->authrealm, "store");
}

static bool use_password(struct soap *soap)
{
	struct _ns1__who in;
	struct _ns1__whoResponse out;

	soap->userid = "jane";
	soap->passwd = "correct horse";
	return !soap_call___ns1__who(soap, basic, NULL, &in, &out) && !strcmp(out.user, "jane");
}

/* Both ways; with MTOM as parts that come back as parts. */
static bool move_bytes(struct soap *soap, int size, bool mtom)
{
	struct _ns1__put put = { 0 };
	struct _ns1__putResponse had;
	struct _ns1__get get = { .size = size };
	struct _ns1__getResponse got;
	unsigned char *sent = make_bytes(soap, size);

	if (mtom) {
		soap_set_omode(soap, SOAP_ENC_MTOM);
		set_attachment(soap, &put.data, size);
	} else {
		put.data = (struct xsd__base64Binary){ .__ptr = sent, .__size = size };
	}
	if (soap_call___ns1__put(soap, url, NULL, &put, &had))
		return false;
	soap_clr_omode(soap, SOAP_ENC_MTOM);
	if (had.size != size || had.sum != sum_bytes(sent, size) ||
	    soap_call___ns1__get(soap, url, NULL, &get, &got))
		return false;
	return got.data.__size == size && !memcmp(got.data.__ptr, sent, (size_t)size) &&
	       got.data.type && !strcmp(got.data.type, OCTETS);
}

static bool move_base64(struct soap *soap)
{
	return move_bytes(soap, 20000, false);
}

static bool move_small_mtom(struct soap *soap)
{
	return move_bytes(soap, 300, true);
}

static bool move_medium_mtom(struct soap *soap)
{
	return move_bytes(soap, 100000, true);
}

static bool move_large_mtom(struct soap *soap)
{
	return move_bytes(soap, 1 << 20, true);
}

static void run_step(const char *name, bool (*step)(struct soap *soap))
{
	struct soap *soap = soap_new1(SOAP_IO_DEFAULT);

	soap->connect_timeout = soap->recv_timeout = soap->send_timeout = 20;
	if (step(soap))
		printf("ok %s\n", name);
	else
		printf("bad %s: gSOAP error %d, HTTP %d\n", name, soap->error, soap->status);
	if (soap->error)
		soap_print_fault(soap, stderr);
	soap_destroy(soap);
	soap_end(soap);
	soap_free(soap);
}

static int run_client(const char *base)
{
	snprintf(url, sizeof(url), "%s/store", base);
	snprintf(basic, sizeof(basic), "%s/basic/store", base);
	run_step("wsdl", read_wsdl);
	run_step("call", call_echo);
	run_step("fault", get_fault);
	run_step("cookies", keep_cookies);
	run_step("unauthorized", is_unauthorized);
	run_step("basic", use_password);
	run_step("binary", move_base64);
	run_step("mtom-300", move_small_mtom);
	run_step("mtom-100000", move_medium_mtom);
	run_step("mtom-1MiB", move_large_mtom);
	return 0;
}

int main(int argc, char **argv)
{
	signal(SIGPIPE, SIG_IGN);
	if (argc == 4 && !strcmp(argv[1], "server")) {
		wsdl = argv[3];
		return serve_store(atoi(argv[2]));
	}
	if (argc == 3 && !strcmp(argv[1], "client"))
		return run_client(argv[2]);
	fprintf(stderr, "Usage: store server PORT WSDL | store client URL\n");
	return 2;
}
