// SPDX-License-Identifier: GPL-2.0
/*
 * gsoap_peer echo ADDR:PORT
 * gsoap_peer wsse ADDR:PORT CAS
 *
 * echo is what HTTP by gSOAP costs and nothing else: each body goes back as it came. wsse is the
 * sample service behind gSOAP's WSSE plugin: Timestamp, Body and the chain to CAS are verified.
 * One connection at a time, until SIGTERM.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wsseapi.h>

#define REQUESTS_PER_CONNECT 1000000

/* daemon/sample/provider/orders.c, by another name: see peers.mk. */
int order_service(struct soap *soap, struct _o__submitOrder *order,
		  struct _o__submitOrderResponse *answer);

int __o__submitOrder(struct soap *soap, struct _o__submitOrder *order,
		     struct _o__submitOrderResponse *answer)
{
	/* soap_wsse_verify_body() counts the Body of a message like WSS4J's twice, and refuses it. */
	if (soap_wsse_verify_Timestamp(soap) ||
	    !soap_wsse_verify_element(soap, "http://schemas.xmlsoap.org/soap/envelope/", "Body"))
		return soap_sender_fault(soap, "not signed", NULL);
	soap_wsse_delete_Security(soap);
	return order_service(soap, order, answer);
}

static int echo_once(struct soap *soap)
{
	size_t len;
	char *body;

	if (soap_begin_recv(soap))
		return soap->error;
	body = soap_http_get_body(soap, &len);
	if (!body || soap_end_recv(soap))
		return soap->error;
	soap->http_content = "text/xml; charset=utf-8";
	if (soap_response(soap, SOAP_FILE) || soap_send_raw(soap, body, len))
		return soap->error;
	return soap_end_send(soap);
}

static void echo(struct soap *soap)
{
	soap->keep_alive = soap->max_keep_alive + 1;
	do {
		soap->keep_alive--;
		if (echo_once(soap))
			break;
		soap_destroy(soap);
		soap_end(soap);
	} while (soap->keep_alive > 0);
}

static int listen_on(struct soap *soap, const char *where)
{
	const char *colon = strrchr(where, ':');
	struct sockaddr_in addr;
	socklen_t len = sizeof(addr);
	char host[64];

	if (!colon || (size_t)(colon - where) >= sizeof(host))
		return EXIT_FAILURE;
	memcpy(host, where, (size_t)(colon - where));
	host[colon - where] = 0;
	soap->bind_flags = SO_REUSEADDR;
	if (!soap_valid_socket(soap_bind(soap, host, atoi(colon + 1), 16)) ||
	    getsockname(soap->master, (struct sockaddr *)&addr, &len)) {
		soap_print_fault(soap, stderr);
		return EXIT_FAILURE;
	}
	printf("listening on %s:%d\n", host, ntohs(addr.sin_port));
	fflush(stdout);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	bool wsse = argc == 4 && !strcmp(argv[1], "wsse");
	struct soap *soap = soap_new1(SOAP_IO_KEEPALIVE);

	if (!wsse && (argc != 3 || strcmp(argv[1], "echo"))) {
		fputs("usage: gsoap_peer echo ADDR:PORT | wsse ADDR:PORT CAS\n", stderr);
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	soap->max_keep_alive = REQUESTS_PER_CONNECT;
	if (wsse && (soap_register_plugin(soap, soap_wsse) ||
		     soap_ssl_server_context(soap, SOAP_SSL_NO_AUTHENTICATION, NULL, NULL, argv[3],
					     NULL, NULL, NULL, NULL))) {
		soap_print_fault(soap, stderr);
		return EXIT_FAILURE;
	}
	if (listen_on(soap, argv[2]))
		return EXIT_FAILURE;
	while (soap_valid_socket(soap_accept(soap))) {
		if (wsse) {
			soap_wsse_verify_auto(soap, SOAP_SMD_NONE, NULL, 0);
			soap_serve(soap);
		} else {
			echo(soap);
		}
		soap_closesock(soap);
		soap_destroy(soap);
		soap_end(soap);
	}
	return EXIT_FAILURE;
}
